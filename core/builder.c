/* builder.c: gathers what a benchmark is made of. */
#include "builder.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(ecrb_err *err) {
  return ecrb_no_memory(err, "the benchmark");
}

int ecrb_builder_new(uint64_t seed, ecrb_builder **out, ecrb_err *err) {
  ecrb_builder *b = calloc(1, sizeof *b);
  *out = NULL;
  if (b == NULL)
    return no_memory(err);
  b->seed = seed;
  if (ecrb_names_new(&b->leaves) || ecrb_names_new(&b->named) ||
      ecrb_names_new(&b->titles) || ecrb_names_new(&b->items) ||
      ecrb_names_new(&b->splits) || ecrb_names_new(&b->sequences) ||
      ecrb_names_new(&b->train) || ecrb_names_new(&b->rated) ||
      ecrb_names_new(&b->words)) {
    ecrb_builder_free(b);
    return no_memory(err);
  }
  *out = b;
  return ECRB_OK;
}

static void free_channels(ecrb_builder *b) {
  int i;
  for (i = 0; i < b->n_channels; i++) {
    free(b->channels[i].name);
    free(b->channels[i].kind);
    ecrb_hits_free(b->channels[i].hits);
  }
}

void ecrb_builder_free(ecrb_builder *b) {
  if (b == NULL)
    return;
  free_channels(b);
  ecrb_names_free(b->leaves);
  ecrb_names_free(b->named);
  ecrb_names_free(b->titles);
  ecrb_names_free(b->items);
  ecrb_names_free(b->splits);
  ecrb_names_free(b->sequences);
  ecrb_names_free(b->train);
  ecrb_names_free(b->rated);
  ecrb_names_free(b->words);
  free(b->ratings);
  free(b->leaf_ecs);
  free(b->title_of);
  free(b->item_list);
  free(b->item_of);
  free(b->labels);
  free(b->carried);
  free(b);
}

static ecrb_span spelled(ecrb_ec ec, char text[ECRB_EC_TEXT]) {
  return ecrb_span_of(ecrb_ec_format(ec, text));
}

static int check_leaf(ecrb_ec ec, const char *what, ecrb_err *err) {
  char text[ECRB_EC_TEXT];
  if (ec.depth == ECRB_LEVELS && ec.kind != ECRB_EC_BRENDA)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "%s is no complete EC number; %s needs four levels",
                   ecrb_ec_format(ec, text), what);
}

int ecrb_builder_leaf(ecrb_builder *b, ecrb_ec ec, bool *fresh, ecrb_err *err) {
  char text[ECRB_EC_TEXT];
  size_t index;
  ecrb_ec *grown;
  int status = check_leaf(ec, "a leaf", err);
  if (status != ECRB_OK)
    return status;
  grown = ecrb_array_grow(b->leaf_ecs, ecrb_names_count(b->leaves),
                          &b->leaf_room, sizeof *grown);
  if (grown == NULL)
    return no_memory(err);
  b->leaf_ecs = grown;
  if (ecrb_names_add(b->leaves, spelled(ec, text), &index, fresh))
    return no_memory(err);
  grown[index] = ec;
  return ECRB_OK;
}

bool ecrb_builder_lists(const ecrb_builder *b, ecrb_ec ec) {
  char text[ECRB_EC_TEXT];
  size_t index;
  return ecrb_names_find(b->leaves, spelled(ec, text), &index);
}

int ecrb_builder_name(ecrb_builder *b, ecrb_ec ec, ecrb_span name,
                      ecrb_err *err) {
  char text[ECRB_EC_TEXT];
  size_t node, title;
  size_t *grown;
  if (name.n == 0 || !ecrb_text_fits(name))
    return ecrb_fail(err, ECRB_EFORMAT,
                     "the name of %s is empty or no plain UTF-8 text",
                     ecrb_ec_format(ec, text));
  grown = ecrb_array_grow(b->title_of, ecrb_names_count(b->named),
                          &b->title_room, sizeof *grown);
  if (grown == NULL)
    return no_memory(err);
  b->title_of = grown;
  if (ecrb_names_add(b->titles, name, &title, NULL) ||
      ecrb_names_add(b->named, spelled(ec, text), &node, NULL))
    return no_memory(err);
  grown[node] = title;
  return ECRB_OK;
}

