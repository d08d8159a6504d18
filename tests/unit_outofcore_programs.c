/* Random programs over matrices of which some are out-of-core: operations with aliases, masks and
 * accumulators, elements set and read. The memory budget changes from call to call, and allocations fail on
 * some processes. The same program in memory must have the same results; a call that fails leaves its output
 * unchanged, with one code on all processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/pages/row_pages.h"
#include "tests/test_device.h"
#include "tests/test_folder.h"
#include "gridblas.h"
#include "semiring/support/mem.h"

#define OK(call)                                                                                       \
  do {                                                                                                 \
    const GrB_Info info_ = (call);                                                                     \
    if (info_ != GrB_SUCCESS) fail_msg("%s: %s: %s", #call, Grid_info_name(info_), Grid_last_error()); \
  } while (0)

enum { POOL = 4, ON_DISK = 2, STEPS = 8, LONGEST = 250 };
enum { IN_MEMORY, MIXED, SIDES }; /* the two runs of a program */

static GrB_Matrix pool[POOL]; /* the first ON_DISK come from files */
static GrB_Index N;
static bool failing; /* allocations */

/* The outcome of a step: its code, the value it read, its output's entries as numbers. */
typedef struct {
  GrB_Info info;
  double read, hash;
  uint64_t nvals;
} record;

/* ---- what is drawn ------------------------------------------------------------------------------------- */

typedef struct {
  int op, c, a, b, m, choice;
  GrB_BinaryOp accum;
  GrB_Descriptor desc;
  GrB_Index i, j, list[LONGEST];
  double x;
  uint64_t budget, who, when; /* allocations fail on process `who`, after so many */
} step;

static void draw_file(const char *path) {
  const uint64_t n = draw_one_in(6) ? 0 : N * (1 + draw(8));
  const bool symmetric = draw_one_in(2);
  Grid_Edges e = {.nrows = N, .ncols = N, .pattern = draw_one_in(2), .symmetric = symmetric};
  e.rows = malloc((n + 1) * sizeof *e.rows), e.cols = malloc((n + 1) * sizeof *e.cols);
  e.values = e.pattern ? NULL : malloc((n + 1) * sizeof *e.values);
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t r = draw_one_in(4) ? draw(3) * N / 3 : draw(N), c = draw_one_in(5) ? draw(9) : draw(N);
    if (k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    e.rows[e.n] = symmetric && c > r ? c : r, e.cols[e.n] = symmetric && c > r ? r : c;
    if (e.values) e.values[e.n] = (double)(r * c % 17) - 3;
    e.n++;
  }
  OK(Grid_write(&e, path, "pages"));
  free(e.rows), free(e.cols), free(e.values);
}

static step draw_step(int ops) {
  const GrB_Descriptor descs[] = {NULL,        GrB_DESC_T0,  GrB_DESC_T1,   GrB_DESC_T0T1, GrB_DESC_R,
                                  GrB_DESC_C,  GrB_DESC_S,   GrB_DESC_SC,   GrB_DESC_RC,   GrB_DESC_RSC,
                                  GrB_DESC_RS, GrB_DESC_ST1, GrB_DESC_RCT0, NULL,          GrB_DESC_RSCT0T1};
  step s = {.op = (int)draw((uint64_t)ops), .c = (int)draw(POOL), .a = (int)draw(POOL), .b = (int)draw(POOL)};
  s.m = draw_one_in(2) ? (int)draw(POOL) : -1;
  s.choice = (int)draw(4);
  s.accum = draw_one_in(3) ? GrB_PLUS_FP64 : draw_one_in(4) ? GrB_MIN_FP64 : NULL;
  s.desc = descs[draw(15)];
  s.i = draw(N), s.j = draw(N);
  s.x = (double)draw(9) - 3;
  for (GrB_Index k = 0; k < N; k++) s.list[k] = k;
  for (GrB_Index k = N; k-- > 1;) {
    const GrB_Index l = draw(k + 1), t = s.list[k];
    s.list[k] = s.list[l], s.list[l] = t;
  }
  s.budget = draw(4);
  s.who = draw((uint64_t)Grid_size() + 1); /* the last: on all */
  s.when = draw_one_in(3) ? draw(300) : draw(30);
  return s;
}

/* ---- what is done -------------------------------------------------------------------------------------- */

