/* SuiteSparse's fields of the kernels that are compiled at run time (gridblas_gxb_objects.h; semiring/jit).
 */
#include <limits.h>

#include "dist/fields/fields.h"
#include "semiring/jit/compiler.h"
#include "semiring/jit/jit_kernel.h"
#include "semiring/jit/jit_settings.h"
#include "semiring/jit/kernel_cache.h"
#include "semiring/threads/thread_texts.h"

static GrB_Info get_text(const grid_subject *s, const grid_field *f, const char **value) {
  char *folder = grid_thread_texts_get()->folder;
  (void)s;
  switch ((grid_jit_setting_name)f->which) {
    case GRID_JIT_COMPILER:
      *value = grid_compiler_name();
      break;
    case GRID_JIT_CACHE:
      if (!grid_jit_cache_folder(folder, PATH_MAX)) folder[0] = 0;
      *value = folder;
      break;
    default:
      *value = grid_jit_setting((grid_jit_setting_name)f->which);
  }
  return GrB_SUCCESS;
}

static GrB_Info set_text(const grid_subject *s, const grid_field *f, const char *value) {
  if (!grid_jit_setting_set((grid_jit_setting_name)f->which, value))
    return grid_fail_memory(GRID_HEAD(s), f->name, 1, 1);
  grid_jit_cpu_kernels_follow_settings();
  return GrB_SUCCESS;
}

static GrB_Info get_control(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)s, (void)f;
  *value = grid_jit_control();
  return GrB_SUCCESS;
}

static GrB_Info set_control(const grid_subject *s, const grid_field *f, int32_t value) {
  (void)s, (void)f;
  grid_jit_control_set(value < GxB_JIT_OFF ? GxB_JIT_OFF : value > GxB_JIT_ON ? GxB_JIT_ON : value);
  return GrB_SUCCESS;
}

#define SETTING(FIELD, WHICH) GRID_TEXT(FIELD, GRID_ON_Global, WHICH, get_text, set_text)

const grid_field grid_jit_fields[] = {
    SETTING(GxB_JIT_C_COMPILER_NAME, GRID_JIT_COMPILER),
    SETTING(GxB_JIT_C_COMPILER_FLAGS, GRID_JIT_FLAGS),
    SETTING(GxB_JIT_C_LINKER_FLAGS, GRID_JIT_LINKER_FLAGS),
    SETTING(GxB_JIT_C_LIBRARIES, GRID_JIT_LIBRARIES),
    SETTING(GxB_JIT_C_PREFACE, GRID_JIT_PREFACE),
    SETTING(GxB_JIT_CACHE_PATH, GRID_JIT_CACHE),
    SETTING(GxB_JIT_CUDA_PREFACE, GRID_JIT_CUDA_PREFACE),
    SETTING(GxB_JIT_C_CMAKE_LIBS, GRID_JIT_CMAKE_LIBS),
    SETTING(GxB_JIT_ERROR_LOG, GRID_JIT_ERROR_LOG),
    GRID_NUMBER(GxB_JIT_C_CONTROL, GRID_ON_Global, 0, get_control, set_control),
    GRID_FIELDS_END};
