/* The operations of spmat/vec_ops.h on chunks in host memory. */
#ifndef GRID_VEC_CPU_H
#define GRID_VEC_CPU_H
#include "spmat/vec_ops.h"
#include "spmat/vector/pack.h"

/* Threads that compute n values without gaps. */
static inline int grid_value_threads(uint64_t n) {
  return grid_work_threads(n / 8);
}

/* t = u (op) v on the union (add) or the intersection of the entries. */
GrB_Info grid_cpu_vec_ewise(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                            bool add);
/* The union where an entry of u alone gives op(u, v_absent), and one of v alone op(u_absent, v). */
GrB_Info grid_cpu_vec_ewise_union(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                                  const void *u_absent, const void *v_absent);
GrB_Info grid_cpu_vec_apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op);
GrB_Info grid_cpu_vec_apply_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op);
GrB_Info grid_cpu_vec_apply_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op);
GrB_Info grid_cpu_vec_apply_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                                  uint64_t first);
GrB_Info grid_cpu_vec_select(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                             uint64_t first);
GrB_Info grid_cpu_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op,
                             const void *terminal, bool any);
GrB_Info grid_cpu_vec_build(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                            uint64_t n, grid_dup dup, uint64_t *where);
/* grid_vec_build for tuples so many that they are stored directly in dense arrays, if equal indices need no
 * operator (`last`: the last one wins); otherwise *stored is false. */
GrB_Info grid_cpu_vec_build_dense(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt,
                                  size_t xstep, uint64_t n, bool last, bool *stored);
/* The same where equal indices are combined by dup, in the order of the tuples; otherwise, that is, for few
 * tuples or another type than dup's, *stored is false. */
GrB_Info grid_cpu_vec_combine(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                              uint64_t n, GrB_BinaryOp dup, bool *stored);
/* within: the bits of the k that count; NULL: all. */
GrB_Info grid_cpu_vec_gather(grid_chunk *t, const grid_chunk *u, const uint64_t *I, const uint64_t *within,
                             bool *bad);
GrB_Info grid_cpu_vec_scatter(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                              uint64_t ni, bool *bad);
/* The same for many indices: dense arrays in any case. */
GrB_Info grid_cpu_vec_scatter_dense(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                                    uint64_t ni, bool *bad);
void grid_cpu_vec_tuples(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first);
#endif
