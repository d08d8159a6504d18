// Values of a local matrix that is built on the device (lmat_values.cuh).
#include "spmat/cuda/build/lmat_values.cuh"

extern "C" {
#include "semiring/support/mem.h"
#include "spmat/cuda/vector/vec_source.h"
}

namespace {

enum {
  THREADS = 256,
  MAX_EQUAL_TUPLES = 4096
};  // more equal tuples than MAX_EQUAL_TUPLES are combined on the host

__global__ void fill_identity(uint32_t *to, uint64_t n) {
  GRID_FOR(k, n) to[k] = (uint32_t)k;
}

// *first = the least e whose key equals that of e - distance; initially above all.
__global__ void find_equal(const uint64_t *key, uint64_t n, uint64_t distance, unsigned long long *first) {
  GRID_FOR(e, n)
  if (e >= distance && key[e] == key[e - distance]) atomicMin(first, (unsigned long long)e);
}

GrB_Info first_equal(const grid_keys *k, uint64_t distance, uint64_t *at) {
  unsigned long long *first = (unsigned long long *)grid_device_malloc(1, sizeof *first), got = UINT64_MAX;
  GrB_Info info = first ? GrB_SUCCESS : grid_device_fail_memory(NULL, "a counter", 1, sizeof *first);
  TRY(info);
  TRY(grid_device_write(first, &got, sizeof got));
  find_equal<<<grid_cuda_blocks_for(k->n), THREADS, 0, grid_cuda_stream()>>>(k->at, k->n, distance, first);
  TRY(grid_cuda_check_launch("looking for equal tuples"));
  TRY(grid_cuda_fetch(&got, first));
  *at = got;
done:
  grid_device_free(first);
  return info;
}

// Replaces the position of the last tuple of entry k by that tuple's number.
__global__ void pick_last_tuples(uint32_t *last, const uint32_t *number, int mirror_shift, uint64_t entries) {
  GRID_FOR(k, entries) last[k] = number[last[k]] >> mirror_shift;
}

// Values have `units` units.
template <class unit>
__global__ void gather_units(unit *to, const unit *from, const uint32_t *at, uint64_t n, uint64_t units) {
  GRID_FOR(i, n * units) to[i] = from[at[i / units] * units + i % units];
}

// *found = 1 if some value differs from the first.
template <class T>
__global__ void find_different(const T *val, uint64_t n, uint32_t *found) {
  GRID_FOR(k, n)
  if (val[k] != val[0]) *found = 1;
}
__global__ void find_different_bytes(const char *val, uint64_t n, uint64_t size, uint32_t *found) {
  GRID_FOR(b, n * size)
  if (val[b] != val[b % size]) *found = 1;
}

GrB_Info combine(void *val, uint64_t entries, const uint32_t *last, const uint32_t *number,
                 const grid_device_tuples *t, GrB_Type type) {
  grid_jit_source s;
  void *kernel;
  const void *tuples = t->val;
  int mirror_shift = t->mirror_shift;
  void *args[] = {&last, &number, &mirror_shift, &tuples, &entries, &val};
  grid_source_duplicates(&s, type, t->how.dup);
  GrB_Info info = grid_jit_kernel(&kernel, &s, "combine_duplicates.cuh", "grid_build_dup");
  if (info != GrB_SUCCESS) return info;
  return grid_jit_launch(kernel, grid_cuda_blocks_for(entries), THREADS, args, "joining equal tuples");
}

GrB_Info gather_values(void *val, uint64_t entries, uint32_t *last, const uint32_t *number,
                       const grid_device_tuples *t, size_t size) {
  pick_last_tuples<<<grid_cuda_blocks_for(entries), THREADS, 0, grid_cuda_stream()>>>(
      last, number, t->mirror_shift, entries);
  return grid_cuda_gather_values(val, t->val, last, entries, size);
}

GrB_Info check_all_equal(const grid_local_matrix *p, bool *alike) {
  const size_t size = p->type->size;
  const void *val = p->by_row.val;
  cudaStream_t stream = grid_cuda_stream();
  uint32_t *found = (uint32_t *)grid_device_malloc(1, sizeof *found), got = 0;
  GrB_Info info = found ? GrB_SUCCESS : grid_device_fail_memory(NULL, "a mark", 1, sizeof *found);
  TRY(info);
  TRY(grid_device_zero(found, sizeof *found));
  if (size == 4)
    find_different<<<grid_cuda_blocks_for(p->nvals), THREADS, 0, stream>>>((const uint32_t *)val, p->nvals,
                                                                           found);
  else if (size == 8)
    find_different<<<grid_cuda_blocks_for(p->nvals), THREADS, 0, stream>>>((const uint64_t *)val, p->nvals,
                                                                           found);
  else
    find_different_bytes<<<grid_cuda_blocks_for(p->nvals * size), THREADS, 0, stream>>>(
        (const char *)val, p->nvals, size, found);
  TRY(grid_cuda_check_launch("looking for another value"));
  TRY(grid_cuda_fetch(&got, found));
  *alike = !got;
done:
  grid_device_free(found);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_number(grid_numbers *number, uint64_t n) {
  number->at = (uint32_t *)grid_device_malloc(n, sizeof *number->at);
  number->other = (uint32_t *)grid_device_malloc(n, sizeof *number->other);
  if (!number->at || !number->other)
    return grid_device_fail_memory(NULL, "numbers of a matrix's tuples", n, 2 * sizeof *number->at);
  fill_identity<<<grid_cuda_blocks_for(n), THREADS, 0, grid_cuda_stream()>>>(number->at, n);
  return grid_cuda_check_launch("numbering tuples");
}

extern "C" GrB_Info grid_cuda_gather_values(void *to, const void *from, const uint32_t *at, uint64_t n,
                                            uint64_t size) {
  cudaStream_t stream = grid_cuda_stream();
  if (size % 8 == 0)
    gather_units<<<grid_cuda_blocks_for(n * (size / 8)), 256, 0, stream>>>(
        (uint64_t *)to, (const uint64_t *)from, at, n, size / 8);
  else if (size % 4 == 0)
    gather_units<<<grid_cuda_blocks_for(n * (size / 4)), 256, 0, stream>>>(
        (uint32_t *)to, (const uint32_t *)from, at, n, size / 4);
  else
    gather_units<<<grid_cuda_blocks_for(n * size), 256, 0, stream>>>((uint8_t *)to, (const uint8_t *)from, at,
                                                                     n, size);
  return grid_cuda_check_launch("values of a matrix");
}

extern "C" void grid_cuda_numbers_free(grid_numbers *number) {
  grid_device_free(number->at);
  grid_device_free(number->other);
  number->at = number->other = NULL;
}

extern "C" GrB_Info grid_cuda_check_equal(const grid_keys *k, uint64_t distinct, int shift,
                                          grid_duplicates how, grid_pair *bad) {
  uint64_t at = 0, key = 0;
  GrB_Info info = GrB_SUCCESS;
  if (distinct == k->n || (how.newest_wins && !how.dup)) return info;
  TRY(first_equal(k, how.dup ? MAX_EQUAL_TUPLES : 1, &at));
  if (how.dup) return at == UINT64_MAX ? GrB_SUCCESS : GRID_UNSUPPORTED;
  TRY(grid_cuda_fetch(&key, k->at + at));
  bad->r = key >> shift, bad->c = key & ((UINT64_C(1) << shift) - 1);
  info = grid_fail(NULL, GrB_INVALID_VALUE, "two tuples for one entry, and no operator to combine them");
done:
  return info;
}

extern "C" GrB_Info grid_cuda_combine_values(void **val, uint64_t entries, uint32_t *last,
                                             const uint32_t *number, const grid_device_tuples *t,
                                             GrB_Type type) {
  *val = grid_device_malloc(entries, type->size);
  if (!*val) return grid_device_fail_memory(NULL, "matrix values", entries, type->size);
  GrB_Info info = t->how.dup ? combine(*val, entries, last, number, t, type)
                             : gather_values(*val, entries, last, number, t, type->size);
  if (info == GrB_SUCCESS) return info;
  grid_device_free(*val);
  *val = NULL;
  return info;
}

extern "C" GrB_Info grid_cuda_find_iso(grid_local_matrix *p) {
  const size_t size = p->type->size;
  bool alike = false;
  void *one = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (p->nvals < 2) return info; /* as on the host */
  TRY(check_all_equal(p, &alike));
  if (!alike) return info;
  one = grid_malloc(1, size);
  if (!one) TRY(grid_fail_memory(NULL, "a matrix value", 1, size));
  TRY(grid_device_get(one, p->by_row.val, size));
  TRY(grid_lmat_set_iso(p, one));
  grid_device_free(p->by_row.val);
  p->by_row.val = NULL;
done:
  grid_free(one);
  return info;
}
