/* test_http.c: every way in which a request can end, many at once, and what
** the caller may do at any moment; against tests/support/faultd. */
#include "unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
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
  "on GET /endless\n"
  "  status 200 OK\n  end\n  fill forever 'x'\n"
  "on GET /endless-headers\n"
  "  status 200 OK\n  repeat forever 0 \"Name: value\\r\\n\"\n"
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

/* {====================================================================
** The server, and one request at a time
** ===================================================================== */

typedef struct world {
  char dir[64], log[96];
  pid_t server;
  int port;
  ecrb_http *http;
  ecrb_err err;
} world;

static void write_rules(const char *path) {
  FILE *f = fopen(path, "we");
  assert_non_null(f);
  assert_int_equal(fputs(rules, f) < 0, 0);
  assert_int_equal(fclose(f), 0);
}

/* The server stands beside this program. */
static void serve(const char *script, const char *log, int out) {
  char self[4096] = {0}, path[4112];
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    _exit(1);
  *strrchr(self, '/') = '\0';
  snprintf(path, sizeof path, "%s/faultd", self);
  dup2(out, STDOUT_FILENO);
  execl(path, path, "--script", script, "--log", log, "--seconds", "300",
        (char *)NULL);
  _exit(1);
}

static int start_server(void **state) {
  world *w = calloc(1, sizeof *w);
  char script[96], port[16] = {0};
  int out[2];
  assert_non_null(w);
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

static int stop_server(void **state) {
  world *w = *state;
  kill(w->server, SIGTERM);
  waitpid(w->server, NULL, 0);
  unlink(w->log);
  rmdir(w->dir);
  free(w);
  return 0;
}

/* Clocks that are short but not within reach of what should succeed. */
static ecrb_http_limits test_limits(void) {
  ecrb_http_limits limits = ecrb_http_limits_default();
  limits.connect_ms = 300;
  limits.first_byte_ms = 5000;
  limits.total_ms = 10000;
  limits.body_bytes = BODY_LIMIT;
  return limits;
}

static void open_with(world *w, const ecrb_http_limits *limits) {
  assert_int_equal(ecrb_http_new(limits, &w->http, &w->err), ECRB_OK);
}

static int open_http(void **state) {
  ecrb_http_limits limits = test_limits();
  open_with(*state, &limits);
  return 0;
}

static int close_http(void **state) {
  world *w = *state;
  ecrb_http_free(w->http);
  w->http = NULL;
  return 0;
}

static void reopen(world *w, const ecrb_http_limits *limits) {
  ecrb_http_free(w->http);
  open_with(w, limits);
}

static uint64_t start_at(world *w, const char *url, const char *body) {
  static const char *const headers[] = {"Content-Type: application/json",
                                        "Authorization: Bearer " SECRET, NULL};
  ecrb_span span = ecrb_span_of(body);
  uint64_t ticket = 0;
  if (ecrb_http_start(w->http, url, headers, body ? &span : NULL, NULL, &ticket,
                      &w->err) != ECRB_OK)
    fail_msg("%s", w->err.msg);
  return ticket;
}

static uint64_t start(world *w, const char *path, const char *body) {
  char url[256];
  snprintf(url, sizeof url, "http://127.0.0.1:%d%s", w->port, path);
  return start_at(w, url, body);
}

static void wait_for(world *w, uint64_t ticket, ecrb_http_response *r) {
  if (ecrb_http_wait(w->http, 20000, r, &w->err) != ECRB_OK)
    fail_msg("no request ended");
  assert_int_equal(r->ticket, ticket);
}

static void get(world *w, const char *path, ecrb_http_response *r) {
  wait_for(w, start(w, path, NULL), r);
}

static void assert_body(const ecrb_http_response *r, const char *text) {
  assert_int_equal(r->body.n, strlen(text));
  assert_memory_equal(r->body.at, text, r->body.n);
}

static bool holds(ecrb_span text, const char *part) {
  return text.n && memmem(text.at, text.n, part, strlen(part));
}

/* A count that the server keeps. */
static long server_count(world *w, const char *name) {
  ecrb_http_response r;
  char text[256];
  get(w, "/faultd/state", &r);
  snprintf(text, sizeof text, "%.*s", (int)r.body.n, r.body.at);
  const char *at = strstr(text, name);
  assert_non_null(at);
  return atol(at + strlen(name) + 2);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* }==================================================================== */

/* {====================================================================
** Requests and responses
** ===================================================================== */

static void test_loads_libcurl_late(void **state) {
  world *w = *state;
  ecrb_http_response r;
  char line[512];
  bool loaded = false;
  assert_int_equal(ecrb_http_wait(w->http, -1, &r, &w->err), ECRB_ENONE);
  FILE *maps = fopen("/proc/self/maps", "re");
  assert_non_null(maps);
  while (fgets(line, sizeof line, maps))
    loaded = loaded || strstr(line, "libcurl");
  fclose(maps);
  assert_false(loaded);
}

static void read_log(const world *w, char *text, size_t size) {
  FILE *f = fopen(w->log, "re");
  assert_non_null(f);
  text[fread(text, 1, size - 1, f)] = '\0';
  fclose(f);
}

static void test_post(void **state) {
  world *w = *state;
  ecrb_http_response r;
  static char log[1 << 16];
  wait_for(w, start(w, "/echo?a=b", "{\"model\":\"m-1\"}"), &r);
  assert_int_equal(r.end, ECRB_HTTP_DONE);
  assert_int_equal(r.status, 200);
  assert_true(holds(r.body, "\"model\":\"m-1\""));
  assert_true(holds(r.headers, "Content-Type: application/json\r\n"));
  assert_false(holds(r.headers, "HTTP/1.1"));
  assert_true(r.first_byte_s > 0 && r.first_byte_s <= r.total_s);
  assert_string_equal(r.detail, "");
  read_log(w, log, sizeof log);
  assert_non_null(strstr(log, "\"body\":\"{\\\"model\\\":\\\"m-1\\\"}\""));
  assert_non_null(strstr(log, "\"content-type\":\"application/json\""));
  assert_non_null(strstr(log, "\"authorization\":\"#"));
  assert_null(strstr(log, SECRET));
}

/* A large body goes at once: nobody waits for a 100 Continue. */
static void test_large_post(void **state) {
  enum { LENGTH = 3 << 20 };
  world *w = *state;
  ecrb_http_response r;
  char *body = malloc(LENGTH + 1);
  assert_non_null(body);
  memset(body, 'x', LENGTH);
  body[LENGTH] = '\0';
  uint64_t ticket = start(w, "/echo?large", body);
  memset(body, 'y', LENGTH); /* it was copied */
  wait_for(w, ticket, &r);
  assert_int_equal(r.status, 200);
  char *log = malloc(2 * LENGTH);
  assert_non_null(log);
  read_log(w, log, 2 * LENGTH);
  const char *line = strstr(log, "\"query\":\"large\"");
  assert_non_null(line);
  assert_null(strstr(line, "\"expect\""));
  const char *sent = strstr(line, "\"body\":\"");
  assert_non_null(sent);
  assert_int_equal(strspn(sent + 8, "x"), LENGTH);
  free(log);
  free(body);
}

static void test_empty_post(void **state) {
  world *w = *state;
  ecrb_http_response r;
  wait_for(w, start(w, "/echo", ""), &r);
  assert_int_equal(r.status, 200);
  assert_true(holds(r.body, "\"model\":\"stub\""));
}

static void test_get_after_post(void **state) {
  world *w = *state;
  ecrb_http_response r;
  wait_for(w, start(w, "/echo", "{}"), &r);
  get(w, "/chunks", &r);
  assert_body(&r, "one piece");
  wait_for(w, start(w, "/echo", "{}"), &r);
  assert_true(holds(r.body, "hello"));
}

static void test_any_status_is_done(void **state) {
  static const long codes[] = {200, 204, 301, 400, 401,
                               404, 429, 500, 503, 529};
  world *w = *state;
  for (size_t i = 0; i < COUNT(codes); i++) {
    ecrb_http_response r;
    char path[64];
    snprintf(path, sizeof path, "/status?code=%ld", codes[i]);
    get(w, path, &r);
    assert_int_equal(r.end, ECRB_HTTP_DONE);
    assert_int_equal(r.status, codes[i]);
    assert_true(holds(r.headers, "X-Reason: tested\r\n"));
    if (codes[i] != 204)
      assert_body(&r, "text");
  }
}

static void test_redirect_is_not_followed(void **state) {
  world *w = *state;
  ecrb_http_response r;
  long before = server_count(w, "requests");
  get(w, "/redirect", &r);
  assert_int_equal(r.end, ECRB_HTTP_DONE);
  assert_int_equal(r.status, 307);
  assert_int_equal(server_count(w, "requests"), before + 1);
}

static void test_provisional_headers_are_dropped(void **state) {
  world *w = *state;
  ecrb_http_response r;
  get(w, "/provisional", &r);
  assert_int_equal(r.status, 200);
  assert_false(holds(r.headers, "Link"));
  assert_true(holds(r.headers, "Second: yes\r\n"));
}

static void test_keep_alive(void **state) {
  world *w = *state;
  ecrb_http_response r;
  long before = server_count(w, "connections");
  for (int i = 0; i < 50; i++)
    wait_for(w, start(w, "/echo", "{}"), &r);
  assert_int_equal(server_count(w, "connections"), before);
}

/* A connection that the server closes while it is idle, or just as the next
** request arrives, is replaced without a word. */
static void test_closed_while_idle(void **state) {
  world *w = *state;
  ecrb_http_response r;
  for (int i = 0; i < 8; i++) {
    get(w, "/then-close", &r);
    assert_body(&r, "text");
    usleep((useconds_t)i * 10000);
  }
}

static void test_refused_arguments(void **state) {
  static const struct {
    const char *url, *header, *says;
  } cases[] = {
      {"ftp://127.0.0.1/", NULL, "begins with http"},
      {"127.0.0.1", NULL, "begins with http"},
      {"http://127.0.0.1/", "X: " SECRET "\r\nY: 1", "line break"},
      {"http://127.0.0.1/", "X: " SECRET "\n", "line break"},
      {"http://127.0.0.1/", SECRET, "no `Name: value`"},
      {"http://127.0.0.1/", ": " SECRET, "no `Name: value`"},
  };
  world *w = *state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *headers[] = {"A: b", cases[i].header, NULL};
    uint64_t ticket;
    assert_int_equal(ecrb_http_start(w->http, cases[i].url, headers, NULL, NULL,
                                     &ticket, &w->err),
                     ECRB_EARG);
    if (!strstr(w->err.msg, cases[i].says) || strstr(w->err.msg, SECRET))
      fail_msg("case %zu: %s", i, w->err.msg);
  }
  assert_int_equal(ecrb_http_under_way(w->http), 0);
}

