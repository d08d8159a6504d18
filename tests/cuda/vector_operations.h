/* Operations on vectors: sequences of random calls on the same four vectors. */
#ifndef GRID_CUDA_VECTOR_OPERATIONS_H
#define GRID_CUDA_VECTOR_OPERATIONS_H
#include "tests/cuda/round_objects.h"

/* The types and operators of one round: vectors 0, 1, 2 of the given types, vector 3 a mask. */
enum { POOL = 4, OPS = 4 };
typedef struct {
  const char *name;
  GrB_Type t[POOL];
  compare_rule how;
  bool udt;
  GrB_BinaryOp binary[OPS], accum[2];
  GrB_UnaryOp unary[OPS];
  GrB_IndexUnaryOp index[OPS], pick[OPS];
  GrB_Monoid monoid[2];
  GrB_Semiring semiring;
} suit;

static suit suits[8];
static size_t nsuits;

static void make_suits(void) {
#define USER(K)                                                                                     \
  {                                                                                                 \
    "user " #K, {user[K].three, user[K].three, user[K].three, GrB_BOOL}, EXACT, true,               \
        {user[K].plus, user[K].times, user[K].plus, user[K].times}, {user[K].plus, user[K].plus},   \
        {user[K].twice, user[K].twice, user[K].twice, user[K].twice}, {NULL},                       \
        {user[K].pick, user[K].pick, user[K].pick, user[K].pick}, {user[K].monoid, user[K].monoid}, \
        user[K].semiring                                                                            \
  }
  const suit all[] = {{"INT32",
                       {GrB_INT32, GrB_INT32, GrB_INT32, GrB_BOOL},
                       EXACT,
                       false,
                       {GrB_PLUS_INT32, GrB_MINUS_INT32, GrB_MIN_INT32, GrB_DIV_INT32},
                       {GrB_PLUS_INT32, GrB_MIN_INT32},
                       {GrB_AINV_INT32, GrB_ABS_INT32, GrB_IDENTITY_INT32, GrB_BNOT_INT32},
                       {GrB_ROWINDEX_INT32, GrB_ROWINDEX_INT64, GrB_ROWLE, GrB_VALUEGT_INT32},
                       {GrB_VALUEEQ_INT32, GrB_VALUEGE_INT32, GrB_ROWGT, GrB_TRIL},
                       {GrB_PLUS_MONOID_INT32, GrB_MIN_MONOID_INT32},
                       GrB_PLUS_TIMES_SEMIRING_INT32},
                      {"INT64",
                       {GrB_INT64, GrB_INT64, GrB_INT64, GrB_INT64},
                       EXACT,
                       false,
                       {GrB_PLUS_INT64, GrB_MAX_INT64, GrB_SECOND_INT64, GrB_LT_INT64},
                       {GrB_PLUS_INT64, GrB_SECOND_INT64},
                       {GrB_AINV_INT64, GrB_ABS_INT64, GrB_IDENTITY_INT64, GrB_MINV_INT64},
                       {GrB_ROWINDEX_INT64, GrB_ROWINDEX_INT64, GrB_ROWGT, GrB_VALUELE_INT64},
                       {GrB_VALUENE_INT64, GrB_VALUELT_INT64, GrB_ROWLE, GrB_OFFDIAG},
                       {GrB_MAX_MONOID_INT64, GrB_PLUS_MONOID_INT64},
                       GrB_MIN_PLUS_SEMIRING_INT64},
                      {"BOOL",
                       {GrB_BOOL, GrB_BOOL, GrB_BOOL, GrB_BOOL},
                       EXACT,
                       false,
                       {GrB_LOR, GrB_LAND, GrB_LXOR, GrB_ONEB_BOOL},
                       {GrB_LOR, GrB_LXOR},
                       {GrB_LNOT, GrB_IDENTITY_BOOL, GrB_LNOT, GrB_IDENTITY_BOOL},
                       {GrB_VALUEEQ_BOOL, GrB_ROWLE, GrB_ROWGT, GrB_DIAG},
                       {GrB_VALUEEQ_BOOL, GrB_VALUENE_BOOL, GrB_ROWLE, GrB_COLLE},
                       {GrB_LOR_MONOID_BOOL, GrB_LXOR_MONOID_BOOL},
                       GrB_LOR_LAND_SEMIRING_BOOL},
                      {"FP64",
                       {GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64},
                       CLOSE,
                       false,
                       {GrB_PLUS_FP64, GrB_TIMES_FP64, GrB_MIN_FP64, GrB_FIRST_FP64},
                       {GrB_PLUS_FP64, GrB_MAX_FP64},
                       {GrB_ABS_FP64, GrB_IDENTITY_FP64, GrB_ABS_FP64, GrB_IDENTITY_FP64},
                       {GrB_ROWINDEX_INT64, GrB_ROWLE, GrB_VALUEGT_FP64, GrB_VALUEEQ_FP64},
                       {GrB_ROWGT, GrB_VALUEGT_FP64, GrB_VALUENE_FP64, GrB_ROWLE},
                       {GrB_PLUS_MONOID_FP64, GrB_MIN_MONOID_FP64},
                       GrB_PLUS_TIMES_SEMIRING_FP64},
                      {"mixed",
                       {GrB_FP32, GrB_INT16, GrB_UINT64, GrB_FP32},
                       EXACT,
                       false,
                       {GrB_PLUS_INT32, GrB_MIN_INT16, GrB_MAX_FP32, GrB_LT_INT32},
                       {GrB_PLUS_INT32, GrB_MIN_INT16},
                       {GrB_ABS_INT32, GrB_IDENTITY_INT16, GrB_LNOT, GrB_ABS_FP64},
                       {GrB_ROWINDEX_INT32, GrB_VALUEGT_INT32, GrB_VALUENE_FP64, GrB_ROWLE},
                       {GrB_VALUEGT_INT32, GrB_VALUENE_FP64, GrB_ROWLE, GrB_VALUELE_UINT8},
                       {GrB_PLUS_MONOID_INT32, GrB_MAX_MONOID_UINT8},
                       GrB_MIN_PLUS_SEMIRING_INT32},
                      USER(0),
                      USER(1)};
#undef USER
  nsuits = sizeof all / sizeof *all;
  memcpy(suits, all, sizeof all);
}

