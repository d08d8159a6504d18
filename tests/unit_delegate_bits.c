/* Products of matrices whose block of delegates is bit rows (spmat/matrix/bit_rows.h): a dense core of hubs
 * with sparse vertices around it, symmetric or not, against the same product without delegates. Runs on any
 * number of processes. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

enum { N = 900, HUBS = 150, THRESHOLD = 60 };
static bool edge[N][N];

/* Hubs are scattered over the vertices. Every process draws the same, and gives its share. */
static GrB_Matrix draw_matrix(bool symmetric, bool hubs_differ) {
  static GrB_Index row[N * N], col[N * N];
  GrB_Index n = 0, given = 0;
  GrB_Matrix A;
  for (int r = 0; r < N; r++)
    for (int c = 0; c < N; c++) edge[r][c] = false;
  for (GrB_Index r = 0; r < N; r++)
    for (GrB_Index c = 0; c < N; c++) {
      const bool core = r % 6 == 1 && c % 6 == 1;
      if (core ? draw(3) > 0 || (hubs_differ && c < N / 3) : draw(60) == 0) edge[r][c] = true;
      if (symmetric && edge[r][c]) edge[c][r] = true;
    }
  for (GrB_Index r = 0; r < N; r++)
    for (GrB_Index c = 0; c < N; c++)
      if (edge[r][c] && (int)(n++ % (GrB_Index)Grid_size()) == Grid_rank()) row[given] = r, col[given++] = c;
  assert_on_all(GrB_Matrix_new(&A, GrB_BOOL, N, N) == GrB_SUCCESS &&
                Grid_Matrix_build(A, row, col, NULL, NULL, given, NULL, 0) == GrB_SUCCESS);
  return A;
}

static GrB_Vector draw_vector(GrB_Type type, uint64_t percent, bool *in) {
  static GrB_Index at[N];
  static int64_t value[N];
  GrB_Index n = 0;
  GrB_Vector v;
  for (GrB_Index k = 0; k < N; k++)
    if ((in[k] = draw(100) < percent)) at[n] = k, value[n++] = (int64_t)draw(9) - 3;
  assert_on_all(GrB_Vector_new(&v, type, N) == GrB_SUCCESS &&
                GrB_Vector_build_INT64(v, at, value, n, GrB_PLUS_INT64) == GrB_SUCCESS);
  return v;
}

/* The entries of v, of which there are *n. */
static void entries(GrB_Vector v, GrB_Index *at, int64_t *value, GrB_Index *n) {
  *n = N;
  assert_on_all(GrB_Vector_extractTuples_INT64(at, value, n, v) == GrB_SUCCESS);
}

/* ANY: every value is a neighbor that is in x, as `flip` multiplies. */
static bool is_any_right(const GrB_Index *at, const int64_t *value, GrB_Index n, const bool *x, bool flip) {
  for (GrB_Index k = 0; k < n; k++) {
    const int64_t u = value[k];
    if (u < 0 || u >= N || !x[u] || !(flip ? edge[u][at[k]] : edge[at[k]][u])) return false;
  }
  return true;
}

