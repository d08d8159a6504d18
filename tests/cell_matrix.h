/* A matrix as a small dense table of cells: the model for matrix operations. Cell (r, c) is entry (r *
 * row_step, c * col_step), so a small table models a hypersparse matrix. */
#ifndef GRID_CELL_MATRIX_H
#define GRID_CELL_MATRIX_H
#include <stdlib.h>
#include <string.h>

#include "tests/random_numbers.h"
#include "semiring/semiring.h"

/* ---- cells --------------------------------------------------------------------------------------------- */

enum { SIDE = 400, MAX_SIZE = 24 };

typedef struct {
  _Alignas(16) char v[MAX_SIZE];
  bool present;
} cell;
typedef struct {
  GrB_Type type;
  cell *at; /* rows x cols */
} cells;

static uint64_t rows, cols;         /* of cells */
static uint64_t row_step, col_step; /* local index of cell row r: r * row_step */
static uint64_t row_dim, col_dim;   /* of the local matrices */
static GrB_Type udt;
static GrB_BinaryOp udt_op;

static inline void add_udt(void *z, const void *x, const void *y) {
  const int64_t *a = x, *b = y;
  int64_t *c = z;
  for (int k = 0; k < 3; k++) c[k] = 2 * a[k] - b[k];
}

static inline cells new_cells(GrB_Type type) {
  cells c = {type, calloc(rows * cols, sizeof *c.at)};
  assert_non_null(c.at);
  return c;
}

/* Entries at about one of `one` positions; a few kinds of values, or one value for all. */
static inline void draw_cells(cells *c, uint64_t one, bool iso, bool clustered) {
  double x = (double)draw(3);
  for (uint64_t k = 0; k < rows * cols; k++) {
    const bool busy = !clustered || k / cols % 17 == 3;
    c->at[k].present = one && (busy ? draw_one_in(one) : draw_one_in(one * 40));
    if (!iso) x = (double)draw(4) - 1;
    if (c->type == udt)
      for (int f = 0; f < 3; f++) ((int64_t *)(void *)c->at[k].v)[f] = (int64_t)x + f;
    else
      grid_cast_array(c->at[k].v, c->type, &x, GrB_FP64, 1, 1);
  }
}

static inline void draw_shape(bool large) {
  rows = large ? 300 + draw(100) : 1 + draw(draw_one_in(4) ? 3 : 40);
  cols = large ? 300 + draw(100) : 1 + draw(draw_one_in(4) ? 3 : 40);
  if (large && draw_one_in(3)) rows = 1 + draw(2), cols = SIDE * 300; /* long rows */
  const uint64_t steps[] = {1, 1, 9, 1000, (UINT64_C(1) << 40) / SIDE};
  row_step = steps[draw(5)], col_step = steps[draw(5)];
  row_dim = rows * row_step + draw(3), col_dim = cols * col_step + draw(3);
}

static inline GrB_Type draw_type(void) {
  const GrB_Type types[] = {GrB_FP64, GrB_BOOL, GrB_INT16, GrB_FP32, GxB_FC32, GxB_FC64};
  return types[draw(6)];
}

/* ---- C<M> accum= T ------------------------------------------------------------------------------------- */

typedef struct {
  bool structure, complement, replace;
  GrB_BinaryOp accum;
} cell_writing;

static inline bool is_allowed(const cells *m, uint64_t k, const cell_writing *w) {
  bool in = !m;
  if (m) in = m->at[k].present && (w->structure || grid_is_true(m->type, m->at[k].v));
  return in != w->complement;
}

/* z = (type) x */
static inline void put(cell *z, GrB_Type type, const void *x, GrB_Type from) {
  z->present = true;
  grid_cast_array(z->v, type, x, from, 1, 1);
}

/* z = (type) op(x, y), of values of the types xt and yt */
static inline void put_binary(cell *z, GrB_Type type, GrB_BinaryOp op, const void *x, GrB_Type xt,
                              const void *y, GrB_Type yt) {
  _Alignas(16) char u[MAX_SIZE], v[MAX_SIZE], w[MAX_SIZE];
  grid_cast_array(u, op->x, x, xt, 1, 1);
  grid_cast_array(v, op->y, y, yt, 1, 1);
  op->f(w, u, v);
  put(z, type, w, op->z);
}

static inline void write_cells(cells *c, const cells *m, const cells *t, const cell_writing *w) {
  for (uint64_t k = 0; k < rows * cols; k++) {
    cell *z = &c->at[k];
    const cell *x = &t->at[k];
    if (!is_allowed(m, k, w))
      z->present = z->present && !w->replace;
    else if (x->present && z->present && w->accum)
      put_binary(z, c->type, w->accum, z->v, c->type, x->v, t->type);
    else if (x->present)
      put(z, c->type, x->v, t->type);
    else
      z->present = z->present && w->accum != NULL;
  }
}

