/* Tests of Grid_Matrix_read and Grid_Matrix_write on any number of processes: each option, on text and on
 * page files; every format written and read back; damaged files; and the flags of all calls that have some.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_algos.h"
#include "semiring/support/mem.h"
#include "tests/refused.h"
#include "tests/test_folder.h"
#include "tests/test_tuples.h"

#define OK(call)     assert_int_equal(call, GrB_SUCCESS)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A has n rows and columns and these entries, in order; and the type. */
static void expect_matrix(GrB_Matrix A, GrB_Index n, const tuple *want, GrB_Index count, GrB_Type type) {
  GrB_Index nrows, ncols, nvals, rows[64], cols[64];
  double values[64];
  int32_t code = -1, want_code = -1;
  OK(GrB_Matrix_nrows(&nrows, A));
  OK(GrB_Matrix_ncols(&ncols, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  assert_true(nrows == n && ncols == n && nvals == count);
  OK(GrB_Matrix_get_INT32(A, &code, GrB_EL_TYPE_CODE));
  OK(GrB_Type_get_INT32(type, &want_code, GrB_EL_TYPE_CODE));
  assert_int_equal(code, want_code);
  OK(GrB_Matrix_extractTuples_FP64(rows, cols, values, &nvals, A));
  tuple got[64];
  for (GrB_Index k = 0; k < nvals; k++) got[k] = (tuple){rows[k], cols[k], values[k]};
  qsort(got, nvals, sizeof *got, tuple_order);
  for (GrB_Index k = 0; k < nvals; k++)
    assert_true(got[k].row == want[k].row && got[k].col == want[k].col && got[k].value == want[k].value);
}

static void expect_ids(GrB_Vector ids, const uint64_t *want, GrB_Index count) {
  GrB_Index n, index[64];
  uint64_t value[64];
  OK(GrB_Vector_size(&n, ids));
  assert_true(n == count);
  OK(GrB_Vector_extractTuples_UINT64(index, value, &n, ids));
  assert_true(n == count);
  for (GrB_Index k = 0; k < n; k++) assert_true(value[k] == want[index[k]]);
}

/* ---- options ------------------------------------------------------------------------------------------- */

static const char edges[] = "# from to weight\n10 20 4\n20 10 3\n20 30 1.5\n30 30 7\n10 20 2.5\n";

typedef struct {
  Grid_Read_Options how;
  GrB_Index n, count;
  tuple want[8];
  GrB_Type type;
} option_case;

static void read_options(void **state) {
  const option_case cases[] = {
      {{0}, 3, 4, {{0, 1, 2.5}, {1, 0, 3}, {1, 2, 1.5}, {2, 2, 7}}, GrB_FP64},
      {{.undirected = true}, 3, 5, {{0, 1, 2.5}, {1, 0, 2.5}, {1, 2, 1.5}, {2, 1, 1.5}, {2, 2, 7}}, GrB_FP64},
      {{.undirected = true, .no_loops = true, .dup = GrB_MAX_INT64, .type = GrB_INT64, .pattern = true},
       3,
       4,
       {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}},
       GrB_INT64},
      {{.no_loops = true}, 3, 3, {{0, 1, 2.5}, {1, 0, 3}, {1, 2, 1.5}}, GrB_FP64},
      {{.pattern = true}, 3, 4, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 2, 1}}, GrB_BOOL},
      {{.type = GrB_INT8}, 3, 4, {{0, 1, 2}, {1, 0, 3}, {1, 2, 1}, {2, 2, 7}}, GrB_INT8},
      {{.type = GrB_FP32, .undirected = true},
       3,
       5,
       {{0, 1, 2.5}, {1, 0, 2.5}, {1, 2, 1.5}, {2, 1, 1.5}, {2, 2, 7}},
       GrB_FP32},
      {{.original_ids = true}, 31, 4, {{10, 20, 2.5}, {20, 10, 3}, {20, 30, 1.5}, {30, 30, 7}}, GrB_FP64},
      {{.original_ids = true, .no_loops = true, .pattern = true},
       31,
       3,
       {{10, 20, 1}, {20, 10, 1}, {20, 30, 1}},
       GrB_BOOL}};
  const uint64_t names[] = {10, 20, 30};
  char file[3][512];
  snprintf(file[0], sizeof file[0], "%s", write_file("edges.txt", edges, sizeof edges - 1, false));
  snprintf(file[1], sizeof file[1], "%s", write_file("packed.txt.gz", edges, sizeof edges - 1, true));
  snprintf(file[2], sizeof file[2], "%s", path_of("edges.pages"));
  OK(Grid_Pages_convert(file[2], file[0], NULL, false, 0, NULL, NULL));
  for (size_t f = 0; f < COUNT(file); f++)
    for (size_t k = 0; k < COUNT(cases); k++) {
      const option_case *c = &cases[k];
      if (f == 2 && c->how.original_ids) continue; /* this page file has no names */
      GrB_Matrix A = NULL;
      GrB_Vector ids = NULL;
      OK(Grid_Matrix_read(&A, f < 2 && !c->how.original_ids ? &ids : NULL, file[f], k ? &c->how : NULL));
      if (ids) expect_ids(ids, names, 3);
      expect_matrix(A, c->n, c->want, c->count, c->type);
      OK(GrB_Matrix_free(&A));
      OK(GrB_Vector_free(&ids));
    }
}

