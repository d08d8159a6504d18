/* GrB_mxv and GrB_vxm against a naive model that every process computes: random shapes (1 x 1 to hypersparse
 * 2^60), types, semirings, masks, accumulators and descriptors. Each runs in every direction and with every
 * delegate threshold. Runs on any number of processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/matrix/matrix.h"
#include "dist/delegates/delegate_split.h"
#include "dist/plan/push_pull.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "tests/grid_shapes.h"

enum { POSITIONS = 400, ENTRIES = 1600, WIDEST = 24 };

/* ---- user-defined types and operators ------------------------------------------------------------------ */

typedef struct {
  uint8_t v[3];
} three;
typedef struct {
  int64_t v[3];
} large;
static GrB_Type three_type, large_type;
static GrB_BinaryOp three_plus, three_times, large_plus, large_times, mixed_times, int_plus, any_user;
static GrB_Monoid three_monoid, large_monoid, int_monoid;
static GrB_Semiring three_semiring, large_semiring, mixed_semiring, user_int_semiring, any_user_semiring;

static void three_plus_f(void *z, const void *x, const void *y) {
  three r;
  for (int k = 0; k < 3; k++) r.v[k] = (uint8_t)(((const three *)x)->v[k] + ((const three *)y)->v[k]);
  memcpy(z, &r, sizeof r);
}
static void three_times_f(void *z, const void *x, const void *y) { /* not commutative */
  three r;
  for (int k = 0; k < 3; k++)
    r.v[k] = (uint8_t)(3 * ((const three *)x)->v[k] + ((const three *)y)->v[(k + 1) % 3]);
  memcpy(z, &r, sizeof r);
}
static void large_plus_f(void *z, const void *x, const void *y) {
  large r;
  for (int k = 0; k < 3; k++) r.v[k] = ((const large *)x)->v[k] + ((const large *)y)->v[k];
  memcpy(z, &r, sizeof r);
}
static void large_times_f(void *z, const void *x, const void *y) {
  large r;
  for (int k = 0; k < 3; k++) r.v[k] = 5 * ((const large *)x)->v[k] - ((const large *)y)->v[(k + 1) % 3];
  memcpy(z, &r, sizeof r);
}
static void mixed_times_f(void *z, const void *x, const void *y) { /* double, wide -> three */
  double a;
  large b;
  three r;
  memcpy(&a, x, sizeof a);
  memcpy(&b, y, sizeof b);
  for (int k = 0; k < 3; k++) r.v[k] = (uint8_t)((int64_t)a * (k + 1) + b.v[k]);
  memcpy(z, &r, sizeof r);
}
static void int_plus_f(void *z, const void *x, const void *y) {
  int32_t a, b;
  memcpy(&a, x, 4);
  memcpy(&b, y, 4);
  a = (int32_t)((uint32_t)a + (uint32_t)b);
  memcpy(z, &a, 4);
}

static GrB_Semiring semirings[32];
static size_t nsemirings;

static void make_operators(void) {
  const three zero3 = {{0}};
  const large zero24 = {{0}};
  assert_int_equal(GrB_Type_new(&three_type, sizeof(three)), GrB_SUCCESS);
  assert_int_equal(GrB_Type_new(&large_type, sizeof(large)), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&three_plus, three_plus_f, three_type, three_type, three_type),
                   GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&three_times, three_times_f, three_type, three_type, three_type),
                   GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&large_plus, large_plus_f, large_type, large_type, large_type),
                   GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&large_times, large_times_f, large_type, large_type, large_type),
                   GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&mixed_times, mixed_times_f, three_type, GrB_FP64, large_type),
                   GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&int_plus, int_plus_f, GrB_INT32, GrB_INT32, GrB_INT32), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&any_user, int_plus_f, GrB_INT32, GrB_INT32, GrB_INT32), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new_UDT(&three_monoid, three_plus, &zero3), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new_UDT(&large_monoid, large_plus, &zero24), GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new_INT32(&int_monoid, int_plus, 0), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&three_semiring, three_monoid, three_times), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&large_semiring, large_monoid, large_times), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&mixed_semiring, three_monoid, mixed_times), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&user_int_semiring, int_monoid, GrB_TIMES_INT32), GrB_SUCCESS);
  assert_int_equal(GrB_Semiring_new(&any_user_semiring, Grid_ANY_MONOID_INT32, any_user), GrB_SUCCESS);
  const GrB_Semiring all[] = {GrB_PLUS_TIMES_SEMIRING_FP64,
                              GrB_MIN_PLUS_SEMIRING_INT32,
                              GrB_LOR_LAND_SEMIRING_BOOL,
                              Grid_ANY_SECONDI_SEMIRING_INT64,
                              Grid_ANY_SECONDI_SEMIRING_INT32,
                              Grid_MIN_SECONDI_SEMIRING_INT64,
                              Grid_MIN_SECONDI_SEMIRING_INT32,
                              Grid_PLUS_ONEB_SEMIRING_UINT64,
                              Grid_ANY_SECOND_SEMIRING_FP32,
                              Grid_ANY_FIRST_SEMIRING_INT8,
                              Grid_ANY_ONEB_SEMIRING_BOOL,
                              GrB_PLUS_MIN_SEMIRING_INT16,
                              GrB_LXOR_LAND_SEMIRING_BOOL,
                              GrB_MAX_TIMES_SEMIRING_UINT8,
                              GrB_MIN_FIRST_SEMIRING_UINT64,
                              GxB_PLUS_TIMES_FC64,
                              GxB_PLUS_RMINUS_FC32,
                              GxB_ANY_PAIR_FC64,
                              GxB_EQ_GT_FP32,
                              GxB_MAX_RMINUS_INT32,
                              GxB_BXOR_BAND_UINT8,
                              GxB_PLUS_SECONDI_INT64,
                              three_semiring,
                              large_semiring,
                              mixed_semiring,
                              user_int_semiring,
                              any_user_semiring};
  nsemirings = sizeof all / sizeof *all;
  memcpy(semirings, all, sizeof all);
}

