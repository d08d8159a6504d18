/* Counts that a loop's product piggybacks on its messages for the next one
 * (dist/product/piggybacked_counts.h). Whatever a program does between the calls, each product's counts and
 * results are those of a plain search on arrays. */
#include <stdlib.h>
#include <string.h>

#include "dist/grid/layout.h"
#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

enum { N = 700, EDGES = 2600 };

static uint64_t chance_state = 1;
static uint64_t chance(uint64_t n) {
  chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (chance_state >> 33) % n;
}

/* ---- the plain search ---- */

static bool edge[N][N]; /* symmetric */
static bool in_q[N], in_visited[N];

static uint64_t degree_of(uint64_t v) {
  uint64_t d = 0;
  for (uint64_t u = 0; u < N; u++) d += edge[v][u];
  return d;
}

/* What a product counts: entries of q, of the matrix that meet them, and rows with entries that are allowed.
 */
typedef struct {
  uint64_t frontier, edges, allowed;
} counts;

static counts count(void) {
  counts c = {0, 0, 0};
  for (uint64_t v = 0; v < N; v++) {
    c.frontier += in_q[v];
    if (in_q[v]) c.edges += degree_of(v);
    c.allowed += !in_visited[v] && degree_of(v) > 0;
  }
  return c;
}

static void run_level(void) {
  bool next[N] = {false};
  for (uint64_t v = 0; v < N; v++)
    for (uint64_t u = 0; u < N && in_q[v]; u++)
      if (edge[v][u] && !in_visited[u]) next[u] = true;
  memcpy(in_q, next, sizeof in_q);
}

/* ---- the library's ---- */

static struct {
  counts c;
  double pull;
} traced;

static void take(const Grid_Product *p, void *context) {
  (void)context;
  traced.c.frontier = p->frontier;
  traced.c.edges = p->push_work;
  traced.pull = (double)p->pull_work;
}

static GrB_Matrix random_graph(void) {
  GrB_Matrix A = NULL;
  static GrB_Index I[EDGES], J[EDGES];
  memset(edge, 0, sizeof edge);
  for (uint64_t k = 0; k < EDGES; k++) { /* some vertices have many, others none */
    const uint64_t a = chance(N - 40), u = chance(1 + chance(a + 1)), v = chance(N - 40);
    edge[u][v] = edge[v][u] = true;
    I[k] = u, J[k] = v;
  }
  if (GrB_Matrix_new(&A, GrB_BOOL, N, N) != GrB_SUCCESS) return NULL;
  const uint64_t n = Grid_rank() == 0 ? EDGES : 0;
  if (Grid_Matrix_build(A, I, J, NULL, NULL, n, NULL, Grid_MIRROR) != GrB_SUCCESS) GrB_Matrix_free(&A);
  return A;
}

/* The number of entries that a pull of so many rows is expected to inspect (docs/how/product.md).
 */
static bool is_pull_estimate(double pull, const counts *c) {
  double entries = 0, rows = 0;
  for (uint64_t v = 0; v < N; v++) entries += (double)degree_of(v), rows += degree_of(v) > 0;
  const double mean = entries / rows > 1 ? entries / rows : 1;
  double row_inspected = mean;
  if (c->edges > 0 && entries / (double)c->edges < mean) row_inspected = entries / (double)c->edges;
  return pull == (double)(uint64_t)((double)c->allowed * row_inspected);
}

static bool has_pattern(GrB_Vector v, const bool *want) {
  GrB_Index I[N], n = N;
  bool has[N] = {false};
  if (GrB_Vector_extractTuples_INT64(I, NULL, &n, v) != GrB_SUCCESS) return false;
  for (uint64_t k = 0; k < n; k++) has[I[k]] = true;
  return memcmp(has, want, sizeof has) == 0;
}

/* ---- what a program may do between the calls ---- */

typedef struct {
  GrB_Matrix A;
  GrB_Vector q, visited, level, other;
} search;

static bool set(GrB_Vector v, bool *model) {
  const uint64_t i = chance(N);
  model[i] = true;
  return GrB_Vector_setElement_INT64(v, (int64_t)i, i) == GrB_SUCCESS;
}

static bool remove_entry(GrB_Vector v, bool *model) {
  const uint64_t i = chance(N);
  model[i] = false;
  return GrB_Vector_removeElement(v, i) == GrB_SUCCESS;
}

enum { DISTURBANCES = 9 };

/* Before a product: most often nothing. */
static bool change_between_products(search *s) {
  int64_t x;
  switch (chance(3 * DISTURBANCES)) {
    case 0:
      return set(s->q, in_q);
    case 1:
      return set(s->visited, in_visited);
    case 2:
      return remove_entry(s->q, in_q);
    case 3:
      return remove_entry(s->visited, in_visited);
    case 4: /* along another vector */
      for (uint64_t v = 0; v < N; v++) in_visited[v] |= v % 3 == 0;
      return GrB_Vector_assign_INT64(s->visited, s->other, NULL, 7, GrB_ALL, N, GrB_DESC_S) == GrB_SUCCESS;
    case 5:
      memset(in_visited, 0, sizeof in_visited);
      return GrB_Vector_clear(s->visited) == GrB_SUCCESS;
    case 6: /* a vector comes, perhaps where one has gone */
      GrB_Vector_free(&s->level);
      return GrB_Vector_new(&s->level, GrB_INT32, N) == GrB_SUCCESS;
    case 7: /* which changes nothing */
      return GrB_Vector_extractElement_INT64(&x, s->other, 3) == GrB_SUCCESS && x == 1;
    case 8: /* another product */
      return GrB_vxm(s->level, NULL, NULL, Grid_ANY_SECONDI_SEMIRING_INT64, s->q, s->A, NULL) == GrB_SUCCESS;
    default:
      return true;
  }
}

