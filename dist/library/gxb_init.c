/* GxB_init, and calls that read or set the library's state. */
#include "dist/grid/process_grid.h"
#include "gridblas_gxb_objects.h"
#include "semiring/support/user_memory.h"

GrB_Info GxB_init(int mode, void *(*user_malloc)(size_t), void *(*user_calloc)(size_t, size_t),
                  void *(*user_realloc)(void *, size_t), void (*user_free)(void *)) {
  if (!user_malloc || !user_free)
    return grid_fail(NULL, GrB_NULL_POINTER, "GxB_init: argument %s is NULL",
                     user_malloc ? "user_free" : "user_malloc");
  GrB_Info info = GrB_init((GrB_Mode)mode);
  if (info == GrB_SUCCESS)
    grid_user_memory = (grid_user_memory_functions){user_malloc, user_calloc, user_realloc, user_free};
  return info;
}

GrB_Info GxB_initialized(int *initialized) {
  if (!initialized) return grid_fail(NULL, GrB_NULL_POINTER, "GxB_initialized: argument initialized is NULL");
  *initialized = grid_global.is_initialized;
  return GrB_SUCCESS;
}

GrB_Info GxB_finalized(int *finalized) {
  if (!finalized) return grid_fail(NULL, GrB_NULL_POINTER, "GxB_finalized: argument finalized is NULL");
  *finalized = grid_global.was_finalized;
  return GrB_SUCCESS;
}
