/* Pulls whose rows are passed from process to process (dist/product/exchange/pull_ring.c), on every grid
 * shape. Results are compared with a plain loop, and the number of inspected entries with a count of what
 * each process in turn must inspect. */
#include <stdlib.h>
#include <string.h>

#include "dist/grid/layout.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

enum { MOST = 700 };

static struct {
  GrB_Index n;
  bool symmetric, columns; /* are outputs columns? */
  bool present[MOST][MOST], value[MOST][MOST];
  uint64_t degree[MOST]; /* rows' and columns' together */
} graph;

static uint64_t chance_state = 1;
static uint64_t chance(uint64_t n) {
  chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (chance_state >> 33) % n;
}

static void put(GrB_Index i, GrB_Index j, bool value) {
  if (graph.present[i][j]) return;
  graph.present[i][j] = true, graph.value[i][j] = value;
  graph.degree[i]++, graph.degree[j]++;
}

/* Hubs and a thin rest, or a few entries. */
static void draw_entries(bool symmetric, bool sparse, bool values) {
  memset(&graph, 0, sizeof graph);
  graph.n = sparse ? MOST : 2 + chance(MOST - 2);
  graph.symmetric = symmetric;
  for (GrB_Index k = 0; k < (sparse ? 20 : 5 * graph.n); k++) {
    const GrB_Index i = sparse || chance(3) ? chance(graph.n) : chance(graph.n) % 11 % graph.n,
                    j = chance(graph.n);
    const bool value = !values || chance(4) > 0;
    put(i, j, value);
    if (symmetric) put(j, i, value);
  }
}

static GrB_Matrix matrix_of_graph(bool values) {
  static GrB_Index row[MOST * MOST / 16], col[MOST * MOST / 16];
  static bool value[MOST * MOST / 16];
  GrB_Index m = 0;
  for (GrB_Index i = 0; i < graph.n; i++)
    for (GrB_Index j = graph.symmetric ? i : 0; j < graph.n; j++) {
      if (!graph.present[i][j] || (i + j) % (GrB_Index)Grid_size() != (GrB_Index)Grid_rank()) continue;
      row[m] = i, col[m] = j, value[m++] = graph.value[i][j];
    }
  GrB_Matrix A;
  assert_on_all(GrB_Matrix_new(&A, GrB_BOOL, graph.n, graph.n) == GrB_SUCCESS &&
                Grid_Matrix_build(A, row, col, values ? value : NULL, values ? GrB_BOOL : NULL, m, NULL,
                                  graph.symmetric ? Grid_MIRROR : 0) == GrB_SUCCESS);
  assert_on_all(GrB_Matrix_set_INT32(A, Grid_DELEGATES_OFF, Grid_DELEGATES) == GrB_SUCCESS &&
                GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION) == GrB_SUCCESS);
  return A;
}

static GrB_Vector vector_of(const bool *in) {
  static GrB_Index at[MOST];
  static bool one[MOST];
  GrB_Index n = 0;
  GrB_Vector v;
  for (GrB_Index k = 0; k < graph.n; k++)
    if (in[k]) at[n] = k, one[n++] = true;
  assert_on_all(GrB_Vector_new(&v, GrB_BOOL, graph.n) == GrB_SUCCESS &&
                GrB_Vector_build_BOOL(v, at, one, n, GrB_LOR) == GrB_SUCCESS);
  return v;
}

/* Has output v an entry for input u? */
static bool has_edge(GrB_Index v, GrB_Index u) {
  return graph.columns ? graph.present[u][v] : graph.present[v][u];
}

/* ---- what is right ---- */

typedef enum { POSITIONS, PATTERN, VALUES } kind;

static bool is_right(GrB_Vector w, const bool *x, const bool *open, kind of) {
  static GrB_Index at[MOST];
  static int64_t value[MOST];
  GrB_Index n = MOST, k = 0;
  if (GrB_Vector_extractTuples_INT64(at, value, &n, w) != GrB_SUCCESS) return false;
  for (GrB_Index v = 0; v < graph.n; v++) {
    bool hit = false, any = false;
    for (GrB_Index u = 0; u < graph.n; u++) {
      if (!x[u] || !has_edge(v, u)) continue;
      hit = true;
      any = any || (graph.columns ? graph.value[u][v] : graph.value[v][u]);
    }
    if (!hit || !open[v]) continue;
    if (k == n || at[k] != v) return false;
    const int64_t got = value[k++];
    if (of == POSITIONS && (got < 0 || got >= (int64_t)graph.n || !x[got] || !has_edge(v, (GrB_Index)got)))
      return false;
    if (of != POSITIONS && got != any) return false;
  }
  return k == n;
}

/* ---- inspected entries --------------------------------------------------------------------------------- */

/* The member, of those that share a row, that has input u, and the owner of output v. */
static int input_owner(GrB_Index u, bool transposed) {
  const int chunk = grid_chunk_of(graph.n, u);
  return transposed ? chunk % grid_ctx.R : chunk / grid_ctx.R;
}
static int owner(GrB_Index v, bool transposed) {
  const int chunk = grid_chunk_of(graph.n, v);
  return transposed ? chunk % grid_ctx.R : chunk / grid_ctx.R;
}