static void free_operators(void) {
  GrB_Semiring *s[] = {&three_semiring, &large_semiring, &mixed_semiring, &user_int_semiring,
                       &any_user_semiring};
  for (size_t k = 0; k < sizeof s / sizeof *s; k++) GrB_Semiring_free(s[k]);
  GrB_Monoid_free(&three_monoid), GrB_Monoid_free(&large_monoid), GrB_Monoid_free(&int_monoid);
  GrB_BinaryOp *o[] = {&three_plus,  &three_times, &large_plus, &large_times,
                       &mixed_times, &int_plus,    &any_user};
  for (size_t k = 0; k < sizeof o / sizeof *o; k++) GrB_BinaryOp_free(o[k]);
  GrB_Type_free(&three_type), GrB_Type_free(&large_type);
}

static void draw_value(char *v, GrB_Type t) {
  memset(v, 0, WIDEST);
  int64_t x = (int64_t)draw(9) - 3;
  if (t == three_type) {
    for (int k = 0; k < 3; k++) v[k] = (char)draw(256);
  } else if (t == large_type) {
    const large r = {{x, x - 7, (int64_t)draw(100)}};
    memcpy(v, &r, sizeof r);
  } else {
    grid_cast(t, GrB_INT64)(v, &x, t->size);
  }
}

static void one_of_type(char *v, GrB_Type t) {
  const int64_t one = 1;
  memset(v, 0, WIDEST);
  grid_cast(t, GrB_INT64)(v, &one, t->size);
}

static GrB_Type draw_type(GrB_Type like) {
  const GrB_Type t[] = {GrB_BOOL, GrB_INT8, GrB_INT32, GrB_INT64, GrB_FP64, GrB_UINT16, GxB_FC64};
  return like->code == GRID_T_UDT || draw_one_in(2) ? like : t[draw(7)];
}

/* ---- the model: a dimension is represented by the few indices that may have entries -------------------- */

typedef struct {
  uint64_t n;
  int positions;
  uint64_t at[POSITIONS]; /* ascending */
} axis;

typedef struct {
  GrB_Type type;
  bool has[POSITIONS];
  char val[POSITIONS][WIDEST];
  bool iso; /* all values are 1 */
} vec;

typedef struct {
  GrB_Type type;
  int n;
  int row[ENTRIES], col[ENTRIES];
  char val[ENTRIES][WIDEST];
  bool pattern, mirror;
} mat;

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void draw_axis(axis *a, uint64_t n) {
  a->n = n;
  a->positions = 0;
  if (n <= POSITIONS) {
    for (uint64_t k = 0; k < n; k++) a->at[a->positions++] = k;
    return;
  }
  int want = 2 + (int)draw(draw_one_in(2) ? 30 : POSITIONS - 2);
  for (int k = 0; k < want; k++) a->at[k] = (draw(UINT64_C(1) << 30) << 30 | draw(UINT64_C(1) << 30)) % n;
  a->at[0] = n - 1;
  if (want > 3) a->at[1] = 0;
  for (int k = 3; k < want; k += 3) a->at[k] = (a->at[k - 1] + draw(70)) % n; /* neighbours too */
  qsort(a->at, (size_t)want, sizeof *a->at, by_value);
  for (int k = 0; k < want; k++)
    if (k == 0 || a->at[k] != a->at[k - 1]) a->at[a->positions++] = a->at[k];
}

static void draw_vec(vec *v, const axis *a, GrB_Type type) {
  memset(v, 0, sizeof *v);
  v->type = type;
  uint64_t percent = draw_one_in(4) ? 100 : draw_one_in(6) ? 0 : draw_one_in(3) ? 3 : draw(100);
  v->iso = type->code != GRID_T_UDT && draw_one_in(4);
  for (int k = 0; k < a->positions; k++) {
    v->has[k] = draw(100) < percent;
    if (v->iso)
      one_of_type(v->val[k], type);
    else
      draw_value(v->val[k], type);
  }
}

static bool taken[POSITIONS][POSITIONS];

