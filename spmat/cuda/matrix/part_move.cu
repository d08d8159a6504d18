// Entries that move: a vector onto a diagonal, and rows and columns in another order.
//
// Extract: rows are taken in the order of I, each entry's column is looked up in a table of places, and the
// keys of new row and column are sorted by the builder of parts (part_build.cu). Peak beside what there is: 8
// bytes a column, and 36 and twice a value for each entry that is taken.
#include "spmat/cuda/matrix/kept.cuh"

namespace {

// ---- diagonals

__global__ void diagonal_starts(kept_bits k, uint64_t n, uint64_t count, uint64_t row, uint64_t rows,
                                uint32_t *ptr) {
  GRID_FOR(r, rows + 1) {
    ptr[r] = r <= row ? 0 : r - row >= n ? (uint32_t)count : kept_before(k, (uint32_t)(r - row));
  }
}

__global__ void diagonal_entries(kept_bits k, uint64_t n, uint64_t col, uint32_t *idx, uint32_t *from) {
  GRID_FOR(i, n) {
    if (!is_kept(k, (uint32_t)i)) continue;
    const uint32_t at = kept_before(k, (uint32_t)i);
    idx[at] = (uint32_t)(col + i);
    from[at] = (uint32_t)i;
  }
}

// ---- blocks that are joined

__global__ void shift_ends(uint32_t *to, const uint32_t *ptr, uint64_t n, uint32_t base) {
  GRID_FOR(k, n) to[k] = ptr ? base + ptr[k + 1] : base;
}

// ---- extract

enum : uint64_t { NOWHERE = UINT64_MAX };

struct index_list {
  const uint64_t *list;
  uint64_t first;
};
__device__ uint64_t index_at(const index_list &l, uint64_t k) {
  return l.list ? l.list[k] : l.first + k;
}

// start[k] = entries of row I[k]; one more, which is 0
__global__ void count_rows(index_list I, uint64_t n, const uint32_t *ptr, uint64_t *start) {
  GRID_FOR(k, n + 1) {
    const uint64_t r = k < n ? index_at(I, k) : 0;
    start[k] = k < n ? ptr[r + 1] - ptr[r] : 0;
  }
}

__global__ void fill_nowhere(uint32_t *place, uint64_t n) {
  GRID_FOR(c, n) place[c] = GRID_NO_ENTRY;
}
__global__ void put_places(index_list J, uint64_t n, uint32_t *place) {
  GRID_FOR(l, n) place[index_at(J, l)] = (uint32_t)l;
}
// A column that is named twice has the place of one.
__global__ void find_twice(index_list J, uint64_t n, const uint32_t *place, unsigned long long *twice) {
  GRID_FOR(l, n) if (place[index_at(J, l)] != (uint32_t)l) *twice = 1;
}

__device__ uint64_t row_at(const uint64_t *start, uint64_t n, uint64_t e) {
  uint64_t lo = 0, hi = n - 1;
  while (lo < hi) {
    const uint64_t mid = lo + (hi - lo + 1) / 2;
    if (start[mid] <= e)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

struct taking {
  index_list I;
  const uint64_t *start;
  const uint32_t *ptr, *idx, *place;
  uint64_t rows, dim, total;  // rows that are taken; of the result; entries
  int shift;
};

// Keys of what is taken; an entry that goes nowhere gets the row behind the last.
__global__ void take_entries(taking t, uint64_t *key, uint32_t *from, unsigned long long *dropped) {
  unsigned lost = 0;
  GRID_FOR(e, t.total) {
    const uint64_t k = row_at(t.start, t.rows, e);
    const uint32_t at = (uint32_t)(t.ptr[index_at(t.I, k)] + (e - t.start[k])), c = t.place[t.idx[at]];
    const bool in = c != GRID_NO_ENTRY;
    key[e] = in ? k << t.shift | c : t.dim << t.shift;
    from[e] = at;
    lost += !in;
  }
  if (lost) atomicAdd(dropped, (unsigned long long)lost);
}

GrB_Info send_list(const grid_index_set *s, index_list *l, uint64_t **made) {
  GrB_Info info = GrB_SUCCESS;
  l->list = NULL, l->first = s->first;
  if (!s->list) return info;
  info = grid_device_send(made, s->list, s->n, sizeof **made, "indices of rows or columns");
  l->list = *made;
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_part_diagonal(grid_part *t, const grid_chunk *v, uint64_t row, uint64_t col) {
  grid_kept k = {};
  uint32_t *from = NULL;
  GrB_Info info;
  const uint64_t rows = t->row.dim;
  cudaStream_t stream = grid_cuda_stream();
  if (v->n > UINT32_MAX) return GRID_NOT_HERE;
  t->row.n = rows, t->col.n = t->col.dim, t->nvals = v->nvals;
  if (v->format == GRID_BITMAP) {
    TRY(grid_cuda_kept_make(&k, v->n));
    TRY(grid_device_copy(k.bits, v->bits, grid_words(v->n) * sizeof *v->bits));
    TRY(grid_cuda_kept_count(&k));
  }
  t->by_row.ptr = (uint32_t *)grid_device_malloc(rows + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(t->nvals, sizeof(uint32_t));
  from = (uint32_t *)grid_device_malloc(t->nvals, sizeof *from);
  if (!t->by_row.ptr || !t->by_row.idx || !from)
    TRY(grid_device_fail_memory(NULL, "a diagonal", t->nvals + rows, 2 * sizeof *from));
  diagonal_starts<<<grid_cuda_many(rows + 1), 256, 0, stream>>>(kept_of(k), v->n, v->nvals, row, rows,
                                                                t->by_row.ptr);
  diagonal_entries<<<grid_cuda_many(v->n), 256, 0, stream>>>(kept_of(k), v->n, col, t->by_row.idx, from);
  TRY(grid_cuda_launched("a diagonal"));
  if (v->iso) {
    info = grid_part_set_one(t, v->one);
  } else {
    t->by_row.val = grid_device_malloc(t->nvals, t->type->size);
    if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "values of a diagonal", t->nvals, t->type->size));
    info = grid_cuda_gather_values(t->by_row.val, v->val, from, t->nvals, t->type->size);
  }
done:
  grid_cuda_kept_free(&k);
  grid_device_free(from);
  return info;
}

extern "C" GrB_Info grid_cuda_part_extract(grid_part *t, const grid_part *p, const grid_index_set *I,
                                           const grid_index_set *J) {
  // how many entries are taken, and of them go nowhere; is a column named twice?
  unsigned long long *counts = NULL, got[2] = {0, 0};
  uint64_t *own_I = NULL, *own_J = NULL, *start = NULL, *keys = NULL, total = 0;
  uint32_t *place = NULL, *from = NULL;
  void *val = NULL;
  index_list rows, cols;
  taking x;
  grid_pair bad;
  grid_device_tuples tuples = {};
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  if (t->row.dim > UINT32_MAX || t->col.dim > UINT32_MAX || I->n == 0 || J->n == 0) return GRID_NOT_HERE;
  TRY(send_list(I, &rows, &own_I));
  TRY(send_list(J, &cols, &own_J));
  start = (uint64_t *)grid_device_malloc(I->n + 1, sizeof *start);
  place = (uint32_t *)grid_device_malloc(p->col.n, sizeof *place);
  counts = (unsigned long long *)grid_device_malloc(2, sizeof *counts);
  if (!start || !place || !counts)
    TRY(grid_device_fail_memory(NULL, "places of rows and columns", I->n + p->col.n, sizeof *start));
  TRY(grid_device_zero(counts, 2 * sizeof *counts));
  count_rows<<<grid_cuda_many(I->n + 1), 256, 0, stream>>>(rows, I->n, p->by_row.ptr, start);
  fill_nowhere<<<grid_cuda_many(p->col.n), 256, 0, stream>>>(place, p->col.n);
  put_places<<<grid_cuda_many(J->n), 256, 0, stream>>>(cols, J->n, place);
  find_twice<<<grid_cuda_many(J->n), 256, 0, stream>>>(cols, J->n, place, counts + 1);
  TRY(grid_cuda_launched("places of rows and columns"));
  TRY(grid_cuda_sums_before(start, I->n + 1));
  TRY(grid_cuda_fetch(&total, start + I->n));
  TRY(grid_cuda_fetch(&got[1], counts + 1));
  if (got[1] || total >= grid_wide_from) TRY(GRID_NOT_HERE);
  if (total == 0) goto done;
  TRY(grid_cuda_room((36 + 2 * p->type->size) * total, "rows and columns in another order"));
  keys = (uint64_t *)grid_device_malloc(total, sizeof *keys);
  from = (uint32_t *)grid_device_malloc(total, sizeof *from);
  if (!keys || !from) TRY(grid_device_fail_memory(NULL, "entries that move", total, 12));
  x = taking{
      rows, start, p->by_row.ptr, p->by_row.idx, place, I->n, t->row.dim, total, grid_key_shift(t->col.dim)};
  take_entries<<<grid_cuda_many(total), 256, 0, stream>>>(x, keys, from, counts);
  TRY(grid_cuda_launched("entries that move"));
  TRY(grid_cuda_fetch(&got[0], counts));
  if (got[0] == total) goto done;
  if (!p->iso) {
    val = grid_device_malloc(total, p->type->size);
    if (!val) TRY(grid_device_fail_memory(NULL, "values that move", total, p->type->size));
    TRY(grid_cuda_gather_values(val, p->by_row.val, from, total, p->type->size));
  } else {
    TRY(grid_part_set_one(t, p->iso_val));
  }
  t->row.n = t->row.dim, t->col.n = t->col.dim;  // not to be listed
  tuples.keys = keys, tuples.n = total, tuples.dropped = got[0], tuples.shift = x.shift;
  tuples.val = val;
  tuples.how.keep_last = true;
  info = grid_cuda->builder->build(t, &tuples, &bad);
  if (info != GRID_NOT_HERE) keys = NULL;  // it has freed them
done:
  grid_device_free(own_I);
  grid_device_free(own_J);
  grid_device_free(start);
  grid_device_free(place);
  grid_device_free(counts);
  grid_device_free(keys);
  grid_device_free(from);
  grid_device_free(val);
  return info;
}

extern "C" GrB_Info grid_cuda_part_ends(uint32_t *to, const grid_part *p, uint64_t n, uint32_t base) {
  if (n == 0) return GrB_SUCCESS;
  const uint32_t *ptr = p->nvals ? p->by_row.ptr : NULL;
  shift_ends<<<grid_cuda_many(n), 256, 0, grid_cuda_stream()>>>(to, ptr, n, base);
  return grid_cuda_launched("offsets of joined rows");
}
