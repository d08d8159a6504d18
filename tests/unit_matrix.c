/* Matrices: building, single entries, extractTuples, copying, reducing, storage, degrees, errors and their
 * texts; against a list of entries replicated on every process. Runs on any number of processes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "dist/matrix/matrix.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

enum { MOST = 4000 };

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* The call failed with this code, and the text, the same everywhere, holds these words. */
static void assert_failed(GrB_Info info, GrB_Info want, const char *words) {
  bool fine = info == want && strstr(Grid_last_error(), words);
  if (!fine)
    print_message("process %d: %s: \"%s\", want %s with \"%s\"\n", Grid_rank(), Grid_info_name(info),
                  Grid_last_error(), Grid_info_name(want), words);
  assert_on_all(fine);
}

/* ---- the model ----------------------------------------------------------------------------------------- */

typedef struct {
  GrB_Index r, c;
  double v;
} entry;
typedef struct {
  GrB_Index nrows, ncols;
  size_t n;
  entry e[MOST];
} model;

static int by_position(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->r != y->r) return x->r < y->r ? -1 : 1;
  return x->c < y->c ? -1 : x->c > y->c;
}

static size_t find(const model *m, GrB_Index r, GrB_Index c) {
  for (size_t k = 0; k < m->n; k++)
    if (m->e[k].r == r && m->e[k].c == c) return k;
  return m->n;
}

static void set(model *m, GrB_Index r, GrB_Index c, double v) {
  size_t k = find(m, r, c);
  if (k == m->n) m->n++;
  m->e[k] = (entry){r, c, v};
}

static void remove_entry(model *m, GrB_Index r, GrB_Index c) {
  size_t k = find(m, r, c);
  if (k < m->n) m->e[k] = m->e[--m->n];
}

static void check(GrB_Matrix A, model *m) {
  static GrB_Index I[MOST], J[MOST];
  static double X[MOST];
  static entry got[MOST];
  GrB_Index n = MOST, nrows, ncols, nvals;
  OK(GrB_Matrix_extractTuples_FP64(I, J, X, &n, A));
  OK(GrB_Matrix_nrows(&nrows, A));
  OK(GrB_Matrix_ncols(&ncols, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  bool fine = n == m->n && nvals == n && nrows == m->nrows && ncols == m->ncols;
  for (size_t k = 0; k < n && k < MOST; k++) got[k] = (entry){I[k], J[k], X[k]};
  qsort(got, n, sizeof *got, by_position);
  qsort(m->e, m->n, sizeof *m->e, by_position);
  for (size_t k = 0; fine && k < n; k++) {
    fine = got[k].r == m->e[k].r && got[k].c == m->e[k].c && got[k].v == m->e[k].v;
    if (!fine && Grid_rank() == 0)
      print_message("(%llu, %llu) = %g, should be (%llu, %llu) = %g\n", (unsigned long long)got[k].r,
                    (unsigned long long)got[k].c, got[k].v, (unsigned long long)m->e[k].r,
                    (unsigned long long)m->e[k].c, m->e[k].v);
  }
  assert_on_all(fine);
  /* and distributed: each entry on one process */
  GrB_Index capacity = MOST, sum;
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &capacity, A));
  sum = capacity;
  assert_on_all(Grid_Matrix_extractLocal(I, J, NULL, &capacity, A) == GrB_SUCCESS);
  double total = 0, want = 0;
  for (size_t k = 0; k < capacity; k++) fine = fine && find(m, I[k], J[k]) < m->n;
  OK(Grid_sum(&sum, 1));
  assert_on_all(fine && sum == m->n);
  OK(GrB_Matrix_reduce_FP64(&total, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  for (size_t k = 0; k < m->n; k++) want += m->e[k].v;
  assert_on_all(total == want);
}

static GrB_Matrix new_matrix(GrB_Type type, GrB_Index nrows, GrB_Index ncols) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, type, nrows, ncols));
  return A;
}

/* ---- building ------------------------------------------------------------------------------------------ */

static const GrB_Index dims[] = {
    1, 3, 64, 65, 500, 4000, UINT64_C(0xffffffff), UINT64_C(0x100000001), UINT64_C(1) << 60};
enum { NDIMS = 9 };

/* Tuples with duplicates: all everywhere, or each on some process; combined, in the order of processes and
 * then of tuples. */
static void building(void **state) {
  static model m;
  static GrB_Index r[600], c[600], lr[600], lc[600];
  static double v[600], lv[600];
  for (int round = 0; round < 4 * NDIMS * NDIMS; round++) {
    int64_t live = grid_mem_live();
    bool local = round & 1;
    m.nrows = dims[(round >> 2) % NDIMS], m.ncols = dims[(round >> 2) / NDIMS], m.n = 0;
    size_t n = round % 7 == 0 ? draw(3) : draw(400), nlocal = 0;
    const GrB_BinaryOp dup = round & 2 ? GrB_PLUS_FP64 : GrB_SECOND_FP64;
    for (size_t k = 0; k < n; k++) {
      r[k] = draw(3) || k == 0 ? (draw(1 << 30) << 30 | draw(1 << 30)) % m.nrows : r[draw(k)];
      c[k] = draw(3) || k == 0 ? (draw(1 << 30) << 30 | draw(1 << 30)) % m.ncols : c[draw(k)];
      v[k] = (double)draw(100);
      size_t at = find(&m, r[k], c[k]);
      if (at == m.n)
        set(&m, r[k], c[k], v[k]);
      else
        m.e[at].v = round & 2 ? m.e[at].v + v[k] : v[k];
      bool is_local =
          (int)(k * (size_t)Grid_size() / n) == Grid_rank(); /* in order: process 0 has the first */
      if (is_local) lr[nlocal] = r[k], lc[nlocal] = c[k], lv[nlocal++] = v[k];
    }
    GrB_Matrix A = new_matrix(round % 5 ? GrB_FP64 : GrB_INT16, m.nrows, m.ncols), B = NULL;
    if (local)
      OK(Grid_Matrix_build(A, lr, lc, nlocal ? lv : NULL, GrB_FP64, nlocal, dup, 0));
    else
      OK(GrB_Matrix_build_FP64(A, r, c, v, n, dup));
    check(A, &m);
    OK(GrB_Matrix_dup(&B, A));
    if (round % 3 == 0) OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    check(A, &m);
    OK(GrB_Matrix_clear(A));
    check(B, &m);
    m.n = 0;
    check(A, &m);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B);
    assert_null(A);
    assert_on_all(grid_mem_live() == live);
  }
}

