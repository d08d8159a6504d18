/* Tests of the formats of files (dist/io/formats, and dist/io/text's METIS and DIMACS) on any number of
 * processes. What is written is read back, by each format, packing and shape of graph. What a format cannot
 * hold is refused. Also files that other programs wrote, and damaged ones. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit.h"
#include "dist/io/formats/crc32.h"
#include "dist/io/text/text_file.h"
#include "gridblas.h"
#include "semiring/support/tuning.h"
#include "tests/test_folder.h"
#include "tests/test_tuples.h"

/* The file's bytes, on every process. */
static char *read_file(const char *path, size_t *n) {
  char *bytes = malloc(1 << 20);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  *n = fread(bytes, 1, 1 << 20, f);
  fclose(f);
  return bytes;
}

/* ---- graphs -------------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  uint64_t nrows, ncols, n;
  bool weighted, symmetric, skew, loops;
  double scale; /* of weights: 1: whole numbers */
} shape;

static const shape shapes[] = {
    {"pattern", 50, 50, 300, false, false, false, true, 1},
    {"weights", 50, 50, 300, true, false, false, true, 1},
    {"fractions", 50, 50, 300, true, false, false, true, 0.1},
    {"oblong", 40, 90, 200, true, false, false, true, 1},
    {"symmetric", 60, 60, 250, false, true, false, false, 1},
    {"symmetric-weights", 60, 60, 250, true, true, false, false, 1},
    {"skew", 30, 30, 60, true, false, true, false, 0.25},
    {"none", 9, 9, 0, false, true, false, false, 1},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* Tuple number k; no two at one position: k determines the position. */
static tuple entry(const shape *s, uint64_t k) {
  uint64_t at = k * 7919 % (s->nrows * s->ncols), r = at / s->ncols, c = at % s->ncols;
  return (tuple){r, c, s->weighted ? s->scale * (double)(1 + k * 31 % 97) : 1};
}

static bool is_stored(const shape *s, tuple t) {
  if (!s->loops && t.row == t.col) return false;
  return (!s->symmetric && !s->skew) || t.row > t.col;
}

/* Each process has those of every P-th number. */
static Grid_Edges make(const shape *s) {
  Grid_Edges e;
  memset(&e, 0, sizeof e);
  e.nrows = s->nrows, e.ncols = s->ncols;
  e.symmetric = s->symmetric, e.skew = s->skew, e.pattern = !s->weighted;
  e.rows = malloc((s->n + 1) * 8), e.cols = malloc((s->n + 1) * 8);
  if (s->weighted) e.values = malloc((s->n + 1) * 8);
  for (uint64_t k = 0; k < s->n; k++) {
    const tuple t = entry(s, k);
    e.total += is_stored(s, t);
    if (!is_stored(s, t) || k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    e.rows[e.n] = t.row, e.cols[e.n] = t.col;
    if (e.values) e.values[e.n] = t.value;
    e.n++;
  }
  return e;
}

static void free_result(Grid_Edges *e) {
  free(e->rows);
  free(e->cols);
  free(e->values);
}

/* All entries of the matrix that the edges are, both triangles, sorted, on every process. */
static tuple *entries(const Grid_Edges *e, uint64_t *count) {
  tuple *all = malloc((2 * e->total + 1) * sizeof *all);
  uint64_t n = 0;
  for (int r = 0; r < Grid_size(); r++) {
    uint64_t share = e->n;
    assert_int_equal(Grid_bcast(&share, sizeof share, r), GrB_SUCCESS);
    assert_true(n + share <= 2 * e->total);
    if (r == Grid_rank())
      for (uint64_t k = 0; k < e->n; k++)
        all[n + k] = (tuple){e->rows[k], e->cols[k], e->values ? e->values[k] : 1};
    assert_int_equal(Grid_bcast(all + n, share * sizeof *all, r), GrB_SUCCESS);
    n += share;
  }
  assert_true(n == e->total);
  for (uint64_t k = 0, m = n; k < m; k++)
    if ((e->symmetric || e->skew) && all[k].row != all[k].col)
      all[n++] = (tuple){all[k].col, all[k].row, e->skew ? -all[k].value : all[k].value};
  qsort(all, n, sizeof *all, tuple_order);
  *count = n;
  return all;
}

static void expect_same(const Grid_Edges *got, const Grid_Edges *want, bool values) {
  uint64_t n, m;
  tuple *a = entries(got, &n), *b = entries(want, &m);
  assert_true(n == m);
  for (uint64_t k = 0; k < n; k++) {
    assert_true(a[k].row == b[k].row && a[k].col == b[k].col);
    if (values) assert_true(a[k].value == b[k].value);
  }
  free(a);
  free(b);
}

/* ---- write and read back ------------------------------------------------------------------------------- */

/* Can the format represent the shape? Part of the error message if not, else NULL. */
static const char *expected_refusal(const char *format, const shape *s) {
  const bool graph500 = strncmp(format, "graph500", 8) == 0, metis = strcmp(format, "metis") == 0,
             dimacs = strcmp(format, "dimacs") == 0;
  if (graph500 && s->weighted) return "has no weights";
  if ((metis || dimacs) && s->nrows != s->ncols) return "square matrices only";
  if ((metis || dimacs) && s->skew) return "no skew-symmetric matrices";
  if ((metis || dimacs) && s->scale != 1) return "integer weights";
  if (metis && s->loops) return "METIS has no loops";
  if (strcmp(format, "edges") == 0 && s->skew) return "skew-symmetric";
  return NULL;
}

static void write_and_read(const Grid_Format *f, const shape *s, const char *packing) {
  char path[512];
  const size_t ending = strcspn(f->endings, " ");
  const bool names = strcmp(f->name, "edges") == 0, graph500 = strncmp(f->name, "graph500", 8) == 0,
             has_dimensions = !graph500 && (!names || s->nrows == s->ncols);
  Grid_Edges e = make(s), got;
  const int64_t live = grid_mem_live();
  snprintf(path, sizeof path, "%s/back%.*s%s", dir, (int)ending, f->endings, packing);
  const char *why = expected_refusal(f->name, s);
  GrB_Info info = Grid_write(&e, path, NULL);
  if (why) {
    assert_int_equal(info, GrB_INVALID_VALUE);
    if (!strstr(Grid_last_error(), why)) print_message("%s\n", Grid_last_error());
    assert_non_null(strstr(Grid_last_error(), why));
    assert_true(access(path, F_OK) != 0);
    assert_true(grid_mem_live() == live);
    free_result(&e);
    return;
  }
  if (info != GrB_SUCCESS) print_message("%s: %s\n", f->name, Grid_last_error());
  assert_int_equal(info, GrB_SUCCESS);
  info = Grid_read(&got, path);
  if (s->n == 0 && graph500) {
    assert_int_equal(info, GrB_INVALID_VALUE); /* no edges, and nothing else in the file */
  } else {
    if (info != GrB_SUCCESS) print_message("%s: %s\n", f->name, Grid_last_error());
    assert_int_equal(info, GrB_SUCCESS);
    if (names || graph500) got.symmetric = e.symmetric; /* edges count in both directions */
    if (!has_dimensions) {                              /* vertices without edges are lost */
      assert_true(got.total == e.total && got.nrows <= (s->ncols > s->nrows ? s->ncols : s->nrows));
      for (uint64_t k = 0; names && k < got.n; k++) {
        assert_true(got.rows[k] < got.nrows);
      }
    } else {
      assert_true(got.nrows == s->nrows && got.ncols == s->ncols);
      assert_true(got.pattern == e.pattern || strcmp(f->name, "dimacs") == 0);
    }
    if (!names || got.nrows == s->nrows) expect_same(&got, &e, true);
    Grid_Edges_free(&got);
  }
  if (Grid_rank() == 0) unlink(path);
  barrier();
  assert_true(grid_mem_live() == live);
  free_result(&e);
}

/* Formats that need an optional library are skipped without it. */
static bool is_supported(const Grid_Format *f) {
  const char *path = path_of("there");
  Grid_Edges e = make(&shapes[4]);
  const GrB_Info info = Grid_write(&e, path, f->name);
  free_result(&e);
  if (info == GrB_NOT_IMPLEMENTED) print_message("[  SKIPPED ] %s: %s\n", f->name, Grid_last_error());
  return info != GrB_NOT_IMPLEMENTED;
}

static void round_trips(void **state) {
  int k = 0;
  for (const Grid_Format *f; (f = Grid_format(k)); k++) {
    if (!is_supported(f)) continue;
    for (size_t s = 0; s < SHAPES; s++) {
      if (shapes[s].nrows < (uint64_t)Grid_size()) continue;
      write_and_read(f, &shapes[s], "");
    }
  }
  assert_true(k >= 6 && !Grid_format(k) && !Grid_format(-1));
}

static void packed(void **state) {
  static const char *const packings[] = {".gz", ".zst"};
  for (int p = 0; p < 2; p++) {
    Grid_Edges e = make(&shapes[1]), got;
    const GrB_Info info = Grid_write(&e, path_of(p ? "there.mtx.zst" : "there.mtx.gz"), NULL);
    if (info == GrB_NOT_IMPLEMENTED) {
      print_message("[  SKIPPED ] zstd: %s\n", Grid_last_error());
    } else {
      assert_int_equal(info, GrB_SUCCESS);
      for (int k = 0; k < 4; k++) write_and_read(Grid_format(k), &shapes[k == 3 ? 5 : 1], packings[p]);
      size_t n; /* truncated, and corrupted */
      char *bytes = read_file(path_of(p ? "there.mtx.zst" : "there.mtx.gz"), &n);
      const char *cut = write_file("cut", bytes, n - 5, false);
      assert_int_equal(Grid_read(&got, cut), GrB_INVALID_VALUE);
      assert_non_null(strstr(Grid_last_error(), "/cut: truncated: the "));
      bytes[n / 2] ^= 0x55;
      assert_int_equal(Grid_read(&got, write_file("cut", bytes, n, false)), GrB_INVALID_VALUE);
      free(bytes);
    }
    free_result(&e);
  }
}

/* Names of an edge list are stored with it, and only with it. */
static void names(void **state) {
  Grid_Edges e, got;
  uint64_t at;
  const char text[] = "7 1000000000000 2.5\n1000000000000 3 -1e-3\n3 7 1e300\n";
  assert_int_equal(Grid_read(&e, write_file("names", text, sizeof text - 1, false)), GrB_SUCCESS);
  assert_int_equal(Grid_write(&e, path_of("again.txt.gz"), NULL), GrB_SUCCESS);
  assert_int_equal(Grid_read(&got, path_of("again.txt.gz")), GrB_SUCCESS);
  expect_same(&got, &e, true);
  assert_int_equal(Grid_Edges_find(&at, &got, UINT64_C(1000000000000)), GrB_SUCCESS);
  assert_true(at == 2);
  Grid_Edges_free(&got);
  Grid_Edges_free(&e);
}

/* A weight that is not a number: Grid_read keeps it, Grid_read_weights names its line or its edge. */
static void nan_weights(void **state) {
  static const struct {
    const char *name, *text, *why;
  } files[] = {
      {"nan.txt", "# weights\n1 2 1.5\n2 3 NaN\n3 4 nan\n", "nan.txt:3: the weight is not a number"},
      {"nan.csv", "1,2,nan\n", "nan.csv:1: "},
      {"nan.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 -nan\n", "nan.mtx:4: "},
      {"array.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\nnan\n3\n", "array.mtx:5: "},
      {"nan.gr", "p sp 3 2\na 1 2 3\na 2 3 nan\n", "nan.gr:3: "},
  };
  Grid_Edges e;
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    const char *path = write_file(files[k].name, files[k].text, strlen(files[k].text), false);
    assert_int_equal(Grid_read(&e, path), GrB_SUCCESS);
    Grid_Edges_free(&e);
    assert_int_equal(Grid_read_weights(&e, path, NULL), GrB_INVALID_VALUE);
    if (!strstr(Grid_last_error(), files[k].why)) print_message("%s\n", Grid_last_error());
    assert_non_null(strstr(Grid_last_error(), files[k].why));
    assert_true(e.rows == NULL && e.n == 0);
  }
  const char good[] = "1 2 1.5\n2 3 inf\n", bad[] = "5 7 1.5\n7 9 nan\n";
  assert_int_equal(Grid_read_weights(&e, write_file("inf.txt", good, sizeof good - 1, false), NULL),
                   GrB_SUCCESS);
  assert_true(e.total == 2);
  Grid_Edges_free(&e);
  assert_int_equal(Grid_read(&e, write_file("bad.txt", bad, sizeof bad - 1, false)), GrB_SUCCESS);
  assert_int_equal(Grid_write(&e, path_of("nan.grb"), NULL), GrB_SUCCESS);
  Grid_Edges_free(&e);
  assert_int_equal(Grid_read_weights(&e, path_of("nan.grb"), NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "nan.grb: the weight of the edge from 1 to 2 is not a number"));
}

/* ---- files of others ----------------------------------------------------------------------------------- */

static void expect_bad(const char *name, const char *text, const char *part) {
  Grid_Edges e;
  static const size_t blocks[] = {0, 1, 7};
  for (int b = 0; b < 3; b++) {
    grid_tune.text_block = blocks[b];
    const GrB_Info info = Grid_read(&e, write_file(name, text, strlen(text), false));
    if (info != GrB_INVALID_VALUE || !strstr(Grid_last_error(), part))
      print_message("%d \"%s\" lacks \"%s\"\n", info, Grid_last_error(), part);
    assert_int_equal(info, GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), part));
    assert_true(!e.rows && !e.n);
  }
  grid_tune.text_block = 0;
}

