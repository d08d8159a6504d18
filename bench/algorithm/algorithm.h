/* Algorithms as commands of the program: one row each, in a file of its own here, and one driver for all
 * (algorithm.c). docs/design.md, "Adding an algorithm", says what belongs to one. */
#ifndef GRID_ALGORITHM_H
#define GRID_ALGORITHM_H
#include "bench/check/check_graph.h"
#include "bench/program/program.h"

enum { MOST_COLUMNS = 4 };

/* One run of an algorithm: what it is given, and what it gives. */
typedef struct {
  const options *o;
  const graph *g;
  uint64_t *source; /* OPT_SOURCE: one; OPT_SOURCES: those asked for; vertices */
  uint64_t nsources;
  bool chosen;    /* OPT_SOURCE: nobody named it */
  double seconds; /* for `tell`: the median run's */
  /* the answer: vectors, alike in their pattern, or a matrix, or two */
  column answer[MOST_COLUMNS];
  int columns;
  GrB_Matrix matrix, second;
  double *series;    /* numbers in order, malloc'ed, where an algorithm gives some */
  uint64_t count[4]; /* what else it gives: each algorithm's file says what */
  double number[4];
  report *r;
} job;

/* The entries of a matrix. */
typedef struct {
  uint64_t *row, *col, n;
  double *value;
} triples;

/* On process 0, what a checker works on; elsewhere NULL and empty. */
typedef struct {
  check_graph graph;
  double *value[MOST_COLUMNS]; /* the answer's vectors with n entries each, NaN where there is none */
  triples matrix, second;      /* its matrices */
} gathered_answer;

typedef struct {
  command command;
  bool sources_are_columns; /* column k of the answer's matrix is source k, not vertex k */
  /* Calls the library, which is timed; fills the answer. Collective. */
  GrB_Info (*run)(job *j);
  /* Puts what the answer says as a whole into j->r; NULL: nothing. Collective. Returns a status. */
  int (*report_results)(job *j);
  /* Compares the answer with one that the serial checker makes. NULL: it is right; else what is wrong, in
   * text (of `room` bytes) or static. On process 0 alone. */
  const char *(*check)(const job *j, const gathered_answer *e, char *text, size_t capacity);
  /* In place of check: in a way of its own, which it tells j->r. Collective. Returns a status. */
  int (*verify)(job *j);
  /* Writes the answer in a form of its own; NULL: as vectors or as a matrix. Collective. */
  int (*write)(output *out, const job *j);
  const char *checked; /* what holds once it was: "ranks equal those of a serial computation" */
} algorithm;

/* The `run` of every algorithm's command. */
int algorithm_command(const command *c, const options *o);
#endif
