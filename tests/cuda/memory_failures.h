/* Device memory that runs out: each allocation fails once, and a vector is larger than the device. */
#ifndef GRID_CUDA_MEMORY_FAILURES_H
#define GRID_CUDA_MEMORY_FAILURES_H
#include "gridblas_algos.h"
#include "semiring/support/mem.h"
#include "spmat/device/device.h"
#include "tests/cuda/round_objects.h"

typedef struct {
  GrB_Matrix A, B; /* a pattern that is symmetric; numbers */
  GrB_Vector u, w, mask, copy, level, parent;
  double sum;
} world;

static void make_world(world *o) {
  const char *form;
  memset(o, 0, sizeof *o);
  seed = 20;
  do draw_graph(&drawn, 700, 700);
  while (!drawn.mirror || drawn.n < 500);
  o->A = matrix_of(&drawn, GrB_BOOL, NUMBERS, &form);
  o->B = matrix_of(&drawn, GrB_FP64, REALS, &form);
  o->u = draw_vector(GrB_FP64, 700, REALS, &form);
  o->w = draw_vector(GrB_FP64, 700, REALS, &form);
  o->mask = draw_vector(GrB_BOOL, 700, NUMBERS, &form);
}

static void free_world(world *o) {
  OK(GrB_Matrix_free(&o->A)), OK(GrB_Matrix_free(&o->B));
  OK(GrB_Vector_free(&o->u)), OK(GrB_Vector_free(&o->w)), OK(GrB_Vector_free(&o->mask));
  OK(GrB_Vector_free(&o->copy)), OK(GrB_Vector_free(&o->level)), OK(GrB_Vector_free(&o->parent));
}

static void record_world(const world *o) {
  record_entries("u", EXACT, o->u, GrB_FP64), record_entries("w", CLOSE, o->w, GrB_FP64);
  record_entries("mask", EXACT, o->mask, GrB_BOOL);
  record_matrix("A", EXACT, o->A, GrB_BOOL), record_matrix("B", EXACT, o->B, GrB_FP64);
  record_value("sum", CLOSE, GrB_FP64, &o->sum);
  record_number("level is there", o->level != NULL), record_number("parent is there", o->parent != NULL);
  record_number("copy is there", o->copy != NULL);
  if (o->copy) record_entries("copy", EXACT, o->copy, GrB_FP64);
  if (o->level) record_entries("level", EXACT, o->level, GrB_INT32);
  if (o->parent) record_entries("parent", PATTERN, o->parent, GrB_INT64);
}

static GrB_Info direct(GrB_Matrix A, int32_t variant) {
  return GrB_Matrix_set_INT32(A, variant, Grid_DIRECTION);
}
static GrB_Info do_push(world *o) {
  GrB_Info info = direct(o->B, Grid_DIRECTION_PUSH);
  return info ? info : GrB_vxm(o->w, o->mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->u, o->B, NULL);
}
static GrB_Info do_pull(world *o) {
  GrB_Info info = direct(o->B, Grid_DIRECTION_PULL);
  return info ? info : GrB_mxv(o->w, o->mask, NULL, GrB_MIN_PLUS_SEMIRING_FP64, o->B, o->u, GrB_DESC_RC);
}
static GrB_Info do_in_place(world *o) {
  return GrB_vxm(o->w, o->w, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, o->w, o->A, GrB_DESC_S);
}
static GrB_Info do_divide(world *o) {
  GrB_Info info = GrB_Matrix_set_INT32(o->A, 6, Grid_DELEGATES);
  return info ? info : GrB_Matrix_wait(o->A, GrB_MATERIALIZE);
}
static GrB_Info do_divided(world *o) {
  GrB_Info info = do_divide(o);
  return info ? info : GrB_vxm(o->w, o->mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->u, o->A, NULL);
}
static GrB_Info do_apply(world *o) {
  return GrB_Vector_apply(o->w, o->mask, GrB_PLUS_FP64, GrB_ABS_FP64, o->u, NULL);
}
static GrB_Info do_select(world *o) {
  return GrB_Vector_select_FP64(o->w, NULL, NULL, GrB_VALUEGT_FP64, o->u, 1.0, NULL);
}
static GrB_Info do_add(world *o) {
  return GrB_Vector_eWiseAdd_BinaryOp(o->w, o->mask, NULL, GrB_PLUS_FP64, o->u, o->w, GrB_DESC_C);
}
static GrB_Info do_assign(world *o) {
  return GrB_Vector_assign_FP64(o->w, o->mask, NULL, 2.0, GrB_ALL, 700, GrB_DESC_RS);
}
static GrB_Info do_assign_list(world *o) {
  const GrB_Index at[] = {1, 64, 65, 699, 5};
  return GrB_Vector_assign_FP64(o->w, NULL, GrB_PLUS_FP64, 2.0, at, 5, NULL);
}
static GrB_Info do_extract(world *o) {
  return GrB_Vector_extract(o->w, o->mask, NULL, o->u, GrB_ALL, 700, NULL);
}
static GrB_Info do_reduce(world *o) {
  return GrB_Vector_reduce_FP64(&o->sum, NULL, GrB_PLUS_MONOID_FP64, o->u, NULL);
}
static GrB_Info do_row_sums(world *o) {
  return GrB_Matrix_reduce_Monoid(o->w, NULL, NULL, GrB_PLUS_MONOID_FP64, o->B, NULL);
}
static GrB_Info do_dup(world *o) {
  return GrB_Vector_dup(&o->copy, o->u);
}
static GrB_Info do_set(world *o) {
  return GrB_Vector_setElement_FP64(o->w, 4.0, 333);
}
static GrB_Info do_materialize(world *o) {
  return GrB_Matrix_wait(o->A, GrB_MATERIALIZE);
}
static GrB_Info do_bfs(world *o) {
  return Grid_bfs(&o->level, &o->parent, o->A, drawn.at[0].row, -1);
}
static GrB_Info do_components(world *o) {
  return Grid_components(&o->parent, o->A);
}

