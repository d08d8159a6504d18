/* Checkpoints: the module's internal interface (docs/how/errors.md).
 *
 * Process p of P writes its part of step K to the file step-K.part-p-of-P: under another name, synced, then
 * renamed. A step counts if all of its parts are there, so nothing is agreed on while the program computes.
 * Older steps are removed by the writes of the next step, or by the next checkpoint call. All parts of a run
 * hold a random number drawn at its first checkpoint, which a restored run takes over; a folder with later
 * steps of another run is refused, and so is one that another run has locked. */
#ifndef GRID_CHECKPOINT_H
#define GRID_CHECKPOINT_H
#include <sys/types.h>

#include "dist/checkpoint/checkpoint_file.h"
#include "dist/object/objects.h"

/* Checks the arguments of a collective call, which must be the same on all processes. Agreed on. */
GrB_Info grid_checkpoint_check(const char *folder, uint64_t step, const Grid_Checkpoint_Item *items,
                               uint64_t n, const char *call);

/* ---- the directory (checkpoint_directory.c); local, on process 0 ---- */

/* Lists the complete steps, newest first (grid_free *steps); *newest: the newest step of any file. No
 * directory: none. */
typedef struct {
  uint64_t step;
  int processes;
} grid_checkpoint_step;
GrB_Info grid_checkpoint_list_steps(grid_checkpoint_step **steps, uint64_t *n, uint64_t *newest,
                                    const char *folder, const char *call);
/* Creates the directory unless it exists. */
GrB_Info grid_checkpoint_make_folder(const char *folder, const char *call);
/* Removes partially written files of a crashed run; no process may be writing. */
void grid_checkpoint_remove_partial(const char *folder);
/* Removes this process's share of the files of steps before `step`; at any time. */
void grid_checkpoint_remove_before(const char *folder, uint64_t step);

/* ---- the lock of a folder (checkpoint_lock.c); local, on process 0 ---- */

typedef struct {
  int file;
  pid_t pid; /* of the process that has it; 0: no lock */
} grid_checkpoint_lock;
/* Locks the folder until this process ends. GrB_INVALID_VALUE: another run, of this process or another one on
 * any machine, has it; the message names its process. No lock and no error where there is no such folder, or
 * its file system has no locks. */
GrB_Info grid_checkpoint_lock_folder(grid_checkpoint_lock *lock, const char *folder, const char *call);
/* Is it this process's lock of this folder? A forked child has none. */
bool grid_checkpoint_is_locked(const grid_checkpoint_lock *lock, const char *folder);
void grid_checkpoint_unlock(grid_checkpoint_lock *lock, const char *folder);

/* ---- the write in progress (checkpoint_write.c) ---- */

/* Waits for the write in progress and returns its outcome. Collective, agreed on; does nothing if there is
 * none. */
GrB_Info grid_checkpoint_wait(const char *call);
/* Locks the folder that the next grid_checkpoint_continue names, unless this run has it. Collective, agreed
 * on. */
GrB_Info grid_checkpoint_begin(const char *folder, const char *call);
/* Unlocks it where that call does not come. Local. */
void grid_checkpoint_abandon(const char *folder);
/* Continues run `run`: its checkpoints in `folder` have step `next` or later. */
void grid_checkpoint_continue(const char *folder, uint64_t run, uint64_t next);
/* At GrB_finalize: waits for the write. Local. */
void grid_checkpoint_close(void);
/* Waits until the last write has ended. Local. */
void grid_checkpoint_finish_write(void);
/* In a forked child: the run is its parent's alone. Local. */
void grid_checkpoint_forget(void);
#endif