/* Values at one position are joined by dup, in both directions too. */
static void joins_duplicates(void **state) {
  const char *path = write_file("edges.txt", edges, sizeof edges - 1, false);
  GrB_Matrix A = NULL;
  char error[512];
  assert_int_equal(GrB_Matrix_nvals(NULL, NULL), GrB_NULL_POINTER);
  snprintf(error, sizeof error, "%s", Grid_last_error());
  OK(Grid_Matrix_read(&A, NULL, path, &(Grid_Read_Options){.dup = GrB_PLUS_FP64}));
  assert_string_equal(Grid_last_error(), error); /* that it is no page file is none */
  expect_matrix(A, 3, (tuple[]){{0, 1, 6.5}, {1, 0, 3}, {1, 2, 1.5}, {2, 2, 7}}, 4, GrB_FP64);
  OK(GrB_Matrix_free(&A));
  OK(Grid_Matrix_read(&A, NULL, path, &(Grid_Read_Options){.dup = GrB_MAX_FP64, .undirected = true}));
  expect_matrix(A, 3, (tuple[]){{0, 1, 4}, {1, 0, 4}, {1, 2, 1.5}, {2, 1, 1.5}, {2, 2, 7}}, 5, GrB_FP64);
  OK(GrB_Matrix_free(&A));
}

/* ... of a page file, too: a loop has one direction, and without values there is nothing to join. */
static void joins_directions(void **state) {
  static const char once[] = "10 20 4\n20 10 3\n20 30 1.5\n30 30 7\n";
  char file[2][512];
  GrB_Matrix A = NULL;
  snprintf(file[0], sizeof file[0], "%s", write_file("once.txt", once, sizeof once - 1, false));
  snprintf(file[1], sizeof file[1], "%s", path_of("once.pages"));
  OK(Grid_Pages_convert(file[1], file[0], NULL, false, 0, NULL, NULL));
  for (size_t f = 0; f < COUNT(file); f++) {
    Grid_Read_Options how = {.dup = GrB_PLUS_FP64, .undirected = true};
    OK(Grid_Matrix_read(&A, NULL, file[f], &how));
    expect_matrix(A, 3, (tuple[]){{0, 1, 7}, {1, 0, 7}, {1, 2, 1.5}, {2, 1, 1.5}, {2, 2, 7}}, 5, GrB_FP64);
    OK(GrB_Matrix_free(&A));
    how.pattern = true, how.type = GrB_INT64;
    OK(Grid_Matrix_read(&A, NULL, file[f], &how));
    expect_matrix(A, 3, (tuple[]){{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 2, 1}}, 5, GrB_INT64);
    OK(GrB_Matrix_free(&A));
  }
}

/* A page file records how duplicates were joined: reading it joins directions alike, and refuses another
 * operator if there were any. */
