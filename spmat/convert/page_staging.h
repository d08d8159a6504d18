/* Locked host memory through which decoded pages of a file go to the device's slots (lmat_pages.h): one is
 * written while others are being sent and multiplied. */
#ifndef GRID_PAGE_STAGING_H
#define GRID_PAGE_STAGING_H
#include "spmat/convert/lmat_pages.h"

typedef struct grid_page_staging {
  char *buffer[GRID_PAGE_SLOTS];
  uint64_t bytes[GRID_PAGE_SLOTS];
  uint64_t turn; /* portions sent so far: the next one goes to slot `turn` modulo their number */
} grid_page_staging;

/* Makes buffer `slot`, from which nothing is being sent, hold at least so many bytes. GRID_UNSUPPORTED: there
 * is no such memory, and the product is for the CPU. */
GrB_Info grid_page_staging_reserve(grid_page_staging *s, int slot, uint64_t bytes);
void grid_page_staging_free(grid_page_staging *s);
#endif
