/* Grid_Matrix_distances against a dense model, in one call and in several, by its methods, on any number of
 * processes. */
#include <omp.h>
#include <stdio.h>

#include "dist/op/graph/distances_blocks.h"
#include "dist/op/graph/public_calls/distances_products.h"
#include "tests/gpu_present.h"
#include "tests/dense_model.h"
#include "tests/grid_shapes.h"
#include "tests/refused.h"

enum { MOST = 90, SOURCES = 700, FIRST_SUM = 5 };

/* What is expected. */
typedef struct {
  int64_t reached[MOST], sum[MOST], farthest[MOST], eccentricity[SOURCES];
  double nearness[MOST];
} sums;

/* The outputs. */
typedef struct {
  GrB_Vector reached, sum, nearness, farthest;
  int64_t eccentricity[SOURCES];
} outputs;

/* A graph, directed or not, with loops. */
static GrB_Matrix draw_graph(dense *a, bool undirected) {
  const GrB_Type types[] = {GrB_BOOL, GrB_FP32, GrB_INT64};
  const size_t n = 1 + draw(MOST);
  *a = dense_new(n, n);
  dense_draw(a, 1 + draw(40), draw_one_in(3) ? 1 : 0);
  for (size_t i = 0; undirected && i < n; i++)
    for (size_t j = 0; j < i; j++) a->has[dense_at(a, i, j)] = a->has[dense_at(a, j, i)];
  if (!undirected) return dense_matrix(a, types[draw(3)], false);
  GrB_Matrix A = NULL; /* one that is known to be symmetric */
  GrB_Index from[MOST * MOST], to[MOST * MOST], m = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      if (a->has[dense_at(a, i, j)]) from[m] = i, to[m++] = j;
  OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(A, from, to, NULL, GrB_BOOL, Grid_rank() == 0 ? m : 0, NULL, Grid_MIRROR));
  return A;
}

/* Distances from `source`; -1: there is no path. */
static void search(int64_t *distance, const dense *a, GrB_Index source) {
  const size_t n = a->rows;
  size_t list[MOST], end = 0;
  for (size_t v = 0; v < n; v++) distance[v] = -1;
  distance[source] = 0, list[end++] = source;
  for (size_t k = 0; k < end; k++)
    for (size_t j = 0; j < n; j++)
      if (a->has[dense_at(a, list[k], j)] && distance[j] < 0)
        distance[j] = distance[list[k]] + 1, list[end++] = j;
}

static void add_source(sums *s, const dense *a, GrB_Index source, GrB_Index k) {
  int64_t distance[MOST];
  search(distance, a, source);
  s->eccentricity[k] = 0;
  for (size_t v = 0; v < a->rows; v++) {
    const int64_t d = distance[v];
    if (d <= 0) continue;
    s->reached[v]++, s->sum[v] += d, s->nearness[v] += 1 / (double)d;
    if (d > s->farthest[v]) s->farthest[v] = d;
    if (d > s->eccentricity[k]) s->eccentricity[k] = d;
  }
}

/* Full vectors, unless `partial`: then only the first half has entries. */
static outputs begin(size_t n, bool partial) {
  outputs o = {0};
  const GrB_Index count = partial ? n / 2 : n;
  GrB_Vector *const vectors[] = {&o.reached, &o.sum, &o.farthest, &o.nearness};
  GrB_Index first[MOST];
  for (size_t k = 0; k < n; k++) first[k] = k;
  for (int k = 0; k < 4; k++) {
    OK(GrB_Vector_new(vectors[k], k < 3 ? GrB_INT64 : GrB_FP64, n));
    OK(GrB_Vector_assign_INT64(*vectors[k], NULL, NULL, k == 1 ? FIRST_SUM : 0, first, count, NULL));
  }
  return o;
}

static void end(outputs *o) {
  GrB_Vector_free(&o->reached), GrB_Vector_free(&o->sum);
  GrB_Vector_free(&o->nearness), GrB_Vector_free(&o->farthest);
}

