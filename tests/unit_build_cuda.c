/* Blocks built on the device against blocks built on the host, array by array: R-MAT graphs and a program's
 * tuples, one and both directions, with and without duplicates. When degrees are computed. Moving, copying
 * and changing such matrices. Exhausted device memory. A GPU test on any number of processes, in all grid
 * shapes.
 *
 * unit_build_cuda SCALE...: times generation and kernel 1 of those R-MAT graphs instead. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include <omp.h>

#include "dist/comm/device_transport.h"
#include "dist/matrix/matrix.h"
#include "semiring/support/tuning.h"
#include "tests/gpu_present.h"
#include "tests/random_numbers.h"
#include "gridblas.h"
#include "tests/grid_shapes.h"
#include "spmat/device/device.h"
#include "spmat/matrix/panels32.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

/* Blocks of device memory that the transport caches. */
static int64_t kept;

/* One process alone must not fail: the others would wait for it. */
static void assert_on_all(bool fine, const char *what) {
  uint64_t bad = !fine;
  if (bad) print_message("process %d: %s\n", Grid_rank(), what);
  OK(Grid_sum(&bad, 1));
  assert_int_equal(bad, 0);
}

static void assert_live(int64_t blocks) {
  assert_on_all(grid_device_live() == blocks, "blocks of device memory are left");
}

static GrB_Index entries(GrB_Matrix A) {
  GrB_Index n;
  OK(GrB_Matrix_nvals(&n, A));
  return n;
}

/* ---- comparing ----------------------------------------------------------------------------------------- */

static const char *differ_in(const grid_compressed *a, const grid_compressed *b, uint64_t n, uint64_t nvals) {
  if (!a->offsets64 != !b->offsets64) return "the size of offsets";
  for (uint64_t v = 0; v <= n; v++)
    if (grid_vector_start(a, v) != grid_vector_start(b, v)) return "offsets";
  if (memcmp(a->idx, b->idx, nvals * sizeof *a->idx) != 0) return "idx";
  if (memcmp(a->hub_neighbor, b->hub_neighbor, n * sizeof *a->hub_neighbor) != 0) return "first";
  if (memcmp(a->nonempty, b->nonempty, grid_words(n) * sizeof *a->nonempty) != 0) return "nonempty";
  return NULL;
}

static const char *values_differ(const grid_local_matrix *a, const grid_local_matrix *b) {
  const uint64_t bytes = a->nvals * a->type->size;
  if (a->iso != b->iso) return "whether they have one value";
  if (a->iso) return memcmp(a->iso_val, b->iso_val, a->type->size) != 0 ? "the value" : NULL;
  return memcmp(a->by_row.val, b->by_row.val, bytes) != 0 || memcmp(a->by_col.val, b->by_col.val, bytes) != 0
             ? "values"
             : NULL;
}

static bool is_hypersparse(const grid_local_matrix *p) {
  return p->row.ids || p->col.ids;
}

/* The rows of a hypersparse local matrix and of one with a full axis. */
static const char *entries_differ(const grid_local_matrix *a, const grid_local_matrix *b) {
  uint64_t e = 0;
  for (uint64_t r = 0; r < a->row.n; r++)
    for (; e < grid_vector_start(&a->by_row, r + 1); e++) {
      const uint64_t row = grid_axis_find(&b->row, grid_axis_id(&a->row, r)),
                     col = grid_axis_find(&b->col, grid_axis_id(&a->col, a->by_row.idx[e]));
      if (row == UINT64_MAX || col == UINT64_MAX || grid_lmat_find(b, row, col) != e) return "entries";
    }
  return a->iso != b->iso                                                      ? "whether they have one value"
         : a->iso                                                              ? NULL
         : memcmp(a->by_row.val, b->by_row.val, a->nvals * a->type->size) != 0 ? "values"
                                                                               : NULL;
}

