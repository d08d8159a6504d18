/* See lmat_apply.h. Values are contiguous, so threads take stretches of them, whatever the rows. */
#include "spmat/cpu/matrix/lmat_apply.h"

#include <string.h>

#include "spmat/cpu/rows/entry_positions.h"
#include "spmat/vector/bound_operator.h"

/* Entries that a thread takes at a time; positions read at a time for an index operator. */
enum { STRETCH = 8192, STRETCH_POSITIONS = 256 };

/* An operator as a loop: z[k] = op of entry `from` + k, whose value is x[k * step], for k < n. */
typedef struct {
  void (*run)(const void *op, void *z, const void *x, size_t step, uint64_t from, size_t n);
  const void *op;
} value_loop;

static void run_stretch(const grid_local_matrix *z, const grid_local_matrix *a, const value_loop *f,
                        uint64_t from, uint64_t n) {
  const size_t step = !a->iso;
  const char *x = a->iso ? a->iso_val : a->by_row.val;
  f->run(f->op, (char *)z->by_row.val + from * z->type->size, x + from * step * a->type->size, step, from, n);
}

/* Overwrites n small values from x on. */
static void change_stretch(char *x, size_t size, const value_loop *f, uint64_t from, uint64_t n) {
  _Alignas(16) char z[STRETCH_POSITIONS * GRID_SMALL_VALUE]; /* the operator may not work in place */
  for (uint64_t k = 0; k < n; k += STRETCH_POSITIONS) {
    const size_t m = n - k < STRETCH_POSITIONS ? n - k : STRETCH_POSITIONS;
    f->run(f->op, z, x + k * size, 1, from + k, m);
    memcpy(x + k * size, z, m * size);
  }
}

static GrB_Info apply_in_place(grid_local_matrix *a, const value_loop *f) {
  const uint64_t n = a->iso ? 1 : a->nvals, size = a->type->size;
  char *x = a->iso ? a->iso_val : a->by_row.val;
  const int threads = grid_work_threads(n / 8);
  if (a->nvals == 0) return GrB_SUCCESS;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t k = 0; k < n; k += STRETCH)
    change_stretch(x + k * size, size, f, k, n - k < STRETCH ? n - k : STRETCH);
  return GrB_SUCCESS;
}

/* one: all results are equal, so that the first one serves. */
static GrB_Info run_all(grid_local_matrix *z, const grid_local_matrix *a, GrB_Type type, const value_loop *f,
                        bool one) {
  GrB_Info info;
  const uint64_t n = a->nvals;
  if (z == a) return apply_in_place(z, f);
  TRY(grid_lmat_share_pattern(z, a, type));
  void *values = one ? grid_calloc(1, type->size) : grid_malloc(n, type->size);
  if (!values) TRY(grid_fail_memory(NULL, "matrix values", one ? 1 : n, type->size));
  if (one) {
    z->iso = true, z->iso_val = values;
    if (n) f->run(f->op, values, a->iso ? a->iso_val : a->by_row.val, 0, 0, 1);
    return info;
  }
  z->by_row.val = values;
  const int threads = grid_work_threads(n / 8);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t k = 0; k < n; k += STRETCH) run_stretch(z, a, f, k, n - k < STRETCH ? n - k : STRETCH);
done:
  if (info != GrB_SUCCESS) grid_lmat_free(z);
  return info;
}

/* ---- unary --------------------------------------------------------------------------------------------- */

static void run_unary(const void *op, void *z, const void *x, size_t step, uint64_t from, size_t n) {
  (void)from;
  grid_unary_run(op, z, x, step, n);
}

GrB_Info grid_cpu_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op) {
  const grid_unary u = grid_unary_bind(op, a->type);
  return run_all(z, a, op->z, &(value_loop){run_unary, &u}, a->iso);
}

/* ---- with a bound scalar ------------------------------------------------------------------------------- */

typedef struct {
  grid_binary op;
  const void *value;
} bound;

static void run_first(const void *op, void *z, const void *x, size_t step, uint64_t from, size_t n) {
  const bound *b = op;
  (void)from;
  grid_binary_run(&b->op, z, b->value, 0, x, step, n);
}
static void run_second(const void *op, void *z, const void *x, size_t step, uint64_t from, size_t n) {
  const bound *b = op;
  (void)from;
  grid_binary_run(&b->op, z, x, step, b->value, 0, n);
}

GrB_Info grid_cpu_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                                   const void *x, bool first) {
  bound b = {.value = x};
  GrB_Info info = grid_binary_bind(&b.op, op, op->z, first ? op->x : a->type, first ? a->type : op->y);
  const bool one = a->iso || !(first ? op->uses_y : op->uses_x);
  if (z != a) grid_lmat_init(z, op->z, a->row.dim, a->col.dim);
  if (info == GrB_SUCCESS)
    info = run_all(z, a, op->z, &(value_loop){first ? run_first : run_second, &b}, one);
  grid_binary_free(&b.op);
  return info;
}

/* ---- with positions ------------------------------------------------------------------------------------ */

typedef struct {
  grid_indexop op;
  const grid_local_matrix *a;
  const grid_index_map *rows, *cols;
} indexed;

static void run_index(const void *op, void *z, const void *x, size_t step, uint64_t from, size_t n) {
  const indexed *u = op;
  uint64_t i[STRETCH_POSITIONS], j[STRETCH_POSITIONS];
  const size_t zs = u->op.op->z->size, xs = u->op.x->size;
  const bool rows = grid_indexop_uses_row(u->op.op), cols = grid_indexop_uses_column(u->op.op);
  if (!grid_indexop_uses_position(u->op.op)) {
    grid_indexop_positions(&u->op, z, x, step, NULL, NULL, n);
    return;
  }
  grid_coords_cursor w = grid_coords_begin(u->a, u->rows, u->cols, from);
  for (size_t k = 0; k < n; k += STRETCH_POSITIONS) {
    const size_t m = n - k < STRETCH_POSITIONS ? n - k : STRETCH_POSITIONS;
    grid_coords_read(&w, from + k, m, rows ? i : NULL, cols ? j : NULL);
    grid_indexop_positions(&u->op, (char *)z + k * zs, (const char *)x + k * step * xs, step, i, j, m);
  }
}

GrB_Info grid_cpu_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                                   const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  const indexed u = {grid_indexop_bind(op, a->type, y), a, rows, cols};
  return run_all(z, a, op->z, &(value_loop){run_index, &u}, a->iso && !grid_indexop_uses_position(op));
}
