/* A window: memory of this process's GPU that the GPUs of the machine's other processes read and write as
 * their own, atomics too, over NVLink (CUDA's memory between processes). dist/comm/peer_windows.c opens one for
 * every process. */
#ifndef GRID_WINDOW_H
#define GRID_WINDOW_H
#include "semiring/semiring.h"
#include "spmat/device/device_barrier.h"

/* A window is at least so large. */
#define GRID_WINDOW_MIN (UINT64_C(2) << 20)

/* What another process opens a window by. */
typedef struct {
  char bytes[64], bus[32]; /* the memory, and where its GPU is */
} grid_window_name;

typedef struct grid_windows {
  /* Of `bytes`, all 0. Counted as held by this process, not as one of its blocks. GRID_UNSUPPORTED: this
   * GPU's memory cannot be seen by others. */
  GrB_Info (*make)(void **window, uint64_t bytes, grid_window_name *name);
  void (*free)(void *window);
  /* Another process's, as this GPU sees it. GRID_UNSUPPORTED: it cannot see it. */
  GrB_Info (*open)(void **window, const grid_window_name *name);
  void (*close)(void *window);
  /* Links that nobody uses fall asleep, and each takes 0.1 ms to wake when it is first used. This has all of
   * those to the other `count` - 1 GPUs wake at once, while this one goes on. */
  GrB_Info (*wake)(void *const *windows, int count);
  /* Nobody will answer any more: who waits for a flag goes on without what should have come. */
  void (*stop)(void);
} grid_windows;
#endif