static const char *lmats_differ(const grid_local_matrix *a, const grid_local_matrix *b) {
  if (a->nvals != b->nvals) return "nvals";
  if (is_hypersparse(a) != is_hypersparse(b)) return entries_differ(a, b);
  if (a->row.n != b->row.n || a->col.n != b->col.n) return "axes";
  if (a->shared != b->shared) return "shared";
  const char *what = differ_in(&a->by_row, &b->by_row, a->row.n, a->nvals);
  if (!what) what = values_differ(a, b);
  return what ? what : differ_in(&a->by_col, &b->by_col, a->col.n, a->nvals);
}

static const char *degrees_differ(GrB_Matrix A, GrB_Matrix B) {
  const uint64_t rows = grid_even_size(A->nrows), cols = grid_even_size(A->ncols);
  if (!A->degrees.row != !B->degrees.row || !A->degrees.col != !B->degrees.col) return "kept degrees";
  if (A->degrees.row && memcmp(A->degrees.row, B->degrees.row, rows * sizeof *A->degrees.row) != 0)
    return "row degrees";
  if (A->degrees.col && memcmp(A->degrees.col, B->degrees.col, cols * sizeof *A->degrees.col) != 0)
    return "column degrees";
  if (A->degrees.row_nonempty &&
      memcmp(A->degrees.row_nonempty, B->degrees.row_nonempty, grid_words(rows) * 8) != 0)
    return "rows with entries";
  if (A->degrees.col_nonempty &&
      memcmp(A->degrees.col_nonempty, B->degrees.col_nonempty, grid_words(cols) * 8) != 0)
    return "columns with entries";
  return NULL;
}

/* Degrees and flags were computed on the device and exist only there; none were computed twice. */
static const char *made_on_device(GrB_Matrix A) {
  if (A->degrees.row || A->degrees.col || A->degrees.row_nonempty || A->degrees.col_nonempty)
    return "degrees were made on the host";
  if (!A->degrees.device_row || !A->degrees.device_col) return "no degrees on the device";
  if (!A->degrees.device_row_nonempty || !A->degrees.device_col_nonempty) return "no marks on the device";
  if (A->properties.symmetric && (A->degrees.device_row != A->degrees.device_col ||
                                  A->degrees.device_row_nonempty != A->degrees.device_col_nonempty))
    return "degrees of a symmetric matrix twice";
  return NULL;
}

/* GrB_wait leaves the degrees to the first product on the host, which may never come. */
static void make_ready(GrB_Matrix A) {
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  OK(grid_matrix_require(A, GRID_READY));
}

/* `host_built` was built on the host, `device_built` on the device; both are complete. */
static void assert_same(GrB_Matrix host_built, GrB_Matrix device_built, const char *name) {
  char text[160];
  const char *what = NULL;
  if (host_built->nvals != device_built->nvals ||
      host_built->properties.symmetric != device_built->properties.symmetric ||
      host_built->degrees.nonempty_rows != device_built->degrees.nonempty_rows ||
      host_built->degrees.nonempty_cols != device_built->degrees.nonempty_cols)
    what = "counts";
  if (!what &&
      (grid_matrix_to_host(device_built) != GrB_SUCCESS || grid_degrees_to_host(device_built) != GrB_SUCCESS))
    what = Grid_last_error();
  if (!what) what = lmats_differ(&host_built->block, &device_built->block);
  if (!what) what = degrees_differ(host_built, device_built);
  snprintf(text, sizeof text, "%s: differ in %s", name, what ? what : "nothing");
  assert_on_all(!what, text);
}

/* ---- the two sides ------------------------------------------------------------------------------------- */

typedef struct {
  int scale; /* an R-MAT graph, or 0: tuples */
  uint64_t edgefactor, nrows, ncols, n;
  uint64_t *row, *col;
  int flags;
  GrB_Type type; /* NULL: a pattern of BOOL */
  void *val;
  GrB_BinaryOp dup;
} graph;

static graph rmat(int scale, uint64_t edgefactor, int flags) {
  const uint64_t n = UINT64_C(1) << scale;
  return (graph){.scale = scale, .edgefactor = edgefactor, .nrows = n, .ncols = n, .flags = flags};
}