/* Ids and splits stand in cells and in commands: words, and not `-`. */
static int check_word(ecrb_span word, const char *what, ecrb_err *err) {
  bool bad = word.n == 0 || !ecrb_text_fits(word) ||
             memchr(word.at, ' ', word.n) != NULL ||
             ecrb_span_equal(word, ecrb_span_of("-"));
  if (!bad)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "`%.*s` cannot be %s: a word of plain UTF-8 text without "
                   "blanks, other than `-`",
                   ECRB_SHOWN(word), what);
}

static int check_sequence(ecrb_span sequence, ecrb_err *err) {
  size_t odd = ecrb_text_letters(sequence);
  if (sequence.n == 0)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "the sequence is empty; leave the item out");
  if (odd < sequence.n)
    return ecrb_fail(err, ECRB_EFORMAT,
                     "character %zu of the sequence (byte 0x%02X) is no "
                     "upper-case letter; mend it, or leave the item out",
                     odd + 1, (unsigned char)sequence.at[odd]);
  return ECRB_OK;
}

static int check_words(ecrb_span words, const char *what, ecrb_err *err) {
  if (ecrb_text_fits(words) && !ecrb_span_equal(words, ecrb_span_of("-")))
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EFORMAT, "the %s is `-` or no plain UTF-8 text",
                   what);
}

static int check_reaction(const ecrb_new_item *item, ecrb_err *err) {
  int status = check_word(item->reaction, "a reaction", err);
  if (status == ECRB_OK && !ecrb_text_reaction(item->reaction))
    status = ecrb_fail(err, ECRB_EFORMAT,
                       "the reaction is no SMILES; write it as `A.B>>C.D`");
  if (status == ECRB_OK)
    status = check_words(item->equation, "equation", err);
  return status == ECRB_OK ? check_words(item->text, "text", err) : status;
}

/* Proteins and reactions do not mix. */
static int check_kind(const ecrb_builder *b, const ecrb_new_item *item,
                      ecrb_err *err) {
  bool reaction = item->reaction.n > 0;
  if (ecrb_names_count(b->items) > 0 && reaction != b->reactions)
    return ecrb_fail(
        err, ECRB_EARG, "a %s among %s; a benchmark is of one kind",
        reaction ? "reaction" : "protein", reaction ? "proteins" : "reactions");
  return reaction ? check_reaction(item, err)
                  : check_sequence(item->sequence, err);
}

static int check_open(const ecrb_builder *b, ecrb_err *err) {
  if (b->n_channels == 0)
    return ECRB_OK;
  return ecrb_fail(err, ECRB_EARG,
                   "items and training set must be complete before the "
                   "evidence is read");
}

/* An id is the key of the item's record, too. */
static int check_id(ecrb_span id, ecrb_err *err) {
  int status = check_word(id, "an item's id", err);
  if (status != ECRB_OK || ecrb_text_fits_key(id))
    return status;
  return ecrb_fail(err, ECRB_EFORMAT,
                   "`%.*s` cannot be an item's id: it has %d bytes at most, no "
                   "quote and no backslash",
                   ECRB_SHOWN(id), ECRB_JOURNAL_KEY);
}

static int check_item(const ecrb_builder *b, const ecrb_new_item *item,
                      ecrb_err *err) {
  size_t i;
  int status = check_open(b, err);
  if (status == ECRB_OK)
    status = check_id(item->id, err);
  if (status == ECRB_OK)
    status = check_word(item->split, "a split", err);
  if (status == ECRB_OK)
    status = check_kind(b, item, err);
  for (i = 0; i < item->n_labels && status == ECRB_OK; i++)
    status = check_leaf(item->labels[i], "a label", err);
  if (status == ECRB_OK && ecrb_names_find(b->items, item->id, &i))
    status = ecrb_fail(err, ECRB_EFORMAT,
                       "the item `%.*s` stands twice; give each an id of its "
                       "own",
                       ECRB_SHOWN(item->id));
  return status;
}

