/* The CPU against the CUDA backend where rows and columns move. They are extract and assign by index lists, a
 * value in a region, resize, diagonals of few entries, indicator matrices, Kronecker products, single rows,
 * columns and entries, hypersparse blocks. Like unit_cuda.c (two_backends.h describes how, and the
 * environment variables).
 *
 *   unit_cuda_region [TEST] */
/* not all functions of the headers are used here */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "tests/random_objects.h"
#include "dist/matrix/matrix.h"
#include "dist/object/call_placement.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/device/device.h"

enum { LONG_LIST = 8192 };

static graph drawn;
static bool even; /* no block is hypersparse: nothing falls back to the CPU */

/* ---- what is drawn ------------------------------------------------------------------------------------- */

static GrB_Index draw_side(void) {
  return even ? 150 + draw(150) : draw_one_in(20) ? 1 + draw(2000) : 1 + draw(200);
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
    expand_tuples(&drawn);
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

/* An output with its mask, accumulator and descriptor. */
typedef struct {
  GrB_Matrix C, mask;
  GrB_Type type;
  GrB_BinaryOp accum;
  int d;
} output;

static output draw_output(GrB_Type t, GrB_Index nrows, GrB_Index ncols, int d) {
  output o = {.type = t, .d = d};
  o.C = draw_matrix(t, nrows, ncols);
  if (draw_one_in(2)) o.mask = draw_matrix(draw_one_in(2) ? GrB_BOOL : GrB_FP32, nrows, ncols);
  if (draw_one_in(3)) o.accum = t == user[1].three ? user[1].plus : draw_binary();
  return o;
}

static GrB_Descriptor descriptor_of(const output *o) {
  return descriptors[o->d].d ? *descriptors[o->d].d : NULL;
}

static void record_output(const char *call, const output *o, const char *more) {
  GrB_Index nrows = 0, ncols = 0;
  OK(GrB_Matrix_nrows(&nrows, o->C)), OK(GrB_Matrix_ncols(&ncols, o->C));
  set_current_call("%s, %s %llu x %llu, mask %s, accum %s, descriptor %s, %s", call, grid_type_name(o->type),
                   (unsigned long long)nrows, (unsigned long long)ncols, o->mask ? "yes" : "no",
                   accum_name(o->accum), descriptors[o->d].name, more);
}

static int64_t fallbacks_before;

/* Records the output and frees it. */
static void end(output *o) {
  int R, C;
  Grid_shape(&R, &C);
  const bool moves_on_cpu = grid_tune.uneven_partition && C > 1, /* docs/limits.md */
      on_device = even && !wandering && !moves_on_cpu && o->type != user[0].three && o->type != user[1].three;
  if (on_device)
    record_number("done by the CPU", cpu_only || side == 0 ? 0 : count_fallbacks() - fallbacks_before);
  record_matrix("C", EXACT, o->C, o->type);
  OK(GrB_Matrix_free(&o->C));
  if (o->mask) OK(GrB_Matrix_free(&o->mask));
}

static void begin(void) {
  even = draw_one_in(3);
}

/* ---- lists --------------------------------------------------------------------------------------------- */

typedef struct {
  const GrB_Index *at;
  GrB_Index n;
  const char *form;
} list;

/* Of the indices below dim: all, a range, some in order or not, or (repeats) any. */
static list draw_list(GrB_Index *capacity, GrB_Index dim, bool repeats) {
  static const char *const names[] = {"all", "range", "ascending", "shuffled", "any"};
  const int kind = (int)draw(repeats ? 5 : 4);
  list l = {.at = capacity, .form = names[kind]};
  const GrB_Index first = draw(dim), share = 1 + draw(4);
  if (kind == 0) return (list){GrB_ALL, dim, names[0]};
  if (kind == 1) l.n = 1 + draw(dim - first);
  for (GrB_Index k = 0; kind == 1 && k < l.n; k++) capacity[k] = first + k;
  for (GrB_Index k = 0; kind > 1 && k < dim; k++)
    if (draw_one_in(share) || (k + 1 == dim && l.n == 0)) capacity[l.n++] = kind == 4 ? draw(dim) : k;
  for (GrB_Index k = l.n; kind == 3 && k-- > 1;) {
    const GrB_Index m = draw(k + 1), t = capacity[k];
    capacity[k] = capacity[m], capacity[m] = t;
  }
  return l;
}

static GrB_Index buffers[2][LONG_LIST];

/* ---- programs ------------------------------------------------------------------------------------------ */

static void extracts(void) {
  begin();
  const bool udt = !even && draw_one_in(6);
  const int d = (int)draw(DESCRIPTORS);
  const GrB_Index nrows = draw_side(), ncols = draw_side();
  const list I = draw_list(buffers[0], nrows, true), J = draw_list(buffers[1], ncols, true);
  const GrB_Type t = udt ? user[1].three : draw_type();
  GrB_Matrix A = descriptors[d].first ? draw_matrix(t, ncols, nrows) : draw_matrix(t, nrows, ncols);
  output o = draw_output(udt || draw_one_in(2) ? t : draw_type(), I.n, J.n, d);
  char more[100];
  snprintf(more, sizeof more, "I %s, J %s of %llu x %llu", I.form, J.form, (unsigned long long)nrows,
           (unsigned long long)ncols);
  record_output("extract", &o, more);
  change_device();
  fallbacks_before = count_fallbacks();
  OK(GrB_Matrix_extract(o.C, o.mask, o.accum, A, I.at, I.n, J.at, J.n, descriptor_of(&o)));
  end(&o);
  OK(GrB_Matrix_free(&A));
}

static void assigns(void) {
  begin();
  const bool udt = !even && draw_one_in(6);
  const int d = (int)draw(DESCRIPTORS);
  const GrB_Index nrows = draw_side(), ncols = draw_side();
  const list I = draw_list(buffers[0], nrows, false), J = draw_list(buffers[1], ncols, false);
  const GrB_Type t = udt ? user[1].three : draw_type();
  GrB_Matrix A = descriptors[d].first ? draw_matrix(t, J.n, I.n) : draw_matrix(t, I.n, J.n);
  output o = draw_output(udt || draw_one_in(2) ? t : draw_type(), nrows, ncols, d);
  char more[100];
  snprintf(more, sizeof more, "I %s %llu, J %s %llu", I.form, (unsigned long long)I.n, J.form,
           (unsigned long long)J.n);
  record_output("assign", &o, more);
  change_device();
  fallbacks_before = count_fallbacks();
  OK(GrB_Matrix_assign(o.C, o.mask, o.accum, A, I.at, I.n, J.at, J.n, descriptor_of(&o)));
  end(&o);
  OK(GrB_Matrix_free(&A));
}

/* A value, or none, at all positions of a region; indices may repeat. */
static void values_assigned(void) {
  begin();
  const GrB_Index nrows = draw_side(), ncols = draw_side();
  const list I = draw_list(buffers[0], nrows, true), J = draw_list(buffers[1], ncols, true);
  const bool none = draw_one_in(6);
  output o = draw_output(draw_type(), nrows, ncols, (int)draw(DESCRIPTORS));
  const int32_t x = (int32_t)draw(100) - 3;
  GrB_Scalar s = NULL;
  char more[100];
  snprintf(more, sizeof more, "I %s %llu, J %s %llu, %s", I.form, (unsigned long long)I.n, J.form,
           (unsigned long long)J.n, none ? "nothing" : "a value");
  record_output("assign a value", &o, more);
  change_device();
  fallbacks_before = count_fallbacks();
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
  output o = {.type = draw_one_in(6) ? user[1].three : draw_type()};
  o.C = draw_matrix(o.type, draw_side(), draw_side());
  fallbacks_before = count_fallbacks();
  for (int k = 0; k < 3; k++) {
    const GrB_Index nrows = draw_side(), ncols = draw_side();
    set_current_call("resize %d of type %s to %llu x %llu", k, grid_type_name(o.type),
                     (unsigned long long)nrows, (unsigned long long)ncols);
    change_device();
    OK(GrB_Matrix_resize(o.C, nrows, ncols));
    if (o.type != user[1].three && !even && draw_one_in(3))
      OK(GrB_Matrix_setElement_INT32(o.C, 7, nrows - 1, draw(ncols)));
    GrB_Matrix copy = NULL;
    OK(GrB_Matrix_dup(&copy, o.C));
    if (!even) record_matrix("C", EXACT, copy, o.type);
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
  record_output("kronecker", &o, op->name);
  change_device();
  fallbacks_before = count_fallbacks();
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
  set_current_call("diagonal %lld of %llu, %s", (long long)by, (unsigned long long)n, form);
  change_device();
  fallbacks_before = count_fallbacks();
  OK(GrB_Matrix_diag(&o.C, v, by));
  end(&o);
  OK(GrB_Vector_free(&v));
}

/* Entries where a vector of any integers points, at times a wrong index among them. */
static void indicators(void) {
  begin();
  const GrB_Type integers[] = {GrB_INT64, GrB_UINT64, GrB_INT32, GrB_UINT32,
                               GrB_INT16, GrB_UINT16, GrB_INT8,  GrB_UINT8};
  const GrB_Index n = 1 + draw(3000), ncols = 1 + draw(draw_one_in(2) ? 100 : 3000), at = draw(n);
  const bool iso = draw_one_in(5), wrong = draw_one_in(6);
  const uint64_t sparse = even ? 1 + draw(4) : 1 + draw(40), kind = draw(ncols > 127 ? 6 : 8),
                 one = draw(ncols);
  static GrB_Index row[LONG_LIST], col[LONG_LIST];
  GrB_Index m = 0, first, share;
  output o = {.type = draw_type()};
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, integers[kind], n));
  OK(Grid_local_range(n, &first, &share));
  for (GrB_Index k = 0; k < n; k++) {
    const GrB_Index c = iso ? one : draw(ncols);
    if (!draw_one_in(sparse) || k < first || k >= first + share) continue;
    row[m] = k, col[m++] = c;
  }
  if (iso && draw_one_in(2))
    OK(GrB_Vector_assign_UINT64(v, NULL, NULL, one, GrB_ALL, n, NULL));
  else
    OK(Grid_Vector_build(v, row, col, GrB_UINT64, m, NULL));
  if (wrong) OK(GrB_Vector_setElement_INT64(v, draw_one_in(2) && kind % 2 == 0 ? -1 : (int64_t)ncols, at));
  set_current_call("points %s, %llu x %llu, one in %llu%s%s", integers[kind]->name, (unsigned long long)n,
                   (unsigned long long)ncols, (unsigned long long)sparse, iso ? ", iso" : "",
                   wrong ? ", wrong" : "");
  OK(GrB_Matrix_new(&o.C, o.type, n, ncols));
  change_device();
  fallbacks_before = count_fallbacks();
  MAY(Grid_Matrix_indicator(o.C, v));
  end(&o);
  OK(GrB_Vector_free(&v));
}

