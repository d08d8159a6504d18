/* gridblas heat. */
#include "bench/algorithm/simulate.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  GrB_Vector start = NULL, temperature = NULL;
  GrB_Info info = simulate_start(&start, j, CHECK_HEAT);
  if (info == GrB_SUCCESS)
    info = Grid_heat(&temperature, &j->count[0], &j->number[0], j->g->A, start, o->rate, o->tolerance,
                     o->iterations);
  GrB_Vector_free(&start);
  simulate_give(j, temperature, "temperature");
  return info;
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
                .run = algorithm_command},
    .run = run,
    .tell = simulate_tell,
    .check = check,
    .checked = "temperatures are those of a serial computation",
};