static void expect_text(const char *name, const char *text, uint64_t n, const tuple *want, bool symmetric) {
  Grid_Edges e;
  static const size_t blocks[] = {0, 1, 7};
  for (int b = 0; b < 3; b++) {
    uint64_t count;
    grid_tune.text_block = blocks[b];
    const GrB_Info info = Grid_read(&e, write_file(name, text, strlen(text), false));
    if (info != GrB_SUCCESS) print_message("%s\n", Grid_last_error());
    assert_int_equal(info, GrB_SUCCESS);
    assert_true(e.total == n && e.symmetric == symmetric && e.base == 1);
    e.symmetric = false;
    tuple *got = entries(&e, &count);
    for (uint64_t k = 0; k < n; k++)
      assert_true(got[k].row == want[k].row && got[k].col == want[k].col && got[k].value == want[k].value);
    free(got);
    Grid_Edges_free(&e);
  }
  grid_tune.text_block = 0;
}

static void metis(void **state) {
  const tuple path[] = {{1, 0, 1}, {2, 1, 1}}, weighted[] = {{1, 0, 7}, {2, 0, 0.5}};
  expect_text("a.metis", "% a path and a vertex alone\n4 2\n2\n% between\n1 3\n2\n\n", 2, path, true);
  expect_text("a.graph", "4 2 000\r\n2\r\n1 3\r\n2\r\n\r\n\n\n", 2, path, true);
  expect_text("a.metis", "3 2 011 2\n9 9 2 7 3 0.5\n9 9 1 7\n8 8 1 .5\n", 2, weighted, true);
  expect_text("a.metis", "3 2 111\n1 9 2 7 3 0.5\n1 9 1 7\n2 8 1 .5", 2, weighted, true);
  expect_bad("a.metis", "%\n", "ends before METIS's first line");
  expect_bad("a.metis", "3\n1\n", ":1: expected the number of edges, found the end of the line");
  expect_bad("a.metis", "3 2 7\n2\n1 3\n2\n",
             ":1: expected METIS's format, three digits of 0 and 1, found '7'");
  expect_bad("a.metis", "3 2\n2\n1 4\n2\n", ":3: vertex '4' is outside 1..3");
  expect_bad("a.metis", "3 2\n2\n1 x\n2\n", ":3: expected a vertex, found 'x'");
  expect_bad("a.metis", "3 2 1\n2 1\n1 1 3\n2 1\n", ":3: expected a weight, found the end of the line");
  expect_bad("a.metis", "3 2\n2\n1 3\n", "promises 4 entries, the file has 3 (is it truncated?)");
  expect_bad("a.metis", "4 2\n2\n1 3\n2", "promises 4 vertices, the file has 3");
  expect_bad("a.metis", "2 1\n2\n1\n2\n", "promises 2 entries, the file has 3");
  expect_bad("a.metis", "2 1\n2\n1\n%\n \n2", "promises 2 entries, the file has 3");
  expect_bad("a.metis", "3 1 10\n1 2\n1 1\n7\n7\n", "promises 3 vertices, the file has more");
  expect_bad("a.metis", "3 2\n2\n1 2\n1\n", "vertex 2 is its own neighbour");
  expect_bad("a.metis", "3 1\n2\n3\n\n", "an edge is listed by one of its ends only");
  expect_bad("a.metis", "2 1 1\n2 5\n1 6\n", "or with different weights");
}

