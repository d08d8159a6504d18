/* A step on the device fails on one process alone, while processes wait for each other's messages and
 * windows: all of them return the failure, and none waits for ever. Steps are made to fail one after the
 * other. Processes that share a GPU open windows, too (GRIDBLAS_SHARE_GPU=peer, set here). Exit status 77
 * where there is no GPU.
 *
 *   unit_device_failures          steps of products, with windows and each kind of message
 *   unit_device_failures fault    one process's GPU faults: no call on it succeeds any more */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/comm/device_transport.h"
#include "dist/grid/process_grid.h"
#include "dist/comm/peer_windows.h"
#include "dist/product/exchange/exchange_sparse_device.h"
#include "semiring/support/tuning.h"
#include "tests/device_shapes.h"
#include "tests/gpu_present.h"
#include "spmat/backend.h"
#include "spmat/vector/peer_exchange.h"
#include "tests/assert_all.h"

enum { N = 4000, ENTRIES = 20000 };

static bool is_last_process(void) {
  return grid_ctx.k == grid_ctx.P - 1;
}

/* ---- a device whose steps fail ------------------------------------------------------------------------- */

static const grid_backend *whole;
static grid_backend broken;
static grid_device_memory memory;
static grid_device_products products;
static grid_device_chunks chunks;
static int64_t steps = -1; /* that succeed before one fails; -1: none does */
static bool has_failed;

static bool fails(void) {
  if (steps < 0 || steps-- > 0) return false;
  has_failed = true;
  (void)grid_fail(NULL, GrB_PANIC, "this step of the last process was made to fail");
  return true;
}

static GrB_Info copy(void *to, const void *from, uint64_t bytes, int kind) {
  return kind == 2 && fails() ? GrB_PANIC : whole->memory->copy(to, from, bytes, kind);
}
static GrB_Info zero(void *p, uint64_t bytes) {
  return fails() ? GrB_PANIC : whole->memory->zero(p, bytes);
}
static GrB_Info pick(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                     bool complement, const grid_axis *axis) {
  return fails() ? GrB_PANIC
                 : whole->products->gather_axis(to_bits, to_val, bits, val, size, complement, axis);
}
static GrB_Info spread(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                       const grid_axis *axis) {
  return fails() ? GrB_PANIC : whole->products->scatter_axis(to_bits, to_val, bits, val, size, axis);
}
static GrB_Info start_count(grid_product_count_job *c) {
  return fails() ? GrB_PANIC : whole->products->start_count(c);
}
static GrB_Info wait_count(grid_product_count_job *c) {
  return fails() ? GrB_PANIC : whole->products->wait_count(c);
}
static GrB_Info fill(void *to, const void *x, size_t size, uint64_t count) {
  return fails() ? GrB_PANIC : whole->chunks->fill(to, x, size, count);
}
static GrB_Info list(uint64_t *idx, void *packed, const uint64_t *bits, const void *val, size_t size,
                     uint64_t n, uint64_t first, uint64_t *counter) {
  return fails() ? GrB_PANIC : whole->chunks->list(idx, packed, bits, val, size, n, first, counter);
}
static GrB_Info pack(void *packed, uint32_t *start, uint32_t *counter, const uint64_t *bits, const void *val,
                     size_t size, uint64_t n) {
  return fails() ? GrB_PANIC : whole->chunks->pack(packed, start, counter, bits, val, size, n);
}

/* GrB_init has registered the whole one. */
static void put_in_place(void) {
  whole = grid_cuda;
  broken = *whole, memory = *whole->memory, products = *whole->products, chunks = *whole->chunks;
  memory.copy = copy, memory.zero = zero;
  products.gather_axis = pick, products.scatter_axis = spread;
  products.start_count = start_count, products.wait_count = wait_count;
  chunks.fill = fill, chunks.list = list, chunks.pack = pack;
  broken.memory = &memory, broken.products = &products, broken.chunks = &chunks;
  grid_cuda = &broken;
}

/* ---- what is multiplied -------------------------------------------------------------------------------- */

static uint64_t hash_pair(uint64_t a, uint64_t b) {
  uint64_t x = (a * 31 + b) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 29)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 32);
}

/* Some vertices have many entries. */
static GrB_Matrix make_matrix(int delegates) {
  GrB_Matrix A;
  GrB_Index *r = malloc(2 * ENTRIES * sizeof *r), *c = r + ENTRIES;
  float *x = malloc(ENTRIES * sizeof *x);
  for (uint64_t k = 0; k < ENTRIES; k++) {
    r[k] = hash_pair(1, k) % N, c[k] = k % 4 ? hash_pair(2, k) % N : hash_pair(2, k) % 20;
    x[k] = (float)(1 + hash_pair(3, k) % 9);
  }
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP32, N, N), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP32(A, r, c, x, ENTRIES, GrB_FIRST_FP32), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(A, delegates, Grid_DELEGATES), GrB_SUCCESS);
  assert_int_equal(GrB_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
  free(r), free(x);
  return A;
}

