/* Algorithms as commands of the program: a row for each, in a file of its own in a folder of its family, and
 * one driver for all (algorithm.c). The build puts every `const algorithm algorithm_NAME` into the table
 * of commands (bench/command/commands.c). docs/adding.md, "An algorithm", has the steps. */
#ifndef GRID_ALGORITHM_H
#define GRID_ALGORITHM_H
#include "bench/check/check_graph.h"
#include "bench/program/graph/vertex_values.h"
#include "bench/program/program.h"

enum { MOST_COLUMNS = 4 };

/* The input and the output of one run. */
typedef struct {
  const options *o;
  const graph *g;
  uint64_t *source; /* vertices; one with OPT_SOURCE, any number with OPT_SOURCES */
  uint64_t nsources;
  bool chosen; /* OPT_SOURCE: no option names the source */
  /* what `prepare` makes */
  GrB_Vector input;     /* FP64: numbers of vertices */
  GrB_Vector starts;    /* INT64: vertices */
  vertex_groups groups; /* communities, labels */
  vertex_pairs pairs;
  GrB_Matrix system;
  double seconds; /* for report_results: the median time of the runs */
  /* the answer: vectors of the same pattern, or one or two matrices */
  column answer[MOST_COLUMNS];
  int columns;
  GrB_Matrix matrix, second;
  double *series;    /* a sequence of numbers (malloc'ed), or NULL */
  uint64_t count[8]; /* further outputs; each algorithm's file defines them */
  double number[4];
  report *r;
} job;

/* The entries of a matrix. */
typedef struct {
  uint64_t *row, *col, n;
  double *value;
} triples;

/* The input of a checker on process 0; empty elsewhere. */
typedef struct {
  check_graph graph;
  double *value[MOST_COLUMNS]; /* the answer's vectors with n entries each, NaN where there is none */
  double *input, *group;       /* those that `prepare` made, likewise, or NULL */
  triples matrix, second;      /* its matrices */
} gathered_answer;

typedef struct {
  command command;
  bool sources_are_columns; /* column k of the answer's matrix is source k, not vertex k */
  const char *entry;        /* what an entry of the answer's matrix is, in a picture; NULL: there is none */
  /* Makes what `run` needs beside the graph, once; NULL: nothing. It is not timed. Collective. Returns a
   * status. */
  int (*prepare)(job *j);
  /* Calls the library and fills the answer. It is timed. Collective. */
  GrB_Info (*run)(job *j);
  /* Puts summary values of the answer into j->r; NULL: none. Collective. Returns a status. */
  int (*report_results)(job *j);
  /* Compares the answer with a serial computation. Returns NULL if it is right, else the error, static or in
   * text (of `capacity` bytes). Process 0 only. */
  const char *(*check)(const job *j, const gathered_answer *e, char *text, size_t capacity);
  /* Replaces check by a parallel method, which reports to j->r. Collective. Returns a status. */
  int (*verify)(job *j);
  /* Writes the answer in a special form; NULL: as vectors or as a matrix. Collective. */
  int (*write)(output *out, const job *j);
  const char *checked; /* what a successful check shows: "ranks equal those of a serial computation" */
} algorithm;

/* Where `run` puts the answer's vector k, which is NULL so far: its title, and whether its values are
 * vertices.
 */
GrB_Vector *answer_vector(job *j, int k, const char *title, bool vertices);

/* Reports a number of the answer, which may be NaN: undefined. */
void report_defined(job *j, const char *key, double number);
/* Writes one number. Collective. Returns a status. */
int write_number(output *out, double number);

/* Entries as a dense array by rows, NaN where there is none; NULL: out of memory. */
double *triples_dense(const triples *t, uint64_t nrows, uint64_t ncols);

/* Reports as `key` the smallest vertex whose entry of v has this value, by its name in the graph's file;
 * nothing where there is none. Collective. Returns a status. */
int report_vertex_with(job *j, const char *key, GrB_Vector v, double value);
/* Reports the largest value of the answer's vector k, a count or a number, as `key`, and the smallest vertex
 * that has it as key_vertex. Collective. Returns a status. */
int report_largest(job *j, int k, const char *key, bool count);
/* Reports the mean of the answer's first vector, which has an entry for every vertex. Collective. Returns a
 * status. */
int report_mean(job *j, const char *key);

/* Runs the command of an algorithm. */
int algorithm_command(const command *c, const options *o);
#endif
