/* See memory_budget.h. */
#include "dist/outofcore/file/memory_budget.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/comm/transport/mpi_init.h"
#include "dist/grid/process_grid.h"
#include "semiring/support/c_locale.h"
#include "semiring/support/mem.h"
#include "spmat/device/device.h"

static uint64_t budget; /* 0: the machine's free memory */

bool grid_budget_is_set(void) {
  return budget != 0;
}

/* Free memory: "MemAvailable:   12345 kB" where the system reports it, else the free pages. */
static uint64_t available(void) {
  unsigned long long kib = 0;
  char line[128];
  FILE *f = fopen("/proc/meminfo", "re");
  while (f && !kib && fgets(line, sizeof line, f))
    if (strncmp(line, "MemAvailable:", 13) == 0) kib = strtoull(line + 13, NULL, 10);
  if (f) fclose(f);
  if (kib) return (uint64_t)kib << 10;
  const long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX / 2;
}

uint64_t grid_budget(void) {
  if (budget) return budget;
  return grid_mem_bytes() + available() / (uint64_t)grid_mpi_job_processes();
}

/* A number with an optional unit K, M, G or T. */
bool grid_parse_size(const char *text, uint64_t *bytes) {
  static const char units[] = "KMGT";
  char *end;
  errno = 0;
  const double x = grid_strtod(text, &end);
  const char *unit = *end ? strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
  if (end == text || errno || !(x > 0) || (*end && (!unit || end[1]))) return false;
  const double all = x * (double)(UINT64_C(1) << (unit ? 10 * (unit - units + 1) : 0));
  if (!(all >= 1 && all < 1e18)) return false;
  *bytes = (uint64_t)all;
  return true;
}

static GrB_Info read_variable(const char *name, uint64_t *bytes) {
  const char *text = getenv(name);
  *bytes = 0;
  if (!text || !*text || grid_parse_size(text, bytes)) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "GrB_init: %s is \"%.40s\", not a size such as 4G or 500M", name,
                   text);
}

GrB_Info grid_budget_from_environment(void) {
  uint64_t device;
  GrB_Info info = read_variable("GRIDBLAS_DEVICE_MEMORY", &device);
  grid_device_set_limit(device);
  return info == GrB_SUCCESS ? read_variable("GRIDBLAS_MEMORY", &budget) : info;
}

GrB_Info Grid_memory_limit(uint64_t bytes) {
  GrB_Info info = grid_check_alive("Grid_memory_limit");
  if (info == GrB_SUCCESS) budget = bytes;
  return info;
}

uint64_t Grid_memory_budget(void) {
  return grid_budget();
}