/* One product with delegates and without. */
static void compare(GrB_Matrix A, GrB_Semiring s, bool any, uint64_t percent) {
  static GrB_Index at[2][N], n[2];
  static int64_t value[2][N];
  static bool in[N], allowed[N];
  const bool flip = draw(2), masked = draw(4) > 0;
  const int32_t direction = (int32_t)draw(3);
  GrB_Vector x = draw_vector(s == Grid_PLUS_ONEB_SEMIRING_UINT64 ? GrB_BOOL : GrB_INT64, percent, in),
             m = masked ? draw_vector(GrB_BOOL, 20 + 20 * draw(4), allowed) : NULL;
  const GrB_Descriptor d = masked ? GrB_DESC_RSC : NULL;
  for (int k = 0; k < 2; k++) {
    GrB_Vector y;
    Grid_Storage st;
    assert_on_all(GrB_Vector_new(&y, GrB_INT64, N) == GrB_SUCCESS &&
                  GrB_Matrix_set_INT32(A, k ? THRESHOLD : Grid_DELEGATES_OFF, Grid_DELEGATES) ==
                      GrB_SUCCESS &&
                  GrB_Matrix_set_INT32(A, direction, Grid_DIRECTION) == GrB_SUCCESS);
    assert_on_all((flip ? GrB_vxm(y, m, NULL, s, x, A, d) : GrB_mxv(y, m, NULL, s, A, x, d)) == GrB_SUCCESS);
    assert_on_all(Grid_Matrix_storage(&st, A) == GrB_SUCCESS);
    int R, C;
    Grid_shape(&R, &C);
    if (k && !(st.symmetric && C == 1 && R > 1)) /* there delegates are numbered in place */
      assert_on_all(st.delegates >= HUBS - 10 && st.dd_bits && st.nn + st.nd + st.dn + st.dd == st.nvals);
    entries(y, at[k], value[k], &n[k]);
    GrB_Vector_free(&y);
  }
  bool same = n[0] == n[1];
  for (GrB_Index k = 0; k < n[0] && same; k++)
    same = at[0][k] == at[1][k] && (any || value[0][k] == value[1][k]);
  assert_on_all(same && (!any || is_any_right(at[1], value[1], n[1], in, flip)));
  GrB_Vector_free(&x), GrB_Vector_free(&m);
}

static void products(void **state) {
  const GrB_Semiring all[] = {Grid_ANY_SECONDI_SEMIRING_INT64, Grid_ANY_ONEB_SEMIRING_BOOL,
                              Grid_MIN_SECONDI_SEMIRING_INT64, GrB_PLUS_TIMES_SEMIRING_INT64,
                              Grid_PLUS_ONEB_SEMIRING_UINT64,  GrB_LOR_LAND_SEMIRING_BOOL,
                              GrB_MIN_PLUS_SEMIRING_INT64,     GxB_PLUS_SECONDI_INT64,
                              GrB_MAX_SECOND_SEMIRING_INT64,   GrB_LXOR_LAND_SEMIRING_BOOL};
  static const uint64_t percent[] = {0, 1, 10, 60, 100};
  for (int round = 0; round < 4; round++) {
    GrB_Matrix A = draw_matrix(round & 1, round & 2);
    for (int k = 0; k < 10; k++)
      for (int p = 0; p < 3; p++) compare(A, all[k], k == 0, percent[draw(5)]);
    GrB_Matrix_free(&A);
  }
}

static void add_bytes(const Grid_Product *p, void *context) {
  *(uint64_t *)context += p->delegate_bytes;
}

/* One vertex has few hubs as neighbors: a product sends their sums to the owners, and no other values. */
static void few_contributions(void **state) {
  GrB_Matrix A = draw_matrix(true, false);
  GrB_Vector x = NULL, y = NULL;
  uint64_t bytes = 0;
  assert_on_all(GrB_Matrix_set_INT32(A, THRESHOLD, Grid_DELEGATES) == GrB_SUCCESS &&
                GrB_Vector_new(&x, GrB_INT64, N) == GrB_SUCCESS &&
                GrB_Vector_new(&y, GrB_INT64, N) == GrB_SUCCESS &&
                GrB_Vector_setElement_INT64(x, 1, 0) == GrB_SUCCESS);
  Grid_trace(add_bytes, &bytes);
  assert_on_all(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, x, NULL) == GrB_SUCCESS);
  Grid_trace(NULL, NULL);
  assert_on_all(bytes < (uint64_t)Grid_size() * HUBS * sizeof(int64_t));
  GrB_Vector_free(&x), GrB_Vector_free(&y), GrB_Matrix_free(&A);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(products), cmocka_unit_test(few_contributions))
