/* See matrix_index_lists.h. A list that all processes have is searched by each. Of a distributed list each
 * index is sent to the processes that it concerns, a row of the grid or a column. */
#include "dist/op/submatrix/matrix_index_lists.h"

#include <string.h>

#include "dist/vector/index_range.h"
#include "spmat/lmat_ops.h"

void grid_local_list_free(grid_local_list *o) {
  grid_free(o->memory[0]);
  grid_free(o->memory[1]);
  *o = (grid_local_list){0};
}

/* ---- what is given ---- */

/* In text that all processes share: whose list it is does not matter. */
static GrB_Info check_list(const grid_list *l, uint64_t dim, grid_head *out, const char *call,
                           const char *what) {
  const grid_index_set *set = &l->set;
  uint64_t bad = 0;
  const int64_t n = (int64_t)l->n;
  if (!set->list && set->n == l->n && (n == 0 || (set->first < dim && l->n <= dim - set->first)))
    return GrB_SUCCESS;
#pragma omp parallel for schedule(static) reduction(| : bad) if (n > 1 << 15)
  for (int64_t k = 0; k < n; k++) bad |= l->list[k] >= dim;
  for (uint64_t k = 0; bad && k < l->n; k++)
    if (l->list[k] >= dim)
      return grid_fail(out, GrB_INDEX_OUT_OF_BOUNDS, "%s: index %s[%llu] = %lld is outside the size %llu",
                       call, what, (unsigned long long)k, (long long)l->list[k], (unsigned long long)dim);
  return GrB_SUCCESS;
}

/* Shares: whether the list is all of them must be the same everywhere. */
static GrB_Info concatenate_shares(grid_list *l, bool all, GrB_Info info, grid_head *out, const char *call,
                                   const char *what) {
  enum { ALL, LISTS };
  uint64_t kinds[2] = {all, !all}, *counts = NULL;
  TRY(grid_agree_sum(out, info, kinds, 2));
  if (kinds[ALL] && kinds[LISTS])
    TRY(grid_fail(out, GrB_INVALID_VALUE, "%s: argument %s is GrB_ALL on one process and a list on another",
                  call, what));
  if (all) goto done;
  TRY(grid_gather_elements(&l->n, 1, sizeof l->n, (void **)&counts));
  l->total = 0;
  for (int r = 0; r < grid_ctx.P; r++) {
    if (r == grid_ctx.k) l->first = l->total;
    l->total += counts[r];
  }
done:
  grid_free(counts);
  return info;
}

/* A range with steps of one has no list; that of all indices is as GrB_ALL. */
static GrB_Info read_range(grid_list *l, const GrB_Index *I, GrB_Index n, uint64_t dim, grid_head *out,
                           const char *call, const char *what) {
  grid_index_range r;
  GrB_Info info = grid_index_range_read(&r, I, n, dim, out, call, what);
  if (info != GrB_SUCCESS) return info;
  *l = (grid_list){.n = r.n, .total = r.n};
  if (r.n == 0) return info;
  if (r.step == 1 && !r.backwards) {
    l->all = r.n == dim;
    l->set = (grid_index_set){.first = r.first, .n = r.n};
    return info;
  }
  l->list = l->memory = grid_index_range_expand(&r);
  info = grid_agree(out, l->memory ? info : grid_fail_memory(out, "a range", r.n, sizeof *l->memory));
  if (info == GrB_SUCCESS) l->set = grid_index_set_of(l->list, r.n);
  return info;
}

GrB_Info grid_list_read(grid_list *l, const GrB_Index *I, GrB_Index n, uint64_t dim, bool shares,
                        grid_head *out, const char *call, const char *what) {
  const bool all = I == GrB_ALL;
  GrB_Info info = GrB_SUCCESS;
  *l = (grid_list){.all = true, .shares = shares, .n = dim, .total = dim, .set.n = dim};
  if (!all) *l = (grid_list){.list = I, .n = n, .total = n, .shares = shares};
  if (!shares && grid_is_index_range(I, n)) return read_range(l, I, n, dim, out, call, what);
  if (!all && I) l->set = grid_index_set_of(I, n);
  if (!I && (n || !shares)) info = grid_fail(out, GrB_NULL_POINTER, "%s: argument %s is NULL", call, what);
  if (info == GrB_SUCCESS && !all) info = check_list(l, dim, out, call, what);
  if (shares) return concatenate_shares(l, all, info, out, call, what);
  return info;
}

/* ---- on one process ---- */

GrB_Info grid_lists_one_process(grid_local_matrix *t, GrB_Matrix C, GrB_Matrix A, const grid_list *rows,
                                const grid_list *cols, bool flip, grid_list_kernel *kernel) {
  const grid_index_set I = rows->set, J = cols->set;
  const grid_local_matrix *c = &C->block;
  grid_local_matrix s;
  grid_lmat_init(t, A->type, c->row.dim, c->col.dim);
  if (!flip) return kernel(t, &A->block, &I, &J);
  grid_lmat_init(&s, A->type, c->col.dim, c->row.dim);
  GrB_Info info = kernel(&s, &A->block, &I, &J);
  if (info == GrB_SUCCESS) info = grid_lmat_transpose(&s, false, t);
  grid_lmat_free(&s);
  return info;
}

