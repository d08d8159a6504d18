/* The live blocks of device memory of all contexts of the process, by address. Threads of all contexts use
 * them at the same time. */
#ifndef GRID_DEVICE_BLOCKS_H
#define GRID_DEVICE_BLOCKS_H
#include <stdbool.h>
#include <stdint.h>

/* The bytes that a context has on its device, now and at most. */
typedef struct grid_device_account {
  _Atomic uint64_t bytes, peak;
} grid_device_account;

void grid_account_add(grid_device_account *a, int64_t bytes);
void grid_account_reset_peak(grid_device_account *a);

/* Adds a block with one owner, which counts for a. False: no host memory. */
bool grid_block_add(grid_device_account *a, void *p, uint64_t bytes);
/* One more owner of a live block. */
void grid_block_add_owner(const void *p);
bool grid_block_has_owners(const void *p); /* two or more; false also if p is no live block */
/* Ends an owner's use. *account: for which the block counted, or NULL. Returns the bytes to release; 0: there
 * are other owners, or p is no live block. */
uint64_t grid_block_end_owner(const void *p, const grid_device_account **account);
/* The blocks that count for a count for no context from now on. */
void grid_blocks_detach(grid_device_account *a);
int64_t grid_blocks_live(void);
#endif
