/* http.c: many transfers over one curl multi handle and one epoll.
**
** libcurl says which sockets it waits for and when it wants to be called;
** the clocks that it does not know stand in a heap. A wake-up touches the
** sockets that are ready and the clocks that ran out, nothing else. Ended
** transfers queue until they are handed out; their handles are used again.
*/
#include "sockets.h"
#include "transfer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define EVENTS 256
#define IDLE_CONNECTIONS 65536L /* libcurl's own limit would close some */

struct ecrb_http {
  ecrb_http_limits limits;
  ecrb_curl curl;
  CURLM *multi;  /* NULL before the first request */
  char *trusted; /* a file of certificates, or NULL */
  ecrb_sockets sockets;
  int wake;
  bool woken;
  int64_t curl_due; /* when libcurl wants to be called */
  ecrb_timers timers;
  ecrb_transfer **transfers; /* all that were ever made */
  size_t count, room;
  size_t under_way;
  ecrb_transfer *idle;
  ecrb_transfer *ended, **ended_end;
  ecrb_transfer *shown; /* its response is in the caller's hands */
};

/* {====================================================================
** Making and freeing
** ===================================================================== */

ecrb_http_limits ecrb_http_limits_default(void) {
  return (ecrb_http_limits){.connect_ms = 10000,
                            .first_byte_ms = 600000,
                            .idle_ms = 0,
                            .total_ms = 900000,
                            .body_bytes = (size_t)64 << 20,
                            .connections = 0};
}

static bool watch_wake(ecrb_http *http) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = http->wake};
  return http->sockets.epoll >= 0 && http->wake >= 0 &&
         epoll_ctl(http->sockets.epoll, EPOLL_CTL_ADD, http->wake, &event) == 0;
}

static bool sound(const ecrb_http_limits *limits) {
  return limits->connect_ms >= 0 && limits->first_byte_ms >= 0 &&
         limits->idle_ms >= 0 && limits->total_ms >= 0 &&
         limits->connections >= 0;
}

int ecrb_http_new(const ecrb_http_limits *limits, ecrb_http **out,
                  ecrb_err *err) {
  *out = NULL;
  if (limits && !sound(limits))
    return ecrb_fail(err, ECRB_EARG, "a limit of requests is below 0");
  ecrb_http *http = calloc(1, sizeof *http);
  if (!http)
    return ecrb_fail(err, ECRB_ENOMEM, "no memory for requests");
  http->limits = limits ? *limits : ecrb_http_limits_default();
  http->curl_due = ECRB_NEVER;
  http->ended_end = &http->ended;
  http->sockets.epoll = epoll_create1(EPOLL_CLOEXEC);
  http->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (watch_wake(http)) {
    *out = http;
    return ECRB_OK;
  }
  int status =
      ecrb_fail(err, ECRB_EIO, "cannot wait for requests: %s", strerror(errno));
  ecrb_http_free(http);
  return status;
}

static void close_file(int file) {
  if (file >= 0)
    close(file);
}

void ecrb_http_free(ecrb_http *http) {
  if (!http)
    return;
  for (size_t i = 0; i < http->count; i++) {
    if (http->transfers[i]->running)
      http->curl.multi_remove_handle(http->multi, http->transfers[i]->easy);
    ecrb_transfer_free(http->transfers[i]);
  }
  if (http->multi)
    http->curl.multi_cleanup(http->multi);
  ecrb_curl_unload(&http->curl);
  ecrb_timers_free(&http->timers);
  ecrb_sockets_free(&http->sockets);
  close_file(http->sockets.epoll);
  close_file(http->wake);
  free(http->transfers);
  free(http->trusted);
  free(http);
}

