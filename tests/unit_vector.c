/* Every operation with a vector or scalar output, on random vectors, against a dense model that every process
 * computes. Runs on any number of processes. With the argument "cuda" the same with the device on, the
 * vectors moved between host and device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas_gxb_operators.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"
#include "tests/assert_all.h"

enum { MOST = 3000, WIDEST = 96, POOL = 4 };

typedef struct {
  int64_t a[10];
} large;
static GrB_Type large_type;
static GrB_BinaryOp large_plus, large_less;
static GrB_UnaryOp large_twice;
static GrB_IndexUnaryOp large_pick, add_index;
static GrB_Monoid large_monoid;

static void large_plus_f(void *z, const void *x, const void *y) {
  large r;
  for (int k = 0; k < 10; k++) r.a[k] = ((const large *)x)->a[k] + ((const large *)y)->a[k];
  memcpy(z, &r, sizeof r);
}
static void large_less_f(void *z, const void *x, const void *y) {
  *(bool *)z = ((const large *)x)->a[0] < ((const large *)y)->a[0];
}
static void large_twice_f(void *z, const void *x) {
  large_plus_f(z, x, x);
}
static void large_pick_f(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  *(bool *)z = ((const large *)x)->a[0] > (int64_t)(i % 5) - 2 && j == 0 && ((const large *)y)->a[9] > 0;
}
static void add_index_f(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  *(double *)z = *(const double *)x + (double)i + (double)j + *(const float *)y;
}

/* ---- the model ----------------------------------------------------------------------------------------- */

typedef struct {
  uint64_t n;
  GrB_Type type;
  bool has[MOST];
  char val[MOST][WIDEST];
} model;

static void draw_value(char *v, GrB_Type t) {
  memset(v, 0, WIDEST);
  int64_t x = (int64_t)draw(9) - 3;
  if (t == large_type) {
    for (int k = 0; k < 10; k++) ((large *)v)->a[k] = x + k;
  } else {
    grid_cast(t, GrB_INT64)(v, &x, t->size);
  }
}

static void draw_model(model *m, GrB_Type t, uint64_t n) {
  static const uint64_t densities[] = {0, 5, 20, 300, 900, 1000, 1000};
  uint64_t density = densities[draw(7)];
  bool iso = draw(4) == 0;
  m->n = n, m->type = t;
  for (uint64_t i = 0; i < n; i++) {
    m->has[i] = draw(1000) < density;
    draw_value(m->val[i], t);
    if (iso) memcpy(m->val[i], m->val[0], WIDEST);
  }
}

/* One round in how many is run. */
static int round_stride = 1;

/* With the device on: moves w's chunk to the host or to the device, unless it must stay. Each process decides
 * alone, so this draws nothing from the common random numbers. */
static void move(GrB_Vector w) {
  static unsigned turn;
  if (!grid_device_is_on()) return;
  GrB_Info info =
      ++turn * 2654435761u >> 16 & 3 ? grid_chunk_to_device(&w->chunk) : grid_chunk_to_host(&w->chunk);
  assert_true(info == GrB_SUCCESS || info == GRID_UNSUPPORTED);
}

static uint64_t count(const model *m) {
  uint64_t c = 0;
  for (uint64_t i = 0; i < m->n; i++) c += m->has[i];
  return c;
}

/* The tuples of a model, assigned to the processes in turn. */
static GrB_Vector make_vector(const model *m) {
  static uint64_t idx[MOST];
  static char val[MOST * WIDEST];
  uint64_t n = 0, turn = 0;
  GrB_Vector w;
  for (uint64_t i = m->n; i-- > 0;) {
    if (!m->has[i] || (int)(turn++ % (uint64_t)grid_ctx.P) != grid_ctx.k) continue;
    idx[n] = i;
    memcpy(val + n++ * m->type->size, m->val[i], m->type->size);
  }
  assert_int_equal(GrB_Vector_new(&w, m->type, m->n), GrB_SUCCESS);
  assert_int_equal(Grid_Vector_build(w, idx, val, m->type, n, NULL), GrB_SUCCESS);
  return w;
}

/* Half of the time w stores equal values as iso, as setElement does. */
static void maybe_iso(GrB_Vector w, const model *m) {
  grid_chunk *c = &w->chunk;
  if (draw(2)) return;
  assert_int_equal(grid_chunk_to_host(c), GrB_SUCCESS);
  for (grid_iter it = grid_iter_begin(c); grid_iter_next(&it);)
    if (memcmp(it.v, m->val[0], m->type->size) != 0) return;
  if (c->nvals == 0) return;
  memcpy(c->val, m->val[0], m->type->size);
  c->iso = true;
  move(w);
}

static void check_vector(GrB_Vector w, const model *m) {
  GrB_Index n, first = grid_chunk_first(m->n, grid_ctx.k);
  assert_int_equal(GrB_Vector_size(&n, w), GrB_SUCCESS);
  assert_int_equal(n, m->n);
  assert_int_equal(GrB_Vector_nvals(&n, w), GrB_SUCCESS);
  assert_int_equal(n, count(m));
  assert_int_equal(w->chunk.n, grid_chunk_length(m->n, grid_ctx.k));
  assert_int_equal(grid_chunk_to_host(&w->chunk), GrB_SUCCESS);
  for (uint64_t i = 0; i < w->chunk.n; i++) {
    const void *v;
    bool found = grid_chunk_get(&w->chunk, i, &v);
    if (found != m->has[first + i])
      fail_msg("w(%llu) is %s_device", (unsigned long long)(first + i), found ? "" : "not ");
    if (found && memcmp(v, m->val[first + i], m->type->size) != 0) {
      double got = 0, want = 0;
      if (m->type != large_type)
        grid_cast(GrB_FP64, m->type)(&got, v, 8), grid_cast(GrB_FP64, m->type)(&want, m->val[first + i], 8);
      fail_msg("w(%llu) = %g, not %g", (unsigned long long)(first + i), got, want);
    }
  }
  move(w);
}

/* ---- mask, accumulator, replace ------------------------------------------------------------------------ */

typedef struct {
  int mask; /* number in the pool, -1: none */
  bool structure, complement, replace;
  GrB_BinaryOp accum;
  GrB_Descriptor desc;
} rest;

