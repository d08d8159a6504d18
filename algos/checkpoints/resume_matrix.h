/* Matrices in the state of an iteration (resume.h): a checkpoint has the tuples of each as vectors, which all
 * processes share alike, so that another number of processes can continue. */
#ifndef GRID_RESUME_MATRIX_H
#define GRID_RESUME_MATRIX_H
#include "algos/checkpoints/resume.h"

enum { CHECKPOINT_MOST_MATRICES = 2, CHECKPOINT_MOST_ENTRIES = 12 };

typedef struct {
  const char *name; /* at most 40 bytes */
  GrB_Matrix M;
  GrB_Type type; /* of M; NULL: values are not stored, and become 1 */
} checkpoint_matrix;

/* As grid_checkpoint_resume, with matrices, whose entries are replaced. n <= CHECKPOINT_MOST_ENTRIES - 1 -
 * 3 m. Error also: GrB_OUT_OF_MEMORY. Collective. */
GrB_Info grid_checkpoint_resume_matrices(uint64_t *done, const checkpoint_key *c,
                                         const Grid_Checkpoint_Item *state, int n,
                                         const checkpoint_matrix *matrix, int m);
/* As grid_checkpoint_iteration, with matrices. Collective. */
GrB_Info grid_checkpoint_iteration_matrices(uint64_t done, const checkpoint_key *c,
                                            const Grid_Checkpoint_Item *state, int n,
                                            const checkpoint_matrix *matrix, int m);
#endif
