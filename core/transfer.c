/* transfer.c: one request and its response.
**
** The headers of the request are copied once, into one block that libcurl reads
** from, with the nodes of their list; the body stays where it is, the largest
** thing that a call in flight needs. The response is collected under its limit,
** which is one of decoded bytes where a server compresses unasked; the first
** byte of the body that is not JSON white space ends the wait for the model and
** starts the idle clock. An event stream says itself that it is over: then the
** end of the transfer is waited for only a moment, because some servers hold the
** connection.
*/
#include "transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RECEIVE_BYTES 2048L /* libcurl's buffer per transfer */
#define SEND_BYTES 16384L   /* the same for bodies that need one */
#define HEADER_BYTES ((size_t)256 << 10)
#define KEEP_BYTES ((size_t)64 << 10) /* a larger buffer is not kept */
#define NO_EXPECT "Expect:"           /* no waiting for a 100 Continue */
#define NO_CODING "Accept-Encoding:"  /* compressed replies are not asked for */
#define DONE_MS 250      /* after [DONE]: what follows comes with it */
#define FINISHED_MS 2000 /* after a finish reason and usage: so may [DONE] */

static bool add(ecrb_bytes *to, const char *bytes, size_t n) {
  return ecrb_bytes_add(to, (ecrb_span){bytes, n}) == ECRB_OK;
}

static void clear(ecrb_bytes *bytes) {
  bytes->n = 0;
  if (bytes->room > KEEP_BYTES)
    ecrb_bytes_free(bytes);
}

/* {====================================================================
** The response, as it comes
** ===================================================================== */

/* Returning less than was given makes libcurl end the transfer. Why, is said
** when it has ended: libcurl writes words of its own over any that stand there. */
static size_t stop(ecrb_transfer *transfer, enum ecrb_http_end end) {
  transfer->end = end;
  return 0;
}

static bool only_blanks(const char *bytes, size_t n) {
  while (n > 0 && strchr(" \t\r\n", *bytes) && *bytes)
    bytes++, n--;
  return n == 0;
}

static void set_timer(ecrb_transfer *transfer) {
  enum ecrb_http_end clock;
  ecrb_timers_set(transfer->timers, &transfer->timer,
                  ecrb_transfer_due(transfer, &clock));
}

/* The fields of an event stream are data, event, id and retry, a comment begins
** with a colon; no JSON does. */
static bool begins_stream(const char *bytes, size_t n) {
  while (n > 1 && strchr(" \t\r\n", *bytes))
    bytes++, n--;
  return *bytes && strchr(":deir", *bytes);
}

static void note_first_byte(ecrb_transfer *transfer) {
  transfer->first = transfer->last;
  if (transfer->limits->idle_ms > 0)
    set_timer(transfer);
}

/* Whether `"name":` stands in the line before `value`. What a model says cannot
** look so: its quotes are escaped. */
static bool has_member(ecrb_span line, const char *name, char value) {
  const char *at = memmem(line.at, line.n, name, strlen(name));
  const char *end = line.at + line.n;
  if (!at)
    return false;
  for (at += strlen(name); at < end && *at == ' '; at++)
    continue;
  return at < end && *at == value;
}

/* Takes `word` off the front. */
static bool take(ecrb_span *line, const char *word) {
  size_t n = strlen(word);
  if (line->n < n || memcmp(line->at, word, n) != 0)
    return false;
  *line = (ecrb_span){line->at + n, line->n - n};
  return true;
}

/* What begins otherwise is not looked at further: it may be long, and is asked
** about with every piece that comes. */
static bool is_done(ecrb_span line) {
  if (!take(&line, "data:"))
    return false;
  take(&line, " ");
  return take(&line, "[DONE]") && only_blanks(line.at, line.n);
}

static void end_within(ecrb_transfer *transfer, long ms) {
  int64_t until = ecrb_after(transfer->last, ms);
  if (transfer->over && transfer->over <= until)
    return;
  transfer->over = until;
  set_timer(transfer);
}

