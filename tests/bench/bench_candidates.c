/* What a level offers, rebuilt from an item's labels and the tree. */
#include "bench.h"
#include "ecrb.h"

enum { CALLS = 20000 };

typedef struct rebuild {
  ecrb_bench *bench;
  ecrb_node node[3]; /* on levels 1 to 3, on the way to the first label */
  size_t offered;
} rebuild;

static void candidates(void *data) {
  rebuild *r = data;
  ecrb_candidate_rule rule = ecrb_candidate_rule_default();
  ecrb_node list[ECRB_CANDIDATES_MAX];
  for (size_t i = 0; i < CALLS; i++) {
    size_t count, item = i % ecrb_bench_size(r->bench);
    if (ecrb_candidates(r->bench, item, r->node[i % 3], &rule, list, &count,
                        NULL) != ECRB_OK)
      exit(1);
    r->offered += count;
  }
}

int main(void) {
  const char *folder = getenv("ECRB_BENCH_CARE");
  rebuild r = {0};
  ecrb_err err;
  if (!folder) {
    puts("skip candidates: the CARE benchmark is not there");
    return 0;
  }
  if (ecrb_bench_open(folder, 1, &r.bench, &err) != ECRB_OK) {
    fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  for (int level = 1; level <= 3; level++) {
    ecrb_ec ec;
    ecrb_ec_parse("2.7.1.1", 7, &ec);
    r.node[level - 1] =
        ecrb_tree_find(ecrb_bench_tree(r.bench), ecrb_ec_prefix(ec, level));
  }
  for (int i = bench_rounds(); i > 0; i--)
    printf("candidates of a level, rebuilt\t%g\tus\t<=2\n",
           bench_cpu_ms(candidates, &r) * 1e3 / CALLS);
  ecrb_bench_close(r.bench);
  return 0;
}