static int add_labels(ecrb_builder *b, const ecrb_new_item *item) {
  size_t i;
  for (i = 0; i < item->n_labels; i++) {
    ecrb_ec *grown =
        ecrb_array_grow(b->labels, b->n_labels, &b->label_room, sizeof *grown);
    if (grown == NULL)
      return ECRB_ENOMEM;
    b->labels = grown;
    grown[b->n_labels++] = item->labels[i];
  }
  return ECRB_OK;
}

/* The number of the sequence; a new one remembers the item that is coming. */
static int add_sequence(ecrb_builder *b, ecrb_span sequence, size_t *index) {
  bool fresh;
  uint32_t *grown = ecrb_array_grow(b->item_of, ecrb_names_count(b->sequences),
                                    &b->item_of_room, sizeof *grown);
  if (grown == NULL)
    return ECRB_ENOMEM;
  b->item_of = grown;
  if (ecrb_names_add(b->sequences, sequence, index, &fresh))
    return ECRB_ENOMEM;
  if (fresh)
    grown[*index] = (uint32_t)ecrb_names_count(b->items);
  return ECRB_OK;
}

static int add_item(ecrb_builder *b, const ecrb_new_item *item) {
  size_t index, split, sequence, equation, text, first_label = b->n_labels;
  bool reaction = item->reaction.n > 0;
  builder_item *grown = ecrb_array_grow(
      b->item_list, ecrb_names_count(b->items), &b->item_room, sizeof *grown);
  if (grown == NULL)
    return ECRB_ENOMEM;
  b->item_list = grown;
  if (add_labels(b, item) ||
      add_sequence(b, reaction ? item->reaction : item->sequence, &sequence) ||
      ecrb_names_add(b->words, item->equation, &equation, NULL) ||
      ecrb_names_add(b->words, item->text, &text, NULL) ||
      ecrb_names_add(b->splits, item->split, &split, NULL) ||
      ecrb_names_add(b->items, item->id, &index, NULL))
    return ECRB_ENOMEM;
  grown[index] = (builder_item){.split = (uint32_t)split,
                                .sequence = (uint32_t)sequence,
                                .equation = (uint32_t)equation,
                                .text = (uint32_t)text,
                                .first_label = first_label,
                                .n_labels = item->n_labels};
  b->reactions = reaction;
  return ECRB_OK;
}

int ecrb_builder_item(ecrb_builder *b, const ecrb_new_item *item,
                      ecrb_err *err) {
  int status = check_item(b, item, err);
  if (status != ECRB_OK)
    return status;
  return add_item(b, item) == ECRB_OK ? ECRB_OK : no_memory(err);
}

int ecrb_builder_reveal(ecrb_builder *b, size_t item, ecrb_err *err) {
  if (item >= ecrb_names_count(b->items))
    return ecrb_fail(err, ECRB_EARG, "no item at %zu of %zu", item,
                     ecrb_names_count(b->items));
  b->item_list[item].visible = true;
  return ECRB_OK;
}

static int check_train(const ecrb_builder *b, ecrb_span id, size_t n,
                       ecrb_err *err) {
  size_t index;
  int status = check_open(b, err);
  if (status == ECRB_OK)
    status = check_word(id, "a training enzyme's id", err);
  if (status == ECRB_OK && n == 0)
    status = ecrb_fail(err, ECRB_EFORMAT,
                       "the training enzyme `%.*s` has no EC number; leave it "
                       "out",
                       ECRB_SHOWN(id));
  if (status == ECRB_OK && ecrb_names_find(b->items, id, &index))
    status = ecrb_fail(err, ECRB_EFORMAT,
                       "`%.*s` is a test item: it must not stand in the "
                       "training set",
                       ECRB_SHOWN(id));
  return status;
}

