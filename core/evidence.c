/* evidence.c: evidence.tsv. The first use reads and checks every row, but
** keeps only where the rows of each item in each channel begin and how many
** they are; a look-up cuts and parses its own rows again.
**
**   first[item] ..         block: offset, channel, count   rows of the file
**   first[item + 1] ----->        offset, channel, count --> rank 1, 2, ... */
#include "evidence.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_HITS_MAX 1000 /* rows of one item in one channel */
#define NAMED_CHANNELS (ECRB_PFAM + 1)

static const char *const channel_names[NAMED_CHANNELS] = {
    "blast", "hmmer", "esm_knn", "structure", "active_site", "pfam"};

typedef struct reader {
  ecrb_rows *rows;
  const ecrb_bench *bench;
  ecrb_evidence *evidence;
  size_t offset;  /* of the present row */
  size_t started; /* items whose rows have begun, or were passed over */
  ecrb_span id;   /* of the last of them that has rows */
  ecrb_block *block;
  ecrb_span seen[BLOCK_HITS_MAX]; /* the neighbours of the block */
  ecrb_err *err;
} reader;

/* {====================================================================
** The index
** ===================================================================== */

static int no_memory(const reader *in) {
  return ecrb_no_memory(in->err, in->evidence->text.path);
}

static int add_block(reader *in, uint32_t channel) {
  ecrb_evidence *evidence = in->evidence;
  ecrb_block *block = ecrb_array_grow(evidence->block, evidence->count,
                                      &evidence->room, sizeof *block);
  if (block == NULL)
    return no_memory(in);
  evidence->block = block;
  in->block = &block[evidence->count++];
  *in->block = (ecrb_block){.offset = in->offset, .channel = channel};
  return ECRB_OK;
}

/* Gives every item up to `started` its first block: the one to come. Zeros are
** there already, and pages that nobody writes to take no memory. */
static void start_items(reader *in, size_t started) {
  uint32_t next = (uint32_t)in->evidence->count;
  for (; in->started < started; in->started++)
    if (next > 0)
      in->evidence->first[in->started] = next;
}

static int find_item(reader *in, size_t *item) {
  const ecrb_items *items = &in->bench->items;
  ecrb_span cell = in->rows->cell[EVIDENCE_ITEM];
  *item = in->started - 1;
  if (in->started > 0 && ecrb_span_equal(cell, in->id))
    return ECRB_OK;
  if (!ecrb_items_find_id(items, cell, item))
    return ecrb_rows_fail(in->rows, EVIDENCE_ITEM, in->err,
                          "`%.*s` is no item of items.tsv; remove the row",
                          ECRB_SHOWN(cell));
  if (*item < in->started)
    return ecrb_rows_fail(in->rows, EVIDENCE_ITEM, in->err,
                          "`%.*s` comes too late; items stand in the order "
                          "of items.tsv, the rows of one together",
                          ECRB_SHOWN(cell));
  in->id = cell;
  return ECRB_OK;
}

static int find_channel(const reader *in, uint32_t *channel) {
  ecrb_span cell = in->rows->cell[EVIDENCE_CHANNEL];
  int status = ecrb_bench_filled(in->rows, EVIDENCE_CHANNEL, in->err);
  if (status != ECRB_OK)
    return status;
  size_t number;
  if (ecrb_names_add(in->evidence->channels, cell, &number, NULL) != ECRB_OK)
    return no_memory(in);
  *channel = (uint32_t)number;
  if (number >= ECRB_CHANNELS_MAX)
    return ecrb_rows_fail(in->rows, EVIDENCE_CHANNEL, in->err,
                          "`%.*s` is one channel too many; at most %d",
                          ECRB_SHOWN(cell), ECRB_CHANNELS_MAX);
  return ECRB_OK;
}

