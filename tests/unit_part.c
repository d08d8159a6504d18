/* One process: grouping, and parts (building, orienting, finding, visiting, copying), against plain sorting
 * and searching. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <omp.h>

#include "chance.h"
#include "spmat/matrix/group.h"
#include "spmat/matrix/part.h"

enum { MOST = 100000 };

/* ---- grouping ------------------------------------------------------------------------------------------ */

static uint64_t keys[MOST];
static uint32_t ptr[MOST + 1], out[MOST], pos[MOST], at[MOST];

/* out and pos by counting, one after the other: the stable order is unique. */
static void check_groups(const uint32_t *major, const uint32_t *minor, const uint32_t *from, uint64_t n,
                         uint64_t nmajor, bool positions) {
  memset(at, 0, sizeof at);
  uint64_t *start = calloc(nmajor + 1, 8);
  for (uint64_t k = 0; k < n; k++) start[major[k] + 1]++;
  for (uint64_t m = 0; m < nmajor; m++) start[m + 1] += start[m];
  for (uint64_t m = 0; m <= nmajor; m++) assert_int_equal(ptr[m], start[m]);
  for (uint64_t k = 0; k < n; k++) {
    uint64_t slot = start[major[k]]++;
    if (out[slot] != minor[k]) assert_int_equal(out[slot], minor[k]);
    if (positions && pos[slot] != from[k]) assert_int_equal(pos[slot], from[k]);
  }
  free(start);
}

static void group_keys(uint64_t n, uint64_t nmajor) {
  static uint32_t major[MOST], minor[MOST], from[MOST];
  for (uint64_t k = 0; k < n; k++) {
    major[k] = (uint32_t)(draw(3) ? draw(nmajor) : draw(nmajor) % 3 % nmajor);
    minor[k] = (uint32_t)(draw(1 << 16) << 16 | draw(1 << 16));
    from[k] = (uint32_t)k;
    keys[k] = (uint64_t)major[k] << 32 | minor[k];
  }
  for (int p = 0; p < 2; p++) {
    assert_int_equal(grid_group(&(grid_stream){.keys = keys, .n = n}, nmajor, ptr, out, p ? pos : NULL, NULL),
                     GrB_SUCCESS);
    check_groups(major, minor, from, n, nmajor, p);
  }
}

static void groups(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads += 2) {
    omp_set_num_threads(threads);
    group_keys(0, 1), group_keys(0, 1000), group_keys(1, 1), group_keys(5, 99999);
    group_keys(1000, 1), group_keys(1000, 64), group_keys(MOST, 1), group_keys(MOST, 2),
        group_keys(MOST, 511);
    group_keys(MOST, 512), group_keys(MOST, 513), group_keys(MOST, 99999), group_keys(40000, 1025);
  }
}

/* The other kind of stream: a compressed orientation, visited in any order. */
static void group_vectors(uint64_t n, uint64_t nvec, uint64_t nmajor, bool ordered) {
  static uint32_t vptr[MOST + 1], idx[MOST], order[MOST], major[MOST], minor[MOST], from[MOST], ends[MOST];
  for (uint64_t v = 0; v < nvec; v++) ends[v] = 0;
  for (uint64_t k = 0; k < n; k++) ends[draw(4) ? draw(nvec) : 0]++, idx[k] = (uint32_t)draw(nmajor);
  vptr[0] = 0;
  for (uint64_t v = 0; v < nvec; v++) vptr[v + 1] = vptr[v] + ends[v];
  for (uint64_t v = 0; v < nvec; v++) order[v] = (uint32_t)v;
  for (uint64_t v = nvec; v > 1; v--) {
    uint64_t o = draw(v);
    uint32_t swap = order[v - 1];
    order[v - 1] = order[o], order[o] = swap;
  }
  uint64_t k = 0;
  for (uint64_t s = 0; s < nvec; s++) {
    uint32_t v = ordered ? order[s] : (uint32_t)s;
    for (uint32_t e = vptr[v]; e < vptr[v + 1]; e++, k++) major[k] = idx[e], minor[k] = v, from[k] = e;
  }
  grid_stream s = {.ptr = vptr, .idx = idx, .order = ordered ? order : NULL, .nvec = nvec, .n = n};
  assert_int_equal(grid_group(&s, nmajor, ptr, out, pos, keys), GrB_SUCCESS); /* with room of ours */
  check_groups(major, minor, from, n, nmajor, true);
}