/* One call: its arguments drawn. */
typedef struct {
  int op, w, u, v, mask, choice; /* numbers in the pool; mask -1: none */
  GrB_BinaryOp accum;
  GrB_Descriptor d;
  const char *d_name;
  bool all, empty;
  uint64_t ni;
  int32_t x;
  three x3;
} call;

enum {
  ADD,
  MULT,
  ADD_MONOID,
  MULT_SEMIRING,
  APPLY,
  FIRST,
  SECOND,
  INDEX,
  SELECT,
  ASSIGN,
  ASSIGN_VALUE,
  ASSIGN_SCALAR,
  EXTRACT,
  GATHER,
  SCATTER,
  REDUCE,
  SET,
  REMOVE,
  GET,
  DUP,
  CLEAR,
  WAIT,
  CALLS
};
static const char *const call_name[] = {
    "eWiseAdd",   "eWiseMult",     "eWiseAdd monoid", "eWiseMult semiring",
    "apply",      "BinaryOp1st",   "BinaryOp2nd",     "IndexOp",
    "select",     "assign vector", "assign value",    "assign GrB_Scalar",
    "extract",    "gather",        "scatter",         "reduce",
    "setElement", "removeElement", "extractElement",  "dup",
    "clear",      "wait"};

static GrB_Vector pool[POOL], index_vector;
static GrB_Index pool_n, indices[LONGEST];

/* A list of indices, in which none occurs twice if `once`. */
static void draw_list(uint64_t ni, bool once) {
  draw_order(indices, pool_n, once);
  if (once && draw_one_in(2)) qsort(indices, ni, sizeof *indices, by_number);
}

