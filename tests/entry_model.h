/* A list of entries, the same on every process, against which objects and arrays are compared: a matrix, or
 * with one column a vector. */
#ifndef GRID_ENTRY_MODEL_H
#define GRID_ENTRY_MODEL_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridblas.h"
#include "gridblas_gxb_objects.h"
#include "gridblas_gxb_data.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"
#include "tests/random_numbers.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { MOST = 3000, WIDEST = 16 };
typedef struct {
  GrB_Index r, c;
} cell;
typedef struct {
  GrB_Index nrows, ncols;
  GrB_Index n;
  cell at[MOST]; /* by row and column, none twice */
  GrB_Type type;
  size_t size;
  bool iso;
  char val[MOST * WIDEST];
} model;
static model m;

static GrB_Type twelve; /* a user-defined type of 12 bytes */

/* A group's setup and teardown, with that type. */
static inline int start_with_type(void **state) {
  return start_on_shape(state) || GrB_Type_new(&twelve, 12) != GrB_SUCCESS;
}
static inline int stop_with_type(void **state) {
  GrB_Type_free(&twelve);
  return stop_on_shape(state);
}

static inline GrB_Index chance(GrB_Index below) {
  return (draw(1 << 30) << 30 | draw(1 << 30)) % below;
}

static inline int by_position(const void *a, const void *b) {
  const cell *x = a, *y = b;
  if (x->r != y->r) return x->r < y->r ? -1 : 1;
  return x->c < y->c ? -1 : x->c > y->c;
}

/* About n entries; n = UINT64_MAX: all positions. */
static inline void draw_model(GrB_Index nrows, GrB_Index ncols, GrB_Index n, GrB_Type type, bool iso) {
  m = (model){.nrows = nrows, .ncols = ncols, .type = type, .iso = iso};
  OK(GrB_Type_get_SIZE(type, &m.size, GrB_SIZE));
  const bool full = n == UINT64_MAX;
  if (full) n = nrows * ncols;
  if (nrows == 0 || ncols == 0) n = 0;
  for (GrB_Index k = 0; k < n; k++)
    m.at[k] = full ? (cell){k / ncols, k % ncols} : (cell){chance(nrows), chance(ncols)};
  qsort(m.at, n, sizeof *m.at, by_position);
  for (GrB_Index k = 0; k < n; k++)
    if (k == 0 || by_position(&m.at[k], &m.at[k - 1]) != 0) m.at[m.n++] = m.at[k];
  for (GrB_Index k = 0; k < m.n * m.size; k++) m.val[k] = (char)(iso ? 3 + k % m.size : chance(100));
  if (type == GrB_BOOL)
    for (GrB_Index k = 0; k < m.n; k++) m.val[k] = iso || m.val[k] % 2;
}

static inline const char *value_of(const cell *is) {
  return m.val + (size_t)(is - m.at) * m.size;
}

static inline GrB_Matrix build(void) {
  static GrB_Index row[MOST], col[MOST];
  GrB_Matrix A;
  for (GrB_Index k = 0; k < m.n; k++) row[k] = m.at[k].r, col[k] = m.at[k].c;
  OK(GrB_Matrix_new(&A, m.type, m.nrows, m.ncols));
  OK(Grid_Matrix_build(A, row, col, m.val, m.type, Grid_rank() == 0 ? m.n : 0, NULL, 0));
  return A;
}

static inline GrB_Vector build_vector(void) {
  static GrB_Index row[MOST];
  GrB_Vector v;
  for (GrB_Index k = 0; k < m.n; k++) row[k] = m.at[k].r;
  OK(GrB_Vector_new(&v, m.type, m.nrows));
  OK(Grid_Vector_build(v, row, m.val, m.type, Grid_rank() == 0 ? m.n : 0, NULL));
  return v;
}

/* The processes have these entries together, each a part. */
static inline bool are_entries(GrB_Index n, const GrB_Index *row, const GrB_Index *col, const char *val) {
  uint64_t total = n;
  bool fine = true;
  for (GrB_Index k = 0; k < n; k++) {
    const cell at = {row[k], col ? col[k] : 0}, *is = bsearch(&at, m.at, m.n, sizeof at, by_position);
    fine = fine && is && memcmp(val + k * m.size, value_of(is), m.size) == 0;
  }
  OK(Grid_sum(&total, 1));
  return fine && total == m.n;
}

static inline void same(GrB_Matrix A) {
  static GrB_Index row[MOST], col[MOST];
  static char val[MOST * WIDEST];
  GrB_Index nrows, ncols, n = MOST, nvals;
  GrB_Type type;
  OK(GrB_Matrix_nrows(&nrows, A));
  OK(GrB_Matrix_ncols(&ncols, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  OK(GxB_Matrix_type(&type, A));
  OK(Grid_Matrix_extractLocal(row, col, val, &n, A));
  assert_on_all(are_entries(n, row, col, val) && nrows == m.nrows && ncols == m.ncols && type == m.type &&
                nvals == m.n);
}

static inline void same_vector(GrB_Vector v) {
  static GrB_Index row[MOST];
  static char val[MOST * WIDEST];
  GrB_Index size, n = MOST, nvals;
  GrB_Type type;
  OK(GrB_Vector_size(&size, v));
  OK(GrB_Vector_nvals(&nvals, v));
  OK(GxB_Vector_type(&type, v));
  OK(Grid_Vector_extractLocal(row, val, &n, v));
  assert_on_all(are_entries(n, row, NULL, val) && size == m.nrows && type == m.type && nvals == m.n);
}

/* The call failed so, with these words in its text. */
static inline void fails(GrB_Info info, GrB_Info want, const char *words) {
  const bool fine = info == want && strstr(Grid_last_error(), words);
  if (!fine)
    print_message("%s: \"%s\", want %s with \"%s\"\n", Grid_info_name(info), Grid_last_error(),
                  Grid_info_name(want), words);
  assert_on_all(fine);
}
#endif
