/* The CPU against the CUDA backend where rows and columns go to other places: extract and assign by lists of
 * indices, a value in a region, resize, diagonals of few entries, Kronecker products. As unit_cuda.c
 * (two_sides.h tells how, and the settings in the environment).
 *
 *   unit_cuda_region [TEST] */
/* not all that the headers offer is wanted here */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "drawn.h"
#include "semiring/mem.h"
#include "spmat/device/device.h"

enum { LONG_LIST = 8192 };

static graph drawn;
static bool even; /* no block is hypersparse: nothing is left to the CPU */

/* ---- what is drawn ------------------------------------------------------------------------------------- */

static GrB_Index draw_side(void) {
  return even ? 150 + draw(150) : one_in(20) ? 1 + draw(2000) : 1 + draw(200);
}

static GrB_Type draw_type(void) {
  enum { TYPES = 7 };
  const GrB_Type all[TYPES] = {GrB_BOOL, GrB_INT8, GrB_UINT16, GrB_INT32, GrB_INT64, GrB_FP32, GrB_FP64};
  return all[draw(TYPES)];
}

static GrB_BinaryOp draw_binary(void) {
  enum { BINARIES = 9 };
  const GrB_BinaryOp all[BINARIES] = {GrB_PLUS_INT32, GrB_MINUS_FP64,  GrB_TIMES_INT64,
                                      GrB_FIRST_FP32, GrB_SECOND_INT8, GrB_MIN_INT32,
                                      GrB_LOR,        GrB_ONEB_INT16,  GrB_LT_FP64};
  return all[draw(BINARIES)];
}

static GrB_Matrix draw_matrix(GrB_Type t, GrB_Index nrows, GrB_Index ncols) {
  const char *form;
  draw_graph(&drawn, nrows, ncols);
  if (even) {
    drawn.mirror = false, drawn.given = 0;
    for (GrB_Index r = 0; r < nrows; r++)
      for (int k = 0; k < 6; k++) give(&drawn, r, draw(ncols));
    settle(&drawn);
  }
  return matrix_of(&drawn, t, NUMBERS, &form);
}

static const struct {
  const GrB_Descriptor *d;
  const char *name;
  bool first, second; /* transposed */
} descriptors[] = {{NULL, "none", false, false},        {NULL, "none", false, false},
                   {&GrB_DESC_R, "R", false, false},    {&GrB_DESC_C, "C", false, false},
                   {&GrB_DESC_S, "S", false, false},    {&GrB_DESC_RSC, "RSC", false, false},
                   {&GrB_DESC_RC, "RC", false, false},  {&GrB_DESC_T0, "T0", true, false},
                   {&GrB_DESC_RT0, "RT0", true, false}, {&GrB_DESC_SCT0, "SCT0", true, false},
                   {&GrB_DESC_T1, "T1", false, true},   {&GrB_DESC_RT0T1, "RT0T1", true, true}};
enum { DESCRIPTORS = sizeof descriptors / sizeof *descriptors };

/* An output with what goes with it. */
typedef struct {
  GrB_Matrix C, mask;
  GrB_Type type;
  GrB_BinaryOp accum;
  int d;
} output;

static output draw_output(GrB_Type t, GrB_Index nrows, GrB_Index ncols, int d) {
  output o = {.type = t, .d = d};
  o.C = draw_matrix(t, nrows, ncols);
  if (one_in(2)) o.mask = draw_matrix(one_in(2) ? GrB_BOOL : GrB_FP32, nrows, ncols);
  if (one_in(3)) o.accum = t == user[1].three ? user[1].plus : draw_binary();
  return o;
}

static GrB_Descriptor descriptor_of(const output *o) {
  return descriptors[o->d].d ? *descriptors[o->d].d : NULL;
}

static void tell(const char *call, const output *o, const char *more) {
  GrB_Index nrows = 0, ncols = 0;
  OK(GrB_Matrix_nrows(&nrows, o->C)), OK(GrB_Matrix_ncols(&ncols, o->C));
  now_doing("%s, %s %llu x %llu, mask %s, accum %s, descriptor %s, %s", call, grid_type_name(o->type),
            (unsigned long long)nrows, (unsigned long long)ncols, o->mask ? "yes" : "no",
            o->accum && o->accum->name ? o->accum->name
            : o->accum                 ? "user"
                                       : "none",
            descriptors[o->d].name, more);
}

static int64_t fallen(void) {
  const char *text;
  uint64_t count, sum = 0;
  for (int k = 0; (text = Grid_fallback(k, &count)); k++) sum += count;
  return (int64_t)sum;
}
static int64_t fallen_before;