static void assert_sums(const outputs *o, const sums *s, size_t n, size_t with_entry) {
  for (size_t v = 0; v < n; v++) {
    const bool is_present = v < with_entry || s->reached[v] > 0;
    const GrB_Info info = is_present ? GrB_SUCCESS : GrB_NO_VALUE;
    int64_t reached = 0, sum = 0, farthest = 0;
    double nearness = 0;
    assert_int_equal(GrB_Vector_extractElement_INT64(&reached, o->reached, v), info);
    assert_int_equal(GrB_Vector_extractElement_INT64(&sum, o->sum, v), info);
    assert_int_equal(GrB_Vector_extractElement_INT64(&farthest, o->farthest, v), info);
    assert_int_equal(GrB_Vector_extractElement_FP64(&nearness, o->nearness, v), info);
    if (!is_present) continue;
    assert_int_equal(reached, s->reached[v]);
    assert_int_equal(sum, s->sum[v] + (v < with_entry ? FIRST_SUM : 0));
    assert_int_equal(farthest, s->farthest[v]);
    assert_true(fabs(nearness - s->nearness[v]) <= 1e-12 * s->nearness[v]);
  }
}

/* The same values to the last bit. */
static void assert_same(const outputs *x, const outputs *y, size_t n) {
  for (size_t v = 0; v < n; v++) {
    double a = -1, b = -1;
    (void)GrB_Vector_extractElement_FP64(&a, x->nearness, v);
    (void)GrB_Vector_extractElement_FP64(&b, y->nearness, v);
    if (a != b) fail_msg("%.17g %.17g at %d", a, b, (int)v);
  }
}

/* One, as many as a word has, more than a word, more than a pass. */
static GrB_Index draw_sources(GrB_Index *source, size_t n) {
  const GrB_Index most[] = {1, 64, 100, 200, SOURCES};
  GrB_Index count = most[draw(5)];
  if (count > 1 && count != 64) count -= draw(count / 2);
  for (GrB_Index k = 0; k < count; k++) source[k] = draw(n);
  return count;
}

static void call_in_steps(outputs *o, GrB_Matrix A, const GrB_Index *source, GrB_Index count) {
  const GrB_Index step = 64 * (1 + draw(4));
  for (GrB_Index k = 0; k < count; k += step)
    OK(Grid_Matrix_distances(o->reached, o->sum, o->nearness, o->farthest, o->eccentricity + k, A, source + k,
                             count - k < step ? count - k : step));
}

/* In blocks, where the processes share memory: the vertices of this process. */
static void assert_by_blocks(const sums *s, GrB_Matrix A, size_t n, bool undirected, const GrB_Index *source,
                             GrB_Index count) {
  GrB_Index first, local;
  int64_t reached[MOST] = {0}, farthest[MOST] = {0}, eccentricity[SOURCES];
  OK(Grid_local_range(n, &first, &local));
  OK(grid_matrix_require(A, GRID_WHOLE | GRID_HOST | GRID_COLS));
  const grid_distance_operands x = {.a = &A->block,
                                    .n = n,
                                    .symmetric = undirected,
                                    .sources = source,
                                    .nsources = count,
                                    .reached = reached,
                                    .farthest = farthest,
                                    .eccentricity = eccentricity};
  const GrB_Info info = grid_distances_by_blocks(GrB_SUCCESS, &x, A);
  if (Grid_size() > 1 && !grid_mailbox_is_open(GRID_SET_ALL)) {
    assert_int_equal(info, GRID_UNSUPPORTED);
  } else if (undirected || info != GRID_UNSUPPORTED) { /* a directed one may be hypersparse */
    OK(info);
    assert_memory_equal(reached, s->reached + first, local * sizeof *reached);
    assert_memory_equal(farthest, s->farthest + first, local * sizeof *farthest);
    assert_memory_equal(eccentricity, s->eccentricity, count * sizeof *eccentricity);
  }
}

/* The rows of high degree are apart from the others, where they are stored so (dist/delegates). */
static void split_delegates(GrB_Matrix A, GrB_Index n) {
  GrB_Vector x = NULL;
  OK(GrB_Matrix_set_INT32(A, 3, Grid_DELEGATES));
  OK(GrB_Vector_new(&x, GrB_INT64, n));
  OK(GrB_mxv(x, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, x, NULL));
  GrB_Vector_free(&x);
}

