// c<mask, replace> accum= t (spmat/chunk_write.c). C_t, T_t: types of c and t; cast_t: T_t to C_t; ACCUM 1: accum
// with accum_x, accum_y (C_t and T_t to its operands) and accum_z (back to C_t).
#include "tile.cuh"
#include "vec_args.cuh"

// cval NULL: no value is written. c_one, t_one: the value of a t that has one only, in either type.
GRID_KERNEL grid_write_words(grid_write_args a, C_t *cval, const T_t *tval, C_t c_one, T_t t_one) {
  grid_counter count = 0;
  GRID_TILES(w, a.n) {
    const bool here = w < grid_words32(a.n);
    const uint32_t tail = grid_tail32(a.n, w);
    const uint32_t C = a.old == GRID_OLD_FULL ? tail : a.old == GRID_OLD_BITS && here ? a.c[w] : 0;
    const uint32_t set = a.mask_all ? ~0u : a.mask && here ? a.mask[w] : 0;
    const uint32_t M = (a.mask_flip ? ~set : set) & tail;
    const uint32_t T = a.t_full ? tail : a.t && M ? a.t[w] : 0;
    const uint32_t S = T & M;
    const uint32_t kept = a.accum ? (a.replace ? C & M : C) : a.replace ? 0 : C & ~M;
    if (a.c && here && ((S | kept) != C || a.old != GRID_OLD_BITS)) a.c[w] = S | kept;
    count += __popc(S | kept);
    if (!cval) continue;
    GRID_EACH(k, S) {
      const uint64_t i = grid_tile_index(w, k);
      const bool both = grid_tile_bit(S & C, k);
      if (grid_tile_bit(S, k)) {
        const T_t t = a.t_values ? tval[i] : t_one;
#if ACCUM
        if (both)
          cval[i] = accum_z(accum(accum_x(cval[i]), accum_y(t)));
        else
#endif
          cval[i] = a.t_values ? cast_t(t) : c_one;
      }
      (void)both;
    }
  }
  grid_add_count(a.count, count);
}