static void recorded_duplicates(void **state) {
  const struct {
    int flag;
    GrB_BinaryOp dup;
    double once, both;
  } cases[] = {{0, GrB_MIN_FP64, 2.5, 2.5},
               {Grid_DUP_MAX, GrB_MAX_FP64, 4, 4},
               {Grid_DUP_PLUS, GrB_PLUS_FP64, 6.5, 9.5},
               {Grid_DUP_TIMES, GrB_TIMES_FP64, 10, 30}};
  char text[512], pages[512];
  snprintf(text, sizeof text, "%s", write_file("edges.txt", edges, sizeof edges - 1, false));
  snprintf(pages, sizeof pages, "%s", path_of("dup.pages"));
  for (size_t k = 0; k < COUNT(cases); k++) {
    const double once = cases[k].once, both = cases[k].both;
    Grid_Pages_Info p;
    GrB_Matrix A = NULL;
    OK(Grid_Pages_convert(pages, text, NULL, false, cases[k].flag, NULL, NULL));
    OK(Grid_pages_info(&p, pages));
    assert_true(p.tuples == 5 && p.nvals == 4 && p.dup == cases[k].flag && !p.skew);
    for (int given = 0; given < 2; given++) {
      Grid_Read_Options how = {.dup = given ? cases[k].dup : NULL};
      OK(Grid_Matrix_read(&A, NULL, pages, &how));
      expect_matrix(A, 3, (tuple[]){{0, 1, once}, {1, 0, 3}, {1, 2, 1.5}, {2, 2, 7}}, 4, GrB_FP64);
      OK(GrB_Matrix_free(&A));
      how.undirected = true;
      OK(Grid_Matrix_read(&A, NULL, pages, &how));
      expect_matrix(A, 3, (tuple[]){{0, 1, both}, {1, 0, both}, {1, 2, 1.5}, {2, 1, 1.5}, {2, 2, 7}}, 5,
                    GrB_FP64);
      OK(GrB_Matrix_free(&A));
    }
    Grid_Read_Options other = {.dup = cases[(k + 1) % COUNT(cases)].dup};
    refused(Grid_Matrix_read(&A, NULL, pages, &other), GrB_INVALID_VALUE, "joined 1 duplicates when");
    assert_null(A);
    other.pattern = true; /* nothing to join */
    OK(Grid_Matrix_read(&A, NULL, pages, &other));
    OK(GrB_Matrix_free(&A));
  }
}

/* ... and that a matrix is skew-symmetric, unless joining duplicates made it another. */
static void skew_pages(void **state) {
  static const char head[] = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 ";
  static const struct {
    const char *entries;
    int flag;
    bool skew;
    tuple want[4];
  } cases[] = {
      {"2\n2 1 5\n3 1 -2\n", 0, true, {{0, 1, -5}, {0, 2, 2}, {1, 0, 5}, {2, 0, -2}}},
      {"3\n2 1 5\n3 1 -2\n2 1 1\n", 0, false, {{0, 1, -5}, {0, 2, 2}, {1, 0, 1}, {2, 0, -2}}},
      {"3\n2 1 5\n3 1 -2\n2 1 1\n", Grid_DUP_PLUS, true, {{0, 1, -6}, {0, 2, 2}, {1, 0, 6}, {2, 0, -2}}}};
  char pages[512], text[256];
  snprintf(pages, sizeof pages, "%s", path_of("skew.pages"));
  for (size_t k = 0; k < COUNT(cases); k++) {
    const int length = snprintf(text, sizeof text, "%s%s", head, cases[k].entries);
    Grid_Pages_Info p;
    Grid_Edges e;
    GrB_Matrix A = NULL;
    OK(Grid_Pages_convert(pages, write_file("skew.mtx", text, (size_t)length, false), NULL, false,
                          cases[k].flag, NULL, NULL));
    OK(Grid_pages_info(&p, pages));
    assert_true(p.skew == cases[k].skew && !p.symmetric);
    OK(Grid_read(&e, pages)); /* one triangle, as of other formats */
    assert_true(e.skew == p.skew && e.total == (p.skew ? 2 : 4));
    Grid_Edges_free(&e);
    for (int undirected = 0; undirected <= p.skew;
         undirected++) { /* which changes no skew-symmetric matrix */
      OK(Grid_Matrix_read(&A, NULL, pages, &(Grid_Read_Options){.undirected = undirected}));
      expect_matrix(A, 3, cases[k].want, 4, GrB_FP64);
      OK(GrB_Matrix_free(&A));
    }
    OK(Grid_Matrix_read(&A, NULL, pages, &(Grid_Read_Options){.pattern = true, .undirected = true}));
    expect_matrix(A, 3, (tuple[]){{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}}, 4, GrB_BOOL);
    OK(GrB_Matrix_free(&A));
  }
}

