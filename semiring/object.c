/* Shared by all algebraic objects: initialization state, argument checks, free, wait, error. */
#include "semiring/semiring.h"

/* A unique address; never dereferenced. */
static const GrB_Index all_indices_marker;
const GrB_Index *GrB_ALL = &all_indices_marker;

struct GrB_Global_opaque grid_global = {.head = {GRID_MAGIC, NULL, true, "gridblas"},
                                        .orientation = GrB_ROWMAJOR};
const GrB_Global GrB_GLOBAL = &grid_global;

void grid_semiring_init(void) {
  grid_global.is_initialized = true;
  grid_global.orientation = GrB_ROWMAJOR;
}

void grid_semiring_finalize(void) {
  grid_global.is_initialized = false;
}

GrB_Info grid_semiring_check_init(const char *call) {
  if (grid_global.is_initialized) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "%s: the library is not initialised (call GrB_init or Grid_init first)",
                   call);
}

GrB_Info grid_check_argument(const void *obj, const char *call, const char *what) {
  GrB_Info info = grid_semiring_check_init(call);
  return info != GrB_SUCCESS ? info : grid_check_object(obj, NULL, call, what);
}

/* An algebraic object is one block plus its error text. False: it is predefined, and its handle stays. */
static bool free_object(grid_head *h) {
  if (!grid_is_live(h)) return true;
  if (h->builtin) return false;
  grid_head_end(h);
  grid_free(h);
  return true;
}

GrB_Info grid_wait_object(void *object, GrB_WaitMode mode, const char *call) {
  grid_head *h = object;
  GrB_Info info = grid_check_argument(h, call, "object");
  if (info != GrB_SUCCESS) return info;
  if (mode != GrB_COMPLETE && mode != GrB_MATERIALIZE)
    return grid_fail(h, GrB_INVALID_VALUE, "%s: argument mode is %d; it is GrB_COMPLETE or GrB_MATERIALIZE",
                     call, (int)mode);
  return GrB_SUCCESS;
}

GrB_Info grid_error_of_object(const char **text, const void *object, const char *call) {
  const grid_head *h = object;
  if (text == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument text is NULL", call);
  GrB_Info info = grid_check_argument(h, call, "object");
  if (info != GrB_SUCCESS) return info;
  *text = h->error != NULL ? h->error : "";
  return GrB_SUCCESS;
}

#define OBJECT_METHODS(K)                                                                   \
  GrB_Info GrB_##K##_free(GrB_##K *object) {                                                \
    if (object != NULL && *object != NULL && free_object(&(*object)->head)) *object = NULL; \
    return GrB_SUCCESS;                                                                     \
  }                                                                                         \
  GrB_Info GrB_##K##_wait(GrB_##K object, GrB_WaitMode mode) {                              \
    return grid_wait_object(object, mode, "GrB_" #K "_wait");                               \
  }                                                                                         \
  GrB_Info GrB_##K##_error(const char **text, const GrB_##K object) {                       \
    return grid_error_of_object(text, object, "GrB_" #K "_error");                          \
  }
OBJECT_METHODS(Type)
OBJECT_METHODS(UnaryOp)
OBJECT_METHODS(BinaryOp)
OBJECT_METHODS(IndexUnaryOp)
OBJECT_METHODS(Monoid)
OBJECT_METHODS(Semiring)
OBJECT_METHODS(Descriptor)
