/* GrB_Matrix_resize between dimensions from 1 to 2^60, of few entries, of bitmaps, and of values of any size,
 * against a list of the entries; on any number of processes. (unit_kronecker.c has dense matrices.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "semiring/support/mem.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal((call), GrB_SUCCESS)

enum { MOST = 64, VALUE = 40 };

typedef struct {
  GrB_Index i, j;
  unsigned char x[VALUE];
} entry;
typedef struct {
  entry at[MOST];
  uint64_t n;
} list;

static GrB_Index draw_below(GrB_Index n) {
  return (draw(1 << 30) << 30 | draw(1 << 30)) % n;
}

static int compare_positions(const void *a, const void *b) {
  const entry *p = a, *q = b;
  if (p->i != q->i) return p->i < q->i ? -1 : 1;
  return p->j < q->j ? -1 : p->j > q->j;
}

/* At most n distinct entries of an m x k matrix; `one`: all have one value. */
static void draw_entries(list *l, uint64_t n, GrB_Index m, GrB_Index k, bool one) {
  list all = {.n = 0};
  for (; all.n < n; all.n++) {
    entry *e = &all.at[all.n];
    e->i = draw_below(draw_one_in(2) ? m : 1 + (m - 1) % 7), e->j = draw_below(k);
    memset(e->x, one ? 5 : (int)draw(250), VALUE);
  }
  qsort(all.at, all.n, sizeof *all.at, compare_positions);
  l->n = 0;
  for (uint64_t e = 0; e < all.n; e++)
    if (e == 0 || compare_positions(&all.at[e], &all.at[e - 1])) l->at[l->n++] = all.at[e];
}

static void drop_outside(list *l, GrB_Index m, GrB_Index k) {
  uint64_t n = 0;
  for (uint64_t e = 0; e < l->n; e++)
    if (l->at[e].i < m && l->at[e].j < k) l->at[n++] = l->at[e];
  l->n = n;
}

static GrB_Matrix matrix_of(const list *l, GrB_Type type, size_t size, GrB_Index m, GrB_Index k) {
  GrB_Matrix A = NULL;
  GrB_Index i[MOST], j[MOST];
  unsigned char x[MOST * VALUE];
  for (uint64_t e = 0; e < l->n; e++) {
    i[e] = l->at[e].i, j[e] = l->at[e].j;
    memcpy(x + e * size, l->at[e].x, size);
  }
  OK(GrB_Matrix_new(&A, type, m, k)), OK(GrB_Matrix_build_UDT(A, i, j, x, l->n, NULL));
  return A;
}

static void check(const list *l, GrB_Matrix A, size_t size, GrB_Index m, GrB_Index k) {
  GrB_Index n = MOST, nrows, ncols, i[MOST], j[MOST];
  unsigned char x[MOST * VALUE];
  OK(GrB_Matrix_nrows(&nrows, A)), OK(GrB_Matrix_ncols(&ncols, A));
  OK(GrB_Matrix_extractTuples_UDT(i, j, x, &n, A));
  list have = {.n = n};
  for (uint64_t e = 0; e < n; e++) {
    have.at[e] = (entry){.i = i[e], .j = j[e]};
    memcpy(have.at[e].x, x + e * size, size);
  }
  qsort(have.at, n, sizeof *have.at, compare_positions);
  bool fine = n == l->n && nrows == m && ncols == k;
  for (uint64_t e = 0; fine && e < n; e++)
    fine = !compare_positions(&have.at[e], &l->at[e]) && !memcmp(have.at[e].x, l->at[e].x, size);
  assert_on_all(fine);
}

/* Twice, and back. */
static void resize_all(GrB_Index m, GrB_Index k, uint64_t n, const GrB_Index to[3][2]) {
  const size_t size = 1 + draw(VALUE);
  GrB_Type type = NULL;
  list l;
  OK(GrB_Type_new(&type, size));
  draw_entries(&l, n, m, k, draw_one_in(3));
  GrB_Matrix A = matrix_of(&l, type, size, m, k);
  for (int step = 0; step < 3; step++) {
    if (draw_one_in(3)) OK(GrB_wait(A, GrB_MATERIALIZE));
    const GrB_Info info = GrB_Matrix_resize(A, to[step][0], to[step][1]);
    if (info != GrB_SUCCESS) print_message("%s\n", Grid_last_error());
    OK(info);
    drop_outside(&l, to[step][0], to[step][1]);
    check(&l, A, size, to[step][0], to[step][1]);
  }
  OK(GrB_free(&A)), OK(GrB_free(&type));
}

/* Shapes that were reported to give GrB_OUT_OF_MEMORY on 2 x 2, 3 x 2 and 1 x 3 processes. */
static void named_shapes(void **state) {
  static const struct {
    GrB_Index m, k;
    uint64_t n;
  } from[] = {{88, UINT64_C(1350272556675663), 29}, {40, 12, 64}, {3, 5, 4}, {3, 5, 15}};
  for (size_t s = 0; s < sizeof from / sizeof *from; s++)
    for (int round = 0; round < 4; round++) {
      const GrB_Index m = from[s].m, k = from[s].k;
      const GrB_Index to[3][2] = {{m + draw(200), 1 + draw_below(k)}, {1 + draw(m), k}, {m, k}};
      resize_all(m, k, from[s].n, to);
    }
}

static void drawn_shapes(void **state) {
  static const GrB_Index dims[] = {
      1, 12, 64, 300, 70000, UINT32_MAX - 9, UINT64_C(1) << 48, (UINT64_C(1) << 60) - 1, UINT64_C(1) << 60};
  for (int round = 0; round < (Grid_size() == 1 ? 400 : 60); round++) {
    GrB_Index to[3][2];
    for (int step = 0; step < 6; step++) to[step / 2][step % 2] = dims[draw(9)];
    resize_all(dims[draw(9)], dims[draw(9)], draw(MOST), to);
  }
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(named_shapes), cmocka_unit_test(drawn_shapes)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

int main(void) {
  const int failed = run_on_shapes(group);
  return failed || grid_mem_live() != 0;
}