static void dimacs(void **state) {
  const tuple arcs[] = {{0, 1, 7}, {1, 0, 7}, {2, 1, -3}}, edges[] = {{0, 1, 1}, {2, 1, 1}};
  expect_text("a.gr", "c a road\np sp 3 3\nc\na 1 2 7\na 2 1 7\n\na 3 2 -3\n", 3, arcs, false);
  expect_text("no.ending", "c a road\np sp 3 3\na 1 2 7\na 2 1 7\na 3 2 -3", 3, arcs, false);
  expect_text("a.col", "p edge 3 2\ne 1 2\ne 3 2\n", 2, edges, true);
  expect_bad("a.gr", "c\n", "ends before DIMACS's line \"p\"");
  expect_bad("a.gr", "c\na 1 2 3\n", ":2: expected DIMACS's line \"p");
  expect_bad("a.gr", "p max 3 2\n", ":1: expected \"sp\", \"edge\" or \"col\" behind \"p\", found 'max'");
  expect_bad("a.gr", "p sp 3 900000000000\na 1 2 3\n", "more than the file has room for");
  expect_bad("a.gr", "p sp 3 2\na 1 2 3\nc a comment\n",
             "/a.gr: the line \"p\" promises 2 entries, the file has 1");
  expect_bad("a.gr", "p sp 3 1\na 1 4 3\n", ":2: vertex '4' is outside 1..3");
  expect_bad("a.gr", "p sp 3 1\na 1 2\n", ":2: expected a weight, found the end of the line");
  expect_bad("a.gr", "p sp 3 1\ne 1 2 3\n", ":2: expected \"a FROM TO WEIGHT\", found 'e'");
  expect_bad("a.gr", "p edge 3 1\ne 1 2 3\n", ":2: expected the end of the line, found '3'");
}

