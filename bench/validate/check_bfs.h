/* The checks of results, on the CPU (check_bfs.c) and on the GPU (check_bfs_cuda.c): their common interface.
 */
#ifndef GRID_CHECK_BFS_H
#define GRID_CHECK_BFS_H
#include "bench/program/program.h"
#include "bench/validate/validate.h"

struct check_device;
typedef struct check_space check_space;
typedef struct {
  const graph *g;
  struct reference *reference; /* on process 0, when requested */
  uint64_t n;
  const struct check_device *device; /* the checks on a GPU, with their arrays; NULL: the CPU checks */
  check_space *space;
  /* on the CPU */
  int64_t *parent;
  int32_t *level, *depth, *expected;
  uint8_t *in_input;
} checker;

/* compare: also against SuiteSparse:GraphBLAS. */
int checker_open(checker *c, const graph *g, const options *o, bool compare);
void checker_close(checker *c);
/* One search by the five rules. level may be NULL. *inside: input tuples in the component. STATUS_CHECK when
 * a rule is broken. */
int checker_run(checker *c, GrB_Vector level, GrB_Vector parent, uint64_t source, int64_t limit,
                uint64_t *inside);
/* After checker_run, if opened with compare: the same search by SuiteSparse:GraphBLAS must have the same
 * levels. */
int checker_compare(checker *c, uint64_t source, int64_t limit);
/* Seconds that a device takes to generate a graph's tuples, 0 if they are stored. */
int checker_generate(checker *c, double *seconds);
/* Only *inside, no checks. */
int checker_count(checker *c, GrB_Vector parent, uint64_t *inside);

/* Combines the processes' flags: in_input[v] is not 0 if it is not on any process. */
GrB_Info check_merge_flags(uint8_t *in_input, uint64_t n);
/* One rule's outcome, the same on every process: STATUS_OK, STATUS_CHECK or, when the check itself failed (a
 * rule below 0), STATUS_INPUT. */
int check_outcome(const validate_result *r, uint64_t source);

/* The checks on a device instead of check_bfs.c's own. */
struct check_device {
  int (*run)(checker *c, GrB_Vector level, GrB_Vector parent, uint64_t source, int64_t limit,
             uint64_t *inside);
  int (*count)(checker *c, GrB_Vector parent, uint64_t *inside);
  /* The depths of the last run into c->depth. Local. */
  bool (*depths)(checker *c);
  /* Seconds it takes to generate all tuples of a graph that stores none, and nothing else. */
  int (*generate)(checker *c, double *seconds);
  void (*close)(checker *c);
};
/* Sets c->device if the device is on and has memory for the checks; else leaves it NULL and, if the device is
 * on, prints the reason. Returns a status. */
int check_cuda_open(checker *c);
#endif
