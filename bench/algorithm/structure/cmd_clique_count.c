/* gridblas clique-count. count[0]: their number. Those of each vertex are counted only for --out and --check.
 */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_clique_count.h"

static GrB_Info run(job *j) {
  const bool per_vertex = j->o->check || j->o->out != NULL;
  return Grid_clique_count(&j->count[0], per_vertex ? answer_vector(j, 0, "cliques", false) : NULL, j->g->A,
                           j->o->k);
}

static int report_results(job *j) {
  report_count(j->r, "k", (uint64_t)j->o->k);
  report_count(j->r, "cliques", j->count[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_clique_count(&e->graph, (uint64_t)j->o->k, j->count[0], e->value[0], text, capacity);
}

const algorithm algorithm_clique_count = {
    .command = {.name = "clique-count",
                .example = "clique-count GRAPH --k K",
                .summary = "the number of cliques of K vertices, in all and at each vertex",
                .about =
                    "Cliques: how many sets of K vertices are all connected to each other. Edges count in "
                    "both directions, and once. With --out or --check those of each vertex are counted, too.",
                .answer = "`vertex cliques` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_K,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "cliques are those of a serial computation",
};
