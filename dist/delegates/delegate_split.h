/* The delegate split of a square matrix (docs/how/delegates.md; Pan et al., section III). Vertices of
 * high degree are delegates 0 .. d-1, in descending degree; the matrix falls into four parts: nn (the block,
 * 2D-distributed), nd and dn (with the normal vertex's owner), dd (shared out among the processes, or
 * bit-packed and replicated). delegate_split.c keeps it, delegate_split_make.c makes it, delegate_product.c
 * multiplies. */
#ifndef GRID_DELEGATE_SPLIT_H
#define GRID_DELEGATE_SPLIT_H
#include "dist/grid/hooks.h"
#include "dist/product/dist_product.h"

/* Rows and columns of a part that hold entries. */
typedef struct {
  uint64_t rows, cols;
} grid_nonempty_counts;

/* What products on the device need beside the parts, as axes whose ids lie in device memory. */
typedef struct {
  bool made;
  grid_axis vertices; /* number of a delegate -> its vertex */
  grid_axis own;      /* place among the owned delegates -> offset in the owned chunk */
  /* number -> place where owners give theirs one behind the other, `room` places each (a multiple of 64) */
  grid_axis gather_axis;
  uint64_t capacity;
  grid_nonempty_counts nd, dn, dd; /* once they have been on the device */
} grid_split_tables;

typedef struct grid_split {
  int64_t threshold;
  uint64_t d;
  uint64_t *id;     /* vertex of each delegate */
  uint32_t *degree; /* its entries in row and column together */
  /* delegates by owner: numbers of those of process k at order[start[k] .. start[k + 1]), by ascending
   * vertex */
  uint32_t *order;
  uint64_t *start; /* P + 1 */
  /* nd: rows = offsets in the owned chunk, columns = delegates; dn: rows = delegates, columns = offsets. When
   * A is symmetric dn is nd's transpose and is not stored. dd: rows and columns = delegates; this process has
   * the columns c with c % P == its number. */
  grid_local_matrix nd, dn, dd;
  bool mirrored; /* dn is nd's transpose */
  /* dd bit-packed instead (a pattern, dense enough that all copies of the bits are smaller): row r's columns
   * are the bits from dd_rows + r * words on; dd_cols likewise by column (the same array when symmetric).
   * Every process has all of it and multiplies the outputs o with o % P == its number. */
  uint64_t *dd_rows, *dd_cols, words;
  void *dd_value; /* the one value of a bit-packed dd */
  grid_split_tables device;
} grid_split;

/* delegate_split_property.c: what the object room asks of it. */
extern const grid_cached_property grid_split_form;

/* Splits A's block (not oriented, degrees known) if A->delegates asks for it or the automatic rule does, and
 * leaves it alone otherwise. Collective. */
GrB_Info grid_split_make(GrB_Matrix A);
/* Is A split, or not, as A->delegates asks? */
bool grid_is_split_current(GrB_Matrix A);
/* A bit-packed dd is kept compressed from now on, for kernels of the device. Collective. */
GrB_Info grid_split_unpack(GrB_Matrix A);
void grid_split_free(grid_split *s);
void grid_split_bits_free(grid_split *s);
/* nd, dn and dd lie on the host, for code that follows their arrays. Local. */
GrB_Info grid_split_to_host(const grid_split *s);

/* The tables, if they are not there yet. Local. */
GrB_Info grid_split_make_tables(GrB_Matrix A, grid_split *s);

/* Entries of nd, dn and dd that this process accounts for; appends them to t, which has room. */
uint64_t grid_split_nvals(const grid_split *s);
void grid_split_tuples(GrB_Matrix A, grid_tuples *t);
/* The value of entry (i, j) if it is outside nn and this process holds it, else NULL. */
const void *grid_split_local(GrB_Matrix A, uint64_t i, uint64_t j);
/* Adds this process's bytes and entries, and what is the same everywhere, to st. */
void grid_split_storage(const grid_split *s, Grid_Storage *st);