static void draw_mat(mat *m, const axis *r, const axis *c, GrB_Type type) {
  memset(taken, 0, sizeof taken);
  m->type = type;
  m->n = 0;
  bool square = r == c;
  m->pattern = type->code != GRID_T_UDT && draw_one_in(3);
  m->mirror = square && draw_one_in(3);
  bool balanced = square && !m->mirror && draw_one_in(4); /* symmetric, but not declared so */
  int want = draw_one_in(10) ? 0 : (int)draw(draw_one_in(3) ? 20 : ENTRIES / 2);
  for (int k = 0; k < want && m->n + 2 < ENTRIES; k++) {
    int i = (int)draw((uint64_t)r->positions), j = (int)draw((uint64_t)c->positions);
    if (draw_one_in(3)) i = (int)draw((uint64_t)i + 1); /* skewed degrees */
    if (draw_one_in(3)) j = (int)draw((uint64_t)j + 1);
    if (taken[i][j] || ((m->mirror || balanced) && taken[j][i])) continue;
    char v[WIDEST];
    if (m->pattern)
      one_of_type(v, type);
    else
      draw_value(v, type);
    for (int side = 0; side < (m->mirror || balanced ? 2 : 1); side++) {
      if (side && i == j) break;
      int a = side ? j : i, b = side ? i : j;
      taken[a][b] = true;
      m->row[m->n] = a, m->col[m->n] = b;
      memcpy(m->val[m->n++], v, WIDEST);
    }
  }
}

/* ---- objects from the model ---------------------------------------------------------------------------- */

/* values: packed, of the type's size. local: the process passes every P-th tuple, else all pass all. */
static GrB_Vector vector_of(const vec *v, const axis *a) {
  uint64_t idx[POSITIONS], n = 0;
  char *val = malloc(POSITIONS * v->type->size);
  GrB_Vector w;
  assert_int_equal(GrB_Vector_new(&w, v->type, a->n), GrB_SUCCESS);
  for (int k = 0; k < a->positions; k++)
    if (v->has[k] && k % Grid_size() == Grid_rank()) {
      memcpy(val + n * v->type->size, v->val[k], v->type->size);
      idx[n++] = a->at[k];
    }
  assert_int_equal(Grid_Vector_build(w, idx, v->iso ? NULL : val, v->iso ? NULL : v->type, n, NULL),
                   GrB_SUCCESS);
  free(val);
  return w;
}

static GrB_Matrix matrix_of(const mat *m, const axis *r, const axis *c) {
  static uint64_t row[ENTRIES], col[ENTRIES];
  static char val[ENTRIES * WIDEST];
  size_t size = m->type->size;
  uint64_t n = 0;
  GrB_Matrix A;
  assert_int_equal(GrB_Matrix_new(&A, m->type, r->n, c->n), GrB_SUCCESS);
  if (m->n == 0 && draw_one_in(2)) return A; /* never built */
  for (int k = 0; k < m->n; k++) {
    if (k % Grid_size() != Grid_rank() || (m->mirror && m->row[k] > m->col[k])) continue;
    row[n] = r->at[m->row[k]], col[n] = c->at[m->col[k]];
    memcpy(val + n++ * size, m->val[k], size);
  }
  assert_int_equal(Grid_Matrix_build(A, row, col, m->pattern ? NULL : val, m->pattern ? NULL : m->type, n,
                                     NULL, m->mirror ? Grid_MIRROR : 0),
                   GrB_SUCCESS);
  GrB_Index nvals;
  assert_int_equal(GrB_Matrix_nvals(&nvals, A), GrB_SUCCESS);
  assert_int_equal(nvals, m->n);
  return A;
}

/* ---- the product --------------------------------------------------------------------------------------- */

typedef struct {
  bool vxm, mask_is_w, u_is_w;
  GrB_Semiring s;
  GrB_BinaryOp accum;
  GrB_Descriptor desc;
  bool has_mask;
} call;

static void cast_to(char *z, GrB_Type zt, const char *x, GrB_Type xt) {
  memset(z, 0, WIDEST);
  grid_cast(zt, xt)(z, x, zt->size);
}

static void one_product(const call *c, char *z, const mat *m, int e, const vec *u, int in, uint64_t index) {
  GrB_BinaryOp mul = c->s->mul;
  char a[WIDEST] = {0}, x[WIDEST] = {0};
  memset(z, 0, WIDEST);
  if (!mul->f) {
    int64_t g = (int64_t)index;
    int32_t low = (int32_t)g;
    if (mul->z->size == 4)
      memcpy(z, &low, 4);
    else
      memcpy(z, &g, 8);
    return;
  }
  if (c->vxm ? mul->uses_y : mul->uses_x) cast_to(a, c->vxm ? mul->y : mul->x, m->val[e], m->type);
  if (c->vxm ? mul->uses_x : mul->uses_y) cast_to(x, c->vxm ? mul->x : mul->y, u->val[in], u->type);
  mul->f(z, c->vxm ? x : a, c->vxm ? a : x);
}

typedef struct {
  GrB_Type type;
  int n[POSITIONS];
  /* ANY: the first products' entries are few enough to list; see is_any_valid */
  int entry[POSITIONS][8];
  char sum[POSITIONS][WIDEST];
} result;

static bool transposed(const call *c) {
  bool t = c->desc && (c->vxm ? c->desc->tran1 : c->desc->tran0);
  return t != c->vxm;
}

