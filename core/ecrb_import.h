/* ecrb_import.h: reading the field's files, and writing a benchmark.
**
** The second public header of core/, in the manner of ecrb.h: readers that
** stream (lines, FASTA, delimited tables, hit tables), the choice of hits, the
** difficulty of items, and the builder that writes a benchmark's files. The
** readers take plain or gzip'ed files alike, hold one record at a time, and name
** file, line, field, reason and remedy when they refuse. A span that a reader
** hands out is good until the next call on that reader.
*/
#ifndef ECRB_IMPORT_H
#define ECRB_IMPORT_H

#include "ecrb.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__ /* a shared library shows these and nothing else */
#pragma GCC visibility push(default)
#endif

/* {====================================================================
** Lines of a text file. Ends are LF or CRLF, the last one may be missing, a
** UTF-8 byte order mark is passed over. A directory, a NUL byte, a truncated
** or damaged gzip file and a line longer than the limit are refused.
** ===================================================================== */

#define ECRB_LINE_MAX (4u << 20) /* bytes of a line, of a record */

typedef struct ecrb_lines ecrb_lines;

int ecrb_lines_open(const char *path, ecrb_lines **out, ecrb_err *err);
void ecrb_lines_close(ecrb_lines *lines);

/* The next line without its end; ECRB_ENONE after the last one. */
int ecrb_lines_next(ecrb_lines *lines, ecrb_span *line, ecrb_err *err);

/* The 1-based number of the line that was handed out last. */
size_t ecrb_lines_number(const ecrb_lines *lines);
const char *ecrb_lines_path(const ecrb_lines *lines);

/* Fills `err` with `file:line: ` and the message; returns `code`. */
int ecrb_lines_fail(const ecrb_lines *lines, ecrb_err *err, int code,
                    const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* }==================================================================== */

/* {====================================================================
** FASTA. Letters are made upper-case, a terminal `*` is cut off, blanks,
** digits, `-` and `.` are left out; each is told in the record. An inner `*`
** is kept, and told. Anything else in a sequence is refused.
** ===================================================================== */

typedef struct ecrb_fasta ecrb_fasta;

typedef struct ecrb_record {
  ecrb_span id;          /* the first word of the header, never empty */
  ecrb_span description; /* the rest of it */
  ecrb_span sequence;    /* may be empty */
  size_t line;           /* of the header */
  size_t removed;        /* characters that were left out */
  size_t stops;          /* inner `*` */
  bool lowered;          /* some letters were lower-case */
  bool terminated;       /* a terminal `*` was cut off */
} ecrb_record;

int ecrb_fasta_open(const char *path, ecrb_fasta **out, ecrb_err *err);
void ecrb_fasta_close(ecrb_fasta *fasta);

/* The next record; ECRB_ENONE after the last one. */
int ecrb_fasta_next(ecrb_fasta *fasta, ecrb_record *out, ecrb_err *err);

/* What a FASTA file holds, found out before work on it begins. */
typedef struct ecrb_survey {
  size_t records;
  size_t residues; /* of the records that do not repeat an earlier one */
  size_t empty;    /* records without a residue */
  size_t odd;      /* records whose letters were changed: see ecrb_record */
  size_t *repeats; /* records, counted from 0, that repeat an earlier one */
  size_t n_repeats;
  char sha256
      [ECRB_SHA256_TEXT]; /* over ids and sequences, however their lines are cut */
} ecrb_survey;

/* Reads the whole file. One id with two different sequences, and a control
** character in an id, are refused; an id that comes again with its sequence is
** counted. Keeps 24 bytes and the id of every record meanwhile. */
int ecrb_fasta_survey(const char *path, ecrb_survey *out, ecrb_err *err);
void ecrb_survey_free(ecrb_survey *survey);

/* }==================================================================== */

/* {====================================================================
** UniProt's flat files (Swiss-Prot, TrEMBL), entry by entry.
** ===================================================================== */

typedef struct ecrb_entries ecrb_entries;

