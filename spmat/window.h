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

/* Short messages between windows, in one kernel of GRID_MAIL_BLOCKS blocks: each block writes its slice of
 * what goes to another into that one's box, and then its flag beside it; waits for its flags here; and takes
 * its slices out of the boxes. A box holds GRID_MAIL_PIECES pieces of GRID_MAIL_MOST bytes at most. */
enum { GRID_MAIL_BLOCKS = 32, GRID_MAIL_PIECES = 4, GRID_MAIL_MOST = 1 << 19 };
enum { GRID_MAIL_BOX = GRID_MAIL_PIECES * GRID_MAIL_MOST };

typedef struct {
  char *box, *own_box;       /* for them, in their window; from them, in the own one */
  uint32_t *flag, *own_flag; /* GRID_MAIL_BLOCKS of each */
  struct {
    const void *from; /* device memory */
    void *to;
    uint32_t out, in; /* bytes */
  } piece[GRID_MAIL_PIECES];
} grid_mail_peer;

typedef struct {
  uint32_t turn; /* not 0: what the flags become. A flag and a box are written again in the second turn from
                    here, so in each of them everybody writes to everybody, if only a flag */
  int peers, pieces;
  grid_mail_peer peer[GRID_WINDOWS - 1];
} grid_mail;

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
  /* In stream order. */
  GrB_Info (*mail)(const grid_mail *m);
  /* Nobody will answer any more: mail that waits ends, without its contents. */
  void (*stop)(void);
} grid_windows;
#endif