/* Looks at the output and frees it. */
static void end(output *o) {
  const bool stays = even && Grid_size() == 1 && !wandering && o->type != user[0].three;
  if (stays) saw_number("done by the CPU", cpu_only || side == 0 ? 0 : fallen() - fallen_before);
  saw_matrix("C", EXACT, o->C, o->type);
  OK(GrB_Matrix_free(&o->C));
  if (o->mask) OK(GrB_Matrix_free(&o->mask));
}

static void begin(void) {
  even = one_in(3);
}

/* ---- lists --------------------------------------------------------------------------------------------- */

typedef struct {
  const GrB_Index *at;
  GrB_Index n;
  const char *form;
} list;

/* Of the indices below dim: all, a range, some in order or not, or (repeats) any. */
static list draw_list(GrB_Index *room, GrB_Index dim, bool repeats) {
  static const char *const names[] = {"all", "range", "ascending", "shuffled", "any"};
  const int kind = (int)draw(repeats ? 5 : 4);
  list l = {.at = room, .form = names[kind]};
  const GrB_Index first = draw(dim), share = 1 + draw(4);
  if (kind == 0) return (list){GrB_ALL, dim, names[0]};
  if (kind == 1) l.n = 1 + draw(dim - first);
  for (GrB_Index k = 0; kind == 1 && k < l.n; k++) room[k] = first + k;
  for (GrB_Index k = 0; kind > 1 && k < dim; k++)
    if (one_in(share) || (k + 1 == dim && l.n == 0)) room[l.n++] = kind == 4 ? draw(dim) : k;
  for (GrB_Index k = l.n; kind == 3 && k-- > 1;) {
    const GrB_Index m = draw(k + 1), t = room[k];
    room[k] = room[m], room[m] = t;
  }
  return l;
}

static GrB_Index rooms[2][LONG_LIST];

/* ---- programs ------------------------------------------------------------------------------------------ */

static void extracts(void) {
  begin();
  const bool udt = !even && one_in(6);
  const int d = (int)draw(DESCRIPTORS);
  const GrB_Index nrows = draw_side(), ncols = draw_side();
  const list I = draw_list(rooms[0], nrows, true), J = draw_list(rooms[1], ncols, true);
  const GrB_Type t = udt ? user[1].three : draw_type();
  GrB_Matrix A = descriptors[d].first ? draw_matrix(t, ncols, nrows) : draw_matrix(t, nrows, ncols);
  output o = draw_output(udt || one_in(2) ? t : draw_type(), I.n, J.n, d);
  char more[100];
  snprintf(more, sizeof more, "I %s, J %s of %llu x %llu", I.form, J.form, (unsigned long long)nrows,
           (unsigned long long)ncols);
  tell("extract", &o, more);
  wander();
  fallen_before = fallen();
  OK(GrB_Matrix_extract(o.C, o.mask, o.accum, A, I.at, I.n, J.at, J.n, descriptor_of(&o)));
  end(&o);
  OK(GrB_Matrix_free(&A));
}

static void assigns(void) {
  begin();
  const bool udt = !even && one_in(6);
  const int d = (int)draw(DESCRIPTORS);
  const GrB_Index nrows = draw_side(), ncols = draw_side();
  const list I = draw_list(rooms[0], nrows, false), J = draw_list(rooms[1], ncols, false);
  const GrB_Type t = udt ? user[1].three : draw_type();
  GrB_Matrix A = descriptors[d].first ? draw_matrix(t, J.n, I.n) : draw_matrix(t, I.n, J.n);
  output o = draw_output(udt || one_in(2) ? t : draw_type(), nrows, ncols, d);
  char more[100];
  snprintf(more, sizeof more, "I %s %llu, J %s %llu", I.form, (unsigned long long)I.n, J.form,
           (unsigned long long)J.n);
  tell("assign", &o, more);
  wander();
  fallen_before = fallen();
  OK(GrB_Matrix_assign(o.C, o.mask, o.accum, A, I.at, I.n, J.at, J.n, descriptor_of(&o)));
  end(&o);
  OK(GrB_Matrix_free(&A));
}

