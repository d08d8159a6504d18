/* Similarity of vertices by their neighbours: of given pairs, or of all that have a common neighbour; of all
 * of a vertex, or of the k best.
 *
 * The common neighbours w of u and v, each with a weight f(w), are C = (A F) A', F = diag(f), one product,
 * masked by the pairs if there are any. Row u of A is the set of u's neighbours, whatever its values. Where
 * all weights are 1 the product counts, without F. Most measures then divide by a number made of the degrees:
 * with X(u,v) = degree(u) and Y(u,v) = degree(v) at C's entries
 *   Jaccard    C / (X + Y - C)
 *   Sorensen   C / ((X + Y) / 2)
 *   overlap    C / min(X, Y)
 *   cosine     C / sqrt(X Y)
 * The weights are 1, of Adamic and Adar 1 / log(degree(w)), of resource allocation 1 / degree(w).
 *
 * For the k best, the product is computed for some rows at a time, a panel, and each panel's result is
 * reduced to k entries a row. Panels are ranges of rows that together have about GRID_PANEL_ENTRIES entries
 * at most, so that all pairs need not fit the memory. With checkpoints all similarities are computed by
 * panels, too.
 *
 * Sources: Liben-Nowell, Kleinberg (2007); Adamic, Adar (2003); Zhou, Lu, Zhang (2009). */
#include <stdlib.h>

#include "algos/communities/largest_entries.h"
#include "algos/rows/row_panels.h"
#include "algos/communities/similarity.h"
#include "algos/checkpoints/resume_matrix.h"

enum { MEASURES = Grid_SIMILARITY_RESOURCE_ALLOCATION + 1 };

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  int measure;
  GrB_Semiring sum;   /* plus.first */
  GrB_Matrix F;       /* diag(f); NULL: the weights are 1 */
  GrB_Vector degree;  /* FP64: of the rows of A */
  GrB_Index first;    /* the panel's first row */
  GrB_Matrix P;       /* the panel of A; may be A */
  GrB_Matrix C, X, Y; /* of the panel */
} similar;

/* F = diag(f) of the degrees of columns: vertices have w as a neighbour so many times. */
static GrB_Info make_weights(similar *s) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector f = NULL;
  const bool log = s->measure == Grid_SIMILARITY_ADAMIC_ADAR;
  if (!log && s->measure != Grid_SIMILARITY_RESOURCE_ALLOCATION) return info;
  TRY(GrB_Vector_new(&f, GrB_FP64, s->n));
  TRY(Grid_Matrix_degree(f, s->A, true));
  if (log) {
    /* a common neighbour of two vertices has a degree of 2 or more */
    TRY(GrB_Vector_select_FP64(f, NULL, NULL, GrB_VALUEGT_FP64, f, 1.0, NULL));
    TRY(GrB_Vector_apply(f, NULL, NULL, GxB_LOG_FP64, f, NULL));
  }
  TRY(GrB_Vector_apply(f, NULL, NULL, GrB_MINV_FP64, f, NULL));
  TRY(GrB_Matrix_diag(&s->F, f, 0));
out:
  GrB_Vector_free(&f);
  return info;
}

/* C<pairs> = (P F) A'; without pairs: but for vertices with themselves. */
static GrB_Info count_common(similar *s, GrB_Matrix pairs) {
  GrB_Info info;
  GrB_Index rows;
  GrB_Matrix W = NULL;
  TRY(GrB_Matrix_nrows(&rows, s->P));
  TRY(GrB_Matrix_new(&s->C, GrB_FP64, rows, s->n));
  if (s->F != NULL) {
    TRY(GrB_Matrix_new(&W, GrB_FP64, rows, s->n));
    TRY(GrB_mxm(W, NULL, NULL, GrB_MIN_SECOND_SEMIRING_FP64, s->P, s->F, NULL));
  }
  TRY(GrB_mxm(s->C, pairs, NULL, W != NULL ? s->sum : Grid_PLUS_ONEB_SEMIRING_FP64, W != NULL ? W : s->P,
              s->A, pairs == NULL ? GrB_DESC_T1 : GrB_DESC_ST1));
  if (pairs == NULL)
    TRY(GrB_Matrix_select_INT64(s->C, NULL, NULL, GrB_OFFDIAG, s->C, (int64_t)s->first, NULL));
out:
  GrB_Matrix_free(&W);
  return info;
}