static void graph500(void **state) {
  Grid_Edges e;
  /* two packed edges: (1, 2^33 + 2), (3, 0) */
  const uint32_t words[] = {1, 2, 2u << 16, 3, 0, 0};
  assert_int_equal(Grid_read(&e, write_file("a.g500p", words, sizeof words, false)), GrB_SUCCESS);
  assert_true(e.total == 2 && e.nrows == (UINT64_C(1) << 33) + 3 && e.pattern);
  Grid_Edges_free(&e);
  const int64_t ids64[] = {5, 6, -1, 2};
  assert_int_equal(Grid_read(&e, write_file("a.g500", ids64, sizeof ids64, false)), GrB_INVALID_VALUE);
  assert_non_null(
      strstr(Grid_last_error(), "/a.g500: byte 16: expected a vertex from 0 to 2^60 - 1, found -1"));
  assert_int_equal(Grid_read(&e, write_file("a.g500", ids64, 17, false)), GrB_INVALID_VALUE);
  assert_non_null(
      strstr(Grid_last_error(), "byte 16: expected an edge of 16 bytes, found the end of the file"));
  assert_int_equal(Grid_read_as(&e, write_file("plain", ids64, 16, false), "graph500"), GrB_SUCCESS);
  assert_true(e.total == 1 && e.nrows == 7);
  assert_string_equal(e.kind, "graph500");
  Grid_Edges_free(&e);
}

