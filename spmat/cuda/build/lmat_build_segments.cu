// The matrix of a whole R-MAT graph, built in segments: the entries of some rows at a time are generated,
// sorted and appended. Tuple t is a function of t only, so each segment generates all tuples again and keeps
// those in its rows. That costs less than sorting them, and they never exist all at once.
//
// Peak memory: 4 bytes a directed tuple for the entries, and 8 a row for offsets (12 while they are converted
// to 32 bits). A segment takes 16 a tuple (two buffers), and CUB its temporary memory. The peak is compared
// with the free memory first, and segments are as few as it allows.
#include "spmat/cuda/build/keys.cuh"

extern "C" {
#include "semiring/support/tuning.h"
#include "spmat/matrix/panels32.h"
}

#include <stdlib.h>

namespace {

// Keys are counted in 32 bits within a segment.
const uint64_t MAX_SEGMENT_KEYS = UINT64_C(0xffff0000);
// If the excess at the end is at least this part of all entries, it is worth a copy.
enum { MAX_EXCESS_SHARE = 8 };

struct segments {
  const grid_rmat_job *job;
  uint64_t all, n;          // directed tuples; rows
  uint64_t rows, capacity;  // rows of a segment, initially; capacity in keys
  grid_keys k;
  uint32_t *ends;  // offsets of a segment
  unsigned long long *key_count;
  uint64_t nvals;  // entries so far
};

// Room for degrees above the mean.
uint64_t capacity_for(uint64_t keys) {
  return keys + keys / 16 + 64;
}

uint64_t fixed_bytes(uint64_t all, uint64_t n) {
  return all * sizeof(uint32_t) + (n + 1) * (sizeof(uint64_t) + sizeof(uint32_t));
}

uint64_t sort_bytes(uint64_t keys) {
  return 2 * sizeof(uint64_t) * capacity_for(keys) + grid_cuda_sort_bytes(capacity_for(keys));
}

// True if the graph surely has about 2^32 entries or more: R-MAT graphs with 32-bit offsets have fewer by a
// 64th or more.
bool needs_offsets64(uint64_t all) {
  return all / 65 * 64 >= grid_tune.offsets64_from;
}

// Keys of a segment: as many as there is room for. GRID_UNSUPPORTED: there is room for all at once, and for a
// second buffer, and 32-bit offsets do. grid_tune.device_segment (tests, measuring) replaces that number.
GrB_Info choose_segment(uint64_t all, uint64_t n, uint64_t *keys) {
  grid_device_facts f;
  GrB_Info info = GrB_SUCCESS;
  uint64_t number = 2;
  *keys = grid_tune.device_segment;
  if (*keys > MAX_SEGMENT_KEYS) *keys = MAX_SEGMENT_KEYS;
  if (*keys) return info;
  TRY(grid_device_describe(&f));
  if (!needs_offsets64(all) && 2 * sizeof(uint64_t) * all + grid_cuda_sort_bytes(all) <= f.free)
    return GRID_UNSUPPORTED;
  while (number < 64 && (capacity_for(all / number + 1) > MAX_SEGMENT_KEYS ||
                         fixed_bytes(all, n) + sort_bytes(all / number + 1) > f.free))
    number++;
  *keys = all / number + 1;
  info = grid_cuda_check_free(fixed_bytes(all, n) + sort_bytes(*keys), "building an R-MAT graph in pieces");
done:
  return info;
}

GrB_Info make_buffers(segments *x, uint64_t capacity) {
  grid_cuda_keys_free(&x->k);
  x->capacity = capacity;
  x->k.at = (uint64_t *)grid_device_malloc(capacity, sizeof *x->k.at);
  x->k.other = (uint64_t *)grid_device_malloc(capacity, sizeof *x->k.other);
  return x->k.at && x->k.other
             ? GrB_SUCCESS
             : grid_device_fail_memory(NULL, "a piece of an R-MAT graph", capacity, 2 * sizeof *x->k.at);
}

// The keys of *rows rows from `row` on, or of fewer if they exceed the capacity.
GrB_Info generate(segments *x, uint64_t row, uint64_t *rows) {
  GrB_Info info = GrB_SUCCESS;
  for (;;) {
    grid_rmat_job job = *x->job;
    job.row = row, job.rows = *rows;
    TRY(grid_cuda_rmat_rows(&job, x->k.at, x->capacity, x->key_count, &x->k.n));
    if (x->k.n <= x->capacity) break;
    if (*rows > 1)
      *rows = (*rows + 1) / 2;
    else if (x->k.n <= MAX_SEGMENT_KEYS)
      TRY(make_buffers(x, x->k.n));
    else
      TRY(grid_fail(NULL, GrB_OUT_OF_MEMORY, "a row of 2^32 tuples or more"));
  }
  grid_lap_record("generate");
done:
  return info;
}

// Offsets of rows row .. row + rows, where `before` entries precede.
__global__ void write_row_ends(const uint32_t *ends, uint64_t rows, uint64_t before, uint64_t *to) {
  GRID_FOR(k, rows + 1) to[k] = before + ends[k];
}

__global__ void narrow_to_32(const uint64_t *from, uint64_t n, uint32_t *to) {
  GRID_FOR(k, n) to[k] = (uint32_t)from[k];
}

GrB_Info append(segments *x, grid_local_matrix *p, uint64_t row, uint64_t rows) {
  const int shift = x->job->shift;
  uint64_t *starts = NULL, count = 0;
  GrB_Info info;
  TRY(grid_cuda_sort(&x->k, 0, shift + grid_cuda_bits(rows)));
  grid_lap_record("sort");
  TRY(grid_cuda_distinct(x->k.at, x->k.n, &starts, &count));
  grid_lap_record("count distinct");
  TRY(grid_cuda_compress_to(x->k.at, x->k.n, shift, starts, rows, x->ends, p->by_row.idx + x->nvals, NULL));
  write_row_ends<<<grid_cuda_blocks_for(rows + 1), 256, 0, grid_cuda_stream()>>>(x->ends, rows, x->nvals,
                                                                                 p->by_row.offsets64 + row);
  TRY(grid_cuda_check_launch("offsets of a piece"));
  x->nvals += count;
  grid_lap_record("compress");
done:
  grid_device_free(starts);
  return info;
}

GrB_Info build_all(segments *x, grid_local_matrix *p) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t row = 0, rows; row < x->n; row += rows) {
    rows = x->n - row < x->rows ? x->n - row : x->rows;
    TRY(generate(x, row, &rows));
    TRY(append(x, p, row, rows));
  }
