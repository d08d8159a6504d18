/* Loops of calls on vectors, on the CPU and on the GPU, where consecutive calls are fused after they have
 * occurred once (spmat/cuda/vector/fused.h). Here grid_tune.fuse_after is 0 unless GRIDBLAS_TUNE sets it. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "tests/gpu_present.h"
#include "tests/two_backends.h"

#ifdef GRID_HAVE_CUDA
#include "semiring/support/tuning.h"
#include "spmat/cuda/vector/fused.h"
#endif

enum { VECTORS = 6, STEPS = 9, TYPES = 4 };

static GrB_Vector v[VECTORS];
static GrB_Type type_of[VECTORS];
static GrB_Index n;

/* Operators whose results fit all that comes of them: the loop is repeated. */
typedef struct {
  GrB_Type type;
  GrB_BinaryOp binary[4];
  GrB_UnaryOp unary[2];
  GrB_IndexUnaryOp above;
} row;
static row rows[TYPES];

static void fill_rows(void) {
  const row all[TYPES] = {{GrB_FP32,
                           {GrB_PLUS_FP32, GrB_TIMES_FP32, GrB_MIN_FP32, GrB_FIRST_FP32},
                           {GrB_AINV_FP32, GrB_ABS_FP32},
                           GrB_VALUEGT_FP32},
                          {GrB_FP64,
                           {GrB_PLUS_FP64, GrB_TIMES_FP64, GrB_MAX_FP64, GrB_SECOND_FP64},
                           {GrB_MINV_FP64, GrB_ABS_FP64},
                           GrB_VALUELE_FP64},
                          {GrB_INT32,
                           {GrB_PLUS_INT32, GrB_MIN_INT32, GrB_MAX_INT32, GrB_MINUS_INT32},
                           {GrB_AINV_INT32, GrB_IDENTITY_INT32},
                           GrB_VALUENE_INT32},
                          {GrB_BOOL,
                           {GrB_LOR, GrB_LAND, GrB_LXOR, GrB_SECOND_BOOL},
                           {GrB_LNOT, GrB_IDENTITY_BOOL},
                           GrB_VALUEEQ_BOOL}};
  memcpy(rows, all, sizeof all);
}

static int row_of(int k) {
  int r = 0;
  while (rows[r].type != type_of[k]) r++;
  return r;
}

static void draw_vector(int k) {
  const uint64_t share = draw_one_in(3) ? 1 : 1 + draw(6);
  type_of[k] = rows[draw(TYPES)].type;
  OK(GrB_Vector_new(&v[k], type_of[k], n));
  if (draw_one_in(5)) { /* one value for all */
    OK(GrB_Vector_assign_INT32(v[k], NULL, NULL, (int32_t)draw(3), GrB_ALL, n, NULL));
    return;
  }
  static GrB_Index at[1 << 15];
  static int32_t x[1 << 15];
  GrB_Index m = 0;
  for (GrB_Index i = 0; i < n; i++)
    if (draw_one_in(share)) at[m] = i, x[m++] = (int32_t)draw(5) - 2;
  OK(GrB_Vector_build_INT32(v[k], at, x, m, NULL));
}

typedef struct {
  int what, w, u, v, mask, op;
  GrB_Descriptor desc;
  bool accum;
  int32_t x;
} call;

static call draw_call(void) {
  const GrB_Descriptor desc[] = {NULL, GrB_DESC_S, GrB_DESC_R, GrB_DESC_RSC, GrB_DESC_SC};
  call c = {.what = (int)draw(12), .w = (int)draw(VECTORS), .u = (int)draw(VECTORS), .v = (int)draw(VECTORS)};
  c.mask = draw_one_in(3) ? (int)draw(VECTORS) : -1;
  c.op = (int)draw(4);
  c.desc = desc[draw(5)];
  if (c.mask < 0) c.desc = NULL;
  c.accum = draw_one_in(5);
  c.x = (int32_t)draw(3);
  return c;
}