static GrB_Descriptor descriptor(bool r, bool s, bool c) {
  GrB_Descriptor all[] = {NULL,       GrB_DESC_C,  GrB_DESC_S,  GrB_DESC_SC,
                          GrB_DESC_R, GrB_DESC_RC, GrB_DESC_RS, GrB_DESC_RSC};
  return all[4 * r + 2 * s + c];
}

static bool allows(const model *m, const rest *r, uint64_t i) {
  if (!m) return !r->complement;
  bool in = m->has[i] && (r->structure || grid_is_true(m->type, m->val[i]));
  return in != r->complement;
}

static void cast(GrB_Type z, char *zv, GrB_Type x, const char *xv) {
  grid_cast(z, x)(zv, xv, z->size);
}

static void call_binary(GrB_BinaryOp op, GrB_Type zt, char *z, GrB_Type xt, const char *x, GrB_Type yt,
                        const char *y) {
  _Alignas(16) char xc[WIDEST], yc[WIDEST], zc[WIDEST];
  cast(op->x, xc, xt, x);
  cast(op->y, yc, yt, y);
  op->f(zc, xc, yc);
  memset(z, 0, WIDEST);
  cast(zt, z, op->z, zc);
}

/* w<mask, replace> accum= t. With `inside` only those indices are assigned to. */
static void model_finish(model *w, const model *mask, const rest *r, const model *t, const bool *inside) {
  static model z;
  z = *w;
  for (uint64_t i = 0; i < w->n; i++) {
    if (inside && !inside[i]) continue;
    if (!t->has[i]) {
      if (!r->accum) z.has[i] = false;
    } else if (r->accum && w->has[i]) {
      char both[WIDEST];
      call_binary(r->accum, w->type, both, w->type, w->val[i], t->type, t->val[i]);
      memcpy(z.val[i], both, WIDEST);
    } else {
      z.has[i] = true;
      memset(z.val[i], 0, WIDEST);
      cast(w->type, z.val[i], t->type, t->val[i]);
    }
  }
  for (uint64_t i = 0; i < w->n; i++) {
    if (allows(mask, r, i)) continue;
    z.has[i] = w->has[i] && !r->replace;
    memcpy(z.val[i], w->val[i], WIDEST);
  }
  *w = z;
}

/* ---- a pool of vectors of one size --------------------------------------------------------------------- */

static model pool[POOL], result, before[POOL];
static GrB_Vector vec[POOL];
static bool user; /* all of the user's type, but the last: a mask */

static void fill_pool(void) {
  static const uint64_t sizes[] = {1, 5, 64, 65, 130, 400, 1000, 2500};
  GrB_Type types[] = {GrB_BOOL, GrB_INT16, GrB_INT32, GrB_FP64, GrB_UINT64, GrB_FP32};
  uint64_t n = sizes[draw(8)];
  user = draw(5) == 0;
  GrB_Type same = draw(2) ? types[draw(6)] : NULL;
  for (int k = 0; k < POOL; k++) {
    draw_model(&pool[k], user ? (k < POOL - 1 ? large_type : GrB_BOOL) : same ? same : types[draw(6)], n);
    vec[k] = make_vector(&pool[k]);
    maybe_iso(vec[k], &pool[k]);
  }
}

static void empty_pool(void) {
  for (int k = 0; k < POOL; k++) assert_int_equal(GrB_Vector_free(&vec[k]), GrB_SUCCESS);
}

static int pick(void) {
  return (int)draw(user ? POOL - 1 : POOL);
}

static void pick_rest(rest *r) {
  GrB_BinaryOp accums[] = {GrB_PLUS_INT32,   GrB_LOR,          GrB_MIN_FP64,
                           GrB_SECOND_INT16, GrB_MINUS_UINT64, GrB_PLUS_FP64};
  r->mask = draw(3) ? (int)draw(POOL) : -1;
  r->structure = draw(2) || (r->mask >= 0 && pool[r->mask].type == large_type);
  r->complement = draw(3) == 0;
  r->replace = draw(3) == 0;
  r->accum = draw(2) ? NULL : user ? large_plus : accums[draw(6)];
  r->desc = descriptor(r->replace, r->structure, r->complement);
}

static GrB_Vector mask_of(const rest *r) {
  return r->mask < 0 ? NULL : vec[r->mask];
}
static const model *mask_model(const rest *r) {
  return r->mask < 0 ? NULL : &pool[r->mask];
}

/* ---- one random operation on the pool: calls the library and the model --------------------------------- */

/* Values for operators that take one. */
static char bound_scalar[WIDEST];
static GrB_Scalar bound_scalar_in(void) {
  GrB_Scalar s;
  GrB_Type t = user ? large_type : GrB_INT32;
  assert_int_equal(GrB_Scalar_new(&s, t), GrB_SUCCESS);
  draw_value(bound_scalar, t);
  if (user)
    assert_int_equal(GrB_Scalar_setElement_UDT(s, bound_scalar), GrB_SUCCESS);
  else
    assert_int_equal(GrB_Scalar_setElement_INT32(s, *(int32_t *)bound_scalar), GrB_SUCCESS);
  return s;
}

typedef struct {
  int kind, w, u, v;
  rest r;
  GrB_BinaryOp op;
  GrB_UnaryOp unary;
  GrB_IndexUnaryOp index;
  GrB_Scalar s;
  uint64_t I[MOST], ni;
  bool all, empty;
} operation;

enum { ADD, MULT, APPLY, FIRST, SECOND, INDEX, SELECT, ASSIGN, ASSIGN_VALUE, EXTRACT, KINDS };