static void flags(void **state) {
  int R, C;
  Grid_shape(&R, &C);
  const bool stay = R > 1 && C == 1; /* delegates of a symmetric pattern are numbered in place */
  static model m;
  static GrB_Index r[300], c[300];
  for (int round = 0; round < 16; round++) {
    bool mirror = round & 1, no_loops = round & 2, valued = round & 4;
    m.nrows = m.ncols = round & 8 ? UINT64_C(1) << 40 : 90, m.n = 0;
    double v[300];
    size_t nlocal = 0;
    for (size_t k = 0; k < 300; k++) {
      GrB_Index x = draw(90) * (m.nrows / 90), y = draw(4) ? draw(90) * (m.nrows / 90) : x;
      double value = valued ? (double)(1 + k % 3) : 1;
      if (no_loops && x == y) {
      } else if (valued) {
        for (int side = 0; side <= (mirror && x != y); side++) {
          size_t at = find(&m, side ? y : x, side ? x : y);
          if (at == m.n)
            set(&m, side ? y : x, side ? x : y, value);
          else
            m.e[at].v += value;
        }
      } else {
        set(&m, x, y, 1);
        if (mirror) set(&m, y, x, 1);
      }
      if ((int)(k % (size_t)Grid_size()) == Grid_rank()) r[nlocal] = x, c[nlocal] = y, v[nlocal++] = value;
    }
    GrB_Matrix A = new_matrix(valued ? GrB_INT64 : GrB_BOOL, m.nrows, m.ncols);
    OK(Grid_Matrix_build(A, r, c, valued ? v : NULL, GrB_FP64, nlocal, GrB_PLUS_FP64,
                         (mirror ? Grid_MIRROR : 0) | (no_loops ? Grid_NO_LOOPS : 0)));
    Grid_Storage s;
    const int32_t thresholds[] = {Grid_DELEGATES_AUTO, 0, 5, Grid_DELEGATES_OFF, 100000, 7};
    for (int t = 0; t < 6; t++) {
      OK(GrB_Matrix_set_INT32(A, thresholds[t], Grid_DELEGATES));
      OK(Grid_Matrix_storage(&s, A));
      assert_on_all(s.nvals == m.n && s.nn + s.nd + s.dn + s.dd == m.n && s.bytes > 0);
      if (mirror) assert_on_all(s.symmetric);
      const bool none = s.delegates == 0 && s.threshold == -1 && s.nn == m.n,
                 split = s.delegates > 0 && s.threshold == thresholds[t];
      if (thresholds[t] >= 100000 || thresholds[t] < 0 || round & 8)
        assert_on_all(none);
      else if (stay && s.symmetric) /* a block with hypersparse columns is unchanged */
        assert_on_all((split && s.nn == m.n) || (none && s.hypersparse));
      else
        assert_on_all(split && (thresholds[t] || s.nn == 0));
      check(A, &m);
      if (t == 2 || t == 4) { /* changes on top */
        GrB_Index i = m.e[0].r, j = m.e[0].c, k = m.nrows - 1;
        OK(GrB_Matrix_setElement_FP64(A, 1, k, i));
        OK(GrB_Matrix_removeElement(A, i, j));
        OK(GrB_Matrix_removeElement(A, k, k));
        set(&m, k, i, 1);
        remove_entry(&m, i, j);
        remove_entry(&m, k, k);
        mirror = mirror && i == j && k == i;
        check(A, &m);
      }
      for (int q = 0; q < 6; q++) { /* single entries wherever they live */
        entry e = m.e[draw(m.n)];
        double x = -1;
        if (q == 5) e.c = (e.c + 17) % m.ncols;
        GrB_Info info = GrB_Matrix_extractElement_FP64(&x, A, e.r, e.c);
        size_t at = find(&m, e.r, e.c);
        assert_on_all(at < m.n ? info == GrB_SUCCESS && x == m.e[at].v : info == GrB_NO_VALUE && x == -1);
      }
    }
    GrB_Matrix_free(&A);
  }
}

/* ---- single entries ------------------------------------------------------------------------------------ */

static void elements(void **state) {
  static model m;
  for (int d = 0; d < NDIMS; d++) {
    m.nrows = dims[d], m.ncols = dims[(d + 4) % NDIMS], m.n = 0;
    GrB_Matrix A = new_matrix(GrB_FP64, m.nrows, m.ncols), B;
    for (int k = 0; k < 400; k++) {
      GrB_Index r = draw(40) * (m.nrows / 41 + 1) % m.nrows, c = draw(10) * (m.ncols / 11 + 1) % m.ncols;
      if (draw(4) == 0) {
        OK(GrB_Matrix_removeElement(A, r, c));
        remove_entry(&m, r, c);
      } else {
        OK(GrB_Matrix_setElement_INT32(A, k, r, c));
        set(&m, r, c, k);
      }
      if (k % 90 == 89) OK(GrB_Matrix_wait(A, k % 180 == 89 ? GrB_COMPLETE : GrB_MATERIALIZE));
      if (k == 200) {
        OK(GrB_Matrix_dup(&B, A)); /* with changes waiting */
        check(B, &m);
        OK(GrB_Matrix_free(&B));
      }
    }
    check(A, &m);
    GrB_Scalar s;
    double x = 0;
    OK(GrB_Scalar_new(&s, GrB_FP64));
    OK(GrB_Matrix_setElement_Scalar(A, s, 0, 0)); /* empty: removes */
    OK(GrB_Matrix_extractElement_Scalar(s, A, 0, 0));
    assert_int_equal(GrB_Scalar_extractElement_FP64(&x, s), GrB_NO_VALUE);
    OK(GrB_Scalar_setElement_FP64(s, 2.5));
    OK(GrB_Matrix_setElement_Scalar(A, s, 0, 0));
    OK(GrB_Scalar_clear(s));
    OK(GrB_Matrix_extractElement_Scalar(s, A, 0, 0));
    OK(GrB_Scalar_extractElement_FP64(&x, s));
    assert_true(x == 2.5);
    int8_t small;
    OK(GrB_Matrix_extractElement_INT8(&small, A, 0, 0));
    assert_int_equal(small, 2);
    OK(GrB_Scalar_free(&s));
    GrB_Matrix_free(&A);
  }
}

/* Many elements read one after the other, until all are replicated; then changes of every kind, after each of
 * which they are read again. */
