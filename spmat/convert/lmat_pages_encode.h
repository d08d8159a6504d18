/* The steps in which the pages of an orientation are made (lmat_pages.h). Local. */
#ifndef GRID_LMAT_PAGES_ENCODE_H
#define GRID_LMAT_PAGES_ENCODE_H
#include "spmat/convert/lmat_pages.h"

/* Cuts m's entries into pages of at most `page_entries`. */
GrB_Info grid_host_pages_slice(grid_host_pages *g, const grid_compressed *m, uint64_t page_entries);
/* One of two passes over all pages: counts the bytes of their codes, or writes them. */
GrB_Info grid_host_pages_encode(grid_host_pages *g, const grid_compressed *m, bool write);
/* Between them: positions of each page's bytes. */
void grid_host_pages_layout(grid_host_pages *g);
#endif
