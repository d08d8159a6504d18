/* Threads of one process call the library at the same time, without locks of their own. They have separate
 * objects, completed inputs that all of them read, and errors. Under ThreadSanitizer (the preset tsan) this
 * finds unsynchronized accesses. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridblas.h"
#include "tests/thread_calls.h"

enum { N = 600, ROUNDS = 40 };

#define OK(call) assert_int_equal((call), GrB_SUCCESS)

/* ---- objects of their own ---- */

static void private_vector(int t, int round) {
  GrB_Vector v = NULL, w = NULL;
  GrB_Index n = 0, expected = 0;
  int64_t x = 0, sum = 0;
  DONE(GrB_Vector_new(&v, GrB_INT64, N));
  DONE(GrB_Vector_assign_INT64(v, NULL, NULL, t, GrB_ALL, N, NULL));
  DONE(GrB_Vector_nvals(&n, v)), EXPECT(n == N);
  DONE(GrB_Vector_clear(v));
  for (GrB_Index i = (GrB_Index)(round % 7); i < N; i += 2, expected++)
    DONE(GrB_Vector_setElement_INT64(v, (int64_t)i, N - 1 - i)); /* descending: changes are pending */
  DONE(GrB_Vector_nvals(&n, v)), EXPECT(n == expected);
  DONE(GrB_Vector_extractElement_INT64(&x, v, N - 1 - (GrB_Index)(round % 7))), EXPECT(x == round % 7);
  DONE(GrB_Vector_removeElement(v, N - 1 - (GrB_Index)(round % 7)));
  DONE(GrB_Vector_dup(&w, v));
  DONE(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GrB_PLUS_INT64, v, w, NULL));
  DONE(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, w, NULL));
  for (GrB_Index i = (GrB_Index)(round % 7) + 2; i < N; i += 2) sum -= 2 * (int64_t)i;
  EXPECT(sum == 0);
  DONE(GrB_Vector_resize(w, 10 * N));
  DONE(GrB_Vector_free(&v)), DONE(GrB_Vector_free(&w));
}

/* A path of N vertices, edge i to i + 1 with the value t. */
static void private_matrix(int t) {
  GrB_Matrix A = NULL, C = NULL;
  GrB_Vector v = NULL;
  GrB_Index n = 0;
  int32_t x = 0;
  DONE(GrB_Matrix_new(&A, GrB_INT32, N, N)), DONE(GrB_Matrix_new(&C, GrB_INT32, N, N));
  DONE(GrB_Vector_new(&v, GrB_INT32, N));
  for (GrB_Index i = 0; i + 1 < N; i++) DONE(GrB_Matrix_setElement_INT32(A, t, i, i + 1));
  DONE(GrB_Matrix_extractElement_INT32(&x, A, 3, 4)), EXPECT(x == t);
  DONE(GrB_Vector_setElement_INT32(v, 1, N - 1));
  for (int k = 0; k < 5; k++) DONE(GrB_mxv(v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, v, NULL));
  DONE(GrB_Vector_extractElement_INT32(&x, v, N - 6)), EXPECT(x == t * t * t * t * t);
  DONE(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, A, A, NULL));
  DONE(GrB_Matrix_nvals(&n, C)), EXPECT(n == N - 2);
  DONE(GrB_transpose(A, NULL, NULL, C, NULL));
  DONE(GrB_Matrix_extractElement_INT32(&x, A, 2, 0)), EXPECT(x == t * t);
  DONE(GrB_Matrix_free(&A)), DONE(GrB_Matrix_free(&C)), DONE(GrB_Vector_free(&v));
}

/* Operators, descriptors, scalars and their fields. */
static void private_operator(int t) {
  GrB_Monoid m = NULL;
  GrB_Semiring s = NULL;
  GrB_Descriptor d = NULL;
  GrB_Scalar x = NULL;
  char name[64] = "", back[64] = "";
  int64_t value = 0;
  DONE(GrB_Monoid_new_INT64(&m, GrB_MAX_INT64, INT64_MIN));
  DONE(GrB_Semiring_new(&s, m, GrB_PLUS_INT64));
  DONE(GrB_Descriptor_new(&d)), DONE(GrB_Descriptor_set(d, GrB_OUTP, GrB_REPLACE));
  DONE(GrB_Scalar_new(&x, GrB_INT64)), DONE(GrB_Scalar_setElement_INT64(x, t));
  DONE(GrB_Scalar_extractElement_INT64(&value, x)), EXPECT(value == t);
  snprintf(name, sizeof name, "max_plus of thread %d", t);
  DONE(GrB_Semiring_set_String(s, name, GrB_NAME)), DONE(GrB_Semiring_get_String(s, back, GrB_NAME));
  EXPECT(strcmp(name, back) == 0);
  DONE(GrB_Scalar_free(&x)), DONE(GrB_Descriptor_free(&d));
  DONE(GrB_Semiring_free(&s)), DONE(GrB_Monoid_free(&m));
}

