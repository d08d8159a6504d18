// Rows and columns of a part in other places: an extract, t(k, l) = p(I[k], J[l]), or a spread, t(I[k], J[l])
// = p(k, l).
//
// Each row of the result is made of one of p's, or of none. The entries of those, row after row of the
// result, are its candidates: a table says for each column where it goes. Where columns keep their order,
// candidates that go anywhere are counted and copied. Else keys of new rows and columns are sorted by the
// builder of parts (part_build.cu): 36 bytes and twice a value for each candidate, 8 more where a column goes
// to several places.
#include "spmat/cuda/matrix/kept.cuh"

namespace {

enum { THREADS = GRID_PART_THREADS };

struct index_list {
  const uint64_t *list;
  uint64_t first;
};
__device__ uint64_t index_at(const index_list &l, uint64_t k) {
  return l.list ? l.list[k] : l.first + k;
}

struct moving {
  grid_part_rows to;       // the result's rows, of candidates
  const uint32_t *source;  // each one's row of p, 1 added; 0: none
  const uint32_t *ptr, *idx;
  const uint32_t *place;  // of each column, or GRID_NO_ENTRY
  // of columns that go to several places: those of c are place[start[c]] and the following
  const uint64_t *start;
  int shift;  // of keys
};

// ---- rows

__global__ void take_rows(index_list I, uint64_t n, uint32_t *source) {
  GRID_FOR(k, n) source[k] = (uint32_t)index_at(I, k) + 1;
}
// Of rows that go to one place the last does.
__global__ void give_rows(index_list I, uint64_t n, uint32_t *source) {
  GRID_FOR(k, n) atomicMax(source + index_at(I, k), (uint32_t)k + 1);
}

// start[r] = entries of row r's source; one more, which is 0
__global__ void count_candidates(const uint32_t *source, uint64_t rows, const uint32_t *ptr,
                                 uint64_t *start) {
  GRID_FOR(r, rows + 1) {
    const uint32_t from = r < rows ? source[r] : 0;
    start[r] = from ? ptr[from] - ptr[from - 1] : 0;
  }
}

__global__ void narrow(const uint64_t *from, uint64_t n, uint32_t *to) {
  GRID_FOR(k, n) to[k] = (uint32_t)from[k];
}

// ---- columns

__global__ void fill_nowhere(uint32_t *place, uint64_t n) {
  GRID_FOR(c, n) place[c] = GRID_NO_ENTRY;
}
__global__ void give_cols(index_list J, uint64_t n, uint32_t *place) {
  GRID_FOR(l, n) place[l] = (uint32_t)index_at(J, l);
}
__global__ void take_cols(index_list J, uint64_t n, uint32_t *place) {
  GRID_FOR(l, n) place[index_at(J, l)] = (uint32_t)l;
}
// A column that is named twice has the place of one.
__global__ void find_twice(index_list J, uint64_t n, const uint32_t *place, unsigned long long *twice) {
  GRID_FOR(l, n) if (place[index_at(J, l)] != (uint32_t)l) *twice = 1;
}

__global__ void count_places(index_list J, uint64_t n, unsigned long long *count) {
  GRID_FOR(l, n) atomicAdd(count + index_at(J, l), 1ull);
}
// next[c], 0 before: places of column c that are written
__global__ void list_places(index_list J, uint64_t n, const uint64_t *start, uint32_t *next,
                            uint32_t *place) {
  GRID_FOR(l, n) {
    const uint64_t c = index_at(J, l);
    place[start[c] + atomicAdd(next + c, 1u)] = (uint32_t)l;
  }
}

// ---- candidates

// p's entry that candidate e of row r is.
__device__ uint32_t entry_of(const moving &m, uint64_t r, uint64_t e) {
  return m.ptr[m.source[r] - 1] + (uint32_t)(e - m.to.ptr[r]);
}

// bit e: does candidate e go anywhere?
__global__ void __launch_bounds__(THREADS) mark_placed(moving m, uint32_t *bits) {
  grid_part_each(m.to, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = false;
    if (here) yes = m.place[m.idx[entry_of(m, grid_part_row(m.to.ptr, lo, hi, e), e)]] != GRID_NO_ENTRY;
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

__global__ void placed_starts(moving m, kept_bits k, uint32_t *ptr) {
  GRID_FOR(r, m.to.n + 1) ptr[r] = kept_before(k, m.to.ptr[r]);
}

__global__ void __launch_bounds__(THREADS) copy_placed(moving m, kept_bits k, uint32_t *idx, uint32_t *from) {
  grid_part_each(m.to, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!here || !is_kept(k, (uint32_t)e)) return;
    const uint32_t at = entry_of(m, grid_part_row(m.to.ptr, lo, hi, e), e), z = kept_before(k, (uint32_t)e);
    idx[z] = m.place[m.idx[at]];
    from[z] = at;
  });
}

// Keys of candidates, the last one's first: of those that meet the builder keeps the last. One that goes
// nowhere gets the row behind the last.
__global__ void __launch_bounds__(THREADS)
    write_keys(moving m, uint64_t *key, uint32_t *from, unsigned long long *dropped) {
  unsigned lost = 0;
  grid_part_each(m.to, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!here) return;
    const uint64_t r = grid_part_row(m.to.ptr, lo, hi, e), k = m.to.nvals - 1 - e;
    const uint32_t at = entry_of(m, r, e), c = m.place[m.idx[at]];
    const bool in = c != GRID_NO_ENTRY;
    key[k] = in ? r << m.shift | c : m.to.n << m.shift;
    from[k] = at;
    lost += !in;
  });
  if (lost) atomicAdd(dropped, (unsigned long long)lost);
}