static void many_reads(void **state) {
  static model m;
  for (int round = 0; round < 4; round++) {
    const GrB_Index far = round == 3 ? UINT64_C(1) << 40 : 1; /* dimensions that need pairs */
    m.nrows = 30 * far, m.ncols = 20 * far, m.n = 0;
    GrB_Matrix A = new_matrix(GrB_FP64, m.nrows, m.ncols);
    for (int step = 0; step < 6; step++) {
      for (int k = 0; k < 40 && step == 0; k++) {
        const GrB_Index r = draw(30) * far, c = draw(20) * far;
        OK(GrB_Matrix_setElement_FP64(A, k, r, c));
        set(&m, r, c, k);
      }
      if (step == 1) OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
      if (step == 2) OK(GrB_Matrix_setElement_FP64(A, 77, far, 2 * far));
      if (step >= 2) set(&m, far, 2 * far, 77);
      if (step == 3) OK(GrB_Matrix_apply(A, NULL, NULL, GrB_AINV_FP64, A, NULL));
      if (step == 4) OK(GrB_Matrix_apply(A, A, NULL, GrB_AINV_FP64, A, GrB_DESC_S));
      if (step == 5) OK(GrB_Matrix_removeElement(A, far, 2 * far));
      if (step == 5) remove_entry(&m, far, 2 * far);
      bool fine = true;
      for (GrB_Index k = 0; k < (round == 2 ? 5u : 900u); k++) {
        const GrB_Index r = k * 7 % 30 * far, c = k * 3 % 20 * far;
        const size_t at = find(&m, r, c);
        const double want = at == m.n ? -5 : step == 3 ? -m.e[at].v : m.e[at].v;
        double x = -5;
        const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, A, r, c);
        fine = fine && x == want && info == (at == m.n ? GrB_NO_VALUE : GrB_SUCCESS);
      }
      assert_on_all(fine);
    }
    GrB_Matrix_free(&A);
  }
}

/* Calls about other objects, and changes that are pending, leave the copy of all entries valid. */
static void many_reads_beside_calls(void **state) {
  uint64_t before[2], after[2];
  double x = 0;
  if (grid_tune.force_bitmap) skip(); /* of a bitmap no copy is made */
  GrB_Matrix A = new_matrix(GrB_FP64, 20, 20);
  GrB_Vector w = NULL;
  OK(GrB_Vector_new(&w, GrB_FP64, 20));
  for (GrB_Index k = 0; k < 20; k++) OK(GrB_Matrix_setElement_FP64(A, (double)k, k, 19 - k));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  for (GrB_Index k = 0; k < 30; k++) {
    OK(GrB_Matrix_extractElement_FP64(&x, A, k % 20, 19 - k % 20));
    OK(GrB_Vector_assign_FP64(w, NULL, NULL, x, GrB_ALL, 20, NULL));
  }
  OK(GrB_Matrix_setElement_FP64(A, 100, 0, 19));
  OK(GrB_Matrix_extractElement_FP64(&x, A, 0, 19)); /* a lookup of changes is made */
  assert_true(x == 100);
  Grid_traffic(&before[0], &before[1]);
  for (GrB_Index k = 1; k < 20; k++) {
    OK(GrB_Matrix_extractElement_FP64(&x, A, k, 19 - k));
    assert_true(x == (double)k);
  }
  Grid_traffic(&after[0], &after[1]);
  assert_int_equal(after[0], before[0]);
  GrB_Matrix_free(&A);
  GrB_Vector_free(&w);
}

/* Products with both orientations and degrees follow the changes: sums of rows and columns, and their counts.
 */
static void check_uses(GrB_Matrix A, const model *m) {
  static double X[MOST];
  static GrB_Index at[MOST];
  for (int side = 0; side < 2; side++) {
    const GrB_Index n = side ? m->ncols : m->nrows, other = side ? m->nrows : m->ncols;
    GrB_Vector ones, sums, counts;
    GrB_Index capacity = MOST, degree = 0, had = MOST;
    uint64_t number[MOST];
    OK(GrB_Vector_new(&ones, GrB_FP64, other));
    OK(GrB_Vector_new(&sums, GrB_FP64, n));
    OK(GrB_Vector_new(&counts, GrB_UINT64, n));
    OK(GrB_assign(ones, NULL, NULL, 1.0, GrB_ALL, other, NULL));
    OK(GrB_mxv(sums, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, ones, side ? GrB_DESC_T0 : NULL));
    OK(Grid_Matrix_degree(counts, A, side));
    OK(GrB_Vector_extractTuples_FP64(at, X, &capacity, sums));
    bool fine = true;
    for (GrB_Index k = 0; k < capacity; k++) {
      double s = 0;
      bool found = false;
      for (size_t e = 0; e < m->n; e++)
        if ((side ? m->e[e].c : m->e[e].r) == at[k]) s += m->e[e].v, found = true;
      fine = fine && found && s == X[k];
    }
    OK(GrB_Vector_extractTuples_UINT64(at, number, &had, counts));
    for (GrB_Index k = 0; k < had; k++) degree += number[k];
    assert_on_all(fine && had == capacity && degree == m->n);
    GrB_Vector_free(&ones), GrB_Vector_free(&sums), GrB_Vector_free(&counts);
  }
}

/* Existing entries get other values, entries are added and removed, and are read while changes are pending:
 * of matrices with values and without, symmetric and not, used before and not. */
static void element_changes(void **state) {
  static model m;
  for (int round = 0; round < 10; round++) {
    const int64_t live = grid_mem_live();
    const bool pattern = round & 1, mirror = round & 2, hyper = round >= 8;
    const GrB_Index n = hyper ? UINT64_C(1) << 35 : round & 4 ? 300 : 70;
    m.nrows = n, m.ncols = mirror ? n : n + 40, m.n = 0;
    GrB_Index r[120], c[120];
    double v[120];
    for (int k = 0; k < 120; k++) {
      r[k] = draw(hyper ? 50 : n) * (hyper ? 12345 : 1), c[k] = draw(hyper ? 50 : n) * (hyper ? 54321 : 1);
      v[k] = pattern ? 1 : (double)draw(9);
      set(&m, r[k], c[k], v[k]);
      if (mirror) set(&m, c[k], r[k], v[k]);
    }
    GrB_Matrix A = new_matrix(GrB_FP64, m.nrows, m.ncols);
    OK(Grid_Matrix_build(A, r, c, pattern ? NULL : v, pattern ? NULL : GrB_FP64, Grid_rank() == 0 ? 120 : 0,
                         GrB_SECOND_FP64, mirror ? Grid_MIRROR : 0));
    for (int step = 0; step < 8; step++) {
      bool fine = true;
      if (step % 3 == 1 && !hyper) check_uses(A, &m);
      for (int k = 0; k < 12; k++) {
        entry e = m.e[draw(m.n)];
        const bool new_value = step % 4 != 3;
        if (step % 2) e = (entry){draw(n), draw(n), 0};
        e.v = pattern && !new_value ? 1 : (double)draw(9);
        if (step > 4 && draw(2)) {
          OK(GrB_Matrix_removeElement(A, e.r, e.c));
          remove_entry(&m, e.r, e.c);
        } else {
          OK(GrB_Matrix_setElement_FP64(A, e.v, e.r, e.c));
          set(&m, e.r, e.c, e.v);
        }
        entry ask = draw(2) ? e : m.e[draw(m.n)];
        double x = -1;
        const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, A, ask.r, ask.c);
        const size_t at = find(&m, ask.r, ask.c);
        fine = fine && (at < m.n ? info == GrB_SUCCESS && x == m.e[at].v : info == GrB_NO_VALUE && x == -1);
      }
      assert_on_all(fine);
      if (step % 3 != 2) check(A, &m);
    }
    if (!hyper) check_uses(A, &m);
    check(A, &m);
    while (m.n) { /* to the last */
      const entry e = m.e[draw(m.n)];
      OK(GrB_Matrix_removeElement(A, e.r, e.c));
      remove_entry(&m, e.r, e.c);
    }
    check(A, &m);
    OK(GrB_Matrix_setElement_FP64(A, 3, 1, 1));
    set(&m, 1, 1, 3);
    check(A, &m);
    if (!hyper) check_uses(A, &m);
    GrB_Matrix_free(&A);
    assert_on_all(grid_mem_live() == live);
  }
}

