/* The way of a block's pages through the device, for one product (streamed_product.c). */
#ifndef GRID_STREAMED_TRANSFER_H
#define GRID_STREAMED_TRANSFER_H
#include "dist/product/dist_product.h"
#include "spmat/convert/lmat_pages.h"

/* The device's turn at a page. slot: where that was sent, or one of */
enum { GRID_TURN_CACHED = -1, GRID_PAGE_SKIPPED = -2 };
typedef struct {
  uint32_t at; /* in `need` */
  int slot;
  bool is_shared; /* it is the device's turn though `at` is the CPU's */
} grid_page_slot;

typedef struct {
  grid_product *p;
  const grid_input *in;
  const grid_kernel_mask *mask;
  grid_index_map where;
  grid_output *y;
  grid_host_pages *g;
  const grid_compressed *m; /* what the pages are of, on the host */
  uint32_t *need; /* the pages that are needed, ascending: the first n the device's, then the CPU's */
  uint64_t n, all;
  uint64_t limit; /* the vectors from here on are not the device's */
  /* the order in which the device takes them; how many turns have been looked at ahead, and are over */
  grid_page_slot *queue;
  uint64_t in_queue, prefetched, done;
  /* where pages that the device has not arrive, in turn; how many were sent, and are done with */
  void *slot[GRID_PAGE_SLOTS];
  uint64_t sent, used;
  /* what a page becomes */
  grid_compressed rows;
  uint32_t *row_start, *vector;
} grid_page_stream;

/* Does the kernel look at vectors' firsts? Then most of them are settled by these. */
static inline bool grid_has_early_exit(const grid_product *p) {
  return p->choice.pull && (p->values.structural || p->s->add->any);
}
/* Room for the pages on the device, and their order; nothing has been sent yet. To be closed, also after an
 * error. */
GrB_Info grid_stream_open(grid_page_stream *x);
/* The device is asked for pages until so many of them wait there, or all of its own are. */
GrB_Info grid_stream_prefetch(grid_page_stream *x, uint64_t waiting);
/* It has no vectors from `limit` on; pages behind the first n that hold entries of others are its own, too.
 */
void grid_stream_set_limit(grid_page_stream *x, uint64_t limit);
void grid_stream_close(grid_page_stream *x);
#endif
