/* gridblas cdlp. */
#include "bench/algorithm/groups.h"
#include "bench/check/cdlp.h"

static GrB_Info run(job *j) {
  GrB_Vector label = NULL;
  const GrB_Info info = Grid_cdlp(&label, j->g->A, j->o->iterations);
  j->answer[0] = (column){"label", true, label};
  j->columns = 1;
  return info;
}

static int tell(job *j) {
  return groups_tell(j, "community", "communities");
}

static const char *check(const job *j, const evidence *e, char *text, size_t room) {
  return check_cdlp(&e->graph, j->o->iterations, e->value[0], text, room);
}

const algorithm algorithm_cdlp = {
    .command = {.name = "cdlp",
                .example = "cdlp GRAPH",
                .line = "communities by label propagation",
                .about =
                    "Communities by label propagation, as LDBC Graphalytics defines CDLP: each vertex has "
                    "its own name as label, and in each iteration all take at once the label that most of "
                    "their neighbours have, of several the smallest. With --directed an edge counts for both "
                    "its ends, and two that are opposite twice.",
                .answer = "`vertex label` for every vertex",
                .takes_graph = true,
                .takes = TAKES_CHECKPOINTS | TAKES_DIRECTED | TAKES_ANSWER | TAKES_ITERATIONS,
                .work = WORK_PRODUCTS,
                .run = algorithm_command},
    .run = run,
    .tell = tell,
    .check = check,
    .checked = "labels are those of a serial computation",
};
