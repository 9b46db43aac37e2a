/* test_http_tls.c: which certificates are believed, against openssl's own
** server with a certificate that it signed itself. */
#include "http_world.h"

typedef struct tls {
  world w; /* stands first */
  char dir[64], certificate[96], key[96];
} tls;

static bool make_certificate(const tls *t) {
  char command[512];
  snprintf(command, sizeof command,
           "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
           "-nodes -keyout %s -out %s -days 2 -subj /CN=localhost "
           "-addext subjectAltName=DNS:localhost 2>/dev/null",
           t->key, t->certificate);
  return system(command) == 0;
}

static void serve_tls(const tls *t, int out) {
  die_with_parent();
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  execlp("openssl", "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert",
         t->certificate, "-key", t->key, "-www", (char *)NULL);
  _exit(1);
}

/* It says `ACCEPT 127.0.0.1:PORT` when it is ready. */
static int port_of(int out) {
  char text[1024] = {0};
  size_t n = 0;
  ssize_t got = 1;
  const char *at = NULL;
  while (!at && got > 0 && n < sizeof text - 1) {
    got = read(out, text + n, sizeof text - 1 - n);
    n += got > 0 ? (size_t)got : 0;
    at = strchr(text, '\n') ? strstr(text, "ACCEPT 127.0.0.1:") : NULL;
  }
  return at ? atoi(at + strlen("ACCEPT 127.0.0.1:")) : 0;
}

/* The pipe stays open: the server goes on talking. */
static int start_tls(void **state) {
  int out[2];
  tls *t = calloc(1, sizeof *t);
  if (!t)
    return -1;
  *state = t;
  if (system("openssl version >/dev/null 2>&1") != 0)
    return 0;
  strcpy(t->dir, "/tmp/ecrb-tls-XXXXXX");
  assert_non_null(mkdtemp(t->dir));
  snprintf(t->certificate, sizeof t->certificate, "%s/cert", t->dir);
  snprintf(t->key, sizeof t->key, "%s/key", t->dir);
  assert_true(make_certificate(t));
  assert_int_equal(pipe2(out, O_CLOEXEC), 0);
  t->w.server = fork();
  if (t->w.server == 0)
    serve_tls(t, out[1]);
  close(out[1]);
  t->w.port = port_of(out[0]);
  return t->w.port > 0 ? 0 : -1;
}

static int stop_tls(void **state) {
  tls *t = *state;
  if (t->w.server > 0) {
    kill(t->w.server, SIGTERM);
    waitpid(t->w.server, NULL, 0);
  }
  unlink(t->certificate);
  unlink(t->key);
  rmdir(t->dir);
  free(t);
  return 0;
}

static void assert_tls(tls *t, const char *host, enum ecrb_http_end end,
                       const char *says) {
  char url[128];
  ecrb_http_response r;
  snprintf(url, sizeof url, "https://%s:%d/", host, t->w.port);
  wait_for(&t->w, start_at(&t->w, url, NULL), &r);
  if (r.end != end || !strstr(r.detail, says))
    fail_msg("%s: end %d (%s)", url, r.end, r.detail);
  assert_int_equal(r.status, end == ECRB_HTTP_DONE ? 200 : 0);
}

static void trust(tls *t) {
  assert_int_equal(ecrb_http_trust(t->w.http, t->certificate, &t->w.err),
                   ECRB_OK);
}

static void test_certificates(void **state) {
  tls *t = *state;
  if (!t->w.server)
    SKIP_BECAUSE("openssl is not installed");
  assert_tls(t, "localhost", ECRB_HTTP_TLS, "self-signed");
  trust(t);
  assert_tls(t, "localhost", ECRB_HTTP_DONE, "");
  assert_tls(t, "127.0.0.1", ECRB_HTTP_TLS, "match");
}

static void test_trust_before_the_first_request(void **state) {
  tls *t = *state;
  if (!t->w.server)
    SKIP_BECAUSE("openssl is not installed");
  trust(t);
  assert_tls(t, "localhost", ECRB_HTTP_DONE, "");
}

static void test_what_is_no_certificate(void **state) {
  world *w = *state;
  assert_int_equal(ecrb_http_trust(w->http, "/no/such/file", &w->err),
                   ECRB_EIO);
  assert_non_null(strstr(w->err.msg, "/no/such/file"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      ROW(test_certificates),
      ROW(test_trust_before_the_first_request),
      ROW(test_what_is_no_certificate),
  };
  return cmocka_run_group_tests(tests, start_tls, stop_tls);
}