/* ---- what concerns this process ---- */

/* The row (column) of the grid whose blocks hold index v. */
static inline int owner_of(uint64_t dim, uint64_t v, bool rows) {
  return rows ? grid_chunk_of(dim, v) % grid_ctx.R : grid_chunk_of(dim, v) / grid_ctx.R;
}

/* The indices of this block, if they are the n from `first` on. */
typedef struct {
  bool whole;
  uint64_t first, n;
} stretch;

static stretch local_stretch(uint64_t dim, bool rows) {
  const int from = rows ? grid_ctx.i : grid_ctx.j * grid_ctx.R, chunks = rows ? grid_ctx.C : grid_ctx.R;
  if (rows && grid_ctx.R > 1 && grid_ctx.C > 1) return (stretch){0};
  const uint64_t first = grid_chunk_first(dim, from);
  return (stretch){true, first, grid_chunk_first(dim, from + chunks) - first};
}

static inline bool is_local(const stretch *s, uint64_t dim, uint64_t v, bool rows) {
  return s->whole ? v - s->first < s->n : owner_of(dim, v, rows) == (rows ? grid_ctx.i : grid_ctx.j);
}

static void localize(uint64_t *x, uint64_t n, const stretch *s, uint64_t dim, bool rows) {
  for (uint64_t k = 0; k < n; k++)
    x[k] = s->whole ? x[k] - s->first : rows ? grid_local_row(dim, x[k]) : grid_local_col(dim, x[k]);
}

/* memory[0] has places, memory[1] indices. */
static GrB_Info allocate_list(grid_local_list *o, uint64_t n) {
  for (int k = 0; k < 2; k++) o->memory[k] = grid_malloc(n, sizeof *o->memory[k]);
  o->position.list = o->memory[0], o->index.list = o->memory[1];
  return o->memory[0] && o->memory[1] ? GrB_SUCCESS
                                      : grid_fail_memory(NULL, "local indices", n, 2 * sizeof *o->memory[0]);
}

/* A stretch of a range, or all of a list: nothing is copied. */
static bool read_stretch(grid_local_list *o, const grid_list *l, const stretch *s, uint64_t dim,
                         bool by_position) {
  const grid_index_set *set = &l->set;
  if (s->whole && s->n == dim) {
    *o = (grid_local_list){.n = l->n, .position = {.n = l->n}, .index = *set};
    return true;
  }
  if (!s->whole || set->list) return false;
  const uint64_t low = by_position ? 0 : set->first, end = low + l->n, last = s->first + s->n,
                 from = low > s->first ? low : s->first, to = end < last ? end : last,
                 n = from < to ? to - from : 0;
  const grid_index_set range = {.first = n ? from - s->first : 0, .n = n};
  if (by_position)
    *o = (grid_local_list){.n = n, .position = range, .index = {.first = set->first + from, .n = n}};
  else
    *o = (grid_local_list){.n = n, .position = {.first = n ? from - low : 0, .n = n}, .index = range};
  return true;
}

/* Of a range: chunk by chunk of the block; of an axis with a list those that it lists. */
static GrB_Info select_local_range(grid_local_list *o, const grid_list *l, uint64_t dim, bool rows,
                                   bool by_position, const grid_axis *axis) {
  const uint64_t low = by_position ? 0 : l->set.first, high = low + l->n;
  uint64_t n = 0;
  GrB_Info info = GrB_SUCCESS;
  for (int pass = 0; pass < 2 && info == GrB_SUCCESS; pass++) {
    if (pass) info = allocate_list(o, o->n = n);
    n = 0;
    for (int s = 0; s < grid_block_chunks(rows) && info == GrB_SUCCESS; s++) {
      const int c = grid_block_chunk(rows, s);
      const uint64_t first = grid_chunk_first(dim, c), end = first + grid_chunk_length(dim, c),
                     from = first > low ? first : low, to = end < high ? end : high,
                     offset = grid_block_offset(dim, rows, s);
      if (from >= to) continue;
      const uint64_t begin = axis ? grid_axis_bound(axis, offset + (from - first)) : from,
                     last = axis ? grid_axis_bound(axis, offset + (to - first)) : to;
      for (uint64_t k = begin; pass && k < last; k++) {
        const uint64_t v = axis ? grid_axis_id(axis, k) - offset + first : k;
        o->memory[0][n + k - begin] = v - low;
        o->memory[1][n + k - begin] = l->set.first + v - low;
      }
      n += last - begin;
    }
  }
  return info;
}

