/* One process: local matrices (building, orienting, finding, visiting, copying) against plain sorting and
 * searching. unit_sort.c tests large ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include <omp.h>

#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/lmat_columns.h"
#include "spmat/matrix/lmat_columns_local.h"
#include "spmat/matrix/local_matrix.h"

enum { MOST = 100000 };

/* Small local matrices with 64-bit offsets, then with 32-bit ones. */
static void offsets32(void) {
  grid_tune.offsets64_from = UINT64_C(1) << 32;
}
static void offsets64(void) {
  grid_tune.offsets64_from = 0;
}

/* ---- local matrices ------------------------------------------------------------------------------------ */

typedef struct {
  uint64_t r, c, k; /* coordinates, tuple number */
} tuple;
static tuple tuples[MOST], made[MOST];
static uint64_t ntuples, nmade;
static int64_t value[MOST], want[MOST];

static int by_position(const void *a, const void *b) {
  const tuple *x = a, *y = b;
  if (x->r != y->r) return x->r < y->r ? -1 : 1;
  if (x->c != y->c) return x->c < y->c ? -1 : 1;
  return x->k < y->k ? -1 : x->k > y->k;
}

typedef enum { SUM, LAST, FIRST_WINS } how;

static void draw_tuples(uint64_t n, uint64_t rows, uint64_t cols, int repeat) {
  ntuples = n;
  for (uint64_t k = 0; k < n; k++) {
    tuples[k] = (tuple){draw(rows), draw(cols), k};
    if (k && repeat && draw((uint64_t)repeat) == 0) tuples[k] = (tuple){tuples[k / 2].r, tuples[k / 2].c, k};
    value[k] = (int64_t)draw(1000);
  }
}

/* The required entries, by row, columns ascending. */
static void combine(how h, const int64_t *v) {
  memcpy(made, tuples, ntuples * sizeof *made);
  qsort(made, ntuples, sizeof *made, by_position);
  nmade = 0;
  for (uint64_t k = 0; k < ntuples; k++) {
    bool same = nmade && made[nmade - 1].r == made[k].r && made[nmade - 1].c == made[k].c;
    int64_t x = v ? v[made[k].k] : 1;
    if (!same) {
      made[nmade] = made[k];
      want[nmade++] = x;
    } else if (v) {
      want[nmade - 1] = h == SUM ? want[nmade - 1] + x : h == LAST ? x : want[nmade - 1];
    }
  }
}

static void *keys_of(bool pairs) {
  void *k = grid_malloc(ntuples, pairs ? sizeof(grid_pair) : sizeof(uint64_t));
  for (uint64_t t = 0; t < ntuples; t++) {
    if (pairs)
      ((grid_pair *)k)[t] = (grid_pair){tuples[t].r, tuples[t].c};
    else
      ((uint64_t *)k)[t] = tuples[t].r << 32 | tuples[t].c;
  }
  return k;
}

/* The entries of the local matrix are those of `made`, in its order. */
static void check_entries(const grid_local_matrix *p) {
  uint64_t k = 0;
  assert_int_equal(p->nvals, nmade);
  for (grid_entries it = grid_entries_begin(p); grid_entries_next(&it); k++) {
    assert_true(made[k].r == it.row && made[k].c == it.col);
    assert_int_equal(*(const int64_t *)grid_lmat_value(p, it.at), want[k]);
  }
  assert_int_equal(k, nmade);
  for (uint64_t round = 0; round < 200; round++) {
    uint64_t m = nmade ? draw(nmade) : 0, r = nmade && round % 2 ? made[m].r : draw(p->row.dim),
             c = nmade ? made[m].c : draw(p->col.dim);
    bool present = false;
    for (uint64_t x = 0; x < nmade && !present; x++) present = made[x].r == r && made[x].c == c;
    uint64_t cr = grid_axis_find(&p->row, r), cc = grid_axis_find(&p->col, c);
    uint64_t e = cr == UINT64_MAX || cc == UINT64_MAX ? UINT64_MAX : grid_lmat_find(p, cr, cc);
    assert_int_equal(e != UINT64_MAX, present);
    if (present) assert_true(p->by_row.idx[e] == cc && grid_vector_start(&p->by_row, cr) <= e);
  }
}

