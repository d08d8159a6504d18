/* gpu_cugraph SCALE [ROW...]: algorithms of gridblas and of cuGraph on the same R-MAT graph (edge factor 16,
 * both ways) on one GPU, each with its graph in the GPU's memory. ROW names some of the rows; default: all.
 *
 * Prints for each row the milliseconds of cuGraph and of gridblas (the median of up to five runs after a
 * first one), their quotient (above 1: gridblas is faster), the iterations of both where they count them, and
 * a figure of both answers: a sum, a number of groups, a modularity. The figures of cuGraph's betweenness are
 * larger by n / 4 / 2 and those of its spanning trees by 2; its Katz centrality is divided by its norm.
 *
 * cuGraph's memory comes from a pool. It runs by its C interface, in FP32, the type of the weights.
 * gridblas's types are those of its algorithms: FP32 in PageRank, Katz and eigenvector centrality, HITS and
 * shortest paths, FP64 in others and in the rows that say so. Exit status: 0; 1 if a call of cuGraph failed,
 * which is reported; 2 after an error. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cugraph_c/algorithms.h>
#include <cugraph_c/graph_functions.h>
#include <cugraph_c/random.h>
#include <cugraph_c/sampling_algorithms.h>

#include "bench/measure/gpu_cugraph_pool.h"
#include "bench/measure/measure.h"
#include "gridblas_algos.h"

enum { RUNS = 5, SOURCES = 4, WALK_STEPS = 16, MOST_PAIRS = 1 << 20, PAGERANK_STEPS = 20, TRUSS = 5 };

typedef cugraph_type_erased_device_array_view_t view;
typedef cugraph_type_erased_device_array_t array;

/* What a run leaves behind: vectors to add up or to count the values of, or a number. */
typedef struct {
  GrB_Vector vector;
  GrB_Matrix matrix;
  const view *values;
  double number;
  uint64_t iterations;
} answer;

typedef struct {
  const char *name;
  bool (*peer)(answer *a); /* false: cuGraph failed and `problem` says why */
  void (*ours)(answer *a);
  bool groups;  /* the figure is the number of different values, not their sum */
  double scale; /* that of gridblas's figure */
} row;

/* ---- the graph, on both sides -------------------------------------------------------------------------- */

static GrB_Index n, entries;
static GrB_Matrix pattern, weighted, pairs;
static GrB_Index sources[SOURCES];
static GrB_Vector starts, start_zero, start_one; /* the last two have FP32 */
static uint64_t npairs;

static cugraph_resource_handle_t *handle;
static cugraph_graph_t *unit, *by_columns,
    *by_weight; /* all weights 1; the same transposed; weights 1 to 255 */
static array *source_array, *start_array, *first_array, *second_array;
static cugraph_rng_state_t *random_state;
static cugraph_error_t *problem;

static void *allocate(uint64_t count, size_t size) {
  void *p = malloc((count ? count : 1) * size);
  require(p != NULL, "memory");
  return p;
}