static void test_refused_limits(void **state) {
  world *w = *state;
  ecrb_http *http;
  ecrb_http_limits limits = ecrb_http_limits_default();
  limits.idle_ms = -1;
  assert_int_equal(ecrb_http_new(&limits, &http, &w->err), ECRB_EARG);
  assert_null(http);
}

/* }==================================================================== */

/* {====================================================================
** Endings
** ===================================================================== */

static const struct {
  const char *path;
  enum ecrb_http_end end;
  long status;
  long body; /* bytes, -1: any number */
} endings[] = {
    {"/close", ECRB_HTTP_RESET, 0, 0},
    {"/reset", ECRB_HTTP_RESET, 0, 0},
    {"/half-header", ECRB_HTTP_CUT, 200, 0},
    {"/garbage", ECRB_HTTP_OTHER, 0, 0},
    {"/reset-inside", ECRB_HTTP_CUT, 200, 2000},
    {"/close-inside", ECRB_HTTP_CUT, 200, 2000},
    {"/close-after-headers", ECRB_HTTP_CUT, 200, 0},
    {"/cut-chunks", ECRB_HTTP_CUT, 200, 9},
    {"/chunks", ECRB_HTTP_DONE, 200, 9},
    {"/until-close", ECRB_HTTP_DONE, 200, 10},
    {"/too-much", ECRB_HTTP_DONE, 200, 4},
    {"/endless", ECRB_HTTP_TOO_LARGE, 200, BODY_LIMIT},
    {"/endless-headers", ECRB_HTTP_TOO_LARGE, 200, 0},
    {"/exactly?n=100000", ECRB_HTTP_DONE, 200, BODY_LIMIT},
    {"/exactly?n=100001", ECRB_HTTP_TOO_LARGE, 200, BODY_LIMIT},
};

