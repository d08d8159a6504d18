/* Internal interface of the vector beyond objects.h. */
#ifndef GRID_VECTOR_H
#define GRID_VECTOR_H
#include "dist/object/objects.h"
#include "spmat/vector/chunk_write.h"
#include "spmat/vec_ops.h"

/* ---- checks (vector_check.c) --------------------------------------------------------------------------- */

GrB_Info grid_check_scalar(GrB_Scalar s, grid_head *out, const char *call, const char *what);
/* Is op a live operator that can be called (SECONDI exists in semirings only)? */
GrB_Info grid_check_binary(GrB_BinaryOp op, grid_head *out, const char *call, const char *what);
/* ... or one of positions, which the call passes to grid_hooks.index_binary? */
GrB_Info grid_check_multiplier(GrB_BinaryOp op, grid_head *out, const char *call, const char *what);
/* The error of a cast that does not exist. */
GrB_Info grid_fail_cast(GrB_Type to, GrB_Type from, grid_head *out, const char *call, const char *what,
                        const char *where);
/* Can a value of type `from`, named `what` in the error, be cast to `to`, the type of `where`? */
static inline GrB_Info grid_check_cast(GrB_Type to, GrB_Type from, grid_head *out, const char *call,
                                       const char *what, const char *where) {
  return grid_compatible(to, from) ? GrB_SUCCESS : grid_fail_cast(to, from, out, call, what, where);
}
/* Is `format` one of the import and export formats? */
GrB_Info grid_check_format(int format, grid_head *out, const char *call);
GrB_Info grid_check_size(uint64_t have, uint64_t want, grid_head *out, const char *call, const char *what,
                         const char *other);
/* Checks accum and desc, and all types involved, for an output `name` of type `type` with a mask of type
 * `mask` (NULL: none) and a result of type ttype. Fills *d. */
GrB_Info grid_check_write(grid_head *out, GrB_Type type, const char *name, GrB_Type mask, GrB_BinaryOp accum,
                          GrB_Descriptor desc, GrB_Type ttype, const char *call, grid_desc *d);
/* Is v, the argument of that name, of an integer type? */
GrB_Info grid_check_integers(GrB_Vector v, grid_head *out, const char *call, const char *what);
/* Are all of I[0..ni) below n? */
GrB_Info grid_check_indices(const GrB_Index *I, uint64_t ni, uint64_t n, grid_head *out, const char *call);
/* The same for a list that all processes have; each checks a share of a long one. Collective, agreed on. */
GrB_Info grid_check_shared_indices(const GrB_Index *I, uint64_t ni, uint64_t n, grid_head *out,
                                   const char *call);
/* The same for I[from .. end). */
GrB_Info grid_check_index_list(const GrB_Index *I, uint64_t from, uint64_t end, uint64_t n, grid_head *out,
                               const char *call);

/* ---- results (vector_output.c) ---- */

/* Before a result of `type` for w is computed without a message, by an operator with the code `op`
 * (semiring/op_codes.h): on short vectors the call then needs no agreement (dist/grid/short_call.h). It ends
 * in grid_finish_output or grid_finish_borrowed. Collective. */
void grid_begin_output(GrB_Vector w, GrB_Type type, GrB_BinaryOp accum, int op);

/* Is each value of w replaced by one of the same size, made of those of u and v at its position? The result
 * may then be written where they are, as nothing can fail by then, and the processor's caches hold one vector
 * less: into grid_replaced_chunk(w), which becomes w->chunk after a success. */
bool grid_replaces_values(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d, GrB_Type z,
                          GrB_Vector u, GrB_Vector v);
grid_chunk grid_replaced_chunk(GrB_Vector w);

/* grid_finish_output for a t that is not consumed: another vector's chunk, or w's own. */
GrB_Info grid_finish_borrowed(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                              const grid_chunk *t, GrB_Info info);
/* The same with the mask already read; owned_t == t is consumed, owned_t == NULL: t is borrowed. Frees the
 * mask. */
GrB_Info grid_finish_masked(GrB_Vector w, grid_mask *m, GrB_BinaryOp accum, bool replace, const grid_chunk *t,
                            grid_chunk *owned_t, bool masked, GrB_Info info);

/* The same where every process already has the arrays for the result, so that no step can fail and no
 * agreement is needed. */
