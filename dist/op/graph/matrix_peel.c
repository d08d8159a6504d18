/* Grid_Matrix_peel: on one process in one kernel of the device, or by the threads of the CPU; else by
 * products (peel_products.c). */
#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/public_calls/peel_products.h"
#include "dist/vector/vector.h"
#include "spmat/cpu/matrix/lmat_peel.h"
#include "spmat/device/device.h"

static const char call[] = "Grid_Matrix_peel";

/* The arguments. */
typedef struct {
  GrB_Vector degree;
  Grid_Peel_Level *levels;
  GrB_Index *n;
  GrB_Matrix A;
  int64_t first, last;
} peeling;

static GrB_Info check(const peeling *x, grid_desc *d) {
  GrB_Info info;
  GrB_Vector degree = x->degree;
  TRY(grid_check_vector(degree, call, "degree"));
  TRY(grid_check_matrix(x->A, call, "A"));
  if (!x->levels != !x->n)
    return grid_fail(&degree->head, GrB_NULL_POINTER, "%s: one of levels and n is NULL", call);
  TRY(grid_check_size(x->A->ncols, x->A->nrows, &degree->head, call, "the list of A's columns",
                      "that of its rows"));
  TRY(grid_check_size(degree->n, x->A->nrows, &degree->head, call, "degree", "the list of A's rows"));
  TRY(grid_check_integers(degree, &degree->head, call, "degree"));
  if (x->first < 0 || x->last < x->first)
    return grid_fail(&degree->head, GrB_INVALID_VALUE, "%s: levels %lld to %lld: not from 0 on, ascending",
                     call, (long long)x->first, (long long)x->last);
  info = grid_check_output(degree, NULL, NULL, NULL, GrB_INT64, call, d);
done:
  return info;
}

/* t = the degrees afterwards. */
static GrB_Info peel_block(grid_chunk *t, uint64_t *levels, GrB_Matrix A, const grid_peel_operands *x) {
  GrB_Info info;
  TRY(grid_chunk_wait(x->degree)); /* for the number of entries */
  TRY(grid_matrix_require(A, GRID_WHOLE));
  info = grid_device_is_on() ? grid_lmat_peel_device(t, levels, x) : GRID_UNSUPPORTED;
  if (info != GRID_UNSUPPORTED) return info;
  TRY(grid_matrix_require_host(A, 0, call));
  info = grid_cpu_lmat_peel(t, levels, x);
done:
  return info;
}

/* GRID_UNSUPPORTED: products must do it. */
static GrB_Info peel_on_one_process(const peeling *x, const grid_desc *d) {
  const GrB_Matrix A = x->A;
  /* at each level a vertex leaves */
  const uint64_t capacity = !x->levels ? 0 : *x->n < A->nrows ? *x->n : A->nrows;
  uint64_t levels = 0;
  if (grid_ctx.P > 1 || A->nvals == 0 || A->delegates.split || grid_is_paged(A)) return GRID_UNSUPPORTED;
  Grid_Peel_Level *found = grid_malloc(capacity, sizeof *found);
  if (!found) return grid_fail_memory(&x->degree->head, "levels", capacity, sizeof *found);
  grid_chunk t = grid_reusable_chunk(x->degree, GrB_INT64);
  const grid_peel_operands operands = {&A->block, &x->degree->chunk, x->first, x->last, found, capacity};
  GrB_Info info = peel_block(&t, &levels, A, &operands);
  if (info == GrB_SUCCESS && x->levels && levels > capacity)
    info = grid_fail(&x->degree->head, GrB_INSUFFICIENT_SPACE, "%s: there are %llu levels, more than *n",
                     call, (unsigned long long)levels);
  if (info == GRID_UNSUPPORTED)
    grid_chunk_free(&t);
  else
    info = grid_finish_output(x->degree, NULL, NULL, d, &t, false, info);
  if (info == GrB_SUCCESS && x->levels) {
    memcpy(x->levels, found, levels * sizeof *found);
    *x->n = levels;
  }
  grid_free(found);
  return info;
}

static GrB_Info peel(const peeling *x) {
  GrB_Info info;
  grid_desc d;
  TRY(check(x, &d));
  TRY(grid_matrix_require(x->A, GRID_OUTOFCORE | GRID_ROWS));
  info = peel_on_one_process(x, &d);
  if (info == GRID_UNSUPPORTED)
    info = grid_fail_inside(&x->degree->head,
                            grid_peel_by_products(x->degree, x->levels, x->n, x->A, x->first, x->last), call);
done:
  return info;
}

GrB_Info Grid_Matrix_peel(GrB_Vector degree, Grid_Peel_Level *levels, GrB_Index *n, GrB_Matrix A,
                          int64_t first, int64_t last) {
  const peeling x = {degree, levels, n, A, first, last};
  return GRID_TRACE_CALL(call, peel(&x), degree, A);
}
