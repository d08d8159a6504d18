/* Shared by all algebraic objects: initialization state, argument checks, free, wait, error. */
#include "semiring/semiring.h"

#include <string.h>

#include "gridblas_gxb_objects.h"

/* A unique address; never dereferenced. */
static const GrB_Index all_indices_marker;
const GrB_Index *GrB_ALL = &all_indices_marker;

struct GrB_Global_opaque grid_global = {.head = GRID_BUILTIN(GRID_IS_GLOBAL, "gridblas"),
                                        .orientation = GrB_ROWMAJOR};
const GrB_Global GrB_GLOBAL = &grid_global;
const int GxB_FORMAT_DEFAULT = GxB_BY_ROW;
const double GxB_HYPER_DEFAULT = 0.0625, GxB_ALWAYS_HYPER = 1, GxB_NEVER_HYPER = -1;

const double grid_bitmap_switch_default[8] = {.04F, .05F, .06F, .08F,
                                              .1F,  .2F,  .3F,  .4F}; /* SuiteSparse's are floats */

void grid_semiring_init(void) {
  grid_global = (struct GrB_Global_opaque){.head = grid_global.head,
                                           .orientation = GrB_ROWMAJOR,
                                           .is_initialized = true,
                                           .hyper_switch = GxB_HYPER_DEFAULT,
                                           .hyper_hash = 1024,
                                           .chunk = 65536,
                                           .row_bits = 32,
                                           .col_bits = 32,
                                           .offset_bits = 32};
  memcpy(grid_global.bitmap_switch, grid_bitmap_switch_default, sizeof grid_bitmap_switch_default);
}

void grid_semiring_finalize(void) {
  grid_global.is_initialized = false;
  grid_global.was_finalized = true;
}

grid_stored_options grid_options_of_new(uint64_t nrows, uint64_t ncols) {
  const uint64_t smaller = nrows < ncols ? nrows : ncols;
  int k = 0;
  while (k < GxB_NBITMAP_SWITCH - 1 && smaller > UINT64_C(1) << k) k++;
  return (grid_stored_options){.hyper_switch = grid_global.hyper_switch,
                               .bitmap_switch = grid_global.bitmap_switch[k],
                               .sparsity_control = GxB_AUTO_SPARSITY,
                               .hyper_hash = 1};
}

GrB_Info grid_semiring_check_init(const char *call) {
  if (grid_global.is_initialized) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "%s: the library is not initialised (call GrB_init or Grid_init first)",
                   call);
}

GrB_Info grid_check_argument_handle(const void *obj, grid_kind kind, const char *call, const char *what) {
  GrB_Info info = grid_semiring_check_init(call);
  return info == GrB_SUCCESS ? grid_check_handle(obj, kind, NULL, call, what) : info;
}

/* An algebraic object is one block plus its error text. *gone: its handle becomes NULL, since it is not
 * predefined. */
static GrB_Info free_object(grid_head *h, grid_kind kind, bool *gone, const char *call) {
  *gone = !grid_is_live_handle(h, GRID_ANY_KIND);
  if (*gone) return GrB_SUCCESS;
  const GrB_Info info = grid_check_handle(h, kind, NULL, call, "object");
  *gone = info == GrB_SUCCESS && !h->builtin;
  if (*gone) grid_head_end(h), grid_free(h);
  return info;
}

GrB_Info grid_wait_handle(void *object, grid_kind kind, GrB_WaitMode mode, const char *call) {
  grid_head *h = object;
  GrB_Info info = grid_semiring_check_init(call);
  if (info == GrB_SUCCESS) info = grid_check_handle(h, kind, NULL, call, "object");
  if (info != GrB_SUCCESS) return info;
  if (mode != GrB_COMPLETE && mode != GrB_MATERIALIZE)
    return grid_fail(h, GrB_INVALID_VALUE, "%s: argument mode is %d; it is GrB_COMPLETE or GrB_MATERIALIZE",
                     call, (int)mode);
  return GrB_SUCCESS;
}

GrB_Info grid_error_of_object(const char **text, const void *object, const char *call) {
  const grid_head *h = object;
  if (text == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument text is NULL", call);
  GrB_Info info = grid_semiring_check_init(call);
  if (info == GrB_SUCCESS) info = grid_check_handle(h, GRID_ANY_KIND, NULL, call, "object");
  if (info != GrB_SUCCESS) return info;
  *text = h->error != NULL ? h->error : "";
  return GrB_SUCCESS;
}

#define OBJECT_METHODS(K)                                                                          \
  GrB_Info K##_free(K *object) {                                                                   \
    if (object == NULL || *object == NULL) return GrB_SUCCESS;                                     \
    bool gone;                                                                                     \
    const GrB_Info info = free_object(&(*object)->head, GRID_KIND_OF(*object), &gone, #K "_free"); \
    if (gone) *object = NULL;                                                                      \
    return info;                                                                                   \
  }                                                                                                \
  GrB_Info K##_wait(K object, GrB_WaitMode mode) {                                                 \
    return grid_wait_object(object, mode, #K "_wait");                                             \
  }                                                                                                \
  GrB_Info K##_error(const char **text, const K object) {                                          \
    return grid_error_of_object(text, object, #K "_error");                                        \
  }
OBJECT_METHODS(GrB_Type)
OBJECT_METHODS(GrB_UnaryOp)
OBJECT_METHODS(GrB_BinaryOp)
OBJECT_METHODS(GrB_IndexUnaryOp)
OBJECT_METHODS(GrB_Monoid)
OBJECT_METHODS(GrB_Semiring)
OBJECT_METHODS(GrB_Descriptor)
OBJECT_METHODS(GxB_IndexBinaryOp)
