/* Grid_Matrix_distances by the threads of one process, or of several that share memory. Each has a block of
 * the matrix, of which the neighbors have successive numbers, and the results of its chunk of vertices. */
#ifndef GRID_LMAT_DISTANCES_H
#define GRID_LMAT_DISTANCES_H
#include "spmat/lmat_ops.h"

/* Vertices with successive numbers. */
typedef struct {
  uint64_t vector;   /* the first one's row or column of the block, */
  uint64_t vertex;   /* its number, */
  uint64_t position; /* and that of its words in shared memory */
  uint64_t n;
} grid_vertex_range;

/* What is found in a level. */
typedef struct {
  uint64_t words[GRID_DISTANCE_WORDS]; /* the searches that find a vertex */
  uint64_t entries;                    /* of the vertices' rows, in the blocks of their processes */
} grid_level_result;

typedef struct {
  const grid_distance_operands *x;  /* results: of the process's vertices; a: its block */
  const grid_compressed *from, *to; /* the block by vertices that a search finds, and by those it is at */
  const grid_vertex_range *from_vertices, *to_vertices; /* of their vectors */
  int from_ranges, to_ranges;
  grid_vertex_range chunk; /* the process's vertices; vector: of `to` */
  bool whole;              /* `from` has all entries of these vertices, and no other vertices */
  uint64_t first_position; /* of the words of neighbor 0 in `from` */
  uint64_t first_vertex;   /* neighbor 0 in `to` */
  uint64_t positions;      /* of words */
  uint64_t entries;        /* that all rows have in the blocks of their vertices' processes, about */
  unsigned words;          /* of a vertex: a pass has up to 64 times so many sources */
  int processes, process;
  void (*wait)(void); /* for all processes to call it; NULL: there is one */
  /* made: */
  int threads;
  uint64_t count;                       /* sources of this pass */
  uint64_t wanted[GRID_DISTANCE_WORDS]; /* a bit for each */
  uint64_t *visited;                    /* positions * words, as the next two: found so far, */
  uint64_t *frontier, *next; /* in the last level, and in this one, with those of two levels before */
  unsigned char *before; /* n, 0 or 1, as the next two: was the vertex found in the level before the last, */
  unsigned char *active; /* in the last one, */
  unsigned char *marked; /* and may it be, or has it been, in this one */
  bool marks;            /* this level marks neighbors */
  unsigned char *unfinished; /* 0 or 1 for each vector of `from`: may a search find its vertex here? */
  bool found;                /* the last level has found a vertex */
  unsigned levels;           /* of all passes so far */
  grid_level_result *shared_results; /* two of each process, for levels in turn */
  grid_level_result *results;        /* one a thread */
  double *nearness; /* of the process's vertices, of each word by itself; NULL: it is not wanted */
} grid_distance_job;

/* Bytes of memory that all processes share. */
size_t grid_distance_job_bytes(const grid_distance_job *s);
/* Makes the rest of *s, whose fields before are set, in that memory. The caller frees it, also after an
 * error. Local. */
GrB_Info grid_distance_job_make(grid_distance_job *s, void *memory);
void grid_distance_job_free(grid_distance_job *s);
/* Adds x's sources from number `first` on, `count` of them. All processes call it, after all have made their
 * jobs: they wait for each other at each level. */
void grid_distance_job_run(grid_distance_job *s, uint64_t first, uint64_t count);
#endif
