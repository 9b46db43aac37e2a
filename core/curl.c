/* curl.c: loads libcurl when the first request needs it. It brings some thirty
** libraries along, which a command that makes no request should not pay for.
*/
#include "curl.h"

#include <dlfcn.h>
#include <string.h>

static int find_function(ecrb_curl *curl, const char *name, size_t offset,
                         ecrb_err *err) {
  void *function = dlsym(curl->library, name);
  if (!function)
    return ecrb_fail(err, ECRB_ENONE,
                     "libcurl has no function %s; install a newer libcurl",
                     name);
  memcpy((char *)curl + offset, &function, sizeof function);
  return ECRB_OK;
}

static int find_functions(ecrb_curl *curl, ecrb_err *err) {
#define FUNCTION(name)                                                         \
  { "curl_" #name, offsetof(ecrb_curl, name) }
  static const struct {
    const char *name;
    size_t offset;
  } functions[] = {
      FUNCTION(global_init),         FUNCTION(global_cleanup),
      FUNCTION(easy_init),           FUNCTION(easy_cleanup),
      FUNCTION(easy_setopt),         FUNCTION(easy_getinfo),
      FUNCTION(easy_strerror),       FUNCTION(multi_init),
      FUNCTION(multi_cleanup),       FUNCTION(multi_setopt),
      FUNCTION(multi_strerror),      FUNCTION(multi_add_handle),
      FUNCTION(multi_remove_handle), FUNCTION(multi_socket_action),
      FUNCTION(multi_info_read),     FUNCTION(multi_assign),
  };
#undef FUNCTION
  int status = ECRB_OK;
  for (size_t i = 0;
       status == ECRB_OK && i < sizeof functions / sizeof *functions; i++)
    status = find_function(curl, functions[i].name, functions[i].offset, err);
  return status;
}

int ecrb_curl_load(ecrb_curl *curl, ecrb_err *err) {
  /* NODELETE: what libcurl's libraries leave to the end of the process must
  ** stay mapped until then. */
  int how = RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE;
  ecrb_curl found = {.library = dlopen("libcurl.so.4", how)};
  if (!found.library)
    return ecrb_fail(err, ECRB_ENONE,
                     "libcurl cannot be loaded, and no request be made without "
                     "it; install the package libcurl4");
  int status = find_functions(&found, err);
  if (status == ECRB_OK && found.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    status = ecrb_fail(err, ECRB_ENOMEM, "libcurl cannot start");
  if (status == ECRB_OK)
    *curl = found;
  else
    dlclose(found.library);
  return status;
}

void ecrb_curl_unload(ecrb_curl *curl) {
  if (!curl->library)
    return;
  curl->global_cleanup();
  dlclose(curl->library);
  curl->library = NULL;
}
