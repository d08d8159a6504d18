/* gridblas rich-club. series: the coefficients of the degrees 0, 1, ...; count[0]: their number. */
#include <inttypes.h>
#include <stdlib.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_rich_club.h"

/* The coefficients of all degrees on every process; the vector has those of 0 to the last without a gap. */
static GrB_Info copy_values(job *j, GrB_Vector coefficient) {
  GrB_Index n = 0;
  GrB_Info info = GrB_Vector_nvals(&n, coefficient);
  free(j->series);
  j->series = malloc((n + 1) * sizeof *j->series);
  GrB_Index *degree = malloc((n + 1) * sizeof *degree);
  if (info == GrB_SUCCESS)
    info = Grid_agree(j->series == NULL || degree == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS,
                      "no memory for the coefficients");
  if (info == GrB_SUCCESS) info = GrB_Vector_extractTuples_FP64(degree, j->series, &n, coefficient);
  j->count[0] = n;
  free(degree);
  return info;
}

static GrB_Info run(job *j) {
  GrB_Vector coefficient = NULL;
  GrB_Info info = Grid_rich_club(&coefficient, j->g->A);
  if (info == GrB_SUCCESS) info = copy_values(j, coefficient);
  GrB_Vector_free(&coefficient);
  return info;
}

static int report_results(job *j) {
  const uint64_t n = j->count[0];
  report_count(j->r, "degrees", n);
  if (n > 0) report_number(j->r, "coefficient_of_the_largest", j->series[n - 1]);
  report_series(j->r, "rich-club coefficient", "degree", j->series, n);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_rich_club(&e->graph, j->series, j->count[0], text, capacity);
}

static int write(output *out, const job *j) {
  bool written = true;
  for (uint64_t k = 0; out->f != NULL && k < j->count[0]; k++)
    written = fprintf(out->f, "%" PRIu64 " %.15g\n", k, j->series[k]) > 0 && written;
  return fail_on_any(STATUS_INPUT, written ? NULL : output_error(out));
}

const algorithm algorithm_rich_club = {
    .command = {.name = "rich-club",
                .example = "rich-club GRAPH",
                .summary = "rich-club coefficients: connected pairs of vertices of large degree",
                .about = "Rich-club coefficients: for each degree k, of the pairs of vertices with more than "
                         "k neighbours, the share that is connected. Edges count in both directions, and "
                         "once.",
                .answer = "`degree coefficient` for each degree that two or more vertices exceed",
                .accepts = OPT_ANSWER,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "coefficients are those of a serial computation",
};
