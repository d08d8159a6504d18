// The other orientation of a local matrix on the device, and whether it is equal (spmat/matrix/lmat_orient.c
// does this on the host; hub_neighbors.cu has the hub neighbors).
//
// Peak memory in addition: 20 bytes an entry (two buffers of keys, then idx instead of the second), and with
// values 8 bytes and a value more.
#include "spmat/cuda/build/entries.cuh"
#include "spmat/cuda/build/lmat_values.cuh"

namespace {

entries entries_of(const grid_compressed *c, uint64_t n, uint64_t nvals) {
  return entries{c->ptr, c->idx, n, nvals};
}

// ---- transpose -----------------------------------------------------------------------------------------

// Entry e of row v becomes the key (idx[e], v); a stable sort by the high half leaves rows ascending.
__global__ void __launch_bounds__(THREADS)
    write_transposed_keys(const __grid_constant__ entries m, uint64_t *key) {
  for_entries(m, [&](uint64_t e, uint64_t v) { key[e] = (uint64_t)m.idx[e] << 32 | v; });
}

// Sorts keys by their high halves; *number, if wanted: the original position of each key.
GrB_Info sort_keys(grid_keys *k, int bits, bool wanted, uint32_t **number) {
  GrB_Info info = GrB_SUCCESS;
  if (!wanted) return grid_cuda_sort(k, 32, bits);
  grid_numbers numbers = {NULL, NULL};
  TRY(grid_cuda_number(&numbers, k->n));
  TRY(grid_cuda_sort_pairs(k, 32, bits, &numbers.at, &numbers.other));
  *number = numbers.at;
  numbers.at = NULL;
done:
  grid_cuda_numbers_free(&numbers);
  return info;
}

// *to = by_col.
GrB_Info transpose(const grid_local_matrix *p, grid_compressed *to) {
  const uint64_t nvals = p->nvals, size = p->type->size;
  const bool valued = p->by_row.val != NULL;
  const entries m = entries_of(&p->by_row, p->row.n, nvals);
  grid_keys k = {NULL, NULL, nvals};
  uint64_t *starts = NULL, count = 0;
  uint32_t *number = NULL;
  GrB_Info info;
  TRY(grid_cuda_check_free((valued ? 24 + size : 16) * nvals + 8 * p->col.n + grid_cuda_sort_bytes(nvals),
                           "the other orientation of a matrix block"));
  k.at = (uint64_t *)grid_device_malloc(nvals, sizeof *k.at);
  k.other = (uint64_t *)grid_device_malloc(nvals, sizeof *k.other);
  if (!k.at || !k.other)
    TRY(grid_device_fail_memory(NULL, "a transposed matrix block", nvals, 2 * sizeof *k.at));
  if (nvals) write_transposed_keys<<<tile_blocks(m), THREADS, 0, grid_cuda_stream()>>>(m, k.at);
  TRY(grid_cuda_check_launch("transposing a matrix block"));
  TRY(sort_keys(&k, grid_cuda_bits(p->col.n), valued, &number));
  TRY(grid_cuda_distinct(k.at, nvals, &starts, &count));  // all are distinct: it counts them by tiles
  grid_device_free(k.other);
  k.other = NULL;
  TRY(grid_cuda_compress(k.at, nvals, 32, starts, count, p->col.n, &to->ptr, &to->idx, NULL));
  if (valued) {
    to->val = grid_device_malloc(nvals, size);
    if (!to->val) TRY(grid_device_fail_memory(NULL, "the values of a transposed matrix block", nvals, size));
    TRY(grid_cuda_gather_values(to->val, p->by_row.val, number, nvals, size));
  }
  grid_lap_record("transpose");
done:
  grid_cuda_keys_free(&k);
  grid_device_free(starts);
  grid_device_free(number);
  return info;
}

// ---- symmetry ---------------------------------------------------------------------------------------------

template <class unit>
__global__ void find_difference(const unit *a, const unit *b, uint64_t n, uint32_t *differ) {
  GRID_FOR(e, n) if (a[e] != b[e]) *differ = 1;
}
template <class unit>
void launch_find_difference(const unit *a, const unit *b, uint64_t n, uint32_t *differ) {
  if (n) find_difference<<<grid_cuda_blocks_for(n), 256, 0, grid_cuda_stream()>>>(a, b, n, differ);
}

// Does by_row equal col, and are rows and columns the same vertices?
GrB_Info compare(const grid_local_matrix *p, const grid_compressed *col, bool *same) {
  const grid_axis *r = &p->row, *c = &p->col;
  *same = false;
  if (r->n != c->n || r->dim != c->dim || !r->ids != !c->ids) return GrB_SUCCESS;
  uint32_t *differ = (uint32_t *)grid_device_malloc(1, sizeof *differ), answer = 1;
  if (!differ) return grid_device_fail_memory(NULL, "comparing a matrix block", 1, sizeof *differ);
  GrB_Info info;
  TRY(grid_device_zero(differ, sizeof *differ));
  launch_find_difference(p->by_row.ptr, col->ptr, r->n + 1, differ);
  launch_find_difference(p->by_row.idx, col->idx, p->nvals, differ);
  if (r->ids)
    launch_find_difference((const uint32_t *)r->ids, (const uint32_t *)c->ids,
                           r->n * (grid_axis_has_ids64(r) ? 2 : 1), differ);
  if (p->by_row.val)
    launch_find_difference((const uint8_t *)p->by_row.val, (const uint8_t *)col->val,
                           p->nvals * p->type->size, differ);
  TRY(grid_cuda_check_launch("comparing a matrix block"));
  TRY(grid_cuda_fetch(&answer, differ));
  *same = answer == 0;
done:
  grid_device_free(differ);
  return info;
}

}  // namespace

extern "C" const grid_orient_ops grid_cuda_orient_ops = {transpose, grid_cuda_add_hub_neighbors, compare,
                                                         grid_device_free};
