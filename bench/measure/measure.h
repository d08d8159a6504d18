/* What programs that measure the GPU share: the clock, and the end at an error. */
#ifndef GRID_MEASURE_H
#define GRID_MEASURE_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gridblas.h"

static inline void require(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "%s: %s\n", what, Grid_last_error());
  exit(2);
}
#define OK(call) require((call) == GrB_SUCCESS, #call)

/* In microseconds, in milliseconds. */
static inline double now_us(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}
static inline double now_ms(void) {
  return now_us() * 1e-3;
}
#endif