/* The list as a vector, of some type that holds it, some of its entries away. */
static void draw_positions(bool away) {
  const GrB_Type types[] = {GrB_INT64, GrB_UINT64, GrB_INT32, GrB_UINT32, GrB_INT16};
  const GrB_Type t = types[draw(pool_n < INT16_MAX ? 5 : 4)];
  OK(GrB_Vector_free(&index_vector)), OK(GrB_Vector_new(&index_vector, t, pool_n));
  GrB_Index *all = malloc(pool_n * sizeof *all), n = 0;
  uint64_t *x = malloc(pool_n * sizeof *x);
  const uint64_t keep = away ? 1 + draw(4) : 1;
  for (GrB_Index k = 0; k < pool_n; k++)
    if (k % keep == 0) all[n] = k, x[n++] = indices[k];
  OK(GrB_Vector_build_UINT64(index_vector, all, x, n, NULL));
  free(all), free(x);
}

static void draw_call(call *c, const suit *s) {
  const GrB_Descriptor d[] = {NULL,       GrB_DESC_C,  GrB_DESC_S,  GrB_DESC_SC,
                              GrB_DESC_R, GrB_DESC_RC, GrB_DESC_RS, GrB_DESC_RSC};
  static const char *const d_name[] = {"none", "C", "S", "SC", "R", "RC", "RS", "RSC"};
  const int turns = (int)draw(3), which = (int)draw(8);
  memset(c, 0, sizeof *c);
  c->op = (int)draw(CALLS);
  if (c->op >= SET && draw_one_in(2)) c->op = (int)draw(SET); /* rather a large one */
  if (c->op == CLEAR && !draw_one_in(4)) c->op = ASSIGN_VALUE;
  c->w = turns, c->u = (turns + 1) % 3, c->v = (turns + 2) % 3;
  if (draw_one_in(4)) c->u = c->w;
  if (draw_one_in(6)) c->v = c->u;
  c->mask = draw_one_in(2) ? -1 : draw_one_in(4) ? c->w : draw_one_in(4) ? c->u : 3;
  c->choice = (int)draw(OPS);
  c->accum = draw_one_in(3) ? s->accum[draw(2)] : NULL;
  c->d = d[which], c->d_name = d_name[which];
  if (s->udt && c->mask >= 0 && c->mask < 3 && !(which & 2)) c->mask = 3; /* no truth in a user's type */
  if (s->udt && c->op == INDEX) c->op = SELECT;                           /* pick returns BOOL */
  c->all = draw_one_in(2);
  c->ni = c->op >= ASSIGN && c->op <= SCATTER && c->op != ASSIGN_VALUE && c->op != ASSIGN_SCALAR
              ? pool_n
              : draw(pool_n + 1);
  c->empty = draw_one_in(6);
  c->x = (int32_t)draw(9);
  for (int k = 0; k < 3; k++) c->x3.v[k] = (int)draw(20) - 5;
  draw_list(c->ni, c->op != EXTRACT && c->op != GATHER && (c->op != SCATTER || draw_one_in(2)));
  if (c->op == GATHER || c->op == SCATTER) draw_positions(draw_one_in(2));
}

static void describe(const call *c, const suit *s, const char *const form[POOL]) {
  static const char *const names[] = {"none", "v0", "v1", "v2", "v3"};
  set_current_call(
      "%s, types %s, n %llu (%s, %s, %s, %s): v%d from v%d v%d, mask %s, accum %s, descriptor %s, "
      "operator %d, %s%llu indices, value %d%s",
      call_name[c->op], s->name, (unsigned long long)pool_n, form[0], form[1], form[2], form[3], c->w, c->u,
      c->v, names[c->mask + 1], accum_name(c->accum), c->d_name, c->choice, c->all ? "all, not " : "",
      (unsigned long long)c->ni, (int)c->x, c->empty ? " or none" : "");
}

