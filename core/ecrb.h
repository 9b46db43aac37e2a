/* ecrb.h: the primitives of ecrb, in C, without Lua.
**
** Everything that must be right and fast stands here: EC numbers and their
** tree, the benchmark on disk, candidates, evidence, descriptors, motifs,
** votes, scores, journals, HTTP. The order is the order of the data.
**
** Conventions
**   - A function that can fail returns ECRB_OK or a negative code and, where
**     it takes an `ecrb_err *err`, leaves there a sentence for the user that
**     names file, line, field, reason and remedy. `err` may be NULL.
**   - Nothing here exits, prints, raises or keeps global state. Handles are
**     independent; one handle belongs to one thread at a time, but functions
**     that take it as const may run in several at once.
**   - What a function without a status is asked for must be there: the item of
**     an index, the column of a number.
**   - `_new`/`_open` own, `_free`/`_close` release and accept NULL. `const`
**     arguments are borrowed for the call. Results come last.
**   - An ecrb_span is borrowed text without a terminator; its owner is named
**     where it is returned.
**   - "the protocol" is the measurement protocol that the README of core/
**     cites; "paper" is EC-Reason-Bench; "CARE" is the benchmark under it.
*/
#ifndef ECRB_H
#define ECRB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__ /* a shared library shows these and nothing else */
#pragma GCC visibility push(default)
#endif

#define ECRB_VERSION "0.1.0"

/* {====================================================================
** Status
** ===================================================================== */

enum {
  ECRB_OK = 0,
  ECRB_ENOMEM = -1,   /* memory ran out */
  ECRB_EIO = -2,      /* the system refused: errno's text is in the message */
  ECRB_EFORMAT = -3,  /* a file or a text is not what it should be */
  ECRB_EARG = -4,     /* the caller asked for something impossible */
  ECRB_ENONE = -5,    /* there is no such thing; often a normal answer */
  ECRB_EBUSY = -6,    /* somebody else holds it */
  ECRB_ELIMIT = -7    /* a stated limit was reached */
};

typedef struct ecrb_err {
  int code;       /* the status that was returned */
  char msg[1024]; /* cut off where a name in it is that long */
} ecrb_err;

