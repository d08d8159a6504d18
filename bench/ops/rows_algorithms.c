/* The algorithms of algos/. Their sources are also compiled for the peer, over bench/peer/gridblas.h; GAP's
 * algorithms in plain C are the limits (limits.c). Sources are vertices with edges. Whether the peer's
 * matrices are symmetric is determined once, outside the timing.
 *
 * Without rows: Grid_vertex_cover(), whose matching does not end over SuiteSparse 7.4 (twin_algorithms.c),
 * and Grid_markov_clustering(), whose squares fill up in graphs with hubs. */
#include "gridblas.h"
#include "gridblas_algos.h"

#include "bench/ops/ops.h"
#include "bench/peer/algorithm_call.h"

#include "algorithm_calls.h"

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

/* The remaining error. */
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

/* ---- the others, each by its call of algorithm_calls.h ----
 *
 * All but Grid_transitive_closure() and Grid_all_pairs(), whose results may have as many entries as the
 * square of the vertices. Grid_matching() is left out too: on SuiteSparse 7.4 it does not end for a pattern
 * within 40 s. */

/* Leaves the first vector, or matrix, or the sum of the numbers. */
static GrB_Info leave_output(ops *o, algorithm_output *out) {
  GrB_Info info = GrB_SUCCESS;
  o->number = 0;
  for (int k = 0; k < ALGORITHM_OUTPUTS; k++)
    o->number += (double)out->count[k] + (double)out->integer[k] + out->number[k] + out->flag[k];
  if (out->vector[0] != NULL) {
    info = leave(o, out->vector[0]);
    out->vector[0] = NULL;
  } else if (out->matrix[0] != NULL) {
    o->C = out->matrix[0];
    out->matrix[0] = NULL;
    info = GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
  }
  algorithm_output_free(out);
  return info;
}

static GrB_Info run_call(ops *o, const row *r, algorithm_call *call) {
  GrB_Index source[BATCH], n;
  algorithm_output out = {.vector = {NULL}};
  algorithm_input in = {.A = o->A[r->A], .sources = source, .nsources = BATCH, .iterations = ROUNDS};
  choose(source, BATCH, o);
  in.source = source[0];
  TRY(GrB_Matrix_nrows(&n, in.A));
  TRY(GrB_Vector_new(&in.start, GrB_FP64, n));
  TRY(GrB_Vector_setElement_FP64(in.start, 1, in.source));
  TRY(call(&out, &in));
  TRY(GrB_Vector_free(&in.start));
  return leave_output(o, &out);
}

#define RUN(name, vectors, matrices)                 \
  static GrB_Info run_##name(ops *o, const row *r) { \
    return run_call(o, r, call_##name);              \
  }
ALGORITHM_CALLS(RUN)

#define ROW(algorithm, vectors, matrices)     \
  {.name = "algorithm." #algorithm,           \
   .run = run_##algorithm,                    \
   .before = know,                            \
   .result_in = (vectors) > 0    ? IN_W       \
                : (matrices) > 0 ? IN_C       \
                                 : IN_NUMBER, \
   .A = A_PATTERN,                            \
   .dense = true,                             \
   .count = COUNT_MATRIX,                     \
   .bytes = 4},

const row algorithm_rows[] = {
    ALGORITHM_CALLS(ROW)
    /* clang-format off */
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
    {"algorithm.msf", spanning, know, .A = A_WEIGHTS, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.factors.3", descent, know, .A = A_WEIGHTS, .result_in = IN_NUMBER, .dense = true, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.heat.10", warmth, know, .A = A_WEIGHTS, .dense = true, .count = COUNT_MATRIX, .bytes = 8},
    {"algorithm.mis", independent, know, .A = A_PATTERN, .dense = true, .type = &GrB_BOOL, .count = COUNT_MATRIX, .bytes = 4},
    /* clang-format on */
    {NULL}};
