/* A local matrix: the entries of a matrix that one process holds over one set of local rows and columns. It
 * is the block of a 2D-distributed matrix, or one of the submatrices of a delegate split
 * (docs/how/storage.md).
 *
 * It may be stored by row (for pull along rows and push from rows), by column, or both. Indices are 32-bit
 * and compact: an axis with many empty vectors lists the non-empty ones (hypersparse: DCSC), and index k
 * stands for ids[k]. */
#ifndef GRID_LOCAL_MATRIX_H
#define GRID_LOCAL_MATRIX_H
#include "semiring/semiring.h"
#include "semiring/support/tuning.h"
#include "spmat/sort/offsets.h"
#include "spmat/vector/bits.h"

/* One axis: dim local indices, n of which are represented. ids == NULL: index k stands for itself, and n ==
 * dim. */
typedef struct {
  uint64_t dim;
  uint64_t n;
  void *ids; /* uint32_t, or uint64_t if dim needs them (grid_axis_has_ids64); ascending */
} grid_axis;

/* An axis becomes hypersparse if fewer than one in GRID_HYPER of its vectors hold entries. ids (4 or 8 bytes
 * a non-empty vector) are then smaller than offsets and bitmaps over all vectors, and products skip the empty
 * ones. */
#define GRID_HYPER 8
/* With this many entries an axis has no list, however many vectors are empty. An array over all vectors takes
 * at most two words an entry, and counting the vectors would take a pass over the entries. */
static inline bool grid_axis_is_dense_for(uint64_t dim, uint64_t entries) {
  return entries >= dim / 2;
}
/* Are offsets of 4 bytes for `dim` vectors on a device impossible, or a waste with so few entries? */
static inline bool grid_axis_is_too_long(uint64_t dim, uint64_t entries) {
  return dim > UINT32_MAX || (dim > UINT64_C(1) << 26 && dim / GRID_HYPER > entries);
}

static inline bool grid_axis_has_ids64(const grid_axis *a) {
  return !grid_index_fits32(a->dim);
}
static inline uint64_t grid_axis_id(const grid_axis *a, uint64_t k) {
  return !a->ids ? k : grid_axis_has_ids64(a) ? ((const uint64_t *)a->ids)[k] : ((const uint32_t *)a->ids)[k];
}
/* Compact index of local index id, or UINT64_MAX; compact index of the first one that is at least id, or n.
 */
uint64_t grid_axis_find(const grid_axis *a, uint64_t id);
uint64_t grid_axis_bound(const grid_axis *a, uint64_t id);
/* The first compact index from k on whose id is at least `id`, or n; fast when that is near k. */
uint64_t grid_axis_seek(const grid_axis *a, uint64_t k, uint64_t id);
/* As grid_axis_find, for ids that ascend from call to call; *k is 0 before the first. */
static inline uint64_t grid_axis_find_next(const grid_axis *a, uint64_t *k, uint64_t id) {
  if (!a->ids) return id < a->n ? id : UINT64_MAX;
  *k = grid_axis_seek(a, *k, id);
  return *k < a->n && grid_axis_id(a, *k) == id ? *k : UINT64_MAX;
}

/* One orientation. Entries of vector v: idx[grid_vector_start(c, v) .. grid_vector_start(c, v + 1)),
 * ascending, with val beside them unless the matrix is iso. */
typedef struct {
  /* n + 1 offsets: ptr, or wide in a part of grid_tune.offsets64_from entries or more; both NULL: this
   * orientation is not there */
  uint32_t *ptr;
  uint64_t *offsets64;
  uint32_t *idx;
  void *val; /* nvals values, NULL when iso */
  /* For pulls, both present or neither. hub_neighbor[v]: of the other ends of v's entries the one of highest
   * degree, the smallest such; 0 for empty v. Testing it alone settles most rows of a search. */
  uint32_t *hub_neighbor;
  uint64_t *nonempty; /* bitmap of the vectors that hold entries */
  /* in host memory, for dense pulls (degree_ordered.h); made, empty, with the heads, NULL where there was no
   * memory
   */
  struct grid_degree_order *ranks;
  /* device memory, for pulls that sum (balanced_tiles.h); likewise */
  struct grid_balanced_tiles *balanced_tiles;
  /* in device memory, of one with 64-bit offsets: as runs of vectors that have 32-bit ones (panels32.h);
   * made, empty, with the offsets there */
  struct grid_panels32 *panels32;
} grid_compressed;

static inline GRID_HOST_DEVICE uint64_t grid_vector_start(const grid_compressed *c, uint64_t v) {
  return c->offsets64 ? c->offsets64[v] : c->ptr[v];
}
static inline grid_offsets grid_vector_starts(const grid_compressed *c) {
  grid_offsets o = {c->ptr, c->offsets64};
  return o;
}
static inline bool grid_compressed_is_built(const grid_compressed *c) {
  return c->ptr || c->offsets64;
}