/* A row or a column as a vector, and back. */
static void rows_and_columns(void) {
  begin();
  const bool udt = !even && draw_one_in(6), row = draw_one_in(2);
  const GrB_Index nrows = draw_side(), ncols = draw_side(), n = row ? ncols : nrows,
                  v = draw(row ? nrows : ncols);
  const GrB_Type t = udt ? user[1].three : draw_type();
  const list I = draw_list(buffers[0], n, true), J = draw_list(buffers[1], n, false);
  const char *form;
  output o = {.type = t, .C = draw_matrix(t, nrows, ncols), .d = (int)draw(7)};
  const GrB_Descriptor d = descriptor_of(&o),
                       transposed = row ? d == GrB_DESC_R ? GrB_DESC_RT0 : GrB_DESC_T0 : d;
  GrB_Vector w = draw_vector(t, I.n, NUMBERS, &form), u = draw_vector(t, J.n, NUMBERS, &form), mask = NULL;
  if (draw_one_in(2)) mask = draw_vector(GrB_BOOL, n, NUMBERS, &form);
  if (draw_one_in(3) && !udt) o.accum = draw_binary();
  char more[100];
  snprintf(more, sizeof more, "%s %llu, I %s, J %s, u %s", row ? "row" : "column", (unsigned long long)v,
           I.form, J.form, form);
  record_output("line", &o, more);
  change_device();
  fallbacks_before = count_fallbacks();
  OK(GrB_Col_extract(w, NULL, o.accum, o.C, I.at, I.n, v, transposed));
  change_device();
  for (int k = 0; k < 2; k++) {
    if (row)
      OK(GrB_Row_assign(o.C, mask, o.accum, u, v, J.at, J.n, d));
    else
      OK(GrB_Col_assign(o.C, mask, o.accum, u, J.at, J.n, v, d));
  }
  record_entries("w", EXACT, w, t);
  end(&o);
  OK(GrB_Vector_free(&w)), OK(GrB_Vector_free(&u));
  if (mask) OK(GrB_Vector_free(&mask));
}