/* Whether the row goes on with the present block; if not, its item and channel
** must be new. */
static int enter_block(reader *in) {
  size_t item = 0;
  uint32_t channel = 0;
  ecrb_evidence *evidence = in->evidence;
  int status = find_item(in, &item);
  if (status == ECRB_OK)
    status = find_channel(in, &channel);
  if (status != ECRB_OK)
    return status;
  start_items(in, item + 1);
  size_t first = evidence->first[item];
  if (first < evidence->count && in->block->channel == channel)
    return ECRB_OK;
  for (size_t i = first; i < evidence->count; i++)
    if (evidence->block[i].channel == channel)
      return ecrb_rows_fail(in->rows, EVIDENCE_CHANNEL, in->err,
                            "`%.*s` comes again; the rows of an item stand "
                            "channel by channel",
                            ECRB_SHOWN(in->rows->cell[EVIDENCE_CHANNEL]));
  return add_block(in, channel);
}

static int check_neighbour(const reader *in, ecrb_span neighbour) {
  const char *wrong = NULL;
  if (ecrb_items_have_id(&in->bench->items, neighbour))
    wrong = "is a test item; evidence comes from the training set alone";
  for (uint32_t i = 0; i < in->block->count; i++)
    if (ecrb_span_equal(in->seen[i], neighbour))
      wrong = "has a row already; write one hit for each neighbour";
  if (wrong != NULL)
    return ecrb_rows_fail(in->rows, EVIDENCE_NEIGHBOUR, in->err, "`%.*s` %s",
                          ECRB_SHOWN(neighbour), wrong);
  return ECRB_OK;
}

static int add_row(reader *in) {
  ecrb_hit hit;
  int status = enter_block(in);
  if (status == ECRB_OK)
    status = ecrb_evidence_hit(in->rows, &hit, in->err);
  if (status != ECRB_OK)
    return status;
  if ((uint32_t)hit.rank != in->block->count + 1)
    return ecrb_rows_fail(in->rows, EVIDENCE_RANK, in->err,
                          "expected %u but found %d; ranks count up from 1 "
                          "within an item and channel",
                          (unsigned)in->block->count + 1, hit.rank);
  if (in->block->count == BLOCK_HITS_MAX)
    return ecrb_rows_fail(in->rows, EVIDENCE_RANK, in->err,
                          "more than %d hits of one item in one channel; "
                          "keep the best",
                          BLOCK_HITS_MAX);
  status = check_neighbour(in, hit.neighbour);
  if (status == ECRB_OK)
    in->seen[in->block->count++] = hit.neighbour;
  return status;
}

static int name_channels(const reader *in) {
  size_t number;
  if (ecrb_names_new(&in->evidence->channels) != ECRB_OK)
    return no_memory(in);
  for (int i = 0; i < NAMED_CHANNELS; i++)
    if (ecrb_names_add(in->evidence->channels, ecrb_span_of(channel_names[i]),
                       &number, NULL) != ECRB_OK)
      return no_memory(in);
  return ECRB_OK;
}

static int read_rows(reader *in) {
  ecrb_evidence *evidence = in->evidence;
  int status = ecrb_rows_open(&evidence->text, ecrb_evidence_columns,
                              EVIDENCE_FIELDS, in->rows, in->err);
  while (status == ECRB_OK) {
    in->offset = (size_t)(in->rows->next - evidence->text.at);
    status = ecrb_rows_next(in->rows, in->err);
    if (status == ECRB_OK)
      status = add_row(in);
  }
  if (status != ECRB_ENONE)
    return status;
  start_items(in, in->bench->items.count + 1);
  return ECRB_OK;
}

static int index_rows(ecrb_bench *bench, ecrb_err *err) {
  ecrb_evidence *evidence = &bench->evidence;
  reader in = {.rows = &evidence->rows,
               .bench = bench,
               .evidence = evidence,
               .err = err};
  evidence->first = calloc(bench->items.count + 1, sizeof *evidence->first);
  if (evidence->first == NULL)
    return no_memory(&in);
  int status = name_channels(&in);
  return status == ECRB_OK ? read_rows(&in) : status;
}

static int read_evidence(ecrb_bench *bench, ecrb_err *err) {
  ecrb_evidence *evidence = &bench->evidence;
  if (evidence->read)
    return ECRB_OK;
  int status =
      ecrb_bench_text(bench->dir, "evidence.tsv", &evidence->text, err);
  if (status == ECRB_OK)
    status = index_rows(bench, err);
  if (status == ECRB_OK)
    evidence->read = true;
  else
    ecrb_evidence_free(evidence);
  return status;
}