typedef struct {
  grid_axis row, col;
  uint64_t nvals;
  GrB_Type type;
  bool iso;
  void *iso_val;          /* one value when iso */
  grid_compressed by_row; /* present in every built matrix */
  grid_compressed by_col; /* built when it is first needed */
  bool shared;            /* symmetric: by_col is by_row, and the arrays are owned once */
  /* all arrays except iso_val are in device memory (spmat/device/device.h) */
  bool device;
  /* it does not fit the device, and does not leave the host: products stream pages of it to the device */
  bool host_resident;
} grid_local_matrix;
/* give_back frees an array of the memory where they lie. */
void grid_compressed_free(grid_compressed *c, void (*give_back)(void *));
/* The end of making a compressed form: *c = these arrays, or, where the outcome is an error, they are freed
 * and *c is unchanged. */
void grid_compressed_finish(grid_compressed *c, GrB_Info outcome, grid_offsets *start, uint32_t *idx,
                            void *val);

/* Does it have 64-bit offsets? */
static inline bool grid_lmat_has_offsets64(const grid_local_matrix *p) {
  return p->nvals >= grid_tune.offsets64_from;
}
/* Can it move to the device, for products with vectors? Not if it is host-resident; with 64-bit offsets only
 * if one orientation serves as both. */
static inline bool grid_lmat_can_use_device(const grid_local_matrix *p) {
  return !p->host_resident && (!grid_lmat_has_offsets64(p) || p->shared);
}

void grid_lmat_init(grid_local_matrix *p, GrB_Type type, uint64_t rows, uint64_t cols);
void grid_lmat_free(grid_local_matrix *p);
/* Copies in the same memory; if the device has no room for two, from moves to the host first. On the host all
 * arrays except values are shared, since arrays of a built matrix do not change. */
GrB_Info grid_lmat_copy(grid_local_matrix *to, const grid_local_matrix *from);
/* *to = a matrix with the pattern of from's rows, of this type, without values. The arrays are shared, since
 * those of a built matrix do not change. Both on the host; by row only. */
GrB_Info grid_lmat_share_pattern(grid_local_matrix *to, const grid_local_matrix *from, GrB_Type type);
/* Do a and b share their arrays, so that entry k of both has the same position? */
bool grid_lmat_same_pattern(const grid_local_matrix *a, const grid_local_matrix *b);
/* *to = from, by row only, on the host; it shares arrays like grid_lmat_share_pattern. */
GrB_Info grid_cpu_lmat_copy_rows(grid_local_matrix *to, const grid_local_matrix *from);
/* Moves the arrays to the other memory, if they are not there. On failure it is unchanged; GRID_UNSUPPORTED:
 * the device does not support it. const: the contents do not change. */
GrB_Info grid_lmat_to_device(const grid_local_matrix *p);
GrB_Info grid_lmat_to_host(const grid_local_matrix *p);
/* A copy on the host of a matrix on the device; the caller frees it, also after an error. */
GrB_Info grid_lmat_copy_to_host(grid_local_matrix *copy, const grid_local_matrix *p);
/* Bytes of all index, offset and value arrays. */
uint64_t grid_lmat_bytes(const grid_local_matrix *p);

/* Local coordinates of tuples: packed (row << 32 | col) if both dimensions fit 32 bits, else pairs. */
typedef struct {
  uint64_t r, c;
} grid_pair;

/* How equal coordinates are treated: dup combines them in tuple order; without dup the last tuple wins
 * (newest_wins), or they are an error. */
typedef struct {
  GrB_BinaryOp dup;
  bool newest_wins;
} grid_duplicates;

/* Fills the empty p (by row) from n tuples. keys (consumed in every case) is an array of uint64_t packed
 * coordinates, or of grid_pair if `pairs`. values (borrowed; NULL: a pattern whose value is `one`) are n
 * values of p's type. On a duplicate that `how` does not allow: GrB_INVALID_VALUE, its local coordinates in
 * *bad. An axis whose n the caller has set to dim does not become hypersparse. On failure p stays empty. */
GrB_Info grid_lmat_build(grid_local_matrix *p, void *keys, bool pairs, uint64_t n, const void *values,
                         const void *one, grid_duplicates how, grid_pair *bad);

/* A pattern: `one` is the value of every entry. */
GrB_Info grid_lmat_set_iso(grid_local_matrix *p, const void *one);

/* Makes a matrix (by row only) iso if all its entries have one value. */
GrB_Info grid_lmat_detect_iso(grid_local_matrix *p);
/* Gives each entry its own value, in both orientations; on the host. On failure nothing changes. */
GrB_Info grid_lmat_expand_iso(grid_local_matrix *p);

