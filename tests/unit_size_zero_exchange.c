/* Matrices with 0 rows or columns and vectors of size 0 as arrays, bytes, text, files and checkpoints, in the
 * functions of gridblas.h, and as graphs of the algorithms. On any number of processes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_algos.h"
#include "semiring/support/mem.h"
#include "tests/assert_all.h"
#include "tests/test_folder.h"

#define OK(call) assert_int_equal((call), GrB_SUCCESS)

static const GrB_Index shapes[][2] = {{0, 0}, {0, 1}, {1, 0}, {0, 7}, {300, 0}, {0, GrB_INDEX_MAX + 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes, SHORT_SHAPES = SHAPES - 1 };

static GrB_Matrix matrix_of(GrB_Index m, GrB_Index n) {
  GrB_Matrix A = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, m, n));
  return A;
}
static GrB_Vector vector_of(GrB_Type type, GrB_Index n) {
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, type, n));
  return v;
}

/* A is m x n without entries; frees it. */
static void check_matrix(GrB_Matrix *A, GrB_Index m, GrB_Index n) {
  GrB_Index nrows = 9, ncols = 9, nvals = 9;
  OK(GrB_Matrix_nrows(&nrows, *A)), OK(GrB_Matrix_ncols(&ncols, *A)), OK(GrB_Matrix_nvals(&nvals, *A));
  assert_on_all(nrows == m && ncols == n && nvals == 0);
  OK(GrB_free(A));
}
static void check_vector(GrB_Vector *v) {
  GrB_Index size = 9, nvals = 9;
  OK(GrB_Vector_size(&size, *v)), OK(GrB_Vector_nvals(&nvals, *v));
  assert_on_all(size == 0 && nvals == 0);
  OK(GrB_free(v));
}

/* ---- arrays ---- */

static void export_and_import(GrB_Index m, GrB_Index n, GrB_Format format) {
  GrB_Matrix A = matrix_of(m, n), B = NULL;
  GrB_Index np = 9, ni = 9, nx = 9, p[301] = {9}, i[1];
  double x[1];
  OK(GrB_Matrix_exportSize(&np, &ni, &nx, format, A));
  const GrB_Index want = format == GrB_CSR_FORMAT ? m + 1 : format == GrB_CSC_FORMAT ? n + 1 : 0;
  assert_on_all(np == want && ni == 0 && nx == 0);
  OK(GrB_Matrix_export_FP64(p, i, x, &np, &ni, &nx, format, A));
  for (GrB_Index k = 0; k < want; k++) assert_true(p[k] == 0);
  OK(GrB_Matrix_import_FP64(&B, GrB_FP64, m, n, p, i, x, np, ni, nx, format));
  check_matrix(&B, m, n);
  np = 301, ni = nx = 1;
  OK(Grid_Matrix_exportLocal(p, i, x, &np, &ni, &nx, format, A));
  OK(Grid_Matrix_importLocal(&B, GrB_FP64, m, n, p, i, x, np, ni, nx, format));
  check_matrix(&B, m, n);
  OK(GrB_free(&A));
}

static void arrays(void **state) {
  for (int s = 0; s < SHORT_SHAPES; s++)
    for (int f = GrB_CSR_FORMAT; f <= GrB_COO_FORMAT; f++)
      export_and_import(shapes[s][0], shapes[s][1], (GrB_Format)f);
}

/* Too large and cut-off blobs are refused as those of other matrices. */
static void blobs(void **state) {
  for (int s = 0; s < SHAPES; s++)
    for (int typed = 0; typed < 2; typed++) {
      GrB_Type type = typed ? GrB_INT8 : NULL;
      GrB_Matrix A = NULL, B = NULL;
      GrB_Index size = 0, more;
      if (!typed) OK(GrB_Type_new(&type, 777));
      OK(GrB_Matrix_new(&A, type, shapes[s][0], shapes[s][1]));
      OK(GrB_Matrix_serializeSize(&size, A));
      more = size;
      char *blob = malloc(size);
      OK(GrB_Matrix_serialize(blob, &more, A));
      assert_on_all(more <= size);
      OK(GrB_Matrix_deserialize(&B, type, blob, more));
      check_matrix(&B, shapes[s][0], shapes[s][1]);
      assert_int_equal(GrB_Matrix_deserialize(&B, type, blob, more - 1), GrB_INVALID_OBJECT);
      free(blob);
      OK(GrB_free(&A));
      if (!typed) OK(GrB_free(&type));
    }
}