static void test_endings(void **state) {
  world *w = *state;
  for (size_t i = 0; i < COUNT(endings); i++) {
    ecrb_http_response r;
    get(w, endings[i].path, &r);
    if (r.end != endings[i].end || r.status != endings[i].status ||
        r.body.n != (size_t)endings[i].body)
      fail_msg("%s: end %d, status %ld, %zu bytes (%s)", endings[i].path, r.end,
               r.status, r.body.n, r.detail);
    assert_true((r.end == ECRB_HTTP_DONE) == (r.detail[0] == '\0'));
    assert_null(strstr(r.detail, SECRET));
  }
}

static void assert_ends_by_clock(world *w, const ecrb_http_limits *limits,
                                 const char *path, enum ecrb_http_end end,
                                 double seconds) {
  ecrb_http_response r;
  reopen(w, limits);
  get(w, path, &r);
  if (r.end != end)
    fail_msg("%s: end %d (%s)", path, r.end, r.detail);
  assert_true(r.total_s >= seconds && r.total_s < seconds + 2);
  assert_true(strlen(r.detail) > 0);
  assert_int_equal(ecrb_http_under_way(w->http), 0);
}

static void test_clocks(void **state) {
  world *w = *state;
  ecrb_http_limits first = test_limits(), idle = test_limits(),
                   total = test_limits();
  first.first_byte_ms = 150;
  idle.idle_ms = 150;
  total.total_ms = 250;
  assert_ends_by_clock(w, &first, "/hang", ECRB_HTTP_FIRST_BYTE, 0.15);
  assert_ends_by_clock(w, &first, "/blanks", ECRB_HTTP_FIRST_BYTE, 0.15);
  assert_ends_by_clock(w, &idle, "/stops", ECRB_HTTP_IDLE, 0.15);
  assert_ends_by_clock(w, &total, "/hang", ECRB_HTTP_TOTAL, 0.25);
  assert_ends_by_clock(w, &total, "/blanks", ECRB_HTTP_TOTAL, 0.25);
  assert_ends_by_clock(w, &total, "/trickle", ECRB_HTTP_TOTAL, 0.25);
}