/* Vertices without edges are those of the matrix again: an edge list says its dimensions. */
static void edge_list_dimensions(void **state) {
  const tuple want[] = {{2, 5, 1.5}, {5, 2, 4}, {7, 7, -3}};
  const GrB_Index at[2][3] = {{2, 5, 7}, {5, 2, 7}};
  const double x[] = {1.5, 4, -3};
  char path[512], text[512];
  GrB_Matrix A = NULL, B = NULL;
  GrB_Vector ids = NULL;
  for (GrB_Index n = 3; n >= 2; n--) { /* the second one has no entries */
    OK(GrB_Matrix_new(&A, GrB_FP64, n == 3 ? 10 : 4, n == 3 ? 10 : 4));
    OK(GrB_Matrix_build_FP64(A, at[0], at[1], x, n == 3 ? 3 : 0, NULL));
    for (int packed = 0; packed < 2; packed++) {
      snprintf(path, sizeof path, "%s", path_of(packed ? "dims.txt.gz" : "dims.txt"));
      OK(Grid_Matrix_write(A, NULL, path, NULL));
      for (int original = 0; original < 2; original++) {
        OK(Grid_Matrix_read(&B, NULL, path,
                            &(Grid_Read_Options){.original_ids = original, .type = GrB_FP64}));
        expect_matrix(B, n == 3 ? 10 : 4, want, n == 3 ? 3 : 0, GrB_FP64);
        OK(GrB_Matrix_free(&B));
      }
    }
    OK(GrB_Matrix_free(&A));
  }
  /* numbered from 1 on, as of Matrix Market */
  static const char market[] = "%%MatrixMarket matrix coordinate real general\n6 6 1\n2 4 7\n";
  const char *from = write_file("dims.mtx", market, sizeof market - 1, false);
  Grid_Edges e;
  OK(Grid_read(&e, from));
  OK(Grid_write(&e, path_of("one.txt"), NULL));
  Grid_Edges_free(&e);
  OK(Grid_Matrix_read(&A, &ids, path_of("one.txt"), NULL));
  expect_matrix(A, 6, (tuple[]){{1, 3, 7}}, 1, GrB_FP64);
  expect_ids(ids, (uint64_t[]){1, 2, 3, 4, 5, 6}, 6);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Vector_free(&ids));
  OK(Grid_Matrix_read(&A, NULL, path_of("one.txt"), &(Grid_Read_Options){.original_ids = true}));
  expect_matrix(A, 7, (tuple[]){{2, 4, 7}}, 1, GrB_FP64);
  OK(GrB_Matrix_free(&A));
  char pages[512];
  snprintf(pages, sizeof pages, "%s", path_of("dims.pages"));
  OK(Grid_Pages_convert(pages, path_of("one.txt"), NULL, false, 0, NULL, NULL));
  OK(Grid_Matrix_read(&A, NULL, pages, NULL));
  expect_matrix(A, 6, (tuple[]){{1, 3, 7}}, 1, GrB_FP64);
  OK(GrB_Matrix_free(&A));
  /* a vertex that is none of them, after either end of a line; another program's comment */
  static const char *const lines[] = {"# Nodes: 5 Edges: 2 (numbered from 0)\n0 1\n3 5\n",
                                      "# Nodes: 5 Edges: 2 (numbered from 1)\r\n0 1\r\n3 5\r\n",
                                      "# Nodes: 9 Edges: 2\n0 1\n3 5\n",
                                      "# Nodes: 9 Edges: 2 (numbered from 0) \n0 1\n3 5\n",
                                      "0 1\n# Nodes: 5 Edges: 2 (numbered from 0)\n3 5\n"};
  for (int k = 0; k < 5; k++) {
    const char *file = write_file("lines.txt", lines[k], strlen(lines[k]), false);
    snprintf(text, sizeof text, "lines.txt:%d: the vertex %d is none of the 5 from %d on", k ? 2 : 3,
             k ? 0 : 5, k);
    if (k < 2) {
      refused(Grid_Matrix_read(&A, NULL, file, NULL), GrB_INVALID_VALUE, text);
      assert_null(A);
      continue;
    }
    OK(Grid_Matrix_read(&A, NULL, file, NULL));
    expect_matrix(A, 4, (tuple[]){{0, 1, 1}, {2, 3, 1}}, 2, GrB_BOOL);
    OK(GrB_Matrix_free(&A));
  }
}

/* Page files of renumbered vertices, whose names are those of the file. */
static void renumbered_pages(void **state) {
  static const char star[] = "5 900\n900 70\n900 8\n";
  char text[512], pages[512];
  GrB_Matrix A = NULL;
  GrB_Vector ids = NULL;
  snprintf(text, sizeof text, "%s", write_file("star.txt", star, sizeof star - 1, false));
  snprintf(pages, sizeof pages, "%s", path_of("star.pages"));
  OK(Grid_Pages_convert(pages, text, NULL, false, Grid_MIRROR | Grid_BY_DEGREE, NULL, NULL));
  OK(Grid_Matrix_read(&A, &ids, pages, NULL));
  expect_ids(ids, (uint64_t[]){900, 5, 8, 70}, 4);
  expect_matrix(A, 4, (tuple[]){{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}}, 6,
                GrB_BOOL);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Vector_free(&ids));
  OK(Grid_Matrix_read(&A, NULL, pages, &(Grid_Read_Options){.original_ids = true}));
  expect_matrix(A, 901,
                (tuple[]){{5, 900, 1}, {8, 900, 1}, {70, 900, 1}, {900, 5, 1}, {900, 8, 1}, {900, 70, 1}}, 6,
                GrB_BOOL);
  OK(GrB_Matrix_free(&A));
}

