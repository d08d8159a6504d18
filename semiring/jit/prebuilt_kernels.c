/* See prebuilt_kernels.h. */
#include "semiring/jit/prebuilt_kernels.h"

#include <stdio.h>
#include <stdlib.h>

#include "semiring/support/installed_files.h"

bool grid_jit_prebuilt(size_t k, char *to, size_t capacity, grid_trust *trust) {
  const char *named = getenv("GRIDBLAS_KERNELS");
  if (!named) return grid_installed_path(k, "kernels", to, capacity, trust);
  if (k > 0) return false;
  *trust = GRID_TRUST_ROOT;
  const int n = snprintf(to, capacity, "%s", named);
  if (n < 1 || (size_t)n >= capacity) *to = 0;
  return true;
}
