/* Concatenation, division, diagonals, reshaping and sorting against dense models, on any number of processes.
 */
#include <stdio.h>

#include "tests/gxb_model.h"
#include "tests/grid_shapes.h"

/* ---- tiles --------------------------------------------------------------------------------------------- */

static void tiles(void **state) {
  for (int round = 0; round < test_rounds(60); round++) {
    const size_t m = 1 + draw(3), n = 1 + draw(3);
    GrB_Index nrows[3], ncols[3], rows = 0, cols = 0;
    modelled tile[9];
    GrB_Matrix given[9], split[9];
    for (size_t i = 0; i < m; i++) rows += nrows[i] = draw_size();
    for (size_t j = 0; j < n; j++) cols += ncols[j] = draw_size();
    for (size_t k = 0; k < m * n; k++) {
      tile[k] = draw_modelled(nrows[k / n], ncols[k % n]);
      change_entries(&tile[k]);
      given[k] = tile[k].A;
    }
    modelled C = draw_modelled(rows, cols);
    OK(GxB_Matrix_concat(C.A, given, m, n, NULL));
    for (size_t i = 0, row = 0; i < m; row += nrows[i++])
      for (size_t j = 0, col = 0; j < n; col += ncols[j++])
        for (size_t k = 0; k < nrows[i] * ncols[j]; k++) {
          const size_t to = dense_at(&C.d, row + k / ncols[j], col + k % ncols[j]);
          C.d.has[to] = tile[i * n + j].d.has[k], C.d.v[to] = tile[i * n + j].d.v[k];
        }
    check_modelled(&C);
    change_entries(&C);
    OK(GxB_Matrix_split(split, m, n, nrows, ncols, C.A, NULL));
    for (size_t i = 0, row = 0; i < m; row += nrows[i++])
      for (size_t j = 0, col = 0; j < n; col += ncols[j++]) {
        modelled *t = &tile[i * n + j];
        for (size_t k = 0; k < nrows[i] * ncols[j]; k++) {
          const size_t from = dense_at(&C.d, row + k / ncols[j], col + k % ncols[j]);
          t->d.has[k] = C.d.has[from], t->d.v[k] = C.d.v[from];
        }
        GrB_Matrix_free(&t->A);
        t->A = split[i * n + j];
        check_modelled(t);
        free_modelled(t);
      }
    free_modelled(&C);
  }
}

/* C is a tile of itself. */
static void tile_of_itself(void **state) {
  modelled C = draw_modelled(70, 30);
  OK(GxB_Matrix_concat(C.A, &C.A, 1, 1, NULL));
  check_modelled(&C);
  free_modelled(&C);
}

/* Vectors and scalars whose handles are cast to GrB_Matrix, as python-graphblas passes them. */
static void cast_handles(void **state) {
  const GrB_Index sizes[] = {64, 1, 150}, one[] = {1};
  modelled w = draw_modelled_vector(215), u = draw_modelled_vector(64), v = draw_modelled_vector(150),
           C = {.d = dense_new(215, 1)}, M = {.d = dense_new(5, 43)};
  GrB_Scalar s = scalar_of(GrB_FP64, 4);
  const GrB_Matrix tiles[] = {(GrB_Matrix)(void *)u.v, (GrB_Matrix)(void *)s, (GrB_Matrix)(void *)v.v};
  GrB_Matrix made[3] = {NULL};
  change_entries(&u);
  for (size_t k = 0; k < 215; k++) {
    const dense *from = k < 64 ? &u.d : &v.d;
    const size_t at = k < 64 ? k : k - 65;
    w.d.has[k] = k == 64 || from->has[at], w.d.v[k] = k == 64 ? 4 : from->v[at];
    C.d.has[k] = M.d.has[k] = w.d.has[k], C.d.v[k] = M.d.v[k] = w.d.v[k];
  }
  OK(GrB_Matrix_new(&C.A, GrB_FP64, 215, 1));
  OK(GxB_Matrix_concat((GrB_Matrix)(void *)w.v, tiles, 3, 1, NULL));
  OK(GxB_Matrix_concat(C.A, tiles, 3, 1, NULL));
  OK(GxB_Matrix_reshapeDup(&M.A, (GrB_Matrix)(void *)w.v, false, 5, 43, NULL));
  check_modelled(&w), check_modelled(&C), check_modelled(&M);
  OK(GxB_Matrix_split(made, 3, 1, sizes, one, (GrB_Matrix)(void *)w.v, NULL));
  GrB_Vector_free(&u.v), GrB_Vector_free(&v.v);
  u.v = (GrB_Vector)(void *)made[0], v.v = (GrB_Vector)(void *)made[2];
  check_modelled(&u), check_modelled(&v);
  GrB_Vector middle = (GrB_Vector)(void *)made[1];
  GrB_Vector_free(&middle);
  assert_failed(GxB_Matrix_split(made, 2, 1, sizes, one, (GrB_Matrix)(void *)w.v, NULL),
                GrB_DIMENSION_MISMATCH, "rows");
  free_modelled(&w), free_modelled(&u), free_modelled(&v), free_modelled(&C), free_modelled(&M);
  GrB_Scalar_free(&s);
}

