/* One product while it is computed: y<mask> = M x with M = A or its transpose. GrB_mxv and
 * GrB_vxm (dist/product/mxv) fill it in; expand, local product and fold (files of those names) read it
 * (docs/how/product.md). */
#ifndef GRID_DIST_PRODUCT_H
#define GRID_DIST_PRODUCT_H
#include "dist/comm/device_transport.h"
#include "dist/matrix/matrix.h"
#include "dist/object/burble.h"
#include "dist/comm/transport/message.h"
#include "dist/comm/comm_buffers.h"
#include "dist/vector/shm_view.h"
#include "spmat/local_product.h"

/* For requests to owners (dist/delegates/owner_requests.h): delegates and normal vertices in x; remote edges
 * of the latter; remote edges of delegates whose rows the mask allows. */
typedef struct {
  uint64_t delegates, normals, pushed, delegate_entries;
} grid_remote_edges;

/* Sums over the grid of counts of input and mask, the same on every process. All choices follow from them. */
typedef struct {
  uint64_t nx;               /* entries of x */
  uint64_t edges;            /* entries of M that meet them: the work of a push */
  uint64_t allowed;          /* outputs the mask allows */
  uint64_t allowed_nonempty; /* those of them whose row of M holds entries (in nn, when A is split) */
  uint64_t rows;             /* rows of M that hold entries */
  /* chunks of x that hold entries; are iso; are iso with the value true */
  uint64_t chunks, iso_chunks, true_chunks;
  grid_remote_edges remote_edges;
} grid_counts;

/* What was received of x with the counts, before the method was chosen (dist/product/mxv/mxv_prefetch.c). */
typedef struct {
  enum {
    GRID_PAYLOAD_NONE,
    GRID_PAYLOAD_MESSAGES,
    GRID_PAYLOAD_SHM
  } delivery;             /* nothing; as messages; in shared memory */
  uint64_t missing_forms; /* 16 bits for each form: how many processes have not sent it */
  GrB_Info info;          /* GrB_SUCCESS, or this process had no memory for it */
  grid_received got;
  grid_shm_view shm_view;
  uint64_t turn; /* grid_shm_rounds() when shm_view was written (dist/comm/transport/shm/shm_exchange.h) */
  bool whole, delegates, push_messages, update_set, ordered; /* the form that this product uses */
} grid_prefetched;

/* Where a product is computed: on the host; on the host but for the block's local product; on the device. */
typedef enum { GRID_ON_HOST, GRID_BLOCK_ON_DEVICE, GRID_ON_DEVICE } grid_execution;

/* The inputs of M (its columns), or its outputs. */
typedef struct {
  grid_set set; /* the processes that own those of this process's block */
  uint64_t n;   /* how many there are in all */
} grid_product_side;

/* Which values are read. */
typedef struct {
  bool flip;            /* multiply (x, a): vxm */
  bool uses_x, uses_a;  /* the multiplier reads x's, A's values */
  bool structural;      /* all products are one value: only the pattern is computed */
  uint64_t constant[2]; /* that value (structural), in any predefined type */
} grid_product_values;

/* What was decided from the counts, the same on every process. The first four follow from the method
 * (dist/product/mxv/mxv_choose.c). */
typedef struct {
  bool pull;
  bool passes_rows;                    /* a pull's rows pass from process to process (pull_ring.h) */
  bool pushes_rows;                    /* a push along the rows that pulls read (push_along_rows.h) */
  bool uses_requests;                  /* requests to owners (dist/delegates/owner_requests.h) */
  bool can_use_requests;               /* ... are possible, so that their counts are taken */
  bool uses_update_set;                /* owners of x send what blocks name (update_set.h) */
  bool orders_view;                    /* x is in shared memory in order of degree (view_order.h) */
  bool tries_row_hubs;                 /* owners try the row hubs of their rows first (row_hubs.h) */
  bool spreads_mask;                   /* processes of the output set exchange their masks */
  bool not_agreed;                     /* the outcome of the multiplication is agreed on in the end only */
  bool prefilled;                      /* the result has what delegates gave it (delegate_split.h) */
  bool delegates_pull, delegates_push; /* directions of a split's matrices on this process */
} grid_product_choice;

