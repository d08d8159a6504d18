/* Laps: times.h. With the device on a lap ends when the device is done. */
#include "spmat/times.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmat/device.h"

static double since;

static bool wanted(void) {
  static int answer = -1;
  if (answer < 0) {
    const char *text = getenv("GRIDBLAS_TIMES");
    answer = text && strcmp(text, "1") == 0;
  }
  return answer;
}

void grid_lap_start(void) {
  if (!wanted()) return;
  (void)grid_device_wait(); /* an error shows at the next call that looks for one */
  since = omp_get_wtime();
}

void grid_lap(const char *phase) {
  if (!wanted()) return;
  (void)grid_device_wait();
  const double now = omp_get_wtime();
  fprintf(stderr, "gridblas: %-24s %10.3f ms\n", phase, (now - since) * 1e3);
  since = now;
}