static void read_line(ecrb_transfer *transfer, ecrb_span line) {
  transfer->finished =
      transfer->finished || has_member(line, "\"finish_reason\":", '"');
  if (is_done(line))
    end_within(transfer, DONE_MS);
  else if (transfer->finished && has_member(line, "\"usage\":", '{'))
    end_within(transfer, FINISHED_MS);
}

/* Reads the lines that came whole. The last one may lack its end for ever. */
static void read_stream(ecrb_transfer *transfer) {
  const char *body = transfer->body.at;
  size_t at = transfer->looked_at;
  for (; at < transfer->body.n; at++) {
    if (body[at] != '\n' && body[at] != '\r')
      continue;
    read_line(transfer,
              (ecrb_span){body + transfer->line, at - transfer->line});
    transfer->line = at + 1;
  }
  transfer->looked_at = at;
  if (is_done((ecrb_span){body + transfer->line, at - transfer->line}))
    end_within(transfer, DONE_MS);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
  ecrb_transfer *transfer = user;
  size_t n = size * count,
         room = transfer->limits->body_bytes - transfer->body.n;
  transfer->last = ecrb_now();
  if (!transfer->first && !only_blanks(bytes, n)) {
    transfer->stream = begins_stream(bytes, n);
    note_first_byte(transfer);
  }
  if (!add(&transfer->body, bytes, n < room ? n : room))
    return stop(transfer, ECRB_HTTP_OTHER);
  if (n > room)
    return stop(transfer, ECRB_HTTP_TOO_LARGE);
  if (transfer->stream)
    read_stream(transfer);
  return n;
}

/* A status line begins a new response: what came before was provisional. */
static size_t on_header(char *bytes, size_t size, size_t count, void *user) {
  ecrb_transfer *transfer = user;
  size_t n = size * count;
  if (n >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
    transfer->headers.n = 0;
    transfer->headed = false;
    return n;
  }
  transfer->headed = transfer->headed || *bytes == '\r' || *bytes == '\n';
  if (transfer->headers.n + n > HEADER_BYTES) {
    transfer->headed = false; /* as trailers they may come behind the body */
    return stop(transfer, ECRB_HTTP_TOO_LARGE);
  }
  if (!add(&transfer->headers, bytes, n))
    return stop(transfer, ECRB_HTTP_OTHER);
  return n;
}

/* }==================================================================== */

/* {====================================================================
** The handle
** ===================================================================== */