/* A sufficiently dense matrix is stored as bitmap once an operation requests it, and by rows again when it is
 * sparse or rows are needed. Also single entries, copies and local entries in either format. */
static void formats(void **state) {
  static model m;
  const bool chosen = !grid_tune.force_rows && !grid_tune.force_bitmap && !Grid_device();
  for (int round = 0; round < 6; round++) {
    const int64_t live = grid_mem_live();
    const bool whole = round % 2, one_value = round % 3 == 2;
    Grid_Storage s;
    m.nrows = round < 3 ? 4 : 700, m.ncols = round < 3 ? 700 : 4, m.n = 0;
    GrB_Matrix A = new_matrix(GrB_FP64, m.nrows, m.ncols), B = new_matrix(GrB_FP64, m.nrows, m.ncols), D;
    for (GrB_Index r = 0; r < m.nrows; r++)
      for (GrB_Index c = 0; c < m.ncols; c++) {
        if (!whole && draw(3) == 0) continue;
        const double v = one_value ? 2 : (double)draw(50);
        m.e[m.n++] = (entry){r, c, v};
        OK(GrB_Matrix_setElement_FP64(A, v, r, c));
      }
    OK(GrB_Matrix_apply(B, NULL, NULL, GrB_AINV_FP64, A, NULL));
    OK(GrB_Matrix_apply(B, NULL, NULL, GrB_AINV_FP64, B, NULL));
    OK(Grid_Matrix_storage(&s, B));
    if (chosen) assert_on_all(s.full == whole && s.bitmap == !whole);
    if (chosen && one_value) assert_on_all(s.bytes < 2000 * (uint64_t)Grid_size());
    OK(GrB_Matrix_dup(&D, B));
    for (int k = 0; k < 40; k++) { /* in place */
      const entry e = {draw(m.nrows), draw(m.ncols), (double)draw(50)};
      double x = -1;
      if (k % 4 == 3) {
        OK(GrB_Matrix_removeElement(B, e.r, e.c));
      } else {
        OK(GrB_Matrix_setElement_FP64(B, e.v, e.r, e.c));
      }
      if (k % 8 == 7) OK(GrB_Matrix_wait(B, GrB_COMPLETE));
      const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, B, e.r, e.c);
      assert_on_all(k % 4 == 3 ? info == GrB_NO_VALUE : info == GrB_SUCCESS && x == e.v);
    }
    check(D, &m);
    OK(GrB_Matrix_eWiseAdd_BinaryOp(B, D, NULL, GrB_SECOND_FP64, B, D, GrB_DESC_RS));
    check(B, &m);
    check_uses(B, &m);
    /* few entries remain: rows again */
    OK(GrB_Matrix_select_FP64(B, NULL, NULL, GrB_VALUEEQ_FP64, D, 1, NULL));
    OK(Grid_Matrix_storage(&s, B));
    if (chosen) assert_on_all(!s.full && !s.bitmap);
    for (size_t k = m.n; k-- > 0;)
      if (m.e[k].v != 1) m.e[k] = m.e[--m.n];
    check(B, &m);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Matrix_free(&D);
    assert_on_all(grid_mem_live() == live);
  }
}

/* A user-defined type of 24 bytes and one of 3. */
typedef struct {
  char b[24];
} text24;
typedef struct {
  uint8_t b[3];
} three;
static void large_first(void *z, const void *x, const void *y) {
  (void)y;
  memmove(z, x, sizeof(text24));
}
static void three_sum(void *z, const void *x, const void *y) {
  for (int k = 0; k < 3; k++)
    ((uint8_t *)z)[k] = (uint8_t)(((const uint8_t *)x)[k] + ((const uint8_t *)y)[k]);
}

static void user_types(void **state) {
  GrB_Type t24, t3;
  GrB_BinaryOp first, sum;
  GrB_Monoid monoid;
  GrB_Matrix A, B;
  const GrB_Index r[] = {0, 70, 5, 0}, c[] = {99, 1, 5, 99};
  const text24 v[] = {{"zero to ninety-nine"}, {"seventy to one"}, {"five"}, {"again"}};
  const three w[] = {{{1, 2, 3}}, {{4, 5, 6}}, {{7, 8, 250}}, {{10, 20, 30}}};
  text24 x;
  three y, zero = {{0}};
  GrB_Index n = 4;
  OK(GrB_Type_new(&t24, sizeof(text24)));
  OK(GrB_Type_new(&t3, sizeof(three)));
  OK(GrB_BinaryOp_new(&first, large_first, t24, t24, t24));
  OK(GrB_BinaryOp_new(&sum, three_sum, t3, t3, t3));
  OK(GrB_Monoid_new_UDT(&monoid, sum, &zero));
  A = new_matrix(t24, 100, 100);
  OK(GrB_Matrix_build_UDT(A, r, c, v, 4, first));
  OK(GrB_Matrix_extractElement_UDT(&x, A, 0, 99));
  assert_string_equal(x.b, "zero to ninety-nine");
  OK(GrB_Matrix_set_INT32(A, 0, Grid_DELEGATES));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  OK(GrB_Matrix_extractElement_UDT(&x, A, 70, 1));
  assert_string_equal(x.b, "seventy to one");
  OK(GrB_Matrix_setElement_UDT(A, &v[3], 70, 1));
  OK(GrB_Matrix_dup(&B, A));
  OK(GrB_Matrix_extractElement_UDT(&x, B, 70, 1));
  assert_string_equal(x.b, "again");
  GrB_Matrix_free(&A), GrB_Matrix_free(&B);

  A = new_matrix(t3, 100, 100);
  bool is_last = Grid_rank() == Grid_size() - 1;
  OK(Grid_Matrix_build(A, r, c, is_last ? w : NULL, t3, is_last ? 4 : 0, sum, Grid_MIRROR));
  OK(GrB_Matrix_nvals(&n, A));
  assert_int_equal(n, 5);
  OK(GrB_Matrix_extractElement_UDT(&y, A, 99, 0));
  assert_true(y.b[0] == 11 && y.b[2] == 33);
  memset(&y, 0, sizeof y);
  OK(GrB_Matrix_reduce_UDT(&y, NULL, monoid, A, NULL));
  assert_true(y.b[0] == 11 + 11 + 4 + 4 + 7 && y.b[1] == 22 + 22 + 5 + 5 + 8 &&
              y.b[2] == (uint8_t)(33 + 33 + 6 + 6 + 250));
  assert_failed(Grid_Matrix_build(A, r, c, w, t3, 0, sum, 0), GrB_OUTPUT_NOT_EMPTY, "holds 5 entries");
  OK(GrB_Matrix_clear(A));
  assert_failed(Grid_Matrix_build(A, r, c, NULL, NULL, 4, sum, 0), GrB_DOMAIN_MISMATCH, "no value 1");
  assert_failed(GrB_Matrix_setElement_FP64(A, 1, 0, 0), GrB_DOMAIN_MISMATCH, "cannot become");
  assert_failed(GrB_Matrix_extractElement_BOOL((bool *)&y, A, 0, 0), GrB_DOMAIN_MISMATCH, "cannot become");
  OK(Grid_Matrix_build(A, NULL, NULL, NULL, t3, 0, NULL, 0)); /* no process has a tuple */
  GrB_Matrix_free(&A);
  GrB_Monoid_free(&monoid), GrB_BinaryOp_free(&first), GrB_BinaryOp_free(&sum), GrB_Type_free(&t24),
      GrB_Type_free(&t3);
}

