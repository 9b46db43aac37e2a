/* items.c: items.tsv, of proteins or of reactions. One pass reads the rows and
** numbers ids, anonymized ids and splits; then the items are counted into their
** splits, which gives each its ordinal and makes `price/3` a look-up. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROW_LINE 2
#define HANDED_OUT_MOST ((size_t)4 << 20)

enum { ITEM, SPLIT, SHOWN, FLAGS, SEQUENCE, PROTEIN_FIELDS };
enum { REACTION = SEQUENCE, EQUATION, TEXT, REACTION_FIELDS };

static const char *const protein_columns[PROTEIN_FIELDS] = {
    "item", "split", "shown", "flags", "sequence"};
static const char *const reaction_columns[REACTION_FIELDS] = {
    "item", "split", "shown", "flags", "reaction", "equation", "text"};

typedef struct reader {
  ecrb_rows rows;
  ecrb_items *items;
  ecrb_err *err;
} reader;

static int no_memory(const reader *in) {
  return ecrb_no_memory(in->err, in->items->text.path);
}

/* Numbers a name that no earlier row may have. */
static int add_unique(reader *in, ecrb_names *names, int field) {
  size_t number;
  bool fresh;
  ecrb_span cell = in->rows.cell[field];
  int status = ecrb_bench_filled(&in->rows, field, in->err);
  if (status != ECRB_OK)
    return status;
  if (ecrb_names_add(names, cell, &number, &fresh) != ECRB_OK)
    return no_memory(in);
  if (!fresh)
    return ecrb_rows_fail(&in->rows, field, in->err,
                          "`%.*s` stands on line %zu already; ids are unique",
                          ECRB_SHOWN(cell), number + FIRST_ROW_LINE);
  return ECRB_OK;
}

static int check_id(const reader *in) {
  ecrb_span id = in->rows.cell[ITEM];
  if (ecrb_text_fits_key(id))
    return ECRB_OK;
  return ecrb_rows_fail(&in->rows, ITEM, in->err,
                        "`%.*s` cannot be an id; it has %d bytes at most, no "
                        "quote and no backslash",
                        ECRB_SHOWN(id), ECRB_JOURNAL_KEY);
}

static int read_split(reader *in, uint32_t *split) {
  int status = ecrb_bench_filled(&in->rows, SPLIT, in->err);
  if (status != ECRB_OK)
    return status;
  size_t number;
  if (ecrb_names_add(in->items->splits, in->rows.cell[SPLIT], &number, NULL) !=
      ECRB_OK)
    return no_memory(in);
  *split = (uint32_t)number;
  return ECRB_OK;
}

static bool is_visible(const ecrb_rows *rows) {
  return ecrb_span_equal(rows->cell[FLAGS], ecrb_span_of("visible"));
}

/* An anonymized id that is the accession would give the item away. */
static int check_flags(const reader *in) {
  ecrb_span flags = in->rows.cell[FLAGS];
  bool visible = is_visible(&in->rows);
  bool same = ecrb_span_equal(in->rows.cell[ITEM], in->rows.cell[SHOWN]);
  if (!visible && !ecrb_span_equal(flags, ecrb_span_of("-")))
    return ecrb_rows_fail(&in->rows, FLAGS, in->err,
                          "`%.*s`; write `visible` or `-`", ECRB_SHOWN(flags));
  if (visible && !same)
    return ecrb_rows_fail(&in->rows, SHOWN, in->err,
                          "a visible item shows its own id; write `%.*s`",
                          ECRB_SHOWN(in->rows.cell[ITEM]));
  if (same && !visible)
    return ecrb_rows_fail(&in->rows, SHOWN, in->err,
                          "is the item's own id; anonymize it, or write "
                          "`visible` as its flag");
  return ECRB_OK;
}

static int check_sequence(const reader *in) {
  ecrb_span sequence = in->rows.cell[SEQUENCE];
  if (sequence.n == 0)
    return ecrb_rows_fail(&in->rows, SEQUENCE, in->err,
                          "is empty; an item has a sequence");
  size_t odd = ecrb_text_letters(sequence);
  if (odd < sequence.n)
    return ecrb_rows_fail(&in->rows, SEQUENCE, in->err,
                          "`%.*s` at position %zu; write upper-case letters "
                          "alone",
                          1, sequence.at + odd, odd + 1);
  return ECRB_OK;
}