/* A value, or none, in all places of a region; indices may repeat. */
static void values_assigned(void) {
  begin();
  const GrB_Index nrows = draw_side(), ncols = draw_side();
  const list I = draw_list(rooms[0], nrows, true), J = draw_list(rooms[1], ncols, true);
  const bool none = one_in(6);
  output o = draw_output(draw_type(), nrows, ncols, (int)draw(DESCRIPTORS));
  const int32_t x = (int32_t)draw(100) - 3;
  GrB_Scalar s = NULL;
  char more[100];
  snprintf(more, sizeof more, "I %s %llu, J %s %llu, %s", I.form, (unsigned long long)I.n, J.form,
           (unsigned long long)J.n, none ? "nothing" : "a value");
  tell("assign a value", &o, more);
  wander();
  fallen_before = fallen();
  OK(GrB_Scalar_new(&s, GrB_INT32));
  if (none)
    OK(GrB_Matrix_assign_Scalar(o.C, o.mask, o.accum, s, I.at, I.n, J.at, J.n, descriptor_of(&o)));
  else
    OK(GrB_Matrix_assign_INT32(o.C, o.mask, o.accum, x, I.at, I.n, J.at, J.n, descriptor_of(&o)));
  OK(GrB_Scalar_free(&s));
  end(&o);
}

static void resizes(void) {
  begin();
  output o = {.type = one_in(6) ? user[1].three : draw_type()};
  o.C = draw_matrix(o.type, draw_side(), draw_side());
  fallen_before = fallen();
  for (int k = 0; k < 3; k++) {
    const GrB_Index nrows = draw_side(), ncols = draw_side();
    now_doing("resize %d of type %s to %llu x %llu", k, grid_type_name(o.type), (unsigned long long)nrows,
              (unsigned long long)ncols);
    wander();
    OK(GrB_Matrix_resize(o.C, nrows, ncols));
    if (o.type != user[1].three && !even && one_in(3))
      OK(GrB_Matrix_setElement_INT32(o.C, 7, nrows - 1, draw(ncols)));
    GrB_Matrix copy = NULL;
    OK(GrB_Matrix_dup(&copy, o.C));
    if (!even) saw_matrix("C", EXACT, copy, o.type);
    OK(GrB_Matrix_free(&copy));
  }
  end(&o);
}

static void kroneckers(void) {
  begin();
  const int d = (int)draw(DESCRIPTORS);
  const GrB_Index m = 1 + draw(40), n = 1 + draw(40), p = 1 + draw(30), q = 1 + draw(30);
  GrB_Matrix A = descriptors[d].first ? draw_matrix(draw_type(), n, m) : draw_matrix(draw_type(), m, n),
             B = descriptors[d].second ? draw_matrix(draw_type(), q, p) : draw_matrix(draw_type(), p, q);
  output o = draw_output(draw_type(), m * p, n * q, d);
  const GrB_BinaryOp op = draw_binary();
  tell("kronecker", &o, op->name);
  wander();
  fallen_before = fallen();
  OK(GrB_Matrix_kronecker_BinaryOp(o.C, o.mask, o.accum, op, A, B, descriptor_of(&o)));
  end(&o);
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&B));
}

static void diagonals(void) {
  begin();
  const char *form;
  const GrB_Index n = 1 + draw(3000);
  const int64_t by = (int64_t)draw(200) - 100;
  output o = {.type = draw_type()};
  GrB_Vector v = draw_vector(o.type, n, NUMBERS, &form);
  now_doing("diagonal %lld of %llu, %s", (long long)by, (unsigned long long)n, form);
  wander();
  fallen_before = fallen();
  OK(GrB_Matrix_diag(&o.C, v, by));
  end(&o);
  OK(GrB_Vector_free(&v));
}

static void places(void **state) {
  (void)state;
  run_rounds("extracts", 600, cpu_only ? 0.5 : 8, extracts);
  run_rounds("assigns", 600, cpu_only ? 0.5 : 8, assigns);
}

static void regions(void **state) {
  (void)state;
  run_rounds("values_assigned", 600, cpu_only ? 0.5 : 8, values_assigned);
  run_rounds("resizes", 300, cpu_only ? 0.5 : 5, resizes);
}

static void made(void **state) {
  (void)state;
  run_rounds("kroneckers", 300, cpu_only ? 0.5 : 8, kroneckers);
  run_rounds("diagonals", 100, cpu_only ? 0.5 : 2, diagonals);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static int start(void **state) {
  (void)state;
  make_user();
  return 0;
}

static int stop(void **state) {
  (void)state;
  free_user();
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(regions),
                                     cmocka_unit_test(made)};
  read_settings();
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const int begun = begin_sides(GrB_NONBLOCKING);
  if (begun) return begun;
  const int failed = cmocka_run_group_tests(tests, start, stop);
  return end_sides(failed);
}
