/* Compares two twins' outputs line by line: lines must be equal; floating-point values (marked f and d) must
 * agree within a relative tolerance of 1e-4 and 1e-10. Usage: compare REFERENCE OUTPUT [part]. Status 0 when
 * they agree; with "part" the output may end earlier, after any step or program. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two words after a mark f or d. */
static bool close_enough(const char *a, const char *b, char mark) {
  double x = strtod(a, NULL), y = strtod(b, NULL);
  return x == y || (isnan(x) && isnan(y)) ||
         fabs(x - y) <= (mark == 'f' ? 1e-4 : 1e-10) * fmax(fabs(x), fabs(y));
}

static bool same_vector(char *a, char *b) {
  char *rest_a, *rest_b, mark = 0;
  char *x = strtok_r(a, " \n", &rest_a), *y = strtok_r(b, " \n", &rest_b);
  for (; x && y; x = strtok_r(NULL, " \n", &rest_a), y = strtok_r(NULL, " \n", &rest_b)) {
    if (strcmp(x, y) && !((mark == 'f' || mark == 'd') && close_enough(x, y, mark))) return false;
    mark = x[1] ? 0 : x[0];
  }
  return !x && !y;
}

static bool ends_with(const char *line, const char *end) {
  const size_t n = strlen(line), m = strlen(end);
  return n >= m && !strcmp(line + n - m, end);
}

int main(int argc, char **argv) {
  char a[1024], b[1024], x[1024], y[1024], seed[1024] = "", call[1024] = "";
  FILE *f = argc >= 3 ? fopen(argv[1], "r") : NULL, *g = f ? fopen(argv[2], "r") : NULL;
  if (!g) {
    fprintf(stderr,
            argc >= 3 ? "compare: cannot open the outputs\n" : "usage: compare REFERENCE OUTPUT [part]\n");
    return 2;
  }
  long lines = 0, different = 0, crashed = 0;
  bool is_printed = false, skip = false, header = false;
  for (;;) {
    /* after a difference, both sides continue with the next step */
    bool more_a, more_b;
    do more_a = fgets(a, sizeof a, f);
    while (skip && more_a && strncmp(a, "== ", 3));
    do more_b = fgets(b, sizeof b, g);
    while (skip && more_b && strncmp(b, "== ", 3));
    skip = false;
    if (!more_a && !more_b) break;
    if (argc > 3 && !more_b && !strncmp(a, "== ", 3)) break;
    lines++;
    if (!more_a) strcpy(a, "(nothing)\n");
    if (!more_b) strcpy(b, "(nothing)\n");
    if (header) strcpy(call, a), header = false;
    if (!strncmp(a, "== ", 3)) strcpy(seed, a), is_printed = false, header = true;
    strcpy(x, a), strcpy(y, b);
    if (same_vector(x, y)) continue;
    /* the reference library crashed in this program, or has no memory for dimensions that gridblas takes */
    if (!strncmp(a, "** ", 3) || (ends_with(a, "// -102\n") && !ends_with(b, "// -102\n"))) {
      crashed++, skip = true;
      continue;
    }
    different++;
    if (different <= 20 && !is_printed) printf("%s%s", seed, call), is_printed = true;
    if (different <= 20) printf("  reference: %s  output:    %s", a, b);
    if (!more_a || !more_b) break;
    skip = true;
    if (!strncmp(a, "== ", 3) || !strncmp(b, "== ", 3)) break;
  }
  printf("%ld lines compared, %ld steps differ", lines, different);
  printf(crashed ? ", %ld crashed the reference or had no memory there\n" : "\n", crashed);
  fclose(f);
  fclose(g);
  return lines == 0 || different ? 1 : 0;
}