static void texts(void **state) {
  char *text = NULL, name[64];
  size_t size = 0;
  GrB_Matrix A = matrix_of(0, 7);
  GrB_Vector v = vector_of(GrB_FP64, 0);
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  OK(GxB_fprint(A, GxB_COMPLETE, f)), OK(GxB_fprint(v, GxB_COMPLETE, f));
  fclose(f);
  assert_on_all(strstr(text, "0 x 7") && strstr(text, "0 entries"));
  free(text);
  OK(GrB_set(A, "rows", GrB_NAME)), OK(GrB_get(A, name, GrB_NAME));
  assert_string_equal(name, "rows");
  OK(GrB_set(v, "none", GrB_NAME)), OK(GrB_get(v, name, GrB_EL_TYPE_STRING));
  OK(GrB_free(&A)), OK(GrB_free(&v));
}

/* ---- gridblas.h ---- */

static void partitions(void **state) {
  GrB_Index *first = calloc((size_t)Grid_size() + 1, sizeof *first), from = 9, count = 9;
  OK(Grid_partition_set(0, first)), OK(Grid_partition_set(0, NULL));
  OK(Grid_local_range(0, &from, &count));
  assert_on_all(from == 0 && count == 0);
  free(first);
  for (int s = 0; s < SHORT_SHAPES; s++) {
    GrB_Matrix A = matrix_of(shapes[s][0], shapes[s][1]);
    Grid_Repartition b = {0};
    Grid_Rebalancing r = {0};
    Grid_Storage g;
    OK(Grid_Matrix_repartition(&b, A, Grid_ROW_COSTS_PRODUCT, 0, 1));
    for (int round = 0; round < 4; round++) OK(Grid_Matrix_rebalance(&r, A, Grid_ROW_COSTS_PRODUCT, 10));
    OK(Grid_Matrix_storage(&g, A));
    assert_on_all(!b.redistributed && g.nvals == 0);
    check_matrix(&A, shapes[s][0], shapes[s][1]);
  }
}

static void extensions(void **state) {
  GrB_Matrix A = matrix_of(0, 7), C = matrix_of(0, 3), D = matrix_of(5, 0);
  GrB_Vector w = vector_of(GrB_FP64, 0), where = vector_of(GrB_INT64, 0), u = vector_of(GrB_FP64, 5),
             at = vector_of(GrB_INT64, 5), degree = vector_of(GrB_INT64, 7);
  OK(Grid_Matrix_build(A, NULL, NULL, NULL, NULL, 0, NULL, 0));
  OK(Grid_Vector_build(w, NULL, NULL, NULL, 0, NULL));
  OK(Grid_Matrix_indicator(C, where));
  OK(Grid_Matrix_degree(degree, A, true)), OK(Grid_Matrix_degree(where, A, false));
  OK(Grid_Vector_gather(w, NULL, NULL, u, where, NULL));
  OK(Grid_Vector_gather(u, NULL, NULL, w, at, NULL)); /* no entry of `at` */
  OK(Grid_Vector_scatter(u, NULL, NULL, NULL, w, where, NULL));
  OK(Grid_Vector_scatter(w, NULL, NULL, NULL, u, at, NULL));
  OK(GrB_Vector_setElement_INT64(at, 0, 2));
  assert_int_equal(Grid_Vector_gather(u, NULL, NULL, w, at, NULL), GrB_INDEX_OUT_OF_BOUNDS);
  OK(GrB_Vector_setElement_FP64(u, 1, 2));
  assert_int_equal(Grid_Vector_scatter(w, NULL, NULL, NULL, u, at, NULL), GrB_INDEX_OUT_OF_BOUNDS);
  OK(GrB_free(&degree)), OK(GrB_free(&u)), OK(GrB_free(&at)), OK(GrB_free(&D));
  check_matrix(&A, 0, 7), check_matrix(&C, 0, 3), check_vector(&w), check_vector(&where);
}

static void checkpoints(void **state) {
  GrB_Vector v = vector_of(GrB_FP64, 0);
  Grid_Checkpoint_Item item = {.name = "v", .vector = v};
  uint64_t step = 0;
  OK(Grid_checkpoint(dir, 1, &item, 1)), OK(Grid_checkpoint_wait());
  OK(Grid_restore(dir, &step, &item, 1));
  assert_on_all(step == 1);
  check_vector(&v);
}

/* ---- files ---- */

static void files(void **state) {
  static const char *const names[] = {"a.mtx", "a.grb", "a.npz", "a.pages", "a.h5", "a.gr", "a.metis"};
  for (int s = 0; s < SHORT_SHAPES; s++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      Grid_Edges e = {.nrows = shapes[s][0], .ncols = shapes[s][1], .pattern = true}, back;
      char path[512];
      if (k >= 5 && e.nrows != e.ncols) continue; /* formats of graphs */
      snprintf(path, sizeof path, "%s", path_of(names[k]));
      const GrB_Info info = Grid_write(&e, path, NULL);
      if (info == GrB_NOT_IMPLEMENTED) continue;
      if (info != GrB_SUCCESS) print_message("%s: %s\n", path, Grid_last_error());
      OK(info), OK(Grid_read(&back, path));
      assert_on_all(back.nrows == e.nrows && back.ncols == e.ncols && back.n == 0 && back.total == 0);
      Grid_Edges_free(&back);
    }
}

