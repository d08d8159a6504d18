/* Decoding of pages on the device, for the table grid_device_paging (spmat/convert/lmat_pages.h). */
#ifndef GRID_CUDA_PAGE_DECODE_H
#define GRID_CUDA_PAGE_DECODE_H
#include "spmat/convert/lmat_pages.h"

/* unpack, decode_rows and count_edges of grid_device_paging. */
GrB_Info grid_cuda_page_decode(const grid_device_page *p);
GrB_Info grid_cuda_coded_rows_decode(const grid_device_coded_rows *p);
GrB_Info grid_cuda_page_edges_count(uint32_t *count, const uint64_t *bits, bool complement,
                                    const uint64_t *any, const uint32_t *bounds, uint64_t n);
#endif