done:
  return info;
}

// Converts to 32-bit offsets if possible, and frees excess memory.
GrB_Info finish(segments *x, grid_local_matrix *p) {
  grid_compressed *c = &p->by_row;
  GrB_Info info = GrB_SUCCESS;
  if (x->nvals < grid_tune.offsets64_from) {
    c->ptr = (uint32_t *)grid_device_malloc(x->n + 1, sizeof *c->ptr);
    if (!c->ptr) TRY(grid_device_fail_memory(NULL, "offsets of rows", x->n + 1, sizeof *c->ptr));
    narrow_to_32<<<grid_cuda_blocks_for(x->n + 1), 256, 0, grid_cuda_stream()>>>(c->offsets64, x->n + 1,
                                                                                 c->ptr);
    TRY(grid_cuda_check_launch("offsets of rows"));
    grid_device_free(c->offsets64);
    c->offsets64 = NULL;
  }
  if (c->offsets64) c->panels32 = grid_panels32_new();
  if (x->all - x->nvals > x->all / MAX_EXCESS_SHARE) {
    uint32_t *idx = (uint32_t *)grid_device_malloc(x->nvals, sizeof *idx);
    if (idx) {  // else they stay in place
      info = grid_device_copy(idx, c->idx, x->nvals * sizeof *idx);
      grid_device_free(c->idx);
      c->idx = idx;
    }
  }
  grid_lap_record("entries in place");
done:
  return info;
}

GrB_Info make_lmat(segments *x, grid_local_matrix *p) {
  grid_compressed *c = &p->by_row;
  GrB_Info info;
  c->idx = (uint32_t *)grid_device_malloc(x->all, sizeof *c->idx);
  c->offsets64 = (uint64_t *)grid_device_malloc(x->n + 1, sizeof *c->offsets64);
  x->ends = (uint32_t *)grid_device_malloc(x->rows + 1, sizeof *x->ends);
  x->key_count = (unsigned long long *)grid_device_malloc(1, sizeof *x->key_count);
  if (!c->idx || !c->offsets64 || !x->ends || !x->key_count)
    TRY(grid_device_fail_memory(NULL, "the entries of an R-MAT graph", x->all, sizeof *c->idx));
  TRY(make_buffers(x, x->capacity));
  TRY(build_all(x, p));
  grid_cuda_keys_free(&x->k);
  TRY(finish(x, p));
  p->nvals = x->nvals;
  p->row.n = p->row.dim, p->col.n = p->col.dim;
done:
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_rmat_lmat(grid_local_matrix *p, const grid_rmat_job *job) {
  segments x = {};
  uint64_t keys = 0;
  GrB_Info info = GrB_SUCCESS;
  x.job = job;
  x.all = job->tuples * (job->mirror ? 2 : 1);
  x.n = p->row.dim;
  // enough tuples, without loops, that no axis is hypersparse (lmat_build.cu)
  if (job->P != 1 || x.all / 8 < p->row.dim || x.all / 8 < p->col.dim) return GRID_UNSUPPORTED;
  info = choose_segment(x.all, x.n, &keys);
  if (info != GrB_SUCCESS) return info;
  x.rows = keys >= x.all ? x.n : (uint64_t)((double)x.n * ((double)keys / (double)x.all));
  if (x.rows == 0) x.rows = 1;
  x.capacity = capacity_for(keys);
  info = make_lmat(&x, p);
  grid_cuda_keys_free(&x.k);
  grid_device_free(x.ends);
  grid_device_free(x.key_count);
  if (info != GrB_SUCCESS) {
    grid_compressed_free(&p->by_row, grid_device_free);
    p->nvals = p->row.n = p->col.n = 0;
  }
  return info;
}
