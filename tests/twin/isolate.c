/* Runs each random program in a process of its own, so that a crash or memory corruption of the reference
 * library affects one program only. */
#include "tests/twin/random_program.h"

#include <sys/wait.h>
#include <unistd.h>

static int run_one(const char *path, uint64_t seed) {
  if (!twin_start() || !out_open(path)) return 2;
  objects_start();
  run_program(seed);
  objects_stop();
  return out_close() ? 0 : 1;
}

static bool append(FILE *to, const char *path) {
  char block[65536];
  FILE *from = fopen(path, "r");
  if (!from) return false;
  for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;)
    if (fwrite(block, 1, n, to) != n) break;
  bool good = !ferror(from) && !ferror(to);
  fclose(from);
  return good;
}

/* compare_outputs.c skips a program in which the reference library crashed, and counts it. */
int run_isolated(const char *output, uint64_t first, uint64_t n) {
  char path[1024];
  snprintf(path, sizeof path, "%s.one", output);
  FILE *all = fopen(output, "w");
  bool good = all;
  for (uint64_t s = first; good && s < first + n; s++) {
    int status = 1;
    fflush(all);
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      _exit(run_one(path, s));
    }
    good = child > 0 && waitpid(child, &status, 0) == child;
    if (status)
      fprintf(all, "== program %" PRIu64 "\n** the witness crashed\n", s);
    else
      good = good && append(all, path);
  }
  remove(path);
  return all && !fclose(all) && good ? 0 : 1;
}
