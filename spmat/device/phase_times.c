/* Phase times; see phase_times.h. With the device on, a phase ends when the device has finished. */
#include "spmat/device/phase_times.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/threads/context_section.h"
#include "semiring/support/tuning.h"
#include "spmat/device/device.h"

static struct {
  double since;
  int process; /* its number, where there are several */
} default_lap GRID_OF_CONTEXT = {.process = -1};
#define lap GRID_IN_CONTEXT(default_lap)

void grid_lap_set_process(int k) {
  lap.process = k;
}

void grid_lap_start(void) {
  if (!grid_tune.build_times) return;
  (void)grid_device_wait(); /* an error shows at the next call that looks for one */
  lap.since = omp_get_wtime();
}

void grid_lap_record(const char *phase) {
  if (!grid_tune.build_times) return;
  (void)grid_device_wait();
  const double now = omp_get_wtime();
  char who[16] = "";
  if (lap.process >= 0) snprintf(who, sizeof who, " %d", lap.process);
  fprintf(stderr, "gridblas%s: %-24s %10.3f ms\n", who, phase, (now - lap.since) * 1e3);
  lap.since = now;
}
