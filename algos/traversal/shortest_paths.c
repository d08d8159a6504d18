/* Shortest paths from one vertex by delta-stepping.
 *
 * A bucket is the set of distances up to a limit. Each step propagates from the vertices of the bucket whose
 * distance decreased (q): one product q min.plus A. The vertices that it improves within the bucket are the
 * next q. Without any, the bucket is final: its vertices are settled, and the mask excludes them. The next
 * bucket reaches delta beyond the smallest distance outside (in `far`).
 *
 * Heavy and light edges are not separated: a vertex that improves within its bucket propagates along its
 * heavy edges once more, which costs less than two matrices. Source: Meyer, Sanders, Delta-stepping (2003);
 * in GraphBLAS: Sridhar et al. (2019); buckets over all edges as in the GAP benchmark suite (Beamer,
 * Asanovic, Patterson, 2015). */
#include "algos/support/paths.h"
#include "algos/checkpoints/resume.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  distances d;
  int64_t whole; /* the bucket's limit, by the distances' type */
  double real;
  GrB_Vector t;   /* distances */
  GrB_Vector q;   /* the vertices of this step; then the offers; then the improved ones */
  GrB_Vector far; /* distances that decreased and are beyond the bucket; until its end also those within it */
  GrB_Vector bucket;  /* BOOL: propagated since the bucket began */
  GrB_Vector settled; /* BOOL */
  GrB_Vector worse;   /* BOOL: workspace */
} search;

/* w = the entries of u within the bucket, or beyond it. */
static GrB_Info filter_within(GrB_Vector w, bool within, GrB_Vector u, const search *s) {
  if (s->d.type == GrB_INT64)
    return GrB_Vector_select_INT64(w, NULL, NULL, within ? GrB_VALUELE_INT64 : GrB_VALUEGT_INT64, u, s->whole,
                                   NULL);
  if (s->d.type == GrB_INT32)
    return GrB_Vector_select_INT32(w, NULL, NULL, within ? GrB_VALUELE_INT32 : GrB_VALUEGT_INT32, u,
                                   (int32_t)s->whole, NULL);
  if (s->d.type == GrB_FP32)
    return GrB_Vector_select_FP32(w, NULL, NULL, within ? GrB_VALUELE_FP32 : GrB_VALUEGT_FP32, u,
                                  (float)s->real, NULL);
  return GrB_Vector_select_FP64(w, NULL, NULL, within ? GrB_VALUELE_FP64 : GrB_VALUEGT_FP64, u, s->real,
                                NULL);
}

/* The limit of the next bucket: delta above the smallest distance beyond, at least that distance itself. */
static GrB_Info next_limit(search *s, double delta) {
  GrB_Info info;
  if (s->d.real) {
    TRY(GrB_Vector_reduce_FP64(&s->real, NULL, s->d.min, s->far, NULL));
    if (s->real + delta > s->real) s->real += delta;
  } else {
    const int64_t most = s->d.type == GrB_INT32 ? INT32_MAX : INT64_MAX;
    TRY(GrB_Vector_reduce_INT64(&s->whole, NULL, s->d.min, s->far, NULL));
    s->whole = delta < (double)(most - s->whole) ? s->whole + (int64_t)delta : most;
  }
out:
  return info;
}

