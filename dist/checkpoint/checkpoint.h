/* Checkpoints: what the files of this module share (docs/design.md, "Checkpoints"). */
#ifndef GRID_CHECKPOINT_H
#define GRID_CHECKPOINT_H
#include "dist/checkpoint/checkpoint_file.h"
#include "dist/object/objects.h"

/* Arguments of a collective call, which all processes know alike. */
GrB_Info grid_checkpoint_check(const char *folder, const Grid_Checkpoint_Item *items, uint64_t n,
                               const char *call);

/* ---- the folder (checkpoint_directory.c); local, on process 0 ---- */

/* The steps of which all parts are there, newest first (grid_free it); *newest: of any part. No folder: none.
 */
typedef struct {
  uint64_t step;
  int processes;
} grid_checkpoint_step;
GrB_Info grid_checkpoint_list_steps(grid_checkpoint_step **steps, uint64_t *n, uint64_t *newest,
                                    const char *folder, const char *call);
/* Makes it, unless it is there. */
GrB_Info grid_checkpoint_make_folder(const char *folder, const char *call);
/* Removes what a crash has left half written; while nobody writes. */
void grid_checkpoint_remove_partial(const char *folder);
/* Removes this process's share of the steps before `step`; at any time. */
void grid_checkpoint_remove_before(const char *folder, uint64_t step);

/* ---- the write that goes on (checkpoint_write.c) ---- */

/* Waits for it and tells how it ended. Collective, agreed on; nothing happens where there is none. */
GrB_Info grid_checkpoint_wait(const char *call);
/* The computation of this mark goes on: its checkpoints in `folder` are of step `next` and later. */
void grid_checkpoint_continue(const char *folder, uint64_t run, uint64_t next);
/* The library ends: waits for the write. Local. */
void grid_checkpoint_close(void);
#endif
