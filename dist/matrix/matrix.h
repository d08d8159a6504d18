/* The distributed matrix behind GrB_Matrix. */
#ifndef GRID_MATRIX_H
#define GRID_MATRIX_H
#include <string.h>

#include "dist/object/objects.h"
#include "dist/comm/comm_buffers.h"
#include "spmat/search.h"

struct grid_split;          /* dist/delegates/delegate_split.h */
struct grid_delegate_index; /* dist/delegates/delegate_index.h */
struct grid_row_hubs;       /* dist/product/exchange/row_hubs.h */
struct grid_view_order;     /* dist/product/exchange/view_order.h */
struct grid_update_set;     /* dist/product/exchange/update_set.h */
struct grid_pages;          /* dist/outofcore/pages/row_pages.h */
struct grid_host_pages;     /* spmat/convert/lmat_pages.h */
struct grid_pages_share;    /* dist/product/local/streamed_cpu_share.h */

/* What an operation can require of a matrix (grid_matrix_require), in this order. */
enum {
  /* Compressed forms of a block beside its rows. */
  GRID_COLS = 1,
  GRID_ROW_HUB_NEIGHBORS = 2,
  GRID_COL_HUB_NEIGHBORS = 4,
  GRID_ALL_FORMS = 7,
  /* An out-of-core matrix may stay out of core. Its pending changes are merged, and GRID_READY makes the
   * degrees of its rows. What else is required applies to a matrix in memory alone. */
  GRID_OUTOFCORE = 8,
  GRID_MERGED = 16, /* the entries are in memory, in any form, and no changes are pending */
  GRID_ROWS = 32,   /* ... by rows; those of a split matrix are in its parts as well */
  /* ... in one block, which has row pointers even without entries and lies in the memory where operations
   * run (the device's when it is on) ... */
  GRID_WHOLE = 64,
  GRID_HOST = 128, /* ... in host memory */
  /* GRID_ROWS, and a product may begin: degrees, delegates, communication buffers, placement; with the device
   * on its forms of the block (matrix_require.h). */
  GRID_READY = 256,
  /* GRID_OUTOFCORE, also of a matrix whose pages number the non-empty rows and columns alone
   * (grid_is_paged_hypersparse). */
  GRID_OUTOFCORE_HYPERSPARSE = GRID_OUTOFCORE | 512
};

/* The bitmap form (matrix_bitmap.h): the block's entries by position. The flags are the same on every
 * process. */
typedef struct {
  grid_chunk chunk;
  bool present;     /* the matrix has this form ... */
  bool only;        /* ... and no rows: GRID_ROWS makes them */
  bool is_iso;      /* after the last write no process has more than one value */
  uint64_t changed; /* entries copied by partial writes since the rows were last made of the bitmap */
} grid_matrix_bitmap;

/* Where the blocks lie. */
typedef struct {
  /* The device was on when the block was made or moved last, the same on every process. The block then lies
   * on the device, if it can and host code has not moved it since. */
  bool on_device;
  /* Pages of a host-resident block, made at the first product (matrix_host_resident.h). */
  struct grid_host_pages *row_pages, *col_pages;
  /* Locked memory through which an out-of-core matrix goes to the device (paged_device_product.h), or NULL.
   */
  struct grid_page_staging *staging;
  /* Rows that the CPU multiplies meanwhile; NULL before the first product. */
  struct grid_pages_share *cpu_share;
  /* The value that was last read from a block on the device. */
  _Alignas(16) char fetched[GRID_DEVICE_VALUE_MAX];
} grid_matrix_placement;

/* Derived from the entries by grid_matrix_require(A, GRID_READY); the same on every process. */
typedef struct {
  bool ready;     /* degrees are counted, delegates split off: a product may begin */
  bool symmetric; /* pattern and values are known to equal the transpose's */
  bool offsets64; /* some process's block has 64-bit offsets: products run on the host. Valid once ready */
  unsigned forms; /* GRID_COLS, ...: what the blocks of all processes have beside the rows */
} grid_matrix_properties;

