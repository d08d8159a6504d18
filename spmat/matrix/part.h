/* A part: the entries of a matrix that one process holds over one set of local rows and columns: the block of
 * a 2D-distributed matrix, or one of the pieces that a delegate split makes of it (docs/design.md, "A block"
 * and "Delegates").
 *
 * A part may be kept by row (for pull along rows, and push from rows), by column, or both. Its indices are
 * 32-bit and compact: an axis with many empty vectors keeps the list of the non-empty ones (hypersparse:
 * DCSC), and index k stands for ids[k]. */
#ifndef GRID_PART_H
#define GRID_PART_H
#include "semiring/semiring.h"
#include "spmat/vector/bits.h"

/* One axis of a part: dim local indices, of which n are represented. ids == NULL: index k stands for k
 * itself, n == dim. */
typedef struct {
  uint64_t dim;
  uint64_t n;
  void *ids; /* uint32_t, or uint64_t when dim > UINT32_MAX; ascending */
} grid_axis;

/* An axis turns hypersparse when fewer than one in GRID_HYPER of its vectors hold an entry: then ids (4 or 8
 * bytes a non-empty vector) is smaller than offsets and bitmaps over all of them, and products skip the empty
 * ones. */
#define GRID_HYPER 8

static inline bool grid_axis_wide(const grid_axis *a) {
  return a->dim > UINT32_MAX;
}
static inline uint64_t grid_axis_id(const grid_axis *a, uint64_t k) {
  return !a->ids ? k : grid_axis_wide(a) ? ((const uint64_t *)a->ids)[k] : ((const uint32_t *)a->ids)[k];
}
/* Compact index of local index id, or UINT64_MAX. */
uint64_t grid_axis_find(const grid_axis *a, uint64_t id);

/* One orientation. Entries of vector v: idx[ptr[v] .. ptr[v+1]), in descending degree of the other end (then
 * a pull usually stops at its first look), val beside them unless the part is iso. */
typedef struct {
  uint32_t *ptr; /* n + 1; NULL: this orientation is not there */
  uint32_t *idx;
  /* first[v] = idx[ptr[v]], in its own array: one look settles most pulls; 0 for empty v */
  uint32_t *first;
  uint64_t *nonempty; /* bitmap of the vectors that hold entries */
  void *val;          /* nvals values, NULL when iso */
} grid_compressed;

typedef struct {
  grid_axis row, col;
  uint64_t nvals;
  GrB_Type type;
  bool iso;
  void *iso_val; /* one value when iso */
  grid_compressed by_row, by_col;
  bool ranked; /* built from symmetric tuples: the entries of by_col are in descending degree already */
  bool shared; /* symmetric: by_col is by_row, the arrays are owned once */
  /* all arrays but iso_val are in device memory (spmat/device/device.h) */
  bool device;
} grid_part;
/* give_back: that of the memory where its arrays lie */
void grid_compressed_free(grid_compressed *c, void (*give_back)(void *));

/* More tuples than 32-bit offsets reach, before duplicates are combined, are refused with a clear error. */
#define GRID_PART_MAX ((uint64_t)UINT32_MAX - 1)

void grid_part_init(grid_part *p, GrB_Type type, uint64_t rows, uint64_t cols);
void grid_part_free(grid_part *p);
GrB_Info grid_part_copy(grid_part *to, const grid_part *from);
/* Moves the arrays to the other memory; nothing happens to a part that is there already. On failure it is
 * unchanged. const: a part is the same part wherever it lies. */
GrB_Info grid_part_to_device(const grid_part *p);
GrB_Info grid_part_to_host(const grid_part *p);
/* A copy on the host of a part that is on the device; to be freed, also after an error. */
GrB_Info grid_part_copy_to_host(grid_part *copy, const grid_part *p);
/* Bytes of all index, offset and value arrays. */
uint64_t grid_part_bytes(const grid_part *p);

/* Local coordinates of tuples: packed (row << 32 | col) while both dimensions fit 32 bits, else pairs. */
typedef struct {
  uint64_t r, c;
} grid_pair;

/* What to do with equal coordinates: dup combines them in tuple order; without dup the last tuple wins
 * (keep_last), or it is an error. */
typedef struct {
  GrB_BinaryOp dup;
  bool keep_last;
  /* every tuple has its mirror image among them: visiting rows by descending count then gives columns in
   * their final order */
  bool symmetric;
} grid_duplicates;

/* Fills the empty part p (by column only, the rows of a column ascending) from n tuples. keys (taken over and
 * freed in every case) is an array of uint64_t packed coordinates, or of grid_pair when `pairs`. values
 * (borrowed, may be NULL: a pattern whose one value is `one`) are n values of p's type. On a duplicate that
 * `how` does not allow: GrB_INVALID_VALUE, its local coordinates in *bad. GrB_OUT_OF_MEMORY also when n is
 * more than GRID_PART_MAX. An axis whose n the caller has set to dim does not turn hypersparse. On failure p
 * stays empty. */
GrB_Info grid_part_build(grid_part *p, void *keys, bool pairs, uint64_t n, const void *values,
                         const void *one, grid_duplicates how, grid_pair *bad);

/* Converts the values of a part that is not oriented yet. */
GrB_Info grid_part_cast(grid_part *p, GrB_Type type);

/* Makes both orientations, each with the entries of a vector in descending degree of the other end.
 * row_degree and col_degree: degrees per compact index (NULL: the part's own counts). symmetric: rows and
 * columns are the same axis, and the part itself (not only the matrix) equals its transpose; it is kept once
 * then. detect: find out whether that is so (only asked where rows and columns are the same vertices). */
GrB_Info grid_part_orient(grid_part *p, const uint32_t *row_degree, const uint32_t *col_degree,
                          bool symmetric, bool detect);

/* The steps of that in the memory where a part lies. */
typedef struct {
  /* *to = the transpose of from, whose n vectors are visited by descending degree; *to has nto vectors */
  GrB_Info (*transpose)(const grid_part *p, grid_compressed *to, uint64_t nto, const grid_compressed *from,
                        uint64_t n, const uint32_t *degree);
  GrB_Info (*add_heads)(grid_compressed *c, uint64_t n); /* first and nonempty, of n vectors */
  /* *same: is the part its own transpose, row the one and col the other? */
  GrB_Info (*compare)(const grid_part *p, const grid_compressed *row, const grid_compressed *col, bool *same);
  void (*give_back)(void *);
} grid_orienting;
/* Is a symmetric part, built in order of degree, its own transpose as it stands? Then it only gets heads. */
static inline bool grid_part_is_transpose(const grid_part *p, bool symmetric) {
  return symmetric && p->ranked && !p->by_row.ptr;
}
GrB_Info grid_part_orient_by(const grid_orienting *step, grid_part *p, const uint32_t *row_degree,
                             const uint32_t *col_degree, bool symmetric, bool detect);

/* Position of entry (r, c) (compact indices) in the arrays of by_col, or UINT64_MAX. */
uint64_t grid_part_find(const grid_part *p, uint64_t r, uint64_t c);

/* Visits all entries by column: local row and column ids and the entry's number in by_col's arrays. */
typedef struct {
  const grid_part *p;
  uint64_t c, e;
  uint64_t row, col;
  uint64_t at;
} grid_entries;
grid_entries grid_entries_begin(const grid_part *p);
bool grid_entries_next(grid_entries *it);
static inline const void *grid_part_value(const grid_part *p, uint64_t at) {
  return p->iso ? p->iso_val : (const char *)p->by_col.val + at * p->type->size;
}
#endif
