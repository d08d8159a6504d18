/* Runs random steps, or programs.
 * Usage: twin OUTPUT FIRST_SEED SEEDS STEPS [KIND]
 *        twin OUTPUT FIRST_SEED PROGRAMS programs
 *        twin OUTPUT FIRST_SEED SEEDS fields */
#include "tests/twin/random_program.h"

static void (*const step[])(void) = {step_product, step_product, step_product, step_bfs,    step_assign,
                                     step_extract, step_apply,   step_select,  step_ewise,  step_reduce,
                                     step_vector,  step_matrix,  step_chain,   step_scalar, step_errors,
                                     step_life,    step_types};
#define NSTEPS (sizeof step / sizeof *step)

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr,
            "usage: twin OUTPUT FIRST_SEED SEEDS STEPS [KIND]\n       twin OUTPUT FIRST_SEED PROGRAMS "
            "programs\n");
    return 2;
  }
  uint64_t first = strtoull(argv[2], NULL, 10), seeds = strtoull(argv[3], NULL, 10),
           steps = strtoull(argv[4], NULL, 10);
  bool programs = !strcmp(argv[4], "programs"), fields = !strcmp(argv[4], "fields");
  if (programs && twin_isolated()) return run_isolated(argv[1], first, seeds);
  if (!twin_start()) return 2;
  if (!out_open(argv[1])) return 2;
  objects_start();
  for (uint64_t s = first; programs && s < first + seeds; s++) run_program(s);
  for (uint64_t s = first; fields && s < first + seeds; s++) {
    rnd_seed(s);
    say("== fields %" PRIu64 "\n", s);
    step_fields();
  }
  for (uint64_t s = first; !programs && !fields && s < first + seeds; s++)
    for (uint64_t k = 0; k < steps; k++) {
      rnd_seed(s * 1000003 + k);
      uint64_t number = argc > 5 ? strtoull(argv[5], NULL, 10) % NSTEPS : k % NSTEPS;
      say("== seed %" PRIu64 " step %" PRIu64 " kind %" PRIu64 "\n", s, k, number);
      step[number]();
    }
  objects_stop();
  bool good = out_close();
  return write_reached(argv[1]) && good ? 0 : 1;
}
