/* Lists the non-empty vectors of an axis from tuples: indices are sorted together with their positions, and
 * each position gets the rank of its index. */
#include "spmat/matrix/axis.h"

#include <string.h>

#include "spmat/sort/sort.h"

GrB_Info grid_axis_list(grid_axis *a, uint64_t n) {
  if (n > UINT32_MAX)
    return grid_fail(NULL, GrB_OUT_OF_MEMORY,
                     "a block with %llu listed rows or columns is more than the %llu that one process can "
                     "number; use more processes",
                     (unsigned long long)n, (unsigned long long)UINT32_MAX);
  void *ids = grid_malloc(n, grid_axis_id_size(a));
  if (!ids) return grid_fail_memory(NULL, "a list of rows or columns", n, grid_axis_id_size(a));
  a->ids = ids;
  a->n = n;
  return GrB_SUCCESS;
}

GrB_Info grid_axis_copy(grid_axis *to, const grid_axis *from) {
  *to = (grid_axis){.dim = from->dim, .n = from->n};
  if (!from->ids && from->n == from->dim) return GrB_SUCCESS;
  GrB_Info info = grid_axis_list(to, from->n);
  if (info == GrB_SUCCESS && from->ids && from->n)
    memcpy(to->ids, from->ids, from->n * grid_axis_id_size(from));
  return info;
}

GrB_Info grid_axis_numbers(uint32_t **number, const grid_axis *x, const grid_axis *in) {
  *number = grid_malloc(x->n, sizeof **number);
  if (!*number) return grid_fail_memory(NULL, "numbers of rows or columns", x->n, sizeof **number);
  for (uint64_t k = 0, at = 0; k < x->n; k++) {
    const uint64_t id = grid_axis_id(x, k);
    if (!in->ids)
      at = id;
    else
      while (at < in->n && grid_axis_id(in, at) < id) at++;
    (*number)[k] = at < in->n && grid_axis_id(in, at) == id ? (uint32_t)at : UINT32_MAX;
  }
  return GrB_SUCCESS;
}

/* Indices in pairs, or in idx. */
typedef struct {
  const grid_pair *pair;
  bool row;
  const uint32_t *idx;
  size_t size; /* of a load */
} index_source;

static uint64_t read_indices(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                             char *load) {
  const index_source *x = s->context;
  (void)bin;
  for (uint64_t k = from; k < to; k++)
    key[k - from] = x->idx ? x->idx[k] : x->row ? x->pair[k].r : x->pair[k].c;
  for (uint64_t k = from; k < to && load; k++) grid_load_set(load, k - from, x->size, k);
  return to - from;
}

/* Of one run: ids from number `at` on, and the rank of each tuple. */
static void number_run(const grid_sorted *s, const grid_run *run, uint64_t at, const grid_axis *a,
                       uint32_t *rank) {
  for (uint64_t k = 0; k < run->n; k++) {
    if (k && run->key[k] != run->key[k - 1]) at++;
    grid_axis_store(a, at, run->key[k]);
    rank[grid_load_get(run->load, k, s->size)] = (uint32_t)at;
  }
}

/* Lists the axis's n indices that x gives; rank[k]: the compact index of tuple k. rank may be x's idx. */
static GrB_Info list(grid_axis *a, index_source x, uint64_t n, uint32_t *rank) {
  grid_sorted s = {0};
  uint64_t *at = NULL, count = 0;
  GrB_Info info;
  x.size = grid_load_size(SIZE_MAX, n);
  TRY(grid_sort_tuples(&s, &(grid_source){.n = n, .times = 1, .read = read_indices, .context = &x}, x.size,
                       grid_index_bits(a->dim), 0, NULL));
  at = grid_malloc(s.runs, sizeof *at);
  if (!at) TRY(grid_fail_memory(NULL, "counts of rows or columns", s.runs, sizeof *at));
  for (uint64_t r = 0; r < s.runs; r++) {
    at[r] = count;
    count += s.run[r].distinct;
  }
  TRY(grid_axis_list(a, count));
#pragma omp parallel for schedule(dynamic, 1) if (n > 1 << 15)
  for (uint64_t r = 0; r < s.runs; r++) number_run(&s, &s.run[r], at[r], a, rank);
done:
  grid_free(at);
  grid_sorted_free(&s);
  return info;
}

/* ---- before sorting ---- */

static GrB_Info rank_ids64(grid_axis *a, const grid_pair *pair, bool row, uint64_t n, uint32_t **rank) {
  *rank = NULL;
  if (!grid_axis_has_ids64(a)) return GrB_SUCCESS;
  *rank = grid_malloc(n, sizeof **rank);
  if (!*rank) return grid_fail_memory(NULL, "row or column numbers", n, sizeof **rank);
  return list(a, (index_source){.pair = pair, .row = row}, n, *rank);
}

GrB_Info grid_axes_pack(grid_local_matrix *p, const grid_pair *pair, uint64_t n, uint64_t **key) {
  uint32_t *row = NULL, *col = NULL;
  GrB_Info info;
  *key = NULL;
  TRY(rank_ids64(&p->row, pair, true, n, &row));
  TRY(rank_ids64(&p->col, pair, false, n, &col));
  *key = grid_malloc(n, sizeof **key);
  if (!*key) TRY(grid_fail_memory(NULL, "packed coordinates", n, sizeof **key));
  const int bits = grid_index_bits(grid_axis_span(&p->col));
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t k = 0; k < n; k++)
    (*key)[k] = (row ? row[k] : pair[k].r) << bits | (col ? col[k] : pair[k].c);
done:
  grid_free(row);
  grid_free(col);
  return info;
}

/* ---- afterwards ---- */

/* Are fewer than one in GRID_HYPER columns non-empty? Counted only if the number of tuples does not decide.
 */
static bool is_hyper(const grid_local_matrix *p, uint64_t n) {
  const uint64_t dim = p->col.dim;
  if (n < dim / GRID_HYPER) return true;
  if (grid_axis_is_dense_for(dim, n)) return false;
  uint64_t *nonempty = grid_calloc(grid_words(dim), sizeof *nonempty), count = 0;
  if (!nonempty) return true; /* correct in either case; this one is smaller */
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t e = 0; e < p->nvals; e++) {
    const uint64_t c = p->by_row.idx[e], bit = UINT64_C(1) << (c & 63);
    if (!(__atomic_load_n(&nonempty[c >> 6], __ATOMIC_RELAXED) & bit))
      __atomic_fetch_or(&nonempty[c >> 6], bit, __ATOMIC_RELAXED);
  }
#pragma omp parallel for schedule(static) reduction(+ : count) if (n > 1 << 15)
  for (uint64_t w = 0; w < grid_words(dim); w++) count += (uint64_t)__builtin_popcountll(nonempty[w]);
  grid_free(nonempty);
  return count < dim / GRID_HYPER;
}

GrB_Info grid_axis_of_columns(grid_local_matrix *p, uint64_t n) {
  grid_axis *a = &p->col;
  if (a->ids || a->n == a->dim) return GrB_SUCCESS;
  if (is_hyper(p, n)) return list(a, (index_source){.idx = p->by_row.idx}, p->nvals, p->by_row.idx);
  a->n = a->dim;
  return GrB_SUCCESS;
}