/* Blank lines for longer than the idle limit harm no one. */
static void test_blanks_then_text(void **state) {
  world *w = *state;
  ecrb_http_response r;
  ecrb_http_limits limits = test_limits();
  limits.idle_ms = 200;
  reopen(w, &limits);
  get(w, "/blanks-then-text", &r);
  assert_int_equal(r.end, ECRB_HTTP_DONE);
  assert_int_equal(r.body.n, 22);
  assert_true(r.first_byte_s >= 0.75);
}

static void test_progress_holds_off_the_idle_clock(void **state) {
  world *w = *state;
  ecrb_http_limits limits = test_limits();
  limits.idle_ms = 200;
  limits.total_ms = 700;
  assert_ends_by_clock(w, &limits, "/trickle", ECRB_HTTP_TOTAL, 0.7);
}

static int listen_somewhere(int *port, int backlog) {
  struct sockaddr_in at = {.sin_family = AF_INET};
  socklen_t size = sizeof at;
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert_int_equal(bind(file, (struct sockaddr *)&at, sizeof at), 0);
  assert_int_equal(getsockname(file, (struct sockaddr *)&at, &size), 0);
  if (backlog >= 0)
    assert_int_equal(listen(file, backlog), 0);
  *port = ntohs(at.sin_port);
  return file;
}

