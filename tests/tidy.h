/* Included before each file that clang's static analyzer reads (tests/tidy.sh). The declarations do not show
 * that these functions return the failure that they are passed, or fail for NULL, so the analyzer would treat
 * failures as successes. A file that defines one of them is analyzed without that macro (GRID_DEFINES_...).
 */
#ifndef GRID_TIDY_H
#define GRID_TIDY_H
#include "dist/grid/short_call.h"
#include "dist/interchange/blob_trailer.h"
#include "dist/lookahead/lookahead.h"
#include "dist/object/objects.h"
#include "dist/op/matrix/matrix_entrywise.h"
#include "dist/op/submatrix/matrix_index_lists.h"
#include "dist/op/vector_entrywise.h"
#include "spmat/device/device.h"

/* Without a function, which the analyzer would not follow below several others. */
#define TIDY_RESULT(info, call)                                                \
  __extension__({                                                              \
    const GrB_Info tidy_info = (GrB_Info)(info), tidy_got = (call);            \
    tidy_info != GrB_SUCCESS &&tidy_got == GrB_SUCCESS ? tidy_info : tidy_got; \
  })
#define TIDY_NOT_NULL(object, call)                                  \
  __extension__({                                                    \
    const void *tidy_object = (object);                              \
    TIDY_RESULT(tidy_object ? GrB_SUCCESS : GrB_NULL_POINTER, call); \
  })

#ifndef GRID_DEFINES_grid_fail
#define grid_fail(head, info, ...) (grid_fail(head, info, __VA_ARGS__), (GrB_Info)(info))
#define grid_fail_memory(head, what, count, size) \
  (grid_fail_memory(head, what, count, size), GrB_OUT_OF_MEMORY)
#endif
#ifndef GRID_DEFINES_grid_device_fail_memory
#define grid_device_fail_memory(head, what, count, size) \
  (grid_device_fail_memory(head, what, count, size), GrB_OUT_OF_MEMORY)
#endif
#ifndef GRID_DEFINES_grid_agree
#define grid_agree(head, info)           TIDY_RESULT(info, grid_agree(head, tidy_info))
#define grid_agree_supported(head, info) TIDY_RESULT(info, grid_agree_supported(head, tidy_info))
#define grid_agree_sum(head, info, v, n) TIDY_RESULT(info, grid_agree_sum(head, tidy_info, v, n))
#endif
#ifndef GRID_DEFINES_grid_short_call_agree
#define grid_short_call_agree(head, info) TIDY_RESULT(info, grid_short_call_agree(head, tidy_info))
#endif
#ifndef GRID_DEFINES_grid_blob_info_read_shares
#define grid_blob_info_read_shares(b, blob, size, info, call) \
  TIDY_RESULT(info, grid_blob_info_read_shares(b, blob, size, tidy_info, call))
#endif
#ifndef GRID_DEFINES_grid_local_list_make
#define grid_local_list_make(o, l, dim, rows, by_position, axis, info) \
  TIDY_RESULT(info, grid_local_list_make(o, l, dim, rows, by_position, axis, tidy_info))
#endif
#ifndef GRID_DEFINES_grid_check_handle
#define grid_check_handle(object, kind, out, call, what) \
  TIDY_NOT_NULL(object, grid_check_handle(tidy_object, kind, out, call, what))
#endif
#ifndef GRID_DEFINES_grid_wait_handle
#define grid_wait_handle(object, kind, mode, call) \
  TIDY_NOT_NULL(object, grid_wait_handle(tidy_object, kind, mode, call))
#endif
#ifndef GRID_DEFINES_grid_check_local_handle
#define grid_check_local_handle(object, kind, call, what) \
  TIDY_NOT_NULL(object, grid_check_local_handle(tidy_object, kind, call, what))
#endif
#ifndef GRID_DEFINES_grid_check_multiplier
#define grid_check_multiplier(op, head, call, what) \
  TIDY_NOT_NULL(op, grid_check_multiplier(op, head, call, what))
#endif
#ifndef GRID_DEFINES_grid_check_vector
#define grid_check_vector(v, call, what) TIDY_NOT_NULL(v, grid_check_vector(v, call, what))
#endif
#ifndef GRID_DEFINES_grid_check_matrix
#define grid_check_matrix(a, call, what) TIDY_NOT_NULL(a, grid_check_matrix(a, call, what))
#endif
#ifndef GRID_DEFINES_grid_check_uncounted_operand
#define grid_check_uncounted_operand(v, out, call, what) \
  TIDY_NOT_NULL(v, grid_check_uncounted_operand(v, out, call, what))
#endif
#ifndef GRID_DEFINES_grid_entrywise_objects
#define grid_entrywise_objects(e, op, kind) TIDY_NOT_NULL(op, grid_entrywise_objects(e, tidy_object, kind))
#endif
#ifndef GRID_DEFINES_grid_matrix_entrywise_objects
#define grid_matrix_entrywise_objects(e, op, kind) \
  TIDY_NOT_NULL(op, grid_matrix_entrywise_objects(e, tidy_object, kind))
#endif
#ifndef GRID_DEFINES_grid_lookahead_can_take
#define grid_lookahead_can_take(op, kind) ((op) && grid_lookahead_can_take(op, kind))
#endif
#endif
