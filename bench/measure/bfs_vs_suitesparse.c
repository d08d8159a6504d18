/* Breadth-first search with parents compared with SuiteSparse:GraphBLAS, in one run on one graph: R-MAT, edge
 * factor 16, both libraries with the same threads, their searches alternating from the same keys. On several
 * processes gridblas runs alone.
 *
 *   bfs_vs_suitesparse [SCALE [KEYS [SEED]]]      (20 64 1)
 *   bfs_vs_suitesparse memory [SCALE]             (22): only the memory of the matrix
 *
 * Prints `key: value` lines, from which bench/run.sh makes the table of docs/measurements/bfs-cpu.md. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/program/graph/grid_choice.h"
#include "bench/validate/reference.h"
#include "gridblas.h"
#include "gridblas_algos.h"

#define TRY(call)                         \
  do {                                    \
    info = (call);                        \
    if (info != GrB_SUCCESS) return info; \
  } while (0)

enum { EDGE_FACTOR = 16, MOST_KEYS = 4096, TRACED = 8 };

typedef struct {
  Grid_Edges edges;
  GrB_Matrix A;
  GrB_Vector ends; /* INT64: tuple ends at each vertex, loops and duplicates counted as they are listed */
  double build_seconds;
  uint64_t n, count;
  uint64_t key[MOST_KEYS];
  double gridblas[MOST_KEYS], suitesparse[MOST_KEYS],
      edges_in[MOST_KEYS]; /* per key: seconds, seconds, tuples in the component */
} bench;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double slowest(double start) {
  uint64_t ns = (uint64_t)(1e9 * (now() - start));
  return Grid_max(&ns, 1) == GrB_SUCCESS ? 1e-9 * (double)ns : 0;
}

static GrB_Info choose_grid(const Grid_Edges *e) {
  degree_sample s;
  bool again;
  if (!grid_shape_is_automatic()) return GrB_SUCCESS;
  const bool made = degree_sample_open(&s, e->nrows, true);
  GrB_Info info = Grid_agree(made ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory to count degrees");
  for (uint64_t k = 0; info == GrB_SUCCESS && k < e->n; k++) degree_sample_add(&s, e->rows[k], e->cols[k]);
  if (info == GrB_SUCCESS) info = grid_restart_on_best_shape(&again, &s, WORK_SEARCHES);
  degree_sample_close(&s);
  return info;
}

/* Kernel 1. */
static GrB_Info build(bench *b, int scale, uint64_t seed) {
  GrB_Info info;
  TRY(Grid_rmat(&b->edges, scale, EDGE_FACTOR, seed));
  b->n = b->edges.nrows;
  TRY(choose_grid(&b->edges));
  TRY(Grid_synchronize());
  const double start = now();
  TRY(GrB_Matrix_new(&b->A, GrB_BOOL, b->n, b->n));
  TRY(Grid_Matrix_build(b->A, b->edges.rows, b->edges.cols, NULL, NULL, b->edges.n, NULL,
                        Grid_MIRROR | Grid_NO_LOOPS));
  TRY(GrB_Matrix_wait(b->A, GrB_MATERIALIZE));
  b->build_seconds = slowest(start);
  return GrB_SUCCESS;
}

/* ends(v) += 1 for every end of a tuple. */
static GrB_Info count_ends(bench *b) {
  const Grid_Edges *e = &b->edges;
  GrB_Index *at = malloc((2 * e->n + 1) * sizeof *at);
  int64_t *one = malloc((2 * e->n + 1) * sizeof *one);
  GrB_Info info =
      Grid_agree(at == NULL || one == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory to count the edges");
  for (uint64_t k = 0; info == GrB_SUCCESS && k < e->n; k++) {
    at[2 * k] = e->rows[k], at[2 * k + 1] = e->cols[k];
    one[2 * k] = one[2 * k + 1] = 1;
  }
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&b->ends, GrB_INT64, b->n);
  if (info == GrB_SUCCESS) info = Grid_Vector_build(b->ends, at, one, GrB_INT64, 2 * e->n, GrB_PLUS_INT64);
  free(at);
  free(one);
  return info;
}

/* Distinct keys with an edge, by a linear congruence with a fixed start. */
static GrB_Info pick_keys(bench *b, uint64_t wanted, uint64_t seed) {
  GrB_Info info;
  GrB_Vector degree;
  GrB_Index vertices;
  uint64_t x = seed;
  TRY(GrB_Vector_new(&degree, GrB_INT64, b->n));
  TRY(Grid_Matrix_degree(degree, b->A, false));
  TRY(GrB_Vector_nvals(&vertices, degree));
  if (wanted > vertices) wanted = vertices;
  while (b->count < wanted) {
    int64_t value;
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint64_t key = (x >> 20) % b->n;
    bool fresh = true;
    for (uint64_t k = 0; k < b->count; k++) fresh = fresh && b->key[k] != key;
    if (!fresh) continue;
    info = GrB_Vector_extractElement_INT64(&value, degree, key);
    if (info == GrB_SUCCESS)
      b->key[b->count++] = key;
    else if (info != GrB_NO_VALUE)
      return info;
  }
  return GrB_Vector_free(&degree);
}

/* edges = half the tuple ends at the reached vertices; reached = their number. */
static GrB_Info measure(double *edges, uint64_t *reached, GrB_Vector parent, const bench *b) {
  GrB_Info info;
  GrB_Vector inside;
  int64_t sum = 0;
  TRY(GrB_Vector_new(&inside, GrB_INT64, b->n));
  TRY(GrB_Vector_assign(inside, parent, NULL, b->ends, GrB_ALL, b->n, GrB_DESC_S));
  TRY(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, inside, NULL));
  TRY(GrB_Vector_nvals(reached, parent));
  *edges = (double)sum / 2;
  return GrB_Vector_free(&inside);
}

