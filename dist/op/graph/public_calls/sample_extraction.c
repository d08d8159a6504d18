/* See sample_extraction.h. Rows that several processes share, or that lie in a page file, are brought
 * together first: F = A(rows of `count`,:), whose rows are spread evenly over the processes. A process learns
 * the numbers of its rows in A, and how many entries to draw, from vectors. */
#include "dist/op/graph/public_calls/sample_extraction.h"

#include <stdlib.h>
#include <string.h>

#include "dist/op/graph/public_calls/public_calls.h"
#include "dist/op/graph/public_calls/row_view.h"
#include "spmat/sample_rows.h"

/* Entries of this process. */
typedef struct {
  GrB_Index *index, n;
  int64_t *value;
} entry_list;

typedef struct {
  GrB_Type type; /* of A */
  size_t bytes;  /* of a value */
  uint64_t key;
  entry_list rows; /* of `count` */
  GrB_Matrix F;    /* the rows, in the order of the lists of all processes */
  GrB_Vector v;    /* INT64, an element for each row of F */
  Grid_View view;  /* of F */
  grid_row_arrays f;
  entry_list number, draws; /* of F's rows: their numbers in A; how many entries are drawn */
  uint64_t *bits;           /* of the entries of a row; 0 between rows */
  GrB_Index *row, *col, n;  /* the entries drawn */
  char *value;
} extraction;

static const char no_memory[] = "Grid_Matrix_sample: no memory for the sample";

static GrB_Info agree(bool allocated) {
  return Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, no_memory);
}

static void free_entries(entry_list *e) {
  free(e->index), free(e->value);
}

/* Local. */
static GrB_Info read_entries(entry_list *e, GrB_Vector v) {
  GrB_Info info;
  e->n = UINT64_MAX; /* the call only counts */
  TRY(Grid_Vector_extractLocal(NULL, NULL, &e->n, v));
  e->index = malloc((e->n + 1) * sizeof *e->index), e->value = malloc((e->n + 1) * sizeof *e->value);
  TRY(e->index == NULL || e->value == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS);
  TRY(Grid_Vector_extractLocal(e->index, e->value, &e->n, v));
out:
  return info;
}

static GrB_Info list_entries(entry_list *e, GrB_Vector v) {
  return Grid_agree(read_entries(e, v), no_memory);
}

/* *rows = the values of F's rows on this process, of which the processes have `value` in the order of F. */
static GrB_Info spread(extraction *s, entry_list *rows, GrB_Index *position, const void *value) {
  GrB_Info info;
  TRY(GrB_Vector_clear(s->v));
  TRY(Grid_Vector_build(s->v, position, value, GrB_INT64, s->rows.n, NULL));
  TRY(list_entries(rows, s->v));
out:
  return info;
}

/* The sum of `n` over the processes before this one. */
static GrB_Info sum_before(uint64_t *before, uint64_t n) {
  GrB_Info info;
  const size_t P = (size_t)Grid_size();
  uint64_t *all = calloc(P, sizeof *all);
  TRY(agree(all != NULL));
  all[Grid_rank()] = n;
  TRY(Grid_sum(all, P));
  *before = 0;
  for (int r = 0; r < Grid_rank(); r++) *before += all[r];
out:
  free(all);
  return info;
}

static GrB_Info extract_rows(extraction *s, GrB_Matrix A, GrB_Vector count) {
  GrB_Info info;
  GrB_Index total, ncols, before, *position = NULL;
  TRY(list_entries(&s->rows, count));
  TRY(GrB_Vector_nvals(&total, count));
  TRY(GrB_Matrix_ncols(&ncols, A));
  TRY(GrB_Matrix_new(&s->F, s->type, total, ncols));
  TRY(Grid_Matrix_extract(s->F, NULL, NULL, A, s->rows.index, s->rows.n, GrB_ALL, ncols, NULL));
  TRY(sum_before(&before, s->rows.n));
  position = malloc((s->rows.n + 1) * sizeof *position);
  TRY(agree(position != NULL));
  for (GrB_Index k = 0; k < s->rows.n; k++) position[k] = before + k;
  TRY(GrB_Vector_new(&s->v, GrB_INT64, total));
  TRY(spread(s, &s->number, position, s->rows.index));
  TRY(spread(s, &s->draws, position, s->rows.value));
  TRY(grid_view_rows(&s->f, &s->view, s->F));
out:
  free(position);
  return info;
}

