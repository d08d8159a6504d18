/* Every allocation of a call fails once, on all processes and then on the last one alone. All processes get
 * the same error with the same text, nothing hangs, outputs do not change, nothing leaks, and the call
 * succeeds afterwards with the right result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/matrix/matrix.h"
#include "dist/plan/tune_method.h"
#include "gridblas_algos.h"
#include "tests/grid_shapes.h"

/* ---- one call under test ------------------------------------------------------------------------------- */

enum { N = 300 };

typedef struct {
  GrB_Matrix A;
  GrB_Vector u, w, mask, level, parent;
  GrB_Index I[4096], J[4096], n;
  double X[4096];
  double sum;
} world;

typedef struct {
  const char *name;
  int32_t delegates, direction; /* of A */
  bool mirrored, empty;         /* the options of A */
  GrB_Info (*call)(world *o);
} scenario;

static uint64_t mix(uint64_t h) {
  h ^= h >> 31;
  h *= UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

static uint64_t hash_value(GrB_Type type, const char *v) {
  uint64_t x = 0;
  memcpy(&x, v, type->size < 8 ? type->size : 8);
  return x;
}

/* Sums over entries and processes: the same for the same contents, however they are spread. Allocates nothing
 * through the library. */
static uint64_t hash_of_vector(GrB_Vector v, bool values) {
  uint64_t h = 0, first, count;
  if (!v) return 12345;
  Grid_local_range(v->n, &first, &count);
  for (grid_iter it = grid_iter_begin(&v->chunk); grid_iter_next(&it);)
    h += mix(mix(first + it.i + 1) ^ (values ? hash_value(v->type, it.v) : 0));
  assert_int_equal(Grid_sum(&h, 1), GrB_SUCCESS);
  return h;
}

static uint64_t hash_of_matrix(GrB_Matrix A) {
  grid_tuples t;
  uint64_t h = 0;
  assert_int_equal(grid_matrix_tuples_reserve(A, &t, 0), GrB_SUCCESS);
  for (uint64_t k = 0; k < t.n; k++)
    h += mix(mix(t.row[k] + 1) * 31 + mix(t.col[k] + 7) + hash_value(A->type, t.val + k * A->type->size));
  grid_tuples_free(&t);
  for (uint64_t k = 0; k < A->pending.n && Grid_rank() == 0; k++)
    h += 3 * mix(grid_pending_row(&A->pending, k) * 1000 + grid_pending_col(&A->pending, k) +
                 A->pending.removed[k]);
  assert_int_equal(Grid_sum(&h, 1), GrB_SUCCESS);
  return h;
}

/* values: those of w count, too. */
static uint64_t hash_world_except(const world *o, bool values) {
  uint64_t h = hash_of_matrix(o->A) + 3 * hash_of_vector(o->w, values) + 5 * hash_of_vector(o->level, true) +
               7 * hash_of_vector(o->parent, true);
  uint64_t s;
  memcpy(&s, &o->sum, 8);
  h += mix(s);
  for (GrB_Index k = 0; k < o->n; k++) h += mix(o->I[k] * 1000 + o->J[k] + (uint64_t)o->X[k]);
  return h;
}

static uint64_t hash_of(const world *o) {
  return hash_world_except(o, true);
}

static void tuples(GrB_Index *row, GrB_Index *col, double *val, GrB_Index *n, bool half) {
  *n = 0;
  for (GrB_Index k = 0; k < 900; k++) {
    GrB_Index r = k < 100 ? 5 : k * k % N, c = k < 100 ? k * 3 % N : (k * 7 + k / 30) % N;
    if (half && r > c) continue;
    if (k % (GrB_Index)Grid_size() != (GrB_Index)Grid_rank()) continue;
    row[*n] = r, col[*n] = c, val[(*n)++] = (double)(k % 11);
  }
}

/* v(k) = k % modulus for every step-th k. */
static void fill(GrB_Vector v, GrB_Index step, GrB_Index modulus) {
  GrB_Index at[N], n = 0, first, count;
  int32_t val[N];
  assert_int_equal(Grid_local_range(N, &first, &count), GrB_SUCCESS);
  for (GrB_Index k = first; k < first + count; k++)
    if (k % step == 0) at[n] = k, val[n++] = (int32_t)(k % modulus);
  assert_int_equal(Grid_Vector_build(v, at, val, GrB_INT32, n, NULL), GrB_SUCCESS);
}

static void make(world *o, const scenario *s) {
  static GrB_Index row[900], col[900];
  static double val[900];
  GrB_Index n;
  memset(o, 0, sizeof *o);
  tuples(row, col, val, &n, s->mirrored);
  assert_int_equal(GrB_Matrix_new(&o->A, GrB_FP64, N, N), GrB_SUCCESS);
  if (!s->empty)
    assert_int_equal(
        Grid_Matrix_build(o->A, row, col, s->mirrored ? NULL : val, s->mirrored ? NULL : GrB_FP64, n,
                          GrB_PLUS_FP64, s->mirrored ? Grid_MIRROR : 0),
        GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(o->A, s->delegates, Grid_DELEGATES), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_set_INT32(o->A, s->direction, Grid_DIRECTION), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&o->u, GrB_INT32, N), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&o->w, GrB_FP64, N), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_new(&o->mask, GrB_BOOL, N), GrB_SUCCESS);
  fill(o->u, 3, 5);
  fill(o->w, 2, 7);
  fill(o->mask, 5, 2);
  o->n = 0;
}

