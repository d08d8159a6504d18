/* gridblas edge-betweenness, exact or from a sample of sources. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/centrality/check_betweenness.h"

/* NULL: all vertices */
static const uint64_t *sources_of(const job *j) {
  return j->nsources > 0 ? j->source : NULL;
}

static GrB_Info run(job *j) {
  return Grid_edge_betweenness(&j->matrix, j->g->A, sources_of(j), j->nsources);
}

static int report_results(job *j) {
  double most = 0;
  const GrB_Info info = GrB_Matrix_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, j->matrix, NULL);
  report_flag(j->r, "exact", j->nsources == 0);
  report_number(j->r, "largest_centrality", most);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const check_entries answer = {e->matrix.row, e->matrix.col, e->matrix.value, e->matrix.n};
  return check_edge_betweenness(&e->graph, sources_of(j), j->nsources, &answer, 1e-10, text, capacity);
}

const algorithm algorithm_edge_betweenness = {
    .command = {.name = "edge-betweenness",
                .example = "edge-betweenness GRAPH",
                .summary = "betweenness of edges, exact or from --samples",
                .about =
                    "Edge betweenness: the share of shortest paths that have an edge, summed over the paths "
                    "from the sources: all vertices (exact; in an undirected graph each pair counts once), "
                    "those of --sources, or --samples.",
                .answer = "`vertex vertex centrality` for every edge, in both directions of an undirected "
                          "one, in no order",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES,
                .work = WORK_SEARCHES},
    .entry = "centrality",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "centralities are those of a serial computation",
};
