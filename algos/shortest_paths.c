/* Shortest paths from one vertex by delta-stepping.
 *
 * `open` holds the vertices whose distance fell since they last told their neighbours. In each step those
 * within the bucket (distance up to `limit`) tell them: one product q min.plus A. What improves a distance is
 * open again. When a bucket is empty, nothing in it can improve any more: its vertices are settled, and their
 * rows are masked away; the next bucket reaches from the smallest open distance `delta` further.
 *
 * Heavy and light edges are not told apart: a vertex that improves within its bucket tells its heavy
 * neighbours once more, which costs less than two matrices would. Source: Meyer, Sanders, Delta-stepping
 * (2003); in GraphBLAS: Sridhar et al. (2019); buckets over all edges as in the GAP benchmark suite (Beamer,
 * Asanovic, Patterson, 2015). */
#include "algos/paths.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  distances d;
  GrB_Vector t;       /* distances */
  GrB_Vector open;    /* those that neighbours do not know yet */
  GrB_Vector q;       /* those told in this step; then what is offered */
  GrB_Vector bucket;  /* BOOL: told since the bucket was begun */
  GrB_Vector settled; /* BOOL */
  GrB_Vector worse;   /* BOOL: workspace */
} search;

/* q = the open ones up to a limit, open = the others. */
static GrB_Info cut(search *s, int64_t whole, double real) {
  GrB_Info info;
  if (s->d.type == GrB_INT64) {
    TRY(GrB_Vector_select_INT64(s->q, NULL, NULL, GrB_VALUELE_INT64, s->open, whole, NULL));
    TRY(GrB_Vector_select_INT64(s->open, NULL, NULL, GrB_VALUEGT_INT64, s->open, whole, NULL));
  } else if (s->d.type == GrB_FP32) {
    TRY(GrB_Vector_select_FP32(s->q, NULL, NULL, GrB_VALUELE_FP32, s->open, (float)real, NULL));
    TRY(GrB_Vector_select_FP32(s->open, NULL, NULL, GrB_VALUEGT_FP32, s->open, (float)real, NULL));
  } else {
    TRY(GrB_Vector_select_FP64(s->q, NULL, NULL, GrB_VALUELE_FP64, s->open, real, NULL));
    TRY(GrB_Vector_select_FP64(s->open, NULL, NULL, GrB_VALUEGT_FP64, s->open, real, NULL));
  }
out:
  return info;
}

/* The limit of the next bucket: delta above the smallest open distance, at least that distance itself. */
static GrB_Info next_limit(int64_t *whole, double *real, search *s, double delta) {
  GrB_Info info;
  *whole = 0, *real = 0;
  if (s->d.real) {
    TRY(GrB_Vector_reduce_FP64(real, NULL, s->d.min, s->open, NULL));
    if (*real + delta > *real) *real += delta;
  } else {
    TRY(GrB_Vector_reduce_INT64(whole, NULL, s->d.min, s->open, NULL));
    *whole = delta < (double)(INT64_MAX - *whole) ? *whole + (int64_t)delta : INT64_MAX;
  }
out:
  return info;
}

/* q's vertices tell their neighbours. */
static GrB_Info tell(search *s) {
  GrB_Info info;
  TRY(GrB_Vector_assign_BOOL(s->bucket, s->q, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
  /* q<!settled, replace> = q min.plus A */
  TRY(GrB_vxm(s->q, s->settled, NULL, s->d.min_plus, s->q, s->A, GrB_DESC_RSC));
  TRY(grid_take_improved(s->t, s->q, s->worse, &s->d));
  TRY(GrB_Vector_assign(s->open, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
out:
  return info;
}

static GrB_Info run(search *s, double delta) {
  GrB_Info info;
  GrB_Index left, now;
  int64_t whole = 0;
  double real = 0;
  bool begun = false;
  for (;;) {
    TRY(GrB_Vector_nvals(&left, s->open));
    if (left == 0) break;
    now = 0;
    if (begun) {
      TRY(cut(s, whole, real));
      TRY(GrB_Vector_nvals(&now, s->q));
    }
    if (now == 0) {
      /* settled<bucket> = true */
      TRY(GrB_Vector_assign_BOOL(s->settled, s->bucket, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
      TRY(GrB_Vector_clear(s->bucket));
      TRY(next_limit(&whole, &real, s, delta));
      TRY(cut(s, whole, real));
      begun = true;
    }
    TRY(tell(s));
  }
out:
  return info;
}

/* Where the caller has no delta: the mean weight, over the mean degree, four times: few vertices improve
 * within their bucket, and there are not many buckets. */
static GrB_Info choose_delta(double *delta, const search *s) {
  GrB_Info info;
  GrB_Index entries;
  double sum = 0;
  TRY(GrB_Matrix_nvals(&entries, s->A));
  TRY(GrB_Matrix_reduce_FP64(&sum, NULL, s->d.sum, s->A, NULL));
  *delta = entries == 0 ? 1 : 4 * (sum / (double)entries) * ((double)s->n / (double)entries);
  if (!(*delta <= 1e300)) *delta = 1e300; /* infinite weights */
out:
  return info;
}

GrB_Info Grid_shortest_paths(GrB_Vector *distance, GrB_Vector *parent, GrB_Matrix A, GrB_Index source,
                             double delta) {
  static const char call[] = "Grid_shortest_paths";
  search s = {.A = A};
  GrB_Vector tree = NULL;
  GrB_Info info;
  double least;

  if (distance == NULL && parent == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_shortest_paths: neither output is asked for");
  if (!(delta >= 0)) return Grid_agree(GrB_INVALID_VALUE, "Grid_shortest_paths: delta is below 0");
  TRY(square_size(&s.n, A, call));
  if (source >= s.n)
    return Grid_agree(GrB_INVALID_INDEX, "Grid_shortest_paths: the source is not a vertex of A");
  TRY(grid_distances_of(&s.d, A, call));
  TRY(grid_check_weights(&least, &s.d, A, true, call));
  if (delta == 0) TRY(choose_delta(&delta, &s));
  TRY(GrB_Vector_new(&s.t, s.d.type, s.n));
  TRY(GrB_Vector_new(&s.q, s.d.type, s.n));
  TRY(GrB_Vector_new(&s.bucket, GrB_BOOL, s.n));
  TRY(GrB_Vector_new(&s.settled, GrB_BOOL, s.n));
  TRY(GrB_Vector_new(&s.worse, GrB_BOOL, s.n));
  TRY(GrB_Vector_setElement_INT64(s.t, 0, source));
  TRY(GrB_Vector_dup(&s.open, s.t));
  TRY(run(&s, delta));
  if (parent != NULL) {
    TRY(grid_find_parents(&tree, A, s.t, source, &s.d));
    *parent = tree, tree = NULL;
  }
  if (distance != NULL) *distance = s.t, s.t = NULL;

out:
  GrB_Vector_free(&tree);
  GrB_Vector_free(&s.t);
  GrB_Vector_free(&s.open);
  GrB_Vector_free(&s.q);
  GrB_Vector_free(&s.bucket);
  GrB_Vector_free(&s.settled);
  GrB_Vector_free(&s.worse);
  return info;
}