static void pick_operation(operation *o) {
  GrB_BinaryOp ops[] = {GrB_PLUS_INT32, GrB_TIMES_FP64, GrB_MIN_INT16, GrB_FIRST_FP32,
                        GrB_LAND,       GrB_LT_INT32,   GrB_ONEB_UINT8};
  GrB_UnaryOp unaries[] = {GrB_AINV_INT32, GrB_ABS_FP64, GrB_LNOT, GrB_IDENTITY_INT16, GrB_IDENTITY_FP64};
  GrB_IndexUnaryOp indexops[] = {GrB_ROWINDEX_INT64, GrB_ROWINDEX_INT32, GrB_VALUEGT_INT32,
                                 GrB_ROWLE,          GrB_VALUENE_FP64,   add_index};
  o->kind = (int)draw(KINDS);
  o->w = pick(), o->u = pick(), o->v = pick();
  pick_rest(&o->r);
  o->op = user ? large_plus : ops[draw(7)];
  o->unary = user ? large_twice : unaries[draw(5)];
  o->index = user ? large_pick : indexops[draw(6)];
  if (user && o->kind == INDEX) o->kind = SELECT; /* it returns BOOL */
  if (user && o->kind == MULT && draw(2)) o->kind = FIRST;
  o->s = bound_scalar_in();
  o->empty = false;
  if (o->kind == ASSIGN_VALUE && draw(6) == 0)
    o->empty = true, assert_int_equal(GrB_Scalar_clear(o->s), GrB_SUCCESS);
  const uint64_t n = pool[0].n;
  o->all = draw(3) == 0;
  o->ni = o->kind == ASSIGN_VALUE ? draw(n + 1) : n;
  for (uint64_t k = 0; k < n; k++) o->I[k] = k;
  for (uint64_t k = n; k-- > 1;) { /* a permutation: no index twice */
    uint64_t l = draw(k + 1), t = o->I[k];
    o->I[k] = o->I[l], o->I[l] = t;
  }
  if (o->kind == EXTRACT)
    for (uint64_t k = 0; k < n; k++) o->I[k] = draw(n); /* any index any number of times */
}

static GrB_Info call(const operation *o) {
  GrB_Vector w = vec[o->w], u = vec[o->u], v = vec[o->v], m = mask_of(&o->r);
  GrB_BinaryOp a = o->r.accum;
  GrB_Descriptor d = o->r.desc;
  const GrB_Index *I = o->all ? GrB_ALL : o->I;
  switch (o->kind) {
    case ADD:
      return GrB_Vector_eWiseAdd_BinaryOp(w, m, a, o->op, u, v, d);
    case MULT:
      return GrB_Vector_eWiseMult_BinaryOp(w, m, a, o->op, u, v, d);
    case APPLY:
      return GrB_Vector_apply(w, m, a, o->unary, u, d);
    case FIRST:
      if (user) return GrB_Vector_apply_BinaryOp1st_UDT(w, m, a, o->op, bound_scalar, u, d);
      return GrB_Vector_apply_BinaryOp1st_INT32(w, m, a, o->op, *(int32_t *)bound_scalar, u, d);
    case SECOND:
      return GrB_Vector_apply_BinaryOp2nd_Scalar(w, m, a, o->op, u, o->s, d);
    case INDEX:
      return GrB_Vector_apply_IndexOp_INT32(w, m, a, o->index, u, *(int32_t *)bound_scalar, d);
    case SELECT:
      if (user) return GrB_Vector_select_UDT(w, m, a, o->index, u, bound_scalar, d);
      return GrB_Vector_select_Scalar(w, m, a, o->index, u, o->s, d);
    case ASSIGN:
      return GrB_Vector_assign(w, m, a, u, I, o->ni, d);
    case ASSIGN_VALUE:
      if (o->empty || draw(2)) return GrB_Vector_assign_Scalar(w, m, a, o->s, I, o->ni, d);
      if (user) return GrB_Vector_assign_UDT(w, m, a, bound_scalar, I, o->ni, d);
      return GrB_Vector_assign_INT32(w, m, a, *(int32_t *)bound_scalar, I, o->ni, d);
    default:
      return GrB_Vector_extract(w, m, a, u, I, o->ni, d);
  }
}

/* The result before mask and accumulator. */
static void model_call(const operation *o, model *t, bool *inside) {
  const model *u = &pool[o->u], *v = &pool[o->v];
  const GrB_Type gt = user ? large_type : GrB_INT32;
  memset(inside, 1, MOST);
  t->n = u->n;
  t->type = o->kind == APPLY          ? o->unary->z
            : o->kind == INDEX        ? o->index->z
            : o->kind == ASSIGN_VALUE ? gt
            : o->kind <= SECOND       ? o->op->z
                                      : u->type;
  memset(t->has, 0, sizeof t->has);
  memset(t->val, 0, sizeof t->val);
  if (o->kind == ASSIGN || o->kind == ASSIGN_VALUE) {
    if (!o->all) memset(inside, 0, MOST);
    for (uint64_t k = 0; k < (o->all ? u->n : o->ni); k++) {
      uint64_t i = o->all ? k : o->I[k];
      inside[i] = true;
      t->has[i] = o->kind == ASSIGN ? u->has[k] : !o->empty;
      memcpy(t->val[i], o->kind == ASSIGN ? u->val[k] : bound_scalar, WIDEST);
    }
    return;
  }
  for (uint64_t i = 0; i < u->n; i++) {
    _Alignas(16) char x[WIDEST], y[WIDEST], z[WIDEST] = {0};
    uint64_t from = o->kind == EXTRACT && !o->all ? o->I[i] : i;
    t->has[i] = u->has[from];
    if (o->kind == ADD) t->has[i] = u->has[i] || v->has[i];
    if (o->kind == MULT) t->has[i] = u->has[i] && v->has[i];
    if (!t->has[i]) continue;
    memcpy(t->val[i], u->val[from], WIDEST);
    if (o->kind == ADD && !v->has[i])
      cast(t->type, t->val[i], u->type, u->val[i]);
    else if (o->kind == ADD && !u->has[i])
      cast(t->type, t->val[i], v->type, v->val[i]);
    else if (o->kind <= MULT)
      call_binary(o->op, t->type, t->val[i], u->type, u->val[i], v->type, v->val[i]);
    else if (o->kind == FIRST)
      call_binary(o->op, t->type, t->val[i], gt, bound_scalar, u->type, u->val[i]);
    else if (o->kind == SECOND)
      call_binary(o->op, t->type, t->val[i], u->type, u->val[i], gt, bound_scalar);
    else if (o->kind == APPLY) {
      cast(o->unary->x, x, u->type, u->val[i]);
      o->unary->f(t->val[i], x);
    } else if (o->kind == INDEX || o->kind == SELECT) {
      if (o->index->x) cast(o->index->x, x, u->type, u->val[i]);
      cast(o->index->y, y, gt, bound_scalar);
      o->index->f(z, x, i, 0, y);
      if (o->kind == INDEX)
        memcpy(t->val[i], z, o->index->z->size);
      else
        t->has[i] = grid_is_true(o->index->z, z);
    }
  }
}

static operation o;
static void print_operation(void) {
  if (grid_ctx.k) return;
  fprintf(stderr,
          "operation %d, w %d u %d v %d mask %d%s%s%s accum %s all %d ni %llu empty %d user %d n %llu\n",
          o.kind, o.w, o.u, o.v, o.r.mask, o.r.structure ? " structure" : "",
          o.r.complement ? " complement" : "", o.r.replace ? " replace" : "", o.r.accum ? "yes" : "no", o.all,
          (unsigned long long)o.ni, o.empty, user, (unsigned long long)pool[0].n);
}