/* Every k-th position has an entry. */
static GrB_Vector make_vector(uint64_t salt, uint64_t every) {
  GrB_Vector v;
  GrB_Index *i = malloc(N * sizeof *i), n = 0;
  float *x = malloc(N * sizeof *x);
  for (uint64_t k = 0; k < N; k++)
    if (hash_pair(salt, k) % every == 0) i[n] = k, x[n] = (float)(1 + hash_pair(salt + 1, k) % 5), n++;
  assert_int_equal(GrB_Vector_new(&v, GrB_FP32, N), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_build_FP32(v, i, x, n, GrB_FIRST_FP32), GrB_SUCCESS);
  assert_int_equal(GrB_wait(v, GrB_MATERIALIZE), GrB_SUCCESS);
  free(i), free(x);
  return v;
}

typedef struct {
  GrB_Index n, i[N];
  float x[N];
} entries;

static GrB_Info take(entries *e, GrB_Vector v) {
  e->n = N;
  return GrB_Vector_extractTuples_FP32(e->i, e->x, &e->n, v);
}
/* Sums of whole numbers, which no order changes. */
static bool are_alike(const entries *a, const entries *b) {
  return a->n == b->n && memcmp(a->i, b->i, a->n * sizeof *a->i) == 0 &&
         memcmp(a->x, b->x, a->n * sizeof *a->x) == 0;
}

/* ---- steps that fail ----------------------------------------------------------------------------------- */

/* How x is exchanged. */
typedef struct {
  const char *name;
  uint64_t every, sparse_most, lists_from;
  bool pass, masked;
  int delegates;
} variant;

static const variant variants[] = {
    {"boxes", 100, 1 << 14, UINT64_MAX, false, false, Grid_DELEGATES_OFF},
    {"boxes, mask", 100, 1 << 14, UINT64_MAX, false, true, Grid_DELEGATES_OFF},
    {"receive buffers", 2, 0, 0, true, false, Grid_DELEGATES_OFF},
    {"lists", 100, 0, 0, false, false, Grid_DELEGATES_OFF},
    {"side by side", 2, 0, 0, false, true, Grid_DELEGATES_OFF},
    {"whole", 1, 0, UINT64_MAX, false, true, Grid_DELEGATES_OFF},
    {"delegates, boxes", 100, 1 << 14, UINT64_MAX, false, true, 20},
    {"delegates, receive buffers", 2, 0, 0, true, false, 20},
};

/* One process's k-th step fails; false: there are fewer steps. */
static bool multiply(GrB_Vector w, GrB_Vector mask, GrB_Matrix A, GrB_Vector x, int64_t k,
                     const entries *should, const char *name) {
  static entries is;
  if (!grid_window_addresses()) assert_int_equal(grid_window_open(), GrB_SUCCESS);
  steps = is_last_process() ? k : -1, has_failed = false;
  GrB_Info info = GrB_mxv(w, mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, x, GrB_DESC_R);
  steps = -1;
  uint64_t any = has_failed;
  assert_int_equal(Grid_max(&any, 1), GrB_SUCCESS);
  const bool fine =
      any ? info == GrB_PANIC : info == GrB_SUCCESS && take(&is, w) == GrB_SUCCESS && are_alike(&is, should);
  if (!fine)
    fprintf(stderr, "%s, step %lld: process %d got %d: %s\n", name, (long long)k, grid_ctx.k, (int)info,
            Grid_last_error());
  assert_on_all(fine);
  return any;
}

static void fail_one_process(const variant *how) {
  static entries should;
  const uint64_t most = grid_tune.sparse_exchange_max, from = grid_tune.device_lists_min_bytes;
  GrB_Matrix A = make_matrix(how->delegates);
  GrB_Vector x = make_vector(7, how->every), mask = how->masked ? make_vector(9, 2) : NULL,
             w = make_vector(11, 3);
  int64_t k = 0;
  grid_tune.sparse_exchange_max = how->sparse_most, grid_tune.device_lists_min_bytes = how->lists_from,
  grid_tune.packed_exchange = how->pass;
  assert_int_equal(GrB_mxv(w, mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, x, GrB_DESC_R), GrB_SUCCESS);
  assert_int_equal(take(&should, w), GrB_SUCCESS);
  while (multiply(w, mask, A, x, k, &should, how->name)) k++;
  if (grid_ctx.k == 0) printf("%d x %d, %s: %lld steps\n", grid_ctx.R, grid_ctx.C, how->name, (long long)k);
  grid_tune.sparse_exchange_max = most, grid_tune.device_lists_min_bytes = from,
  grid_tune.packed_exchange = true;
  GrB_free(&A), GrB_free(&x), GrB_free(&w);
  if (mask) GrB_free(&mask);
}

