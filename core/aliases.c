/* aliases.c: the names under which items and training enzymes are shown.
**
** A letter and eight base32 digits out of SHA-256 over seed and id: the same
** id has the same alias in every benchmark of that seed, whatever else stands
** in it, and says nothing of the id. No UniProt accession has nine characters.
*/
#include "builder.h"
#include "text.h"

#include <inttypes.h>
#include <sha2.h>
#include <stdio.h>

#define DIGITS (ECRB_ALIAS - 1)

/* Hashes seed and id, with one NUL more for each former collision. */
static void digest(uint64_t seed, ecrb_span id, int collisions,
                   uint8_t out[SHA256_DIGEST_LENGTH]) {
  SHA2_CTX hash;
  char text[24];
  int i, n = snprintf(text, sizeof text, "%" PRIu64, seed);
  SHA256Init(&hash);
  SHA256Update(&hash, (const uint8_t *)text, (size_t)n + 1);
  SHA256Update(&hash, (const uint8_t *)id.at, id.n);
  for (i = 0; i <= collisions; i++)
    SHA256Update(&hash, (const uint8_t *)"", 1);
  SHA256Final(out, &hash);
}

/* The first 40 bits, five at a time. */
static void spell(const uint8_t *bytes, char *text) {
  uint64_t bits = 0;
  int i;
  for (i = 0; i < 5; i++)
    bits = bits << 8 | bytes[i];
  for (i = 0; i < DIGITS; i++)
    text[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[bits >> (35 - 5 * i) & 31];
}

void ecrb_alias(char letter, uint64_t seed, ecrb_span id, int collisions,
                char out[ECRB_ALIAS + 1]) {
  uint8_t hash[SHA256_DIGEST_LENGTH];
  digest(seed, id, collisions, hash);
  out[0] = letter;
  spell(hash, out + 1);
  out[ECRB_ALIAS] = '\0';
}

static int add_alias(uint64_t seed, char letter, ecrb_span id,
                     ecrb_names *out) {
  char text[ECRB_ALIAS + 1];
  bool fresh = false;
  size_t index;
  int collisions = 0, status = ECRB_OK;
  while (status == ECRB_OK && !fresh) {
    ecrb_alias(letter, seed, id, collisions++, text);
    status = ecrb_names_add(out, ecrb_span_of(text), &index, &fresh);
  }
  return status;
}

static int add_visible(ecrb_span id, ecrb_names *out, ecrb_err *err) {
  bool fresh;
  size_t index;
  if (ecrb_names_add(out, id, &index, &fresh) != ECRB_OK)
    return ECRB_ENOMEM;
  if (fresh)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "the visible id `%.*s` is also an anonymized id; choose "
                   "another seed",
                   ECRB_SHOWN(id));
}

static int add_item_alias(const ecrb_builder *b, size_t item, ecrb_names *out,
                          ecrb_err *err) {
  ecrb_span id = ecrb_names_at(b->items, item);
  if (b->item_list[item].visible)
    return add_visible(id, out, err);
  return add_alias(b->seed, 'Q', id, out);
}

int ecrb_builder_aliases(const ecrb_builder *b, ecrb_names *out,
                         ecrb_err *err) {
  size_t i;
  int status = ECRB_OK;
  for (i = 0; i < ecrb_names_count(b->items) && status == ECRB_OK; i++)
    status = add_item_alias(b, i, out, err);
  for (i = 0; i < ecrb_names_count(b->train) && status == ECRB_OK; i++)
    status = add_alias(b->seed, 'T', ecrb_names_at(b->train, i), out);
  if (status == ECRB_ENOMEM)
    ecrb_no_memory(err, "the anonymized ids");
  return status;
}
