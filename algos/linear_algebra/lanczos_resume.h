/* Checkpoints of Lanczos' method (resume.h): the basis, of a vector a product, and T (lanczos_resume.c). */
#ifndef GRID_LANCZOS_RESUME_H
#define GRID_LANCZOS_RESUME_H
#include "algos/linear_algebra/lanczos.h"
#include "algos/checkpoints/resume.h"

typedef struct {
  checkpoint_key key;
  struct {
    uint64_t m, due; /* vectors; the number of products at which the small problem is solved next */
    double largest;
  } now;
  Grid_Checkpoint_Item *state; /* `now`, the two parts of T, up to l->most vectors */
  char (*name)[32];            /* of the vectors */
} lanczos_progress;

/* The basis and T of a checkpoint after *rows products, and w->now.due, if there is one. Errors: as
 * grid_checkpoint_resume; GrB_OUT_OF_MEMORY. Free w in any case. Collective. */
GrB_Info grid_lanczos_resume(uint64_t *rows, lanczos_progress *w, lanczos *l);
/* Writes a checkpoint after `rows` products where one is due. Collective. */
GrB_Info grid_lanczos_record(lanczos_progress *w, lanczos *l, uint64_t rows);
void grid_lanczos_progress_free(lanczos_progress *w);
#endif
