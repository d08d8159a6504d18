/* Tests of the file readers and the R-MAT generator (dist/io/text*.c, text_file.c, parse_fields.c,
 * number_vertices.c, rmat.c) on any number of processes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "tests/unit.h"
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/io/text/parse_fields.h"
#include "dist/io/text/parse_plain_line.h"
#include "dist/io/rmat/rmat.h"
#include "gridblas_rmat.h"
#include "dist/io/text/text_file.h"
#include "gridblas.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "tests/test_folder.h"
#include "tests/test_tuples.h"

#ifndef GRID_SHARED_DATA
#define GRID_SHARED_DATA GRID_TEST_DIR "/../../shared/data"
#endif

/* ---- what was read ------------------------------------------------------------------------------------- */

static int compare_tuples(const void *x, const void *y) {
  const tuple *a = x, *b = y;
  const int order = tuple_order(a, b);
  return order ? order : memcmp(&a->value, &b->value, sizeof a->value);
}

/* All tuples on every process, sorted; ids as names: vertex k of an edge list is called names[k]. */
static tuple *gather(const Grid_Edges *e, uint64_t **names) {
  tuple *all = malloc((e->total + 1) * sizeof *all);
  uint64_t at = 0, first, count, at_row = 0;
  *names = e->ids ? malloc((e->nrows + 1) * sizeof **names) : NULL;
  for (int r = 0; r < Grid_size(); r++) {
    uint64_t n = e->n;
    assert_int_equal(Grid_bcast(&n, sizeof n, r), GrB_SUCCESS);
    assert_true(at + n <= e->total);
    if (r == Grid_rank())
      for (uint64_t k = 0; k < n; k++)
        all[at + k] = (tuple){e->rows[k], e->cols[k], e->values ? e->values[k] : 1};
    assert_int_equal(Grid_bcast(all + at, n * sizeof *all, r), GrB_SUCCESS);
    at += n;
    if (!e->ids) continue;
    first = e->ids_first, count = e->ids_count;
    assert_int_equal(Grid_bcast(&first, sizeof first, r), GrB_SUCCESS);
    assert_int_equal(Grid_bcast(&count, sizeof count, r), GrB_SUCCESS);
    assert_true(first == at_row);
    if (r == Grid_rank()) memcpy(*names + first, e->ids, count * sizeof **names);
    assert_int_equal(Grid_bcast(*names + first, count * sizeof **names, r), GrB_SUCCESS);
    at_row += count;
  }
  assert_true(at == e->total);
  assert_true(!e->ids || at_row == e->nrows);
  qsort(all, at, sizeof *all, compare_tuples);
  return all;
}

static void assert_empty(const Grid_Edges *e) {
  Grid_Edges zero;
  memset(&zero, 0, sizeof zero);
  assert_memory_equal(e, &zero, sizeof zero);
}

/* Segments of these sizes split the tests' small files at every position; 0 is the default size. */
static const size_t block_sizes[] = {0, 1, 2, 7, 64, 1000};
#define BLOCK_SIZES (sizeof block_sizes / sizeof *block_sizes)

/* Several processes on few cores make a read slow: there each text uses two of the sizes, others than the
 * previous text. */
static size_t size_step(void) {
  return Grid_size() > 1 ? 3 : 1;
}
static size_t first_size(void) {
  static size_t turn;
  return turn++ % size_step();
}

/* Reads the file and compares: `want` is sorted, names may be NULL. */
static void expect_read(const char *path, uint64_t nrows, uint64_t ncols, const tuple *want, uint64_t n,
                        const uint64_t *names) {
  Grid_Edges e;
  uint64_t *got_names;
  GrB_Info info = Grid_read(&e, path);
  if (info != GrB_SUCCESS) print_message("%s\n", Grid_last_error());
  assert_int_equal(info, GrB_SUCCESS);
  assert_true(e.nrows == nrows && e.ncols == ncols && e.total == n);
  assert_true(e.pattern == (e.values == NULL));
  assert_true((e.ids != NULL) == (names != NULL));
  tuple *got = gather(&e, &got_names);
  for (uint64_t k = 0; k < n; k++) {
    assert_true(got[k].row == want[k].row && got[k].col == want[k].col);
    assert_memory_equal(&got[k].value, &want[k].value, sizeof(double));
  }
  if (names) assert_memory_equal(got_names, names, nrows * sizeof *names);
  free(got);
  free(got_names);
  Grid_Edges_free(&e);
  assert_empty(&e);
}

/* The same for a text, plain and gzip, in all segment sizes. */
static void expect(const char *text, uint64_t nrows, uint64_t ncols, const tuple *want, uint64_t n,
                   const uint64_t *names) {
  for (size_t b = first_size(); b < BLOCK_SIZES; b += size_step()) {
    grid_tune.text_block = block_sizes[b];
    for (int gzip = 0; gzip < 2; gzip++)
      expect_read(write_file("good", text, strlen(text), gzip), nrows, ncols, want, n, names);
  }
  grid_tune.text_block = 0;
}

/* Reading must fail with this in the message, the same message on all processes, and leave e empty. */
static void expect_bad_file(const char *path, const char *part) {
  Grid_Edges e;
  char text[1024] = "", local_text[1024];
  int64_t live = grid_mem_live();
  memset(&e, 0x55, sizeof e);
  GrB_Info info = Grid_read(&e, path);
  snprintf(local_text, sizeof local_text, "%s", Grid_last_error());
  if (info != GrB_INVALID_VALUE || !strstr(local_text, part))
    print_message("%d \"%s\" lacks \"%s\"\n", info, local_text, part);
  assert_int_equal(info, GrB_INVALID_VALUE);
  assert_non_null(strstr(local_text, part));
  assert_null(strchr(local_text, '\n'));
  memcpy(text, local_text, sizeof text);
  assert_int_equal(Grid_bcast(text, sizeof text, 0), GrB_SUCCESS);
  assert_string_equal(text, local_text);
  assert_empty(&e);
  assert_true(grid_mem_live() == live);
}

static void expect_bad_bytes(const char *bytes, size_t n, const char *part) {
  for (size_t b = first_size(); b < BLOCK_SIZES; b += size_step()) {
    if (n / (block_sizes[b] ? block_sizes[b] : 4096) > 100000) continue;
    grid_tune.text_block = block_sizes[b];
    for (int gzip = 0; gzip < 2; gzip++)
      if (n || !gzip) expect_bad_file(write_file("bad", bytes, n, gzip), part);
  }
  grid_tune.text_block = 0;
}