static void run(const call *c) {
  const row *r = &rows[row_of(c->w)], *of_u = &rows[row_of(c->u)];
  const GrB_Vector w = v[c->w], a = v[c->u], b = v[c->v], mask = c->mask < 0 ? NULL : v[c->mask];
  const GrB_BinaryOp op = r->binary[c->op], accum = c->accum ? r->binary[0] : NULL;
  switch (c->what) {
    case 0:
    case 1:
      OK(GrB_Vector_eWiseAdd_BinaryOp(w, mask, accum, op, a, b, c->desc));
      break;
    case 2:
    case 3:
      OK(GrB_Vector_eWiseMult_BinaryOp(w, mask, accum, op, a, b, c->desc));
      break;
    case 4:
      OK(GrB_Vector_apply(w, mask, accum, r->unary[c->op % 2], a, c->desc));
      break;
    case 5:
      OK(GrB_Vector_apply_BinaryOp2nd_INT32(w, mask, accum, op, a, c->x, c->desc));
      break;
    case 6:
      OK(GrB_Vector_apply_IndexOp_INT64(w, mask, accum, GrB_ROWINDEX_INT64, a, c->x, c->desc));
      break;
    case 7:
      OK(GrB_Vector_select_INT32(w, mask, accum, of_u->above, a, c->x, c->desc));
      break;
    case 8:
      OK(GrB_Vector_select_INT64(w, mask, accum, GrB_ROWLE, a, (int64_t)(n / 2), c->desc));
      break;
    case 9:
      OK(GrB_Vector_assign(w, mask, accum, a, GrB_ALL, n, c->desc));
      break;
    case 10:
      OK(GrB_Vector_assign_INT32(w, mask, accum, c->x, GrB_ALL, n, c->desc));
      break;
    default: /* what ends a sequence */
      if (c->op == 0) {
        OK(GrB_Vector_clear(w));
      } else if (c->op == 1) {
        OK(GrB_Vector_setElement_INT32(w, c->x, n / 3));
      } else if (c->op == 2) {
        GrB_Vector copy = NULL;
        OK(GrB_Vector_dup(&copy, a));
        OK(GrB_Vector_free(&v[c->u]));
        v[c->u] = copy;
      } else {
        GrB_Index count = 0;
        OK(GrB_Vector_nvals(&count, w));
        record_number("count", (int64_t)count);
      }
  }
}

static void loop(void) {
  call body[STEPS];
  const int steps = 2 + (int)draw(STEPS - 1), times = 3 + (int)draw(4);
  const bool reads_count = draw_one_in(2);
#ifdef GRID_HAVE_CUDA
  if (!cpu_only) grid_fusion_reset(); /* the cache does not hold the kernels of all rounds */
#endif
  n = draw_one_in(4) ? 1 + draw(1 << 15) : 1 + draw(3000);
  for (int k = 0; k < VECTORS; k++) draw_vector(k);
  for (int k = 0; k < steps; k++) body[k] = draw_call();
  set_current_call("%d calls on vectors of %llu%s", steps, (unsigned long long)n,
                   reads_count ? ", a count" : "");
  for (int t = 0; t < times; t++) {
    for (int k = 0; k < steps; k++) run(&body[k]);
    GrB_Index count = 0;
    if (reads_count) OK(GrB_Vector_nvals(&count, v[body[0].w]));
    if (reads_count) record_number("count of a turn", (int64_t)count);
    if (draw_one_in(8)) change_device();
  }
  for (int k = 0; k < VECTORS; k++) {
    record_entries("a vector", EXACT, v[k], type_of[k]);
    OK(GrB_Vector_free(&v[k]));
  }
}

static void loops(void **state) {
  run_rounds("fused loops", 200, 20, loop);
#ifdef GRID_HAVE_CUDA
  const grid_fusion_counts c = grid_fusion_get_counts();
  print_message("%llu launches of %llu passes together\n", (unsigned long long)c.launches,
                (unsigned long long)c.passes);
  if (!cpu_only && replay_round < 0 && grid_tune.fuse_after == 0) /* else what is on disk */
    assert_true(c.launches > 0 && c.passes >= 2 * c.launches);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops)};
  read_settings();
  grid_tune.fuse_after = 0;
  if (!cpu_only && !have_gpu()) return 77;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  if (!take_device()) return 77;
  fill_rows();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  const bool finalized = GrB_finalize() == GrB_SUCCESS;
  free_records(0), free_records(1);
  return failed || !finalized || grid_mem_live() || grid_device_live() ? 1 : 0;
}