static void all_products(const call *c, const mat *m, const vec *u, const axis *inner, result *t) {
  memset(t, 0, sizeof *t);
  t->type = c->s->add->op->z;
  for (int e = 0; e < m->n; e++) {
    int in = transposed(c) ? m->row[e] : m->col[e], out = transposed(c) ? m->col[e] : m->row[e];
    char z[WIDEST];
    if (!u->has[in]) continue;
    one_product(c, z, m, e, u, in, inner->at[in]);
    if (t->n[out]++ == 0)
      memcpy(t->sum[out], z, WIDEST);
    else
      c->s->add->op->f(t->sum[out], t->sum[out], z);
  }
}

static bool mask_allows(const call *c, const vec *mask, int k) {
  if (!c->has_mask) return !(c->desc && c->desc->complement);
  bool in = mask->has[k] && ((c->desc && c->desc->structure) || grid_is_true(mask->type, mask->val[k]));
  return in != (c->desc && c->desc->complement);
}

/* w accum t in w's type. */
static void accumulate_entry(const call *c, char *z, const vec *w, int k, const char *t, GrB_Type ttype) {
  if (!c->accum || !w->has[k]) {
    cast_to(z, w->type, t, ttype);
    return;
  }
  char a[WIDEST], b[WIDEST], r[WIDEST] = {0};
  cast_to(a, c->accum->x, w->val[k], w->type);
  cast_to(b, c->accum->y, t, ttype);
  c->accum->f(r, a, b);
  cast_to(z, w->type, r, c->accum->z);
}

/* Is v, at output k, the value of some single product? */
static bool is_any_valid(const call *c, const mat *m, const vec *u, const axis *inner, const vec *w, int k,
                         const char *v) {
  for (int e = 0; e < m->n; e++) {
    int in = transposed(c) ? m->row[e] : m->col[e], out = transposed(c) ? m->col[e] : m->row[e];
    char z[WIDEST], r[WIDEST];
    if (out != k || !u->has[in]) continue;
    one_product(c, z, m, e, u, in, inner->at[in]);
    accumulate_entry(c, r, w, k, z, c->s->add->op->z);
    if (memcmp(r, v, w->type->size) == 0) return true;
  }
  return false;
}

/* Number of differences between the result object and the model, on this process. */
static uint64_t compare(GrB_Vector got, const call *c, const mat *m, const vec *u, const vec *w,
                        const vec *mask, const axis *inner, const axis *outer, const result *t) {
  uint64_t n = POSITIONS, idx[POSITIONS], first, count, bad = 0, matched = 0;
  char *val = malloc(POSITIONS * w->type->size);
  if (Grid_Vector_extractLocal(idx, val, &n, got) != GrB_SUCCESS) {
    print_message("extractLocal: %s\n", Grid_last_error());
    n = 0, bad++;
  }
  Grid_local_range(outer->n, &first, &count);
  for (int k = 0; k < outer->positions; k++) {
    if (outer->at[k] < first || outer->at[k] - first >= count) continue;
    bool allowed = mask_allows(c, mask, k), fresh = allowed && t->n[k];
    bool has = allowed ? fresh || (c->accum && w->has[k]) : w->has[k] && !(c->desc && c->desc->replace);
    char want[WIDEST];
    memcpy(want, w->val[k], WIDEST);
    if (fresh) accumulate_entry(c, want, w, k, t->sum[k], t->type);
    const char *v = matched < n && idx[matched] == outer->at[k] ? val + matched++ * w->type->size : NULL;
    bool fine = has == (v != NULL);
    if (fine && v && fresh && c->s->add->any)
      fine = is_any_valid(c, m, u, inner, w, k, v);
    else if (fine && v)
      fine = memcmp(v, want, w->type->size) == 0;
    if (!fine && bad++ < 3) {
      int64_t h = 0, g = 0;
      memcpy(&h, want, w->type->size < 8 ? w->type->size : 8);
      if (v) memcpy(&g, v, w->type->size < 8 ? w->type->size : 8);
      print_message("process %d: w(%llu): %s (%llx), should be %s (%llx), products %d\n", Grid_rank(),
                    (unsigned long long)outer->at[k], v ? "entry" : "none", (unsigned long long)g,
                    has ? "entry" : "none", (unsigned long long)h, t->n[k]);
    }
  }
  if (matched != n) {
    print_message("process %d: %llu entries where there should be none\n", Grid_rank(),
                  (unsigned long long)(n - matched));
    bad++;
  }
  free(val);
  return bad;
}

static const char *names[] = {"auto", "push", "pull"};

/* One product object by object; 0: as it should be, on all processes. */
static uint64_t run(GrB_Matrix A, const call *c, const mat *m, const vec *u, const vec *w, const vec *mask,
                    const axis *inner, const axis *outer, const result *t) {
  GrB_Vector ov = vector_of(w, outer), uv = c->u_is_w ? ov : vector_of(u, inner);
  GrB_Vector mv = !c->has_mask ? NULL : c->mask_is_w ? ov : vector_of(mask, outer);
  GrB_Info info = c->vxm ? GrB_vxm(ov, mv, c->accum, c->s, uv, A, c->desc)
                         : GrB_mxv(ov, mv, c->accum, c->s, A, uv, c->desc);
  uint64_t bad = info != GrB_SUCCESS;
  if (bad)
    print_message("process %d: %s: %s\n", Grid_rank(), Grid_info_name(info), Grid_last_error());
  else
    bad = compare(ov, c, m, u, w, mask, inner, outer, t);
  if (mv && mv != ov) GrB_Vector_free(&mv);
  if (uv != ov) GrB_Vector_free(&uv);
  GrB_Vector_free(&ov);
  assert_int_equal(Grid_sum(&bad, 1), GrB_SUCCESS);
  return bad;
}