static void expect_bad(const char *text, const char *part) {
  expect_bad_bytes(text, strlen(text), part);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static grid_number parse(const char *s, double *v, size_t *used) {
  const char *p = s;
  grid_number got = grid_parse_double(&p, s + strlen(s), v);
  *used = (size_t)(p - s);
  return got;
}

static void numbers(void **state) {
  static const char *const good[] = {"0",
                                     "-0",
                                     "1",
                                     "+1.5",
                                     ".5",
                                     "5.",
                                     "1e3",
                                     "1E+3",
                                     "1e-3",
                                     "-85.9174561125115",
                                     "123456789012345678901234567890",
                                     "0.1",
                                     "1e22",
                                     "1e23",
                                     "9007199254740993",
                                     "2.2250738585072014e-308",
                                     "4.9e-324",
                                     "1e-400",
                                     "1.7976931348623157e308",
                                     "0.000000000000000000000000000000000000123",
                                     "3.14159265358979323846264338",
                                     "12345678901234567890e-5",
                                     "1000000000000000000000e-21",
                                     "00000000000000000000000000012"};
  double v;
  size_t used;
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
    double want = strtod(good[k], NULL);
    assert_int_equal(parse(good[k], &v, &used), GRID_NUMBER_OK);
    assert_memory_equal(&v, &want, sizeof v);
    assert_int_equal(used, strlen(good[k]));
  }
  assert_int_equal(parse("1.5D+02", &v, &used), GRID_NUMBER_OK);
  assert_true(v == 150 && used == 7);
  assert_int_equal(parse("123456789012345678901234d-20", &v, &used), GRID_NUMBER_OK);
  assert_true(v == 123456789012345678901234e-20);
  assert_int_equal(parse("-Inf", &v, &used), GRID_NUMBER_OK);
  assert_true(isinf(v) && v < 0 && used == 4);
  assert_int_equal(parse("INFINITY", &v, &used), GRID_NUMBER_OK);
  assert_true(isinf(v) && v > 0 && used == 8);
  assert_int_equal(parse("nan", &v, &used), GRID_NUMBER_OK);
  assert_true(isnan(v));
  assert_int_equal(parse("1e999", &v, &used), GRID_NUMBER_RANGE);
  assert_int_equal(parse("-1e99999999999999999999", &v, &used), GRID_NUMBER_RANGE);
  assert_int_equal(parse("1e", &v, &used), GRID_NUMBER_OK);
  assert_int_equal(used, 1);
  static const char *const none[] = {"", "-", ".", "e5", "x", "+.e1", " 1"};
  for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
    assert_int_equal(parse(none[k], &v, &used), GRID_NUMBER_NONE);
    assert_int_equal(used, 0);
  }
  /* Random digits and exponents against the C library. */
  uint64_t x = 88172645463325252u;
  for (int k = 0; k < 20000; k++) {
    char s[64];
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    snprintf(s, sizeof s, "%" PRIu64 ".%" PRIu64 "e%d", x >> (x & 63), x >> (x >> 6 & 63),
             (int)(x >> 12 & 127) - 64);
    double want = strtod(s, NULL);
    assert_int_equal(parse(s, &v, &used), GRID_NUMBER_OK);
    assert_memory_equal(&v, &want, sizeof v);
  }
}

static void integers(void **state) {
  const char *s = "18446744073709551615", *p = s;
  uint64_t v;
  assert_int_equal(grid_parse_u64(&p, s + 20, &v), GRID_NUMBER_OK);
  assert_true(v == UINT64_MAX && p == s + 20);
  p = s;
  assert_int_equal(grid_parse_u64(&p, s + 3, &v), GRID_NUMBER_OK);
  assert_true(v == 184 && p == s + 3);
  p = s = "18446744073709551616";
  assert_int_equal(grid_parse_u64(&p, s + 20, &v), GRID_NUMBER_RANGE);
  p = s = "-1";
  assert_int_equal(grid_parse_u64(&p, s + 2, &v), GRID_NUMBER_NONE);
  p = s = "000000000000000000000000000000000007";
  assert_int_equal(grid_parse_u64(&p, s + 36, &v), GRID_NUMBER_OK);
  assert_true(v == 7);
}

/* ---- good files ---------------------------------------------------------------------------------------- */

#define T(...)      \
  (const tuple[]) { \
    __VA_ARGS__     \
  }
#define IDS(...)       \
  (const uint64_t[]) { \
    __VA_ARGS__        \
  }

static void matrix_market(void **state) {
  expect("%%MatrixMarket matrix coordinate real general\n% comment\n\n3 4 3\n1 1 1.5\n3 4 -2e1\n2 1 0\n", 3,
         4, T({0, 0, 1.5}, {1, 0, 0}, {2, 3, -20}), 3, NULL);
  /* comments and blank lines anywhere, CRLF, tabs, leading blanks, no final newline, any letter case */
  expect(
      "%%matrixmarket MATRIX Coordinate PATTERN General \r\n  %x\r\n \t\r\n  2\t2  2 \r\n% again\r\n\r\n\t2 "
      "1\r\n  1\t2  ",
      2, 2, T({0, 1, 1}, {1, 0, 1}), 2, NULL);
  expect("%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 -7\n2 1 +3", 2, 2,
         T({0, 0, -7}, {1, 0, 3}), 2, NULL);
  expect("%%MatrixMarket matrix coordinate unsigned-integer general\n%\n2 2 1\n1 2 7\n", 2, 2, T({0, 1, 7}),
         1, NULL);
  expect("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1\n3 2 inf\n", 3, 3,
         T({1, 0, 1}, {2, 1, (double)INFINITY}), 2, NULL);
  expect("%%MatrixMarket matrix coordinate real general\n0 0 0\n", 0, 0, NULL, 0, NULL);
  expect("%%MatrixMarket matrix coordinate pattern general\n5 7 0\n% the end", 5, 7, NULL, 0, NULL);
  expect(
      "%%MatrixMarket matrix coordinate pattern general\n1152921504606846976 1152921504606846976 "
      "1\n1152921504606846976 1\n",
      UINT64_C(1) << 60, UINT64_C(1) << 60, T({(UINT64_C(1) << 60) - 1, 0, 1}), 1, NULL);
}

static void arrays(void **state) {
  expect("%%MatrixMarket matrix array real general\n2 3\n1\n0\n3\n4\n% x\n5\n6\n", 2, 3,
         T({0, 0, 1}, {0, 1, 3}, {0, 2, 5}, {1, 1, 4}, {1, 2, 6}), 5, NULL);
  expect("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6", 3, 3,
         T({0, 0, 1}, {1, 0, 2}, {1, 1, 4}, {2, 0, 3}, {2, 1, 5}, {2, 2, 6}), 6, NULL);
  expect("%%MatrixMarket matrix array real skew-symmetric\n4 4\n1\n2\n3\n4\n5\n6\n", 4, 4,
         T({1, 0, 1}, {2, 0, 2}, {2, 1, 4}, {3, 0, 3}, {3, 1, 5}, {3, 2, 6}), 6, NULL);
  expect("%%MatrixMarket matrix array real skew-symmetric\n1 1\n", 1, 1, NULL, 0, NULL);
  expect("%%MatrixMarket matrix array real general\n0 5\n", 0, 5, NULL, 0, NULL);
}