static GrB_Info fill(GrB_Matrix A, const graph *g) {
  return g->scale ? Grid_Matrix_rmat(A, g->scale, g->edgefactor, 7, g->flags)
                  : Grid_Matrix_build(A, g->row, g->col, g->val, g->type, g->n, g->dup, g->flags);
}

/* Built on one side, completed on the same or on the other. */
static GrB_Matrix make(const graph *g, int device, int ready) {
  GrB_Matrix A;
  OK(Grid_device_set(device));
  OK(GrB_Matrix_new(&A, g->type ? g->type : GrB_BOOL, g->nrows, g->ncols));
  OK(fill(A, g));
  OK(Grid_device_set(ready));
  make_ready(A);
  OK(grid_matrix_require(A, GRID_ALL_FORMS)); /* the host makes them when they are wanted */
  return A;
}

/* Does every process hold enough rows and columns to build its block on the device? */
static bool every_block(const graph *g) {
  const int last = grid_ctx.P - 1;
  return 2 * grid_chunk_length(g->nrows, last) >= grid_even_size(g->nrows) &&
         2 * grid_chunk_length(g->ncols, last) >= grid_even_size(g->ncols);
}

/* Built on the host and on the device; then the host's, incomplete, is moved to the device and oriented
 * there. */
static void compare(const graph *g, const char *name) {
  GrB_Matrix host_built = make(g, Grid_CPU, Grid_CPU), device_built = make(g, Grid_CUDA, Grid_CUDA);
  /* that one is symmetric which was not mirrored is found out after degrees are counted */
  const char *wrong = every_block(g) && (g->flags & Grid_MIRROR || !device_built->properties.symmetric)
                          ? made_on_device(device_built)
                          : NULL;
  assert_on_all(device_built->block.device && !wrong, wrong ? wrong : "the block is not on the device");
  assert_same(host_built, device_built, name);
  GrB_Matrix moved = make(g, Grid_CPU, Grid_CUDA);
  assert_on_all(moved->block.device, "the moved block is not on the device");
  assert_same(host_built, moved, "oriented after it was moved");
  GrB_Matrix_free(&host_built);
  GrB_Matrix_free(&device_built);
  GrB_Matrix_free(&moved);
  assert_live(kept);
}

static void rmat_graphs(void **state) {
  const int most = getenv("GRID_TEST_SMALL") ? 9 : Grid_size() > 2 ? 12 : Grid_size() > 1 ? 14 : 17;
  for (int scale = 7; scale <= most; scale++)
    for (int flags = 0; flags < 4; flags++) {
      char name[64];
      const graph g = rmat(scale, scale % 2 ? 16 : 5, flags);
      snprintf(name, sizeof name, "R-MAT scale %d flags %d", scale, flags);
      compare(&g, name);
    }
}

/* On one process, with little memory: rows of a graph generated and sorted a segment at a time. Also with
 * 64-bit offsets, which the device supports only for a matrix that is its own transpose. */
static void in_segments(void **state) {
  static const uint64_t segments[] = {150, 4000, 30000, 10000000};
  static const uint64_t from[] = {UINT64_C(1) << 32, 5000, 1}, most[] = {(UINT64_C(1) << 32) - 2, 1500, 1};
  const uint64_t from_before = grid_tune.offsets64_from, most_before = grid_tune.panel32_max;
  if (Grid_size() > 1) skip();
  for (size_t p = 0; p < sizeof segments / sizeof *segments; p++)
    for (int flags = 0; flags < 4; flags++)
      for (int w = 0; w < 3; w++) {
        const graph g = rmat(7 + flags + 2 * w, 16, flags);
        const bool on_device = w == 0 || flags & Grid_MIRROR;
        char name[96];
        grid_tune.offsets64_from = from[w], grid_tune.panel32_max = most[w];
        GrB_Matrix host_built = make(&g, Grid_CPU, Grid_CPU);
        grid_tune.device_segment = segments[p];
        GrB_Matrix device_built = make(&g, Grid_CUDA, Grid_CUDA);
        grid_tune.device_segment = 0;
        GrB_Matrix moved = make(&g, Grid_CPU, Grid_CUDA);
        assert_int_equal(device_built->block.device, on_device);
        assert_int_equal(moved->block.device, on_device);
        assert_true(w == 0 || grid_lmat_has_offsets64(&device_built->block));
        snprintf(name, sizeof name, "pieces of %" PRIu64 ", wide from %" PRIu64 ", flags %d", segments[p],
                 from[w], flags);
        assert_same(host_built, device_built, name);
        assert_same(host_built, moved, name);
        GrB_Matrix_free(&host_built), GrB_Matrix_free(&device_built), GrB_Matrix_free(&moved);
        assert_live(kept);
      }
  grid_tune.offsets64_from = from_before, grid_tune.panel32_max = most_before;
}

