/* Starts threads and counts their failures; calls of most functions on objects of one thread alone. Values
 * are small integers, so that every thread computes the same from its number t. */
#ifndef GRID_THREAD_CALLS_H
#define GRID_THREAD_CALLS_H
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas_algos.h"

enum { THREADS = 8, SIDE = 40 };

/* Inside a thread nothing may jump out: failures are counted. */
static int failures;
static void expect(bool holds, const char *what, const char *file, int line) {
  if (holds) return;
  fprintf(stderr, "%s:%d: %s (%s)\n", file, line, what, Grid_last_error());
  __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}
#define EXPECT(condition) expect((condition), #condition, __FILE__, __LINE__)
#define DONE(call)        EXPECT((call) == GrB_SUCCESS)

static void run_threads(void *(*work)(void *)) {
  pthread_t thread[THREADS];
  failures = 0;
  for (intptr_t t = 0; t < THREADS; t++)
    assert_int_equal(pthread_create(&thread[t], NULL, work, (void *)t), 0);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  assert_int_equal(failures, 0);
}

/* ---- calls on objects of one thread ---- */

typedef struct {
  int64_t a, b;
} two_numbers;
static void add_two(void *z, const void *x, const void *y) {
  const two_numbers *p = x, *q = y;
  *(two_numbers *)z = (two_numbers){p->a + q->a, p->b + q->b};
}

/* A ring of SIDE vertices: edges i to i + 1, with the value t. */
static GrB_Matrix ring(int t) {
  GrB_Matrix A = NULL;
  GrB_Index i[SIDE], j[SIDE];
  int64_t x[SIDE];
  for (GrB_Index k = 0; k < SIDE; k++) i[k] = k, j[k] = (k + 1) % SIDE, x[k] = t;
  DONE(GrB_Matrix_new(&A, GrB_INT64, SIDE, SIDE));
  DONE(GrB_Matrix_build_INT64(A, i, j, x, SIDE, NULL));
  return A;
}
static int64_t sum_of_matrix(GrB_Matrix A) {
  int64_t sum = -1;
  DONE(GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, A, NULL));
  return sum;
}
static int64_t sum_of_vector(GrB_Vector v) {
  int64_t sum = -1;
  DONE(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, v, NULL));
  return sum;
}