/* Deferred calls count too; then new objects are freed. */
static GrB_Info finish_world(world *o, GrB_Info (*f)(world *)) {
  GrB_Info info = f(o);
  GrB_Vector *made[] = {&o->copy, &o->level, &o->parent};
  if (info != GrB_SUCCESS) return info;
  info = GrB_Vector_wait(o->w, GrB_MATERIALIZE);
  for (int k = 0; k < 3; k++)
    if (info == GrB_SUCCESS && *made[k]) info = GrB_Vector_wait(*made[k], GrB_MATERIALIZE);
  for (int k = 0; k < 3 && info != GrB_SUCCESS; k++) GrB_Vector_free(made[k]);
  return info;
}

/* The k-th allocation from now on fails, and all behind it (k < 0: none): on the device, or on the host where
 * the CPU is both sides. */
static void fail_after(int64_t k) {
  if (cpu_only)
    grid_mem_fail_after(k);
  else
    grid_device_fail_after(k);
}
/* Would the next one fail? Then one may have failed. */
static bool is_next_allocation_failing(void) {
  void *p = cpu_only ? grid_malloc(1, 1) : grid_device_malloc(1, 1);
  if (cpu_only)
    grid_free(p);
  else
    grid_device_free(p);
  return p == NULL;
}
static int64_t live_blocks(void) {
  return cpu_only ? grid_mem_live() : grid_device_live();
}

static void record_world_as(int of_side, const world *o, const char *when) {
  side = of_side;
  set_current_call("%s", when);
  record_world(o);
  side = 1;
}

/* Runs f with one injected failure after the other, on all processes or on the last one alone, until it meets
 * none; *o then has the objects after it. A failure must be reported and leave all objects unchanged. */
static uint64_t retry_until_success(world *o, const char *name, GrB_Info (*f)(world *), bool alone) {
  char when[160];
  uint64_t bad = 0;
  for (int64_t k = 0; bad < 3; k += (small_sizes  ? 5
                                     : shares_gpu ? 3
                                                  : 1) +
                                    k / 16) { /* each of the first, some of the many */
    snprintf(when, sizeof when, "%s, allocation %lld failing%s (CPU: before, CUDA: after)", name,
             (long long)k, alone ? " on the last process" : "");
    free_records(0), free_records(1);
    errors = 0;
    record_world_as(0, o, when);
    if (!alone || Grid_rank() == Grid_size() - 1) fail_after(k);
    const GrB_Info info = finish_world(o, f);
    uint64_t hit = is_next_allocation_failing();
    fail_after(-1);
    if (Grid_max(&hit, 1) != GrB_SUCCESS) return bad + 1;
    if (info == GrB_SUCCESS && !hit) break;
    if (k > 3000) print_message("%s: there is no end\n", when), bad += 3;
    if (info == GrB_SUCCESS) { /* it did without */
      free_world(o), make_world(o);
      continue;
    }
    if (info != GrB_OUT_OF_MEMORY || !strstr(Grid_last_error(), "memory"))
      print_message("%s: %s: %s\n", when, Grid_info_name(info), Grid_last_error()), bad++;
    record_world_as(1, o, when);
    if (compare_sides("a failed call changed something") != 0) bad++;
  }
  return bad;
}