// more[e] = the places that candidate e goes to
__global__ void __launch_bounds__(THREADS) count_copies(moving m, uint64_t *more) {
  grid_part_each(m.to, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!here) return;
    const uint32_t c = m.idx[entry_of(m, grid_part_row(m.to.ptr, lo, hi, e), e)];
    more[e] = m.start[c + 1] - m.start[c];
  });
}

// before[e]: copies of the candidates before e
__global__ void __launch_bounds__(THREADS)
    write_copies(moving m, const uint64_t *before, uint64_t *key, uint32_t *from) {
  grid_part_each(m.to, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!here) return;
    const uint64_t r = grid_part_row(m.to.ptr, lo, hi, e);
    const uint32_t at = entry_of(m, r, e), c = m.idx[at];
    uint64_t k = before[e];
    for (uint64_t l = m.start[c]; l < m.start[c + 1]; l++, k++)
      key[k] = r << m.shift | m.place[l], from[k] = at;
  });
}

// ---- steps

// What is held while entries move.
struct room {
  uint64_t *own_I, *own_J, *start, *col_start, *more, *keys;
  uint32_t *source, *to, *place, *next, *from;
  unsigned long long *counts;  // candidates that go nowhere; is a column named twice?
  void *val;
  grid_kept kept;
};

void free_room(room *x) {
  void *const all[] = {x->own_I, x->own_J, x->start, x->col_start, x->more,   x->keys, x->source,
                       x->to,    x->place, x->next,  x->from,      x->counts, x->val};
  for (void *p : all) grid_device_free(p);
  grid_cuda_kept_free(&x->kept);
}

GrB_Info send_list(const grid_index_set *s, index_list *l, uint64_t **made) {
  GrB_Info info = GrB_SUCCESS;
  l->list = NULL, l->first = s->first;
  if (!s->list) return info;
  info = grid_device_send(made, s->list, s->n, sizeof **made, "indices of rows or columns");
  l->list = *made;
  return info;
}

uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

// m's rows of candidates.
GrB_Info find_rows(moving *m, room *x, const grid_part *t, const grid_part *p, const grid_index_set *I,
                   bool spread) {
  const uint64_t rows = t->row.dim, n = spread ? least(I->n, p->row.n) : I->n;
  cudaStream_t stream = grid_cuda_stream();
  index_list l;
  GrB_Info info;
  TRY(send_list(I, &l, &x->own_I));
  x->source = (uint32_t *)grid_device_malloc(rows, sizeof *x->source);
  x->start = (uint64_t *)grid_device_malloc(rows + 1, sizeof *x->start);
  x->to = (uint32_t *)grid_device_malloc(rows + 1, sizeof *x->to);
  if (!x->source || !x->start || !x->to)
    TRY(grid_device_fail_memory(NULL, "places of rows", rows, 2 * sizeof *x->start));
  TRY(grid_device_zero(x->source, rows * sizeof *x->source));
  if (spread)
    give_rows<<<grid_cuda_many(n), 256, 0, stream>>>(l, n, x->source);
  else
    take_rows<<<grid_cuda_many(n), 256, 0, stream>>>(l, n, x->source);
  count_candidates<<<grid_cuda_many(rows + 1), 256, 0, stream>>>(x->source, rows, p->by_row.ptr, x->start);
  TRY(grid_cuda_launched("places of rows"));
  TRY(grid_cuda_sums_before(x->start, rows + 1));
  TRY(grid_cuda_fetch(&m->to.nvals, x->start + rows));
  if (m->to.nvals >= grid_wide_from) TRY(GRID_NOT_HERE);
  narrow<<<grid_cuda_many(rows + 1), 256, 0, stream>>>(x->start, rows + 1, x->to);
  TRY(grid_cuda_launched("places of rows"));
  m->to.ptr = x->to, m->to.n = rows, m->source = x->source;
  m->ptr = p->by_row.ptr, m->idx = p->by_row.idx;
done:
  return info;
}

