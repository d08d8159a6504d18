/* Meetings of several processes' GPUs, in windows (spmat/window.h) on each other's memory. */
#ifndef GRID_MEETING_H
#define GRID_MEETING_H
#include <stdint.h>

/* As many processes may look into each other's. */
#define GRID_WINDOWS 16

/* One kernel on each GPU of a set of processes writes what it has for the others into boxes of their windows,
 * and then a note to each; it waits for their notes, and takes what has come out of the boxes of its own
 * window. Notes and boxes are used in turns, and everybody writes to everybody in each: who writes
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
#endif