static void streams(void **state) {
  (void)state;
  for (int threads = 1; threads <= 4; threads += 3) {
    omp_set_num_threads(threads);
    for (int o = 0; o < 2; o++) {
      group_vectors(0, 0, 5, o), group_vectors(0, 7, 1, o), group_vectors(300, 7, 40, o);
      group_vectors(MOST, 3, 99999, o), group_vectors(MOST, 1, 600, o), group_vectors(MOST, 50000, 7, o);
    }
  }
}

static int up(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void sorting(void **state) {
  (void)state;
  static uint64_t a[5000], b[5000], tmp[5000];
  for (int round = 0; round < 60; round++) {
    uint64_t n = round < 3 ? (uint64_t)round : draw(5000), range = UINT64_C(1) << draw(61),
             base = round % 2 ? ~UINT64_C(0) - range : 0;
    for (uint64_t k = 0; k < n; k++) a[k] = b[k] = base + (draw(range) << 2 | draw(4));
    grid_sort_u64(a, tmp, n);
    qsort(b, n, 8, up);
    if (n) assert_memory_equal(a, b, n * 8);
  }
  static uint32_t degree[3000], order[3000];
  for (int k = 0; k < 3000; k++) degree[k] = (uint32_t)(draw(5) ? draw(20) : UINT32_MAX - draw(3));
  assert_int_equal(grid_order_by_degree(degree, 3000, order), GrB_SUCCESS);
  for (int k = 1; k < 3000; k++) {
    uint32_t x = degree[order[k - 1]], y = degree[order[k]];
    assert_true(x > y || (x == y && order[k - 1] < order[k]));
  }
  assert_int_equal(grid_order_by_degree(degree, 0, order), GrB_SUCCESS);
}

/* ---- parts --------------------------------------------------------------------------------------------- */

typedef struct {
  uint64_t r, c, k; /* coordinates, tuple number */
} tuple;
static tuple tuples[MOST], made[MOST];
static uint64_t ntuples, nmade;
static int64_t value[MOST], want[MOST];

static int by_column(const void *a, const void *b) {
  const tuple *x = a, *y = b;
  if (x->c != y->c) return x->c < y->c ? -1 : 1;
  if (x->r != y->r) return x->r < y->r ? -1 : 1;
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

/* What the part must hold, by column, rows ascending. */
static void combine(how h, const int64_t *v) {
  memcpy(made, tuples, ntuples * sizeof *made);
  qsort(made, ntuples, sizeof *made, by_column);
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

/* All entries of the part are those of `made`, in its order if `sorted`. */
static void check_entries(const grid_part *p, bool sorted) {
  uint64_t k = 0, sum = 0;
  assert_int_equal(p->nvals, nmade);
  for (grid_entries it = grid_entries_begin(p); grid_entries_next(&it); k++) {
    uint64_t m = k;
    if (!sorted) { /* find it: the columns still ascend */
      tuple probe = {it.row, it.col, 0};
      uint64_t lo = 0, hi = nmade;
      while (lo < hi) {
        uint64_t mid = (lo + hi) / 2;
        if (made[mid].c < probe.c || (made[mid].c == probe.c && made[mid].r < probe.r))
          lo = mid + 1;
        else
          hi = mid;
      }
      m = lo;
      assert_true(m < nmade);
    }
    assert_true(made[m].r == it.row && made[m].c == it.col);
    assert_int_equal(*(const int64_t *)grid_part_value(p, it.at), want[m]);
    sum += m;
  }
  assert_int_equal(k, nmade);
  assert_int_equal(sum, nmade ? nmade * (nmade - 1) / 2 : 0);
  for (uint64_t round = 0; round < 200; round++) {
    uint64_t m = nmade ? draw(nmade) : 0, r = nmade && round % 2 ? made[m].r : draw(p->row.dim),
             c = nmade ? made[m].c : draw(p->col.dim);
    bool there = false;
    for (uint64_t x = 0; x < nmade && !there; x++) there = made[x].r == r && made[x].c == c;
    uint64_t cr = grid_axis_find(&p->row, r), cc = grid_axis_find(&p->col, c);
    uint64_t e = cr == UINT64_MAX || cc == UINT64_MAX ? UINT64_MAX : grid_part_find(p, cr, cc);
    assert_int_equal(e != UINT64_MAX, there);
  }
}

/* One orientation: offsets, heads, and entries in descending degree of the other end. */
static void check_orientation(const grid_compressed *c, uint64_t n, uint64_t nvals, const uint32_t *other) {
  assert_int_equal(c->ptr[0], 0);
  assert_int_equal(c->ptr[n], nvals);
  for (uint64_t v = 0; v < n; v++) {
    bool some = c->ptr[v + 1] > c->ptr[v];
    assert_int_equal(c->nonempty[v >> 6] >> (v & 63) & 1, some);
    if (some) assert_int_equal(c->first[v], c->idx[c->ptr[v]]);
    for (uint64_t e = (uint64_t)c->ptr[v] + 1; e < c->ptr[v + 1]; e++)
      assert_true(other[c->idx[e - 1]] >= other[c->idx[e]]);
  }
  if (n % 64) assert_int_equal(c->nonempty[n / 64] >> (n % 64), 0);
}

static void check_by_row(const grid_part *p) {
  for (uint64_t r = 0; r < p->row.n; r++)
    for (uint64_t e = p->by_row.ptr[r]; e < p->by_row.ptr[r + 1]; e++) {
      uint64_t at_col = grid_part_find(p, r, p->by_row.idx[e]);
      assert_true(at_col != UINT64_MAX);
      if (!p->iso) assert_int_equal(((int64_t *)p->by_row.val)[e], ((int64_t *)p->by_col.val)[at_col]);
    }
}

static void one_part(uint64_t n, uint64_t rows, uint64_t cols, int repeat, how h, bool valued, bool dense) {
  const int64_t live = grid_mem_live(), one = 1;
  bool pairs = rows > UINT32_MAX || cols > UINT32_MAX;
  grid_part p, copy;
  grid_pair bad;
  uint32_t *rdeg, *cdeg;
  draw_tuples(n, rows, cols, repeat);
  combine(h, valued ? value : NULL);
  grid_part_init(&p, GrB_INT64, rows, cols);
  if (dense) p.row.n = rows, p.col.n = cols;
  grid_duplicates d = {.dup = h == SUM          ? GrB_PLUS_INT64
                              : h == FIRST_WINS ? GrB_FIRST_INT64
                                                : NULL,
                       .keep_last = h == LAST};
  assert_int_equal(grid_part_build(&p, keys_of(pairs), pairs, n, valued ? value : NULL, &one, d, &bad),
                   GrB_SUCCESS);
  check_entries(&p, true);
  if (dense) assert_true(!p.row.ids && !p.col.ids);
  if (rows > UINT32_MAX) assert_non_null(p.row.ids);
  rdeg = calloc(p.row.n + 1, 4), cdeg = calloc(p.col.n + 1, 4);
  for (uint64_t k = 0; k < p.row.n; k++) rdeg[k] = (uint32_t)draw(50);
  for (uint64_t k = 0; k < p.col.n; k++) cdeg[k] = (uint32_t)draw(50);
  for (int round = 0; round < 2; round++) { /* twice: a part that is oriented already is oriented anew */
    assert_int_equal(grid_part_orient(&p, rdeg, cdeg, false, false), GrB_SUCCESS);
    check_entries(&p, false);
    check_orientation(&p.by_row, p.row.n, p.nvals, cdeg);
    check_orientation(&p.by_col, p.col.n, p.nvals, rdeg);
    check_by_row(&p);
  }
  assert_int_equal(grid_part_copy(&copy, &p), GrB_SUCCESS);
  assert_int_equal(grid_part_bytes(&copy), grid_part_bytes(&p));
  grid_part_free(&p);
  check_entries(&copy, false);
  check_by_row(&copy);
  grid_part_free(&copy);
  free(rdeg), free(cdeg);
  assert_int_equal(grid_mem_live(), live);
}

static void parts(void **state) {
  (void)state;
  const uint64_t dim[] = {1, 2, 63, 64, 65, 700, 5000, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 60};
  for (int a = 0; a < 10; a++)
    for (int b = 0; b < 10; b++) {
      uint64_t n = (a + b) % 4 == 0 ? draw(4) : 600;
      one_part(n, dim[a], dim[b], 3, SUM, true, false);
      one_part(n, dim[a], dim[b], 2, LAST, true, a < 7 && b < 7);
      one_part(n, dim[b], dim[a], 2, FIRST_WINS, true, false);
      one_part(n, dim[a], dim[b], 5, SUM, false, false);
    }
  omp_set_num_threads(3);
  one_part(60000, 3000, 3000, 4, SUM, true, false);
  one_part(60000, 100, 90000, 4, LAST, true, false);
}

static void duplicate_without_operator(void **state) {
  (void)state;
  const int64_t live = grid_mem_live();
  grid_part p;
  grid_pair bad = {0, 0};
  draw_tuples(500, UINT64_C(1) << 40, UINT64_C(1) << 50, 0);
  tuples[400].r = tuples[37].r, tuples[400].c = tuples[37].c;
  grid_part_init(&p, GrB_INT64, UINT64_C(1) << 40, UINT64_C(1) << 50);
  assert_int_equal(
      grid_part_build(&p, keys_of(true), true, 500, value, NULL, (grid_duplicates){.dup = NULL}, &bad),
      GrB_INVALID_VALUE);
  assert_true(bad.r == tuples[37].r && bad.c == tuples[37].c);
  assert_true(p.nvals == 0 && !p.by_col.ptr && !p.row.ids && p.row.dim == UINT64_C(1) << 40);
  grid_part_free(&p);
  assert_int_equal(grid_mem_live(), live);
}

static bool symmetric(const uint64_t *r, const uint64_t *c, const int64_t *v, uint64_t n, uint64_t dim) {
  grid_part p;
  grid_pair bad;
  ntuples = n;
  for (uint64_t k = 0; k < n; k++) tuples[k] = (tuple){r[k], c[k], k};
  grid_part_init(&p, GrB_INT64, dim, dim);
  assert_int_equal(
      grid_part_build(&p, keys_of(false), false, n, v, NULL, (grid_duplicates){.keep_last = true}, &bad),
      GrB_SUCCESS);
  uint32_t *ones = calloc(dim, 4);
  assert_int_equal(grid_part_orient(&p, ones, ones, false, true), GrB_SUCCESS);
  bool is = p.shared;
  free(ones);
  grid_part_free(&p);
  return is;
}

static void detecting_symmetry(void **state) {
  (void)state;
  const uint64_t r[] = {1, 7, 3, 5}, c[] = {7, 1, 5, 3};
  const int64_t same[] = {4, 4, 9, 9}, other[] = {4, 4, 9, 8};
  const uint64_t far_r[] = {1, 2}, far_c[] = {500, 600};
  const int64_t v[] = {3, 3};
  for (uint64_t dim = 8; dim < 1000; dim += 900) {
    assert_true(symmetric(r, c, same, 4, dim));
    assert_false(symmetric(r, c, other, 4, dim));
    assert_false(symmetric(r, c, same, 3, dim));
  }
  assert_false(symmetric(far_r, far_c, v, 2, 1000)); /* compact indices alone look symmetric */
}

/* Every allocation of a build and an orientation fails once. */
static void fail_each(bool pairs) {
  const int64_t live = grid_mem_live();
  const uint64_t rows = pairs ? UINT64_C(1) << 40 : 4000;
  for (int64_t k = 0, fine = 0; !fine; k++) {
    grid_part p, copy;
    grid_pair bad;
    draw_tuples(300, rows, 200, 3);
    combine(SUM, value);
    void *key = keys_of(pairs);
    grid_part_init(&p, GrB_INT64, rows, 200);
    grid_mem_fail_after(k);
    GrB_Info info =
        grid_part_build(&p, key, pairs, 300, value, NULL, (grid_duplicates){.dup = GrB_PLUS_INT64}, &bad);
    if (info != GrB_SUCCESS) assert_int_equal(p.nvals, 0);
    if (info == GrB_SUCCESS) info = grid_part_orient(&p, NULL, NULL, false, false);
    if (info == GrB_SUCCESS) {
      info = grid_part_copy(&copy, &p);
      if (info == GrB_SUCCESS) fine = 1, grid_part_free(&copy);
    }
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    if (p.nvals) check_entries(&p, false);
    grid_part_free(&p);
    assert_int_equal(grid_mem_live(), live);
  }
}

static void without_memory(void **state) {
  (void)state;
  fail_each(false), fail_each(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups),
      cmocka_unit_test(streams),
      cmocka_unit_test(sorting),
      cmocka_unit_test(parts),
      cmocka_unit_test(duplicate_without_operator),
      cmocka_unit_test(detecting_symmetry),
      cmocka_unit_test(without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
