/* Products with a full x of which only the inputs that blocks name are sent
 * (dist/product/exchange/update_set.h), on every grid shape. Results are the same as with all of x, bytes are
 * fewer, and sets follow changes of the matrix, of its partition and of the shape of x. */
#include <stdlib.h>
#include <string.h>

#include "dist/comm/transport/machines/transport_two_level.h"
#include "dist/matrix/matrix.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"
#include "tests/assert_all.h"

#define OK(call) assert_on_all((call) == GrB_SUCCESS)

enum { ROWS = 2900, COLS = 3300, PRODUCTS = 4 };

/* ---- operands ---- */

typedef struct {
  double v[3];
} triple;
static GrB_Type triple_type;
static GrB_BinaryOp triple_plus, triple_second;
static GrB_Monoid triple_monoid;
static GrB_Semiring triple_semiring;

static void plus_of_triples(void *z, const void *x, const void *y) {
  triple a, b;
  memcpy(&a, x, sizeof a);
  memcpy(&b, y, sizeof b);
  for (int k = 0; k < 3; k++) a.v[k] += b.v[k];
  memcpy(z, &a, sizeof a);
}
static void second_triple(void *z, const void *x, const void *y) {
  (void)x;
  memcpy(z, y, sizeof(triple));
}

static void make_operators(void) {
  const triple zero = {{0}};
  OK(GrB_Type_new(&triple_type, sizeof(triple)));
  OK(GrB_BinaryOp_new(&triple_plus, plus_of_triples, triple_type, triple_type, triple_type));
  OK(GrB_BinaryOp_new(&triple_second, second_triple, triple_type, GrB_INT32, triple_type));
  OK(GrB_Monoid_new_UDT(&triple_monoid, triple_plus, &zero));
  OK(GrB_Semiring_new(&triple_semiring, triple_monoid, triple_second));
}

static void free_operators(void) {
  GrB_Semiring_free(&triple_semiring);
  GrB_Monoid_free(&triple_monoid);
  GrB_BinaryOp_free(&triple_plus), GrB_BinaryOp_free(&triple_second);
  GrB_Type_free(&triple_type);
}

/* A thin band and a few entries anywhere; or, with `band` 0, entries anywhere. */
static GrB_Matrix draw_matrix(GrB_Index rows, GrB_Index cols, uint64_t band, uint64_t entries) {
  GrB_Index *r = malloc(entries * sizeof *r), *c = malloc(entries * sizeof *c), n = 0;
  int32_t *v = malloc(entries * sizeof *v);
  GrB_Matrix A;
  for (uint64_t k = 0; k < entries; k++) {
    const uint64_t row = draw(rows), in_band = row * (cols - 1) / rows + draw(band + 1),
                   col = band == 0 || draw_one_in(60) ? draw(cols)
                         : in_band < cols             ? in_band
                                                      : cols - 1;
    const int32_t value = (int32_t)draw(50) - 20;
    if (k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    r[n] = row, c[n] = col, v[n++] = value;
  }
  OK(GrB_Matrix_new(&A, GrB_INT32, rows, cols));
  OK(Grid_Matrix_build(A, r, c, v, GrB_INT32, n, GrB_PLUS_INT32, 0));
  OK(GrB_Matrix_set_INT32(A, Grid_DELEGATES_OFF, Grid_DELEGATES));
  free(r), free(c), free(v);
  return A;
}

/* Of `percent` of the indices; of the type triple or one with numbers. */
static GrB_Vector draw_vector(GrB_Type type, GrB_Index n, uint64_t percent) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, type, n));
  for (GrB_Index k = 0; k < n; k++) {
    if (draw(100) >= percent) continue;
    const double x = (double)draw(1000) / 8 - 50;
    const triple t = {{x, x + 1, 2 * x}};
    if (type == triple_type)
      assert_int_equal(GrB_Vector_setElement_UDT(v, &t, k), GrB_SUCCESS);
    else
      assert_int_equal(GrB_Vector_setElement_FP64(v, x, k), GrB_SUCCESS);
  }
  OK(GrB_Vector_wait(v, GrB_MATERIALIZE));
  return v;
}

/* Have both vectors, of values of `size` bytes, the same bytes on this process? */
static bool is_same(GrB_Vector a, GrB_Vector b) {
  const grid_chunk *x = &a->chunk, *y = &b->chunk;
  const size_t size = x->type->size;
  if (x->nvals != y->nvals || x->type != y->type) return false;
  for (uint64_t k = 0; k < x->n; k++) {
    const void *v, *w;
    const bool in = grid_chunk_get(x, k, &v);
    if (in != grid_chunk_get(y, k, &w) || (in && memcmp(v, w, size) != 0)) return false;
  }
  return true;
}

/* ---- products ---- */