static bool set_up(ecrb_transfer *t, ecrb_sockets *sockets) {
#define SET(option, value)                                                     \
  (t->curl->easy_setopt(t->easy, CURLOPT_##option, value) == CURLE_OK)
  return SET(PRIVATE, t) && SET(ERRORBUFFER, t->words) &&
         SET(WRITEFUNCTION, on_body) && SET(WRITEDATA, t) &&
         SET(HEADERFUNCTION, on_header) && SET(HEADERDATA, t) &&
         SET(SUPPRESS_CONNECT_HEADERS, 1L) && SET(NOSIGNAL, 1L) &&
         SET(QUICK_EXIT, 1L) && SET(FOLLOWLOCATION, 0L) && SET(NOPROXY, "") &&
         SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
         SET(SSL_VERIFYPEER, 1L) && SET(SSL_VERIFYHOST, 2L) &&
         SET(ACCEPT_ENCODING, "") && SET(USERAGENT, "ecrb/" ECRB_VERSION) &&
         SET(TCP_KEEPALIVE, 1L) && SET(BUFFERSIZE, RECEIVE_BYTES) &&
         SET(UPLOAD_BUFFERSIZE, SEND_BYTES) &&
         SET(CONNECTTIMEOUT_MS, t->limits->connect_ms) &&
         SET(OPENSOCKETFUNCTION, ecrb_sockets_open) &&
         SET(OPENSOCKETDATA, sockets) &&
         SET(CLOSESOCKETFUNCTION, ecrb_sockets_close) &&
         SET(CLOSESOCKETDATA, sockets);
}

bool ecrb_transfer_trust(ecrb_transfer *t, const char *path) {
  return !path || SET(CAINFO, path);
}

int ecrb_transfer_new(const ecrb_curl *curl, const ecrb_http_limits *limits,
                      ecrb_timers *timers, ecrb_sockets *sockets,
                      const char *trusted, ecrb_transfer **out, ecrb_err *err) {
  ecrb_transfer *t = calloc(1, sizeof *t);
  if (t) {
    t->curl = curl;
    t->limits = limits;
    t->timers = timers;
    t->easy = curl->easy_init();
  }
  if (t && t->easy && set_up(t, sockets) && ecrb_transfer_trust(t, trusted)) {
    *out = t;
    return ECRB_OK;
  }
  ecrb_transfer_free(t);
  return ecrb_fail(err, ECRB_ENOMEM, "no memory for a request");
}

void ecrb_transfer_free(ecrb_transfer *transfer) {
  if (!transfer)
    return;
  if (transfer->easy)
    transfer->curl->easy_cleanup(transfer->easy);
  ecrb_bytes_free(&transfer->request);
  ecrb_bytes_free(&transfer->headers);
  ecrb_bytes_free(&transfer->body);
  free(transfer);
}

void ecrb_transfer_clear(ecrb_transfer *transfer) {
  clear(&transfer->request);
  clear(&transfer->headers);
  clear(&transfer->body);
}

/* }==================================================================== */

/* {====================================================================
** The request
** ===================================================================== */

/* The messages name a header by its number: what stands in it may be secret,
** and where the name ends in a broken one nobody knows. */
static int check_header(const char *header, size_t number, ecrb_err *err) {
  if (!strchr(header, ':') || *header == ':')
    return ecrb_fail(err, ECRB_EARG, "header %zu is no `Name: value`", number);
  if (header[strcspn(header, "\r\n")])
    return ecrb_fail(err, ECRB_EARG, "header %zu holds a line break", number);
  return ECRB_OK;
}

static int measure(const char *const *headers, size_t *count, size_t *bytes,
                   ecrb_err *err) {
  int status = ECRB_OK;
  *count = 0;
  *bytes = 0;
  for (; status == ECRB_OK && headers && headers[*count]; (*count)++) {
    status = check_header(headers[*count], *count + 1, err);
    *bytes += strlen(headers[*count]) + 1;
  }
  return status;
}

static struct curl_slist *
add_header(ecrb_bytes *request, struct curl_slist *node, const char *header) {
  node->data = request->at + request->n;
  node->next = node + 1;
  add(request, header, strlen(header) + 1);
  return node + 1;
}

/* Header nodes and headers, in one block. */
static int copy_headers(ecrb_bytes *request, const char *const *headers,
                        ecrb_err *err) {
  size_t count, bytes;
  int status = measure(headers, &count, &bytes, err);
  if (status != ECRB_OK)
    return status;
  size_t list = (count + 2) * sizeof(struct curl_slist);
  request->n = 0;
  size_t need = list + bytes + sizeof NO_EXPECT + sizeof NO_CODING;
  if (ecrb_bytes_reserve(request, need) != ECRB_OK)
    return ecrb_fail(err, ECRB_ENOMEM, "no memory for headers of %zu bytes",
                     need);
  struct curl_slist *node = (struct curl_slist *)(void *)request->at;
  request->n = list;
  for (size_t i = 0; i < count; i++)
    node = add_header(request, node, headers[i]);
  node = add_header(request, node, NO_EXPECT);
  add_header(request, node, NO_CODING);
  node->next = NULL;
  return ECRB_OK;
}

static bool set_request(ecrb_transfer *t, const char *url, const char *proxy,
                        const ecrb_span *body) {
  struct curl_slist *list = (struct curl_slist *)(void *)t->request.at;
  return SET(URL, url) && SET(PROXY, proxy ? proxy : "") &&
         SET(HTTPHEADER, list) && SET(HTTPGET, 1L) &&
         SET(HTTP_CONTENT_DECODING, body ? 1L : 0L) &&
         (!body || (SET(POSTFIELDSIZE_LARGE, (curl_off_t)body->n) &&
                    SET(POSTFIELDS, body->at ? body->at : "")));
#undef SET
}

int ecrb_transfer_prepare(ecrb_transfer *transfer, const char *url,
                          const char *const *headers, const ecrb_span *body,
                          const char *proxy, ecrb_err *err) {
  if (strncasecmp(url, "http://", 7) != 0 &&
      strncasecmp(url, "https://", 8) != 0)
    return ecrb_fail(err, ECRB_EARG,
                     "the address of a request begins with http:// or "
                     "https://");
  int status = copy_headers(&transfer->request, headers, err);
  if (status != ECRB_OK)
    return status;
  if (!set_request(transfer, url, proxy, body))
    return ecrb_fail(err, ECRB_ENOMEM, "no memory for a request");
  transfer->headers.n = transfer->body.n = 0;
  transfer->end = ECRB_HTTP_DONE;
  transfer->status = 0;
  transfer->words[0] = '\0';
  transfer->headed = transfer->stream = transfer->finished = false;
  transfer->first = transfer->over = 0;
  transfer->line = transfer->looked_at = 0;
  transfer->started = transfer->last = ecrb_now();
  return ECRB_OK;
}

/* }==================================================================== */

/* {====================================================================
** Clocks and endings
** ===================================================================== */

/* A limit of 0 is none. */
static int64_t end_of_limit(int64_t start, long ms) {
  return ecrb_after(start, ms > 0 ? ms : -1);
}

int64_t ecrb_transfer_due(const ecrb_transfer *transfer,
                          enum ecrb_http_end *clock) {
  const ecrb_http_limits *limits = transfer->limits;
  int64_t total = end_of_limit(transfer->started, limits->total_ms);
  int64_t phase = transfer->first
                      ? end_of_limit(transfer->last, limits->idle_ms)
                      : end_of_limit(transfer->started, limits->first_byte_ms);
  *clock = total <= phase    ? ECRB_HTTP_TOTAL
           : transfer->first ? ECRB_HTTP_IDLE
                             : ECRB_HTTP_FIRST_BYTE;
  int64_t due = total <= phase ? total : phase;
  if (!transfer->over || transfer->over > due)
    return due;
  *clock = ECRB_HTTP_DONE;
  return transfer->over;
}

/* A connection that was lost during the handshake is no refusal; libcurl tells
** them apart in words only. */
static enum ecrb_http_end end_of_handshake(const char *words) {
  static const char *const lost[] = {"SSL_ERROR_SYSCALL", "reset by peer",
                                     "unexpected eof"};
  for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
    if (strstr(words, lost[i]))
      return ECRB_HTTP_RESET;
  return ECRB_HTTP_TLS;
}

/* Of libcurl's own clocks only that of connecting is set. */
static enum ecrb_http_end end_of(CURLcode code, const char *words,
                                 bool answered) {
  switch (code) {
  case CURLE_OK:
    return ECRB_HTTP_DONE;
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_RESOLVE_PROXY:
    return ECRB_HTTP_DNS;
  case CURLE_COULDNT_CONNECT:
  case CURLE_OPERATION_TIMEDOUT:
    return ECRB_HTTP_CONNECT;
  case CURLE_SSL_CONNECT_ERROR:
    return end_of_handshake(words);
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CERTPROBLEM:
  case CURLE_SSL_CIPHER:
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_SSL_ISSUER_ERROR:
  case CURLE_SSL_INVALIDCERTSTATUS:
    return ECRB_HTTP_TLS;
  case CURLE_GOT_NOTHING:
  case CURLE_SEND_ERROR:
  case CURLE_RECV_ERROR:
  case CURLE_PARTIAL_FILE:
    return answered ? ECRB_HTTP_CUT : ECRB_HTTP_RESET;
  default:
    return ECRB_HTTP_OTHER;
  }
}

static void finish(ecrb_transfer *transfer) {
  transfer->ended = ecrb_now();
  transfer->curl->easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE,
                               &transfer->status);
}

/* libcurl calls a proxy that answers no to CONNECT a failure to receive. */
static bool proxy_refused(const ecrb_transfer *transfer) {
  long answer = 0;
  transfer->curl->easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE,
                               &answer);
  return transfer->status == 0 && answer >= 300;
}

