/* One product under way: y<mask> = M x with M = A or its transpose. mxv and vxm (dist/product/mxv/mxv.c) fill it in;
 * expand, local product and fold (files of those names) carry it through (docs/design.md, "One product, from
 * call to answer"). */
#ifndef GRID_DIST_PRODUCT_H
#define GRID_DIST_PRODUCT_H
#include "dist/comm/device_transport.h"
#include "dist/matrix/matrix.h"
#include "dist/comm/transport/message.h"
#include "dist/comm/comm_buffers.h"
#include "dist/vector/shm_view.h"
#include "spmat/local_product.h"

/* Of a product by requests to owners (dist/delegates/owner_requests.h): delegates and normals in x, entries that
 * the latter have outside, and those that delegates have there whose rows the mask allows. */
typedef struct {
  uint64_t delegates, normals, pushed, delegate_entries;
} grid_remote_edges;

/* What is known of input and mask over the whole grid, the same numbers on every process: all decisions come
 * from them. */
typedef struct {
  uint64_t nx;               /* entries of x */
  uint64_t edges;            /* entries of M that meet them: the work of a push */
  uint64_t allowed;          /* outputs the mask allows */
  uint64_t allowed_nonempty; /* of them, those whose row of M holds entries (in nn, when A is split) */
  uint64_t rows;             /* rows of M that hold entries */
  /* chunks of x that hold entries; are iso; are iso with the value true */
  uint64_t chunks, iso_chunks, true_chunks;
  grid_remote_edges remote_edges;
} grid_counts;

/* What came of x with the numbers, before it was known what the product would want (dist/product/mxv/mxv_prefetch.c).
 */
typedef struct {
  enum {
    GRID_PAYLOAD_NONE,
    GRID_PAYLOAD_MESSAGES,
    GRID_PAYLOAD_SHM
  } delivery;             /* nothing; as messages; in memory that all share */
  uint64_t missing_forms; /* 16 bits for each form: how many processes have not sent it */
  GrB_Info info;          /* had this process memory for it? */
  grid_received got;
  grid_shm_view shm_view;
  uint64_t turn; /* of the areas of shared memory, when `shown` was one (dist/comm/transport/shm_exchange.h) */
  bool whole, delegates, push_messages; /* which of it serves this product */
} grid_prefetched;

/* Where a product is done: all of it on the host; the block's part of it on the device; all of it there. */
typedef enum { GRID_ON_HOST, GRID_BLOCK_ON_DEVICE, GRID_ON_DEVICE } grid_execution;

typedef struct {
  const char *call;
  GrB_Matrix A;
  struct grid_pages *pages; /* where A's rows are, if they are not in memory (local_product_outofcore.h) */
  grid_execution where;
  bool transposed; /* M is the transpose of A */
  bool flip;       /* multiply (x, a): vxm */
  GrB_Semiring s;
  grid_set gather, scatter; /* who holds the input of this process's block, who its output */
  uint64_t nin, nout;       /* dimensions of M: columns and rows */
  /* x */
  /* own chunk, its values of the multiplier's type when used (of u's own, when all is on the device) */
  const grid_chunk *x;
  bool uses_x_values, uses_a_values; /* does the multiplier look at x's, at A's values? */
  bool structural;                   /* all products are one value: only the pattern is computed */
  uint64_t constant[2];              /* that value (structural), room for any predefined type */
  /* mask of the owned chunk of outputs */
  grid_mask mask;
  bool unmasked; /* every process allows everything */
  grid_counts n;
  /* decisions */
  bool pull;
  bool mask_spread;                     /* processes of a scatter set exchange their masks */
  bool passes_rows;                     /* a pull's rows are passed on (pull_ring.h) */
  bool tries_row_hubs;                  /* ... of what their leads leave open (row_hubs.h) */
  bool pushes_rows;                     /* a push goes along the vectors of a pull (push_along_rows.h) */
  bool can_use_requests, uses_requests; /* by requests to owners (dist/delegates/owner_requests.h) */
  bool delegates_pull, delegates_push;  /* directions that parts of a split took */
  grid_prefetched prefetched;
  bool
      not_agreed; /* multiplied: how it went each process knows of itself alone, until it agrees on the end */
  Grid_Product stats;
  grid_traffic before; /* what had been sent when it began */
} grid_product;

/* An input for the kernels: what a part's input axis sees of x. */
typedef struct {
  uint64_t *bits; /* pull; NULL with full */
  bool full;
  uint32_t *list; /* push */
  uint64_t nx;
  const void *val; /* dense, or packed with list */
  bool packed, iso;
  void *own_bits, *own_list, *own_val;
} grid_input;
void grid_input_free(grid_input *in);
/* The input that an axis sees of a chunk whose indices are its local ids: without a copy where the chunk has
 * the wanted form. */
GrB_Info grid_make_input_from_chunk(const grid_product *p, const grid_chunk *x, const grid_axis *axis,
                                    bool pull, grid_input *in);

/* A contribution to the outputs: bits and dense values over n compact indices. */
typedef struct {
  uint64_t n, found;
  bool late; /* found may be GRID_UNCOUNTED, to be known under the ticket */
  uint64_t ticket;
  uint64_t *bits;
  void *val;
  void *own_bits, *own_val;
  grid_chunk *sparse; /* in place of all that: a list of the local ids of outputs */
} grid_output;

/* expand.c: x over the columns of this process's block of M. */
GrB_Info grid_expand(grid_product *p, grid_input *in);
/* expand.c: the same of one message of each of the gather set; without values, of bits over all the block's
 * inputs, which stay the caller's. Local. */
