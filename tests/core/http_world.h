/* http_world.h: for the tests of HTTP: tests/support/faultd with its rules, and
** a handle for every test. */
#ifndef ECRB_TESTS_HTTP_WORLD_H
#define ECRB_TESTS_HTTP_WORLD_H

#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECRET "sk-very-secret"
#define BODY_LIMIT 100000

/* clang-format off */
static const char rules[] =
  "on POST /echo*\n"
  "  status 200 OK\n  chat 'hello'\n"
  "on * /status\n"
  "  status $code Because\n  header X-Reason: tested\n  body 'text'\n"
  "on GET /redirect\n"
  "  status 307 Elsewhere\n  header Location: /status?code=200\n  body ''\n"
  "on GET /provisional\n"
  "  send \"HTTP/1.1 103 Early Hints\\r\\nLink: </x>\\r\\n\\r\\n\"\n"
  "  status 200 OK\n  header Second: yes\n  body 'text'\n"
  "on GET /wait\n"
  "  wait $ms:100\n  status 200 OK\n  body '{}'\n"
  "on GET /close\n"
  "  close\n"
  "on GET /reset\n"
  "  reset\n"
  "on GET /half-header\n"
  "  send \"HTTP/1.1 200 OK\\r\\nContent-Le\"\n  close\n"
  "on GET /garbage\n"
  "  send \"I am no server at all.\\r\\n\\r\\n\"\n  close\n"
  "on TLS *\n"
  "answer\n  send 'I speak no TLS'\n  close\n"
  "answer\n  reset\n"
  "answer\n  close\n"
  "on CONNECT *\n"
  "  status 407 Who are you\n  length 0\n  end\n"
  "on GET /then-close\n"
  "  status 200 OK\n  body 'text'\n  wait 30\n  close\n"
  "on GET /hang\n"
  "  hang\n"
  "on GET /reset-inside\n"
  "  status 200 OK\n  length 5000\n  end\n  fill 2000 'x'\n  wait 50\n"
  "  reset\n"
  "on GET /close-inside\n"
  "  status 200 OK\n  length 5000\n  end\n  fill 2000 'x'\n  close\n"
  "on GET /close-after-headers\n"
  "  status 200 OK\n  length 5000\n  end\n  close\n"
  "on GET /cut-chunks\n"
  "  status 200 OK\n  header Transfer-Encoding: chunked\n  end\n"
  "  chunk 'one piece'\n  close\n"
  "on GET /chunks\n"
  "  status 200 OK\n  header Transfer-Encoding: chunked\n  end\n"
  "  chunk 'one '\n  wait 20\n  chunk 'piece'\n  last\n"
  "on GET /until-close\n"
  "  status 200 OK\n  end\n  pieces 1 1 'to the end'\n  close\n"
  "on GET /too-much\n"
  "  status 200 OK\n  length 4\n  end\n  send 'text and more'\n"
  "on GET /stream-is-done\n"
  "  status 200 OK\n  end\n  send \": ping\\n\\ndata:{\\\"a\\\":1}\\r\\n\\r\\n\"\n"
  "  send \"data: [DONE] \\n\\n\"\n  hang\n"
  "on GET /stream-is-done-unended\n"
  "  status 200 OK\n  end\n  pieces 3 1 \"\\n data: 1\\ndata:[DONE]\"\n  hang\n"
  "on GET /stream-is-finished\n"
  "  status 200 OK\n  end\n"
  "  send \"data: {\\\"finish_reason\\\": \\\"stop\\\"}\\n\\n\"\n"
  "  send \"data: {\\\"usage\\\":{}}\\n\\n\"\n  hang\n"
  "on GET /stream-goes-on\n"
  "  status 200 OK\n  end\n"
  "  send \"data: {\\\"finish_reason\\\":null,\\\"usage\\\":{}}\\n\\n\"\n"
  "  send \"data: \\\"[DONE]\\\"\\nsay: data: [DONE]\\n\"\n  hang\n"
  "on GET /no-stream\n"
  "  status 200 OK\n  end\n  send \"{\\\"text\\\":\\n\"\n"
  "  send \"data: [DONE]\\n\"\n  hang\n"
  "on GET /endless\n"
  "  status 200 OK\n  end\n  fill forever 'x'\n"
  "on GET /endless-headers\n"
  "  status 200 OK\n  repeat forever 0 \"Name: value\\r\\n\"\n"
  "on GET /endless-trailers\n"
  "  status 200 OK\n  header Transfer-Encoding: chunked\n  end\n"
  "  chunk 'one'\n  send \"0\\r\\n\"\n"
  "  repeat forever 0 \"Name: value\\r\\n\"\n"
  "on GET /endless-header\n"
  "  status 200 OK\n  repeat forever 0 \"Name: valueNamevalueNamevalueName\"\n"
  "on GET /exactly\n"
  "  status 200 OK\n  length $n\n  end\n  fill $n 'x'\n"
  "on GET /blanks-then-text\n"
  "  status 200 OK\n  header Connection: close\n  end\n"
  "  repeat 20 40 \"\\n\"\n  send '{}'\n  close\n"
  "on GET /blanks\n"
  "  status 200 OK\n  end\n  repeat forever 20 \" \\r\\n\\t\"\n"
  "on GET /stops\n"
  "  status 200 OK\n  end\n  send '{\"'\n  hang\n"
  "on GET /trickle\n"
  "  status 200 OK\n  end\n  repeat forever 30 'x'\n";
