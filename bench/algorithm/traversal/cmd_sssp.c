/* gridblas sssp and gridblas bellman-ford. count[0]: whether there is a cycle of negative weight. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_paths.h"

static void give(job *j, GrB_Vector distance, GrB_Vector parent) {
  j->answer[0] = (column){"distance", false, distance};
  j->answer[1] = (column){"parent", true, parent};
  j->columns = parent != NULL ? 2 : distance != NULL;
}

/* Parents are computed only for --out and --check. */
static GrB_Info delta_stepping(job *j) {
  GrB_Vector distance = NULL, parent = NULL;
  const bool tree = j->o->out != NULL || j->o->check;
  const GrB_Info info =
      Grid_shortest_paths(&distance, tree ? &parent : NULL, j->g->A, j->source[0], j->o->delta);
  give(j, distance, parent);
  return info;
}

static GrB_Info bellman_ford(job *j) {
  GrB_Vector distance = NULL, parent = NULL;
  const bool tree = j->o->out != NULL || j->o->check;
  bool cycle = false;
  const GrB_Info info = Grid_bellman_ford(&distance, tree ? &parent : NULL, &cycle, j->g->A, j->source[0]);
  give(j, distance, parent);
  j->count[0] = cycle;
  return info;
}

static int report_results(job *j) {
  GrB_Index reached = 0;
  double longest = 0;
  report_flag(j->r, "negative_cycle", j->count[0] != 0);
  if (j->count[0] != 0) return STATUS_OK;
  GrB_Info info = GrB_Vector_nvals(&reached, j->answer[0].v);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_reduce_FP64(&longest, NULL, GrB_MAX_MONOID_FP64, j->answer[0].v, NULL);
  report_count(j->r, "reached", reached);
  report_number(j->r, "longest_distance", longest);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_paths(&e->graph, j->source[0], e->value[0], e->value[1], j->count[0] != 0, 1e-13, text,
                     capacity);
}

#define SSSP_OPTIONS (OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_SOURCE | OPT_WEIGHTS)

const algorithm algorithm_sssp = {
    .command = {.name = "sssp",
                .example = "sssp GRAPH",
                .summary = "shortest paths from a vertex, lengths 0 or more",
                .about =
                    "Shortest paths from one vertex by delta-stepping: how long the way to each vertex is, "
                    "and the vertex before it on that way. No weight may be below 0.",
                .answer = "`vertex distance parent` for every vertex reached",
                .accepts = SSSP_OPTIONS | OPT_DELTA,
                .work = WORK_SEARCHES},
    .run = delta_stepping,
    .report_results = report_results,
    .check = check,
    .checked = "distances are those of a serial computation, parents a tree of such paths",
};

const algorithm algorithm_bellman_ford = {
    .command = {.name = "bellman-ford",
                .example = "bellman-ford GRAPH",
                .summary = "shortest paths from a vertex, lengths of either sign",
                .about =
                    "Shortest paths from one vertex by Bellman and Ford, with weights of either sign; tells "
                    "when there is a cycle of negative weight (without --directed every edge below 0 is "
                    "one), and no distances then.",
                .answer = "`vertex distance parent` for every vertex reached",
                .accepts = SSSP_OPTIONS,
                .work = WORK_SEARCHES},
    .run = bellman_ford,
    .report_results = report_results,
    .check = check,
    .checked = "distances are those of a serial computation, parents a tree of such paths",
};