typedef struct ecrb_entry {
  ecrb_span name;      /* AAT_RABIT */
  ecrb_span accession; /* the first one */
  ecrb_span ecs;       /* of the description, complete or not, joined by `;` */
  ecrb_span sequence;  /* upper-case letters, as many as the ID line says */
  char created[11];    /* 2011-06-28, when the entry came into the database */
  size_t line;         /* of its ID line */
} ecrb_entry;

int ecrb_entries_open(const char *path, ecrb_entries **out, ecrb_err *err);
void ecrb_entries_close(ecrb_entries *entries);

/* The next entry; ECRB_ENONE after the last one. */
int ecrb_entries_next(ecrb_entries *entries, ecrb_entry *out, ecrb_err *err);

/* }==================================================================== */

/* {====================================================================
** Delimited tables with a header line: comma (RFC 4180: quotes, doubled
** quotes, line ends inside quotes) or tab (no quoting). Columns are found by
** name; an empty name is legal, a name that stands twice cannot be asked for.
** Every row has as many fields as the header; blank lines are passed over.
** ===================================================================== */

typedef struct ecrb_table ecrb_table;

/* `separator` is `,` or tab, or 0: tab if the header holds one, else comma. */
int ecrb_table_open(const char *path, char separator, ecrb_table **out,
                    ecrb_err *err);
void ecrb_table_close(ecrb_table *table);

/* The columns in the order of the header; the name belongs to the table. */
size_t ecrb_table_columns(const ecrb_table *table);
ecrb_span ecrb_table_column(const ecrb_table *table, size_t column);

/* The position of the column of that name. ECRB_ENONE, with the columns that
** there are in the message, where it is missing; ECRB_EFORMAT where two bear
** it. */
int ecrb_table_find(const ecrb_table *table, const char *name, size_t *column,
                    ecrb_err *err);

/* The next row: `*fields` has ecrb_table_columns() of them; ECRB_ENONE after
** the last one. */
int ecrb_table_next(ecrb_table *table, const ecrb_span **fields, ecrb_err *err);

/* Where the row that was handed out last begins. */
size_t ecrb_table_line(const ecrb_table *table);
const char *ecrb_table_path(const ecrb_table *table);

/* }==================================================================== */

/* {====================================================================
** Hit tables, one row at a time.
** ===================================================================== */

enum ecrb_hit_format {
  ECRB_HITS_TABULAR,  /* BLAST or DIAMOND outfmt 6 and 7, MMseqs and Foldseek
                        m8: tab-separated, columns declared, or named by the
                        file itself (`# Fields:`, a header line) */
  ECRB_HITS_HMMER,    /* HMMER --tblout or --domtblout, told apart by the header
                      line or, without one, by the fifth field; the domains of
                      a target are one hit with its full-sequence score, its
                      coverage that of all of them */
  ECRB_HITS_FOLDDISCO /* Folddisco's TSV, per match or per structure: the score
                         is the number of matched residues, most first, then
                         the smallest RMSD; coverage is that of the motif */
};

/* The twelve columns that outfmt 6 has unless told otherwise. */
#define ECRB_COLUMNS_BLAST                                                     \
  "qseqid sseqid pident length mismatch gapopen qstart qend sstart send "      \
  "evalue bitscore"
/* The twelve of `mmseqs easy-search` and `foldseek easy-search`: identity is a
** fraction. */
#define ECRB_COLUMNS_MMSEQS                                                    \
  "query target fident alnlen mismatch gapopen qstart qend tstart tend "       \
  "evalue bits"

/* Folddisco's without --format-output. */
#define ECRB_COLUMNS_FOLDDISCO                                                 \
  "tid node_count idf rmsd matching_residues query_residues"

typedef struct ecrb_hit_row {
  ecrb_span query, neighbour; /* an empty neighbour: the query was searched and
                                 the file says that nothing was found */
  double score;               /* bits, or what `score` of the layout names */
  double identity, coverage;  /* percent, of the query; NaN where unknown */
  double evalue;              /* or NaN */
  double order; /* the tool's own rank, smaller first, where it is none of
                   these; or NaN */
} ecrb_hit_row;