/* A larger array, so that every process has segments from many columns. */
static void large_array(void **state) {
  uint64_t m = 37, n = 53, k = 0;
  char *text = malloc(100000), *s = text;
  tuple *want = malloc(m * n * sizeof *want);
  s += sprintf(s, "%%%%MatrixMarket matrix array real general\n%d %d\n", (int)m, (int)n);
  for (uint64_t c = 0; c < n; c++)
    for (uint64_t r = 0; r < m; r++) s += sprintf(s, "%d\n", (int)((r * 71 + c * 13) % 10));
  for (uint64_t r = 0; r < m; r++)
    for (uint64_t c = 0; c < n; c++)
      if ((r * 71 + c * 13) % 10) want[k++] = (tuple){r, c, (double)((r * 71 + c * 13) % 10)};
  expect(text, m, n, want, k, NULL);
  free(text);
  free(want);
}

static void edge_lists(void **state) {
  expect("# SNAP\n# FromNodeId\tToNodeId\n10\t7\n7 3\n% other\n\n3,10\r\n 3 , 7 \n", 3, 3,
         T({0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 1, 1}), 4, IDS(3, 7, 10));
  expect("5 5", 1, 1, T({0, 0, 1}), 1, IDS(5));
  expect("0 18446744073709551615 0.5\n18446744073709551615\t9223372036854775808,-1e3\n1,2,nan", 5, 5,
         T({0, 4, 0.5}, {1, 2, (double)NAN}, {4, 3, -1000}), 3,
         IDS(0, 1, 2, UINT64_C(9223372036854775808), UINT64_MAX));
}

/* Ids in order of their bits mixed: no two alike, all over the 64-bit range. */
static uint64_t scatter(uint64_t x) {
  x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
  return x ^ x >> 29;
}

