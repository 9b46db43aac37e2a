/* embed.c: ecrb inside a program that has a model of its own. Opens a benchmark,
** runs a method whose questions a function of this program answers, hears of
** every item, scores, closes.
**
**   cc embed.c $(pkg-config --cflags --libs ecrb) -o embed && ./embed b0 price
*/
#include <ecrb_host.h>
#include <stdio.h>
#include <string.h>

/* The model. This one repeats the first whole EC number of the prompt, which is
** the best hit's; yours asks whatever it has. */
static int model(void *data, const ecrb_question *question, ecrb_span *reply,
                 ecrb_err *err) {
  const char *word = question->messages[question->count - 1].content.at;
  char *text = data;
  ecrb_ec ec;
  for (size_t n; *word; word += n + (word[n] != '\0')) {
    n = strcspn(word, " \n");
    if (ecrb_ec_parse(word, n, &ec) != ECRB_OK || ec.depth < 4)
      continue;
    ecrb_ec_format(ec, text + sprintf(text, "ANSWER: "));
    *reply = ecrb_span_of(text);
    return ECRB_OK;
  }
  return ecrb_fail(err, ECRB_ENONE, "no EC number in the prompt");
}

static bool each(void *data, const ecrb_result *result) {
  (void)data;
  printf("%.*s %.*s, H-F1 %.2f\n", (int)result->item.id.n, result->item.id.at,
         (int)result->outcome.n, result->outcome.at, result->score.hf);
  return true; /* false would end the run here */
}

int main(int argc, char **argv) {
  char reply[16 + ECRB_EC_TEXT];
  ecrb_run_spec spec = {.benchmark = "ecoli",
                        .limit = 5,
                        .model = model,
                        .data = reply,
                        .method = argc > 1 ? argv[1] : "b0",
                        .split = argc > 2 ? argv[2] : NULL};
  ecrb_host *host = NULL;
  ecrb_run *run = NULL;
  ecrb_summary mean;
  ecrb_err err;
  bool done = ecrb_host_new(NULL, &host, &err) == ECRB_OK &&
              ecrb_run_open(host, &spec, &run, &err) == ECRB_OK &&
              ecrb_run_all(run, each, &err) == ECRB_OK &&
              ecrb_run_score(run, &mean, NULL, &err) == ECRB_OK;
  if (done)
    printf("L1 %.2f, L4 %.2f, H-F1 %.2f of %zu items\n", mean.accuracy[0],
           mean.accuracy[3], mean.hf, ecrb_run_size(run));
  else
    fprintf(stderr, "embed: %s\n", err.msg);
  ecrb_run_close(run);
  ecrb_host_free(host);
  return done ? 0 : 2;
}