GrB_Info grid_make_input_from_messages(grid_product *p, const grid_received *got, grid_input *in);
GrB_Info grid_make_input_from_bits(const grid_axis *axis, uint64_t *bits, grid_input *in);
/* expand.c: counts a message to so many receivers in the statistics. */
void grid_count_messages(grid_product *p, const grid_entries_out *e, int receivers);

/* What the kernels see of the mask. bits NULL: everything is allowed. */
typedef struct {
  const uint64_t *bits;
  bool complement;
  void *own;
} grid_kernel_mask;
/* exchange_mask.c: the outputs of this process's block that the mask allows. With several processes in the
 * scatter set their masks are exchanged if p->mask_spread, else everything is allowed here and the owners
 * filter. info: the outcome so far, which an exchange carries along: a failure makes all of the set fail. */
GrB_Info grid_make_block_mask(grid_product *p, GrB_Info info, grid_kernel_mask *a);
/* The same over an axis whose ids are offsets in the owned chunk. */
GrB_Info grid_make_chunk_mask(grid_product *p, const grid_axis *axis, grid_kernel_mask *a);
/* fold.c: contributions go to their owners, who add them into t, a chunk of the monoid's type (given empty,
 * its spare arrays are used). info: the outcome so far; with several processes in the scatter set a failure
 * makes all of them fail, with one nothing is collective. */
GrB_Info grid_fold(grid_product *p, GrB_Info info, const grid_output *y, grid_chunk *t);

/* ... a message joins t, a bitmap whose arrays are there. */
void grid_fold_message(const grid_product *p, const grid_message *m, grid_chunk *t);

/* The block's axes as M sees them. */
static inline const grid_axis *grid_in_axis(const grid_product *p, const grid_local_matrix *b) {
  return p->transposed ? &b->row : &b->col;
}
static inline const grid_axis *grid_out_axis(const grid_product *p, const grid_local_matrix *b) {
  return p->transposed ? &b->col : &b->row;
}

/* Is all that the product gives allowed by the mask? The same everywhere. */
static inline bool grid_is_product_masked(const grid_product *p) {
  return grid_set_size(p->scatter) == 1 || p->mask_spread || p->passes_rows || p->pushes_rows;
}

/* Where the chunk of member s of the gather set begins on the block's input axis, that of the scatter set's
 * on its output axis; s = the size of the set: the end. */
static inline uint64_t grid_in_offset(const grid_product *p, size_t s) {
  return grid_block_offset(p->nin, p->transposed, (int)s);
}
static inline uint64_t grid_out_offset(const grid_product *p, size_t s) {
  return grid_block_offset(p->nout, !p->transposed, (int)s);
}

/* The length of that axis. */
static inline uint64_t grid_in_dim(const grid_product *p) {
  return p->transposed ? grid_block_rows(p->nin) : grid_block_cols(p->nin);
}

/* local_product.c: where the indices of the block's inner axis stand in the whole. */
grid_index_map grid_product_index_map(const grid_product *p, const grid_axis *axis);
/* The local product of one local matrix, taken as it stands or transposed; in fits the direction. */
GrB_Info grid_run_lmat(grid_product *p, const grid_local_matrix *lmat, bool transposed, bool pull,
                       const grid_input *in, const grid_kernel_mask *mask, grid_index_map where,
                       grid_output *y);
/* What a kernel is told of it, all but the outputs. */
grid_job grid_product_job(const grid_product *p, const grid_local_matrix *lmat, bool transposed, bool pull,
                          const grid_input *in, const grid_kernel_mask *mask, grid_index_map where);
/* Does the product of the block meet so few entries that arrays as long as its axes would cost more? Known to
 * this process alone. */
bool grid_is_sparse_push(const grid_product *p, const grid_input *in);
/* That product: t, initialised with the type and length that the caller wants, becomes a list of local ids.
 * own says which are allowed, or, where it is NULL, mask. */
GrB_Info grid_run_sparse_push(grid_product *p, const grid_input *in, const grid_mask *own,
                              const grid_kernel_mask *mask, grid_index_map where, grid_chunk *t);
/* Does SECONDI give values that fit 32 bits? Then messages carry them as such. */
static inline bool grid_has_narrow_values(const grid_product *p) {
  return !p->s->mul->f && p->nin <= UINT32_MAX;
}

/* fold_device.c: segments of q bits and values that lie one behind the other, of which n count; t = all of
 * them, added: its bits are there. */
typedef struct {
  uint64_t *bits;
  void *val;
  uint64_t q, n, count;
} grid_segments;
GrB_Info grid_product_add_segments(const grid_product *p, const grid_segments *w, grid_chunk *t);
/* ... segment r, of `bytes` bytes, goes to process r of the set, and from each comes one. */
GrB_Info grid_product_exchange(const grid_device_transport *transport, grid_set set, const void *from,
                               void *to, uint64_t bytes);
/* local_product_device.c: the local product of the block, which is on the device, with operands and an empty y on the
 * host. */
GrB_Info grid_run_block_device(const grid_product *p, const grid_axis *in_axis, bool pull, grid_job *job);

/* product_trace.c */
bool grid_is_tracing(void);
/* Milliseconds, where a program traces; a lap adds what has passed since *since to *to, and starts anew. Of a
 * product on the device it waits for what was asked of that. */
double grid_product_now(void);
void grid_product_lap(const grid_product *p, double *to, double *since);
GrB_Info grid_trace_product(grid_product *p);

#endif