static int compare_ids(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

/* Random edges with ids that are dense, sparse, or spread over all 64 bits, against a sequential
 * numbering. */
static void random_edges(void **state) {
  enum { EDGES = 3000, VERTICES = 700 };
  char *text = malloc(EDGES * 48);
  uint64_t *names = malloc(VERTICES * sizeof *names), count = 0;
  tuple *want = malloc(EDGES * sizeof *want);
  for (int spread = 0; spread < 3; spread++) {
    uint64_t x = 12345 + (uint64_t)spread;
    char *s = text;
    bool used[VERTICES] = {false};
    for (int k = 0; k < EDGES; k++) {
      x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      uint64_t a = (x >> 33) % VERTICES, b = (x >> 43) % VERTICES;
      used[a] = used[b] = true;
      if (spread == 1) a = a * 1000 + 17, b = b * 1000 + 17;
      if (spread == 2) a = scatter(a), b = scatter(b);
      want[k] = (tuple){a, b, (double)k / 8};
      s += sprintf(s, "%" PRIu64 " %" PRIu64 " %g\n", a, b, (double)k / 8);
    }
    count = 0;
    for (uint64_t v = 0; v < VERTICES; v++)
      if (used[v]) names[count++] = spread == 0 ? v : spread == 1 ? v * 1000 + 17 : scatter(v);
    qsort(names, count, sizeof *names, compare_ids);
    for (int k = 0; k < EDGES; k++) {
      want[k].row = (uint64_t)((uint64_t *)bsearch(&want[k].row, names, count, 8, compare_ids) - names);
      want[k].col = (uint64_t)((uint64_t *)bsearch(&want[k].col, names, count, 8, compare_ids) - names);
    }
    qsort(want, EDGES, sizeof *want, compare_tuples);
    for (size_t block = 0; block <= 10000; block = block ? block * 10 : 10) {
      grid_tune.text_block = block;
      if (block == 1000) Grid_threads(3);
      expect_read(write_file("random", text, (size_t)(s - text), false), count, count, want, EDGES, names);
      expect_read(write_file("random", text, (size_t)(s - text), true), count, count, want, EDGES, names);
      Grid_threads(1);
    }
    grid_tune.text_block = 0;
  }
  free(text);
  free(names);
  free(want);
}

static void find(void **state) {
  Grid_Edges e;
  uint64_t index = 99;
  char text[4096], *s = text;
  for (int k = 0; k < 200; k++) s += sprintf(s, "%d %d\n", 3 * k, 3 * ((k * 7) % 200));
  assert_int_equal(Grid_read(&e, write_file("find", text, strlen(text), false)), GrB_SUCCESS);
  assert_true(e.nrows == 200 && e.base == 0);
  assert_string_equal(e.kind, "edge list");
  for (uint64_t k = 0; k < 200; k++) {
    assert_int_equal(Grid_Edges_find(&index, &e, 3 * k), GrB_SUCCESS);
    assert_true(index == k);
    index = 99;
    assert_int_equal(Grid_Edges_find(&index, &e, 3 * k + 1), GrB_NO_VALUE);
    assert_true(index == 99);
  }
  assert_int_equal(Grid_Edges_find(&index, &e, UINT64_MAX), GrB_NO_VALUE);
  assert_non_null(strstr(Grid_last_error(), "there is no vertex 18446744073709551615"));
  assert_int_equal(Grid_Edges_find(NULL, &e, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_Edges_find(&index, NULL, 0), GrB_NULL_POINTER);
  Grid_Edges_free(&e);
  strcpy(text, "%%MatrixMarket matrix coordinate pattern general\n4 4 1\n1 2\n");
  assert_int_equal(Grid_read(&e, write_file("find", text, strlen(text), false)), GrB_SUCCESS);
  assert_string_equal(e.kind, "Matrix Market");
  assert_true(e.base == 1 && e.pattern && !e.symmetric && !e.skew);
  assert_int_equal(Grid_Edges_find(&index, &e, 4), GrB_SUCCESS);
  assert_true(index == 3);
  assert_int_equal(Grid_Edges_find(&index, &e, 0), GrB_NO_VALUE);
  assert_int_equal(Grid_Edges_find(&index, &e, 5), GrB_NO_VALUE);
  Grid_Edges_free(&e);
  Grid_Edges_free(&e);
  Grid_Edges_free(NULL);
}

/* ---- bad files ----------------------------------------------------------------------------------------- */

#define MM "%%MatrixMarket matrix "

static void bad_banners(void **state) {
  expect_bad("%%MatrixMarket\n", "/bad:1: expected \"matrix\"");
  expect_bad("%%MatrixMarkt matrix coordinate real general\n1 1 0\n", ":1: expected the banner");
  expect_bad("%%MatrixMarket vector coordinate real general\n",
             ":1: expected \"matrix\" in the banner, found 'vector'");
  expect_bad(MM "sparse real general\n", ":1: expected \"coordinate\" or \"array\"");
  expect_bad(MM "coordinate quaternion general\n", "found 'quaternion'");
  expect_bad(MM "coordinate complex general\n1 1 1\n1 1 1 1\n", ":1: complex values are not supported");
  expect_bad(MM "coordinate complex hermitian\n1 1 1\n1 1 1 1\n", ":1: complex values are not supported");
  expect_bad(MM "coordinate real hermitian\n1 1 1\n1 1 1\n", ":1: hermitian matrices are not supported");
  expect_bad(MM "coordinate real\n", "found the end of the line");
  expect_bad(MM "coordinate real general 7\n", "expected the end of the banner, found '7'");
  expect_bad(MM "array pattern general\n1 1\n", ":1: an array cannot be a pattern");
  expect_bad(MM "coordinate pattern skew-symmetric\n1 1 0\n", ":1: a pattern cannot be skew-symmetric");
}

static void bad_sizes(void **state) {
  expect_bad(MM "coordinate real general", "/bad: the file ends before the Matrix Market size line");
  expect_bad(MM "coordinate real general\n% only comments\n\n%\n", "ends before the Matrix Market size line");
  expect_bad(MM "coordinate real general\n%\nx 1 1\n", ":3: expected the number of rows, found 'x'");
  expect_bad(MM "coordinate real general\n1 1\n",
             ":2: expected the number of entries, found the end of the line");
  expect_bad(MM "coordinate real general\n1 1 1 1\n", ":2: expected the end of the size line, found '1'");
  expect_bad(MM "coordinate real general\n-3 3 1\n", ":2: expected the number of rows, found '-3'");
  expect_bad(MM "coordinate real general\n3.5 3 1\n", ":2: expected the number of rows, found '3.5'");
  expect_bad(MM "coordinate real general\n3 99999999999999999999 1\n", "does not fit in 64 bits");
  expect_bad(MM "coordinate real general\n3 2000000000000000000 1\n1 1 1\n", "more than the 2^60");
  expect_bad(MM "coordinate real symmetric\n3 4 1\n1 1 1\n",
             ":2: a symmetric matrix must be square, this one is 3 x 4");
  expect_bad(MM "coordinate real general\n3 3 1000000000000000000\n1 1 1\n",
             ":2: the size line promises 1000000000000000000 entries, more than the file has room for");
  expect_bad(MM "coordinate pattern general\n3 3 18446744073709551615\n1 1\n",
             "more than the file has room for");
  expect_bad(MM "array real general\n1000000000000000000 1000000000000000000\n1\n",
             "promises over 18446744073709551615 entries");
  expect_bad(MM "array real symmetric\n1000000000000 1000000000000\n1\n", "more than the file has room for");
}

static void bad_entries(void **state) {
  expect_bad(MM "coordinate real general\n3 3 2\n1 1 1\n%%%%%%%%%%%%%%%%%%%%%%\n",
             "/bad: the size line promises 2 entries, the file has 1 (is it truncated?)");
  expect_bad(MM "coordinate real general\n3 3 1\n1 1 1\n2 2 2\n",
             "/bad: the size line promises 1 entries, the file has 2");
  expect_bad(MM "coordinate real general\n3 3 1\n4 1 1\n", "/bad:3: row index '4' is outside 1..3");
  expect_bad(MM "coordinate real general\n3 3 2\n1 1 1\n\n3 0 1\n", ":5: column index '0' is outside 1..3");
  expect_bad(MM "coordinate real general\n3 3 1\n-1 1 1\n", ":3: expected a row index, found '-1'");
  expect_bad(MM "coordinate real general\n3 3 1\n1 1.5 1\n", ":3: expected a column index, found '1.5'");
  expect_bad(MM "coordinate real general\n3 3 1\n99999999999999999999 1 1\n", "is outside 1..3");
  expect_bad(MM "coordinate real general\n3 3 1\n1 1   \n",
             ":3: expected a value, found the end of the line");
  expect_bad(MM "coordinate real general\n3 3 1\n1 1 0x10\n", ":3: expected a value, found '0x10'");
  expect_bad(MM "coordinate real general\n3 3 1\n1 1 1 1\n", ":3: expected the end of the line, found '1'");
  expect_bad(MM "coordinate real general\n3 3 1\n1 1 1e400\n",
             ":3: the value '1e400' does not fit in a double");
  expect_bad(MM "coordinate integer general\n3 3 1\n1 1 1.5\n", ":3: expected an integer value, found '1.5'");
  expect_bad(MM "coordinate integer general\n3 3 1\n1 1 inf\n", ":3: expected an integer value, found 'inf'");
  expect_bad(MM "coordinate pattern general\n3 3 1\n1 1 1\n", ":3: expected the end of the line, found '1'");
  expect_bad(MM "coordinate real skew-symmetric\n3 3 1\n2 2 1\n",
             ":3: a skew-symmetric matrix has no values on the diagonal");
  expect_bad(MM "coordinate real general\n0 0 1\n1 1 1\n", ":3: row index '1' is outside 1..0");
  expect_bad(MM "array real general\n2 2\n1\n2\n3\n",
             "promises 4 entries, the file has 3 (is it truncated?)");
  expect_bad(MM "array real general\n2 1\n1\n2\n3\n", "promises 2 entries, the file has 3");
  expect_bad(MM "array real general\n2 1\n1 2\n3\n",
             ":3: expected the end of the line (an array has one value a line), found '2'");
  /* of several bad lines, the first */
  expect_bad(MM "coordinate pattern general\n3 3 6\n1 1\n1 2\n1 3\nbad\n9 9\nworse\n",
             ":6: expected a row index, found 'bad'");
}

static void bad_edges(void **state) {
  expect_bad("", "/bad: is empty");
  expect_bad("\n\n", "/bad: there are no edges in it");
  expect_bad("# nothing\n%\n", "/bad: there are no edges in it");
  expect_bad("1\n", ":1: expected a second vertex id, found the end of the line");
  expect_bad("1 2\n3\n", ":2: expected a second vertex id, found the end of the line");
  expect_bad("1 2\n# x\n3,,4\n", ":3: expected a vertex id, found ',4'");
  expect_bad("1 -2\n", ":1: the vertex id '-2' is negative");
  expect_bad("1 2\n18446744073709551616 3\n",
             ":2: the vertex id '18446744073709551616' does not fit in 64 bits");
  expect_bad("source,target\n1,2\n", ":1: expected a vertex id, found 'source,target'");
  expect_bad("1.5 2\n", ":1: the vertex id '1.5' is not a whole number");
  expect_bad("1 2\n3 4.0\n", ":2: the vertex id '4.0' is not a whole number");
  expect_bad("1 2\n3 4.0x\n", ":2: expected a vertex id, found '4.0x'");
  expect_bad("\"1\",\"2\"\n", "'\"1\",\"2\"'; quotes are not read");
  expect_bad("Ann Bob\n", "replace names by numbers");
  expect_bad("<?xml version=\"1.0\"?>\n", "'<?xml'; XML and JSON are not read");
  expect_bad("1 2 {'weight': 7}\n", "; NetworkX writes such lines");
  expect_bad("\x01 {\n", ":1: expected a vertex id, found the byte 0x01");
  expect_bad("1 2\n1 2 3\n", ":2: expected the end of the line (the first edge has no weight), found '3'");
  expect_bad("1 2 3\n1 2\n", ":2: expected a weight (the first edge has one), found the end of the line");
  expect_bad("1 2 3\n1 2 x\n", ":2: expected a weight, found 'x'");
  expect_bad("1 2 3\n1 2 1e999\n", ":2: the weight '1e999' does not fit in a double");
  expect_bad("1 2 3 4\n", ":1: expected the end of the line (two ids and a weight are all), found '4'");
  expect_bad("1 2\n3 4\n5 6 # why\n", ":3: expected the end of the line");
}

#define MARK "\xef\xbb\xbf"

static void byte_order_mark(void **state) {
  expect(MARK "1 2\n2 4\n", 3, 3, T({0, 1, 1}, {1, 2, 1}), 2, IDS(1, 2, 4));
  expect(MARK "# ids\n1 2\n", 2, 2, T({0, 1, 1}), 1, IDS(1, 2));
  expect(MARK MM "coordinate pattern general\n3 3 2\n1 2\n2 3\n", 3, 3, T({0, 1, 1}, {1, 2, 1}), 2, NULL);
  expect_bad(MARK, "/bad: there are no edges in it");
  expect_bad(MARK "1 x\n", ":1: expected a vertex id, found 'x'");
  expect_bad("1 2\n" MARK "2 3\n", ":2: expected a vertex id, found the byte 0xef");
}

/* Line ends of old Macs. */
static void bare_returns(void **state) {
  expect_bad("1 2\r3 4\r", ":1: lines end with a carriage return (CR) alone; only LF");
  expect_bad("# ids\r1 2\r3 4\r", ":1: lines end with a carriage return (CR) alone; only LF");
  expect_bad(MM "coordinate pattern general\r3 3 1\r1 2\r", ":1: lines end with a carriage return (CR)");
  expect_bad("1 2\n2 3\r3 4\n", ":2: lines end with a carriage return (CR) alone; only LF");
  expect("# a\rb\n1 2\r\n2 4 \r\r\n", 3, 3, T({0, 1, 1}, {1, 2, 1}), 2, IDS(1, 2, 4));
}

static void binary(void **state) {
  static const char nul[] = "1 2\n3\0 4\n",
                    garbage[] =
                        "\x7f"
                        "ELF\2\1\1\0\0\0\0",
                    high[] = "1 2\n\xff\xfe 3\n";
  expect_bad_bytes(nul, sizeof nul - 1, ":2: expected a vertex id, found '3' and the byte 0x00");
  expect_bad_bytes(garbage, sizeof garbage - 1, ":1: expected a vertex id, found the byte 0x7f");
  expect_bad_bytes(high, sizeof high - 1, ":2: expected a vertex id, found");
  expect_bad_file(write_file("bad",
                             "\xff\xfe"
                             "1\0 \0"
                             "2\0\n",
                             9, false),
                  "/bad: is text in UTF-16; iconv");
  expect_bad_file(write_file("bad", "BZh91AY&SY", 10, false),
                  "/bad: is compressed by bzip2; only gzip and zstd are read");
  expect_bad_file(write_file("bad",
                             "\xfd"
                             "7zXZ\0\0\r",
                             8, false),
                  "/bad: is compressed by xz; only gzip and zstd are read");
  expect_bad_file(write_file("bad", "\x93NUMPY\1\0v\0", 10, false),
                  "/bad: is an array of NumPy; scipy.sparse.save_npz");
  expect_bad_file(write_file("bad", "*Vertices 3\n1 2\n", 16, false), "/bad: is a file of Pajek");
  size_t n = 3 << 20;
  char *text = malloc(n + 1);
  memset(text, '7', n);
  memcpy(text, "1 2\n", 4);
  expect_bad_bytes(text, n, ":2: the line is longer than 1048576 bytes");
  memset(text, 0, n);
  expect_bad_bytes(text, n, ":1: the line is longer than 1048576 bytes");
  /* 1000 digits are a number that doesn't fit; blanks up to the limit are fine */
  memset(text, ' ', 200000);
  memcpy(text, "1 2\n", 4);
  strcpy(text + 200000, "4 5");
  expect_bad_file(write_file("bad", text, 200005, false),
                  ":2: expected a vertex id, found '5' and the byte 0x00");
  grid_tune.text_block = 5000;
  expect_read(write_file("good", text, 200003, false), 4, 4, T({0, 1, 1}, {2, 3, 1}), 2, IDS(1, 2, 4, 5));
  expect_read(write_file("good", text, 200003, true), 4, 4, T({0, 1, 1}, {2, 3, 1}), 2, IDS(1, 2, 4, 5));
  grid_tune.text_block = 0;
  free(text);
}

static void gzip(void **state) {
  char text[20000], *s = text;
  unsigned char packed[40000];
  for (int k = 0; k < 1500; k++) s += sprintf(s, "%d %d\n", k, (k * 37) % 1500);
  size_t length = (size_t)(s - text), n = 0;
  /* packed, and what process 0 reads back */
  const char *path = write_file("gz", text, length, true);
  if (Grid_rank() == 0) {
    FILE *f = fopen(path, "rb");
    n = f ? fread(packed, 1, sizeof packed, f) : 0;
    if (f) fclose(f);
  }
  assert_int_equal(Grid_bcast(&n, sizeof n, 0), GrB_SUCCESS);
  assert_int_equal(Grid_bcast(packed, sizeof packed, 0), GrB_SUCCESS);
  assert_true(n > 100 && 2 * n < sizeof packed);
  for (size_t b = first_size(); b < BLOCK_SIZES; b += size_step()) {
    grid_tune.text_block = block_sizes[b];
    expect_bad_file(write_file("bad", packed, n - 9, false), "/bad: truncated: the gzip data ends after");
    expect_bad_file(write_file("bad", packed, n / 2, false), "/bad: truncated: the gzip data ends after");
    expect_bad_file(write_file("bad", packed, 2, false), "/bad: truncated: the gzip data ends after 0 bytes");
    packed[n - 6] ^= 1; /* the checksum */
    expect_bad_file(write_file("bad", packed, n, false), "/bad: corrupt gzip data after");
    packed[n - 6] ^= 1;
    packed[n / 2] ^= 0x55;
    expect_bad_file(write_file("bad", packed, n, false), "/bad"); /* corrupt data, or a line spoilt by it */
    packed[n / 2] ^= 0x55;
    packed[n] = 'x'; /* something after the end */
    expect_bad_file(write_file("bad", packed, n + 1, false), "/bad: ");
    packed[2] ^= 1; /* the method */
    expect_bad_file(write_file("bad", packed, n, false), "/bad: corrupt gzip data after 0 bytes");
    packed[2] ^= 1;
  }
  grid_tune.text_block = 0;
  /* two members, and padding */
  Grid_Edges e;
  memcpy(packed + n, packed, n);
  memset(packed + 2 * n, 0, 100);
  assert_int_equal(Grid_read(&e, write_file("twice", packed, 2 * n + 100, false)), GrB_SUCCESS);
  assert_true(e.total == 3000 && e.nrows == 1500);
  Grid_Edges_free(&e);
  /* members of different lengths */
  size_t more = 4;
  void *member = grid_pack(GRID_GZIP, "7 8\n", &more);
  assert_true(member && n + more < sizeof packed);
  memcpy(packed + n, member, more);
  grid_free(member);
  assert_int_equal(Grid_read(&e, write_file("short", packed, n + more, false)), GrB_SUCCESS);
  assert_true(e.total == 1501 && e.nrows == 1500);
  Grid_Edges_free(&e);
}

/* A block that is larger than what passes between processes at once. */
static void gzip_of_long_blocks(void **state) {
  enum { LINES = 300000 };
  char *text = malloc(16 * LINES), *s = text;
  uint64_t sum[2], total[2];
  for (int k = 0; k < LINES; k++) s += sprintf(s, "%d %d\n", k, (int)(k * INT64_C(37) % LINES));
  grid_tune.text_block = 600000;
  for (int packed = 0; packed < 2; packed++) {
    Grid_Edges e;
    assert_int_equal(Grid_read(&e, write_file("long", text, (size_t)(s - text), packed)), GrB_SUCCESS);
    sum[packed] = 0, total[packed] = e.total;
    for (uint64_t k = 0; k < e.n; k++) sum[packed] += (e.rows[k] + 1) * (e.cols[k] + 3);
    assert_int_equal(Grid_sum(&sum[packed], 1), GrB_SUCCESS);
    Grid_Edges_free(&e);
  }
  assert_true(total[0] == LINES && total[1] == total[0] && sum[1] == sum[0]);
  grid_tune.text_block = 0;
  free(text);
}

static void missing_file(void **state) {
  Grid_Edges e;
  char path[512], want[600];
  snprintf(want, sizeof want, "%s/none: cannot open: No such file or directory", dir);
  expect_bad_file(path_of("none"), want);
  expect_bad_file(dir, ": is a directory");
  expect_bad_file("-", "-: standard input is not read");
  expect_bad_file("/dev/null", "/dev/null: is not a regular file");
  snprintf(path, sizeof path, "%s", path_of("pipe"));
  assert_int_equal(Grid_agree(Grid_rank() == 0 && mkfifo(path, 0600) ? GrB_PANIC : GrB_SUCCESS, "mkfifo"),
                   GrB_SUCCESS);
  expect_bad_file(path, ": is not a regular file");
  if (geteuid() != 0) {
    snprintf(path, sizeof path, "%s", write_file("locked", "1 2\n", 4, false));
    if (Grid_rank() == 0) chmod(path, 0);
    barrier();
    expect_bad_file(path, ": cannot open: Permission denied");
  }
  assert_int_equal(Grid_read(NULL, path), GrB_NULL_POINTER);
  assert_int_equal(Grid_read(&e, NULL), GrB_NULL_POINTER);
  assert_empty(&e);
}

/* One process finds no file, or another one. */
static void process_specific_files(void **state) {
  if (Grid_size() == 1) return;
  char good[512], other[512];
  snprintf(good, sizeof good, "%s", write_file("one", "1 2\n3 4\n", 8, false));
  snprintf(other, sizeof other, "%s", write_file("two", "1 2\n3 4\n5 6\n", 12, false));
  bool last = Grid_rank() == Grid_size() - 1;
  expect_bad_file(last ? path_of("none") : good, "none: cannot open: No such file or directory (on 1 of ");
  expect_bad_file(last ? good : path_of("none"), "none: cannot open: No such file or directory (on ");
  Grid_Edges e;
  assert_int_equal(Grid_read(&e, last ? other : good), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "differs between processes (8 bytes on one, 12 on another)"));
  assert_empty(&e);
}

/* ---- real files ---------------------------------------------------------------------------------------- */

/* Where a real file is: in examples/data, in the shared directory, or (false) not on this machine. */
static bool find_data(char *path, size_t capacity, const char *name) {
  static const char *const directories[] = {GRID_TEST_DATA, GRID_SHARED_DATA};
  for (int k = 0; k < 2; k++) {
    snprintf(path, capacity, "%s/%s", directories[k], name);
    if (access(path, R_OK) == 0) return true;
  }
  return false;
}

static void real_files(void **state) {
  static const struct {
    const char *name;
    uint64_t vertices, edges;
    bool symmetric, weighted, ids;
  } files[] = {{"soc-Epinions1.txt", 75877, 405739, false, false, true},
               {"Wiki-Vote.txt", 7115, 103689, false, false, true},
               {"facebook_combined.txt", 4039, 88234, false, false, true},
               {"ca-GrQc.txt", 4158, 13428, false, false, true},
               {"email-Eu-core.csv", 1005, 25571, false, true, true},
               {"hep-th.mtx", 8361, 15751, true, true, false},
               {"netscience.mtx", 1589, 2742, true, true, false},
               {"chesapeake.mtx", 39, 170, true, false, false},
               {"bips98_606.mtx", 7135, 34738, false, true, false}};
  size_t count = 0;
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    Grid_Edges e;
    char path[512];
    if (!find_data(path, sizeof path, files[k].name)) continue;
    count++;
    assert_int_equal(Grid_read(&e, path), GrB_SUCCESS);
    assert_true(e.nrows == files[k].vertices && e.ncols == files[k].vertices && e.total == files[k].edges);
    assert_true(e.symmetric == files[k].symmetric && e.pattern == !files[k].weighted &&
                (e.ids != NULL) == files[k].ids);
    uint64_t n = e.n;
    Grid_sum(&n, 1);
    assert_true(n == e.total);
    Grid_Edges_free(&e);
  }
  assert_true(count >= 3); /* those in examples/data */
}

