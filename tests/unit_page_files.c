/* Tests of what page files record, on any number of processes: older versions of the header, operators of
 * duplicates, lists of the rows with entries, names of vertices. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit.h"
#include "dist/outofcore/pages/page_file_header.h"
#include "gridblas.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/checksum.h"
#include "tests/assert_all.h"
#include "tests/random_numbers.h"
#include "tests/refused.h"
#include "tests/test_folder.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { TUPLES = 3000 };
static uint64_t rows[TUPLES], cols[TUPLES];
static double values[TUPLES];

/* The same tuples on all processes, with duplicates in both directions. */
static void draw_tuples(uint64_t n) {
  for (uint64_t k = 0; k < TUPLES; k++) {
    rows[k] = draw(20) * (n / 20), cols[k] = draw(20) * (n / 20);
    values[k] = 1 / (1 + (double)draw(1000)); /* sums depend on the order */
  }
}

/* A page file of the tuples, of which each process appends its share. */
static const char *build_pages(const char *name, uint64_t n, int flags) {
  const char *path = path_of(name);
  const uint64_t P = (uint64_t)Grid_size(), k = (uint64_t)Grid_rank(), from = TUPLES * k / P,
                 end = TUPLES * (k + 1) / P;
  Grid_Pages_Builder b = NULL;
  OK(Grid_Pages_begin(&b, path, n, n, true, flags));
  const GrB_Info info = Grid_Pages_append(b, rows + from, cols + from, values + from, end - from);
  OK(Grid_Pages_end(&b, info, NULL));
  return path;
}

/* ---- older versions ------------------------------------------------------------------------------------ */

static unsigned char bytes[1 << 17];
static size_t size;

static void read_bytes(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  size = fread(bytes, 1, sizeof bytes, f);
  assert_true(fclose(f) == 0 && size < sizeof bytes);
  barrier();
}

/* Rewrites a file in an older version, whose header is shorter (docs/formats.md): tables and lengths move to
 * the front, names and pages stay. */
static void make_older(const char *name, uint64_t version) {
  grid_pages_head h;
  read_bytes(path_of(name));
  memcpy(&h, bytes, sizeof h);
  const uint64_t head = grid_pages_head_bytes(&h);
  assert_true(h.version == 4 && head == 152);
  h.version = version;
  const uint64_t shorter = grid_pages_head_bytes(&h), moved = head - shorter;
  assert_true(shorter == (version == 3 ? 136 : 112));
  grid_lengths_row *end = (void *)(bytes + h.lengths);
  for (uint64_t k = 0; k <= h.blocks; k++) end[-1 - (int64_t)k].at -= moved;
  memmove(bytes + shorter, bytes + head, h.data - grid_pages_names(&h) - head);
  h.lengths -= moved;
  h.tables = grid_checksum((const char *)bytes + shorter, grid_pages_table(&h), h.pages);
  grid_pages_seal(&h);
  memcpy(bytes, &h, shorter);
  write_file(name, bytes, size, false);
}

static void expect_same(const Grid_Edges *x, const Grid_Edges *y) {
  assert_true(x->nrows == y->nrows && x->n == y->n && x->total == y->total && x->symmetric == y->symmetric);
  assert_true(x->pattern == y->pattern && x->ids_count == y->ids_count && !x->ids == !y->ids);
  assert_memory_equal(x->rows, y->rows, x->n * sizeof *x->rows);
  assert_memory_equal(x->cols, y->cols, x->n * sizeof *x->cols);
  assert_memory_equal(x->values, y->values, x->n * sizeof *x->values);
  if (x->ids) assert_memory_equal(x->ids, y->ids, x->ids_count * sizeof *x->ids);
}

static void older_versions(void **state) {
  const uint64_t huge = UINT64_C(1) << 40;
  for (uint64_t version = 1; version < 4; version++) {
    const char *path = build_pages("old.pages", version == 3 ? huge : 400,
                                   Grid_MIRROR | (version == 2 ? Grid_BY_DEGREE : 0));
    Grid_Pages_Info now, old;
    Grid_Edges e, f;
    GrB_Matrix A = NULL;
    GrB_Index nvals;
    OK(Grid_pages_info(&now, path));
    OK(Grid_read(&e, path));
    assert_true(now.nvals > 300 && now.tuples > now.nvals && now.named == (version == 2));
    make_older("old.pages", version);
    path = path_of("old.pages");
    OK(Grid_pages_info(&old, path));
    assert_true(old.tuples == 0 && old.dup == 0 && old.nvals == now.nvals && old.symmetric && !old.skew);
    OK(Grid_read(&f, path));
    expect_same(&e, &f);
    /* what joined duplicates is not known */
    OK(Grid_Matrix_read(&A, NULL, path, &(Grid_Read_Options){.dup = GrB_PLUS_FP64}));
    OK(GrB_Matrix_nvals(&nvals, A));
    assert_true(nvals == now.nvals);
    OK(GrB_Matrix_free(&A));
    Grid_Edges_free(&e);
    Grid_Edges_free(&f);
  }
}