/* Any number of tuples on each process, hubs and duplicates among them. */
static void draw_tuples(graph *g, uint64_t n) {
  seed = seed * 31 + (uint64_t)Grid_rank();
  g->n = n + draw(n / 4 + 1);
  g->row = malloc(g->n * sizeof *g->row);
  g->col = malloc(g->n * sizeof *g->col);
  for (uint64_t k = 0; k < g->n; k++) {
    g->row[k] = draw(3) ? draw(g->nrows) : draw(g->nrows) % 5 % g->nrows;
    g->col[k] = draw(5) ? draw(g->ncols) : g->ncols - 1 - draw(g->ncols) % 3 % g->ncols;
  }
  seed = n;
}

static void tuples(void **state) {
  static const uint64_t sizes[][2] = {{64, 65},     {65, 640},     {200, 129},   {777, 777},
                                      {4096, 4097}, {20011, 1000}, {1000, 20011}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int flags = 0; flags < 4; flags++) {
      graph g = {
          .nrows = sizes[s][0], .ncols = flags & Grid_MIRROR ? sizes[s][0] : sizes[s][1], .flags = flags};
      const uint64_t more = g.nrows > g.ncols ? g.nrows : g.ncols;
      char name[96];
      draw_tuples(&g, 8 * more);
      snprintf(name, sizeof name, "%" PRIu64 " x %" PRIu64 " flags %d", g.nrows, g.ncols, flags);
      compare(&g, name);
      free(g.row);
      free(g.col);
    }
}

/* Values of all sizes; duplicates combined in their order, or all equal. The operators expose the order. */
static void values(void **state) {
  const struct {
    GrB_Type type;
    GrB_BinaryOp dup;
    bool alike;
  } kinds[] = {{GrB_INT32, GrB_MINUS_INT32, false}, {GrB_FP64, GrB_FIRST_FP64, false},
               {GrB_FP32, GrB_SECOND_FP32, false},  {GrB_INT16, GrB_MINUS_INT16, false},
               {GrB_UINT8, GrB_PLUS_UINT8, false},  {GrB_INT64, GrB_MINUS_INT64, false},
               {GrB_FP64, GrB_MIN_FP64, true},      {GrB_BOOL, GrB_LOR, true}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int flags = 0; flags < 4; flags++) {
      graph g = {.nrows = k % 2 ? 777 : 3001, .flags = flags, .type = kinds[k].type, .dup = kinds[k].dup};
      char name[320];
      g.ncols = flags & Grid_MIRROR ? g.nrows : 1200;
      draw_tuples(&g, 20000);
      const size_t size = g.type->size;
      g.val = malloc(g.n * size);
      for (uint64_t e = 0; e < g.n; e++) {
        const double x = kinds[k].alike ? 1 : (double)(draw(200) % 90);
        grid_cast_array((char *)g.val + e * size, g.type, &x, GrB_FP64, 0, 1);
      }
      snprintf(name, sizeof name, "values of type %s, dup %s, flags %d", g.type->name, g.dup->name, flags);
      compare(&g, name);
      free(g.row), free(g.col), free(g.val);
    }
}

