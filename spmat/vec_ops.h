/* Vector operations on one chunk each: no mask, no accumulator, no communication. Each fills an empty chunk t
 * whose type is the operator's result type. t's arrays are reused where they are large enough and in the
 * right memory. On failure t is empty.
 *
 * With the device on, the operands move to the device and t is allocated there. What the device does not
 * support runs on the CPU and is reported (spmat/vec_ops.c). build and tuples always run on the CPU. */
#ifndef GRID_VEC_OPS_H
#define GRID_VEC_OPS_H
#include "spmat/vector/bound_operator.h"

/* t = u (op) v on the union (add) or the intersection (mult) of the entries. An entry that only one operand
 * has is cast to op's result type. */
GrB_Info grid_vec_ewise_add(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op);
GrB_Info grid_vec_ewise_mult(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op);
/* The same on the union, where an entry that only u has gives op(u, v_absent), and one that only v has
 * op(u_absent, v): values of the operator's operand types. On the CPU. */
GrB_Info grid_vec_ewise_union(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                              const void *u_absent, const void *v_absent);

/* t = op(u); op(x, u); op(u, y); op(u(i), first + i, 0, y). x and y point at values of the operator's operand
 * types; `first` is the global index of u's entry 0. */
GrB_Info grid_vec_apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op);
GrB_Info grid_vec_apply_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op);
GrB_Info grid_vec_apply_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op);
GrB_Info grid_vec_apply_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                              uint64_t first);

/* t = the entries of u for which op is true; t has u's type. */
GrB_Info grid_vec_select(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                         uint64_t first);

/* *z = the reduction of all entries by op (three equal types); *present: u has entries. A partial result
 * equal to `terminal` (NULL: none) ends the reduction early. any: the result may be any entry. */
GrB_Info grid_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op, const void *terminal,
                         bool any);

/* How tuples with equal indices are combined: by dup in their order; or the last one wins; or (dup NULL, last
 * false) they are an error. */
typedef struct {
  GrB_BinaryOp dup; /* three equal types, or NULL */
  bool last;        /* used if dup is NULL */
} grid_dup;
/* t(idx[k]) = x[k] for k < n; idx is below t->n, in any order. x has type xt and step 0 (iso) or 1. Equal
 * indices that dup does not allow: GrB_INVALID_VALUE, and *where is one such index. */
GrB_Info grid_vec_build(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                        uint64_t n, grid_dup dup, uint64_t *where);
/* Gather and scatter by lists of local indices. gather: t(k) = u(I[k]) for k < t->n. scatter: `named`, a BOOL
 * pattern, is the set of all I[k], k < ni, and t(I[k]) = u(k); of equal indices the last one counts; u NULL:
 * only `named` is computed. An index out of range sets *bad, and the results stay empty. u stays in its
 * memory, except that gather may move it to the host. */
GrB_Info grid_vec_gather(grid_chunk *t, const grid_chunk *u, const uint64_t *I, bool *bad);
GrB_Info grid_vec_scatter(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                          uint64_t ni, bool *bad);
/* The same by an integer vector that lies in one process, on the device, and of the first also on the host by
 * a bitmap. One is t(k) = u(where(k)). The other is t(where(k)) = u(k), with equal indices combined by dup in
 * the order of k. GRID_UNSUPPORTED (reported if the device is on): the caller uses index lists instead. *bad:
 * an index out of range or, without a dup, one that occurs twice; t is empty then. */
GrB_Info grid_vec_gather_along(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad);
GrB_Info grid_vec_combine_along(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                                bool *bad);
/* The entries of u in ascending order: idx[k] = first + index, x[k] = value cast to xt. idx and x may be
 * NULL. u stays in its memory. */
GrB_Info grid_vec_tuples(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first);

/* Changes of single entries, applied in order. Change k sets the vector's entry idx[k] to the value at val +
 * k * (size of the chunk's type) or, if removed[k], removes the entry. */
typedef struct {
  const uint64_t *idx;
  const bool *removed;
  const char *val;
  uint64_t n, first; /* first: global index of the chunk's entry 0 */
} grid_vec_changes;
/* Applies the changes whose indices lie in c, in c's memory. After a failure some may be applied; applying
 * all of them again is correct. */
GrB_Info grid_vec_change(grid_chunk *c, const grid_vec_changes *x);

/* A backend's rows behind the functions above. Operands lie in the backend's memory and have entries; t is
 * empty. A row may answer GRID_UNSUPPORTED, which sends the operation to the CPU; the CPU supports all. */
typedef struct grid_vec_ops {
  GrB_Info (*ewise)(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op, bool add);
  /* The CPU's alone. */
  GrB_Info (*ewise_union)(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                          const void *u_absent, const void *v_absent);
  GrB_Info (*apply)(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op);
  GrB_Info (*apply_first)(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op);
  GrB_Info (*apply_second)(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op);
  GrB_Info (*apply_index)(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                          uint64_t first);
  GrB_Info (*select)(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y, uint64_t first);
  /* *present: u has entries. On the device u's count may still be pending, unless u is iso. */
  GrB_Info (*reduce)(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op, const void *terminal,
                     bool any);
  /* The CPU's alone; the device gathers and scatters by lists in its own memory (spmat/vector/backend.h). */
  GrB_Info (*build)(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep, uint64_t n,
                    grid_dup dup, uint64_t *where);
  GrB_Info (*gather)(grid_chunk *t, const grid_chunk *u, const uint64_t *I, const uint64_t *within,
                     bool *bad);
  GrB_Info (*scatter)(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I, uint64_t ni,
                      bool *bad);
  void (*tuples)(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first);
} grid_vec_ops;
#endif
