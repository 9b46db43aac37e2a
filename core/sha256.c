/* sha256.c: digests, of a text at once or of what comes in pieces. libmd needs
** some 5 us for a KB, a libcrypto that knows the processor's own instructions a
** tenth of it; but loading it takes as long as hashing some hundred KB, so it is
** loaded once that much has been hashed, and where it is not installed nothing
** changes.
*/
#include "ecrb.h"

#include <dlfcn.h>
#include <sha2.h>
#include <stdlib.h>

#define WORTH_LOADING ((size_t)256 << 10) /* bytes */

/* OpenSSL's functions, whose types stay unknown here. */
struct ecrb_sha256 {
  size_t hashed;
  SHA2_CTX plain; /* of the text under way, where nothing faster is loaded */
  bool failed;    /* the faster one did */
  void *library, *context;
  void *(*new_context)(void);
  void (*free_context)(void *context);
  const void *(*algorithm)(void);
  int (*init)(void *context, const void *algorithm, void *engine);
  int (*update)(void *context, const void *bytes, size_t n);
  int (*final)(void *context, unsigned char *digest, unsigned *n);
};

int ecrb_sha256_new(ecrb_sha256 **out) {
  *out = calloc(1, sizeof **out);
  return *out != NULL ? ECRB_OK : ECRB_ENOMEM;
}

static void unload(ecrb_sha256 *hash) {
  if (hash->context)
    hash->free_context(hash->context);
  if (hash->library)
    dlclose(hash->library);
  hash->context = hash->library = NULL;
}

void ecrb_sha256_free(ecrb_sha256 *hash) {
  if (!hash)
    return;
  unload(hash);
  free(hash);
}

static bool find(const ecrb_sha256 *hash, const char *name, void *function) {
  return (*(void **)function = dlsym(hash->library, name));
}

/* NODELETE, as for libcurl, which brings the same library along. */
static bool load(ecrb_sha256 *hash) {
  hash->library =
      dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  return hash->library && find(hash, "EVP_MD_CTX_free", &hash->free_context) &&
         find(hash, "EVP_MD_CTX_new", &hash->new_context) &&
         find(hash, "EVP_sha256", &hash->algorithm) &&
         find(hash, "EVP_DigestInit_ex", &hash->init) &&
         find(hash, "EVP_DigestUpdate", &hash->update) &&
         find(hash, "EVP_DigestFinal_ex", &hash->final) &&
         (hash->context = hash->new_context()) &&
         hash->init(hash->context, hash->algorithm(), NULL);
}

static bool is_worth_it(ecrb_sha256 *hash, size_t n) {
  bool was = hash->hashed >= WORTH_LOADING;
  hash->hashed += was ? 0 : n;
  return !was && hash->hashed >= WORTH_LOADING;
}

/* The context knows its algorithm from the second text on. */
void ecrb_sha256_begin(ecrb_sha256 *hash, size_t expected) {
  if (is_worth_it(hash, expected) && !load(hash))
    unload(hash);
  if (hash->context && !hash->init(hash->context, NULL, NULL))
    unload(hash);
  if (!hash->context)
    SHA256Init(&hash->plain);
  hash->failed = false;
}

void ecrb_sha256_add(ecrb_sha256 *hash, ecrb_span piece) {
  if (!hash->context)
    SHA256Update(&hash->plain, (const uint8_t *)piece.at, piece.n);
  else if (!hash->update(hash->context, piece.at, piece.n))
    hash->failed = true;
}

bool ecrb_sha256_end(ecrb_sha256 *hash, char out[ECRB_SHA256_TEXT]) {
  static const char digits[] = "0123456789abcdef";
  uint8_t digest[SHA256_DIGEST_LENGTH] = {0};
  if (!hash->context)
    SHA256Final(digest, &hash->plain);
  else if (!hash->final(hash->context, digest, NULL))
    hash->failed = true;
  for (size_t i = 0; i < sizeof digest; i++) {
    out[2 * i] = digits[digest[i] >> 4];
    out[2 * i + 1] = digits[digest[i] & 15];
  }
  out[ECRB_SHA256_TEXT - 1] = '\0';
  return !hash->failed;
}

void ecrb_sha256_text(ecrb_sha256 *hash, ecrb_span text,
                      char out[ECRB_SHA256_TEXT]) {
  ecrb_sha256_begin(hash, text.n);
  ecrb_sha256_add(hash, text);
  if (ecrb_sha256_end(hash, out))
    return;
  unload(hash);
  ecrb_sha256_text(hash, text, out);
}