static void matches_model(void **state) {
  const int rounds = Grid_size() > 1 ? 8 : 120;
  GrB_Index source[SOURCES];
  for (int round = 0; round < rounds; round++) {
    dense a;
    const bool undirected = draw_one_in(2);
    GrB_Matrix A = draw_graph(&a, undirected);
    const size_t n = a.rows, with_entry = draw_one_in(4) ? n / 2 : n;
    outputs at_once = begin(n, with_entry < n), steps = begin(n, with_entry < n),
            products = begin(n, with_entry < n);
    const GrB_Index count = draw_sources(source, n);
    sums s = {0};
    for (GrB_Index k = 0; k < count; k++) add_source(&s, &a, source[k], k);
    OK(Grid_Matrix_distances(at_once.reached, at_once.sum, at_once.nearness, at_once.farthest,
                             at_once.eccentricity, A, source, count));
    OK(grid_distances_by_products(products.reached, products.sum, products.nearness, products.farthest,
                                  products.eccentricity, A, source, count));
    if (Grid_device() == Grid_CPU) assert_by_blocks(&s, A, n, undirected, source, count);
    if (round % 4 == 0) split_delegates(A, n);
    call_in_steps(&steps, A, source, count);
    outputs *const every[] = {&at_once, &steps, &products};
    for (int k = 0; k < 3; k++) {
      assert_sums(every[k], &s, n, with_entry), assert_same(&at_once, every[k], n);
      assert_memory_equal(every[k]->eccentricity, s.eccentricity, count * sizeof *s.eccentricity);
    }
    for (int k = 0; k < 3; k++) end(every[k]);
    dense_free(&a);
    GrB_Matrix_free(&A);
  }
}

/* How often the CPU has done the call although a GPU is on: not for matrices without entries. */
static uint64_t count_on_host(void) {
  uint64_t all = 0, count;
  for (int k = 0; Grid_fallback(k, &count); k++)
    if (strstr(Grid_fallback(k, NULL), "Grid_Matrix_distances")) all += count;
  return all;
}

/* Of two full vectors, to the last bit. */
static void assert_same_elements(GrB_Vector x, GrB_Vector y, GrB_Index n) {
  GrB_Index first, local;
  OK(Grid_local_range(n, &first, &local));
  const GrB_Vector v[] = {x, y};
  GrB_Index *at[2];
  uint64_t *value[2];
  for (int k = 0; k < 2; k++) {
    GrB_Index entries = local;
    at[k] = malloc((local + 1) * sizeof *at[k]), value[k] = malloc((local + 1) * sizeof *value[k]);
    assert_true(at[k] && value[k]);
    OK(Grid_Vector_extractLocal(at[k], value[k], &entries, v[k]));
    assert_int_equal(entries, local);
  }
  assert_memory_equal(at[0], at[1], local * sizeof *at[0]);
  assert_memory_equal(value[0], value[1], local * sizeof *value[0]);
  for (int k = 0; k < 2; k++) free(at[k]), free(value[k]);
}

/* The same sums as by products. */
static void assert_as_by_products(GrB_Matrix A, GrB_Index n, GrB_Index count) {
  outputs o[2] = {{0}, {0}};
  GrB_Index source[SOURCES];
  for (GrB_Index k = 0; k < count; k++) source[k] = draw(n);
  for (int k = 0; k < 2; k++) {
    OK(GrB_Vector_new(&o[k].sum, GrB_INT64, n));
    OK(GrB_Vector_new(&o[k].nearness, GrB_FP64, n));
    OK(GrB_Vector_assign_INT64(o[k].sum, NULL, NULL, 0, GrB_ALL, n, NULL));
    OK(GrB_Vector_assign_INT64(o[k].nearness, NULL, NULL, 0, GrB_ALL, n, NULL));
  }
  OK(Grid_Matrix_distances(NULL, o[0].sum, o[0].nearness, NULL, o[0].eccentricity, A, source, count));
  OK(grid_distances_by_products(NULL, o[1].sum, o[1].nearness, NULL, o[1].eccentricity, A, source, count));
  assert_memory_equal(o[0].eccentricity, o[1].eccentricity, count * sizeof *o[0].eccentricity);
  assert_same_elements(o[0].sum, o[1].sum, n);
  assert_same_elements(o[0].nearness, o[1].nearness, n);
  for (int k = 0; k < 2; k++) end(&o[k]);
}

