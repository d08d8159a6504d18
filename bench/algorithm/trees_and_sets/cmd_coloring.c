/* gridblas coloring. count[0]: the number of colors. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/trees_and_sets/check_coloring.h"

static GrB_Info run(job *j) {
  return Grid_coloring(answer_vector(j, 0, "color", false), &j->count[0], j->g->A, j->o->seed);
}

static int report_results(job *j) {
  report_count(j->r, "colors", j->count[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_coloring(&e->graph, e->value[0], j->count[0], text, capacity);
}

const algorithm algorithm_coloring = {
    .command = {.name = "coloring",
                .example = "coloring GRAPH",
                .summary = "colors of the vertices, different at the ends of each edge",
                .about =
                    "A coloring: numbers from 0 for the vertices, different at the ends of each edge. Each "
                    "vertex has the smallest that no neighbour before it in a hashed order has. Edges "
                    "count both ways. Which coloring it is depends on --seed, and not on the number of "
                    "processes.",
                .answer = "`vertex color` for every vertex",
                .accepts = OPT_ANSWER | OPT_SEED,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "no edge has one color at both ends, no vertex can take a smaller one",
};
