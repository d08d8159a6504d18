/* vec_source.h: what the kernels for vectors (kernels/vec_*.cuh) are compiled from: the types and operators
 * of one call under the names that each kernel uses. */
#ifndef GRID_VEC_SOURCE_H
#define GRID_VEC_SOURCE_H
#include "spmat/cuda/jit/jit.h"

/* vec_write.cuh: c of type c, t of type t; accum may be NULL */
void grid_source_write(grid_jit_source *s, GrB_Type c, GrB_Type t, GrB_BinaryOp accum);
/* vec_apply.cuh: results of type z from entries of type x; a value given stands left or right of them */
void grid_source_unary(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_UnaryOp op);
void grid_source_binary(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_BinaryOp op, bool left);
void grid_source_index(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_IndexUnaryOp op);
/* vec_select.cuh, vec_reduce.cuh */
void grid_source_select(grid_jit_source *s, GrB_Type x, GrB_IndexUnaryOp op);
void grid_source_reduce(grid_jit_source *s, GrB_Type x, GrB_BinaryOp op);
/* combine_sorted.cuh: entries of type x, combined by dup (NULL: no two go to one place), become z */
void grid_source_combine(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_BinaryOp dup);
/* vec_ewise.cuh */
void grid_source_ewise(grid_jit_source *s, GrB_Type z, GrB_Type u, GrB_Type v, GrB_BinaryOp op, bool add);
/* vec_fused.cuh, of n of the above (not vec_reduce.cuh or combine_sorted.cuh), each a whole text: what one of
 * these functions writes, and the #include of its file. false: they cannot stand in one. */
bool grid_source_fused(grid_jit_source *s, const char *const *text, int n);
#endif