/* Transfers that exist already are told as well: they serve again. */
int ecrb_http_trust(ecrb_http *http, const char *path, ecrb_err *err) {
  if (access(path, R_OK) != 0)
    return ecrb_fail(err, ECRB_EIO, "%s: cannot read the certificates: %s",
                     path, strerror(errno));
  char *copy = strdup(path);
  bool told = copy;
  for (size_t i = 0; told && i < http->count; i++)
    told = ecrb_transfer_trust(http->transfers[i], copy);
  free(http->trusted);
  http->trusted = copy;
  return told ? ECRB_OK
              : ecrb_fail(err, ECRB_ENOMEM, "%s: no memory to trust it", path);
}

/* }==================================================================== */

/* {====================================================================
** libcurl's side: sockets and its timer
** ===================================================================== */

static int on_socket(CURL *easy, curl_socket_t s, int what, void *user,
                     void *known) {
  ecrb_http *http = user;
  (void)easy;
  (void)known;
  return ecrb_sockets_watch(&http->sockets, s, what);
}

static int on_timer(CURLM *multi, long ms, void *user) {
  ecrb_http *http = user;
  (void)multi;
  http->curl_due = ecrb_after(ecrb_now(), ms);
  return 0;
}

static int start_multi(ecrb_http *http, ecrb_err *err) {
  if (http->multi)
    return ECRB_OK;
  int status = http->curl.library ? ECRB_OK : ecrb_curl_load(&http->curl, err);
  if (status != ECRB_OK)
    return status;
  http->multi = http->curl.multi_init();
  if (!http->multi)
    return ecrb_fail(err, ECRB_ENOMEM, "no memory for requests");
#define SET(option, value)                                                     \
  http->curl.multi_setopt(http->multi, CURLMOPT_##option, value)
  SET(SOCKETFUNCTION, on_socket);
  SET(SOCKETDATA, http);
  SET(TIMERFUNCTION, on_timer);
  SET(TIMERDATA, http);
  SET(MAXCONNECTS, IDLE_CONNECTIONS);
  SET(MAX_TOTAL_CONNECTIONS, http->limits.connections);
#undef SET
  return ECRB_OK;
}

static int broken(const ecrb_http *http, CURLMcode code, ecrb_err *err) {
  return ecrb_fail(err, ECRB_EIO, "libcurl: %s",
                   http->curl.multi_strerror(code));
}

/* }==================================================================== */

/* {====================================================================
** Starting and ending transfers. The low half of a ticket is the number of
** the transfer that serves it, from 1; the high half counts its requests.
** ===================================================================== */

static int grow(ecrb_http *http, ecrb_err *err) {
  ecrb_transfer **all =
      ecrb_array_grow(http->transfers, http->count, &http->room, sizeof *all);
  if (all)
    http->transfers = all;
  if (all && ecrb_timers_reserve(&http->timers, http->count + 1))
    return ECRB_OK;
  return ecrb_fail(err, ECRB_ENOMEM, "no memory for %zu requests",
                   http->count + 1);
}

/* Ensures that there is an idle transfer. */
static int need_idle(ecrb_http *http, ecrb_err *err) {
  ecrb_transfer *made;
  if (http->idle)
    return ECRB_OK;
  int status = grow(http, err);
  if (status == ECRB_OK)
    status = ecrb_transfer_new(&http->curl, &http->limits, &http->timers,
                               &http->sockets, http->trusted, &made, err);
  if (status != ECRB_OK)
    return status;
  http->transfers[http->count++] = made;
  made->ticket = http->count;
  http->idle = made;
  return ECRB_OK;
}

static ecrb_transfer *find(ecrb_http *http, uint64_t ticket) {
  size_t number = (uint32_t)ticket;
  if (number == 0 || number > http->count)
    return NULL;
  ecrb_transfer *transfer = http->transfers[number - 1];
  return transfer->wanted && transfer->ticket == ticket ? transfer : NULL;
}

static void put_idle(ecrb_http *http, ecrb_transfer *transfer) {
  ecrb_transfer_clear(transfer);
  transfer->next = http->idle;
  http->idle = transfer;
}

static void take_out(ecrb_http *http, ecrb_transfer *transfer) {
  http->curl.multi_remove_handle(http->multi, transfer->easy);
  ecrb_timers_drop(&http->timers, &transfer->timer);
  transfer->running = false;
}

static void put_ended(ecrb_http *http, ecrb_transfer *transfer) {
  take_out(http, transfer);
  transfer->next = NULL;
  *http->ended_end = transfer;
  http->ended_end = &transfer->next;
}

static int run(ecrb_http *http, ecrb_transfer *transfer, ecrb_err *err) {
  enum ecrb_http_end clock;
  CURLMcode code = http->curl.multi_add_handle(http->multi, transfer->easy);
  if (code != CURLM_OK)
    return broken(http, code, err);
  ecrb_timers_set(&http->timers, &transfer->timer,
                  ecrb_transfer_due(transfer, &clock));
  http->idle = transfer->next;
  http->under_way++;
  transfer->ticket += (uint64_t)1 << 32;
  transfer->wanted = transfer->running = true;
  return ECRB_OK;
}

int ecrb_http_start(ecrb_http *http, const char *url,
                    const char *const *headers, const ecrb_span *body,
                    const char *proxy, uint64_t *ticket, ecrb_err *err) {
  int status = start_multi(http, err);
  if (status == ECRB_OK)
    status = need_idle(http, err);
  if (status != ECRB_OK)
    return status;
  ecrb_transfer *transfer = http->idle;
  status = ecrb_transfer_prepare(transfer, url, headers, body, proxy, err);
  if (status == ECRB_OK)
    status = run(http, transfer, err);
  if (status == ECRB_OK)
    *ticket = transfer->ticket;
  return status;
}

void ecrb_http_cancel(ecrb_http *http, uint64_t ticket) {
  ecrb_transfer *transfer = find(http, ticket);
  if (!transfer)
    return;
  transfer->wanted = false;
  http->under_way--;
  if (!transfer->running)
    return; /* the queue of the ended passes it over */
  take_out(http, transfer);
  put_idle(http, transfer);
}

size_t ecrb_http_under_way(const ecrb_http *http) {
  return http->under_way;
}

/* }==================================================================== */

/* {====================================================================
** Waiting
** ===================================================================== */

void ecrb_http_wake(ecrb_http *http) {
  const uint64_t one = 1;
  int before = errno;
  ssize_t put = write(http->wake, &one, sizeof one);
  (void)put; /* it fails only where it is set already */
  errno = before;
}

static void take_wake(ecrb_http *http) {
  uint64_t count;
  if (read(http->wake, &count, sizeof count) == sizeof count)
    http->woken = true;
}

static int act(ecrb_http *http, curl_socket_t s, int what, ecrb_err *err) {
  int running;
  CURLMcode code =
      http->curl.multi_socket_action(http->multi, s, what, &running);
  return code == CURLM_OK ? ECRB_OK : broken(http, code, err);
}

static int act_on_event(ecrb_http *http, const struct epoll_event *event,
                        ecrb_err *err) {
  if (event->data.fd == http->wake) {
    take_wake(http);
    return ECRB_OK;
  }
  if (!ecrb_sockets_is_awaited(&http->sockets, event->data.fd))
    return ECRB_OK;
  int what = (event->events & EPOLLIN ? CURL_CSELECT_IN : 0) |
             (event->events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
             (event->events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
  return act(http, event->data.fd, what, err);
}

static int act_on_timer(ecrb_http *http, ecrb_err *err) {
  if (http->curl_due > ecrb_now())
    return ECRB_OK;
  http->curl_due = ECRB_NEVER;
  return act(http, CURL_SOCKET_TIMEOUT, 0, err);
}

/* A transfer that has made progress since its timer was set gets a later one;
** so bytes that come cost the heap nothing. */
static void look_at_clocks(ecrb_http *http) {
  int64_t now = ecrb_now();
  ecrb_timer *timer;
  while ((timer = ecrb_timers_first(&http->timers)) && timer->due <= now) {
    enum ecrb_http_end clock;
    ecrb_transfer *transfer = (ecrb_transfer *)(void *)timer;
    int64_t due = ecrb_transfer_due(transfer, &clock);
    if (due > now) {
      ecrb_timers_set(&http->timers, timer, due);
    } else {
      ecrb_transfer_expire(transfer, clock);
      put_ended(http, transfer);
    }
  }
}

static void collect_ended(ecrb_http *http) {
  CURLMsg *message;
  int left;
  while ((message = http->curl.multi_info_read(http->multi, &left))) {
    char *private = NULL;
    CURLcode code = message->data.result;
    http->curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
    ecrb_transfer *transfer = (ecrb_transfer *)(void *)private;
    ecrb_transfer_complete(transfer, code);
    put_ended(http, transfer);
  }
}

/* Milliseconds for poll and epoll, rounded up. */
static int patience(int64_t until) {
  if (until == ECRB_NEVER)
    return -1;
  int64_t left = until - ecrb_now();
  if (left <= 0)
    return 0;
  left = (left + 999999) / 1000000;
  return left < INT32_MAX ? (int)left : INT32_MAX;
}

/* When something is due, but no later than `until`. */
static int64_t next_due(const ecrb_http *http, int64_t until) {
  const ecrb_timer *first = ecrb_timers_first(&http->timers);
  if (first && first->due < until)
    until = first->due;
  return http->curl_due < until ? http->curl_due : until;
}

/* Waits once, no longer than `until`, and does all that is due then. */
static int step(ecrb_http *http, int64_t until, ecrb_err *err) {
  struct epoll_event events[EVENTS];
  int status = ECRB_OK;
  int ready = epoll_wait(http->sockets.epoll, events, EVENTS,
                         patience(next_due(http, until)));
  if (ready < 0 && errno != EINTR)
    return ecrb_fail(err, ECRB_EIO, "cannot wait for requests: %s",
                     strerror(errno));
  for (int i = 0; status == ECRB_OK && i < ready; i++)
    status = act_on_event(http, &events[i], err);
  if (status == ECRB_OK)
    status = act_on_timer(http, err);
  collect_ended(http);
  look_at_clocks(http);
  return status;
}

/* The transfer that ended first and is still wanted, or NULL. */
static ecrb_transfer *next_ended(ecrb_http *http) {
  ecrb_transfer *transfer;
  while ((transfer = http->ended)) {
    http->ended = transfer->next;
    if (!http->ended)
      http->ended_end = &http->ended;
    if (transfer->wanted)
      return transfer;
    put_idle(http, transfer);
  }
  return NULL;
}

static void show(ecrb_http *http, ecrb_transfer *transfer,
                 ecrb_http_response *out) {
  transfer->wanted = false;
  http->under_way--;
  http->shown = transfer;
  ecrb_transfer_response(transfer, out);
}

static void take_back_shown(ecrb_http *http) {
  if (http->shown)
    put_idle(http, http->shown);
  http->shown = NULL;
}

int ecrb_http_wait(ecrb_http *http, long timeout_ms, ecrb_http_response *out,
                   ecrb_err *err) {
  int64_t until = ecrb_after(ecrb_now(), timeout_ms);
  int status = ECRB_OK;
  bool late = false;
  ecrb_transfer *transfer;
  take_back_shown(http);
  while (!(transfer = next_ended(http)) && http->under_way > 0 &&
         !http->woken && !late && status == ECRB_OK) {
    status = step(http, until, err);
    late = until != ECRB_NEVER && ecrb_now() >= until;
  }
  if (transfer) {
    show(http, transfer, out);
    return ECRB_OK;
  }
  http->woken = false;
  return status == ECRB_OK ? ECRB_ENONE : status;
}

void ecrb_http_rest(ecrb_http *http, long timeout_ms) {
  struct pollfd wake = {.fd = http->wake, .events = POLLIN};
  if (!http->woken)
    poll(&wake, 1, patience(ecrb_after(ecrb_now(), timeout_ms)));
  take_wake(http);
  http->woken = false;
}

/* }==================================================================== */