/* ---- damage, of files that were good ------------------------------------------------------------------- */

/* Refused with a reason, the same on every process, or read as something that is a matrix. */
static void expect_sane(const char *path) {
  Grid_Edges e;
  char text[1024], local_text[1024];
  const int64_t live = grid_mem_live();
  const GrB_Info info = Grid_read(&e, path);
  if (info == GrB_SUCCESS) {
    for (uint64_t k = 0; k < e.n; k++) assert_true(e.rows[k] < e.nrows && e.cols[k] < e.ncols);
  } else {
    snprintf(local_text, sizeof local_text, "%s", Grid_last_error());
    memcpy(text, local_text, sizeof text);
    assert_int_equal(Grid_bcast(text, sizeof text, 0), GrB_SUCCESS);
    assert_string_equal(text, local_text);
    assert_true(info == GrB_INVALID_VALUE || info == GrB_OUT_OF_MEMORY || info == GrB_NOT_IMPLEMENTED);
  }
  Grid_Edges_free(&e);
  assert_true(grid_mem_live() == live);
}

static void damage(void **state) {
  const size_t step = Grid_size() > 1 ? 397 : 7; /* several processes on few cores are slow */
  for (int k = 0; Grid_format(k); k++) {
    const Grid_Format *f = Grid_format(k);
    char name[64], path[512];
    size_t n;
    Grid_Edges e = make(&shapes[strncmp(f->name, "graph500", 8) == 0 ? 0 : 5]);
    snprintf(name, sizeof name, "spoilt%.*s", (int)strcspn(f->endings, " "), f->endings);
    snprintf(path, sizeof path, "%s", path_of(name));
    if (is_supported(f)) {
      assert_int_equal(Grid_write(&e, path, NULL), GrB_SUCCESS);
      char *bytes = read_file(path, &n);
      barrier();
      for (size_t at = (size_t)k; at < n; at += step) {
        expect_sane(write_file(name, bytes, at, false));
        bytes[at] ^= (char)(1 << at % 8);
        expect_sane(write_file(name, bytes, n, false));
        bytes[at] ^= (char)(1 << at % 8);
      }
      free(bytes);
    }
    free_result(&e);
  }
}