typedef struct {
  GrB_Semiring semiring;
  GrB_Type x, y;
  GrB_Matrix A;
  bool transposed, vxm, complement;
  int32_t direction;
  GrB_Vector mask; /* or NULL */
} call;

static uint64_t expand_bytes;
static void record(const Grid_Product *p, void *context) {
  (void)context;
  expand_bytes = p->expand_bytes;
}

static GrB_Info multiply(const call *c, GrB_Vector y, GrB_Vector x) {
  const GrB_Descriptor d = c->complement              ? (c->vxm          ? GrB_DESC_RSC
                                                         : c->transposed ? GrB_DESC_RSCT0
                                                                         : GrB_DESC_RSC)
                           : c->transposed && !c->vxm ? GrB_DESC_RT0
                                                      : GrB_DESC_R;
  Grid_trace(record, NULL);
  const GrB_Info info = c->vxm ? GrB_vxm(y, c->mask, NULL, c->semiring, x, c->A, d)
                               : GrB_mxv(y, c->mask, NULL, c->semiring, c->A, x, d);
  Grid_trace(NULL, NULL);
  return info;
}

/* Is M, as the library multiplies, the transpose of A? */
static bool is_transposed(const call *c) {
  return c->transposed || c->vxm;
}
static GrB_Index input_size(const call *c) {
  return is_transposed(c) ? c->A->nrows : c->A->ncols;
}
static GrB_Index output_size(const call *c) {
  return is_transposed(c) ? c->A->ncols : c->A->nrows;
}

/* Can an update set be used, if it pays? Not by one process, nor where the set reads x in shared memory. */
static bool can_use_sets(const call *c) {
  const grid_set set = is_transposed(c) ? GRID_SET_ROW : GRID_SET_COL;
  return grid_set_size(set) > 1 && !grid_mailbox_is_open(set);
}
static bool has_set(const call *c) {
  return c->A->cached.update_sets[is_transposed(c)].set != NULL;
}

/* y = the product with all of x. *bytes: what that sends. */
static GrB_Vector multiply_with_all(const call *c, GrB_Vector x, uint64_t *bytes) {
  const double usual = grid_tune.update_set_share;
  GrB_Vector y;
  call other = *c;
  OK(GrB_Matrix_dup(&other.A, c->A));
  OK(GrB_Matrix_set_INT32(other.A, c->direction, Grid_DIRECTION));
  OK(GrB_Vector_new(&y, c->y, output_size(c)));
  grid_tune.update_set_share = 0;
  for (int k = 0; k < 3; k++) OK(multiply(&other, y, x));
  *bytes = expand_bytes;
  assert_on_all(!has_set(&other));
  grid_tune.update_set_share = usual;
  OK(GrB_Matrix_free(&other.A));
  return y;
}

/* Each of several products is right, and the last ones send only what is named. */
static void check_products(const call *c, bool fewer) {
  GrB_Vector x = draw_vector(c->x, input_size(c), 100), y;
  uint64_t all;
  GrB_Vector want = multiply_with_all(c, x, &all);
  OK(GrB_Vector_new(&y, c->y, output_size(c)));
  OK(GrB_Matrix_set_INT32(c->A, c->direction, Grid_DIRECTION));
  for (int k = 0; k < PRODUCTS; k++) {
    OK(multiply(c, y, x));
    assert_on_all(is_same(y, want));
    assert_on_all(has_set(c) == (can_use_sets(c) && k > 0 && input_size(c) > 1)); /* one value: iso */
  }
  if (can_use_sets(c) && fewer && !grid_tune.uneven_partition) /* rows near the columns that they name */
    assert_on_all(expand_bytes > 0 && expand_bytes < all / 2);
  if (!can_use_sets(c)) assert_on_all(expand_bytes == all);
  GrB_Vector_free(&x), GrB_Vector_free(&y), GrB_Vector_free(&want);
}

