/* Degrees of a matrix whose blocks lie on the device, on one process or several: counted, summed and gathered
 * in device memory. A step returns GRID_UNSUPPORTED on every process if one of them cannot do it; the caller
 * then uses host memory. What only one process can know is agreed on before each message. */
#include "dist/comm/device_transport.h"
#include "dist/matrix/matrix.h"
#include "spmat/backend.h"
#include "spmat/device/phase_times.h"

/* A device without room is no error: host memory is used. */
static GrB_Info unsupported_if_no_memory(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info;
}

/* ---- counting ---- */

/* Counts of the block's rows or columns, which are summed to those of the whole matrix, and the owned ones.
 */
typedef struct {
  grid_set set;
  uint64_t q, at, all;     /* indices of the local chunk, where it begins, of the block */
  uint32_t *count, *local; /* the same array if the process set has one member */
} tally;

static GrB_Info count_block(const grid_local_matrix *p, bool rows, uint64_t n, tally *t) {
  t->set = rows ? GRID_SET_ROW : GRID_SET_COL;
  t->q = grid_local_padded_size(n);
  t->at = grid_member_offset(t->set, n, grid_set_rank(t->set));
  t->all = grid_member_length(t->set, n);
  t->count = grid_device_malloc(t->all, sizeof *t->count);
  t->local = grid_set_size(t->set) == 1 ? t->count : grid_device_malloc(t->q, sizeof *t->local);
  if (!t->count || !t->local) return grid_device_fail_memory(NULL, "degrees", t->all, sizeof *t->count);
  return grid_cuda->builder->count(p, rows, t->count);
}

/* Two counts are summed as one 64-bit word: no degree reaches 2^32, so there is no carry between them. */
static GrB_Info sum_counts(const grid_device_transport *transport, const tally *t) {
  return transport->allreduce(t->set, (uint64_t *)(void *)t->count, t->all / 2, GRID_SUM);
}

static GrB_Info copy_local_degrees(const tally *t) {
  if (t->local == t->count) return GrB_SUCCESS;
  return grid_device_copy(t->local, t->count + t->at, t->q * sizeof *t->local);
}

GrB_Info grid_degrees_count_device(GrB_Matrix A, bool rows, bool cols, uint32_t **row, uint32_t **col) {
  const grid_device_transport *transport;
  tally t[2] = {{0}};
  int n = 0;
  const bool may = A->block.device && grid_device_can_index(A->nrows, A->ncols);
  GrB_Info info = may ? GrB_SUCCESS : GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS && cols) info = count_block(&A->block, false, A->ncols, &t[n++]);
  if (info == GrB_SUCCESS && rows) info = count_block(&A->block, true, A->nrows, &t[n++]);
  TRY(grid_agree_supported(&A->head, unsupported_if_no_memory(info)));
  grid_lap_record("count degrees");
  TRY(grid_device_transport_get(&transport));
  for (int k = 0; k < n; k++) info = grid_first_failure(info, sum_counts(transport, &t[k]));
  for (int k = 0; k < n && info == GrB_SUCCESS; k++) info = copy_local_degrees(&t[k]);
  TRY(grid_agree(&A->head, info));
  *col = cols ? t[0].local : NULL;
  *row = rows ? t[n - 1].local : NULL;
done:
  for (int k = 0; k < 2; k++) {
    if (t[k].local != t[k].count || info != GrB_SUCCESS) grid_device_free(t[k].count);
    if (t[k].local != t[k].count && info != GrB_SUCCESS) grid_device_free(t[k].local);
  }
  return info;
}

/* ---- gathering ---- */

GrB_Info grid_degrees_combine(GrB_Matrix A, const uint32_t **local, uint32_t **sum) {
  const uint64_t q = grid_local_padded_size(A->nrows);
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_degrees_to_device(A));
  *local = A->degrees.device_row;
  if (A->degrees.device_col == A->degrees.device_row) return info;
  *local = *sum = grid_device_malloc(q, sizeof **sum);
  if (!*sum) TRY(grid_device_fail_memory(NULL, "degrees", q, sizeof **sum));
  TRY(grid_device_copy(*sum, A->degrees.device_row, q * sizeof **sum));
  TRY(grid_cuda->builder->add(*sum, A->degrees.device_col, q));
done:
  return info;
}

/* The owned degrees suffice if no other process shares the rows (columns). */
static GrB_Info gather(grid_set set, uint64_t n, const uint32_t **degree, uint32_t **made) {
  const uint64_t q = grid_local_padded_size(n), at = grid_member_offset(set, n, grid_set_rank(set)),
                 all = grid_member_length(set, n);
  const grid_device_transport *transport;
  GrB_Info info = GrB_SUCCESS;
  if (grid_set_size(set) == 1) return info;
  TRY(grid_device_transport_get(&transport));
  *made = grid_device_malloc(all, sizeof **made);
  TRY(grid_agree_supported(NULL, *made ? GrB_SUCCESS : GRID_UNSUPPORTED));
  info = grid_device_zero(*made, all * sizeof **made);
  if (info == GrB_SUCCESS) info = grid_device_copy(*made + at, *degree, q * sizeof **made);
  info = grid_first_failure(info, grid_device_gather_chunks(transport, set, n, 8 * sizeof **made, *made));
  TRY(grid_agree(NULL, info));
  *degree = *made;
done:
  return info;
}

/* From degrees of the owned rows and columns to those of the block's. Collective, agreed on. */
static GrB_Info block_degrees_gather(GrB_Matrix A, grid_block_degrees *r) {
  GrB_Info info = gather(GRID_SET_ROW, A->nrows, &r->row, &r->made[0]);
  if (info != GrB_SUCCESS) return info;
  return gather(GRID_SET_COL, A->ncols, &r->col, &r->made[1]);
}

GrB_Info grid_block_degrees_device(GrB_Matrix A, grid_block_degrees *r) {
  GrB_Info info = A->block.device && !A->block.row.ids && !A->block.col.ids ? GrB_SUCCESS : GRID_UNSUPPORTED;
  *r = (grid_block_degrees){.device = true};
  if (info == GrB_SUCCESS) info = grid_degrees_to_device(A);
  r->row = A->degrees.device_row, r->col = A->degrees.device_col;
  if (info == GrB_SUCCESS && A->nrows == A->ncols) {
    info = grid_degrees_combine(A, &r->row, &r->made[2]);
    r->col = r->row;
  }
  TRY(grid_agree_supported(&A->head, unsupported_if_no_memory(info)));
  info = unsupported_if_no_memory(block_degrees_gather(A, r));
done:
  if (info != GrB_SUCCESS) grid_block_degrees_free(r);
  return info;
}

void grid_block_degrees_free(grid_block_degrees *r) {
  for (int k = 0; k < 3; k++) (r->device ? grid_device_free : grid_free)(r->made[k]);
  *r = (grid_block_degrees){0};
}
