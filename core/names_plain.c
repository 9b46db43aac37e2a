/* names_plain.c: ids without what structure files and sequence databases put
** around them, one coat after the other:
**
**   models/AF-P12345-F1-model_v4.pdb.gz  ->  P12345
**   sp|P12345|AAT_RABIT                  ->  P12345
**   1abc_A, 1abc.pdb_A                   ->  1abc
*/
#include "ecrb_import.h"

#include <string.h>

static bool ends_with(ecrb_span id, const char *ending) {
  size_t n = strlen(ending);
  return id.n > n && memcmp(id.at + id.n - n, ending, n) == 0;
}

static ecrb_span from(ecrb_span id, size_t at) {
  return (ecrb_span){id.at + at, id.n - at};
}

static ecrb_span without_folder(ecrb_span id) {
  const char *slash = memrchr(id.at, '/', id.n);
  return slash == NULL ? id : from(id, (size_t)(slash - id.at) + 1);
}

static ecrb_span without_ending(ecrb_span id) {
  static const char *const endings[] = {".gz",  ".pdb",   ".cif",
                                        ".ent", ".mmcif", ".bcif"};
  size_t i;
  for (i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends_with(id, endings[i]))
      id.n -= strlen(endings[i]);
  return id;
}

/* AF-P12345-F1-model_v4 */
static ecrb_span without_model(ecrb_span id) {
  const char *stop;
  if (id.n < 5 || memcmp(id.at, "AF-", 3) != 0)
    return id;
  stop = memchr(id.at + 3, '-', id.n - 3);
  return stop == NULL ? id : (ecrb_span){id.at + 3, (size_t)(stop - id.at) - 3};
}

/* What stands between the first two bars. */
static ecrb_span without_database(ecrb_span id) {
  const char *bar = memchr(id.at, '|', id.n), *stop;
  if (bar == NULL)
    return id;
  id = from(id, (size_t)(bar - id.at) + 1);
  stop = memchr(id.at, '|', id.n);
  return stop == NULL ? id : (ecrb_span){id.at, (size_t)(stop - id.at)};
}

static ecrb_span without_chain(ecrb_span id) {
  const char *bar = memrchr(id.at, '_', id.n);
  return bar == NULL ? id : (ecrb_span){id.at, (size_t)(bar - id.at)};
}

bool ecrb_names_find_plain(const ecrb_names *names, ecrb_span name,
                           size_t *index) {
  static ecrb_span (*const coats[])(ecrb_span) = {
      without_folder,   without_ending, without_model,
      without_database, without_chain,  without_ending};
  size_t i;
  for (i = 0; i < sizeof coats / sizeof *coats; i++) {
    ecrb_span less = name.n == 0 ? name : coats[i](name);
    if (less.n > 0 && less.n < name.n && ecrb_names_find(names, less, index))
      return true;
    name = less;
  }
  return false;
}
