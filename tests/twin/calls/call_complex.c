/* Statements: complex types. Their matrices live for one statement; parts are small integers, so that sums
 * and products are exact. What is written are the real and imaginary parts. */
#include <complex.h>

#include "tests/twin/random_program.h"

enum { MOST_ENTRIES = 24 };

/* A drawn matrix of FC32 or FC64. */
static GrB_Matrix draw_complex(const char *name, bool fc64, GrB_Index nrows, GrB_Index ncols) {
  GrB_Matrix a = NULL;
  const uint64_t n = nrows && ncols ? below(MOST_ENTRIES) : 0;
  if (live()) DO(GrB_Matrix_new(&a, fc64 ? GxB_FC64 : GxB_FC32, nrows, ncols));
  log_text("%s = {", name);
  for (uint64_t k = 0; k < n; k++) {
    const GrB_Index i = random_index(nrows), j = random_index(ncols);
    const int re = (int)below(9) - 4, im = (int)below(9) - 4;
    log_text("%s%" PRIu64 ",%" PRIu64 ":%d%+di", k ? " " : "", i, j, re, im);
    if (live() && fc64) DO(GxB_Matrix_setElement_FC64(a, GxB_CMPLX(re, im), i, j));
    if (live() && !fc64) DO(GxB_Matrix_setElement_FC32(a, GxB_CMPLXF((float)re, (float)im), i, j));
  }
  log_text("} of %s, %" PRIu64 " x %" PRIu64 "; ", fc64 ? "FC64" : "FC32", nrows, ncols);
  return a;
}

/* Writes a real part. */
static void show_part(const char *name, GrB_UnaryOp part, GrB_Matrix a, bool fc64) {
  GrB_Index nrows, ncols;
  thing x = {.kind = MATRIX, .t = fc64 ? T_FP64 : T_FP32};
  snprintf(x.name, sizeof x.name, "%s", name);
  DO(GrB_Matrix_nrows(&nrows, a));
  DO(GrB_Matrix_ncols(&ncols, a));
  x.nrows = nrows, x.ncols = ncols;
  DO(GrB_Matrix_new(&x.a, twin_type[x.t], nrows, ncols));
  DO(GrB_Matrix_apply(x.a, NULL, NULL, part, a, NULL));
  show(&x);
  GrB_Matrix_free(&x.a);
}

static void show_complex(GrB_Matrix a, bool fc64) {
  if (!live()) return;
  show_part("re", fc64 ? GxB_CREAL_FC64 : GxB_CREAL_FC32, a, fc64);
  show_part("im", fc64 ? GxB_CIMAG_FC64 : GxB_CIMAG_FC32, a, fc64);
}

