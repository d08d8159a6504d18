/* Sends the pages of a block to the device and multiplies them, for one product (streamed_product.c). */
#ifndef GRID_STREAMED_TRANSFER_H
#define GRID_STREAMED_TRANSFER_H
#include "dist/product/dist_product.h"
#include "spmat/convert/lmat_pages.h"

/* A turn: a page that the device multiplies. slot: to which the page was sent, or one of */
enum { GRID_TURN_CACHED = -1, GRID_TURN_SKIPPED = -2 };
typedef struct {
  uint32_t at; /* in `need` */
  int slot;
  bool is_shared; /* a page of the CPU's that holds entries of the device's rows, too */
} grid_page_slot;

typedef struct {
  grid_product *p;
  const grid_input *in;
  const grid_kernel_mask *mask;
  grid_index_map where;
  grid_output *y;
  grid_host_pages *g;
  const grid_compressed *m; /* the orientation that the pages hold, on the host */
  uint32_t *need;           /* the needed pages, ascending: n of the device, then those of the CPU */
  uint64_t n, all;
  uint64_t limit; /* rows from here on are the CPU's */
  /* the turns; how many there are, are prepared, and are over */
  grid_page_slot *queue;
  uint64_t in_queue, prefetched, done;
  /* memory for pages that are sent, used round-robin; how many pages were sent, and were multiplied */
  void *slot[GRID_PAGE_SLOTS];
  uint64_t sent, used;
  /* an unpacked page */
  grid_compressed rows;
  uint32_t *row_start, *vector;
} grid_page_stream;

/* Does the kernel try hub neighbors first? Then most rows have a hit there. */
static inline bool grid_has_early_exit(const grid_product *p) {
  return p->choice.pull && (p->values.structural || p->s->add->any);
}
/* Allocates memory on the device and orders the pages. The caller closes the stream, also after an error. */
GrB_Info grid_stream_open(grid_page_stream *x);
/* Queues pages until `waiting` of them are pending on the device, or all of its pages have been queued. */
GrB_Info grid_stream_prefetch(grid_page_stream *x, uint64_t waiting);
/* Gives the rows from `limit` on to the CPU. Pages after the first n that hold entries of rows below it
 * remain the device's, too. */
void grid_stream_set_limit(grid_page_stream *x, uint64_t limit);
void grid_stream_close(grid_page_stream *x);
#endif