/* Lines are read one by one. After some the host has a copy of the block on the device, and reads there until
 * an entry changes. */
static void lines_read(void) {
  begin();
  const uint64_t before[] = {grid_tune.device_vector_min, grid_tune.device_matrix_min};
  const bool row = draw_one_in(2);
  const GrB_Index nrows = draw_side(), ncols = draw_side(), n = row ? ncols : nrows;
  const GrB_Type t = draw_type();
  GrB_Matrix A = draw_matrix(t, nrows, ncols);
  GrB_Vector w;
  grid_tune.device_vector_min = n + 1, grid_tune.device_matrix_min = 1;
  set_current_call("%s of %llu x %llu", row ? "rows" : "columns", (unsigned long long)nrows,
                   (unsigned long long)ncols);
  OK(GrB_Vector_new(&w, t, n));
  change_device();
  uint64_t on_host = 0;
  for (int k = 0; k < 120; k++) {
    const GrB_Index i = draw(nrows), j = draw(ncols);
    OK(GrB_Col_extract(w, NULL, NULL, A, GrB_ALL, n, row ? i : j, row ? GrB_DESC_T0 : NULL));
    record_entries("w", EXACT, w, t);
    if (k == 40) on_host = grid_placed.host;
    if (k == 80 && A->block.device && Grid_size() == 1 && !wandering)
      errors += !A->cached.lines.copied || grid_placed.host < on_host + 20;
    if (k < 80) continue;
    if (draw_one_in(30)) OK(GrB_Matrix_setElement_INT64(A, (int64_t)draw(100), i, j));
    if (draw_one_in(30)) OK(GrB_Matrix_removeElement(A, i, j));
    if (draw_one_in(30)) OK(GrB_Matrix_apply(A, NULL, NULL, GrB_IDENTITY_INT8, A, NULL));
    if (draw_one_in(30)) change_device();
  }
  grid_tune.device_vector_min = before[0], grid_tune.device_matrix_min = before[1];
  OK(GrB_Matrix_free(&A)), OK(GrB_Vector_free(&w));
}

