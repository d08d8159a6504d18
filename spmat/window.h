/* A window: memory of this process's GPU that the GPUs of the machine's other processes read and write as
 * their own, atomics too, over NVLink (CUDA's memory between processes). dist/grid/window.c opens one for
 * every process. */
#ifndef GRID_WINDOW_H
#define GRID_WINDOW_H
#include "semiring/semiring.h"

/* As many processes may look into each other's. */
#define GRID_WINDOWS 16
/* A window is at least so large. */
#define GRID_WINDOW_LEAST (UINT64_C(2) << 20)

/* What another process opens a window by. */
typedef struct {
  char bytes[64], bus[32]; /* the memory, and where its GPU is */
} grid_window_name;

/* Meetings: one kernel on each GPU of a set of processes writes what it has for the others into boxes of
 * their windows, and then a note to each; it waits for their notes, and takes what has come out of the boxes
 * of its own window. Notes and boxes are used in turns, and everybody writes to everybody in each: who writes
 * into a box for the second time has been told that the first contents were read. */
enum { GRID_BOX = 1 << 19 }; /* bytes of a box */
/* What is longer goes over a tray, of which a window has one for each other process, whatever the set and the
 * turn: who writes there has met the reader, in a turn of its own, which has read what lay there before. */
#define GRID_TRAY_MOST (UINT64_C(1) << 30) /* bytes */

typedef struct {
  char *window[GRID_WINDOWS]; /* of the set's processes, by rank, as this GPU sees them */
  uint64_t notes[2];          /* in a window: one of 8 bytes for each sender, in even and odd turns */
  uint64_t boxes[2];          /* ... and a box */
  uint64_t trays, tray;       /* trays begin there, of so many bytes each; 0: there are none */
  uint32_t turn;              /* the meeting's, or the first one of a kernel that meets more than once */
  uint32_t size, me;          /* of the set; this process's rank there */
} grid_meeting;

typedef struct grid_windows {
  /* Of `bytes`, all 0. Counted as held by this process, not as one of its blocks. GRID_NOT_HERE: this GPU's
   * memory cannot be seen by others. */
  GrB_Info (*make)(void **window, uint64_t bytes, grid_window_name *name);
  void (*free)(void *window);
  /* Another process's, as this GPU sees it. GRID_NOT_HERE: it cannot see it. */
  GrB_Info (*open)(void **window, const grid_window_name *name);
  void (*close)(void *window);
  /* Links that nobody uses fall asleep, and each takes 0.1 ms to wake when it is first used. This has all of
   * those to the other `count` - 1 GPUs wake at once, while this one goes on. */
  GrB_Info (*wake)(void *const *windows, int count);
  /* Nobody will answer any more: who waits for a note goes on without what should have come. */
  void (*stop)(void);
} grid_windows;
#endif
