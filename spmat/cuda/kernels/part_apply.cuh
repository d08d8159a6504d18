// z = op(x, i, j, given) for each entry of a part. X_t, Z_t, G_t: types of the entries, of the result and of
// the value given; cast_x: X_t to the operator's operand, where USES_X. x NULL: all values are `one`.
#include "part_entries.cuh"

extern "C" __global__ void __launch_bounds__(GRID_PART_THREADS)
    grid_part_apply(grid_part_rows m, grid_part_places rows, grid_part_places cols, const X_t *__restrict__ x,
                    X_t one, G_t given, Z_t *__restrict__ z) {
  grid_part_each(m, [&](bool in, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!in) return;
    const uint64_t i = grid_part_place(rows, grid_part_row(m.ptr, lo, hi, e)),
                   j = grid_part_place(cols, m.idx[e]);
#if USES_X
    z[e] = op(cast_x(x ? x[e] : one), i, j, given);
#else
    z[e] = op(0, i, j, given);
#endif
  });
}
