/* curlclient URL REQUESTS AT_ONCE [epoll [BODY_BYTES]]: the smallest client that
** libcurl's multi interface allows, for where the shared one is not at hand.
** Prints one line of JSON with what it took. */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

typedef struct client {
  CURLM *multi;
  int epoll;
  long timeout; /* ms, -1 for none */
  long started, done, failed, requests;
} client;

static size_t drop(char *at, size_t size, size_t n, void *data) {
  (void)at;
  (void)data;
  return size * n;
}

static int watch(CURL *easy, curl_socket_t s, int what, void *data,
                 void *known) {
  client *c = data;
  struct epoll_event event = {.data.fd = s};
  (void)easy;
  if (what == CURL_POLL_REMOVE)
    return epoll_ctl(c->epoll, EPOLL_CTL_DEL, s, &event), 0;
  event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) |
                 (what & CURL_POLL_OUT ? EPOLLOUT : 0);
  epoll_ctl(c->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, s, &event);
  curl_multi_assign(c->multi, s, c);
  return 0;
}

static int set_timeout(CURLM *multi, long ms, void *data) {
  (void)multi;
  ((client *)data)->timeout = ms;
  return 0;
}

static void start(client *c, CURL *easy) {
  c->started++;
  curl_multi_add_handle(c->multi, easy);
}

static void reap(client *c) {
  CURLMsg *message;
  int left;
  while ((message = curl_multi_info_read(c->multi, &left))) {
    CURL *easy = message->easy_handle;
    CURLcode result = message->data.result;
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(c->multi, easy);
    c->failed += result != CURLE_OK || status != 200;
    c->done++;
    if (c->started < c->requests)
      start(c, easy);
  }
}

static void serve_events(client *c) {
  struct epoll_event events[256];
  int running;
  int n = epoll_wait(c->epoll, events, 256,
                     c->timeout < 0 ? 1000 : (int)c->timeout);
  if (n <= 0 || c->timeout == 0) {
    c->timeout = -1;
    curl_multi_socket_action(c->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  for (int i = 0; i < n; i++) {
    unsigned got = events[i].events;
    curl_multi_socket_action(
        c->multi, events[i].data.fd,
        (got & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0) |
            (got & EPOLLOUT ? CURL_CSELECT_OUT : 0),
        &running);
  }
  reap(c);
}

static char *body_of(size_t n) {
  const char *before = "{\"model\":\"stub\",\"messages\":[{\"role\":\"user\","
                       "\"content\":\"";
  size_t head = strlen(before);
  char *body = calloc(1, head + n + 8);
  if (!body)
    exit(1);
  memcpy(body, before, head);
  memset(body + head, 'M', n);
  memcpy(body + head + n, "\"}]}", 4);
  return body;
}

static double microseconds(struct timeval t) {
  return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void report(const client *c, long at_once, double wall) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("{\"client\":\"curl-epoll\",\"conc\":%ld,\"n\":%ld,\"fails\":%ld,"
         "\"wall_s\":%.3f,\"cpu_us_per_req\":%.1f,\"maxrss_kb\":%ld}\n",
         at_once, c->done, c->failed, wall,
         (microseconds(used.ru_utime) + microseconds(used.ru_stime)) /
             (double)c->done,
         used.ru_maxrss);
}

int main(int argc, char **argv) {
  if (argc < 4)
    return fputs("usage: curlclient URL REQUESTS AT_ONCE [epoll [BODY]]\n",
                 stderr),
           2;
  client c = {.timeout = -1, .requests = atol(argv[2])};
  long at_once = atol(argv[3]);
  char *body = body_of(argc > 5 ? strtoul(argv[5], NULL, 10) : 2048);
  struct curl_slist *headers = NULL;
  double from = now();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  c.multi = curl_multi_init();
  c.epoll = epoll_create1(0);
  headers = curl_slist_append(headers, "Content-Type: application/json");
  curl_multi_setopt(c.multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(c.multi, CURLMOPT_SOCKETDATA, &c);
  curl_multi_setopt(c.multi, CURLMOPT_TIMERFUNCTION, set_timeout);
  curl_multi_setopt(c.multi, CURLMOPT_TIMERDATA, &c);
  curl_multi_setopt(c.multi, CURLMOPT_MAXCONNECTS, at_once + 8);
  for (long i = 0; i < at_once && c.started < c.requests; i++) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    start(&c, easy);
  }
  while (c.done < c.requests)
    serve_events(&c);
  report(&c, at_once, now() - from);
  return c.failed != 0;
}