/* visited<q> = q or a value, level<q> = depth; now and then not, or twice. */
static bool run_loop(search *s, int32_t depth, bool by_value) {
  bool fine = true;
  const uint64_t which = chance(12);
  if (which != 0)
    fine = GrB_Vector_assign_INT32(s->level, s->q, NULL, depth, GrB_ALL, N, GrB_DESC_S) == GrB_SUCCESS;
  for (uint64_t k = 0; k < (which == 1 ? 0U : which == 2 ? 2U : 1U); k++) {
    fine = fine && (by_value ? GrB_Vector_assign_INT64(s->visited, s->q, NULL, 5, GrB_ALL, N, GrB_DESC_S)
                             : GrB_Vector_assign(s->visited, s->q, NULL, s->q, GrB_ALL, N, GrB_DESC_S)) ==
                       GrB_SUCCESS;
    for (uint64_t v = 0; v < N; v++) in_visited[v] = in_visited[v] || in_q[v];
  }
  return fine;
}

/* ---- searches ---- */

static bool make(search *s) {
  bool fine = GrB_Vector_new(&s->q, GrB_INT64, N) == GrB_SUCCESS &&
              GrB_Vector_new(&s->visited, GrB_INT64, N) == GrB_SUCCESS &&
              GrB_Vector_new(&s->level, GrB_INT32, N) == GrB_SUCCESS &&
              GrB_Vector_new(&s->other, GrB_INT64, N) == GrB_SUCCESS;
  for (uint64_t v = 0; v < N && fine; v += 3)
    fine = GrB_Vector_setElement_INT64(s->other, 1, v) == GrB_SUCCESS;
  memset(in_q, 0, sizeof in_q);
  memset(in_visited, 0, sizeof in_visited);
  return fine && set(s->q, in_q) && set(s->visited, in_visited);
}

static void forget_counts(search *s) {
  GrB_Vector_free(&s->q), GrB_Vector_free(&s->visited);
  GrB_Vector_free(&s->level), GrB_Vector_free(&s->other);
}

/* As many products as it takes and some more. free_assignments: assignments that cost no call. */
static void run(search *s, bool quiet, bool by_value, uint64_t *free_assignments) {
  int R, C;
  Grid_shape(&R, &C);
  bool all_fine = true;
  assert_on_all(make(s));
  for (int32_t depth = 1; depth < 9; depth++) {
    GrB_Index nq, before[2], after[2];
    bool fine = quiet || change_between_products(s);
    const counts c = count();
    Grid_trace(take, NULL);
    fine = GrB_vxm(s->q, s->visited, NULL, Grid_ANY_SECONDI_SEMIRING_INT64, s->q, s->A, GrB_DESC_RSC) ==
               GrB_SUCCESS &&
           fine;
    Grid_trace(NULL, NULL);
    run_level();
    Grid_traffic(&before[0], &before[1]); /* from behind the product */
    fine = GrB_Vector_nvals(&nq, s->q) == GrB_SUCCESS && fine;
    Grid_traffic(&after[0], &after[1]);
    const bool free_count = after[0] == before[0] || (R > 1 && C > 1); /* owners filter what comes */
    fine = run_loop(s, depth, by_value) && fine;
    Grid_traffic(&after[0], &after[1]);
    if (quiet && after[0] == before[0] && depth > 2 && c.frontier > 0) ++*free_assignments;
    fine = fine && free_count && traced.c.frontier == c.frontier && traced.c.edges == c.edges &&
           (C > 1 || is_pull_estimate(traced.pull, &c));
    uint64_t found = 0;
    for (uint64_t v = 0; v < N; v++) found += in_q[v];
    fine = fine && found == nq;
    if (quiet && depth < 8) { /* reading would end the loop */
      all_fine = all_fine && fine;
      continue;
    }
    fine = has_pattern(s->q, in_q) && has_pattern(s->visited, in_visited) && fine;
    assert_on_all(fine && all_fine);
  }
  forget_counts(s);
}

static void loops(void **state) {
  static const int32_t threshold[] = {Grid_DELEGATES_OFF, 12, 40};
  uint64_t free_assignments = 0;
  int R, C;
  Grid_shape(&R, &C);
  for (int k = 0; k < 9; k++) {
    search s = {.A = random_graph()};
    assert_on_all(s.A != NULL);
    if (C == 1 && R > 1)
      assert_on_all(GrB_Matrix_set_INT32(s.A, threshold[k % 3], Grid_DELEGATES) == GrB_SUCCESS);
    for (int turn = 0; turn < 4; turn++) run(&s, turn == 0, k % 2, &free_assignments);
    GrB_Matrix_free(&s.A);
  }
  assert_on_all(Grid_size() == 1 || free_assignments > 0);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(loops))
