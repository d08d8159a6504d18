/* gridblas modularity. number[0]: the modularity; series: the conductance of each community. */
#include <math.h>
#include <stdlib.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/communities/check_communities.h"

static int prepare(job *j) {
  return vertex_groups_read(&j->groups, j->o->labels, j->g);
}

/* The conductance of the communities, on every process. */
static GrB_Info gather_series(job *j, GrB_Vector conductance) {
  const uint64_t count = j->groups.count;
  j->series = malloc(count * sizeof *j->series);
  GrB_Info info = Grid_agree(j->series == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the answer");
  if (info == GrB_SUCCESS) info = GrB_Vector_resize(conductance, count);
  if (info == GrB_SUCCESS && gather_fp64(j->series, conductance, count) != STATUS_OK) info = GrB_PANIC;
  return info;
}

static GrB_Info run(job *j) {
  GrB_Vector conductance = NULL;
  GrB_Info info = Grid_modularity(&j->number[0], &conductance, j->g->A, j->groups.group, j->o->resolution);
  if (info == GrB_SUCCESS) info = gather_series(j, conductance);
  GrB_Vector_free(&conductance);
  return info;
}

static int report_results(job *j) {
  double sum = 0, most = 0;
  for (uint64_t c = 0; c < j->groups.count; c++) sum += j->series[c], most = fmax(most, j->series[c]);
  report_count(j->r, "communities", j->groups.count);
  report_number(j->r, "modularity", j->number[0]);
  report_number(j->r, "mean_conductance", sum / (double)j->groups.count);
  report_number(j->r, "largest_conductance", most);
  return STATUS_OK;
}

/* Weights that are infinite, or a community that nothing leads to, give such numbers. */
static bool agree(double a, double b) {
  return a == b || fabs(a - b) <= 1e-9 || (isnan(a) && isnan(b));
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  double *conductance = calloc(e->graph.n + 1, sizeof *conductance);
  const char *why = NULL;
  if (conductance == NULL) return check_no_memory;
  const double expected = check_modularity(&e->graph, e->group, j->o->resolution, conductance);
  if (isnan(expected) && !isnan(j->number[0])) {
    why = check_no_memory;
  } else if (!agree(expected, j->number[0])) {
    snprintf(text, capacity, "the modularity is %.12g where it is %.12g", j->number[0], expected);
    why = text;
  }
  for (uint64_t c = 0; why == NULL && c < j->groups.count; c++) {
    if (agree(conductance[c], j->series[c])) continue;
    snprintf(text, capacity, "the conductance of community %llu is %.12g where it is %.12g",
             (unsigned long long)j->groups.label[c], j->series[c], conductance[c]);
    why = text;
  }
  free(conductance);
  return why;
}

static int write(output *out, const job *j) {
  bool written = true;
  for (uint64_t c = 0; out->f != NULL && written && c < j->groups.count; c++)
    written = fprintf(out->f, "%llu %.15g\n", (unsigned long long)j->groups.label[c], j->series[c]) > 0;
  return fail_on_any(STATUS_INPUT, written ? NULL : output_error(out));
}

const algorithm algorithm_modularity = {
    .command = {.name = "modularity",
                .example = "modularity GRAPH --communities FILE",
                .summary = "modularity and conductance of given communities",
                .about =
                    "The modularity of the communities of --communities, and the conductance of each: the "
                    "share of its edges that leave it. Edges count by their weights, where there are "
                    "some; louvain and other commands that find communities count all alike, as "
                    "--weights ones does here.",
                .answer = "`community conductance` for every community",
                .accepts = OPT_DIRECTED | OPT_ANSWER | OPT_ONES | OPT_COMMUNITIES | OPT_RESOLUTION,
                .work = WORK_PRODUCTS},
    .prepare = prepare,
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "modularity and conductance are those of a serial computation",
};