/* X = degree(u), Y = degree(v) at the entries (u,v) of C; P has all of u's neighbours. */
static GrB_Info spread_degrees(similar *s) {
  GrB_Info info;
  GrB_Index rows;
  GrB_Vector degree = NULL;
  GrB_Matrix D = NULL;
  TRY(GrB_Matrix_nrows(&rows, s->C));
  TRY(GrB_Matrix_new(&s->X, GrB_FP64, rows, s->n));
  TRY(GrB_Matrix_new(&s->Y, GrB_FP64, rows, s->n));
  if (s->P != s->A) {
    TRY(GrB_Vector_new(&degree, GrB_FP64, rows));
    TRY(Grid_Matrix_degree(degree, s->P, false));
  }
  TRY(GrB_Matrix_diag(&D, degree == NULL ? s->degree : degree, 0));
  TRY(GrB_mxm(s->X, NULL, NULL, GrB_MIN_FIRST_SEMIRING_FP64, D, s->C, NULL));
  if (degree != NULL) {
    GrB_Matrix_free(&D);
    TRY(GrB_Matrix_diag(&D, s->degree, 0));
  }
  TRY(GrB_mxm(s->Y, NULL, NULL, GrB_MIN_SECOND_SEMIRING_FP64, s->C, D, NULL));
out:
  GrB_Vector_free(&degree);
  GrB_Matrix_free(&D);
  return info;
}

/* C /= the measure's number. */
static GrB_Info divide(similar *s) {
  static const struct {
    GrB_BinaryOp *join;
    bool minus; /* C is subtracted */
    double half;
    bool root;
  } of[MEASURES] = {
      [Grid_SIMILARITY_JACCARD] = {&GrB_PLUS_FP64, .minus = true},
      [Grid_SIMILARITY_SORENSEN] = {&GrB_PLUS_FP64, .half = 0.5},
      [Grid_SIMILARITY_OVERLAP] = {&GrB_MIN_FP64},
      [Grid_SIMILARITY_COSINE] = {&GrB_TIMES_FP64, .root = true},
  };
  const int k = s->measure;
  GrB_Info info = GrB_SUCCESS;
  if (of[k].join == NULL) return info;
  TRY(spread_degrees(s));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(s->X, NULL, NULL, *of[k].join, s->X, s->Y, NULL));
  if (of[k].minus) TRY(GrB_Matrix_eWiseMult_BinaryOp(s->X, NULL, NULL, GrB_MINUS_FP64, s->X, s->C, NULL));
  if (of[k].half > 0)
    TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(s->X, NULL, NULL, GrB_TIMES_FP64, s->X, of[k].half, NULL));
  if (of[k].root) TRY(GrB_Matrix_apply(s->X, NULL, NULL, GxB_SQRT_FP64, s->X, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(s->C, NULL, NULL, GrB_DIV_FP64, s->C, s->X, NULL));
out:
  return info;
}

/* C = the similarities of the panel P. */
static GrB_Info compare_panel(similar *s, GrB_Matrix pairs) {
  GrB_Info info;
  TRY(count_common(s, pairs));
  TRY(divide(s));
out:
  GrB_Matrix_free(&s->X);
  GrB_Matrix_free(&s->Y);
  return info;
}

/* bound(u) = entries that row u of the result can have: of pairs, or paths of two edges from u. */
static GrB_Info bound_entries(GrB_Vector *bound, const similar *s, GrB_Matrix pairs) {
  GrB_Info info;
  GrB_Vector degree = NULL;
  TRY(GrB_Vector_new(bound, GrB_FP64, s->n));
  TRY(GrB_Vector_new(&degree, GrB_FP64, s->n));
  if (pairs != NULL) {
    TRY(Grid_Matrix_degree(*bound, pairs, false));
  } else {
    TRY(Grid_Matrix_degree(degree, s->A, true));
    TRY(GrB_vxm(*bound, NULL, NULL, s->sum, degree, s->A, GrB_DESC_T1));
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(*bound, NULL, NULL, GrB_MIN_FP64, *bound, (double)s->n, NULL));
  }
