/* gridblas heat. */
#include "bench/algorithm/simulate.h"

static GrB_Info run(job *j) {
  return simulate_run(j, Grid_heat, CHECK_HEAT, "temperature");
}

static const char *check(const job *j, const evidence *e, char *text, size_t room) {
  return simulate_check(j, e, CHECK_HEAT, text, room);
}

const algorithm algorithm_heat = {
    .command = {.name = "heat",
                .example = "heat GRAPH --sources V,V",
                .line = "heat that flows along edges from --sources",
                .about =
                    "Heat simulation: the sources begin with the temperature 1, all others with 0, and in "
                    "each iteration heat flows along the edges, by their weights, from the warmer end to the "
                    "colder one.",
                .answer = "`vertex temperature` for every vertex",
                .takes_graph = true,
                .takes = SIMULATE_TAKES | TAKES_RATE,
                .work = WORK_PRODUCTS,
                .run = algorithm_command},
    .run = run,
    .tell = simulate_tell,
    .check = check,
    .checked = "temperatures are those of a serial computation",
};
