/* See prebuilt_kernels.h. */
#include "semiring/jit/prebuilt_kernels.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The directory of the library or program that contains this code. dli_fname may be argv[0], which is not
 * a path. */
static bool find_library_folder(char to[PATH_MAX]) {
  static const char anchor = 0;
  Dl_info of;
  const bool known = dladdr(&anchor, &of) && of.dli_fname && of.dli_fname[0] == '/';
  char *end = realpath(known ? of.dli_fname : "/proc/self/exe", to) ? strrchr(to, '/') : NULL;
  if (end) *end = 0;
  return end != NULL;
}

bool grid_jit_prebuilt(size_t k, char *to, size_t capacity) {
  static const char *const locations[] = {"kernels", "../kernels", "gridblas/kernels",
                                          "../" GRIDBLAS_LIBDIR "/gridblas/kernels"};
  const size_t folders = sizeof locations / sizeof *locations;
  const char *named = getenv("GRIDBLAS_KERNELS");
  char own[PATH_MAX];
  int n = 0;
  if (k > (named ? 0 : folders)) return false;
  if (named || k == folders)
    n = snprintf(to, capacity, "%s", named ? named : GRIDBLAS_KERNELS_DIR);
  else if (find_library_folder(own))
    n = snprintf(to, capacity, "%s/%s", own, locations[k]);
  if (n < 1 || (size_t)n >= capacity) *to = 0;
  return true;
}