/* ---- drawing ---- */

static void add_entry(extraction *s, GrB_Index number, GrB_Index entry) {
  s->row[s->n] = number;
  s->col[s->n] = grid_entry_column(&s->f, entry);
  memcpy(s->value + s->n * s->bytes, (const char *)s->view.values + (s->view.iso ? 0 : entry * s->bytes),
         s->bytes);
  s->n++;
}

static void draw_row(extraction *s, GrB_Index k) {
  const GrB_Index first = grid_row_start(&s->f, s->f.first + k),
                  degree = grid_row_start(&s->f, s->f.first + k + 1) - first,
                  number = (GrB_Index)s->number.value[k];
  const uint64_t draws = grid_sample_size(degree, s->draws.value[k]);
  if (draws < degree) grid_sample_row(s->bits, 0, degree, draws, number, s->key);
  for (GrB_Index e = 0; draws > 0 && e < degree; e++)
    if (draws == degree || grid_bit(s->bits, e)) add_entry(s, number, first + e);
  if (draws < degree) memset(s->bits, 0, grid_words(degree) * sizeof *s->bits);
}

static GrB_Info draw_rows(extraction *s) {
  GrB_Info info;
  GrB_Index entries = 0, longest = 0;
  for (GrB_Index k = 0; k < s->f.count; k++) {
    const GrB_Index degree =
        grid_row_start(&s->f, s->f.first + k + 1) - grid_row_start(&s->f, s->f.first + k);
    entries += grid_sample_size(degree, s->draws.value[k]);
    if (degree > longest) longest = degree;
  }
  s->bits = calloc(grid_words(longest) + 1, sizeof *s->bits);
  s->row = malloc((entries + 1) * sizeof *s->row), s->col = malloc((entries + 1) * sizeof *s->col);
  s->value = malloc((entries + 1) * s->bytes);
  TRY(agree(s->bits != NULL && s->row != NULL && s->col != NULL && s->value != NULL));
  for (GrB_Index k = 0; k < s->f.count; k++) draw_row(s, k);
out:
  return info;
}

static void free_all(extraction *s) {
  free_entries(&s->rows), free_entries(&s->number), free_entries(&s->draws);
  free(s->bits), free(s->row), free(s->col), free(s->value);
  Grid_View_free(&s->view);
  GrB_Matrix_free(&s->F);
  GrB_Vector_free(&s->v);
}

GrB_Info grid_sample_by_extraction(GrB_Matrix C, GrB_Vector columns, GrB_Matrix A, GrB_Vector count,
                                   uint64_t seed) {
  GrB_Info info;
  GrB_Vector found = NULL;
  GrB_Index ncols;
  extraction s = {.key = grid_random_key(seed)};
  TRY(Grid_agree(GxB_Matrix_type(&s.type, A), NULL));
  TRY(Grid_agree(GxB_Type_size(&s.bytes, s.type), NULL));
  TRY(extract_rows(&s, A, count));
  TRY(draw_rows(&s));
  TRY(GrB_Matrix_ncols(&ncols, A));
  TRY(GrB_Vector_new(&found, GrB_BOOL, ncols));
  if (columns != NULL) TRY(Grid_Vector_build(found, s.col, NULL, NULL, s.n, NULL));
  if (C != NULL) TRY(Grid_Matrix_build(C, s.row, s.col, s.value, s.type, s.n, NULL, 0));
  if (columns != NULL) TRY(GrB_Vector_assign(columns, NULL, NULL, found, GrB_ALL, ncols, NULL));
out:
  if (info != GrB_SUCCESS && C != NULL) (void)GrB_Matrix_clear(C);
  GrB_Vector_free(&found);
  free_all(&s);
  return info;
}