typedef struct ecrb_hit_layout {
  enum ecrb_hit_format format;
  const char *columns; /* not HMMER: names separated by blanks or commas; NULL
                          for ECRB_COLUMNS_BLAST or _FOLDDISCO */
  const char *score;   /* TABULAR: the column that is the score; NULL for
                          bitscore, or bits */
  const char *query;   /* FOLDDISCO: the item of a file without a column
                          `query`; or NULL */
  bool swapped;        /* the item is the target (hmmscan, reverse searches) */
} ecrb_hit_layout;

typedef struct ecrb_hit_reader ecrb_hit_reader;

int ecrb_hit_reader_open(const char *path, const ecrb_hit_layout *layout,
                         ecrb_hit_reader **out, ecrb_err *err);
void ecrb_hit_reader_close(ecrb_hit_reader *reader);

/* The next row; ECRB_ENONE after the last one. An empty file has none. */
int ecrb_hit_reader_next(ecrb_hit_reader *reader, ecrb_hit_row *row,
                         ecrb_err *err);
size_t ecrb_hit_reader_line(const ecrb_hit_reader *reader);

/* How many fields of the last row were passed over because nobody named them:
** only where the columns are the twelve that outfmt 6 has unless told
** otherwise and the rows hold together as such. */
size_t ecrb_hit_reader_unread(const ecrb_hit_reader *reader);

/* FOLDDISCO: how many rows so far have a residue list that is shorter or longer
** than the motif. */
size_t ecrb_hit_reader_uneven(const ecrb_hit_reader *reader);

/* TABULAR: how many rows so far have one number as alntmscore and as ttmscore,
** if all that have both do: a known fault of Foldseek when the columns are
** asked for in some orders. */
size_t ecrb_hit_reader_same_tm(const ecrb_hit_reader *reader);

/* Who made the table, as far as its comments tell; some stand at its end. */
typedef struct ecrb_hit_maker {
  char tool[64], version[64]; /* empty where nothing is told */
  char command[1024];
} ecrb_hit_maker;

ecrb_hit_maker ecrb_hit_reader_maker(const ecrb_hit_reader *reader);

/* }==================================================================== */

/* {====================================================================
** Names: a set of texts, numbered in the order in which they came.
** ===================================================================== */

typedef struct ecrb_names ecrb_names;

int ecrb_names_new(ecrb_names **out);
void ecrb_names_free(ecrb_names *names);
size_t ecrb_names_count(const ecrb_names *names);

/* The number of `name`, which is added if it is new. `fresh` may be NULL.
** ECRB_ENOMEM; ECRB_ELIMIT after 4,294,967,294 names. */
int ecrb_names_add(ecrb_names *names, ecrb_span name, size_t *index,
                   bool *fresh);
/* Whether it is among them; then its number. */
bool ecrb_names_find(const ecrb_names *names, ecrb_span name, size_t *index);

/* The same, without the decoration of structure files and databases. */
bool ecrb_names_find_plain(const ecrb_names *names, ecrb_span name,
                           size_t *index);

/* The text of a number; good until the next addition. */
ecrb_span ecrb_names_at(const ecrb_names *names, size_t index);

/* }==================================================================== */

/* {====================================================================
** The choice of hits: E-value at most a limit, one hit per neighbour (its best
** HSP), at most so many neighbours, best first. The order is the tool's own
** key (E-value; the score where the file gives no E-value; Folddisco's own),
** ties by bit score, E-value, identity, and neighbour id, whatever the order of
** the file. An id that is unknown is tried again without what tools put around
** it: a folder, `.pdb` or `.cif`, `AF-...-F1-model_v4`, `sp|...|...`, `_A`.
** ===================================================================== */

typedef struct ecrb_hit_limits {
  double evalue; /* 1e-3 */
  int most;      /* 10 */
} ecrb_hit_limits;

ecrb_hit_limits ecrb_hit_limits_default(void);

typedef struct ecrb_chosen {
  uint32_t neighbour; /* number in the training names */
  uint32_t raw;       /* where the file spells an id otherwise: 1 + the number
                         of its spelling (ecrb_hits_raw); else 0 */
  double score, identity, coverage, evalue, order;
} ecrb_chosen;

