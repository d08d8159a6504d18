// to = a and b, a or b, or a without b: bitmaps only.
#include "bitmap_tile.cuh"
#include "vec_args.cuh"

GRID_FN void grid_step(const grid_bits_step &s, uint64_t w, grid_counter &count) {
  const uint32_t x = grid_word32(s.a.u, s.a.n, w), y = grid_word32(s.a.v, s.a.n, w);
  const uint32_t z = (s.a.is_or ? x | y : s.a.is_and_not ? x & ~y : x & y) & grid_tail32(s.a.n, w);
  if (s.a.t && w < grid_words32(s.a.n)) s.a.t[w] = z;
  count += __popc(z);
}
GRID_PASS(grid_bits, grid_bits_step)
