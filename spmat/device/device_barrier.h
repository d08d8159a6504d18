/* Barriers between the GPUs of several processes, through windows (spmat/window.h) on each other's memory. */
#ifndef GRID_DEVICE_BARRIER_H
#define GRID_DEVICE_BARRIER_H
#include <stdint.h>

/* The most processes that may map each other's windows. */
#define GRID_WINDOWS 16

/* One kernel on each GPU of a set of processes writes its data for the others into slots of their windows,
 * then a flag to each. It waits for their flags, and then reads the slots of its own window. Flags and slots
 * alternate between even and odd turns, and every process writes to every other in each turn. So a slot is
 * written again only after its reader has confirmed, by its own flag, that it has read the first contents. */
enum { GRID_SLOT_BYTES = 1 << 19 }; /* bytes of a slot */
/* Longer data goes through receive buffers: a window has one for each other process, whatever the set and the
 * turn. A buffer is written only after a turn in which its reader took part, and so has read the previous
 * contents. It may be read while it is written: its sections have arrival flags, which get the turn. */
#define GRID_RECV_BUFFER_MAX (UINT64_C(1) << 30) /* bytes */
enum { GRID_ARRIVAL_FLAGS = 8192 };              /* of a receive buffer and set, 4 bytes each */

typedef struct {
  char *window[GRID_WINDOWS];        /* of the processes of the set, by rank, as mapped by this GPU */
  uint64_t flags[2];                 /* offset in a window: 8 bytes for each sender, in even and odd turns */
  uint64_t slots[2];                 /* offset of the slots, likewise */
  uint64_t recv_buffers, recv_bytes; /* offset of the receive buffers, and bytes of each; 0: none */
  uint64_t arrivals;                 /* offset of the arrival flags, by sender */
  uint32_t turn;                     /* number of the barrier, or of the first of several in one kernel */
  uint32_t size, rank;               /* of the set; this process's rank in it */
} grid_device_barrier;
#endif
