// c<mask, replace> accum= t (spmat/vector/chunk_write.c). C_t, T_t: types of c and t; cast_t: T_t to C_t;
// ACCUM 1: accum with accum_x, accum_y (C_t and T_t to its operands) and accum_z (back to C_t).
#include "bitmap_tile.cuh"
#include "vec_args.cuh"

// One value; both: c has an entry there already.
GRID_FN void grid_write_value(const grid_write_args &a, C_t *__restrict__ cval, const T_t *__restrict__ tval,
                              const C_t &c_iso, const T_t &t_iso, uint64_t i, bool both) {
  const T_t t = a.t_values ? tval[i] : t_iso;
#if ACCUM
  if (both) {
    cval[i] = accum_z(accum(accum_x(cval[i]), accum_y(t)));
    return;
  }
#endif
  (void)both;
  cval[i] = a.t_values ? cast_t(t) : c_iso;
}

GRID_FN void grid_write_word(const grid_write_args &a, C_t *__restrict__ cval, const T_t *__restrict__ tval,
                             const C_t &c_iso, const T_t &t_iso, uint64_t w, grid_counter &count) {
  const bool in_range = w < grid_words32(a.n);
  const uint32_t tail = grid_tail32(a.n, w);
  const uint32_t C = a.old == GRID_OLD_FULL ? tail : a.old == GRID_OLD_BITS && in_range ? a.c[w] : 0;
  const uint32_t set = a.mask_all ? ~0u : a.mask && in_range ? a.mask[w] : 0;
  const uint32_t M = (a.mask_flip ? ~set : set) & tail;
  const uint32_t T = a.t_full ? tail : a.t && M ? a.t[w] : 0;
  const uint32_t S = T & M;
  const uint32_t retained = a.accum ? (a.replace ? C & M : C) : a.replace ? 0 : C & ~M;
  if (a.c && in_range && ((S | retained) != C || a.old != GRID_OLD_BITS)) a.c[w] = S | retained;
  count += __popc(S | retained);
  if (!cval) return;
  if (__all_sync(~0u, S == ~0u)) {  // several loads are in flight
#pragma unroll 8
    for (unsigned k = 0; k < 32; k++)
      grid_write_value(a, cval, tval, c_iso, t_iso, grid_tile_index(w, k), ACCUM && grid_tile_bit(C, k));
    return;
  }
  GRID_FOR_TILE_LANE(k, S) {
    const bool both = grid_tile_bit(S & C, k);
    if (grid_tile_bit(S, k)) grid_write_value(a, cval, tval, c_iso, t_iso, grid_tile_index(w, k), both);
  }
}

GRID_FN void grid_step(const grid_write_step &s, uint64_t w, grid_counter &count) {
  grid_write_word(s.a, (C_t *)s.c, (const T_t *)s.t, *(const C_t *)s.c_iso, *(const T_t *)s.t_iso, w, count);
}
GRID_PASS(grid_write_words, grid_write_step)
