/* vector.h: what the vector operations share beyond objects.h. */
#ifndef GRID_VECTOR_H
#define GRID_VECTOR_H
#include "dist/object/objects.h"
#include "spmat/vector/chunk_write.h"
#include "spmat/vec_ops.h"

/* ---- checks (vector_check.c) ---------------------------------------------------------------------------------- */

GrB_Info grid_check_scalar(GrB_Scalar s, grid_head *out, const char *call, const char *what);
/* Is op a live operator that can be called (SECONDI exists in semirings only)? */
GrB_Info grid_check_binary(GrB_BinaryOp op, grid_head *out, const char *call, const char *what);
/* Can a value of type `from`, called what, be cast to `to`, which belongs to `where`? */
GrB_Info grid_check_cast(GrB_Type to, GrB_Type from, grid_head *out, const char *call, const char *what,
                         const char *where);
/* Of arrays that a matrix is exported to or imported from. */
GrB_Info grid_check_format(int format, grid_head *out, const char *call);
GrB_Info grid_check_size(uint64_t have, uint64_t want, grid_head *out, const char *call, const char *what,
                         const char *other);
/* Of an output called `name`, of this type, and a mask of type `mask` (NULL: none): accum and desc, and the
 * types of all that meets there. */
GrB_Info grid_check_write(grid_head *out, GrB_Type type, const char *name, GrB_Type mask, GrB_BinaryOp accum,
                          GrB_Descriptor desc, GrB_Type ttype, const char *call, grid_desc *d);
/* Is `where`, an argument of that name, of an integer type? */
GrB_Info grid_check_index_vector(GrB_Vector where, grid_head *out, const char *call);
/* Are all of I[0..ni) below n? */
GrB_Info grid_check_indices(const GrB_Index *I, uint64_t ni, uint64_t n, grid_head *out, const char *call);
/* The same of a list that all processes have, each of which looks at a share of a long one. Collective,
 * agreed on. */
GrB_Info grid_check_shared_indices(const GrB_Index *I, uint64_t ni, uint64_t n, grid_head *out,
                                   const char *call);
/* The same of I[from .. end) alone. */
GrB_Info grid_check_index_list(const GrB_Index *I, uint64_t from, uint64_t end, uint64_t n, grid_head *out,
                               const char *call);

/* ---- outcomes (vector_output.c) ------------------------------------------------------------------------------- */

/* grid_finish_output for a t that stays as it is: another vector's chunk, or w's own. */
GrB_Info grid_finish_borrowed(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                              const grid_chunk *t, GrB_Info info);
/* ... and with the mask in hand; mine == t, or NULL: t is borrowed. Frees the mask. */
GrB_Info grid_finish_masked(GrB_Vector w, grid_mask *m, GrB_BinaryOp accum, bool replace, const grid_chunk *t,
                            grid_chunk *mine, bool masked, GrB_Info info);

/* The same where the arrays for it are there on every process, so that none can fail and there is nothing to
 * agree on. */
GrB_Info grid_finish_infallible(GrB_Vector w, GrB_Vector mask, const grid_desc *d, const grid_chunk *t);
/* grid_finish_output that agrees in another way: f takes more along. Collective, as grid_agree is. */
typedef struct {
  GrB_Info (*f)(grid_head *head, GrB_Info info, void *context);
  void *context;
} grid_agreement;
GrB_Info grid_finish_with_agreement(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                                    grid_chunk *t, bool masked, GrB_Info info, grid_agreement how);

/* All of v's entries on every process, ascending, values cast to xtype; I and X, as long as v has entries,
 * may be NULL. Collective, agreed on. */
GrB_Info grid_vector_tuples(uint64_t *I, void *X, GrB_Type xtype, GrB_Vector v);

/* v's entries on all processes, for a call that is under way. Collective. */
GrB_Info grid_vector_count(uint64_t *nvals, GrB_Vector v);

/* ---- values (vector.c, scalar.c) ----------------------------------------------------------------------- */

/* w(i) = x; i and the types have been checked. Collective. */
GrB_Info grid_vector_set(GrB_Vector w, const void *x, GrB_Type xtype, GrB_Index i);
/* s = x, or empty for x == NULL; the types have been checked. Cannot fail. */
void grid_scalar_set(GrB_Scalar s, const void *x, GrB_Type xtype);
/* v(i) = x of v's type, or, for x == NULL, no entry: now, or with the next call that is about more than
 * single elements (vector_pending.c). Collective. */
GrB_Info grid_vector_change(GrB_Vector v, const void *x, GrB_Index i);
/* Changes that wait are made here, for a call that this process may make alone; they go on waiting for the
 * others. Local. */
GrB_Info grid_vector_apply(GrB_Vector v);
/* It changes while grid_calls stands still: what is known of it does not hold any more. */
static inline void grid_vector_invalidate_cache(GrB_Vector v) {
  v->read_cache.counted = v->read_cache.read = 0;
  if (!grid_is_one_host_process()) grid_singles++;
}
/* Merges the changes that wait, as every call does that reads or writes more of v than single elements.
 * Collective, agreed on: a vector for which that fails keeps them. */
GrB_Info grid_vector_resolve(GrB_Vector v);
/* The empty vector; not agreed. */
GrB_Info grid_vector_alloc(GrB_Vector *v, GrB_Type type, uint64_t n);
void grid_vector_release(GrB_Vector v);

/* ---- routing (vector_route.c) --------------------------------------------------------------------------------- */

/* Entries on their way to the owners of their indices: idx[k] in a dimension, with a value of `size` bytes
 * each. */
typedef struct {
  uint64_t n;
  uint64_t *idx; /* sent: global; received: local to this process's chunk */
  void *val;
} grid_routed_entries;
/* Sends entries (val step 0 or 1) to the owners of their indices in a dimension dim. They arrive in the order
 * of the senders, each sender's in its order. `info`: this process's outcome so far, which is agreed on
 * first. Collective. Free with grid_routed_entries_free. */
GrB_Info grid_route(grid_routed_entries *to, uint64_t n, const uint64_t *idx, const void *val, size_t step,
                    size_t size, uint64_t dim, GrB_Info info);
void grid_routed_entries_free(grid_routed_entries *e);
#endif
