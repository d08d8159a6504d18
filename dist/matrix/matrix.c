/* Life of a matrix. */
#include "dist/object/burble.h"
#include "dist/object/foreign.h"
#include "spmat/device/context_device.h"
#include "dist/grid/short_call.h"
#include "dist/matrix/matrix.h"

#include <string.h>

#include "dist/matrix/matrix_require.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/storage/matrix_storage.h"
#include "spmat/device/device.h"
#include "spmat/device/phase_times.h"
#include "semiring/threads/context_section.h"

/* A new empty matrix on this process; NULL when out of memory. */
static GrB_Matrix make(GrB_Type type, uint64_t nrows, uint64_t ncols) {
  GrB_Matrix A = grid_calloc(1, sizeof *A);
  if (!A) return NULL;
  A->head.magic = GRID_MAGIC, A->head.kind = GRID_IS_MATRIX;
  A->head.context = grid_context_number;
  A->type = type;
  A->nrows = nrows;
  A->ncols = ncols;
  A->hints.orientation = grid_global.orientation;
  A->hints.options = grid_options_of_new(nrows, ncols);
  A->hints.delegates = Grid_DELEGATES_AUTO;
  A->placement.on_device = grid_device_is_on();
  grid_lmat_init(&A->block, type, grid_block_rows(nrows), grid_block_cols(ncols));
  grid_chunk_init(&A->bitmap.chunk, type, 0);
  grid_live_add(GRID_MATRICES, &A->live, A);
  return A;
}

static void release(GrB_Matrix A) {
  grid_live_remove(&A->live);
  grid_head_end(&A->head);
  grid_free(A);
}

GrB_Info grid_check_dimensions(uint64_t nrows, uint64_t ncols, grid_head *head, const char *call) {
  if (nrows <= GrB_INDEX_MAX + 1 && ncols <= GrB_INDEX_MAX + 1) return GrB_SUCCESS;
  return grid_fail(head, GrB_INVALID_VALUE, "%s: of the dimensions %llu x %llu one is more than 2^60", call,
                   (unsigned long long)nrows, (unsigned long long)ncols);
}

uint64_t grid_matrix_size(GrB_Matrix A) {
  const uint64_t entries = A->nvals + A->pending.n, dimension = A->nrows > A->ncols ? A->nrows : A->ncols;
  return entries > dimension ? entries : dimension;
}

GrB_Info GrB_Matrix_new(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(nrows > ncols ? nrows : ncols, NULL);
  const char *call = "GrB_Matrix_new";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!A) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument A is NULL", call);
  if ((info = grid_check_object(type, NULL, call, "type")) != GrB_SUCCESS) return info;
  if ((info = grid_check_dimensions(nrows, ncols, NULL, call)) != GrB_SUCCESS) return info;
  grid_short_call_begin(1, sizeof(struct GrB_Matrix_opaque));
  GrB_Matrix made = make(type, nrows, ncols);
  info =
      grid_short_call_agree(NULL, made ? GrB_SUCCESS : grid_fail_memory(NULL, "a matrix", 1, sizeof *made));
  if (info == GrB_SUCCESS)
    *A = made;
  else if (made)
    release(made);
  return info;
}

GrB_Info GrB_Matrix_free(GrB_Matrix *A) {
  GRID_CALL_SCOPE;
  if (!A || !*A) return GrB_SUCCESS;
  if (grid_is_live_handle(*A, GRID_ANY_KIND)) {
    const GrB_Info info = grid_check_freed_handle(*A, GRID_IS_MATRIX, "GrB_Matrix_free", "A");
    if (info != GrB_SUCCESS) return info;
    grid_matrix_drop(*A);
    grid_comm_buffers_free(&(*A)->cached.buffers);
    release(*A);
  }
  *A = NULL;
  return GrB_SUCCESS;
}

static GrB_Info merge_changes(GrB_Matrix A) {
  return grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED);
}

static GrB_Info copy_contents(GrB_Matrix C, GrB_Matrix A) {
  const GrB_Info info = merge_changes(A);
  return info == GrB_SUCCESS ? grid_storage_of(A)->copy(C, A) : info;
}

/* A call of A's context, which is not C's. */
static GrB_Info copy_foreign(GrB_Matrix C, GrB_Matrix A, uintptr_t owner, grid_device_recipient to) {
  GRID_WORKER_SCOPE(owner);
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, A);
  GrB_Info info = merge_changes(A); /* before the transfer: A has the memory for that */
  if (info != GrB_SUCCESS) return info;
  const bool device = grid_device_begin_transfer(&to);
  info = grid_storage_of(A)->copy(C, A);
  if (info == GrB_SUCCESS && !device) info = grid_matrix_leave_device(C);
  const GrB_Info ended = grid_device_end_transfer();
  return info == GrB_SUCCESS ? ended : info;
}

static GrB_Info duplicate(GrB_Matrix *C, const GrB_Matrix A, const uintptr_t *owner) {
  const char *call = "GrB_Matrix_dup";
  GrB_Info info = owner ? GrB_SUCCESS : grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!C) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument C is NULL", call);
  GrB_Matrix made = NULL;
  TRY(GrB_Matrix_new(&made, A->type, A->nrows, A->ncols));
  made->hints.delegates = A->hints.delegates;
  made->hints.direction = A->hints.direction;
  made->hints.orientation = A->hints.orientation;
  made->hints.options = A->hints.options;
  TRY(owner ? copy_foreign(made, A, *owner, grid_device_as_recipient()) : copy_contents(made, A));
  *C = made;
  made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