// Columns that are named more than once.
GrB_Info find_many(moving *m, room *x, const grid_part *p, const index_list &J, uint64_t n) {
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  grid_device_free(x->place);
  x->col_start = (uint64_t *)grid_device_malloc(p->col.n + 1, sizeof *x->col_start);
  x->next = (uint32_t *)grid_device_malloc(p->col.n, sizeof *x->next);
  x->place = (uint32_t *)grid_device_malloc(n, sizeof *x->place);
  if (!x->col_start || !x->next || !x->place)
    TRY(grid_device_fail_memory(NULL, "places of columns", n + p->col.n, 12));
  TRY(grid_device_zero(x->col_start, (p->col.n + 1) * sizeof *x->col_start));
  TRY(grid_device_zero(x->next, p->col.n * sizeof *x->next));
  count_places<<<grid_cuda_many(n), 256, 0, stream>>>(J, n, (unsigned long long *)x->col_start);
  TRY(grid_cuda_launched("places of columns"));
  TRY(grid_cuda_sums_before(x->col_start, p->col.n + 1));
  list_places<<<grid_cuda_many(n), 256, 0, stream>>>(J, n, x->col_start, x->next, x->place);
  TRY(grid_cuda_launched("places of columns"));
  m->start = x->col_start;
done:
  return info;
}

GrB_Info find_cols(moving *m, room *x, const grid_part *p, const grid_index_set *J, bool spread) {
  const uint64_t n = spread ? least(J->n, p->col.n) : J->n;
  unsigned long long twice = 0;
  cudaStream_t stream = grid_cuda_stream();
  index_list l;
  GrB_Info info;
  TRY(send_list(J, &l, &x->own_J));
  x->place = (uint32_t *)grid_device_malloc(p->col.n, sizeof *x->place);
  x->counts = (unsigned long long *)grid_device_malloc(2, sizeof *x->counts);
  if (!x->place || !x->counts)
    TRY(grid_device_fail_memory(NULL, "places of columns", p->col.n, sizeof *x->place));
  TRY(grid_device_zero(x->counts, 2 * sizeof *x->counts));
  fill_nowhere<<<grid_cuda_many(p->col.n), 256, 0, stream>>>(x->place, p->col.n);
  if (spread)
    give_cols<<<grid_cuda_many(n), 256, 0, stream>>>(l, n, x->place);
  else
    take_cols<<<grid_cuda_many(n), 256, 0, stream>>>(l, n, x->place);
  if (!spread && J->list) {
    find_twice<<<grid_cuda_many(n), 256, 0, stream>>>(l, n, x->place, x->counts + 1);
    TRY(grid_cuda_fetch(&twice, x->counts + 1));
  }
  TRY(grid_cuda_launched("places of columns"));
  if (twice) TRY(find_many(m, x, p, l, n));
  m->place = x->place;
done:
  return info;
}

