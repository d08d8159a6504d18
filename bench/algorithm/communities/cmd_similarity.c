/* gridblas similarity. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/communities/check_similarity.h"

static int prepare(job *j) {
  return j->o->pairs == NULL ? STATUS_OK : vertex_pairs_read(&j->pairs, j->o->pairs, j->g);
}

static GrB_Info run(job *j) {
  return Grid_similarity(&j->matrix, j->g->A, j->pairs.matrix, j->o->measure, j->o->top);
}

static int report_results(job *j) {
  GrB_Index entries = 0;
  double most = 0;
  GrB_Info info = GrB_Matrix_nvals(&entries, j->matrix);
  if (info == GrB_SUCCESS) info = GrB_Matrix_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, j->matrix, NULL);
  report_count(j->r, "similar_pairs", entries);
  if (entries > 0) report_number(j->r, "largest_similarity", most);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const check_graph pairs = {
      .n = j->g->n, .m = j->pairs.n, .from = j->pairs.from, .to = j->pairs.to, .loops = true};
  return check_similarity(&e->graph, j->o->pairs == NULL ? NULL : &pairs, j->o->measure, (uint64_t)j->o->top,
                          e->matrix.row, e->matrix.col, e->matrix.value, e->matrix.n, text, capacity);
}

const algorithm algorithm_similarity = {
    .command =
        {.name = "similarity",
         .example = "similarity GRAPH",
         .summary = "pairs of vertices with common neighbors, and how similar they are",
         .about = "Similarity by neighbors, for link prediction: of every pair of vertices with a common "
                  "neighbor, of given pairs, or with --top of the most similar ones of each vertex. The "
                  "number of all pairs is up to the sum of the squared degrees.",
         .answer = "`vertex vertex similarity` for every pair with a common neighbor, in no order; all pairs "
                   "come in both orders",
         .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_DIRECTED | OPT_MEASURE,
         .work = WORK_PRODUCTS},
    .entry = "similarity",
    .prepare = prepare,
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "similarities are those of a serial computation",
};