/* ---- as a GrB_Matrix ----------------------------------------------------------------------------------- */

static inline GrB_Info build_values(GrB_Matrix A, const GrB_Index *i, const GrB_Index *j, const void *x,
                                    GrB_Index n, GrB_Type type) {
#define CALL(P, T, C) \
  case GRID_T_##T:    \
    return P##_Matrix_build_##T(A, i, j, x, n, NULL);
  switch (type->code) {
    GRID_PREDEFINED_TYPES(CALL)
    CALL(GrB, UDT, void)
  }
#undef CALL
  return GrB_PANIC;
}
static inline GrB_Info take_values(GrB_Index *i, GrB_Index *j, void *x, GrB_Index *n, GrB_Matrix A,
                                   GrB_Type type) {
#define CALL(P, T, C) \
  case GRID_T_##T:    \
    return P##_Matrix_extractTuples_##T(i, j, x, n, A);
  switch (type->code) {
    GRID_PREDEFINED_TYPES(CALL)
    CALL(GrB, UDT, void)
  }
#undef CALL
  return GrB_PANIC;
}

/* The sum of A's values, which later changes of A make invalid; of the cells' values. */
static inline int64_t sum_of_matrix(GrB_Matrix A, GrB_Type type) {
  int64_t sum = 0;
  if (grid_type_is_real(type))
    assert_int_equal(GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, A, NULL), GrB_SUCCESS);
  return sum;
}
static inline int64_t sum_of_cells(const cells *c) {
  int64_t sum = 0, x;
  for (uint64_t k = 0; k < rows * cols && grid_type_is_real(c->type); k++) {
    if (!c->at[k].present) continue;
    grid_cast_array(&x, GrB_INT64, c->at[k].v, c->type, 1, 1);
    sum += x;
  }
  return sum;
}

/* The matrix, or its transpose. */
static inline GrB_Matrix to_matrix(const cells *c, bool transposed) {
  const size_t size = c->type->size;
  GrB_Matrix A = NULL;
  uint64_t n = 0, *i = malloc(rows * cols * sizeof *i), *j = malloc(rows * cols * sizeof *j);
  char *x = malloc(rows * cols * size);
  for (uint64_t k = 0; k < rows * cols; k++) {
    if (!c->at[k].present) continue;
    i[n] = k / cols * row_step, j[n] = k % cols * col_step;
    memcpy(x + n++ * size, c->at[k].v, size);
  }
  assert_int_equal(transposed ? GrB_Matrix_new(&A, c->type, col_dim, row_dim)
                              : GrB_Matrix_new(&A, c->type, row_dim, col_dim),
                   GrB_SUCCESS);
  assert_int_equal(build_values(A, transposed ? j : i, transposed ? i : j, x, n, c->type), GrB_SUCCESS);
  free(i), free(j), free(x);
  (void)sum_of_matrix(A, c->type);
  return A;
}

static inline int compare_row_column(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Does A hold the cells' entries? Each process checks its own. Collective. */
static inline bool has_cells(GrB_Matrix A, const cells *want) {
  const size_t size = want->type->size;
  GrB_Index n = 0, stored, e = 0;
  for (uint64_t k = 0; k < rows * cols; k++) n += want->at[k].present;
  if (GrB_Matrix_nvals(&stored, A) != GrB_SUCCESS || stored != n) return false;
  if (sum_of_matrix(A, want->type) != sum_of_cells(want)) return false;
  uint64_t *i = malloc((n + 1) * sizeof *i), *j = malloc((n + 1) * sizeof *j),
           (*at)[3] = malloc((n + 1) * sizeof *at);
  char *x = malloc((n + 1) * size);
  bool same = take_values(i, j, x, &stored, A, want->type) == GrB_SUCCESS;
  for (uint64_t k = 0; k < n; k++) at[k][0] = i[k], at[k][1] = j[k], at[k][2] = k;
  qsort(at, n, sizeof *at, compare_row_column);
  for (uint64_t k = 0; k < rows * cols; k++) {
    if (!want->at[k].present) continue;
    same = same && at[e][0] == k / cols * row_step && at[e][1] == k % cols * col_step &&
           memcmp(x + at[e][2] * size, want->at[k].v, size) == 0;
    e++;
  }
  free(i), free(j), free(at), free(x);
  return same;
}
#endif
