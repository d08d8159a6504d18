/* gridblas eccentricity. count: radius and diameter. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_eccentricity.h"

static GrB_Info run(job *j) {
  int64_t radius = 0, diameter = 0;
  const GrB_Info info =
      Grid_eccentricity(answer_vector(j, 0, "eccentricity", false), &radius, &diameter, j->g->A);
  j->count[0] = (uint64_t)radius, j->count[1] = (uint64_t)diameter;
  return info;
}

static int report_results(job *j) {
  report_count(j->r, "radius", j->count[0]);
  report_count(j->r, "diameter", j->count[1]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_eccentricity(&e->graph, e->value[0], (int64_t)j->count[0], (int64_t)j->count[1], text,
                            capacity);
}

const algorithm algorithm_eccentricity = {
    .command = {.name = "eccentricity",
                .example = "eccentricity GRAPH",
                .summary = "eccentricities, the exact radius and diameter",
                .about =
                    "For each vertex the distance, in edges, of the farthest vertex that it reaches; the "
                    "largest is the diameter, the smallest the radius. Each component is looked at by "
                    "itself. Edges count both ways.",
                .answer = "`vertex eccentricity` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "eccentricities are those of searches from every vertex",
};
