/* sha256.c: digests of texts in memory. libmd needs some 5 us for a KB, a
** libcrypto that knows the processor's own instructions a tenth of it; but
** loading it takes as long as hashing some hundred KB, so it is loaded once
** that much has been hashed, and where it is not installed nothing changes.
*/
#include "ecrb.h"

#include <dlfcn.h>
#include <sha2.h>
#include <stdlib.h>

#define WORTH_LOADING ((size_t)256 << 10) /* bytes */

/* OpenSSL's functions, whose types stay unknown here. */
struct ecrb_sha256 {
  size_t hashed;
  void *library, *context;
  void *(*new_context)(void);
  void (*free_context)(void *context);
  const void *(*algorithm)(void);
  int (*init)(void *context, const void *algorithm, void *engine);
  int (*update)(void *context, const void *bytes, size_t n);
  int (*final)(void *context, unsigned char *digest, unsigned *n);
};

ecrb_sha256 *ecrb_sha256_new(void) {
  return calloc(1, sizeof(ecrb_sha256));
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
  return hash->library &&
         find(hash, "EVP_MD_CTX_free", &hash->free_context) &&
         find(hash, "EVP_MD_CTX_new", &hash->new_context) &&
         find(hash, "EVP_sha256", &hash->algorithm) &&
         find(hash, "EVP_DigestInit_ex", &hash->init) &&
         find(hash, "EVP_DigestUpdate", &hash->update) &&
         find(hash, "EVP_DigestFinal_ex", &hash->final) &&
         (hash->context = hash->new_context()) &&
         hash->init(hash->context, hash->algorithm(), NULL);
}

/* The context knows its algorithm from the second text on. */
static bool digest_fast(ecrb_sha256 *hash, ecrb_span text, uint8_t *digest) {
  return hash->init(hash->context, NULL, NULL) &&
         hash->update(hash->context, text.at, text.n) &&
         hash->final(hash->context, digest, NULL);
}

static void digest_plain(ecrb_span text, uint8_t *digest) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, (const uint8_t *)text.at, text.n);
  SHA256Final(digest, &context);
}

static bool is_worth_it(ecrb_sha256 *hash, size_t n) {
  bool was = hash->hashed >= WORTH_LOADING;
  hash->hashed += was ? 0 : n;
  return !was && hash->hashed >= WORTH_LOADING;
}

void ecrb_sha256_text(ecrb_sha256 *hash, ecrb_span text, char out[65]) {
  static const char digits[] = "0123456789abcdef";
  uint8_t digest[SHA256_DIGEST_LENGTH];
  if (is_worth_it(hash, text.n) && !load(hash))
    unload(hash);
  if (!hash->context || !digest_fast(hash, text, digest))
    digest_plain(text, digest);
  for (size_t i = 0; i < sizeof digest; i++) {
    out[2 * i] = digits[digest[i] >> 4];
    out[2 * i + 1] = digits[digest[i] & 15];
  }
  out[64] = '\0';
}