// Columns keep their order.
GrB_Info copy(grid_part *t, const grid_part *p, const moving *m, room *x) {
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  TRY(grid_cuda_kept_make(&x->kept, m->to.nvals));
  mark_placed<<<grid_cuda_part_blocks(m->to.nvals), THREADS, 0, stream>>>(*m, x->kept.bits);
  TRY(grid_cuda_launched("rows and columns in other places"));
  TRY(grid_cuda_kept_count(&x->kept));
  if (x->kept.count == 0) goto done;
  t->by_row.ptr = (uint32_t *)grid_device_malloc(m->to.n + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(x->kept.count, sizeof(uint32_t));
  x->from = (uint32_t *)grid_device_malloc(x->kept.count, sizeof(uint32_t));
  if (!t->by_row.ptr || !t->by_row.idx || !x->from)
    TRY(grid_device_fail_memory(NULL, "matrix entries", x->kept.count + m->to.n, 2 * sizeof(uint32_t)));
  t->nvals = x->kept.count;
  t->row.n = t->row.dim, t->col.n = t->col.dim;
  placed_starts<<<grid_cuda_many(m->to.n + 1), 256, 0, stream>>>(*m, kept_of(x->kept), t->by_row.ptr);
  copy_placed<<<grid_cuda_part_blocks(m->to.nvals), THREADS, 0, stream>>>(*m, kept_of(x->kept), t->by_row.idx,
                                                                          x->from);
  TRY(grid_cuda_launched("rows and columns in other places"));
  info = grid_cuda_take_values(t, p, x->from);
done:
  return info;
}

// x's keys and where their values come from; *n: how many.
GrB_Info make_keys(const grid_part *p, const moving *m, room *x, uint64_t *n) {
  cudaStream_t stream = grid_cuda_stream();
  const unsigned blocks = grid_cuda_part_blocks(m->to.nvals);
  GrB_Info info;
  *n = m->to.nvals;
  if (m->start) {
    x->more = (uint64_t *)grid_device_malloc(m->to.nvals + 1, sizeof *x->more);
    if (!x->more) TRY(grid_device_fail_memory(NULL, "copies of entries", m->to.nvals, sizeof *x->more));
    TRY(grid_device_zero(x->more + m->to.nvals, sizeof *x->more));
    count_copies<<<blocks, THREADS, 0, stream>>>(*m, x->more);
    TRY(grid_cuda_launched("copies of entries"));
    TRY(grid_cuda_sums_before(x->more, m->to.nvals + 1));
    TRY(grid_cuda_fetch(n, x->more + m->to.nvals));
    if (*n >= grid_wide_from) TRY(GRID_NOT_HERE);
    if (*n == 0) goto done;
  }
  TRY(grid_cuda_room((36 + 2 * p->type->size) * *n, "rows and columns in another order"));
  x->keys = (uint64_t *)grid_device_malloc(*n, sizeof *x->keys);
  x->from = (uint32_t *)grid_device_malloc(*n, sizeof *x->from);
  if (!x->keys || !x->from) TRY(grid_device_fail_memory(NULL, "entries that move", *n, 12));
  if (m->start)
    write_copies<<<blocks, THREADS, 0, stream>>>(*m, x->more, x->keys, x->from);
  else
    write_keys<<<blocks, THREADS, 0, stream>>>(*m, x->keys, x->from, x->counts);
  TRY(grid_cuda_launched("entries that move"));
done:
  return info;
}

GrB_Info sort(grid_part *t, const grid_part *p, const moving *m, room *x) {
  grid_device_tuples tuples = {};
  unsigned long long dropped = 0;
  grid_pair bad;
  uint64_t n = 0;
  GrB_Info info;
  TRY(make_keys(p, m, x, &n));
  TRY(grid_cuda_fetch(&dropped, x->counts));
  if (dropped == n) goto done;
  if (!p->iso) {
    x->val = grid_device_malloc(n, p->type->size);
    if (!x->val) TRY(grid_device_fail_memory(NULL, "values that move", n, p->type->size));
    TRY(grid_cuda_gather_values(x->val, p->by_row.val, x->from, n, p->type->size));
  } else {
    TRY(grid_part_set_one(t, p->iso_val));
  }
  t->row.n = t->row.dim, t->col.n = t->col.dim;  // not to be listed
  tuples.keys = x->keys, tuples.n = n, tuples.dropped = dropped, tuples.shift = m->shift;
  tuples.val = x->val;
  tuples.how.keep_last = true;
  info = grid_cuda->builder->build(t, &tuples, &bad);
  if (info != GRID_NOT_HERE) x->keys = NULL;  // it has freed them
done:
  return info;
}

GrB_Info place(grid_part *t, const grid_part *p, const grid_index_set *I, const grid_index_set *J,
               bool spread) {
  room x = {};
  moving m = {};
  GrB_Info info;
  if (grid_cuda_too_long(t->row.dim, p->nvals) || grid_cuda_too_long(t->col.dim, p->nvals))
    return GRID_NOT_HERE;
  if (I->n == 0 || J->n == 0) return GrB_SUCCESS;
  m.shift = grid_key_shift(t->col.dim);
  TRY(find_rows(&m, &x, t, p, I, spread));
  if (m.to.nvals == 0) goto done;
  TRY(find_cols(&m, &x, p, J, spread));
  info = !J->list || grid_index_set_ascends(J) ? copy(t, p, &m, &x) : sort(t, p, &m, &x);
done:
  free_room(&x);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_part_extract(grid_part *t, const grid_part *p, const grid_index_set *I,
                                           const grid_index_set *J) {
  return place(t, p, I, J, false);
}

extern "C" GrB_Info grid_cuda_part_spread(grid_part *t, const grid_part *p, const grid_index_set *I,
                                          const grid_index_set *J) {
  return place(t, p, I, J, true);
}
