/* Windows: memory of this process's GPU that GPUs of the machine's other processes access as their own,
 * including atomics, over NVLink (CUDA IPC). dist/comm/peer_windows.c opens one for every process. */
#ifndef GRID_WINDOW_H
#define GRID_WINDOW_H
#include "semiring/semiring.h"
#include "spmat/device/device_barrier.h"

/* Smallest size of a window. */
#define GRID_WINDOW_MIN (UINT64_C(2) << 20)

/* What another process needs to open a window. */
typedef struct {
  char bytes[64], bus[32]; /* handle of the memory, and PCI bus of its GPU */
} grid_window_name;

typedef struct grid_windows {
  /* Allocates `bytes` zeroed bytes. They are counted as held by this process, not as one of its blocks.
   * GRID_UNSUPPORTED: others cannot map this GPU's memory. */
  GrB_Info (*make)(void **window, uint64_t bytes, grid_window_name *name);
  void (*free)(void *window);
  /* Maps another process's window for this GPU. GRID_UNSUPPORTED: impossible. */
  GrB_Info (*open)(void **window, const grid_window_name *name);
  void (*close)(void *window);
  /* Idle links power down, and each takes 0.1 ms to wake at its first use. This wakes the links to the other
   * `count` - 1 GPUs all at once. wait: returns when they are awake. */
  GrB_Info (*wake)(void *const *windows, int count, bool wait);
  /* No peer will answer any more: kernels that wait for a flag continue without the data. */
  void (*stop)(void);
} grid_windows;
#endif
