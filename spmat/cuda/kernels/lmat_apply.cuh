// z = op(x, i, j, bound) for each entry of a local matrix. X_t, Z_t, G_t: types of the entries, of the result
// and of the bound scalar; cast_x: X_t to the operator's operand, if USES_X. x NULL: all values are `one`.
#include "lmat_entries.cuh"

extern "C" __global__ void __launch_bounds__(GRID_CSR_THREADS)
    grid_cpu_lmat_apply(grid_csr_pattern m, grid_device_index_map rows, grid_device_index_map cols,
                        const X_t *__restrict__ x, X_t one, G_t bound_scalar, Z_t *__restrict__ z) {
  grid_csr_for_each(m, [&](bool in, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!in) return;
    const uint64_t i = grid_device_index_map_at(rows, grid_csr_find_row(m.ptr, lo, hi, e)),
                   j = grid_device_index_map_at(cols, m.idx[e]);
#if USES_X
    z[e] = op(cast_x(x ? x[e] : one), i, j, bound_scalar);
#else
    z[e] = op(0, i, j, bound_scalar);
#endif
  });
}
