/* The nearest known word by edit distance: insertions, deletions, substitutions and transpositions of
 * neighbours, each counted once (optimal string alignment). */
#include "bench/program/options/nearest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static int least(int a, int b) {
  return a < b ? a : b;
}

/* d[i][j]: the distance between the first i letters of a and the first j of b. */
static int distance(const char *a, const char *b) {
  const int m = (int)strlen(a), n = (int)strlen(b);
  int d[LONGEST + 1][LONGEST + 1];
  if (m > LONGEST || n > LONGEST) return LONGEST;
  for (int i = 0; i <= m; i++) d[i][0] = i;
  for (int j = 0; j <= n; j++) d[0][j] = j;
  for (int i = 1; i <= m; i++)
    for (int j = 1; j <= n; j++) {
      d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[m][n];
}

/* One letter may be wrong, and one more for every four. */
nearest nearest_to(const char *word) {
  return (nearest){word, NULL, 2 + (int)strlen(word) / 4};
}

void nearest_try(nearest *n, const char *known) {
  const int d = distance(n->word, known);
  if (d < n->distance && d < (int)strlen(known)) n->known = known, n->distance = d;
}

const char *nearest_hint(const nearest *n, const char *mark) {
  static char text[80];
  if (n->known == NULL) return "";
  snprintf(text, sizeof text, ": did you mean %s%s?", mark, n->known);
  return text;
}

const char *nearest_command(const char *name, const command *const *all) {
  nearest n = nearest_to(name);
  for (; *all != NULL; all++) nearest_try(&n, (*all)->name);
  return nearest_hint(&n, "");
}

bool nearest_format(const char *name, const char **hint) {
  nearest n = nearest_to(name);
  for (int k = 0; Grid_format(k) != NULL; k++) {
    if (strcmp(name, Grid_format(k)->name) == 0) return true;
    nearest_try(&n, Grid_format(k)->name);
  }
  *hint = nearest_hint(&n, "");
  return false;
}