static int check_reaction(const reader *in) {
  ecrb_span reaction = in->rows.cell[REACTION];
  if (ecrb_text_reaction(reaction))
    return ECRB_OK;
  return ecrb_rows_fail(&in->rows, REACTION, in->err,
                        "`%.*s` is no reaction; write SMILES without blanks, "
                        "as `A.B>>C.D`",
                        ECRB_SHOWN(reaction));
}

static ecrb_span or_empty(ecrb_span cell) {
  return ecrb_text_none(cell) ? (ecrb_span){cell.at, 0} : cell;
}

static int add_item(reader *in, size_t offset) {
  ecrb_items *items = in->items;
  ecrb_item_row *row = &items->row[items->count];
  int status = add_unique(in, items->ids, ITEM);
  if (status == ECRB_OK)
    status = check_id(in);
  if (status == ECRB_OK)
    status = add_unique(in, items->shown, SHOWN);
  if (status == ECRB_OK)
    status = read_split(in, &row->split);
  if (status == ECRB_OK)
    status = check_flags(in);
  if (status == ECRB_OK)
    status = items->reactions ? check_reaction(in) : check_sequence(in);
  if (status != ECRB_OK)
    return status;
  row->offset = offset;
  items->count++;
  return ECRB_OK;
}

/* One item's anonymized id may not be another one's id. */
static int check_crossing(const reader *in) {
  const ecrb_items *items = in->items;
  for (size_t i = 0; i < items->count; i++) {
    size_t other;
    ecrb_span shown = ecrb_names_at(items->shown, i);
    if (ecrb_names_find(items->ids, shown, &other) && other != i)
      return ecrb_fail(in->err, ECRB_EFORMAT,
                       "%s:%zu: field \"shown\": `%.*s` is the id of the item "
                       "on line %zu; take another one",
                       items->text.path, i + FIRST_ROW_LINE, ECRB_SHOWN(shown),
                       other + FIRST_ROW_LINE);
  }
  return ECRB_OK;
}

/* The columns that are there say what the items are. */
static int open_rows(reader *in) {
  ecrb_items *items = in->items;
  items->reactions = ecrb_rows_names(&items->text, "reaction");
  if (items->reactions && ecrb_rows_names(&items->text, "sequence"))
    return ecrb_fail(in->err, ECRB_EFORMAT,
                     "%s:1: has the columns `sequence` and `reaction`; a "
                     "benchmark is of proteins or of reactions",
                     items->text.path);
  if (items->reactions)
    return ecrb_rows_open(&items->text, reaction_columns, REACTION_FIELDS,
                          &in->rows, in->err);
  return ecrb_rows_open(&items->text, protein_columns, PROTEIN_FIELDS,
                        &in->rows, in->err);
}

/* Whoever goes through all items once needs nothing of what has been read.
** (The benchmark may be shared between threads.) */
static void hand_out(const ecrb_items *items, size_t bytes) {
  size_t before = atomic_fetch_add(items->handed_out, bytes);
  if (before + bytes < HANDED_OUT_MOST)
    return;
  atomic_store(items->handed_out, 0);
  ecrb_text_rest(&items->text);
}

static int read_rows(reader *in) {
  int status = open_rows(in);
  in->items->rows = in->rows;
  while (status == ECRB_OK) {
    size_t offset = (size_t)(in->rows.next - in->items->text.at);
    status = ecrb_rows_next(&in->rows, in->err);
    if (status == ECRB_OK)
      status = add_item(in, offset);
    hand_out(in->items, (size_t)(in->rows.next - in->items->text.at) - offset);
  }
  if (status != ECRB_ENONE)
    return status;
  if (in->items->count == 0)
    return ecrb_fail(in->err, ECRB_EFORMAT,
                     "%s: holds no item; write a row for each",
                     in->items->text.path);
  return check_crossing(in);
}