#define DESCRIPTOR(NAME, r, s, c, t0, t1) GrB_DESC_##NAME,
static GrB_Descriptor draw_descriptor(void) {
  const GrB_Descriptor all[] = {NULL, NULL, GRID_DESCRIPTORS(DESCRIPTOR)};
  return all[draw(sizeof all / sizeof *all)];
}

static GrB_BinaryOp draw_accum(GrB_Type w, GrB_Type t) {
  if (!draw_one_in(3)) return NULL;
  if (t->code == GRID_T_UDT) return t == three_type ? three_plus : large_plus;
  (void)w;
  const GrB_BinaryOp op[] = {GrB_PLUS_FP64,  GrB_MINUS_INT64, GrB_SECOND_INT32,
                             GrB_FIRST_INT8, GrB_LOR,         GrB_MAX_INT16};
  return op[draw(6)];
}

static uint64_t draw_dimension(int kind) {
  switch (kind) {
    case 0:
      return 1 + draw(12); /* fewer indices than processes, maybe 1 */
    case 1:
      return 1 + draw(POSITIONS);
    case 2:
      return 500 + draw(6000); /* hypersparse blocks of short dimensions */
    case 3:
      return (UINT64_C(1) << 32) + draw(1 << 20) * 997; /* just wider than 32 bits */
    case 4:
      return (UINT64_C(1) << 60) - draw(3) * 12345;
    default:
      return (UINT64_C(1) << (33 + draw(20))) + draw(1000);
  }
}

static axis rows_of, cols_of;
static mat m;
static vec u, w, mask;
static result t;

/* u gets entries at exactly the inner indices at which the matrix has some. */
static void meet_all_entries(bool by_row) {
  memset(u.has, 0, sizeof u.has);
  for (int k = 0; k < m.n; k++) u.has[by_row ? m.row[k] : m.col[k]] = true;
}

/* One random case in every direction and with every threshold. */
static void run_case(uint64_t number, int kind, bool square) {
  seed = number * 77 + (uint64_t)kind * 1000003 + square;
  draw(2), draw(2);
  const axis *rows = &rows_of, *cols = square ? &rows_of : &cols_of;
  draw_axis(&rows_of, draw_one_in(12) ? 1 : draw_dimension(kind));
  draw_axis(&cols_of, draw_one_in(12) ? 1 : draw_dimension(draw_one_in(5) ? 1 : kind));
  call c = {.vxm = draw_one_in(2),
            .s = semirings[draw(nsemirings)],
            .desc = draw_descriptor(),
            .has_mask = draw_one_in(2)};
  GrB_BinaryOp mul = c.s->mul;
  GrB_Type ztype = c.s->add->op->z, none = GrB_FP64;
  draw_mat(&m, rows, cols, draw_type(mul->f ? c.vxm ? mul->y : mul->x : none));
  const axis *inner = transposed(&c) ? rows : cols, *outer = transposed(&c) ? cols : rows;
  draw_vec(&u, inner, draw_type(mul->f ? c.vxm ? mul->x : mul->y : none));
  if (draw_one_in(4)) meet_all_entries(transposed(&c));
  draw_vec(&w, outer, draw_type(ztype));
  draw_vec(&mask, outer, draw_type(GrB_BOOL));
  c.accum = draw_accum(w.type, ztype);
  if (inner == outer && draw_one_in(5) && grid_compatible(w.type, u.type) && u.type->code != GRID_T_UDT &&
      ztype->code != GRID_T_UDT)
    c.u_is_w = true, w = u;
  if (c.has_mask && draw_one_in(5) && (w.type->code != GRID_T_UDT || (c.desc && c.desc->structure)))
    c.mask_is_w = true, mask = w;
  all_products(&c, &m, &u, inner, &t);
  const int32_t thresholds[] = {Grid_DELEGATES_OFF, 0, 3, 1000000, Grid_DELEGATES_AUTO, 8,
                                Grid_DELEGATES_OFF};
  GrB_Matrix A = matrix_of(&m, rows, cols);
  int nth = square ? (int)(sizeof thresholds / sizeof *thresholds) : 1;
  for (int d = 0; d < nth; d++) {
    if (square) assert_int_equal(GrB_Matrix_set_INT32(A, thresholds[d], Grid_DELEGATES), GrB_SUCCESS);
    for (int32_t variant = 0; variant < 3; variant++) {
      assert_int_equal(GrB_Matrix_set_INT32(A, variant, Grid_DIRECTION), GrB_SUCCESS);
      uint64_t bad = run(A, &c, &m, &u, &w, &mask, inner, outer, &t);
      if (bad && Grid_rank() == 0)
        print_message(
            "case %llu kind %d square %d: %s %s, %llu x %llu, %d entries%s%s, type %s, %s, TH %d, mask %d%s, "
            "accum %s%s\n",
            (unsigned long long)number, kind, square, c.vxm ? "vxm" : "mxv", mul->name,
            (unsigned long long)rows->n, (unsigned long long)cols->n, m.n, m.pattern ? " pattern" : "",
            m.mirror ? " mirrored" : "", grid_type_name(m.type), names[variant], thresholds[d], c.has_mask,
            c.mask_is_w ? " (w)" : "", c.accum ? c.accum->name : "none", c.u_is_w ? ", u is w" : "");
      assert_int_equal(bad, 0);
    }
  }
  GrB_Matrix_free(&A);
}

