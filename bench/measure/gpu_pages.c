/* gpu_pages SCALE|FILE [SHARE [HOST [ORDER]]]: a graph that does not fit its GPU's memory. The graph is R-MAT
 * of that scale, with ORDER "degree" numbered by descending degree (on one process), or a page file with a
 * symmetric pattern. It is first in the GPU's memory, then limited to a SHARE-th (4) of its columns' bytes in
 * addition to the vectors. The GPU computes alone, with the CPU's help, and, if HOST is not 0 (1), the CPU
 * alone. Measured: PageRank in FP32 (iterations one by one, which shows how the split adapts, then three
 * times ten) and searches from four vertices. Then pulls by other semirings, from and to every second vertex,
 * and components. Prints milliseconds, copied bytes, their rate relative to the link's, and the peak memory.
 * The results must agree. Exit status: 0; 1 if they do not; 2 after an error; 77 where there is no GPU. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/gpu_copies.h"
#include "bench/measure/measure.h"
#include "bench/measure/measured_graph.h"
#include "gridblas_algos.h"

/* VECTORS: bytes a vertex that vectors and work may take; PageRank in FP32 wants some 30. MORE: what
 * components want beside, whose vectors are of 8 bytes. GATHERED: what inputs from several processes take. */
enum {
  ITERATIONS = 10,
  HOST_ITERATIONS = 3,
  TIMES = 3,
  SEARCHES = 4,
  PULLS = 4,
  VECTORS = 40,
  GATHERED = 16,
  MORE = 80
};

/* Not public: pages for the CPU are set between measurements (semiring/support/tuning.h). */
GrB_Info grid_tune_set(const char *text);

static int processes(void) {
  int R, C;
  Grid_shape(&R, &C);
  return R * C;
}

/* printf on process 0 */
#define PRINT(...)                             \
  do {                                         \
    if (Grid_rank() == 0) printf(__VA_ARGS__); \
  } while (0)

/* What the work since the last call cost. */
typedef struct {
  double ms;
  uint64_t sent;
} cost;
static cost begin(GrB_Matrix A) {
  return (cost){.ms = now_ms(), .sent = Grid_Matrix_bytes_sent(NULL, NULL, A)};
}
static void end(const char *where, const char *what, int times, GrB_Matrix A, double rate, cost c) {
  uint64_t all, cached;
  const double ms = (now_ms() - c.ms) / times,
               sent = (double)(Grid_Matrix_bytes_sent(&all, &cached, A) - c.sent) / times;
  PRINT("%-8s %-12s %9.2f ms", where, what, ms);
  if (all)
    PRINT("  %7.1f MB of %.1f crossed (%.2f), kept %.1f, %.2f of the link's rate", sent * 1e-6,
          (double)all * 1e-6, sent / (double)all, (double)cached * 1e-6,
          rate > 0 ? sent / (ms * 1e-3) / rate : 0);
  PRINT("\n");
  fflush(stdout);
}

typedef struct {
  double ranks[2];     /* their sum, and that of their squares */
  double pulls[PULLS]; /* sums of their results */
  int64_t levels, components;
} answers;

/* The ranks after that many iterations. */
static GrB_Vector iterate(const char *where, const char *what, int iterations, GrB_Matrix A, double rate) {
  GrB_Vector rank = NULL;
  cost c = begin(A);
  OK(Grid_pagerank(&rank, NULL, NULL, A, NULL, 0.85, 0, (uint64_t)iterations, Grid_PAGERANK_FP32));
  OK(GrB_wait(rank, GrB_MATERIALIZE));
  end(where, what, iterations, A, rate, c);
  return rank;
}

static void run_pagerank(const char *where, GrB_Matrix A, double rate, answers *a) {
  GrB_Vector rank = NULL;
  const bool host = Grid_device() == Grid_CPU;
  for (int k = 0; k < (host ? 1 : 4); k++) { /* cached properties are built here */
    rank = iterate(where, "an iteration", 1, A, rate);
    GrB_Vector_free(&rank);
  }
  for (int k = 0; k < (host ? 1 : TIMES); k++) {
    GrB_Vector_free(&rank);
    rank = iterate(where, "pagerank", host ? HOST_ITERATIONS : ITERATIONS, A, rate);
  }
  if (!host) {
    GrB_Vector_free(&rank);
    OK(Grid_pagerank(&rank, NULL, NULL, A, NULL, 0.85, 0, HOST_ITERATIONS, Grid_PAGERANK_FP32));
  }
  OK(GrB_Vector_reduce_FP64(&a->ranks[0], NULL, GrB_PLUS_MONOID_FP64, rank, NULL));
  OK(GrB_Vector_eWiseMult_BinaryOp(rank, NULL, NULL, GrB_TIMES_FP32, rank, rank, NULL));
  OK(GrB_Vector_reduce_FP64(&a->ranks[1], NULL, GrB_PLUS_MONOID_FP64, rank, NULL));
  GrB_Vector_free(&rank);
}

