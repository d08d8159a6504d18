/* See installed_files.h. */
#include "semiring/support/installed_files.h"

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

bool grid_installed_path(size_t k, const char *name, char *to, size_t capacity) {
  static const char libraries[] = "../" GRIDBLAS_LIBDIR "/gridblas/";
  static const char *const folders[GRID_INSTALLED_RELATIVE] = {"", "../", "../../", "gridblas/", libraries};
  char own[PATH_MAX];
  int n = 0;
  if (k > GRID_INSTALLED_RELATIVE) return false;
  if (k == GRID_INSTALLED_RELATIVE)
    n = snprintf(to, capacity, "%s/gridblas/%s", GRIDBLAS_FULL_LIBDIR, name);
  else if (find_library_folder(own))
    n = snprintf(to, capacity, "%s/%s%s", own, folders[k], name);
  if (n < 1 || (size_t)n >= capacity) *to = 0;
  return true;
}