static void cases(int kind, bool square, uint64_t how_many) {
  int64_t live = grid_mem_live();
  if (Grid_size() > 1) how_many = how_many / 2 + 1; /* and there are several shapes */
  if (Grid_size() > 6) how_many = how_many / 3 + 1;
  for (uint64_t k = 0; k < how_many; k++) run_case(k, kind, square);
  assert_int_equal(grid_mem_live(), live);
}

static void tiny_cases(void **state) {
  cases(0, false, 60), cases(0, true, 40);
}
static void small_cases(void **state) {
  cases(1, false, 80), cases(1, true, 60);
}
static void short_hypersparse(void **state) {
  cases(2, false, 50), cases(2, true, 50);
}
static void wider_than_32_bits(void **state) {
  cases(3, false, 30), cases(3, true, 10);
}
static void huge(void **state) {
  cases(4, false, 40), cases(4, true, 10);
}
static void mixed_types(void **state) {
  cases(5, false, 30), cases(5, true, 10);
}

/* Compact row numbers that look like compact column numbers must not make a matrix symmetric. */
static void same_shape_other_ids(void **state) {
  GrB_Index row[] = {100, 500}, col[] = {700, 900}, n = 4;
  GrB_Matrix A;
  GrB_Vector x, y;
  Grid_Storage s;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, 1000, 1000), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_build(A, row, col, NULL, NULL, Grid_rank() == 0 ? 2 : 0, NULL, 0),
                   GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_storage(&s, A), GrB_SUCCESS);
  assert_false(s.symmetric);
  assert_int_equal(GrB_Matrix_set_INT32(A, 0, Grid_DELEGATES), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&x, GrB_BOOL, 1000), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&y, GrB_INT64, 1000), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign_BOOL(x, NULL, NULL, true, GrB_ALL, 1000, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_mxv(y, NULL, NULL, Grid_MIN_SECONDI_SEMIRING_INT64, A, x, NULL), GrB_SUCCESS);
  int64_t v[4];
  GrB_Index at[4];
  assert_int_equal(GrB_Vector_extractTuples_INT64(at, v, &n, y), GrB_SUCCESS);
  assert_int_equal(n, 2);
  assert_true(at[0] == 100 && v[0] == 700 && at[1] == 500 && v[1] == 900);
  GrB_Matrix_free(&A), GrB_Vector_free(&x), GrB_Vector_free(&y);
}

/* A large graph has the same products with and without a split; by default there is none. */
static void split_of_a_large_graph(void **state) {
  if (Grid_size() != 4) return; /* one number of processes is enough for so large a graph */
  const int32_t threshold[] = {127, Grid_DELEGATES_AUTO};
  Grid_Edges e;
  GrB_Matrix A;
  GrB_Vector x, y[2];
  Grid_Storage st;
  const GrB_Index n = 1 << 15;
  assert_int_equal(Grid_rmat(&e, 15, 24, 5), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, n, n), GrB_SUCCESS);
  assert_int_equal(Grid_Matrix_build(A, e.rows, e.cols, NULL, NULL, e.n, NULL, Grid_MIRROR | Grid_NO_LOOPS),
                   GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&x, GrB_BOOL, n), GrB_SUCCESS);
  for (GrB_Index k = 0; k < n; k += 7) assert_int_equal(GrB_Vector_setElement_BOOL(x, true, k), GrB_SUCCESS);
  for (int32_t round = 0; round < 2; round++) {
    assert_int_equal(GrB_Matrix_set_INT32(A, threshold[round], Grid_DELEGATES), GrB_SUCCESS);
    assert_int_equal(Grid_Matrix_storage(&st, A), GrB_SUCCESS);
    assert_int_equal(st.delegates > 0, round == 0);
    assert_int_equal(st.nn + st.nd + st.dn + st.dd, st.nvals);
    assert_int_equal(GrB_Vector_new(&y[round], GrB_UINT64, n), GrB_SUCCESS);
    assert_int_equal(GrB_vxm(y[round], NULL, NULL, Grid_PLUS_ONEB_SEMIRING_UINT64, x, A, NULL), GrB_SUCCESS);
  }
  uint64_t count[2] = {n, n}, bad = 0, *at = malloc(2 * n * 8), *v = malloc(2 * n * 8);
  for (int r = 0; r < 2; r++)
    assert_int_equal(Grid_Vector_extractLocal(at + (size_t)r * n, v + (size_t)r * n, &count[r], y[r]),
                     GrB_SUCCESS);
  bad = count[0] != count[1];
  for (uint64_t k = 0; k < count[0] && !bad; k++) bad = at[k] != at[n + k] || v[k] != v[n + k];
  assert_int_equal(Grid_sum(&bad, 1), GrB_SUCCESS);
  assert_int_equal(bad, 0);
  free(at), free(v);
  Grid_Edges_free(&e);
  GrB_Matrix_free(&A), GrB_Vector_free(&x), GrB_Vector_free(&y[0]), GrB_Vector_free(&y[1]);
}