/* ---- reductions and degrees ---------------------------------------------------------------------------- */

static void reductions(void **state) {
  static model m;
  for (int d = 0; d < NDIMS; d++) {
    int64_t live = grid_mem_live();
    m.nrows = dims[d], m.ncols = dims[NDIMS - 1 - d], m.n = 0;
    for (int k = 0; k < 150; k++)
      set(&m, draw(20) * (m.nrows / 21 + 1) % m.nrows, draw(20) * (m.ncols / 21 + 1) % m.ncols,
          (double)draw(50));
    GrB_Matrix A = new_matrix(GrB_FP64, m.nrows, m.ncols);
    for (size_t k = 0; k < m.n; k++) OK(GrB_Matrix_setElement_FP64(A, m.e[k].v, m.e[k].r, m.e[k].c));
    double least = 1e9, most = 3, want_least = 1e9, want_most = 3;
    OK(GrB_Matrix_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, A, NULL));
    OK(GrB_Matrix_reduce_FP64(&most, GrB_PLUS_FP64, GrB_MAX_MONOID_FP64, A, NULL));
    double top = 0;
    for (size_t k = 0; k < m.n; k++) {
      if (m.e[k].v < want_least) want_least = m.e[k].v;
      if (m.e[k].v > top) top = m.e[k].v;
    }
    want_most += top;
    assert_on_all(least == want_least && most == want_most);
    for (int side = 0; side < 2; side++) {
      GrB_Index n = side ? m.ncols : m.nrows, capacity = MOST, counts = MOST, at[MOST], where[MOST];
      double sum[MOST];
      uint64_t degree[MOST];
      GrB_Vector w, g;
      OK(GrB_Vector_new(&w, GrB_FP64, n));
      OK(GrB_Vector_new(&g, GrB_UINT64, n));
      OK(GrB_Matrix_reduce_Monoid(w, NULL, NULL, GrB_PLUS_MONOID_FP64, A, side ? GrB_DESC_T0 : NULL));
      OK(GrB_Vector_extractTuples_FP64(at, sum, &capacity, w));
      OK(Grid_Matrix_degree(g, A, side));
      OK(GrB_Vector_extractTuples_UINT64(where, degree, &counts, g));
      bool fine = capacity == counts;
      uint64_t total = 0;
      for (GrB_Index k = 0; k < capacity && fine; k++) {
        double s = 0;
        uint64_t count = 0;
        for (size_t e = 0; e < m.n; e++)
          if ((side ? m.e[e].c : m.e[e].r) == at[k]) s += m.e[e].v, count++;
        fine = sum[k] == s && count > 0 && where[k] == at[k] && degree[k] == count;
        total += count;
      }
      assert_on_all(fine && total == m.n);
      OK(GrB_Matrix_reduce_BinaryOp(w, NULL, GrB_MINUS_FP64, GrB_PLUS_FP64, A, side ? GrB_DESC_T0 : NULL));
      double zero = 1;
      OK(GrB_Vector_reduce_FP64(&zero, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
      assert_on_all(zero == 0);
      GrB_Vector_free(&w), GrB_Vector_free(&g);
    }
    OK(GrB_Matrix_clear(A));
    GrB_Scalar s;
    GrB_Index n;
    OK(GrB_Scalar_new(&s, GrB_FP64));
    OK(GrB_Scalar_setElement_FP64(s, 1));
    OK(GrB_Matrix_reduce_Monoid_Scalar(s, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
    OK(GrB_Scalar_nvals(&n, s));
    assert_on_all(n == 0);
    least = 5;
    OK(GrB_Matrix_reduce_FP64(&least, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
    assert_on_all(least == 0);
    GrB_Scalar_free(&s);
    GrB_Matrix_free(&A);
    assert_on_all(grid_mem_live() == live);
  }
}

/* ---- errors -------------------------------------------------------------------------------------------- */

/* The sum and the least of a matrix's values are those of its tuples. */
static void check_sums(GrB_Matrix A) {
  static GrB_Index row[MOST], col[MOST];
  static double value[MOST];
  GrB_Index n = MOST;
  double sum = 0, least = INFINITY, got[2];
  OK(GrB_Matrix_extractTuples_FP64(row, col, value, &n, A));
  for (GrB_Index k = 0; k < n; k++) {
    sum += value[k];
    if (value[k] < least) least = value[k];
  }
  for (int again = 0; again < 2; again++) {
    OK(GrB_Matrix_reduce_FP64(&got[0], NULL, GrB_PLUS_MONOID_FP64, A, NULL));
    OK(GrB_Matrix_reduce_FP64(&got[1], NULL, GrB_MIN_MONOID_FP64, A, NULL));
    assert_on_all(got[0] == sum && got[1] == least);
  }
}

/* Retained sums follow every change, of rows and of a matrix by position. */
static void sums_after_changes(void **state) {
  for (int dense = 0; dense < 2; dense++) {
    const GrB_Index rows = 300, cols = dense ? 6 : 300;
    GrB_Matrix A, B;
    OK(GrB_Matrix_new(&A, GrB_FP64, rows, cols));
    if (dense) OK(GrB_Matrix_assign_FP64(A, NULL, NULL, 2, GrB_ALL, rows, GrB_ALL, cols, NULL));
    for (GrB_Index i = 0; i < rows; i += 7) OK(GrB_Matrix_setElement_FP64(A, (double)(i % 11), i, i % cols));
    check_sums(A);
    OK(GrB_Matrix_setElement_FP64(A, -50, 5, 3));
    check_sums(A);
    OK(GrB_Matrix_removeElement(A, 5, 3));
    check_sums(A);
    OK(GrB_Matrix_dup(&B, A));
    OK(GrB_Matrix_apply_BinaryOp2nd_FP64(A, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, A, 3, NULL));
    check_sums(A), check_sums(B);
    OK(GrB_Matrix_select_FP64(A, NULL, NULL, GrB_VALUEGT_FP64, A, 8, NULL));
    check_sums(A);
    OK(GrB_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GrB_MINUS_FP64, B, A, NULL));
    check_sums(A);
    OK(GrB_Matrix_assign_FP64(A, NULL, NULL, -1, (GrB_Index[]){7, 9}, 2, GrB_ALL, cols, NULL));
    check_sums(A);
    OK(GrB_Matrix_resize(A, rows / 2, cols));
    check_sums(A);
    OK(GrB_Matrix_clear(A));
    check_sums(A);
    OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B));
  }
}

static void errors(void **state) {
  GrB_Matrix A = NULL, none = NULL, B = (GrB_Matrix)&A;
  const GrB_Index r[] = {1, 2, 1}, c[] = {3, 4, 3}, far[] = {1, 77, 1};
  const double v[] = {1, 2, 3};
  double x = 8;
  GrB_Index n = 0;
  const char *text;
  int32_t value;
  const bool is_last = Grid_rank() == Grid_size() - 1;
  assert_failed(GrB_Matrix_new(NULL, GrB_FP64, 1, 1), GrB_NULL_POINTER, "argument A");
  assert_failed(GrB_Matrix_new(&B, NULL, 1, 1), GrB_NULL_POINTER, "argument type");
  assert_failed(GrB_Matrix_new(&B, GrB_FP64, GrB_INDEX_MAX + 2, 1), GrB_INVALID_VALUE, "more than 2^60");
  assert_failed(GrB_Matrix_new(&B, GrB_FP64, 1, GrB_INDEX_MAX + 2), GrB_INVALID_VALUE, "2^60");
  assert_true(B == (GrB_Matrix)&A);
  A = new_matrix(GrB_FP64, 10, 20);
  assert_failed(GrB_Matrix_nvals(&n, none), GrB_NULL_POINTER, "GrB_Matrix_nvals: argument A is NULL");
  assert_failed(GrB_Matrix_build_FP64(A, r, c, v, 3, NULL), GrB_INVALID_VALUE, "two tuples for entry (1, 3)");
  OK(GrB_Matrix_error(&text, A));
  assert_on_all(strstr(text, "(1, 3)") != NULL);
  assert_failed(GrB_Matrix_build_FP64(A, far, c, v, 3, GrB_PLUS_FP64), GrB_INDEX_OUT_OF_BOUNDS,
                "tuple 1 is (77, 4)");
  assert_failed(GrB_Matrix_build_FP64(A, NULL, c, v, 3, GrB_PLUS_FP64), GrB_NULL_POINTER, "index array");
  assert_failed(GrB_Matrix_build_FP64(A, r, c, NULL, 3, GrB_PLUS_FP64), GrB_NULL_POINTER, "argument values");
  assert_failed(GrB_Matrix_build_FP64(A, r, c, v, 3, GrB_LT_FP64), GrB_DOMAIN_MISMATCH, "dup");
  /* known on one process only */
  assert_failed(Grid_Matrix_build(A, far, c, v, GrB_FP64, is_last ? 3 : 0, GrB_PLUS_FP64, 0),
                GrB_INDEX_OUT_OF_BOUNDS, "(77, 4)");
  OK(GrB_Matrix_error(&text, A));
  assert_on_all(strstr(text, "(77, 4)") != NULL);
  assert_failed(Grid_Matrix_build(A, is_last ? NULL : r, c, v, GrB_FP64, is_last ? 3 : 0, GrB_PLUS_FP64, 0),
                GrB_NULL_POINTER, "index array");
  assert_failed(Grid_Matrix_build(A, r, c, v, NULL, is_last ? 3 : 0, GrB_PLUS_FP64, 0), GrB_NULL_POINTER,
                "argument type");
  assert_failed(Grid_Matrix_build(A, r, c, is_last ? v : NULL, NULL, is_last ? 3 : 0, GrB_PLUS_FP64, 0),
                GrB_NULL_POINTER, "argument type");
  assert_failed(Grid_Matrix_build(A, r, c, v, GrB_FP64, is_last ? 3 : 0, NULL, 0), GrB_INVALID_VALUE,
                "two tuples for entry (1, 3)");
  assert_failed(Grid_Matrix_build(A, r, c, NULL, NULL, 0, NULL, Grid_BY_DEGREE), GrB_INVALID_VALUE,
                "unknown flag 0x4 in the argument flags; it accepts Grid_MIRROR (0x1), Grid_NO_LOOPS (0x2)");
  assert_failed(Grid_Matrix_build(A, r, c, NULL, NULL, is_last ? 3 : 0, NULL, Grid_MIRROR), GrB_INVALID_VALUE,
                "MIRROR");
  if (Grid_size() > 1)
    assert_failed(Grid_Matrix_build(A, r, c, is_last ? v : NULL, GrB_FP64, 2, NULL, 0), GrB_NULL_POINTER,
                  "argument values");
  OK(GrB_Matrix_nvals(&n, A));
  assert_int_equal(n, 0);
  OK(GrB_Matrix_build_FP64(A, r, c, v, 2, NULL));
  assert_failed(GrB_Matrix_build_FP64(A, r, c, v, 2, NULL), GrB_OUTPUT_NOT_EMPTY, "holds 2 entries");
  assert_failed(GrB_Matrix_setElement_FP64(A, 1, 10, 0), GrB_INVALID_INDEX,
                "(10, 0) is outside the 10 x 20 matrix");
  assert_failed(GrB_Matrix_removeElement(A, 0, 20), GrB_INVALID_INDEX, "(0, 20)");
  GrB_Scalar vacant;
  OK(GrB_Scalar_new(&vacant, GrB_FP64));
  assert_failed(GrB_Matrix_setElement_Scalar(A, vacant, 0, 20), GrB_INVALID_INDEX,
                "GrB_Matrix_setElement: (0, 20)");
  OK(GrB_free(&vacant));
  assert_failed(GrB_Matrix_extractElement_FP64(&x, A, 0, 20), GrB_INVALID_INDEX, "(0, 20)");
  assert_failed(GrB_Matrix_extractElement_FP64(NULL, A, 0, 0), GrB_NULL_POINTER, "argument x");
  assert_int_equal(GrB_Matrix_extractElement_FP64(&x, A, 0, 0), GrB_NO_VALUE);
  assert_true(x == 8);
  GrB_Index I[2], J[2];
  double X[2] = {0, 0};
  n = 1;
  assert_failed(GrB_Matrix_extractTuples_FP64(I, J, X, &n, A), GrB_INSUFFICIENT_SPACE,
                "room for 1 entries, but A has 2");
  assert_true(n == 1 && X[0] == 0);
  assert_failed(GrB_Matrix_set_INT32(A, 3, Grid_DELEGATES), GrB_INVALID_VALUE, "square");
  assert_failed(GrB_Matrix_set_INT32(A, -3, Grid_DELEGATES), GrB_INVALID_VALUE, "-3");
  assert_failed(GrB_Matrix_set_INT32(A, 3, Grid_DIRECTION), GrB_INVALID_VALUE, "direction");
  assert_failed(GrB_Matrix_set_INT32(A, 3, 4711), GrB_INVALID_VALUE, "4711");
  assert_failed(GrB_Matrix_wait(A, (GrB_WaitMode)9), GrB_INVALID_VALUE, "GrB_Matrix_wait");
  OK(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION));
  OK(GrB_Matrix_get_INT32(A, &value, Grid_DIRECTION));
  assert_int_equal(value, Grid_DIRECTION_PULL);
  OK(GrB_Matrix_get_INT32(A, &value, GrB_EL_TYPE_CODE));
  assert_int_equal(value, GrB_FP64_CODE);
  GrB_Vector w, u;
  OK(GrB_Vector_new(&w, GrB_FP64, 20));
  OK(GrB_Vector_new(&u, GrB_FP64, 20));
  assert_failed(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL), GrB_DIMENSION_MISMATCH,
                "w has size 20");
  assert_failed(GrB_mxv(w, NULL, NULL, NULL, A, u, NULL), GrB_NULL_POINTER, "op");
  assert_failed(GrB_mxv(NULL, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL), GrB_NULL_POINTER,
                "argument w");
  assert_failed(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, (GrB_Descriptor)(void *)A),
                GrB_INVALID_OBJECT, "argument desc is a matrix");
  assert_failed(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, NULL, A, NULL), GrB_NULL_POINTER,
                "argument u");
  assert_failed(Grid_Matrix_degree(w, A, false), GrB_DIMENSION_MISMATCH, "size");
  assert_failed(GrB_Matrix_reduce_FP64(NULL, NULL, GrB_PLUS_MONOID_FP64, A, NULL), GrB_NULL_POINTER, "x");
  assert_failed(GrB_Matrix_reduce_Monoid(w, NULL, NULL, NULL, A, NULL), GrB_NULL_POINTER, "op");
  assert_failed(GrB_Matrix_reduce_FP64(&x, NULL, NULL, A, NULL), GrB_NULL_POINTER, "argument monoid");
  assert_failed(GrB_Vector_reduce_FP64(&x, NULL, NULL, w, NULL), GrB_NULL_POINTER, "argument monoid");
  assert_failed(GrB_Vector_extractElement_FP64(&x, w, 7), GrB_NO_VALUE, "there is no value");
  assert_failed(GrB_Matrix_extractElement_FP64(&x, A, 3, 4), GrB_NO_VALUE, "there is no value");
  assert_failed(GrB_Vector_reduce_FP64(&x, NULL, NULL, w, NULL), GrB_NULL_POINTER, "argument monoid");
  assert_int_equal(GrB_Matrix_extractElement_FP64(&x, A, 3, 4), GrB_NO_VALUE); /* its text is not read */
  assert_failed(GrB_Vector_reduce_FP64(&x, NULL, NULL, w, NULL), GrB_NULL_POINTER, "argument monoid");
  GrB_Vector_free(&w), GrB_Vector_free(&u);
  GrB_Matrix copy = A;
  GrB_Matrix_free(&A);
  assert_null(A);
  (void)copy;
  OK(GrB_Matrix_free(&A));
}

