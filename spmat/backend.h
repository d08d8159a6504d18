/* The table of backends: what a backend can do with blocks, chunks and products. A row is NULL, or answers
 * GRID_NOT_HERE, where the backend lacks something: then the CPU does it (docs/design.md, "Backends"). */
#ifndef GRID_BACKEND_H
#define GRID_BACKEND_H
#include "spmat/chunk_write.h"
#include "spmat/cpu/vec.h"
#include "spmat/device.h"
#include "spmat/level.h"
#include "spmat/product.h"
#include "spmat/search.h"

/* The device's own rows: its memory. */
typedef struct {
  GrB_Info (*open)(int which, bool sharing);
  void (*close)(void);
  GrB_Info (*describe)(grid_device_facts *f);
  void *(*alloc)(uint64_t bytes);
  void (*release)(void *p, uint64_t bytes);
  /* kind 0: host to device, 1: device to host (waits), 2: device to device */
  GrB_Info (*copy)(void *to, const void *from, uint64_t bytes, int kind);
  GrB_Info (*zero)(void *p, uint64_t bytes);
  GrB_Info (*wait)(void);
  void (*watch)(GrB_Info (*check)(void));
} grid_device_memory;

struct grid_backend {
  const char *name;
  const grid_device_memory *memory; /* NULL: host memory */
  /* products (spmat/product.h) */
  const grid_kernels *(*kernels)(const grid_job *job, bool structural);
  /* loops that run ahead (spmat/search.h); settle does up to 8 vectors at once */
  const grid_search_engine *search;
  GrB_Info (*settle)(grid_settle *jobs, int n);
  const grid_level_kernels *levels; /* a search on several GPUs (spmat/level.h) */
  /* to = the bitwise or of `copies` arrays of n words that lie one behind the other */
  GrB_Info (*or_words)(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies);
};
/* NULL in a build without CUDA. */
extern const grid_backend *const grid_cuda;

#endif