static void page_files(void **state) {
  for (int s = 0; s < SHORT_SHAPES; s++)
    for (int flags = 0; flags <= Grid_BY_DEGREE; flags += Grid_BY_DEGREE) {
      const GrB_Index m = shapes[s][0], n = shapes[s][1];
      if (flags && m != n) continue;
      Grid_Pages_Builder b = NULL;
      Grid_Pages_Info p;
      GrB_Matrix A = NULL;
      char path[512];
      snprintf(path, sizeof path, "%s", path_of("b.pages"));
      OK(Grid_Pages_begin(&b, path, m, n, true, flags));
      const uint64_t at = 0;
      const double x = 1;
      OK(Grid_Pages_append(b, &at, &at, &x, 0));
      OK(Grid_Pages_end(&b, GrB_SUCCESS, NULL));
      OK(Grid_pages_info(&p, path));
      assert_on_all(p.nrows == m && p.ncols == n && p.nvals == 0);
      OK(Grid_Matrix_open(&A, path));
      check_matrix(&A, m, n);
      OK(Grid_Pages_convert(path_of("c.pages"), path, NULL, false, flags, NULL, NULL));
      OK(Grid_Pages_begin(&b, path, m, n, true, flags));
      assert_int_equal(Grid_Pages_append(b, &at, &at, &x, 1), GrB_INDEX_OUT_OF_BOUNDS);
      assert_int_equal(Grid_Pages_end(&b, GrB_SUCCESS, NULL), GrB_INDEX_OUT_OF_BOUNDS);
    }
}

/* ---- algorithms ---- */

static void algorithms(void **state) {
  GrB_Matrix A = matrix_of(0, 0), X = NULL, Y = NULL, R = matrix_of(4, 0);
  GrB_Vector v = NULL, w = NULL, start = vector_of(GrB_FP64, 0);
  const GrB_Index none = 0;
  uint64_t count = 9;
  double error[3];
  int64_t diameter = 0;
  bool cycle;
  OK(Grid_components(&v, A)), check_vector(&v);
  OK(Grid_strong_components(&v, A)), check_vector(&v);
  OK(Grid_cdlp(&v, A, 5)), check_vector(&v);
  OK(Grid_mis(&v, A, 1)), check_vector(&v);
  OK(Grid_msf(&X, A)), check_matrix(&X, 0, 0);
  OK(Grid_betweenness(&v, A, &none, 0)), check_vector(&v);
  OK(Grid_pagerank(&v, NULL, NULL, A, NULL, 0.85, 1e-6, 10, 0)), check_vector(&v);
  OK(Grid_pagerank(&v, NULL, NULL, A, NULL, 0.85, 1e-6, 10, Grid_PAGERANK_FP32)), check_vector(&v);
  OK(Grid_triangles(&count, &v, A)), check_vector(&v);
  assert_on_all(count == 0);
  OK(Grid_lcc(&v, A)), check_vector(&v);
  OK(Grid_kcore(&v, A)), check_vector(&v);
  OK(Grid_ktruss(&X, A, 3)), check_matrix(&X, 0, 0);
  OK(Grid_vertex_program(&v, NULL, NULL, A, start, GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, GrB_PLUS_FP64,
                         GrB_MINUS_FP64, 0, 3));
  check_vector(&v);
  OK(Grid_heat(&v, NULL, NULL, A, start, 0, 0, 3)), check_vector(&v);
  OK(Grid_neural(&v, NULL, NULL, A, start, 0, 0, 3)), check_vector(&v);
  OK(Grid_circuit(&v, NULL, NULL, A, start, 0, 3)), check_vector(&v);
  OK(Grid_factors(&X, &Y, error, R, 2, 0, 0.1, 2, 1)), check_matrix(&Y, 0, 2);
  OK(GrB_free(&X));
  /* there is no source */
  assert_int_equal(Grid_bfs(&v, &w, A, 0, -1), GrB_INVALID_INDEX);
  assert_int_equal(Grid_diameter(&diameter, &v, A, 0), GrB_INVALID_INDEX);
  assert_int_equal(Grid_shortest_paths(&v, NULL, A, 0, 0), GrB_INVALID_INDEX);
  assert_int_equal(Grid_bellman_ford(&v, NULL, &cycle, A, 0), GrB_INVALID_INDEX);
  assert_int_equal(Grid_bfs_many(&X, A, &none, 1, -1), GrB_INVALID_INDEX);
  assert_int_equal(Grid_betweenness(&v, A, &none, 1), GrB_INVALID_INDEX);
  assert_int_equal(Grid_components(&v, R), GrB_DIMENSION_MISMATCH);
  OK(GrB_free(&A)), OK(GrB_free(&R)), OK(GrB_free(&start));
}

