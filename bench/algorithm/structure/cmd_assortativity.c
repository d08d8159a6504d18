/* gridblas assortativity. number[0]: the correlation. */
#include <math.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_assortativity.h"

static GrB_Info run(job *j) {
  return Grid_assortativity(&j->number[0], j->g->A, NULL, NULL);
}

static int report_results(job *j) {
  if (isnan(j->number[0]))
    report_text(j->r, "assortativity", "undefined");
  else
    report_number(j->r, "assortativity", j->number[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_assortativity(&e->graph, NULL, NULL, j->number[0], text, capacity);
}

static int write(output *out, const job *j) {
  const bool written = out->f == NULL || fprintf(out->f, "%.15g\n", j->number[0]) > 0;
  return fail_on_any(STATUS_INPUT, written ? NULL : output_error(out));
}

const algorithm algorithm_assortativity = {
    .command = {.name = "assortativity",
                .example = "assortativity GRAPH",
                .summary = "assortativity by degree: whether edges connect vertices of like degrees",
                .about = "Assortativity by degree: the correlation of the degrees at both ends of the edges, "
                         "from -1 to 1. With --directed it is that of the edges out of the first vertex and "
                         "of those into the second. It is undefined where all degrees are equal.",
                .answer = "the correlation, or `nan`",
                .needs_graph = true,
                .accepts = OPT_DIRECTED | OPT_ANSWER,
                .work = WORK_PRODUCTS,
                .run = algorithm_command},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "the correlation is that of a serial computation",
};
