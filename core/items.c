/* items.c: items.tsv, of proteins or of reactions. One pass checks the rows and
** keeps where some of them begin, and the stretches of one split, which give each
** item its ordinal and make `price/3` a look-up. The rest is read from the row
** when it is asked for; items_find.c finds rows by id. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROW_LINE 2
#define HANDED_OUT_MOST ((size_t)1 << 20)
#define LOOKED_AT ((size_t)64 << 10) /* what the system brings in at once */

enum { ITEM, SPLIT, SHOWN, FLAGS, SEQUENCE, PROTEIN_FIELDS };
enum { REACTION = SEQUENCE, EQUATION, TEXT, REACTION_FIELDS };

static const char *const protein_columns[PROTEIN_FIELDS] = {
    "item", "split", "shown", "flags", "sequence"};
static const char *const reaction_columns[REACTION_FIELDS] = {
    "item", "split", "shown", "flags", "reaction", "equation", "text"};

typedef struct reader {
  ecrb_rows rows;
  ecrb_items *items;
  ecrb_item_table *table; /* what was read so far */
  size_t *split_size;     /* items of each split so far */
  size_t splits;          /* room for so many */
  size_t crossing, other; /* an anonymized id that is another one's id */
  ecrb_err *err;
} reader;

static int no_memory(const reader *in) {
  return ecrb_no_memory(in->err, in->items->text.path);
}

/* A row whose anonymized id is the id of another: the first of them is told
** once all have been read. */
static void note_crossing(reader *in, size_t row, size_t other) {
  if (row == other || row >= in->crossing)
    return;
  in->crossing = row;
  in->other = other;
}

