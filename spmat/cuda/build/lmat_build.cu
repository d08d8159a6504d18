// Building a part from packed keys on the device (spmat/matrix/device_build.h). One sort, by row and then by
// column, reads the bits that the dimensions need, 8 at a time. Then come offsets and indices of the distinct
// keys, and their values. These are found by the numbers of the tuples, which are sorted beside the keys.
//
// Peak memory: 16 bytes a key (two buffers), with values 8 more for the numbers, and CUB's temporary memory.
// The second buffers are freed before idx (4 bytes an entry) is allocated. The peak is compared with the free
// memory before the sort.
#include "spmat/cuda/build/hypersparse.cuh"
#include "spmat/cuda/build/lmat_values.cuh"

extern "C" {
#include "semiring/support/tuning.h"
}

namespace {

// ---- order ------------------------------------------------------------------------------------------------

// A sort takes a pass over the keys for every 8 bits.
int count_passes(int bits) {
  return (bits + 7) / 8;
}

GrB_Info sort(grid_keys *k, grid_numbers *number, int from, int bits) {
  return number->at ? grid_cuda_sort_pairs(k, from, bits, &number->at, &number->other)
                    : grid_cuda_sort(k, from, bits);
}

// Ascending by row, then by column. If the zero bits between columns and rows would cost a pass, columns are
// sorted separately first.
GrB_Info order_keys(grid_keys *k, grid_numbers *number, int shift, uint64_t rows, uint64_t cols) {
  const int row_bits = grid_cuda_bits(rows), col_bits = grid_cuda_bits(cols);
  GrB_Info info = GrB_SUCCESS;
  if (count_passes(shift + row_bits) <= count_passes(col_bits) + count_passes(row_bits)) {
    TRY(sort(k, number, 0, shift + row_bits));
  } else {
    TRY(sort(k, number, 0, col_bits));
    TRY(sort(k, number, shift, row_bits));
  }
  grid_lap_record("sort");
done:
  return info;
}

// ---- the whole --------------------------------------------------------------------------------------------

GrB_Info compress_values(grid_local_matrix *p, uint64_t rows, const grid_keys *k, const grid_numbers *number,
                         const uint64_t *starts, uint64_t count, const grid_device_tuples *t,
                         grid_pair *bad) {
  uint32_t *last = NULL;
  GrB_Info info;
  TRY(grid_cuda_check_equal(k, count, t->shift, t->how, bad));
  last = (uint32_t *)grid_device_malloc(count, sizeof *last);
  if (!last) TRY(grid_device_fail_memory(NULL, "positions of a matrix's values", count, sizeof *last));
  TRY(grid_cuda_compress(k->at, k->n, t->shift, starts, count, rows, &p->by_row.ptr, &p->by_row.idx, last));
  TRY(grid_cuda_combine_values(&p->by_row.val, count, last, number->at, t, p->type));
done:
  grid_device_free(last);
  return info;
}

// rows, cols: numbers of vectors. GRID_UNSUPPORTED: offsets would need 64 bits, or values cannot be combined
// here.
GrB_Info compress(grid_local_matrix *p, uint64_t rows, uint64_t cols, grid_keys *k,
                  const grid_numbers *number, const grid_device_tuples *t, grid_pair *bad) {
  uint64_t *starts = NULL, count = 0;
  GrB_Info info;
  TRY(grid_cuda_distinct(k->at, k->n, &starts, &count));
  grid_lap_record("count distinct");
  if (count >= grid_tune.offsets64_from) TRY(GRID_UNSUPPORTED);
  if (t->val) {
    TRY(compress_values(p, rows, k, number, starts, count, t, bad));
  } else {
    grid_device_free(k->other);
    k->other = NULL;
    TRY(grid_cuda_compress(k->at, k->n, t->shift, starts, count, rows, &p->by_row.ptr, &p->by_row.idx, NULL));
  }
  p->nvals = count;
  p->row.n = rows;
  p->col.n = cols;
  if (t->val) TRY(grid_cuda_find_iso(p));
  grid_lap_record("compress");
done:
  if (info != GrB_SUCCESS) {
    grid_compressed_free(&p->by_row, grid_device_free);
    p->nvals = p->row.n = p->col.n = 0;
  }
  grid_device_free(starts);
  return info;
}

// Moves the lists to the local matrix.
void move_lists(grid_local_matrix *p, grid_listing *rows, grid_listing *cols) {
  p->row.ids = rows->ids, p->col.ids = cols->ids;
  rows->ids = cols->ids = NULL;
}

// Converts two tuples with equal keys, not combinable, to the local matrix's own indices.
GrB_Info expand_pair_ids(grid_pair *bad, const grid_listing *rows, const grid_listing *cols) {
  uint32_t id;
  GrB_Info info = GrB_SUCCESS;
  if (rows->ids) {
    TRY(grid_cuda_fetch(&id, rows->ids + bad->r));
    bad->r = id;
  }
  if (cols->ids) {
    TRY(grid_cuda_fetch(&id, cols->ids + bad->c));
    bad->c = id;
  }
done:
  return info == GrB_SUCCESS ? GrB_INVALID_VALUE : info;
}

// Returns the keys to the caller, in any order.
GrB_Info return_keys(grid_keys *k, uint64_t *keys) {
  GrB_Info info = GRID_UNSUPPORTED;
  if (k->at != keys) {  // the sort left them in the other buffer
    info = grid_device_copy(keys, k->at, k->n * sizeof *keys);
    k->other = k->at;
  }
  grid_device_free(k->other);
  return info == GrB_SUCCESS ? GRID_UNSUPPORTED : info;
}

GrB_Info build(grid_local_matrix *p, const grid_device_tuples *t, grid_pair *bad) {
  const uint64_t n = t->n, none = t->dropped ? p->row.dim << t->shift : UINT64_MAX;
  grid_keys k = {t->keys, NULL, n};
  grid_numbers number = {NULL, NULL};
  grid_listing rows = {}, cols = {};
  bool hypersparse;
  GrB_Info info;
  if ((n && t->dropped == n) || (t->val && n > UINT32_MAX)) return GRID_UNSUPPORTED;
  TRY(grid_cuda_listing(&rows, &p->row, t, none, t->shift, UINT32_MAX));
  TRY(grid_cuda_listing(&cols, &p->col, t, none, 0, (UINT64_C(1) << t->shift) - 1));
  hypersparse = rows.ids || cols.ids;
  TRY(grid_cuda_check_free((t->val ? 16 : 8) * n + grid_cuda_sort_bytes(n),
                           "sorting the tuples of a matrix block"));
  k.other = (uint64_t *)grid_device_malloc(n, sizeof *k.other);
  if (!k.other)
    TRY(grid_device_fail_memory(NULL, "sorting the tuples of a matrix block", n, sizeof *k.other));
  if (t->val) TRY(grid_cuda_number(&number, n));
  grid_lap_record("second buffer");
  if (hypersparse) TRY(grid_cuda_number_keys(k.at, n, t->shift, none, &rows, &cols));
  TRY(order_keys(&k, &number, t->shift, t->dropped ? rows.n + 1 : rows.n, cols.n));
  k.n = n - t->dropped;
  info = compress(p, rows.n, cols.n, &k, &number, t, bad);
  if (info == GRID_UNSUPPORTED) {
    k.n = n;
    if (hypersparse) info = grid_cuda_expand_key_ids(k.at, n, t->shift, none, &rows, &cols);
    grid_cuda_listing_free(&rows), grid_cuda_listing_free(&cols);
    grid_cuda_numbers_free(&number);
    const GrB_Info left = return_keys(&k, t->keys);
    return info == GRID_UNSUPPORTED || info == GrB_SUCCESS ? left : info;
  }
  if (info == GrB_SUCCESS) move_lists(p, &rows, &cols);
  if (info == GrB_INVALID_VALUE && hypersparse) info = expand_pair_ids(bad, &rows, &cols);
done:
  grid_cuda_listing_free(&rows);
  grid_cuda_listing_free(&cols);
  grid_cuda_keys_free(&k);
  grid_cuda_numbers_free(&number);
  return info;
}

}  // namespace

extern "C" const struct grid_builder grid_cuda_builder = {
    grid_cuda_rmat,        grid_cuda_rmat_lmat, grid_cuda_pack, build,
    &grid_cuda_orient_ops, grid_cuda_count,     grid_cuda_add,  grid_cuda_mark};
