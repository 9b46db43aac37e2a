/* leaves.c: ec.tsv, the vocabulary of a benchmark. Its rows are read twice:
** for the leaves that make the tree, then for the names that it carries. */
#include "bench.h"

#include <stdlib.h>

enum { EC, NAME, ORIGIN, FIELDS };

static const char *const columns[FIELDS] = {"ec", "name", "origin"};

typedef struct reader {
  ecrb_rows rows;
  ecrb_ec *leaf;
  size_t count;
  ecrb_tree *tree;
  ecrb_node last; /* that a row named */
  bool *seen;     /* by node */
  ecrb_err *err;
} reader;

static bool is(const reader *in, int field, const char *text) {
  return ecrb_span_equal(in->rows.cell[field], ecrb_span_of(text));
}

static int check_origin(const reader *in, ecrb_ec ec) {
  ecrb_span origin = in->rows.cell[ORIGIN];
  bool leaf = ec.depth == ECRB_LEVELS;
  if (leaf && !is(in, ORIGIN, "list") && !is(in, ORIGIN, "labels"))
    return ecrb_rows_fail(&in->rows, ORIGIN, in->err,
                          "`%.*s`; a leaf comes from `list` or from `labels`",
                          ECRB_SHOWN(origin));
  if (!leaf && !is(in, ORIGIN, "name"))
    return ecrb_rows_fail(&in->rows, ORIGIN, in->err,
                          "`%.*s`; a row of depth 1 to 3 gives a node's name "
                          "alone: write `name`",
                          ECRB_SHOWN(origin));
  return ECRB_OK;
}

static int read_ec(const reader *in, ecrb_ec *ec) {
  ecrb_span cell = in->rows.cell[EC];
  const char *wrong = NULL;
  if (ecrb_ec_parse(cell.at, cell.n, ec) != ECRB_OK)
    wrong = "is no EC number; write a.b.c.d";
  else if (ec->depth == 0)
    wrong = "is the root, which has no row; remove it";
  else if (ec->kind == ECRB_EC_BRENDA)
    wrong = "is BRENDA's own number and never a leaf; remove it";
  if (wrong != NULL)
    return ecrb_rows_fail(&in->rows, EC, in->err, "`%.*s` %s", ECRB_SHOWN(cell),
                          wrong);
  return check_origin(in, *ec);
}

static int add_leaf(reader *in) {
  ecrb_ec ec;
  int status = read_ec(in, &ec);
  if (status == ECRB_OK && ec.depth == ECRB_LEVELS)
    in->leaf[in->count++] = ec;
  return status;
}

/* Files stand in EC order: the next node is nearly always the one meant. */
static ecrb_node find_node(reader *in, ecrb_ec ec) {
  ecrb_node next = in->last + 1;
  if (!ecrb_ec_equal(ecrb_tree_ec(in->tree, next), ec))
    next = ecrb_tree_find(in->tree, ec);
  in->last = next;
  return next;
}

static int add_name(reader *in) {
  ecrb_ec ec;
  ecrb_span cell = in->rows.cell[EC];
  ecrb_ec_parse(cell.at, cell.n, &ec);
  ecrb_node node = find_node(in, ec);
  if (node == ECRB_NO_NODE)
    return ecrb_rows_fail(&in->rows, EC, in->err,
                          "no leaf stands under `%.*s`; remove the row",
                          ECRB_SHOWN(cell));
  if (in->seen[node])
    return ecrb_rows_fail(&in->rows, EC, in->err,
                          "`%.*s` stands twice; keep one of the rows",
                          ECRB_SHOWN(cell));
  in->seen[node] = true;
  if (in->rows.cell[NAME].n == 0)
    return ecrb_rows_fail(&in->rows, NAME, in->err,
                          "is empty; write `-` for none");
  if (is(in, NAME, "-"))
    return ECRB_OK;
  if (ecrb_tree_set_name(in->tree, node, in->rows.cell[NAME]) != ECRB_OK)
    return ecrb_fail(in->err, ECRB_ENOMEM, "no memory for the name of `%.*s`",
                     ECRB_SHOWN(cell));
  return ECRB_OK;
}

static int each_row(reader *in, const ecrb_text *text, int (*take)(reader *)) {
  int status = ecrb_rows_open(text, columns, FIELDS, &in->rows, in->err);
  while (status == ECRB_OK) {
    status = ecrb_rows_next(&in->rows, in->err);
    if (status == ECRB_OK)
      status = take(in);
  }
  return status == ECRB_ENONE ? ECRB_OK : status;
}

static int build(reader *in, const ecrb_text *text) {
  if (in->count == 0)
    return ecrb_fail(in->err, ECRB_EFORMAT,
                     "%s: holds no leaf; write a row for each EC number",
                     text->path);
  int status = ecrb_tree_new(in->leaf, in->count, &in->tree, in->err);
  if (status != ECRB_OK)
    return status;
  ecrb_range leaves = ecrb_tree_nodes(in->tree, ECRB_LEVELS);
  in->seen =
      calloc((size_t)leaves.first + (size_t)leaves.count, sizeof *in->seen);
  if (in->seen == NULL)
    return ecrb_no_memory(in->err, text->path);
  return each_row(in, text, add_name);
}

static int read_all(reader *in, const ecrb_text *text) {
  in->leaf = malloc((text->lines + 1) * sizeof *in->leaf);
  if (in->leaf == NULL)
    return ecrb_no_memory(in->err, text->path);
  int status = each_row(in, text, add_leaf);
  return status == ECRB_OK ? build(in, text) : status;
}

int ecrb_leaves_read(const char *dir, ecrb_tree **out, ecrb_err *err) {
  ecrb_text text;
  reader in = {.err = err};
  int status = ecrb_bench_text(dir, "ec.tsv", &text, err);
  if (status != ECRB_OK)
    return status;
  status = read_all(&in, &text);
  free(in.leaf);
  free(in.seen);
  ecrb_text_close(&text);
  if (status == ECRB_OK)
    *out = in.tree;
  else
    ecrb_tree_free(in.tree);
  return status;
}