/* clang-format on */

typedef struct world {
  char dir[64], log[96];
  pid_t server;
  int port;
  ecrb_http *http;
  ecrb_err err;
} world;

static inline void write_rules(const char *path) {
  FILE *f = fopen(path, "we");
  assert_non_null(f);
  assert_int_equal(fputs(rules, f) < 0, 0);
  assert_int_equal(fclose(f), 0);
}

/* A test that crashes leaves no server behind. */
static inline void die_with_parent(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* The server stands beside this program. */
static inline void serve(const char *script, const char *log, int out) {
  char self[4096] = {0}, path[4112];
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    _exit(1);
  *strrchr(self, '/') = '\0';
  snprintf(path, sizeof path, "%s/faultd", self);
  die_with_parent();
  dup2(out, STDOUT_FILENO);
  execl(path, path, "--script", script, "--log", log, "--seconds", "300",
        (char *)NULL);
  _exit(1);
}

static inline int start_server(void **state) {
  world *w = calloc(1, sizeof *w);
  char script[96], port[16] = {0};
  int out[2];
  if (!w)
    return -1;
  strcpy(w->dir, "/tmp/ecrb-http-XXXXXX");
  assert_non_null(mkdtemp(w->dir));
  snprintf(script, sizeof script, "%s/rules", w->dir);
  snprintf(w->log, sizeof w->log, "%s/log", w->dir);
  write_rules(script);
  assert_int_equal(pipe2(out, O_CLOEXEC), 0);
  w->server = fork();
  if (w->server == 0)
    serve(script, w->log, out[1]);
  close(out[1]);
  assert_true(read(out[0], port, sizeof port - 1) > 0);
  close(out[0]);
  unlink(script);
  w->port = atoi(port);
  *state = w;
  return 0;
}

static inline int stop_server(void **state) {
  world *w = *state;
  kill(w->server, SIGTERM);
  waitpid(w->server, NULL, 0);
  unlink(w->log);
  rmdir(w->dir);
  free(w);
  return 0;
}

/* Clocks that are short but not within reach of what should succeed. */
static inline ecrb_http_limits test_limits(void) {
  ecrb_http_limits limits = ecrb_http_limits_default();
  limits.first_byte_ms = 5000;
  limits.total_ms = 10000;
  limits.body_bytes = BODY_LIMIT;
  return limits;
}

static inline void open_with(world *w, const ecrb_http_limits *limits) {
  assert_int_equal(ecrb_http_new(limits, &w->http, &w->err), ECRB_OK);
}

static inline int open_http(void **state) {
  ecrb_http_limits limits = test_limits();
  open_with(*state, &limits);
  return 0;
}

static inline int close_http(void **state) {
  world *w = *state;
  ecrb_http_free(w->http);
  w->http = NULL;
  return 0;
}

static inline void reopen(world *w, const ecrb_http_limits *limits) {
  ecrb_http_free(w->http);
  open_with(w, limits);
}

static inline uint64_t start_at(world *w, const char *url, const char *body) {
  static const char *const headers[] = {"Content-Type: application/json",
                                        "Authorization: Bearer " SECRET, NULL};
  ecrb_span span = ecrb_span_of(body);
  uint64_t ticket = 0;
  if (ecrb_http_start(w->http, url, headers, body ? &span : NULL, NULL, &ticket,
                      &w->err) != ECRB_OK)
    fail_msg("%s", w->err.msg);
  return ticket;
}

static inline uint64_t start(world *w, const char *path, const char *body) {
  char url[256];
  snprintf(url, sizeof url, "http://127.0.0.1:%d%s", w->port, path);
  return start_at(w, url, body);
}

static inline void wait_for(world *w, uint64_t ticket, ecrb_http_response *r) {
  if (ecrb_http_wait(w->http, 20000, r, &w->err) != ECRB_OK)
    fail_msg("no request ended");
  assert_int_equal(r->ticket, ticket);
}

static inline void get(world *w, const char *path, ecrb_http_response *r) {
  wait_for(w, start(w, path, NULL), r);
}

static inline void assert_body(const ecrb_http_response *r, const char *text) {
  assert_int_equal(r->body.n, strlen(text));
  assert_memory_equal(r->body.at, text, r->body.n);
}

static inline bool holds(ecrb_span text, const char *part) {
  return text.n && memmem(text.at, text.n, part, strlen(part));
}

/* A count that the server keeps. */
static inline long server_count(world *w, const char *name) {
  ecrb_http_response r;
  char text[256];
  get(w, "/faultd/state", &r);
  snprintf(text, sizeof text, "%.*s", (int)r.body.n, r.body.at);
  const char *at = strstr(text, name);
  assert_non_null(at);
  return atol(at + strlen(name) + 2);
}

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A test with a handle of its own. */
#define ROW(test) cmocka_unit_test_setup_teardown(test, open_http, close_http)

#endif
