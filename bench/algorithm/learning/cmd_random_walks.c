/* gridblas random-walks. The answer's matrix: a row for each walk. count[0]: the number of walks. */
#include <stdlib.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/learning/check_random_walks.h"

/* The sources, in order; from each vertex where there are none. */
static int prepare(job *j) {
  j->count[0] = j->nsources > 0 ? j->nsources : j->g->n;
  if (j->nsources == 0) return STATUS_OK;
  GrB_Info info = GrB_Vector_new(&j->starts, GrB_INT64, j->nsources);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < j->nsources; k++)
    info = GrB_Vector_setElement_INT64(j->starts, (int64_t)j->source[k], k);
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(j->starts, GrB_MATERIALIZE);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("making the starts");
}

static GrB_Info run(job *j) {
  const options *o = j->o;
  return Grid_random_walks(&j->matrix, j->g->A, j->starts, o->length, j->g->weighted, o->p, o->q, o->seed);
}

static int report_results(job *j) {
  GrB_Index visits = 0;
  const GrB_Info info = GrB_Matrix_nvals(&visits, j->matrix);
  report_count(j->r, "walks", j->count[0]);
  report_count(j->r, "steps", visits - j->count[0]);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const uint64_t walks = j->count[0], length = j->o->length;
  double *walk = triples_dense(&e->matrix, walks, length + 1);
  uint64_t *start = malloc((walks + 1) * sizeof *start);
  const char *why = check_no_memory;
  for (uint64_t k = 0; start != NULL && k < walks; k++) start[k] = j->nsources > 0 ? j->source[k] : k;
  if (walk != NULL && start != NULL)
    why = check_random_walks(&e->graph, walk, start, walks, length, text, capacity);
  free(walk), free(start);
  return why;
}

static int write(output *out, const job *j) {
  return answer_write_lists(out, j->matrix, j->g);
}

const algorithm algorithm_random_walks = {
    .command =
        {.name = "random-walks",
         .example = "random-walks GRAPH",
         .summary = "random walks for embeddings, uniform or those of node2vec",
         .about = "Random walks along the edges: one from each of --sources or --samples, where a vertex may "
                  "occur several times, else one from each vertex. With --p or --q other than 1 they are "
                  "those of node2vec. Edges are chosen by their weights, where there are some. A walk ends "
                  "early at a vertex without edges. Walks depend on --seed, and not on the number of "
                  "processes.",
         .answer = "for every walk: the vertices that it visits",
         .accepts = OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES | OPT_ONES | OPT_WALKS,
         .work = WORK_SEARCHES},
    .prepare = prepare,
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "walks begin at their starts, and all steps are along edges",
};