static void one_operation(bool fail) {
  static bool inside[MOST];
  static model t;
  pick_operation(&o);
  if (user && pool[o.w].type != large_type) o.w = 0;
  memcpy(before, pool, sizeof pool);
  model_call(&o, &t, inside);
  result = pool[o.w];
  model_finish(&result, mask_model(&o.r), &o.r, &t, inside);
  for (int64_t k = 0;; k++) {
    if (fail && (int)(k % grid_ctx.P) == grid_ctx.k)
      (grid_device_is_on() ? grid_device_fail_after : grid_mem_fail_after)(k / grid_ctx.P);
    GrB_Info info = call(&o);
    grid_mem_fail_after(-1), grid_device_fail_after(-1);
    if (info == GrB_SUCCESS) break;
    const char *text;
    if (!fail || info != GrB_OUT_OF_MEMORY) fail_msg("operation %d: %s", o.kind, grid_last_error());
    assert_int_equal(GrB_Vector_error(&text, vec[o.w]), GrB_SUCCESS);
    check_vector(vec[o.w], &before[o.w]);
  }
  pool[o.w] = result;
  if (getenv("VERBOSE")) print_operation();
  for (int k = 0; k < POOL; k++) check_vector(vec[k], &pool[k]);
  assert_int_equal(GrB_Scalar_free(&o.s), GrB_SUCCESS);
}

static void test_operations(void **state) {
  for (int round = 0; round < 200 / round_stride; round++) {
    fill_pool();
    for (int step = 0; step < 8; step++) one_operation(false);
    empty_pool();
  }
}

static void test_out_of_memory(void **state) {
  for (int round = 0; round < 40 / round_stride; round++) {
    fill_pool();
    for (int step = 0; step < 3; step++) one_operation(true);
    empty_pool();
  }
}

/* ---- monoid and semiring forms ------------------------------------------------------------------------- */

static void test_forms(void **state) {
  GrB_Vector a, b;
  static model u, v, t;
  draw_model(&u, GrB_INT32, 300), draw_model(&v, GrB_INT32, 300);
  a = make_vector(&u), b = make_vector(&v);
  for (int form = 0; form < 4; form++) {
    GrB_Vector w;
    t = u;
    for (uint64_t i = 0; i < 300; i++) {
      int32_t x, y;
      memcpy(&x, u.val[i], 4), memcpy(&y, v.val[i], 4);
      bool both = u.has[i] && v.has[i];
      int32_t z = both ? (form == 3 ? x * y : x + y) : u.has[i] ? x : y;
      t.has[i] = form < 2 ? u.has[i] || v.has[i] : both;
      memcpy(t.val[i], &z, 4);
    }
    assert_int_equal(GrB_Vector_new(&w, GrB_INT32, 300), GrB_SUCCESS);
    GrB_Info info =
        form == 0   ? GrB_Vector_eWiseAdd_Monoid(w, NULL, NULL, GrB_PLUS_MONOID_INT32, a, b, NULL)
        : form == 1 ? GrB_Vector_eWiseAdd_Semiring(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, a, b, NULL)
        : form == 2 ? GrB_Vector_eWiseMult_Monoid(w, NULL, NULL, GrB_PLUS_MONOID_INT32, a, b, NULL)
                    : GrB_Vector_eWiseMult_Semiring(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT32, a, b, NULL);
    assert_int_equal(info, GrB_SUCCESS);
    check_vector(w, &t);
    GrB_Vector_free(&w);
  }
  GrB_Vector_free(&a), GrB_Vector_free(&b);
}

/* ---- full vectors, whose results may be written in place ----------------------------------------------- */

enum { FULL_LENGTH = 9000 };

static GrB_Vector make_full(GrB_Type type, int factor) {
  GrB_Vector v;
  assert_int_equal(GrB_Vector_new(&v, type, FULL_LENGTH), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign_INT32(v, NULL, NULL, 1, GrB_ALL, FULL_LENGTH, NULL), GrB_SUCCESS);
  for (int i = 0; i < FULL_LENGTH; i++)
    assert_int_equal(GrB_Vector_setElement_INT32(v, factor * i % 1000 + 1, (GrB_Index)i), GrB_SUCCESS);
  return v;
}

/* w has u - v of vectors with these factors; 0: of u alone. */
static void check_full(GrB_Vector w, int fx, int fy) {
  GrB_Index n = FULL_LENGTH;
  double *x = malloc(FULL_LENGTH * sizeof *x);
  assert_int_equal(GrB_Vector_extractTuples_FP64(NULL, x, &n, w), GrB_SUCCESS);
  assert_int_equal(n, FULL_LENGTH);
  for (int i = 0; i < FULL_LENGTH; i++)
    assert_int_equal((int)x[i], (fx * i % 1000 + 1) - (fy ? fy * i % 1000 + 1 : 0));
  free(x);
}

/* w is a vector of its own, u, or v; u has w's type, or is converted; the result has w's type, or is. */
static void test_full(void **state) {
  const GrB_Type types[] = {GrB_FP64, GrB_INT32};
  const GrB_BinaryOp ops[] = {GrB_MINUS_FP64, GrB_MINUS_INT32};
  for (int k = 0; k < 24; k++) {
    const GrB_Type type = types[k & 1];
    GrB_Vector u = make_full(types[k >> 1 & 1], 7), v = make_full(type, 3), own = make_full(type, 5);
    const GrB_Vector w = k / 8 == 0 ? own : k / 8 == 1 ? u : v;
    assert_int_equal(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, ops[k >> 2 & 1], u, v, NULL), GrB_SUCCESS);
    check_full(w, 7, 3);
    if (w != u) check_full(u, 7, 0);
    if (w != v) check_full(v, 3, 0);
    GrB_Vector_free(&u), GrB_Vector_free(&v), GrB_Vector_free(&own);
  }
}

/* Writes its result before it has read the operand. */
static void one_less_f(void *z, const void *x) {
  *(double *)z = 1;
  *(double *)z -= *(const double *)x;
}

