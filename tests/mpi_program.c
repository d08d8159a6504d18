/* A program that starts MPI itself, at the lowest thread level, and passes communicators of half of its
 * processes to the library, as in docs/tutorials/c_mpi.md. The halves compute different things at the same
 * time. Four processes; exit status 0: success. With the argument "lost" rank 3 suspends itself, and the job
 * ends with a message that names it. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "gridblas.h"

enum { N = 1000, ROUNDS = 200 };

#define OK(call) \
  if ((call) != GrB_SUCCESS) return __LINE__
#define HOLDS(condition) \
  if (!(condition)) return __LINE__

/* Do this process's grids have shared memory: its file is unlinked, but mapped? */
static int has_shared_memory(void) {
  char line[512];
  int found = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  while (f && fgets(line, sizeof line, f)) found |= strstr(line, "gridblas-") != NULL;
  if (f) fclose(f);
  return found;
}

static int sums(int64_t value) {
  GrB_Vector v = NULL;
  int64_t sum = 0;
  OK(GrB_Vector_new(&v, GrB_INT64, N));
  OK(GrB_Vector_assign_INT64(v, NULL, NULL, value, GrB_ALL, N, NULL));
  OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, v, NULL));
  OK(GrB_Vector_free(&v));
  HOLDS(sum == N * value);
  return 0;
}

/* A token goes ROUNDS steps around a ring. */
static int walk(void) {
  GrB_Matrix A = NULL;
  GrB_Vector v = NULL;
  GrB_Index n = 0;
  int64_t x = 0;
  OK(GrB_Matrix_new(&A, GrB_INT64, N, N));
  OK(GrB_Vector_new(&v, GrB_INT64, N));
  for (GrB_Index i = 0; i < N; i++) OK(GrB_Matrix_setElement_INT64(A, 1, (i + 1) % N, i));
  OK(GrB_Vector_setElement_INT64(v, 7, 0));
  for (int k = 0; k < ROUNDS; k++) OK(GrB_mxv(v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, v, NULL));
  OK(GrB_Vector_nvals(&n, v));
  OK(GrB_Vector_extractElement_INT64(&x, v, ROUNDS));
  OK(GrB_Matrix_free(&A));
  OK(GrB_Vector_free(&v));
  HOLDS(n == 1 && x == 7);
  return 0;
}

/* The job's processes share the cores, not those of one grid. */
static int threads_fit(int processes) {
  return Grid_threads(0) == 1 || Grid_threads(0) * processes <= sysconf(_SC_NPROCESSORS_ONLN);
}

/* The grids of both halves exist at the same time, of different shapes, and so do their computations. */
static int run_halves(MPI_Comm half, int which, int processes) {
  int R, C, failed = 0;
  OK(Grid_init(GrB_NONBLOCKING, &half, which ? 1 : 2, which ? 2 : 1));
  Grid_shape(&R, &C);
  HOLDS(Grid_size() == 2 && R == (which ? 1 : 2) && C == (which ? 2 : 1));
  HOLDS(has_shared_memory() && threads_fit(processes));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < (which ? ROUNDS : 1) && !failed; k++) failed = which ? sums(k) : walk();
  if (failed) return failed;
  MPI_Barrier(MPI_COMM_WORLD); /* both grids are still there */
  failed = which ? walk() : sums(5);
  if (failed) return failed;
  OK(GrB_finalize());
  return 0;
}

/* After a shape that does not fit, another communicator may be passed. */
static int run_all(MPI_Comm half, int size) {
  MPI_Comm none = MPI_COMM_NULL, all = MPI_COMM_WORLD;
  HOLDS(Grid_init(GrB_NONBLOCKING, &none, 0, 0) == GrB_INVALID_VALUE);
  HOLDS(strstr(Grid_last_error(), "MPI_COMM_NULL"));
  HOLDS(Grid_init(GrB_NONBLOCKING, &half, 5, 5) == GrB_INVALID_VALUE);
  OK(Grid_init(GrB_NONBLOCKING, &all, 0, 0));
  HOLDS(Grid_size() == size);
  const int failed = sums(3);
  if (failed) return failed;
  OK(GrB_finalize());
  return 0;
}

/* MPI_Init allows calls from the main thread only. */
static void *init_in_thread(void *result) {
  *(int *)result = Grid_init(GrB_NONBLOCKING, NULL, 0, 0) == GrB_INVALID_VALUE &&
                   strstr(Grid_last_error(), "needs MPI_THREAD_SERIALIZED");
  return NULL;
}
static int is_refused_in_thread(void) {
  pthread_t thread;
  int refused = 0, level;
  MPI_Query_thread(&level);
  if (level >= MPI_THREAD_SERIALIZED) return 1; /* some MPI always give more than was asked for */
  return pthread_create(&thread, NULL, init_in_thread, &refused) == 0 && pthread_join(thread, NULL) == 0 &&
         refused;
}

static int lose(MPI_Comm half, int rank) {
  OK(Grid_init(GrB_NONBLOCKING, &half, 0, 0));
  if (rank == 3) raise(SIGSTOP);
  while (sums(1) == 0) continue;
  return __LINE__;
}

/* Signals interrupt the calls, without SA_RESTART. */
static atomic_int signals; /* in any thread */
static void count_signal(int number) {
  (void)number;
  atomic_fetch_add(&signals, 1);
}
static void interrupt_often(void) {
  const struct sigaction action = {.sa_handler = count_signal};
  const struct itimerval often = {{0, 1000}, {0, 1000}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
}
static void interrupt_no_more(void) {
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
}

int main(int argc, char **argv) {
  int rank, size, failed, ended = 0;
  MPI_Comm half;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (argc > 1 && strcmp(argv[1], "lost") == 0) return lose(half, rank);
  failed = is_refused_in_thread() ? 0 : __LINE__;
  interrupt_often();
  unsetenv("OMP_NUM_THREADS");
  if (!failed) failed = run_halves(half, rank % 2, size);
  if (!failed) failed = run_all(half, size); /* once more, on all of them */
  interrupt_no_more();
  if (!failed && !atomic_load(&signals)) failed = __LINE__;
  MPI_Finalized(&ended); /* finalizing MPI is left to the program */
  if (failed || ended) fprintf(stderr, "process %d: line %d failed: %s\n", rank, failed, Grid_last_error());
  MPI_Comm_free(&half);
  MPI_Finalize();
  return failed || ended;
}