static void free_world(world *o) {
  GrB_Matrix_free(&o->A);
  GrB_Vector_free(&o->u), GrB_Vector_free(&o->w), GrB_Vector_free(&o->mask);
  GrB_Vector_free(&o->level), GrB_Vector_free(&o->parent);
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

/* After a success B becomes A. */
static GrB_Info replace_A(world *o, GrB_Matrix B, GrB_Info info) {
  GrB_Matrix_free(info == GrB_SUCCESS ? &o->A : &B);
  if (info == GrB_SUCCESS) o->A = B;
  return info;
}

static GrB_Info do_build(world *o) {
  static GrB_Index row[900], col[900];
  static double val[900];
  GrB_Index n;
  tuples(row, col, val, &n, false);
  return Grid_Matrix_build(o->A, row, col, val, GrB_FP64, n, GrB_PLUS_FP64, 0);
}
static GrB_Info do_build_cast(world *o) { /* everywhere, values converted before and after dup */
  const GrB_Index row[] = {1, 200, 1}, col[] = {2, 299, 2};
  const int32_t val[] = {4, 5, 6};
  return GrB_Matrix_build_INT32(o->A, row, col, val, 3, GrB_PLUS_INT64);
}
static GrB_Info do_build_pattern(world *o) {
  static GrB_Index row[900], col[900];
  static double val[900];
  GrB_Index n;
  tuples(row, col, val, &n, true);
  return Grid_Matrix_build(o->A, row, col, NULL, NULL, n, NULL, Grid_MIRROR | Grid_NO_LOOPS);
}
/* The generated graph becomes A. */
static GrB_Info do_rmat(world *o) {
  GrB_Matrix G = NULL;
  GrB_Info info = GrB_Matrix_new(&G, GrB_BOOL, 64, 64);
  if (info == GrB_SUCCESS) info = Grid_Matrix_rmat(G, 6, 4, 1, 0);
  return replace_A(o, G, info);
}
static GrB_Info do_wait(world *o) {
  return GrB_Matrix_wait(o->A, GrB_MATERIALIZE);
}
static GrB_Info do_vxm(world *o) {
  return GrB_vxm(o->w, o->mask, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, o->u, o->A, GrB_DESC_C);
}
static GrB_Info do_vxm_replace(world *o) {
  return GrB_vxm(o->w, o->mask, NULL, Grid_ANY_SECONDI_SEMIRING_INT32, o->u, o->A, GrB_DESC_RSC);
}
static GrB_Info do_mxv(world *o) {
  return GrB_mxv(o->w, NULL, NULL, GrB_MIN_PLUS_SEMIRING_INT64, o->A, o->u, NULL);
}
static GrB_Info do_mxv_in_place(world *o) {
  return GrB_mxv(o->w, o->w, GrB_MAX_INT32, GrB_LOR_LAND_SEMIRING_BOOL, o->A, o->w, GrB_DESC_T0);
}
static GrB_Info do_set(world *o) {
  return GrB_Matrix_setElement_INT32(o->A, 7, 3, 4);
}
static GrB_Info do_merge(world *o) {
  GrB_Index n;
  return GrB_Matrix_nvals(&n, o->A);
}
static GrB_Info do_extract(world *o) {
  GrB_Index n = 4096;
  static GrB_Index I[4096], J[4096];
  static double X[4096];
  GrB_Info info = GrB_Matrix_extractTuples_FP64(I, J, X, &n, o->A);
  if (info != GrB_SUCCESS) return info;
  memcpy(o->I, I, n * sizeof *I), memcpy(o->J, J, n * sizeof *J), memcpy(o->X, X, n * sizeof *X);
  o->n = n;
  return info;
}
static GrB_Info do_bfs(world *o) {
  GrB_Info info = Grid_bfs(&o->level, &o->parent, o->A, 5, -1);
  if (info == GrB_SUCCESS) GrB_Vector_free(&o->parent); /* any parent will do: not compared */
  return info;
}
static GrB_Info do_components(world *o) {
  return Grid_components(&o->parent, o->A);
}
static GrB_Info order_by(world *o, int method) {
  GrB_Matrix B = NULL;
  const GrB_Info info = Grid_Matrix_order(&B, &o->level, NULL, o->A, method, 4, 1);
  assert_true((info == GrB_SUCCESS) == (B != NULL));
  return replace_A(o, B, info);
}
static GrB_Info do_order_rcm(world *o) {
  return order_by(o, Grid_ORDER_RCM);
}
static GrB_Info do_order_metis(world *o) { /* or by degree, in a library without METIS */
  const GrB_Info info = order_by(o, Grid_ORDER_METIS);
  return info == GrB_NOT_IMPLEMENTED ? order_by(o, Grid_ORDER_DEGREE) : info;
}
static GrB_Info do_dup(world *o) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_dup(&B, o->A);
  assert_true((info == GrB_SUCCESS) == (B != NULL));
  return replace_A(o, B, info);
}
static GrB_Info do_reduce(world *o) {
  return GrB_Matrix_reduce_FP64(&o->sum, NULL, GrB_PLUS_MONOID_FP64, o->A, NULL);
}
static GrB_Info do_row_sums(world *o) {
  return GrB_Matrix_reduce_Monoid(o->w, o->mask, NULL, GrB_PLUS_MONOID_FP64, o->A, NULL);
}
static GrB_Info do_degree(world *o) {
  return Grid_Matrix_degree(o->w, o->A, true);
}
static GrB_Info do_element(world *o) {
  GrB_Info info = GrB_Matrix_extractElement_FP64(&o->sum, o->A, 5, 0);
  return info == GrB_NO_VALUE ? GrB_SUCCESS : info;
}