/* Why a row breaks the inductive rule. */
enum ecrb_intruder_kind {
  ECRB_INTRUDER_SELF,   /* the item itself */
  ECRB_INTRUDER_ITEM,   /* another test item */
  ECRB_INTRUDER_UNKNOWN /* an id that the training set lacks */
};

typedef struct ecrb_intruder {
  enum ecrb_intruder_kind kind;
  ecrb_span neighbour;
  uint32_t item; /* the first item that hit it */
  size_t line;   /* and where */
} ecrb_intruder;

typedef struct ecrb_hits ecrb_hits;

typedef struct ecrb_hits_report {
  size_t rows;      /* all of the file */
  size_t weak;      /* over the E-value limit */
  size_t foreign;   /* of queries that are no items */
  size_t decorated; /* with an id that was known only without decoration */
  size_t searched;  /* items that the file names */
  size_t covered;   /* items with at least one chosen hit */
  size_t tied;      /* items whose two first hits differ in their ids alone */
  size_t chosen;    /* hits in all */
  size_t intruders; /* distinct neighbours that break the rule */
} ecrb_hits_report;

/* `items` and `train` are borrowed for the life of the hits. */
int ecrb_hits_new(const ecrb_names *items, const ecrb_names *train,
                  const ecrb_hit_limits *limits, ecrb_hits **out,
                  ecrb_err *err);
void ecrb_hits_free(ecrb_hits *hits);

/* Takes all rows of the reader. Intruders are collected, not refused: the
** report counts them. */
int ecrb_hits_read(ecrb_hits *hits, ecrb_hit_reader *reader, ecrb_err *err);
ecrb_hits_report ecrb_hits_summary(const ecrb_hits *hits);

/* The chosen hits of an item, best first; the array belongs to `hits`. */
const ecrb_chosen *ecrb_hits_of(const ecrb_hits *hits, size_t item,
                                size_t *count);

/* How the file spells the ids of a hit with a `raw`: the query and the
** neighbour, with a tab between them. */
ecrb_span ecrb_hits_raw(const ecrb_hits *hits, uint32_t raw);

/* The largest identity of any HSP within the E-value limit, also of HSPs that
** were not chosen; 0 without one. */
double ecrb_hits_homology(const ecrb_hits *hits, size_t item);

/* The index-th intruder, in order of appearance; spans belong to `hits`. */
ecrb_intruder ecrb_hits_intruder(const ecrb_hits *hits, size_t index);

/* }==================================================================== */

/* {====================================================================
** Difficulty (the protocol): how hard items are held to be before anybody has
** answered, by tree and training set. Every axis lies in [0, 1]; 1 is hardest.
** ===================================================================== */

typedef struct ecrb_difficulty ecrb_difficulty;

typedef struct ecrb_axes {
  double split;       /* the rating of the item's split; NaN: it has none */
  double tail;        /* how rare the leaf is among the training enzymes */
  double branch;      /* the children of its parent, of the most that one has */
  double distractors; /* siblings on its path: at six or more a level is 1 */
  double d;           /* the mean of the axes that there are */
} ecrb_axes;

/* Over a tree, which is borrowed for as long. No leaf is carried yet. */
int ecrb_difficulty_new(const ecrb_tree *tree, ecrb_difficulty **out,
                        ecrb_err *err);
void ecrb_difficulty_free(ecrb_difficulty *difficulty);

/* So many training enzymes more carry `ec`. What is no leaf of the tree does
** not count. */
void ecrb_difficulty_add(ecrb_difficulty *difficulty, ecrb_ec ec,
                         size_t enzymes);

/* The axes of an item whose first label is `leaf`, in a split with that rating
** (NaN: none), by all that was added. ECRB_EARG where it is no leaf of the
** tree. */
int ecrb_difficulty_axes(const ecrb_difficulty *difficulty, ecrb_ec leaf,
                         double rating, ecrb_axes *out);

