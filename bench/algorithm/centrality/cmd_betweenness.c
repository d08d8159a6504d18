/* gridblas betweenness, exact or from a sample of sources. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/centrality/check_betweenness.h"

#include <stdlib.h>

/* An array of all vertices; NULL: out of memory. */
static uint64_t *all_vertices(uint64_t n) {
  uint64_t *all = malloc(n * sizeof *all);
  for (uint64_t v = 0; all != NULL && v < n; v++) all[v] = v;
  return all;
}

static GrB_Info run(job *j) {
  GrB_Vector *centrality = answer_vector(j, 0, "centrality", false);
  const uint64_t n = j->g->n;
  uint64_t *all = j->nsources == 0 ? all_vertices(n) : NULL;
  GrB_Info info = Grid_agree(j->nsources == 0 && all == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS,
                             "no memory for the sources");
  if (info == GrB_SUCCESS)
    info = j->nsources > 0 ? Grid_betweenness(centrality, j->g->A, j->source, j->nsources)
                           : Grid_betweenness(centrality, j->g->A, all, n);
  free(all);
  return info;
}

static int report_results(job *j) {
  report_flag(j->r, "exact", j->nsources == 0);
  return report_largest(j, 0, "largest_centrality", false);
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  uint64_t *all = j->nsources == 0 ? all_vertices(e->graph.n) : NULL;
  if (j->nsources == 0 && all == NULL) return check_no_memory;
  const char *why =
      check_betweenness(&e->graph, j->nsources > 0 ? j->source : all,
                        j->nsources > 0 ? j->nsources : e->graph.n, e->value[0], 1e-10, text, capacity);
  free(all);
  return why;
}

const algorithm algorithm_betweenness = {
    .command = {.name = "betweenness",
                .example = "betweenness GRAPH",
                .summary = "betweenness centrality, exact or from --samples",
                .about =
                    "Betweenness centrality: the share of shortest paths that lead through a vertex, summed "
                    "over the paths from the sources: all vertices (exact; in an undirected graph each pair "
                    "counts twice), those of --sources, or --samples.",
                .answer = "`vertex centrality` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "centralities are those of a serial computation",
};