/* Numbers near 2^60 are rows of a matrix that has few of them. */
static void huge_ids(void **state) {
  static const char far[] = "3 1152921504606846975\n";
  GrB_Matrix A = NULL;
  GrB_Index row, col, n = 1;
  bool one;
  OK(Grid_Matrix_read(&A, NULL, write_file("far.txt", far, sizeof far - 1, false),
                      &(Grid_Read_Options){.original_ids = true}));
  OK(GrB_Matrix_extractTuples_BOOL(&row, &col, &one, &n, A));
  assert_true(n == 1 && row == 3 && col == GrB_INDEX_MAX && one);
  OK(GrB_Matrix_free(&A));
}

/* Both triangles, in the file's directions. */
static void matrix_market(void **state) {
  static const char skew[] = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 1 -2\n";
  static const char oblong[] = "%%MatrixMarket matrix coordinate integer general\n2 3 1\n2 3 9\n";
  GrB_Matrix A = NULL;
  GrB_Vector ids = NULL;
  GrB_Index n;
  const char *path = write_file("skew.mtx", skew, sizeof skew - 1, false);
  OK(Grid_Matrix_read(&A, &ids, path, NULL));
  expect_matrix(A, 3, (tuple[]){{0, 1, -5}, {0, 2, 2}, {1, 0, 5}, {2, 0, -2}}, 4, GrB_FP64);
  expect_ids(ids, (uint64_t[]){1, 2, 3}, 3);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Vector_free(&ids));
  OK(Grid_Matrix_read(&A, NULL, path, &(Grid_Read_Options){.pattern = true, .type = GrB_FP32}));
  expect_matrix(A, 3, (tuple[]){{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}}, 4, GrB_FP32);
  OK(GrB_Matrix_free(&A));
  OK(Grid_Matrix_read(&A, NULL, write_file("oblong.mtx", oblong, sizeof oblong - 1, false),
                      &(Grid_Read_Options){.undirected = true})); /* which has no effect */
  OK(GrB_Matrix_ncols(&n, A));
  assert_true(n == 3);
  OK(GrB_Matrix_nvals(&n, A));
  assert_true(n == 1);
  OK(GrB_Matrix_free(&A));
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Every format that is not refused is read as it was written; edge lists and page files with names. */
static void round_trips(void **state) {
  const tuple want[] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 5}, {2, 1, 5}};
  const uint64_t names[] = {7, 1000, 4};
  int weighted = 0, all = 0;
  GrB_Matrix A = NULL, B = NULL;
  GrB_Vector ids = NULL, back = NULL;
  OK(GrB_Matrix_new(&A, GrB_UINT16, 3, 3));
  for (int k = 0; k < 4; k++)
    OK(GrB_Matrix_setElement_UINT64(A, (uint64_t)want[k].value, want[k].row, want[k].col));
  OK(GrB_Vector_new(&ids, GrB_UINT64, 3));
  for (GrB_Index k = 0; k < 3; k++) OK(GrB_Vector_setElement_UINT64(ids, names[k], k));
  for (; Grid_format(all); all++) {
    char file[24];
    const Grid_Format *f = Grid_format(all);
    snprintf(file, sizeof file, "round%.*s", (int)strcspn(f->endings, " "), f->endings);
    const char *path = path_of(file);
    const bool has_names = strcmp(f->name, "pages") == 0 || strcmp(f->name, "edges") == 0;
    const GrB_Info info = Grid_Matrix_write(A, has_names ? ids : NULL, path, NULL);
    if (info == GrB_INVALID_VALUE || info == GrB_NOT_IMPLEMENTED) continue; /* Graph500: no weights */
    OK(info);
    weighted++;
    OK(Grid_Matrix_read(&B, &back, path, &(Grid_Read_Options){.type = GrB_UINT16}));
    if (strcmp(f->name, "edges") == 0) { /* in the order of the names: 4, 7, 1000 */
      expect_ids(back, (uint64_t[]){4, 7, 1000}, 3);
      expect_matrix(B, 3, (tuple[]){{0, 2, 5}, {1, 2, 2}, {2, 0, 5}, {2, 1, 2}}, 4, GrB_UINT16);
    } else {
      if (has_names) expect_ids(back, names, 3);
      expect_matrix(B, 3, want, 4, GrB_UINT16);
    }
    OK(GrB_Matrix_free(&B));
    OK(GrB_Vector_free(&back));
  }
  assert_true(all >= 10 && weighted >= 7);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Vector_free(&ids));
}

