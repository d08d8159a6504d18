// z = an operator on every entry of u, whose bits the result gets, too. X_t, Z_t, G_t: types of u, of the
// result and of the bound scalar; cast_x: X_t to the operator's operand. APPLY 1: op(x); 2: op(bound, x); 3:
// op(x, bound); 4: op(x, i, 0, bound), without x if USES_X is 0.
#include "bitmap_tile.cuh"
#include "vec_args.cuh"

GRID_FN Z_t grid_apply_entry(const grid_vec_args &a, const X_t *__restrict__ x, const G_t &bound_scalar,
                             uint64_t i) {
#if APPLY == 1
  return op(cast_x(x[a.iso ? 0 : i]));
#elif APPLY == 2
  return op(bound_scalar, cast_x(x[a.iso ? 0 : i]));
#elif APPLY == 3
  return op(cast_x(x[a.iso ? 0 : i]), bound_scalar);
#elif USES_X
  return op(cast_x(x[a.iso ? 0 : i]), a.first + i, 0, bound_scalar);
#else
  return op(0, a.first + i, 0, bound_scalar);
#endif
}

GRID_FN void grid_apply_word(const grid_vec_args &a, Z_t *__restrict__ z, const X_t *__restrict__ x,
                             const G_t &bound_scalar, uint64_t w) {
  const uint32_t s = grid_word32(a.u, a.n, w);
  if (a.t && w < grid_words32(a.n)) a.t[w] = s;
  if (__all_sync(~0u, s == ~0u)) {  // several loads are in flight
#pragma unroll 8
    for (unsigned k = 0; k < 32; k++) {
      const uint64_t i = grid_tile_index(w, k);
      z[i] = grid_apply_entry(a, x, bound_scalar, i);
    }
    return;
  }
  GRID_FOR_TILE_LANE(k, s) {
    const uint64_t i = grid_tile_index(w, k);
    if (grid_tile_bit(s, k)) z[i] = grid_apply_entry(a, x, bound_scalar, i);
  }
}

GRID_FN void grid_step(const grid_vec_step &s, uint64_t w, grid_counter &) {
  grid_apply_word(s.a, (Z_t *)s.z, (const X_t *)s.x, *(const G_t *)s.bound_scalar, w);
}
GRID_PASS(grid_apply, grid_vec_step)
