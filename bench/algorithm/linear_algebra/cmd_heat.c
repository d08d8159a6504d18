/* gridblas heat. */
#include "bench/algorithm/linear_algebra/simulation_command.h"

static GrB_Info run(job *j) {
  return simulate_run(j, Grid_heat, CHECK_HEAT, "temperature");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return simulate_check(j, e, CHECK_HEAT, text, capacity);
}

const algorithm algorithm_heat = {
    .command = {.name = "heat",
                .example = "heat GRAPH --sources V,V",
                .summary = "heat that flows along edges from --sources",
                .about =
                    "Heat simulation: the sources begin with the temperature 1, all others with 0, and in "
                    "each iteration heat flows along the edges, by their weights, from the warmer end to the "
                    "colder one.",
                .answer = "`vertex temperature` for every vertex",
                .accepts = SIMULATE_OPTIONS | OPT_RATE,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = simulate_report,
    .check = check,
    .checked = "temperatures are those of a serial computation",
};