/* Searches begin near the first vertices of as many segments of the graph. Of a file they begin near those of
 * its first segment: in order of degree the last half has no neighbours. */
static GrB_Index parts = SEARCHES;

static void run_searches(const char *where, GrB_Matrix A, GrB_Index n, double rate, answers *a) {
  int64_t sum = 0;
  a->levels = 0;
  for (int k = 0; k < SEARCHES; k++) {
    GrB_Vector level = NULL;
    GrB_Index v = (GrB_Index)k * (n / parts), found = 0;
    for (;; v++) { /* the next vertex with a neighbour */
      OK(Grid_bfs(&level, NULL, A, v, 1));
      OK(GrB_Vector_nvals(&found, level));
      GrB_Vector_free(&level);
      if (found > 1) break;
    }
    cost c = begin(A);
    OK(Grid_bfs(&level, NULL, A, v, -1));
    OK(GrB_Vector_nvals(&found, level));
    end(where, "bfs", 1, A, rate, c);
    OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, level, NULL));
    a->levels += sum + (int64_t)found;
    GrB_Vector_free(&level);
  }
}

static void run_components(const char *where, GrB_Matrix A, double rate, answers *a) {
  GrB_Vector component = NULL;
  for (int k = 0; k < 1 + (Grid_device() != Grid_CPU); k++) { /* kernels are compiled at their first use */
    GrB_Vector_free(&component);
    cost c = begin(A);
    OK(Grid_components(&component, A));
    OK(GrB_wait(component, GrB_MATERIALIZE));
    end(where, "components", 1, A, rate, c);
  }
  OK(GrB_Vector_reduce_INT64(&a->components, NULL, GrB_PLUS_MONOID_INT64, component, NULL));
  GrB_Vector_free(&component);
}

/* Half of the vertices, whichever; their values are hashes. */
static GrB_Vector draw_half(GrB_Index n) {
  GrB_Vector half = NULL;
  OK(GrB_Vector_new(&half, GrB_UINT32, n));
  OK(GrB_Vector_assign_UINT32(half, NULL, NULL, 1, GrB_ALL, n, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(half, NULL, NULL, GrB_ROWINDEX_INT64, half, 1, NULL));
  OK(GrB_Vector_apply_BinaryOp2nd_UINT32(half, NULL, NULL, GrB_TIMES_UINT32, half, 2654435761U, NULL));
  OK(GrB_Vector_select_UINT32(half, NULL, NULL, GrB_VALUELE_UINT32, half, UINT32_MAX / 2, NULL));
  return half;
}

static void run_pulls(const char *where, GrB_Matrix A, GrB_Index n, double rate, answers *a) {
  const struct {
    const char *name;
    GrB_Semiring s;
    GrB_Type type;
    bool from_half, to_half;
  } pull[PULLS] = {{"plus.fp64", GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, false, false},
                   {"min.int32", GrB_MIN_SECOND_SEMIRING_INT32, GrB_INT32, false, false},
                   {"from half", GrB_PLUS_TIMES_SEMIRING_FP32, GrB_FP32, true, false},
                   {"to half", GrB_PLUS_TIMES_SEMIRING_FP32, GrB_FP32, false, true}};
  GrB_Vector half = draw_half(n);
  OK(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION));
  for (int k = 0; k < PULLS; k++) {
    GrB_Vector x = NULL, y = NULL;
    OK(GrB_Vector_new(&x, pull[k].type, n));
    OK(GrB_Vector_new(&y, pull[k].type, n));
    if (!pull[k].from_half) OK(GrB_Vector_assign_FP32(x, NULL, NULL, 3, GrB_ALL, n, NULL));
    OK(GrB_Vector_apply_BinaryOp2nd_UINT32(x, half, NULL, GrB_DIV_UINT32, half, 1 << 20, GrB_DESC_S));
    for (int turn = 0; turn < 2; turn++) { /* the first one makes the kernel */
      cost c = begin(A);
      for (int t = 0; t < TIMES; t++)
        OK(GrB_mxv(y, pull[k].to_half ? half : NULL, NULL, pull[k].s, A, x, GrB_DESC_RS));
      OK(GrB_wait(y, GrB_MATERIALIZE));
      if (turn) end(where, pull[k].name, TIMES, A, rate, c);
    }
    OK(GrB_Vector_reduce_FP64(&a->pulls[k], NULL, GrB_PLUS_MONOID_FP64, y, NULL));
    GrB_Vector_free(&x);
    GrB_Vector_free(&y);
  }
  OK(GrB_Matrix_set_INT32(A, Grid_DIRECTION_AUTO, Grid_DIRECTION));
  GrB_Vector_free(&half);
}

static void print_memory(const char *where) {
  Grid_Device_Info d;
  if (Grid_device() == Grid_CUDA && Grid_device_info(&d) == GrB_SUCCESS)
    PRINT("%-8s held %.1f MB, at most %.1f\n", where, (double)d.held * 1e-6, (double)d.peak * 1e-6);
}

