/* stubserver --port P [--delay-ms D]: answers every POST on 127.0.0.1 with one
** fixed chat completion, D milliseconds after the request is whole. One thread;
** for where the shared one is not at hand. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 8192, HEAD = 16384 };

typedef struct connection {
  size_t have; /* bytes of the head */
  long body;   /* bytes of the body still to come; -1 before the head ends */
  char head[HEAD];
} connection;

/* All answers are due after the same time, so that they wait in a queue. */
typedef struct answers {
  struct due {
    double at;
    int fd;
  } due[CONNECTIONS];
  size_t first, count;
} answers;

static connection *open_connection[CONNECTIONS];
static answers waiting;
static char response[1024];
static double delay;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void set_response(void) {
  const char *json =
      "{\"id\":\"chatcmpl-stub\",\"object\":\"chat.completion\",\"created\":"
      "1700000000,\"model\":\"stub\",\"choices\":[{\"index\":0,\"message\":{"
      "\"role\":\"assistant\",\"content\":\"1. EC 1.1.1.1 (confidence 0.9)\"},"
      "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":512,"
      "\"completion_tokens\":24,\"total_tokens\":536}}";
  snprintf(response, sizeof response,
           "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
           "Content-Length: %zu\r\n\r\n%s",
           strlen(json), json);
}

static void drop(int fd) {
  free(open_connection[fd]);
  open_connection[fd] = NULL;
  close(fd);
}

static void answer(int fd) {
  if (open_connection[fd] &&
      send(fd, response, strlen(response), MSG_NOSIGNAL) < 0)
    drop(fd);
}

static void request_is_whole(int fd) {
  connection *c = open_connection[fd];
  c->have = 0;
  c->body = -1;
  if (delay == 0) {
    answer(fd);
    return;
  }
  waiting.due[(waiting.first + waiting.count++) % CONNECTIONS] =
      (struct due){now() + delay, fd};
}

/* Looks for the end of the head; what stands behind it is of the body. */
static void read_head(connection *c) {
  char *end = memmem(c->head, c->have, "\r\n\r\n", 4), *length;
  if (!end)
    return;
  *end = '\0';
  length = strcasestr(c->head, "\r\nContent-Length:");
  c->body = length ? strtol(length + 17, NULL, 10) : 0;
  c->body -= (long)(c->have - (size_t)(end + 4 - c->head));
}

static void receive(int fd) {
  static char unused[65536];
  connection *c = open_connection[fd];
  ssize_t n;
  if (c->body < 0) {
    n = recv(fd, c->head + c->have, HEAD - 1 - c->have, 0);
    c->have += n > 0 ? (size_t)n : 0;
    c->head[c->have] = '\0';
    read_head(c);
  } else {
    n = recv(fd, unused, sizeof unused, 0);
    c->body -= n > 0 ? n : 0;
  }
  if (n <= 0 || c->have >= HEAD - 1)
    drop(fd);
  else if (c->body == 0)
    request_is_whole(fd);
}

static void take_connection(int epoll, int listener) {
  int on = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  if (fd < 0)
    return;
  if (fd >= CONNECTIONS || !(open_connection[fd] = calloc(1, sizeof(connection)))) {
    close(fd);
    return;
  }
  open_connection[fd]->body = -1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static int listen_at(int port) {
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_port = htons((unsigned short)port),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 4096) != 0)
    exit((perror("stubserver"), 1));
  return fd;
}

/* Sends what is due; the milliseconds until the next answer is, or -1. */
static int send_due(void) {
  while (waiting.count > 0 && waiting.due[waiting.first].at <= now()) {
    answer(waiting.due[waiting.first].fd);
    waiting.first = (waiting.first + 1) % CONNECTIONS;
    waiting.count--;
  }
  if (waiting.count == 0)
    return -1;
  return (int)((waiting.due[waiting.first].at - now()) * 1e3) + 1;
}

int main(int argc, char **argv) {
  int port = 0, epoll = epoll_create1(0), listener;
  for (int i = 1; i + 1 < argc; i += 2)
    if (strcmp(argv[i], "--port") == 0)
      port = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--delay-ms") == 0)
      delay = atof(argv[i + 1]) / 1e3;
  set_response();
  listener = listen_at(port);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    struct epoll_event events[512];
    int n = epoll_wait(epoll, events, 512, send_due());
    for (int i = 0; i < n; i++)
      if (events[i].data.fd == listener)
        take_connection(epoll, listener);
      else if (open_connection[events[i].data.fd])
        receive(events[i].data.fd);
  }
}
