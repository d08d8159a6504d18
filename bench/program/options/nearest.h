/* The known word that is nearest to an unknown one: "did you mean bfs?" (nearest.c). */
#ifndef GRID_NEAREST_H
#define GRID_NEAREST_H
#include "bench/program/program.h"

typedef struct {
  const char *word, *known; /* known: the nearest so far, NULL: none is near enough */
  int distance;             /* a known word must be nearer than this */
} nearest;

nearest nearest_to(const char *word);
void nearest_try(nearest *n, const char *known);
/* ": did you mean bfs?" with `mark` ("--") before the word, or "" where none is near. Static text. */
const char *nearest_hint(const nearest *n, const char *mark);

/* The hint for a command of `all`, which NULL ends. */
const char *nearest_command(const char *name, const command *const *all);
/* Is it the name of a file format? false: *hint is the nearest. */
bool nearest_format(const char *name, const char **hint);
#endif
