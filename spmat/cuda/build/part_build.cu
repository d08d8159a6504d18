// Building a part from packed keys on the device (spmat/matrix/build.h): one sort, by row and then by column,
// looking at the bits that the dimensions need, 8 at a time; then offsets and indices of the distinct keys,
// and their values, which are found by the numbers of the tuples that were sorted beside their keys.
//
// Peak: 16 bytes for each key (two buffers), with values 8 more for the numbers, and what CUB wants; the
// second buffers are gone when idx (4 bytes for each entry) is allocated. It is compared with the free memory
// before anything is sorted.
#include "spmat/cuda/build/part_values.cuh"

namespace {

// ---- hypersparse axes
// ---------------------------------------------------------------------------------------

__global__ void mark_seen(const uint64_t *key, uint64_t n, uint64_t none, int shift, uint64_t mask,
                          uint32_t *seen) {
  GRID_FOR(e, n) {
    if (key[e] >= none) continue;
    const uint32_t v = (uint32_t)(key[e] >> shift & mask), bit = 1u << (v & 31);
    if (!(__ldcg(&seen[v >> 5]) & bit)) atomicOr(&seen[v >> 5], bit);
  }
}

__global__ void count_bits(const uint32_t *seen, uint64_t words, unsigned long long *count) {
  unsigned mine = 0;
  GRID_FOR(w, words) mine += __popc(seen[w]);
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0 && mine) atomicAdd(count, mine);
}

// The host's rule (spmat/matrix/part_build.c): fewer than one in GRID_HYPER vectors hold an entry.
// v: key >> shift & mask, of keys below none.
GrB_Info is_hyper(const grid_axis *a, const grid_device_tuples *t, uint64_t none, int shift, uint64_t mask,
                  bool *hyper) {
  *hyper = false;
  if (a->n == a->dim || (t->n - t->dropped) / 4 >= a->dim) return GrB_SUCCESS;
  const uint64_t words = (a->dim + 31) / 32;
  unsigned long long *count = (unsigned long long *)grid_device_malloc(words + 2, 4), some = 0;
  if (!count) return grid_device_fail_memory(NULL, "marks of rows", words, 4);
  uint32_t *seen = (uint32_t *)(count + 1);
  GrB_Info info;
  TRY(grid_device_zero(count, (words + 2) * 4));
  mark_seen<<<grid_cuda_many(t->n), 256, 0, grid_cuda_stream()>>>(t->keys, t->n, none, shift, mask, seen);
  count_bits<<<grid_cuda_many(words), 256, 0, grid_cuda_stream()>>>(seen, words, count);
  TRY(grid_cuda_launched("counting rows with entries"));
  TRY(grid_cuda_fetch(&some, count));
  *hyper = some < a->dim / GRID_HYPER;
done:
  grid_device_free(count);
  return info;
}

// ---- order
// ----------------------------------------------------------------------------------------------------

// Sorting by bits from, from + 1, ... takes a pass over the keys for each 8 of them.
int passes(int bits) {
  return (bits + 7) / 8;
}

GrB_Info sort(grid_keys *k, grid_numbers *number, int from, int bits) {
  return number->at ? grid_cuda_sort_beside(k, from, bits, &number->at, &number->other)
                    : grid_cuda_sort(k, from, bits);
}

// Ascending: by row, then by column. Where the bits between those of the columns and those of the rows, which
// are 0, would cost a pass, columns are sorted first by themselves.
GrB_Info order_keys(grid_keys *k, grid_numbers *number, int shift, uint64_t rows, uint64_t cols) {
  const int row_bits = grid_cuda_bits(rows), col_bits = grid_cuda_bits(cols);
  GrB_Info info = GrB_SUCCESS;
  if (passes(shift + row_bits) <= passes(col_bits) + passes(row_bits)) {
    TRY(sort(k, number, 0, shift + row_bits));
  } else {
    TRY(sort(k, number, 0, col_bits));
    TRY(sort(k, number, shift, row_bits));
  }
  grid_lap("sort");
done:
  return info;
}

// ---- the whole
// ------------------------------------------------------------------------------------------------

