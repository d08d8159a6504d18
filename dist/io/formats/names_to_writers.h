/* The names of a page file's vertices travel to the processes that write them. */
#ifndef GRID_NAMES_TO_WRITERS_H
#define GRID_NAMES_TO_WRITERS_H
#include "dist/outofcore/pages/page_file_header.h"

/* local: `held` names, from the first-th of the file on; processes hold them in their order. *name, to be
 * freed, gets the n of them that this process writes (grid_names_share). Collective, agreed on. */
GrB_Info grid_names_to_writers(uint64_t **name, uint64_t *n, const uint64_t *local, uint64_t first,
                               uint64_t held, const grid_pages_head *h);
#endif