static void assert_end(world *w, const char *url, enum ecrb_http_end end) {
  ecrb_http_response r;
  wait_for(w, start_at(w, url, NULL), &r);
  if (r.end != end)
    fail_msg("%s: end %d (%s)", url, r.end, r.detail);
  assert_int_equal(r.status, 0);
  assert_true(strlen(r.detail) > 0);
}

static void test_no_connection(void **state) {
  world *w = *state;
  char url[128];
  int port, file = listen_somewhere(&port, -1);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  assert_end(w, url, ECRB_HTTP_CONNECT);
  close(file);
  assert_end(w, "http://no-such-name.invalid/", ECRB_HTTP_DNS);
  snprintf(url, sizeof url, "https://127.0.0.1:%d/", w->port);
  assert_end(w, url, ECRB_HTTP_TLS); /* no TLS, then reset, then closed */
  assert_end(w, url, ECRB_HTTP_RESET);
  assert_end(w, url, ECRB_HTTP_RESET);
  assert_end(w, "http://127.0.0.1:99999/", ECRB_HTTP_OTHER);
}

/* A listener whose queue is full answers no SYN. */
static void test_connect_clock(void **state) {
  world *w = *state;
  char url[128];
  int port, file = listen_somewhere(&port, 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
  int fill[4];
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (size_t i = 0; i < COUNT(fill); i++) {
    fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    connect(fill[i], (struct sockaddr *)&at, sizeof at);
  }
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  double before = now();
  assert_end(w, url, ECRB_HTTP_CONNECT);
  assert_true(now() - before > 0.25 && now() - before < 2);
  for (size_t i = 0; i < COUNT(fill); i++)
    close(fill[i]);
  close(file);
}

/* }==================================================================== */

/* {====================================================================
** Proxies
** ===================================================================== */

static void test_environment_names_no_proxy(void **state) {
  world *w = *state;
  ecrb_http_response r;
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  setenv("all_proxy", "http://127.0.0.1:1", 1);
  get(w, "/chunks", &r);
  unsetenv("http_proxy");
  unsetenv("all_proxy");
  assert_int_equal(r.end, ECRB_HTTP_DONE);
}

static void get_by_proxy(world *w, const char *url, ecrb_http_response *r) {
  char proxy[64];
  uint64_t ticket;
  snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", w->port);
  assert_int_equal(
      ecrb_http_start(w->http, url, NULL, NULL, proxy, &ticket, &w->err),
      ECRB_OK);
  wait_for(w, ticket, r);
}

static void test_explicit_proxy(void **state) {
  world *w = *state;
  ecrb_http_response r;
  setenv("no_proxy", "*", 1);
  get_by_proxy(w, "http://model.invalid/status?code=200", &r);
  unsetenv("no_proxy");
  assert_int_equal(r.status, 404); /* its path is the whole address */
  get(w, "/chunks", &r);           /* the next one goes straight again */
  assert_int_equal(r.status, 200);
}

static void test_refusing_proxy(void **state) {
  world *w = *state;
  ecrb_http_response r;
  get_by_proxy(w, "https://model.invalid/", &r);
  if (r.end != ECRB_HTTP_CONNECT)
    fail_msg("end %d (%s)", r.end, r.detail);
  assert_int_equal(r.status, 0);
  assert_int_equal(r.headers.n, 0);
}

/* }==================================================================== */

/* {====================================================================
** Many at once
** ===================================================================== */

static void test_many_at_once(void **state) {
  enum { MANY = 200 };
  world *w = *state;
  bool seen[MANY] = {false};
  uint64_t tickets[MANY];
  double before = now();
  for (size_t i = 0; i < MANY; i++)
    tickets[i] = start(w, "/wait?ms=300", NULL);
  assert_int_equal(ecrb_http_under_way(w->http), MANY);
  for (size_t left = MANY; left > 0; left--) {
    ecrb_http_response r;
    assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
    assert_int_equal(r.end, ECRB_HTTP_DONE);
    assert_int_equal(ecrb_http_under_way(w->http), left - 1);
    for (size_t i = 0; i < MANY; i++)
      if (tickets[i] == r.ticket) {
        assert_false(seen[i]);
        seen[i] = true;
      }
  }
  for (size_t i = 0; i < MANY; i++)
    assert_true(seen[i]);
  assert_true(now() - before < 5);
  assert_true(server_count(w, "most") >= MANY);
}

static void test_limit_of_connections(void **state) {
  world *w = *state;
  ecrb_http_limits limits = test_limits();
  ecrb_http_response r;
  limits.connections = 2;
  reopen(w, &limits);
  long before = server_count(w, "connections");
  for (int i = 0; i < 10; i++)
    start(w, "/wait?ms=20", NULL);
  while (ecrb_http_wait(w->http, 20000, &r, &w->err) == ECRB_OK)
    assert_int_equal(r.end, ECRB_HTTP_DONE);
  assert_in_range(server_count(w, "connections") - before, 1, 2);
}

/* One slow body among fast ones, and one that never comes. */
static void test_slow_ones_hold_up_nobody(void **state) {
  world *w = *state;
  ecrb_http_response r;
  ecrb_http_limits limits = test_limits();
  limits.total_ms = 1500;
  reopen(w, &limits);
  start(w, "/hang", NULL);
  start(w, "/trickle", NULL);
  double before = now();
  for (int i = 0; i < 40; i++)
    wait_for(w, start(w, "/echo", "{}"), &r);
  assert_true(now() - before < 1);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
    assert_int_equal(r.end, ECRB_HTTP_TOTAL);
  }
}

