/* faultd.c: an HTTP server whose answers are wrong to the byte.
**
**   faultd [--script FILE] [--wait MS] [--content TEXT] [--log FILE]
**          [--port N] [--seconds N] [--until-eof]
**
** It listens on 127.0.0.1 only and prints its port. One process, one epoll,
** keep-alive, hundreds of connections. It ends after 600 s (--seconds), with
** --until-eof also when its standard input ends. Without a script it answers
** every POST after --wait ms with a valid chat completion that says --content
** and echoes the request's model, and every GET with a list of one model;
** `?wait=MS&status=CODE` after the path of a POST changes one answer.
**
** A script is a list of rules. The first rule that fits answers.
**
**   on METHOD PATH [TEXT]   the exact method and path (without its query), or
**                           a beginning followed by `*`; the body must contain
**                           TEXT
**   by-body                 count the answers for every distinct body apart
**   answer [N]              begin the next answer; it is given N (1) times.
**                           One that no `answer` begins is the first.
**   again                   after the last answer comes the first; without
**                           this the last is given for ever
**
** An answer is a list of steps, one in a line, done in order. Nothing is sent
** but what a step says.
**
**   status CODE [REASON]    the status line
**   header NAME: VALUE      a header line, as it stands
**   length N                a Content-Length line; may be wrong
**   end                     the empty line after the headers
**   send TEXT               exactly these bytes
**   body TEXT               Content-Length line, empty line, TEXT
**   chunk TEXT              one chunk of a chunked body
**   last                    the chunk that ends such a body
**   chat TEXT               the rest of a JSON answer: headers, and a valid
**                           chat completion with TEXT as its content and the
**                           model of the request
**   wait MS                 nothing for MS milliseconds
**   fill N TEXT             N bytes, TEXT over and over
**   repeat N MS TEXT        N times TEXT, MS after each
**   pieces N MS TEXT        TEXT in pieces of N bytes, MS after each
**   split N MS TEXT         the first N bytes of TEXT, MS, the rest
**   close                   close properly
**   reset                   close with a reset (RST)
**   hang                    never answer, never close
**
** A client that begins with TLS is a request with method TLS and no path, which
** `on TLS *` answers.
**
** After the last step the next request of the connection is read.
**
** N, MS and CODE are numbers, `forever` (N only), or `$name:12`: the number
** that the query parameter `name` gives, or else 12. TEXT is one or more of
** "..." (with \n \r \t \0 \\ \" \xHH), '...' (as it stands) and @FILE (its
** contents; relative to the script); a line that begins with a quote or @ goes
** on with the TEXT of the line before. A line that begins with # is a comment.
**
** The log has a JSON line for every request, written before it is answered:
** number, connection, method, path, query, headers (names in lower case; the
** value of a header that may hold a secret only as a hash), body. `GET
** /faultd/state` gives counts of requests, connections, connections open now
** and at the most; it counts neither itself nor goes to the log.
*/
#include "faultscript.h"
#include "timers.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define READ_BYTES ((size_t)16 << 10)
#define SEND_BYTES ((size_t)64 << 10)
#define TLS_HANDSHAKE 22 /* the first byte of a client that wants TLS */
#define REQUEST_BYTES ((size_t)64 << 20)

typedef struct request {
  ecrb_span method, path, query, headers, body;
  size_t length; /* of the whole */
} request;

typedef struct connection {
  ecrb_timer timer;                /* stands first */
  struct connection *next, **link; /* `link` points to what points here */
  int file;
  uint64_t number;
  uint32_t events; /* what epoll looks for */
  bool hanging;
  bytes in, out;
  size_t sent; /* of `out` */
  request request;
  const answer *answer; /* NULL: reading */
  size_t step;
  size_t done; /* of the present step, in its own unit */
} connection;

typedef struct server {
  script script;
  int listener, epoll, log;
  ecrb_timers timers;
  connection *first;
  uint64_t requests, connections, open, most;
} server;

/* {====================================================================
** Requests
** ===================================================================== */

static ecrb_span until(ecrb_span *rest, const char *mark) {
  const char *found = memmem(rest->at, rest->n, mark, strlen(mark));
  size_t n = found ? (size_t)(found - rest->at) : rest->n;
  size_t skip = found ? n + strlen(mark) : n;
  ecrb_span head = {rest->at, n};
  rest->at += skip;
  rest->n -= skip;
  return head;
}