/* Converts the values of a matrix that has rows only. */
GrB_Info grid_cpu_lmat_cast(grid_local_matrix *p, GrB_Type type);

/* The next functions derive data from by_row, in its memory. They do nothing if it exists already; on failure
 * nothing changes. */

/* Makes by_col. symmetric: both axes are the same, and this local matrix (not only the whole) equals its
 * transpose; it is then stored once. detect: tests whether that holds (only if rows and columns are the same
 * vertices). */
GrB_Info grid_lmat_add_cols(grid_local_matrix *p, bool symmetric, bool detect);
/* Makes hub_neighbor and nonempty of by_row (rows) or by_col, which exists. degree: of the other end, by
 * compact index; NULL: counts of this matrix. */
GrB_Info grid_lmat_add_hub_neighbors(grid_local_matrix *p, bool rows, const uint32_t *degree);
/* All of the above. */
GrB_Info grid_lmat_orient(grid_local_matrix *p, const uint32_t *row_degree, const uint32_t *col_degree,
                          bool symmetric, bool detect);

/* *t = p's transpose as a separate matrix; p lies on the host. symmetric: it is known to equal p. */
GrB_Info grid_cpu_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t);

/* The steps of orienting, one table for each memory; after a failure the caller frees the arrays in *to or
 * *c. */
typedef struct {
  /* *to = by_col */
  GrB_Info (*transpose)(const grid_local_matrix *p, grid_compressed *to);
  /* hub_neighbor and nonempty of c, which is by_row (rows) or by_col */
  GrB_Info (*add_hub_neighbors)(const grid_local_matrix *p, bool rows, grid_compressed *c,
                                const uint32_t *degree);
  /* *same: does by_row equal col? */
  GrB_Info (*compare)(const grid_local_matrix *p, const grid_compressed *col, bool *same);
  void (*give_back)(void *);
} grid_orient_ops;

/* The first of the ascending idx[from .. to) that is at least k, or `to`. */
static inline uint64_t grid_first_entry(const uint32_t *idx, uint64_t from, uint64_t to, uint64_t k) {
  while (from < to) {
    const uint64_t mid = from + (to - from) / 2;
    if (idx[mid] < k)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}
/* The same without branches on the indices: faster where the answer may lie anywhere, as one cannot predict
 * it; slower where it is mostly the first or the last. */
static inline uint64_t grid_first_entry_anywhere(const uint32_t *idx, uint64_t from, uint64_t to,
                                                 uint64_t k) {
  uint64_t n = to - from;
  for (; n > 1; n -= n / 2) from += n / 2 & -(uint64_t)(idx[from + n / 2 - 1] < k);
  return n ? from + (idx[from] < k) : from;
}
/* The entry of vector v whose other end is k, or UINT64_MAX. Without branches on the indices, too: with even
 * odds a compiler moves a value under a condition. */
static inline uint64_t grid_find_entry(const grid_compressed *m, uint64_t v, uint64_t k) {
  uint64_t at = grid_vector_start(m, v), n = grid_vector_start(m, v + 1) - at;
  if (n == 0) return UINT64_MAX;
  for (; n > 1; n -= n / 2) /* the last one up to k */
    at = __builtin_expect_with_probability(m->idx[at + n / 2] <= k, 1, 0.5) ? at + n / 2 : at;
  return m->idx[at] == k ? at : UINT64_MAX;
}
/* The vector, of n, that has entry e. */
uint64_t grid_vector_of_entry(const grid_compressed *m, uint64_t n, uint64_t e);
/* The row (compact index) of entry e of by_row. */
static inline uint64_t grid_row_of_entry(const grid_local_matrix *p, uint64_t e) {
  return grid_vector_of_entry(&p->by_row, p->row.n, e);
}
/* Position of entry (r, c) (compact indices) in the arrays of by_row, or UINT64_MAX. */
static inline uint64_t grid_lmat_find(const grid_local_matrix *p, uint64_t r, uint64_t c) {
  return p->nvals == 0 ? UINT64_MAX : grid_find_entry(&p->by_row, r, c);
}

/* Visits all entries by row: local row and column ids and the entry's position in by_row's arrays. */
typedef struct {
  const grid_local_matrix *p;
  uint64_t r, e;
  uint64_t row, col;
  uint64_t at;
} grid_entries;
grid_entries grid_entries_begin(const grid_local_matrix *p);
bool grid_entries_next(grid_entries *it);
static inline const void *grid_lmat_value(const grid_local_matrix *p, uint64_t at) {
  return p->iso ? p->iso_val : (const char *)p->by_row.val + at * p->type->size;
}
#endif