/* Two tuples for an entry and nothing that joins them; more than one thread joins in a reasonable time. */
static void equal_tuples(void **state) {
  enum { N = 20000 };
  uint64_t *row = calloc(N, sizeof *row), *col = calloc(N, sizeof *col);
  int64_t *val = malloc(N * sizeof *val), sum[2] = {0, 0};
  GrB_Matrix A;
  for (uint64_t k = 0; k < N; k++) row[k] = k % 100, col[k] = k / 100, val[k] = (int64_t)k;
  row[N - 1] = 7, col[N - 1] = 3; /* as tuple 307 */
  const uint64_t n = Grid_rank() == 0 ? N : 0;
  for (int device = 0; device < 2; device++) {
    OK(Grid_device_set(device));
    OK(GrB_Matrix_new(&A, GrB_INT64, 100, 200));
    assert_int_equal(Grid_Matrix_build(A, row, col, val, GrB_INT64, n, NULL, 0), GrB_INVALID_VALUE);
    assert_on_all(strstr(Grid_last_error(), "(7, 3)") != NULL, Grid_last_error());
    assert_int_equal(entries(A), 0);
    OK(GrB_Matrix_free(&A));
  }
  for (uint64_t k = 0; k < N; k++) row[k] = k % 2 ? 5 : k % 100, col[k] = k % 2 ? 5 : k / 100;
  for (int device = 0; device < 2; device++) {
    OK(Grid_device_set(device));
    OK(GrB_Matrix_new(&A, GrB_INT64, 100, 200));
    OK(Grid_Matrix_build(A, row, col, val, GrB_INT64, n, GrB_MINUS_INT64, 0));
    OK(GrB_Matrix_extractElement_INT64(&sum[device], A, 5, 5));
    OK(GrB_Matrix_free(&A));
  }
  assert_true(sum[0] == sum[1]);
  free(row), free(col), free(val);
  assert_live(kept);
}

static uint64_t left_to_the_cpu(void) {
  uint64_t count, sum = 0;
  for (int k = 0; Grid_fallback(k, &count); k++) sum += count;
  return sum;
}

/* A block with entries in few of its rows and columns is also built on the device, with values or without. A
 * short axis has all its vectors, a long one is hypersparse. */
static void few_rows(void **state) {
  static const uint64_t lengths[] = {UINT64_C(1) << 20, UINT64_C(1) << 25};
  uint64_t row[50], col[50];
  double value[50], x[2];
  for (int round = 0; round < 4; round++) {
    const uint64_t n = lengths[round / 2];
    const bool valued = round % 2;
    GrB_Matrix A[2];
    for (int k = 0; k < 50; k++) row[k] = draw(n), col[k] = draw(n), value[k] = k;
    for (int device = 0; device < 2; device++) {
      OK(Grid_device_set(device));
      OK(GrB_Matrix_new(&A[device], GrB_FP64, n, n));
      const uint64_t before = left_to_the_cpu();
      OK(Grid_Matrix_build(A[device], row, col, valued ? value : NULL, valued ? GrB_FP64 : NULL, 50,
                           valued ? GrB_PLUS_FP64 : NULL, 0));
      assert_on_all(left_to_the_cpu() == before, "the CPU has built it");
    }
    const grid_local_matrix *p = &A[1]->block;
    assert_on_all(p->nvals == 0 || (p->device && is_hypersparse(p) == (round >= 2)),
                  "it lies elsewhere, or otherwise");
    assert_true(entries(A[0]) == entries(A[1]));
    for (int k = 0; k < 50; k += 7) {
      OK(GrB_Matrix_extractElement_FP64(&x[0], A[0], row[k], col[k]));
      OK(GrB_Matrix_extractElement_FP64(&x[1], A[1], row[k], col[k]));
      assert_true(x[0] == x[1]);
    }
    make_ready(A[0]), make_ready(A[1]);
    GrB_Matrix_free(&A[0]);
    GrB_Matrix_free(&A[1]);
  }
  assert_live(kept);
}

