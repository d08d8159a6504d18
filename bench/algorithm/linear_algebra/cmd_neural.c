/* gridblas neural. */
#include "bench/algorithm/linear_algebra/simulation_command.h"

static GrB_Info run(job *j) {
  return simulate_run(j, Grid_neural, CHECK_NEURAL, "state");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return simulate_check(j, e, CHECK_NEURAL, text, capacity);
}

const algorithm algorithm_neural = {
    .command = {.name = "neural",
                .example = "neural GRAPH --sources V,V",
                .summary = "a network of neurons, excited at --sources",
                .about =
                    "A neural network: the sources begin with 1, all others with 0, and in each iteration a "
                    "vertex takes the tanh of --rate times the sum of its neighbours' states, by the weights "
                    "of the edges to it. Vertices without an edge to them keep what they have.",
                .answer = "`vertex state` for every vertex",
                .accepts = SIMULATE_OPTIONS | OPT_RATE | OPT_DIRECTED,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = simulate_report,
    .check = check,
    .checked = "states are those of a serial computation",
};