/* ---- R-MAT --------------------------------------------------------------------------------------------- */

/* A hash of all tuples that is independent of their order. */
static uint64_t fingerprint(const Grid_Edges *e) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < e->n; k++) sum += scatter(e->rows[k] ^ scatter(e->cols[k]));
  assert_int_equal(Grid_sum(&sum, 1), GrB_SUCCESS);
  return sum;
}

/* The graph is what it always was, whatever the number of processes and threads. */
static void rmat_same(void **state) {
  static const struct {
    int scale;
    uint64_t edgefactor, seed, sum;
  } graphs[] = {{1, 1, 0, UINT64_C(0xedbdf010c30cb62a)},
                {5, 7, 1, UINT64_C(0x371f09dbe419c910)},
                {12, 16, 1, UINT64_C(0x0c647aa9188830ec)},
                {12, 16, 2, UINT64_C(0xb732b70cfd7f0db9)},
                {13, 3, UINT64_MAX, UINT64_C(0x68615c816f6dc9c3)}};
  for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
    int threads = Grid_threads(0);
    for (int t = 1; t <= 3; t++) {
      Grid_Edges e;
      Grid_threads(t);
      assert_int_equal(Grid_rmat(&e, graphs[g].scale, graphs[g].edgefactor, graphs[g].seed), GrB_SUCCESS);
      assert_true(e.nrows == UINT64_C(1) << graphs[g].scale && e.ncols == e.nrows);
      assert_true(e.total == graphs[g].edgefactor << graphs[g].scale && e.pattern && !e.values && !e.ids &&
                  e.base == 0);
      assert_string_equal(e.kind, "R-MAT");
      for (uint64_t k = 0; k < e.n; k++) assert_true(e.rows[k] < e.nrows && e.cols[k] < e.ncols);
      uint64_t n = e.n, sum = fingerprint(&e);
      Grid_sum(&n, 1);
      assert_true(n == e.total);
      if (sum != graphs[g].sum) print_message("graph %zu: 0x%" PRIx64 "\n", g, sum);
      assert_true(sum == graphs[g].sum);
      Grid_Edges_free(&e);
    }
    Grid_threads(threads);
  }
}

