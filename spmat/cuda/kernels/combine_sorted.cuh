// Combines entries with equal indices, in order. They are sorted by index: key[e] and number[e] are their
// index and their number in x, start[e] the beginning of their run of equal keys. X_t, Z_t: types of x and of
// the result. With DUP 1, V_t: the operator's one type, cast_x: X_t to V_t, cast_z: V_t to Z_t, op. With DUP
// 0 V_t is Z_t, and indices are distinct.
#include "vec_args.cuh"

extern "C" __global__ void grid_combine(grid_combine_args a, V_t *sum, const X_t *x, Z_t *z) {
  GRID_FOR(e, a.m) {
    if (a.step == GRID_COMBINE_LOAD) {
      sum[e] = cast_x(x[a.iso ? 0 : a.number[e]]);
    } else if (a.step == GRID_COMBINE_STORE) {
      if (a.start[e] == e) z[a.key[e]] = cast_z(sum[e]);
    } else {
#if DUP
      // those at multiples of 2 * distance in their run add the result of the next `distance` entries
      const unsigned long long at = e - a.start[e];
      if ((at & (2 * a.distance - 1)) == 0 && e + a.distance < a.m && a.start[e + a.distance] == a.start[e])
        sum[e] = op(sum[e], sum[e + a.distance]);
#endif
    }
  }
}

// Everything in one block, for few entries: *facts has their number, and the most at one index.
extern "C" __global__ void __launch_bounds__(1024)
    grid_combine_sparse(const uint32_t *facts, const uint64_t *key, const uint32_t *start,
                        const uint32_t *number, V_t *sum, const X_t *x, Z_t *z) {
  const uint32_t m = facts[0];
  for (uint32_t e = threadIdx.x; e < m; e += blockDim.x) sum[e] = cast_x(x[number[e]]);
  __syncthreads();
#if DUP
  for (uint32_t d = 1; d < facts[1]; d *= 2) {
    for (uint32_t e = threadIdx.x; e < m; e += blockDim.x)
      if (((e - start[e]) & (2 * d - 1)) == 0 && e + d < m && start[e + d] == start[e])
        sum[e] = op(sum[e], sum[e + d]);
    __syncthreads();
  }
#endif
  for (uint32_t e = threadIdx.x; e < m; e += blockDim.x)
    if (start[e] == e) z[key[e]] = cast_z(sum[e]);
}