static GrB_Info product(const step *s, GrB_Matrix A, double *read) {
  GrB_Vector u, w;
  OK(GrB_Vector_new(&u, GrB_FP64, N));
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  for (GrB_Index k = 0; k < (s->choice == 3 ? N : 4); k++)
    OK(GrB_Vector_setElement_FP64(u, (double)(k % 5) - 1, s->list[k]));
  const GrB_Semiring by = s->choice & 1 ? GrB_MIN_PLUS_SEMIRING_FP64 : GrB_PLUS_TIMES_SEMIRING_FP64;
  GrB_Info info =
      s->m < 0 ? GrB_mxv(w, NULL, NULL, by, A, u, s->desc) : GrB_vxm(w, u, NULL, by, u, A, s->desc);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_FP64(read, NULL, GrB_PLUS_MONOID_FP64, w, NULL);
  GrB_Vector_free(&u), GrB_Vector_free(&w);
  return info;
}

static GrB_Info row_sums(const step *s, GrB_Matrix A, double *read) {
  GrB_Vector w;
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  GrB_Info info = s->choice == 3 ? Grid_Matrix_degree(w, A, s->m < 0)
                                 : GrB_Matrix_reduce_Monoid(w, NULL, NULL, GrB_PLUS_MONOID_FP64, A, s->desc);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_FP64(read, NULL, GrB_MAX_MONOID_FP64, w, NULL);
  GrB_Vector_free(&w);
  return info;
}

static GrB_Info copy(const step *s, GrB_Matrix A) {
  GrB_Matrix made = NULL;
  const GrB_Info info = GrB_Matrix_dup(&made, A);
  if (info != GrB_SUCCESS) return info;
  GrB_Matrix_free(&pool[s->c]);
  pool[s->c] = made;
  return info;
}

enum { WITH_OUTPUT = 13, ALL_OPS = 20 };

static GrB_Info run(const step *s, double *read) {
  const GrB_BinaryOp binary[] = {GrB_PLUS_FP64, GrB_MINUS_FP64, GrB_TIMES_FP64, GrB_MAX_FP64};
  const GrB_Semiring by[] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                             Grid_ANY_ONEB_SEMIRING_BOOL, GrB_MAX_FIRST_SEMIRING_FP64};
  const GrB_IndexUnaryOp pick[] = {GrB_TRIL, GrB_TRIU, GrB_OFFDIAG, GrB_TRIL};
  const GrB_Matrix C = pool[s->c], A = pool[s->a], B = pool[s->b], M = s->m < 0 ? NULL : pool[s->m];
  const GrB_Index *I = s->choice & 1 ? s->list : GrB_ALL, *J = s->choice & 2 ? s->list : GrB_ALL;
  const GrB_BinaryOp f = binary[s->choice];
  switch (s->op) {
    case 0:
      return GrB_Matrix_eWiseAdd_BinaryOp(C, M, s->accum, f, A, B, s->desc);
    case 1:
      return GrB_Matrix_eWiseMult_BinaryOp(C, M, s->accum, f, A, B, s->desc);
    case 2:
    case 3:
    case 4:
      return GrB_mxm(C, M, s->accum, by[s->choice], A, B, s->desc);
    case 5:
      return GrB_Matrix_apply(C, M, s->accum, GrB_AINV_FP64, A, s->desc);
    case 6:
      return GrB_Matrix_apply_BinaryOp2nd_FP64(C, M, s->accum, f, A, s->x, s->desc);
    case 7:
      return GrB_Matrix_select_INT64(C, M, s->accum, pick[s->choice], A, (int64_t)s->x, s->desc);
    case 8:
      return GrB_Matrix_select_FP64(C, M, s->accum, GrB_VALUEGT_FP64, A, s->x, s->desc);
    case 9:
      return GrB_transpose(C, M, s->accum, A, s->desc);
    case 10:
      return GrB_Matrix_assign_FP64(C, M, s->accum, s->x, GrB_ALL, N, GrB_ALL, N, s->desc);
    case 11:
      return GrB_Matrix_assign(C, M, s->accum, A, I, N, J, N, s->desc);
    case 12:
      return GrB_Matrix_extract(C, M, s->accum, A, I, N, J, N, s->desc);
    case 13:
      return GrB_Matrix_setElement_FP64(C, s->x, s->i, s->j);
    case 14:
      return GrB_Matrix_removeElement(C, s->i, s->j);
    case 15:
      return GrB_Matrix_extractElement_FP64(read, A, s->i, s->j);
    case 16:
      return GrB_Matrix_reduce_FP64(read, NULL, GrB_PLUS_MONOID_FP64, A, NULL);
    case 17:
      return row_sums(s, A, read);
    case 18:
      return copy(s, A);
    default:
      return product(s, A, read);
  }
}

/* ---- what is seen -------------------------------------------------------------------------------------- */

