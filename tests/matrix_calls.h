/* Matrix-valued operations for two backends (two_backends.h). A call is drawn with matching types and
 * operators, and made on a pool of matrices, which may be output, input and mask at once. */
#ifndef GRID_MATRIX_CALLS_H
#define GRID_MATRIX_CALLS_H
#include "tests/random_objects.h"

enum { POOL = 4, OPS = 4 };

/* The types of the pool's matrices, the last of which is a mask, and the semiring for products. */
typedef struct {
  const char *name;
  GrB_Type t[POOL];
  compare_rule how; /* sums of products */
  bool udt;
  GrB_BinaryOp binary[OPS], accum[2];
  GrB_UnaryOp unary[OPS];
  GrB_IndexUnaryOp index[OPS], pick[OPS];
  GrB_Monoid monoid[2];
  GrB_Semiring semiring[OPS];
} suit;

static suit suits[16];
static size_t nsuits;

static void make_suits(void) {
#define FOUR(T) \
  { GrB_##T, GrB_##T, GrB_##T, GrB_BOOL }
#define USER(K)                                                                                       \
  {                                                                                                   \
    "user " #K, {user[K].three, user[K].three, user[K].three, GrB_BOOL}, EXACT, true,                 \
        {user[K].plus, user[K].times, user[K].plus, user[K].times}, {user[K].plus, user[K].plus},     \
        {user[K].twice, user[K].twice, user[K].twice, user[K].twice}, {NULL},                         \
        {user[K].pick, user[K].pick, user[K].pick, user[K].pick}, {user[K].monoid, user[K].monoid}, { \
      user[K].semiring, user[K].semiring, user[K].semiring, user[K].semiring                          \
    }                                                                                                 \
  }
  const suit all[] = {
      {"INT32",
       FOUR(INT32),
       EXACT,
       false,
       {GrB_PLUS_INT32, GrB_MINUS_INT32, GrB_MIN_INT32, GrB_SECOND_INT32},
       {GrB_PLUS_INT32, GrB_MIN_INT32},
       {GrB_AINV_INT32, GrB_ABS_INT32, GrB_IDENTITY_INT32, GrB_BNOT_INT32},
       {GrB_ROWINDEX_INT32, GrB_COLINDEX_INT32, GrB_DIAGINDEX_INT32, GrB_VALUEGT_INT32},
       {GrB_VALUEEQ_INT32, GrB_TRIL, GrB_TRIU, GrB_OFFDIAG},
       {GrB_PLUS_MONOID_INT32, GrB_MIN_MONOID_INT32},
       {GrB_PLUS_TIMES_SEMIRING_INT32, GrB_MIN_PLUS_SEMIRING_INT32, user[0].odd_semiring,
        user[1].odd_semiring}},
      {"FP64",
       FOUR(FP64),
       CLOSE,
       false,
       {GrB_PLUS_FP64, GrB_TIMES_FP64, GrB_MAX_FP64, GrB_FIRST_FP64},
       {GrB_PLUS_FP64, GrB_MAX_FP64},
       {GrB_AINV_FP64, GrB_ABS_FP64, GrB_IDENTITY_FP64, GrB_MINV_FP64},
       {GrB_ROWINDEX_INT64, GrB_COLINDEX_INT64, GrB_DIAGINDEX_INT64, GrB_VALUELT_FP64},
       {GrB_VALUEGT_FP64, GrB_ROWLE, GrB_COLGT, GrB_DIAG},
       {GrB_PLUS_MONOID_FP64, GrB_MAX_MONOID_FP64},
       {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64, GrB_MAX_FIRST_SEMIRING_FP64, plus_first}},
      {"BOOL",
       FOUR(BOOL),
       EXACT,
       false,
       {GrB_LOR, GrB_LAND, GrB_LXOR, GrB_EQ_BOOL},
       {GrB_LOR, GrB_LXOR},
       {GrB_LNOT, GrB_IDENTITY_BOOL, GrB_LNOT, GrB_IDENTITY_BOOL},
       {GrB_ROWINDEX_INT64, GrB_COLINDEX_INT64, GrB_DIAGINDEX_INT64, GrB_VALUEEQ_BOOL},
       {GrB_VALUEEQ_BOOL, GrB_COLLE, GrB_ROWGT, GrB_TRIL},
       {GrB_LOR_MONOID_BOOL, GrB_LXOR_MONOID_BOOL},
       {GrB_LOR_LAND_SEMIRING_BOOL, GrB_LXOR_LAND_SEMIRING_BOOL, Grid_ANY_ONEB_SEMIRING_BOOL,
        GrB_LAND_LOR_SEMIRING_BOOL}},
      {"UINT8",
       FOUR(UINT8),
       EXACT,
       false,
       {GrB_PLUS_UINT8, GrB_TIMES_UINT8, GrB_MAX_UINT8, GrB_MINUS_UINT8},
       {GrB_PLUS_UINT8, GrB_MAX_UINT8},
       {GrB_AINV_UINT8, GrB_BNOT_UINT8, GrB_IDENTITY_UINT8, GrB_ABS_UINT8},
       {GrB_ROWINDEX_INT32, GrB_COLINDEX_INT32, GrB_DIAGINDEX_INT32, GrB_VALUENE_UINT8},
       {GrB_VALUELE_UINT8, GrB_TRIU, GrB_OFFDIAG, GrB_COLLE},
       {GrB_PLUS_MONOID_UINT8, GrB_MAX_MONOID_UINT8},
       {GrB_PLUS_TIMES_SEMIRING_UINT8, GrB_MAX_TIMES_SEMIRING_UINT8, GrB_MIN_SECOND_SEMIRING_UINT8,
        GrB_PLUS_MIN_SEMIRING_UINT8}},
      {"mixed",
       {GrB_FP32, GrB_INT64, GrB_UINT16, GrB_INT8},
       CLOSE,
       false,
       {GrB_PLUS_INT32, GrB_MINUS_FP32, GrB_MIN_INT64, GrB_LT_FP64},
       {GrB_PLUS_FP32, GrB_MAX_INT32},
       {GrB_AINV_FP32, GrB_ABS_INT16, GrB_LNOT, GrB_IDENTITY_UINT64},
       {GrB_ROWINDEX_INT32, GrB_COLINDEX_INT64, GrB_VALUEGE_INT16, GrB_DIAGINDEX_INT32},
       {GrB_VALUEGT_FP32, GrB_DIAG, GrB_VALUENE_UINT32, GrB_TRIL},
       {GrB_PLUS_MONOID_INT64, GrB_MIN_MONOID_FP32},
       {GrB_PLUS_TIMES_SEMIRING_INT64, Grid_PLUS_ONEB_SEMIRING_INT64, GrB_MAX_SECOND_SEMIRING_INT16,
        GrB_MIN_PLUS_SEMIRING_FP32}},
      {"graph",
       {GrB_INT64, GrB_BOOL, GrB_BOOL, GrB_BOOL},
       EXACT,
       false,
       {GrB_PLUS_INT64, GrB_FIRST_INT64, GrB_MIN_INT64, GrB_ONEB_INT64},
       {GrB_PLUS_INT64, GrB_MIN_INT64},
       {GrB_IDENTITY_INT64, GrB_AINV_INT64, GrB_LNOT, GrB_IDENTITY_BOOL},
       {GrB_ROWINDEX_INT64, GrB_COLINDEX_INT64, GrB_DIAGINDEX_INT64, GrB_VALUEEQ_INT64},
       {GrB_TRIL, GrB_TRIU, GrB_OFFDIAG, GrB_VALUEGE_INT64},
       {GrB_PLUS_MONOID_INT64, GrB_MAX_MONOID_INT64},
       {Grid_PLUS_ONEB_SEMIRING_INT64, Grid_PLUS_ONEB_SEMIRING_INT64, Grid_MIN_SECONDI_SEMIRING_INT64,
        Grid_ANY_ONEB_SEMIRING_BOOL}},
      USER(0),
      USER(1)};
#undef FOUR
#undef USER
  nsuits = sizeof all / sizeof *all;
  memcpy(suits, all, sizeof all);
}

/* ---- one call ------------------------------------------------------------------------------------------ */

enum {
  ADD,
  MULT,
  APPLY,
  FIRST,
  SECOND,
  INDEX,
  SELECT,
  TRANSPOSE,
  VALUE,
  WHOLE,
  EXTRACT,
  REDUCE,
  ROWS,
  DIAGONAL,
  DUP,
  PRODUCT,
  SCALE,
  SET,
  WAIT,
  CALLS
};
static const char *const call_name[] = {"eWiseAdd", "eWiseMult", "apply",      "BinaryOp1st", "BinaryOp2nd",
                                        "IndexOp",  "select",    "transpose",  "a value",     "assign all",
                                        "extract",  "reduce",    "row sums",   "diagonal",    "dup",
                                        "mxm",      "scale",     "setElement", "wait"};

static graph drawn;
static GrB_Matrix pool[POOL];
static GrB_Index size, lists[2][4096];
static compare_rule how_of[POOL]; /* the sums so far */

typedef struct {
  int op, c, a, b, mask, choice;
  GrB_BinaryOp accum;
  GrB_Descriptor d;
  const char *d_name;
  int32_t x;
  three x3;
  bool all[2], many;
} call;

static void draw_call(call *c, const suit *s) {
  const int turns = (int)draw(3);
  memset(c, 0, sizeof *c);
  c->d = draw_descriptor(&c->d_name, 4);
  c->op = draw_one_in(4) ? PRODUCT : (int)draw(CALLS);
  c->c = turns, c->a = (turns + 1) % 3, c->b = (turns + 2) % 3;
  if (draw_one_in(4)) c->a = c->c;
  if (draw_one_in(6)) c->b = c->a;
  c->mask = draw_one_in(2) ? -1 : draw_one_in(4) ? c->c : draw_one_in(4) ? c->a : 3;
  c->choice = (int)draw(OPS);
  c->accum = draw_one_in(3) ? s->accum[draw(2)] : NULL;
  if (s->udt && c->op == INDEX) c->op = SELECT; /* pick returns BOOL */
  c->x = (int32_t)draw(9);
  for (int k = 0; k < 3; k++) c->x3.v[k] = (int)draw(20) - 5;
  for (int l = 0; l < 2; l++) {
    c->all[l] = draw_one_in(3);
    draw_order(lists[l], size, !draw_one_in(4));
  }
}

static void describe(const call *c, const suit *s, const char *form) {
  set_current_call(
      "%s, types %s, %llu x %llu %s: m%d from m%d m%d, mask m%d, accum %s, descriptor %s, choice %d, x %d",
      call_name[c->op], s->name, (unsigned long long)size, (unsigned long long)size, form, c->c, c->a, c->b,
      c->mask, accum_name(c->accum), c->d_name, c->choice, (int)c->x);
}

static void sums(const call *c, const suit *s, GrB_Matrix A) {
  const GrB_Monoid m = s->monoid[c->choice % 2];
  const bool bare = c->choice / 2; /* by operator only: a user-defined one has no identity in that case */
  GrB_Vector w = NULL;
  GrB_Scalar sum = NULL;
  if (c->op == ROWS) {
    OK(GrB_Vector_new(&w, m->op->z, size));
    MAY(bare ? GrB_Matrix_reduce_BinaryOp(w, NULL, NULL, m->op, A, c->d)
             : GrB_Matrix_reduce_Monoid(w, NULL, NULL, m, A, c->d));
    record_entries("row sums", s->how, w, m->op->z);
    OK(GrB_Vector_free(&w));
  } else if (bare && !s->udt) {
    double z = c->x;
    OK(GrB_Scalar_new(&sum, GrB_FP64));
    MAY(GrB_Matrix_reduce_BinaryOp_Scalar(sum, NULL, m->op, A, NULL));
    record_number("is there a sum", GrB_Scalar_extractElement_FP64(&z, sum));
    record_value("sum", s->how, GrB_FP64, &z);
    OK(GrB_Scalar_free(&sum));
  } else if (s->udt) {
    three z = c->x3;
    MAY(GrB_Matrix_reduce_UDT(&z, NULL, s->monoid[0], A, NULL));
    record_value("sum", EXACT, s->t[0], &z);
  } else {
    double z = c->x;
    MAY(GrB_Matrix_reduce_FP64(&z, NULL, m, A, NULL));
    record_value("sum", s->how, GrB_FP64, &z);
  }
}

static void diagonal(const call *c, const suit *s) {
  const char *form;
  GrB_Vector v = draw_vector(s->t[c->c], size, NUMBERS, &form);
  GrB_Matrix D = NULL;
  OK(GrB_Matrix_diag(&D, v, 0));
  OK(GrB_Matrix_free(&pool[c->c]));
  pool[c->c] = D;
  OK(GrB_Vector_free(&v));
}

/* A product with a diagonal matrix from either side, which has an entry for most of A's rows (columns);
 * masked in some rounds. */
static void scale(const call *c, const suit *s, GrB_Matrix A) {
  const char *form;
  GrB_Vector v = draw_vector(s->t[c->b], size, NUMBERS, &form);
  GrB_Matrix D = NULL, M = draw_one_in(4) && c->mask >= 0 ? pool[c->mask] : NULL;
  const bool left = draw_one_in(2);
  if (!s->udt && !draw_one_in(4)) {
    OK(GrB_Vector_assign_INT32(v, NULL, NULL, c->x, GrB_ALL, size, NULL));
    OK(GrB_Vector_setElement_INT32(v, c->x + 1, size / 3));
    if (draw_one_in(4)) OK(GrB_Vector_removeElement(v, size - 1));
  }
  OK(GrB_Matrix_diag(&D, v, 0));
  MAY(GrB_mxm(pool[c->c], M, c->accum, s->semiring[c->choice], left ? D : A, left ? A : D, c->d));
  OK(GrB_Matrix_free(&D));
  OK(GrB_Vector_free(&v));
}

static void do_call(const call *c, const suit *s) {
  GrB_Matrix C = pool[c->c], A = pool[c->a], B = pool[c->b], M = c->mask < 0 ? NULL : pool[c->mask];
  const GrB_Index *I = c->all[0] ? GrB_ALL : lists[0], *J = c->all[1] ? GrB_ALL : lists[1];
  GrB_BinaryOp f = s->binary[c->choice];
  switch (c->op) {
    case ADD:
      MAY(GrB_Matrix_eWiseAdd_BinaryOp(C, M, c->accum, f, A, B, c->d));
      break;
    case MULT:
      MAY(GrB_Matrix_eWiseMult_BinaryOp(C, M, c->accum, f, A, B, c->d));
      break;
    case APPLY:
      MAY(GrB_Matrix_apply(C, M, c->accum, s->unary[c->choice], A, c->d));
      break;
    case FIRST:
      if (s->udt)
        MAY(GrB_Matrix_apply_BinaryOp1st_UDT(C, M, c->accum, f, &c->x3, A, c->d));
      else
        MAY(GrB_Matrix_apply_BinaryOp1st_INT32(C, M, c->accum, f, c->x, A, c->d));
      break;
    case SECOND:
      if (s->udt)
        MAY(GrB_Matrix_apply_BinaryOp2nd_UDT(C, M, c->accum, f, A, &c->x3, c->d));
      else
        MAY(GrB_Matrix_apply_BinaryOp2nd_INT32(C, M, c->accum, f, A, c->x, c->d));
      break;
    case INDEX:
      MAY(GrB_Matrix_apply_IndexOp_INT32(C, M, c->accum, s->index[c->choice], A, c->x, c->d));
      break;
    case SELECT:
      if (s->udt)
        MAY(GrB_Matrix_select_UDT(C, M, c->accum, s->pick[c->choice], A, &c->x3, c->d));
      else
        MAY(GrB_Matrix_select_INT32(C, M, c->accum, s->pick[c->choice], A, c->x, c->d));
      break;
    case TRANSPOSE:
      MAY(GrB_transpose(C, M, c->accum, A, c->d));
      break;
    case VALUE:
      if (M == NULL) M = pool[3]; /* not one at every position */
      if (s->udt)
        MAY(GrB_Matrix_assign_UDT(C, M, c->accum, &c->x3, GrB_ALL, size, GrB_ALL, size, c->d));
      else
        MAY(GrB_Matrix_assign_INT32(C, M, c->accum, c->x, GrB_ALL, size, GrB_ALL, size, c->d));
      break;
    case WHOLE:
      MAY(GrB_Matrix_assign(C, M, c->accum, A, GrB_ALL, size, GrB_ALL, size, c->d));
      break;
    case EXTRACT:
      MAY(GrB_Matrix_extract(C, M, c->accum, A, I, size, J, size, c->d));
      break;
    case REDUCE:
    case ROWS:
      sums(c, s, A);
      break;
    case DIAGONAL:
      diagonal(c, s);
      break;
    case DUP:
      OK(GrB_Matrix_dup(&B, A));
      OK(GrB_Matrix_free(&pool[c->a]));
      pool[c->a] = B;
      break;
    case PRODUCT:
      MAY(GrB_mxm(C, M, c->accum, s->semiring[c->choice], A, B, c->d));
      break;
    case SCALE:
      scale(c, s, A);
      break;
    case SET:
      if (!s->udt) OK(GrB_Matrix_setElement_INT32(C, c->x, size / 2, size - 1));
      break;
    default:
      OK(GrB_Matrix_wait(A, draw_one_in(2) ? GrB_MATERIALIZE : GrB_COMPLETE));
  }
}

/* ---- results ------------------------------------------------------------------------------------------- */

/* A copy is inspected, so that the matrix stays on its device. */
static void record_copy(int k, GrB_Type t) {
  char name[16];
  GrB_Matrix copy = NULL;
  snprintf(name, sizeof name, "m%d", k);
  OK(GrB_Matrix_dup(&copy, pool[k]));
  record_matrix(name, how_of[k], copy, t);
  OK(GrB_Matrix_free(&copy));
}

/* Prepares a call's output: bounds floating-point values, so that sums stay comparable. */
static void record_settings(const call *c, const suit *s) {
  bool is_close = s->how == CLOSE &&
                  (c->op == PRODUCT || c->op == SCALE || how_of[c->a] == CLOSE || how_of[c->b] == CLOSE);
  if (c->op == DUP) return;
  if (is_close) how_of[c->c] = CLOSE;
}

static int start(void **state) {
  make_user();
  make_suits();
  return 0;
}
#endif