/* A foreign matrix is copied in a call of its context alone: two calls that wait for each other's contexts
 * would not end. */
GrB_Info GrB_Matrix_dup(GrB_Matrix *C, const GrB_Matrix A) {
  uintptr_t owner;
  if (grid_can_copy_foreign(A, GRID_IS_MATRIX, &owner)) return duplicate(C, A, &owner);
  return GRID_TRACE_NEW_CALL("GrB_Matrix_dup", 0, duplicate(C, A, NULL), C, A);
}

GrB_Info GrB_Matrix_clear(GrB_Matrix A) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, A);
  GrB_Info info = grid_check_matrix(A, "GrB_Matrix_clear", "A");
  if (info == GrB_SUCCESS) grid_matrix_drop(A);
  return info;
}

/* Local. */
static GrB_Info check_dimension(GrB_Index *out, GrB_Matrix A, const char *call, const char *what) {
  GrB_Info info = grid_check_local(A, call, "A");
  if (info == GrB_SUCCESS && !out)
    info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument %s is NULL", call, what);
  return info;
}

GrB_Info GrB_Matrix_nrows(GrB_Index *nrows, const GrB_Matrix A) {
  GrB_Info info = check_dimension(nrows, A, "GrB_Matrix_nrows", "nrows");
  if (info == GrB_SUCCESS) *nrows = A->nrows;
  return info;
}

GrB_Info GrB_Matrix_ncols(GrB_Index *ncols, const GrB_Matrix A) {
  GrB_Info info = check_dimension(ncols, A, "GrB_Matrix_ncols", "ncols");
  if (info == GrB_SUCCESS) *ncols = A->ncols;
  return info;
}

static GrB_Info count(GrB_Index *nvals, const GrB_Matrix A) {
  GrB_Info info = grid_check_matrix(A, "GrB_Matrix_nvals", "A");
  if (info != GrB_SUCCESS) return info;
  if (!nvals) return grid_fail(&A->head, GrB_NULL_POINTER, "GrB_Matrix_nvals: argument nvals is NULL");
  if ((info = grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED)) != GrB_SUCCESS) return info;
  *nvals = A->nvals;
  return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_nvals(GrB_Index *nvals, const GrB_Matrix A) {
  return GRID_TRACE_CALL("GrB_Matrix_nvals", count(nvals, A), A);
}

/* Forms that a search in both directions requires of a symmetric matrix. On several processes pushes use the
 * hub neighbors of rows, or of columns where fewer processes share them (dist/product/mxv/mxv.c). */
static unsigned list_search_forms(void) {
  if (grid_ctx.P == 1) return GRID_ALL_FORMS;
  return grid_symmetric_reads_columns() ? GRID_COLS | GRID_COL_HUB_NEIGHBORS : GRID_ROW_HUB_NEIGHBORS;
}

/* Should GrB_Matrix_wait make more than the entries? A graph that is known to be symmetric, or has delegates
 * set, will be searched; with the device on the transfer is best done early. For others the first product
 * makes what it needs. */
static bool is_prepared_on_wait(GrB_Matrix A) {
  return A->properties.symmetric || A->hints.delegates != Grid_DELEGATES_AUTO || grid_device_is_on() ||
         A->placement.on_device;
}

static GrB_Info wait_matrix(GrB_Matrix A, GrB_WaitMode mode) {
  GrB_Info info =
      A ? grid_check_initialized("GrB_Matrix_wait") : GrB_SUCCESS; /* materializes a loop over A */
  if (info == GrB_SUCCESS) info = grid_wait_object(A, mode, "GrB_Matrix_wait");
  if (info == GrB_SUCCESS) info = grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED);
  if (info != GrB_SUCCESS) return info;
  if (mode != GrB_MATERIALIZE || grid_is_paged(A) || A->bitmap.only || !is_prepared_on_wait(A))
    return info; /* a bitmap gets rows, and degrees are counted, when an operation requires them */
  if ((info = grid_matrix_require(A, GRID_READY)) != GrB_SUCCESS) return info;
  /* searches go in both directions */
  if ((A->properties.symmetric || grid_matrix_makes_forms_late(A)) && !A->block.host_resident) {
    unsigned forms = list_search_forms();
    TRY(grid_cached_prepare(A, &forms));
    TRY(grid_matrix_require(A, forms));
  }
  if (!grid_device_is_on()) return info;
  grid_lap_start();
  /* host code may have moved it */
  info = grid_agree(&A->head, grid_matrix_to_device(A));
  if (info == GrB_SUCCESS) info = grid_cached_wait(A);
done:
  return info;
}

GrB_Info GrB_Matrix_wait(GrB_Matrix A, GrB_WaitMode mode) {
  return GRID_TRACE_CALL("GrB_Matrix_wait", wait_matrix(A, mode), A);
}

GrB_Info GrB_Matrix_error(const char **error, const GrB_Matrix A) {
  return grid_error_of_object(error, A, "GrB_Matrix_error");
}