/* One orientation: the required width of offsets, entries ascending. */
static void check_order(const grid_compressed *c, uint64_t n, uint64_t nvals) {
  assert_true(nvals >= grid_tune.offsets64_from ? c->offsets64 && !c->ptr : c->ptr && !c->offsets64);
  assert_int_equal(grid_vector_start(c, 0), 0);
  assert_int_equal(grid_vector_start(c, n), nvals);
  for (uint64_t v = 0; v < n; v++)
    for (uint64_t e = grid_vector_start(c, v) + 1; e < grid_vector_start(c, v + 1); e++)
      assert_true(c->idx[e - 1] < c->idx[e]);
}

/* Its hub neighbours: the neighbour of highest degree, of equal ones the smallest. */
static void check_hub_neighbors(const grid_compressed *c, uint64_t n, const uint32_t *other) {
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t from = grid_vector_start(c, v), to = grid_vector_start(c, v + 1);
    assert_int_equal(c->nonempty[v >> 6] >> (v & 63) & 1, to > from);
    bool found = to == from;
    if (found) assert_int_equal(c->hub_neighbor[v], 0);
    for (uint64_t e = from; e < to; e++) {
      const uint32_t k = c->idx[e], first = c->hub_neighbor[v];
      found |= k == first;
      assert_true(other[k] < other[first] || (other[k] == other[first] && k >= first));
    }
    assert_true(found);
  }
  if (n % 64) assert_int_equal(c->nonempty[n / 64] >> (n % 64), 0);
}

/* The columns hold the rows' entries. */
static void check_cols(const grid_local_matrix *p) {
  check_order(&p->by_col, p->col.n, p->nvals);
  for (uint64_t c = 0; c < p->col.n; c++)
    for (uint64_t e = grid_vector_start(&p->by_col, c); e < grid_vector_start(&p->by_col, c + 1); e++) {
      uint64_t at = grid_lmat_find(p, p->by_col.idx[e], c);
      assert_true(at != UINT64_MAX);
      if (!p->iso) assert_int_equal(((int64_t *)p->by_row.val)[at], ((int64_t *)p->by_col.val)[e]);
    }
}

/* The local matrix's own counts. */
static uint32_t *counts(const grid_local_matrix *p, bool rows) {
  uint32_t *count = calloc((rows ? p->row.n : p->col.n) + 1, 4);
  for (uint64_t r = 0; r < p->row.n; r++)
    for (uint64_t e = grid_vector_start(&p->by_row, r); e < grid_vector_start(&p->by_row, r + 1); e++)
      count[rows ? r : p->by_row.idx[e]]++;
  return count;
}

/* Columns and hub neighbours are computed one by one, in any order, once. */
static void add_forms(grid_local_matrix *p, const uint32_t *rdeg, const uint32_t *cdeg) {
  uint32_t *local_rows = counts(p, true), *local_cols = counts(p, false);
  const bool given = draw(2);
  if (draw(2)) assert_int_equal(grid_lmat_add_hub_neighbors(p, true, given ? cdeg : NULL), GrB_SUCCESS);
  assert_int_equal(grid_lmat_add_cols(p, false, false), GrB_SUCCESS);
  const uint32_t *idx = p->by_col.idx;
  assert_int_equal(grid_lmat_add_hub_neighbors(p, false, given ? rdeg : NULL), GrB_SUCCESS);
  assert_int_equal(grid_lmat_add_hub_neighbors(p, true, given ? cdeg : NULL), GrB_SUCCESS);
  const uint32_t *first = p->by_row.hub_neighbor;
  assert_int_equal(grid_lmat_orient(p, local_rows, local_cols, true, true),
                   GrB_SUCCESS); /* everything is computed */
  assert_true(!p->shared && p->by_col.idx == idx && p->by_row.hub_neighbor == first);
  check_hub_neighbors(&p->by_row, p->row.n, given ? cdeg : local_cols);
  check_hub_neighbors(&p->by_col, p->col.n, given ? rdeg : local_rows);
  free(local_rows), free(local_cols);
}

