/* Grid_Matrix_distances: by words of searches, on the device of one process, or on the CPU by all threads of
 * the processes (distances_blocks.c); else by products (distances_products.c). */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/distances_blocks.h"
#include "dist/op/graph/public_calls/distances_products.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"

static const char call[] = "Grid_Matrix_distances";

enum { REACHED, SUM, NEARNESS, FARTHEST, RESULTS };
enum { ROUND = 4096 }; /* sources between two reports of progress, on the device */

/* The arguments. */
typedef struct {
  GrB_Vector result[RESULTS]; /* or NULL */
  int64_t *eccentricity;      /* or NULL */
  GrB_Matrix A;
  const GrB_Index *sources; /* NULL: vertices 0 .. nsources - 1 */
  GrB_Index nsources;
} distances;

static GrB_Info check_result(GrB_Vector v, GrB_Type type, GrB_Matrix A, const char *name) {
  GrB_Info info;
  TRY(grid_check_operand(v, &A->head, call, name));
  TRY(grid_check_size(v->n, A->nrows, &A->head, call, name, "the list of A's rows"));
  if (v->type != type)
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: %s is not of type %s", call, name, type->name);
done:
  return info;
}

static GrB_Info check(const distances *x) {
  const char *const name[RESULTS] = {"reached", "sum", "nearness", "farthest"};
  GrB_Info info;
  GrB_Matrix A = x->A;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(grid_check_size(A->ncols, A->nrows, &A->head, call, "the list of A's columns", "that of its rows"));
  for (int k = 0; k < RESULTS; k++)
    if (x->result[k]) TRY(check_result(x->result[k], k == NEARNESS ? GrB_FP64 : GrB_INT64, A, name[k]));
  for (GrB_Index k = 0; x->sources && k < x->nsources; k++)
    if (x->sources[k] >= A->nrows)
      return grid_fail(&A->head, GrB_INVALID_INDEX, "%s: sources[%llu] is %llu, but A has %llu rows", call,
                       (unsigned long long)k, (unsigned long long)x->sources[k],
                       (unsigned long long)A->nrows);
  if (!x->sources && x->nsources > A->nrows)
    return grid_fail(&A->head, GrB_INVALID_VALUE, "%s: nsources is %llu, more than the %llu rows of A", call,
                     (unsigned long long)x->nsources, (unsigned long long)A->nrows);
done:
  return info;
}

/* ---- by words ---- */

/* Do all vertices have an entry in the results? */
static bool has_full_results(const distances *x) {
  for (int k = 0; k < RESULTS; k++)
    if (x->result[k] && x->result[k]->chunk.nvals != x->result[k]->chunk.n) return false;
  return true;
}

/* t = a copy of w, which is full, with an array of values on the device or on the host. */
static GrB_Info copy_values(grid_chunk *t, GrB_Vector w, bool device) {
  GrB_Info info;
  TRY(device ? grid_chunk_to_device(&w->chunk) : grid_chunk_to_host(&w->chunk));
  TRY(grid_chunk_copy(t, &w->chunk));
  TRY(grid_chunk_expand_iso(t));
  if (t->format == GRID_LIST) TRY(grid_chunk_to_bitmap(t));
  t->format = GRID_FULL;
done:
  return info;
}

/* t = copies of the results, which the searches add to. Local. */
static GrB_Info copy_results(grid_chunk t[RESULTS], grid_distance_operands *operands, const distances *x,
                             bool device) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < RESULTS; k++)
    if (x->result[k]) TRY(copy_values(&t[k], x->result[k], device));
done:
  *operands = (grid_distance_operands){.a = &x->A->block,
                                       .n = x->A->nrows,
                                       .symmetric = x->A->properties.symmetric,
                                       .sources = x->sources,
                                       .nsources = x->nsources,
                                       .reached = t[REACHED].val,
                                       .sum = t[SUM].val,
                                       .nearness = t[NEARNESS].val,
                                       .farthest = t[FARTHEST].val,
                                       .eccentricity = x->eccentricity};
  return info;
}

static GrB_Info search_on_device(grid_chunk t[RESULTS], const distances *x) {
  GrB_Info info;
  grid_distance_operands operands;
  TRY(copy_results(t, &operands, x, true));
  for (uint64_t first = 0; first < x->nsources; first += ROUND) {
    operands.first = first, operands.nsources = x->nsources - first < ROUND ? x->nsources - first : ROUND;
    operands.sources = x->sources ? x->sources + first : NULL;
    operands.eccentricity = x->eccentricity ? x->eccentricity + first : NULL;
    Grid_progress_set(first, x->nsources);
    TRY(grid_lmat_distances_device(&operands));
  }
done:
  return info;
}