static void say_why_stopped(ecrb_transfer *transfer) {
  const char *part = transfer->headed ? "body" : "headers";
  size_t most = transfer->headed ? transfer->limits->body_bytes : HEADER_BYTES;
  if (transfer->end == ECRB_HTTP_TOO_LARGE)
    snprintf(transfer->words, sizeof transfer->words,
             "the %s of the reply came to more than %zu bytes", part, most);
  else
    snprintf(transfer->words, sizeof transfer->words,
             "no memory for the %s of the reply", part);
}

/* A header line that libcurl finds too long it calls a lack of memory. */
static bool long_header(const ecrb_transfer *transfer, CURLcode code) {
  return code == CURLE_OUT_OF_MEMORY && transfer->status != 0 &&
         !transfer->headed;
}

void ecrb_transfer_complete(ecrb_transfer *transfer, CURLcode code) {
  finish(transfer);
  /* To libcurl the end of the connection may end the headers as well. */
  if (code == CURLE_OK && !transfer->headed)
    code = CURLE_PARTIAL_FILE;
  if (transfer->end != ECRB_HTTP_DONE) { /* a callback has ended it */
    say_why_stopped(transfer);
    return;
  }
  if (long_header(transfer, code)) {
    transfer->end = ECRB_HTTP_TOO_LARGE;
    snprintf(transfer->words, sizeof transfer->words,
             "a header of the reply is longer than libcurl takes");
    return;
  }
  transfer->end = end_of(code, transfer->words, transfer->status != 0);
  if (code != CURLE_OK && proxy_refused(transfer))
    transfer->end = ECRB_HTTP_CONNECT;
  if (code != CURLE_OK && !transfer->words[0])
    snprintf(transfer->words, sizeof transfer->words, "%s",
             transfer->curl->easy_strerror(code));
}

