// Moves rows and columns of a local matrix: an extract, t(k, l) = p(I[k], J[l]), or a scatter (spread),
// t(I[k], J[l]) = p(k, l).
//
// Each row of the result comes from one of p's, or from none. The entries of those rows, in the order of the
// result, are its candidates; a table maps each column to its destination. If columns keep their order,
// candidates with a destination are counted and copied. Else keys of new rows and columns are sorted as in a
// build (lmat_build.cu). That takes 36 bytes and twice a value for each candidate, 8 more if a column has
// several destinations.
#include "spmat/cuda/matrix/selected_entries.cuh"

extern "C" {
#include "semiring/support/tuning.h"
}

namespace {

enum { THREADS = GRID_CSR_THREADS };

struct index_list {
  const uint64_t *list;
  uint64_t first;
};
__device__ uint64_t index_at(const index_list &l, uint64_t k) {
  return l.list ? l.list[k] : l.first + k;
}

struct move_job {
  grid_csr_pattern to;     // the result's rows, of candidates
  const uint32_t *source;  // for each the row of p plus 1; 0: none
  const uint32_t *ptr, *idx;
  const uint32_t *position;  // destination of each column, or GRID_NO_ENTRY
  // for columns with several destinations: those of c begin at position[start[c]]
  const uint64_t *start;
  int shift;  // of keys
};

// ---- rows

__global__ void select_rows(index_list I, uint64_t n, uint32_t *source) {
  GRID_FOR(k, n) source[k] = (uint32_t)index_at(I, k) + 1;
}
// Of several sources of a row the last one counts.
__global__ void write_row_sources(index_list I, uint64_t n, uint32_t *source) {
  GRID_FOR(k, n) atomicMax(source + index_at(I, k), (uint32_t)k + 1);
}

// start[r] = entries of row r's source; one more element, 0
__global__ void count_candidates(const uint32_t *source, uint64_t rows, const uint32_t *ptr,
                                 uint64_t *start) {
  GRID_FOR(r, rows + 1) {
    const uint32_t from = r < rows ? source[r] : 0;
    start[r] = from ? ptr[from] - ptr[from - 1] : 0;
  }
}

__global__ void narrow_to_32(const uint64_t *from, uint64_t n, uint32_t *to) {
  GRID_FOR(k, n) to[k] = (uint32_t)from[k];
}

// ---- columns

__global__ void fill_no_entry(uint32_t *position, uint64_t n) {
  GRID_FOR(c, n) position[c] = GRID_NO_ENTRY;
}
__global__ void write_column_ids(index_list J, uint64_t n, uint32_t *position) {
  GRID_FOR(l, n) position[l] = (uint32_t)index_at(J, l);
}
__global__ void select_cols(index_list J, uint64_t n, uint32_t *position) {
  GRID_FOR(l, n) position[index_at(J, l)] = (uint32_t)l;
}
// A column that is named twice has only one destination in `position`.
__global__ void find_duplicate_columns(index_list J, uint64_t n, const uint32_t *position,
                                       unsigned long long *twice) {
  GRID_FOR(l, n) if (position[index_at(J, l)] != (uint32_t)l) *twice = 1;
}

__global__ void count_mapped(index_list J, uint64_t n, unsigned long long *count) {
  GRID_FOR(l, n) atomicAdd(count + index_at(J, l), 1ull);
}
// next[c], 0 before: number of destinations of column c written
__global__ void list_positions(index_list J, uint64_t n, const uint64_t *start, uint32_t *next,
                               uint32_t *position) {
  GRID_FOR(l, n) {
    const uint64_t c = index_at(J, l);
    position[start[c] + atomicAdd(next + c, 1u)] = (uint32_t)l;
  }
}

// ---- candidates

// p's entry for candidate e of row r.
__device__ uint32_t entry_of(const move_job &m, uint64_t r, uint64_t e) {
  return m.ptr[m.source[r] - 1] + (uint32_t)(e - m.to.ptr[r]);
}

// bit e: has candidate e a destination?
__global__ void __launch_bounds__(THREADS) mark_mapped(move_job m, uint32_t *bits) {
  grid_csr_for_each(m.to, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = false;
    if (active)
      yes = m.position[m.idx[entry_of(m, grid_csr_find_row(m.to.ptr, lo, hi, e), e)]] != GRID_NO_ENTRY;
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

__global__ void mapped_starts(move_job m, selection_bits k, uint32_t *ptr) {
  GRID_FOR(r, m.to.n + 1) ptr[r] = selection_rank(k, m.to.ptr[r]);
}

__global__ void __launch_bounds__(THREADS)
    copy_mapped(move_job m, selection_bits k, uint32_t *idx, uint32_t *from) {
  grid_csr_for_each(m.to, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active || !is_selected(k, (uint32_t)e)) return;
    const uint32_t at = entry_of(m, grid_csr_find_row(m.to.ptr, lo, hi, e), e),
                   z = selection_rank(k, (uint32_t)e);
    idx[z] = m.position[m.idx[at]];
    from[z] = at;
  });
}

// Keys of candidates, in reverse order: of equal keys the builder keeps the last. One without a destination
// gets the row after the last.
__global__ void __launch_bounds__(THREADS)
    write_keys(move_job m, uint64_t *key, uint32_t *from, unsigned long long *dropped) {
  unsigned lost = 0;
  grid_csr_for_each(m.to, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active) return;
    const uint64_t r = grid_csr_find_row(m.to.ptr, lo, hi, e), k = m.to.nvals - 1 - e;
    const uint32_t at = entry_of(m, r, e), c = m.position[m.idx[at]];
    const bool in = c != GRID_NO_ENTRY;
    key[k] = in ? r << m.shift | c : m.to.n << m.shift;
    from[k] = at;
    lost += !in;
  });
  if (lost) atomicAdd(dropped, (unsigned long long)lost);
}

