/* The devices of several contexts: the number of a context's GPU, and copies of its objects for another
 * context. */
#ifndef GRID_CONTEXT_DEVICE_H
#define GRID_CONTEXT_DEVICE_H
#include "spmat/device/device.h"

int grid_device_number(void); /* of the GPU of the context in use; -1: none is open */

/* A copy is made in a call of the context of the original. If both contexts use one GPU, the blocks that are
 * allocated between begin and end count for the other context, which owns them after the end. */
struct grid_device_account;
typedef struct {
  struct grid_device_account *account;
  int number; /* of the GPU; -1: the copy must lie on the host */
} grid_device_recipient;
grid_device_recipient grid_device_as_recipient(void);             /* the context in use */
bool grid_device_begin_transfer(const grid_device_recipient *to); /* false: the copy must lie on the host */
GrB_Info grid_device_end_transfer(void);                          /* the work on the copy is complete */
#endif