GrB_Info grid_finish_infallible(GrB_Vector w, GrB_Vector mask, const grid_desc *d, const grid_chunk *t);
/* grid_finish_output with a custom agreement: f may carry more data in its message. Collective, as
 * grid_agree is. */
typedef struct {
  GrB_Info (*f)(grid_head *head, GrB_Info info, void *context);
  void *context;
} grid_agreement;
GrB_Info grid_finish_with_agreement(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                                    grid_chunk *t, bool masked, GrB_Info info, grid_agreement how);

/* Numbers of entries: of all processes together and, if these are no more than GRID_COUNTED, of each. */
enum { GRID_COUNTED = 256 };
typedef struct {
  uint64_t nvals, of[GRID_COUNTED];
} grid_entry_counts;
/* Those of v. Collective, agreed on. */
GrB_Info grid_vector_count_each(grid_entry_counts *n, GrB_Vector v);
/* Gathers all entries of v, which were counted, on every process, indices ascending, values cast to xtype. I
 * and X have room for all of v's entries; each may be NULL. Collective, agreed on. */
GrB_Info grid_vector_tuples(uint64_t *I, void *X, GrB_Type xtype, GrB_Vector v, const grid_entry_counts *n);

/* The empty w is built of each process's tuples, with values of `type`, or one value x for all of them;
 * errors name `call`. Collective, agreed on. */
GrB_Info grid_vector_build(GrB_Vector w, const GrB_Index *I, const void *X, GrB_Type type, GrB_Index n,
                           GrB_BinaryOp dup, const char *call);

/* Number of v's entries over the grid, for use inside a call. Collective. */
GrB_Info grid_vector_count(uint64_t *nvals, GrB_Vector v);

/* ---- values (vector_element.c, scalar.c) --------------------------------------------------------------- */

/* w(i) = x, cast from xtype; index and types have been checked. Collective. */
GrB_Info grid_vector_set(GrB_Vector w, const void *x, GrB_Type xtype, GrB_Index i);
/* s = x, or empty for x == NULL; the types have been checked. Cannot fail. */
void grid_scalar_set(GrB_Scalar s, const void *x, GrB_Type xtype);
/* v(i) = x of v's type, or removes the entry for x == NULL: at once, or pending until the next call on
 * more than single elements (vector_pending.c). Collective. */
GrB_Info grid_vector_change(GrB_Vector v, const void *x, GrB_Index i);
/* Applies pending changes to this process's chunk for a local call; they stay pending. Local. */
GrB_Info grid_vector_apply(GrB_Vector v);
/* v changes while grid_calls does not: cached reads become invalid. */
static inline void grid_vector_invalidate_cache(GrB_Vector v) {
  v->read_cache.counted = v->read_cache.read = 0;
  if (!grid_is_one_host_process()) grid_singles++;
}
/* Merges pending changes; called by everything that reads or writes more of v than single elements.
 * Collective, agreed on; after a failure they stay pending. */
GrB_Info grid_vector_resolve(GrB_Vector v);
/* Is the library initialised, v not NULL and n at most 2^60? Local. */
GrB_Info grid_vector_check_new(const void *v, uint64_t n, const char *call);
/* Allocates an empty vector; the caller agrees on the outcome. */
GrB_Info grid_vector_alloc(GrB_Vector *v, GrB_Type type, uint64_t n);
void grid_vector_release(GrB_Vector v);
/* Frees the entries, before the vector is freed. */
void grid_vector_drop(GrB_Vector v);

/* ---- routing (vector_route.c) -------------------------------------------------------------------------- */

/* Entries routed to the owners of their indices: idx[k] in a dimension, with values of `size` bytes. */
typedef struct {
  uint64_t n;
  uint64_t *idx; /* when sent: global; when received: local to this process's chunk */
  void *val;
} grid_routed_entries;
/* Sends entries (step 0: one value for all, 1: one each) to the owners of their indices in a dimension
 * dim. They are received in the order of the senders, each sender's in its order. info: this process's
 * outcome so far; the result is its outcome, on which the caller agrees. Collective. Free with
 * grid_routed_entries_free. */
GrB_Info grid_route(grid_routed_entries *to, uint64_t n, const uint64_t *idx, const void *val, size_t step,
                    size_t size, uint64_t dim, GrB_Info info);
void grid_routed_entries_free(grid_routed_entries *e);
#endif
