/* curl.c: loads libcurl when the first request needs it. It brings some thirty
** libraries along, which a command that makes no request should not pay for.
*/
#include "curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* libcurl's own start and end are the process's; not every build of it takes
** them from several threads at once. */
static pthread_mutex_t global = PTHREAD_MUTEX_INITIALIZER;

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
      FUNCTION(multi_info_read),
  };
#undef FUNCTION
  int status = ECRB_OK;
  for (size_t i = 0;
       status == ECRB_OK && i < sizeof functions / sizeof *functions; i++)
    status = find_function(curl, functions[i].name, functions[i].offset, err);
  return status;
}

static int start(const ecrb_curl *curl, ecrb_err *err) {
  CURLcode code;
  pthread_mutex_lock(&global);
  code = curl->global_init(CURL_GLOBAL_DEFAULT);
  pthread_mutex_unlock(&global);
  if (code == CURLE_OK)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_ENOMEM, "libcurl cannot start");
}

int ecrb_curl_load(ecrb_curl *curl, ecrb_err *err) {
  /* NODELETE: what libcurl's libraries leave to the end of the process must
  ** stay mapped until then. */
  int how = RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE;
  ecrb_curl found = {.library = dlopen("libcurl.so.4", how)};
  if (!found.library)
    return ecrb_fail(err, ECRB_ENONE,
                     "libcurl cannot be loaded, and no request be made without "
                     "it; install the package libcurl4 (%s)",
                     dlerror());
  int status = find_functions(&found, err);
  if (status == ECRB_OK)
    status = start(&found, err);
  if (status == ECRB_OK)
    *curl = found;
  else
    dlclose(found.library);
  return status;
}

void ecrb_curl_unload(ecrb_curl *curl) {
  if (!curl->library)
    return;
  pthread_mutex_lock(&global);
  curl->global_cleanup();
  pthread_mutex_unlock(&global);
  dlclose(curl->library);
  curl->library = NULL;
}
