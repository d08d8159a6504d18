/* gridblas vertex-cover. count[0]: the edges of a matching, a lower bound. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/trees_and_sets/check_vertex_cover.h"

static GrB_Info run(job *j) {
  return Grid_vertex_cover(answer_vector(j, 0, "cover", false), &j->count[0], j->g->A, j->o->seed);
}

static int report_results(job *j) {
  GrB_Index vertices = 0;
  GrB_Vector_nvals(&vertices, j->answer[0].v);
  report_count(j->r, "vertices_in_cover", vertices);
  report_count(j->r, "lower_bound", j->count[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_vertex_cover(&e->graph, e->value[0], j->count[0], text, capacity);
}

const algorithm algorithm_vertex_cover = {
    .command = {.name = "vertex-cover",
                .example = "vertex-cover GRAPH",
                .summary = "a small set of vertices that has an end of every edge",
                .about =
                    "A vertex cover: vertices such that each edge has an end among them, from which none can "
                    "be left out; at most twice as many as in the smallest one. They are ends of the edges "
                    "of a matching, whose number is a lower bound for every cover. Edges count both ways, "
                    "loops do not count. Which cover it is depends on --seed, and not on the number of "
                    "processes.",
                .answer = "`vertex 1` for every vertex of the cover",
                .accepts = OPT_ANSWER | OPT_SEED,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "every edge has an end in the cover, no vertex can be left out, it is at most twice the bound",
};