/* Local entries: one process may read them alone, also while changes are pending. */
static void local_reads(void **state) {
  GrB_Matrix A = new_matrix(GrB_INT32, 200, 300);
  for (GrB_Index k = 0; k < 200; k++) OK(GrB_Matrix_setElement_INT32(A, (int32_t)k, k, (k * 17) % 300));
  uint64_t sum = 0, want = 0;
  if (Grid_rank() == Grid_size() - 1) {
    GrB_Index n = 0, at[200];
    int32_t v[200];
    if (Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A) == GrB_SUCCESS && n <= 200 &&
        Grid_Matrix_extractLocal(at, NULL, v, &n, A) == GrB_SUCCESS)
      for (GrB_Index k = 0; k < n; k++) sum += (uint64_t)v[k] + (at[k] != (GrB_Index)v[k]) * 1000000;
    if (n) {
      GrB_Index capacity = n - 1;
      if (Grid_Matrix_extractLocal(at, NULL, v, &capacity, A) != GrB_INSUFFICIENT_SPACE || capacity != n)
        sum = 1 << 30;
    }
  }
  uint64_t all_local = 1;
  OK(Grid_sum(&all_local, 1));
  GrB_Index n = 200, at[200];
  int32_t v[200];
  if (Grid_rank() < Grid_size() - 1 && Grid_Matrix_extractLocal(at, NULL, v, &n, A) == GrB_SUCCESS)
    for (GrB_Index k = 0; k < n; k++) sum += (uint64_t)v[k];
  for (uint64_t k = 0; k < 200; k++) want += k;
  OK(Grid_sum(&sum, 1));
  assert_int_equal(sum, want);
  GrB_Matrix_free(&A);
}