GrB_Info compress_values(grid_part *p, const grid_keys *k, const grid_numbers *number, const uint64_t *starts,
                         uint64_t count, const grid_device_tuples *t, grid_pair *bad) {
  uint32_t *last = NULL;
  GrB_Info info;
  TRY(grid_cuda_check_equal(k, count, t->shift, t->how, bad));
  last = (uint32_t *)grid_device_malloc(count, sizeof *last);
  if (!last) TRY(grid_device_fail_memory(NULL, "places of a matrix's values", count, sizeof *last));
  TRY(grid_cuda_compress(k->at, k->n, t->shift, starts, count, p->row.dim, &p->by_row.ptr, &p->by_row.idx,
                         last));
  TRY(grid_cuda_join_values(&p->by_row.val, count, last, number->at, t, p->type));
done:
  grid_device_free(last);
  return info;
}

// GRID_NOT_HERE: offsets would have to have 64 bits, or values cannot be joined here.
GrB_Info compress(grid_part *p, grid_keys *k, const grid_numbers *number, const grid_device_tuples *t,
                  grid_pair *bad) {
  uint64_t *starts = NULL, count = 0;
  GrB_Info info;
  TRY(grid_cuda_distinct(k->at, k->n, &starts, &count));
  grid_lap("count distinct");
  if (count >= grid_wide_from) TRY(GRID_NOT_HERE);
  if (t->val) {
    TRY(compress_values(p, k, number, starts, count, t, bad));
  } else {
    grid_device_free(k->other);
    k->other = NULL;
    TRY(grid_cuda_compress(k->at, k->n, t->shift, starts, count, p->row.dim, &p->by_row.ptr, &p->by_row.idx,
                           NULL));
  }
  p->nvals = count;
  p->row.n = p->row.dim;
  p->col.n = p->col.dim;
  if (t->val) TRY(grid_cuda_find_one(p));
  grid_lap("compress");
done:
  if (info != GrB_SUCCESS) {
    grid_compressed_free(&p->by_row, grid_device_free);
    p->nvals = p->row.n = p->col.n = 0;
  }
  grid_device_free(starts);
  return info;
}

// The caller's keys are its own again, in whatever order.
GrB_Info leave_keys(grid_keys *k, uint64_t *keys) {
  GrB_Info info = GRID_NOT_HERE;
  if (k->at != keys) {  // the sort left them in the other buffer
    info = grid_device_copy(keys, k->at, k->n * sizeof *keys);
    k->other = k->at;
  }
  grid_device_free(k->other);
  return info == GrB_SUCCESS ? GRID_NOT_HERE : info;
}

GrB_Info build(grid_part *p, const grid_device_tuples *t, grid_pair *bad) {
  const uint64_t n = t->n, rows = p->row.dim, none = t->dropped ? rows << t->shift : UINT64_MAX;
  grid_keys k = {t->keys, NULL, n};
  grid_numbers number = {NULL, NULL};
  bool row_hyper = false, col_hyper = false;
  GrB_Info info;
  TRY(is_hyper(&p->row, t, none, t->shift, UINT32_MAX, &row_hyper));
  TRY(is_hyper(&p->col, t, none, 0, (UINT64_C(1) << t->shift) - 1, &col_hyper));
  if (row_hyper || col_hyper || (n && t->dropped == n) || (t->val && n > UINT32_MAX)) return GRID_NOT_HERE;
  TRY(grid_cuda_room((t->val ? 16 : 8) * n + grid_cuda_sort_bytes(n),
                     "sorting the tuples of a matrix block"));
  k.other = (uint64_t *)grid_device_malloc(n, sizeof *k.other);
  if (!k.other)
    TRY(grid_device_fail_memory(NULL, "sorting the tuples of a matrix block", n, sizeof *k.other));
  if (t->val) TRY(grid_cuda_number(&number, n));
  grid_lap("second buffer");
  TRY(order_keys(&k, &number, t->shift, t->dropped ? rows + 1 : rows, p->col.dim));
  k.n = n - t->dropped;
  info = compress(p, &k, &number, t, bad);
  if (info == GRID_NOT_HERE) {
    grid_cuda_numbers_free(&number);
    k.n = n;
    return leave_keys(&k, t->keys);
  }
done:
  grid_cuda_keys_free(&k);
  grid_cuda_numbers_free(&number);
  return info;
}

}  // namespace

extern "C" const struct grid_builder grid_cuda_builder = {
    grid_cuda_rmat,  grid_cuda_pack, build,         &grid_cuda_orienting,
    grid_cuda_count, grid_cuda_add,  grid_cuda_mark};