/* ---- diagonals ----------------------------------------------------------------------------------------- */

static void diagonals(void **state) {
  for (int round = 0; round < test_rounds(60); round++) {
    modelled A = draw_modelled(draw_size(), draw_size());
    const int64_t rows = (int64_t)A.d.rows, cols = (int64_t)A.d.cols;
    const int64_t k = (int64_t)draw((uint64_t)(rows + cols - 1)) - rows + 1;
    const int64_t down = k < 0 ? -k : 0, right = k > 0 ? k : 0,
                  n = rows - down < cols - right ? rows - down : cols - right;
    modelled v = draw_modelled_vector((size_t)n);
    change_entries(&A), change_entries(&v);
    OK(GxB_Vector_diag(v.v, A.A, k, NULL));
    for (int64_t i = 0; i < n; i++) {
      const size_t from = dense_at(&A.d, (size_t)(i + down), (size_t)(i + right));
      v.d.has[i] = A.d.has[from], v.d.v[i] = A.d.v[from];
    }
    check_modelled(&v);
    const size_t size = (size_t)(n + down + right);
    modelled C = draw_modelled(size, size);
    memset(C.d.has, 0, size * size);
    change_entries(&v);
    OK(GxB_Matrix_diag(C.A, v.v, k, NULL));
    for (int64_t i = 0; i < n; i++)
      if (v.d.has[i]) dense_set(&C.d, (size_t)(i + down), (size_t)(i + right), v.d.v[i]);
    check_modelled(&C);
    free_modelled(&A), free_modelled(&C), free_modelled(&v);
  }
}

/* ---- reshaping ----------------------------------------------------------------------------------------- */

