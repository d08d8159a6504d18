/* The table of what a second backend can do beside the CPU, and the one that is in use. Its rows are declared
 * in the rooms whose objects they work on; spmat/backend.h includes them all. A row is NULL, or answers
 * GRID_UNSUPPORTED, where the backend lacks something: then the CPU does it (docs/design.md, "Backends"). */
#ifndef GRID_SPMAT_DEVICE_BACKEND_H
#define GRID_SPMAT_DEVICE_BACKEND_H
#include "spmat/device/device.h"

/* The device's memory (spmat/device/device.h). */
typedef struct grid_device_memory {
  GrB_Info (*open)(int which, bool sharing);
  void (*close)(void);
  GrB_Info (*describe)(grid_device_facts *f);
  void *(*alloc)(uint64_t bytes);
  void (*release)(void *p, uint64_t bytes);
  /* kind 0: host to device, 1: device to host (waits), 2: device to device */
  GrB_Info (*copy)(void *to, const void *from, uint64_t bytes, int kind);
  GrB_Info (*zero)(void *p, uint64_t bytes);
  GrB_Info (*wait)(void);
  GrB_Info (*use_side_stream)(bool begin);
  GrB_Info (*wait_aside)(void);
  void (*watch)(GrB_Info (*check)(void));
} grid_device_memory;

/* Ranges and points in time, by name, for a profiler of the device's that watches the program (NVTX). */
typedef struct grid_device_marks {
  void (*begin)(const char *name);
  void (*end)(void); /* of the innermost range */
  void (*mark)(const char *name);
} grid_device_marks;

struct grid_job;
struct grid_materialize;

typedef struct grid_backend {
  const char *name;
  const grid_device_memory *memory;            /* NULL: host memory */
  const grid_device_marks *marks;              /* NULL: nobody could look at them */
  const struct grid_builder *builder;          /* making parts: spmat/matrix/device_build.h */
  const struct grid_device_division *division; /* splitting off delegates: spmat/matrix/split_by_delegates.h */
  const struct grid_device_chunks *chunks;     /* spmat/vector/backend.h */
  const struct grid_device_vectors *vectors;   /* spmat/vector/backend.h */
  const struct grid_device_lists *lists;       /* spmat/vector/backend.h */
  const struct grid_device_sparse_exchange
      *sparse_exchange;                        /* few entries between GPUs: spmat/vector/peer_exchange.h */
  const struct grid_device_lmat_ops *lmat_ops; /* spmat/lmat_ops.h */
  const struct grid_device_paging *paging;     /* pages from the host: spmat/convert/lmat_pages.h */
  /* products (spmat/local_product.h) */
  const struct grid_kernels *(*kernels)(const struct grid_job *job, bool structural);
  const struct grid_device_products *products;
  /* loops in lookahead (spmat/search.h); materialize does up to 8 vectors at once */
  const struct grid_search_engine *search;
  GrB_Info (*materialize)(struct grid_materialize *jobs, int n);
  const struct grid_level_kernels *levels; /* a search on several GPUs (spmat/search_level.h) */
  const struct grid_windows *windows;      /* memory that other processes see (spmat/window.h) */
  /* to = the bitwise or of `copies` arrays of n words that lie one behind the other */
  GrB_Info (*or_words)(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies);
} grid_backend;

/* The CUDA backend, once GrB_init has registered it; NULL before, and in a build without CUDA. */
extern const grid_backend *grid_cuda;
void grid_backend_register(const grid_backend *b);
#endif
