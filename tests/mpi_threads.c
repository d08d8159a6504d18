/* Two contexts of two processes each in every process, whose calls run at the same time on two threads: a
 * program that starts MPI with MPI_THREAD_MULTIPLE. Process k is in one context with its neighbor in a row of
 * 2 x 2 processes, in the other with that in a column. So calls in no common order would wait for each other
 * for ever if they took turns. Four processes; exit status 0: success. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gridblas.h"
#include "gridblas_algos.h"

enum { N = 2000, ROUNDS = 20, THREADS = 2 };

#define OK(call) \
  if ((call) != GrB_SUCCESS) return __LINE__
#define HOLDS(condition) \
  if (!(condition)) return __LINE__

typedef struct {
  Grid_Context context;
  int number, failed;
  char error[256];
} worker;

static int inside; /* threads of this process in a call */

/* Waits until both threads are in a call. */
static void wait_for_both(void *z, const void *x) {
  const struct timespec pause = {0, 1000000};
  __atomic_fetch_add(&inside, 1, __ATOMIC_ACQ_REL);
  for (int k = 0; k < 20000 && __atomic_load_n(&inside, __ATOMIC_ACQUIRE) < THREADS; k++)
    nanosleep(&pause, NULL);
  memcpy(z, x, sizeof(int64_t));
}

/* One entry a process, each with its own word of a bitmap. */
static int meet(void) {
  GrB_UnaryOp op = NULL;
  GrB_Vector v = NULL;
  GrB_Index first, count;
  OK(Grid_local_range(256, &first, &count));
  OK(GrB_UnaryOp_new(&op, wait_for_both, GrB_INT64, GrB_INT64));
  OK(GrB_Vector_new(&v, GrB_INT64, 256));
  OK(Grid_Vector_build(v, &first, &(int64_t){1}, GrB_INT64, 1, NULL));
  OK(GrB_Vector_apply(v, NULL, NULL, op, v, NULL));
  HOLDS(__atomic_load_n(&inside, __ATOMIC_ACQUIRE) == THREADS);
  OK(GrB_Vector_free(&v));
  OK(GrB_UnaryOp_free(&op));
  return 0;
}

/* Products, a search and a product of matrices on a ring with steps of 1 and `step`. */
static int compute(int step) {
  GrB_Matrix A = NULL, C = NULL;
  GrB_Vector level = NULL, v = NULL;
  GrB_Index row[2 * N], col[2 * N], n = 0, entries;
  int64_t deepest = 0, paths = 0, sum = 0;
  for (GrB_Index i = 0; i < N; i++)
    for (int k = 0; k < 2; k++)
      if (i % (GrB_Index)Grid_size() == (GrB_Index)Grid_rank())
        row[n] = i, col[n++] = (i + (k ? (GrB_Index)step : 1)) % N;
  OK(GrB_Matrix_new(&A, GrB_BOOL, N, N));
  OK(Grid_Matrix_build(A, row, col, NULL, NULL, n, NULL, 0));
  OK(Grid_bfs(&level, NULL, A, 0, INT64_MAX));
  OK(GrB_Vector_nvals(&entries, level));
  OK(GrB_Vector_reduce_INT64(&deepest, NULL, GrB_MAX_MONOID_INT64, level, NULL));
  OK(GrB_Matrix_new(&C, GrB_INT64, N, N));
  OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
  OK(GrB_Matrix_reduce_INT64(&paths, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  OK(GrB_Vector_new(&v, GrB_INT64, N));
  OK(GrB_Vector_assign_INT64(v, NULL, NULL, 3, GrB_ALL, N, NULL));
  OK(GrB_mxv(v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, v, NULL));
  OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, v, NULL));
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&C));
  OK(GrB_Vector_free(&level));
  OK(GrB_Vector_free(&v));
  HOLDS(entries == N && deepest == (N - 1) / step + (N - 1) % step);
  HOLDS(paths == 4 * N && sum == 6 * N);
  return 0;
}

static int work(const worker *w) {
  OK(Grid_Context_use(w->context));
  HOLDS(Grid_size() == 2);
  int failed = meet();
  for (int k = 0; k < ROUNDS && !failed; k++) failed = compute(w->number ? 50 : 40);
  return failed;
}

static void *run(void *argument) {
  worker *w = argument;
  w->failed = work(w);
  snprintf(w->error, sizeof w->error, "%s", Grid_last_error());
  return NULL;
}

static int run_threads(const MPI_Comm *comm, int rank) {
  worker w[THREADS] = {{.number = 0}, {.number = 1}};
  pthread_t thread[THREADS];
  OK(Grid_init(GrB_NONBLOCKING, NULL, 0, 0));
  for (int t = 0; t < THREADS; t++)
    OK(Grid_Context_new(&w[t].context, GrB_NONBLOCKING, &comm[t], t ? 1 : 2, t ? 2 : 1));
  for (int t = 0; t < THREADS; t++) HOLDS(pthread_create(&thread[t], NULL, run, &w[t]) == 0);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  for (int t = 0; t < THREADS; t++)
    if (w[t].failed) {
      fprintf(stderr, "process %d, thread %d: line %d: %s\n", rank, t, w[t].failed, w[t].error);
      return w[t].failed;
    }
  for (int t = 0; t < THREADS; t++) OK(Grid_Context_free(&w[t].context));
  OK(GrB_finalize());
  return 0;
}

int main(void) {
  int rank, level, failed;
  MPI_Comm comm[THREADS];
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (level < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return 77;
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &comm[0]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm[1]);
  failed = run_threads(comm, rank);
  if (failed) fprintf(stderr, "process %d: line %d failed: %s\n", rank, failed, Grid_last_error());
  if (failed) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int t = 0; t < THREADS; t++) MPI_Comm_free(&comm[t]);
  MPI_Finalize();
  return 0;
}