/* The bins of all items by the rank of their d, 1 (easiest) to ECRB_D_BINS, into
** bin[n]; of equals the first is the easier one, and the first bins are one
** larger where n does not divide. No d is NaN. ECRB_ENOMEM. */
#define ECRB_D_BINS 5
int ecrb_difficulty_bins(const double *d, size_t n, int *bin);

/* What the evidence leaves open: the mean of 1 - homology / 100 (in percent) and
** of 1 - support, the share of an item's hits that carry one of its labels. */
double ecrb_difficulty_evidence(double homology, double support);

/* `<30`, `30-40`, `40-50`, `50-70` or `>=70`; NULL for NaN. */
const char *ecrb_homology_bin(double homology);

/* }==================================================================== */

/* {====================================================================
** A benchmark under construction. Leaves, items and the training set come
** first, then the evidence, then the files are written. What input can be
** blamed for is refused with ECRB_EFORMAT and a reason without a place: the
** caller knows file and line. Nothing that was refused is kept.
** ===================================================================== */

typedef struct ecrb_builder ecrb_builder;

int ecrb_builder_new(uint64_t seed, ecrb_builder **out, ecrb_err *err);
void ecrb_builder_free(ecrb_builder *builder);

/* A leaf of the EC list. `*fresh` is false for one that stood there before. */
int ecrb_builder_leaf(ecrb_builder *builder, ecrb_ec ec, bool *fresh,
                      ecrb_err *err);

/* Whether a leaf of the EC list is that EC number. */
bool ecrb_builder_lists(const ecrb_builder *builder, ecrb_ec ec);

/* The name of a node of any level; the last one stays. Names of nodes that the
** tree does not have are left out when the files are written. */
int ecrb_builder_name(ecrb_builder *builder, ecrb_ec ec, ecrb_span name,
                      ecrb_err *err);

typedef struct ecrb_new_item {
  ecrb_span id, split;
  ecrb_span sequence;    /* upper-case letters; empty for a reaction */
  ecrb_span reaction;    /* as SMILES; empty for a protein */
  ecrb_span equation;    /* of a reaction, in words, or empty */
  ecrb_span text;        /* of a reaction, or empty */
  const ecrb_ec *labels; /* complete; none in a benchmark without labels */
  size_t n_labels;
} ecrb_new_item;

/* All items of a benchmark are proteins, or all are reactions. */
int ecrb_builder_item(ecrb_builder *builder, const ecrb_new_item *item,
                      ecrb_err *err);

/* Puts the item into the control subset whose real ids a model may see. */
int ecrb_builder_reveal(ecrb_builder *builder, size_t item, ecrb_err *err);

/* A training enzyme and what it carries, complete or not. One that comes again
** (`*fresh` false) carries the union. Never a test item. */
int ecrb_builder_train(ecrb_builder *builder, ecrb_span id, const ecrb_ec *ecs,
                       size_t n, bool *fresh, ecrb_err *err);

/* How hard the items of a split are held to be, 0 to 1: the axis `split` of
** their difficulty. A split without a rating has no such axis. */
int ecrb_builder_rate(ecrb_builder *builder, ecrb_span split, double rating,
                      ecrb_err *err);

/* The names behind the numbers; they belong to the builder. */
const ecrb_names *ecrb_builder_items(const ecrb_builder *builder);
const ecrb_names *ecrb_builder_training(const ecrb_builder *builder);

/* The first item with that very sequence, or reaction; ECRB_ENONE if there is
** none. */
int ecrb_builder_item_with(const ecrb_builder *builder, ecrb_span sequence,
                           size_t *item);

/* Adds the hits of a file to a channel, which is made at its first file;
** `kind` names the score. Items and training set are complete by then. The
** hits belong to the builder. */
int ecrb_builder_evidence(ecrb_builder *builder, const char *channel,
                          const char *kind, const ecrb_hit_limits *limits,
                          ecrb_hit_reader *reader, const ecrb_hits **hits,
                          ecrb_err *err);

/* What a written file holds. */
typedef struct ecrb_written {
  const char *name;
  size_t rows;
  char sha256[ECRB_SHA256_TEXT];
} ecrb_written;