/* More of them, of a graph without vertices. */
static void counts_and_communities(void **state) {
  GrB_Matrix A = matrix_of(0, 0), X = NULL, Y = NULL;
  GrB_Vector v = NULL, w = NULL, group = vector_of(GrB_INT64, 0);
  uint64_t count = 9;
  int64_t radius = 9, diameter = 9;
  bool acyclic = false;
  double x = 9;
  OK(Grid_eccentricity(&v, &radius, &diameter, A)), check_vector(&v);
  assert_on_all(radius == 0 && diameter == 0);
  OK(Grid_topological_order(&v, &w, &acyclic, A)), check_vector(&v), check_vector(&w);
  assert_on_all(acyclic);
  OK(Grid_transitive_closure(&X, A)), check_matrix(&X, 0, 0);
  OK(Grid_biconnected(&X, &v, &Y, A)), check_matrix(&X, 0, 0), check_matrix(&Y, 0, 0), check_vector(&v);
  OK(Grid_peer_pressure(&v, NULL, A, 5)), check_vector(&v);
  OK(Grid_modularity(&x, &v, A, group, 1)), check_vector(&v);
  OK(Grid_louvain(&v, &x, A, 1, 1)), check_vector(&v);
  OK(Grid_leiden(&v, &x, A, 1, 1)), check_vector(&v);
  assert_on_all(x == 0);
  OK(Grid_markov_clustering(&v, NULL, A, 2, 5)), check_vector(&v);
  OK(Grid_coloring(&v, &count, A, 1)), check_vector(&v);
  assert_on_all(count == 0);
  OK(Grid_vertex_cover(&v, &count, A, 1)), check_vector(&v);
  OK(Grid_matching(&v, A, 1)), check_vector(&v);
  OK(Grid_bipartite_matching(&v, &w, A)), check_vector(&v), check_vector(&w);
  OK(Grid_all_pairs(&X, A)), check_matrix(&X, 0, 0);
  OK(Grid_betweenness_sampled(&v, &count, &x, A, 0.1, 0.1, 1)), check_vector(&v);
  OK(Grid_edge_betweenness(&X, A, NULL, 0)), check_matrix(&X, 0, 0);
  OK(Grid_closeness(&v, &w, A, NULL, 0)), check_vector(&v), check_vector(&w);
  OK(Grid_degree(&v, &w, A)), check_vector(&v), check_vector(&w);
  OK(Grid_katz(&v, NULL, NULL, A, NULL, NULL, 0.1, 0, 3)), check_vector(&v);
  OK(Grid_eigenvector(&v, NULL, NULL, A, NULL, 0, 3)), check_vector(&v);
  OK(Grid_hits(&v, &w, NULL, NULL, A, NULL, 0, 3)), check_vector(&v), check_vector(&w);
  OK(Grid_clique_count(&count, &v, A, 4)), check_vector(&v);
  OK(Grid_motif_counts(&v, A)), OK(GrB_free(&v));
  OK(Grid_square_clustering(&v, A)), check_vector(&v);
  OK(Grid_rich_club(&v, A)), check_vector(&v);
  OK(Grid_assortativity(&x, A, NULL, NULL)), OK(Grid_label_assortativity(&x, A, group));
  OK(Grid_reciprocity(&x, &v, A)), check_vector(&v);
  assert_on_all(x == 0);
  OK(Grid_densest_subgraph(&v, &x, A)), check_vector(&v);
  OK(Grid_similarity(&X, A, NULL, Grid_SIMILARITY_JACCARD, 2)), check_matrix(&X, 0, 0);
  OK(Grid_random_walks(&X, A, NULL, 4, false, 1, 1, 1)), check_matrix(&X, 0, 5);
  OK(Grid_power_iteration(&x, &v, NULL, NULL, A, NULL, 0, 3, 1)), check_vector(&v);
  OK(Grid_conjugate_gradient(&v, NULL, NULL, A, group, NULL, 0, 3)), check_vector(&v);
  OK(GrB_free(&A)), OK(GrB_free(&group));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays),     cmocka_unit_test(blobs),
      cmocka_unit_test(texts),      cmocka_unit_test(partitions),
      cmocka_unit_test(extensions), cmocka_unit_test(checkpoints),
      cmocka_unit_test(files),      cmocka_unit_test(page_files),
      cmocka_unit_test(algorithms), cmocka_unit_test(counts_and_communities),
  };
  const int failed = cmocka_run_group_tests(tests, start, stop);
  return failed || grid_mem_live() != 0;
}