/* A Binsparse file with a changed bit, wherever, is refused, or read as what was written. */
static void binsparse(void **state) {
  const size_t step = Grid_size() > 1 ? 61 : 3;
  for (int s = 0; s < 2; s++) {
    Grid_Edges e = make(&(shape){"few", 12, 12, 20, s, false, false, true, 0.5}), got;
    size_t n;
    if (Grid_write(&e, path_of("sums.h5"), NULL) == GrB_NOT_IMPLEMENTED) skip();
    char *bytes = read_file(path_of("sums.h5"), &n);
    barrier();
    for (size_t at = (size_t)s; at < n; at += step) {
      bytes[at] ^= (char)(1 << at % 8);
      if (Grid_read(&got, write_file("sums.h5", bytes, n, false)) == GrB_SUCCESS) {
        assert_true(got.nrows == e.nrows && got.ncols == e.ncols && got.total == e.total);
        expect_same(&got, &e, true);
        Grid_Edges_free(&got);
      }
      bytes[at] ^= (char)(1 << at % 8);
    }
    assert_int_equal(Grid_read(&got, write_file("sums.h5", bytes, n, false)), GrB_SUCCESS);
    Grid_Edges_free(&got);
    free(bytes);
    free_result(&e);
  }
}

/* The first of so many bytes that are `what`; NULL: there are none. */
static char *find(char *bytes, size_t n, const void *what, size_t length) {
  for (size_t k = 0; k + length <= n; k++)
    if (memcmp(bytes + k, what, length) == 0) return bytes + k;
  return NULL;
}

