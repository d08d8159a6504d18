/* vec_ops.h: the vector operations on one chunk each, by themselves: no mask, no accumulator, no other process.
 * Each fills an empty chunk t whose type is the operator's result type; t's arrays are reused where they are
 * large enough and in the right memory. On failure t is empty.
 *
 * With the device on the operands come to the device and t is made there; what the device lacks is done on
 * the host and reported (spmat/cpu/vector/vec_dispatch.c). build and tuples are the host's. */
#ifndef GRID_VEC_OPS_H
#define GRID_VEC_OPS_H
#include "spmat/vector/bound_operator.h"

/* t = u (op) v on the union (add) or the intersection of the entries; a lone entry is cast to op's result
 * type. */
GrB_Info grid_vec_ewise_add(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op);
GrB_Info grid_vec_ewise_mult(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op);

/* t = op(u); op(x, u); op(u, y); op(u(i), first + i, 0, y). x and y point at values of the operator's own
 * types; `first` is the vector's index of u's entry 0. */
GrB_Info grid_vec_apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op);
GrB_Info grid_vec_apply_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op);
GrB_Info grid_vec_apply_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op);
GrB_Info grid_vec_apply_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                              uint64_t first);

/* t = the entries of u for which op is true; t has u's type. */
GrB_Info grid_vec_select(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                         uint64_t first);

/* *z = the sum by op (three equal types) of all entries, if there are any (*present). terminal (or NULL)
 * stops early; so does `any`. */
GrB_Info grid_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op, const void *terminal,
                         bool any);

/* What to do with tuples of one index: combine them in their order by dup, or keep the last, or report
 * one. */
typedef struct {
  GrB_BinaryOp dup; /* three equal types, or NULL */
  bool last;        /* dup == NULL: the last one wins */
} grid_dup;
/* t(idx[k]) = x[k], k < n, idx below t->n in any order; x of type xt, step 0 (one value for all) or 1.
 * Several tuples with one index and no rule: GrB_INVALID_VALUE and *where is that index. */
GrB_Info grid_vec_build(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                        uint64_t n, grid_dup dup, uint64_t *where);
/* Along a list of indices, which are local. t(k) = u(I[k]) for k < t->n. named = the set of the I[k], k < ni,
 * a pattern of type BOOL, and t(I[k]) = u(k), the last one where several name a place; u NULL: named alone.
 * An index that is not below the length of u, of named: *bad, and nothing is made. u stays where it is, but
 * that gather may bring it to the host. */
GrB_Info grid_vec_gather(grid_chunk *t, const grid_chunk *u, const uint64_t *I, bool *bad);
GrB_Info grid_vec_scatter(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                          uint64_t ni, bool *bad);
/* With the device on, along a vector of integers that lies in one process: t(k) = u(where(k)); t(where(k)) =
 * u(k), those of one place combined by dup in the order of k. GRID_UNSUPPORTED, which may be said to the
 * caller here: it does it by lists (and is reported, if the device is on). *bad: an index that is no place,
 * or, without a dup, one that comes twice, and nothing is made. */
GrB_Info grid_vec_gather_along(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad);
GrB_Info grid_vec_combine_along(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                                bool *bad);
/* The entries of u, ascending: idx[k] = first + index and x[k] = value cast to xt; idx and x may be NULL. u
 * stays where it is. */
GrB_Info grid_vec_tuples(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first);

/* Changes of single entries, in their order: number k sets the vector's entry idx[k] to val + k * size of the
 * chunk's type or, where removed[k], removes it. */
typedef struct {
  const uint64_t *idx;
  const bool *removed;
  const char *val;
  uint64_t n, first; /* the chunk's entry 0 is the vector's `first` */
} grid_vec_changes;
/* c takes those that are its own, where it lies. On failure some of them may be done: all may be done again.
 */
GrB_Info grid_vec_change(grid_chunk *c, const grid_vec_changes *x);
#endif
