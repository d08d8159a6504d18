/* The request/reply protocol with owners (dist/delegates/owner_requests.c): masked products of symmetric
 * patterns where any hit is valid, against a plain loop. They run on every grid shape, with thresholds from
 * all vertices to none, pushed and pulled, of frontiers and masks of every density. The traffic shows which
 * method a pull used. With GRIDBLAS_TUNE=index32_max=500 most graphs have more vertices than 32 bits number,
 * and fewer on a process. */
#include <stdlib.h>
#include <string.h>

#include "dist/grid/layout.h"
#include "gridblas_algos.h"
#include "semiring/support/tuning.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { MOST = 1200 };

static struct {
  GrB_Index n;
  bool edge[MOST][MOST];
} graph;

static uint64_t chance_state = 1;
static uint64_t chance(uint64_t n) {
  chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (chance_state >> 33) % n;
}

static void add_edge(GrB_Index a, GrB_Index b) {
  graph.edge[a][b] = graph.edge[b][a] = true;
}

/* Some hubs and a sparse rest; a path; a star; a few entries in a large dimension. Hubs only, so that other
 * processes' normal vertices are adjacent to delegates alone. The first again, within a range of the
 * vertices, so that neighbouring processes have no entries. */
static GrB_Matrix draw(int kind) {
  static GrB_Index row[MOST * MOST / 8], col[MOST * MOST / 8];
  GrB_Index m = 0;
  memset(&graph, 0, sizeof graph);
  const GrB_Index n = graph.n = kind == 3 ? MOST : 2 + chance(MOST - 2);
  if (kind == 0)
    for (GrB_Index k = 0; k < 6 * n; k++) add_edge(chance(3) ? chance(n) : chance(n) % 11, chance(n));
  if (kind == 1)
    for (GrB_Index k = 0; k + 1 < n; k++) add_edge(k, k + 1);
  if (kind == 2)
    for (GrB_Index k = 0; k < n; k++) add_edge(n / 2, k);
  if (kind == 3)
    for (int k = 0; k < 9; k++) add_edge(chance(n), chance(n));
  if (kind == 4)
    for (GrB_Index k = 0; k < 2 * n; k++) add_edge(n * chance(11) / 11, chance(n));
  for (GrB_Index k = 0, from = n / 3, range = n / 3 + 1; kind == 5 && k < 2 * n; k++)
    add_edge(from + (chance(3) ? chance(range) : chance(range) % 11), from + chance(range));
  for (GrB_Index i = 0; i < n; i++)
    for (GrB_Index j = i; j < n; j++)
      if (graph.edge[i][j] && (i + j) % (GrB_Index)Grid_size() == (GrB_Index)Grid_rank() &&
          m < MOST * MOST / 8)
        row[m] = i, col[m++] = j;
  GrB_Matrix A;
  assert_on_all(GrB_Matrix_new(&A, GrB_BOOL, n, n) == GrB_SUCCESS &&
                Grid_Matrix_build(A, row, col, NULL, NULL, m, NULL, Grid_MIRROR) == GrB_SUCCESS);
  return A;
}

/* Every vertex with this chance in a hundred; one in thirty times 0. */
static void draw_set(bool *in, uint64_t percent) {
  for (GrB_Index v = 0; v < graph.n; v++) in[v] = chance(100) < percent;
}

static GrB_Vector vector_of(const bool *in, GrB_Type type) {
  static GrB_Index at[MOST];
  static int64_t one[MOST];
  GrB_Index n = 0;
  GrB_Vector v;
  for (GrB_Index k = 0; k < graph.n; k++)
    if (in[k]) at[n] = k, one[n++] = 1;
  assert_on_all(GrB_Vector_new(&v, type, graph.n) == GrB_SUCCESS &&
                GrB_Vector_build_INT64(v, at, one, n, GrB_PLUS_INT64) == GrB_SUCCESS);
  return v;
}

/* w<mask> = x any.secondi A has what it must have, and each value is a neighbour in x. */
static bool is_right(GrB_Vector w, const bool *x, const bool *mask, bool complement, bool positions) {
  static GrB_Index at[MOST];
  static int64_t value[MOST];
  GrB_Index n = MOST, k = 0;
  if (GrB_Vector_extractTuples_INT64(at, value, &n, w) != GrB_SUCCESS) return false;
  for (GrB_Index v = 0; v < graph.n; v++) {
    bool hit = false;
    for (GrB_Index u = 0; u < graph.n && !hit; u++) hit = x[u] && graph.edge[u][v];
    if (!hit || mask[v] == complement) continue;
    if (k == n || at[k] != v) return false;
    const int64_t parent = value[k++];
    if (positions && (parent < 0 || parent >= (int64_t)graph.n || !x[parent] || !graph.edge[parent][v]))
      return false;
    if (!positions && parent != 1) return false;
  }
  return k == n;
}

