// Selects the entries of u for which an index-unary operator is true. X_t, Y_t: types of u and of y; cast_x:
// X_t to the operator's operand, if USES_X; truth: the operator's result to bool.
#include "bitmap_tile.cuh"
#include "vec_args.cuh"

GRID_FN void grid_select_word(const grid_vec_args &a, X_t *__restrict__ z, const X_t *__restrict__ x,
                              const Y_t &y, uint64_t w, grid_counter &count) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t s = grid_word32(a.u, a.n, w);
  uint32_t chosen = 0;
  GRID_FOR_TILE_LANE(k, s) {
    const uint64_t i = grid_tile_index(w, k);
    bool yes = grid_tile_bit(s, k);
    if (yes) {
#if USES_X
      yes = truth(op(cast_x(x[a.iso ? 0 : i]), a.first + i, 0, y));
#else
      yes = truth(op(0, a.first + i, 0, y));
#endif
      if (yes && z) z[i] = x[i];
    }
    const uint32_t word = __ballot_sync(~0u, yes);
    if (lane == k) chosen = word;
  }
  if (w < grid_words32(a.n)) a.t[w] = chosen;
  count += __popc(chosen);
}

GRID_FN void grid_step(const grid_vec_step &s, uint64_t w, grid_counter &count) {
  grid_select_word(s.a, (X_t *)s.z, (const X_t *)s.x, *(const Y_t *)s.bound_scalar, w, count);
}
GRID_PASS(grid_select, grid_vec_step)