/* The array of weights says that its numbers are of 2 bytes, and has the checksum for that. */
static void half_precision(void **state) {
  Grid_Edges e = make(&(shape){"few", 12, 12, 20, true, false, false, true, 0.5}), got;
  size_t n;
  assert_int_equal(Grid_write(&e, path_of("half.npz"), NULL), GrB_SUCCESS);
  char *bytes = read_file(path_of("half.npz"), &n), *type = find(bytes, n, "'<f8'", 5), *array = type;
  barrier();
  while (memcmp(array, "\x93NUMPY", 6) != 0) array--;
  const uint64_t length = 128 + 8 * e.total;
  const uint32_t before = grid_crc(0, array, length);
  type[2] = 'f', type[3] = '2';
  const uint32_t after = grid_crc(0, array, length);
  for (char *at; (at = find(bytes, n, &before, sizeof before));) memcpy(at, &after, sizeof after);
  const GrB_Info info = Grid_read(&got, write_file("half.npz", bytes, n, false));
  assert_int_equal(info, GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "data.npy: expected little-endian integers of 1 to 8 bytes"));
  free(bytes);
  free_result(&e);
}

/* ---- arguments ----------------------------------------------------------------------------------------- */

static void arguments(void **state) {
  Grid_Edges e = make(&shapes[0]), got;
  assert_int_equal(Grid_write(NULL, "x", NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_write(&e, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_read_as(NULL, "x", NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_read_as(&got, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_read_as(&got, "x", "tape"), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "there is no format 'tape'; there are edges, matrix-market"));
  assert_int_equal(Grid_write(&e, "x", "tape"), GrB_INVALID_VALUE);
  assert_int_equal(Grid_write(&e, path_of("x.tape"), NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(
      Grid_last_error(),
      "/x.tape: no format has this ending; name one (--to, in a program the argument format): edges, "));
  assert_int_equal(Grid_write(&e, path_of("x.grb.gz"), NULL), GrB_INVALID_VALUE);
  assert_int_equal(Grid_write(&e, path_of("none/x.mtx"), NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "/none/x.mtx: cannot write: No such file or directory"));
  assert_int_equal(Grid_write(&e, dir, "edges"), GrB_INVALID_VALUE);
  /* a device takes text, from process 0 */
  assert_int_equal(Grid_write(&e, "/dev/null", "edges"), GrB_SUCCESS);
  assert_int_equal(Grid_write(&e, "/dev/null", "npz"), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "/dev/null: cannot write: is not a regular file"));
  assert_int_equal(Grid_write(&e, "-", "npz"), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "standard output takes text"));
  if (Grid_rank() == Grid_size() - 1 && e.n) e.cols[0] = 50; /* one process alone */
  assert_int_equal(Grid_write(&e, path_of("x.mtx"), NULL), GrB_INDEX_OUT_OF_BOUNDS);
  assert_true(access(path_of("x.mtx"), F_OK) != 0);
  free_result(&e);
}

/* Every allocation fails once: the files are complete or absent, and nothing leaks. */
static void memory(void **state) {
  for (int k = 0; Grid_format(k); k++) {
    if (!is_supported(Grid_format(k)) || (Grid_size() > 1 && k % Grid_size() > 2)) continue;
    const char *path = path_of("memory");
    Grid_Edges e = make(&shapes[4]), got;
    bool done = false;
    for (int64_t at = 0; !done; at++) {
      const int64_t live = grid_mem_live();
      if (Grid_rank() == 0) grid_mem_fail_after(at);
      GrB_Info info = Grid_write(&e, path, Grid_format(k)->name);
      if (info == GrB_SUCCESS) info = Grid_read_as(&got, path, Grid_format(k)->name);
      grid_mem_fail_after(-1);
      done = info == GrB_SUCCESS;
      if (done) Grid_Edges_free(&got);
      if (!done) assert_int_equal(info, GrB_OUT_OF_MEMORY);
      assert_true(grid_mem_live() == live);
    }
    free_result(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trips), cmocka_unit_test(packed),      cmocka_unit_test(names),
      cmocka_unit_test(metis),       cmocka_unit_test(dimacs),      cmocka_unit_test(graph500),
      cmocka_unit_test(damage),      cmocka_unit_test(arguments),   cmocka_unit_test(memory),
      cmocka_unit_test(binsparse),   cmocka_unit_test(nan_weights), cmocka_unit_test(half_precision)};
  return cmocka_run_group_tests(tests, start, stop);
}