/* The same, with the required result of f, and without leaks. */
static uint64_t check_failure_handling(const char *name, GrB_Info (*f)(world *), bool alone) {
  world o, sound;
  uint64_t bad = 0;
  errors = 0;
  make_world(&sound);
  if (OK(finish_world(&sound, f)) != GrB_SUCCESS) bad++;
  free_world(&sound); /* cached properties exist now */
  const int64_t live = live_blocks();
  make_world(&o);
  bad += retry_until_success(&o, name, f, alone);
  free_records(0), free_records(1);
  make_world(&sound);
  if (OK(finish_world(&sound, f)) != GrB_SUCCESS) bad++;
  free_records(0), free_records(1);
  record_world_as(0, &sound, name), record_world_as(1, &o, name);
  errors = 0;
  if (compare_sides("after failures (CUDA) and without (CPU)") != 0) bad++;
  free_world(&o), free_world(&sound);
  free_records(0), free_records(1);
  if (live_blocks() != live)
    print_message("%s, process %d: %lld live blocks, %lld before\n", name, Grid_rank(),
                  (long long)live_blocks(), (long long)live),
        bad++;
  if (Grid_sum(&bad, 1) != GrB_SUCCESS) bad++;
  return bad;
}

static void memory(void **state) {
  if (part > 0 || (shares_gpu && small_sizes)) skip(); /* it takes as long as all rounds, for each process */
  const struct {
    const char *name;
    GrB_Info (*f)(world *);
  } calls[] = {{"push", do_push},
               {"pull", do_pull},
               {"in place", do_in_place},
               {"apply", do_apply},
               {"dividing a matrix", do_divide},
               {"a divided product", do_divided},
               {"select", do_select},
               {"eWiseAdd", do_add},
               {"assign", do_assign},
               {"assign to a list", do_assign_list},
               {"extract", do_extract},
               {"reduce", do_reduce},
               {"row sums", do_row_sums},
               {"dup", do_dup},
               {"setElement", do_set},
               {"wait for a matrix", do_materialize},
               {"Grid_bfs", do_bfs},
               {"Grid_components", do_components}};
  const double begin = seconds();
  uint64_t bad = 0;
  side = 1;
  assert_int_equal(to_device(Grid_CUDA), GrB_SUCCESS);
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    for (int alone = 0; alone < (Grid_size() > 1 ? 2 : 1); alone++)
      bad += check_failure_handling(calls[k].name, calls[k].f, alone != 0);
  if (Grid_rank() == 0) print_message("memory: %.1f s\n", seconds() - begin);
  assert_int_equal(bad, 0);
}

/* A vector of six times the device's memory on each process. */
static void too_large(void **state) {
  Grid_Device_Info d = {.total = UINT64_C(1) << 41}; /* more than a host lends */
  GrB_Vector w = NULL;
  GrB_Index before = 0, after = 0;
  static const char *const words[] = {"device memory", "needs", "free", "hold"};
  side = 1, errors = 0;
  assert_int_equal(to_device(Grid_CUDA), GrB_SUCCESS);
  if (!cpu_only) assert_int_equal(Grid_device_info(&d), GrB_SUCCESS);
  const GrB_Index n = d.total / 8 * 6 * (GrB_Index)Grid_size();
  const int64_t live = live_blocks();
  assert_int_equal(GrB_Vector_new(&w, GrB_INT64, n), GrB_SUCCESS);
  GrB_Info info = GrB_Vector_assign_INT64(w, NULL, NULL, 1, GrB_ALL, n, NULL); /* iso: may need no memory */
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&before, w);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_IndexOp_INT64(w, NULL, NULL, GrB_ROWINDEX_INT64, w, 0, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(w, GrB_MATERIALIZE);
  if (Grid_rank() == 0) print_message("too large: %s\n", Grid_last_error());
  assert_int_equal(info, GrB_OUT_OF_MEMORY);
  for (size_t k = 0; k < 4 && !cpu_only; k++)
    if (!strstr(Grid_last_error(), words[k])) fail_msg("\"%s\" is not in: %s", words[k], Grid_last_error());
  assert_int_equal(GrB_Vector_nvals(&after, w), GrB_SUCCESS);
  assert_int_equal(after, before);
  GrB_Vector_free(&w);
  assert_int_equal(live_blocks(), live);
  assert_int_equal(GrB_Vector_new(&w, GrB_INT64, 1000), GrB_SUCCESS); /* the device is still of use */
  assert_int_equal(GrB_Vector_assign_INT64(w, NULL, NULL, 1, GrB_ALL, 1000, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&after, w), GrB_SUCCESS);
  assert_int_equal(after, 1000);
  GrB_Vector_free(&w);
}
#endif