/* Single entries are set, removed and read, with occasional operations that need them merged. */
static void elements(void) {
  begin();
  const GrB_Index nrows = draw_side(), ncols = draw_side();
  output o = {.type = draw_type()};
  o.C = draw_matrix(o.type, nrows, ncols);
  if (draw_one_in(6)) OK(GrB_Matrix_clear(o.C));
  record_output("elements", &o, "");
  change_device();
  fallbacks_before = count_fallbacks();
  for (int k = 0; k < 40; k++) {
    const GrB_Index i = draw(nrows), j = draw(ncols);
    const int what = (int)draw(8);
    int64_t x = -1;
    GrB_Index n = 0;
    if (what < 3) OK(GrB_Matrix_setElement_INT64(o.C, (int64_t)draw(100), i, j));
    if (what == 3) OK(GrB_Matrix_removeElement(o.C, i, j));
    if (what > 3 && what < 7) {
      record_number("there", MAY(GrB_Matrix_extractElement_INT64(&x, o.C, i, j)));
      record_number("element", x);
    }
    if (what == 7) OK(GrB_Matrix_nvals(&n, o.C));
    if (what == 7 && draw_one_in(2)) OK(GrB_Matrix_apply(o.C, NULL, NULL, GrB_AINV_INT64, o.C, NULL));
    record_number("entries", (int64_t)n);
  }
  if (draw_one_in(4))
    for (int k = 0; k < 100; k++) { /* some are fetched one by one, many from the host */
      int64_t x = -1;
      MAY(GrB_Matrix_extractElement_INT64(&x, o.C, draw(nrows), draw(ncols)));
      record_number("element", x);
    }
  end(&o);
}