static GrB_Info search(bench *b, uint64_t k, reference *r, int64_t *check) {
  GrB_Info info;
  GrB_Vector parent;
  uint64_t reached, count = 0;
  const char *why;

  TRY(Grid_synchronize());
  const double start = now();
  TRY(Grid_bfs(NULL, &parent, b->A, b->key[k], -1));
  b->gridblas[k] = slowest(start);
  TRY(measure(&b->edges_in[k], &reached, parent, b));
  TRY(GrB_Vector_free(&parent));
  if (r == NULL) return GrB_SUCCESS;
  if (!reference_bfs(r, b->key[k], -1, NULL, check, &b->suitesparse[k], &why))
    return Grid_agree(GrB_OUT_OF_MEMORY, why);
  for (uint64_t v = 0; v < b->n; v++) count += check[v] >= 0;
  return Grid_agree(count == reached ? GrB_SUCCESS : GrB_INVALID_VALUE,
                    "the two libraries reach different vertices");
}

static double harmonic_mteps(const double *seconds, const bench *b) {
  double sum = 0;
  for (uint64_t k = 0; k < b->count; k++) sum += seconds[k] / b->edges_in[k];
  return 1e-6 * (double)b->count / sum;
}

static double mean_ms(const double *seconds, uint64_t n) {
  double sum = 0;
  for (uint64_t k = 0; k < n; k++) sum += seconds[k];
  return 1e3 * sum / (double)n;
}

/* What a few searches move, summed. */
typedef struct {
  uint64_t expand, mask, fold, delegate, lists, bitmaps, inspected;
} moved;

static void add_product(const Grid_Product *p, void *context) {
  moved *m = context;
  m->expand += p->expand_bytes;
  m->mask += p->mask_bytes;
  m->fold += p->fold_bytes;
  m->delegate += p->delegate_bytes;
  m->lists += p->list_messages;
  m->bitmaps += p->bitmap_messages;
  m->inspected += p->inspected;
}

static GrB_Info count_bytes(const bench *b) {
  moved m = {0, 0, 0, 0, 0, 0, 0};
  const uint64_t n = b->count < TRACED ? b->count : TRACED;
  GrB_Info info = GrB_SUCCESS;
  Grid_trace(add_product, &m);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) {
    GrB_Vector parent = NULL;
    info = Grid_bfs(NULL, &parent, b->A, b->key[k], -1);
    GrB_Vector_free(&parent);
  }
  Grid_trace(NULL, NULL);
  if (info != GrB_SUCCESS || Grid_rank() != 0) return info;
  printf("inspected_per_search: %.0f\n", (double)m.inspected / (double)n);
  printf("expand_bytes_per_search: %.0f\nmask_bytes_per_search: %.0f\n", (double)m.expand / (double)n,
         (double)m.mask / (double)n);
  printf("fold_bytes_per_search: %.0f\ndelegate_bytes_per_search: %.0f\n", (double)m.fold / (double)n,
         (double)m.delegate / (double)n);
  printf("list_messages_per_search: %.1f\nbitmap_messages_per_search: %.1f\n", (double)m.lists / (double)n,
         (double)m.bitmaps / (double)n);
  return info;
}