/* Replicated tuples, of which each process takes some: mixed, in order, and in order except for one. */
static void shared_building(void **state) {
  enum { N = 700 };
  static model m;
  static GrB_Index r[N], c[N];
  static double v[N];
  static bool b[N];
  const uint64_t from = grid_tune.shared_check_min;
  grid_tune.shared_check_min = 1;
  building(state);
  errors(state);
  for (int round = 0; round < 12; round++) {
    const GrB_Index step = round % 3 == 2 ? 40 : 7;
    m = (model){.nrows = N * step / 10 + 1, .ncols = 97};
    for (GrB_Index k = 0; k < N; k++) {
      r[k] = k * step / 10, c[k] = step == 7 ? k % 96 + (k % 10 == 0) : 5 * (k % 3);
      v[k] = round & 1 ? (double)(k & 1) : (double)k;
      b[k] = k & 1;
    }
    if (round >= 6) { /* one is not where it belongs */
      const size_t odd = (size_t)round * 50;
      const GrB_Index other = r[odd];
      r[odd] = r[N - 1], r[N - 1] = other;
    }
    for (size_t k = 0; k < N; k++) {
      const size_t at = find(&m, r[k], c[k]);
      if (at == m.n)
        set(&m, r[k], c[k], v[k]);
      else
        m.e[at].v = v[k];
    }
    GrB_Matrix A = new_matrix(round & 1 ? GrB_BOOL : GrB_FP64, m.nrows, m.ncols);
    if (round & 1)
      OK(GrB_Matrix_build_BOOL(A, r, c, b, N, GrB_SECOND_BOOL));
    else
      OK(GrB_Matrix_build_FP64(A, r, c, v, N, GrB_SECOND_FP64));
    check(A, &m);
    GrB_Matrix_free(&A);
  }
  grid_tune.shared_check_min = from;
}