#define ECRB_WRITTEN_MAX 8

/* The anonymized id that a letter, seed and id make after so many collisions
** with earlier ones. */
#define ECRB_ALIAS 9
void ecrb_alias(char letter, uint64_t seed, ecrb_span id, int collisions,
                char out[ECRB_ALIAS + 1]);

/* Whether a hit is nearly the item itself, so that decontamination.tsv lists it:
** by an identity of 90% and a coverage of 80% or more, in percent. Without a
** coverage (NaN) the identity decides, without an identity it is not. */
bool ecrb_near_identical(double identity, double coverage);

/* SHA-256 of a file in hexadecimal. */
int ecrb_file_sha256(const char *path, char out[ECRB_SHA256_TEXT],
                     ecrb_err *err);

/* Writes the tables of data/README.md into an existing folder. Homology is that
** of the channel `blast`, or of the first one where there is none of that name.
** The tree is the list and the labels. Anonymized ids are SHA-256 over `seed NUL
** id NUL`, the first 40 bits in base32, behind Q for items and T for the
** training set; where two meet, the later one is hashed again with a NUL more.
*/
int ecrb_builder_write(ecrb_builder *builder, const char *dir,
                       ecrb_written out[ECRB_WRITTEN_MAX], size_t *count,
                       ecrb_err *err);

/* }==================================================================== */

/* {====================================================================
** Vectors: the rows of a two-dimensional .npy file (NumPy's format, versions
** 1 to 3) of float32 or float16, little-endian, in C order. Nothing is
** unpickled, ever. The file is read by rows and never held whole.
** ===================================================================== */

typedef struct ecrb_npy ecrb_npy;

int ecrb_npy_open(const char *path, ecrb_npy **out, ecrb_err *err);
void ecrb_npy_close(ecrb_npy *npy);

size_t ecrb_npy_rows(const ecrb_npy *npy);
size_t ecrb_npy_columns(const ecrb_npy *npy);
const char *ecrb_npy_path(const ecrb_npy *npy);

/* Rows `first` to `first + count - 1` as float32 into out[count * columns]. A
** coordinate that is no finite number is refused by row and column. */
int ecrb_npy_read(const ecrb_npy *npy, size_t first, size_t count, float *out,
                  ecrb_err *err);

/* }==================================================================== */

/* {====================================================================
** Nearest vectors: for each query row the k reference rows with the largest
** cosine, exactly, in bounded memory. Blocks go through single-precision
** matrix products (OpenBLAS, loaded at the first search, or plain loops where
** it is not installed), whose rounding is bounded; what that bound cannot
** rule out is ranked by double precision, so the result is the same bytes
** whatever made the products.
** ===================================================================== */

typedef struct ecrb_nearest ecrb_nearest;

typedef struct ecrb_neighbour {
  size_t row;    /* of the references, 0-based */
  double cosine; /* 0 where either vector is all zeros */
} ecrb_neighbour;

typedef struct ecrb_nearest_report {
  bool blas;              /* OpenBLAS was there */
  size_t zero_queries;    /* rows without a direction, so far */
  size_t zero_references; /* all of them, once a query was handed out */
  size_t again;           /* queries with so many near ties that they were
                             searched again by double precision alone */
} ecrb_nearest_report;

/* The vectors are borrowed until the search is closed. ECRB_EFORMAT where
** their widths differ; a k beyond the references means all of them. `plain`
** asks for loops even where OpenBLAS is installed. */
int ecrb_nearest_open(const ecrb_npy *queries, const ecrb_npy *references,
                      size_t k, bool plain, ecrb_nearest **out, ecrb_err *err);
void ecrb_nearest_close(ecrb_nearest *search);

/* The neighbours of the next query, by cosine descending, equal ones by row;
** ECRB_ENONE after the last query. They are good until the next call. */
int ecrb_nearest_next(ecrb_nearest *search, const ecrb_neighbour **best,
                      size_t *count, ecrb_err *err);

ecrb_nearest_report ecrb_nearest_summary(const ecrb_nearest *search);

/* }==================================================================== */

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif
