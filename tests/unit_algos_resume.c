/* Algorithms that write checkpoints: a call that continues from one, in the middle or at the end, has the
 * answer of an uninterrupted one; checkpoints of other arguments are refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "algos/communities/similarity.h"
#include "algos/structure/clique_count.h"
#include "algos/structure/motif_counts.h"
#include "algos/structure/square_clustering.h"
#include "gridblas_algos.h"
#include "tests/random_numbers.h"
#include "tests/test_folder.h"

#define OK(call)                                                                            \
  do {                                                                                      \
    const GrB_Info info_ = (call);                                                          \
    if (info_ != GrB_SUCCESS) fail_msg("%s: %s", Grid_info_name(info_), Grid_last_error()); \
  } while (0)

enum { N = 600, EDGES = 2400 };

/* A path through all vertices in random order, so that components and distances take many rounds, and a dense
 * part. Symmetric; weights `lightest` to `lightest` + 8 of the type. */
static int64_t lightest = 1;
static GrB_Matrix make_graph(GrB_Type type, bool directed) {
  static GrB_Index from[EDGES], to[EDGES], order[N], m;
  static int64_t weight[EDGES];
  GrB_Matrix A;
  seed = 7, m = 0;
  for (GrB_Index v = 0; v < N; v++) {
    const GrB_Index k = draw(v + 1);
    order[v] = order[k], order[k] = v;
  }
  for (GrB_Index k = 0; k < EDGES; k++) {
    const bool path = k + 1 < N - 50;
    const GrB_Index u = path ? order[k] : draw(60), v = path ? order[k + 1] : draw(60);
    const int64_t w = lightest + (int64_t)draw(9);
    if (u != v && k % (GrB_Index)Grid_size() == (GrB_Index)Grid_rank())
      from[m] = u, to[m] = v, weight[m++] = w;
  }
  OK(GrB_Matrix_new(&A, type, N, N));
  OK(Grid_Matrix_build(A, from, to, weight, GrB_INT64, m, GrB_MIN_INT64, directed ? 0 : Grid_MIRROR));
  return A;
}

/* ---- the algorithms ---- */

/* `other`: with another source. */
typedef struct {
  const char *name;
  GrB_Info (*run)(GrB_Vector *answer, GrB_Matrix A, bool other);
  bool has_source, directed;
} algorithm;

static GrB_Info components(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return Grid_components(v, A);
}
static GrB_Info cores(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return Grid_kcore(v, A);
}
static GrB_Info delta_stepping(GrB_Vector *v, GrB_Matrix A, bool other) {
  return Grid_shortest_paths(v, NULL, A, other ? 8 : 7, 0);
}
static GrB_Info bellman_ford(GrB_Vector *v, GrB_Matrix A, bool other) {
  bool cycle;
  return Grid_bellman_ford(v, NULL, &cycle, A, other ? 8 : 7);
}
static GrB_Info betweenness(GrB_Vector *v, GrB_Matrix A, bool other) {
  const GrB_Index source[] = {3, 41, 5, 59, other ? 8 : 7};
  return Grid_betweenness(v, A, source, 5);
}
static GrB_Info triangles(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return Grid_triangles(NULL, v, A);
}
static GrB_Info coefficients(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return Grid_lcc(v, A);
}
/* The number of all triangles, at vertex 0. */
static GrB_Info triangles_in_all(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  uint64_t count = 0;
  GrB_Info info = Grid_triangles(&count, NULL, A);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(v, GrB_UINT64, N);
  return info == GrB_SUCCESS ? GrB_Vector_setElement_UINT64(*v, count, 0) : info;
}

static GrB_Info closeness(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Index source[150];
  for (GrB_Index k = 0; k < 150; k++) source[k] = (other && k == 149 ? 1 : 2) + 3 * k;
  return Grid_closeness(v, NULL, A, source, 150);
}
static GrB_Info katz(GrB_Vector *v, GrB_Matrix A, bool other) {
  return Grid_katz(v, NULL, NULL, A, NULL, NULL, other ? 0x1p-11 : 0x1p-10, 1e-12, 40);
}
/* other: the same start in FP32 */
static GrB_Info eigenvector(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Vector start = NULL;
  if (other) OK(GrB_Vector_new(&start, GrB_FP32, N));
  if (other) OK(GrB_Vector_assign_FP32(start, NULL, NULL, 1, GrB_ALL, N, NULL));
  const GrB_Info info = Grid_eigenvector(v, NULL, NULL, A, start, 1e-9, 30);
  GrB_Vector_free(&start);
  return info;
}
static GrB_Info hubs(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return Grid_hits(v, NULL, NULL, NULL, A, NULL, 1e-9, 30);
}
static GrB_Info authorities(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return Grid_hits(NULL, v, NULL, NULL, A, NULL, 1e-9, 30);
}
static GrB_Info peer_pressure(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return Grid_peer_pressure(v, NULL, A, 20);
}

static GrB_Info louvain(GrB_Vector *v, GrB_Matrix A, bool other) {
  return Grid_louvain(v, NULL, A, 1, other ? 8 : 7);
}
static GrB_Info leiden(GrB_Vector *v, GrB_Matrix A, bool other) {
  return Grid_leiden(v, NULL, A, other ? 0.5 : 1, 7);
}

static GrB_Info sampled(GrB_Vector *v, GrB_Matrix A, bool other) {
  return Grid_betweenness_sampled(v, NULL, NULL, A, 0.7, 0.1, other ? 8 : 7);
}
static GrB_Info eccentricity(GrB_Vector *v, GrB_Matrix A, bool other) {
  int64_t diameter;
  return Grid_eccentricity(v, NULL, other ? &diameter : NULL, A);
}
static GrB_Info cliques(GrB_Vector *v, GrB_Matrix A, bool other) {
  uint64_t count;
  return grid_clique_count_by_panels(&count, v, A, other ? 5 : 4, 2000);
}
static GrB_Info squares(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return grid_square_clustering_by_panels(v, A, 2000);
}
static GrB_Info motifs(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  GrB_Vector counts = NULL;
  GrB_Info info = grid_motif_counts_by_panels(&counts, A, 2000);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(v, GrB_INT64, N);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_assign(*v, NULL, NULL, counts, (GrB_Index[]){0, 1, 2, 3, 4, 5, 6, 7}, 8, NULL);
  GrB_Vector_free(&counts);
  return info;
}
/* Of the graph's Laplacian with 1 more on its diagonal, which is the right side, too. */
static GrB_Info gradient_within(GrB_Vector *v, GrB_Matrix A, uint64_t limit) {
  GrB_Matrix L, D;
  GrB_Vector b;
  OK(GrB_Matrix_new(&L, GrB_FP64, N, N));
  OK(GrB_Vector_new(&b, GrB_FP64, N));
  OK(GrB_Vector_assign_FP64(b, NULL, NULL, 1, GrB_ALL, N, NULL));
  OK(GrB_Matrix_apply_BinaryOp2nd_FP64(L, NULL, NULL, GrB_TIMES_FP64, A, -1, NULL));
  OK(GrB_Matrix_reduce_Monoid(b, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, A, NULL));
  OK(GrB_Matrix_diag(&D, b, 0));
  OK(GrB_Matrix_eWiseAdd_BinaryOp(L, NULL, NULL, GrB_PLUS_FP64, L, D, NULL));
  const GrB_Info info = Grid_conjugate_gradient(v, NULL, NULL, L, b, NULL, 0, limit);
  OK(GrB_Matrix_free(&L));
  OK(GrB_Matrix_free(&D));
  OK(GrB_Vector_free(&b));
  return info;
}
static GrB_Info conjugate_gradient(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  return gradient_within(v, A, 30);
}
static GrB_Info eigenvalues(GrB_Vector *v, GrB_Matrix A, bool other) {
  return Grid_lanczos(v, NULL, NULL, NULL, A, other ? 2 : 3, 0, 20, 7);
}

/* ---- those whose state and result are matrices: a sum for each row, in which columns have their weight ----
 */

static GrB_Info sum_rows(GrB_Vector *v, GrB_Matrix *C, GrB_Info info) {
  GrB_Index rows, columns;
  GrB_Vector weight;
  if (info != GrB_SUCCESS) return info;
  OK(GrB_Matrix_nrows(&rows, *C));
  OK(GrB_Matrix_ncols(&columns, *C));
  OK(GrB_Vector_new(v, GrB_FP64, rows));
  OK(GrB_Vector_new(&weight, GrB_FP64, columns));
  OK(GrB_Vector_assign_FP64(weight, NULL, NULL, 1, GrB_ALL, columns, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(weight, NULL, NULL, GrB_ROWINDEX_INT64, weight, 1, NULL));
  OK(GrB_mxv(*v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, *C, weight, NULL));
  OK(GrB_Vector_free(&weight));
  OK(GrB_Matrix_free(C));
  return info;
}

static GrB_Info markov_clustering(GrB_Vector *v, GrB_Matrix A, bool other) {
  return Grid_markov_clustering(v, NULL, A, other ? 2.5 : 2, 30);
}
static GrB_Info ktruss(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Matrix C = NULL;
  return sum_rows(v, &C, Grid_ktruss(&C, A, other ? 20 : 21));
}
/* The rows of P, or of Q. */
static GrB_Info factors(GrB_Vector *v, GrB_Matrix A, bool other, bool second, bool squares) {
  enum { ITERATIONS = 6 };
  GrB_Matrix P = NULL, Q = NULL;
  double error[ITERATIONS + 1];
  const double lambda = other ? 0.5 : 0.01;
  const GrB_Info info = squares ? Grid_als(&P, &Q, error, A, 3, lambda, ITERATIONS, 7)
                                : Grid_factors(&P, &Q, error, A, 3, 0, lambda, ITERATIONS, 7);
  if (info != GrB_SUCCESS) return info;
  for (int t = 0; t < ITERATIONS; t++) assert_true(error[t + 1] < error[t]);
  OK(sum_rows(v, second ? &Q : &P, info));
  OK(GrB_Matrix_free(&P));
  OK(GrB_Matrix_free(&Q));
  return info;
}
static GrB_Info first_factors(GrB_Vector *v, GrB_Matrix A, bool other) {
  return factors(v, A, other, false, false);
}
static GrB_Info second_factors(GrB_Vector *v, GrB_Matrix A, bool other) {
  return factors(v, A, other, true, false);
}
static GrB_Info first_als(GrB_Vector *v, GrB_Matrix A, bool other) {
  return factors(v, A, other, false, true);
}
static GrB_Info second_als(GrB_Vector *v, GrB_Matrix A, bool other) {
  return factors(v, A, other, true, true);
}
static GrB_Info similarity(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Matrix C = NULL;
  return sum_rows(v, &C, grid_similarity_by_panels(&C, A, NULL, Grid_SIMILARITY_COSINE, other ? 4 : 3, 2000));
}
static GrB_Info all_similarities(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Matrix C = NULL;
  const int measure = other ? Grid_SIMILARITY_OVERLAP : Grid_SIMILARITY_JACCARD;
  return sum_rows(v, &C, grid_similarity_by_panels(&C, A, NULL, measure, 0, 2000));
}
static GrB_Info similarities_of_pairs(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Matrix C = NULL;
  return sum_rows(v, &C, grid_similarity_by_panels(&C, A, A, Grid_SIMILARITY_COMMON, other ? 4 : 0, 200));
}
static GrB_Info edge_betweenness(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Matrix C = NULL;
  GrB_Index source[250];
  for (GrB_Index k = 0; k < 250; k++) source[k] = (other && k == 249 ? 1 : 2) + 2 * k;
  return sum_rows(v, &C, Grid_edge_betweenness(&C, A, source, 250));
}
static GrB_Info singular_vectors(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Vector values = NULL;
  GrB_Matrix C = NULL;
  const GrB_Info info = Grid_singular_values(&values, &C, NULL, NULL, NULL, A, 2, 0, other ? 21 : 20, 7);
  GrB_Vector_free(&values);
  return sum_rows(v, &C, info);
}
static GrB_Info closure(GrB_Vector *v, GrB_Matrix A, bool other) {
  (void)other;
  GrB_Matrix C = NULL;
  return sum_rows(v, &C, Grid_transitive_closure(&C, A));
}
static GrB_Info bfs_many(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Matrix C = NULL;
  return sum_rows(v, &C, Grid_bfs_many(&C, A, (GrB_Index[]){3, 41, other ? 8 : 7}, 3, 200));
}
static GrB_Info sssp_many(GrB_Vector *v, GrB_Matrix A, bool other) {
  GrB_Matrix C = NULL;
  return sum_rows(v, &C, Grid_shortest_paths_many(&C, A, (GrB_Index[]){3, 41, 5, 59, other ? 8 : 7}, 5));
}
/* Of the vertices 0 .. count - 1, which have many edges among them. */
static GrB_Info all_pairs_of(GrB_Vector *v, GrB_Matrix A, GrB_Index count) {
  GrB_Matrix S, C = NULL;
  GrB_Type type;
  GrB_Index first[100];
  for (GrB_Index k = 0; k < count; k++) first[k] = k;
  OK(GxB_Matrix_type(&type, A));
  OK(GrB_Matrix_new(&S, type, count, count));
  OK(GrB_Matrix_extract(S, NULL, NULL, A, first, count, first, count, NULL));
  GrB_Info info = sum_rows(v, &C, Grid_all_pairs(&C, S));
  OK(GrB_Matrix_free(&S));
  if (info == GrB_SUCCESS) info = GrB_Vector_resize(*v, N);
  return info;
}
static GrB_Info all_pairs(GrB_Vector *v, GrB_Matrix A, bool other) {
  return all_pairs_of(v, A, other ? 61 : 60);
}
static GrB_Info all_pairs_sparse(GrB_Vector *v, GrB_Matrix A, bool other) {
  return all_pairs_of(v, A, other ? 99 : 100);
}

static const algorithm all[] = {{"components", components, false, false},
                                {"components of a directed graph", components, false, true},
                                {"kcore", cores, false, false},
                                {"shortest_paths", delta_stepping, true, false},
                                {"bellman_ford", bellman_ford, true, true},
                                {"betweenness", betweenness, true, false},
                                {"triangles", triangles, false, false},
                                {"lcc", coefficients, false, false},
                                {"lcc of a directed graph", coefficients, false, true},
                                {"triangles_in_all", triangles_in_all, false, false},
                                {"closeness", closeness, true, false},
                                {"katz", katz, true, false},
                                {"eigenvector", eigenvector, true, false},
                                {"hubs", hubs, false, true},
                                {"authorities", authorities, false, true},
                                {"peer_pressure", peer_pressure, false, true},
                                {"louvain", louvain, true, false},
                                {"leiden", leiden, true, false},
                                {"markov_clustering", markov_clustering, true, false},
                                {"ktruss", ktruss, true, false},
                                {"first factors", first_factors, true, true},
                                {"second factors", second_factors, true, true},
                                {"similarity", similarity, true, false},
                                {"all similarities", all_similarities, true, true},
                                {"similarities of pairs", similarities_of_pairs, true, false},
                                {"transitive_closure", closure, false, true},
                                {"betweenness_sampled", sampled, true, false},
                                {"edge_betweenness", edge_betweenness, true, true},
                                {"eccentricity", eccentricity, true, false},
                                {"clique_count", cliques, true, false},
                                {"square_clustering", squares, false, false},
                                {"motif_counts", motifs, false, false},
                                {"conjugate_gradient", conjugate_gradient, false, false},
                                {"lanczos", eigenvalues, true, false},
                                {"singular_values", singular_vectors, true, true},
                                {"first factors of als", first_als, true, true},
                                {"second factors of als", second_als, true, true},
                                {"bfs_many", bfs_many, true, false},
                                {"sssp_many", sssp_many, true, false},
                                {"all_pairs", all_pairs, true, false},
                                {"all_pairs_sparse", all_pairs_sparse, true, true}};

/* ---- resuming ---- */

static void compute(double *value, const algorithm *a, GrB_Matrix A) {
  GrB_Index at[N], count = N;
  double x[N];
  GrB_Vector v = NULL;
  OK(a->run(&v, A, false));
  OK(Grid_checkpoint_wait());
  OK(GrB_Vector_extractTuples_FP64(at, x, &count, v));
  for (int k = 0; k < N; k++) value[k] = (double)NAN;
  for (GrB_Index k = 0; k < count; k++) value[at[k]] = x[k];
  OK(GrB_Vector_free(&v));
}

static void empty_folder(const char *folder) {
  DIR *d = Grid_rank() == 0 ? opendir(folder) : NULL;
  for (const struct dirent *f; d && (f = readdir(d));) {
    char path[600];
    snprintf(path, sizeof path, "%s/%.200s", folder, f->d_name);
    unlink(path);
  }
  if (d) closedir(d), rmdir(folder);
  barrier();
}

/* With a checkpoint every `every` iterations: the answer, again from the last checkpoint; returns its
 * iteration. */
static uint64_t run_twice(const algorithm *a, GrB_Matrix A, const double *expected, uint64_t every) {
  static int folders;
  char folder[300];
  double value[N];
  GrB_Vector refused = NULL;
  snprintf(folder, sizeof folder, "%s/kept.%d", dir, folders++);
  OK(Grid_checkpoint_set_interval(folder, every, "a test"));
  compute(value, a, A);
  assert_int_equal(Grid_checkpoint_resumed(), 0);
  assert_memory_equal(value, expected, sizeof value);
  compute(value, a, A);
  const uint64_t resumed = Grid_checkpoint_resumed();
  assert_memory_equal(value, expected, sizeof value);
  if (a->has_source && resumed > 0) {
    assert_int_equal(a->run(&refused, A, true), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "another computation"));
    assert_null(refused);
  }
  OK(Grid_checkpoint_set_interval(NULL, 1, NULL));
  empty_folder(folder);
  return resumed;
}

static void resumes(void **state) {
  static double expected[N];
  const GrB_Type types[] = {GrB_INT64, GrB_FP64, GrB_INT32};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    GrB_Matrix A = make_graph(types[k % 3], all[k].directed);
    compute(expected, &all[k], A);
    const uint64_t iterations = run_twice(&all[k], A, expected, 1), middle = iterations / 2 + 1;
    if (iterations < 3) fail_msg("%s has %d iterations", all[k].name, (int)iterations);
    assert_int_equal(run_twice(&all[k], A, expected, middle), middle);
    assert_int_equal(run_twice(&all[k], A, expected, iterations + 1), 0);
    OK(GrB_Matrix_free(&A));
  }
}

/* An edge of negative weight ends the call before its first round: it has resumed nothing, whatever a call
 * before it has. */
static void negative_edge(void **state) {
  char folder[300];
  GrB_Vector d = NULL;
  bool cycle = false;
  GrB_Matrix A = make_graph(GrB_INT64, false);
  snprintf(folder, sizeof folder, "%s/negative", dir);
  OK(Grid_checkpoint_set_interval(folder, 1, "a test"));
  for (int again = 0; again < 2; again++) {
    OK(Grid_bellman_ford(&d, NULL, &cycle, A, 3));
    OK(Grid_checkpoint_wait());
    OK(GrB_Vector_free(&d));
  }
  assert_true(Grid_checkpoint_resumed() > 0);
  OK(GrB_Matrix_free(&A));
  lightest = -8;
  A = make_graph(GrB_INT64, false);
  lightest = 1;
  OK(Grid_bellman_ford(&d, NULL, &cycle, A, 3));
  assert_true(cycle);
  assert_int_equal(Grid_checkpoint_resumed(), 0);
  OK(Grid_checkpoint_set_interval(NULL, 1, NULL));
  empty_folder(folder);
  OK(GrB_Matrix_free(&A));
}

/* ---- a lower limit ---- */

static GrB_Info ranks_within(GrB_Vector *v, GrB_Matrix A, uint64_t limit) {
  return Grid_pagerank(v, NULL, NULL, A, NULL, 0.85, 0, limit, 0);
}
static GrB_Info labels_within(GrB_Vector *v, GrB_Matrix A, uint64_t limit) {
  return Grid_cdlp(v, A, limit);
}
static GrB_Info katz_within(GrB_Vector *v, GrB_Matrix A, uint64_t limit) {
  return Grid_katz(v, NULL, NULL, A, NULL, NULL, 0x1p-10, 0, limit);
}
static GrB_Info votes_within(GrB_Vector *v, GrB_Matrix A, uint64_t limit) {
  return Grid_peer_pressure(v, NULL, A, limit);
}
static GrB_Info clusters_within(GrB_Vector *v, GrB_Matrix A, uint64_t limit) {
  return Grid_markov_clustering(v, NULL, A, 2, limit);
}
static GrB_Info power_within(GrB_Vector *v, GrB_Matrix A, uint64_t limit) {
  return Grid_power_iteration(NULL, v, NULL, NULL, A, NULL, 0, limit, 7);
}

/* A call of fewer iterations than the newest checkpoint has is refused; one of as many is not. */
static void lower_limit(void **state) {
  (void)state;
  GrB_Info (*const run[])(GrB_Vector *, GrB_Matrix, uint64_t) = {
      ranks_within, labels_within, katz_within, votes_within, clusters_within, power_within, gradient_within};
  GrB_Matrix A = make_graph(GrB_FP64, false);
  char folder[300];
  for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
    GrB_Vector v = NULL;
    snprintf(folder, sizeof folder, "%s/limit.%zu", dir, k);
    OK(Grid_checkpoint_set_interval(folder, 1, "a test"));
    OK(run[k](&v, A, 3));
    OK(GrB_Vector_free(&v));
    OK(Grid_checkpoint_wait());
    OK(run[k](&v, A, 3));
    assert_true(Grid_checkpoint_resumed() > 1);
    OK(GrB_Vector_free(&v));
    assert_int_equal(run[k](&v, A, 1), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "more than the 1 wanted"));
    assert_null(v);
    OK(Grid_checkpoint_set_interval(NULL, 1, NULL));
    empty_folder(folder);
  }
  OK(GrB_Matrix_free(&A));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(resumes), cmocka_unit_test(negative_edge),
                                     cmocka_unit_test(lower_limit)};
  return cmocka_run_group_tests(tests, start, stop);
}
