/* gridblas neural. */
#include "bench/algorithm/simulate.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  GrB_Vector start = NULL, state = NULL;
  GrB_Info info = simulate_start(&start, j, CHECK_NEURAL);
  if (info == GrB_SUCCESS)
    info = Grid_neural(&state, &j->count[0], &j->number[0], j->g->A, start, o->rate, o->tolerance,
                       o->iterations);
  GrB_Vector_free(&start);
  simulate_give(j, state, "state");
  return info;
}

static const char *check(const job *j, const evidence *e, char *text, size_t room) {
  return simulate_check(j, e, CHECK_NEURAL, text, room);
}

const algorithm algorithm_neural = {
    .command = {.name = "neural",
                .example = "neural GRAPH --sources V,V",
                .line = "a network of neurons, excited at --sources",
                .about =
                    "A neural network: the sources begin with 1, all others with 0, and in each iteration a "
                    "vertex takes the tanh of --rate times the sum of its neighbours' states, by the weights "
                    "of the edges to it. Vertices without an edge to them keep what they have.",
                .answer = "`vertex state` for every vertex",
                .takes_graph = true,
                .takes = SIMULATE_TAKES | TAKES_RATE | TAKES_DIRECTED,
                .run = algorithm_command},
    .run = run,
    .tell = simulate_tell,
    .check = check,
    .checked = "states are those of a serial computation",
};