/* Dimensions with most rows or columns empty, of any length: built, read, multiplied. */
static void long_ones(void) {
  enum { MOST = 300 };
  even = false;
  const GrB_Type t = draw_type();
  const GrB_Index n = UINT64_C(1) << (10 + draw(20)), many = 1 + draw(MOST);
  GrB_Index row[MOST], col[MOST];
  int32_t val[MOST];
  GrB_Matrix A = NULL, copy = NULL;
  GrB_Vector w = NULL, u = NULL;
  const bool mirror = draw_one_in(2), one = draw_one_in(3), twice = draw_one_in(6);
  for (GrB_Index k = 0; k < many; k++) {
    row[k] = draw_one_in(4) ? draw(30) : draw(n), col[k] = draw_one_in(4) ? draw(30) : draw(n);
    val[k] = (int32_t)draw(100);
  }
  set_current_call("%llu entries of %llu^2, mirror %d, one value %d", (unsigned long long)many,
                   (unsigned long long)n, mirror, one);
  OK(GrB_Matrix_new(&A, t, n, n));
  if (one)
    OK(Grid_Matrix_build(A, row, col, NULL, NULL, Grid_rank() ? 0 : many, NULL, mirror ? Grid_MIRROR : 0));
  else if (t == GrB_INT32)
    MAY(GrB_Matrix_build_INT32(A, row, col, val, many, twice ? NULL : GrB_PLUS_INT32));
  else
    OK(GrB_Matrix_build_INT32(A, row, col, val, many, GrB_MAX_INT32));
  record_matrix("A", EXACT, A, t);
  change_device();
  OK(GrB_Matrix_dup(&copy, A));
  OK(GrB_transpose(copy, NULL, t == GrB_BOOL ? GrB_LOR : GrB_FIRST_INT64, A, NULL));
  record_matrix("copy", EXACT, copy, t);
  if (n <= UINT64_C(1) << 24) {
    OK(GrB_Vector_new(&u, GrB_INT64, n)), OK(GrB_Vector_new(&w, GrB_INT64, n));
    OK(GrB_Vector_assign_INT64(u, NULL, NULL, 2, GrB_ALL, n, NULL));
    OK(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, u, NULL));
    record_entries("w", EXACT, w, GrB_INT64);
    OK(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
    record_entries("w", EXACT, w, GrB_INT64);
    OK(GrB_Vector_free(&u)), OK(GrB_Vector_free(&w));
  }
  OK(GrB_Matrix_free(&A)), OK(GrB_Matrix_free(&copy));
}

static void single(void **state) {
  run_rounds("rows_and_columns", 400, cpu_only ? 0.5 : 6, rows_and_columns);
  run_rounds("lines_read", 100, cpu_only ? 0.5 : 3, lines_read);
  run_rounds("elements", 200, cpu_only ? 0.5 : 5, elements);
  run_rounds("long_ones", 200, cpu_only ? 0.5 : 6, long_ones);
}

static void positions(void **state) {
  run_rounds("extracts", 600, cpu_only ? 0.5 : 8, extracts);
  run_rounds("assigns", 600, cpu_only ? 0.5 : 8, assigns);
}

static void regions(void **state) {
  run_rounds("values_assigned", 600, cpu_only ? 0.5 : 8, values_assigned);
  run_rounds("resizes", 300, cpu_only ? 0.5 : 5, resizes);
}

static void created_matrices(void **state) {
  run_rounds("kroneckers", 300, cpu_only ? 0.5 : 8, kroneckers);
  run_rounds("diagonals", 100, cpu_only ? 0.5 : 2, diagonals);
  run_rounds("indicators", 300, cpu_only ? 0.5 : 4, indicators);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static int start(void **state) {
  make_user();
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(positions), cmocka_unit_test(regions),
                                     cmocka_unit_test(created_matrices), cmocka_unit_test(single)};
  read_settings();
  RUN_SIDES(tests, start, GrB_NONBLOCKING, argc > 1 ? argv[1] : NULL);
}