typedef struct {
  const char *call;
  GrB_Matrix A;
  GrB_Semiring s;
  bool transposed;          /* M is the transpose of A */
  struct grid_pages *pages; /* A's rows, if they are not in memory (local_product_outofcore.h) */
  grid_execution where;
  grid_product_side in, out;
  const grid_chunk
      *x; /* local inputs, with values of the multiplier's type if it reads them (on the device: of u's) */
  grid_product_values values;
  grid_mask mask; /* of the local outputs */
  const grid_chunk
      *w;        /* its values, if the kernels of the device may add to them; NULL in the end if they did */
  bool unmasked; /* every process allows everything */
  grid_counts n;
  grid_product_choice choice;
  grid_prefetched prefetched;
  struct grid_device_input *input; /* x over the block's inputs, gathered between devices */
  Grid_Product stats;              /* calls and sent_bytes are those before the product, until it is traced */
} grid_product;

/* x over the input axis of a local matrix, as kernels read it. */
typedef struct {
  uint64_t *bits; /* pull; NULL with full */
  bool full;
  uint32_t *list; /* push */
  uint64_t nx;
  const void *val; /* dense, or packed with list */
  bool packed, iso;
  const uint32_t *positions; /* full: of each entry that a pull reads the position of its input in val; NULL:
                                the input's index */
  void *owned_bits, *owned_list, *owned_val;
} grid_input;
void grid_input_free(grid_input *in);
/* The input of an axis whose local ids are the indices of chunk x: no copy where x has the form that is
 * needed. */
GrB_Info grid_make_input_from_chunk(const grid_product *p, const grid_chunk *x, const grid_axis *axis,
                                    bool pull, grid_input *in);

/* A contribution to the outputs: bits and dense values over n compact indices. */
typedef struct {
  uint64_t n, found;
  bool late; /* found may be GRID_UNCOUNTED, to be known under the ticket */
  bool full; /* device: all have a value before the product */
  uint64_t ticket;
  uint64_t *bits;
  void *val;
  void *owned_bits, *owned_val;
  grid_chunk *sparse; /* if not NULL, replaces the other members: a list of the local ids of outputs */
} grid_output;

/* expand.c: x over the columns of this process's block of M. */
GrB_Info grid_expand(grid_product *p, grid_input *in);
/* expand.c: the same from one message of each process of the input set; or, without values, from bits over
 * all inputs of the block, which the caller owns. Local. */
GrB_Info grid_make_input_from_messages(grid_product *p, const grid_received *got, grid_input *in);
GrB_Info grid_make_input_from_bits(const grid_axis *axis, uint64_t *bits, grid_input *in);
/* expand.c: adds a message to so many receivers to the statistics. */
void grid_count_messages(grid_product *p, const grid_entries_out *e, int receivers);

/* The mask as kernels read it. bits NULL: everything is allowed. */
typedef struct {
  const uint64_t *bits;
  bool complement;
  void *owned;
} grid_kernel_mask;
/* exchange_mask.c: the outputs of this process's block that the mask allows. With several processes in the
 * output set their masks are exchanged if p->choice.spreads_mask; else everything is allowed, and the owners
 * filter. info: the outcome so far, which an exchange carries along: a failure makes all of the set fail. */
GrB_Info grid_make_block_mask(grid_product *p, GrB_Info info, grid_kernel_mask *a);
/* The same over an axis whose ids are offsets in the local chunk. */
GrB_Info grid_make_chunk_mask(grid_product *p, const grid_axis *axis, grid_kernel_mask *a);
/* fold.c: contributions go to their owners, who add them into t, an empty chunk of the monoid's type, whose
 * reusable arrays are used. info: the outcome so far; with several processes in the output set a failure
 * makes all of them fail, with one nothing is collective. */
GrB_Info grid_fold(grid_product *p, GrB_Info info, const grid_output *y, grid_chunk *t);

/* Adds a message into t, a bitmap with allocated arrays. */
void grid_fold_message(const grid_product *p, const grid_message *m, grid_chunk *t);

/* The block's axes as M sees them. */
static inline const grid_axis *grid_in_axis(const grid_product *p, const grid_local_matrix *b) {
  return p->transposed ? &b->row : &b->col;
}
static inline const grid_axis *grid_out_axis(const grid_product *p, const grid_local_matrix *b) {
  return p->transposed ? &b->col : &b->row;
}

