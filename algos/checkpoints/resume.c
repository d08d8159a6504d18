/* See resume.h. */
#include "algos/checkpoints/resume.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 3900 }; /* capacity for a folder's name */
static struct {
  char folder[LONGEST + 1]; /* empty: no checkpoints */
  uint64_t every;
  uint64_t computation_id; /* a hash of the text that identifies the computation */
} periodic;
/* Of a thread's algorithms, which may run beside those of others. */
static _Thread_local struct {
  uint64_t resumed;
  int suspended; /* algorithms that run as a step of another, one inside the other */
} calls;

uint64_t Grid_checkpoint_resumed(void) {
  return calls.resumed;
}

bool grid_checkpoint_is_set(void) {
  return periodic.folder[0] != '\0' && !calls.suspended;
}

bool grid_checkpoint_is_due(uint64_t done) {
  return grid_checkpoint_is_set() && done % periodic.every == 0;
}

void grid_checkpoint_suspend(bool on) {
  calls.suspended += on ? 1 : -1;
}

/* FNV-1a. */
uint64_t grid_key_of_bytes(const void *bytes, size_t size) {
  const unsigned char *byte = bytes;
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t k = 0; k < size; k++) h = (h ^ byte[k]) * UINT64_C(0x100000001b3);
  return h;
}

uint64_t grid_key_of_indices(const GrB_Index *index, GrB_Index count) {
  return index == NULL ? 0 : grid_key_of_bytes(index, count * sizeof *index);
}

GrB_Info Grid_checkpoint_set_interval(const char *folder, uint64_t every, const char *computation_id) {
  if (folder != NULL && (folder[0] == '\0' || strlen(folder) > LONGEST || every == 0))
    return grid_refuse(
        GrB_INVALID_VALUE, "Grid_checkpoint_set_interval",
        every == 0 ? "every is 0, not 1 or more" : "the folder's name is empty, or longer than %d bytes",
        LONGEST);
  periodic.folder[0] = '\0';
  periodic.every = every;
  periodic.computation_id =
      grid_key_of_bytes(computation_id, computation_id == NULL ? 0 : strlen(computation_id));
  if (folder != NULL) memcpy(periodic.folder, folder, strlen(folder) + 1);
  return GrB_SUCCESS;
}

uint64_t grid_key_of(double x) {
  uint64_t key;
  memcpy(&key, &x, sizeof key);
  return key;
}

GrB_Info grid_checkpoint_key_make(checkpoint_key *c, const char *name, GrB_Matrix A, GrB_Index n) {
  memset(c, 0, sizeof *c);
  if (!calls.suspended) calls.resumed = 0;
  if (!grid_checkpoint_is_set()) return GrB_SUCCESS;
  snprintf(c->name, sizeof c->name, "%s", name);
  c->key[0] = n, c->key[1] = periodic.computation_id;
  return GrB_Matrix_nvals(&c->key[2], A);
}

/* *all becomes the key of a computation and its state, to be freed by the caller. */
static GrB_Info add_key(Grid_Checkpoint_Item **all, checkpoint_key *c, const Grid_Checkpoint_Item *state,
                        int n) {
  *all = malloc(((size_t)n + 1) * sizeof **all);
  if (*all != NULL) {
    (*all)[0] = (Grid_Checkpoint_Item){.name = "computation", .bytes = c, .size = sizeof *c};
    if (n > 0) memcpy(*all + 1, state, (size_t)n * sizeof *state);
  }
  return Grid_agree(*all == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the list of a checkpoint");
}

static GrB_Info check_key(const checkpoint_key *owner, const checkpoint_key *c) {
  char text[LONGEST + 200];
  if (memcmp(owner, c, sizeof *c) == 0) return GrB_SUCCESS;
  snprintf(
      text, sizeof text,
      "%s: the checkpoints in %s are of another computation (%.31s%s): remove them, or name another folder",
      c->name, periodic.folder, owner->name,
      strcmp(owner->name, c->name) != 0 ? "" : " of another graph or with other options");
  return Grid_agree(GrB_INVALID_VALUE, text);
}

GrB_Info grid_checkpoint_resume(uint64_t *done, const checkpoint_key *c, const Grid_Checkpoint_Item *state,
                                int n) {
  GrB_Info info;
  Grid_Checkpoint_Item *all = NULL;
  checkpoint_key owner;
  uint64_t step;
  if (!grid_checkpoint_is_set()) return GrB_SUCCESS;
  TRY(add_key(&all, &owner, state, n));
  TRY(Grid_restore(periodic.folder, &step, all, 1));
  TRY(check_key(&owner, c));
  TRY(Grid_restore(periodic.folder, &step, all, (uint64_t)n + 1));
  *done = calls.resumed = step;
out:
  free(all);
  return info == GrB_NO_VALUE ? GrB_SUCCESS : info;
}

GrB_Info grid_checkpoint_check_limit(const checkpoint_key *c, uint64_t done, uint64_t limit) {
  char text[LONGEST + 200];
  if (done <= limit) return GrB_SUCCESS;
  snprintf(text, sizeof text,
           "%s: the checkpoints in %s have %" PRIu64 " iterations, more than the %" PRIu64
           " wanted: remove them, or name another folder",
           c->name, periodic.folder, done, limit);
  return Grid_agree(GrB_INVALID_VALUE, text);
}

GrB_Info grid_checkpoint_iteration(uint64_t done, const checkpoint_key *c, const Grid_Checkpoint_Item *state,
                                   int n) {
  GrB_Info info;
  Grid_Checkpoint_Item *all = NULL;
  checkpoint_key owner = *c;
  if (!grid_checkpoint_is_due(done)) return GrB_SUCCESS;
  TRY(add_key(&all, &owner, state, n));
  TRY(Grid_checkpoint(periodic.folder, done, all, (uint64_t)n + 1));
out:
  free(all);
  return info;
}
