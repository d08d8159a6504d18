/* Voltages in a network of resistors, some of which are fixed. By Kirchhoff's law the voltage of every other
 * node is the mean of its neighbors', weighted by the conductances. Gather K(u,v) times the voltage of u and
 * K(u,v), sum both, and apply their quotient where the node is not fixed.
 *
 * Source: CuSha's circuit simulation (Khorasani et al., 2014), which Garaph measures (Ma et al., 2017,
 * section 6); Doyle, Snell, Random walks and electric networks (1984). */
#include <math.h>

#include "algos/linear_algebra/simulate.h"

WITH_TEXT(
    circuit_node, typedef struct {
      double volts;
      bool fixed;
    } circuit_node;)
WITH_TEXT(
    circuit_flow, static void circuit_flow(weighted_sum *z, const circuit_node *x, const double *y) {
      z->sum = x->volts * *y;
      z->weight = *y;
    })
WITH_TEXT(
    circuit_update,
    static void circuit_update(circuit_node *z, const circuit_node *x, const weighted_sum *y) {
      const bool unchanged = x->fixed || !(y->weight > 0);
      z->volts = unchanged ? x->volts : y->sum / y->weight;
      z->fixed = x->fixed;
    })
WITH_TEXT(
    circuit_differ, static void circuit_differ(double *z, const circuit_node *x, const circuit_node *y) {
      *z = fabs(x->volts - y->volts);
    })
WITH_TEXT(
    circuit_open, static void circuit_open(circuit_node *z, const double *x) {
      z->volts = *x;
      z->fixed = false;
    })
WITH_TEXT(
    circuit_fix, static void circuit_fix(circuit_node *z, const double *x) {
      z->volts = *x;
      z->fixed = true;
    })
WITH_TEXT(
    circuit_volts, static void circuit_volts(double *z, const circuit_node *x) { *z = x->volts; })

typedef struct {
  simulation s;
  GrB_Type node;
  GrB_UnaryOp open, fix, volts;
} circuit;

static GrB_Info make_operators(circuit *c) {
  simulation *s = &c->s;
  GrB_Info info;
  TRY(grid_simulation_sums(s));
  TRY(Grid_Type_new(&c->node, sizeof(circuit_node), "circuit_node", circuit_node_text));
  TRY(Grid_BinaryOp_new(&s->multiply, (binary)circuit_flow, s->sum, c->node, GrB_FP64, "circuit_flow",
                        plain(circuit_flow_text)));
  TRY(GrB_Semiring_new(&s->semiring, s->monoid, s->multiply));
  TRY(Grid_BinaryOp_new(&s->apply, (binary)circuit_update, c->node, c->node, s->sum, "circuit_update",
                        plain(circuit_update_text)));
  TRY(Grid_BinaryOp_new(&s->differ, (binary)circuit_differ, GrB_FP64, c->node, c->node, "circuit_differ",
                        plain(circuit_differ_text)));
  TRY(Grid_UnaryOp_new(&c->open, (unary)circuit_open, c->node, GrB_FP64, "circuit_open",
                       plain(circuit_open_text)));
  TRY(Grid_UnaryOp_new(&c->fix, (unary)circuit_fix, c->node, GrB_FP64, "circuit_fix",
                       plain(circuit_fix_text)));
  TRY(Grid_UnaryOp_new(&c->volts, (unary)circuit_volts, GrB_FP64, c->node, "circuit_volts",
                       plain(circuit_volts_text)));
out:
  return info;
}

GrB_Info Grid_circuit(GrB_Vector *volts, uint64_t *iterations, double *change, GrB_Matrix A, GrB_Vector fixed,
                      double tolerance, uint64_t limit) {
  SPAN;
  static const char call[] = "Grid_circuit";
  circuit c = {.node = NULL};
  GrB_Vector zero = NULL, state = NULL;
  GrB_Index n;
  GrB_Info info;

  if (volts == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_circuit: volts is NULL");
  TRY(check_not_negative(tolerance, "tolerance", call));
  TRY(grid_simulation_begin(&c.s, &n, A, fixed, "fixed", 1, 1, true, call));
  TRY(Grid_agree(make_operators(&c), NULL));
  TRY(GrB_Vector_new(&zero, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(zero, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_new(&c.s.start, c.node, n));
  TRY(GrB_Vector_apply(c.s.start, NULL, NULL, c.open, zero, NULL));
  TRY(GrB_Vector_apply(c.s.start, fixed, NULL, c.fix, fixed, GrB_DESC_S));
  TRY(GrB_Vector_new(&c.s.result, GrB_FP64, n));
  TRY(Grid_vertex_program(&state, &c.s.iterations, &c.s.change, c.s.K, c.s.start, c.s.semiring, c.s.sum,
                          c.s.apply, c.s.differ, tolerance, limit));
  TRY(GrB_Vector_apply(c.s.result, NULL, NULL, c.volts, state, NULL));
  GrB_Vector_free(&c.s.start);
  c.s.start = zero, zero = NULL;
  TRY(grid_simulation_end(&c.s, volts, iterations, change, call));
out:
  GrB_Vector_free(&zero);
  GrB_Vector_free(&state);
  grid_simulation_free(&c.s);
  GrB_UnaryOp_free(&c.open);
  GrB_UnaryOp_free(&c.fix);
  GrB_UnaryOp_free(&c.volts);
  GrB_Type_free(&c.node);
  return info;
}
