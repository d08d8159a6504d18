/* Heat that flows along edges, from the warmer end to the colder one: gather K(u,v) x(u) and K(u,v), sum
 * both, apply x(v) + the first sum - x(v) times the second.
 *
 * Source: Khorasani et al., CuSha (2014), whose heat simulation Garaph measures (Ma et al., 2017, section
 * 6). */
#include "algos/linear_algebra/simulate.h"

WITH_TEXT(
    heat_flow, static void heat_flow(weighted_sum *z, const double *x, const double *y) {
      z->sum = *x * *y;
      z->weight = *y;
    })
WITH_TEXT(
    heat_step, static void heat_step(double *z, const double *x, const weighted_sum *y) {
      *z = *x + (y->sum - *x * y->weight);
    })

static GrB_Info make_operators(simulation *s) {
  GrB_Info info;
  TRY(grid_simulation_sums(s));
  TRY(grid_simulation_differ(s));
  TRY(Grid_BinaryOp_new(&s->multiply, (binary)heat_flow, s->sum, GrB_FP64, GrB_FP64, "heat_flow",
                        plain(heat_flow_text)));
  TRY(GrB_Semiring_new(&s->semiring, s->monoid, s->multiply));
  TRY(Grid_BinaryOp_new(&s->apply, (binary)heat_step, GrB_FP64, GrB_FP64, s->sum, "heat_step",
                        plain(heat_step_text)));
out:
  return info;
}

GrB_Info Grid_heat(GrB_Vector *temperature, uint64_t *iterations, double *change, GrB_Matrix A,
                   GrB_Vector start, double rate, double tolerance, uint64_t limit) {
  SPAN;
  static const char call[] = "Grid_heat";
  simulation s = {.K = NULL};
  GrB_Index n;
  GrB_Info info;

  if (temperature == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_heat: temperature is NULL");
  TRY(check_not_negative(tolerance, "tolerance", call));
  TRY(grid_simulation_begin(&s, &n, A, start, "start", rate, 0.5, true, call));
  TRY(Grid_agree(make_operators(&s), NULL));
  TRY(grid_simulation_start(&s, start, n));
  TRY(Grid_vertex_program(&s.result, &s.iterations, &s.change, s.K, s.start, s.semiring, s.sum, s.apply,
                          s.differ, tolerance, limit));
  TRY(grid_simulation_end(&s, temperature, iterations, change, call));
out:
  grid_simulation_free(&s);
  return info;
}