static void *run_private_objects(void *arg) {
  const int t = (int)(intptr_t)arg;
  for (int round = 0; round < ROUNDS; round++) {
    private_vector(t, round);
    if (round % 8 == 0) private_matrix(t + 1), private_operator(t);
  }
  return NULL;
}

static void private_objects(void **state) {
  run_threads(run_private_objects);
}

static void private_calls(void **state) {
  run_threads(run_calls);
}

/* ---- shared inputs ---- */

static GrB_Matrix A, B;
static GrB_Vector u, sparse;
static GrB_Index nvals_of_square;
static double sums[3]; /* of A u, u' A, all of A */

static double sum_of(GrB_Vector w) {
  double sum = -1;
  DONE(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  return sum;
}

static double product(bool transposed) {
  GrB_Vector w = NULL;
  DONE(GrB_Vector_new(&w, GrB_FP64, N));
  if (transposed)
    DONE(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, u, A, NULL));
  else
    DONE(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
  const double sum = sum_of(w);
  DONE(GrB_Vector_free(&w));
  return sum;
}

/* A search of the symmetric B from vertex 0. */
static GrB_Index count_reached(void) {
  GrB_Vector q = NULL, visited = NULL;
  GrB_Index n = 0;
  DONE(GrB_Vector_new(&q, GrB_BOOL, N)), DONE(GrB_Vector_new(&visited, GrB_INT32, N));
  DONE(GrB_Vector_setElement_BOOL(q, true, 0));
  for (int level = 0;; level++) {
    DONE(GrB_Vector_nvals(&n, q));
    if (n == 0) break;
    DONE(GrB_Vector_assign_INT32(visited, q, NULL, level, GrB_ALL, N, GrB_DESC_S));
    DONE(GrB_vxm(q, visited, NULL, GrB_LOR_LAND_SEMIRING_BOOL, q, B, GrB_DESC_RSC));
  }
  DONE(GrB_Vector_nvals(&n, visited));
  DONE(GrB_Vector_free(&q)), DONE(GrB_Vector_free(&visited));
  return n;
}

static GrB_Index square(void) {
  GrB_Matrix C = NULL;
  GrB_Index n = 0;
  DONE(GrB_Matrix_new(&C, GrB_FP64, N, N));
  DONE(GrB_mxm(C, B, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, GrB_DESC_ST1));
  DONE(GrB_Matrix_nvals(&n, C));
  DONE(GrB_Matrix_free(&C));
  return n;
}

static void read_elements(int t) {
  double x = 0;
  GrB_Index i[1] = {0}, n = 0;
  for (GrB_Index k = 0; k < N; k += 7) {
    EXPECT(GrB_Vector_extractElement_FP64(&x, u, k) == GrB_SUCCESS && x == (double)k);
    const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, A, k, (k * 3 + 1) % N);
    EXPECT(info == GrB_SUCCESS && x >= (double)k);
  }
  DONE(GrB_Vector_nvals(&n, sparse)), EXPECT(n == 2);
  n = 1;
  EXPECT(GrB_Vector_extractTuples_FP64(i, &x, &n, sparse) == GrB_INSUFFICIENT_SPACE);
  (void)t;
}

static void *read_shared(void *arg) {
  const int t = (int)(intptr_t)arg;
  double sum = 0;
  for (int round = 0; round < ROUNDS / 4; round++)
    for (int k = 0; k < 6; k++) switch ((k + t) % 6) {
        case 0:
          EXPECT(product(false) == sums[0]);
          break;
        case 1:
          EXPECT(product(true) == sums[1]);
          break;
        case 2:
          DONE(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL)), EXPECT(sum == sums[2]);
          break;
        case 3:
          EXPECT(count_reached() == N);
          break;
        case 4:
          EXPECT(square() == nvals_of_square);
          break;
        default:
          read_elements(t);
      }
  return NULL;
}