/* Degrees in the whole matrix of the rows and columns that this process owns (chunk k of the dimension).
 * NULL: the dimension is hypersparse, or only the other memory has them (grid_degrees_to_host, _to_device).
 */
typedef struct {
  uint32_t *row, *col; /* the same array when symmetric; once split, degrees in the nn block */
  uint64_t *row_nonempty, *col_nonempty; /* bitmaps: which degrees are above 0 */
  uint32_t *device_row, *device_col;     /* the same four in device memory */
  uint64_t *device_row_nonempty, *device_col_nonempty;
  uint64_t nonempty_rows, nonempty_cols; /* numbers of nonempty rows and columns over the grid */
} grid_matrix_degrees;

/* The degree separation (dist/delegates). */
typedef struct {
  bool decided;                      /* whether to split has been decided */
  struct grid_split *split;          /* NULL: not split */
  struct grid_delegate_index *index; /* NULL before the first product that needs it */
  uint64_t nn_nvals;                 /* entries of all blocks over the grid: all, or those of nn once split */
} grid_matrix_delegates;

/* Pulls of a full x in shared memory (dist/product/exchange/view_order.h). */
typedef struct {
  const void *semiring;          /* whose pulls are counted and timed */
  uint64_t pulls[2];             /* before and since the order was made */
  double min_seconds[2];         /* the shortest of either on this process */
  struct grid_view_order *order; /* NULL: not made yet, or refused */
  bool refused, expected;        /* it does not pay, or there was no memory; the last product used it */
} grid_view_orders;

/* Retained between operations to save time; results do not depend on it. */
typedef struct {
  grid_comm_buffers buffers;      /* of products */
  struct grid_row_hubs *row_hubs; /* NULL before the first product that needs them */
  struct {                        /* update sets, of products with A and with its transpose */
    uint64_t products;            /* with a full x */
    struct grid_update_set *set;  /* NULL: not made yet, or it does not pay */
    bool expected;                /* the last product used it */
  } update_sets[2];
  grid_view_orders view_orders[2]; /* likewise */
  struct {                         /* single elements that were read, on several processes */
    uint64_t read, reads; /* grid_calls at the last one from a device; how many since the last change */
    bool copied, refused; /* `all` holds the whole matrix; there was no memory for it */
    grid_local_matrix all;
  } read;
  struct {                   /* rows and columns that were read from a block on the device */
    uint64_t reads;          /* since the entries changed */
    bool copied, refused;    /* `block` is a copy on the host; it cannot be had */
    grid_local_matrix block; /* (dist/op/submatrix/row_col_host_copy.h) */
  } lines;
  struct { /* sums of the block's values by predefined operators, until the values change; the oldest goes
              first */
    struct {
      GrB_BinaryOp op; /* NULL: none */
      bool present;
      uint64_t sum; /* of a type of at most 8 bytes */
    } at[4];
    unsigned next;
  } sums;
  struct {                            /* lookahead of loops (dist/lookahead/lookahead.h) */
    grid_search *work;                /* the engine's workspace, or NULL */
    const grid_search_engine *engine; /* whose it is */
    grid_search_graph graph;          /* what it was made for */
    bool engine_is_new;               /* on this process, since all processes connected theirs */
    uint32_t cooldown, failures;      /* products before the next try; failed tries */
  } lookahead;
} grid_matrix_cached;

/* Options that the caller set. */
typedef struct {
  int32_t delegates; /* Grid_DELEGATES */
  int32_t direction; /* Grid_DIRECTION */
  int32_t
      orientation; /* GrB_STORAGE_ORIENTATION_HINT: returned as it was set; exports by default follow it */
  grid_stored_options options;
  /* Bytes of the arrays of indices and values that GxB_pack took: those that GxB_unpack makes are not
   * shorter, as if they were the same arrays. */
  uint64_t packed_i, packed_x;
} grid_matrix_hints;