/* The next `name: value` of a header block; false at its end. */
static bool next_header(ecrb_span *rest, ecrb_span *name, ecrb_span *value) {
  if (rest->n == 0)
    return false;
  *value = until(rest, "\r\n");
  *name = until(value, ":");
  while (value->n > 0 && *value->at == ' ')
    value->at++, value->n--;
  return true;
}

static size_t content_length(ecrb_span headers) {
  ecrb_span name, value;
  while (next_header(&headers, &name, &value))
    if (name.n == 14 && strncasecmp(name.at, "content-length", 14) == 0)
      return strtoul(value.at, NULL, 10);
  return 0;
}

static bool parse_handshake(const bytes *in, request *out) {
  ecrb_span none = {"", 0};
  *out = (request){ecrb_span_of("TLS"), none, none, none, none, in->n};
  return true;
}

/* False while the request is not complete. */
static bool parse_request(const bytes *in, request *out) {
  if (in->n && *in->at == TLS_HANDSHAKE)
    return parse_handshake(in, out);
  const char *blank = in->n ? memmem(in->at, in->n, "\r\n\r\n", 4) : NULL;
  if (!blank)
    return false;
  size_t head = (size_t)(blank - in->at) + 4;
  ecrb_span rest = {in->at, head - 2};
  ecrb_span line = until(&rest, "\r\n");
  out->headers = rest;
  out->body = (ecrb_span){in->at + head, content_length(rest)};
  out->length = head + out->body.n;
  if (out->body.n > REQUEST_BYTES || in->n < out->length)
    return false;
  out->method = until(&line, " ");
  out->query = until(&line, " ");
  out->path = until(&out->query, "?");
  return true;
}

/* The query parameter, or the number's own value. */
static long value_of(const number *n, const request *r) {
  ecrb_span query = r->query;
  while (n->name && query.n > 0) {
    ecrb_span value = until(&query, "&"), name = until(&value, "=");
    if (ecrb_span_equal(name, ecrb_span_of(n->name)))
      return strtol(value.at, NULL, 10);
  }
  return n->value;
}

/* }==================================================================== */

/* {====================================================================
** The log
** ===================================================================== */

static void add_json(bytes *to, ecrb_span text, bool lower) {
  bytes_add(to, "\"", 1);
  for (size_t i = 0; i < text.n; i++) {
    unsigned char c = (unsigned char)text.at[i];
    if (c == '"' || c == '\\') {
      bytes_print(to, "\\%c", c);
    } else if (c < ' ' || c == 127) {
      bytes_print(to, "\\u%04x", c);
    } else {
      char plain = (char)(lower ? tolower(c) : c);
      bytes_add(to, &plain, 1);
    }
  }
  bytes_add(to, "\"", 1);
}

static void add_field(bytes *to, const char *name, ecrb_span text) {
  bytes_print(to, ",\"%s\":", name);
  add_json(to, text, false);
}

static bool may_hold_secret(ecrb_span name) {
  static const char *const names[] = {"authorization", "proxy-authorization",
                                      "api-key",       "x-api-key",
                                      "cookie",        "x-goog-api-key"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (name.n == strlen(names[i]) &&
        strncasecmp(name.at, names[i], name.n) == 0)
      return true;
  return false;
}

static void add_headers(bytes *to, ecrb_span headers) {
  ecrb_span name, value;
  const char *comma = "";
  bytes_print(to, ",\"headers\":{");
  for (; next_header(&headers, &name, &value); comma = ",") {
    bytes_print(to, "%s", comma);
    add_json(to, name, true);
    bytes_print(to, ":");
    if (may_hold_secret(name))
      bytes_print(to, "\"#%016llx\"",
                  (unsigned long long)ecrb_rng_fold(0, value.at, value.n));
    else
      add_json(to, value, false);
  }
  bytes_print(to, "}");
}

static void log_request(const server *s, const connection *c) {
  bytes line = {0};
  if (s->log < 0)
    return;
  bytes_print(&line, "{\"number\":%llu,\"connection\":%llu",
              (unsigned long long)s->requests, (unsigned long long)c->number);
  add_field(&line, "method", c->request.method);
  add_field(&line, "path", c->request.path);
  add_field(&line, "query", c->request.query);
  add_headers(&line, c->request.headers);
  add_field(&line, "body", c->request.body);
  bytes_print(&line, "}\n");
  if (write(s->log, line.at, line.n) != (ssize_t)line.n)
    perror("faultd: log");
  free(line.at);
}

/* }==================================================================== */

/* {====================================================================
** Connections
** ===================================================================== */

static void drop(server *s, connection *c) {
  ecrb_timers_drop(&s->timers, &c->timer);
  *c->link = c->next;
  if (c->next)
    c->next->link = c->link;
  close(c->file);
  free(c->in.at);
  free(c->out.at);
  free(c);
  s->open--;
}

static void watch(const server *s, connection *c, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = c};
  if (events != c->events)
    epoll_ctl(s->epoll, c->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, c->file,
              &event);
  c->events = events;
}

