/* The distributed objects behind GrB_Vector, GrB_Matrix and GrB_Scalar. */
#ifndef GRID_OBJECTS_H
#define GRID_OBJECTS_H
#include "dist/grid/process_grid.h"
#include "dist/grid/layout.h"
#include "dist/object/live_objects.h"
#include "dist/object/pending_changes.h"
#include "semiring/support/tuning.h"
#include "spmat/vector/chunk.h"
#include "spmat/matrix/local_matrix.h"

/* On several processes: what reading single numbers of a vector has brought to all of them. It holds until
 * the vector may have changed. */
typedef struct {
  uint64_t counted, nvals; /* entries of all processes; grid_calls when they were counted */
  uint64_t read, reads;    /* single elements that were read, all at this grid_calls */
  bool copied, refused;    /* all of it is here; it cannot be had */
  grid_chunk all;
} grid_read_cache;

struct GrB_Vector_opaque {
  grid_head head;
  GrB_Type type;
  uint64_t n;          /* size, the same on every process */
  grid_chunk chunk;    /* this process's chunk; chunk.n = grid_chunk_length(n, grid_ctx.k) */
  grid_chunk reusable; /* arrays of the previous value, reused by the next product (empty chunk otherwise) */
  int32_t orientation; /* GrB_STORAGE_ORIENTATION_HINT */
  grid_stored_options options;
  grid_pending
      pending; /* changes of single elements that wait; none in a vector that another call has checked */
  grid_read_cache read_cache; /* what all processes have learnt of it (vector.c) */
  grid_live_object live;
};

struct GrB_Scalar_opaque {
  grid_head head;
  GrB_Type type;
  bool present;
  void *val;           /* type->size bytes; replicated on every process */
  int32_t orientation; /* GrB_STORAGE_ORIENTATION_HINT */
};

/* Does each process check and route a share only of n indices given alike on all? Of fewer indices reading
 * all takes less time than the messages. */
static inline bool grid_shares_indices(uint64_t n) {
  return n >= grid_tune.shared_check_min && (uint64_t)grid_ctx.P > grid_tune.shared_check_processes;
}

/* Standard checks, the one place for them. Each returns GrB_SUCCESS or the error with its text recorded on
 * `head`. */
GrB_Info grid_check_vector(GrB_Vector v, const char *call, const char *what);
/* The same for an operation that need not know how many entries v has (spmat/vector/chunk.h, GRID_UNCOUNTED):
 * element by element, and written back. */
GrB_Info grid_check_uncounted(GrB_Vector v, const char *call, const char *what);
/* An object's head, or NULL: for a call that agrees on its arguments, and whose object may be none on some
 * processes alone. Such a call checks the handle alone before the agreement: what follows sends messages. */
#define grid_live_head(object) ((object) && grid_is_live(object) ? &(object)->head : NULL)
/* A second vector; errors go to `out`. */
GrB_Info grid_check_uncounted_operand(GrB_Vector v, grid_head *out, const char *call, const char *what);
/* The same, of which the number of entries is wanted. */
GrB_Info grid_check_operand(GrB_Vector v, grid_head *out, const char *call, const char *what);
GrB_Info grid_check_matrix(GrB_Matrix a, const char *call, const char *what);
/* The type of a pointer argument of a _UDT form: the object's own, which must be user-defined. */
GrB_Info grid_check_user_type(GrB_Type t, grid_head *out, const char *call);

/* What every operation with a vector output C<mask> accum= ... starts with: checks w, mask, accum and desc.
 * The mask must fit w. w and `ttype`, the type of the result before accumulation, must cast to accum's types,
 * and its result to w's. */
GrB_Info grid_check_output(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Descriptor desc,
                           GrB_Type ttype, const char *call, grid_desc *d);
/* An empty chunk for a result of w's length, on the arrays that w keeps for reuse. grid_finish_output gives
 * them back. */
grid_chunk grid_reusable_chunk(GrB_Vector w, GrB_Type type);
/* ... and ends with: reads the mask, agrees on `info` over the grid, then w<mask> accum= t. t is consumed in
 * every case (freed by this call). `masked` as in grid_chunk_write. */
GrB_Info grid_finish_output(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                            grid_chunk *t, bool masked, GrB_Info info);
#endif