/* Rows of a few entries with whole values, so that sums are exact; from `columns` on also backwards. */
static GrB_Matrix make_matrix(bool both_directions) {
  GrB_Matrix C = NULL;
  OK(GrB_Matrix_new(&C, GrB_FP64, N, N));
  for (GrB_Index i = 0; i < N; i++)
    for (GrB_Index k = 1; k <= 3; k++) {
      const GrB_Index j = (i * 3 + k) % N;
      OK(GrB_Matrix_setElement_FP64(C, (double)i + 1, i, j));
      if (both_directions) OK(GrB_Matrix_setElement_FP64(C, 1, j, i));
    }
  return C;
}

static void make_shared(void) {
  A = make_matrix(false), B = make_matrix(true);
  OK(GrB_Vector_new(&u, GrB_FP64, N)), OK(GrB_Vector_new(&sparse, GrB_FP64, 1 << 20));
  for (GrB_Index i = 0; i < N; i++) OK(GrB_Vector_setElement_FP64(u, (double)i, i));
  OK(GrB_Vector_setElement_FP64(sparse, 1, 7)), OK(GrB_Vector_setElement_FP64(sparse, 1, 3));
}

static void complete_shared(void) {
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE)), OK(GrB_Matrix_wait(B, GrB_COMPLETE));
  OK(GrB_Vector_wait(u, GrB_MATERIALIZE)), OK(GrB_Vector_wait(sparse, GrB_COMPLETE));
}

static void free_shared(void) {
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B));
  OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&sparse));
}

/* New objects for every turn: the first product of each is the one that derives something. */
static void shared_inputs(void **state) {
  for (int turn = 0; turn < 5; turn++) {
    make_shared();
    sums[0] = product(false), sums[1] = product(true), nvals_of_square = square();
    OK(GrB_Matrix_reduce_FP64(&sums[2], NULL, GrB_PLUS_MONOID_FP64, A, NULL));
    free_shared();
    make_shared();
    complete_shared();
    run_threads(read_shared);
    free_shared();
  }
}

/* ---- errors, and a thread's end ---- */

/* Each thread gets the text of its own errors. */
static void *make_errors(void *arg) {
  char text[64];
  const char *of_object = NULL;
  GrB_Vector v = NULL;
  bool x;
  snprintf(text, sizeof text, "index %d ", 1000 + (int)(intptr_t)arg);
  DONE(GrB_Vector_new(&v, GrB_BOOL, N));
  for (int round = 0; round < ROUNDS; round++) {
    EXPECT(GrB_Vector_extractElement_BOOL(&x, v, (GrB_Index)(1000 + (intptr_t)arg)) == GrB_INVALID_INDEX);
    DONE(GrB_Vector_error(&of_object, v));
    EXPECT(strstr(of_object, text) && strstr(Grid_last_error(), text));
    EXPECT(GrB_Vector_apply(v, NULL, NULL, GrB_IDENTITY_BOOL, sparse, NULL) == GrB_DIMENSION_MISMATCH);
    EXPECT(strstr(Grid_last_error(), "GrB_apply"));
  }
  DONE(GrB_Vector_free(&v));
  return NULL;
}

static void errors_are_thread_local(void **state) {
  make_shared();
  run_threads(make_errors);
  free_shared();
}

static GrB_Vector handed[THREADS];

static void *fill(void *arg) {
  const intptr_t t = (intptr_t)arg;
  DONE(GrB_Vector_new(&handed[t], GrB_INT64, 1 << 20));
  for (int64_t i = 2000; i > 0; i--) DONE(GrB_Vector_setElement_INT64(handed[t], i, (GrB_Index)i));
  return NULL;
}

/* The thread that created a vector has ended, with pending changes. */
static void vectors_outlive_their_thread(void **state) {
  run_threads(fill);
  for (int t = 0; t < THREADS; t++) {
    int64_t sum = 0;
    OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, handed[t], NULL));
    assert_int_equal(sum, 2000 * 2001 / 2);
    OK(GrB_Vector_free(&handed[t]));
  }
}

/* The same from inside a parallel region of the program's. */
static void calls_in_parallel_region(void **state) {
  failures = 0;
#pragma omp parallel for num_threads(THREADS) schedule(static)
  for (int t = 0; t < THREADS; t++) run_private_objects((void *)(intptr_t)t);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(private_objects),          cmocka_unit_test(shared_inputs),
      cmocka_unit_test(errors_are_thread_local),  cmocka_unit_test(vectors_outlive_their_thread),
      cmocka_unit_test(calls_in_parallel_region), cmocka_unit_test(private_calls),
  };
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return failed || GrB_finalize() != GrB_SUCCESS || Grid_memory(NULL, false) ? 1 : 0;
}
