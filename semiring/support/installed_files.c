/* See installed_files.h. */
#include "semiring/support/installed_files.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* dli_fname may be argv[0], which is not a path. */
bool grid_library_folder(char to[PATH_MAX]) {
  static const char anchor = 0;
  Dl_info of;
  const bool known = dladdr(&anchor, &of) && of.dli_fname && of.dli_fname[0] == '/';
  char *end = realpath(known ? of.dli_fname : "/proc/self/exe", to) ? strrchr(to, '/') : NULL;
  if (end) *end = 0;
  return end != NULL;
}

bool grid_installed_path(size_t k, const char *name, char *to, size_t capacity, grid_trust *trust) {
  static const char libraries[] = "../" GRIDBLAS_LIBDIR "/gridblas/";
  static const char *const folders[] = {"", "../", "../../", "gridblas/", libraries};
  const size_t relative = sizeof folders / sizeof *folders;
  char folder[PATH_MAX];
  int n = 0;
  if (k > relative) return false;
  *trust = k < relative ? GRID_TRUST_LIBRARY : GRID_TRUST_ROOT;
  if (k == relative)
    n = snprintf(to, capacity, "%s/gridblas/%s", GRIDBLAS_FULL_LIBDIR, name);
  else if (grid_library_folder(folder))
    n = snprintf(to, capacity, "%s/%s%s", folder, folders[k], name);
  if (n < 1 || (size_t)n >= capacity) *to = 0;
  return true;
}
