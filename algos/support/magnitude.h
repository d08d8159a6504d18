/* Numbers so large or small that products of them are not numbers, or 0. */
#ifndef GRID_MAGNITUDE_H
#define GRID_MAGNITUDE_H
#include <math.h>
#include <stdbool.h>

/* Does the square of x > 0 neither overflow nor lose digits, nor do sums of such squares? In FP64, and in
 * FP32. */
static inline bool grid_can_square(double x) {
  return x > 1e-140 && x < 1e140;
}
static inline bool grid_can_square_fp32(double x) {
  return x > 1e-15 && x < 1e15;
}

/* A power of two, by which x becomes 1 or near; 1 for 0 and what is not finite. */
static inline double grid_unit_of(double x) {
  const double most = 1000; /* so that the unit and its inverse are normal numbers */
  return x == 0 || !isfinite(x) ? 1 : ldexp(1, -(int)fmax(-most, fmin(ilogb(x), most)));
}
#endif
