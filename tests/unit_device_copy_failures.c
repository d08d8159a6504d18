/* A copy from or to a device fails on one process alone, while entries are exchanged between devices through
 * host memory. All processes return the failure, and none waits for messages that never arrive. Copies are
 * made to fail one after the other, on a device simulated in host memory (fake_full.h). And which matrices
 * the device may accumulate in. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "semiring/support/tuning.h"
#include "tests/fake_full.h"
#include "gridblas.h"
#include "tests/assert_all.h"

enum { N = 700, SECONDS = 40 };

/* ---- a device whose copies fail ------------------------------------------------------------------------ */

static int64_t copies_left = -1; /* that succeed before one fails; -1: none does */
static bool has_failed;

static GrB_Info copy(void *to, const void *from, uint64_t bytes, int kind) {
  if (copies_left < 0 || copies_left-- > 0) return fake_copy(to, from, bytes, kind);
  has_failed = true;
  return grid_fail(NULL, GrB_PANIC, "this copy of the last process was made to fail");
}

/* Of the row and column operations it supports those that the full device has no memory for. */
static GrB_Info get_vector(uint64_t *bits, void *val, const grid_local_matrix *p, bool row, uint64_t v) {
  const size_t size = p->type->size;
  const grid_compressed m = host_compressed(&p->by_row);
  for (uint64_t r = 0; r < p->row.n; r++)
    for (uint64_t e = m.ptr[r]; e < m.ptr[r + 1]; e++) {
      const uint64_t c = m.idx[e], at = row ? c : r;
      if (v != (row ? r : c)) continue;
      fake_set_bit(bits, at);
      memcpy((char *)fake_at(val) + at * size, p->iso ? p->iso_val : (char *)m.val + e * size, size);
    }
  return GrB_SUCCESS;
}

/* ---- calls --------------------------------------------------------------------------------------------- */

static GrB_Matrix A;
static GrB_Vector u, w;
static GrB_Index list[N];

static GrB_Info extract_list(void) {
  return GrB_Vector_extract(w, NULL, NULL, u, list, N, NULL);
}
static GrB_Info assign_list(void) {
  return GrB_Vector_assign(w, NULL, NULL, u, list, N, NULL);
}
static GrB_Info extract_column(void) {
  return GrB_Col_extract(w, NULL, NULL, A, GrB_ALL, N, 5, NULL);
}
static GrB_Info extract_row(void) {
  return GrB_Col_extract(w, NULL, NULL, A, GrB_ALL, N, N - 3, GrB_DESC_T0);
}
static GrB_Info assign_row(void) {
  return GrB_Row_assign(A, NULL, NULL, u, 9, GrB_ALL, N, NULL);
}
static GrB_Info assign_column(void) {
  return GrB_Col_assign(A, NULL, NULL, u, GrB_ALL, N, N - 9, NULL);
}

static const struct {
  const char *name;
  GrB_Info (*call)(void);
} calls[] = {{"extract along a list", extract_list}, {"assign to a list", assign_list},
             {"extract a column", extract_column},   {"extract a row", extract_row},
             {"assign a row", assign_row},           {"assign a column", assign_column}};

static void make_operands(void) {
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, N, N), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&u, GrB_FP64, N), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
  GrB_Index *r = malloc(2 * 6 * N * sizeof *r), *c = r + 6 * N, n = 0;
  double *x = malloc(6 * N * sizeof *x);
  for (GrB_Index i = 0; i < N; i++)
    for (GrB_Index k = 0; k < 6; k++)
      r[n] = i, c[n] = k == 0 ? 5 : (i * 31 + k * 97) % N, x[n++] = (double)(i + k);
  assert_int_equal(GrB_Matrix_build_FP64(A, r, c, x, n, GrB_FIRST_FP64), GrB_SUCCESS);
  for (GrB_Index i = 0; i < N; i++) {
    list[i] = (i * 11 + 3) % N;
    if (i % 3) assert_int_equal(GrB_Vector_setElement_FP64(u, (double)i, i), GrB_SUCCESS);
  }
  free(r), free(x);
}

