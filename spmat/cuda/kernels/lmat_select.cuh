// Selects the entries of a local matrix for which an index-unary operator is true: bit e of `bits`. X_t, Y_t:
// types of the entries and of y; cast_x: X_t to the operator's operand, if USES_X; truth: the operator's
// result to bool. x NULL: all values are `one`.
#include "lmat_entries.cuh"

extern "C" __global__ void __launch_bounds__(GRID_CSR_THREADS)
    grid_cpu_lmat_select(grid_csr_pattern m, grid_device_index_map rows, grid_device_index_map cols,
                         const X_t *__restrict__ x, X_t one, Y_t y, uint32_t *__restrict__ bits) {
  grid_csr_for_each(m, [&](bool in, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = false;
    if (in) {
      const uint64_t i = grid_device_index_map_at(rows, grid_csr_find_row(m.ptr, lo, hi, e)),
                     j = grid_device_index_map_at(cols, m.idx[e]);
#if USES_X
      yes = truth(op(cast_x(x ? x[e] : one), i, j, y));
#else
      yes = truth(op(0, i, j, y));
#endif
    }
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}
