/* A matrix out of core beside the same one in memory: products, sums. The test defines how vectors are drawn
 * and compared, and N, the number of values of a full one. */
#ifndef GRID_COMPARE_OUTOFCORE_H
#define GRID_COMPARE_OUTOFCORE_H
#include "gridblas.h"
#include "tests/random_numbers.h"

#define OK(call)                                                                            \
  do {                                                                                      \
    const GrB_Info info_ = (call);                                                          \
    if (info_ != GrB_SUCCESS) fail_msg("%s: %s", Grid_info_name(info_), Grid_last_error()); \
  } while (0)

enum { N = 700 };
/* Some entries, or all if `count` is N. */
static GrB_Vector draw_vector(uint64_t n, uint64_t count);
static void expect_alike(GrB_Vector got, GrB_Vector want);

static void free_edges(Grid_Edges *e) {
  free(e->rows);
  free(e->cols);
  free(e->values);
}

static GrB_Matrix build(const Grid_Edges *e) {
  const int flags = e->symmetric ? Grid_MIRROR : 0;
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, e->pattern ? GrB_BOOL : GrB_FP64, e->nrows, e->ncols));
  OK(Grid_Matrix_build(A, e->rows, e->cols, e->values, e->pattern ? NULL : GrB_FP64, e->n,
                       e->pattern ? NULL : GrB_MIN_FP64, flags));
  return A;
}

static bool is_paged(GrB_Matrix A) {
  bool paged;
  Grid_Matrix_bytes_read(&paged, A);
  return paged;
}

/* Sums of whole numbers are exact, whatever their order, and so is a minimum. */
static void products(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols, int kinds) {
  const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                                    GrB_LOR_LAND_SEMIRING_BOOL, Grid_MIN_SECONDI_SEMIRING_INT64,
                                    Grid_ANY_ONEB_SEMIRING_BOOL};
  const GrB_Descriptor descs[] = {NULL, GrB_DESC_RSC, GrB_DESC_S, GrB_DESC_RC};
  static const uint64_t counts[] = {0, 1, 9, N};
  for (int s = 0; s < kinds; s++)
    for (int k = 0; k < 8; k++) {
      const bool by_row = k & 1;
      const uint64_t in = by_row ? nrows : ncols, out = by_row ? ncols : nrows;
      GrB_Vector u = draw_vector(in, counts[draw(4)]), mask = draw_vector(out, counts[draw(4)]),
                 w[2] = {draw_vector(out, 40), NULL};
      OK(GrB_Vector_dup(&w[1], w[0]));
      const GrB_Descriptor d = descs[k / 2];
      const GrB_BinaryOp accum = draw_one_in(3) ? GrB_PLUS_FP64 : NULL;
      const GrB_Vector m = d ? mask : NULL;
      for (int x = 0; x < 2; x++)
        OK(by_row ? GrB_vxm(w[x], m, accum, semirings[s], u, x ? B : A, d)
                  : GrB_mxv(w[x], m, accum, semirings[s], x ? B : A, u, d));
      expect_alike(w[0], w[1]);
      GrB_free(&u);
      GrB_free(&mask);
      GrB_free(&w[0]);
      GrB_free(&w[1]);
    }
}

static void sums(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols) {
  GrB_Index n, m;
  double x, y;
  OK(GrB_Matrix_nvals(&n, A));
  OK(GrB_Matrix_nvals(&m, B));
  assert_true(n == m);
  OK(GrB_Matrix_reduce_FP64(&x, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  OK(GrB_Matrix_reduce_FP64(&y, NULL, GrB_PLUS_MONOID_FP64, B, NULL));
  assert_true(x == y);
  for (int by_column = 0; by_column < 2; by_column++) {
    GrB_Vector v[2];
    for (int k = 0; k < 2; k++) {
      OK(GrB_Vector_new(&v[k], GrB_FP64, by_column ? ncols : nrows));
      OK(Grid_Matrix_degree(v[k], k ? B : A, by_column));
    }
    expect_alike(v[0], v[1]);
    for (int k = 0; k < 2; k++)
      OK(GrB_Matrix_reduce_Monoid(v[k], NULL, NULL, GrB_MAX_MONOID_FP64, k ? B : A,
                                  by_column ? GrB_DESC_T0 : NULL));
    expect_alike(v[0], v[1]);
    GrB_free(&v[0]);
    GrB_free(&v[1]);
  }
}
#endif