static void one_lmat(uint64_t n, uint64_t rows, uint64_t cols, int repeat, how h, bool valued, bool dense) {
  const int64_t live = grid_mem_live(), one = 1;
  bool pairs = rows > UINT32_MAX || cols > UINT32_MAX;
  grid_local_matrix p, copy;
  grid_pair bad;
  uint32_t *rdeg, *cdeg;
  draw_tuples(n, rows, cols, repeat);
  combine(h, valued ? value : NULL);
  grid_lmat_init(&p, GrB_INT64, rows, cols);
  if (dense) p.row.n = rows, p.col.n = cols;
  grid_duplicates d = {.dup = h == SUM          ? GrB_PLUS_INT64
                              : h == FIRST_WINS ? GrB_FIRST_INT64
                                                : NULL,
                       .newest_wins = h == LAST};
  assert_int_equal(grid_lmat_build(&p, keys_of(pairs), pairs, n, valued ? value : NULL, &one, d, &bad),
                   GrB_SUCCESS);
  check_entries(&p);
  check_order(&p.by_row, p.row.n, p.nvals);
  assert_true(!grid_compressed_is_built(&p.by_col) && !p.by_row.hub_neighbor && !p.by_row.nonempty);
  if (dense) assert_true(!p.row.ids && !p.col.ids);
  if (rows > UINT32_MAX) assert_non_null(p.row.ids);
  rdeg = calloc(p.row.n + 1, 4), cdeg = calloc(p.col.n + 1, 4);
  for (uint64_t k = 0; k < p.row.n; k++) rdeg[k] = (uint32_t)draw(50);
  for (uint64_t k = 0; k < p.col.n; k++) cdeg[k] = (uint32_t)draw(50);
  add_forms(&p, rdeg, cdeg);
  check_entries(&p);
  check_cols(&p);
  assert_int_equal(grid_lmat_copy(&copy, &p), GrB_SUCCESS);
  assert_int_equal(grid_lmat_bytes(&copy), grid_lmat_bytes(&p));
  grid_lmat_free(&p);
  check_entries(&copy);
  check_cols(&copy);
  grid_lmat_free(&copy);
  free(rdeg), free(cdeg);
  assert_int_equal(grid_mem_live(), live);
}

static void all_lmats(void) {
  const uint64_t dim[] = {1, 2, 63, 64, 65, 700, 5000, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 60};
  for (int a = 0; a < 10; a++)
    for (int b = 0; b < 10; b++) {
      uint64_t n = (a + b) % 4 == 0 ? draw(4) : 600;
      one_lmat(n, dim[a], dim[b], 3, SUM, true, false);
      one_lmat(n, dim[a], dim[b], 2, LAST, true, a < 7 && b < 7);
      one_lmat(n, dim[b], dim[a], 2, FIRST_WINS, true, false);
      one_lmat(n, dim[a], dim[b], 5, SUM, false, false);
    }
  omp_set_num_threads(3);
  one_lmat(60000, 3000, 3000, 4, SUM, true, false);
  one_lmat(60000, 100, 90000, 4, LAST, true, false);
  omp_set_num_threads(1);
}

static void local_matrices(void **state) {
  offsets32();
  all_lmats();
  grid_tune.columns_window = 0; /* entries are scattered by ranges of columns */
  all_lmats();
  assert_int_equal(grid_tune_set("columns_window=default"), GrB_SUCCESS);
}

