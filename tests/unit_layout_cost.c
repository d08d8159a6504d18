/* The cost model of layouts (Grid_layouts) against sizes that follow from docs/how/process_grid.md, and the
 * grid that it chooses before there is a matrix (Grid_choose_shape): the library restarts on that grid. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gridblas.h"

static int wrong;
#define CHECK(x) \
  if (!(x)) wrong++, fprintf(stderr, "unit_layout_cost: line %d: %s\n", __LINE__, #x)

/* ---- a product that sees every entry ---- */

enum { VERTICES = 1 << 12, HEAD = 32, VALUE = 8 };

/* Of a graph in which every row has entries in every segment: each process gets R - 1 chunks of x and sends C
 * - 1 chunks of results, a bitmap and values in each. */
static void check_product(int P) {
  const uint64_t q = VERTICES / (uint64_t)P;
  Grid_Level level = {
      .pull = true, .frontier = VERTICES, .inspected = 1 << 20, .found = VERTICES, .every = VALUE};
  const Grid_Search s = {.P = P, .n = VERTICES, .q = q, .level = &level, .levels = 1};
  const Grid_Network net = {.latency = 1e-5, .bandwidth = 1e9, .rate = 1e9};
  Grid_Layout to[Grid_LAYOUTS];
  int best, count = 0;
  for (int x = 0; x < Grid_LAYOUT_COLUMNS; x++) level.finds[x] = (double)VERTICES * (2 << x);
  const int n = Grid_layouts(to, &best, &s, &net, false);
  CHECK(best >= 0 && best < n);
  for (int k = 0; k < n; k++) {
    const uint64_t C = (uint64_t)to[k].C, R = (uint64_t)P / C;
    uint64_t bytes = 0;
    for (int p = 0; p < P; p++) {
      bytes += (R - 1) * (HEAD + q * VALUE);
      bytes += (C - 1) * (HEAD + q / 8 + q * VALUE);
    }
    CHECK(to[k].bytes == (double)bytes);
    CHECK(to[k].inspected == (double)level.inspected);
    /* counts with x on one column of several machines; else counts, x, sums of segments, and the outcome */
    CHECK(to[k].calls == (P == 1 ? 0 : C == 1 ? 2 : 4));
    CHECK(to[k].seconds >= to[best].seconds);
    count += to[k].C == 1;
  }
  CHECK(count == 1);
}

/* Of a graph in which a process of P x 1 has entries in a tenth of all columns, each gets these alone, unless
 * all read x in shared memory. */
static void check_update_sets(int P) {
  Grid_Level level = {
      .pull = true, .frontier = VERTICES, .inspected = 1 << 20, .found = VERTICES, .every = VALUE};
  const Grid_Search s = {.P = P, .n = VERTICES, .q = VERTICES / (uint64_t)P, .level = &level, .levels = 1};
  Grid_Network net = {.latency = 1e-5, .bandwidth = 1e9, .rate = 1e9};
  Grid_Layout to[Grid_LAYOUTS];
  int best;
  for (int x = 0; x < Grid_LAYOUT_COLUMNS; x++) level.finds[x] = 0.1 * VERTICES * (2 << x);
  Grid_layouts(to, &best, &s, &net, false);
  CHECK(to[0].C == 1 && fabs(to[0].bytes - (P - 1) * (P * HEAD + 0.1 * VERTICES * VALUE)) < 1);
  net.shared = 1e9;
  Grid_layouts(to, &best, &s, &net, false);
  CHECK(to[0].C == 1 && fabs(to[0].bytes - (P - 1) * (P * HEAD + 1. * VERTICES * VALUE)) < 1);
}

/* ---- the grid ---- */

static void shape_with(int *R, int *C, const char *network, const Grid_Degrees *g, uint32_t every) {
  *R = *C = 0;
  setenv("GRIDBLAS_NETWORK", network, 1);
  CHECK(Grid_init(GrB_NONBLOCKING, NULL, 0, 0) == GrB_SUCCESS);
  CHECK(Grid_choose_shape(R, C, g, every) == GrB_SUCCESS);
  const int P = Grid_size();
  CHECK(GrB_finalize() == GrB_SUCCESS);
  CHECK(*R * *C == P);
}

