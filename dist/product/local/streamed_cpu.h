/* The CPU's share of a pull over a block whose pages are sent to the device (streamed_product.c): the rows
 * after those of the device. The block is on the host, so the kernels are the same as for other local
 * matrices. x and mask are fetched from the device, and the results uploaded to rows that no kernel of the
 * device writes. */
#ifndef GRID_STREAMED_CPU_H
#define GRID_STREAMED_CPU_H
#include "dist/product/dist_product.h"
#include "spmat/convert/lmat_pages.h"

typedef struct {
  grid_product *p;
  grid_host_pages *g;
  const grid_output *y;
  const grid_compressed *m; /* the orientation that the pages hold, on the host */
  grid_job job;             /* of all rows, with arrays on the host */
  uint64_t from, to;        /* the CPU's rows */
} grid_pages_cpu;

/* Can the CPU take part in this product? It depends on operators and types only. */
bool grid_pages_cpu_can_run(const grid_product *p, const grid_compressed *m);
/* Begins to fetch x and mask, after begin() of the device's paging. */
GrB_Info grid_pages_cpu_begin(grid_pages_cpu *c, grid_product *p, grid_host_pages *g,
                              const grid_compressed *m, const grid_input *in, const grid_kernel_mask *mask,
                              grid_index_map where, const grid_output *y);
/* The first row, a multiple of 64, such that its entries and those of all later rows are in page k or later
 * ones. */
uint64_t grid_pages_cpu_first_row(const grid_pages_cpu *c, uint64_t k);
/* Waits for fetches and uploads. It must be called before the product ends. */
GrB_Info grid_pages_cpu_wait(void);
/* Pulls all rows from `from` on, and calls poll(with) now and then meanwhile. */
GrB_Info grid_pages_cpu_pull(grid_pages_cpu *c, uint64_t from, void (*poll)(void *with), void *with);
/* Begins to upload the results. */
GrB_Info grid_pages_cpu_upload(const grid_pages_cpu *c);
#endif
