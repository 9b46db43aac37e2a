/* hits_columns.c: which column of a hit table holds what. */
#include "hits_columns.h"

#include <string.h>
#include <strings.h>

static bool same_name(ecrb_span a, ecrb_span b) {
  return a.n == b.n && strncasecmp(a.at, b.at, a.n) == 0;
}

static int role_of(const hits_columns *c, ecrb_span name) {
  size_t i;
  if (c->score.n > 0 && same_name(c->score, name))
    return c->score_role;
  for (i = 0; i < c->n_known; i++)
    if (same_name(name, ecrb_span_of(c->known[i].name)))
      return c->score.n > 0 && c->known[i].role == c->score_role
                 ? 0
                 : c->known[i].role;
  return 0;
}

bool ecrb_hits_columns_take(ecrb_span *list, const char *between,
                            ecrb_span *name) {
  while (list->n > 0 && (strchr(between, *list->at) || *list->at == ' '))
    list->at++, list->n--;
  *name = (ecrb_span){list->at, 0};
  while (list->n > 0 && !strchr(between, *list->at))
    list->at++, list->n--, name->n++;
  while (name->n > 0 && name->at[name->n - 1] == ' ')
    name->n--;
  return name->n > 0;
}

void ecrb_hits_columns_name(hits_columns *c, ecrb_span list,
                            const char *between) {
  ecrb_span name;
  int role;
  for (role = 0; role < HITS_ROLES_MAX; role++)
    c->column[role] = HITS_ABSENT;
  for (c->n = 0; ecrb_hits_columns_take(&list, between, &name); c->n++) {
    role = role_of(c, name);
    if (c->column[role] == HITS_ABSENT)
      c->column[role] = c->n;
  }
}

bool ecrb_hits_columns_header(const hits_columns *c, ecrb_span line, int a,
                              int b) {
  ecrb_span name;
  bool has_a = false, has_b = false;
  while (ecrb_hits_columns_take(&line, "\t", &name)) {
    has_a |= role_of(c, name) == a;
    has_b |= role_of(c, name) == b;
  }
  return has_a && has_b;
}

int ecrb_hits_columns_split(const hits_columns *c, ecrb_span line,
                            ecrb_span *fields) {
  const char *at = line.at, *end = line.at + line.n;
  int n = 0;
  for (;;) {
    const char *tab = memchr(at, '\t', (size_t)(end - at));
    const char *stop = tab == NULL ? end : tab;
    if (n < c->n)
      fields[n] = (ecrb_span){at, (size_t)(stop - at)};
    n++;
    if (tab == NULL)
      return n;
    at = tab + 1;
  }
}