/* Where bytes cost, a product takes the grid that is nearest to a square if processes name most inputs, else
 * one column. A search takes one column. Where calls cost, both take one column. */
static void check_shapes(const Grid_Degrees *g, const Grid_Degrees *thick) {
  int R, C, square = 1;
  shape_with(&R, &C, "1e-9,1e3", g, VALUE);
  CHECK(C == 1);
  shape_with(&R, &C, "1e-9,1e3", thick, VALUE);
  for (int c = 1; c * c <= R * C && c <= 32; c++)
    if (R * C % c == 0) square = c;
  CHECK(C == square);
  CHECK(Grid_init(GrB_NONBLOCKING, NULL, R, C) == GrB_SUCCESS); /* and it starts on that grid */
  int r, c;
  Grid_shape(&r, &c);
  CHECK(r == R && c == C);
  CHECK(GrB_finalize() == GrB_SUCCESS);
  shape_with(&R, &C, "1e-9,1e3", g, 0);
  CHECK(C == 1);
  shape_with(&R, &C, "1,1e12", g, VALUE);
  CHECK(C == 1);
  shape_with(&R, &C, "1,1e12", g, 0);
  CHECK(C == 1);
}

/* ---- from degrees alone ---- */

/* A graph of known counts: one vertex of high degree that all others are next to. A search from a leaf finds
 * the hub, then all; P x 1 sends them as bitmaps at most. Weights stand for as many equal vertices. */
static void check_estimate(void) {
  const uint64_t degree[] = {(1 << 16) - 1, 1}, degree_sum = 1 << 10;
  const double weight[] = {1, (1 << 16) - 1};
  const Grid_Degrees g = {.n = 1 << 16, .degree = degree, .count = 2, .symmetric = true, .weight = weight};
  const Grid_Network net = {.latency = 1e-5, .bandwidth = 1e9, .rate = 1e9};
  Grid_Layout to[Grid_LAYOUTS];
  int count = 0, best = -1;
  CHECK(Grid_estimate_layouts(to, &count, &best, NULL, &g, 64, 0, &net) == GrB_SUCCESS);
  CHECK(count > 0 && best >= 0 && best < count);
  CHECK(to[0].C == 1 && to[0].inspected > 0 && to[0].inspected < 2. * (1 << 17));
  CHECK(to[0].bytes > 0 && to[0].bytes < 8. * 63 * 64 * ((double)degree_sum / 8 + HEAD));
  CHECK(Grid_estimate_layouts(to, &count, &best, NULL, &g, 1, 0, &net) == GrB_SUCCESS);
  CHECK(count == 1 && to[0].bytes == 0 && to[0].calls == 0);
  CHECK(Grid_estimate_layouts(to, &count, &best, NULL, &g, 0, 0, &net) == GrB_INVALID_VALUE);
  CHECK(Grid_estimate_layouts(to, &count, &best, NULL, &g, INT32_MAX, 0, &net) == GrB_INVALID_VALUE);
  CHECK(Grid_choose_delegates(&(Grid_Delegate_Choice){0}, &g, INT32_MAX, 1, 1, &net) == GrB_INVALID_VALUE);
  CHECK(Grid_estimate_layouts(to, &count, NULL, NULL, &g, 4, 0, &net) == GrB_NULL_POINTER);
}

/* On a slow network an index of a hub graph pays after some searches; where calls cost, on one process, and
 * in a graph without hubs it never does. */