/* }==================================================================== */

/* {====================================================================
** Cancelling, waking, freeing
** ===================================================================== */

static const char *const busy[] = {"/hang",  "/trickle", "/blanks",
                                   "/stops", "/wait",    "/endless"};

static void pass_time(world *w, long ms) {
  ecrb_http_response r;
  assert_int_equal(ecrb_http_wait(w->http, ms, &r, &w->err), ECRB_ENONE);
}

static void test_cancel(void **state) {
  world *w = *state;
  ecrb_http_response r;
  for (size_t i = 0; i < COUNT(busy); i++)
    ecrb_http_cancel(w->http, start(w, busy[i], NULL));
  assert_int_equal(ecrb_http_under_way(w->http), 0);
  for (size_t i = 0; i + 1 < COUNT(busy); i++) {
    uint64_t ticket = start(w, busy[i], NULL);
    pass_time(w, 60);
    ecrb_http_cancel(w->http, ticket);
    ecrb_http_cancel(w->http, ticket);
  }
  assert_int_equal(ecrb_http_under_way(w->http), 0);
  assert_int_equal(ecrb_http_wait(w->http, -1, &r, &w->err), ECRB_ENONE);
  get(w, "/chunks", &r);
  assert_body(&r, "one piece");
}

static void test_cancel_what_has_ended(void **state) {
  world *w = *state;
  ecrb_http_response r;
  uint64_t tickets[5];
  for (size_t i = 0; i < 5; i++)
    tickets[i] = start(w, "/wait?ms=50", NULL);
  usleep(300000);
  assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
  for (size_t i = 0; i < 5; i++)
    ecrb_http_cancel(w->http, tickets[i]);
  ecrb_http_cancel(w->http, 0);
  ecrb_http_cancel(w->http, UINT64_MAX);
  assert_body(&r, "{}"); /* still in our hands */
  assert_int_equal(ecrb_http_under_way(w->http), 0);
  assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_ENONE);
  get(w, "/chunks", &r);
}