static void reshaping(void **state) {
  static const size_t shapes[][4] = {{64, 150, 150, 64}, {7, 64, 64, 7}, {1, 150, 150, 1}, {30, 40, 8, 150},
                                     {12, 1, 1, 12},     {5, 9, 5, 9},   {640, 3, 4, 480}};
  for (int round = 0; round < test_rounds(60); round++) {
    const size_t *s = shapes[draw(7)];
    const bool by_col = draw_one_in(2);
    modelled A = draw_modelled(s[0], s[1]), C = {.d = dense_new(s[2], s[3])};
    change_entries(&A);
    for (size_t k = 0; k < s[0] * s[1]; k++) {
      const size_t number = by_col ? k % s[1] * s[0] + k / s[1] : k;
      const size_t to = by_col ? dense_at(&C.d, number % s[2], number / s[2]) : number;
      C.d.has[to] = A.d.has[k], C.d.v[to] = A.d.v[k];
    }
    OK(GxB_Matrix_reshapeDup(&C.A, A.A, by_col, s[2], s[3], NULL));
    check_modelled(&A), check_modelled(&C);
    OK(GxB_Matrix_reshape(A.A, by_col, s[2], s[3], NULL));
    GrB_Matrix_free(&C.A);
    C.A = A.A, A.A = NULL;
    check_modelled(&C);
    change_entries(&C);
    check_modelled(&C);
    free_modelled(&A), free_modelled(&C);
  }
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

/* Sorts one line of n entries at `step` from each other, by insertion. */
static void model_sort_line(dense *c, dense *p, const dense *a, size_t at, size_t step, size_t n, bool down) {
  size_t m = 0;
  for (size_t k = 0; k < n; k++) {
    c->has[at + k * step] = p->has[at + k * step] = false;
    if (!a->has[at + k * step]) continue;
    const double x = a->v[at + k * step];
    size_t j = m++;
    for (; j > 0 && (down ? c->v[at + (j - 1) * step] < x : c->v[at + (j - 1) * step] > x); j--) {
      c->v[at + j * step] = c->v[at + (j - 1) * step];
      p->v[at + j * step] = p->v[at + (j - 1) * step];
    }
    c->v[at + j * step] = x, p->v[at + j * step] = (double)k;
  }
  for (size_t k = 0; k < m; k++) c->has[at + k * step] = p->has[at + k * step] = true;
}

static void matrices_sorted(void **state) {
  for (int round = 0; round < test_rounds(60); round++) {
    const bool by_col = draw_one_in(2), down = draw_one_in(2), in_place = draw_one_in(4);
    modelled A = draw_modelled(draw_size(), draw_size()), C = {.d = dense_new(A.d.rows, A.d.cols)},
             P = {.d = dense_new(A.d.rows, A.d.cols)};
    GrB_Type type;
    OK(GxB_Matrix_type(&type, A.A));
    OK(GrB_Matrix_new(&C.A, type, A.d.rows, A.d.cols));
    OK(GrB_Matrix_new(&P.A, draw_one_in(2) ? GrB_INT32 : GrB_INT64, A.d.rows, A.d.cols));
    OK(GrB_Matrix_setElement_FP64(C.A, 99, 0, 0));
    change_entries(&A);
    for (size_t k = 0; k < (by_col ? A.d.cols : A.d.rows); k++)
      model_sort_line(&C.d, &P.d, &A.d, by_col ? k : k * A.d.cols, by_col ? A.d.cols : 1,
                      by_col ? A.d.rows : A.d.cols, down);
    OK(GxB_sort(in_place ? A.A : C.A, P.A, down ? GrB_GT_FP64 : GrB_LT_FP64, A.A,
                by_col ? GrB_DESC_T0 : NULL));
    if (in_place) {
      const GrB_Matrix swap = A.A;
      A.A = C.A, C.A = swap;
    }
    check_modelled(&C), check_modelled(&P);
    free_modelled(&A), free_modelled(&C), free_modelled(&P);
  }
}

static void vectors_sorted(void **state) {
  for (int round = 0; round < test_rounds(60); round++) {
    const bool down = draw_one_in(2);
    const uint64_t outputs = draw(3);
    modelled u = draw_modelled_vector(draw_one_in(3) ? 5000 : draw_size()), w = {.d = dense_new(u.d.rows, 1)},
             p = {.d = dense_new(u.d.rows, 1)};
    GrB_Type type;
    OK(GxB_Vector_type(&type, u.v));
    OK(GrB_Vector_new(&w.v, type, u.d.rows)), OK(GrB_Vector_new(&p.v, GrB_UINT64, u.d.rows));
    change_entries(&u);
    model_sort_line(&w.d, &p.d, &u.d, 0, 1, u.d.rows, down);
    OK(GxB_sort(outputs == 1 ? NULL : w.v, outputs == 2 ? NULL : p.v, down ? GrB_GT_INT32 : GrB_LT_INT32, u.v,
                NULL));
    if (outputs != 1) check_modelled(&w);
    if (outputs != 2) check_modelled(&p);
    free_modelled(&u), free_modelled(&w), free_modelled(&p);
  }
}

/* The order of infinities, of both zeros, which are equal, and of the largest numbers of 64 bits. */
static void extreme_numbers_sorted(void **state) {
  enum { N = 6 };
  static const double real[N] = {0.0, INFINITY, -1.5, -0.0, -INFINITY, 2};
  static const int64_t whole[N] = {0, INT64_MAX, -5, 0, INT64_MIN, 7};
  static const uint64_t count[N] = {2, UINT64_MAX, 1, 2, 0, (uint64_t)1 << 63};
  static const int64_t up[N] = {4, 2, 0, 3, 5, 1}, down[N] = {1, 5, 0, 3, 2, 4};
  GrB_Vector u[3], p = NULL;
  OK(GrB_Vector_new(&u[0], GrB_FP64, N)), OK(GrB_Vector_new(&u[1], GrB_INT64, N));
  OK(GrB_Vector_new(&u[2], GrB_UINT64, N)), OK(GrB_Vector_new(&p, GrB_INT64, N));
  for (GrB_Index k = 0; k < N; k++) {
    OK(GrB_Vector_setElement_FP64(u[0], real[k], k)), OK(GrB_Vector_setElement_INT64(u[1], whole[k], k));
    OK(GrB_Vector_setElement_UINT64(u[2], count[k], k));
  }
  const GrB_BinaryOp less[] = {GrB_LT_FP64, GrB_LT_INT64, GrB_LT_UINT64},
                     more[] = {GrB_GT_FP64, GrB_GT_INT64, GrB_GT_UINT64};
  for (int type = 0; type < 3; type++)
    for (int is_down = 0; is_down < 2; is_down++) {
      OK(GxB_Vector_sort(NULL, p, is_down ? more[type] : less[type], u[type], NULL));
      for (GrB_Index k = 0; k < N; k++) {
        int64_t at;
        OK(GrB_Vector_extractElement_INT64(&at, p, k));
        assert_on_all(at == (is_down ? down : up)[k]);
      }
    }
  GrB_Vector_free(&u[0]), GrB_Vector_free(&u[1]), GrB_Vector_free(&u[2]), GrB_Vector_free(&p);
}

/* Values of a user-defined type, and a comparison that is no order: any sequence, but nothing is lost. */
static void always(void *z, const void *x, const void *y) {
  (void)x, (void)y;
  *(bool *)z = true;
}

static void user_defined_sorted(void **state) {
  enum { N = 1000 };
  GrB_Type type = NULL;
  GrB_BinaryOp less = NULL, wrong = NULL;
  GrB_Vector u = NULL, w = NULL;
  OK(GrB_Type_new(&type, sizeof(large_value)));
  OK(GrB_BinaryOp_new(&less, large_less, GrB_BOOL, type, type));
  OK(GrB_BinaryOp_new(&wrong, always, GrB_BOOL, type, type));
  OK(GrB_Vector_new(&u, type, N)), OK(GrB_Vector_new(&w, type, N));
  for (GrB_Index k = 0; k < N; k += 2) {
    const large_value x = {.key = (int64_t)(k * 7 % N), .other = {[8] = (int64_t)k}};
    OK(GrB_Vector_setElement_UDT(u, &x, k));
  }
  OK(GxB_Vector_sort(w, NULL, less, u, NULL));
  for (GrB_Index k = 0; k < N / 2; k += 99) {
    large_value x = {0};
    OK(GrB_Vector_extractElement_UDT(&x, w, k));
    assert_on_all(x.key == (int64_t)(2 * k) && x.other[8] * 7 % N == x.key);
  }
  OK(GxB_Vector_sort(w, NULL, wrong, u, NULL));
  GrB_Index n;
  OK(GrB_Vector_nvals(&n, w));
  assert_on_all(n == N / 2);
  GrB_Vector_free(&u), GrB_Vector_free(&w);
  GrB_BinaryOp_free(&less), GrB_BinaryOp_free(&wrong), GrB_Type_free(&type);
}

/* ---- wrong arguments ----------------------------------------------------------------------------------- */

static void invalid_rearrangements(void **state) {
  modelled A = draw_modelled(20, 30), B = draw_modelled(20, 31), C = draw_modelled(20, 60),
           v = draw_modelled_vector(20);
  GrB_Matrix tiles[] = {A.A, B.A, A.A, NULL}, made[4] = {NULL}, P = NULL;
  const GrB_Index half[] = {10, 10}, more[] = {10, 11}, cols[] = {15, 15};
  assert_failed(GxB_Matrix_concat(C.A, tiles, 1, 2, NULL), GrB_DIMENSION_MISMATCH, "20 x 60");
  assert_failed(GxB_Matrix_concat(C.A, tiles, 2, 1, NULL), GrB_DIMENSION_MISMATCH, "tile (1, 0)");
  assert_failed(GxB_Matrix_concat(C.A, tiles, 0, 1, NULL), GrB_INVALID_VALUE, "0 x 1");
  assert_failed(GxB_Matrix_concat(C.A, NULL, 1, 1, NULL), GrB_NULL_POINTER, "Tiles");
  assert_failed(GxB_Matrix_concat(C.A, tiles + 2, 1, 2, NULL), GrB_NULL_POINTER, "Tiles");
  assert_failed(GxB_Matrix_split(made, 2, 2, more, cols, A.A, NULL), GrB_DIMENSION_MISMATCH, "rows");
  assert_failed(GxB_Matrix_split(made, 2, 2, half, more, A.A, NULL), GrB_DIMENSION_MISMATCH, "columns");
  assert_failed(GxB_Matrix_split(made, 0, 2, half, cols, A.A, NULL), GrB_INVALID_VALUE, "0 x 2");
  assert_failed(GxB_Matrix_split(made, 2, 2, half, NULL, A.A, NULL), GrB_NULL_POINTER, "Tile_ncols");
  assert_on_all(!made[0] && !made[3]);
  assert_failed(GxB_Vector_diag(v.v, A.A, 11, NULL), GrB_DIMENSION_MISMATCH, "19");
  assert_failed(GxB_Vector_diag(v.v, A.A, 30, NULL), GrB_DIMENSION_MISMATCH, "has 0");
  assert_failed(GxB_Vector_diag(v.v, A.A, INT64_MIN, NULL), GrB_DIMENSION_MISMATCH, "has 0");
  assert_failed(GxB_Matrix_diag(A.A, v.v, 3, NULL), GrB_DIMENSION_MISMATCH, "23 x 23");
  assert_failed(GxB_Matrix_reshape(A.A, true, 20, 31, NULL), GrB_DIMENSION_MISMATCH, "20 x 31");
  assert_failed(GxB_Matrix_reshapeDup(NULL, A.A, true, 30, 20, NULL), GrB_NULL_POINTER, "C");
  assert_failed(GxB_Matrix_sort(NULL, NULL, GrB_LT_FP64, A.A, NULL), GrB_NULL_POINTER, "NULL");
  assert_failed(GxB_Matrix_sort(A.A, NULL, GrB_PLUS_FP64, A.A, NULL), GrB_DOMAIN_MISMATCH, "comparison");
  assert_failed(GxB_Matrix_sort(B.A, NULL, GrB_LT_FP64, A.A, NULL), GrB_DIMENSION_MISMATCH, "20 x 31");
  OK(GrB_Matrix_new(&P, GrB_INT8, 20, 30));
  assert_failed(GxB_Matrix_sort(NULL, P, GrB_LT_FP64, A.A, NULL), GrB_DOMAIN_MISMATCH, "INT8");
  assert_failed(GxB_Matrix_sort(P, NULL, GrB_LT_FP64, A.A, NULL), GrB_DOMAIN_MISMATCH, "INT8");
  const GrB_Type narrow[] = {GrB_INT32, GrB_UINT32, GrB_INT32};
  for (int k = 0; k < 3; k++) { /* indices that the type does not hold, of the rows or of the columns */
    const GrB_Index size = (GrB_Index)1 << (k == 1 ? 32 : 31);
    GrB_Matrix sparse, order;
    OK(GrB_Matrix_new(&sparse, GrB_FP64, k == 2 ? size : 2, k == 2 ? 2 : size));
    OK(GrB_Matrix_new(&order, narrow[k], k == 2 ? size : 2, k == 2 ? 2 : size));
    assert_failed(GxB_Matrix_sort(NULL, order, GrB_LT_FP64, sparse, NULL), GrB_DOMAIN_MISMATCH,
                  "does not hold");
    OK(GrB_Matrix_resize(sparse, 2, 2)), OK(GrB_Matrix_resize(order, 2, 2));
    OK(GxB_Matrix_sort(NULL, order, GrB_LT_FP64, sparse, NULL));
    GrB_Matrix_free(&sparse), GrB_Matrix_free(&order);
  }
  GrB_Vector places = NULL;
  OK(GrB_Vector_new(&places, GrB_INT64, 20));
  assert_failed(GxB_Vector_sort(places, places, GrB_LT_INT64, places, NULL), GrB_NOT_IMPLEMENTED,
                "same vector");
  GrB_Vector_free(&places);
  GrB_Matrix_free(&P);
  check_modelled(&A), check_modelled(&B), check_modelled(&C), check_modelled(&v);
  free_modelled(&A), free_modelled(&B), free_modelled(&C), free_modelled(&v);
}

/* ---- failing allocations ------------------------------------------------------------------------------- */

typedef struct {
  modelled C, A, w, u, n;
  GrB_Scalar one;
} world;

static GrB_Info do_concat(void *context) {
  world *o = context;
  const GrB_Matrix tiles[] = {o->A.A, o->A.A};
  return GxB_Matrix_concat(o->C.A, tiles, 2, 1, NULL);
}
static GrB_Info do_split(void *context) {
  world *o = context;
  const GrB_Index rows[] = {10, 25}, cols[] = {40, 30};
  GrB_Matrix made[4] = {NULL};
  const GrB_Info info = GxB_Matrix_split(made, 2, 2, rows, cols, o->A.A, NULL);
  assert_on_all((info == GrB_SUCCESS) == (made[0] && made[3]));
  for (int k = 0; k < 4; k++) GrB_Matrix_free(&made[k]);
  return info;
}
static GrB_Info do_concat_vectors(void *context) {
  world *o = context;
  const GrB_Matrix tile = (GrB_Matrix)(void *)o->w.v;
  return GxB_Matrix_concat(tile, &tile, 1, 1, NULL);
}
static GrB_Info do_diag(void *context) {
  world *o = context;
  return GxB_Vector_diag(o->w.v, o->A.A, 1, NULL);
}
static GrB_Info do_matrix_diag(void *context) {
  world *o = context;
  return GxB_Matrix_diag(o->C.A, o->w.v, 35, NULL);
}
static GrB_Info do_reshape(void *context) {
  world *o = context;
  return GxB_Matrix_reshape(o->A.A, true, 70, 35, NULL);
}
static GrB_Info do_sort(void *context) {
  world *o = context;
  return GxB_Matrix_sort(o->C.A, NULL, GrB_LT_FP64, o->C.A, NULL);
}
static GrB_Info do_vector_sort(void *context) {
  world *o = context;
  return GxB_Vector_sort(o->w.v, NULL, GrB_LT_FP64, o->w.v, NULL);
}
static GrB_Info do_tuples(void *context) {
  world *o = context;
  return GxB_Matrix_extractTuples_Vector(NULL, NULL, o->u.v, o->A.A, NULL);
}
static GrB_Info do_extract(void *context) {
  world *o = context;
  return GxB_Vector_extract_Vector(o->w.v, NULL, NULL, o->w.v, o->n.v, NULL);
}

static void failing_allocations(void **state) {
  const int64_t live = grid_mem_live();
  world o = {.C = fill_modelled(70, 70, false),
             .A = fill_modelled(35, 70, false),
             .w = fill_modelled(35, 1, true),
             .u = fill_modelled(35, 1, true),
             .n = {.d = dense_new(35, 1)}};
  for (size_t k = 0; k < 35; k++) dense_set(&o.n.d, k, 0, (double)(34 - k));
  o.n.v = vector_of(&o.n.d, GrB_INT64, false);
  assert_fails_cleanly(do_concat, &o, &o.C);
  assert_fails_cleanly(do_concat_vectors, &o, &o.w);
  assert_fails_cleanly(do_split, &o, &o.A);
  assert_fails_cleanly(do_diag, &o, &o.w);
  assert_fails_cleanly(do_matrix_diag, &o, &o.C);
  assert_fails_cleanly(do_reshape, &o, &o.A);
  assert_fails_cleanly(do_sort, &o, &o.C);
  assert_fails_cleanly(do_vector_sort, &o, &o.w);
  assert_fails_cleanly(do_tuples, &o, &o.u);
  assert_fails_cleanly(do_extract, &o, &o.w);
  free_modelled(&o.C), free_modelled(&o.A), free_modelled(&o.w), free_modelled(&o.u), free_modelled(&o.n);
  assert_on_all(grid_mem_live() == live);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(tiles), cmocka_unit_test(tile_of_itself),
               cmocka_unit_test(cast_handles), cmocka_unit_test(diagonals), cmocka_unit_test(reshaping),
               cmocka_unit_test(matrices_sorted), cmocka_unit_test(vectors_sorted),
               cmocka_unit_test(extreme_numbers_sorted), cmocka_unit_test(user_defined_sorted),
               cmocka_unit_test(invalid_rearrangements), cmocka_unit_test(failing_allocations))