/* Files that were written before version 4. */
static void files_of_older_versions(void **state) {
  static const char *const names[] = {"pages", "pages-values", "pages-hypersparse"};
  for (int k = 0; k < 3; k++) {
    char path[512];
    Grid_Pages_Info p;
    GrB_Matrix A = NULL;
    GrB_Index nvals;
    snprintf(path, sizeof path, "%s/pages/%s", GRID_TEST_DIR, names[k]);
    OK(Grid_pages_info(&p, path));
    assert_true(p.nvals > 0 && p.tuples == 0 && p.pattern == (k == 0));
    OK(Grid_Matrix_open(&A, path));
    OK(GrB_Matrix_nvals(&nvals, A));
    assert_true(nvals == p.nvals);
    OK(GrB_Matrix_free(&A));
  }
}

/* Members of the header that do not fit each other or the version, with a right checksum. */
static void refused_heads(void **state) {
  for (int k = 0; k < 8; k++) {
    const char *path = build_pages("bad.pages", 400, 0);
    grid_pages_head h;
    GrB_Matrix A = NULL;
    read_bytes(path);
    memcpy(&h, bytes, sizeof h);
    if (k == 0) h.tuples = h.nvals - 1;
    if (k == 1) h.dup = 4;
    if (k == 2) h.flags |= GRID_PAGES_SKEW | GRID_PAGES_SYMMETRIC;
    if (k == 3) h.flags |= GRID_PAGES_SKEW, h.ncols = h.cols = 401;
    if (k == 4) h.flags |= GRID_PAGES_NAMES | GRID_PAGES_HYPERSPARSE;
    if (k == 5) h.rows--;
    if (k == 6) h.flags |= 128;
    grid_pages_seal(&h);
    if (k == 7) h.tuples++;
    memcpy(bytes, &h, sizeof h);
    refused(Grid_Matrix_open(&A, write_file("bad.pages", bytes, size, false)), GrB_INVALID_VALUE,
            "damaged: its dimensions");
    assert_null(A);
  }
}

/* ---- duplicates ---------------------------------------------------------------------------------------- */

/* A sum of both directions is the same bits in both triangles, in any number of sorted runs. */
static void symmetric_sums(void **state) {
  grid_tune.run_sample_step = 1;
  grid_tune.merge_segment = 64;
  for (int round = 0; round < 4; round++) {
    GrB_Matrix A = NULL, T = NULL;
    GrB_Index nvals, other;
    bool same = true;
    OK(Grid_memory_limit(round % 2 ? 1 : 0));
    OK(Grid_Matrix_read(&A, NULL, build_pages("sums.pages", 400, Grid_MIRROR | Grid_DUP_PLUS), NULL));
    OK(GrB_Matrix_new(&T, GrB_BOOL, 400, 400));
    OK(GrB_Matrix_eWiseMult_BinaryOp(T, NULL, NULL, GrB_EQ_FP64, A, A, GrB_DESC_T1));
    OK(GrB_Matrix_reduce_BOOL(&same, NULL, GrB_LAND_MONOID_BOOL, T, NULL));
    OK(GrB_Matrix_nvals(&nvals, A));
    OK(GrB_Matrix_nvals(&other, T));
    assert_true(same && nvals == other && nvals > 300);
    OK(GrB_Matrix_free(&A));
    OK(GrB_Matrix_free(&T));
    draw_tuples(400);
  }
  OK(Grid_memory_limit(0));
  grid_tune.run_sample_step = 1024;
  grid_tune.merge_segment = 1 << 14;
}

/* ---- few tuples ---------------------------------------------------------------------------------------- */

static void expect_tuples(const char *path, uint64_t n, int flags) {
  GrB_Matrix A = NULL, B = NULL, T = NULL;
  GrB_Index nvals[3];
  bool same = true;
  const bool is_first = Grid_rank() == 0;
  OK(GrB_Matrix_new(&B, GrB_FP64, n, n));
  OK(Grid_Matrix_build(B, rows, cols, values, GrB_FP64, is_first ? TUPLES : 0, GrB_MIN_FP64, flags));
  OK(Grid_Matrix_open(&A, path));
  OK(GrB_Matrix_new(&T, GrB_BOOL, n, n));
  OK(GrB_Matrix_eWiseMult_BinaryOp(T, NULL, NULL, GrB_EQ_FP64, A, B, NULL));
  OK(GrB_Matrix_reduce_BOOL(&same, NULL, GrB_LAND_MONOID_BOOL, T, NULL));
  GrB_Matrix all[] = {A, B, T};
  for (int k = 0; k < 3; k++) {
    OK(GrB_Matrix_nvals(&nvals[k], all[k]));
    OK(GrB_Matrix_free(&all[k]));
  }
  assert_true(same && nvals[0] == nvals[1] && nvals[1] == nvals[2]);
}