struct GrB_Matrix_opaque {
  grid_head head;
  GrB_Type type;
  uint64_t nrows, ncols;
  uint64_t nvals;          /* of the whole matrix, the same on every process */
  grid_local_matrix block; /* this process's block by rows and columns; with a split, its nn entries */
  grid_matrix_bitmap bitmap;
  /* Out-of-core form, on all processes or none: the rows of the blocks are in files, and `block` has axes
   * alone (matrix_outofcore.h). */
  struct grid_pages *pages;
  grid_pending pending; /* changes of elements not yet merged */
  grid_matrix_placement placement;
  grid_matrix_properties properties;
  grid_matrix_degrees degrees;
  grid_matrix_delegates delegates;
  grid_matrix_cached cached;
  grid_matrix_hints hints;
  grid_live_object live;
};

/* Do offsets of all rows or columns take little memory beside the entries? Then no axis needs a list. */
static inline bool grid_matrix_has_short_axes(GrB_Matrix A) {
  const uint64_t longer = A->nrows > A->ncols ? A->nrows : A->ncols;
  return longer <= grid_tune.index32_max / 2 && longer / GRID_HYPER <= A->nvals + 1024;
}

/* Local tuples of a matrix: global coordinates, values of the matrix's type (NULL: iso). */
typedef struct grid_tuples {
  uint64_t n;
  uint64_t *row, *col;
  char *val;
} grid_tuples;
static inline void grid_tuples_free(grid_tuples *t) {
  grid_free(t->row);
  grid_free(t->col);
  grid_free(t->val);
  *t = (grid_tuples){0};
}
/* Appends a tuple, for which there is room. */
static inline void grid_tuples_append(grid_tuples *t, GrB_Matrix A, uint64_t row, uint64_t col,
                                      const void *v) {
  t->row[t->n] = row;
  t->col[t->n] = col;
  if (t->val) memcpy(t->val + t->n * A->type->size, v, A->type->size);
  t->n++;
}
/* Entries of this process, in the block and in the parts of a split. Local. */
GrB_Info grid_matrix_tuples(GrB_Matrix a, grid_tuples *t);
/* The same with values in any case, and room for `more` tuples. */
GrB_Info grid_matrix_tuples_reserve(GrB_Matrix a, grid_tuples *t, uint64_t more);

/* Replaces the contents of A by tuples, which are spread over the processes in any way (each is sent to the
 * process of its block) or replicated (is_replicated). Collective, agreed on. On failure A is unchanged. */
typedef struct {
  const uint64_t *row, *col;
  const void *val; /* of type `type`, or NULL: iso `one` of A's type */
  const void *one;
  GrB_Type type;
  uint64_t n;
  GrB_BinaryOp dup;
  bool newest_wins;
  bool mirror, no_loops;
  bool is_replicated; /* every process passes all tuples, the same */
  uint64_t before;    /* number of tuples before these, for messages about a tuple */
  uint64_t total;     /* tuples of all processes, where all know it; else 0 */
} grid_build;
GrB_Info grid_matrix_fill(GrB_Matrix A, const grid_build *b, const char *call);
/* The same after the checks of GrB_Matrix_build: C is empty, types can be cast, dup combines them. */
GrB_Info grid_matrix_build(GrB_Matrix C, const grid_build *b, const char *call);
/* `block`, built of b's tuples, replaces A's contents if it could be built on every process (info is
 * GrB_SUCCESS); block is empty afterwards. A has rows on all processes then, empty ones as well. Collective,
 * agreed on. */
GrB_Info grid_matrix_adopt(GrB_Matrix A, const grid_build *b, grid_local_matrix *block, GrB_Info info);
/* *one (freed by the caller with grid_free) = 1 of A's type; NULL on failure.
 * GrB_DOMAIN_MISMATCH for a user-defined type. Agreed on. */
