// Entries of rows drawn at random (Grid_Matrix_sample). A thread draws a row's entries, as bits in a bitmap
// of all entries. A warp reads these bits, and writes the entries, in order, into the result's row, or marks
// their columns, or both.
#include "spmat/cuda/matrix/rows_of_counts.cuh"
extern "C" {
#include "spmat/cuda/graph/cuda_graph.h"
#include "spmat/sample_rows.h"
}

namespace {

struct job {
  grid_csr_pattern a;
  const uint32_t *present;  // of the rows with a count; NULL: all
  const int64_t *count;
  uint64_t counts;  // rows that may have a count: a's block may have padding
  bool same_count;  // count has one element
  uint64_t first, key;
  uint64_t *marks;       // a bit for each entry: of the rows of which a part is drawn
  uint64_t *draws;       // of each row, and 0
  bool summed;           // draws has become the sums of those before each row
  uint32_t *idx, *from;  // of the result: columns, and numbers of entries; NULL: there is none
  uint32_t *columns;     // a bit for each column, or NULL
};

__global__ void draw_entries(const __grid_constant__ job J) {
  GRID_FOR(r, J.a.n) {
    uint64_t draws = 0;
    if (r < J.counts && (!J.present || J.present[r >> 5] >> (r & 31) & 1)) {
      const uint32_t begin = J.a.ptr[r], degree = J.a.ptr[r + 1] - begin;
      draws = grid_sample_size(degree, J.count[J.same_count ? 0 : r]);
      if (draws < degree) grid_sample_row(J.marks, begin, degree, draws, J.first + r, J.key);
    }
    J.draws[r] = draws;
  }
}

// The bits of word w that are entries begin .. end - 1.
__device__ __forceinline__ uint64_t marks_of_row(const job &J, uint32_t w, uint32_t begin, uint32_t end) {
  if (w > (end - 1) / 64) return 0;
  uint64_t marks = J.marks[w];
  if (w == begin / 64) marks &= ~0ull << begin % 64;
  if (w == (end - 1) / 64) marks &= ~0ull >> (63 - (end - 1) % 64);
  return marks;
}

// Entry e becomes entry `at` of the result.
__device__ __forceinline__ void write_entry(const job &J, uint32_t at, uint32_t e) {
  const uint32_t column = J.a.idx[e], bit = 1u << (column & 31);
  if (J.idx) J.idx[at] = column, J.from[at] = e;
  if (J.columns && !(J.columns[column >> 5] & bit)) atomicOr(J.columns + (column >> 5), bit);
}

// A warp writes row r, from `at` on.
__device__ void write_row(const job &J, uint64_t r, uint32_t at, uint32_t draws) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t begin = J.a.ptr[r], end = J.a.ptr[r + 1];
  if (draws == end - begin) {
    for (uint32_t k = lane; k < draws; k += 32) write_entry(J, at + k, begin + k);
    return;
  }
  for (uint32_t w = begin / 64; w <= (end - 1) / 64; w += 32) {
    uint64_t marks = marks_of_row(J, w + lane, begin, end);
    const uint32_t found = __popcll(marks);
    uint32_t up_to = found;  // in the words up to this lane's
    for (unsigned d = 1; d < 32; d *= 2) {
      const uint32_t before = __shfl_up_sync(~0u, up_to, d);
      if (lane >= d) up_to += before;
    }
    for (uint32_t k = at + up_to - found; marks; marks &= marks - 1, k++)
      write_entry(J, k, 64 * (w + lane) + (uint32_t)__ffsll((long long)marks) - 1);
    at += __shfl_sync(~0u, up_to, 31);
  }
}