/* The entries that member s inspects for output v: its neighbour of highest degree, then, if that is no hit
 * and there are more, all from the first on. */
static uint64_t count_inspected(GrB_Index v, int s, const bool *x, bool transposed, bool *hit) {
  GrB_Index best = MOST, entries = 0, until = 0;
  *hit = false;
  for (GrB_Index u = 0; u < graph.n; u++) {
    if (!has_edge(v, u) || input_owner(u, transposed) != s) continue;
    entries++;
    if (best == MOST || graph.degree[u] > graph.degree[best]) best = u;
    if (!*hit) until++;
    *hit = *hit || x[u];
  }
  if (entries == 0 || entries == 1) return entries;
  return x[best] ? 1 : 1 + until;
}

/* The neighbour of highest degree, the first of several; MOST: there is none. */
static GrB_Index row_hub_of(GrB_Index v) {
  GrB_Index best = MOST;
  for (GrB_Index u = 0; u < graph.n; u++)
    if (has_edge(v, u) && (best == MOST || graph.degree[u] > graph.degree[best])) best = u;
  return best;
}

/* Row hubs are few: then they are tried. */
static bool has_row_hubs(void) {
  static bool row_hubs[MOST + 1];
  GrB_Index d = 0;
  memset(row_hubs, 0, sizeof row_hubs);
  for (GrB_Index v = 0; v < graph.n; v++) row_hubs[row_hub_of(v)] = true;
  for (GrB_Index u = 0; u < graph.n; u++) d += row_hubs[u];
  return d > 0 && d <= graph.n / 8;
}

/* The owner, then one after the other, then all others at once; row_hubs: the row's hub before all of them,
 * and no process after the owner alone. */
static uint64_t inspected_in_row(GrB_Index v, const bool *x, bool transposed, int S, bool row_hubs) {
  int steps = 1, k = 0;
  uint64_t sum = 0;
  bool hit = false, one;
  const GrB_Index row_hub = row_hubs ? row_hub_of(v) : MOST;
  if (row_hub < MOST) sum++, hit = x[row_hub];
  while (1 << steps < S && !row_hubs) steps++;
  for (; k < steps && !hit; k++)
    sum += count_inspected(v, (owner(v, transposed) + k) % S, x, transposed, &hit);
  for (; k < S && !hit; k++) sum += count_inspected(v, (owner(v, transposed) + k) % S, x, transposed, &one);
  return sum;
}

static uint64_t inspected, with_row_hubs;
static void watch(const Grid_Product *p, void *context) {
  (void)context;
  inspected = p->inspected;
}

static void check_inspected(const bool *x, const bool *open) {
  const bool transposed = graph.symmetric ? grid_ctx.R < grid_ctx.C : graph.columns;
  const int S = transposed ? grid_ctx.R : grid_ctx.C;
  const bool row_hubs = has_row_hubs();
  uint64_t sum = 0;
  if (S == 1) return; /* rows are whole */
  with_row_hubs += row_hubs;
  for (GrB_Index v = 0; v < graph.n; v++)
    if (open[v]) sum += inspected_in_row(v, x, transposed, S, row_hubs);
  assert_int_equal(inspected, sum); /* the same everywhere */
}

static void draw_set(bool *in) {
  static const uint64_t percent[] = {0, 1, 10, 50, 100};
  const uint64_t p = percent[chance(5)];
  for (GrB_Index v = 0; v < graph.n; v++) in[v] = chance(100) < p;
}

static void pull_matches_serial(void **state) {
  static bool x[MOST], mask[MOST], open[MOST];
  for (int turn = 0; turn < 36; turn++) {
    const kind of = (kind)(turn % 3);
    const bool complement = chance(2);
    draw_entries(of != VALUES && chance(2), chance(6) == 0, of == VALUES);
    graph.columns = chance(2);
    GrB_Matrix A = matrix_of_graph(of == VALUES);
    draw_set(x);
    draw_set(mask);
    for (GrB_Index v = 0; v < graph.n; v++) open[v] = mask[v] != complement;
    GrB_Vector u = vector_of(x), m = vector_of(mask), w;
    assert_on_all(GrB_Vector_new(&w, GrB_INT64, graph.n) == GrB_SUCCESS);
    const GrB_Semiring s = of == POSITIONS ? Grid_ANY_SECONDI_SEMIRING_INT64
                           : of == PATTERN ? Grid_ANY_ONEB_SEMIRING_BOOL
                                           : GrB_LOR_LAND_SEMIRING_BOOL;
    const GrB_Descriptor d = complement ? GrB_DESC_SC : GrB_DESC_S;
    Grid_trace(watch, NULL);
    assert_on_all((graph.columns ? GrB_vxm(w, m, NULL, s, u, A, d) : GrB_mxv(w, m, NULL, s, A, u, d)) ==
                  GrB_SUCCESS);
    Grid_trace(NULL, NULL);
    assert_on_all(is_right(w, x, open, of));
    if (of != VALUES) check_inspected(x, open);
    GrB_Vector_free(&u), GrB_Vector_free(&m), GrB_Vector_free(&w), GrB_Matrix_free(&A);
  }
  const bool shared = grid_ctx.R > 1 && grid_ctx.C > 1;
  assert_true(!shared || with_row_hubs > 0); /* both methods are tried */
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(pull_matches_serial))
