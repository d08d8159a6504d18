/* See nvrtc.h. */
#include "spmat/cuda/jit/nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/support/trusted_files.h"

/* A file that the environment names is loaded only if nobody else can have written it. */
static void *open_named(grid_nvrtc *n, const char *file) {
  if (strcmp(file, "off") == 0)
    snprintf(n->missing, sizeof n->missing, "GRIDBLAS_NVRTC is off");
  else if (!grid_is_trusted_path(file, GRID_TRUST_ROOT))
    snprintf(n->missing, sizeof n->missing,
             "GRIDBLAS_NVRTC is \"%.120s\", not off or a file that only you or root can write", file);
  else
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
  return NULL;
}

static void *open_library(grid_nvrtc *n) {
  static const char *const at[] = {GRID_NVRTC_NAME, GRID_NVRTC_LIBRARY};
  const char *named = getenv("GRIDBLAS_NVRTC");
  void *library = NULL;
  if (named && *named) return open_named(n, named);
  for (size_t k = 0; k < 2 && !library; k++) library = dlopen(at[k], RTLD_NOW | RTLD_LOCAL);
  if (!library) snprintf(n->missing, sizeof n->missing, "there is no " GRID_NVRTC_NAME);
  return library;
}

static bool find_functions(grid_nvrtc *n) {
#define FIND(name) *(void **)&n->name = dlsym(n->library, "nvrtc" #name);
  GRID_NVRTC_FUNCTIONS(FIND)
#define HAVE(name) &&n->name
  return true GRID_NVRTC_FUNCTIONS(HAVE) && n->Version(&n->major, &n->minor) == NVRTC_SUCCESS;
}

bool grid_nvrtc_load(grid_nvrtc *n) {
  if (n->tried) return n->library != NULL;
  n->tried = true;
  n->library = open_library(n);
  if (n->library && !find_functions(n)) n->library = NULL;
  if (!n->library && !*n->missing) snprintf(n->missing, sizeof n->missing, "this NVRTC cannot be used");
  return n->library != NULL;
}