void ecrb_evidence_free(ecrb_evidence *evidence) {
  ecrb_names_free(evidence->channels);
  free(evidence->block);
  free(evidence->first);
  ecrb_text_close(&evidence->text);
  memset(evidence, 0, sizeof *evidence);
}

/* }==================================================================== */

/* {====================================================================
** Look-ups
** ===================================================================== */

int ecrb_bench_channels(ecrb_bench *bench, int *count, ecrb_err *err) {
  int status = read_evidence(bench, err);
  if (status == ECRB_OK)
    *count = (int)ecrb_names_count(bench->evidence.channels);
  return status;
}

ecrb_span ecrb_bench_channel_name(const ecrb_bench *bench, int channel) {
  const ecrb_names *names = bench->evidence.channels;
  if (channel >= 0 && channel < NAMED_CHANNELS)
    return ecrb_span_of(channel_names[channel]);
  if (names != NULL && channel >= 0 &&
      (size_t)channel < ecrb_names_count(names))
    return ecrb_names_at(names, (size_t)channel);
  return ecrb_span_of("");
}

static const ecrb_block *find_block(const ecrb_evidence *evidence, size_t index,
                                    int channel) {
  for (size_t i = evidence->first[index]; i < evidence->first[index + 1]; i++)
    if (evidence->block[i].channel == (uint32_t)channel)
      return &evidence->block[i];
  return NULL;
}

int ecrb_bench_look_up(ecrb_bench *bench, size_t index, int channel,
                       ecrb_found *out, ecrb_err *err) {
  ecrb_evidence *evidence = &bench->evidence;
  int status = read_evidence(bench, err);
  *out = (ecrb_found){0};
  if (status != ECRB_OK)
    return status;
  if (index >= bench->items.count)
    return ecrb_bench_no_item(bench, index, err);
  size_t channels = ecrb_names_count(evidence->channels);
  if (channel < 0 || (size_t)channel >= channels)
    return ecrb_fail(err, ECRB_EARG, "%s has no channel %d: it has %zu",
                     bench->dir, channel, channels);
  const ecrb_block *block = find_block(evidence, index, channel);
  if (block != NULL)
    *out = (ecrb_found){block->count, block->offset, block->offset, 0};
  return ECRB_OK;
}

/* Goes to row i and cuts it. */
static int cut_row(ecrb_evidence *evidence, ecrb_found *found, size_t i) {
  ecrb_rows *rows = &evidence->rows;
  int status = ECRB_OK;
  if (i < found->next) {
    found->at = found->first;
    found->next = 0;
  }
  ecrb_rows_seek(rows, found->at);
  for (; status == ECRB_OK && found->next <= i; found->next++)
    status = ecrb_rows_next(rows, NULL);
  found->at = (size_t)(rows->next - evidence->text.at);
  return status;
}

/* The rows were checked when the file was first read: a row that is bad now
** was changed under us. */
int ecrb_bench_hit(ecrb_bench *bench, ecrb_found *found, size_t i,
                   ecrb_hit *out, ecrb_err *err) {
  ecrb_evidence *evidence = &bench->evidence;
  if (i >= found->count)
    return ecrb_fail(err, ECRB_EARG, "%s: no hit at %zu of %zu", bench->dir, i,
                     found->count);
  if (cut_row(evidence, found, i) == ECRB_OK &&
      ecrb_evidence_hit(&evidence->rows, out, NULL) == ECRB_OK)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s: was changed while it was open; open the benchmark "
                   "again",
                   evidence->text.path);
}

int ecrb_bench_evidence(ecrb_bench *bench, size_t index, int channel,
                        ecrb_hit *out, size_t cap, size_t *count,
                        ecrb_err *err) {
  ecrb_found hits;
  int status = ecrb_bench_look_up(bench, index, channel, &hits, err);
  *count = hits.count;
  for (size_t i = 0; status == ECRB_OK && i < hits.count && i < cap; i++)
    status = ecrb_bench_hit(bench, &hits, i, &out[i], err);
  return status;
}

/* }==================================================================== */
