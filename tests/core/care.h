/* care.h: CARE's real test items and EC list, from $ECRB_SHARED/data or
** ../shared/data; where they are absent the tests that need them are skipped. */
#ifndef ECRB_TESTS_CARE_H
#define ECRB_TESTS_CARE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecrb.h"

#define CARE_ITEMS_MAX 2000
#define CARE_LEAVES_MAX 8000
#define CARE_SPLITS 4

typedef struct care_item {
  const char *id, *ec, *sequence, *split;
} care_item;

typedef struct care {
  care_item items[CARE_ITEMS_MAX];
  size_t n_items;
  ecrb_ec leaves[CARE_LEAVES_MAX]; /* EC_list.txt, then the labels */
  size_t n_leaves, n_listed;
  char *texts[CARE_SPLITS + 1];
} care;

static inline char *care_read(const char *name) {
  char path[4096];
  const char *shared = getenv("ECRB_SHARED");
  snprintf(path, sizeof path, "%s/data/care/%s",
           shared == NULL ? "../shared" : shared, name);
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return NULL;
  char *text = malloc(1 << 22);
  size_t n = text == NULL ? 0 : fread(text, 1, (1 << 22) - 1, file);
  fclose(file);
  if (text != NULL)
    text[n] = '\0';
  return text;
}

/* Cuts one cell off a CSV text, in place; *end is the separator after it. */
static inline char *care_cell(char **at, char *end) {
  char *cell = *at, *to = *at, *from = *at;
  bool quoted = *from == '"';
  for (from += quoted; *from != '\0'; from++) {
    if (quoted && from[0] == '"' && from[1] == '"')
      from++;
    else if (quoted && *from == '"') {
      quoted = false;
      continue;
    } else if (!quoted && (*from == ',' || *from == '\n'))
      break;
    *to++ = *from;
  }
  *end = *from;
  *at = from + (*from != '\0');
  *to = '\0';
  return cell;
}

static inline void care_labels(care *set, const char *text) {
  size_t count;
  ecrb_ec_list_parse(text, strlen(text), set->leaves + set->n_leaves,
                     CARE_LEAVES_MAX - set->n_leaves, &count);
  set->n_leaves += count;
}

static inline void care_store(care_item *item, const char *column, char *cell) {
  if (strcmp(column, "Entry") == 0)
    item->id = cell;
  else if (strcmp(column, "EC number") == 0)
    item->ec = cell;
  else if (strcmp(column, "Sequence") == 0)
    item->sequence = cell;
}

static inline void care_table(care *set, char *text, const char *split) {
  const char *columns[32];
  int width = 0;
  char end = ',';
  while (end == ',' && width < 32)
    columns[width++] = care_cell(&text, &end);
  while (*text != '\0' && set->n_items < CARE_ITEMS_MAX) {
    care_item *item = &set->items[set->n_items++];
    item->split = split;
    end = ',';
    for (int i = 0; i < width && end == ','; i++)
      care_store(item, columns[i], care_cell(&text, &end));
    care_labels(set, item->ec);
  }
}

static inline void care_list(care *set, char *text) {
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    care_labels(set, line);
  set->n_listed = set->n_leaves;
}

static inline void care_free(care *set) {
  for (int i = 0; set != NULL && i <= CARE_SPLITS; i++)
    free(set->texts[i]);
  free(set);
}

/* NULL where the files are absent. */
static inline care *care_load(void) {
  const char *splits[CARE_SPLITS] = {"30", "30-50", "price", "promiscuous"};
  care *set = calloc(1, sizeof *set);
  set->texts[CARE_SPLITS] = care_read("processed_data/EC_list.txt");
  if (set->texts[CARE_SPLITS] == NULL) {
    care_free(set);
    return NULL;
  }
  care_list(set, set->texts[CARE_SPLITS]);
  for (int i = 0; i < CARE_SPLITS; i++) {
    char name[100];
    snprintf(name, sizeof name, "splits/task1/%s_protein_test.csv", splits[i]);
    set->texts[i] = care_read(name);
    if (set->texts[i] != NULL)
      care_table(set, set->texts[i], splits[i]);
  }
  return set;
}

#endif
