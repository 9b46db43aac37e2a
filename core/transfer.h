/* transfer.h: one request and its response on a curl easy handle, which is
** used again and again. Private to the library. */
#ifndef ECRB_TRANSFER_H
#define ECRB_TRANSFER_H

#include "bytes.h"
#include "curl.h"
#include "sockets.h"
#include "timers.h"

typedef struct ecrb_transfer {
  ecrb_timer timer; /* stands first; may be due before any clock is */
  const ecrb_curl *curl;
  const ecrb_http_limits *limits;
  ecrb_timers *timers;
  struct ecrb_transfer *next; /* in the list of idle or ended transfers */
  CURL *easy;
  uint64_t ticket;
  bool wanted;   /* is under way or ended, and not cancelled */
  bool running;  /* is in the multi handle */
  bool headed;   /* the empty line after the headers came */
  bool stream;   /* the body is an event stream */
  bool finished; /* of a stream: a finish reason came */
  enum ecrb_http_end end;
  long status;
  int64_t started, first, last, ended; /* `first` 0: no useful byte yet */
  int64_t over;           /* when a stream that said so ends; 0: not yet */
  size_t line, looked_at; /* of a stream: where a line begins; so far read */
  ecrb_bytes request;     /* header list, headers */
  ecrb_bytes headers, body;
  char words[CURL_ERROR_SIZE];
} ecrb_transfer;

/* The transfer uses `timers` and `limits` as long as it lives, its connections
** `sockets` as long as they do. */
int ecrb_transfer_new(const ecrb_curl *curl, const ecrb_http_limits *limits,
                      ecrb_timers *timers, ecrb_sockets *sockets,
                      const char *trusted, ecrb_transfer **out, ecrb_err *err);
void ecrb_transfer_free(ecrb_transfer *transfer);

/* Copies the headers and makes the handle ready for the request. */
int ecrb_transfer_prepare(ecrb_transfer *transfer, const char *url,
                          const char *const *headers, const ecrb_span *body,
                          const char *proxy, ecrb_err *err);

/* Trusts the certificates of a file, if one is named. */
bool ecrb_transfer_trust(ecrb_transfer *transfer, const char *path);

/* When the next clock runs out, and which of them it is. */
int64_t ecrb_transfer_due(const ecrb_transfer *transfer,
                          enum ecrb_http_end *clock);

/* Notes how it ended: by libcurl's code, or by a clock (that of a stream which
** said that it is over is ECRB_HTTP_DONE). */
void ecrb_transfer_complete(ecrb_transfer *transfer, CURLcode code);
void ecrb_transfer_expire(ecrb_transfer *transfer, enum ecrb_http_end clock);

void ecrb_transfer_response(const ecrb_transfer *transfer,
                            ecrb_http_response *out);

/* Forgets request and response, and gives back what a large one has taken. */
void ecrb_transfer_clear(ecrb_transfer *transfer);

#endif