/* Each level, and each level with the one before it, draws the quadrants with the initiator's probabilities:
 * within 5 standard deviations of a binomial. */
static void rmat_quadrants(void **state) {
  static const double p[4] = {0.57, 0.19, 0.19, 0.05};
  enum { N = 1 << 18 };
  uint64_t *rows = malloc(N * 8), *cols = malloc(N * 8);
  for (int scale = 17; scale <= 20; scale++) {
    grid_rmat_tuples(rows, cols, 1000003, N, scale, 4711 + (uint64_t)scale);
    for (int level = 0; level < scale; level++) {
      double one[4] = {0}, two[16] = {0};
      for (int k = 0; k < N; k++) {
        unsigned q = (unsigned)(2 * (rows[k] >> level & 1) + (cols[k] >> level & 1));
        unsigned above = (unsigned)(2 * (rows[k] >> (level + 1) & 1) + (cols[k] >> (level + 1) & 1));
        one[q]++;
        two[4 * above + q]++;
      }
      for (int q = 0; q < 4; q++) assert_true(fabs(one[q] - N * p[q]) < 5 * sqrt(N * p[q] * (1 - p[q])));
      if (level + 1 == scale) continue;
      for (int q = 0; q < 16; q++) {
        double both = p[q / 4] * p[q % 4];
        assert_true(fabs(two[q] - N * both) < 5 * sqrt(N * both * (1 - both)));
      }
    }
  }
  free(rows);
  free(cols);
}