static void peer_ok(cugraph_error_code_t code, const char *what) {
  if (code == CUGRAPH_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", what, problem ? cugraph_error_message(problem) : "no message");
  exit(2);
}
#define PEER_OK(call) peer_ok((call), #call)

static array *to_device(const void *data, uint64_t count, cugraph_data_type_id_t type) {
  array *a;
  PEER_OK(cugraph_type_erased_device_array_create(handle, count, type, &a, &problem));
  view *v = cugraph_type_erased_device_array_view(a);
  PEER_OK(cugraph_type_erased_device_array_view_copy_from_host(handle, v, data, &problem));
  cugraph_type_erased_device_array_view_free(v);
  return a;
}

static const view *view_of(array *a) {
  return cugraph_type_erased_device_array_view(a);
}

static cugraph_graph_t *peer_graph(array *vertices, array *src, array *dst, array *weight, bool transposed) {
  const cugraph_graph_properties_t undirected = {.is_symmetric = TRUE, .is_multigraph = FALSE};
  cugraph_graph_t *g;
  PEER_OK(cugraph_graph_create_sg(handle, &undirected, view_of(vertices), view_of(src), view_of(dst),
                                  view_of(weight), NULL, NULL, transposed ? TRUE : FALSE, TRUE, FALSE, FALSE,
                                  FALSE, FALSE, &g, &problem));
  return g;
}

/* The weight of an edge, the same in both directions: 1 to 255. */
static float weight_of(uint64_t a, uint64_t b) {
  uint64_t k = (a < b ? a << 32 | b : b << 32 | a) * UINT64_C(0x9e3779b97f4a7c15);
  return (float)(1 + (k ^ k >> 29) * UINT64_C(0xbf58476d1ce4e5b9) % 255);
}

/* The sources: vertices that have an edge, far from each other in the list of entries. The pairs: edges, one
 * in so many. */
static void choose(const GrB_Index *rows, const GrB_Index *cols, const int32_t *row32, const int32_t *col32) {
  int32_t source32[SOURCES];
  const uint64_t step = (entries + MOST_PAIRS - 1) / MOST_PAIRS;
  for (int k = 0; k < SOURCES; k++) {
    sources[k] = rows[entries / SOURCES * (uint64_t)k + entries / 9];
    source32[k] = (int32_t)sources[k];
  }
  source_array = to_device(source32, SOURCES, INT32);
  npairs = (entries + step - 1) / step;
  GrB_Index *first = allocate(npairs, sizeof *first), *second = allocate(npairs, sizeof *second);
  int32_t *first32 = allocate(npairs, sizeof *first32), *second32 = allocate(npairs, sizeof *second32);
  int64_t *start = allocate(npairs, sizeof *start);
  GrB_Index *number = allocate(npairs, sizeof *number);
  for (uint64_t k = 0; k < npairs; k++) {
    first[k] = rows[k * step], second[k] = cols[k * step];
    first32[k] = row32[k * step], second32[k] = col32[k * step];
    start[k] = (int64_t)first[k], number[k] = k;
  }
  OK(GrB_Matrix_new(&pairs, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(pairs, first, second, NULL, NULL, npairs, NULL, 0));
  OK(GrB_Vector_new(&starts, GrB_INT64, npairs));
  OK(GrB_Vector_build_INT64(starts, number, start, npairs, NULL));
  first_array = to_device(first32, npairs, INT32), second_array = to_device(second32, npairs, INT32);
  start_array = to_device(first32, npairs, INT32);
  free(first), free(second), free(first32), free(second32), free(start), free(number);
}

static void make_graphs(int scale) {
  n = UINT64_C(1) << scale;
  OK(GrB_Matrix_new(&pattern, GrB_BOOL, n, n));
  OK(Grid_Matrix_rmat(pattern, scale, 16, 1, Grid_MIRROR | Grid_NO_LOOPS));
  OK(GrB_Matrix_nvals(&entries, pattern));
  GrB_Index *rows = allocate(entries, sizeof *rows), *cols = allocate(entries, sizeof *cols);
  OK(GrB_Matrix_extractTuples_BOOL(rows, cols, NULL, &entries, pattern));
  int32_t *row32 = allocate(entries, sizeof *row32), *col32 = allocate(entries, sizeof *col32);
  float *one = allocate(entries, sizeof *one), *weight = allocate(entries, sizeof *weight);
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < entries; k++) {
    row32[k] = (int32_t)rows[k], col32[k] = (int32_t)cols[k];
    one[k] = 1, weight[k] = weight_of(rows[k], cols[k]);
  }
  OK(GrB_Matrix_new(&weighted, GrB_FP32, n, n));
  OK(Grid_Matrix_build(weighted, rows, cols, weight, GrB_FP32, entries, NULL, 0));
  OK(GrB_wait(weighted, GrB_MATERIALIZE));
  OK(GrB_Vector_new(&start_zero, GrB_FP32, n));
  OK(GrB_Vector_dup(&start_one, start_zero));
  OK(GrB_Vector_assign_FP32(start_one, NULL, NULL, 1, GrB_ALL, n, NULL));
  choose(rows, cols, row32, col32);
  int32_t *every = allocate(n, sizeof *every);
  for (uint64_t v = 0; v < n; v++) every[v] = (int32_t)v;
  array *vertices = to_device(every, n, INT32), *src = to_device(row32, entries, INT32),
        *dst = to_device(col32, entries, INT32), *ones = to_device(one, entries, FLOAT32),
        *weights = to_device(weight, entries, FLOAT32);
  unit = peer_graph(vertices, src, dst, ones, false);
  by_columns = peer_graph(vertices, src, dst, ones, true);
  by_weight = peer_graph(vertices, src, dst, weights, false);
  cugraph_type_erased_device_array_free(vertices), cugraph_type_erased_device_array_free(src),
      cugraph_type_erased_device_array_free(dst);
  cugraph_type_erased_device_array_free(ones), cugraph_type_erased_device_array_free(weights);
  free(rows), free(cols), free(row32), free(col32), free(one), free(weight), free(every);
}

/* ---- the rows ------------------------------------------------------------------------------------------ */

/* What cuGraph's last run returned, and what frees it. */
static void *last_result;
static void (*free_result)(void *result);
#define FREE_LATER(result, function) (last_result = (result), free_result = (void (*)(void *))(function))
#define TRY(call) \
  if ((call) != CUGRAPH_SUCCESS) return false

static bool peer_bfs(answer *a) {
  cugraph_paths_result_t *r;
  const int32_t from = (int32_t)sources[0];
  array *source = to_device(&from, 1, INT32);
  const cugraph_error_code_t code = cugraph_bfs(handle, unit, cugraph_type_erased_device_array_view(source),
                                                TRUE, SIZE_MAX >> 33, TRUE, FALSE, &r, &problem);
  cugraph_type_erased_device_array_free(source);
  TRY(code);
  FREE_LATER(r, cugraph_paths_result_free);
  a->values = cugraph_paths_result_get_distances(r);
  return true;
}
static void our_bfs(answer *a) {
  GrB_Vector parent;
  OK(Grid_bfs(&a->vector, &parent, pattern, sources[0], -1));
  OK(GrB_wait(parent, GrB_MATERIALIZE));
  OK(GrB_free(&parent));
}

static bool peer_paths(answer *a) {
  cugraph_paths_result_t *r;
  TRY(cugraph_sssp(handle, by_weight, sources[0], HUGE_VAL, FALSE, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_paths_result_free);
  a->values = cugraph_paths_result_get_distances(r);
  return true;
}
static void our_paths(answer *a) {
  OK(Grid_shortest_paths(&a->vector, NULL, weighted, sources[0], 0));
}

static bool peer_components(answer *a) {
  cugraph_labeling_result_t *r;
  TRY(cugraph_weakly_connected_components(handle, unit, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_labeling_result_free);
  a->values = cugraph_labeling_result_get_labels(r);
  return true;
}
static void our_components(answer *a) {
  OK(Grid_components(&a->vector, pattern));
}

/* *r is read after the call that code is the result of. */
static bool centrality(answer *a, cugraph_error_code_t code, cugraph_centrality_result_t *const *result) {
  TRY(code);
  cugraph_centrality_result_t *r = *result;
  FREE_LATER(r, cugraph_centrality_result_free);
  a->values = cugraph_centrality_result_get_values(r);
  a->iterations = cugraph_centrality_result_get_num_iterations(r);
  return true;
}
static bool peer_pagerank(answer *a) {
  cugraph_centrality_result_t *r = NULL;
  const cugraph_error_code_t code = cugraph_pagerank_allow_nonconvergence(
      handle, by_columns, NULL, NULL, NULL, NULL, 0.85, 0, PAGERANK_STEPS, FALSE, &r, &problem);
  return centrality(a, code, &r);
}
static void our_pagerank(answer *a) {
  OK(Grid_pagerank(&a->vector, &a->iterations, NULL, pattern, NULL, 0.85, 0, PAGERANK_STEPS,
                   Grid_PAGERANK_FP32));
}

static bool peer_betweenness(answer *a) {
  cugraph_centrality_result_t *r = NULL;
  const cugraph_error_code_t code =
      cugraph_betweenness_centrality(handle, unit, view_of(source_array), FALSE, FALSE, FALSE, &r, &problem);
  const bool done = centrality(a, code, &r);
  a->iterations = 0;
  return done;
}
static void our_betweenness(answer *a) {
  OK(Grid_betweenness(&a->vector, pattern, sources, SOURCES));
}

static bool peer_edge_betweenness(answer *a) {
  cugraph_edge_centrality_result_t *r;
  TRY(cugraph_edge_betweenness_centrality(handle, unit, view_of(source_array), FALSE, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_edge_centrality_result_free);
  a->values = cugraph_edge_centrality_result_get_values(r);
  return true;
}
static void our_edge_betweenness(answer *a) {
  OK(Grid_edge_betweenness(&a->matrix, pattern, sources, SOURCES));
}

/* Below the inverse of the largest eigenvalue, which is at most the largest degree. */
static double katz_factor(void) {
  static double factor;
  if (factor == 0) {
    GrB_Vector degree;
    double most = 0;
    OK(Grid_degree(&degree, NULL, pattern));
    OK(GrB_Vector_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, degree, NULL));
    OK(GrB_free(&degree));
    factor = 1 / (most + 1);
  }
  return factor;
}
/* The change of all vertices together at which iterations end, on both sides. */
static double small_change(double each) {
  return each * (double)n;
}

static bool peer_katz(answer *a) {
  cugraph_centrality_result_t *r = NULL;
  const cugraph_error_code_t code = cugraph_katz_centrality(handle, by_columns, NULL, katz_factor(), 1,
                                                            small_change(1e-6), 100, FALSE, &r, &problem);
  return centrality(a, code, &r);
}
static void katz(answer *a, GrB_Vector start) {
  OK(Grid_katz(&a->vector, &a->iterations, NULL, pattern, start, NULL, katz_factor(), small_change(1e-6),
               100));
}
static void our_katz(answer *a) {
  katz(a, start_zero);
}
static void our_katz_fp64(answer *a) {
  katz(a, NULL);
}

static bool peer_eigenvector(answer *a) {
  cugraph_centrality_result_t *r = NULL;
  return centrality(a, cugraph_eigenvector_centrality(handle, by_columns, 1e-9, 200, FALSE, &r, &problem),
                    &r);
}
static void eigenvector(answer *a, GrB_Vector start) {
  OK(Grid_eigenvector(&a->vector, &a->iterations, NULL, pattern, start, small_change(1e-9), 200));
}
static void our_eigenvector(answer *a) {
  eigenvector(a, start_one);
}
static void our_eigenvector_fp64(answer *a) {
  eigenvector(a, NULL);
}

static bool peer_hits(answer *a) {
  cugraph_hits_result_t *r;
  TRY(cugraph_hits(handle, by_columns, 1e-5, 200, NULL, NULL, TRUE, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_hits_result_free);
  a->values = cugraph_hits_result_get_hubs(r);
  a->iterations = cugraph_hits_result_get_number_of_iterations(r);
  return true;
}
/* cuGraph's change is that of hubs divided by the largest, and its tolerance counts for each vertex;
 * gridblas's hubs add up to 1. */
static double hits_tolerance(void) {
  static double most;
  if (most == 0) {
    GrB_Vector hub;
    OK(Grid_hits(&hub, NULL, NULL, NULL, pattern, NULL, 0, 20));
    OK(GrB_Vector_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, hub, NULL));
    OK(GrB_free(&hub));
  }
  return small_change(1e-5) * most;
}
static void hits(answer *a, GrB_Vector start) {
  GrB_Vector authority;
  OK(Grid_hits(&a->vector, &authority, &a->iterations, NULL, pattern, start, hits_tolerance(), 200));
  OK(GrB_free(&authority));
}
static void our_hits(answer *a) {
  hits(a, start_one);
}
static void our_hits_fp64(answer *a) {
  hits(a, NULL);
}

static bool peer_triangles(answer *a) {
  cugraph_triangle_count_result_t *r;
  TRY(cugraph_triangle_count(handle, unit, NULL, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_triangle_count_result_free);
  a->values = cugraph_triangle_count_result_get_counts(r);
  return true;
}
static void our_triangles(answer *a) {
  uint64_t count;
  OK(Grid_triangles(&count, NULL, pattern));
  a->number = (double)count;
}
static void our_triangles_of_vertices(answer *a) {
  OK(Grid_triangles(NULL, &a->vector, pattern));
}

static bool peer_core(answer *a) {
  cugraph_core_result_t *r;
  TRY(cugraph_core_number(handle, unit, K_CORE_DEGREE_TYPE_OUT, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_core_result_free);
  a->values = cugraph_core_result_get_core_numbers(r);
  return true;
}
static void our_core(answer *a) {
  OK(Grid_kcore(&a->vector, pattern));
}

static bool peer_truss(answer *a) {
  cugraph_induced_subgraph_result_t *r;
  TRY(cugraph_k_truss_subgraph(handle, unit, TRUSS, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_induced_subgraph_result_free);
  a->number = (double)cugraph_type_erased_device_array_view_size(cugraph_induced_subgraph_get_sources(r));
  return true;
}
static void our_truss(answer *a) {
  GrB_Matrix truss;
  GrB_Index edges;
  OK(Grid_ktruss(&truss, pattern, TRUSS));
  OK(GrB_Matrix_nvals(&edges, truss));
  OK(GrB_free(&truss));
  a->number = (double)edges;
}

static bool peer_forest(answer *a) {
  cugraph_induced_subgraph_result_t *r;
  TRY(cugraph_minimum_spanning_tree(handle, by_weight, FALSE, &r, &problem));
  FREE_LATER(r, cugraph_induced_subgraph_result_free);
  a->values = cugraph_induced_subgraph_get_edge_weights(r);
  return true;
}
static void our_forest(answer *a) {
  OK(Grid_msf(&a->matrix, weighted));
}

static bool communities(answer *a, cugraph_error_code_t code,
                        cugraph_hierarchical_clustering_result_t *const *result) {
  TRY(code);
  cugraph_hierarchical_clustering_result_t *r = *result;
  FREE_LATER(r, cugraph_hierarchical_clustering_result_free);
  a->number = cugraph_hierarchical_clustering_result_get_modularity(r);
  return true;
}
static bool peer_louvain(answer *a) {
  cugraph_hierarchical_clustering_result_t *r = NULL;
  return communities(a, cugraph_louvain(handle, unit, 100, 1e-7, 1, FALSE, &r, &problem), &r);
}
static void our_louvain(answer *a) {
  OK(Grid_louvain(NULL, &a->number, pattern, 1, 1));
}
static bool peer_leiden(answer *a) {
  cugraph_hierarchical_clustering_result_t *r = NULL;
  return communities(a, cugraph_leiden(handle, random_state, unit, 100, 1, 1, FALSE, &r, &problem), &r);
}
static void our_leiden(answer *a) {
  OK(Grid_leiden(NULL, &a->number, pattern, 1, 1));
}

static bool peer_jaccard(answer *a) {
  cugraph_vertex_pairs_t *p;
  cugraph_similarity_result_t *r;
  TRY(cugraph_create_vertex_pairs(handle, unit, view_of(first_array), view_of(second_array), &p, &problem));
  const cugraph_error_code_t code = cugraph_jaccard_coefficients(handle, unit, p, FALSE, FALSE, &r, &problem);
  cugraph_vertex_pairs_free(p);
  TRY(code);
  FREE_LATER(r, cugraph_similarity_result_free);
  a->values = cugraph_similarity_result_get_similarity(r);
  return true;
}
static void our_jaccard(answer *a) {
  OK(Grid_similarity(&a->matrix, pattern, pairs, Grid_SIMILARITY_JACCARD, 0));
}

static bool walks(answer *a, cugraph_error_code_t code, cugraph_random_walk_result_t *const *result) {
  TRY(code);
  FREE_LATER(*result, cugraph_random_walk_result_free);
  a->number = (double)npairs;
  return true;
}
static bool peer_walks(answer *a) {
  cugraph_random_walk_result_t *r = NULL;
  const view *from = view_of(start_array);
  return walks(a, cugraph_uniform_random_walks(handle, random_state, unit, from, WALK_STEPS, &r, &problem),
               &r);
}
static bool peer_node2vec(answer *a) {
  cugraph_random_walk_result_t *r = NULL;
  const view *from = view_of(start_array);
  return walks(
      a, cugraph_node2vec_random_walks(handle, random_state, unit, from, WALK_STEPS, 0.5, 2, &r, &problem),
      &r);
}
static void walk(answer *a, double p, double q) {
  GrB_Matrix visited;
  OK(Grid_random_walks(&visited, pattern, starts, WALK_STEPS, false, p, q, 1));
  OK(GrB_wait(visited, GrB_COMPLETE));
  OK(GrB_free(&visited));
  a->number = (double)npairs;
}
static void our_walks(answer *a) {
  walk(a, 1, 1);
}
static void our_node2vec(answer *a) {
  walk(a, 0.5, 2);
}

static const row rows_of_table[] = {
    {"bfs", peer_bfs, our_bfs, false, 1},
    {"sssp", peer_paths, our_paths, false, 1},
    {"components", peer_components, our_components, true, 1},
    {"pagerank", peer_pagerank, our_pagerank, false, 1},
    {"betweenness", peer_betweenness, our_betweenness, false, 1},
    {"edge-betweenness", peer_edge_betweenness, our_edge_betweenness, false, 1},
    {"katz", peer_katz, our_katz, false, 1},
    {"katz-fp64", peer_katz, our_katz_fp64, false, 1},
    {"eigenvector", peer_eigenvector, our_eigenvector, false, 1},
    {"eigenvector-fp64", peer_eigenvector, our_eigenvector_fp64, false, 1},
    {"hits", peer_hits, our_hits, false, 1},
    {"hits-fp64", peer_hits, our_hits_fp64, false, 1},
    {"triangles", peer_triangles, our_triangles, false, 3},
    {"triangles-per-vertex", peer_triangles, our_triangles_of_vertices, false, 1},
    {"core-numbers", peer_core, our_core, false, 1},
    {"ktruss", peer_truss, our_truss, false, 1},
    {"msf", peer_forest, our_forest, false, 1},
    {"louvain", peer_louvain, our_louvain, false, 1},
    {"leiden", peer_leiden, our_leiden, false, 1},
    {"jaccard", peer_jaccard, our_jaccard, false, 1},
    {"walks", peer_walks, our_walks, false, 1},
    {"node2vec", peer_node2vec, our_node2vec, false, 1},
};

/* ---- figures of answers -------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The sum of the values of reached vertices, or the number of different values. */
static double summary(double *x, uint64_t count, bool groups) {
  double sum = 0;
  if (!groups) {
    for (uint64_t k = 0; k < count; k++)
      if (x[k] < INT32_MAX) sum += x[k];
    return sum;
  }
  qsort(x, count, sizeof *x, by_value);
  for (uint64_t k = 0; k < count; k++) sum += k == 0 || x[k] != x[k - 1];
  return sum;
}

static double peer_figure(const answer *a, bool groups) {
  if (!a->values) return a->number;
  const uint64_t count = cugraph_type_erased_device_array_view_size(a->values);
  const cugraph_data_type_id_t type = cugraph_type_erased_device_array_view_type(a->values);
  void *raw = allocate(count, sizeof(double));
  double *x = allocate(count, sizeof *x);
  PEER_OK(cugraph_type_erased_device_array_view_copy_to_host(handle, raw, a->values, &problem));
  for (uint64_t k = 0; k < count; k++)
    x[k] = type == FLOAT32   ? (double)((float *)raw)[k]
           : type == FLOAT64 ? ((double *)raw)[k]
           : type == INT32   ? (double)((int32_t *)raw)[k]
                             : (double)((int64_t *)raw)[k];
  const double result = summary(x, count, groups);
  free(raw), free(x);
  return result;
}

static double our_figure(answer *a, bool groups) {
  double result = a->number;
  if (a->matrix) OK(GrB_Matrix_reduce_FP64(&result, NULL, GrB_PLUS_MONOID_FP64, a->matrix, NULL));
  if (a->vector) {
    GrB_Index count;
    OK(GrB_Vector_nvals(&count, a->vector));
    double *x = allocate(count, sizeof *x);
    OK(GrB_Vector_extractTuples_FP64(NULL, x, &count, a->vector));
    result = summary(x, count, groups);
    free(x);
  }
  return result;
}

static void free_answer(answer *a) {
  OK(GrB_free(&a->vector));
  OK(GrB_free(&a->matrix));
  if (last_result) free_result(last_result);
  last_result = NULL;
}

/* ---- measurement --------------------------------------------------------------------------------------- */

static double median(double *ms, int count) {
  qsort(ms, (size_t)count, sizeof *ms, by_value);
  return ms[count / 2];
}

static bool compare(const row *r) {
  double peer_ms[RUNS + 1], our_ms[RUNS + 1], spent = 0, peer_value = 0, our_value = 0;
  uint64_t iterations[2] = {0, 0};
  int runs = 0;
  for (; runs <= RUNS && spent < 15000; runs++) {
    answer a = {0}, b = {0};
    const double begin = now_ms();
    if (!r->peer(&a)) {
      printf("%-21s cuGraph failed: %s\n", r->name, problem ? cugraph_error_message(problem) : "no message");
      cugraph_error_free(problem);
      problem = NULL;
      return false;
    }
    gpu_cugraph_finish();
    const double middle = now_ms();
    if (runs == 0) peer_value = peer_figure(&a, r->groups);
    iterations[0] = a.iterations;
    free_answer(&a);
    const double again = now_ms();
    r->ours(&b);
    if (b.vector) OK(GrB_wait(b.vector, GrB_MATERIALIZE));
    if (b.matrix) OK(GrB_wait(b.matrix, GrB_COMPLETE)); /* without the columns that products read */
    gpu_cugraph_finish();
    const double end = now_ms();
    if (runs == 0) our_value = our_figure(&b, r->groups) * r->scale;
    iterations[1] = b.iterations;
    free_answer(&b);
    peer_ms[runs] = middle - begin, our_ms[runs] = end - again;
    spent += peer_ms[runs] + our_ms[runs];
  }
  const int first = runs > 1; /* the first run is counted if there is no other */
  const double peer = median(peer_ms + first, runs - first), ours = median(our_ms + first, runs - first);
  printf("%-21s %10.3f %10.3f %7.2f %4" PRIu64 " %4" PRIu64 "  %.8g %.8g  %d runs\n", r->name, peer, ours,
         peer / ours, iterations[0], iterations[1], peer_value, our_value, runs);
  fflush(stdout);
  return true;
}

static bool chosen(const char *name, int argc, char **argv) {
  for (int k = 2; k < argc; k++)
    if (strcmp(argv[k], name) == 0) return true;
  return argc <= 2;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0;
  if (scale < 4 || scale > 26) {
    fprintf(stderr, "usage: gpu_cugraph SCALE [ROW...]\n");
    return 2;
  }
  bool ok = true;
  gpu_cugraph_use_pool();
  OK(GrB_init(GrB_NONBLOCKING));
  OK(Grid_device_set(Grid_CUDA));
  handle = cugraph_create_resource_handle(NULL);
  require(handle != NULL, "a handle of cuGraph");
  PEER_OK(cugraph_rng_state_create(handle, 1, &random_state, &problem));
  make_graphs(scale);
  printf("R-MAT %d, %" PRIu64 " entries; ms of cuGraph, of gridblas, quotient, iterations, figures\n", scale,
         (uint64_t)entries);
  for (size_t k = 0; k < sizeof rows_of_table / sizeof *rows_of_table; k++)
    if (chosen(rows_of_table[k].name, argc, argv)) ok = compare(&rows_of_table[k]) && ok;
  OK(GrB_free(&pattern)), OK(GrB_free(&weighted)), OK(GrB_free(&pairs)), OK(GrB_free(&starts));
  OK(GrB_free(&start_zero)), OK(GrB_free(&start_one));
  OK(GrB_finalize());
  return ok ? 0 : 1;
}
