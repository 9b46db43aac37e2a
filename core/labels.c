/* labels.c: labels.tsv, the gold labels: one row for each item, in the order of
** items.tsv, read whole at the first use. All labels stand in one array, as the
** leaves that they are; an item's are a range of it. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { ITEM, EC, FIELDS };

static const char *const columns[FIELDS] = {"item", "ec"};

typedef struct reader {
  ecrb_rows rows;
  const ecrb_bench *bench;
  ecrb_labels *labels;
  size_t row; /* the item whose turn it is */
  ecrb_err *err;
} reader;

static int no_memory(const reader *in) {
  return ecrb_no_memory(in->err, in->labels->text.path);
}

static int check_item(const reader *in) {
  const ecrb_items *items = &in->bench->items;
  ecrb_span cell = in->rows.cell[ITEM];
  if (in->row == items->count)
    return ecrb_rows_fail(
        &in->rows, ITEM, in->err,
        "`%.*s` comes after the last item of items.tsv; remove "
        "the row",
        ECRB_SHOWN(cell));
  ecrb_span expected = ecrb_items_id(items, in->row);
  if (!ecrb_span_equal(cell, expected))
    return ecrb_rows_fail(&in->rows, ITEM, in->err,
                          "expected `%.*s` but found `%.*s`; rows follow "
                          "items.tsv one by one",
                          ECRB_SHOWN(expected), ECRB_SHOWN(cell));
  return ECRB_OK;
}

/* Adds the leaf of a label behind those of its row from `first` on. */
static int add_label(const reader *in, ecrb_ec ec, size_t first) {
  char text[ECRB_EC_TEXT];
  ecrb_labels *labels = in->labels;
  ecrb_node node = ecrb_tree_find(in->bench->tree, ec);
  if (ec.depth < ECRB_LEVELS || node == ECRB_NO_NODE)
    return ecrb_rows_fail(&in->rows, EC, in->err,
                          "`%s` is no leaf of ec.tsv; mend it, or add it "
                          "there with origin `labels`",
                          ecrb_ec_format(ec, text));
  for (size_t i = first; i < labels->count; i++)
    if (labels->node[i] == node)
      return ecrb_rows_fail(&in->rows, EC, in->err, "`%s` stands twice; keep one of them",
                            ecrb_ec_format(ec, text));
  labels->node[labels->count++] = node;
  return ECRB_OK;
}

static int add_labels(const reader *in) {
  ecrb_span cell = in->rows.cell[EC];
  ecrb_ec ec[ECRB_LABELS_MAX];
  size_t count, first = in->labels->count;
  int status = ecrb_bench_filled(&in->rows, EC, in->err);
  if (status != ECRB_OK)
    return status;
  status = ecrb_ec_list_parse(cell.at, cell.n, ec, ECRB_LABELS_MAX, &count);
  if (status == ECRB_ELIMIT)
    return ecrb_rows_fail(&in->rows, EC, in->err,
                          "%zu labels; an item has at most %d", count,
                          ECRB_LABELS_MAX);
  if (status != ECRB_OK || count == 0)
    return ecrb_rows_fail(&in->rows, EC, in->err,
                          "`%.*s` is no list of EC numbers; write a.b.c.d, "
                          "several joined with `;`",
                          ECRB_SHOWN(cell));
  for (size_t i = 0; i < count && status == ECRB_OK; i++)
    status = add_label(in, ec[i], first);
  return status;
}

static int make_room(const reader *in) {
  ecrb_labels *labels = in->labels;
  if (labels->room - labels->count >= ECRB_LABELS_MAX)
    return ECRB_OK;
  size_t room = 2 * labels->room + in->bench->items.count + ECRB_LABELS_MAX;
  ecrb_node *node = realloc(labels->node, room * sizeof *node);
  if (node == NULL)
    return no_memory(in);
  labels->node = node;
  labels->room = room;
  return ECRB_OK;
}

static int add_row(reader *in) {
  ecrb_labels *labels = in->labels;
  int status = make_room(in);
  if (status == ECRB_OK)
    status = check_item(in);
  if (status == ECRB_OK)
    status = add_labels(in);
  if (status == ECRB_OK)
    labels->first[++in->row] = (uint32_t)labels->count;
  return status;
}

static int check_end(const reader *in) {
  const ecrb_items *items = &in->bench->items;
  if (in->row == items->count)
    return ECRB_OK;
  return ecrb_fail(in->err, ECRB_EFORMAT,
                   "%s: ends after %zu of %zu items; the next row should be "
                   "`%.*s`",
                   in->labels->text.path, in->row, items->count,
                   ECRB_SHOWN(ecrb_items_id(items, in->row)));
}

static int read_rows(reader *in) {
  ecrb_labels *labels = in->labels;
  labels->first = calloc(in->bench->items.count + 1, sizeof *labels->first);
  if (labels->first == NULL)
    return no_memory(in);
  int status =
      ecrb_rows_open(&labels->text, columns, FIELDS, &in->rows, in->err);
  while (status == ECRB_OK) {
    status = ecrb_rows_next(&in->rows, in->err);
    if (status == ECRB_OK)
      status = add_row(in);
  }
  return status == ECRB_ENONE ? check_end(in) : status;
}

static int read_labels(ecrb_bench *bench, ecrb_err *err) {
  ecrb_labels *labels = &bench->labels;
  reader in = {.bench = bench, .labels = labels, .err = err};
  int status = ecrb_text_open(bench->dir, "labels.tsv", &labels->text, err);
  if (status == ECRB_ENONE) {
    labels->absent = true;
    return ECRB_OK;
  }
  if (status == ECRB_OK)
    status = read_rows(&in);
  if (status == ECRB_OK)
    labels->read = true;
  else
    ecrb_labels_free(labels);
  return status;
}

int ecrb_bench_labels(ecrb_bench *bench, size_t index, const ecrb_ec **out,
                      size_t *count, ecrb_err *err) {
  ecrb_labels *labels = &bench->labels;
  if (index >= bench->items.count)
    return ecrb_bench_no_item(bench, index, err);
  if (!labels->read && !labels->absent) {
    int status = read_labels(bench, err);
    if (status != ECRB_OK)
      return status;
  }
  if (labels->absent)
    return ecrb_fail(err, ECRB_ENONE, "%s has no labels.tsv", bench->dir);
  *count = labels->first[index + 1] - labels->first[index];
  for (size_t i = 0; i < *count; i++)
    labels->asked[i] = ecrb_tree_ec(bench->tree,
                                    labels->node[labels->first[index] + i]);
  *out = labels->asked;
  return ECRB_OK;
}

void ecrb_labels_free(ecrb_labels *labels) {
  free(labels->node);
  free(labels->first);
  ecrb_text_close(&labels->text);
  memset(labels, 0, sizeof *labels);
}
