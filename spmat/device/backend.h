/* The table of a backend: the CPU and the CUDA device each fill one. Its rows are declared beside the objects
 * that they work on; spmat/backend.h includes them all. A row is NULL, or answers GRID_UNSUPPORTED, where the
 * device does not support something: then the CPU does it (docs/how/gpu.md). */
#ifndef GRID_SPMAT_DEVICE_BACKEND_H
#define GRID_SPMAT_DEVICE_BACKEND_H
#include "spmat/device/device.h"

/* The device's memory (spmat/device/device.h). */
typedef struct grid_device_memory {
  GrB_Info (*open)(int which, grid_gpu_choice choice, int *number); /* *number: of the GPU */
  void (*close)(void);
  GrB_Info (*describe)(grid_device_facts *f);
  void *(*alloc)(uint64_t bytes);
  void (*release)(void *p, uint64_t bytes);
  void (*release_foreign)(void *p); /* a block of another context, on any GPU; waits for all work there */
  /* kind 0: host to device, 1: device to host (waits), 2: device to device */
  GrB_Info (*copy)(void *to, const void *from, uint64_t bytes, int kind);
  GrB_Info (*zero)(void *p, uint64_t bytes);
  GrB_Info (*wait)(void);
  GrB_Info (*use_side_stream)(bool begin);
  GrB_Info (*wait_aside)(void);
  void (*watch)(GrB_Info (*check)(void));
  void (*enter_thread)(void); /* the thread's calls concern this GPU from now on; or NULL */
} grid_device_memory;

/* Named ranges and points in time for the device's profiler (NVTX). */
typedef struct grid_device_marks {
  void (*begin)(const char *name);
  void (*end)(void); /* of the innermost range */
  void (*mark)(const char *name);
} grid_device_marks;

/* The time that the device spends on the work between begin and end; its sum, for which seconds waits. */
typedef struct grid_device_timer {
  GrB_Info (*begin)(void);
  GrB_Info (*end)(void);
  GrB_Info (*seconds)(double *sum);
} grid_device_timer;

struct grid_job;
struct grid_materialize;

typedef struct grid_backend {
  const char *name;
  /* Rows that both backends have: the dispatchers spmat/vec_ops.c and spmat/lmat_ops.c choose from them. */
  const struct grid_vec_ops *vectors;   /* spmat/vec_ops.h */
  const struct grid_lmat_ops *lmat_ops; /* spmat/lmat_ops.h */
  /* products (spmat/local_product.h) */
  const struct grid_kernels *(*kernels)(const struct grid_job *job, bool structural);

  /* The device's rows; NULL on the CPU. */
  const grid_device_memory *memory;
  const grid_device_marks *marks;              /* NULL: no profiler */
  const grid_device_timer *timer;              /* NULL: no time is measured */
  const struct grid_builder *builder;          /* local matrices: spmat/matrix/device_build.h */
  const struct grid_device_division *division; /* delegates: spmat/matrix/split_by_delegates.h */
  const struct grid_device_chunks *chunks;     /* spmat/vector/backend.h */
  const struct grid_device_lists *lists;       /* spmat/vector/backend.h */
  const struct grid_device_sparse_exchange *sparse_exchange; /* between GPUs: spmat/vector/peer_exchange.h */
  const struct grid_device_paging *paging;     /* pages from the host: spmat/convert/lmat_pages.h */
  const struct grid_device_products *products; /* spmat/local_product.h */
  /* loops in lookahead (spmat/search.h); materialize handles up to 8 vectors in one call */
  const struct grid_search_engine *search;
  GrB_Info (*materialize)(struct grid_materialize *jobs, int n);
  const struct grid_level_kernels *levels; /* a search on several GPUs: spmat/search_level.h */
  const struct grid_windows *windows;      /* memory that other processes see: spmat/window.h */
  /* to = the bitwise or of `copies` consecutive arrays of n words */
  GrB_Info (*or_words)(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies);
  /* Called when the device has been opened. Does what the first build would wait for: first allocations, and
   * loading kernels. NULL: nothing. */
  void (*prepare)(void);
} grid_backend;

/* The registered backends: NULL before GrB_init; grid_cuda also in a build without CUDA. */
extern const grid_backend *grid_cpu, *grid_cuda;
void grid_backend_register(const grid_backend *cpu, const grid_backend *cuda);
#endif
