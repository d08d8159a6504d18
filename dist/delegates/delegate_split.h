/* The delegate split of a square matrix (docs/how/delegates.md; Pan et al., section III). Vertices of
 * high degree are delegates 0 .. d-1, in descending degree. The matrix is stored as four: nn (the block,
 * distributed in 2D), nd and dn (on the owner of the normal vertex), dd (distributed by columns, or
 * bit-packed and replicated). Where rows are whole, the block has all of nn, nd and dn. delegate_split_make.c
 * makes the split, delegate_product.c multiplies by it. */
#ifndef GRID_DELEGATE_SPLIT_H
#define GRID_DELEGATE_SPLIT_H
#include "dist/grid/hooks.h"
#include "dist/product/dist_product.h"

/* Nonempty rows and columns of a matrix of the split. */
typedef struct {
  uint64_t rows, cols;
} grid_nonempty_counts;

/* Tables for products on the device, as axes whose ids are in device memory. */
typedef struct {
  bool made;
  grid_axis vertices; /* number of a delegate -> its vertex */
  grid_axis local;    /* position among this process's delegates -> index in its chunk */
  /* number of a delegate -> position in a gathered vector, in which each owner has `capacity` positions */
  grid_axis gather_axis;
  uint64_t capacity;               /* a multiple of 64 */
  grid_nonempty_counts nd, dn, dd; /* counted when the matrices are first moved to the device */
} grid_split_tables;

typedef struct grid_split {
  int64_t threshold;
  uint64_t d;
  uint64_t *id;     /* vertex of each delegate */
  uint32_t *degree; /* its entries in row and column together, or once in a symmetric matrix */
  /* delegates by owner: the numbers of process k's are order[start[k] .. start[k + 1]), by ascending vertex
   */
  uint32_t *order;
  uint64_t *start; /* P + 1 */
  /* nd: rows are indices in this process's chunk, columns delegates; dn: the other way; if A is symmetric dn
   * is nd's transpose and is not stored. dd: rows and columns are delegates; process k has the columns c with
   * c % P == k. */
  grid_local_matrix nd, dn, dd;
  bool mirrored; /* dn is nd's transpose */
  /* dd as bit rows in place of that, if its pattern is so dense that all copies of the bits are smaller. By
   * row, and by column (the same bits if symmetric). Every process has all of it. */
  grid_bit_rows dd_rows, dd_cols;
  void *dd_value; /* the value of all entries of a bit-packed dd */
  /* On one grid column rows are whole on their process: nd and dn stay in the block, and are empty here. */
  bool whole;
  /* This process's delegates as bits among the vertices of its chunk, and as bits among the delegates.
   * local_word lists the nonzero words of the former, with the number of delegates before each. Their
   * positions in the order of vertices are those in `order`. */
  uint64_t *local_bits, local_nonzero;
  uint32_t *local_word, *local_word_rank;
  uint64_t *local_numbers;
  /* Messages of two bitmaps over the positions of one process's delegates, each of bitmap_words words, and
   * one word more: this process's, and P received. */
  uint64_t bitmap_words, *exchange;
  uint64_t *merge; /* a word, and a bitmap over the delegates, for an OR over the grid */
  grid_split_tables device;
} grid_split;

static inline uint64_t grid_split_message_words(const grid_split *s) {
  return 2 * s->bitmap_words + 1;
}

/* delegate_split_property.c: the split as a cached property of its matrix. */
extern const grid_cached_property grid_split_form;

/* Splits A's block, whose degrees are known, if A->hints.delegates is a threshold and some vertex is above
 * it. Collective, agreed on. */
GrB_Info grid_split_make(GrB_Matrix A);
/* Is A split, or not split, as A->hints.delegates says? */
bool grid_is_split_current(GrB_Matrix A);
/* Converts a bit-packed dd to a compressed one, for kernels of the device. Collective, agreed on. */
GrB_Info grid_split_unpack(GrB_Matrix A);
void grid_split_free(grid_split *s);
void grid_split_bits_free(grid_split *s);
/* Moves nd, dn and dd to the host. Local. */
GrB_Info grid_split_to_host(const grid_split *s);

/* Makes the tables, unless they exist. Local. */
GrB_Info grid_split_make_tables(GrB_Matrix A, grid_split *s);

/* Number of this process's entries of nd, dn and dd (bit-packed: of every P-th row); and appends them to t,
 * which has the capacity. */
uint64_t grid_split_nvals(const grid_split *s);
void grid_split_tuples(GrB_Matrix A, grid_tuples *t);
/* The value of entry (i, j) if it is outside nn and this process holds it, else NULL. */
const void *grid_split_local(GrB_Matrix A, uint64_t i, uint64_t j);
/* Adds this process's bytes and entries to st, and sets what is the same on all processes. */
void grid_split_storage(const grid_split *s, Grid_Storage *st);