/* Adds a name that no earlier row may have. */
static int add_unique(reader *in, bool shown) {
  int field = shown ? SHOWN : ITEM;
  size_t other, row = in->items->count;
  ecrb_span cell = in->rows.cell[field];
  int status = ecrb_bench_filled(&in->rows, field, in->err);
  if (status != ECRB_OK)
    return status;
  if (ecrb_item_table_find(in->table, in->items, shown, cell, &other))
    return ecrb_rows_fail(&in->rows, field, in->err,
                          "`%.*s` stands on line %zu already; ids are unique",
                          ECRB_SHOWN(cell), other + FIRST_ROW_LINE);
  if (ecrb_item_table_find(in->table, in->items, !shown, cell, &other))
    note_crossing(in, shown ? row : other, shown ? other : row);
  ecrb_item_table_add(in->table, row, shown, cell);
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

/* How many items of a split there are so far; NULL without memory. */
static size_t *size_of_split(reader *in, size_t split) {
  if (split < in->splits)
    return &in->split_size[split];
  size_t *size =
      ecrb_array_grow(in->split_size, split, &in->splits, sizeof *size);
  if (size == NULL)
    return NULL;
  memset(size + split, 0, (in->splits - split) * sizeof *size);
  in->split_size = size;
  return &size[split];
}

/* Goes on with the stretch of the row before, or begins one. */
static int enter_stretch(reader *in, uint32_t split, uint32_t ordinal) {
  ecrb_items *items = in->items;
  size_t n = items->stretches;
  if (n > 0 && items->stretch[n - 1].split == split)
    return ECRB_OK;
  ecrb_stretch *stretch =
      ecrb_array_grow(items->stretch, n, &items->room, sizeof *stretch);
  if (stretch == NULL)
    return no_memory(in);
  items->stretch = stretch;
  stretch[items->stretches++] =
      (ecrb_stretch){(uint32_t)items->count, split, ordinal};
  return ECRB_OK;
}

static int read_split(reader *in) {
  int status = ecrb_bench_filled(&in->rows, SPLIT, in->err);
  if (status != ECRB_OK)
    return status;
  size_t number, *size = NULL;
  if (ecrb_names_add(in->items->splits, in->rows.cell[SPLIT], &number, NULL) ==
      ECRB_OK)
    size = size_of_split(in, number);
  if (size == NULL)
    return no_memory(in);
  return enter_stretch(in, (uint32_t)number, (uint32_t)++*size);
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
  if (items->count % ECRB_ROWS_STEP == 0)
    items->offset[items->count / ECRB_ROWS_STEP] = offset;
  int status = add_unique(in, false);
  if (status == ECRB_OK)
    status = check_id(in);
  if (status == ECRB_OK)
    status = add_unique(in, true);
  if (status == ECRB_OK)
    status = read_split(in);
  if (status == ECRB_OK)
    status = check_flags(in);
  if (status == ECRB_OK)
    status = items->reactions ? check_reaction(in) : check_sequence(in);
  if (status == ECRB_OK)
    items->count++;
  return status;
}

/* One item's anonymized id may not be another one's id. */
static int check_crossing(const reader *in) {
  ecrb_item item;
  if (in->crossing == SIZE_MAX)
    return ECRB_OK;
  ecrb_items_look_at(in->items, in->crossing, &item);
  return ecrb_fail(in->err, ECRB_EFORMAT,
                   "%s:%zu: field \"shown\": `%.*s` is the id of the item "
                   "on line %zu; take another one",
                   in->items->text.path, in->crossing + FIRST_ROW_LINE,
                   ECRB_SHOWN(item.shown), in->other + FIRST_ROW_LINE);
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
  atomic_size_t *handed_out = &items->shared->handed_out;
  size_t before = atomic_fetch_add(handed_out, bytes);
  if (before + bytes < HANDED_OUT_MOST)
    return;
  atomic_store(handed_out, 0);
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

/* The stretches split by split: once those of each are summed up to where they
** begin. */
static int sort_by_split(reader *in) {
  ecrb_items *items = in->items;
  size_t n = items->stretches, splits = ecrb_names_count(items->splits);
  uint32_t *first = calloc(splits + 2, sizeof *first);
  items->split_first = first;
  items->by_split = calloc(n, sizeof *items->by_split);
  if (first == NULL || items->by_split == NULL)
    return no_memory(in);
  for (size_t i = 0; i < n; i++)
    first[items->stretch[i].split + 2]++;
  for (size_t s = 0; s < splits; s++)
    first[s + 2] += first[s + 1];
  for (size_t i = 0; i < n; i++)
    items->by_split[first[items->stretch[i].split + 1]++] = (uint32_t)i;
  return ECRB_OK;
}

static int read_all(reader *in) {
  ecrb_items *items = in->items;
  size_t lines = items->text.lines + 1;
  if (lines > INT32_MAX)
    return ecrb_fail(in->err, ECRB_ELIMIT, "%s: more items than 2,147,483,646",
                     items->text.path);
  items->offset =
      calloc(lines / ECRB_ROWS_STEP + 1, sizeof *items->offset);
  items->shared = calloc(1, sizeof *items->shared);
  if (items->offset == NULL || items->shared == NULL ||
      ecrb_item_table_new(lines, &in->table) != ECRB_OK ||
      ecrb_names_new(&items->splits) != ECRB_OK)
    return no_memory(in);
  int status = read_rows(in);
  if (status == ECRB_OK)
    status = sort_by_split(in);
  ecrb_text_rest(&items->text);
  return status;
}

int ecrb_items_read(const char *dir, ecrb_items *out, ecrb_err *err) {
  reader in = {.items = out, .crossing = SIZE_MAX, .err = err};
  int status = ecrb_bench_text(dir, "items.tsv", &out->text, err);
  if (status != ECRB_OK)
    return status;
  status = read_all(&in);
  ecrb_item_table_free(in.table);
  free(in.split_size);
  if (status != ECRB_OK)
    ecrb_items_free(out);
  return status;
}

/* The stretch that holds an item. */
static const ecrb_stretch *stretch_of(const ecrb_items *items, size_t index) {
  size_t low = 0, high = items->stretches;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    *(items->stretch[middle].first <= index ? &low : &high) = middle;
  }
  return &items->stretch[low];
}

/* Where the row of an item begins. */
static ecrb_rows row_at(const ecrb_items *items, size_t index) {
  ecrb_rows rows = items->rows;
  ecrb_rows_seek(&rows, items->offset[index / ECRB_ROWS_STEP]);
  for (size_t i = 0; i < index % ECRB_ROWS_STEP; i++)
    ecrb_rows_skip(&rows);
  return rows;
}

/* Returns how long the row is. */
static size_t read_item(const ecrb_items *items, size_t index,
                        ecrb_item *out) {
  ecrb_rows rows = row_at(items, index);
  const char *begin = rows.next;
  bool reaction = items->reactions;
  ecrb_span none = {items->text.at, 0};
  ecrb_rows_next(&rows, NULL); /* it was read before */
  *out = (ecrb_item){
      .id = rows.cell[ITEM],
      .split = rows.cell[SPLIT],
      .shown = rows.cell[SHOWN],
      .sequence = reaction ? none : rows.cell[SEQUENCE],
      .reaction = reaction ? rows.cell[REACTION] : none,
      .equation = reaction ? or_empty(rows.cell[EQUATION]) : none,
      .text = reaction ? or_empty(rows.cell[TEXT]) : none,
      .visible = is_visible(&rows),
  };
  return (size_t)(rows.next - begin);
}

void ecrb_items_look_at(const ecrb_items *items, size_t index,
                        ecrb_item *out) {
  hand_out(items, LOOKED_AT);
  read_item(items, index, out);
}

void ecrb_items_at(const ecrb_items *items, size_t index, ecrb_item *out) {
  const ecrb_stretch *stretch = stretch_of(items, index);
  hand_out(items, read_item(items, index, out));
  out->ordinal = stretch->ordinal + (uint32_t)index - stretch->first;
}

ecrb_span ecrb_items_id(const ecrb_items *items, size_t index) {
  ecrb_item item;
  hand_out(items, read_item(items, index, &item));
  return item.id;
}

/* One behind the last item of a stretch. */
static size_t end_of(const ecrb_items *items, size_t stretch) {
  return stretch + 1 < items->stretches ? items->stretch[stretch + 1].first
                                        : items->count;
}

/* The last stretch of a split that begins with that ordinal or one before. */
static size_t stretch_from(const ecrb_items *items, size_t split,
                           uint32_t ordinal) {
  size_t low = items->split_first[split], high = items->split_first[split + 1];
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    const ecrb_stretch *s = &items->stretch[items->by_split[middle]];
    *(s->ordinal <= ordinal ? &low : &high) = middle;
  }
  return items->by_split[low];
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
      !ecrb_text_count(right, &ordinal) || ordinal < 1)
    return false;
  size_t s = stretch_from(items, split, ordinal);
  *index = items->stretch[s].first + (ordinal - items->stretch[s].ordinal);
  return *index < end_of(items, s);
}

void ecrb_items_free(ecrb_items *items) {
  if (items->shared != NULL)
    ecrb_item_table_free(items->shared->table);
  ecrb_names_free(items->splits);
  free(items->offset);
  free(items->shared);
  free(items->stretch);
  free(items->split_first);
  free(items->by_split);
  ecrb_text_close(&items->text);
  memset(items, 0, sizeof *items);
}
