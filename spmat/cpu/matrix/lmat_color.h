/* Grid_Matrix_color by the threads of one or several processes, each of which has some of the vertices. */
#ifndef GRID_LMAT_COLOR_H
#define GRID_LMAT_COLOR_H
#include "spmat/lmat_ops.h"

typedef struct {
  grid_compressed rows; /* on the host: those of this process's vertices; columns are vertices */
  uint64_t first, n;    /* its vertices: from `first` on */
  uint64_t key, most;   /* as in grid_color_operands */
  uint32_t *color;      /* of all vertices, fewer than 2^31, in memory of all processes */
  /* made: */
  int threads;
  uint32_t *next_to;   /* of each thread: for each color 1 + the last vertex next to which it was */
  uint64_t capacity;   /* colors there */
  uint32_t *order;     /* the vertices, counted from `first` */
  uint32_t *of_thread; /* memory for those of each thread */
} grid_color_job;

/* Makes the rest of *job, whose fields before are set, and marks its vertices as undecided. The caller frees
 * it, also after an error. Local. */
GrB_Info grid_color_job_make(grid_color_job *job);
void grid_color_job_free(grid_color_job *job);
/* t, of type INT64 with memory for dense values, = the colors of the process's vertices. Returns how many
 * there are. All processes call it, after all have made their jobs: they wait for each other's colors. */
uint64_t grid_color_job_run(grid_chunk *t, const grid_color_job *job);
#endif