/* delegate_split_device.c: the steps of making a split of a block in device memory. Collective. */
typedef struct {
  bool on;               /* all blocks are on devices, and can be split there */
  const uint32_t *local; /* degrees of this process's vertices as in grid_split.degree, in device memory: */
  uint32_t *sum;         /* this array if it was computed here, else one of the matrix */
} grid_split_device;
GrB_Info grid_split_device_begin(GrB_Matrix A, grid_split_device *t);
void grid_split_device_end(grid_split_device *t);
/* This process's delegates on the host, by ascending vertex: index in its chunk << 32 | degree. Local. */
GrB_Info grid_split_device_delegates(GrB_Matrix A, const grid_split_device *t, uint32_t threshold,
                                     uint64_t **keys, uint64_t *n);
/* Makes nd, dn and dd, with both orientations, and nn, with rows only; s has its delegates. */
GrB_Info grid_split_device_make(GrB_Matrix A, const grid_split_device *t, grid_split *s,
                                grid_local_matrix *nn);

/* delegate_numbers.c: the degree of a vertex of this process's chunk, at most UINT32_MAX; both directions
 * count, those of a symmetric matrix once. Local. */
uint32_t grid_split_degree(GrB_Matrix A, uint64_t v);
/* Numbers s's delegates, unless 32 bits are too short for them (s->d = 0). Collective, agreed on. */
GrB_Info grid_split_number_delegates(GrB_Matrix A, const grid_split_device *device, grid_split *s);

/* delegate_replicate.c: x and mask of all delegates, on every process. */
typedef struct {
  grid_chunk x;      /* of length d; bits only if the values are not read */
  uint64_t *allowed; /* bits; NULL: all */
} grid_delegate_inputs;
/* All but x's values. Collective, agreed on. */
GrB_Info grid_delegates_replicate(grid_product *p, grid_delegate_inputs *in);
/* x's values, where they are read. Collective; a failure may be this process's alone. */
GrB_Info grid_delegates_replicate_values(grid_product *p, grid_delegate_inputs *in);

/* delegate_product.c: the steps of a product for delegates. */
typedef struct {
  grid_delegate_inputs in;
  uint64_t *found; /* the delegates with a result, as bits */
  char *val;       /* their values; of a structural product NULL */
  bool added;      /* ... are in the result */
  /* If the first product of an output suffices, nd is multiplied before nn, and nn only for the outputs that
   * are left. What nd has found is in the result already (p->choice.prefilled), or here until nn is done. */
  grid_chunk early;
  bool has_early;
  grid_mask whole; /* the product's mask, which `open` replaces until then */
  uint64_t *open;
} grid_delegates;
/* Before the method is chosen: x and mask of the delegates are replicated, and their results computed and
 * merged; where the first product suffices, also nd's for this process's outputs. t: the product's result,
 * empty. Collective, agreed on. */
GrB_Info grid_delegates_before(grid_product *p, grid_delegates *g, grid_chunk *t);
/* After the method: adds the rest to t. Local. */
GrB_Info grid_delegates_after(grid_product *p, grid_delegates *g, grid_chunk *t);
void grid_delegates_free(grid_product *p, grid_delegates *g);

/* delegate_product_device.c: the same for a product on the device. */
typedef struct {
  uint64_t *bits;
  void *val; /* NULL: only bits */
} grid_delegate_vector;

enum { GRID_TO_DELEGATES, GRID_AMONG_DELEGATES, GRID_FROM_DELEGATES, GRID_DELEGATES_STEPS };

typedef struct {
  const grid_local_matrix *lmat;
  bool transposed, pull, run;
  const grid_axis *in_axis;
  const grid_compressed *by_in, *by_out;
  uint64_t rows, outputs; /* nonempty outputs; length of the output, 0 if the mask allows none */
  grid_input in;
  grid_kernel_mask mask;
  grid_index_map where;
} grid_delegates_step;

typedef struct {
  grid_delegate_vector x, mask, y; /* by delegate; mask.bits NULL: all is allowed */
  /* by position of gather_axis, on several processes: gathered; contributions sent, and received */
  grid_delegate_vector all_x, all_mask, out, segments;
  grid_delegates_step lmat[GRID_DELEGATES_STEPS];
} grid_delegates_device;
/* Moves A's split to the device. Local. */
GrB_Info grid_split_to_device(GrB_Matrix A);
/* Called in this order. Those with a transport are collective. The others may fail on one process only, by
 * GRID_UNSUPPORTED or for lack of memory. */
GrB_Info grid_delegates_device_allocate(const grid_product *p, grid_delegates_device *g);
GrB_Info grid_delegates_device_gather(grid_product *p, const grid_device_transport *transport,
                                      grid_delegates_device *g);
GrB_Info grid_delegates_device_run(grid_product *p, grid_delegates_device *g, uint64_t outputs);
GrB_Info grid_delegates_device_send(grid_product *p, const grid_device_transport *transport,
                                    grid_delegates_device *g);
/* Adds the results to t, whose bits and dense values are allocated, and its entries to t->nvals. */
GrB_Info grid_delegates_device_add(grid_product *p, grid_delegates_device *g, grid_chunk *t);
void grid_delegates_device_free(grid_delegates_device *g);
#endif