// A warp takes 32 rows, of which most may be empty.
__global__ void write_rows(const __grid_constant__ job J) {
  const unsigned lane = threadIdx.x & 31;
  for (uint64_t first = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32 * 32; first < J.a.n;
       first += gridDim.x * (uint64_t)blockDim.x) {
    const uint64_t r = first + lane;
    const uint32_t at = r < J.a.n && J.summed ? (uint32_t)J.draws[r] : 0,
                   draws = r < J.a.n ? (uint32_t)J.draws[J.summed ? r + 1 : r] - at : 0;
    for (unsigned rows = __ballot_sync(~0u, draws > 0); rows; rows &= rows - 1) {
      const int k = __ffs((int)rows) - 1;
      write_row(J, first + (unsigned)k, __shfl_sync(~0u, at, k), __shfl_sync(~0u, draws, k));
    }
  }
}

GrB_Info make_job(job *J, const grid_sample_operands *x) {
  const grid_chunk *count = x->count;
  const uint64_t rows = x->a->row.n, words = grid_words(x->a->nvals);
  GrB_Info info;
  J->a = grid_csr_pattern_of(x->a);
  J->present = count->format == GRID_BITMAP ? (const uint32_t *)count->bits : NULL;
  J->count = (const int64_t *)count->val;
  J->counts = count->n, J->same_count = count->iso;
  J->first = x->first, J->key = grid_random_key(x->seed);
  J->draws = (uint64_t *)grid_device_malloc(rows + 1, sizeof *J->draws);
  J->marks = (uint64_t *)grid_device_malloc(words, sizeof *J->marks);
  if (!J->draws || !J->marks)
    TRY(grid_device_fail_memory(NULL, "counts and marks of a sample", rows + words, sizeof *J->marks));
  TRY(grid_device_zero(J->draws + rows, sizeof *J->draws));
  info = grid_device_zero(J->marks, words * sizeof *J->marks);
done:
  return info;
}

// t's rows, and the arrays of its entries.
GrB_Info make_rows(grid_local_matrix *t, job *J, const grid_local_matrix *a) {
  GrB_Info info;
  t->row.n = a->row.n, t->col.n = a->col.n;
  TRY(grid_cuda_rows_of_counts(t, J->draws, t->row.n));
  J->summed = true, J->idx = t->by_row.idx;
  J->from = (uint32_t *)grid_device_malloc(t->nvals, sizeof *J->from);
  if (!J->from) info = grid_device_fail_memory(NULL, "numbers of entries", t->nvals, sizeof *J->from);
done:
  return info;
}

GrB_Info make_columns(grid_chunk *columns, job *J) {
  const bool yes = true;
  GrB_Info info;
  TRY(grid_chunk_reserve_device(columns, true, true));
  TRY(grid_device_zero(columns->bits, grid_words(columns->n) * sizeof *columns->bits));
  TRY(grid_cuda->chunks->fill(columns->val, memcpy(columns->host_value, &yes, sizeof yes), sizeof yes, 1));
  J->columns = (uint32_t *)columns->bits;
done:
  return info;
}

GrB_Info count_columns(grid_chunk *columns) {
  uint64_t found = 0;
  const GrB_Info info = grid_cuda->chunks->combine(NULL, columns->bits, NULL, GRID_AND, columns->n, &found);
  if (info == GrB_SUCCESS && found > 0)
    columns->format = GRID_BITMAP, columns->iso = true, columns->nvals = found;
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_sample(grid_local_matrix *t, grid_chunk *columns,
                                          const grid_sample_operands *x) {
  job J = {};
  GrB_Info info;
  if (x->count->nvals == 0) return GrB_SUCCESS;
  TRY(make_job(&J, x));
  draw_entries<<<grid_cuda_blocks_for(J.a.n), 256, 0, grid_cuda_stream()>>>(J);
  TRY(grid_cuda_check_launch("drawing entries"));
  if (t) TRY(make_rows(t, &J, x->a));
  if (columns) TRY(make_columns(columns, &J));
  write_rows<<<grid_cuda_blocks_for(J.a.n), 256, 0, grid_cuda_stream()>>>(J);
  TRY(grid_cuda_check_launch("entries drawn"));
  if (columns) TRY(count_columns(columns));
  if (t) info = grid_cuda_gather_lmat_values(t, x->a, J.from);
done:
  grid_device_free(J.draws);
  grid_device_free(J.marks);
  grid_device_free(J.from);
  return info;
}