/* limit: of device memory, or 0. */
static void run_all(const char *where, GrB_Matrix A, GrB_Index n, double rate, uint64_t limit, answers *a) {
  if (limit) OK(Grid_device_memory_limit(limit));
  run_pagerank(where, A, rate, a);
  run_searches(where, A, n, rate, a);
  if (Grid_device() != Grid_CPU) run_pulls(where, A, n, rate, a);
  print_memory(where);
  if (limit) OK(Grid_device_memory_limit(limit + MORE * n / (uint64_t)processes()));
  run_components(where, A, rate, a);
  print_memory(where);
}

static int differ(const char *what, const answers *a, const answers *b) {
  const bool same = fabs(a->ranks[0] - b->ranks[0]) < 1e-3 &&
                    fabs(a->ranks[1] - b->ranks[1]) <= 1e-3 * fabs(a->ranks[1]) && a->levels == b->levels &&
                    a->components == b->components;
  bool pulls = true;
  for (int k = 0; k < PULLS; k++)
    pulls = pulls && fabs(a->pulls[k] - b->pulls[k]) <= 1e-4 * fabs(a->pulls[k]);
  if (!pulls) PRINT("%s: other sums by pulls\n", what);
  if (!same)
    PRINT("%s: %g %g %" PRId64 " %" PRId64 " against %g %g %" PRId64 " %" PRId64 "\n", what, a->ranks[0],
          a->ranks[1], a->levels, a->components, b->ranks[0], b->ranks[1], b->levels, b->components);
  return !same || !pulls;
}

/* Pages are built, and the kernel for them is compiled. */
static void make_pages(GrB_Matrix A, GrB_Index n, GrB_Index nvals) {
  GrB_Vector x = NULL;
  uint64_t all;
  const double since = now_ms();
  OK(GrB_Vector_new(&x, GrB_FP32, n));
  OK(GrB_Vector_assign_FP32(x, NULL, NULL, 1, GrB_ALL, n, NULL));
  OK(GrB_mxv(x, NULL, NULL, GrB_MIN_SECOND_SEMIRING_FP32, A, x, NULL));
  OK(GrB_wait(x, GrB_MATERIALIZE));
  GrB_Vector_free(&x);
  Grid_Matrix_bytes_sent(&all, NULL, A);
  PRINT("pages made, and a product, in %.0f ms; %.3f bytes an entry\n", now_ms() - since,
        (double)all * processes() / (double)nvals);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "20";
  const int share = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 4,
            host = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 1;
  const bool by_degree = argc > 4 && strcmp(argv[4], "degree") == 0;
  GrB_Index n = 0;
  GrB_Matrix A = NULL;
  Grid_Device_Info d;
  answers in_memory = {.levels = 0}, on_pages = in_memory, together = in_memory, on_host = in_memory;
  if (share < 1) return 2;
  OK(GrB_init(GrB_NONBLOCKING));
  if (Grid_device_set(Grid_CUDA) != GrB_SUCCESS) {
    PRINT("skipped: %s\n", Grid_last_error());
    return 77;
  }
  const double rate = gpu_copy_rate(8 << 20), since = now_ms();
  require(graph_of(&A, what, by_degree), "the graph");
  char *end;
  strtol(what, &end, 10);
  if (*end || by_degree) parts = (GrB_Index)SEARCHES * SEARCHES;
  OK(Grid_device_info(&d));
  GrB_Index nvals;
  OK(GrB_Matrix_nrows(&n, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  PRINT("%s%s: %" PRIu64 " entries, made in %.0f ms, %.1f MB on %s; link %.1f GB/s\n", what,
        by_degree ? " by degree" : "", nvals, now_ms() - since, (double)d.held * 1e-6, d.name, rate * 1e-9);
  run_all("inside", A, n, rate, 0, &in_memory);
  const uint64_t vertices = n / (uint64_t)processes(),
                 limit = 4 * nvals / (uint64_t)processes() / (uint64_t)share + VECTORS * vertices +
                         (vertices < n ? GATHERED * n : 0);
  OK(Grid_device_memory_limit(limit));
  PRINT("limit %.1f MB\n", (double)limit * 1e-6);
  make_pages(A, n, nvals);
  OK(grid_tune_set("cpu_page_ratio=off"));
  run_all("pages", A, n, rate, limit, &on_pages);
  OK(grid_tune_set("cpu_page_ratio=default"));
  run_all("together", A, n, rate, limit, &together);
  int bad = differ("pages", &in_memory, &on_pages) | differ("together", &in_memory, &together);
  if (host) {
    OK(Grid_device_memory_limit(0));
    OK(Grid_device_set(Grid_CPU));
    run_all("host", A, n, rate, 0, &on_host);
    memcpy(on_host.pulls, in_memory.pulls, sizeof on_host.pulls); /* not run */
    bad |= differ("host", &in_memory, &on_host);
  }
  GrB_Matrix_free(&A);
  OK(GrB_finalize());
  return bad;
}
