/* Settings of the C compiler that makes kernels at run time: GrB_GLOBAL's options GxB_JIT_C_...
 * (dist/fields) change them. A program sets them between calls. */
#ifndef GRID_JIT_SETTINGS_H
#define GRID_JIT_SETTINGS_H
#include <stdbool.h>
#include <stddef.h>

#include "GraphBLAS.h"
#include "gridblas_gxb_objects.h"

typedef enum {
  GRID_JIT_COMPILER,     /* "off": none. Initially $GRIDBLAS_CC, or "" */
  GRID_JIT_FLAGS,        /* words after the library's own */
  GRID_JIT_LINKER_FLAGS, /* words after those */
  GRID_JIT_LIBRARIES,    /* words after the source; initially "-lm" */
  GRID_JIT_PREFACE,      /* C text before the library's own */
  GRID_JIT_CACHE,        /* a folder, or "off". Initially $GRIDBLAS_CACHE, or "" */
  GRID_JIT_CUDA_PREFACE, /* these three have no effect */
  GRID_JIT_CMAKE_LIBS,
  GRID_JIT_ERROR_LOG,
  GRID_JIT_SETTINGS
} grid_jit_setting_name;
const char *grid_jit_setting(grid_jit_setting_name which);
/* False: out of memory, and the setting keeps its value. */
bool grid_jit_setting_set(grid_jit_setting_name which, const char *text);

/* What may be done: a GxB_JIT_Control, GxB_JIT_ON at first. */
int grid_jit_control(void);
void grid_jit_control_set(int control);

/* Splits the flags, linker flags or libraries into words, in `copy`. Returns their number; -1: they are more
 * than `most`, or longer than the copy. */
int grid_jit_setting_words(grid_jit_setting_name which, char *copy, size_t capacity, char **words, int most);

/* All settings as they were at first, at GrB_finalize. */
void grid_jit_settings_reset(void);
#endif