static void test_cancel_while_the_name_is_sought(void **state) {
  world *w = *state;
  double before = now();
  uint64_t ticket = start_at(w, "http://no-such-name.invalid/", NULL);
  ecrb_http_response r;
  ecrb_http_wait(w->http, 0, &r, &w->err);
  ecrb_http_cancel(w->http, ticket);
  assert_true(now() - before < 1);
}

static void test_time_out_of_wait(void **state) {
  world *w = *state;
  ecrb_http_response r;
  uint64_t ticket = start(w, "/wait?ms=300", NULL);
  assert_int_equal(ecrb_http_wait(w->http, 0, &r, &w->err), ECRB_ENONE);
  double before = now();
  assert_int_equal(ecrb_http_wait(w->http, 80, &r, &w->err), ECRB_ENONE);
  assert_true(now() - before >= 0.08);
  wait_for(w, ticket, &r);
}

static void *wake_later(void *http) {
  usleep(100000);
  ecrb_http_wake(http);
  return NULL;
}

static void test_wake(void **state) {
  world *w = *state;
  ecrb_http_response r;
  pthread_t thread;
  uint64_t ticket = start(w, "/wait?ms=600", NULL);
  double before = now();
  assert_int_equal(pthread_create(&thread, NULL, wake_later, w->http), 0);
  assert_int_equal(ecrb_http_wait(w->http, -1, &r, &w->err), ECRB_ENONE);
  assert_true(now() - before < 0.5);
  pthread_join(thread, NULL);
  ecrb_http_wake(w->http); /* before the wait, and twice */
  ecrb_http_wake(w->http);
  assert_int_equal(ecrb_http_wait(w->http, -1, &r, &w->err), ECRB_ENONE);
  wait_for(w, ticket, &r);
}

static void test_free_with_all_under_way(void **state) {
  world *w = *state;
  ecrb_http_response r;
  ecrb_http_limits limits = test_limits();
  start(w, "/chunks", NULL);
  start_at(w, "http://no-such-name.invalid/", NULL);
  for (size_t i = 0; i < COUNT(busy); i++)
    start(w, busy[i], NULL);
  assert_int_equal(ecrb_http_wait(w->http, 20000, &r, &w->err), ECRB_OK);
  start(w, "/hang", "{}"); /* not even begun */
  reopen(w, &limits);
  ecrb_http_free(NULL);
}

/* }==================================================================== */

#define ROW(test) cmocka_unit_test_setup_teardown(test, open_http, close_http)

int main(void) {
  const struct CMUnitTest tests[] = {
      ROW(test_loads_libcurl_late),
      ROW(test_post),
      ROW(test_large_post),
      ROW(test_empty_post),
      ROW(test_get_after_post),
      ROW(test_any_status_is_done),
      ROW(test_redirect_is_not_followed),
      ROW(test_provisional_headers_are_dropped),
      ROW(test_keep_alive),
      ROW(test_closed_while_idle),
      ROW(test_refused_arguments),
      ROW(test_refused_limits),
      ROW(test_endings),
      ROW(test_clocks),
      ROW(test_blanks_then_text),
      ROW(test_progress_holds_off_the_idle_clock),
      ROW(test_no_connection),
      ROW(test_connect_clock),
      ROW(test_environment_names_no_proxy),
      ROW(test_explicit_proxy),
      ROW(test_refusing_proxy),
      ROW(test_many_at_once),
      ROW(test_limit_of_connections),
      ROW(test_slow_ones_hold_up_nobody),
      ROW(test_cancel),
      ROW(test_cancel_what_has_ended),
      ROW(test_cancel_while_the_name_is_sought),
      ROW(test_time_out_of_wait),
      ROW(test_wake),
      ROW(test_free_with_all_under_way),
  };
  return cmocka_run_group_tests(tests, start_server, stop_server);
}
