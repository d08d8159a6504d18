// Puts a vector on a diagonal, into a row or a column; makes a matrix from a vector of column indices; and
// offsets of concatenated blocks.
#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/matrix/selected_entries.cuh"
extern "C" {
#include "spmat/cuda/vector/host_results.h"
}

namespace {

// ---- diagonals

__global__ void diagonal_starts(selection_bits k, uint64_t n, uint64_t count, uint64_t row, uint64_t rows,
                                uint32_t *ptr) {
  GRID_FOR(r, rows + 1) {
    ptr[r] = r <= row ? 0 : r - row >= n ? (uint32_t)count : selection_rank(k, (uint32_t)(r - row));
  }
}

// All entries are in one row.
__global__ void row_starts(uint64_t count, uint64_t row, uint64_t rows, uint32_t *ptr) {
  GRID_FOR(r, rows + 1) ptr[r] = r <= row ? 0 : (uint32_t)count;
}

// step 0: all in one column
__global__ void diagonal_entries(selection_bits k, uint64_t n, uint64_t col, uint64_t step, uint32_t *idx,
                                 uint32_t *from) {
  GRID_FOR(i, n) {
    if (!is_selected(k, (uint32_t)i)) continue;
    const uint32_t at = selection_rank(k, (uint32_t)i);
    idx[at] = (uint32_t)(col + step * i);
    from[at] = (uint32_t)i;
  }
}

// ---- index matrices ---------------------------------------------------------------------------------------

// Columns of its entries, one a row.
__global__ void write_point_entries(selection_bits k, position_list p, uint32_t *idx, grid_tally tally) {
  bool wrong = false;
  GRID_FOR(i, p.n) {
    if (!is_selected(k, (uint32_t)i)) continue;
    const uint64_t at = position_at(p, i);
    wrong |= at >= p.limit;
    idx[selection_rank(k, (uint32_t)i)] = (uint32_t)at;
  }
  grid_publish_count(tally, wrong ? WRONG : 0);
}

// ---- offsets of concatenated blocks -----------------------------------------------------------------------

__global__ void shift_ends(uint32_t *to, const uint32_t *ptr, uint64_t n, uint32_t base) {
  GRID_FOR(k, n) to[k] = ptr ? base + ptr[k + 1] : base;
}

}  // namespace

// k (freed by the caller, also after an error): the indices of v's entries.
static GrB_Info mark_selected(grid_selection *k, const grid_chunk *v) {
  GrB_Info info = GrB_SUCCESS;
  if (!bits_of(v)) return info;
  TRY(grid_cuda_selection_make(k, v->n));
  TRY(grid_device_copy(k->bits, v->bits, grid_words(v->n) * sizeof *v->bits));
  TRY(grid_cuda_selection_count(k));
done:
  return info;
}

extern "C" GrB_Info grid_cuda_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row,
                                            uint64_t col, grid_onto onto) {
  grid_selection k = {};
  uint32_t *from = NULL;
  GrB_Info info;
  const uint64_t rows = t->row.dim;
  cudaStream_t stream = grid_cuda_stream();
  if (!grid_device_can_index(v->n, 1) || grid_axis_is_too_long(rows, v->nvals)) return GRID_UNSUPPORTED;
  t->row.n = rows, t->col.n = t->col.dim, t->nvals = v->nvals;
  TRY(mark_selected(&k, v));
  t->by_row.ptr = (uint32_t *)grid_device_malloc(rows + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(t->nvals, sizeof(uint32_t));
  from = (uint32_t *)grid_device_malloc(t->nvals, sizeof *from);
  if (!t->by_row.ptr || !t->by_row.idx || !from)
    TRY(grid_device_fail_memory(NULL, "a diagonal", t->nvals + rows, 2 * sizeof *from));
  if (onto == GRID_ONTO_ROW)
    row_starts<<<grid_cuda_blocks_for(rows + 1), 256, 0, stream>>>(v->nvals, row, rows, t->by_row.ptr);
  else
    diagonal_starts<<<grid_cuda_blocks_for(rows + 1), 256, 0, stream>>>(selection_bits_of(k), v->n, v->nvals,
                                                                        row, rows, t->by_row.ptr);
  diagonal_entries<<<grid_cuda_blocks_for(v->n), 256, 0, stream>>>(
      selection_bits_of(k), v->n, col, onto != GRID_ONTO_COL, t->by_row.idx, from);
  TRY(grid_cuda_check_launch("a diagonal"));
  if (v->iso) {
    info = grid_lmat_set_iso(t, v->host_value);
  } else {
    t->by_row.val = grid_device_malloc(t->nvals, t->type->size);
    if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "values of a diagonal", t->nvals, t->type->size));
    info = grid_cuda_gather_values(t->by_row.val, v->val, from, t->nvals, t->type->size);
  }
done:
  grid_cuda_selection_free(&k);
  grid_device_free(from);
  return info;
}

extern "C" GrB_Info grid_cuda_lmat_index_matrix(grid_local_matrix *t, const grid_chunk *v, uint64_t limit,
                                                bool *bad) {
  grid_selection k = {};
  grid_tally tally;
  uint64_t count;
  GrB_Info info;
  const uint64_t rows = t->row.dim;
  if (!grid_device_can_index(v->n, 1) || grid_axis_is_too_long(rows, v->nvals)) return GRID_UNSUPPORTED;
  t->row.n = rows, t->col.n = t->col.dim, t->nvals = v->nvals;
  TRY(mark_selected(&k, v));
  t->by_row.ptr = (uint32_t *)grid_device_malloc(rows + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(t->nvals, sizeof(uint32_t));
  if (!t->by_row.ptr || !t->by_row.idx)
    TRY(grid_device_fail_memory(NULL, "entries where a vector points", t->nvals + rows, sizeof(uint32_t)));
  TRY(grid_cuda_tally(&tally));
  diagonal_starts<<<grid_cuda_blocks_for(rows + 1), 256, 0, grid_cuda_stream()>>>(
      selection_bits_of(k), v->n, v->nvals, 0, rows, t->by_row.ptr);
  // fewer than 2^20 threads: their additions for wrong indices stay below 2^64
  write_point_entries<<<grid_cuda_blocks(v->n, 256, 16u * (unsigned)grid_cuda_multiprocessors()), 256, 0,
                        grid_cuda_stream()>>>(selection_bits_of(k), position_list_of(v, limit), t->by_row.idx,
                                              tally);
  TRY(grid_cuda_check_launch("entries where a vector points"));
  TRY(grid_cuda_wait_count(&tally, &count, NULL));
  *bad = count >= WRONG;
  if (*bad) info = GRID_UNSUPPORTED;
done:
  grid_cuda_selection_free(&k);
  return info;
}

extern "C" GrB_Info grid_cuda_lmat_row_ends(uint32_t *to, const grid_local_matrix *p, uint64_t n,
                                            uint32_t base) {
  if (n == 0) return GrB_SUCCESS;
  const uint32_t *ptr = p->nvals ? p->by_row.ptr : NULL;
  shift_ends<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(to, ptr, n, base);
  return grid_cuda_check_launch("offsets of joined rows");
}
