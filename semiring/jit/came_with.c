/* See came_with.h. */
#include "semiring/jit/came_with.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool fits(int n, size_t room) {
  return n > 0 && (size_t)n < room;
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folder of the library or the program that has this code. A program's name may be what it was called. */
static bool own_folder(char to[PATH_MAX]) {
  static const char here = 0;
  Dl_info of;
  const bool known = dladdr(&here, &of) && of.dli_fname && of.dli_fname[0] == '/';
  char *end = realpath(known ? of.dli_fname : "/proc/self/exe", to) ? strrchr(to, '/') : NULL;
  if (end) *end = 0;
  return end != NULL;
}

bool grid_jit_came_with(char *to, size_t room) {
  static const char *const beside[] = {"kernels", "../kernels", "gridblas/kernels",
                                       "../" GRIDBLAS_LIBDIR "/gridblas/kernels"};
  const char *named = getenv("GRIDBLAS_KERNELS");
  char own[PATH_MAX];
  if (named) return fits(snprintf(to, room, "%s", named), room);
  if (own_folder(own))
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++)
      if (fits(snprintf(to, room, "%s/%s", own, beside[k]), room) && is_folder(to)) return true;
  return fits(snprintf(to, room, "%s", GRIDBLAS_KERNELS_DIR), room);
}