static void products_fail(void **state) {
  if (grid_ctx.P == 1) skip();
  for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) fail_one_process(&variants[k]);
}

/* All have agreed on a device barrier, and one GPU fails before it arrives: the others stop waiting and
 * return an error. NCCL is unusable after that, so its communicator is closed and opened again, as by
 * finalizing and starting again. */
static void lost_before_barrier(void **state) {
  const grid_device_transport *reopened;
  grid_device_barrier m;
  if (grid_ctx.P == 1) skip();
  uint64_t *bits = grid_device_malloc((uint64_t)grid_ctx.P * 8, 8);
  grid_chunk c = {.n = 64, .device = true, .format = GRID_FULL, .nvals = 64};
  assert_non_null(bits);
  if (!grid_window_addresses()) assert_int_equal(grid_window_open(), GrB_SUCCESS);
  assert_true(grid_window_barrier(&m, GRID_SET_ALL, 1));
  GrB_Info info =
      is_last_process() ? GrB_SUCCESS : grid_cuda->sparse_exchange->gather(&m, &c, 0, 64, bits, NULL);
  assert_int_equal(grid_window_barrier_agree(NULL, info), GrB_SUCCESS);
  if (is_last_process()) grid_window_report_failure();
  info = grid_device_wait();
  char named[64];
  snprintf(named, sizeof named, "GPU of process %d has failed", grid_ctx.P - 1);
  assert_on_all(is_last_process() || (info == GrB_PANIC && strstr(Grid_last_error(), named)));
  grid_device_free(bits);
  grid_device_transport_close();
  assert_int_equal(grid_device_transport_get(&reopened), GrB_SUCCESS);
  assert_on_all(grid_window_addresses() != NULL && grid_device_wait() == GrB_SUCCESS);
}

/* ---- a fault ------------------------------------------------------------------------------------------- */

static void keep(void *z, const void *x) {
  memcpy(z, x, sizeof(float));
}

/* After some products the last process's GPU writes where it must not; then products go on. */
static int trigger_device_fault(void) {
  static const char text[] =
      "void trip(float *z, const float *x) { if (*x < 0) *(volatile int *)8 = 1; *z = *x; }";
  GrB_UnaryOp trip;
  if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS || Grid_device_set(Grid_CUDA) != GrB_SUCCESS)
    return 1;
  GrB_Matrix A = make_matrix(Grid_DELEGATES_OFF);
  GrB_Vector x = make_vector(7, 100), w = make_vector(11, 3), bad = make_vector(13, 2);
  GrB_Info info = Grid_UnaryOp_new(&trip, keep, GrB_FP32, GrB_FP32, "trip", text);
  for (int k = 0; k < 3 && info == GrB_SUCCESS; k++)
    info = GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, x, NULL);
  bool fine = info == GrB_SUCCESS && (grid_ctx.P == 1 || grid_window_addresses());
  if (fine) info = GrB_Vector_setElement_FP32(bad, -1, N - 1); /* the last process's */
  if (fine && info == GrB_SUCCESS) info = GrB_Vector_apply(w, NULL, NULL, trip, bad, NULL);
  for (int k = 0; k < 20 && info == GrB_SUCCESS; k++)
    info = GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, x, NULL);
  fine = fine && info == GrB_PANIC;
  fprintf(stderr, "process %d: %s: %s\n", grid_ctx.k, fine ? "as it should be" : "FAILED", Grid_last_error());
  info = GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, x, NULL);
  fine = fine && info != GrB_SUCCESS;
  uint64_t wrong = !fine;
  fine = Grid_max(&wrong, 1) == GrB_SUCCESS && !wrong;
  (void)GrB_finalize();
  return !fine;
}

static int start(void **state) {
  const int failed = start_on_device(state);
  put_in_place();
  return failed;
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lost_before_barrier),
      cmocka_unit_test(products_fail),
  };
  return cmocka_run_group_tests(tests, start, stop_on_device);
}

int main(int argc, char **argv) {
  setenv("GRIDBLAS_SHARE_GPU", "peer", 1);
  if (!have_gpu()) return 77;
  if (argc > 1 && strcmp(argv[1], "fault") == 0) return trigger_device_fault();
  return run_on_shapes(group);
}
