/* A network of neurons: gather K(u,v) x(u), sum up, apply tanh.
 *
 * Sources: Bertsekas, Tsitsiklis, Parallel and distributed computation (1989), section 6.4, for networks of
 * this kind as fixed points; CuSha's (Khorasani et al., 2014), which Garaph measures (Ma et al., 2017,
 * section 6).
 */
#include <math.h>

#include "algos/linear_algebra/simulate.h"

WITH_TEXT(
    neural_fire, static void neural_fire(double *z, const double *x, const double *y) {
      (void)x;
      *z = tanh(*y);
    })

static GrB_Info make_operators(simulation *s) {
  GrB_Info info;
  TRY(grid_simulation_differ(s));
  TRY(Grid_BinaryOp_new(&s->apply, (binary)neural_fire, GrB_FP64, GrB_FP64, GrB_FP64, "neural_fire",
                        plain(neural_fire_text)));
out:
  return info;
}

GrB_Info Grid_neural(GrB_Vector *state, uint64_t *iterations, double *change, GrB_Matrix A, GrB_Vector start,
                     double gain, double tolerance, uint64_t limit) {
  SPAN;
  static const char call[] = "Grid_neural";
  simulation s = {.K = NULL};
  GrB_Index n;
  GrB_Info info;

  if (state == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_neural: state is NULL");
  TRY(check_not_negative(tolerance, "tolerance", call));
  TRY(grid_simulation_begin(&s, &n, A, start, "start", gain, 1, false, call));
  TRY(Grid_agree(make_operators(&s), NULL));
  TRY(grid_simulation_start(&s, start, n));
  TRY(Grid_vertex_program(&s.result, &s.iterations, &s.change, s.K, s.start, GrB_PLUS_TIMES_SEMIRING_FP64,
                          GrB_FP64, s.apply, s.differ, tolerance, limit));
  TRY(grid_simulation_end(&s, state, iterations, change, call));
out:
  grid_simulation_free(&s);
  return info;
}