/* Operations entry by entry, and those that move entries. */
static void matrix_operations(int t) {
  const GrB_Index rows[] = {3, 1, 2}, cols[] = {4, 2, 3};
  GrB_Matrix A = ring(t), B = NULL, C = NULL, K = NULL;
  GrB_Vector v = NULL;
  DONE(GrB_Matrix_dup(&B, A)), DONE(GrB_Matrix_new(&C, GrB_INT64, SIDE, SIDE));
  DONE(GrB_Vector_new(&v, GrB_INT64, SIDE));
  DONE(GrB_transpose(B, NULL, NULL, A, NULL));
  DONE(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GrB_PLUS_INT64, A, B, NULL));
  EXPECT(sum_of_matrix(C) == 2 * SIDE * t);
  DONE(GrB_Matrix_eWiseMult_Semiring(B, C, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, C, GrB_DESC_S));
  EXPECT(sum_of_matrix(B) == (int64_t)SIDE * t * t);
  DONE(GrB_Matrix_apply_BinaryOp2nd_INT64(B, NULL, GrB_PLUS_INT64, GrB_TIMES_INT64, A, 2, NULL));
  DONE(GrB_Matrix_apply_IndexOp_INT64(B, NULL, NULL, GrB_ROWINDEX_INT64, A, 0, NULL));
  EXPECT(sum_of_matrix(B) == SIDE * (SIDE - 1) / 2);
  DONE(GrB_Matrix_select_INT64(B, NULL, NULL, GrB_TRIL, C, -1, NULL));
  EXPECT(sum_of_matrix(B) == SIDE * t);
  DONE(GrB_Matrix_reduce_Monoid(v, NULL, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  EXPECT(sum_of_vector(v) == 2 * SIDE * t);
  DONE(GrB_Matrix_resize(B, 3, 3)), DONE(GrB_Matrix_clear(B));
  DONE(GrB_Matrix_extract(B, NULL, NULL, A, rows, 3, cols, 3, NULL));
  EXPECT(sum_of_matrix(B) == 3 * t);
  DONE(GrB_Matrix_assign(C, NULL, GrB_PLUS_INT64, B, cols, 3, rows, 3, NULL));
  DONE(GrB_Matrix_assign_INT64(C, A, NULL, 1, GrB_ALL, SIDE, GrB_ALL, SIDE, GrB_DESC_RS));
  EXPECT(sum_of_matrix(C) == SIDE);
  DONE(GrB_Col_extract(v, NULL, NULL, C, GrB_ALL, SIDE, 5, NULL)), EXPECT(sum_of_vector(v) == 1);
  DONE(GrB_Row_assign(C, NULL, NULL, v, 7, GrB_ALL, SIDE, NULL)), EXPECT(sum_of_matrix(C) == SIDE);
  DONE(GrB_Matrix_new(&K, GrB_INT64, 9, 9));
  DONE(GrB_Matrix_kronecker_BinaryOp(K, NULL, NULL, GrB_TIMES_INT64, B, B, NULL));
  EXPECT(sum_of_matrix(K) == 9 * (int64_t)t * t);
  DONE(GrB_free(&K)), DONE(GrB_Matrix_diag(&K, v, 1)), EXPECT(sum_of_matrix(K) == 1);
  DONE(GrB_free(&A)), DONE(GrB_free(&B)), DONE(GrB_free(&C)), DONE(GrB_free(&K)), DONE(GrB_free(&v));
}

static void vector_operations(int t) {
  const GrB_Index list[] = {5, 0, 9};
  GrB_Vector u = NULL, v = NULL, w = NULL;
  GrB_Scalar s = NULL;
  DONE(GrB_Vector_new(&u, GrB_INT64, SIDE)), DONE(GrB_Vector_new(&w, GrB_INT64, 3));
  DONE(GrB_Scalar_new(&s, GrB_INT64)), DONE(GrB_Scalar_setElement_INT64(s, t));
  DONE(GrB_Vector_assign_Scalar(u, NULL, NULL, s, GrB_ALL, SIDE, NULL));
  DONE(GrB_Vector_dup(&v, u));
  DONE(GrB_Vector_eWiseMult_BinaryOp(v, NULL, NULL, GrB_PLUS_INT64, u, v, NULL));
  DONE(GrB_Vector_apply(v, NULL, NULL, GrB_AINV_INT64, v, NULL));
  EXPECT(sum_of_vector(v) == -2 * SIDE * t);
  DONE(GrB_Vector_select_INT64(u, NULL, NULL, GrB_ROWLE, u, 9, NULL)), EXPECT(sum_of_vector(u) == 10 * t);
  DONE(GrB_Vector_extract(w, NULL, NULL, u, list, 3, NULL)), EXPECT(sum_of_vector(w) == 3 * t);
  DONE(GrB_Vector_assign(v, NULL, GrB_PLUS_INT64, w, list, 3, NULL));
  DONE(GrB_Vector_reduce_Monoid_Scalar(s, NULL, GrB_MAX_MONOID_INT64, v, NULL));
  DONE(GrB_Vector_resize(v, 5)), DONE(GrB_Vector_clear(v));
  DONE(GrB_free(&u)), DONE(GrB_free(&v)), DONE(GrB_free(&w)), DONE(GrB_free(&s));
}

/* A type, an operator and a semiring of the thread's own; as bytes, arrays and text. */
static void exchange_operations(int t) {
  const two_numbers zero = {0, 0}, x = {t, 1};
  GrB_Type two = NULL;
  GrB_BinaryOp add = NULL;
  GrB_Monoid sum = NULL;
  GrB_Matrix A = ring(t), B = NULL, P = NULL;
  GrB_Index size = 0, n[3], p[SIDE + 1], i[SIDE];
  int64_t values[SIDE];
  two_numbers all = {0, 0};
  char *text = NULL;
  size_t length = 0;
  DONE(GrB_Type_new(&two, sizeof(two_numbers))), DONE(GrB_BinaryOp_new(&add, add_two, two, two, two));
  DONE(GrB_Monoid_new_UDT(&sum, add, (void *)&zero));
  DONE(GrB_Matrix_new(&P, two, SIDE, SIDE));
  for (GrB_Index k = 0; k < 5; k++) DONE(GrB_Matrix_setElement_UDT(P, (void *)&x, 4 - k, k));
  DONE(GrB_Matrix_reduce_UDT(&all, NULL, sum, P, NULL)), EXPECT(all.a == 5 * t && all.b == 5);
  DONE(GrB_Matrix_serializeSize(&size, A));
  void *blob = malloc(size);
  DONE(GrB_Matrix_serialize(blob, &size, A)), DONE(GrB_Matrix_deserialize(&B, NULL, blob, size));
  EXPECT(sum_of_matrix(B) == SIDE * t);
  DONE(GrB_free(&B));
  DONE(GrB_Matrix_exportSize(&n[0], &n[1], &n[2], GrB_CSR_FORMAT, A));
  DONE(GrB_Matrix_export_INT64(p, i, values, &n[0], &n[1], &n[2], GrB_CSR_FORMAT, A));
  DONE(GrB_Matrix_import_INT64(&B, GrB_INT64, SIDE, SIDE, p, i, values, n[0], n[1], n[2], GrB_CSR_FORMAT));
  EXPECT(sum_of_matrix(B) == SIDE * t);
  FILE *f = open_memstream(&text, &length);
  DONE(GxB_fprint(B, GxB_SHORT, f));
  fclose(f);
  EXPECT(text && strstr(text, "40 entries"));
  free(text), free(blob);
  DONE(GrB_free(&A)), DONE(GrB_free(&B)), DONE(GrB_free(&P));
  DONE(GrB_free(&sum)), DONE(GrB_free(&add)), DONE(GrB_free(&two));
}

static void graph_algorithms(void) {
  GrB_Matrix A = ring(1);
  GrB_Vector v = NULL;
  GrB_Index n = 0;
  uint64_t count = 9;
  DONE(GrB_wait(A, GrB_MATERIALIZE));
  DONE(Grid_bfs(&v, NULL, A, 3, -1)), DONE(GrB_Vector_nvals(&n, v)), EXPECT(n == SIDE);
  EXPECT(sum_of_vector(v) == SIDE * (SIDE - 1) / 2);
  DONE(GrB_free(&v));
  DONE(Grid_pagerank(&v, NULL, NULL, A, NULL, 0.85, 1e-6, 20, 0)), DONE(GrB_free(&v));
  DONE(Grid_components(&v, A)), EXPECT(sum_of_vector(v) == 0), DONE(GrB_free(&v));
  DONE(Grid_shortest_paths(&v, NULL, A, 0, 0)), EXPECT(sum_of_vector(v) == SIDE * (SIDE - 1) / 2);
  DONE(GrB_free(&v));
  DONE(Grid_triangles(&count, NULL, A)), EXPECT(count == 0);
  DONE(GrB_free(&A));
}

static void *run_calls(void *arg) {
  const int t = (int)(intptr_t)arg + 1;
  for (int round = 0; round < 3; round++)
    for (int k = 0; k < 4; k++) switch ((k + t) % 4) {
        case 0:
          matrix_operations(t);
          break;
        case 1:
          vector_operations(t);
          break;
        case 2:
          exchange_operations(t);
          break;
        default:
          graph_algorithms();
      }
  return NULL;
}
#endif