GrB_Info grid_matrix_make_one(GrB_Matrix A, const char *call, char **one);
/* GrB_INVALID_VALUE if flags has others than those accepted: some of Grid_MIRROR, Grid_NO_LOOPS and
 * Grid_BY_DEGREE. */
GrB_Info grid_check_build_flags(grid_head *head, int flags, int accepted, const char *call);
/* GrB_DOMAIN_MISMATCH if dup (NULL: none) cannot combine values of `type` for a matrix of the type `into`. */
GrB_Info grid_check_dup(grid_head *head, GrB_Type into, GrB_BinaryOp dup, GrB_Type type, const char *call);

/* Changes of A in place: of values in all forms of the block, of values in its rows alone, of the entries. */
enum { GRID_VALUES_CHANGED = 1, GRID_ROW_VALUES_CHANGED = 2, GRID_ENTRIES_CHANGED = 4 };
/* Drops the cached properties that such a change makes invalid. Local; all processes do the same. */
void grid_matrix_invalidate(GrB_Matrix A, unsigned change);
/* GrB_INVALID_VALUE, with the text in head, too, unless both dimensions are at most 2^60; 0 is allowed.
 * Local. */
GrB_Info grid_check_dimensions(uint64_t nrows, uint64_t ncols, grid_head *head, const char *call);
/* Makes of A what is required: a set of the flags above. Idempotent; forms alone are made of the block as it
 * is, whose neighbors lists are ordered by degree if A is ready. Collective, agreed on. */
GrB_Info grid_matrix_require(GrB_Matrix A, unsigned what);
/* The same with GRID_HOST in `what`, for `call`, which has no device form: reported when the device is on. */
GrB_Info grid_matrix_require_host(GrB_Matrix A, unsigned what, const char *call);
/* matrix_symmetry.c: finds out whether A, whose degrees are counted, equals its transpose; degrees of rows
 * and columns are shared then. Collective, agreed on. */
GrB_Info grid_matrix_find_symmetric(GrB_Matrix A);
/* Makes all blocks iso with one value, or none. Blocks are built one by one and may differ, but methods of
 * products and formats of messages depend on it. A has rows. Collective, agreed on. */
GrB_Info grid_matrix_agree_iso(GrB_Matrix A);
/* Agrees on info, as grid_agree. *iso: some process has entries (has_value), all
 * that do have one value (has_one), and it is the same; then *one, of `size` bytes, is that value everywhere.
 * Collective, agreed on. */
GrB_Info grid_agree_on_iso_value(grid_head *head, GrB_Info info, bool has_value, bool has_one, size_t size,
                                 void *one, bool *iso);
/* The same and, in the same message, an allgather of `words` numbers, of which the first is the number of
 * entries; all may be NULL. A process that failed may pass NULL for one, too. */
GrB_Info grid_agree_on_entries(grid_head *head, GrB_Info info, const uint64_t *n, size_t words, bool has_one,
                               size_t size, void *one, bool *iso, uint64_t *all);
/* Gives a block without arrays the row pointers and axes of an empty one. Whether a block has rows must be
 * the same on all processes. Local. */
GrB_Info grid_matrix_empty_block(grid_local_matrix *block);
/* Moves the block to the device. A block with 64-bit offsets, or for which there is no room, stays on the
 * host, which is reported. Local. */
GrB_Info grid_matrix_to_device(GrB_Matrix A);
/* Moves the block and the parts of a split to the host, for code that follows their arrays. They return to
 * the device in the next product there. Local. */
GrB_Info grid_matrix_to_host(GrB_Matrix A);
/* *degree (freed by the caller) = degrees of all rows or columns of the block, by compact index, in a
 * dimension n. local (plus more, if not NULL) holds those of the local chunk. Collective, agreed on. */
GrB_Info grid_spread_degrees(uint64_t n, bool rows, const uint32_t *local, const uint32_t *more,
                             const grid_axis *axis, uint32_t **degree);
