/* gridblas pagerank. count[0]: iterations; number[0]: the last change. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/centrality/check_pagerank.h"

/* A vector with 1 at each source; NULL where there are none. */
static GrB_Info restart_at(GrB_Vector *restart, const job *j) {
  *restart = NULL;
  GrB_Info info = j->nsources == 0 ? GrB_SUCCESS : GrB_Vector_new(restart, GrB_FP64, j->g->n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < j->nsources; k++)
    info = GrB_Vector_setElement_FP64(*restart, 1.0, j->source[k]);
  return info;
}

static GrB_Info run(job *j) {
  const options *o = j->o;
  GrB_Vector restart;
  GrB_Info info = restart_at(&restart, j);
  if (info == GrB_SUCCESS)
    info = Grid_pagerank(answer_vector(j, 0, "rank", false), &j->count[0], &j->number[0], j->g->A, restart,
                         o->damping, o->tolerance, o->iterations,
                         (o->plain ? Grid_PAGERANK_PLAIN : 0) | (o->fp32 ? Grid_PAGERANK_FP32 : 0));
  GrB_Vector_free(&restart);
  return info;
}

static int report_results(job *j) {
  double sum = 0;
  if (GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, j->answer[0].v, NULL) != GrB_SUCCESS)
    return fail_library("measuring the answer");
  report_count(j->r, "iterations", j->count[0]);
  report_number(j->r, "last_change", j->number[0]);
  report_number(j->r, "sum_of_ranks", sum);
  return report_largest(j, 0, "largest_rank", false);
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const options *o = j->o;
  const check_pagerank_job is = {.damping = o->damping,
                                 .tolerance = o->tolerance,
                                 .limit = o->iterations,
                                 .source = j->source,
                                 .nsources = j->nsources,
                                 .plain = o->plain,
                                 .allowed = o->fp32 ? 1e-5 : 1e-11};
  return check_pagerank(&e->graph, &is, e->value[0], j->count[0], text, capacity);
}

const algorithm algorithm_pagerank = {
    .command =
        {.name = "pagerank",
         .example = "pagerank GRAPH",
         .summary = "rank by links, with restarts anywhere or at --sources",
         .about = "PageRank: the probability of each vertex in a random walk along links. At times the walk "
                  "restarts, at any vertex, or at --sources (personalised). Ranks sum up to 1: at a "
                  "vertex without outgoing links the walk restarts, unless --gap-variant.",
         .answer = "`vertex rank` for every vertex",
         .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES | OPT_ITERATIONS |
                    OPT_PAGERANK | OPT_FP32,
         .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "ranks and iterations are those of a serial computation",
};