/* Integers above 2^53 that a double holds. */
static void exact_integers(void **state) {
  GrB_Matrix A = NULL, B = NULL;
  uint64_t back;
  const char *path = path_of("exact.mtx");
  OK(GrB_Matrix_new(&A, GrB_UINT64, 3, 3));
  OK(GrB_Matrix_setElement_UINT64(A, UINT64_C(3) << 62, 0, 2));
  OK(Grid_Matrix_write(A, NULL, path, NULL));
  OK(Grid_Matrix_read(&B, NULL, path, &(Grid_Read_Options){.type = GrB_UINT64}));
  OK(GrB_Matrix_extractElement_UINT64(&back, B, 0, 2));
  assert_true(back == UINT64_C(3) << 62);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&B));
}

static void refused_writes(void **state) {
  GrB_Matrix A = NULL, oblong = NULL, large = NULL;
  GrB_Vector ids = NULL, other = NULL;
  OK(GrB_Matrix_new(&A, GrB_FP64, 3, 3));
  OK(GrB_Matrix_new(&oblong, GrB_FP64, 2, 3));
  OK(GrB_Matrix_new(&large, GrB_INT64, 3, 3));
  OK(GrB_Matrix_setElement_INT64(large, (INT64_C(1) << 53) + 1, 1, 1));
  OK(GrB_Vector_new(&ids, GrB_UINT64, 3));
  OK(GrB_Vector_new(&other, GrB_FP64, 3));
  refused(Grid_Matrix_write(NULL, NULL, "x.mtx", NULL), GrB_NULL_POINTER, "Grid_Matrix_write: argument A");
  refused(Grid_Matrix_write(A, NULL, NULL, NULL), GrB_NULL_POINTER, "Grid_Matrix_write: argument path");
  refused(Grid_Matrix_write(A, ids, "x.txt", NULL), GrB_INVALID_OBJECT, "ids has only 0 entries");
  refused(Grid_Matrix_write(A, other, "x.txt", NULL), GrB_DOMAIN_MISMATCH, "ids has the type FP64");
  refused(Grid_Matrix_write(oblong, ids, "x.txt", NULL), GrB_DIMENSION_MISMATCH, "A is 2 x 3");
  refused(Grid_Matrix_write(A, NULL, "x.unknown", NULL), GrB_INVALID_VALUE, "no format has this ending");
  refused(Grid_Matrix_write(A, NULL, "x.mtx", "bmp"), GrB_INVALID_VALUE, "there is no format 'bmp'");
  refused(Grid_Matrix_write(large, NULL, "x.mtx", NULL), GrB_INVALID_VALUE, "9007199254740993");
  OK(GrB_Matrix_setElement_INT64(large, INT64_MAX, 1, 1));
  refused(Grid_Matrix_write(large, NULL, "x.mtx", NULL), GrB_INVALID_VALUE, "9223372036854775807");
  OK(GrB_Matrix_free(&large));
  OK(GrB_Matrix_new(&large, GrB_UINT64, 3, 3));
  OK(GrB_Matrix_setElement_UINT64(large, UINT64_MAX, 1, 1));
  refused(Grid_Matrix_write(large, NULL, "x.mtx", NULL), GrB_INVALID_VALUE, " 18446744073709551615 ");
  refused(Grid_Matrix_write(A, NULL, "/none/x.mtx", NULL), GrB_INVALID_VALUE, "/none/x.mtx");
  assert_int_equal(access("x.mtx", F_OK), -1);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&oblong));
  OK(GrB_Matrix_free(&large));
  OK(GrB_Vector_free(&ids));
  OK(GrB_Vector_free(&other));
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

/* On failure both outputs keep what they had. */
static void refused_read(const char *path, const Grid_Read_Options *how, GrB_Info want, const char *text) {
  GrB_Matrix A = (GrB_Matrix)&A;
  GrB_Vector ids = (GrB_Vector)&A;
  refused(Grid_Matrix_read(&A, how && how->original_ids ? NULL : &ids, path, how), want, text);
  assert_true(A == (GrB_Matrix)&A && ids == (GrB_Vector)&A);
}