/* Entries that move: A is output, input and mask. */
static const GrB_Index *backwards(void) {
  static GrB_Index I[N];
  for (GrB_Index k = 0; k < N; k++) I[k] = N - 1 - k;
  return I;
}
static GrB_Info do_transpose(world *o) {
  return GrB_transpose(o->A, o->A, GrB_PLUS_FP64, o->A, GrB_DESC_S);
}
static GrB_Info do_extract_lmat(world *o) {
  const GrB_Index *I = backwards();
  return GrB_Matrix_extract(o->A, NULL, NULL, o->A, I, N, I, N, GrB_DESC_T0);
}
static GrB_Info do_extract_shares(world *o) {
  const GrB_Index n = N / (GrB_Index)Grid_size(), *I = backwards() + n * (GrB_Index)Grid_rank();
  return Grid_Matrix_extract(o->A, o->A, NULL, o->A, I, n, GrB_ALL, N, NULL);
}
static GrB_Info do_extract_row(world *o) {
  return GrB_Col_extract(o->w, NULL, GrB_PLUS_FP64, o->A, backwards(), N, 7, GrB_DESC_T0);
}
static GrB_Info do_assign_lmat(world *o) {
  const GrB_Index *I = backwards();
  return GrB_Matrix_assign(o->A, o->A, NULL, o->A, I, N, GrB_ALL, N, GrB_DESC_R);
}
static GrB_Info do_assign_value(world *o) {
  const GrB_Index *I = backwards();
  return GrB_Matrix_assign_FP64(o->A, o->A, NULL, 3, I, 40, I, 70, GrB_DESC_R);
}
static GrB_Info do_assign_row(world *o) {
  return GrB_Row_assign(o->A, NULL, GrB_PLUS_FP64, o->u, 7, GrB_ALL, N, NULL);
}
static GrB_Info do_resize(world *o) {
  return GrB_Matrix_resize(o->A, 100, 900);
}
static GrB_Info do_point(world *o) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, GrB_FP64, N, N);
  if (info == GrB_SUCCESS) info = Grid_Matrix_indicator(B, o->u);
  return replace_A(o, B, info);
}
/* The walks become A, if there are any; weights of A are from 0 to 10. */
static GrB_Info do_walk(world *o) {
  GrB_Matrix W = NULL;
  GrB_Info info = GrB_Matrix_new(&W, GrB_INT64, N, 9);
  if (info == GrB_SUCCESS) info = Grid_Matrix_walk(W, o->A, o->u, true, 0.5, 2, 1);
  return replace_A(o, W, info);
}
/* The sample becomes A. */
static GrB_Info do_sample(world *o) {
  GrB_Matrix C = NULL;
  GrB_Type type;
  GrB_Vector count = NULL;
  GrB_Info info = GxB_Matrix_type(&type, o->A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&C, type, N, N);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&count, GrB_INT64, N);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_INT64(count, NULL, NULL, 2, GrB_ALL, N, NULL);
  if (info == GrB_SUCCESS) info = Grid_Matrix_sample(C, NULL, o->A, count, 1);
  GrB_Vector_free(&count);
  return replace_A(o, C, info);
}
static GrB_Info do_path(world *o) {
  return Grid_bfs_path(&o->level, NULL, o->A, 5, 15);
}
static GrB_Info do_best_label(world *o) {
  return Grid_Matrix_best_label(o->w, o->A, o->u, NULL, o->u, o->u, true);
}
static GrB_Info do_best_priced_label(world *o) {
  return Grid_Matrix_best_label(o->w, o->A, o->u, o->u, NULL, NULL, false);
}
static GrB_Info do_move_labels(world *o) {
  const Grid_Label_Sweep how = {.bits = 2, .sweeps = 2, .priced = true, .alone = true};
  GrB_Index moves[2];
  GrB_Vector label = NULL, one = NULL;
  GrB_Info info = GrB_Vector_new(&label, GrB_INT64, N);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&one, GrB_FP64, N);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_FP64(one, NULL, NULL, 1, GrB_ALL, N, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_IndexOp_INT64(label, NULL, NULL, GrB_ROWINDEX_INT64, one, 0, NULL);
  if (info == GrB_SUCCESS) info = Grid_Matrix_move_labels(moves, label, o->A, one, one, one, &how);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign(o->w, NULL, NULL, label, GrB_ALL, N, NULL);
  GrB_Vector_free(&label);
  GrB_Vector_free(&one);
  return info;
}
static GrB_Info do_peel(world *o) {
  Grid_Peel_Level levels[N];
  GrB_Index n = N;
  GrB_Vector core = NULL;
  GrB_Info info = GrB_Vector_new(&core, GrB_INT64, N);
  if (info == GrB_SUCCESS) info = Grid_Matrix_degree(core, o->A, false);
  if (info == GrB_SUCCESS) info = Grid_Matrix_peel(core, levels, &n, o->A, 0, INT64_MAX);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign(o->w, NULL, NULL, core, GrB_ALL, N, NULL);
  GrB_Vector_free(&core);
  return info;
}
static GrB_Info do_distances(world *o) {
  const GrB_Index source[] = {3, 1};
  int64_t eccentricity[2];
  GrB_Vector sum = NULL;
  GrB_Info info = GrB_Vector_new(&sum, GrB_INT64, N);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_INT64(sum, NULL, NULL, 0, GrB_ALL, N, NULL);
  if (info == GrB_SUCCESS) info = Grid_Matrix_distances(NULL, sum, NULL, NULL, eccentricity, o->A, source, 2);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign(o->w, NULL, NULL, sum, GrB_ALL, N, NULL);
  GrB_Vector_free(&sum);
  return info;
}
static GrB_Info do_color(world *o) {
  GrB_Vector color = NULL;
  GrB_Info info = GrB_Vector_new(&color, GrB_INT64, N);
  if (info == GrB_SUCCESS) info = Grid_Matrix_color(color, NULL, o->A, UINT64_MAX, 1);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign(o->w, NULL, NULL, color, GrB_ALL, N, NULL);
  GrB_Vector_free(&color);
  return info;
}
static GrB_Info do_dots(world *o) {
  return GrB_mxm(o->A, o->A, NULL, Grid_PLUS_ONEB_SEMIRING_FP64, o->A, o->A, GrB_DESC_ST1);
}
static GrB_Info do_dots_by_bits(world *o) {
  assert_int_equal(grid_tune_method_set("mxm=hub-bits"), GrB_SUCCESS);
  const GrB_Info info = do_dots(o);
  assert_int_equal(grid_tune_method_set(NULL), GrB_SUCCESS);
  return info;
}
/* A is multiplied by its first columns; the product becomes A. */
static GrB_Info do_tall(world *o) {
  enum { COLUMNS = 40 };
  GrB_Index first[COLUMNS];
  GrB_Matrix B = NULL, C = NULL;
  for (GrB_Index k = 0; k < COLUMNS; k++) first[k] = k;
  GrB_Info info = GrB_Matrix_new(&B, GrB_BOOL, N, COLUMNS);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&C, GrB_BOOL, N, COLUMNS);
  if (info == GrB_SUCCESS) info = GrB_Matrix_extract(B, NULL, NULL, o->A, GrB_ALL, N, first, COLUMNS, NULL);
  if (info == GrB_SUCCESS) info = GrB_mxm(C, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, o->A, B, NULL);
  GrB_Matrix_free(&B);
  return replace_A(o, C, info);
}
static GrB_Info do_scale_columns(world *o) {
  GrB_Vector full = NULL;
  GrB_Matrix D = NULL;
  GrB_Info info = GrB_Vector_new(&full, GrB_FP64, N);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_FP64(full, NULL, NULL, 2, GrB_ALL, N, NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_diag(&D, full, 0);
  if (info == GrB_SUCCESS) info = GrB_mxm(o->A, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->A, D, NULL);
  GrB_Matrix_free(&D);
  GrB_Vector_free(&full);
  return info;
}
static GrB_Info do_diag(world *o) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_diag(&B, o->u, -3);
  assert_true((info == GrB_SUCCESS) == (B != NULL));
  return replace_A(o, B, info);
}
static GrB_Info do_kronecker(world *o) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, GrB_INT32, 1, 1);
  if (info == GrB_SUCCESS) info = GrB_Matrix_setElement_INT32(B, 3, 0, 0);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_kronecker_BinaryOp(o->A, NULL, NULL, GrB_MINUS_FP64, B, o->A, GrB_DESC_T1);
  GrB_Matrix_free(&B);
  return info;
}
/* The similarities become A. */
static GrB_Info do_similarity(world *o) {
  GrB_Matrix C = NULL;
  const GrB_Info info = Grid_similarity(&C, o->A, NULL, Grid_SIMILARITY_JACCARD, 2);
  assert_true((info == GrB_SUCCESS) == (C != NULL));
  return replace_A(o, C, info);
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

/* Is v the same on all processes? */
static void assert_same(uint64_t v) {
  uint64_t hi = v, lo = ~v;
  assert_int_equal(Grid_max(&hi, 1), GrB_SUCCESS);
  assert_int_equal(Grid_max(&lo, 1), GrB_SUCCESS);
  if (hi != ~lo) print_message("process %d: %d, %s\n", Grid_rank(), (int)v, Grid_last_error());
  assert_true(hi == ~lo);
}

/* Any neighbour is valid, and without memory for row hubs another one is found. */
static uint64_t hash_of_result(const world *o, const scenario *s) {
  return hash_world_except(o, s->call != do_vxm_replace);
}

static uint64_t hash_of_text(const char *text) {
  uint64_t h = 0;
  for (; *text; text++) h = mix(h + (unsigned char)*text);
  return h;
}

/* Merged changes: four set and one removed, waiting. */
static void change(world *o) {
  for (GrB_Index k = 0; k < 4; k++)
    assert_int_equal(GrB_Matrix_setElement_FP64(o->A, (double)k, 90 * k, 10 + k), GrB_SUCCESS);
  assert_int_equal(GrB_Matrix_removeElement(o->A, 5, 3), GrB_SUCCESS);
}

static void try_all(const scenario *s, bool alone, uint64_t right) {
  static world o;
  const int64_t live = grid_mem_live();
  const bool every = Grid_size() == 1 || getenv("GRID_TEST_ALL"); /* with messages it takes a while */
  for (int64_t k = 0;; k += every ? 1 : 1 + k / 16) {
    assert_true(k < 3000);
    make(&o, s);
    if (s->call == do_merge) change(&o);
    uint64_t before = hash_of(&o);
    if (!alone || Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
    GrB_Info info = s->call(&o);
    grid_mem_fail_after(-1);
    if (getenv("GRID_TEST_VERBOSE"))
      printf("%s %d k=%d: %d %s\n", s->name, alone, (int)k, info, info ? Grid_last_error() : "");
    assert_same((uint64_t)(int64_t)info);
    if (info != GrB_SUCCESS) {
      assert_int_equal(info, GrB_OUT_OF_MEMORY);
      assert_true(strlen(Grid_last_error()) > 0);
      assert_same(hash_of_text(Grid_last_error()));
      assert_true(o.n == 0 && !o.level && !o.parent);
      uint64_t after = hash_of(&o);
      if (after != before)
        print_message("%s, allocation %d of %s: outputs changed\n", s->name, (int)k, alone ? "one" : "all");
      assert_true(after == before);
      GrB_Info again = s->call(&o);
      if (again != GrB_SUCCESS)
        print_message("%s, allocation %d: again: %s\n", s->name, (int)k, Grid_last_error());
      assert_int_equal(again, GrB_SUCCESS);
    }
    uint64_t got = hash_of_result(&o, s);
    if (got != right)
      print_message("%s, allocation %d of %s: a wrong result\n", s->name, (int)k, alone ? "one" : "all");
    assert_true(got == right);
    free_world(&o);
    if (grid_mem_live() != live)
      print_message("%s, allocation %d of %s: %d blocks leak on process %d\n", s->name, (int)k,
                    alone ? "one" : "all", (int)(grid_mem_live() - live), Grid_rank());
    assert_int_equal(grid_mem_live(), live);
    if (info == GrB_SUCCESS) break;
  }
}

static void try_scenario(const scenario *s) {
  static world o;
  make(&o, s);
  if (s->call == do_merge) change(&o);
  GrB_Info info = s->call(&o);
  if (info != GrB_SUCCESS) print_message("%s: %s\n", s->name, Grid_last_error());
  assert_int_equal(info, GrB_SUCCESS);
  uint64_t right = hash_of_result(&o, s);
  free_world(&o);
  try_all(s, false, right);
  if (Grid_size() > 1) try_all(s, true, right);
}

enum {
  OFF = Grid_DELEGATES_OFF,
  AUTO = Grid_DIRECTION_AUTO,
  PUSH = Grid_DIRECTION_PUSH,
  PULL = Grid_DIRECTION_PULL
};

static void run_all(const scenario *s, size_t n) {
  for (size_t k = 0; k < n; k++) try_scenario(&s[k]);
}
#define RUN(...)                         \
  do {                                   \
    const scenario s_[] = {__VA_ARGS__}; \
    run_all(s_, sizeof s_ / sizeof *s_); \
  } while (0)

static void build(void **state) {
  RUN({"Grid_Matrix_build", OFF, AUTO, false, true, do_build},
      {"GrB_Matrix_build", OFF, AUTO, false, true, do_build_cast},
      {"a pattern", OFF, AUTO, true, true, do_build_pattern}, {"R-MAT", OFF, AUTO, false, true, do_rmat});
}

static void materialize(void **state) {
  RUN({"wait", OFF, AUTO, false, false, do_wait}, {"wait, mirrored", OFF, AUTO, true, false, do_wait},
      {"wait, all delegates", 0, AUTO, false, false, do_wait},
      {"wait, delegates", 6, AUTO, false, false, do_wait},
      {"wait, mirrored, delegates", 6, AUTO, true, false, do_wait},
      {"wait, mirrored, all delegates", 0, AUTO, true, false, do_wait},
      {"wait, empty", OFF, AUTO, false, true, do_wait});
}

static void products(void **state) {
  RUN({"vxm push", OFF, PUSH, false, false, do_vxm}, {"vxm pull", OFF, PULL, false, false, do_vxm},
      {"vxm push, replace", OFF, PUSH, true, false, do_vxm_replace},
      {"vxm pull, replace", OFF, PULL, false, false,
       do_vxm_replace}, /* rows are passed along the ring, with row hubs */
      {"mxv pull", OFF, PULL, false, false, do_mxv}, {"mxv push", OFF, PUSH, false, false, do_mxv},
      {"mxv in place", OFF, AUTO, true, false, do_mxv_in_place});
}

static void products_of_matrices(void **state) {
  RUN({"dot products", OFF, AUTO, false, false, do_dots},
      {"dot products, bits of hubs", OFF, AUTO, false, false, do_dots_by_bits},
      {"a pattern of 40 columns", OFF, PULL, false, false, do_tall},
      {"columns scaled", OFF, AUTO, false, false, do_scale_columns},
      {"similarity", OFF, AUTO, true, false, do_similarity});
}

static void products_with_delegates(void **state) {
  RUN({"vxm push, delegates", 6, PUSH, false, false, do_vxm},
      {"vxm pull, delegates", 6, PULL, false, false, do_vxm},
      {"vxm pull, mirrored, all delegates", 0, PULL, true, false, do_vxm},
      {"mxv, delegates", 3, AUTO, false, false, do_mxv},
      {"mxv in place, delegates", 3, AUTO, true, false, do_mxv_in_place});
}

static void entries(void **state) {
  RUN({"setElement", OFF, AUTO, false, false, do_set}, {"merging changes", OFF, AUTO, false, false, do_merge},
      {"extractTuples", OFF, AUTO, false, false, do_extract},
      {"extractElement", OFF, AUTO, true, false, do_element}, {"dup", OFF, AUTO, false, false, do_dup});
}

static void reductions(void **state) {
  RUN({"reduce", OFF, AUTO, false, false, do_reduce}, {"row sums", OFF, AUTO, false, false, do_row_sums},
      {"degree", OFF, AUTO, true, false, do_degree});
}

static void moves(void **state) {
  RUN({"transpose", OFF, AUTO, false, false, do_transpose}, {"point", OFF, AUTO, false, false, do_point},
      {"walks", OFF, AUTO, false, false, do_walk}, {"sample", OFF, AUTO, false, false, do_sample},
      {"path", OFF, AUTO, false, false, do_path}, {"path, undirected", OFF, AUTO, true, false, do_path},
      {"color", OFF, AUTO, false, false, do_color}, {"color, undirected", OFF, AUTO, true, false, do_color},
      {"best label", OFF, AUTO, false, false, do_best_label}, {"peel", OFF, AUTO, false, false, do_peel},
      {"distances", OFF, AUTO, false, false, do_distances},
      {"distances, undirected", OFF, AUTO, true, false, do_distances},
      {"best label, prices", OFF, AUTO, false, false, do_best_priced_label},
      {"move labels", OFF, AUTO, false, false, do_move_labels},
      {"extract", OFF, AUTO, false, false, do_extract_lmat},
      {"extract, a pattern", OFF, AUTO, true, false, do_extract_lmat},
      {"extract by shares", OFF, AUTO, false, false, do_extract_shares},
      {"extract a row", OFF, AUTO, false, false, do_extract_row},
      {"assign", OFF, AUTO, false, false, do_assign_lmat},
      {"assign a value", OFF, AUTO, false, false, do_assign_value},
      {"assign a row", OFF, AUTO, false, false, do_assign_row},
      {"resize", OFF, AUTO, false, false, do_resize}, {"diag", OFF, AUTO, false, false, do_diag},
      {"kronecker", OFF, AUTO, false, false, do_kronecker});
}

static void orders(void **state) {
  RUN({"order, RCM", OFF, AUTO, false, false, do_order_rcm},
      {"order, METIS", OFF, AUTO, true, false, do_order_metis});
}

static void searches(void **state) {
  RUN({"bfs", OFF, AUTO, true, false, do_bfs}, {"bfs, delegates", 6, AUTO, true, false, do_bfs},
      {"components", OFF, AUTO, true, false, do_components});
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(build), cmocka_unit_test(materialize),
               cmocka_unit_test(products), cmocka_unit_test(products_of_matrices),
               cmocka_unit_test(products_with_delegates), cmocka_unit_test(entries),
               cmocka_unit_test(reductions), cmocka_unit_test(moves), cmocka_unit_test(searches),
               cmocka_unit_test(orders))