void ecrb_transfer_expire(ecrb_transfer *transfer, enum ecrb_http_end clock) {
  const ecrb_http_limits *limits = transfer->limits;
  finish(transfer);
  transfer->end = clock;
  if (clock == ECRB_HTTP_DONE)
    return;
  if (clock == ECRB_HTTP_FIRST_BYTE)
    snprintf(transfer->words, sizeof transfer->words,
             "no useful byte came within %ld ms", limits->first_byte_ms);
  else if (clock == ECRB_HTTP_IDLE)
    snprintf(transfer->words, sizeof transfer->words, "nothing came for %ld ms",
             limits->idle_ms);
  else
    snprintf(transfer->words, sizeof transfer->words,
             "the response was not complete within %ld ms", limits->total_ms);
}

/* Whole microseconds, rounded up: 0 means that nothing came. */
static double seconds(int64_t from, int64_t to) {
  return to > from ? (double)((to - from + 999) / 1000) / 1e6 : 0;
}

/* libcurl quotes what a peer sent, such as the names in its certificate. */
static void copy_printable(char *to, size_t size, const char *text) {
  size_t n = 0;
  for (; text[n] && n + 1 < size; n++)
    to[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
  to[n] = '\0';
}

void ecrb_transfer_response(const ecrb_transfer *transfer,
                            ecrb_http_response *out) {
  out->ticket = transfer->ticket;
  out->end = transfer->end;
  out->status = transfer->status;
  out->body = (ecrb_span){transfer->body.at, transfer->body.n};
  out->headers = (ecrb_span){transfer->headers.at, transfer->headers.n};
  out->first_byte_s = seconds(transfer->started, transfer->first);
  out->total_s = seconds(transfer->started, transfer->ended);
  copy_printable(out->detail, sizeof out->detail, transfer->words);
}

/* }==================================================================== */
