/* gpu_contexts [SCALE [GPUS]]: requests that threads answer, each in a context of its own on one of
 * so many GPUs (1). A request is a search from a vertex of an R-MAT graph of that scale (18), and the sum of
 * its levels. Prints requests a second by 1, 2, 4 and 8 threads. Sums must equal
 * those of the first thread. Exit status: 0; 1 if they differ; 2 after an error. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>

#include "bench/measure/measure.h"
#include "gridblas_algos.h"

enum { THREADS = 8, REQUESTS = 400, SOURCES = 40, ROUNDS = 3 };

static GrB_Matrix graph;
static int gpus = 1;
static int64_t expected[SOURCES];
static atomic_int wrong;
static pthread_barrier_t barrier; /* before and after each measurement */

static int64_t answer(GrB_Matrix A, int request) {
  GrB_Vector level = NULL;
  int64_t sum = 0;
  OK(Grid_bfs(&level, NULL, A, (GrB_Index)(request % SOURCES) * 97 + 1, INT64_MAX));
  OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, level, NULL));
  OK(GrB_Vector_free(&level));
  return sum;
}

static void *serve(void *number) {
  const int t = (int)(intptr_t)number;
  Grid_Context context = NULL;
  GrB_Matrix A = NULL;
  OK(Grid_Context_new(&context, GrB_NONBLOCKING, NULL, 0, 0));
  OK(Grid_Context_use(context));
  Grid_threads(1);
  OK(Grid_device_set(gpus > 1 ? Grid_GPU(t % gpus) : Grid_CUDA));
  OK(GrB_Matrix_dup(&A, graph));
  for (int s = 0; s < SOURCES; s++) (void)answer(A, s); /* the first calls load kernels */
  for (int threads = 1; threads <= THREADS; threads *= 2)
    for (int round = 0; round < ROUNDS; round++) {
      pthread_barrier_wait(&barrier);
      for (int k = t; t < threads && k < REQUESTS; k += threads)
        if (answer(A, k) != expected[k % SOURCES]) wrong++;
      pthread_barrier_wait(&barrier);
    }
  OK(GrB_Matrix_free(&A));
  return NULL;
}

static void measure(int threads) {
  double best = 0;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_barrier_wait(&barrier);
    const double begin = now_us();
    pthread_barrier_wait(&barrier);
    const double rate = REQUESTS / (now_us() - begin) * 1e6;
    best = rate > best ? rate : best;
  }
  printf("%d threads: %.0f requests a second\n", threads, best);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 18;
  pthread_t thread[THREADS];
  gpus = argc > 2 ? atoi(argv[2]) : 1;
  require(scale >= 13 && scale <= 26 && gpus >= 1, "gpu_contexts [SCALE [GPUS]], SCALE from 13 to 26");
  OK(GrB_init(GrB_NONBLOCKING));
  OK(GrB_Matrix_new(&graph, GrB_BOOL, (GrB_Index)1 << scale, (GrB_Index)1 << scale));
  OK(Grid_Matrix_rmat(graph, scale, 16, 1, Grid_MIRROR));
  OK(GrB_wait(graph, GrB_MATERIALIZE));
  for (int s = 0; s < SOURCES; s++) expected[s] = answer(graph, s);
  pthread_barrier_init(&barrier, NULL, THREADS + 1);
  for (intptr_t t = 0; t < THREADS; t++)
    require(pthread_create(&thread[t], NULL, serve, (void *)t) == 0, "a thread");
  for (int threads = 1; threads <= THREADS; threads *= 2) measure(threads);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  OK(GrB_Matrix_free(&graph));
  OK(GrB_finalize()); /* with the contexts */
  if (wrong) printf("%d answers differ\n", wrong);
  return wrong ? 1 : 0;
}
