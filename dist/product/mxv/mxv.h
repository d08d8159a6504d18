/* What the files of GrB_mxv share: mxv.c, its form where all is on one device (mxv_device.c), and on several
 * (mxv_device_grid.c). */
#ifndef GRID_MXV_H
#define GRID_MXV_H
#include "dist/product/dist_product.h"

/* mxv_device.c: p->where, where the product of u may be done, the same on all processes; the fallbacks are
 * reported. */
GrB_Info grid_product_choose_where(grid_product *p, GrB_Type u);
/* All on the device: brings block and u there, and sets p->x. */
GrB_Info grid_product_to_device(grid_product *p, const grid_chunk *u);
/* ... entries that meet x, outputs that the mask allows, those of them with entries. */
GrB_Info grid_product_count_device(const grid_product *p, uint64_t *edges, uint64_t *allowed,
                                   uint64_t *nonempty_count);
/* ... the product, from expand to fold. GRID_UNSUPPORTED: it must be done on the host after all. */
GrB_Info grid_product_multiply_device(grid_product *p, grid_chunk *t);
/* mxv_device_grid.c: the same on several processes, with messages between device memories. */
bool grid_product_fits_grid(const grid_product *p);
GrB_Info grid_product_count_grid(const grid_product *p, uint64_t *edges, uint64_t *allowed,
                                 uint64_t *nonempty_count);
GrB_Info grid_product_multiply_grid(grid_product *p, grid_chunk *t);
/* mxv_prefetch.c: all decisions that follow from p->n. Local, the same on every process. */
void grid_product_decide(grid_product *p);
/* How a payload can travel with numbers. Collective. */
void grid_payload_begin(const grid_product *p, grid_prefetched *c);
/* x's, this process's chunk, as p asks for if `predicted` are the sums, of which there are n. Is there
 * anything in A's workspace? Local; what is sent is counted in p's statistics. */
bool grid_payload_write(grid_product *p, const grid_chunk *x, const grid_counts *predicted, size_t n,
                        grid_prefetched *c);
/* grid_agree_sum of n numbers, the last of which is c's own, with a payload if it has been written.
 * Collective, agreed on. */
GrB_Info grid_payload_agree(grid_product *p, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                            bool written, grid_prefetched *c);
/* All is decided: which of p->came does p use? Local, the same on every process. */
void grid_payload_use(grid_product *p);
#endif
