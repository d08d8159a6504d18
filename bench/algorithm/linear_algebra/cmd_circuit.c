/* gridblas circuit. */
#include "bench/algorithm/linear_algebra/simulation_command.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  GrB_Vector fixed = NULL;
  GrB_Info info = simulate_start(&fixed, j, CHECK_CIRCUIT);
  if (info == GrB_SUCCESS)
    info = Grid_circuit(answer_vector(j, 0, "volts", false), &j->count[0], &j->number[0], j->g->A, fixed,
                        o->tolerance, o->iterations);
  GrB_Vector_free(&fixed);
  return info;
}

/* The current out of the first source, at 1 volt: the sum over its neighbors of the conductance times the
 * voltage difference. Its inverse is the resistance between this source and the others. */
static GrB_Info current(double *amperes, const job *j) {
  GrB_Vector at = NULL, drop = NULL;
  GrB_Info info = GrB_Vector_new(&at, GrB_FP64, j->g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&drop, GrB_FP64, j->g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_setElement_FP64(at, 1, j->source[0]);
  /* at = the conductances to its neighbours; drop = 1 - volts */
  if (info == GrB_SUCCESS) info = GrB_vxm(at, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, at, j->g->A, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_BinaryOp1st_FP64(drop, NULL, NULL, GrB_MINUS_FP64, 1, j->answer[0].v, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_eWiseMult_BinaryOp(drop, NULL, NULL, GrB_TIMES_FP64, at, drop, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_FP64(amperes, NULL, GrB_PLUS_MONOID_FP64, drop, NULL);
  GrB_Vector_free(&at);
  GrB_Vector_free(&drop);
  return info;
}

static int report_results(job *j) {
  double amperes = 0;
  const int status = simulate_report(j);
  if (status != STATUS_OK) return status;
  const GrB_Info info = current(&amperes, j);
  report_number(j->r, "current", amperes);
  if (amperes > 0) report_number(j->r, "resistance", 1 / amperes);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return simulate_check(j, e, CHECK_CIRCUIT, text, capacity);
}

const algorithm algorithm_circuit = {
    .command = {.name = "circuit",
                .example = "circuit GRAPH --sources V,V",
                .summary = "voltages in a network of resistors between --sources",
                .about =
                    "Circuit simulation: the first source is held at 1 volt, the others at 0, and in each "
                    "iteration every other vertex takes the mean of its neighbours', by the weights of the "
                    "edges, their conductances. Once nothing changes: the voltages, the current, and the "
                    "resistance between the first source and the others.",
                .answer = "`vertex volts` for every vertex",
                .accepts = SIMULATE_OPTIONS,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "voltages are those of a serial computation",
};
