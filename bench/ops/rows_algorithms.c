/* rows_algorithms.c: the algorithms of algos/. Their text is compiled for the peer as well, over
 * bench/peer/gridblas.h; GAP's algorithms in plain C are limits beside it (limits.c). Sources are vertices
 * with edges; of the peer's matrices it is found out once whether they are symmetric, and not timed. */
#include "gridblas.h"
#include "gridblas_algos.h"

#include "bench/ops/ops.h"

enum {
  BATCH = 4,
  MANY = 64,
  MOST = 128,
  VOTES = 2,
  MOST_ITERATIONS = 20,
  FACTORS = 16,
  STEPS = 3,
  ROUNDS = 10
};

static GrB_Info know(ops *o, const row *r) {
#ifdef PEER_HEADER
  TRY(peer_know(o->A[r->A]));
#else
  (void)r;
#endif
  return GrB_Vector_free(&o->w);
}

/* No vertex has an edge: vertex 0. */
static void choose(GrB_Index *source, int n, const ops *o) {
  for (int k = 0; k < n; k++) source[k] = o->live == 0 ? 0 : o->live_row[(uint64_t)k * o->live / (uint64_t)n];
}

static GrB_Info leave(ops *o, GrB_Vector v) {
  o->w = v;
  return GrB_Vector_wait(v, GrB_MATERIALIZE);
}

static GrB_Info components(ops *o, const row *r) {
  GrB_Vector v;
  TRY(Grid_components(&v, o->A[r->A]));
  return leave(o, v);
}

static GrB_Info pagerank(ops *o, const row *r) {
  GrB_Vector v;
  TRY(Grid_pagerank(&v, NULL, NULL, o->A[r->A], NULL, 0.85, 1e-4, MOST_ITERATIONS,
                    Grid_PAGERANK_PLAIN | Grid_PAGERANK_FP32));
  return leave(o, v);
}

static GrB_Info paths(ops *o, const row *r) {
  GrB_Vector v;
  GrB_Index source;
  choose(&source, 1, o);
  TRY(Grid_shortest_paths(&v, NULL, o->A[r->A], source, 0));
  return leave(o, v);
}

static GrB_Info betweenness(ops *o, const row *r) {
  GrB_Vector v;
  GrB_Index source[BATCH];
  choose(source, BATCH, o);
  TRY(Grid_betweenness(&v, o->A[r->A], source, BATCH));
  return leave(o, v);
}

static GrB_Info triangles(ops *o, const row *r) {
  uint64_t count;
  TRY(Grid_triangles(&count, NULL, o->A[r->A]));
  o->number = (double)count;
  return GrB_SUCCESS;
}

/* The sums of levels, from as many sources as the row has for its size, or MANY. */
static int searches(const row *r) {
  return r->size ? r->size : MANY;
}

static GrB_Info one_by_one(ops *o, const row *r) {
  GrB_Index source[MOST];
  choose(source, searches(r), o);
  o->number = 0;
  for (int k = 0; k < searches(r); k++) {
    GrB_Vector v;
    int64_t sum = 0;
    TRY(Grid_bfs(&v, NULL, o->A[r->A], source[k], -1));
    TRY(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, v, NULL));
    TRY(GrB_Vector_free(&v));
    o->number += (double)sum;
  }
  return GrB_SUCCESS;
}

static GrB_Info at_once(ops *o, const row *r) {
  GrB_Index source[MOST];
  GrB_Matrix C;
  int64_t sum = 0;
  choose(source, searches(r), o);
  TRY(Grid_bfs_many(&C, o->A[r->A], source, (GrB_Index)searches(r), -1));
  TRY(GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  o->number = (double)sum;
  return GrB_Matrix_free(&C);
}

static GrB_Info communities(ops *o, const row *r) {
  GrB_Vector v;
  TRY(Grid_cdlp(&v, o->A[r->A], VOTES));
  return leave(o, v);
}

static GrB_Info clustering(ops *o, const row *r) {
  GrB_Vector v;
  TRY(Grid_lcc(&v, o->A[r->A]));
  return leave(o, v);
}

static GrB_Info cores(ops *o, const row *r) {
  GrB_Vector v;
  TRY(Grid_kcore(&v, o->A[r->A]));
  return leave(o, v);
}

static GrB_Info independent(ops *o, const row *r) {
  GrB_Vector v;
  TRY(Grid_mis(&v, o->A[r->A], 1));
  return leave(o, v);
}

/* The weight of the forest. */
static GrB_Info spanning(ops *o, const row *r) {
  GrB_Matrix F;
  TRY(Grid_msf(&F, o->A[r->A]));
  TRY(GrB_Matrix_reduce_FP64(&o->number, NULL, GrB_PLUS_MONOID_FP64, F, NULL));
  return GrB_Matrix_free(&F);
}

/* The error that is left. */
static GrB_Info descent(ops *o, const row *r) {
  GrB_Matrix P, Q;
  double error[STEPS + 1];
  TRY(Grid_factors(&P, &Q, error, o->A[r->A], FACTORS, 0, 0, STEPS, 1));
  o->number = error[STEPS];
  TRY(GrB_Matrix_free(&P));
  return GrB_Matrix_free(&Q);
}

static GrB_Info warmth(ops *o, const row *r) {
  GrB_Vector start, v;
  GrB_Index n, source;
  choose(&source, 1, o);
  TRY(GrB_Matrix_nrows(&n, o->A[r->A]));
  TRY(GrB_Vector_new(&start, GrB_FP64, n));
  TRY(GrB_Vector_setElement_FP64(start, 1, source));
  TRY(Grid_heat(&v, NULL, NULL, o->A[r->A], start, 0, 0, ROUNDS));
  TRY(GrB_Vector_free(&start));
  return leave(o, v);
}

const row algorithm_rows[] = {
    /* clang-format off */
    {"algorithm.components", components, know, .A = A_PATTERN, .dense = true, .type = &GrB_INT64, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.pagerank", pagerank, know, .A = A_PATTERN, .dense = true, .type = &GrB_FP32, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.paths", paths, know, .A = A_WEIGHTS, .dense = true, .type = &GrB_INT64, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.betweenness.4", betweenness, know, .A = A_PATTERN, .dense = true, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.triangles", triangles, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.bfs.64", one_by_one, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.bfs_many.64", at_once, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.bfs.8", one_by_one, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4, .size = 8},
    {"algorithm.bfs_many.8", at_once, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4, .size = 8},
    {"algorithm.bfs.32", one_by_one, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4, .size = 32},
    {"algorithm.bfs_many.32", at_once, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4, .size = 32},
    {"algorithm.bfs.128", one_by_one, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4, .size = 128},
    {"algorithm.bfs_many.128", at_once, know, .A = A_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4, .size = 128},
    {"algorithm.bfs.lower", one_by_one, know, .A = LOWER_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.bfs_many.lower", at_once, know, .A = LOWER_PATTERN, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.cdlp.2", communities, know, .A = A_PATTERN, .dense = true, .type = &GrB_INT64, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.lcc", clustering, know, .A = A_PATTERN, .dense = true, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.kcore", cores, know, .A = A_PATTERN, .dense = true, .type = &GrB_INT64, .count = COUNT_MATRIX, .bytes = 4},
    {"algorithm.msf", spanning, know, .A = A_WEIGHTS, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.factors.3", descent, know, .A = A_WEIGHTS, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.heat.10", warmth, know, .A = A_WEIGHTS, .dense = true, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.mis", independent, know, .A = A_PATTERN, .dense = true, .type = &GrB_BOOL, .count = COUNT_MATRIX, .bytes = 4},
    /* clang-format on */
    {NULL}};
