/* gridblas degree. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/centrality/check_degree.h"

static GrB_Info run(job *j) {
  if (!j->o->directed) return Grid_degree(answer_vector(j, 0, "degree", false), NULL, j->g->A);
  return Grid_degree(answer_vector(j, 0, "out-degree", false), answer_vector(j, 1, "in-degree", false),
                     j->g->A);
}

static int report_results(job *j) {
  static const char *const name[] = {"largest_degree", "largest_out_degree", "largest_in_degree"};
  for (int k = 0; k < j->columns; k++) {
    const int status = report_largest(j, k, name[k + (j->columns > 1)], true);
    if (status != STATUS_OK) return status;
  }
  return report_mean(j, "mean_degree");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_degree(&e->graph, e->value[0], j->o->directed ? e->value[1] : NULL, text, capacity);
}

const algorithm algorithm_degree = {
    .command = {.name = "degree",
                .example = "degree GRAPH",
                .summary = "degree centrality: the number of edges of each vertex",
                .about =
                    "The number of edges of each vertex, with --directed of those from it and of those to "
                    "it. Divided by the number of other vertices it is the degree centrality.",
                .answer = "`vertex degree` for every vertex, with --directed `vertex out-degree in-degree`",
                .accepts = OPT_DIRECTED | OPT_ANSWER,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "degrees are those of a serial count",
};