static GrB_Matrix make_graph(const GrB_Index *from, const GrB_Index *to, GrB_Index n, GrB_Index edges,
                             int flags) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(A, from, to, NULL, GrB_BOOL, Grid_rank() == 0 ? edges : 0, NULL, flags));
  return A;
}

/* Edges of `random` vertices drawn at random, a vertex with edges to all, vertices without edges, and a path
 * behind: levels of many and of few vertices. */
static void assert_sums_of_graph(GrB_Index random) {
  enum { EDGES_PER_VERTEX = 3, PATH = 20 };
  const GrB_Index n = random + 1000;
  GrB_Index *from = malloc(n * EDGES_PER_VERTEX * sizeof *from),
            *to = malloc(n * EDGES_PER_VERTEX * sizeof *to), m = 0;
  assert_true(from && to);
  for (GrB_Index k = 0; k < random; k++) {
    from[m] = 5, to[m++] = k;
    for (int e = 1; e < EDGES_PER_VERTEX; e++) from[m] = k, to[m++] = draw(random);
  }
  for (GrB_Index k = 0; k < PATH; k++) from[m] = random - 1 + k, to[m++] = random + k;
  for (int undirected = 0; undirected < 2; undirected++) {
    GrB_Matrix A = make_graph(from, to, n, m, undirected ? Grid_MIRROR : 0);
    assert_as_by_products(A, n, 3);
    assert_as_by_products(A, n, 150);
    GrB_Matrix_free(&A);
  }
  free(from), free(to);
}

static void large_graph(void **state) {
  assert_sums_of_graph(2000);
}

/* Each process has enough entries for all of its threads. */
static void several_threads(void **state) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  assert_sums_of_graph(Grid_size() > 6 ? 2000 : 40000);
  omp_set_num_threads(before);
}

/* All edges are in the block of one process: the others list no rows. */
static void edges_of_one_process(void **state) {
  enum { VERTICES = 60, EDGES = 1500 };
  const GrB_Index n = 9000;
  GrB_Index from[EDGES], to[EDGES];
  for (GrB_Index m = 0; m < EDGES; m++) from[m] = draw(VERTICES), to[m] = draw(VERTICES);
  for (int undirected = 0; undirected < 2; undirected++) {
    GrB_Matrix A = make_graph(from, to, n, EDGES, undirected ? Grid_MIRROR : 0);
    assert_as_by_products(A, n, 70);
    GrB_Matrix_free(&A);
  }
}

/* Outputs that are not wanted, and all vertices as sources: a cycle, of which many threads take part. */
static void cycle(void **state) {
  const GrB_Index n = Grid_size() > 1 ? 70 : 20000, count = Grid_size() > 1 ? n : 600;
  const uint64_t before = count_on_host();
  GrB_Index *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to);
  int64_t *eccentricity = malloc(n * sizeof *eccentricity);
  assert_true(from && to && eccentricity);
  for (GrB_Index k = 0; k < n; k++) from[k] = k, to[k] = (k + 1) % n;
  GrB_Matrix A = NULL;
  GrB_Vector farthest = NULL, sum = NULL;
  int64_t x = 0;
  OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(A, from, to, NULL, GrB_BOOL, Grid_rank() == 0 ? n : 0, NULL, 0));
  OK(GrB_Vector_new(&farthest, GrB_INT64, n));
  OK(GrB_Vector_new(&sum, GrB_INT64, n));
  OK(GrB_Vector_assign_INT64(farthest, NULL, NULL, 0, GrB_ALL, n, NULL));
  OK(GrB_Vector_assign_INT64(sum, NULL, NULL, 0, GrB_ALL, n, NULL));
  if (Grid_size() > 1) {
    OK(Grid_Matrix_distances(NULL, sum, NULL, farthest, eccentricity, A, NULL, count));
    for (GrB_Index k = 0; k < count; k++) assert_int_equal(eccentricity[k], n - 1);
  } else { /* fewer levels: the ring is cut behind the sources */
    OK(GrB_Matrix_removeElement(A, 700, 701));
    OK(Grid_Matrix_distances(NULL, sum, NULL, farthest, eccentricity, A, NULL, count));
    for (GrB_Index k = 0; k < count; k++) assert_int_equal(eccentricity[k], 700 - k);
  }
  OK(GrB_Vector_extractElement_INT64(&x, farthest, 69));
  assert_int_equal(x, 69);
  OK(GrB_Vector_extractElement_INT64(&x, sum, 3));
  assert_int_equal(x, Grid_size() > 1 ? n * (n - 1) / 2 : 1 + 2 + 3);
  assert_int_equal(count_on_host(), before); /* a GPU does it */
  /* what was computed on a device is read, and the matrix used, without it */
  const int device = Grid_device();
  OK(Grid_device_set(Grid_CPU));
  OK(GrB_Vector_extractElement_INT64(&x, farthest, 69));
  assert_int_equal(x, 69);
  OK(Grid_Matrix_distances(NULL, NULL, NULL, farthest, NULL, A, NULL, 1));
  GrB_Index entries = 0;
  OK(GrB_Matrix_nvals(&entries, A));
  assert_int_equal(entries, Grid_size() > 1 ? n : n - 1);
  OK(Grid_device_set(device));
  GrB_Matrix_free(&A), GrB_Vector_free(&farthest), GrB_Vector_free(&sum);
  free(from), free(to), free(eccentricity);
}