int ecrb_builder_train(ecrb_builder *b, ecrb_span id, const ecrb_ec *ecs,
                       size_t n, bool *fresh, ecrb_err *err) {
  size_t index, i;
  int status = check_train(b, id, n, err);
  if (status != ECRB_OK)
    return status;
  if (ecrb_names_add(b->train, id, &index, fresh))
    return no_memory(err);
  for (i = 0; i < n; i++) {
    builder_carried *grown = ecrb_array_grow(b->carried, b->n_carried,
                                             &b->carried_room, sizeof *grown);
    if (grown == NULL)
      return no_memory(err);
    b->carried = grown;
    grown[b->n_carried++] = (builder_carried){(uint32_t)index, ecs[i]};
  }
  return ECRB_OK;
}

int ecrb_builder_rate(ecrb_builder *b, ecrb_span split, double rating,
                      ecrb_err *err) {
  size_t index;
  double *grown;
  if (!(rating >= 0 && rating <= 1))
    return ecrb_fail(err, ECRB_EARG, "a rating of %g is outside 0 to 1",
                     rating);
  grown = ecrb_array_grow(b->ratings, ecrb_names_count(b->rated),
                          &b->rating_room, sizeof *grown);
  if (grown == NULL)
    return no_memory(err);
  b->ratings = grown;
  if (ecrb_names_add(b->rated, split, &index, NULL))
    return no_memory(err);
  grown[index] = rating;
  return ECRB_OK;
}

const ecrb_names *ecrb_builder_items(const ecrb_builder *b) {
  return b->items;
}

const ecrb_names *ecrb_builder_training(const ecrb_builder *b) {
  return b->train;
}

int ecrb_builder_item_with(const ecrb_builder *b, ecrb_span sequence,
                           size_t *item) {
  size_t index;
  if (!ecrb_names_find(b->sequences, sequence, &index))
    return ECRB_ENONE;
  *item = b->item_of[index];
  return ECRB_OK;
}

static builder_channel *find_channel(ecrb_builder *b, const char *name) {
  int i;
  for (i = 0; i < b->n_channels; i++)
    if (strcmp(b->channels[i].name, name) == 0)
      return &b->channels[i];
  return NULL;
}

static int check_channel(const ecrb_builder *b, const char *name,
                         const char *kind, ecrb_err *err) {
  int status = check_word(ecrb_span_of(name), "a channel", err);
  if (status == ECRB_OK)
    status = check_word(ecrb_span_of(kind), "a kind of score", err);
  if (status == ECRB_OK && b->n_channels == ECRB_CHANNELS_MAX)
    status = ecrb_fail(err, ECRB_ELIMIT, "more than %d channels; leave one out",
                       ECRB_CHANNELS_MAX);
  return status;
}

static int add_channel(ecrb_builder *b, const char *name, const char *kind,
                       const ecrb_hit_limits *limits, builder_channel **out,
                       ecrb_err *err) {
  builder_channel *channel = &b->channels[b->n_channels];
  int status = check_channel(b, name, kind, err);
  if (status != ECRB_OK)
    return status;
  status = ecrb_hits_new(b->items, b->train, limits, &channel->hits, err);
  if (status != ECRB_OK)
    return status;
  channel->name = strdup(name);
  channel->kind = strdup(kind);
  b->n_channels++; /* from here on it is freed with the builder */
  if (channel->name == NULL || channel->kind == NULL)
    return no_memory(err);
  *out = channel;
  return ECRB_OK;
}

int ecrb_builder_evidence(ecrb_builder *b, const char *channel,
                          const char *kind, const ecrb_hit_limits *limits,
                          ecrb_hit_reader *reader, const ecrb_hits **hits,
                          ecrb_err *err) {
  builder_channel *found = find_channel(b, channel);
  int status = ECRB_OK;
  if (found == NULL)
    status = add_channel(b, channel, kind, limits, &found, err);
  if (status == ECRB_OK)
    status = ecrb_hits_read(found->hits, reader, err);
  if (status == ECRB_OK)
    *hits = found->hits;
  return status;
}