/* w(i) = shift + sign u(i) + i, if it has the index. */
static void check_applied(GrB_Vector w, int shift, int sign, bool has_index) {
  GrB_Index n = FULL_LENGTH;
  double *x = malloc(FULL_LENGTH * sizeof *x);
  assert_int_equal(GrB_Vector_extractTuples_FP64(NULL, x, &n, w), GrB_SUCCESS);
  for (int i = 0; i < FULL_LENGTH; i++)
    assert_int_equal((int)x[i], shift + sign * (7 * i % 1000 + 1) + (has_index ? i : 0));
  free(x);
}

/* w is u or another vector, of any types. */
static void test_full_apply(void **state) {
  GrB_UnaryOp one_less;
  assert_int_equal(GrB_UnaryOp_new(&one_less, one_less_f, GrB_FP64, GrB_FP64), GrB_SUCCESS);
  for (int k = 0; k < 16; k++) {
    GrB_Vector u = make_full(k & 1 ? GrB_INT32 : GrB_FP64, 7), own = make_full(GrB_FP64, 5);
    const GrB_Vector w = k & 2 ? u : own;
    const GrB_Info info = k / 4 == 0   ? GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, u, NULL)
                          : k / 4 == 1 ? GrB_Vector_apply(w, NULL, NULL, one_less, u, NULL)
                          : k / 4 == 2
                              ? GrB_Vector_apply_BinaryOp1st_FP64(w, NULL, NULL, GrB_MINUS_FP64, 3, u, NULL)
                              : GrB_Vector_apply_IndexOp_FP64(w, NULL, NULL, add_index, u, 2, NULL);
    assert_int_equal(info, GrB_SUCCESS);
    check_applied(w, (const int[]){0, 1, 3, 2}[k / 4], k / 4 < 3 ? -1 : 1, k / 4 == 3);
    GrB_Vector_free(&u), GrB_Vector_free(&own);
  }
  GrB_UnaryOp_free(&one_less);
}

/* ---- tuples and elements ------------------------------------------------------------------------------- */

/* Every process passes its range, in order or with two indices exchanged. */
static void test_build_ranges(void **state) {
  static GrB_Index I[MOST];
  static double X[MOST];
  static model m;
  for (int round = 0; round < 40 / round_stride; round++) {
    const uint64_t n = draw(900) + 1, in_order = draw(2);
    const GrB_Type type = draw(2) ? GrB_FP64 : GrB_FP32;
    GrB_Index first, count;
    GrB_Vector w, v; /* v: of FP64, whatever w has */
    m.n = n, m.type = GrB_FP64;
    memset(m.has, 1, sizeof m.has);
    for (uint64_t i = 0; i < n; i++) memcpy(m.val[i], &(double){(double)draw(100)}, 8);
    assert_int_equal(Grid_local_range(n, &first, &count), GrB_SUCCESS);
    for (uint64_t k = 0; k < count; k++) I[k] = first + k;
    if (!in_order && count > 3) I[1] = first + 2, I[2] = first + 1;
    for (uint64_t k = 0; k < count; k++) memcpy(&X[k], m.val[I[k]], 8);
    assert_int_equal(GrB_Vector_new(&w, type, n), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&v, GrB_FP64, n), GrB_SUCCESS);
    assert_int_equal(Grid_Vector_build(w, I, X, GrB_FP64, count, NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_apply(v, NULL, NULL, GrB_IDENTITY_FP64, w, NULL), GrB_SUCCESS);
    check_vector(v, &m);
    assert_int_equal(Grid_Vector_build(w, I, X, GrB_FP64, count, NULL), GrB_OUTPUT_NOT_EMPTY);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
  }
}

/* The tuples of w are m's: those of all processes, then the local ones. */
static void check_tuples(GrB_Vector w, const model *m) {
  static GrB_Index I[MOST];
  static double X[MOST];
  static int16_t Z[MOST];
  GrB_Index nvals = MOST, at = 0, first, len;
  assert_int_equal(GrB_Vector_extractTuples_FP64(I, X, &nvals, w), GrB_SUCCESS);
  assert_int_equal(nvals, count(m));
  for (uint64_t i = 0; i < m->n; i++) {
    if (!m->has[i]) continue;
    assert_int_equal(I[at], i);
    assert_memory_equal(&X[at], m->val[i], 8);
    at++;
  }
  assert_int_equal(GrB_Vector_extractTuples_INT16(NULL, Z, &nvals, w), GrB_SUCCESS);
  for (uint64_t k = 0; k < nvals; k++) assert_int_equal(Z[k], (int16_t)X[k]);
  if (nvals) {
    GrB_Index less = nvals - 1;
    assert_int_equal(GrB_Vector_extractTuples_FP64(I, X, &less, w), GrB_INSUFFICIENT_SPACE);
    assert_int_equal(Grid_Vector_build(w, I, Z, GrB_INT16, 0, NULL), GrB_OUTPUT_NOT_EMPTY);
  }
  nvals = MOST;
  assert_int_equal(Grid_Vector_extractLocal(I, X, &nvals, w), GrB_SUCCESS);
  assert_int_equal(Grid_local_range(m->n, &first, &len), GrB_SUCCESS);
  for (uint64_t k = 0; k < nvals; k++) {
    assert_true(I[k] >= first && I[k] < first + len && m->has[I[k]]);
    assert_memory_equal(&X[k], m->val[I[k]], 8);
  }
}

/* A copy of w, m's vector, that is resized and cleared; m changes with it. */
static void check_copy(GrB_Vector w, model *m) {
  const uint64_t old = m->n;
  GrB_Vector d;
  assert_int_equal(GrB_Vector_dup(&d, w), GrB_SUCCESS);
  check_vector(d, m);
  m->n = draw(2000) + 1;
  assert_int_equal(GrB_Vector_resize(d, m->n), GrB_SUCCESS);
  for (uint64_t i = old; i < m->n; i++) m->has[i] = false;
  check_vector(d, m);
  assert_int_equal(GrB_Vector_clear(d), GrB_SUCCESS);
  memset(m->has, 0, sizeof m->has);
  check_vector(d, m);
  GrB_Vector_free(&d);
}

