/* Many POSTs of 2 KB through ecrb_http against the smallest client that libcurl
** allows ($ECRB_SHARED/bench/curlclient.c, built here, if it is there), both as
** processes of their own against faultd: user and system time. */
#include "bench.h"
#include "ecrb.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 256, BODY = 2048 };

typedef struct setting {
  bench_figure figure;
  int wait_ms;
  int requests;
} setting;

static const setting settings[] = {
    {{"a POST of ecrb_http, 256 at once", "us", "<=1.25x", "curlclient", 0.1},
     0,
     10000},
    {{"a POST of ecrb_http, 256 at once, 50 ms away", "us", "<=1.25x",
      "curlclient", 1000 / 5120.0},
     50,
     5120},
};

typedef struct bench {
  char client[4128], url[128];
  pid_t server;
} bench;

/* {====================================================================
** Our client
** ===================================================================== */

static void start(ecrb_http *http, const char *url, const ecrb_span *body) {
  static const char *const headers[] = {"Content-Type: application/json",
                                        "Authorization: Bearer none", NULL};
  uint64_t ticket;
  if (ecrb_http_start(http, url, headers, body, NULL, &ticket, NULL) != ECRB_OK)
    _exit(1);
}

static void run_ours(const char *url, int requests) {
  static char text[BODY + 64];
  int n = snprintf(text, sizeof text, "{\"model\":\"stub\",\"text\":\"");
  memset(text + n, 'M', BODY);
  strcpy(text + n + BODY, "\"}");
  ecrb_span body = ecrb_span_of(text);
  ecrb_http *http;
  ecrb_http_response r;
  int started = 0;
  if (ecrb_http_new(NULL, &http, NULL) != ECRB_OK)
    _exit(1);
  for (; started < AT_ONCE; started++)
    start(http, url, &body);
  for (int ended = 0; ended < requests; ended++) {
    if (ecrb_http_wait(http, -1, &r, NULL) != ECRB_OK || r.status != 200)
      _exit(1);
    if (started++ < requests)
      start(http, url, &body);
  }
  ecrb_http_free(http);
  _exit(0);
}

/* }==================================================================== */

static bool cpu_of(pid_t child, double *ms) {
  struct rusage used;
  int status;
  if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
    return false;
  *ms = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
        (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
  return true;
}

static void run_bare(const bench *b, int requests) {
  char count[16], at_once[16], body[16];
  snprintf(count, sizeof count, "%d", requests);
  snprintf(at_once, sizeof at_once, "%d", AT_ONCE);
  snprintf(body, sizeof body, "%d", BODY);
  if (!freopen("/dev/null", "w", stdout))
    _exit(1);
  execl(b->client, b->client, b->url, count, at_once, "epoll", body,
        (char *)NULL);
  _exit(1);
}

static bool measure(const bench *b, const setting *s) {
  double ours, bare;
  for (int i = bench_rounds(); i > 0; i--) {
    pid_t child = fork();
    if (child == 0)
      run_bare(b, s->requests);
    if (!cpu_of(child, &bare))
      return false;
    child = fork();
    if (child == 0)
      run_ours(b->url, s->requests);
    if (!cpu_of(child, &ours))
      return false;
    bench_say(&s->figure, ours, bare);
  }
  return true;
}

/* {====================================================================
** The server and the other client
** ===================================================================== */

/* The server stands in the folder beside this program's. */
static void serve(int wait_ms, int out) {
  char self[4096] = {0}, path[4128], wait[16];
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    _exit(1);
  *strrchr(self, '/') = '\0';
  snprintf(path, sizeof path, "%s/../tests/faultd", self);
  snprintf(wait, sizeof wait, "%d", wait_ms);
  dup2(out, STDOUT_FILENO);
  execl(path, path, "--wait", wait, (char *)NULL);
  _exit(1);
}

static bool start_server(bench *b, int wait_ms) {
  int out[2];
  char port[16] = {0};
  if (pipe(out) != 0)
    return false;
  b->server = fork();
  if (b->server == 0)
    serve(wait_ms, out[1]);
  close(out[1]);
  ssize_t got = read(out[0], port, sizeof port - 1);
  close(out[0]);
  snprintf(b->url, sizeof b->url, "http://127.0.0.1:%d/v1/chat/completions",
           atoi(port));
  return got > 0;
}

static void stop_server(bench *b) {
  kill(b->server, SIGTERM);
  waitpid(b->server, NULL, 0);
}

/* }==================================================================== */

int main(void) {
  bench b = {0};
  bool good = true;
  snprintf(b.client, sizeof b.client, "%s/curlclient",
           getenv("ECRB_BENCH_PARTS"));
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    good = start_server(&b, settings[i].wait_ms) && measure(&b, &settings[i]) &&
           good;
    stop_server(&b);
  }
  return good ? 0 : 1;
}
