/* curl.h: the functions of libcurl that ecrb calls, found at run time.
** Private to the library. */
#ifndef ECRB_CURL_H
#define ECRB_CURL_H

#include "ecrb.h"

#include <curl/curl.h>

typedef struct ecrb_curl {
  void *library;
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_global_cleanup) *global_cleanup;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  __typeof__(curl_easy_setopt) *easy_setopt;
  __typeof__(curl_easy_getinfo) *easy_getinfo;
  __typeof__(curl_easy_strerror) *easy_strerror;
  __typeof__(curl_multi_init) *multi_init;
  __typeof__(curl_multi_cleanup) *multi_cleanup;
  __typeof__(curl_multi_setopt) *multi_setopt;
  __typeof__(curl_multi_strerror) *multi_strerror;
  __typeof__(curl_multi_add_handle) *multi_add_handle;
  __typeof__(curl_multi_remove_handle) *multi_remove_handle;
  __typeof__(curl_multi_socket_action) *multi_socket_action;
  __typeof__(curl_multi_info_read) *multi_info_read;
} ecrb_curl;

/* Loads libcurl and initializes it; ECRB_ENONE where it is not installed. */
int ecrb_curl_load(ecrb_curl *curl, ecrb_err *err);
void ecrb_curl_unload(ecrb_curl *curl);

#endif