static void reduce_all(const call *c, const suit *s, GrB_Vector u) {
  if (s->udt) {
    three z = c->x3;
    OK(GrB_Vector_reduce_UDT(&z, c->accum, s->monoid[0], u, NULL));
    record_value("sum", EXACT, s->t[0], &z);
    return;
  }
  GrB_Monoid m = s->monoid[c->choice % 2];
  int64_t z = c->x;
  double real = c->x;
  GrB_Scalar sum = NULL;
  if (s->how == CLOSE) {
    OK(GrB_Vector_reduce_FP64(&real, c->accum, m, u, NULL));
    record_value("sum", CLOSE, GrB_FP64, &real);
  } else {
    OK(GrB_Vector_reduce_INT64(&z, c->accum, m, u, NULL));
    record_number("sum", z);
  }
  OK(GrB_Scalar_new(&sum, GrB_FP64));
  OK(GrB_Vector_reduce_Monoid_Scalar(sum, NULL, m, u, NULL));
  MAY(GrB_Scalar_extractElement_FP64(&real, sum));
  record_value("sum in a GrB_Scalar", s->how, GrB_FP64, &real);
  OK(GrB_Scalar_free(&sum));
}

static void element(const call *c, const suit *s, GrB_Vector w) {
  const GrB_Index i = draw(pool_n), last = draw(2) ? pool_n - 1 : i;
  int32_t x = 0;
  three x3 = {{0, 0, 0}};
  if (c->op == REMOVE) OK(GrB_Vector_removeElement(w, last));
  if (c->op == SET && s->udt) OK(GrB_Vector_setElement_UDT(w, &c->x3, last));
  if (c->op == SET && !s->udt) OK(GrB_Vector_setElement_INT32(w, c->x, last));
  if (c->op == GET && s->udt) OK(GrB_Vector_extractElement_UDT(&x3, w, last));
  if (c->op == GET && !s->udt) OK(GrB_Vector_extractElement_INT32(&x, w, last));
  record_number("element", x + 100 * x3.v[0]);
}

static void assign_value(const call *c, const suit *s, GrB_Vector w, GrB_Vector m, const GrB_Index *I) {
  if (c->op == ASSIGN_VALUE && s->udt)
    OK(GrB_Vector_assign_UDT(w, m, c->accum, &c->x3, I, c->ni, c->d));
  else if (c->op == ASSIGN_VALUE)
    OK(GrB_Vector_assign_INT32(w, m, c->accum, c->x, I, c->ni, c->d));
  if (c->op == ASSIGN_VALUE) return;
  GrB_Scalar x = NULL;
  OK(GrB_Scalar_new(&x, s->udt ? s->t[0] : GrB_INT32));
  if (!c->empty && s->udt) OK(GrB_Scalar_setElement_UDT(x, &c->x3));
  if (!c->empty && !s->udt) OK(GrB_Scalar_setElement_INT32(x, c->x));
  OK(GrB_Vector_assign_Scalar(w, m, c->accum, x, I, c->ni, c->d));
  OK(GrB_Scalar_free(&x));
}