/* A band, in which some rows are empty: `length` entries in the others. */
static void make_band(grid_local_matrix *p, GrB_Type type, uint64_t n, uint64_t length) {
  grid_offsets start;
  uint64_t at = 0;
  grid_lmat_init(p, type, n, n);
  p->row.n = p->col.n = n;
  assert_true(grid_offsets_make(&start, n + 1, length * n));
  uint32_t *idx = grid_malloc(length * n, sizeof *idx);
  char *val = grid_malloc(length * n, type->size);
  assert_true(idx && val);
  for (uint64_t r = 0; r < n; r++) {
    grid_offset_set(start, r, at);
    uint64_t c = r < 50 ? 0 : r - 50;
    for (uint64_t k = 0; k < length && r % 11; k++, at++) {
      c += 1 + draw(9);
      idx[at] = (uint32_t)c;
      for (size_t b = 0; b < type->size; b++) val[at * type->size + b] = (char)draw(100);
    }
  }
  grid_offset_set(start, n, at);
  p->nvals = at;
  p->by_row = (grid_compressed){.ptr = start.offsets32, .offsets64 = start.offsets64, .idx = idx, .val = val};
}

/* Both ways of making columns give the same, on any number of threads and for values of any size. */
static void columns_of_bands(void **state) {
  enum { N = 60000, LENGTH = 5 };
  const int64_t live = grid_mem_live();
  static struct GrB_Type_opaque large = {.head = GRID_NEW_HEAD(GRID_IS_TYPE), .code = GRID_T_UDT, .size = 24};
  const GrB_Type types[] = {GrB_BOOL, GrB_INT16, GrB_FP32, GrB_FP64, &large};
  for (int turn = 0; turn < 10; turn++) {
    const GrB_Type type = types[turn % 5];
    grid_local_matrix p;
    grid_compressed scattered, local;
    grid_tune.offsets64_from = turn < 5 ? UINT64_C(1) << 32 : 0;
    make_band(&p, type, N, LENGTH);
    omp_set_num_threads(1 + turn % 4);
    grid_tune.columns_window = 0;
    assert_false(grid_lmat_has_local_columns(&p));
    assert_int_equal(grid_lmat_make_columns(&p, &scattered), GrB_SUCCESS);
    assert_int_equal(grid_tune_set("columns_window=default"), GrB_SUCCESS);
    assert_true(grid_lmat_has_local_columns(&p));
    assert_int_equal(grid_lmat_make_local_columns(&p, &local), GrB_SUCCESS);
    for (uint64_t c = 0; c <= N; c++)
      assert_true(grid_vector_start(&local, c) == grid_vector_start(&scattered, c));
    assert_memory_equal(local.idx, scattered.idx, p.nvals * sizeof *local.idx);
    assert_memory_equal(local.val, scattered.val, p.nvals * type->size);
    grid_compressed_free(&local, grid_free), grid_compressed_free(&scattered, grid_free);
    grid_lmat_free(&p);
  }
  omp_set_num_threads(1);
  offsets32();
  assert_int_equal(grid_mem_live(), live);
}

/* Few columns, in each of which several threads find entries; and one thread's columns of all ranges. Their
 * positions fit the cache, or no window is given. */
static void counts_of_several_threads(void **state) {
  enum { ROWS = 150000 };
  const int64_t live = grid_mem_live();
  const GrB_Type types[] = {GrB_BOOL, GrB_FP32, GrB_FP64};
  for (uint64_t turn = 0; turn < 12; turn++) {
    const GrB_Type type = types[turn % 3];
    const uint64_t n = turn % 6 < 3 ? 5 : 40000;
    grid_local_matrix p, t, back;
    grid_offsets start;
    grid_lmat_init(&p, type, ROWS, n);
    p.row.n = ROWS, p.col.n = n, p.nvals = 3 * (uint64_t)ROWS;
    assert_true(grid_offsets_make(&start, ROWS + 1, p.nvals));
    uint32_t *idx = grid_malloc(p.nvals, sizeof *idx);
    char *val = grid_malloc(p.nvals, type->size);
    assert_true(idx && val);
    for (uint64_t r = 0; r <= ROWS; r++) grid_offset_set(start, r, 3 * r);
    for (uint64_t e = 0; e < p.nvals; e++)
      idx[e] = (uint32_t)(e % 3 == 0 ? 0 : e % 3 == 1 ? 1 + draw(2) : 3 + draw(n - 3));
    for (uint64_t b = 0; b < p.nvals * type->size; b++) val[b] = (char)draw(100);
    p.by_row =
        (grid_compressed){.ptr = start.offsets32, .offsets64 = start.offsets64, .idx = idx, .val = val};
    omp_set_num_threads(1 + (int)turn % 4);
    grid_tune.columns_window = turn < 6 ? 0 : 32 * n;
    assert_int_equal(grid_lmat_has_local_columns(&p), turn >= 6);
    assert_int_equal(grid_cpu_lmat_transpose(&p, false, &t), GrB_SUCCESS);
    assert_int_equal(grid_cpu_lmat_transpose(&t, false, &back), GrB_SUCCESS);
    assert_memory_equal(back.by_row.idx, idx, p.nvals * sizeof *idx);
    assert_memory_equal(back.by_row.val, val, p.nvals * type->size);
    for (uint64_t r = 0; r <= ROWS; r++) assert_true(grid_vector_start(&back.by_row, r) == 3 * r);
    grid_lmat_free(&t), grid_lmat_free(&back), grid_lmat_free(&p);
  }
  assert_int_equal(grid_tune_set("columns_window=default"), GrB_SUCCESS);
  omp_set_num_threads(1);
  assert_int_equal(grid_mem_live(), live);
}

