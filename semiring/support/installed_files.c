/* See installed_files.h. */
#include "semiring/support/installed_files.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char anchor = 0;

/* The file that is mapped at the anchor, by /proc: its path is absolute whatever the loader was given. */
static bool mapped_file(char to[PATH_MAX]) {
  FILE *f = fopen("/proc/self/maps", "re");
  char *line = NULL;
  size_t capacity = 0;
  bool found = false;
  while (f && !found && getline(&line, &capacity, f) > 0) {
    uintptr_t from, end;
    const char *path = strchr(line, '/');
    found = path && sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &end) == 2 && from <= (uintptr_t)&anchor &&
            (uintptr_t)&anchor < end &&
            snprintf(to, PATH_MAX, "%.*s", (int)strcspn(path, "\n"), path) < PATH_MAX;
  }
  free(line);
  if (f) fclose(f);
  return found;
}

/* dli_fname may be argv[0], which is not a path, or relative to the folder where the program was then. */
bool grid_library_folder(char to[PATH_MAX]) {
  char mapped[PATH_MAX];
  Dl_info of;
  const char *path = dladdr(&anchor, &of) ? of.dli_fname : NULL;
  if (!path || path[0] != '/') path = mapped_file(mapped) ? mapped : "/proc/self/exe";
  char *end = realpath(path, to) ? strrchr(to, '/') : NULL;
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
