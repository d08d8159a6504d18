/* The checks of shortest paths from many sources by the rules of validate_paths.h (check_sssp.c). */
#ifndef GRID_CHECK_SSSP_H
#define GRID_CHECK_SSSP_H
#include "bench/validate/check_bfs.h"
#include "bench/check/check_graph.h"

typedef struct {
  const graph *g;
  uint64_t n;
  int64_t *parent;
  int32_t *depth;
  double *distance;
  uint8_t *in_input;
  double *weight;      /* of this process's tuples */
  check_graph whole;   /* on process 0, with `compare` */
  double *parent_fp64; /* the parents for it */
  bool compare;
} path_checker;

/* compare: also with a serial computation on process 0. */
int path_checker_open(path_checker *c, const graph *g, bool compare);
void path_checker_close(path_checker *c);
/* One result by the rules; *inside: input tuples in the component. STATUS_CHECK when one is broken. rules:
 * false: only *inside. */
int path_checker_run(path_checker *c, GrB_Vector distance, GrB_Vector parent, uint64_t source, bool rules,
                     uint64_t *inside);
/* After path_checker_run, if opened with compare. */
int path_checker_compare(path_checker *c, uint64_t source);
#endif