static void test_build(void **state) {
  static GrB_Index I[MOST];
  static int16_t X[MOST];
  static model m;
  for (int round = 0; round < 40 / round_stride; round++) {
    const uint64_t n = draw(900) + 1, nt = draw(1200);
    const bool dup = draw(2), local = draw(2);
    GrB_Vector w;
    m.n = n, m.type = GrB_FP64;
    memset(m.has, 0, sizeof m.has);
    uint64_t kept = 0;
    for (uint64_t k = 0; k < nt; k++) {
      uint64_t i = draw(n);
      int16_t x = (int16_t)draw(100);
      if (m.has[i] && !dup) continue;
      double sum = x;
      if (m.has[i]) sum += *(double *)m.val[i];
      memcpy(m.val[i], &sum, 8);
      m.has[i] = true;
      /* the draw is the same on all */
      if (local && (int)draw((uint64_t)grid_ctx.P) != grid_ctx.k) continue;
      I[kept] = i, X[kept++] = x;
    }
    assert_int_equal(GrB_Vector_new(&w, GrB_FP64, n), GrB_SUCCESS);
    GrB_BinaryOp op = dup ? GrB_PLUS_FP64 : NULL;
    assert_int_equal(
        local ? Grid_Vector_build(w, I, X, GrB_INT16, kept, op) : GrB_Vector_build_INT16(w, I, X, kept, op),
        GrB_SUCCESS);
    check_vector(w, &m);
    check_tuples(w, &m);
    check_copy(w, &m);
    GrB_Vector_free(&w);
  }
}

static void test_build_pattern(void **state) {
  GrB_Vector w;
  assert_int_equal(GrB_Vector_new(&w, GrB_INT32, 100), GrB_SUCCESS);
  GrB_Index K[] = {(GrB_Index)grid_ctx.k, 50, 50};
  assert_int_equal(Grid_Vector_build(w, K, NULL, NULL, 3, NULL), GrB_SUCCESS);
  GrB_Index nvals;
  assert_int_equal(GrB_Vector_nvals(&nvals, w), GrB_SUCCESS);
  assert_int_equal(nvals, grid_ctx.P + 1);
  GrB_Vector_free(&w);
}

static void test_elements(void **state) {
  static model m;
  GrB_Vector w;
  GrB_Scalar s;
  draw_model(&m, GrB_FP64, 500);
  w = make_vector(&m);
  assert_int_equal(GrB_Scalar_new(&s, GrB_INT32), GrB_SUCCESS);
  for (int step = 0; step < 600; step++) {
    uint64_t i = draw(500);
    double x = (double)draw(5), y = -1;
    int32_t z = -1;
    GrB_Index have;
    switch (draw(5)) {
      case 0:
        assert_int_equal(GrB_Vector_removeElement(w, i), GrB_SUCCESS);
        m.has[i] = false;
        break;
      case 1:
        assert_int_equal(GrB_Scalar_setElement_FP64(s, x), GrB_SUCCESS);
        if (draw(3) == 0) assert_int_equal(GrB_Scalar_clear(s), GrB_SUCCESS);
        assert_int_equal(GrB_Scalar_nvals(&have, s), GrB_SUCCESS);
        assert_int_equal(GrB_Vector_setElement_Scalar(w, s, i), GrB_SUCCESS);
        m.has[i] = have == 1;
        memcpy(m.val[i], &x, 8);
        break;
      case 2:
        if (draw(2)) {
          assert_int_equal(GrB_Vector_setElement_UINT8(w, (uint8_t)x, i), GrB_SUCCESS);
        } else {
          x += 0.5; /* a value of w's type */
          assert_int_equal(GrB_Vector_setElement_FP64(w, x, i), GrB_SUCCESS);
        }
        m.has[i] = true;
        memcpy(m.val[i], &x, 8);
        break;
      case 3:
        assert_int_equal(GrB_Vector_extractElement_FP64(&y, w, i), m.has[i] ? GrB_SUCCESS : GrB_NO_VALUE);
        assert_int_equal(GrB_Vector_extractElement_INT32(&z, w, i), m.has[i] ? GrB_SUCCESS : GrB_NO_VALUE);
        assert_int_equal(z, m.has[i] ? (int32_t) * (double *)m.val[i] : -1);
        if (m.has[i])
          assert_memory_equal(&y, m.val[i], 8);
        else
          assert_true(y == -1);
        break;
      default:
        assert_int_equal(GrB_Vector_extractElement_Scalar(s, w, i), GrB_SUCCESS);
        assert_int_equal(GrB_Scalar_extractElement_INT32(&z, s), m.has[i] ? GrB_SUCCESS : GrB_NO_VALUE);
        if (m.has[i]) assert_int_equal(z, (int32_t) * (double *)m.val[i]);
    }
  }
  check_vector(w, &m);
  GrB_Scalar_free(&s);
  GrB_Vector_free(&w);
}

/* ---- reduce -------------------------------------------------------------------------------------------- */

/* Many elements read one after the other, until all are replicated; then changes of every kind, after each of
 * which they are read again. */
static void test_many_reads(void **state) {
  enum { N = 700 };
  for (int round = 0; round < 6; round++) {
    double want[N] = {0};
    bool has[N] = {0};
    GrB_Vector w = NULL;
    GrB_Index nvals = 0;
    assert_int_equal(GrB_Vector_new(&w, GrB_FP64, N), GrB_SUCCESS);
    for (int step = 0; step < 8; step++) {
      const GrB_Index at = (GrB_Index)((step * 131 + round * 17) % N), half = N / 2;
      if (step == 0 && round % 2) {
        assert_int_equal(GrB_Vector_assign_FP64(w, NULL, NULL, 3, GrB_ALL, N, NULL), GrB_SUCCESS);
        for (int i = 0; i < N; i++) want[i] = 3, has[i] = true;
      } else if (step == 1 || step == 3) {
        assert_int_equal(GrB_Vector_setElement_FP64(w, 10 + step, at), GrB_SUCCESS);
        want[at] = 10 + step, has[at] = true;
      } else if (step == 4) {
        assert_int_equal(GrB_Vector_removeElement(w, at), GrB_SUCCESS);
        has[at] = false;
      } else if (step == 5) {
        assert_int_equal(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, w, NULL), GrB_SUCCESS);
        for (int i = 0; i < N; i++) want[i] = -want[i];
      } else if (step == 6) {
        assert_int_equal(GrB_Vector_wait(w, GrB_MATERIALIZE), GrB_SUCCESS);
      } else if (step == 7) {
        assert_int_equal(GrB_Vector_resize(w, half), GrB_SUCCESS);
        assert_int_equal(GrB_Vector_resize(w, N), GrB_SUCCESS);
        for (GrB_Index i = half; i < N; i++) has[i] = false;
      }
      GrB_Index count = 0;
      bool fine = true;
      for (int pass = 0; pass < 2; pass++) {
        for (GrB_Index i = 0; i < N && (round < 4 || i < 20); i++) {
          double x = -77;
          const GrB_Info info = GrB_Vector_extractElement_FP64(&x, w, i);
          fine = fine && (has[i] ? info == GrB_SUCCESS && x == want[i] : info == GrB_NO_VALUE && x == -77);
        }
        if (pass == 0 && step == 3) { /* between two that are read */
          assert_int_equal(GrB_Vector_setElement_FP64(w, 99, 5), GrB_SUCCESS);
          want[5] = 99, has[5] = true;
        }
      }
      for (int i = 0; i < N; i++) count += has[i];
      for (int k = 0; k < 2; k++) {
        assert_int_equal(GrB_Vector_nvals(&nvals, w), GrB_SUCCESS);
        fine = fine && nvals == count;
      }
      assert_on_all(fine);
    }
    GrB_Vector_free(&w);
  }
}

