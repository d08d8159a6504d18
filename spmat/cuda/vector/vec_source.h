/* Preambles for the kernels for vectors (kernels/vec_*.cuh): the types and operators of one call under the
 * names that each kernel uses. */
#ifndef GRID_VEC_SOURCE_H
#define GRID_VEC_SOURCE_H
#include "spmat/cuda/jit/jit.h"

/* vec_write.cuh: c of type c, t of type t; accum may be NULL */
void grid_source_write(grid_jit_source *s, GrB_Type c, GrB_Type t, GrB_BinaryOp accum);
/* vec_apply.cuh: results of type z from entries of type x; a bound scalar is the left or the right operand */
void grid_source_unary(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_UnaryOp op);
void grid_source_binary(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_BinaryOp op, bool left);
void grid_source_index(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_IndexUnaryOp op);
/* vec_select.cuh, vec_reduce.cuh */
void grid_source_select(grid_jit_source *s, GrB_Type x, GrB_IndexUnaryOp op);
void grid_source_reduce(grid_jit_source *s, GrB_Type x, GrB_BinaryOp op);
/* combine_sorted.cuh: entries of type x, combined by dup (NULL: indices are distinct), become z */
void grid_source_combine(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_BinaryOp dup);
/* combine_duplicates.cuh: values of one position are joined by dup */
void grid_source_duplicates(grid_jit_source *s, GrB_Type type, GrB_BinaryOp dup);
/* vec_ewise.cuh */
void grid_source_ewise(grid_jit_source *s, GrB_Type z, GrB_Type u, GrB_Type v, GrB_BinaryOp op, bool add);
/* vec_fused.cuh for n passes (not vec_reduce.cuh or combine_sorted.cuh), each given by its source: what one
 * of these functions writes, and the #include of its file. False: they cannot be in one source. */
bool grid_source_fused(grid_jit_source *s, const char *const *text, int n);
#endif