static void damaged_files(void **state) {
  static const struct {
    const char *name, *text, *reason;
  } files[] = {
      {"letters.txt", "1 2\n3 x\n", "letters.txt:2: "},
      {"weights.txt", "1 2 0.5\n3 4\n", "weights.txt:2: "},
      {"short.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 5\n", "short.mtx"},
      {"outside.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n4 1 5\n", "outside.mtx:3: "},
      {"none.npz", "PK\003\004 and nothing else", "none.npz"},
      {"cut.gz", "\x1f\x8b\x08 and nothing else", "cut.gz"}};
  char pages[512];
  for (size_t k = 0; k < COUNT(files); k++)
    refused_read(write_file(files[k].name, files[k].text, strlen(files[k].text), false), NULL,
                 GrB_INVALID_VALUE, files[k].reason);
  snprintf(pages, sizeof pages, "%s", path_of("damaged.pages"));
  OK(Grid_Pages_convert(pages, write_file("whole.txt", edges, sizeof edges - 1, false), NULL, false, 0, NULL,
                        NULL));
  if (Grid_rank() == 0) {
    FILE *f = fopen(pages, "r+b");
    assert_non_null(f);
    fseek(f, 100, SEEK_SET);
    fputs("damage", f);
    fclose(f);
  }
  barrier();
  refused_read(pages, NULL, GrB_INVALID_VALUE, "damaged.pages");
}

static void refused_arguments(void **state) {
  static const char above[] = "1 1152921504606846976\n";
  char path[512];
  GrB_Matrix A = NULL;
  GrB_Vector ids = NULL;
  GrB_Type type = NULL;
  OK(GrB_Type_new(&type, 24));
  snprintf(path, sizeof path, "%s", write_file("edges.txt", edges, sizeof edges - 1, false));
  refused(Grid_Matrix_read(NULL, NULL, path, NULL), GrB_NULL_POINTER, "Grid_Matrix_read: argument A is NULL");
  refused(Grid_Matrix_read(&A, NULL, NULL, NULL), GrB_NULL_POINTER, "argument path is NULL");
  refused(Grid_Matrix_read(&A, &ids, path, &(Grid_Read_Options){.original_ids = true}), GrB_INVALID_VALUE,
          "with original_ids row k is vertex k");
  refused_read(path_of("absent"), NULL, GrB_INVALID_VALUE, "absent: cannot open: No such file");
  refused_read(path, &(Grid_Read_Options){.format = "bmp"}, GrB_INVALID_VALUE, "there is no format 'bmp'");
  refused_read(path, &(Grid_Read_Options){.format = "pages"}, GrB_INVALID_VALUE, "edges.txt");
  refused_read(path, &(Grid_Read_Options){.type = type}, GrB_DOMAIN_MISMATCH, "files hold real numbers");
  refused_read(path, &(Grid_Read_Options){.dup = GrB_LT_FP64}, GrB_DOMAIN_MISMATCH, "dup is");
  refused_read(write_file("above.txt", above, sizeof above - 1, false),
               &(Grid_Read_Options){.original_ids = true}, GrB_INVALID_VALUE,
               "the vertex 1152921504606846976 is above 2^60 - 1");
  assert_true(A == NULL && ids == NULL);
  OK(GrB_Type_free(&type));
}

/* Each allocation fails in turn, on one process: no matrix, no leak. */
static void no_memory(void **state) {
  const Grid_Read_Options ways[] = {{.undirected = true, .no_loops = true, .type = GrB_INT32},
                                    {.original_ids = true},
                                    {.undirected = true, .type = GrB_FP32, .dup = GrB_PLUS_FP64}};
  char file[2][512];
  snprintf(file[0], sizeof file[0], "%s", write_file("edges.txt", edges, sizeof edges - 1, false));
  snprintf(file[1], sizeof file[1], "%s", path_of("edges.pages"));
  OK(Grid_Pages_convert(file[1], file[0], NULL, false, Grid_DUP_PLUS, NULL, NULL));
  for (size_t k = 0; k < COUNT(ways); k++) {
    GrB_Matrix A = NULL;
    GrB_Vector ids = NULL;
    for (int64_t at = 0; !A; at++) {
      const int64_t live = grid_mem_live();
      if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at);
      const GrB_Info info =
          Grid_Matrix_read(&A, ways[k].original_ids ? NULL : &ids, file[k == COUNT(ways) - 1], &ways[k]);
      grid_mem_fail_after(-1);
      assert_int_equal(info, A ? GrB_SUCCESS : GrB_OUT_OF_MEMORY);
      if (!A) assert_true(!ids && grid_mem_live() == live);
    }
    for (int64_t at = 0;; at++) {
      if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at);
      const GrB_Info info = Grid_Matrix_write(A, ids, path_of("memory.txt"), NULL);
      grid_mem_fail_after(-1);
      if (info == GrB_SUCCESS) break;
      assert_int_equal(info, GrB_OUT_OF_MEMORY);
    }
    OK(GrB_Matrix_free(&A));
    OK(GrB_Vector_free(&ids));
  }
}

