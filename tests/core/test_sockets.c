/* test_sockets.c: which sockets epoll watches, as libcurl asks for them. */
#include "sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

typedef struct pair {
  ecrb_sockets sockets;
  int listener, peer;
  curl_socket_t s; /* opened here, connected to `peer` */
} pair;

static curl_socket_t open_socket(ecrb_sockets *sockets) {
  struct curl_sockaddr address = {.family = AF_INET, .socktype = SOCK_STREAM};
  return ecrb_sockets_open(sockets, CURLSOCKTYPE_IPCXN, &address);
}

static void set_up(pair *p) {
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof at;
  *p = (pair){.sockets.epoll = epoll_create1(EPOLL_CLOEXEC)};
  p->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(bind(p->listener, (struct sockaddr *)&at, n), 0);
  assert_int_equal(listen(p->listener, 1), 0);
  assert_int_equal(getsockname(p->listener, (struct sockaddr *)&at, &n), 0);
  p->s = open_socket(&p->sockets);
  assert_int_equal(connect(p->s, (struct sockaddr *)&at, n), 0);
  p->peer = accept(p->listener, NULL, NULL);
  assert_true(p->peer >= 0);
}

static void tear_down(pair *p) {
  close(p->peer);
  close(p->listener);
  close(p->sockets.epoll);
  ecrb_sockets_free(&p->sockets);
}

static bool is_in_epoll(const pair *p, curl_socket_t s) {
  struct epoll_event event = {.events = 0};
  if (epoll_ctl(p->sockets.epoll, EPOLL_CTL_ADD, s, &event) != 0)
    return errno == EEXIST;
  epoll_ctl(p->sockets.epoll, EPOLL_CTL_DEL, s, &event);
  return false;
}

static bool tells(const pair *p) {
  struct epoll_event event;
  return epoll_wait(p->sockets.epoll, &event, 1, 0) == 1;
}

static void test_ours_rests(void **state) {
  pair p;
  (void)state;
  set_up(&p);
  assert_int_equal(ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_OUT), 0);
  assert_true(tells(&p));
  assert_int_equal(ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_IN), 0);
  assert_false(tells(&p));
  ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_REMOVE);
  assert_true(is_in_epoll(&p, p.s));
  assert_int_equal(ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_IN), 0);
  assert_int_equal(write(p.peer, "x", 1), 1);
  assert_true(tells(&p));
  assert_true(ecrb_sockets_is_awaited(&p.sockets, p.s));
  ecrb_sockets_close(&p.sockets, p.s);
  assert_false(tells(&p));
  tear_down(&p);
}

/* A server that ends a connection nobody uses would keep epoll busy for ever. */
static void test_goodbye_ends_the_rest(void **state) {
  pair p;
  (void)state;
  set_up(&p);
  assert_int_equal(ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_IN), 0);
  ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_REMOVE);
  shutdown(p.peer, SHUT_WR);
  assert_true(tells(&p));
  assert_false(ecrb_sockets_is_awaited(&p.sockets, p.s));
  assert_false(tells(&p));
  assert_int_equal(ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_IN), 0);
  assert_true(tells(&p));
  ecrb_sockets_close(&p.sockets, p.s);
  tear_down(&p);
}

static void test_others_never_rest(void **state) {
  pair p;
  int both[2];
  (void)state;
  set_up(&p);
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
  assert_int_equal(ecrb_sockets_watch(&p.sockets, both[0], CURL_POLL_IN), 0);
  assert_true(is_in_epoll(&p, both[0]));
  ecrb_sockets_watch(&p.sockets, both[0], CURL_POLL_REMOVE);
  assert_false(is_in_epoll(&p, both[0]));
  close(both[0]);
  close(both[1]);
  ecrb_sockets_close(&p.sockets, p.s);
  tear_down(&p);
}

/* The next socket gets the number of the one that was closed. */
static void test_number_begins_anew(void **state) {
  pair p;
  (void)state;
  set_up(&p);
  assert_int_equal(ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_IN), 0);
  ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_REMOVE);
  ecrb_sockets_close(&p.sockets, p.s);
  assert_int_equal(open_socket(&p.sockets), p.s);
  assert_int_equal(ecrb_sockets_watch(&p.sockets, p.s, CURL_POLL_IN), 0);
  assert_true(is_in_epoll(&p, p.s));
  ecrb_sockets_close(&p.sockets, p.s);
  tear_down(&p);
}

static void test_refusal_is_told(void **state) {
  ecrb_sockets none = {.epoll = -1};
  (void)state;
  assert_int_equal(ecrb_sockets_watch(&none, 70, CURL_POLL_IN), -1);
  assert_true(ecrb_sockets_is_awaited(&none, 5000));
  ecrb_sockets_free(&none);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ours_rests),
      cmocka_unit_test(test_goodbye_ends_the_rest),
      cmocka_unit_test(test_others_never_rest),
      cmocka_unit_test(test_number_begins_anew),
      cmocka_unit_test(test_refusal_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