/* A's entries as numbers. They go to memory only where elements that wait have to be merged. */
static void look(record *n, GrB_Matrix A) {
  GrB_Index nvals;
  GrB_Info info = GrB_Matrix_nvals(&nvals, A);
  if (info == GrB_OUT_OF_MEMORY) {
    OK(Grid_memory_limit(0));
    info = GrB_Matrix_nvals(&nvals, A);
  }
  OK(info);
  GrB_Index *I = malloc((nvals + 1) * sizeof *I), *J = malloc((nvals + 1) * sizeof *J);
  double *X = malloc((nvals + 1) * sizeof *X);
  OK(GrB_Matrix_extractTuples_FP64(I, J, X, &nvals, A));
  n->nvals = nvals, n->hash = 0;
  for (GrB_Index k = 0; k < nvals; k++)
    n->hash += (double)((I[k] * 7919 + J[k] * 104729 + 13) % 10007) * (isfinite(X[k]) ? 2 + X[k] : 99);
  free(I), free(J), free(X);
}

static bool is_close(double a, double b) {
  return a == b || fabs(a - b) <= 1e-9 * fmax(1, fabs(a)) || (!isfinite(a) && !isfinite(b));
}

static void set_budget(const step *s, int side) {
  const uint64_t more[] = {0, 3000, 30000, 300000};
  uint64_t used = Grid_memory(NULL, false);
  OK(Grid_max(&used, 1));
  OK(Grid_memory_limit(side == IN_MEMORY ? 0 : s->budget ? used + more[s->budget] : 1));
}

static record do_step(const step *s, int side) {
  record n = {.read = 0}, before = n;
  const uint64_t me = (uint64_t)Grid_rank(), all = (uint64_t)Grid_size();
  OK(Grid_memory_limit(side == IN_MEMORY ? 0 : 1));
  look(&before, pool[s->c]);
  set_budget(s, side);
  if (failing && side == MIXED && (s->who == me || s->who == all)) grid_mem_fail_after((int64_t)s->when);
  n.info = run(s, &n.read);
  grid_mem_fail_after(-1);
  uint64_t most = (uint64_t)(n.info + 1000);
  OK(Grid_max(&most, 1));
  assert_int_equal(most, (uint64_t)(n.info + 1000));
  OK(Grid_memory_limit(side == IN_MEMORY ? 0 : 1));
  look(&n, pool[s->c]);
  if (n.info == GrB_SUCCESS || n.info == GrB_NO_VALUE) return n;
  if (n.nvals != before.nvals || !is_close(n.hash, before.hash))
    fail_msg("op %d failed (%s) and has changed its output", s->op, Grid_info_name(n.info));
  return n;
}

/* ---- programs ------------------------------------------------------------------------------------------ */

static void one_program(uint64_t number) {
  static step steps[STEPS];
  record records[SIDES][STEPS];
  seed = number * 977;
  grid_tune.page_entries = 8 + draw(40), grid_tune.page_read_bytes = 300 + draw(900),
  grid_tune.row_panel_min_bytes = 500 + draw(5000);
  N = 20 + draw(LONGEST - 20);
  draw_file("0.pages"), draw_file("1.pages");
  for (int k = 0; k < STEPS; k++) steps[k] = draw_step(failing ? WITH_OUTPUT : ALL_OPS);
  for (int side = 0; side < SIDES; side++) {
    OK(Grid_memory_limit(side == IN_MEMORY ? 0 : 1));
    for (int k = 0; k < POOL; k++)
      OK(k < ON_DISK ? Grid_Matrix_open(&pool[k], k ? "1.pages" : "0.pages")
                     : GrB_Matrix_new(&pool[k], k == ON_DISK ? GrB_FP64 : GrB_BOOL, N, N));
    for (int k = 0; k < STEPS; k++) {
      const record *a = &records[IN_MEMORY][k], *b = &records[side][k];
      records[side][k] = do_step(&steps[k], side);
      if (b->info == GrB_OUT_OF_MEMORY && side == MIXED) break; /* it may; what follows is another program */
      if (a->info != b->info || a->nvals != b->nvals || !is_close(a->hash, b->hash) ||
          !is_close(a->read, b->read))
        fail_msg("program %d, step %d, op %d: %s, not %s", (int)number, k, steps[k].op,
                 Grid_info_name(b->info), Grid_info_name(a->info));
    }
    for (int k = 0; k < POOL; k++) GrB_Matrix_free(&pool[k]);
  }
}

static void programs(void **state) {
  failing = false;
  for (uint64_t k = 0; k < (Grid_size() == 1 ? 150 : 12); k++) one_program(k);
}

static void no_memory(void **state) {
  failing = true;
  for (uint64_t k = 0; k < (Grid_size() == 1 ? 150 : 12); k++) one_program(1000 + k);
}

static int begin(void **state) {
  return start(state) == 0 && test_device_on() == GrB_SUCCESS && chdir(dir) == 0 ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs), cmocka_unit_test(no_memory)};
  if (test_device_is_missing()) return 77;
  return cmocka_run_group_tests(tests, begin, stop);
}
