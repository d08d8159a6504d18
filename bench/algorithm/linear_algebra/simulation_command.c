/* Simulations that begin at the sources: with the value 1 at each; of a circuit with 1 volt at the first and
 * 0 at the others. */
#include "bench/algorithm/linear_algebra/simulation_command.h"

#include <math.h>
#include <stdlib.h>

/* Of source number k, counted from 0. */
static double start_value(const job *j, uint64_t k, check_vertex_kind kind) {
  return kind == CHECK_CIRCUIT && j->source[k] != j->source[0] ? 0 : 1;
}

GrB_Info simulate_start(GrB_Vector *start, const job *j, check_vertex_kind kind) {
  GrB_Info info = GrB_Vector_new(start, GrB_FP64, j->g->n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < j->nsources; k++)
    info = GrB_Vector_setElement_FP64(*start, start_value(j, k, kind), j->source[k]);
  return info;
}

GrB_Info simulate_run(job *j, simulation_call call, check_vertex_kind kind, const char *name) {
  const options *o = j->o;
  GrB_Vector start = NULL;
  GrB_Info info = simulate_start(&start, j, kind);
  if (info == GrB_SUCCESS)
    info = call(answer_vector(j, 0, name, false), &j->count[0], &j->number[0], j->g->A, start, o->rate,
                o->tolerance, o->iterations);
  GrB_Vector_free(&start);
  return info;
}

int simulate_report(job *j) {
  double sum = 0, most = 0;
  GrB_Info info = GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, j->answer[0].v, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, j->answer[0].v, NULL);
  report_count(j->r, "iterations", j->count[0]);
  report_number(j->r, "last_change", j->number[0]);
  report_number(j->r, "largest_value", most);
  report_number(j->r, "sum_of_values", sum);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

const char *simulate_check(const job *j, const gathered_answer *e, check_vertex_kind kind, char *text,
                           size_t capacity) {
  const uint64_t n = j->g->n;
  double *start = malloc((n + 1) * sizeof *start);
  if (start == NULL) return check_no_memory;
  for (uint64_t v = 0; v < n; v++) start[v] = (double)NAN;
  for (uint64_t k = 0; k < j->nsources; k++) start[j->source[k]] = start_value(j, k, kind);
  const check_vertex_job is = {.kind = kind,
                               .rate = j->o->rate,
                               .start = start,
                               .tolerance = j->o->tolerance,
                               .limit = j->o->iterations,
                               .iterations = j->count[0],
                               .change = j->number[0],
                               .allowed = 1e-10};
  const char *why = check_vertex(&e->graph, &is, e->value[0], text, capacity);
  free(start);
  return why;
}
