// z[k] from entry from_x[k] of x and from_y[k] of y: op of both if both are present, else the present one,
// cast (UNPAIRED). X_t, Y_t, Z_t: types of x, y and z; cast_x, cast_y: to the operator's operands; cast_z:
// its result to Z_t; unpaired_x, unpaired_y: to Z_t. A list that is NULL counts up; GRID_NO_ENTRY: absent. x,
// y NULL: all values are iso_x, iso_y.
//
// The second kernel: z[at[k]] = op(z[at[k]], y[k]). It is used where X_t is Z_t; no two of `at` are equal.
#define GRID_NO_ENTRY 0xffffffffu

extern "C" __global__ void grid_pair_values_kernel(uint64_t n, Z_t *__restrict__ z, const X_t *__restrict__ x,
                                                   X_t iso_x, const uint32_t *__restrict__ from_x,
                                                   const Y_t *__restrict__ y, Y_t iso_y,
                                                   const uint32_t *__restrict__ from_y) {
  GRID_FOR(k, n) {
    const uint32_t i = from_x ? from_x[k] : (uint32_t)k, j = from_y ? from_y[k] : (uint32_t)k;
#if UNPAIRED
    if (j == GRID_NO_ENTRY) {
      z[k] = unpaired_x(x ? x[i] : iso_x);
      continue;
    }
    if (i == GRID_NO_ENTRY) {
      z[k] = unpaired_y(y ? y[j] : iso_y);
      continue;
    }
#endif
#if BOTH
    z[k] = cast_z(op(cast_x(x ? x[i] : iso_x), cast_y(y ? y[j] : iso_y)));
#endif
  }
}

#if BOTH
extern "C" __global__ void grid_accumulate_kernel(uint64_t n, Z_t *z, const uint32_t *__restrict__ at,
                                                  const Y_t *__restrict__ y, Y_t iso_y) {
  GRID_FOR(k, n) z[at[k]] = cast_z(op(cast_x(((const X_t *)z)[at[k]]), cast_y(y ? y[k] : iso_y)));
}
#endif