static GrB_Info search_on_host(grid_chunk t[RESULTS], const distances *x) {
  GrB_Info info;
  grid_distance_operands operands;
  TRY(grid_matrix_require_host(x->A, 0, call));
  info = copy_results(t, &operands, x, false);
  info = grid_distances_by_blocks(info, &operands, x->A);
done:
  return info;
}

static void free_values(grid_chunk t[RESULTS]) {
  for (int k = 0; k < RESULTS; k++) grid_chunk_free(&t[k]);
}

/* Adds to copies of the results. */
static GrB_Info search(grid_chunk t[RESULTS], const distances *x) {
  GrB_Info info;
  const grid_local_matrix *a = &x->A->block;
  const bool symmetric = x->A->properties.symmetric;
  TRY(grid_matrix_require(x->A, GRID_WHOLE | (symmetric ? 0 : GRID_COLS)));
  if (grid_ctx.P == 1 && !symmetric && (a->row.ids || a->col.ids)) return GRID_UNSUPPORTED;
  const uint64_t refusals = grid_device_oom_count();
  /* no vector moves for a block that does not */
  info = grid_device_is_on() && !a->host_resident
             ? grid_device_oom_to_unsupported(search_on_device(t, x), refusals)
             : GRID_UNSUPPORTED;
  if (info != GRID_UNSUPPORTED) return info;
  free_values(t);
  info = search_on_host(t, x);
done:
  return info;
}

/* GRID_UNSUPPORTED: products must do it. */
static GrB_Info search_by_words(const distances *x) {
  const grid_desc no_options = {0};
  const GrB_Matrix A = x->A;
  grid_chunk t[RESULTS];
  GrB_Info info;
  if ((grid_ctx.P > 1 && (grid_device_is_on() || !grid_ctx.transport->shared_buffer)) || A->nvals == 0 ||
      A->delegates.split || grid_is_paged(A) || !grid_index_fits32(A->nrows))
    return GRID_UNSUPPORTED;
  TRY(grid_agree_supported(&A->head, has_full_results(x) ? GrB_SUCCESS : GRID_UNSUPPORTED));
  for (int k = 0; k < RESULTS; k++)
    grid_chunk_init(&t[k], k == NEARNESS ? GrB_FP64 : GrB_INT64, x->result[k] ? x->result[k]->chunk.n : 0);
  info = search(t, x);
  if (info == GRID_UNSUPPORTED) free_values(t);
  for (int k = 0; k < RESULTS && info != GRID_UNSUPPORTED; k++)
    if (x->result[k]) info = grid_finish_output(x->result[k], NULL, NULL, &no_options, &t[k], false, info);
done:
  return info;
}

static GrB_Info find_distances(const distances *x) {
  GrB_Info info;
  TRY(check(x));
  TRY(grid_matrix_require(x->A, GRID_OUTOFCORE | GRID_ROWS));
  info = search_by_words(x);
  if (info == GRID_UNSUPPORTED)
    info = grid_fail_inside(
        &x->A->head,
        grid_distances_by_products(x->result[REACHED], x->result[SUM], x->result[NEARNESS],
                                   x->result[FARTHEST], x->eccentricity, x->A, x->sources, x->nsources),
        call);
done:
  return info;
}

/* Of searches and vertices; the same on all processes. */
static uint64_t estimate_work(GrB_Matrix A, GrB_Index nsources) {
  uint64_t work;
  if (!A || !grid_is_live_handle(A, GRID_IS_MATRIX)) return 0;
  return __builtin_mul_overflow(A->nrows, nsources / GRID_SEARCHES_PER_WORD, &work) ? UINT64_MAX : work;
}

GrB_Info Grid_Matrix_distances(GrB_Vector reached, GrB_Vector sum, GrB_Vector nearness, GrB_Vector farthest,
                               int64_t *eccentricity, GrB_Matrix A, const GrB_Index *sources,
                               GrB_Index nsources) {
  const distances x = {{reached, sum, nearness, farthest}, eccentricity, A, sources, nsources};
  return GRID_TRACE_SIZED_CALL(call, estimate_work(A, nsources), find_distances(&x), reached, sum, nearness,
                               farthest, A);
}