typedef struct {
  const char *name;
  GrB_BinaryOp fc32, fc64;
} complex_binary;
#define BINARY(NAME) \
  { #NAME, GxB_##NAME##_FC32, GxB_##NAME##_FC64 }

static const complex_binary *pick_binary(void) {
  static complex_binary op[8];
  const complex_binary all[] = {BINARY(PLUS),   BINARY(MINUS), BINARY(TIMES),  BINARY(FIRST),
                                BINARY(SECOND), BINARY(PAIR),  BINARY(RMINUS), BINARY(ISEQ)};
  memcpy(op, all, sizeof op); /* the objects' addresses are known at run time alone */
  return &op[below(8)];
}

static void ewise(bool fc64, GrB_Index nrows, GrB_Index ncols) {
  const complex_binary *op = pick_binary(), *plus = chance(40) ? pick_binary() : NULL;
  GrB_Matrix a = draw_complex("a", fc64, nrows, ncols), b = draw_complex("b", fc64, nrows, ncols),
             c = draw_complex("c", fc64, nrows, ncols);
  GrB_BinaryOp f = fc64 ? op->fc64 : op->fc32, accum = plus ? fc64 ? plus->fc64 : plus->fc32 : NULL;
  const bool add = chance(50), masked = chance(30);
  log_text("GrB_eWise%s(c, %s, %s, %s, a, b, NULL)", add ? "Add" : "Mult", masked ? "a" : "NULL",
           plus ? plus->name : "NULL", op->name);
  if (add)
    RUN("GrB_eWiseAdd", GrB_Matrix_eWiseAdd_BinaryOp(c, masked ? a : NULL, accum, f, a, b, NULL));
  else
    RUN("GrB_eWiseMult", GrB_Matrix_eWiseMult_BinaryOp(c, masked ? a : NULL, accum, f, a, b, NULL));
  show_complex(c, fc64);
  GrB_Matrix_free(&a), GrB_Matrix_free(&b), GrB_Matrix_free(&c);
}

static void product(bool fc64, GrB_Index nrows, GrB_Index ncols) {
  GrB_Matrix a = draw_complex("a", fc64, nrows, ncols), b = draw_complex("b", fc64, ncols, nrows), c = NULL;
  const GrB_Semiring s[2][2] = {{GxB_PLUS_TIMES_FC32, GxB_PLUS_TIMES_FC64},
                                {GxB_PLUS_FIRST_FC32, GxB_PLUS_FIRST_FC64}};
  const uint64_t k = below(2);
  if (live()) DO(GrB_Matrix_new(&c, fc64 ? GxB_FC64 : GxB_FC32, nrows, nrows));
  log_text("GrB_mxm(c, NULL, NULL, PLUS_%s, a, b, NULL)", k ? "FIRST" : "TIMES");
  RUN("GrB_mxm", GrB_mxm(c, NULL, NULL, s[k][fc64], a, b, NULL));
  show_complex(c, fc64);
  GrB_Matrix_free(&a), GrB_Matrix_free(&b), GrB_Matrix_free(&c);
}

static void apply(bool fc64, GrB_Index nrows, GrB_Index ncols) {
  const GrB_UnaryOp op[4][2] = {{GxB_CONJ_FC32, GxB_CONJ_FC64},
                                {GxB_AINV_FC32, GxB_AINV_FC64},
                                {GxB_ONE_FC32, GxB_ONE_FC64},
                                {GxB_IDENTITY_FC32, GxB_IDENTITY_FC64}};
  static const char *const name[] = {"CONJ", "AINV", "ONE", "IDENTITY"};
  const bool out = chance(50);
  const uint64_t k = below(4);
  GrB_Matrix a = draw_complex("a", fc64, nrows, ncols), c = NULL;
  if (live()) DO(GrB_Matrix_new(&c, out ? GxB_FC64 : GxB_FC32, nrows, ncols));
  log_text("GrB_apply(c of %s, NULL, NULL, %s, a, NULL)", out ? "FC64" : "FC32", name[k]);
  RUN("GrB_apply", GrB_Matrix_apply(c, NULL, NULL, op[k][fc64], a, NULL));
  show_complex(c, out);
  GrB_Matrix_free(&a), GrB_Matrix_free(&c);
}

/* A matrix of the pool, cast to a complex type. */
static void cast(bool fc64) {
  thing *x = pick(MATRIX);
  GrB_Matrix c = NULL;
  if (x->t >= NPREDEFINED || x->unsure) return;
  if (live()) DO(GrB_Matrix_new(&c, fc64 ? GxB_FC64 : GxB_FC32, x->nrows, x->ncols));
  log_text("GrB_apply(c of %s, NULL, NULL, IDENTITY, %s, NULL)", fc64 ? "FC64" : "FC32", x->name);
  RUN("GrB_apply", GrB_Matrix_apply(c, NULL, NULL, fc64 ? GxB_IDENTITY_FC64 : GxB_IDENTITY_FC32, x->a, NULL));
  show_complex(c, fc64);
  GrB_Matrix_free(&c);
}

static void reduce(GrB_Index nrows, GrB_Index ncols) {
  GrB_Matrix a = draw_complex("a", true, nrows, ncols);
  GxB_FC64_t x = GxB_CMPLX(1, 2);
  log_text("GxB_Matrix_reduce_FC64(&x, NULL, PLUS, a, NULL)");
  RUN("GrB_reduce", GxB_Matrix_reduce_FC64(&x, NULL, GxB_PLUS_FC64_MONOID, a, NULL));
  if (live()) say("x: %.17g %.17g\n", creal(x), cimag(x));
  GrB_Matrix_free(&a);
}

void call_complex(void) {
  const bool fc64 = chance(60);
  const GrB_Index nrows = pick_dim(), ncols = pick_dim();
  switch (below(6)) {
    case 0:
    case 1:
      ewise(fc64, nrows, ncols);
      break;
    case 2:
      product(fc64, nrows, ncols);
      break;
    case 3:
      apply(fc64, nrows, ncols);
      break;
    case 4:
      cast(fc64);
      break;
    default:
      reduce(nrows, ncols);
  }
}