static void do_call(const call *c, const suit *s) {
  GrB_Vector w = pool[c->w], u = pool[c->u], v = pool[c->v], m = c->mask < 0 ? NULL : pool[c->mask];
  const GrB_Index *I = c->all ? GrB_ALL : indices;
  GrB_BinaryOp f = s->binary[c->choice];
  switch (c->op) {
    case ADD:
      OK(GrB_Vector_eWiseAdd_BinaryOp(w, m, c->accum, f, u, v, c->d));
      break;
    case MULT:
      OK(GrB_Vector_eWiseMult_BinaryOp(w, m, c->accum, f, u, v, c->d));
      break;
    case ADD_MONOID:
      OK(GrB_Vector_eWiseAdd_Monoid(w, m, c->accum, s->monoid[0], u, v, c->d));
      break;
    case MULT_SEMIRING:
      OK(GrB_Vector_eWiseMult_Semiring(w, m, c->accum, s->semiring, u, v, c->d));
      break;
    case APPLY:
      OK(GrB_Vector_apply(w, m, c->accum, s->unary[c->choice], u, c->d));
      break;
    case FIRST:
      if (s->udt)
        OK(GrB_Vector_apply_BinaryOp1st_UDT(w, m, c->accum, f, &c->x3, u, c->d));
      else
        OK(GrB_Vector_apply_BinaryOp1st_INT32(w, m, c->accum, f, c->x, u, c->d));
      break;
    case SECOND:
      if (s->udt)
        OK(GrB_Vector_apply_BinaryOp2nd_UDT(w, m, c->accum, f, u, &c->x3, c->d));
      else
        OK(GrB_Vector_apply_BinaryOp2nd_INT32(w, m, c->accum, f, u, c->x, c->d));
      break;
    case INDEX:
      OK(GrB_Vector_apply_IndexOp_INT32(w, m, c->accum, s->index[c->choice], u, c->x, c->d));
      break;
    case SELECT:
      if (s->udt)
        OK(GrB_Vector_select_UDT(w, m, c->accum, s->pick[c->choice], u, &c->x3, c->d));
      else
        OK(GrB_Vector_select_INT32(w, m, c->accum, s->pick[c->choice], u, c->x, c->d));
      break;
    case ASSIGN:
      OK(GrB_Vector_assign(w, m, c->accum, u, I, c->ni, c->d));
      break;
    case ASSIGN_VALUE:
    case ASSIGN_SCALAR:
      assign_value(c, s, w, m, I);
      break;
    case EXTRACT:
      OK(GrB_Vector_extract(w, m, c->accum, u, I, c->ni, c->d));
      break;
    case GATHER:
      draw_exchange_limit();
      OK(Grid_Vector_gather(w, m, c->accum, u, index_vector, c->d));
      break;
    case SCATTER: /* without an operator duplicates may be an error */
      draw_exchange_limit();
      MAY(Grid_Vector_scatter(w, m, c->accum, c->empty ? NULL : s->accum[c->choice % 2], u, index_vector,
                              c->d));
      break;
    case REDUCE:
      reduce_all(c, s, u);
      break;
    case DUP: /* the copy replaces its original: same type */
      OK(GrB_Vector_dup(&v, u));
      OK(GrB_Vector_free(&pool[c->u]));
      pool[c->u] = v;
      break;
    case CLEAR:
      OK(GrB_Vector_clear(w));
      break;
    case WAIT:
      OK(GrB_Vector_wait(w, draw(2) ? GrB_MATERIALIZE : GrB_COMPLETE));
      break;
    default:
      element(c, s, w);
  }
}

/* A dozen operations on the same vectors. */
static void vector_operations(void) {
  const suit *s = &suits[draw(nsuits)];
  const char *form[POOL];
  const bool reads_values = draw_one_in(3),
             count = draw_one_in(2); /* read every result; read only its number of entries */
  set_current_call("the operations' vectors");
  pool_n = draw_size();
  for (int k = 0; k < POOL; k++) pool[k] = draw_vector(s->t[k], pool_n, NUMBERS, &form[k]);
  for (int step = 0; step < 12; step++) {
    call c;
    GrB_Index nvals = 0;
    draw_call(&c, s);
    change_device();
    describe(&c, s, form);
    do_call(&c, s);
    if (count) OK(GrB_Vector_nvals(&nvals, pool[c.w])), record_number("nvals", (int64_t)nvals);
    if (reads_values || verbose_values) record_entries("w", s->how, pool[c.w], s->t[c.w]);
  }
  for (int k = 0; k < POOL; k++) {
    static const char *const names[] = {"v0 at the end", "v1 at the end", "v2 at the end", "v3 at the end"};
    record_entries(names[k], s->how, pool[k], s->t[k]);
    OK(GrB_Vector_free(&pool[k]));
  }
  OK(GrB_Vector_free(&index_vector));
}

static void operations(void **state) {
  run_rounds("operations", 300, 20, vector_operations);
}
#endif