static void rmat_scramble(void **state) {
  uint64_t *v = malloc(8 << 16);
  unsigned char *present = malloc(1 << 16);
  for (int scale = 1; scale <= 16; scale++) {
    for (uint64_t key = 0; key < 5; key++) {
      uint64_t n = UINT64_C(1) << scale, fixed = 0;
      for (uint64_t k = 0; k < n; k++) v[k] = k;
      grid_rmat_scramble(v, n, scale, key * 77777);
      memset(present, 0, n);
      for (uint64_t k = 0; k < n; k++) {
        assert_true(v[k] < n && !present[v[k]]);
        present[v[k]] = 1;
        fixed += v[k] == k;
      }
      if (scale >= 10) assert_true(fixed < 20); /* a random permutation has 1 on average */
    }
  }
  free(v);
  free(present);
}

/* The tuples one by one, and the matrix of them, are those of Grid_rmat. */
static void rmat_matrix(void **state) {
  const int scale = 9;
  const uint64_t n = UINT64_C(1) << scale;
  for (int flags = 0; flags < 4; flags++) {
    Grid_Edges e;
    Grid_Rmat g;
    GrB_Matrix A[2];
    GrB_Index nvals[2], count;
    uint64_t sum[2] = {0}, before = 0;
    assert_int_equal(Grid_rmat(&e, scale, 5, 77), GrB_SUCCESS);
    Grid_Rmat_init(&g, scale, 77);
    for (int k = 0; k < Grid_rank(); k++)
      before += e.total / (uint64_t)Grid_size() + ((uint64_t)k < e.total % (uint64_t)Grid_size());
    for (uint64_t k = 0; k < e.n; k++) {
      uint64_t row, col;
      Grid_Rmat_tuple(&g, before + k, &row, &col);
      assert_true(row == e.rows[k] && col == e.cols[k]);
    }
    for (int m = 0; m < 2; m++) {
      assert_int_equal(GrB_Matrix_new(&A[m], GrB_INT32, n, n), GrB_SUCCESS);
      assert_int_equal(m ? Grid_Matrix_rmat(A[m], scale, 5, 77, flags)
                         : Grid_Matrix_build(A[m], e.rows, e.cols, NULL, NULL, e.n, NULL, flags),
                       GrB_SUCCESS);
      assert_int_equal(GrB_Matrix_nvals(&nvals[m], A[m]), GrB_SUCCESS);
      GrB_Index *row = malloc(nvals[m] * sizeof *row), *col = malloc(nvals[m] * sizeof *col);
      int32_t *one = malloc(nvals[m] * sizeof *one);
      count = nvals[m];
      assert_int_equal(GrB_Matrix_extractTuples_INT32(row, col, one, &count, A[m]), GrB_SUCCESS);
      for (uint64_t k = 0; k < count; k++)
        sum[m] += scatter(row[k] ^ scatter(col[k])), assert_true(one[k] == 1);
      free(row);
      free(col);
      free(one);
    }
    assert_true(nvals[0] == nvals[1] && sum[0] == sum[1]);
    assert_int_equal(Grid_Matrix_rmat(A[1], scale, 5, 77, flags), GrB_OUTPUT_NOT_EMPTY);
    assert_int_equal(Grid_Matrix_rmat(A[1], scale, 5, 77, Grid_BY_DEGREE), GrB_INVALID_VALUE);
    assert_int_equal(GrB_Matrix_clear(A[1]), GrB_SUCCESS);
    assert_int_equal(Grid_Matrix_rmat(A[1], scale + 1, 5, 77, flags), GrB_DIMENSION_MISMATCH);
    assert_int_equal(Grid_Matrix_rmat(A[1], 0, 5, 77, flags), GrB_INVALID_VALUE);
    GrB_Matrix_free(&A[0]);
    GrB_Matrix_free(&A[1]);
    Grid_Edges_free(&e);
  }
}

static void rmat_bad(void **state) {
  static const struct {
    int scale;
    uint64_t edgefactor;
  } bad[] = {{0, 16}, {-3, 16}, {59, 1}, {10, 0}, {58, 5}, {20, UINT64_MAX}, {1, (UINT64_C(1) << 59) + 1}};
  Grid_Edges e;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(Grid_rmat(&e, bad[k].scale, bad[k].edgefactor, 1), GrB_INVALID_VALUE);
    assert_empty(&e);
    assert_non_null(strstr(Grid_last_error(), "R-MAT: "));
  }
  assert_int_equal(Grid_rmat(&e, 58, 4, 1), GrB_OUT_OF_MEMORY);
  assert_empty(&e);
  assert_int_equal(Grid_rmat(NULL, 5, 1, 1), GrB_NULL_POINTER);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* Fails the k-th allocation on all processes, or on one only, for k = 0, 1, ... until the call gets
 * through. */
