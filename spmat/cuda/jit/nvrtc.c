/* See nvrtc.h. */
#include "spmat/cuda/jit/nvrtc.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/support/trusted_files.h"

static struct {
  bool tried;
  void *library;
  grid_nvrtc functions;
  char missing[240];
} nvrtc;

/* A file that the environment names is loaded only if nobody else can have written it. */
static void *open_named(const char *file) {
  if (strcmp(file, "off") == 0)
    snprintf(nvrtc.missing, sizeof nvrtc.missing, "GRIDBLAS_NVRTC is off");
  else if (!grid_is_trusted_path(file, GRID_TRUST_ROOT))
    snprintf(nvrtc.missing, sizeof nvrtc.missing,
             "GRIDBLAS_NVRTC is \"%.120s\", not off or a file that only you or root can write", file);
  else
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
  return NULL;
}

static void *open_library(void) {
  static const char *const at[] = {GRID_NVRTC_NAME, GRID_NVRTC_LIBRARY};
  const char *named = getenv("GRIDBLAS_NVRTC");
  void *library = NULL;
  if (named && *named) return open_named(named);
  for (size_t k = 0; k < 2 && !library; k++) library = dlopen(at[k], RTLD_NOW | RTLD_LOCAL);
  if (!library) snprintf(nvrtc.missing, sizeof nvrtc.missing, "there is no " GRID_NVRTC_NAME);
  return library;
}

static bool find_functions(grid_nvrtc *f) {
#define FIND(name) *(void **)&f->name = dlsym(nvrtc.library, "nvrtc" #name);
  GRID_NVRTC_FUNCTIONS(FIND)
#define HAVE(name) &&f->name
  return true GRID_NVRTC_FUNCTIONS(HAVE) && f->Version(&f->major, &f->minor) == NVRTC_SUCCESS;
}

const grid_nvrtc *grid_nvrtc_load(void) {
  if (!nvrtc.tried) {
    nvrtc.tried = true;
    nvrtc.library = open_library();
    if (nvrtc.library && !find_functions(&nvrtc.functions)) nvrtc.library = NULL;
    if (!nvrtc.library && !*nvrtc.missing)
      snprintf(nvrtc.missing, sizeof nvrtc.missing, "this NVRTC cannot be used");
  }
  return nvrtc.library ? &nvrtc.functions : NULL;
}

const char *grid_nvrtc_missing(void) {
  return nvrtc.missing;
}