/* Does the result have only what the mask allows? The same everywhere. */
static inline bool grid_is_product_masked(const grid_product *p) {
  return grid_set_size(p->out.set) == 1 || p->choice.spreads_mask || p->choice.passes_rows ||
         p->choice.pushes_rows;
}

/* Offset of the chunk of process s of the input set on the block's input axis, and of process s of the output
 * set on its output axis. s = the size of the set: the end. */
static inline uint64_t grid_in_offset(const grid_product *p, size_t s) {
  return grid_block_offset(p->in.n, p->transposed, (int)s);
}
static inline uint64_t grid_out_offset(const grid_product *p, size_t s) {
  return grid_block_offset(p->out.n, !p->transposed, (int)s);
}

/* The length of that axis. */
static inline uint64_t grid_in_dim(const grid_product *p) {
  return p->transposed ? grid_block_rows(p->in.n) : grid_block_cols(p->in.n);
}

/* local_product.c: global positions of the indices of the block's inner axis. */
grid_index_map grid_product_index_map(const grid_product *p, const grid_axis *axis);
/* The product of one local matrix or its transpose; `in` fits the direction. */
GrB_Info grid_run_lmat(grid_product *p, const grid_local_matrix *lmat, bool transposed, bool pull,
                       const grid_input *in, const grid_kernel_mask *mask, grid_index_map where,
                       grid_output *y);
/* The kernel's arguments, without the outputs. */
grid_job grid_product_job(const grid_product *p, const grid_local_matrix *lmat, bool transposed, bool pull,
                          const grid_input *in, const grid_kernel_mask *mask, grid_index_map where);
/* Device: the job of n of the vectors, outputs of a pull or inputs of a push, from `first` on, a multiple of
 * 64; y is over all outputs. */
void grid_job_restrict(grid_job *J, bool pull, const grid_output *y, uint64_t first, uint64_t n);
/* Does the product of the block meet so few entries that arrays over its axes would cost more? Differs
 * between processes. */
bool grid_is_sparse_push(const grid_product *p, const grid_input *in);
/* That product: t, initialised with the type and length that the caller needs, becomes a list of local ids.
 * `local_mask` says which are allowed, or, where it is NULL, mask. */
GrB_Info grid_run_sparse_push(grid_product *p, const grid_input *in, const grid_mask *local_mask,
                              const grid_kernel_mask *mask, grid_index_map where, grid_chunk *t);
/* Are values positions (SECONDI) that fit 32 bits? Then messages hold them as such. */
static inline bool grid_has_narrow_values(const grid_product *p) {
  return !p->s->mul->f && grid_index_fits32(p->in.n);
}

/* fold_device.c: t = the sum of `count` consecutive segments of q bits and values, of which n are used; t has
 * its bits allocated. */
typedef struct {
  uint64_t *bits;
  void *val;
  uint64_t q, n, count;
} grid_segments;
GrB_Info grid_product_add_segments(const grid_product *p, const grid_segments *w, grid_chunk *t);
/* Sends segment r, of `bytes` bytes, to process r of the set, and receives one from each. */
GrB_Info grid_product_exchange(const grid_device_transport *transport, grid_set set, const void *from,
                               void *to, uint64_t bytes);
/* local_product_device.c: the local product of a block on the device, with operands and an empty y on the
 * host. */
GrB_Info grid_run_block_device(const grid_product *p, const grid_axis *in_axis, bool pull, grid_job *job);

/* product_trace.c: the program's function, or NULL. */
typedef struct {
  Grid_trace_function call;
  void *context;
} grid_product_tracer;
extern grid_product_tracer grid_tracer __attribute__((visibility("hidden")));
static inline bool grid_is_tracing(void) {
  return grid_tracer.call != NULL;
}
/* Are the times of steps used? */
static inline bool grid_is_timing(void) {
  return grid_is_tracing() || grid_burble;
}
/* Milliseconds, where times are used, else 0. A lap adds the time since *since to *to, and restarts; on the
 * device it waits for what has been launched. */
double grid_product_clock(void);
static inline double grid_product_now(void) {
  return grid_is_timing() ? grid_product_clock() : 0;
}
void grid_product_add_lap(const grid_product *p, double *to, double *since);
static inline void grid_product_lap(const grid_product *p, double *to, double *since) {
  if (grid_is_timing()) grid_product_add_lap(p, to, since);
}
GrB_Info grid_trace_product(grid_product *p);

#endif