static void list(server *s, connection *c) {
  c->next = s->first;
  c->link = &s->first;
  if (c->next)
    c->next->link = &c->next;
  s->first = c;
}

static void accept_one(server *s, int file) {
  int on = 1;
  connection *c = calloc(1, sizeof *c);
  if (!c || !ecrb_timers_reserve(&s->timers, s->open + 1)) {
    free(c);
    close(file);
    return;
  }
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  c->file = file;
  c->number = ++s->connections;
  list(s, c);
  if (++s->open > s->most)
    s->most = s->open;
  watch(s, c, EPOLLIN | EPOLLRDHUP);
}

static void accept_all(server *s) {
  int file;
  while ((file = accept4(s->listener, NULL, NULL,
                         SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
    accept_one(s, file);
}

enum progress { GOES_ON, WAITS, IS_DROPPED };

/* Sends what stands in `out`. */
static enum progress flush(server *s, connection *c) {
  while (c->sent < c->out.n) {
    ssize_t put =
        send(c->file, c->out.at + c->sent, c->out.n - c->sent, MSG_NOSIGNAL);
    if (put < 0 && errno == EAGAIN) {
      watch(s, c, EPOLLOUT | EPOLLRDHUP);
      return WAITS;
    }
    if (put < 0 && errno != EINTR) {
      drop(s, c);
      return IS_DROPPED;
    }
    c->sent += put > 0 ? (size_t)put : 0;
  }
  c->sent = c->out.n = 0;
  watch(s, c, EPOLLIN | EPOLLRDHUP);
  return GOES_ON;
}

/* Sends and goes on after `ms`. */
static enum progress send_and_rest(server *s, connection *c, long ms) {
  enum progress progress = flush(s, c);
  if (progress != GOES_ON || ms <= 0)
    return progress;
  ecrb_timers_set(&s->timers, &c->timer, ecrb_after(ecrb_now(), ms));
  return WAITS;
}

/* }==================================================================== */

/* {====================================================================
** Steps
** ===================================================================== */

static ecrb_span model_of(ecrb_span body) {
  ecrb_span rest = body;
  until(&rest, "\"model\"");
  until(&rest, "\"");
  return rest.n ? until(&rest, "\"") : ecrb_span_of("stub");
}

static void add_chat(connection *c, const bytes *content) {
  bytes reply = {0};
  ecrb_span model = model_of(c->request.body);
  bytes_print(&reply,
              "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\","
              "\"created\":1700000000,\"model\":\"%.*s\",\"choices\":[{"
              "\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":",
              (int)model.n, model.at);
  add_json(&reply, (ecrb_span){content->at, content->n}, false);
  bytes_print(&reply,
              "},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":%zu,"
              "\"completion_tokens\":%zu,\"total_tokens\":%zu}}",
              c->request.body.n / 4, content->n / 4 + 1,
              c->request.body.n / 4 + content->n / 4 + 1);
  bytes_print(&c->out,
              "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
              reply.n);
  bytes_add(&c->out, reply.at, reply.n);
  free(reply.at);
}

/* Steps that only add bytes. */
static void add_bytes(connection *c, const step *t) {
  const bytes *text = &t->text;
  if (t->kind == STEP_STATUS)
    bytes_print(&c->out, "HTTP/1.1 %03ld %.*s\r\n",
                value_of(&t->n, &c->request), (int)text->n,
                text->n ? text->at : "");
  else if (t->kind == STEP_LENGTH)
    bytes_print(&c->out, "Content-Length: %ld\r\n",
                value_of(&t->n, &c->request));
  else if (t->kind == STEP_BODY)
    bytes_print(&c->out, "Content-Length: %zu\r\n\r\n", text->n);
  else if (t->kind == STEP_CHUNK)
    bytes_print(&c->out, "%zx\r\n", text->n);
  else if (t->kind == STEP_LAST)
    bytes_print(&c->out, "0\r\n\r\n");
  else if (t->kind == STEP_CHAT)
    add_chat(c, text);
  if (t->kind == STEP_HEADER || t->kind == STEP_SEND || t->kind == STEP_BODY ||
      t->kind == STEP_CHUNK)
    bytes_add(&c->out, text->at, text->n);
  if (t->kind == STEP_HEADER || t->kind == STEP_CHUNK || t->kind == STEP_END)
    bytes_print(&c->out, "\r\n");
}

static enum progress end_step(connection *c) {
  c->step++;
  c->done = 0;
  return GOES_ON;
}

static enum progress do_wait(server *s, connection *c, const step *t) {
  if (c->done++)
    return end_step(c);
  return send_and_rest(s, c, value_of(&t->ms, &c->request));
}

/* `done` counts bytes. */
static enum progress do_fill(server *s, connection *c, const step *t) {
  long wanted = value_of(&t->n, &c->request);
  while (t->text.n > 0 && c->out.n < SEND_BYTES &&
         (wanted < 0 || c->done < (size_t)wanted)) {
    size_t from = c->done % t->text.n, n = t->text.n - from;
    if (wanted >= 0 && n > (size_t)wanted - c->done)
      n = (size_t)wanted - c->done;
    bytes_add(&c->out, t->text.at + from, n);
    c->done += n;
  }
  if (t->text.n == 0 || (wanted >= 0 && c->done >= (size_t)wanted))
    return end_step(c);
  return flush(s, c);
}

/* `done` counts repetitions. */
static enum progress do_repeat(server *s, connection *c, const step *t) {
  long wanted = value_of(&t->n, &c->request);
  if (wanted >= 0 && c->done >= (size_t)wanted)
    return end_step(c);
  c->done++;
  bytes_add(&c->out, t->text.at, t->text.n);
  return send_and_rest(s, c, value_of(&t->ms, &c->request));
}

/* `done` counts bytes; a split makes one piece and the rest. */
static enum progress do_pieces(server *s, connection *c, const step *t) {
  long size = value_of(&t->n, &c->request);
  size_t n = t->text.n - c->done;
  if (n == 0)
    return end_step(c);
  if (size >= 0 && n > (size_t)size && (t->kind == STEP_PIECES || !c->done))
    n = size > 0 || t->kind == STEP_SPLIT ? (size_t)size : 1;
  bytes_add(&c->out, t->text.at + c->done, n);
  c->done += n;
  return send_and_rest(s, c, value_of(&t->ms, &c->request));
}

static enum progress do_close(server *s, connection *c, bool reset) {
  struct linger at_once = {1, 0};
  enum progress progress = flush(s, c);
  if (progress != GOES_ON)
    return progress;
  if (reset)
    setsockopt(c->file, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  drop(s, c);
  return IS_DROPPED;
}

static enum progress do_hang(server *s, connection *c) {
  c->hanging = true;
  enum progress progress = flush(s, c);
  return progress == GOES_ON ? WAITS : progress;
}

static enum progress do_step(server *s, connection *c, const step *t) {
  switch (t->kind) {
  case STEP_WAIT:
    return do_wait(s, c, t);
  case STEP_FILL:
    return do_fill(s, c, t);
  case STEP_REPEAT:
    return do_repeat(s, c, t);
  case STEP_PIECES:
  case STEP_SPLIT:
    return do_pieces(s, c, t);
  case STEP_CLOSE:
  case STEP_RESET:
    return do_close(s, c, t->kind == STEP_RESET);
  case STEP_HANG:
    return do_hang(s, c);
  default:
    add_bytes(c, t);
    return end_step(c);
  }
}

/* }==================================================================== */

/* {====================================================================
** From request to request
** ===================================================================== */

static void report_state(server *s, connection *c) {
  bytes text = {0};
  bytes_print(&text,
              "{\"requests\":%llu,\"connections\":%llu,\"open\":%llu,"
              "\"most\":%llu}",
              (unsigned long long)s->requests,
              (unsigned long long)s->connections, (unsigned long long)s->open,
              (unsigned long long)s->most);
  bytes_print(&c->out, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n",
              text.n);
  bytes_add(&c->out, text.at, text.n);
  free(text.at);
}

static void begin_answer(server *s, connection *c) {
  static const answer nothing = {0, NULL, 0};
  const request *r = &c->request;
  c->step = c->done = 0;
  c->answer = &nothing;
  if (ecrb_span_equal(r->path, ecrb_span_of("/faultd/state"))) {
    report_state(s, c);
    return;
  }
  s->requests++;
  log_request(s, c);
  const answer *found = script_answer(&s->script, r->method, r->path, r->body);
  if (found)
    c->answer = found;
  else
    bytes_print(&c->out, "HTTP/1.1 404 No rule\r\nContent-Length: 0\r\n\r\n");
}

static enum progress end_answer(server *s, connection *c) {
  enum progress progress = flush(s, c);
  if (progress != GOES_ON)
    return progress;
  c->in.n -= c->request.length;
  memmove(c->in.at, c->in.at + c->request.length, c->in.n);
  c->answer = NULL;
  return GOES_ON;
}

/* Does what can be done without waiting. */
static void go_on(server *s, connection *c) {
  enum progress progress = GOES_ON;
  while (progress == GOES_ON) {
    if (c->answer && c->step < c->answer->count)
      progress = do_step(s, c, &c->answer->steps[c->step]);
    else if (c->answer)
      progress = end_answer(s, c);
    else if (parse_request(&c->in, &c->request))
      begin_answer(s, c);
    else
      progress = WAITS;
  }
}

/* False when the other side is gone. What comes during an answer waits in the
** socket until the answer is given. */
static bool receive(connection *c) {
  char chunk[READ_BYTES];
  ssize_t got = recv(c->file, chunk, sizeof chunk, 0);
  if (got > 0)
    bytes_add(&c->in, chunk, (size_t)got);
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void serve(server *s, connection *c, uint32_t events) {
  bool gone = events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP);
  if (!gone && events & EPOLLIN && !c->answer)
    gone = !receive(c);
  else if (!gone && events & EPOLLIN)
    watch(s, c, EPOLLRDHUP);
  if (gone)
    drop(s, c);
  else if (!c->timer.place && !c->hanging)
    go_on(s, c);
}

static void serve_timers(server *s) {
  int64_t now = ecrb_now();
  ecrb_timer *timer;
  while ((timer = ecrb_timers_first(&s->timers)) && timer->due <= now) {
    ecrb_timers_drop(&s->timers, timer);
    go_on(s, (connection *)(void *)timer);
  }
}

static int patience(const server *s, int64_t end) {
  const ecrb_timer *first = ecrb_timers_first(&s->timers);
  int64_t left = (first && first->due < end ? first->due : end) - ecrb_now();
  return left <= 0 ? 0 : (int)((left + 999999) / 1000000);
}

/* Standard input has no connection of its own: its event points to the
** server, the listener's to nothing. */
static bool serve_event(server *s, const struct epoll_event *event) {
  char ignored[64];
  if (event->data.ptr == s)
    return read(STDIN_FILENO, ignored, sizeof ignored) > 0;
  if (event->data.ptr)
    serve(s, event->data.ptr, event->events);
  else
    accept_all(s);
  return true;
}

static void run(server *s, int64_t end) {
  struct epoll_event events[256];
  bool goes_on = true;
  while (goes_on && ecrb_now() < end) {
    int n = epoll_wait(s->epoll, events, 256, patience(s, end));
    for (int i = 0; i < n; i++)
      goes_on = serve_event(s, &events[i]) && goes_on;
    serve_timers(s);
  }
}

/* }==================================================================== */

/* {====================================================================
** Starting
** ===================================================================== */

typedef struct options {
  const char *script, *content, *log;
  long wait, port, seconds;
  bool until_eof;
} options;

static int die(const char *what, const char *why) {
  fprintf(stderr, "faultd: %s: %s\n", what, why);
  return 2;
}

static bool read_options(int count, char **words, options *o) {
  static const struct option names[] = {
      {"script", 1, NULL, 's'},    {"wait", 1, NULL, 'w'},
      {"content", 1, NULL, 'c'},   {"log", 1, NULL, 'l'},
      {"port", 1, NULL, 'p'},      {"seconds", 1, NULL, 't'},
      {"until-eof", 0, NULL, 'e'}, {NULL, 0, NULL, 0}};
  int name;
  *o = (options){.content = "1.1.1.1", .seconds = 600};
  while ((name = getopt_long(count, words, "", names, NULL)) != -1) {
    if (name == 's')
      o->script = optarg;
    else if (name == 'c')
      o->content = optarg;
    else if (name == 'l')
      o->log = optarg;
    else if (name == 'w')
      o->wait = atol(optarg);
    else if (name == 'p')
      o->port = atol(optarg);
    else if (name == 't')
      o->seconds = atol(optarg);
    else if (name == 'e')
      o->until_eof = true;
    else
      return false;
  }
  return optind == count;
}

static int read_script_file(server *s, const char *path, ecrb_err *err) {
  bytes text = {0};
  char chunk[4096];
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
  FILE *file = fopen(path, "re");
  for (size_t n; file && (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
    bytes_add(&text, chunk, n);
  bytes_add(&text, "", 1);
  int status = file && folder ? script_read(&s->script, text.at, folder, err)
                              : ecrb_fail(err, ECRB_EIO, "%s", strerror(errno));
  if (file)
    fclose(file);
  free(folder);
  free(text.at);
  return status;
}

static int use_plain_script(server *s, const options *o, ecrb_err *err) {
  bytes text = {0};
  bytes_print(&text,
              "on GET *\nstatus 200 OK\nheader Content-Type: application/json\n"
              "body '{\"object\":\"list\",\"data\":[{\"id\":\"stub\","
              "\"object\":\"model\"}]}'\n"
              "on * *\nwait $wait:%ld\nstatus $status:200\nchat \"",
              o->wait);
  for (const char *c = o->content; *c; c++)
    bytes_print(&text, "\\x%02x", (unsigned char)*c);
  bytes_print(&text, "\"\n");
  bytes_add(&text, "", 1);
  int status = script_read(&s->script, text.at, ".", err);
  free(text.at);
  return status;
}

static int listen_at(server *s, uint16_t port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
  socklen_t size = sizeof at;
  int on = 1;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  s->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(s->listener, (struct sockaddr *)&at, sizeof at) != 0 ||
      listen(s->listener, 1024) != 0 ||
      getsockname(s->listener, (struct sockaddr *)&at, &size) != 0)
    return die("listen", strerror(errno));
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  return 0;
}

static void watch_own(server *s, int file, void *mark) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = mark};
  epoll_ctl(s->epoll, EPOLL_CTL_ADD, file, &event);
}

static void allow_many_files(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static int start(server *s, const options *o) {
  ecrb_err err;
  int status = o->script ? read_script_file(s, o->script, &err)
                         : use_plain_script(s, o, &err);
  if (status != ECRB_OK)
    return die(o->script ? o->script : "content", err.msg);
  s->epoll = epoll_create1(EPOLL_CLOEXEC);
  s->log = -1;
  if (o->log)
    s->log = open(o->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (o->log && s->log < 0)
    return die(o->log, strerror(errno));
  if (listen_at(s, (uint16_t)o->port) != 0)
    return 2;
  watch_own(s, s->listener, NULL);
  if (o->until_eof)
    watch_own(s, STDIN_FILENO, s);
  return 0;
}

int main(int count, char **words) {
  server s = {0};
  options o;
  if (!read_options(count, words, &o))
    return die("usage", "see the head of faultd.c");
  allow_many_files();
  int status = start(&s, &o);
  if (status == 0)
    run(&s, ecrb_after(ecrb_now(), o.seconds * 1000));
  while (s.first)
    drop(&s, s.first);
  script_free(&s.script);
  ecrb_timers_free(&s.timers);
  return status;
}

/* }==================================================================== */
