/* An iteration that goes on where its last checkpoint was (Grid_checkpoint_set_interval). Nothing happens
 * where no folder has been named. */
#ifndef GRID_RESUME_H
#define GRID_RESUME_H
#include "algos/algos.h"

enum { CHECKPOINT_KEY_WORDS = 8, CHECKPOINT_MOST_ENTRIES = 4 };

/* What makes a computation that one: its name, and numbers that it was given. */
typedef struct {
  char name[32];
  uint64_t key[CHECKPOINT_KEY_WORDS];
} checkpoint_key;

/* c becomes the computation `name` on A, of n rows; more keys: 3 .. CHECKPOINT_KEY_WORDS - 1. Collective. */
GrB_Info grid_checkpoint_key_make(checkpoint_key *c, const char *name, GrB_Matrix A, GrB_Index n);
/* The bits of a number that is no integer, for a key. */
uint64_t grid_key_of(double x);

/* Fills state[0..n), n <= CHECKPOINT_MOST_ENTRIES - 1, from the newest checkpoint and says how many
 * iterations were done; *done is untouched where there is none. Errors: as Grid_restore; GrB_INVALID_VALUE
 * (the folder is another computation's). Collective. */
GrB_Info grid_checkpoint_resume(uint64_t *done, const checkpoint_key *c, const Grid_Checkpoint_Item *state,
                                int n);
/* `done` iterations are done: a checkpoint if it is time for one. Collective. */
GrB_Info grid_checkpoint_iteration(uint64_t done, const checkpoint_key *c, const Grid_Checkpoint_Item *state,
                                   int n);
#endif
