/* items_find.c: items by id and anonymized id. The names stay in the file: a
** table says in which rows a hash may stand, and each is compared there. While
** items.tsv is read a table finds what stands twice, and goes; whoever looks for
** an item later makes it anew, unless the item comes next, as in all that goes
** through a benchmark in its order. */
#include "bench.h"

#include <stdlib.h>

struct ecrb_item_table {
  struct slot {
    uint32_t name; /* 1 + 2 * row, one more for an anonymized id; 0: empty */
    uint32_t tag;  /* of its hash */
  } *slots;
  size_t n;
};

static uint64_t hash_of(ecrb_span name) {
  return ecrb_rng_fold(0, name.at, name.n);
}

/* Four of five slots are taken at most. */
int ecrb_item_table_new(size_t items, ecrb_item_table **out) {
  ecrb_item_table *table = calloc(1, sizeof *table);
  *out = table;
  if (table == NULL)
    return ECRB_ENOMEM;
  table->n = 2 * items + items / 2 + 8;
  table->slots = calloc(table->n, sizeof *table->slots);
  if (table->slots != NULL)
    return ECRB_OK;
  free(table);
  *out = NULL;
  return ECRB_ENOMEM;
}

void ecrb_item_table_free(ecrb_item_table *table) {
  if (table == NULL)
    return;
  free(table->slots);
  free(table);
}

static size_t next_slot(const ecrb_item_table *table, size_t slot) {
  return slot + 1 == table->n ? 0 : slot + 1;
}

/* Where the search for a hash begins. */
static size_t home_of(const ecrb_item_table *table, uint64_t hash) {
  return (size_t)(((hash >> 32) * table->n) >> 32);
}

void ecrb_item_table_add(ecrb_item_table *table, size_t row, bool shown,
                         ecrb_span name) {
  uint64_t hash = hash_of(name);
  size_t slot = home_of(table, hash);
  while (table->slots[slot].name != 0)
    slot = next_slot(table, slot);
  table->slots[slot] =
      (struct slot){(uint32_t)(1 + 2 * row + shown), (uint32_t)hash};
}

static bool is_name(const ecrb_items *items, size_t row, bool shown,
                    ecrb_span name) {
  ecrb_item item;
  ecrb_items_look_at(items, row, &item);
  return ecrb_span_equal(shown ? item.shown : item.id, name);
}

bool ecrb_item_table_find(const ecrb_item_table *table, const ecrb_items *items,
                          bool shown, ecrb_span name, size_t *row) {
  uint64_t hash = hash_of(name);
  for (size_t at = home_of(table, hash); table->slots[at].name != 0;
       at = next_slot(table, at)) {
    const struct slot *slot = &table->slots[at];
    size_t found = (slot->name - 1) / 2;
    if (slot->tag == (uint32_t)hash && (slot->name - 1) % 2 == shown &&
        is_name(items, found, shown, name)) {
      *row = found;
      return true;
    }
  }
  return false;
}

static ecrb_item_table *new_table(const ecrb_items *items) {
  ecrb_item_table *table;
  if (ecrb_item_table_new(items->count, &table) != ECRB_OK)
    return NULL;
  for (size_t row = 0; row < items->count; row++) {
    ecrb_item item;
    ecrb_items_at(items, row, &item);
    ecrb_item_table_add(table, row, false, item.id);
    ecrb_item_table_add(table, row, true, item.shown);
  }
  return table;
}

/* The table, made at the first look-up; of two threads that make one the first
** to be ready wins. NULL without memory. */
static const ecrb_item_table *table_of(const ecrb_items *items) {
  ecrb_item_table *there = atomic_load(&items->shared->table), *own;
  if (there != NULL)
    return there;
  own = new_table(items);
  if (own == NULL ||
      atomic_compare_exchange_strong(&items->shared->table, &there, own))
    return own;
  ecrb_item_table_free(own);
  return there;
}

/* Without memory for a table: row by row. */
static bool find_slowly(const ecrb_items *items, bool shown, ecrb_span name,
                        size_t *row) {
  for (*row = 0; *row < items->count; ++*row)
    if (is_name(items, *row, shown, name))
      return true;
  return false;
}

static bool find(const ecrb_items *items, bool shown, ecrb_span name,
                 size_t *row) {
  const ecrb_item_table *table = table_of(items);
  return table != NULL ? ecrb_item_table_find(table, items, shown, name, row)
                       : find_slowly(items, shown, name, row);
}

bool ecrb_items_have_id(const ecrb_items *items, ecrb_span id) {
  size_t row;
  return find(items, false, id, &row);
}

bool ecrb_items_find_id(const ecrb_items *items, ecrb_span id, size_t *row) {
  size_t next = atomic_load(&items->shared->next);
  bool found =
      next < items->count && ecrb_span_equal(ecrb_items_id(items, next), id);
  if (found)
    *row = next;
  else
    found = find(items, false, id, row);
  if (found)
    atomic_store(&items->shared->next, *row + 1);
  return found;
}

bool ecrb_items_find_shown(const ecrb_items *items, ecrb_span shown,
                           size_t *row) {
  return find(items, true, shown, row);
}