static void test_reduce(void **state) {
  static model m;
  for (int round = 0; round < 200 / round_stride; round++) {
    GrB_Type types[] = {GrB_BOOL, GrB_INT16, GrB_INT32, GrB_FP64, GrB_UINT64};
    draw_model(&m, types[draw(5)], draw(MOST) + 1);
    GrB_Vector u = make_vector(&m);
    maybe_iso(u, &m);
    double sum = 0, most = -INFINITY, got = 1000;
    bool any = false;
    for (uint64_t i = 0; i < m.n; i++) {
      double x;
      if (!m.has[i]) continue;
      cast(GrB_FP64, (char *)&x, m.type, m.val[i]);
      sum += x, most = x > most ? x : most, any |= x != 0;
    }
    assert_int_equal(GrB_Vector_reduce_FP64(&got, NULL, GrB_PLUS_MONOID_FP64, u, NULL), GrB_SUCCESS);
    assert_true(got == sum);
    assert_int_equal(GrB_Vector_reduce_FP64(&got, GrB_PLUS_FP64, GrB_MAX_MONOID_FP64, u, NULL), GrB_SUCCESS);
    assert_true(got == sum + most);
    int64_t whole;
    assert_int_equal(GrB_Vector_reduce_INT64(&whole, NULL, GrB_LOR_MONOID_BOOL, u, NULL), GrB_SUCCESS);
    assert_int_equal(whole, any);
    GrB_Scalar s;
    GrB_Index have;
    assert_int_equal(GrB_Scalar_new(&s, GrB_FP64), GrB_SUCCESS);
    assert_int_equal(GrB_Scalar_setElement_FP64(s, 3), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_reduce_Monoid_Scalar(s, NULL, GrB_PLUS_MONOID_FP64, u, NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Scalar_nvals(&have, s), GrB_SUCCESS);
    assert_int_equal(have, count(&m) > 0);
    if (have) assert_int_equal(GrB_Scalar_extractElement_FP64(&got, s), GrB_SUCCESS);
    if (have) assert_true(got == sum);
    assert_int_equal(GrB_Vector_reduce_BinaryOp_Scalar(s, GrB_PLUS_FP64, GrB_MAX_FP64, u, NULL), GrB_SUCCESS);
    if (have) assert_int_equal(GrB_Scalar_extractElement_FP64(&got, s), GrB_SUCCESS);
    if (have) assert_true(got == sum + most);
    GrB_Scalar_free(&s);
    GrB_Vector_free(&u);
  }
  draw_model(&m, large_type, 700);
  GrB_Vector u = make_vector(&m);
  large sum = {0}, got;
  for (uint64_t i = 0; i < m.n; i++)
    if (m.has[i]) large_plus_f(&sum, &sum, m.val[i]);
  assert_int_equal(GrB_Vector_reduce_UDT(&got, NULL, large_monoid, u, NULL), GrB_SUCCESS);
  assert_memory_equal(&got, &sum, sizeof sum);
  GrB_Vector_free(&u);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static void test_errors(void **state) {
  GrB_Vector w, u, x = NULL, big;
  GrB_Index I[] = {3, 12}, n;
  int32_t X[] = {1, 2}, e;
  const char *text;
  assert_int_equal(GrB_Vector_new(NULL, GrB_INT32, 10), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_new(&w, NULL, 10), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_new(&w, GrB_INT32, GrB_INDEX_MAX + 2), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Vector_new(&w, GrB_INT32, 10), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&u, large_type, 10), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&big, GrB_INT32, GrB_INDEX_MAX + 1), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_nvals(&n, x), GrB_NULL_POINTER);
  struct GrB_Vector_opaque junk = {.n = 10};
  assert_int_equal(GrB_Vector_nvals(&n, &junk), GrB_UNINITIALIZED_OBJECT);
  assert_int_equal(GrB_Vector_setElement_INT32(w, 1, 10), GrB_INVALID_INDEX);
  assert_int_equal(GrB_Vector_error(&text, w), GrB_SUCCESS);
  assert_non_null(strstr(text, "10"));
  assert_int_equal(GrB_Vector_setElement_INT32(u, 1, 1), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_removeElement(w, 11), GrB_INVALID_INDEX);
  assert_int_equal(GrB_Vector_extractElement_INT32(&e, w, 99), GrB_INVALID_INDEX);
  assert_int_equal(GrB_Vector_extractElement_INT32(NULL, w, 9), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_build_INT32(w, I, X, 2, NULL), GrB_INDEX_OUT_OF_BOUNDS);
  I[1] = 3;
  assert_int_equal(GrB_Vector_build_INT32(w, I, X, 2, NULL), GrB_INVALID_VALUE);
  assert_int_equal(GrB_Vector_error(&text, w), GrB_SUCCESS);
  assert_non_null(strstr(text, "index 3 "));
  assert_int_equal(GrB_Vector_build_INT32(w, I, X, 2, GrB_EQ_INT32), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_build_INT32(w, I, X, 2, GrB_PLUS_INT32), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_extractElement_INT32(&e, w, 3), GrB_SUCCESS);
  assert_int_equal(e, 3);
  assert_int_equal(GrB_Vector_build_INT32(w, I, X, 1, NULL), GrB_OUTPUT_NOT_EMPTY);
  I[1] = 12;
  assert_int_equal(GrB_Vector_assign_INT32(w, NULL, NULL, 1, I, 2, NULL), GrB_INDEX_OUT_OF_BOUNDS);
  assert_int_equal(GrB_Vector_error(&text, w), GrB_SUCCESS);
  assert_non_null(strstr(text, "I[1] = 12"));
  assert_int_equal(GrB_Vector_assign(w, NULL, NULL, w, I, 1, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_Vector_assign(w, NULL, NULL, big, GrB_ALL, 1, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_Vector_assign(w, NULL, NULL, u, GrB_ALL, 1, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_assign(w, u, NULL, w, GrB_ALL, 1, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_assign(w, u, NULL, w, GrB_ALL, 1, GrB_DESC_S), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign(w, big, NULL, w, GrB_ALL, 1, NULL), GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_Vector_assign(w, NULL, NULL, NULL, GrB_ALL, 1, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_assign_INT32(w, NULL, NULL, 1, NULL, 1, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, NULL, w, w, NULL), GrB_NULL_POINTER);
  assert_int_equal(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GrB_PLUS_INT32, u, w, NULL),
                   GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_assign(w, NULL, GxB_SECONDI_INT64, w, GrB_ALL, 1, NULL), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GrB_PLUS_INT32, w, big, NULL),
                   GrB_DIMENSION_MISMATCH);
  assert_int_equal(GrB_Vector_apply(w, NULL, large_plus, GrB_ABS_INT32, w, NULL), GrB_DOMAIN_MISMATCH);
  GrB_Scalar s;
  assert_int_equal(GrB_Scalar_new(&s, GrB_INT32), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_apply_BinaryOp2nd_Scalar(w, NULL, NULL, GrB_PLUS_INT32, w, s, NULL),
                   GrB_EMPTY_OBJECT);
  assert_int_equal(GrB_Vector_select_Scalar(w, NULL, NULL, GrB_VALUEGT_INT32, w, s, NULL), GrB_EMPTY_OBJECT);
  assert_int_equal(GrB_Scalar_setElement_UDT(s, X), GrB_DOMAIN_MISMATCH);
  assert_int_equal(GrB_Scalar_free(&s), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_wait(w, (GrB_WaitMode)9), GrB_INVALID_VALUE);
  /* length 2^60, a few entries */
  assert_int_equal(GrB_Vector_setElement_INT32(big, 5, GrB_INDEX_MAX), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_INT32(big, 6, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_eWiseAdd_BinaryOp(big, NULL, GrB_PLUS_INT32, GrB_PLUS_INT32, big, big, NULL),
                   GrB_SUCCESS);
  assert_int_equal(GrB_Vector_extractElement_INT32(&e, big, GrB_INDEX_MAX), GrB_SUCCESS);
  assert_int_equal(e, 15);
  assert_int_equal(GrB_Vector_assign_INT32(big, NULL, NULL, 1, GrB_ALL, 1, NULL), GrB_OUT_OF_MEMORY);
  assert_int_equal(GrB_Vector_error(&text, big), GrB_SUCCESS);
  assert_non_null(strstr(text, "memory"));
  assert_int_equal(GrB_Vector_nvals(&n, big), GrB_SUCCESS);
  assert_int_equal(n, 2);
  GrB_Vector_free(&w), GrB_Vector_free(&u), GrB_Vector_free(&big);
  assert_int_equal(GrB_Vector_free(&w), GrB_SUCCESS);
}

/* Replicated lists and tuples, of which each process takes some. */
static void test_distributed_lists(void **state) {
  const uint64_t from = grid_tune.shared_check_min;
  const int processes = grid_tune.shared_check_processes, all = round_stride;
  grid_tune.shared_check_min = 1, round_stride *= 4;
  for (grid_tune.shared_check_processes = 1; grid_tune.shared_check_processes < 100;
       grid_tune.shared_check_processes += 98) {
    test_errors(state);
    test_build(state);
    test_operations(state);
    test_out_of_memory(state);
  }
  grid_tune.shared_check_min = from, grid_tune.shared_check_processes = processes, round_stride = all;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static bool cuda, no_device;

static int begin(void **state) {
  large zero = {0};
  if (GrB_init(GrB_BLOCKING) != GrB_SUCCESS) return 1;
  if (cuda && Grid_device_set(Grid_CUDA) != GrB_SUCCESS) {
    printf("skipped: %s\n", grid_last_error());
    no_device = true;
    GrB_finalize();
    return 1;
  }
  return GrB_Type_new(&large_type, sizeof(large)) ||
         GrB_BinaryOp_new(&large_plus, large_plus_f, large_type, large_type, large_type) ||
         GrB_BinaryOp_new(&large_less, large_less_f, GrB_BOOL, large_type, large_type) ||
         GrB_UnaryOp_new(&large_twice, large_twice_f, large_type, large_type) ||
         GrB_IndexUnaryOp_new(&large_pick, large_pick_f, GrB_BOOL, large_type, large_type) ||
         GrB_IndexUnaryOp_new(&add_index, add_index_f, GrB_FP64, GrB_FP64, GrB_FP32) ||
         GrB_Monoid_new_UDT(&large_monoid, large_plus, &zero);
}

static int end(void **state) {
  GrB_Monoid_free(&large_monoid), GrB_IndexUnaryOp_free(&large_pick), GrB_IndexUnaryOp_free(&add_index);
  GrB_UnaryOp_free(&large_twice), GrB_BinaryOp_free(&large_plus), GrB_BinaryOp_free(&large_less),
      GrB_Type_free(&large_type);
  int64_t on_device = grid_device_live();
  if (on_device != 0) fprintf(stderr, "%lld blocks are still live on the device\n", (long long)on_device);
  bool failed = GrB_finalize() != GrB_SUCCESS; /* frees the kernels compiled at run time, too */
  int64_t live = grid_mem_live();
  if (live != 0) fprintf(stderr, "%lld blocks are still live\n", (long long)live);
  return failed || live != 0 || on_device != 0;
}

int main(int argc, char **argv) {
  cuda = argc > 1 && strcmp(argv[1], "cuda") == 0;
  if (cuda) round_stride = getenv("GRID_TEST_SMALL") ? 20 : 10;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_build),
      cmocka_unit_test(test_build_pattern),
      cmocka_unit_test(test_build_ranges),
      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_full),
      cmocka_unit_test(test_full_apply),
      cmocka_unit_test(test_many_reads),
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_reduce),
      cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_distributed_lists),
  };
  int failed = cmocka_run_group_tests(tests, begin, end);
  return no_device ? 77 : failed;
}