/* Columns with a few entries and two with thousands, which all threads count; the same after a change. */
static void degrees_of_columns(void **state) {
  enum { ROWS = 3000, COLS = 2000, LENGTH = 18 };
  static GrB_Index row[ROWS * LENGTH], col[ROWS * LENGTH], at[COLS];
  static bool one[ROWS * LENGTH];
  static uint64_t want[COLS], degree[COLS];
  GrB_Matrix A;
  GrB_Vector w;
  GrB_Index n = 0, first, count;
  memset(want, 0, sizeof want);
  for (GrB_Index r = 0; r < ROWS; r++)
    for (GrB_Index k = 0; k < LENGTH; k++, n++) {
      row[n] = r, col[n] = k < 2 ? k : 2 + (r * 41 + k * 101) % (COLS - 2), one[n] = true;
      want[col[n]]++;
    }
  OK(GrB_Matrix_new(&A, GrB_BOOL, ROWS, COLS));
  OK(GrB_Vector_new(&w, GrB_UINT64, COLS));
  OK(GrB_Matrix_build_BOOL(A, row, col, one, n, NULL));
  OK(Grid_local_range(COLS, &first, &count));
  for (int turn = 0; turn < 3; turn++) {
    GrB_Index found = count;
    bool fine = true;
    if (turn == 2) OK(GrB_Matrix_removeElement(A, 5, 1));
    if (turn == 2) want[1]--;
    OK(Grid_Matrix_degree(w, A, true));
    OK(Grid_Vector_extractLocal(at, degree, &found, w));
    for (GrB_Index k = 0; k < found; k++) fine = fine && at[k] == first + k && degree[k] == want[at[k]];
    assert_on_all(fine && found == count);
  }
  GrB_Matrix_free(&A);
  GrB_Vector_free(&w);
}

/* A new threshold of delegates splits a matrix whose degrees are known. */
static void degrees_after_new_threshold(void **state) {
  enum { N = 70 };
  GrB_Matrix A = new_matrix(GrB_FP64, N, N);
  GrB_Vector w;
  OK(GrB_Vector_new(&w, GrB_INT64, N));
  for (GrB_Index k = 0; k < N; k++) {
    OK(GrB_Matrix_setElement_FP64(A, 1, k, k * 3 % N));
    OK(GrB_Matrix_setElement_FP64(A, 1, k, 5));
  }
  GrB_Index nvals;
  OK(GrB_Matrix_nvals(&nvals, A));
  for (int32_t th = 4; th >= 0; th -= 2) {
    OK(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, w, NULL));
    OK(GrB_Matrix_set_INT32(A, th, Grid_DELEGATES));
    for (int side = 0; side < 2; side++) {
      int64_t sum = -1;
      OK(Grid_Matrix_degree(w, A, side));
      OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, w, NULL));
      assert_int_equal(sum, nvals);
    }
  }
  GrB_Matrix_free(&A);
  GrB_Vector_free(&w);
}

/* So many entries that they are written past the caches, to arrays that begin inside a cache line. */
static void streamed_tuples(void **state) {
  enum { MANY = (1 << 22) + 1001, COLS = 3000 };
  if (Grid_size() > 1) skip(); /* each process reads its share */
  GrB_Index *row = malloc(MANY * sizeof *row), *col = malloc(MANY * sizeof *col), n = MANY, r = 0;
  GrB_Index *i = malloc((MANY + 1) * sizeof *i), *j = malloc((MANY + 1) * sizeof *j);
  int32_t *x = malloc(MANY * sizeof *x), *y = malloc((MANY + 1) * sizeof *y);
  GrB_Matrix A;
  for (GrB_Index k = 0, length = 0, at = 0; k < MANY; k++, at++) {
    if (at == length) at = 0, r += 1 + (r % 97 == 0), length = r % 1000 ? 1 + r % 13 : 300;
    row[k] = r, col[k] = 9 * at + r % 5, x[k] = (int32_t)(k * 31);
  }
  OK(GrB_Matrix_new(&A, GrB_INT32, r + 1, COLS));
  OK(GrB_Matrix_build_INT32(A, row, col, x, MANY, GrB_SECOND_INT32));
  OK(GrB_Matrix_extractTuples_INT32(i + 1, j + 1, y + 1, &n, A));
  assert_int_equal(n, MANY);
  assert_true(memcmp(i + 1, row, MANY * sizeof *row) == 0 && memcmp(j + 1, col, MANY * sizeof *col) == 0);
  assert_true(memcmp(y + 1, x, MANY * sizeof *x) == 0);
  free(row), free(col), free(x), free(i), free(j), free(y);
  GrB_Matrix_free(&A);
}

/* A tuple of 16 bytes, with indices of 64 bits of 24, is sent and received, sorted, and becomes an entry;
 * what was read is freed. */
static void memory_of_a_build(void **state) {
  enum { TUPLES = 1 << 16, SIDE = 1 << 14 };
  static GrB_Index r[TUPLES], c[TUPLES];
  static double x[TUPLES];
  GrB_Matrix A;
  uint64_t peak;
  const uint64_t usual = seed;
  seed += (uint64_t)Grid_rank();
  for (size_t k = 0; k < TUPLES; k++) r[k] = draw(SIDE), c[k] = draw(SIDE), x[k] = (double)k;
  seed = usual;
  OK(GrB_Matrix_new(&A, GrB_FP64, SIDE, SIDE));
  const uint64_t before = Grid_memory(NULL, true);
  OK(Grid_Matrix_build(A, r, c, x, GrB_FP64, TUPLES, GrB_MIN_FP64, 0));
  Grid_memory(&peak, false);
  const uint64_t most = A->block.nvals > TUPLES ? A->block.nvals : TUPLES;
  assert_on_all(peak - before < (grid_index_fits32(SIDE) ? 33 : 54) * most);
  OK(GrB_Matrix_free(&A));
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(streamed_tuples), cmocka_unit_test(building),
               cmocka_unit_test(memory_of_a_build), cmocka_unit_test(flags), cmocka_unit_test(elements),
               cmocka_unit_test(user_types), cmocka_unit_test(reductions), cmocka_unit_test(errors),
               cmocka_unit_test(local_reads), cmocka_unit_test(element_changes), cmocka_unit_test(formats),
               cmocka_unit_test(shared_building), cmocka_unit_test(many_reads),
               cmocka_unit_test(many_reads_beside_calls), cmocka_unit_test(sums_after_changes),
               cmocka_unit_test(degrees_of_columns), cmocka_unit_test(degrees_after_new_threshold))