/* A sum that does not depend on the order of entries. */
static uint64_t sum_of(GrB_Matrix A) {
  GrB_Index n = entries(A), *row = malloc(n * sizeof *row), *col = malloc(n * sizeof *col);
  uint64_t sum = 0;
  OK(GrB_Matrix_extractTuples_BOOL(row, col, NULL, &n, A));
  for (uint64_t k = 0; k < n; k++)
    sum += (row[k] * A->ncols + col[k] + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 7;
  free(row);
  free(col);
  return sum;
}

/* Copies, single entries, changes: on a matrix of the device as on one of the host. */
static void changes(void **state) {
  const graph g = rmat(10, 8, Grid_MIRROR);
  const uint64_t n = g.nrows;
  GrB_Matrix A[2], B[2];
  for (int device = 0; device < 2; device++) {
    A[device] = make(&g, device, device);
    OK(GrB_Matrix_dup(&B[device], A[device]));
    for (uint64_t k = 0; k < 40; k++) {
      OK(GrB_Matrix_setElement_BOOL(A[device], true, k * 17 % n, k * k % n));
      OK(GrB_Matrix_removeElement(A[device], k * 5 % n, k * 3 % n));
    }
    make_ready(A[device]);
    make_ready(B[device]);
  }
  assert_on_all(B[1]->block.device, "the copy is not on the device");
  assert_same(B[0], B[1], "a copy");
  assert_true(entries(A[0]) == entries(A[1]) && sum_of(A[0]) == sum_of(A[1]));
  /* the device is turned off while a matrix is in its memory */
  OK(Grid_device_set(Grid_CPU));
  make_ready(B[1]);
  assert_on_all(!B[1]->block.device && B[1]->degrees.row, "still on the device");
  for (int device = 0; device < 2; device++) {
    GrB_Matrix_free(&A[device]);
    GrB_Matrix_free(&B[device]);
  }
  assert_live(kept);
}

/* Would the next allocation on some process's device fail? Then one may have. */
static bool is_next_allocation_failing(void) {
  void *p = grid_device_malloc(1, 1);
  uint64_t failing = p == NULL;
  grid_device_free(p);
  grid_device_fail_after(-1);
  OK(Grid_max(&failing, 1));
  return failing > 0;
}

/* From the k-th device allocation on all fail, for every k (every third where processes share a GPU). The
 * result is an error or the same matrix built on the host, and nothing leaks. On every process, or on the
 * last alone. */
static void fail_allocations(bool last_alone) {
  const graph graphs[] = {rmat(9, 8, Grid_MIRROR | Grid_NO_LOOPS), rmat(9, 8, 0)};
  const int64_t step = getenv("GRID_TEST_SMALL") ? 3 : 1;
  for (size_t g = 0; g < 2; g++) {
    GrB_Matrix good = make(&graphs[g], Grid_CUDA, Grid_CUDA);
    const GrB_Index nvals = entries(good);
    bool hit = true;
    for (int64_t k = 0; hit; k += step) {
      GrB_Matrix A;
      assert_true(k < 500);
      OK(GrB_Matrix_new(&A, GrB_BOOL, 512, 512));
      const int64_t live = grid_device_live();
      if (!last_alone || Grid_rank() == Grid_size() - 1) grid_device_fail_after(k);
      GrB_Info info = fill(A, &graphs[g]);
      if (info == GrB_SUCCESS) info = GrB_Matrix_wait(A, GrB_MATERIALIZE);
      hit = is_next_allocation_failing();
      assert_true(hit || info == GrB_SUCCESS);
      GrB_Index n = nvals;
      if (info != GrB_SUCCESS) {
        assert_int_equal(info, GrB_OUT_OF_MEMORY);
        assert_on_all(strstr(Grid_last_error(), "device memory") != NULL, Grid_last_error());
        /* what was built before the failure stays, and is completed when there is memory */
        n = entries(A);
        assert_true(n == 0 || n == nvals);
        if (n) OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
      }
      assert_true(entries(A) == n);
      GrB_Matrix_free(&A);
      assert_live(live);
    }
    GrB_Matrix_free(&good);
  }
}

static void no_memory(void **state) {
  fail_allocations(false);
}

static void no_memory_in_segments(void **state) {
  const uint64_t before = grid_tune.offsets64_from;
  if (Grid_size() > 1) skip();
  grid_tune.device_segment = 3000;
  fail_allocations(false);
  grid_tune.offsets64_from = 100;
  fail_allocations(false);
  grid_tune.offsets64_from = before;
  grid_tune.device_segment = 0;
}

static void out_of_memory_on_one(void **state) {
  fail_allocations(true);
}

/* ---- times --------------------------------------------------------------------------------------------- */

static int show_times(int scales, char **scale) {
  for (int k = 0; k < scales; k++) {
    const int s = atoi(scale[k]);
    for (int again = 0; again < 3; again++) {
      GrB_Matrix A = NULL;
      Grid_Storage st;
      Grid_Device_Info d;
      GrB_Info info = GrB_Matrix_new(&A, GrB_BOOL, UINT64_C(1) << s, UINT64_C(1) << s);
      const double start = omp_get_wtime();
      if (info == GrB_SUCCESS) info = Grid_Matrix_rmat(A, s, 16, 1, Grid_MIRROR | Grid_NO_LOOPS);
      if (info == GrB_SUCCESS) info = GrB_Matrix_wait(A, GrB_MATERIALIZE);
      (void)grid_device_wait();
      const double seconds = omp_get_wtime() - start;
      if (info == GrB_SUCCESS) info = Grid_Matrix_storage(&st, A);
      if (info == GrB_SUCCESS) info = Grid_device_info(&d);
      if (info != GrB_SUCCESS)
        printf("scale %d: %s\n", s, Grid_last_error());
      else if (Grid_rank() == 0)
        printf("scale %d: generation and kernel 1 %.4f s, %" PRIu64
               " entries, %.3f bytes each, peak %.2f GiB\n",
               s, seconds, st.nvals, (double)st.bytes / (double)st.nvals, (double)d.peak / (1 << 30));
      GrB_Matrix_free(&A);
      if (info != GrB_SUCCESS) return 1;
    }
  }
  return 0;
}

/* ---- the tests ----------------------------------------------------------------------------------------- */

static int start(void **state) {
  const grid_device_transport *t;
  if (start_on_shape(state)) return 1;
  if (Grid_device_set(Grid_CUDA) != GrB_SUCCESS || grid_device_transport_get(&t) != GrB_SUCCESS) {
    fprintf(stderr, "%s\n", Grid_last_error());
    return 1;
  }
  kept = grid_device_live();
  if (Grid_rank() == 0) printf("%d x %d processes: %s\n", grid_ctx.R, grid_ctx.C, t->name);
  return 0;
}

static int stop(void **state) {
  return stop_on_shape(state) || grid_device_live() != 0;
}

static int group(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rmat_graphs),
                                     cmocka_unit_test(in_segments),
                                     cmocka_unit_test(tuples),
                                     cmocka_unit_test(values),
                                     cmocka_unit_test(equal_tuples),
                                     cmocka_unit_test(few_rows),
                                     cmocka_unit_test(changes),
                                     cmocka_unit_test(no_memory),
                                     cmocka_unit_test(no_memory_in_segments),
                                     cmocka_unit_test(out_of_memory_on_one)};
  return cmocka_run_group_tests(tests, start, stop);
}

static int print_times(int scales, char **scale) {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  int status = 77;
  if (Grid_device_set(Grid_CUDA) != GrB_SUCCESS)
    printf("skipped: %s\n", Grid_last_error());
  else
    status = show_times(scales, scale);
  GrB_finalize();
  return status;
}

int main(int argc, char **argv) {
  setenv("GRIDBLAS_SHARE_GPU", "1", 0);
  if (argc > 1) return print_times(argc - 1, argv + 1);
  return have_gpu() ? run_on_shapes(group) : 77;
}
