/* A maximum flow and a minimum cut: the arguments, and the choice of a method. Both methods push excesses
 * towards the sink and then return what is left to the source (push_relabel.c, max_flow_rounds.c). */
#include <math.h>
#include <string.h>

#include "algos/support/paths.h"
#include "algos/traversal/max_flow.h"

/* A graph that fits the memory of process 0 goes there, which takes less time than rounds on all. It inspects
 * the arcs of active vertices, while a round inspects those of all. ENTRY_BYTES: of each vertex and entry. */
enum { MOST = 1 << 30, ENTRY_BYTES = 80 };

static bool fits_one_process(const grid_flow *p) {
  return p->n < MOST && p->entries < MOST && (p->n + p->entries) * ENTRY_BYTES < p->budget;
}
static bool always(const grid_flow *p) {
  (void)p;
  return true;
}

static const struct {
  const char *name;
  bool (*applies)(const grid_flow *p);
  GrB_Info (*run)(grid_flow *p);
} methods[] = {
    {"one process", fits_one_process, grid_max_flow_on_one_process},
    {"rounds", always, grid_max_flow_by_rounds},
};

/* The last method always applies. */
static GrB_Info run_method(const char *name, grid_flow *p) {
  const size_t last = sizeof methods / sizeof *methods - 1;
  size_t k = 0;
  while (k < last && ((name != NULL && strcmp(methods[k].name, name) != 0) || !methods[k].applies(p))) k++;
  return methods[k].run(p);
}

static GrB_Info check_arguments(grid_flow *p, bool outputs, GrB_Matrix A) {
  if (!outputs) return grid_refuse(GrB_NULL_POINTER, "Grid_max_flow", "all outputs are NULL");
  GrB_Info info = square_size(&p->n, A, "Grid_max_flow");
  if (info == GrB_SUCCESS) info = check_vertex(p->source, p->n, "the source", "Grid_max_flow");
  if (info == GrB_SUCCESS) info = check_vertex(p->sink, p->n, "the sink", "Grid_max_flow");
  if (info == GrB_SUCCESS && p->source == p->sink)
    info =
        grid_refuse(GrB_INVALID_VALUE, "Grid_max_flow", "the source and the sink are both %" PRIu64, p->sink);
  return info;
}

static GrB_Info check_capacities(GrB_Matrix A) {
  GrB_Info info;
  distances d;
  double least, sum;
  TRY(grid_distances_of(&d, A, "Grid_max_flow"));
  TRY(grid_check_weights(&least, &d, A, true, "Grid_max_flow"));
  TRY(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  if (isinf(sum))
    info = grid_refuse(GrB_INVALID_VALUE, "Grid_max_flow", "a capacity, or the sum of all, is infinite");
out:
  return info;
}

static GrB_Info load_capacities(grid_flow *p, GrB_Matrix A) {
  GrB_Info info;
  TRY(check_capacities(A));
  TRY(GrB_Matrix_new(&p->capacities, GrB_FP64, p->n, p->n));
  TRY(GrB_Matrix_apply(p->capacities, NULL, NULL, GrB_IDENTITY_FP64, A, NULL));
  TRY(GrB_Matrix_select_INT64(p->capacities, NULL, NULL, GrB_OFFDIAG, p->capacities, 0, NULL));
  TRY(GrB_Matrix_nvals(&p->entries, p->capacities));
out:
  return info;
}

GrB_Info grid_max_flow_by(const char *method, double *value, GrB_Matrix *flow, GrB_Vector *source_side,
                          GrB_Matrix A, GrB_Index source, GrB_Index sink) {
  grid_flow p = {.source = source, .sink = sink, .with_flow = flow != NULL, .with_side = source_side != NULL};
  GrB_Info info;
  TRY(check_arguments(&p, value != NULL || p.with_flow || p.with_side, A));
  TRY(load_capacities(&p, A));
  p.budget = Grid_memory_budget();
  TRY(Grid_bcast(&p.budget, sizeof p.budget, 0));
  TRY(run_method(method, &p));
  if (value != NULL) *value = p.value;
  if (flow != NULL) *flow = p.flow, p.flow = NULL;
  if (source_side != NULL) *source_side = p.side, p.side = NULL;
out:
  GrB_Matrix_free(&p.capacities);
  GrB_Matrix_free(&p.flow);
  GrB_Vector_free(&p.side);
  return info;
}

GrB_Info Grid_max_flow(double *value, GrB_Matrix *flow, GrB_Vector *source_side, GrB_Matrix A,
                       GrB_Index source, GrB_Index sink) {
  SPAN;
  return grid_max_flow_by(NULL, value, flow, source_side, A, source, sink);
}