static uint64_t asked, asked_long, by_lists;
static void watch(const Grid_Product *p, void *context) {
  (void)context;
  if (strcmp(p->direction, "pull") != 0) return;
  asked += p->fold_bytes > 0;
  asked_long += p->fold_bytes > 0 && !grid_index_fits32(graph.n);
  by_lists += p->delegate_bytes > 0 && p->expand_bytes > 0;
}

static void products(void **state) {
  static bool x[MOST], mask[MOST];
  static const int32_t threshold[] = {0, 2, 5, 12, 60, 1000000, Grid_DELEGATES_AUTO, Grid_DELEGATES_OFF};
  static const uint64_t percent[] = {0, 1, 10, 50, 100};
  int R, C;
  Grid_shape(&R, &C);
  asked = asked_long = by_lists = 0;
  Grid_trace(watch, NULL);
  for (int turn = 0; turn < 240; turn++) {
    GrB_Matrix A = draw(turn >= 180 ? 5 : turn % 9 < 5 ? 0 : turn % 9 - 4);
    const bool positions = turn % 3 > 0, complement = chance(2);
    draw_set(x, percent[chance(5)]);
    draw_set(mask, percent[chance(5)]);
    GrB_Vector u = vector_of(x, GrB_BOOL), m = vector_of(mask, GrB_BOOL), w;
    assert_on_all(GrB_Vector_new(&w, GrB_INT64, graph.n) == GrB_SUCCESS);
    assert_on_all(GrB_Matrix_set_INT32(A, threshold[chance(8)], Grid_DELEGATES) == GrB_SUCCESS);
    assert_on_all(GrB_Matrix_set_INT32(A, (int32_t)chance(3), Grid_DIRECTION) == GrB_SUCCESS);
    const GrB_Semiring s = positions ? Grid_ANY_SECONDI_SEMIRING_INT64 : Grid_ANY_ONEB_SEMIRING_BOOL;
    assert_on_all(GrB_vxm(w, m, NULL, s, u, A, complement ? GrB_DESC_SC : GrB_DESC_S) == GrB_SUCCESS);
    assert_on_all(is_right(w, x, mask, complement, positions));
    GrB_Vector_free(&u), GrB_Vector_free(&m), GrB_Vector_free(&w), GrB_Matrix_free(&A);
  }
  Grid_trace(NULL, NULL);
  if (C == 1 && R > 1) { /* both were met */
    assert_true(asked > 0);
    assert_true(by_lists > 0);
    assert_true(asked_long > 0 || grid_index_fits32(MOST) || !grid_index_fits32(grid_block_rows(MOST)));
  }
}

/* Delegates that the library numbers by itself on a slow network, and the sum of a search's levels. */
static void search(uint64_t *delegates, int64_t *sum) {
  enum { SCALE = 15 };
  Grid_Edges e;
  Grid_Storage st;
  GrB_Matrix A;
  GrB_Vector level;
  OK(Grid_rmat(&e, SCALE, 16, 1));
  OK(GrB_Matrix_new(&A, GrB_BOOL, 1 << SCALE, 1 << SCALE));
  OK(Grid_Matrix_build(A, e.rows, e.cols, NULL, NULL, e.n, NULL, Grid_MIRROR | Grid_NO_LOOPS));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  OK(Grid_bfs(&level, NULL, A, 397 * 3, -1));
  OK(GrB_Vector_reduce_INT64(sum, NULL, GrB_PLUS_MONOID_INT64, level, NULL));
  OK(Grid_Matrix_storage(&st, A));
  *delegates = st.delegates;
  Grid_Edges_free(&e);
  OK(GrB_Vector_free(&level));
  OK(GrB_Matrix_free(&A));
}

/* 32 bits number all vertices, then those of a process alone. */
static void automatic(void **state) {
  const uint64_t before = grid_tune.index32_max;
  uint64_t delegates[2];
  int64_t sum[2];
  int R, C;
  Grid_shape(&R, &C);
  if (C > 1 || R == 1) return;
  setenv("GRIDBLAS_NETWORK", "1e-6,1e6", 1);
  for (int k = 0; k < 2; k++) {
    grid_tune.index32_max = k ? 20000 : before;
    search(&delegates[k], &sum[k]);
  }
  grid_tune.index32_max = before;
  unsetenv("GRIDBLAS_NETWORK");
  assert_on_all(sum[0] == sum[1] && sum[0] > 1000);
  if (before > 1 << 15) assert_true(delegates[0] > 0 && delegates[1] == delegates[0]);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(products), cmocka_unit_test(automatic))
