/* See vector_positions.h. */
#include "dist/vector/vector_positions.h"

GrB_Info grid_vector_positions(GrB_Vector *p, GrB_Vector u, bool rows, int shift, GrB_Type type,
                               const char *call) {
  GrB_Info info;
  const int64_t shift64 = shift;
  const int32_t shift32 = shift;
  const grid_desc d = {0};
  *p = NULL;
  TRY(grid_check_operand(u, NULL, call, "u"));
  TRY(GrB_Vector_new(p, type, u->n));
  grid_chunk t = grid_reusable_chunk(*p, type);
  info = grid_vec_apply_index(&t, &u->chunk, grid_position_index_op(type, rows),
                              type == GrB_INT64 ? (const void *)&shift64 : (const void *)&shift32,
                              grid_chunk_first(u->n, grid_ctx.k));
  info = grid_finish_output(*p, NULL, NULL, &d, &t, false, info);
done:
  return info;
}