/* Columns that were built for a column sum are dropped when a split divides the block. */
static void columns_before_a_split(void **state) {
  GrB_Index row[] = {1, 2, 7, 30, 2, 7, 60, 1}, col[] = {2, 7, 60, 1, 1, 2, 7, 30}, n = 100;
  double val[] = {1, 2, 3, 4, 5, 6, 7, 8}, sum;
  GrB_Matrix A;
  GrB_Vector x, y;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, n, n), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&x, GrB_FP64, n), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&y, GrB_FP64, n), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, row, col, val, 8, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_reduce_Monoid(y, NULL, NULL, GrB_PLUS_MONOID_FP64, A, GrB_DESC_T0),
                   GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(A, 3, Grid_DELEGATES), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign_FP64(x, NULL, NULL, 1, GrB_ALL, n, NULL), GrB_SUCCESS);
  for (int32_t variant = Grid_DIRECTION_PUSH; variant <= Grid_DIRECTION_PULL; variant++) {
    assert_int_equal(GrB_Matrix_set_INT32(A, variant, Grid_DIRECTION), GrB_SUCCESS);
    assert_int_equal(GrB_vxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, x, A, NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, y, NULL), GrB_SUCCESS);
    assert_true(sum == 36);
  }
  assert_non_null(A->delegates.split);
  GrB_Matrix_free(&A), GrB_Vector_free(&x), GrB_Vector_free(&y);
}

/* The cached properties that a product builds: columns for a push from columns or a pull along them, hub
 * neighbours for a pull; existing ones stay. */
static void forms(void **state) {
  const struct {
    bool vxm;
    int32_t direction;
    unsigned forms;
  } step[] = {{true, Grid_DIRECTION_PUSH, 0},
              {false, Grid_DIRECTION_PULL, GRID_ROW_HUB_NEIGHBORS},
              {false, Grid_DIRECTION_PUSH, GRID_ROW_HUB_NEIGHBORS | GRID_COLS},
              {true, Grid_DIRECTION_PULL, GRID_ALL_FORMS},
              {true, Grid_DIRECTION_PUSH, GRID_ALL_FORMS}};
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    GrB_Index row[] = {1, 2, 7, 30, 2, 7, 60, 1}, col[] = {2, 7, 60, 1, 1, 2, 7, 30}, n = 100;
    double val[] = {1, 2, 3, 4, 1, 2, 3, symmetric ? 4 : 5};
    GrB_Matrix A, B;
    GrB_Vector x, y;
    assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, n, n), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_build_FP64(A, row, col, val, 8, NULL), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&x, GrB_FP64, n), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&y, GrB_FP64, n), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_assign_FP64(x, NULL, NULL, 1, GrB_ALL, n, NULL), GrB_SUCCESS);
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
      /* on several processes it is determined before the first product, which may then use either
       * orientation; a single process compares its lists of rows and columns, once there are columns */
      const bool alone = Grid_size() == 1, found = symmetric && (!alone || step[k].forms & GRID_COLS);
      assert_int_equal(GrB_Matrix_set_INT32(A, step[k].direction, Grid_DIRECTION), GrB_SUCCESS);
      if (step[k].vxm)
        assert_int_equal(GrB_vxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, x, A, NULL), GrB_SUCCESS);
      else
        assert_int_equal(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL), GrB_SUCCESS);
      assert_int_equal(A->properties.symmetric, found);
      if (alone || !symmetric) {
        assert_int_equal(A->properties.forms, found ? GRID_ALL_FORMS : step[k].forms);
        assert_int_equal(grid_compressed_is_built(&A->block.by_col), (step[k].forms & GRID_COLS) != 0);
      }
      double sum;
      assert_int_equal(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, y, NULL), GrB_SUCCESS);
      assert_true(sum == (symmetric ? 20 : 21));
    }
    assert_int_equal(GrB_Matrix_dup(&B, A), GrB_SUCCESS);
    assert_int_equal(B->properties.forms, A->properties.forms);
    assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, 99, 99), GrB_SUCCESS);
    assert_int_equal(GrB_Matrix_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
    assert_int_equal(A->properties.forms, 0);
    GrB_Matrix_free(&A), GrB_Matrix_free(&B), GrB_Vector_free(&x), GrB_Vector_free(&y);
  }
}

static void tune_degree_order(uint64_t bytes, uint64_t pulls, uint64_t tries) {
  grid_tune.degree_order_bytes = bytes, grid_tune.degree_order_pulls = pulls;
  grid_tune.degree_order_share = 0.3, grid_tune.degree_order_tries = tries;
  grid_tune.degree_order_time_ratio = 0;
}