/* delegate_split_device.c: the steps of the making where the block lies in device memory. Collective. */
typedef struct {
  bool on;             /* it does, on all processes, and can be split there */
  const uint32_t *own; /* degrees of the owned vertices, row and column together; device memory */
  uint32_t *sum;       /* the same, where the matrix has no such array */
} grid_split_device;
GrB_Info grid_split_device_begin(GrB_Matrix A, grid_split_device *t);
void grid_split_device_end(grid_split_device *t);
/* This process's delegates as keys, (UINT32_MAX - degree) << 32 | vertex, on the host. Local. */
GrB_Info grid_split_device_delegates(GrB_Matrix A, const grid_split_device *t, uint32_t threshold,
                                     uint64_t **keys, uint64_t *n);
/* nd, dn and dd, oriented, and nn, not yet; s has its delegates. */
GrB_Info grid_split_device_make(GrB_Matrix A, const grid_split_device *t, grid_split *s,
                                grid_local_matrix *nn);

/* The delegates' side of a product. Before the block's product: x and mask of the delegates are replicated,
 * the contributions to delegates are computed and merged by one allreduce. After the fold: the contributions
 * of delegates to the owned outputs, and the results of the owned delegates, are added to t. */
typedef struct {
  grid_chunk x;      /* of length d */
  uint64_t *allowed; /* bits; NULL: all */
  uint64_t *merge;   /* the merged contributions: bits, then values */
  uint64_t merge_bytes;
} grid_delegates;
GrB_Info grid_delegates_before(grid_product *p, grid_delegates *g);
GrB_Info grid_delegates_after(grid_product *p, grid_delegates *g, grid_chunk *t);
void grid_delegates_free(grid_delegates *g);

/* delegate_product_device.c: the same where all of the product is done on the device. */
typedef struct {
  uint64_t *bits;
  void *val; /* NULL: bits alone */
} grid_delegate_vector;

enum { GRID_TO_DELEGATES, GRID_AMONG_DELEGATES, GRID_FROM_DELEGATES, GRID_DELEGATES_STEPS };

typedef struct {
  const grid_local_matrix *lmat;
  bool transposed, pull, run;
  const grid_axis *in_axis;
  const grid_compressed *by_in, *by_out;
  uint64_t rows, outputs; /* outputs that have entries; length of the output, 0 when nothing is allowed */
  grid_input in;
  grid_kernel_mask mask;
  grid_index_map where;
} grid_delegates_step;

typedef struct {
  grid_delegate_vector x, mask, y; /* by number; mask.bits NULL: all is allowed */
  /* by place, several processes: gathered; contributions, of this process to all and of all to this one */
  grid_delegate_vector all_x, all_mask, out, segments;
  grid_delegates_step lmat[GRID_DELEGATES_STEPS];
  uint64_t found; /* entries of y */
} grid_delegates_device;
/* All of A's split is on the device. Local. */
GrB_Info grid_split_to_device(GrB_Matrix A);
/* In this order; those that take a transport are collective and alike on all processes, the others may fail
 * on one alone: GRID_UNSUPPORTED, or no memory. */
GrB_Info grid_delegates_device_allocate(const grid_product *p, grid_delegates_device *g);
GrB_Info grid_delegates_device_gather(grid_product *p, const grid_device_transport *transport,
                                      grid_delegates_device *g);
GrB_Info grid_delegates_device_run(grid_product *p, grid_delegates_device *g, uint64_t outputs);
GrB_Info grid_delegates_device_send(grid_product *p, const grid_device_transport *transport,
                                    grid_delegates_device *g);
/* Adds to t, whose bits and dense values are there, and counts in t->nvals. */
GrB_Info grid_delegates_device_add(grid_product *p, grid_delegates_device *g, grid_chunk *t);
void grid_delegates_device_free(grid_delegates_device *g);
#endif