static void expect(GrB_Vector is, double (*of)(GrB_Index)) {
  bool fine = true;
  for (GrB_Index i = 0; i < N; i += 41) {
    double x = -1;
    const GrB_Info info = GrB_Vector_extractElement_FP64(&x, is, i);
    fine = fine && (info == GrB_NO_VALUE || info == GrB_SUCCESS) && x == of(i);
  }
  assert_on_all(fine);
}
static double listed(GrB_Index i) {
  const GrB_Index k = (i * 11 + 3) % N;
  return k % 3 ? (double)k : -1;
}

static void copy_failures(void **state) {
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
    int64_t k = 0;
    for (bool any = true; any; k++) {
      alarm(SECONDS);
      make_operands();
      copies_left = grid_ctx.k == grid_ctx.P - 1 ? k : -1, has_failed = false;
      const GrB_Info info = calls[c].call();
      copies_left = -1;
      uint64_t counts[2] = {has_failed, info == GrB_SUCCESS};
      assert_int_equal(Grid_sum(counts, 2), GrB_SUCCESS);
      any = counts[0] > 0;
      if (any ? counts[1] > 0 && counts[1] < (uint64_t)grid_ctx.P : counts[1] < (uint64_t)grid_ctx.P)
        fprintf(stderr, "%s, copy %d: process %d got %d: %s\n", calls[c].name, (int)k, grid_ctx.k, (int)info,
                Grid_last_error());
      assert_on_all(any ? counts[1] == 0 || counts[1] == (uint64_t)grid_ctx.P
                        : counts[1] == (uint64_t)grid_ctx.P);
      assert_int_equal(extract_list(), GrB_SUCCESS); /* and the processes are still together */
      expect(w, listed);
      GrB_free(&A), GrB_free(&u), GrB_free(&w);
    }
    if (grid_ctx.k == 0) printf("%s: %d copies\n", calls[c].name, (int)k - 1);
    assert_true(k > 2 || grid_ctx.P == 1);
  }
  alarm(0);
}

/* ---- accumulation -------------------------------------------------------------------------------------- */

static unsigned plans;

static GrB_Info plan(grid_accumulation *a, const grid_local_matrix *c, const grid_local_matrix *t,
                     GrB_BinaryOp op) {
  (void)op;
  plans++;
  assert_true(c->by_row.ptr && t->by_row.ptr); /* the kernel reads them */
  a->at = grid_device_malloc(t->nvals, sizeof *a->at);
  return GrB_SUCCESS;
}

/* A symmetric matrix with 64-bit offsets may be on the device, but no kernel accumulates in it. */
static void accumulates_with_short_offsets(void **state) {
  uint64_t long_starts[] = {0, 1, 2};
  uint32_t starts[] = {0, 1, 2};
  for (int is_long = 0; is_long < 2; is_long++) {
    grid_accumulation a;
    const grid_local_matrix t = {.nvals = 2, .type = GrB_FP64, .device = true, .by_row = {.ptr = starts}};
    grid_local_matrix c = t;
    if (is_long) c.by_row.ptr = NULL, c.by_row.offsets64 = long_starts, c.shared = true;
    assert_int_equal(grid_lmat_plan_accumulation(&a, &c, &t, GrB_PLUS_FP64), GrB_SUCCESS);
    assert_true(a.possible == !is_long && plans == 1);
    grid_accumulation_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copy_failures),
                                     cmocka_unit_test(accumulates_with_short_offsets)};
  grid_tune.nccl = false;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  grid_device_memory memory = fake_memory;
  grid_lmat_ops partial_lmat_ops = full_lmat_ops;
  grid_backend device = full_device();
  memory.copy = copy, partial_lmat_ops.get_vector = get_vector;
  partial_lmat_ops.plan_accumulation = plan;
  device.memory = &memory, device.lmat_ops = &partial_lmat_ops;
  refusal_period = 1 << 30;
  grid_backend_register(&grid_backend_cpu, &device);
  if (Grid_device_set(Grid_CUDA) != GrB_SUCCESS) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS && !failed && !grid_mem_live() && !grid_device_live() ? 0 : 1;
}