out:
  GrB_Vector_free(&degree);
  return info;
}

/* Adds the k largest similarities of each of the rows first .. end to `best`. */
static GrB_Info compare_rows(grid_entries *best, similar *s, GrB_Matrix pairs, GrB_Index end, uint64_t k) {
  GrB_Info info;
  GrB_Matrix wanted = NULL;
  TRY(grid_extract_rows(&s->P, s->A, s->first, end - s->first));
  if (pairs != NULL) TRY(grid_extract_rows(&wanted, pairs, s->first, end - s->first));
  TRY(compare_panel(s, wanted));
  TRY(grid_largest_entries(best, s->C, s->first, k));
out:
  GrB_Matrix_free(&s->P);
  GrB_Matrix_free(&s->C);
  GrB_Matrix_free(&wanted);
  return info;
}

/* The similarities of the rows before `next`, after `done` panels. */
typedef struct {
  checkpoint_key key;
  uint64_t done;
  GrB_Index next;
  GrB_Matrix C;      /* those of a checkpoint, and of the panels before the last one written */
  grid_entries best; /* later ones */
} progress;

/* C += best */
static GrB_Info collect(progress *w, GrB_Index n) {
  GrB_Info info;
  GrB_Index entries;
  GrB_Matrix more = NULL;
  const grid_entries *e = &w->best;
  TRY(GrB_Matrix_nvals(&entries, w->C));
  if (entries > 0) TRY(GrB_Matrix_new(&more, GrB_FP64, n, n));
  TRY(Grid_Matrix_build(entries > 0 ? more : w->C, e->row, e->col, e->value, GrB_FP64, e->count, NULL, 0));
  if (entries > 0) TRY(GrB_Matrix_eWiseAdd_BinaryOp(w->C, NULL, NULL, GrB_FIRST_FP64, w->C, more, NULL));
  w->best.count = 0;
out:
  GrB_Matrix_free(&more);
  return info;
}

static GrB_Info resume(progress *w, const similar *s, GrB_Matrix pairs, uint64_t k) {
  GrB_Info info;
  const Grid_Checkpoint_Item state[] = {{.name = "next", .bytes = &w->next, .size = sizeof w->next}};
  TRY(GrB_Matrix_new(&w->C, GrB_FP64, s->n, s->n));
  TRY(grid_checkpoint_key_make(&w->key, "similarity", s->A, s->n));
  w->key.key[3] = (uint64_t)s->measure, w->key.key[4] = k, w->key.key[5] = pairs != NULL;
  if (pairs != NULL) TRY(GrB_Matrix_nvals(&w->key.key[6], pairs));
  TRY(grid_checkpoint_resume_matrices(&w->done, &w->key, state, 1,
                                      &(checkpoint_matrix){.name = "similarity", .M = w->C, .type = GrB_FP64},
                                      1));
out:
  return info;
}

/* A panel is done, and the rows before `next`. */
static GrB_Info record(progress *w, GrB_Index n, GrB_Index next) {
  GrB_Info info = GrB_SUCCESS;
  const Grid_Checkpoint_Item state[] = {{.name = "next", .bytes = &w->next, .size = sizeof w->next}};
  w->next = next, w->done++;
  if (!grid_checkpoint_is_due(w->done)) return info;
  TRY(collect(w, n));
  TRY(grid_checkpoint_iteration_matrices(
      w->done, &w->key, state, 1, &(checkpoint_matrix){.name = "similarity", .M = w->C, .type = GrB_FP64},
      1));
out:
  return info;
}

/* C = the k largest similarities of each row. Panels depend on the number of processes, so a checkpoint has
 * the row at which the next one begins. */
