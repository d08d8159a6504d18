/* gridblas closeness, exact or from a sample of sources. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/centrality/check_closeness.h"

static GrB_Info run(job *j) {
  return Grid_closeness(answer_vector(j, 0, "closeness", false), answer_vector(j, 1, "harmonic", false),
                        j->g->A, j->nsources > 0 ? j->source : NULL, j->nsources);
}

static int report_results(job *j) {
  report_flag(j->r, "exact", j->nsources == 0);
  const int status = report_largest(j, 0, "largest_closeness", false);
  return status == STATUS_OK ? report_largest(j, 1, "largest_harmonic", false) : status;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_closeness(&e->graph, j->nsources > 0 ? j->source : NULL, j->nsources, e->value[0], e->value[1],
                         1e-10, text, capacity);
}

const algorithm algorithm_closeness = {
    .command = {.name = "closeness",
                .example = "closeness GRAPH",
                .summary = "closeness and harmonic centrality, exact or from --samples",
                .about =
                    "Closeness centrality: the inverse of the mean distance from the sources to a vertex, "
                    "times the share of the sources that reach it; and harmonic centrality, the sum of the "
                    "inverse distances. The sources are all vertices (exact), those of --sources, or "
                    "--samples.",
                .answer = "`vertex closeness harmonic` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "centralities are those of a serial computation",
};
