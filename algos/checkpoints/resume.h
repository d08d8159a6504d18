/* Resuming an iteration from its last checkpoint (Grid_checkpoint_set_interval). Without a folder nothing is
 * done. */
#ifndef GRID_RESUME_H
#define GRID_RESUME_H
#include "algos/algos.h"

enum { CHECKPOINT_KEY_WORDS = 8 };

/* What identifies a computation: its name, and the numbers passed to it. */
typedef struct {
  char name[32];
  uint64_t key[CHECKPOINT_KEY_WORDS];
} checkpoint_key;

/* c becomes the computation `name` on A, of n rows; further keys: 3 .. CHECKPOINT_KEY_WORDS - 1. Collective.
 */
GrB_Info grid_checkpoint_key_make(checkpoint_key *c, const char *name, GrB_Matrix A, GrB_Index n);
/* The bits of a floating-point number, a hash of indices (NULL: 0), and one of `size` bytes, for a key. */
uint64_t grid_key_of(double x);
uint64_t grid_key_of_indices(const GrB_Index *index, GrB_Index count);
uint64_t grid_key_of_bytes(const void *bytes, size_t size);
/* Is a folder set, and not suspended? */
bool grid_checkpoint_is_set(void);
/* ... and is a checkpoint due after `done` iterations? */
bool grid_checkpoint_is_due(uint64_t done);
/* While suspended, no checkpoints are read or written: an algorithm runs as a step of another. */
void grid_checkpoint_suspend(bool on);

/* Fills state[0..n) from the newest checkpoint; *done: the number of iterations it holds, unchanged where
 * there is none. Errors: as Grid_restore; GrB_INVALID_VALUE (the folder belongs to another computation).
 * Collective. */
GrB_Info grid_checkpoint_resume(uint64_t *done, const checkpoint_key *c, const Grid_Checkpoint_Item *state,
                                int n);
/* Refuses a checkpoint of more iterations than this call may make (GrB_INVALID_VALUE). Collective. */
GrB_Info grid_checkpoint_check_limit(const checkpoint_key *c, uint64_t done, uint64_t limit);
/* Writes a checkpoint after `done` iterations where one is due. Collective. */
GrB_Info grid_checkpoint_iteration(uint64_t done, const checkpoint_key *c, const Grid_Checkpoint_Item *state,
                                   int n);
#endif