static GrB_Info compare_panels(similar *s, GrB_Matrix pairs, uint64_t k, uint64_t panel) {
  GrB_Info info;
  GrB_Vector bound = NULL;
  progress w = {.next = 0};
  uint64_t *start = NULL, panels;
  TRY(resume(&w, s, pairs, k));
  TRY(bound_entries(&bound, s, pairs));
  TRY(GrB_Vector_select_INT64(bound, NULL, NULL, GrB_ROWGT, bound, (int64_t)w.next - 1, NULL));
  TRY(grid_row_panels(&start, &panels, bound, panel * (uint64_t)Grid_size()));
  for (uint64_t p = 0; p < panels; p++) {
    Grid_progress_set(p, panels);
    s->first = start[p] < w.next ? w.next : start[p];
    if (s->first >= start[p + 1]) continue;
    TRY(compare_rows(&w.best, s, pairs, start[p + 1], k));
    TRY(record(&w, s->n, start[p + 1]));
  }
  TRY(collect(&w, s->n));
  s->C = w.C, w.C = NULL;
out:
  free(start);
  grid_entries_free(&w.best);
  GrB_Matrix_free(&w.C);
  GrB_Vector_free(&bound);
  return info;
}

static GrB_Info check_arguments(similar *s, bool output, GrB_Matrix pairs, int64_t k) {
  GrB_Info info;
  GrB_Index nrows, ncols;
  if (!output) return grid_refuse(GrB_NULL_POINTER, "Grid_similarity", "similarity is NULL");
  if (s->measure < 0 || s->measure >= MEASURES)
    return grid_refuse(GrB_INVALID_VALUE, "Grid_similarity", "measure is %d, not one of Grid_SIMILARITY_...",
                       s->measure);
  if (k < 0) return grid_refuse(GrB_INVALID_VALUE, "Grid_similarity", "k is %" PRId64 ", below 0", k);
  TRY(square_size(&s->n, s->A, "Grid_similarity"));
  if (pairs == NULL) return info;
  TRY(GrB_Matrix_nrows(&nrows, pairs));
  TRY(GrB_Matrix_ncols(&ncols, pairs));
  if (nrows != s->n || ncols != s->n)
    return grid_refuse(GrB_DIMENSION_MISMATCH, "Grid_similarity",
                       "pairs is %" PRIu64 " x %" PRIu64 ", but A is %" PRIu64 " x %" PRIu64, nrows, ncols,
                       s->n, s->n);
out:
  return info;
}

GrB_Info grid_similarity_by_panels(GrB_Matrix *similarity, GrB_Matrix A, GrB_Matrix pairs, int measure,
                                   int64_t k, uint64_t panel) {
  similar s = {.A = A, .measure = measure};
  GrB_Info info;
  TRY(check_arguments(&s, similarity != NULL, pairs, k));
  /* each process creates its own semiring, so a single process may fail */
  TRY(Grid_agree(GrB_Semiring_new(&s.sum, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64), NULL));
  TRY(make_weights(&s));
  TRY(GrB_Vector_new(&s.degree, GrB_FP64, s.n));
  TRY(Grid_Matrix_degree(s.degree, A, false));
  if (k == 0 && !grid_checkpoint_is_set()) {
    s.P = A;
    TRY(compare_panel(&s, pairs));
  } else {
    TRY(compare_panels(&s, pairs, k == 0 ? s.n : (uint64_t)k, panel));
  }
  *similarity = s.C, s.C = NULL;
out:
  GrB_Semiring_free(&s.sum);
  GrB_Vector_free(&s.degree);
  GrB_Matrix_free(&s.F);
  GrB_Matrix_free(&s.C);
  return info;
}

GrB_Info Grid_similarity(GrB_Matrix *similarity, GrB_Matrix A, GrB_Matrix pairs, int measure, int64_t k) {
  SPAN;
  return grid_similarity_by_panels(similarity, A, pairs, measure, k, GRID_PANEL_ENTRIES);
}