/* Degree order changes no bit of any sum; it is dropped when pulls with it are not faster. */
static void degree_ordered(void **state) {
  enum { SIDE = 500, MANY = 9000 };
  static GrB_Index row[MANY], col[MANY], at[2][SIDE], n[2];
  static double val[MANY], sum[2][SIDE];
  const grid_tuning usual = grid_tune;
  GrB_Matrix A;
  GrB_Vector x, y;
  for (int k = 0; k < MANY; k++) {
    row[k] = draw(SIDE), col[k] = draw(2) ? draw(20) * 20 : draw(SIDE);
    val[k] = (double)draw(1 << 20) / 977;
  }
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, SIDE, SIDE), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_build_FP64(A, row, col, val, MANY, GrB_PLUS_FP64), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(A, Grid_DIRECTION_PULL, Grid_DIRECTION), GrB_SUCCESS);
  for (int full = 0; full < 2; full++) {
    assert_int_equal(GrB_Vector_new(&x, GrB_FP64, SIDE), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&y, GrB_FP64, SIDE), GrB_SUCCESS);
    for (GrB_Index k = 0; k < SIDE; k += 2 - (GrB_Index)full)
      assert_int_equal(GrB_Vector_setElement_FP64(x, (double)draw(1 << 20) / 31, k), GrB_SUCCESS);
    for (int with = 0; with < 2; with++) {
      tune_degree_order(with ? 1 : UINT64_MAX, 0, 0);
      assert_int_equal(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL), GrB_SUCCESS);
      const grid_degree_order *r = A->block.by_row.ranks;
      assert_true(!r || !r->idx || with || full);
      if (with && Grid_size() == 1 && !grid_tune.force_pages) assert_true(r && r->idx && !r->refused);
      n[with] = SIDE;
      assert_int_equal(Grid_Vector_extractLocal(at[with], sum[with], &n[with], y), GrB_SUCCESS);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(sum[0], sum[1], n[0] * sizeof(double));
    GrB_Vector_free(&x), GrB_Vector_free(&y);
  }
  assert_int_equal(GrB_Vector_new(&x, GrB_FP64, SIDE), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_assign_FP64(x, NULL, NULL, 1, GrB_ALL, SIDE, NULL), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_setElement_FP64(x, 2, 7), GrB_SUCCESS);
  tune_degree_order(1, 1, 2);
  for (int k = 0; k < 6; k++) { /* of another use, which starts again; the degree order existed before */
    assert_int_equal(GrB_mxv(x, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, A, x, NULL), GrB_SUCCESS);
  }
  assert_int_equal(GrB_Matrix_setElement_FP64(A, 1, 3, 3), GrB_SUCCESS); /* built anew */
  for (int k = 0; k < 6; k++) {
    assert_int_equal(GrB_mxv(x, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, A, x, NULL), GrB_SUCCESS);
    const grid_degree_order *r = A->block.by_row.ranks;
    if (Grid_size() > 1 || !r) continue;
    assert_int_equal(r->idx != NULL, k == 1);
    assert_int_equal(r->refused, k > 1);
  }
  grid_tune = usual;
  GrB_Matrix_free(&A), GrB_Vector_free(&x);
}

/* On the device u keeps its own type: true as an operand of another type is that type's 1. */
static void structural_value(void **state) {
  GrB_Matrix A;
  GrB_Vector x;
  assert_int_equal(GrB_Matrix_new(&A, GrB_FP64, 8, 8), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&x, GrB_BOOL, 8), GrB_SUCCESS);
  const uint64_t P = (uint64_t)Grid_size();
  const GrB_Semiring of[] = {GrB_MIN_SECOND_SEMIRING_FP64, GrB_MIN_SECOND_SEMIRING_FP32,
                             GrB_MAX_SECOND_SEMIRING_INT64, GrB_MAX_SECOND_SEMIRING_UINT8};
  for (int truth = 0; truth < 2; truth++)
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
      assert_int_equal(GrB_Vector_assign_BOOL(x, NULL, NULL, truth, GrB_ALL, 8, NULL), GrB_SUCCESS);
      grid_product p = {.A = A, .s = of[k], .x = &x->chunk, .values.uses_x = true, .where = GRID_ON_DEVICE};
      p.n.chunks = p.n.iso_chunks = P;
      p.n.true_chunks = truth ? P : 0;
      const double wanted = truth;
      double got = -1;
      grid_find_structural(&p);
      assert_true(p.values.structural);
      grid_cast_array(&got, GrB_FP64, p.values.constant, of[k]->mul->z, 1, 1);
      assert_memory_equal(&got, &wanted, sizeof got);
    }
  GrB_Matrix_free(&A), GrB_Vector_free(&x);
}

static int start(void **state) {
  if (start_on_shape(state) != 0) return 1;
  make_operators();
  return 0;
}

static int stop(void **state) {
  free_operators();
  return stop_on_shape(state);
}

MAIN_ON_SHAPES(start, stop, cmocka_unit_test(tiny_cases), cmocka_unit_test(small_cases),
               cmocka_unit_test(short_hypersparse), cmocka_unit_test(wider_than_32_bits),
               cmocka_unit_test(huge), cmocka_unit_test(mixed_types), cmocka_unit_test(same_shape_other_ids),
               cmocka_unit_test(split_of_a_large_graph), cmocka_unit_test(structural_value),
               cmocka_unit_test(forms), cmocka_unit_test(columns_before_a_split),
               cmocka_unit_test(degree_ordered))
