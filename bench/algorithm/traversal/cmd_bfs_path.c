/* gridblas bfs-path. count[0]: the number of edges, plus 1; 0: there is no path. */
#include <stdlib.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_bfs_path.h"

/* *place = the place of each vertex of the path, which is a vector of vertices by places. */
static GrB_Info invert(GrB_Vector *place, GrB_Vector path, GrB_Index n, GrB_Index vertices) {
  GrB_Index *at = malloc((vertices + 1) * sizeof *at), *vertex = malloc((vertices + 1) * sizeof *vertex);
  GrB_Info info =
      Grid_agree(at == NULL || vertex == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for a path");
  if (info == GrB_SUCCESS) info = GrB_Vector_extractTuples_UINT64(at, vertex, &vertices, path);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(place, GrB_INT64, n);
  if (info == GrB_SUCCESS)
    info = Grid_Vector_build(*place, vertex, at, GrB_UINT64, Grid_rank() == 0 ? vertices : 0, NULL);
  free(at), free(vertex);
  return info;
}

static GrB_Info run(job *j) {
  GrB_Vector path = NULL, *place = answer_vector(j, 0, "place", false);
  int64_t length = -1;
  if (j->nsources != 2)
    return Grid_agree(GrB_INVALID_VALUE, "a path has a source and a target: --sources SOURCE,TARGET");
  GrB_Info info = Grid_bfs_path(&path, &length, j->g->A, j->source[0], j->source[1]);
  if (info == GrB_SUCCESS) info = invert(place, path, j->g->n, (GrB_Index)(length + 1));
  GrB_Vector_free(&path);
  j->count[0] = (uint64_t)(length + 1);
  return info;
}

static int report_results(job *j) {
  report_flag(j->r, "connected", j->count[0] > 0);
  report_count(j->r, "vertices_on_the_path", j->count[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_bfs_path(&e->graph, j->source[0], j->source[1], e->value[0], (int64_t)j->count[0] - 1, text,
                        capacity);
}

const algorithm algorithm_bfs_path = {
    .command = {.name = "bfs-path",
                .example = "bfs-path GRAPH --sources V,V",
                .summary = "a path of fewest edges from one vertex to another",
                .about =
                    "A path of fewest edges from the first to the second vertex of --sources, by searches "
                    "from both ends that stop where they meet.",
                .answer = "`vertex place` for every vertex of the path, from 0",
                .accepts = OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES | NEEDS_SOURCES,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "it is a path, and a serial search finds no shorter one",
};
