/* Barriers of several processes' GPUs, in windows (spmat/window.h) on each other's memory. */
#ifndef GRID_DEVICE_BARRIER_H
#define GRID_DEVICE_BARRIER_H
#include <stdint.h>

/* As many processes may look into each other's. */
#define GRID_WINDOWS 16

/* One kernel on each GPU of a set of processes writes what it has for the others into slots of their windows,
 * and then a flag to each; it waits for their flags, and takes what has come out of the slots of its own
 * window. Flags and slots are used in turns, and everybody writes to everybody in each: who writes
 * into a slot for the second time has been told that the first contents were read. */
enum { GRID_SLOT_BYTES = 1 << 19 }; /* bytes of a slot */
/* What is longer goes over a receive buffer, of which a window has one for each other process, whatever the
 * set and the turn: who writes there has met the reader, in a turn of its own, which has read what lay there
 * before. */
#define GRID_RECV_BUFFER_MAX (UINT64_C(1) << 30) /* bytes */

typedef struct {
  char *window[GRID_WINDOWS]; /* of the set's processes, by rank, as this GPU sees them */
  uint64_t flags[2];          /* in a window: one of 8 bytes for each sender, in even and odd turns */
  uint64_t slots[2];          /* ... and a slot */
  uint64_t recv_buffers,
      recv_bytes;      /* receive buffers begin there, of so many bytes each; 0: there are none */
  uint32_t turn;       /* the barrier's, or the first one of a kernel that meets more than once */
  uint32_t size, rank; /* of the set; this process's rank there */
} grid_device_barrier;
#endif
