// z[k] of entry from_x[k] of x and from_y[k] of y: op of both, where both are there; else the one that is,
// cast (LONE). X_t, Y_t, Z_t: types of x, y and z; cast_x, cast_y: to the operator's operands; cast_z: its
// result to Z_t; lone_x, lone_y: to Z_t. A list that is NULL counts up; GRID_NO_ENTRY: not there. x, y NULL:
// all values are one_x, one_y.
#define GRID_NO_ENTRY 0xffffffffu

extern "C" __global__ void grid_part_pairs(uint64_t n, Z_t *__restrict__ z, const X_t *__restrict__ x,
                                           X_t one_x, const uint32_t *__restrict__ from_x,
                                           const Y_t *__restrict__ y, Y_t one_y,
                                           const uint32_t *__restrict__ from_y) {
  GRID_FOR(k, n) {
    const uint32_t i = from_x ? from_x[k] : (uint32_t)k, j = from_y ? from_y[k] : (uint32_t)k;
#if LONE
    if (j == GRID_NO_ENTRY) {
      z[k] = lone_x(x ? x[i] : one_x);
      continue;
    }
    if (i == GRID_NO_ENTRY) {
      z[k] = lone_y(y ? y[j] : one_y);
      continue;
    }
#endif
#if BOTH
    z[k] = cast_z(op(cast_x(x ? x[i] : one_x), cast_y(y ? y[j] : one_y)));
#endif
  }
}