static void wrong_arguments(void **state) {
  GrB_Matrix A = NULL, oblong = NULL;
  GrB_Vector v = NULL, longer = NULL, real = NULL;
  const GrB_Index outside[] = {3, 40};
  int64_t x = 0;
  OK(GrB_Matrix_new(&A, GrB_FP64, 40, 40));
  OK(GrB_Matrix_new(&oblong, GrB_FP64, 40, 41));
  OK(GrB_Vector_new(&v, GrB_INT64, 40));
  OK(GrB_Vector_new(&longer, GrB_INT64, 41));
  OK(GrB_Vector_new(&real, GrB_FP64, 40));
  OK(GrB_Vector_setElement_INT64(v, 7, 39));
  refused(Grid_Matrix_distances(v, NULL, NULL, NULL, NULL, NULL, NULL, 2), GrB_NULL_POINTER, "A is NULL");
  refused(Grid_Matrix_distances(v, NULL, NULL, NULL, NULL, oblong, NULL, 2), GrB_DIMENSION_MISMATCH,
          "columns");
  refused(Grid_Matrix_distances(NULL, longer, NULL, NULL, NULL, A, NULL, 2), GrB_DIMENSION_MISMATCH, "sum");
  refused(Grid_Matrix_distances(real, NULL, NULL, NULL, NULL, A, NULL, 2), GrB_DOMAIN_MISMATCH,
          "reached is not of type");
  refused(Grid_Matrix_distances(NULL, NULL, v, NULL, NULL, A, NULL, 2), GrB_DOMAIN_MISMATCH, "nearness is");
  refused(Grid_Matrix_distances(v, NULL, NULL, NULL, NULL, A, outside, 2), GrB_INVALID_INDEX,
          "sources[1] is 40, but A has");
  refused(Grid_Matrix_distances(v, NULL, NULL, NULL, NULL, A, NULL, 41), GrB_INVALID_VALUE, "nsources is 41");
  OK(Grid_Matrix_distances(v, NULL, real, NULL, &x, A, outside, 1)); /* without edges nothing changes */
  assert_int_equal(x, 0);
  OK(Grid_Matrix_distances(NULL, NULL, NULL, NULL, NULL, A, NULL, 0));
  OK(GrB_Vector_extractElement_INT64(&x, v, 39));
  assert_int_equal(x, 7);
  assert_int_equal(GrB_Vector_extractElement_INT64(&x, real, 3), GrB_NO_VALUE);
  GrB_Matrix_free(&A), GrB_Matrix_free(&oblong);
  GrB_Vector_free(&v), GrB_Vector_free(&longer), GrB_Vector_free(&real);
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matches_model),   cmocka_unit_test(large_graph),
      cmocka_unit_test(several_threads), cmocka_unit_test(edges_of_one_process),
      cmocka_unit_test(wrong_arguments), cmocka_unit_test(cycle)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

/* With GRIDBLAS_DEVICE=cuda on a GPU; exit status 77 where there is none. */
int main(void) {
  if (lacks_gpu()) return 77;
  return run_on_shapes(group);
}