// more[e] = number of destinations of candidate e
__global__ void __launch_bounds__(THREADS) count_copies(move_job m, uint64_t *more) {
  grid_csr_for_each(m.to, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active) return;
    const uint32_t c = m.idx[entry_of(m, grid_csr_find_row(m.to.ptr, lo, hi, e), e)];
    more[e] = m.start[c + 1] - m.start[c];
  });
}

// before[e]: copies of the candidates before e
__global__ void __launch_bounds__(THREADS)
    write_copies(move_job m, const uint64_t *before, uint64_t *key, uint32_t *from) {
  grid_csr_for_each(m.to, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active) return;
    const uint64_t r = grid_csr_find_row(m.to.ptr, lo, hi, e);
    const uint32_t at = entry_of(m, r, e), c = m.idx[at];
    uint64_t k = before[e];
    for (uint64_t l = m.start[c]; l < m.start[c + 1]; l++, k++)
      key[k] = r << m.shift | m.position[l], from[k] = at;
  });
}

// ---- steps

// Memory used while entries move.
struct workspace {
  uint64_t *list_I, *list_J, *start, *col_start, *more, *keys;
  uint32_t *source, *to, *position, *next, *from;
  unsigned long long *counts;  // candidates without a destination; is a column named twice?
  void *val;
  grid_selection selection;
};

void free_workspace(workspace *x) {
  void *const all[] = {x->list_I, x->list_J,   x->start, x->col_start, x->more,   x->keys, x->source,
                       x->to,     x->position, x->next,  x->from,      x->counts, x->val};
  for (void *p : all) grid_device_free(p);
  grid_cuda_selection_free(&x->selection);
}

GrB_Info send_list(const grid_index_set *s, index_list *l, uint64_t **made) {
  GrB_Info info = GrB_SUCCESS;
  l->list = NULL, l->first = s->first;
  if (!s->list) return info;
  info = grid_device_send(made, s->list, s->n, sizeof **made, "indices of rows or columns");
  l->list = *made;
  return info;
}

