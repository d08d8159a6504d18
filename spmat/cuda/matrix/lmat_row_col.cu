// Extracts a row or a column of a local matrix as a bitmap and values, and single entries.
#include "spmat/cuda/matrix/selected_entries.cuh"

namespace {

__device__ void set_bit(uint64_t *bits, uint64_t i) {
  atomicOr((unsigned long long *)bits + (i >> 6), 1ull << (i & 63));
}

// Vector v of an orientation: at[i] = the number of the entry at index i.
__global__ void mark_vector(const uint32_t *ptr, const uint32_t *idx, uint64_t v, uint64_t *bits,
                            uint32_t *at) {
  const uint32_t from = ptr[v];
  GRID_FOR(k, ptr[v + 1] - from) {
    const uint32_t i = idx[from + k];
    set_bit(bits, i);
    at[i] = from + (uint32_t)k;
  }
}

// Column c, looked up in every row.
__global__ void mark_column(grid_csr_pattern m, uint32_t c, uint64_t *bits, uint32_t *at) {
  GRID_FOR(r, m.n) {
    const uint32_t e = find_in_row(m, r, c);
    if (e == GRID_NO_ENTRY) continue;
    set_bit(bits, r);
    at[r] = e;
  }
}

// Values of `units` units, at indices with an entry.
template <class unit>
__global__ void copy_values(unit *to, const unit *from, const uint64_t *bits, const uint32_t *at, uint64_t n,
                            uint64_t units) {
  GRID_FOR(x, n * units) {
    const uint64_t i = x / units;
    if (bits[i >> 6] >> (i & 63) & 1) to[x] = from[at[i] * units + x % units];
  }
}

// c: the orientation whose entries are numbered.
GrB_Info fill(void *val, const grid_local_matrix *p, const grid_compressed *c, const uint64_t *bits,
              const uint32_t *at, uint64_t n) {
  const uint64_t size = p->type->size;
  const void *from = c->val;
  cudaStream_t stream = grid_cuda_stream();
  if (p->iso) return grid_cuda->chunks->fill(val, p->iso_val, size, n);
  if (size % 8 == 0)
    copy_values<<<grid_cuda_blocks_for(n * (size / 8)), 256, 0, stream>>>(
        (uint64_t *)val, (const uint64_t *)from, bits, at, n, size / 8);
  else if (size % 4 == 0)
    copy_values<<<grid_cuda_blocks_for(n * (size / 4)), 256, 0, stream>>>(
        (uint32_t *)val, (const uint32_t *)from, bits, at, n, size / 4);
  else
    copy_values<<<grid_cuda_blocks_for(n * size), 256, 0, stream>>>((uint8_t *)val, (const uint8_t *)from,
                                                                    bits, at, n, size);
  return grid_cuda_check_launch("values of a row or column");
}

// ---- single entries

struct hyper_axis {
  const uint32_t *ids;  // NULL: none
  uint64_t n;
};
__device__ bool find_id(const hyper_axis &a, uint32_t id, uint32_t *k) {
  *k = id;
  if (!a.ids) return id < a.n;
  *k = grid_csr_lower_bound(a.ids, 0, (uint32_t)a.n, id);
  return *k < a.n && a.ids[*k] == id;
}

// *found = the entry's number plus 1, or 0
__global__ void find_entry(grid_csr_pattern m, hyper_axis rows, hyper_axis cols, uint32_t r, uint32_t c,
                           uint64_t *found) {
  uint32_t row, col, e = GRID_NO_ENTRY;
  if (find_id(rows, r, &row) && find_id(cols, c, &col)) e = find_in_row(m, row, col);
  *found = e == GRID_NO_ENTRY ? 0 : (uint64_t)e + 1;
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_get_vector(uint64_t *bits, void *val, const grid_local_matrix *p, bool row,
                                              uint64_t v) {
  const uint64_t n = row ? p->col.n : p->row.n;
  const bool cols = !row && p->by_col.ptr;
  const grid_compressed *c = cols ? &p->by_col : &p->by_row;
  cudaStream_t stream = grid_cuda_stream();
  uint32_t *at = (uint32_t *)grid_device_malloc(n, sizeof *at);
  GrB_Info info = GrB_SUCCESS;
  if (!at) TRY(grid_device_fail_memory(NULL, "a row or column", n, sizeof *at));
  if (row || cols)
    mark_vector<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(c->ptr, c->idx, v, bits, at);
  else
    mark_column<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(grid_csr_pattern_of(p), (uint32_t)v, bits, at);
  TRY(grid_cuda_check_launch("a row or column"));
  info = fill(val, p, c, bits, at, n);
done:
  grid_device_free(at);
  return info;
}

extern "C" GrB_Info grid_cuda_lmat_get_element(const grid_local_matrix *p, uint64_t row, uint64_t col,
                                               bool *is_present, void *x) {
  const hyper_axis rows = {(const uint32_t *)p->row.ids, p->row.n},
                   cols = {(const uint32_t *)p->col.ids, p->col.n};
  const uint64_t size = p->type->size;
  uint64_t *found = (uint64_t *)grid_device_malloc(1, sizeof *found), at = 0;
  GrB_Info info = GrB_SUCCESS;
  if (!found) TRY(grid_device_fail_memory(NULL, "an entry's number", 1, sizeof *found));
  find_entry<<<1, 1, 0, grid_cuda_stream()>>>(grid_csr_pattern_of(p), rows, cols, (uint32_t)row,
                                              (uint32_t)col, found);
  TRY(grid_cuda_check_launch("looking for an entry"));
  TRY(grid_cuda_fetch(&at, found));
  *is_present = at > 0;
  if (*is_present && p->iso)
    memcpy(x, p->iso_val, size);
  else if (*is_present)
    info = grid_device_get(x, (const char *)p->by_row.val + (at - 1) * size, size);
done:
  grid_device_free(found);
  return info;
}