static grid_pages_head head_of(const char *path) {
  grid_pages_head h;
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fread(&h, sizeof h, 1, f), 1);
  fclose(f);
  barrier();
  return h;
}

/* Rows with entries are listed if the tuples of all processes are few: fewer than n / 8 - 4096. */
static void few_tuples(void **state) {
  static const struct {
    uint64_t n;
    int flags;
    bool is_few;
  } cases[] = {{(TUPLES + 4200) * 8, 0, true},
               {(TUPLES + 4200) * 8, Grid_MIRROR, false},
               {(TUPLES + 4000) * 8, 0, false},
               {(2 * TUPLES + 4200) * 8, Grid_MIRROR, true},
               {(TUPLES / 3 + 4096) * 8, Grid_NO_LOOPS, false}, /* a process of two sees that itself */
               {1 << 28, Grid_NO_LOOPS, true}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int scarce = 0; scarce < 2; scarce++) {
      draw_tuples(cases[k].n);
      OK(Grid_memory_limit((uint64_t)scarce)); /* with it tuples go to disk */
      const char *path = build_pages("few.pages", cases[k].n, cases[k].flags);
      OK(Grid_memory_limit(0));
      const grid_pages_head h = head_of(path);
      assert_true(!(h.flags & GRID_PAGES_HYPERSPARSE) == !cases[k].is_few);
      assert_true(h.nrows == cases[k].n && (cases[k].is_few ? h.rows <= 20 : h.rows == h.nrows));
      expect_tuples(path, cases[k].n, cases[k].flags);
    }
  draw_tuples(400);
}

/* ---- names --------------------------------------------------------------------------------------------- */

static uint64_t memory_before; /* building */
static GrB_Info build_named(uint64_t n, const uint64_t *names, uint64_t count, int flags) {
  Grid_Pages_Builder b = NULL;
  OK(Grid_Pages_begin(&b, path_of("named.pages"), n, n, true, flags));
  memory_before = Grid_memory(NULL, true);
  if (names) OK(Grid_Pages_set_names(b, names, 1)); /* replaced */
  GrB_Info info = names ? Grid_Pages_set_names(b, names, count) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) info = Grid_Pages_append(b, rows, cols, values, Grid_rank() == 0 ? TUPLES : 0);
  return Grid_Pages_end(&b, info, NULL);
}

/* Names are those of the rows, in the order by degree too, and keep all rows in the file. Unless that order
 * moves them, no process holds all of them. */
static void set_names(void **state) {
  static uint64_t names[1 << 19];
  const uint64_t sizes[] = {400, 1 << 19}; /* of the second, few rows have tuples */
  for (int k = 0; k < 3; k++) {
    const uint64_t n = sizes[k % 2], P = (uint64_t)Grid_size(), from = n * (uint64_t)Grid_rank() / P,
                   end = n * (uint64_t)(Grid_rank() + 1) / P;
    const int flags = k == 2 ? Grid_BY_DEGREE : 0;
    Grid_Edges e;
    for (uint64_t v = 0; v < n; v++) names[v] = v * 3 + (k ? 0 : UINT64_C(1) << 40);
    draw_tuples(n);
    OK(build_named(n, names + from, end - from, flags));
    assert_true(!(head_of(path_of("named.pages")).flags & GRID_PAGES_HYPERSPARSE));
    uint64_t most;
    Grid_memory(&most, false);
    assert_on_all(k != 1 || P < 4 || Grid_rank() != 1 || most - memory_before < n * sizeof *names);
    if (!flags) expect_tuples(path_of("named.pages"), n, 0);
    OK(Grid_Pages_names(&e, path_of("named.pages")));
    assert_true(e.ids && e.nrows == n);
    for (uint64_t v = 0; v < e.ids_count && !flags; v++) assert_true(e.ids[v] == names[e.ids_first + v]);
    for (uint64_t v = 0; v < e.ids_count && flags; v++) assert_true(e.ids[v] % 3 == 0 && e.ids[v] < 3 * n);
    Grid_Edges_free(&e);
  }
  draw_tuples(400);
  assert_int_equal(build_named(400, names, 400 + (Grid_rank() == 0), 0), GrB_DIMENSION_MISMATCH);
  refused(build_named(UINT64_C(1) << 33, names, 400, 0), GrB_DIMENSION_MISMATCH,
          "each row of a square matrix has one");
  assert_int_equal(Grid_Pages_set_names(NULL, names, 1), GrB_NULL_POINTER);
}

int main(void) {
  draw_tuples(400);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(older_versions), cmocka_unit_test(files_of_older_versions),
      cmocka_unit_test(refused_heads),  cmocka_unit_test(symmetric_sums),
      cmocka_unit_test(few_tuples),     cmocka_unit_test(set_names)};
  return cmocka_run_group_tests(tests, start, stop);
}