/* 64-bit offsets; and tuples that need them, with so many duplicates that the entries do not. */
static void offsets64_lmats(void **state) {
  offsets64();
  all_lmats();
  grid_tune.offsets64_from = 500;
  all_lmats();
  offsets32();
}

/* Hypersparse rows and columns are expanded to full axes, with offsets of either width. */
static void without_lists(void **state) {
  const int64_t live = grid_mem_live();
  for (int has_offsets64 = 0; has_offsets64 < 2; has_offsets64++) {
    const uint64_t rows = 50000, cols = UINT64_C(1) << 30, n = 300;
    grid_local_matrix p;
    grid_pair bad;
    grid_expanded_lmat u;
    has_offsets64 ? offsets64() : offsets32();
    draw_tuples(n, rows, cols, 0);
    grid_lmat_init(&p, GrB_INT64, rows, cols);
    assert_int_equal(grid_lmat_build(&p, keys_of(false), false, n, value, NULL,
                                     (grid_duplicates){.newest_wins = true}, &bad),
                     GrB_SUCCESS);
    assert_true(p.row.ids && p.col.ids && grid_compressed_is_built(&p.by_row) &&
                !p.by_row.offsets64 == !has_offsets64);
    assert_int_equal(grid_lmat_expand_hyper(&u, &p, true), GrB_SUCCESS);
    const grid_compressed *c = &u.lmat.by_row;
    assert_true(!u.lmat.row.ids && u.lmat.row.n == rows && !u.lmat.col.ids &&
                !c->offsets64 == !has_offsets64);
    for (uint64_t r = 0, k = 0; r < rows; r++) {
      assert_true(grid_vector_start(c, r) == grid_vector_start(&p.by_row, k));
      if (k < p.row.n && grid_axis_id(&p.row, k) == r) k++;
      assert_true(grid_vector_start(c, r + 1) == grid_vector_start(&p.by_row, k));
    }
    for (uint64_t e = 0; e < p.nvals; e++) assert_true(c->idx[e] == grid_axis_id(&p.col, p.by_row.idx[e]));
    grid_expanded_lmat_free(&u);
    grid_lmat_free(&p);
  }
  offsets32();
  assert_int_equal(grid_mem_live(), live);
}

static void duplicate_without_operator(void **state) {
  const int64_t live = grid_mem_live();
  grid_local_matrix p;
  grid_pair bad = {0, 0};
  draw_tuples(500, UINT64_C(1) << 40, UINT64_C(1) << 50, 0);
  tuples[400].r = tuples[37].r, tuples[400].c = tuples[37].c;
  grid_lmat_init(&p, GrB_INT64, UINT64_C(1) << 40, UINT64_C(1) << 50);
  assert_int_equal(
      grid_lmat_build(&p, keys_of(true), true, 500, value, NULL, (grid_duplicates){.dup = NULL}, &bad),
      GrB_INVALID_VALUE);
  assert_true(bad.r == tuples[37].r && bad.c == tuples[37].c);
  assert_true(p.nvals == 0 && !grid_compressed_is_built(&p.by_row) && !p.row.ids &&
              p.row.dim == UINT64_C(1) << 40);
  grid_lmat_free(&p);
  assert_int_equal(grid_mem_live(), live);
}