uint64_t min_u64(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

// m's rows of candidates.
GrB_Info find_rows(move_job *m, workspace *x, const grid_local_matrix *t, const grid_local_matrix *p,
                   const grid_index_set *I, bool spread) {
  const uint64_t rows = t->row.dim, n = spread ? min_u64(I->n, p->row.n) : I->n;
  cudaStream_t stream = grid_cuda_stream();
  index_list l;
  GrB_Info info;
  TRY(send_list(I, &l, &x->list_I));
  x->source = (uint32_t *)grid_device_malloc(rows, sizeof *x->source);
  x->start = (uint64_t *)grid_device_malloc(rows + 1, sizeof *x->start);
  x->to = (uint32_t *)grid_device_malloc(rows + 1, sizeof *x->to);
  if (!x->source || !x->start || !x->to)
    TRY(grid_device_fail_memory(NULL, "positions of rows", rows, 2 * sizeof *x->start));
  TRY(grid_device_zero(x->source, rows * sizeof *x->source));
  if (spread)
    write_row_sources<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(l, n, x->source);
  else
    select_rows<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(l, n, x->source);
  count_candidates<<<grid_cuda_blocks_for(rows + 1), 256, 0, stream>>>(x->source, rows, p->by_row.ptr,
                                                                       x->start);
  TRY(grid_cuda_check_launch("positions of rows"));
  TRY(grid_cuda_exclusive_sums(x->start, rows + 1));
  TRY(grid_cuda_fetch(&m->to.nvals, x->start + rows));
  if (m->to.nvals >= grid_tune.offsets64_from) TRY(GRID_UNSUPPORTED);
  narrow_to_32<<<grid_cuda_blocks_for(rows + 1), 256, 0, stream>>>(x->start, rows + 1, x->to);
  TRY(grid_cuda_check_launch("positions of rows"));
  m->to.ptr = x->to, m->to.n = rows, m->source = x->source;
  m->ptr = p->by_row.ptr, m->idx = p->by_row.idx;
done:
  return info;
}

// Columns that are named more than once.
GrB_Info find_repeated_columns(move_job *m, workspace *x, const grid_local_matrix *p, const index_list &J,
                               uint64_t n) {
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  grid_device_free(x->position);
  x->col_start = (uint64_t *)grid_device_malloc(p->col.n + 1, sizeof *x->col_start);
  x->next = (uint32_t *)grid_device_malloc(p->col.n, sizeof *x->next);
  x->position = (uint32_t *)grid_device_malloc(n, sizeof *x->position);
  if (!x->col_start || !x->next || !x->position)
    TRY(grid_device_fail_memory(NULL, "positions of columns", n + p->col.n, 12));
  TRY(grid_device_zero(x->col_start, (p->col.n + 1) * sizeof *x->col_start));
  TRY(grid_device_zero(x->next, p->col.n * sizeof *x->next));
  count_mapped<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(J, n, (unsigned long long *)x->col_start);
  TRY(grid_cuda_check_launch("positions of columns"));
  TRY(grid_cuda_exclusive_sums(x->col_start, p->col.n + 1));
  list_positions<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(J, n, x->col_start, x->next, x->position);
  TRY(grid_cuda_check_launch("positions of columns"));
  m->start = x->col_start;
done:
  return info;
}

GrB_Info find_cols(move_job *m, workspace *x, const grid_local_matrix *p, const grid_index_set *J,
                   bool spread) {
  const uint64_t n = spread ? min_u64(J->n, p->col.n) : J->n;
  unsigned long long twice = 0;
  cudaStream_t stream = grid_cuda_stream();
  index_list l;
  GrB_Info info;
  TRY(send_list(J, &l, &x->list_J));
  x->position = (uint32_t *)grid_device_malloc(p->col.n, sizeof *x->position);
  x->counts = (unsigned long long *)grid_device_malloc(2, sizeof *x->counts);
  if (!x->position || !x->counts)
    TRY(grid_device_fail_memory(NULL, "positions of columns", p->col.n, sizeof *x->position));
  TRY(grid_device_zero(x->counts, 2 * sizeof *x->counts));
  fill_no_entry<<<grid_cuda_blocks_for(p->col.n), 256, 0, stream>>>(x->position, p->col.n);
  if (spread)
    write_column_ids<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(l, n, x->position);
  else
    select_cols<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(l, n, x->position);
  if (!spread && J->list) {
    find_duplicate_columns<<<grid_cuda_blocks_for(n), 256, 0, stream>>>(l, n, x->position, x->counts + 1);
    TRY(grid_cuda_fetch(&twice, x->counts + 1));
  }
  TRY(grid_cuda_check_launch("positions of columns"));
  if (twice) TRY(find_repeated_columns(m, x, p, l, n));
  m->position = x->position;
done:
  return info;
}

// For columns that keep their order.
GrB_Info copy(grid_local_matrix *t, const grid_local_matrix *p, const move_job *m, workspace *x) {
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info;
  TRY(grid_cuda_selection_make(&x->selection, m->to.nvals));
  mark_mapped<<<grid_cuda_csr_blocks(m->to.nvals), THREADS, 0, stream>>>(*m, x->selection.bits);
  TRY(grid_cuda_check_launch("permuted rows and columns"));
  TRY(grid_cuda_selection_count(&x->selection));
  if (x->selection.count == 0) goto done;
  t->by_row.ptr = (uint32_t *)grid_device_malloc(m->to.n + 1, sizeof(uint32_t));
  t->by_row.idx = (uint32_t *)grid_device_malloc(x->selection.count, sizeof(uint32_t));
  x->from = (uint32_t *)grid_device_malloc(x->selection.count, sizeof(uint32_t));
  if (!t->by_row.ptr || !t->by_row.idx || !x->from)
    TRY(grid_device_fail_memory(NULL, "matrix entries", x->selection.count + m->to.n, 2 * sizeof(uint32_t)));
  t->nvals = x->selection.count;
  t->row.n = t->row.dim, t->col.n = t->col.dim;
  mapped_starts<<<grid_cuda_blocks_for(m->to.n + 1), 256, 0, stream>>>(*m, selection_bits_of(x->selection),
                                                                       t->by_row.ptr);
  copy_mapped<<<grid_cuda_csr_blocks(m->to.nvals), THREADS, 0, stream>>>(*m, selection_bits_of(x->selection),
                                                                         t->by_row.idx, x->from);
  TRY(grid_cuda_check_launch("permuted rows and columns"));
  info = grid_cuda_gather_lmat_values(t, p, x->from);
done:
  return info;
}

// x's keys and the positions of their values; *n: how many.
GrB_Info make_keys(const grid_local_matrix *p, const move_job *m, workspace *x, uint64_t *n) {
  cudaStream_t stream = grid_cuda_stream();
  const unsigned blocks = grid_cuda_csr_blocks(m->to.nvals);
  GrB_Info info;
  *n = m->to.nvals;
  if (m->start) {
    x->more = (uint64_t *)grid_device_malloc(m->to.nvals + 1, sizeof *x->more);
    if (!x->more) TRY(grid_device_fail_memory(NULL, "copies of entries", m->to.nvals, sizeof *x->more));
    TRY(grid_device_zero(x->more + m->to.nvals, sizeof *x->more));
    count_copies<<<blocks, THREADS, 0, stream>>>(*m, x->more);
    TRY(grid_cuda_check_launch("copies of entries"));
    TRY(grid_cuda_exclusive_sums(x->more, m->to.nvals + 1));
    TRY(grid_cuda_fetch(n, x->more + m->to.nvals));
    if (*n >= grid_tune.offsets64_from) TRY(GRID_UNSUPPORTED);
    if (*n == 0) goto done;
  }
  TRY(grid_cuda_check_free((36 + 2 * p->type->size) * *n, "rows and columns in another order"));
  x->keys = (uint64_t *)grid_device_malloc(*n, sizeof *x->keys);
  x->from = (uint32_t *)grid_device_malloc(*n, sizeof *x->from);
  if (!x->keys || !x->from) TRY(grid_device_fail_memory(NULL, "entries that move", *n, 12));
  if (m->start)
    write_copies<<<blocks, THREADS, 0, stream>>>(*m, x->more, x->keys, x->from);
  else
    write_keys<<<blocks, THREADS, 0, stream>>>(*m, x->keys, x->from, x->counts);
  TRY(grid_cuda_check_launch("entries that move"));
done:
  return info;
}

GrB_Info sort(grid_local_matrix *t, const grid_local_matrix *p, const move_job *m, workspace *x) {
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
    TRY(grid_lmat_set_iso(t, p->iso_val));
  }
  t->row.n = t->row.dim, t->col.n = t->col.dim;  // not hypersparse
  tuples.keys = x->keys, tuples.n = n, tuples.dropped = dropped, tuples.shift = m->shift;
  tuples.val = x->val;
  tuples.how.newest_wins = true;
  info = grid_cuda->builder->build(t, &tuples, &bad);
  if (info != GRID_UNSUPPORTED) x->keys = NULL;  // freed by the builder
done:
  return info;
}

GrB_Info map_lmat(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                  const grid_index_set *J, bool spread) {
  workspace x = {};
  move_job m = {};
  GrB_Info info;
  if (grid_axis_is_too_long(t->row.dim, p->nvals) || grid_axis_is_too_long(t->col.dim, p->nvals))
    return GRID_UNSUPPORTED;
  if (I->n == 0 || J->n == 0) return GrB_SUCCESS;
  m.shift = grid_key_shift(t->col.dim);
  TRY(find_rows(&m, &x, t, p, I, spread));
  if (m.to.nvals == 0) goto done;
  TRY(find_cols(&m, &x, p, J, spread));
  info = !J->list || grid_index_set_is_sorted(J) ? copy(t, p, &m, &x) : sort(t, p, &m, &x);
done:
  free_workspace(&x);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p,
                                           const grid_index_set *I, const grid_index_set *J) {
  return map_lmat(t, p, I, J, false);
}

extern "C" GrB_Info grid_cuda_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p,
                                           const grid_index_set *I, const grid_index_set *J) {
  return map_lmat(t, p, I, J, true);
}