static void forced(void **state) {
  const double usual = grid_tune.update_set_share;
  const struct {
    GrB_Semiring semiring;
    GrB_Type x, y;
  } kind[] = {
      {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, GrB_FP64},  {GxB_PLUS_SECOND_FP32, GrB_FP32, GrB_FP32},
      {GrB_MIN_PLUS_SEMIRING_INT32, GrB_INT32, GrB_INT64}, {GxB_MAX_SECOND_INT16, GrB_FP64, GrB_INT16},
      {GxB_LXOR_SECOND_BOOL, GrB_BOOL, GrB_BOOL},          {GxB_ANY_SECOND_INT64, GrB_INT64, GrB_INT64},
      {triple_semiring, triple_type, triple_type}};
  grid_tune.update_set_share = 2;
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
    for (int form = 0; form < 8; form++) {
      call c = {.semiring = kind[k].semiring,
                .x = kind[k].x,
                .y = kind[k].y,
                .A = draw_matrix(ROWS, COLS, form & 1 ? 9 : 0, form & 1 ? 9000 : 3000),
                .transposed = form >> 1 & 1,
                .complement = draw_one_in(2),
                .direction = form & 4 ? Grid_DIRECTION_PULL : Grid_DIRECTION_PUSH};
      /* the sums of a vxm by other operators would need other semirings */
      if (c.transposed && kind[k].semiring == GrB_PLUS_TIMES_SEMIRING_FP64)
        c.vxm = true, c.transposed = false;
      if (c.semiring == GxB_ANY_SECOND_INT64) { /* any result is right: rows of one entry have one */
        OK(GrB_Matrix_free(&c.A));
        c.A = draw_matrix(ROWS, COLS, 0, 1);
      }
      if (draw_one_in(2)) c.mask = draw_vector(GrB_BOOL, output_size(&c), 60);
      if (!c.mask) c.complement = false;
      check_products(&c, form & 1 && c.semiring != GxB_ANY_SECOND_INT64);
      GrB_Vector_free(&c.mask);
      OK(GrB_Matrix_free(&c.A));
    }
  grid_tune.update_set_share = usual;
}

/* Hypersparse axes, and dimensions with chunks that are empty. */
static void odd_shapes(void **state) {
  static const GrB_Index rows[] = {1 << 16, 300, 70, 1, 5}, cols[] = {1 << 16, 1 << 16, 65, 200, 1};
  const double usual = grid_tune.update_set_share;
  grid_tune.update_set_share = 2;
  for (int k = 0; k < 5; k++)
    for (int form = 0; form < 4; form++) {
      call c = {.semiring = GrB_PLUS_TIMES_SEMIRING_FP64,
                .x = GrB_FP64,
                .y = GrB_FP64,
                .A = draw_matrix(rows[k], cols[k], 0, 250),
                .transposed = form & 1,
                .direction = form & 2 ? Grid_DIRECTION_PULL : Grid_DIRECTION_PUSH};
      check_products(&c, false);
      OK(GrB_Matrix_free(&c.A));
    }
  grid_tune.update_set_share = usual;
}

/* ---- when a set is used ---- */

static call sums_over(GrB_Matrix A) {
  return (call){.semiring = GrB_PLUS_TIMES_SEMIRING_FP64, .x = GrB_FP64, .y = GrB_FP64, .A = A};
}

/* By the usual rule: where few inputs are named, at the second product with full values that differ. */
static void rule(void **state) {
  call thin = sums_over(draw_matrix(ROWS, ROWS, 9, 9000)),
       thick = sums_over(draw_matrix(ROWS, ROWS, 0, 60000));
  GrB_Vector full = draw_vector(GrB_FP64, ROWS, 100), sparse = draw_vector(GrB_FP64, ROWS, 70), iso, y;
  uint64_t bytes;
  OK(GrB_Vector_new(&y, GrB_FP64, ROWS));
  OK(GrB_Vector_new(&iso, GrB_FP64, ROWS));
  OK(GrB_Vector_assign_FP64(iso, NULL, NULL, 2.0, GrB_ALL, ROWS, NULL));
  for (int k = 0; k < 3; k++) {
    OK(multiply(&thin, y, sparse));
    OK(multiply(&thin, y, iso));
    OK(multiply(&thick, y, full));
  }
  assert_on_all(!has_set(&thin) && (grid_tune.uneven_partition || !has_set(&thick)));
  OK(multiply(&thin, y, full));
  assert_on_all(!has_set(&thin));
  OK(multiply(&thin, y, full));
  assert_on_all(has_set(&thin) == can_use_sets(&thin));
  /* x changes between full, not full and full on some processes: what was sent with the counts may not fit */
  const GrB_Vector x[] = {full, sparse, full, full, iso, full, sparse, sparse, full, full};
  for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
    GrB_Vector want = multiply_with_all(&thin, x[k], &bytes);
    OK(multiply(&thin, y, x[k]));
    assert_on_all(is_same(y, want));
    GrB_Vector_free(&want);
  }
  OK(GrB_Vector_removeElement(full, 0)); /* all chunks but the first are full */
  OK(GrB_Vector_wait(full, GrB_MATERIALIZE));
  GrB_Vector want = multiply_with_all(&thin, full, &bytes);
  OK(multiply(&thin, y, full));
  assert_on_all(is_same(y, want));
  GrB_Vector_free(&want), GrB_Vector_free(&full), GrB_Vector_free(&sparse), GrB_Vector_free(&iso);
  GrB_Vector_free(&y);
  OK(GrB_Matrix_free(&thin.A)), OK(GrB_Matrix_free(&thick.A));
}

/* Where a process names a quarter of the inputs, but the processes of a machine together name more, and all
 * of x goes to each machine once. */