static GrB_Info print_storage(const bench *b) {
  GrB_Info info;
  Grid_Storage s;
  TRY(Grid_Matrix_storage(&s, b->A));
  if (Grid_rank() != 0) return GrB_SUCCESS;
  printf("entries: %" PRIu64 "\nbytes: %" PRIu64 "\nbytes_per_entry: %.3f\n", s.nvals, s.bytes,
         (double)s.bytes / (double)s.nvals);
  printf("delegates: %" PRIu64 "\ntuples: %" PRIu64 "\nconstruction_seconds: %.3f\n", s.delegates,
         b->edges.total, b->build_seconds);
  return GrB_SUCCESS;
}

static GrB_Info compare(bench *b, uint64_t keys, uint64_t seed) {
  GrB_Info info;
  reference *r = NULL;
  int64_t *check = NULL;
  const char *why;

  TRY(count_ends(b));
  TRY(pick_keys(b, keys, seed));
  if (Grid_size() == 1 && reference_missing() == NULL) {
    r = reference_new(b->n, b->edges.rows, b->edges.cols, b->edges.n, true, Grid_threads(0), &why);
    if (r == NULL) return Grid_agree(GrB_OUT_OF_MEMORY, why);
    check = malloc(b->n * sizeof *check);
    if (check == NULL) return Grid_agree(GrB_OUT_OF_MEMORY, "no memory to compare");
  }
  TRY(search(b, 0, r, check)); /* once to warm up */
  for (uint64_t k = 0; k < b->count; k++) TRY(search(b, k, r, check));
  if (Grid_rank() == 0) {
    printf("processes: %d\nthreads: %d\nkeys: %" PRIu64 "\n", Grid_size(), Grid_threads(0), b->count);
    printf("gridblas_ms: %.3f\ngridblas_MTEPS: %.1f\n", mean_ms(b->gridblas, b->count),
           harmonic_mteps(b->gridblas, b));
  }
  if (r != NULL) {
    printf("suitesparse_ms: %.3f\nsuitesparse_MTEPS: %.1f\n", mean_ms(b->suitesparse, b->count),
           harmonic_mteps(b->suitesparse, b));
    printf("ratio: %.3f\n", harmonic_mteps(b->gridblas, b) / harmonic_mteps(b->suitesparse, b));
    printf("suitesparse_construction_seconds: %.3f\n", reference_build_seconds(r));
    printf("suitesparse_bytes_per_entry: %.3f\n", (double)reference_bytes(r) / (double)reference_nvals(r));
    printf("suitesparse: %s\n", reference_name());
  }
  reference_free(r);
  free(check);
  return count_bytes(b);
}

int main(int argc, char **argv) {
  static bench b;
  const bool memory = argc > 1 && strcmp(argv[1], "memory") == 0;
  const char *const *arg = (const char *const *)argv + (memory ? 2 : 1), *const *end =
                                                                             (const char *const *)argv + argc;
  const int scale = arg < end ? (int)strtol(arg[0], NULL, 10) : memory ? 22 : 20;
  const uint64_t keys = arg + 1 < end ? strtoull(arg[1], NULL, 10) : 64,
                 seed = arg + 2 < end ? strtoull(arg[2], NULL, 10) : 1;

  GrB_Info info = Grid_init(GrB_NONBLOCKING, NULL, 0, 0);
  if (info == GrB_SUCCESS && (keys < 1 || keys > MOST_KEYS))
    info = Grid_agree(GrB_INVALID_VALUE, "the number of keys is from 1 to 4096");
  if (info == GrB_SUCCESS && Grid_rank() == 0) printf("scale: %d\n", scale);
  if (info == GrB_SUCCESS) info = build(&b, scale, seed);
  if (info == GrB_SUCCESS) info = print_storage(&b);
  if (info == GrB_SUCCESS && !memory) info = compare(&b, keys, seed);
  if (info != GrB_SUCCESS && Grid_rank() == 0) fprintf(stderr, "bfs_vs_suitesparse: %s\n", Grid_last_error());
  GrB_Matrix_free(&b.A);
  GrB_Vector_free(&b.ends);
  Grid_Edges_free(&b.edges);
  GrB_finalize();
  return info == GrB_SUCCESS ? 0 : 2;
}