static GrB_Info select_local_indices(grid_local_list *o, const grid_list *l, const stretch *s, uint64_t dim,
                                     bool rows, bool by_position, const grid_axis *axis) {
  uint64_t n = 0, m = 0;
  if (read_stretch(o, l, s, dim, by_position)) return GrB_SUCCESS;
  if (!l->set.list) return select_local_range(o, l, dim, rows, by_position, axis);
  for (uint64_t k = 0; k < l->n; k++) n += is_local(s, dim, by_position ? k : l->list[k], rows);
  GrB_Info info = allocate_list(o, n);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; m < n; k++)
    if (is_local(s, dim, by_position ? k : l->list[k], rows)) {
      o->memory[0][m] = k;
      o->memory[1][m++] = l->list[k];
    }
  o->n = n;
  return info;
}

/* The pairs that process r wants begin at start[h], h its row (column) of the grid; all of those are alike.
 */
typedef struct {
  uint64_t position, index;
} pair;

static GrB_Info sort_by_owner(const grid_list *l, uint64_t dim, bool rows, bool by_position, pair *to,
                              uint64_t *start) {
  const uint64_t homes = (uint64_t)(rows ? grid_ctx.R : grid_ctx.C);
  uint64_t *at = grid_calloc(homes + 1, sizeof *at);
  if (!at) return grid_fail_memory(NULL, "counts of indices", homes + 1, sizeof *at);
  for (uint64_t k = 0; k < l->n; k++) at[owner_of(dim, by_position ? l->first + k : l->list[k], rows) + 1]++;
  for (uint64_t h = 0; h < homes; h++) at[h + 1] += at[h];
  memcpy(start, at, (homes + 1) * sizeof *at);
  for (uint64_t k = 0; k < l->n; k++) {
    const uint64_t v = by_position ? l->first + k : l->list[k];
    to[at[owner_of(dim, v, rows)]++] = (pair){l->first + k, l->list[k]};
  }
  grid_free(at);
  return GrB_SUCCESS;
}

/* Each home's pairs once for every process there. */
static GrB_Info exchange_shares(grid_local_list *o, const grid_list *l, uint64_t dim, bool rows,
                                bool by_position, GrB_Info info) {
  const size_t P = (size_t)grid_ctx.P;
  pair *sorted = grid_malloc(l->n, sizeof *sorted), *received = NULL;
  uint64_t *start = grid_malloc(P + 1, sizeof *start), n = 0;
  size_t *bytes = grid_malloc(4 * P, sizeof *bytes);
  if (info == GrB_SUCCESS && (!sorted || !start || !bytes))
    info = grid_fail_memory(NULL, "indices to send", l->n, sizeof *sorted);
  if (info == GrB_SUCCESS) info = sort_by_owner(l, dim, rows, by_position, sorted, start);
  TRY(grid_agree(NULL, info));
  size_t *off = bytes + P, *in = off + P, *in_off = in + P;
  for (size_t r = 0; r < P; r++) {
    const size_t h = rows ? r % (size_t)grid_ctx.R : r / (size_t)grid_ctx.R;
    bytes[r] = (start[h + 1] - start[h]) * sizeof *sorted;
    off[r] = start[h] * sizeof *sorted;
  }
  TRY(grid_exchange_alloc(GRID_SET_ALL, sorted, bytes, off, (void **)&received, in, in_off));
  n = (in_off[P - 1] + in[P - 1]) / sizeof *received;
  TRY(grid_agree(NULL, allocate_list(o, n)));
  o->n = n;
  for (uint64_t k = 0; k < n; k++)
    o->memory[0][k] = received[k].position, o->memory[1][k] = received[k].index;
done:
  grid_free(sorted);
  grid_free(received);
  grid_free(start);
  grid_free(bytes);
  return info;
}

const grid_axis *grid_hypersparse_axis(GrB_Matrix A, bool rows) {
  static const grid_axis none = {.ids = (void *)&none}; /* a list of no ids: nothing reads them */
  const grid_axis *axis = rows ? &A->block.row : &A->block.col;
  if (A->pages || A->pending.n || A->bitmap.present || A->delegates.split || A->block.device) return NULL;
  return A->block.nvals == 0 ? &none : axis->ids ? axis : NULL;
}

GrB_Info grid_local_list_make(grid_local_list *o, const grid_list *l, uint64_t dim, bool rows,
                              bool by_position, const grid_axis *axis, GrB_Info info) {
  const stretch s = local_stretch(dim, rows);
  *o = (grid_local_list){0};
  if (l->shares)
    info = exchange_shares(o, l, dim, rows, by_position, info);
  else if (info == GrB_SUCCESS)
    info = select_local_indices(o, l, &s, dim, rows, by_position, axis);
  if (info != GrB_SUCCESS) return info;
  o->position.n = o->index.n = o->n;
  if (o->memory[0]) localize(o->memory[by_position ? 0 : 1], o->n, &s, dim, rows);
  return info;
}
