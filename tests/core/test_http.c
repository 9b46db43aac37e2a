/* test_http.c: what a request sends and what it hands back, and every way in
** which it can end. */
#include "http_world.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

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
  assert_null(strstr(log, "\"accept-encoding\""));
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
  long body;        /* bytes, -1: any number */
  const char *says; /* in full, where the words are ours */
} endings[] = {
    {"/close", ECRB_HTTP_RESET, 0, 0, NULL},
    {"/reset", ECRB_HTTP_RESET, 0, 0, NULL},
    {"/half-header", ECRB_HTTP_CUT, 200, 0, NULL},
    {"/garbage", ECRB_HTTP_OTHER, 0, 0, NULL},
    {"/reset-inside", ECRB_HTTP_CUT, 200, 2000, NULL},
    {"/close-inside", ECRB_HTTP_CUT, 200, 2000, NULL},
    {"/close-after-headers", ECRB_HTTP_CUT, 200, 0, NULL},
    {"/cut-chunks", ECRB_HTTP_CUT, 200, 9, NULL},
    {"/chunks", ECRB_HTTP_DONE, 200, 9, NULL},
    {"/until-close", ECRB_HTTP_DONE, 200, 10, NULL},
    {"/too-much", ECRB_HTTP_DONE, 200, 4, NULL},
    {"/endless", ECRB_HTTP_TOO_LARGE, 200, BODY_LIMIT,
     "the body of the reply came to more than 100000 bytes"},
    {"/endless-headers", ECRB_HTTP_TOO_LARGE, 200, 0,
     "the headers of the reply came to more than 262144 bytes"},
    {"/endless-trailers", ECRB_HTTP_TOO_LARGE, 200, 3,
     "the headers of the reply came to more than 262144 bytes"},
    {"/endless-header", ECRB_HTTP_TOO_LARGE, 200, 0,
     "a header of the reply is longer than libcurl takes"},
    {"/exactly?n=100000", ECRB_HTTP_DONE, 200, BODY_LIMIT, NULL},
    {"/exactly?n=100001", ECRB_HTTP_TOO_LARGE, 200, BODY_LIMIT, NULL},
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
    if (endings[i].says)
      assert_string_equal(r.detail, endings[i].says);
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

/* A stream that said its last word is whole, whether or not the server closes;
** what only looks so is waited for. */
static void test_streams_that_are_over(void **state) {
  world *w = *state;
  const struct {
    const char *path;
    enum ecrb_http_end end;
    const char *last;
  } rows[] = {
      {"/stream-is-done", ECRB_HTTP_DONE, "data: [DONE] \n\n"},
      {"/stream-is-done-unended", ECRB_HTTP_DONE, "data:[DONE]"},
      {"/stream-is-finished", ECRB_HTTP_DONE, "\"usage\":{}}\n\n"},
      {"/stream-goes-on", ECRB_HTTP_IDLE, "say: data: [DONE]\n"},
      {"/no-stream", ECRB_HTTP_IDLE, "data: [DONE]\n"},
  };
  ecrb_http_limits limits = test_limits();
  limits.idle_ms = 6000;
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_http_response r;
    if (rows[i].end == ECRB_HTTP_IDLE)
      limits.idle_ms = 300;
    reopen(w, &limits);
    get(w, rows[i].path, &r);
    assert_int_equal(r.end, rows[i].end);
    size_t n = strlen(rows[i].last);
    assert_true(r.body.n >= n &&
                memcmp(r.body.at + r.body.n - n, rows[i].last, n) == 0);
  }
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
  ecrb_http_limits limits = test_limits();
  int fill[4];
  limits.connect_ms = 300;
  reopen(w, &limits);
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
      ROW(test_streams_that_are_over),
      ROW(test_blanks_then_text),
      ROW(test_progress_holds_off_the_idle_clock),
      ROW(test_no_connection),
      ROW(test_connect_clock),
      ROW(test_environment_names_no_proxy),
      ROW(test_explicit_proxy),
      ROW(test_refusing_proxy),
  };
  return cmocka_run_group_tests(tests, start_server, stop_server);
}