/* ---- flags --------------------------------------------------------------------------------------------- */

static GrB_Matrix flagged; /* 8 x 8 and empty */

static GrB_Info flags_of_build(int flags) {
  return Grid_Matrix_build(flagged, NULL, NULL, NULL, NULL, 0, NULL, flags);
}
static GrB_Info flags_of_rmat(int flags) {
  return Grid_Matrix_rmat(flagged, 3, 1, 1, flags);
}
static GrB_Info flags_of_begin(int flags) {
  Grid_Pages_Builder b = NULL;
  const GrB_Info info = Grid_Pages_begin(&b, path_of("begun.pages"), 3, 3, false, flags);
  return b ? Grid_Pages_end(&b, info, NULL) : info;
}
static GrB_Info flags_of_convert(int flags) {
  char to[512];
  snprintf(to, sizeof to, "%s", path_of("flags.pages"));
  return Grid_Pages_convert(to, path_of("edges.txt"), NULL, true, flags, NULL, NULL);
}
static GrB_Info flags_of_pagerank(int flags) {
  GrB_Vector rank = NULL;
  const GrB_Info info = Grid_pagerank(&rank, NULL, NULL, flagged, NULL, 0.85, 0, 1, flags);
  GrB_Vector_free(&rank);
  return info;
}

/* Every call with an argument `flags`, and the flags that it accepts. */
static const struct {
  const char *call;
  GrB_Info (*with)(int flags);
  int accepted;
} flag_calls[] = {
    {"Grid_Matrix_build", flags_of_build, Grid_MIRROR | Grid_NO_LOOPS},
    {"Grid_Matrix_rmat", flags_of_rmat, Grid_MIRROR | Grid_NO_LOOPS},
    {"Grid_Pages_begin", flags_of_begin, Grid_MIRROR | Grid_NO_LOOPS | Grid_BY_DEGREE | Grid_DUP_TIMES},
    {"Grid_Pages_convert", flags_of_convert, Grid_MIRROR | Grid_NO_LOOPS | Grid_BY_DEGREE | Grid_DUP_TIMES},
    {"Grid_pagerank", flags_of_pagerank, Grid_PAGERANK_PLAIN | Grid_PAGERANK_FP32},
};

/* The calls of a header that have an argument `flags`. */
static size_t count_flags(const char *header) {
  static char text[1 << 18];
  char path[1024];
  size_t count = 0;
  snprintf(path, sizeof path, "%s/../include/%s", GRID_TEST_DIR, header);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  for (const char *s = text; (s = strstr(s, "int flags")); s++) count += s[9] == ',' || s[9] == ')';
  return count;
}

static void unknown_flags(void **state) {
  write_file("edges.txt", edges, sizeof edges - 1, false);
  assert_int_equal(count_flags("gridblas.h") + count_flags("gridblas_algos.h"), COUNT(flag_calls));
  for (size_t k = 0; k < COUNT(flag_calls); k++) {
    GrB_Index nvals;
    char text[100];
    OK(GrB_Matrix_new(&flagged, GrB_BOOL, 8, 8));
    for (int bit = 0; bit < 31; bit++) {
      if (flag_calls[k].accepted & 1 << bit) continue;
      snprintf(text, sizeof text, "%s: unknown flag 0x%x", flag_calls[k].call, 1U << bit);
      refused(flag_calls[k].with(flag_calls[k].accepted | 1 << bit), GrB_INVALID_VALUE, text);
    }
    OK(GrB_Matrix_nvals(&nvals, flagged));
    assert_true(nvals == 0);
    OK(flag_calls[k].with(flag_calls[k].accepted));
    OK(GrB_Matrix_free(&flagged));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(read_options),
                                     cmocka_unit_test(joins_duplicates),
                                     cmocka_unit_test(recorded_duplicates),
                                     cmocka_unit_test(skew_pages),
                                     cmocka_unit_test(edge_list_dimensions),
                                     cmocka_unit_test(joins_directions),
                                     cmocka_unit_test(renumbered_pages),
                                     cmocka_unit_test(huge_ids),
                                     cmocka_unit_test(matrix_market),
                                     cmocka_unit_test(round_trips),
                                     cmocka_unit_test(exact_integers),
                                     cmocka_unit_test(refused_writes),
                                     cmocka_unit_test(damaged_files),
                                     cmocka_unit_test(refused_arguments),
                                     cmocka_unit_test(no_memory),
                                     cmocka_unit_test(unknown_flags)};
  return cmocka_run_group_tests(tests, start, stop);
}