/* Fills `err` (if any) and returns `code`, so that callers can write
** `return ecrb_fail(err, ECRB_EFORMAT, "%s:%zu: ...", path, line)`. */
int ecrb_fail(ecrb_err *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct ecrb_span {
  const char *at;
  size_t n;
} ecrb_span;

/* The text up to its NUL; of NULL the empty one. */
ecrb_span ecrb_span_of(const char *text);

/* Whether both hold the same bytes. */
bool ecrb_span_equal(ecrb_span a, ecrb_span b);

/* }==================================================================== */

/* {====================================================================
** UTF-8, read strictly (RFC 3629): no overlong forms, no surrogates, nothing
** above U+10FFFF.
** ===================================================================== */

/* The length in bytes of the character at `text` (n >= 1 bytes follow), and its
** code; 0 where no well-formed character begins. */
size_t ecrb_utf8_decode(const char *text, size_t n, uint32_t *code);

/* The offset of the first byte that is not UTF-8; n where all of it is. */
size_t ecrb_utf8_valid(const char *text, size_t n);

/* }==================================================================== */

/* {====================================================================
** The seeded generator: SplitMix64 (Steele, Lea, Flood 2014), one stream.
** The same bytes on every machine.
** ===================================================================== */

typedef struct ecrb_rng {
  uint64_t state;
} ecrb_rng;

/* The stream of a seed, and its next output: any 64 bits. */
ecrb_rng ecrb_rng_seed(uint64_t seed);
uint64_t ecrb_rng_next(ecrb_rng *rng);

/* An index in [0, n): ((x >> 32) * n) >> 32 of the next output x (the
** protocol's rule, so that anyone can reproduce an interval to the last digit).
** 0 for n = 0. */
uint32_t ecrb_rng_below(ecrb_rng *rng, uint32_t n);

/* The next `count` of them, into out[count]. */
void ecrb_rng_draw(ecrb_rng *rng, uint32_t n, uint32_t *out, size_t count);

/* A double in [0, 1) with 53 random bits. */
double ecrb_rng_unit(ecrb_rng *rng);

/* Fisher-Yates from the end, with ecrb_rng_below. */
void ecrb_rng_shuffle(ecrb_rng *rng, int32_t *values, size_t n);

/* A seed out of a seed and any bytes: FNV-1a 64 over the bytes, started at
** the usual offset basis xor `seed`, then one SplitMix64 output. Fold several
** parts by calling it again with the former result as seed. */
uint64_t ecrb_rng_fold(uint64_t seed, const void *bytes, size_t n);

/* }==================================================================== */

/* {====================================================================
** SHA-256, for who needs many or much.
** ===================================================================== */

typedef struct ecrb_sha256 ecrb_sha256;

#define ECRB_SHA256_TEXT 65 /* 64 hexadecimal digits and a NUL */

int ecrb_sha256_new(ecrb_sha256 **out);
void ecrb_sha256_free(ecrb_sha256 *hash);

/* The digest of a text. */
void ecrb_sha256_text(ecrb_sha256 *hash, ecrb_span text,
                      char out[ECRB_SHA256_TEXT]);

/* The same in pieces; about how many bytes will come decides what hashes them.
** end is false where the library that hashed them failed. */
void ecrb_sha256_begin(ecrb_sha256 *hash, size_t expected);
void ecrb_sha256_add(ecrb_sha256 *hash, ecrb_span piece);
bool ecrb_sha256_end(ecrb_sha256 *hash, char out[ECRB_SHA256_TEXT]);

/* }==================================================================== */

/* {====================================================================
** EC numbers. a.b.c.d is a path of four levels; a shorter one (`1.1.1.-`,
** `1.1.1`) names an inner node and is never a leaf.
** ===================================================================== */

enum ecrb_ec_kind {
  ECRB_EC_PLAIN,        /* 2.7.1.1 */
  ECRB_EC_PRELIMINARY,  /* 2.1.1.n7: an IUBMB number to be, level 4 only */
  ECRB_EC_BRENDA        /* 2.4.2.B21: BRENDA's own, never a leaf of the tree */
};

#define ECRB_LEVELS 4 /* what has so many parts may be a leaf */

typedef struct ecrb_ec {
  uint32_t part[ECRB_LEVELS]; /* parts beyond `depth` are 0 */
  uint8_t depth;              /* 0 (the root) .. ECRB_LEVELS */
  uint8_t kind;               /* of the fourth part */
} ecrb_ec;

#define ECRB_EC_TEXT 48 /* room for any formatted EC number */

/* Reads one whole EC number: `1.2.3.4`, `1.2.3.n4`, `1.2.3.B4`, `1.2.3.-`,
** `1.2`, each with an optional `EC`, `EC:` or `EC ` before it, in any case,
** and blanks around. Refused (ECRB_EFORMAT): more than four parts, empty
** parts, leading zeros, a number after a dash, `n` or `B` elsewhere than at
** level 4, parts above 99999, trailing dots, anything else. */
int ecrb_ec_parse(const char *text, size_t n, ecrb_ec *out);

/* Reads a list separated by `;` or `,` with optional blanks, into out[cap].
** `*count` is the number in the text even where it exceeds cap (then
** ECRB_ELIMIT). An empty text is an empty list. */
int ecrb_ec_list_parse(const char *text, size_t n, ecrb_ec *out, size_t cap,
                       size_t *count);

/* The one spelling that ecrb writes: four parts, `-` where nothing is
** committed: `2.5.1.-`; the root is `-.-.-.-`. Returns `text`. */
char *ecrb_ec_format(ecrb_ec ec, char text[ECRB_EC_TEXT]);

/* The node of that level above an EC number; itself where it is not deeper, the
** root for a level below 1. */
ecrb_ec ecrb_ec_prefix(ecrb_ec ec, int level);

bool ecrb_ec_equal(ecrb_ec a, ecrb_ec b);

/* EC order: numeric by part, an inner node before what stands under it,
** plain before preliminary before BRENDA at level 4. */
int ecrb_ec_compare(ecrb_ec a, ecrb_ec b);

/* How many leading parts agree (0..4); 1.1.1.1 and 1.1.1.n1 share three. */
int ecrb_ec_shared(ecrb_ec a, ecrb_ec b);

/* }==================================================================== */

/* {====================================================================
** The EC tree. Nodes are numbered by level and, within a level, in EC order,
** so the nodes of a level and the children of a node are ranges.
**
**        0                                       root
**        1 .. 7                                  level 1
**        8 .. 80                                 level 2, children of 1 first
** ===================================================================== */

typedef struct ecrb_tree ecrb_tree;
typedef int32_t ecrb_node;
#define ECRB_ROOT 0
#define ECRB_NO_NODE (-1)

typedef struct ecrb_range {
  ecrb_node first;
  int32_t count;
} ecrb_range;

/* Builds the tree over `n` leaves (any order, duplicates allowed). A leaf of
** depth below 4 or of BRENDA kind is ECRB_EARG and is named. */
int ecrb_tree_new(const ecrb_ec *leaves, size_t n, ecrb_tree **out,
                  ecrb_err *err);
void ecrb_tree_free(ecrb_tree *tree);

/* The node of `ec`, or ECRB_NO_NODE. */
ecrb_node ecrb_tree_find(const ecrb_tree *tree, ecrb_ec ec);

/* Of a number that is no node: the root's EC, level -1, ECRB_NO_NODE, and no
** children. The root has no parent either. */
ecrb_ec ecrb_tree_ec(const ecrb_tree *tree, ecrb_node node);
int ecrb_tree_level(const ecrb_tree *tree, ecrb_node node);
ecrb_node ecrb_tree_parent(const ecrb_tree *tree, ecrb_node node);
ecrb_range ecrb_tree_children(const ecrb_tree *tree, ecrb_node node);

/* All nodes of a level, 0..ECRB_LEVELS, which are the leaves; none of any
** other. */
ecrb_range ecrb_tree_nodes(const ecrb_tree *tree, int level);

/* Names are optional; the tree keeps its own copy. ECRB_EARG for what is no
** node, ECRB_ENOMEM. An unnamed node has an empty span. */
int ecrb_tree_set_name(ecrb_tree *tree, ecrb_node node, ecrb_span name);
ecrb_span ecrb_tree_name(const ecrb_tree *tree, ecrb_node node);

/* }==================================================================== */

/* {====================================================================
** A benchmark: a directory of tab-separated files with a header line each
** (data/README.md has every column). Opening maps ec.tsv and items.tsv;
** evidence.tsv and labels.tsv are read at their first use. Everything that
** is read is checked whole: a bad row is named by file, line and field.
** ===================================================================== */

typedef struct ecrb_bench ecrb_bench;

typedef struct ecrb_item {
  ecrb_span id;        /* the accession: for people, records and files */
  ecrb_span split;     /* `30`, `30-50`, `price`, `promiscuous`, or any other */
  ecrb_span shown;     /* the anonymized id: the only name a model may see */
  ecrb_span sequence;  /* upper-case letters; of a reaction: empty */
  ecrb_span reaction;  /* as SMILES, `A.B>>C.D`; of a protein: empty */
  ecrb_span equation;  /* the reaction in words, or empty */
  ecrb_span text;      /* what a database says about it, or empty */
  bool visible;        /* control subset: `shown` is the accession itself */
  uint32_t ordinal;    /* 1-based within its split: price/3 */
} ecrb_item;           /* spans belong to the benchmark */

/* `seed` is the benchmark's own (bench.json names it; this side reads no
** JSON); candidates depend on it. ECRB_EIO where a file is missing or refused
** by the system, ECRB_EFORMAT where one is bad. */
int ecrb_bench_open(const char *dir, uint64_t seed, ecrb_bench **out,
                    ecrb_err *err);
void ecrb_bench_close(ecrb_bench *bench);

const ecrb_tree *ecrb_bench_tree(const ecrb_bench *bench);
uint64_t ecrb_bench_seed(const ecrb_bench *bench);
size_t ecrb_bench_size(const ecrb_bench *bench);

/* Whether the items are reactions: items.tsv has a column `reaction` where one
** of proteins has `sequence`. */
bool ecrb_bench_reactions(const ecrb_bench *bench);

/* The item at a position of items.tsv, 0-based; ECRB_EARG beyond the end. */
int ecrb_bench_item(const ecrb_bench *bench, size_t index, ecrb_item *out);

/* The position of the item with that id, anonymized id, or `split/ordinal`;
** ECRB_ENONE if there is none. */
int ecrb_bench_find(const ecrb_bench *bench, ecrb_span name, size_t *index);

/* The gold labels, in the order of the file. For the candidate builder and
** the scorer alone: no binding hands them to a script. The array belongs to
** the benchmark and is good until the next call. ECRB_ENONE where the benchmark has no labels.tsv. */
int ecrb_bench_labels(ecrb_bench *bench, size_t index, const ecrb_ec **out,
                      size_t *count, ecrb_err *err);

/* Channels: the six of the paper first, in this order, then whatever else
** the evidence file names, in order of appearance. */
enum {
  ECRB_BLAST,
  ECRB_HMMER,
  ECRB_ESM_KNN,
  ECRB_STRUCTURE,
  ECRB_ACTIVE_SITE,
  ECRB_PFAM, /* registered, never populated */
  ECRB_CHANNELS_MAX = 32
};

/* How many there are, and the name of one; empty for a number that is none. */
int ecrb_bench_channels(ecrb_bench *bench, int *count, ecrb_err *err);
ecrb_span ecrb_bench_channel_name(const ecrb_bench *bench, int channel);

#define ECRB_HIT_ECS 32

typedef struct ecrb_hit {
  ecrb_span neighbour;      /* training enzyme, real id: records only */
  ecrb_span shown;          /* its anonymized id */
  ecrb_ec ec[ECRB_HIT_ECS]; /* what it carries, in EC order */
  int ec_count;
  int rank;                 /* 1 = first in the tool's order */
  double score;             /* the channel's own similarity */
  ecrb_span score_kind;     /* `bits`, `cosine`, `tm`, ... */
  double identity;          /* percent 0..100, NaN where the tool gives none */
  double coverage;          /* percent of the query, or NaN */
  double evalue;            /* or NaN */
} ecrb_hit;                 /* spans belong to the benchmark */

/* Where the hits of an item in one channel stand: what a look-up finds. The
** hits themselves are cut and parsed when they are read. */
typedef struct ecrb_found {
  size_t count;
  size_t first;    /* offset of the first row */
  size_t at, next; /* offset and number, from 0, of the row to come */
} ecrb_found;

/* Finds the hits of an item in one channel. None is a normal answer. */
int ecrb_bench_look_up(ecrb_bench *bench, size_t index, int channel,
                       ecrb_found *out, ecrb_err *err);

/* Hit i, from 0 and below count; best first. Reading in order is cheap, going
** back begins anew. */
int ecrb_bench_hit(ecrb_bench *bench, ecrb_found *found, size_t i,
                   ecrb_hit *out, ecrb_err *err);

/* The hits of an item in one channel, best first, into out[cap]. `*count` is
** how many there are, even beyond cap. None is a normal answer (count 0). */
int ecrb_bench_evidence(ecrb_bench *bench, size_t index, int channel,
                        ecrb_hit *out, size_t cap, size_t *count,
                        ecrb_err *err);

/* }==================================================================== */

/* {====================================================================
** Candidates (M1, M2): what a level offers below the committed node. Depends
** on (benchmark seed, item, level, committed node) alone, so every model and
** method that stands at the same node sees the same list in the same order.
** ===================================================================== */

#define ECRB_CANDIDATES_MAX 64

typedef struct ecrb_candidate_rule {
  int most;              /* 10: list length below level 1, gold included */
  double sibling_share;  /* 0.7: of the distractors, round(share * number)
                            are children of the committed node, the rest
                            strangers of the same level; where one kind runs
                            short the other fills up. 1: siblings only where
                            the tree has them; 0: strangers only */
} ecrb_candidate_rule;

ecrb_candidate_rule ecrb_candidate_rule_default(void);

/* The candidates below `committed` (a node of level 0..3) for the item, into
** out[ECRB_CANDIDATES_MAX]. Level 1 offers every class. A gold node is on the
** list if and only if its parent is `committed`; every other gold node of the
** level is kept off it. A benchmark without labels offers children supported
** by the item's evidence first, then the other children, then strangers.
** ECRB_EARG for a leaf, for `most` outside 2..ECRB_CANDIDATES_MAX. */
int ecrb_candidates(ecrb_bench *bench, size_t index, ecrb_node committed,
                    const ecrb_candidate_rule *rule, ecrb_node *out,
                    size_t *count, ecrb_err *err);

/* }==================================================================== */

/* {====================================================================
** What a sequence says by itself (closed book).
** ===================================================================== */

typedef struct ecrb_descriptors {
  size_t length;
  double weight_kda;              /* average masses + water; U 150.0388,
                                     any other unknown letter 110 */
  double hydropathy;              /* mean Kyte-Doolittle over known letters */
  double hydrophobic_fraction;    /* AILMFWVC */
  size_t longest_hydrophobic_run;
  bool membrane;                  /* a run of 15 or more, or a window of 19
                                     with mean hydropathy of 1.6 or more */
  double positive_fraction;       /* K, R */
  double negative_fraction;       /* D, E */
  int net_charge;                 /* (K+R) - (D+E) */
  char top[3];                    /* the most frequent letters, ties
                                     alphabetical; '\0' where there are fewer */
  double top_fraction[3];
  double entropy_bits;
  bool low_complexity;            /* entropy under 3.5 bits */
} ecrb_descriptors;

/* Over the full length. An empty sequence gives zeros. */
void ecrb_describe(const char *sequence, size_t n, ecrb_descriptors *out);

/* The motif scanner: M3's six patterns, weak priors. PCRE2 with its JIT
** where the system allows one, else PCRE2's interpreter, with the same hits;
** overlapping occurrences all count; x is any letter A to Z. */
#define ECRB_MOTIFS 6

typedef struct ecrb_motif {
  const char *name;     /* `Rossmann fold` */
  const char *pattern;  /* `GxGxxG`, as the paper writes it */
} ecrb_motif;

typedef struct ecrb_motif_hit {
  int motif;      /* index into ecrb_motif_list() */
  size_t at;      /* 1-based */
  size_t length;
} ecrb_motif_hit;

typedef struct ecrb_scanner ecrb_scanner;

const ecrb_motif *ecrb_motif_list(void); /* ECRB_MOTIFS of them */
int ecrb_scanner_new(ecrb_scanner **out, ecrb_err *err);
void ecrb_scanner_free(ecrb_scanner *scanner);

/* All occurrences, motif by motif, each from left to right, into out[cap];
** `*count` is how many there are, even beyond cap. A sequence is upper-case
** letters; any other byte is in no motif. */
int ecrb_scan(ecrb_scanner *scanner, const char *sequence, size_t n,
              ecrb_motif_hit *out, size_t cap, size_t *count, ecrb_err *err);

/* }==================================================================== */

/* {====================================================================
** Votes.
** ===================================================================== */

/* One committed node per level; a level that was not reached has depth 0. */
typedef struct ecrb_path {
  ecrb_ec node[ECRB_LEVELS];
  int depth; /* levels committed; node[0..depth-1] are set */
} ecrb_path;

/* The path of an EC number: its own prefixes. */
ecrb_path ecrb_path_of(ecrb_ec ec);

typedef struct ecrb_consensus {
  ecrb_path path;        /* the deepest accepted prefix */
  double share[ECRB_LEVELS]; /* votes for the leading node / k, per level, also
                                of the level that was refused; 0 below it */
  double winning_share; /* share at the last accepted level, 0 without one */
  bool tied;            /* stopped because the leading nodes tied */
} ecrb_consensus;

/* M4's prefix vote (paper section 4, M4; protocol, "M4's vote"): at level l the
** node that most of the k chains committed is accepted if its share of all k
** is at least tau and it is a child of the node accepted above. A tie of the
** leading nodes is no majority. k of 0 gives an empty consensus. */
void ecrb_prefix_vote(const ecrb_path *chains, size_t k, double tau,
                      ecrb_consensus *out);

typedef struct ecrb_ballot {
  ecrb_ec ec;     /* complete or partial; partial ones are no vote */
  double weight;  /* 1, or bits, 1/rank, ... */
} ecrb_ballot;

/* The EC with the largest sum of weights; a tie goes to the one met first.
** Sums that differ by rounding alone (a relative 1e-12: 1/2 + 1/3 + 1/6
** against 1) are a tie. ECRB_ENONE where no ballot holds a complete EC,
** ECRB_EARG where a weight is negative, infinite or no number. `*sum`,
** `*total` (each may be NULL) receive the winner's weight and that of all
** votes. */
int ecrb_neighbour_vote(const ecrb_ballot *ballots, size_t n, ecrb_ec *out,
                        double *sum, double *total);

/* }==================================================================== */

/* {====================================================================
** Scores (protocol, "The scores").
** ===================================================================== */

typedef struct ecrb_prediction {
  ecrb_path path;      /* node committed per level, not always a chain: a walk
                          may have picked a stranger */
  bool may_stop;       /* a cascade: stopping early is a valid answer */
  bool answered;       /* false: no EC could be read, or an abstention */
  double confidence;   /* reported with the last step taken; NaN: none */
} ecrb_prediction;

typedef struct ecrb_item_score {
  bool correct[ECRB_LEVELS]; /* ori_acc per level, any label */
  bool node_correct;   /* the deepest committed node is a gold prefix */
  bool exists;         /* the deepest committed node stands in the tree */
  bool valid;          /* valid-EC */
  int depth;           /* committed levels */
  int common, predicted, gold; /* |P and Y|, |P|, |Y| */
  double hp, hr, hf;
  double confidence;
} ecrb_item_score;

/* Scores one prediction against its labels, which are of depth 4, n_labels
** >= 1. A level is correct by the node committed at that level; hp, hr and hf
** come from the deepest node and its ancestors against the labels and all
** their ancestors, the root left out.
**
** Valid is, where the method may stop, any node of the tree or nothing at
** all; elsewhere a leaf of the tree alone. So a free-text `1.1.1.-` is
** committed to level 3 and scores there, but it is no valid EC number: the
** protocol grants inner nodes to methods that may stop early. `exists` is the
** other reading (any node of the tree, whatever the method). */
void ecrb_score_item(const ecrb_tree *tree, const ecrb_ec *labels,
                     size_t n_labels, const ecrb_prediction *prediction,
                     ecrb_item_score *out);

/* Means over n scored items; all 0 for n = 0 but `precision`, which is NaN
** where no item reaches level 4. */
typedef struct ecrb_summary {
  double accuracy[ECRB_LEVELS]; /* by level */
  double valid;
  double hp, hr, hf;   /* means of the items' own, not F of the means */
  double depth;        /* avg_commit */
  double reach;        /* share committed to level 4 */
  double precision;    /* full-EC precision: correct among these */
} ecrb_summary;

void ecrb_score_mean(const ecrb_item_score *scores, size_t n,
                     ecrb_summary *out);

typedef struct ecrb_prf {
  double precision, recall, f1;
} ecrb_prf;

/* Micro-averaged hierarchical scores: the sums of |P and Y|, |P| and |Y| over
** the items, then one division each; 0 where the divisor is. */
void ecrb_score_micro(const ecrb_item_score *scores, size_t n, ecrb_prf *out);

/* A whole set of predicted EC numbers against the label set. An EC that
** stands twice on either side counts once; a partial EC is its inner node and
** equals no label. All 0 for an empty prediction. */
typedef struct ecrb_set_score {
  double precision, recall, f1;
  bool exact;
} ecrb_set_score;

void ecrb_score_set(const ecrb_ec *labels, size_t n_labels,
                    const ecrb_ec *predicted, size_t n_predicted,
                    ecrb_set_score *out);

/* CARE's own rule, k = 1 (CARE's Task 1 evaluation): per label the best match
** over the pool of predicted texts, a text without exactly three dots counts
** as 0.0.0.0, parts compare as strings; out[l] is the mean over labels, 0
** without labels. An empty pool is one 0.0.0.0. */
void ecrb_score_care(const ecrb_span *labels, size_t n_labels,
                     const ecrb_span *pool, size_t n_pool,
                     double out[ECRB_LEVELS]);

/* }==================================================================== */

/* {====================================================================
** Figures over many items. Weights are multiplicities, as ecrb_resample
** draws them; NULL weights count every item once.
** ===================================================================== */

/* The classes that a label set names: bit c - 1 for class c, 1 to 32. */
uint32_t ecrb_classes(const ecrb_ec *labels, size_t n_labels);

/* Mean of `value` within each class, averaged with equal weight over the
** classes present, whose number goes to `*present` (may be NULL). An item
** belongs to every class in its set. 0 where no class is present. */
double ecrb_macro(const double *value, const uint32_t *classes,
                  const uint32_t *weight, size_t n, int *present);

/* Stated confidences and whether they were right. */
typedef struct ecrb_confidences {
  const double *confidence; /* in [0, 1]; NaN: none was reported */
  const bool *correct;
  size_t n;
} ecrb_confidences;

/* Expected calibration error over ten equal bins of [0, 1]. A bin holds its
** right edge and 0 goes to the first, or with `left_edges` its left edge and 1
** goes to the last. A confidence within 1e-10 of an edge is on it: 0.1 + 0.2 is
** in the third bin. Items without a confidence (NaN) are left out; NaN where
** none is left, or where a confidence is outside [0, 1]. `bins`, if not NULL,
** receives ten of them. */
#define ECRB_BINS 10

typedef struct ecrb_bin {
  size_t n;
  double confidence;  /* mean, 0 for an empty bin */
  double accuracy;    /* mean */
} ecrb_bin;

double ecrb_ece(const ecrb_confidences *items, const uint32_t *weight,
                bool left_edges, ecrb_bin *bins);

/* Temperature scaling. The fit is the T in [1/20, 20] that minimizes the
** negative log likelihood of sigmoid(logit(confidence) / T); confidences are
** first held off 0 and 1 by 1e-6. Items without a confidence are left out; 1
** where none is left, and where all are 1/2. */
double ecrb_temperature_fit(const ecrb_confidences *items,
                            const uint32_t *weight);
double ecrb_temperature_apply(double confidence, double temperature);

/* Items by confidence descending, items without one last, into order[n]. */
void ecrb_rank(const double *confidence, size_t n, uint32_t *order);

/* Area under the risk-coverage curve: mean of the n selective risks, items by
** confidence descending, equal confidences share their mean risk, items
** without a confidence last as one tie. 0 for n = 0. `ecrb_aurc_ranked` takes
** the order that ecrb_rank left and what ecrb_harmonic wrote for the sum of the
** weights, and allocates nothing. */
int ecrb_aurc(const ecrb_confidences *items, double *out);
double ecrb_aurc_ranked(const ecrb_confidences *items, const uint32_t *order,
                        const uint32_t *weight, const double *harmonic);

/* The harmonic numbers 1 + 1/2 + ... + 1/k, for k from 0 to n. */
void ecrb_harmonic(double *harmonic, size_t n);

/* The curve itself: risk[k - 1] is 1 - accuracy of the k most confident. */
void ecrb_risk_curve(const ecrb_confidences *items, const uint32_t *order,
                     double *risk);

/* Accuracy of the ceil(coverage * n) most confident items, read off a curve;
** `coverage` in (0, 1], else NaN; NaN for n = 0. */
double ecrb_selective_accuracy(const double *risk, size_t n, double coverage);

/* The same without the curve, over items counted weight[i] times (NULL: once);
** `order` as of ecrb_rank. */
double ecrb_selective_ranked(const ecrb_confidences *items,
                             const uint32_t *order, const uint32_t *weight,
                             double coverage);

/* }==================================================================== */

/* {====================================================================
** Intervals. One generator, ecrb_rng_seed(seed): replicates in order, n draws
** each, so that every function here draws the same resamples.
** ===================================================================== */

/* Paired bootstrap: `replicates` resamples of the n rows, one draw of indices
** serving all columns; out[r * columns + c] is the mean of column c in
** replicate r: the sum in the order of the draws, divided by n. Rows are
** row-major. ECRB_EARG for no rows or more than UINT32_MAX. */
int ecrb_bootstrap(const double *rows, size_t n, size_t columns,
                   size_t replicates, uint64_t seed, double *out,
                   ecrb_err *err);

/* Items as rows of numbers. Of many items most share what they have: then item
** i has row row_of[i] of n_rows. Where row_of is NULL, each has its own. */
typedef struct ecrb_sample {
  const double *rows; /* row-major */
  size_t n_rows;
  const uint32_t *row_of;
  size_t n, columns;
} ecrb_sample;

/* ecrb_bootstrap of such items: to the last bit what it gives for a row each. */
int ecrb_bootstrap_sample(const ecrb_sample *items, size_t replicates,
                          uint64_t seed, double *out, ecrb_err *err);

/* The same resamples, as multiplicities: weight[i] times item i. */
void ecrb_resample(ecrb_rng *rng, uint32_t *weight, size_t n);

/* For statistics that are not means (ECE, macro-L4, AURC): out[r] is
** statistic(data, multiplicities of replicate r). */
typedef double ecrb_statistic(const void *data, const uint32_t *weight);

int ecrb_bootstrap_statistic(ecrb_statistic *statistic, const void *data,
                             size_t n, size_t replicates, uint64_t seed,
                             double *out, ecrb_err *err);

/* Resamples kept for many statistics over equally many items: the same as
** those that the functions above draw one by one. They take 8 bytes an item and
** replicate. */
typedef struct ecrb_draws ecrb_draws;

int ecrb_draws_new(size_t n, size_t replicates, uint64_t seed,
                   ecrb_draws **out, ecrb_err *err);
void ecrb_draws_free(ecrb_draws *draws);

/* ecrb_bootstrap, ecrb_bootstrap_sample and ecrb_bootstrap_statistic over
** draws. */
int ecrb_draws_means(const ecrb_draws *draws, const double *rows,
                     size_t columns, double *out, ecrb_err *err);
int ecrb_draws_sample(const ecrb_draws *draws, const ecrb_sample *items,
                      double *out, ecrb_err *err);
void ecrb_draws_statistic(const ecrb_draws *draws, ecrb_statistic *statistic,
                          const void *data, double *out);

/* Items that a statistic cannot tell apart share a cell: those that agree in
** two numbers (NaN agrees with NaN). Confidences and scores take few values, so
** a bootstrap over cells costs a fraction of one over items. Numbers the cells
** from 0 in ascending order into cell[n] and returns how many there are;
** order[n] are the items cell by cell, and the last of cell c stands before
** order[end[c]], for end[n]. */
size_t ecrb_cells(const double *first, const double *second, size_t n,
                  uint32_t *cell, uint32_t *order, uint32_t *end);

/* A statistic over cells as one over items: ecrb_cells_statistic of an
** ecrb_grouped adds the items' weights up by cell and hands them on. */
typedef struct ecrb_grouped {
  ecrb_statistic *statistic; /* over the cells */
  const void *data;
  const uint32_t *order;     /* the items, cell by cell */
  const uint32_t *end;       /* of each cell in that order */
  size_t cells;
  uint32_t *weight;          /* room for the weight of each cell */
} ecrb_grouped;

double ecrb_cells_statistic(const void *data, const uint32_t *weight);

/* Type-7 quantile of values[n], which it puts in another order; p in [0, 1].
** NaN for n = 0. NaN values rank last. */
double ecrb_quantile(double *values, size_t n, double p);

/* The central interval that holds `level` (0.95) of values[n], which it puts in
** another order: the type-7 quantiles (1 - level) / 2 and (1 + level) / 2. */
void ecrb_interval(double *values, size_t n, double level, double *low,
                   double *high);

/* Wilson 95% interval of `hits` in `n`; [0, 1] for n = 0. */
void ecrb_wilson(size_t hits, size_t n, double *low, double *high);

/* }==================================================================== */

/* {====================================================================
** Comparing two runs over their common items.
** ===================================================================== */

typedef struct ecrb_difference {
  double mean;         /* of a - b */
  double low, high;    /* 95% percentile interval */
  double low90, high90; /* 90%: two one-sided tests at 5% each */
  double p;            /* two-sided, of no difference */
  double error;        /* standard error: deviation of the replicates */
  double detectable;   /* true difference found with 80% power by a two-sided
                          5% test: (1.96 + 0.84) * error */
} ecrb_difference;

/* What `replicates` bootstrap means of a difference column say; they are
** sorted in place. p is 2 min(1 + #(<= 0), 1 + #(>= 0)) / (1 + replicates), at
** most 1, where |x| < 1e-12 is 0. */
void ecrb_difference_of(double mean, double *replicates, size_t n,
                        ecrb_difference *out);

/* The whole of it for one column: item i scored a[i] in one run, b[i] in the
** other. */
int ecrb_compare(const double *a, const double *b, size_t n,
                 size_t replicates, uint64_t seed, ecrb_difference *out,
                 ecrb_err *err);

/* Equivalent within a margin that was stated beforehand: the 90% interval lies
** inside (-margin, margin). */
bool ecrb_equivalent(const ecrb_difference *difference, double margin);

/* McNemar's test, exact: `first` items only the first run has right, `second`
** only the second. Two-sided binomial p, and its mid-p variant. */
double ecrb_mcnemar(size_t first, size_t second);
double ecrb_mcnemar_mid(size_t first, size_t second);

/* Student's t with `df` degrees of freedom, which need not be whole: the
** two-sided p of t, and the t whose two-sided p is `p`. NaN for df <= 0 and for
** p outside (0, 1). */
double ecrb_student_p(double t, double df);
double ecrb_student_critical(double p, double df);

/* Holm's step-down adjustment of a family of p values, in place. ECRB_EARG,
** and nothing changed, where one is outside [0, 1]. */
int ecrb_holm(double *p, size_t n);

/* }==================================================================== */

/* {====================================================================
** A journal: an append-only file of JSON lines, each beginning with
** {"key":"...". It is log, cache and cassette at once. The key stands first
** so that this side can index lines without reading JSON.
** ===================================================================== */

typedef struct ecrb_journal ecrb_journal;

#define ECRB_JOURNAL_KEY 255 /* bytes of the longest key */

enum ecrb_journal_mode {
  ECRB_JOURNAL_READ,  /* a torn last line is passed over */
  ECRB_JOURNAL_APPEND /* creates the file; a torn last line is cut off */
};

typedef struct ecrb_journal_state {
  size_t lines;      /* whole lines */
  size_t torn;       /* bytes of a torn last line that were dropped */
} ecrb_journal_state;

/* A whole line that does not begin with a key (no escapes, no control
** characters), or a key that stands twice, is ECRB_EFORMAT by file and line.
** Reading what is not there is ECRB_ENONE; appending where another process
** appends is ECRB_EBUSY. `state` may be NULL. */
int ecrb_journal_open(const char *path, enum ecrb_journal_mode mode,
                      ecrb_journal **out, ecrb_journal_state *state,
                      ecrb_err *err);
void ecrb_journal_close(ecrb_journal *journal);

/* Writes `line` (no newline or NUL in it, beginning with {"key":"<key>") in one
** write; a short write is undone. A key that stands already is ECRB_EARG: what
** is recorded is never overwritten. */
int ecrb_journal_append(ecrb_journal *journal, ecrb_span line, ecrb_err *err);

/* The same for a line in pieces. */
int ecrb_journal_append_pieces(ecrb_journal *journal, const ecrb_span *pieces,
                               size_t n, ecrb_err *err);

/* The same for a line that nobody will ask for before the journal is opened
** again: it takes no memory, its key is not compared with others, and nothing is
** appended otherwise behind it. */
int ecrb_journal_append_unseen(ecrb_journal *journal, const ecrb_span *pieces,
                               size_t n, ecrb_err *err);

/* The line of `key`, without newline, in memory that is good until the next
** call on this journal; ECRB_ENONE if there is none. */
int ecrb_journal_find(ecrb_journal *journal, ecrb_span key, ecrb_span *line,
                      ecrb_err *err);

/* Its number. */
int ecrb_journal_number(ecrb_journal *journal, ecrb_span key, size_t *number,
                        ecrb_err *err);

/* The lines in file order, 0-based. */
size_t ecrb_journal_count(const ecrb_journal *journal);
int ecrb_journal_line(ecrb_journal *journal, size_t number, ecrb_span *line,
                      ecrb_err *err);

/* Whether the file of a journal that is open for appending is still what was
** written: ECRB_EFORMAT where it was removed, cut or added to meanwhile. */
int ecrb_journal_check(const ecrb_journal *journal, ecrb_err *err);

/* Asks the system to put what was written on the disk. Never called on an
** event loop's path by the library itself. */
int ecrb_journal_sync(ecrb_journal *journal, ecrb_err *err);

/* From now on a thread puts appended lines on the disk, as soon as one has
** waited `ms` or `lines` of them wait; so much, and what comes while the disk is
** at work, is lost when the machine fails. (When only the process is killed,
** nothing is.) Appending after the disk has failed is ECRB_EIO. The thread ends,
** with all lines kept, when the journal is closed. A kept journal is not
** rewritten. */
int ecrb_journal_keep(ecrb_journal *journal, long ms, size_t lines,
                      ecrb_err *err);

/* How many lines that thread has put on the disk; ECRB_EIO where it failed. */
int ecrb_journal_kept(ecrb_journal *journal, size_t *lines, ecrb_err *err);

/* The key of a line, or of a piece of it from its beginning that is longer
** than any key; false where there is none. */
bool ecrb_journal_key(ecrb_span line, ecrb_span *key);

/* Rewrites the file with its lines in the given order (a permutation of
** 0..count-1), beside it and renamed over it. */
int ecrb_journal_reorder(ecrb_journal *journal, const uint32_t *order,
                         ecrb_err *err);

/* The same with other lines in place of some: `instead` has one span for each
** line of the file; where its `at` is not NULL it takes the place of the line
** of that number, whose key it must have. So no key is ever lost. NULL: none. */
int ecrb_journal_rewrite(ecrb_journal *journal, const uint32_t *order,
                         const ecrb_span *instead, ecrb_err *err);

/* }==================================================================== */

/* {====================================================================
** HTTP: many requests at once over one curl multi handle and one epoll.
** libcurl is loaded at the first request, so that commands that make none do
** not pay for it. HTTP/1.1, keep-alive, no redirects, certificates checked.
** ===================================================================== */

typedef struct ecrb_http ecrb_http;

typedef struct ecrb_http_limits {
  long connect_ms;      /* 10,000 */
  long first_byte_ms;   /* 600,000: until the first byte that is not blank */
  long idle_ms;         /* 0 = off: between two bytes, after the first */
  long total_ms;        /* 900,000 */
  size_t body_bytes;    /* 64 MiB: a longer body ends the transfer */
  long connections;     /* 0 = no limit of libcurl's own */
} ecrb_http_limits;

ecrb_http_limits ecrb_http_limits_default(void);

enum ecrb_http_end {
  ECRB_HTTP_DONE,        /* a whole response, whatever its status */
  ECRB_HTTP_DNS,         /* the name does not resolve */
  ECRB_HTTP_CONNECT,     /* refused, unreachable, or connect time-out */
  ECRB_HTTP_TLS,         /* certificate or handshake refused */
  ECRB_HTTP_RESET,       /* closed or reset before the first byte */
  ECRB_HTTP_CUT,         /* closed or reset inside the response */
  ECRB_HTTP_FIRST_BYTE,  /* the first useful byte did not come in time */
  ECRB_HTTP_IDLE,
  ECRB_HTTP_TOTAL,
  ECRB_HTTP_TOO_LARGE,
  ECRB_HTTP_OTHER
};

typedef struct ecrb_http_response {
  uint64_t ticket;              /* as given by ecrb_http_start */
  enum ecrb_http_end end;
  long status;                  /* 0 where no status line came */
  ecrb_span body;               /* so much as came */
  ecrb_span headers;            /* raw header lines, CRLF-separated */
  double first_byte_s, total_s; /* from the start of the transfer, in whole
                                   microseconds; the first is 0 where no useful
                                   byte came */
  char detail[256];             /* libcurl's words, for people */
} ecrb_http_response;

int ecrb_http_new(const ecrb_http_limits *limits, ecrb_http **out,
                  ecrb_err *err);
void ecrb_http_free(ecrb_http *http); /* ends what is under way */

/* Trusts the certificates of a PEM file instead of the system's: a server in
** the laboratory often signs its own. For all requests that follow. */
int ecrb_http_trust(ecrb_http *http, const char *path, ecrb_err *err);

/* Starts a POST (body not NULL) or a GET. What answers a POST is decoded where
** its server compressed it, which is not asked for; what answers a GET may be a
** part of a file and stays as it is. `headers` is a NULL-terminated list
** of `Name: value`. All is copied but the body, whose bytes must stay until the
** response is handed out or the request cancelled. No header value ever stands
** in a message. `proxy` is explicit: NULL or "" is none, whatever the environment
** says. The low 32 bits of the ticket number what is under way, from 1 up and
** used again, so that an array can hold what belongs to it. */
int ecrb_http_start(ecrb_http *http, const char *url,
                    const char *const *headers, const ecrb_span *body,
                    const char *proxy, uint64_t *ticket, ecrb_err *err);

/* Ends a transfer whose answer nobody wants; it is never reported. */
void ecrb_http_cancel(ecrb_http *http, uint64_t ticket);

/* Waits until a transfer ends or `timeout_ms` passed (-1: no limit) and hands
** out one ended transfer: ECRB_OK, or ECRB_ENONE on time-out, or when nothing
** is under way, or after ecrb_http_wake. The response's memory is good until
** the next call. */
int ecrb_http_wait(ecrb_http *http, long timeout_ms, ecrb_http_response *out,
                   ecrb_err *err);

/* For who waits for something other than requests: until ecrb_http_wake, a
** signal, or `timeout_ms` (-1: no limit). */
void ecrb_http_rest(ecrb_http *http, long timeout_ms);

/* Makes ecrb_http_wait or ecrb_http_rest return, the next one where none waits:
** safe in a signal handler and in any thread. */
void ecrb_http_wake(ecrb_http *http);

size_t ecrb_http_under_way(const ecrb_http *http);

/* }==================================================================== */

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif
