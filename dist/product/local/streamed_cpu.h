/* The CPU's part of a pull over a block whose pages the device fetches (streamed_product.c): the rows behind
 * those that the device is given. The block lies on the host as it is, so the kernels are those of any part;
 * x and mask are fetched from the device, and what was found is brought there, where nobody else writes. */
#ifndef GRID_STREAMED_CPU_H
#define GRID_STREAMED_CPU_H
#include "dist/product/dist_product.h"
#include "spmat/convert/lmat_pages.h"

typedef struct {
  grid_product *p;
  grid_host_pages *g;
  const grid_output *y;
  const grid_compressed *m; /* the orientation that the pages are of, on the host */
  grid_job job;             /* all of it, on the host */
  uint64_t from, to;        /* its rows */
} grid_pages_cpu;

/* May the CPU take part in this product at all? By kinds and types alone. */
bool grid_pages_cpu_can_run(const grid_product *p, const grid_compressed *m);
/* x and mask are on their way: after begin() of the device's paging. */
GrB_Info grid_pages_cpu_begin(grid_pages_cpu *c, grid_product *p, grid_host_pages *g,
                              const grid_compressed *m, const grid_input *in, const grid_kernel_mask *mask,
                              grid_index_map where, const grid_output *y);
/* The first row, a multiple of 64, all of whose entries, and those of all rows behind it, are in pages k and
 * following. */
uint64_t grid_pages_cpu_first_row(const grid_pages_cpu *c, uint64_t k);
/* They have come. To be called once what was begun is over, at the latest. */
GrB_Info grid_pages_cpu_wait(void);
/* Rows from `from` on, all that there are; meanwhile look(with) is called now and then. */
GrB_Info grid_pages_cpu_collect(grid_pages_cpu *c, uint64_t from, void (*poll)(void *with), void *with);
/* What was found goes to the device. */
GrB_Info grid_pages_cpu_upload(const grid_pages_cpu *c);
#endif
