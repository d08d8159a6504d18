/* gridblas bfs-many: the levels of searches from many vertices at once, a matrix. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_levels.h"

static GrB_Info run(job *j) {
  return Grid_bfs_many(&j->matrix, j->g->A, j->source, j->nsources, j->o->depth);
}

static int report_results(job *j) {
  GrB_Index reached = 0;
  int32_t deepest = 0;
  GrB_Info info = GrB_Matrix_nvals(&reached, j->matrix);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_reduce_INT32(&deepest, NULL, GrB_MAX_MONOID_INT32, j->matrix, NULL);
  report_count(j->r, "reached_by_all_together", reached);
  report_count(j->r, "levels", (uint64_t)deepest + 1);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_levels(&e->graph, j->source, j->nsources, j->o->depth, e->matrix.col, e->matrix.row,
                      e->matrix.value, e->matrix.n, text, capacity);
}

const algorithm algorithm_bfs_many = {
    .command = {.name = "bfs-many",
                .example = "bfs-many GRAPH --samples N",
                .summary = "breadth-first searches from many vertices at once",
                .about =
                    "Breadth-first searches from many vertices at once, a level of all of them one product: "
                    "the levels of the vertices that each source (--sources or --samples) reaches.",
                .answer = "`source vertex level` for every vertex that a source reaches, in no order",
                .accepts =
                    OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES | OPT_DEPTH | NEEDS_SOURCES,
                .work = WORK_SEARCHES},
    .sources_are_columns = true,
    .entry = "level",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "levels are those of serial searches",
};