static bool symmetric(const uint64_t *r, const uint64_t *c, const int64_t *v, uint64_t n, uint64_t dim) {
  grid_local_matrix p;
  grid_pair bad;
  ntuples = n;
  for (uint64_t k = 0; k < n; k++) tuples[k] = (tuple){r[k], c[k], k};
  grid_lmat_init(&p, GrB_INT64, dim, dim);
  assert_int_equal(
      grid_lmat_build(&p, keys_of(false), false, n, v, NULL, (grid_duplicates){.newest_wins = true}, &bad),
      GrB_SUCCESS);
  uint32_t *ones = calloc(dim, 4);
  assert_int_equal(grid_lmat_orient(&p, ones, ones, false, true), GrB_SUCCESS);
  bool is = p.shared;
  assert_true(!is || (p.by_col.idx == p.by_row.idx && p.by_col.hub_neighbor == p.by_row.hub_neighbor));
  check_hub_neighbors(&p.by_row, p.row.n, ones);
  check_hub_neighbors(&p.by_col, p.col.n, ones);
  free(ones);
  grid_lmat_free(&p);
  return is;
}

static void detecting_symmetry(void **state) {
  const uint64_t r[] = {1, 7, 3, 5}, c[] = {7, 1, 5, 3};
  const int64_t same[] = {4, 4, 9, 9}, other[] = {4, 4, 9, 8};
  const uint64_t far_r[] = {1, 2}, far_c[] = {500, 600};
  const int64_t v[] = {3, 3};
  for (uint64_t dim = 8; dim < 2000; dim += 900) {
    dim > 1000 ? offsets64() : offsets32();
    assert_true(symmetric(r, c, same, 4, dim));
    assert_false(symmetric(r, c, other, 4, dim));
    assert_false(symmetric(r, c, same, 3, dim));
  }
  assert_false(symmetric(far_r, far_c, v, 2, 1000)); /* compact indices alone look symmetric */
  offsets32();
}

/* Every allocation of a build and an orientation fails once. */
static void fail_allocations(bool pairs) {
  const int64_t live = grid_mem_live();
  const uint64_t rows = pairs ? UINT64_C(1) << 40 : 4000;
  for (int64_t k = 0, fine = 0; !fine; k++) {
    grid_local_matrix p, copy;
    grid_pair bad;
    draw_tuples(300, rows, 200, 3);
    combine(SUM, value);
    void *key = keys_of(pairs);
    grid_lmat_init(&p, GrB_INT64, rows, 200);
    grid_mem_fail_after(k);
    GrB_Info info =
        grid_lmat_build(&p, key, pairs, 300, value, NULL, (grid_duplicates){.dup = GrB_PLUS_INT64}, &bad);
    if (info != GrB_SUCCESS) assert_int_equal(p.nvals, 0);
    if (info == GrB_SUCCESS) info = grid_lmat_orient(&p, NULL, NULL, false, false);
    if (info == GrB_SUCCESS) {
      info = grid_lmat_copy(&copy, &p);
      if (info == GrB_SUCCESS) fine = 1, grid_lmat_free(&copy);
    }
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    if (p.nvals) check_entries(&p);
    grid_lmat_free(&p);
    assert_int_equal(grid_mem_live(), live);
  }
}

static void without_memory(void **state) {
  fail_allocations(false), fail_allocations(true);
  offsets64();
  fail_allocations(false), fail_allocations(true);
  offsets32();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_matrices),     cmocka_unit_test(offsets64_lmats),
      cmocka_unit_test(without_lists),      cmocka_unit_test(duplicate_without_operator),
      cmocka_unit_test(detecting_symmetry), cmocka_unit_test(without_memory),
      cmocka_unit_test(columns_of_bands),   cmocka_unit_test(counts_of_several_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
