/* Degrees where the matrix's block lies on the device, on one process or several: counted, added up and
 * gathered in device memory. A step answers GRID_NOT_HERE on every process where one of them cannot do it;
 * the way through host memory is then open. What one process alone may find is agreed on before each message.
 */
#include "dist/device_transport.h"
#include "dist/matrix.h"
#include "spmat/backend.h"
#include "spmat/times.h"

/* No room there is no error: host memory has it. */
static GrB_Info or_elsewhere(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_NOT_HERE : info;
}

/* ---- counting ---- */

/* Counts of the block's rows or columns, which become those of the whole matrix, and the owned ones. */
typedef struct {
  grid_set set;
  uint64_t q, all;
  uint32_t *count, *own; /* the same array where the set is this process */
} tally;

static GrB_Info count_block(const grid_part *p, bool rows, uint64_t n, tally *t) {
  t->set = rows ? GRID_SET_ROW : GRID_SET_COL;
  t->q = grid_chunk_size(n);
  t->all = t->q * (uint64_t)grid_set_size(t->set);
  t->count = grid_device_malloc(t->all, sizeof *t->count);
  t->own = grid_set_size(t->set) == 1 ? t->count : grid_device_malloc(t->q, sizeof *t->own);
  if (!t->count || !t->own) return grid_device_fail_memory(NULL, "degrees", t->all, sizeof *t->count);
  return grid_cuda->builder->count(p, rows, t->count);
}

/* Two counts travel as one word: no degree reaches 2^32, so nothing is carried from one into the other. */
static GrB_Info sum_counts(const grid_device_transport *way, const tally *t) {
  return way->allreduce(t->set, (uint64_t *)(void *)t->count, t->all / 2, GRID_SUM);
}

static GrB_Info keep_own(const tally *t) {
  if (t->own == t->count) return GrB_SUCCESS;
  return grid_device_copy(t->own, t->count + (uint64_t)grid_set_rank(t->set) * t->q, t->q * sizeof *t->own);
}

GrB_Info grid_degrees_count_there(GrB_Matrix A, bool rows, bool cols, uint32_t **row, uint32_t **col) {
  const grid_device_transport *way;
  tally t[2] = {{0}};
  int n = 0;
  const bool may = A->block.device && A->nrows <= UINT32_MAX && A->ncols <= UINT32_MAX;
  GrB_Info info = may ? GrB_SUCCESS : GRID_NOT_HERE;
  if (info == GrB_SUCCESS && cols) info = count_block(&A->block, false, A->ncols, &t[n++]);
  if (info == GrB_SUCCESS && rows) info = count_block(&A->block, true, A->nrows, &t[n++]);
  TRY(grid_agree_here(&A->head, or_elsewhere(info)));
  grid_lap("count degrees");
  TRY(grid_device_transport_get(&way));
  for (int k = 0; k < n; k++) TRY(sum_counts(way, &t[k]));
  for (int k = 0; k < n && info == GrB_SUCCESS; k++) info = keep_own(&t[k]);
  TRY(grid_agree(&A->head, info));
  *col = cols ? t[0].own : NULL;
  *row = rows ? t[n - 1].own : NULL;
done:
  for (int k = 0; k < 2; k++) {
    if (t[k].own != t[k].count || info != GrB_SUCCESS) grid_device_free(t[k].count);
    if (t[k].own != t[k].count && info != GrB_SUCCESS) grid_device_free(t[k].own);
  }
  return info;
}

/* ---- gathering ---- */

/* Room for the degrees of all local indices, with own (+ more) where the owned ones belong. */
static GrB_Info place_own(grid_set set, uint64_t q, const uint32_t *own, const uint32_t *more,
                          uint32_t **all) {
  const uint64_t S = (uint64_t)grid_set_size(set);
  *all = grid_device_malloc(S * q, sizeof **all);
  if (!*all) return grid_device_fail_memory(NULL, "degrees", S * q, sizeof **all);
  uint32_t *here = *all + (uint64_t)grid_set_rank(set) * q;
  GrB_Info info = grid_device_copy(here, own, q * sizeof *own);
  return info == GrB_SUCCESS && more ? grid_cuda->builder->add(here, more, q) : info;
}

static GrB_Info gather(const grid_device_transport *way, grid_set set, uint64_t q, uint32_t *all) {
  return way->allgather(set, all + (uint64_t)grid_set_rank(set) * q, q * sizeof *all, all);
}

/* One side: A's own array serves where nobody shares the rows (columns) and nothing is to be added. */
static GrB_Info place_side(grid_ranks *r, int side, grid_set set, uint64_t q, const uint32_t *own,
                           const uint32_t *more) {
  const uint32_t **to = side ? &r->col : &r->row;
  *to = own;
  if (grid_set_size(set) == 1 && !more) return GrB_SUCCESS;
  GrB_Info info = place_own(set, q, own, more, &r->made[side]);
  *to = r->made[side];
  return info;
}

GrB_Info grid_ranks_there(GrB_Matrix A, grid_ranks *r) {
  const uint64_t qr = grid_chunk_size(A->nrows), qc = grid_chunk_size(A->ncols);
  const grid_device_transport *way;
  const uint32_t *row, *col;
  GrB_Info info = A->block.device && !A->block.row.ids && !A->block.col.ids ? GrB_SUCCESS : GRID_NOT_HERE;
  *r = (grid_ranks){.device = true};
  if (info == GrB_SUCCESS) info = grid_degrees_to_device(A);
  row = A->device_row_degree, col = A->device_col_degree;
  /* where rows and columns are the same vertices, a vertex counts with both of its degrees */
  const bool both = A->nrows == A->ncols && row != col, alone = grid_here.P == 1;
  if (info == GrB_SUCCESS) info = place_side(r, 0, GRID_SET_ROW, qr, row, both ? col : NULL);
  if (info == GrB_SUCCESS && both && alone)
    r->col = r->row;
  else if (info == GrB_SUCCESS)
    info = place_side(r, 1, GRID_SET_COL, qc, col, both ? row : NULL);
  TRY(grid_agree_here(&A->head, or_elsewhere(info)));
  TRY(grid_device_transport_get(&way));
  if (r->made[0]) TRY(gather(way, GRID_SET_ROW, qr, r->made[0]));
  if (r->made[1]) TRY(gather(way, GRID_SET_COL, qc, r->made[1]));
done:
  if (info != GrB_SUCCESS) grid_ranks_free(r);
  return info;
}

void grid_ranks_free(grid_ranks *r) {
  for (int side = 0; side < 2; side++) (r->device ? grid_device_free : grid_free)(r->made[side]);
  *r = (grid_ranks){0};
}