/* Ordinals count up within a split; once the sizes of the splits are summed up
** to their starts, an ordinal is a place. */
static void sort_by_split(ecrb_items *items, size_t splits) {
  uint32_t *first = items->split_first;
  ecrb_item_row *row = items->row;
  for (size_t i = 0; i < items->count; i++)
    row[i].ordinal = ++first[row[i].split + 1];
  for (size_t s = 0; s < splits; s++)
    first[s + 1] += first[s];
  for (uint32_t i = 0; i < items->count; i++)
    items->by_split[first[row[i].split] + row[i].ordinal - 1] = i;
}

static int read_all(reader *in) {
  ecrb_items *items = in->items;
  size_t lines = items->text.lines + 1;
  if (lines > INT32_MAX)
    return ecrb_fail(in->err, ECRB_ELIMIT, "%s: more items than 2,147,483,646",
                     items->text.path);
  items->row = calloc(lines, sizeof *items->row);
  items->handed_out = calloc(1, sizeof *items->handed_out);
  if (items->row == NULL || items->handed_out == NULL ||
      ecrb_names_new(&items->ids) != ECRB_OK ||
      ecrb_names_new(&items->shown) != ECRB_OK ||
      ecrb_names_new(&items->splits) != ECRB_OK)
    return no_memory(in);
  int status = read_rows(in);
  if (status != ECRB_OK)
    return status;
  size_t splits = ecrb_names_count(items->splits);
  items->by_split = calloc(items->count, sizeof *items->by_split);
  items->split_first = calloc(splits + 1, sizeof *items->split_first);
  if (items->by_split == NULL || items->split_first == NULL)
    return no_memory(in);
  sort_by_split(items, splits);
  ecrb_text_rest(&items->text);
  return ECRB_OK;
}

int ecrb_items_read(const char *dir, ecrb_items *out, ecrb_err *err) {
  reader in = {.items = out, .err = err};
  int status = ecrb_bench_text(dir, "items.tsv", &out->text, err);
  if (status != ECRB_OK)
    return status;
  status = read_all(&in);
  if (status != ECRB_OK)
    ecrb_items_free(out);
  return status;
}

void ecrb_items_at(const ecrb_items *items, size_t index, ecrb_item *out) {
  const ecrb_item_row *row = &items->row[index];
  ecrb_rows rows = items->rows;
  bool reaction = items->reactions;
  ecrb_span none = {items->text.at, 0};
  ecrb_rows_seek(&rows, row->offset);
  ecrb_rows_next(&rows, NULL); /* it was read before */
  hand_out(items, (size_t)(rows.next - items->text.at) - row->offset);
  *out = (ecrb_item){
      .id = rows.cell[ITEM],
      .split = rows.cell[SPLIT],
      .shown = rows.cell[SHOWN],
      .sequence = reaction ? none : rows.cell[SEQUENCE],
      .reaction = reaction ? rows.cell[REACTION] : none,
      .equation = reaction ? or_empty(rows.cell[EQUATION]) : none,
      .text = reaction ? or_empty(rows.cell[TEXT]) : none,
      .visible = is_visible(&rows),
      .ordinal = row->ordinal,
  };
}

bool ecrb_items_find_ordinal(const ecrb_items *items, ecrb_span name,
                             size_t *index) {
  size_t split;
  uint32_t ordinal;
  const char *slash = memrchr(name.at, '/', name.n);
  if (slash == NULL)
    return false;
  ecrb_span left = {name.at, (size_t)(slash - name.at)};
  ecrb_span right = {slash + 1, name.n - left.n - 1};
  if (!ecrb_names_find(items->splits, left, &split) ||
      !ecrb_text_count(right, &ordinal))
    return false;
  uint32_t first = items->split_first[split];
  if (ordinal < 1 || ordinal > items->split_first[split + 1] - first)
    return false;
  *index = items->by_split[first + ordinal - 1];
  return true;
}

void ecrb_items_free(ecrb_items *items) {
  ecrb_names_free(items->ids);
  ecrb_names_free(items->shown);
  ecrb_names_free(items->splits);
  free(items->row);
  free(items->handed_out);
  free(items->split_first);
  free(items->by_split);
  ecrb_text_close(&items->text);
  memset(items, 0, sizeof *items);
}
