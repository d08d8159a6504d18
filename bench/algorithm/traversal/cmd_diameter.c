/* gridblas diameter. count[0]: the bound. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_diameter.h"

static GrB_Info run(job *j) {
  int64_t diameter = 0;
  const GrB_Info info = Grid_diameter(&diameter, answer_vector(j, 0, "level", false), j->g->A, j->source[0]);
  j->count[0] = (uint64_t)diameter;
  return info;
}

static int report_results(job *j) {
  const GrB_Vector level = j->answer[0].v;
  report_count(j->r, "diameter_at_least", j->count[0]);
  const int status = report_vertex_with(j, "from", level, 0);
  return status == STATUS_OK ? report_vertex_with(j, "to", level, (double)j->count[0]) : status;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_diameter(&e->graph, j->source[0], e->value[0], (int64_t)j->count[0], text, capacity);
}

const algorithm algorithm_diameter = {
    .command =
        {.name = "diameter",
         .example = "diameter GRAPH",
         .summary = "a lower bound of the diameter, and two vertices at that distance",
         .about = "A lower bound of the diameter by double sweep: searches, each from the farthest vertex of "
                  "the one before, until one reaches no farther. The first starts at --source; only its "
                  "component is searched. Edges count in both directions.",
         .answer = "`vertex level` for every vertex of the component: its distance from one end",
         .accepts = OPT_ANSWER | OPT_SOURCE,
         .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the levels are those of a serial search, and no search reaches farther",
};