/* gather_axis.c: *all (freed by the caller) = a value of `size` bytes for each row or column of a block, by
 * compact index, in a dimension n. local: those of the local chunk, to its padded size. Where 32 bits do not
 * number the block's axis, memory and messages are for what `axis` has alone. Collective, agreed on. */
GrB_Info grid_gather_for_axis(uint64_t n, bool rows, const void *local, size_t size, const grid_axis *axis,
                              void **all);
/* The entries of this process with pending changes merged: entries that no change concerns, and changed ones
 * that belong to this process's block. Local. */
GrB_Info grid_matrix_merged_tuples(GrB_Matrix A, grid_tuples *t);
/* The matrix_size of dist/grid/hooks.h; pending changes count as entries. Local, the same on all processes.
 */
uint64_t grid_matrix_size(GrB_Matrix A);
/* A becomes empty. Local. */
void grid_matrix_drop(GrB_Matrix A);
/* Frees the copy of the block for reads of rows and columns. Local. */
void grid_matrix_drop_lines(GrB_Matrix A);

/* ---- degrees (matrix_degrees.c) ---- */

/* Are degrees of the rows (columns) there, in either memory? */
static inline bool grid_has_degrees(GrB_Matrix A, bool rows) {
  return rows ? A->degrees.row || A->degrees.device_row : A->degrees.col || A->degrees.device_col;
}
/* The sum of two degrees. UINT32_MAX stands for that many entries or more, in dimensions beyond 32 bits. */
static inline uint32_t grid_degree_sum(uint32_t a, uint32_t b) {
  return a + b < a ? UINT32_MAX : a + b;
}
/* Counts degrees, on the device if all blocks lie there. Collective, agreed on. */
GrB_Info grid_degrees_count(GrB_Matrix A);
/* degree[0 .. padded size of the local chunk) = degrees of the owned rows; count holds the entries in the
 * rows of the block. Collective, agreed on. */
GrB_Info grid_degrees_sum_rows(GrB_Matrix A, const uint32_t *count, uint32_t *degree);
/* Sets the bitmaps of nonempty owned rows and columns and counts these over the grid; `info` is agreed on as
 * well. Collective. */
GrB_Info grid_degrees_mark(GrB_Matrix A, GrB_Info info);
/* Copies degrees and bitmaps that one memory lacks to it; both keep them. Local. */
GrB_Info grid_degrees_to_host(GrB_Matrix A);
GrB_Info grid_degrees_to_device(GrB_Matrix A);
/* Copies the degrees of `from` to a matrix that has none. Local. */
GrB_Info grid_degrees_copy(GrB_Matrix to, GrB_Matrix from);
void grid_degrees_free(GrB_Matrix A);
/* The arrays in device memory alone. */
void grid_degrees_free_device(GrB_Matrix A);

/* Degrees in the whole matrix of a block's rows and columns, by compact index; hub neighbors are chosen by
 * them. NULL: the block's own counts. */
typedef struct {
  const uint32_t *row, *col;
  uint32_t *made[3]; /* owned arrays: rows, columns, and their sum; others are A's */
  bool device;
} grid_block_degrees;
void grid_block_degrees_free(grid_block_degrees *r);

/* matrix_degrees_device.c: in device memory, if all blocks lie there and there is room. Collective, agreed
 * on; GRID_UNSUPPORTED: nothing was done. */
GrB_Info grid_degrees_count_device(GrB_Matrix A, bool rows, bool cols, uint32_t **row, uint32_t **col);
GrB_Info grid_block_degrees_device(GrB_Matrix A, grid_block_degrees *r);
/* The two steps of grid_block_degrees_device. First: *local = degrees of the owned vertices of a square A,
 * rows and columns added: A's own array where the two are one, else *sum, which the caller frees. Local. */
GrB_Info grid_degrees_combine(GrB_Matrix A, const uint32_t **local, uint32_t **sum);
#endif
