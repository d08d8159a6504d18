/* gridblas betweenness-sampled. count[0]: the number of sources; number[0]: the error bound. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/centrality/check_betweenness.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  return Grid_betweenness_sampled(answer_vector(j, 0, "centrality", false), &j->count[0], &j->number[0],
                                  j->g->A, o->epsilon, o->failure, o->seed);
}

static int report_results(job *j) {
  report_count(j->r, "samples", j->count[0]);
  report_number(j->r, "error_bound", j->number[0]);
  return report_largest(j, 0, "largest_centrality", false);
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_betweenness_bound(&e->graph, e->value[0], j->number[0], text, capacity);
}

const algorithm algorithm_betweenness_sampled = {
    .command = {.name = "betweenness-sampled",
                .example = "betweenness-sampled GRAPH",
                .summary = "betweenness centrality within an error bound",
                .about =
                    "Betweenness centrality within an error bound, from a sample of sources that grows until "
                    "the bound holds: an estimate of what the command betweenness computes from all "
                    "vertices. Errors are shares of n (n - 1), the pairs of the n vertices.",
                .answer = "`vertex centrality` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_EPSILON | OPT_SEED,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "centralities are within the error bound of those of a serial computation",
};