/* Propagates from q; q = the vertices that this improves within the bucket. */
static GrB_Info report_progress(search *s) {
  GrB_Info info;
  TRY(GrB_Vector_assign_BOOL(s->bucket, s->q, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
  /* q<!settled, replace> = q min.plus A */
  TRY(GrB_vxm(s->q, s->settled, NULL, s->d.min_plus, s->q, s->A, GrB_DESC_RSC));
  TRY(grid_keep_improved(s->t, s->q, s->worse, &s->d));
  TRY(GrB_Vector_assign(s->far, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
  TRY(filter_within(s->q, true, s->q, s));
out:
  return info;
}

/* After a bucket that took so few steps the next one is wider by this factor: fewer buckets repeat little
 * work. On the CPU only once fewer vertices are beyond the bucket than before it. The first buckets take few
 * steps, too, but narrow ones avoid that a hub propagates several times. */
static const uint64_t MIN_STEPS = 4;
static const double WIDENING = 4;

/* What the next bucket needs to know of those before. */
typedef struct {
  double delta;
  uint64_t beyond, steps; /* vertices beyond the last bucket when it began; its steps */
} bucket_history;

/* requested: the caller's delta, 0 for the default, which depends on the device. */
static GrB_Info run(search *s, GrB_Index source, double delta, double requested) {
  GrB_Info info;
  GrB_Index left, beyond;
  const bool on_device = Grid_device() == Grid_CUDA;
  bucket_history last = {.delta = delta};
  uint64_t done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "distance", .vector = s->t},
                                        {.name = "far", .vector = s->far},
                                        {.name = "settled", .vector = s->settled},
                                        {.name = "history", .bytes = &last, .size = sizeof last}};
  TRY(grid_checkpoint_key_make(&c, "shortest_paths", s->A, s->n));
  c.key[3] = source, c.key[4] = grid_key_of(requested);
  TRY(grid_checkpoint_resume(&done, &c, state, 4));
  for (;;) {
    TRY(GrB_Vector_nvals(&beyond, s->far));
    if (beyond == 0) break;
    if (last.steps > 0 && last.steps <= MIN_STEPS && (on_device || beyond < last.beyond))
      last.delta *= WIDENING;
    TRY(next_limit(s, last.delta));
    TRY(filter_within(s->q, true, s->far, s));
    last.beyond = beyond, last.steps = 0;
    do {
      TRY(report_progress(s));
      TRY(GrB_Vector_nvals(&left, s->q));
      last.steps++;
    } while (left > 0);
    /* settled<bucket> = true */
    TRY(GrB_Vector_assign_BOOL(s->settled, s->bucket, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
    TRY(GrB_Vector_clear(s->bucket));
    TRY(filter_within(s->far, false, s->far, s));
    TRY(grid_checkpoint_iteration(++done, &c, state, 4));
  }
out:
  return info;
}

/* The default of delta: the mean weight over the mean degree, so that few vertices improve within their
 * bucket. On the device, where the fixed cost of a step is larger, one bucket holds all distances. */
static GrB_Info choose_delta(double *delta, const search *s) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Index entries;
  double sum = 0;
  *delta = 1e300;
  if (Grid_device() == Grid_CUDA) goto out;
  TRY(GrB_Matrix_nvals(&entries, s->A));
  TRY(GrB_Matrix_reduce_FP64(&sum, NULL, s->d.sum, s->A, NULL));
  *delta = entries == 0 ? 1 : (sum / (double)entries) * ((double)s->n / (double)entries);
  if (!(*delta <= 1e300)) *delta = 1e300; /* infinite weights */
out:
  return info;
}

GrB_Info Grid_shortest_paths(GrB_Vector *distance, GrB_Vector *parent, GrB_Matrix A, GrB_Index source,
                             double delta) {
  SPAN;
  static const char call[] = "Grid_shortest_paths";
  search s = {.A = A};
  GrB_Vector tree = NULL, distance64 = NULL;
  GrB_Info info;
  double least;
  const double requested = delta;

  TRY(check_outputs(distance, parent, "Grid_shortest_paths"));
  TRY(check_not_negative(delta, "delta", call));
  TRY(square_size(&s.n, A, call));
  TRY(check_vertex(source, s.n, "the source", call));
  TRY(grid_distances_of(&s.d, A, call));
  TRY(grid_check_weights(&least, &s.d, A, true, call));
  TRY(grid_check_sum(&s.d, A, call));
  if (delta == 0) TRY(choose_delta(&delta, &s));
  TRY(grid_distances_narrow(&s.d, A, s.n));
  TRY(GrB_Vector_new(&s.t, s.d.type, s.n));
  TRY(GrB_Vector_new(&s.q, s.d.type, s.n));
  TRY(GrB_Vector_new(&s.bucket, GrB_BOOL, s.n));
  TRY(GrB_Vector_new(&s.settled, GrB_BOOL, s.n));
  TRY(GrB_Vector_new(&s.worse, GrB_BOOL, s.n));
  TRY(GrB_Vector_setElement_INT64(s.t, 0, source));
  TRY(GrB_Vector_dup(&s.far, s.t));
  TRY(run(&s, source, delta, requested));
  if (parent != NULL) TRY(grid_find_parents(&tree, A, s.t, source, &s.d, call));
  if (distance != NULL && s.d.type == GrB_INT32) {
    TRY(GrB_Vector_new(&distance64, GrB_INT64, s.n));
    TRY(GrB_Vector_assign(distance64, NULL, NULL, s.t, GrB_ALL, s.n, NULL));
    *distance = distance64, distance64 = NULL;
  } else if (distance != NULL) {
    *distance = s.t, s.t = NULL;
  }
  if (parent != NULL) *parent = tree, tree = NULL;

out:
  GrB_Vector_free(&tree);
  GrB_Vector_free(&distance64);
  GrB_Vector_free(&s.t);
  GrB_Vector_free(&s.far);
  GrB_Vector_free(&s.q);
  GrB_Vector_free(&s.bucket);
  GrB_Vector_free(&s.settled);
  GrB_Vector_free(&s.worse);
  return info;
}
