/* What a search would inspect, send and take on a process grid, layout by layout, without running there. One
 * search runs on the current processes and its levels are counted (plan_search.c); the cost of each layout
 * follows from the counts (Grid_layouts; docs/how/process_grid.md). */
#ifndef GRID_PLAN_H
#define GRID_PLAN_H
#include "bench/program/program.h"

typedef Grid_Level plan_level;
typedef struct {
  Grid_Search s;
  int64_t threshold; /* the degree threshold of delegates; -1: no delegates */
  uint64_t capacity; /* capacity in levels */
} plan;

/* All levels of a search from source, for P processes and delegates of more than o->delegates entries. If
 * the program chooses them: the fewest delegates that leave a tenth of the entries outside. */
int plan_count(plan *t, const graph *g, uint64_t source, const options *o, int P);
void plan_free(plan *t);

/* One product that reads every entry, as a search of one level (plan_product.c). */
int plan_product(plan *t, const graph *g, int P);

/* The expected degrees of an undirected R-MAT graph without duplicates and loops: count classes of vertices
 * of the same expected degree, or of few entries each. Also those of a graph (plan_degrees.c). */
int plan_rmat_degrees(Grid_Degrees *g, const char *name);
int plan_graph_degrees(Grid_Degrees *g, const graph *of); /* Collective. */
void plan_degrees_free(Grid_Degrees *g);

/* The mean bytes of a process's block on a grid of C columns, without delegates; infinite if 32 bits do not
 * number its non-empty rows and columns. has_columns: it is stored by columns, too (plan_memory.c). */
double plan_matrix_bytes(const Grid_Degrees *g, int P, int C, bool has_columns);

/* A search and a product on so many GPUs of one machine, with whole rows on each. */
enum { PLANNED_GPUS = 4 }; /* 1, 2, 4 and 8 */
typedef struct {
  int number, least_scale; /* from 2^least_scale vertices on they search faster than fewer GPUs do */
  double search, product;  /* seconds */
  double matrix_bytes;     /* on a GPU */
} plan_gpus;

/* The predicted numbers of each layout. */
typedef struct {
  Grid_Layout layout[Grid_LAYOUTS];
  int count, best;
} layouts;
typedef struct {
  const char *graph;
  uint64_t n;
  double entries; /* of the matrix */
  int P;
  Grid_Network net;
  layouts search, product;
  double matrix_bytes[Grid_LAYOUTS]; /* on a process, of each layout of the search */
  plan_gpus gpus[PLANNED_GPUS];
} plan_answer;
/* The entries of a graph of these degrees. */
double plan_entries(const Grid_Degrees *g);
/* As a table; process 0 prints it (plan_table.c). */
void plan_print(const plan_answer *a, FILE *f);
void plan_print_gpus(const plan_answer *a, FILE *f);

/* Which delegates pay on C of P processes' columns, and from when; what 1 to 8 GPUs take, also into `gpus`
 * (plan_report.c). */
int plan_report_delegates(report *r, const Grid_Degrees *g, int P, int C, const Grid_Network *net);
void plan_report_gpus(report *r, plan_gpus *gpus, const Grid_Degrees *g);

/* What the library sends and inspects on the current processes, and the least of several times. */
typedef struct {
  double bytes, inspected, calls, seconds;
  double local; /* of a product: of its seconds, those of the slowest process's own work */
} plan_measured;
/* A search with the given delegates; a product. */
int plan_measure(plan_measured *m, const graph *g, uint64_t source, int32_t delegates);
int plan_product_measure(plan_measured *m, const graph *g);

#endif
