// t = u (op) v on the union (ADD 1) or the intersection. U_t, V_t, Z_t: types of u, v and t; cast_u, cast_v:
// to the operator's operands; unpaired_u, unpaired_v: to Z_t, for an entry that the other vector lacks.
#include "bitmap_tile.cuh"
#include "vec_args.cuh"

GRID_FN void grid_ewise_word(const grid_ewise_args &a, Z_t *__restrict__ z, const U_t *__restrict__ u,
                             const V_t *__restrict__ v, uint64_t w, grid_counter &count) {
  const uint32_t U = grid_word32(a.u, a.n, w), V = grid_word32(a.v, a.n, w);
  const uint32_t R = ADD ? U | V : U & V;
  if (a.t && w < grid_words32(a.n)) a.t[w] = R;
  count += __popc(R);
  if (__all_sync(~0u, (U & V) == ~0u)) {  // several loads are in flight
#pragma unroll 8
    for (unsigned k = 0; k < 32; k++) {
      const uint64_t i = grid_tile_index(w, k);
      z[i] = op(cast_u(u[a.u_iso ? 0 : i]), cast_v(v[a.v_iso ? 0 : i]));
    }
    return;
  }
  GRID_FOR_TILE_LANE(k, R) {
    const uint64_t i = grid_tile_index(w, k);
    const bool has_u = grid_tile_bit(U, k), has_v = grid_tile_bit(V, k);
    if (has_u && has_v) z[i] = op(cast_u(u[a.u_iso ? 0 : i]), cast_v(v[a.v_iso ? 0 : i]));
#if ADD
    else if (has_u)
      z[i] = unpaired_u(u[a.u_iso ? 0 : i]);
    else if (has_v)
      z[i] = unpaired_v(v[a.v_iso ? 0 : i]);
#endif
  }
}

GRID_FN void grid_step(const grid_ewise_step &s, uint64_t w, grid_counter &count) {
  grid_ewise_word(s.a, (Z_t *)s.z, (const U_t *)s.u, (const V_t *)s.v, w, count);
}
GRID_PASS(grid_ewise, grid_ewise_step)
