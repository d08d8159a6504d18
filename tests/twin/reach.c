/* Records which functions of the standard a run has called (reach.h); each must be called by some run. */
#include "tests/twin/twin.h"

#define TWIN_NAME(name) #name,
static const char *const name[] = {TWIN_FUNCTIONS(TWIN_NAME)};
static bool reached[sizeof name / sizeof *name];

void twin_reach(int function) {
  reached[function] = true;
}

bool write_reached(const char *output) {
  if (!twin_writes()) {
    twin_stop();
    return true;
  }
  char path[1024];
  snprintf(path, sizeof path, "%s.reached", output);
  FILE *f = fopen(path, "w");
  twin_stop(); /* GrB_finalize is a call, too */
  if (!f) return false;
  for (size_t k = 0; k < sizeof name / sizeof *name; k++)
    if (reached[k]) fprintf(f, "%s\n", name[k]);
  return !fclose(f);
}