static void fail_allocations(GrB_Info (*call)(Grid_Edges *e, void *context), void *context) {
  for (int everywhere = 0; everywhere < 2; everywhere++) {
    int64_t k = 0, live;
    GrB_Info info = GrB_OUT_OF_MEMORY;
    for (; info != GrB_SUCCESS; k++) {
      Grid_Edges e;
      assert_true(k < 10000);
      live = grid_mem_live();
      if (everywhere || Grid_rank() == (int)(k % Grid_size()))
        grid_mem_fail_after(everywhere ? k : k / Grid_size());
      info = call(&e, context);
      grid_mem_fail_after(-1);
      if (info == GrB_SUCCESS) {
        Grid_Edges_free(&e);
        /* until no process fails */
        if (!everywhere && k % Grid_size() != Grid_size() - 1) info = GrB_OUT_OF_MEMORY;
      } else {
        assert_int_equal(info, GrB_OUT_OF_MEMORY);
        assert_empty(&e);
      }
      assert_true(grid_mem_live() == live);
    }
  }
}

static GrB_Info call_read(Grid_Edges *e, void *path) {
  return Grid_read(e, path);
}
static GrB_Info call_rmat(Grid_Edges *e, void *unused) {
  (void)unused;
  return Grid_rmat(e, 6, 4, 1);
}

static void memory(void **state) {
  char text[8000], path[512], *s = text;
  fail_allocations(call_rmat, NULL);
  for (int k = 0; k < 100; k++)
    s += sprintf(s, "%" PRIu64 " %" PRIu64 " 1\n", scatter((uint64_t)k), scatter((uint64_t)(k * 7 % 100)));
  grid_tune.text_block = 600;
  for (int gz = 0; gz < 2; gz++) {
    snprintf(path, sizeof path, "%s", write_file("memory", text, strlen(text), gz));
    fail_allocations(call_read, path);
  }
  static const char *const others[] = {"1 2\n3 4\n5 6\n7 8\n",
                                       MM "array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
                                       MM "coordinate real symmetric\n4 4 3\n1 1 1\n2 2 2\n3 3 3\n"};
  grid_tune.text_block = 10;
  for (int k = 0; k < 3; k++) {
    snprintf(path, sizeof path, "%s", write_file("memory", others[k], strlen(others[k]), false));
    fail_allocations(call_read, path);
  }
  grid_tune.text_block = 0;
}

/* ---- plain lines --------------------------------------------------------------------------------------- */

/* A line by chance: mostly as lines are, often with something about it that is not. */
static size_t draw_line(char *line, const char *start) {
  static const char *const segments[] = {"0",
                                         "1",
                                         "7",
                                         "12345678",
                                         "123456789012345678",
                                         "18446744073709551615",
                                         "-3",
                                         "2.5",
                                         "-0.25",
                                         "0.1",
                                         "123456789.012345",
                                         "1e3",
                                         "",
                                         "x",
                                         "99",
                                         "3.",
                                         ".5",
                                         "1234567890.1234567"};
  static const char *const blanks[] = {" ", " ", " ", " ", "\t", ",", "  ", " , ", ""};
  static const char *const ends[] = {"\n", "\n", "\n", "\r\n", " \n", " 4\n", "\r", ""};
  char *s = line + sprintf(line, "%s", draw_one_in(8) ? "" : start);
  const int fields = 2 + (int)draw(2);
  for (int k = 0; k < fields; k++) {
    if (draw_one_in(2))
      s += sprintf(s, "%" PRIu64, draw(1200));
    else
      s += sprintf(s, "%s", segments[draw(sizeof segments / sizeof *segments)]);
    if (k + 1 < fields) s += sprintf(s, "%s", blanks[draw(sizeof blanks / sizeof *blanks)]);
  }
  s += sprintf(s, "%s", ends[draw(sizeof ends / sizeof *ends)]);
  return (size_t)(s - line);
}

/* What is read as a plain line is what the format's own function reads. */
static void plain_lines(void **state) {
  static const grid_line_fn parsers[] = {[GRID_FILE_COORDINATE] = grid_line_coordinate,
                                         [GRID_FILE_EDGES] = grid_line_edge,
                                         [GRID_FILE_DIMACS] = grid_line_dimacs};
  static const grid_layout layouts[] = {GRID_FILE_COORDINATE, GRID_FILE_EDGES, GRID_FILE_DIMACS};
  uint64_t plain = 0, all = Grid_size() > 1 ? 3000 : 60000;
  for (uint64_t k = 0; k < all; k++) {
    grid_file_format f = {.layout = layouts[draw(3)], .nrows = 1000, .ncols = 1100};
    if (f.layout == GRID_FILE_DIMACS) f.ncols = f.nrows;
    f.arcs = draw_one_in(2);
    f.pattern = f.layout == GRID_FILE_DIMACS ? !f.arcs : draw_one_in(2);
    f.integer = draw_one_in(3);
    f.skew = draw_one_in(4);
    char line[256];
    const size_t n = draw_line(line, f.layout != GRID_FILE_DIMACS ? "" : f.arcs ? "a " : "e ");
    memcpy(line + n, "5 6 7 8 9 10", 12); /* the next line, which it must not see */
    const char *s = line;
    uint64_t row = 0, col = 0, i = 0, j = 0;
    double x = 0, y = 0;
    if (!grid_plain_line(&f, &s, line + n + 12, &row, &col, &x)) {
      assert_true(s == line);
      continue;
    }
    plain++;
    grid_parse_error flaw;
    const char *end = memchr(line, '\n', n);
    assert_non_null(end);
    assert_true(s == end + 1);
    const int got = parsers[f.layout](&f, line, end, &i, &j, &y, &flaw);
    if (got != 1) print_message("%.*s: %s\n", (int)(end - line), line, flaw.text);
    assert_int_equal(got, 1);
    assert_true(row == i && col == j);
    assert_memory_equal(&x, &y, sizeof x);
  }
  assert_true(plain > all / 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers),
                                     cmocka_unit_test(integers),
                                     cmocka_unit_test(matrix_market),
                                     cmocka_unit_test(arrays),
                                     cmocka_unit_test(large_array),
                                     cmocka_unit_test(edge_lists),
                                     cmocka_unit_test(random_edges),
                                     cmocka_unit_test(find),
                                     cmocka_unit_test(bad_banners),
                                     cmocka_unit_test(bad_sizes),
                                     cmocka_unit_test(bad_entries),
                                     cmocka_unit_test(bad_edges),
                                     cmocka_unit_test(byte_order_mark),
                                     cmocka_unit_test(bare_returns),
                                     cmocka_unit_test(binary),
                                     cmocka_unit_test(gzip),
                                     cmocka_unit_test(gzip_of_long_blocks),
                                     cmocka_unit_test(missing_file),
                                     cmocka_unit_test(process_specific_files),
                                     cmocka_unit_test(real_files),
                                     cmocka_unit_test(rmat_same),
                                     cmocka_unit_test(rmat_quadrants),
                                     cmocka_unit_test(rmat_scramble),
                                     cmocka_unit_test(rmat_bad),
                                     cmocka_unit_test(rmat_matrix),
                                     cmocka_unit_test(memory),
                                     cmocka_unit_test(plain_lines)};
  return cmocka_run_group_tests(tests, start, stop);
}