static void check_delegates(void) {
  enum { LEAVES = 1 << 20 };
  const uint64_t degree[] = {4, 3000};
  const double weight[] = {LEAVES, (double)LEAVES / 256};
  const Grid_Degrees hubs = {LEAVES + LEAVES / 256, degree, 2, true, weight},
                     even = {LEAVES, degree, 1, true, weight};
  const Grid_Network slow = {.latency = 1e-6, .bandwidth = 1e6, .rate = 1e9},
                     late = {.latency = 1, .bandwidth = 1e12, .rate = 1e9};
  Grid_Delegate_Choice choice;
  CHECK(Grid_choose_delegates(&choice, &hubs, 16, 1, 1e6, &slow) == GrB_SUCCESS);
  CHECK(choice.best >= 4 && choice.best < 3000 && choice.threshold == choice.best);
  CHECK(choice.saved > 0 && choice.cost > 0 && choice.searches == (double)(uint64_t)choice.searches);
  CHECK(choice.searches * choice.saved >= choice.cost && (choice.searches - 1) * choice.saved < choice.cost);
  const double searches = choice.searches;
  CHECK(Grid_choose_delegates(&choice, &hubs, 16, 1, searches - 1, &slow) == GrB_SUCCESS);
  CHECK(choice.best >= 4 && choice.threshold == Grid_DELEGATES_OFF);
  CHECK(Grid_choose_delegates(&choice, &hubs, 16, 1, 1e6, &late) == GrB_SUCCESS);
  CHECK(choice.best == -1 && choice.threshold == Grid_DELEGATES_OFF && choice.searches == 0);
  CHECK(Grid_choose_delegates(&choice, &hubs, 1, 1, 1e9, &slow) == GrB_SUCCESS);
  CHECK(choice.best == -1 && choice.threshold == Grid_DELEGATES_OFF);
  CHECK(Grid_choose_delegates(&choice, &even, 16, 1, 1e9, &slow) == GrB_SUCCESS);
  CHECK(choice.best == -1 && choice.threshold == Grid_DELEGATES_OFF);
  CHECK(Grid_choose_delegates(&choice, &hubs, 16, 4, 1e9, &late) == GrB_SUCCESS);
  CHECK(choice.best == -1 && choice.threshold == Grid_DELEGATES_OFF);
  CHECK(Grid_choose_delegates(&choice, &hubs, 16, 3, 1, &slow) == GrB_INVALID_VALUE);
}

static bool is_near(double predicted, double measured) {
  return predicted > 0.85 * measured && predicted < 1.15 * measured;
}

/* Milliseconds measured on H200s, one GPU and two. */
static void check_gpus(void) {
  const int scale[] = {22, 24, 26};
  const double search[][2] = {{0.149, 0.265}, {0.353, 0.383}, {1.12, 0.815}},
               product[][2] = {{0.60, 0.445}, {2.85, 1.61}};
  for (int k = 0; k < 3; k++)
    for (int P = 1; P <= 2; P++) {
      const uint64_t n = UINT64_C(1) << scale[k];
      CHECK(is_near(1e3 * Grid_device_search_seconds(n, 31 * n, P), search[k][P - 1]));
      if (k < 2) CHECK(is_near(1e3 * Grid_device_product_seconds(n, 31 * n, P), product[k][P - 1]));
    }
}

static void check_errors(Grid_Degrees g) {
  int R = 7, C = 7;
  CHECK(Grid_choose_shape(&R, &C, &g, 0) == GrB_PANIC);
  CHECK(Grid_init(GrB_NONBLOCKING, NULL, 0, 0) == GrB_SUCCESS);
  CHECK(Grid_choose_shape(NULL, &C, &g, 0) == GrB_NULL_POINTER);
  CHECK(Grid_choose_shape(&R, &C, NULL, 0) == GrB_NULL_POINTER);
  g.n = g.count - 1;
  CHECK(Grid_choose_shape(&R, &C, &g, 0) == GrB_INVALID_VALUE);
  CHECK(R == 7 && C == 7);
  g = (Grid_Degrees){.n = 100}; /* nothing is known about it */
  CHECK(Grid_choose_shape(&R, &C, &g, 0) == GrB_SUCCESS);
  CHECK(R == Grid_size() && C == 1);
  CHECK(GrB_finalize() == GrB_SUCCESS);
}

int main(void) {
  static uint64_t degree[1 << 12], high[1 << 12];
  const uint64_t count = sizeof degree / sizeof *degree;
  for (uint64_t v = 0; v < count; v++)
    degree[v] = v % 64 == 0 ? 1000 : v % 3 ? 4 : 0; /* hubs, and vertices alone */
  for (uint64_t v = 0; v < count; v++) high[v] = 60;
  const Grid_Degrees g = {.n = 16 * count, .degree = degree, .count = count, .symmetric = true},
                     thick = {.n = 16 * count, .degree = high, .count = count, .symmetric = true};
  for (int P = 1; P <= 64; P *= 2) check_product(P);
  for (int P = 2; P <= 64; P *= 2) check_update_sets(P);
  check_estimate();
  check_delegates();
  check_gpus();
  check_errors(g);
  check_shapes(&g, &thick);
  return wrong > 0;
}