static void machines(void **state) {
  if (grid_ctx.C > 1 || grid_tune.uneven_partition) return;
  call c = sums_over(draw_matrix(ROWS, ROWS, 0, (uint64_t)Grid_size() * ROWS * 2 / 7));
  GrB_Vector x = draw_vector(GrB_FP64, ROWS, 100), y;
  OK(GrB_Vector_new(&y, GrB_FP64, ROWS));
  for (int k = 0; k < 2; k++) OK(multiply(&c, y, x));
  assert_on_all(has_set(&c) == (can_use_sets(&c) && !grid_two_level_machines(GRID_SET_COL)));
  GrB_Vector_free(&x), GrB_Vector_free(&y);
  OK(GrB_Matrix_free(&c.A));
}

/* ---- changes ---- */

static uint64_t storage_bytes(GrB_Matrix A) {
  Grid_Storage s;
  OK(Grid_Matrix_storage(&s, A));
  return s.bytes;
}

/* A set is dropped with the entries, and counted in memory. */
static void changes(void **state) {
  call c = sums_over(draw_matrix(ROWS, ROWS, 9, 9000));
  GrB_Vector x = draw_vector(GrB_FP64, ROWS, 100), y;
  OK(GrB_Vector_new(&y, GrB_FP64, ROWS));
  OK(multiply(&c, y, x));
  const uint64_t before = storage_bytes(c.A);
  OK(multiply(&c, y, x));
  assert_on_all((storage_bytes(c.A) > before) == can_use_sets(&c));
  OK(GrB_Matrix_setElement_INT32(c.A, 7, 0, ROWS - 1));
  OK(GrB_Matrix_setElement_INT32(c.A, 7, ROWS - 1, 0));
  check_products(&c, true);
  const GrB_Index first = 64, last = ROWS;
  GrB_Index *cut = malloc(((size_t)Grid_size() + 1) * sizeof *cut);
  for (int k = 0; k <= Grid_size(); k++) cut[k] = k == 0 ? 0 : k == Grid_size() ? last : first * (GrB_Index)k;
  OK(Grid_partition_set(ROWS, cut));
  check_products(&c, false);
  OK(Grid_partition_set(ROWS, NULL));
  check_products(&c, true);
  free(cut);
  GrB_Vector_free(&x), GrB_Vector_free(&y);
  OK(GrB_Matrix_free(&c.A));
}

/* ---- memory ---- */

/* Allocations of the product that makes the set, and of one that uses it, fail on the last process:
 * all get the same outcome, and the next products are right. */
static void failures(void **state) {
  call c = sums_over(draw_matrix(ROWS, ROWS, 9, 9000));
  GrB_Vector x = draw_vector(GrB_FP64, ROWS, 100), y;
  uint64_t bytes;
  GrB_Vector want = multiply_with_all(&c, x, &bytes);
  OK(GrB_Vector_new(&y, GrB_FP64, ROWS));
  for (int use = 0; use < 2; use++)
    for (int64_t k = 0, failed = 1; failed; k += 1 + k / 8) {
      GrB_Matrix A;
      OK(GrB_Matrix_dup(&A, c.A));
      const call d = sums_over(A);
      for (int before = 0; before < 1 + 2 * use; before++) OK(multiply(&d, y, x));
      OK(GrB_Vector_clear(y));
      if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
      const GrB_Info info = multiply(&d, y, x);
      grid_mem_fail_after(-1);
      uint64_t sum[2] = {info != GrB_SUCCESS, info != GrB_SUCCESS && info != GrB_OUT_OF_MEMORY};
      OK(Grid_sum(sum, 2));
      assert_on_all((sum[0] == 0 || sum[0] == (uint64_t)Grid_size()) && sum[1] == 0);
      assert_on_all(info == GrB_SUCCESS ? is_same(y, want) : y->chunk.nvals == 0);
      failed = sum[0] > 0 || k < 40; /* a set that could not be made is no failure */
      for (int after = 0; after < 2; after++) OK(multiply(&d, y, x));
      assert_on_all(is_same(y, want));
      OK(GrB_Matrix_free(&A));
    }
  GrB_Vector_free(&x), GrB_Vector_free(&y), GrB_Vector_free(&want);
  OK(GrB_Matrix_free(&c.A));
}

static int start(void **state) {
  if (start_on_shape(state)) return 1;
  seed = 1;
  make_operators();
  return 0;
}
static int stop(void **state) {
  free_operators();
  return stop_on_shape(state);
}

MAIN_ON_SHAPES(start, stop, cmocka_unit_test(forced), cmocka_unit_test(odd_shapes), cmocka_unit_test(rule),
               cmocka_unit_test(machines), cmocka_unit_test(changes), cmocka_unit_test(failures))
