/* The table of backends: what a backend can do with blocks, chunks and products. A row is NULL, or answers
 * GRID_NOT_HERE, where the backend lacks something: then the CPU does it (docs/design.md, "Backends"). */
#ifndef GRID_BACKEND_H
#define GRID_BACKEND_H
#include "spmat/matrix/build.h"
#include "spmat/vector/chunk_write.h"
#include "spmat/vector/vec.h"
#include "spmat/device/device.h"
#include "spmat/matrix/divide.h"
#include "spmat/level.h"
#include "spmat/product.h"
#include "spmat/search.h"
#include "spmat/window.h"

/* The device's own rows: its memory. */
/* A list this short travels as a kernel's parameters. */
#define GRID_FEW 8

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
  GrB_Info (*aside)(bool begin);
  GrB_Info (*join)(void);
  void (*watch)(GrB_Info (*check)(void));
} grid_device_memory;

/* Sets of indices below n as bitmaps, NULL being all of them. */
typedef enum { GRID_AND, GRID_AND_NOT, GRID_OR } grid_combination;

/* What chunks in device memory need (spmat/vector/chunk_move.c, chunk.c, mask.c, chunk_write.c). Bitmaps are
 * of words(n) words with tail bits 0; `bits`, `val`, `to`, `a` and `b` are on the device, `x` on the host.
 * All but those that give a number back are in stream order. */
typedef struct {
  /* to[k] = *x for k < count */
  GrB_Info (*fill)(void *to, const void *x, size_t size, uint64_t count);
  /* A list becomes a bitmap: bits (zero before) and values; idx and packed lie on the device. val NULL: bits
   * alone. */
  /* bits (of n, which need not be clear) become those of at most GRID_FEW entries, whose values of 1, 2, 4 or
   * 8 bytes go to val (NULL: none); idx and packed are in host memory, and free again at once */
  GrB_Info (*place_few)(uint64_t *bits, void *val, uint64_t n, const uint64_t *idx, const void *packed,
                        uint32_t nvals, size_t size);
  GrB_Info (*scatter)(uint64_t *bits, void *val, const uint64_t *idx, const void *packed, uint64_t nvals,
                      size_t size);
  /* Bit i is set (there) or cleared, and val[k] = *x. bits or val may be NULL. */
  GrB_Info (*entry)(uint64_t *bits, void *val, uint64_t k, uint64_t i, const void *x, size_t size,
                    bool there);
  /* to = a (how) b; to may be a or b, or NULL. *count (unless NULL) is the number of bits in the result. */
  GrB_Info (*combine)(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_combination how, uint64_t n,
                      uint64_t *count);
  /* to = those of bits whose value, of a predefined type, is true */
  GrB_Info (*truth)(uint64_t *to, const uint64_t *bits, const void *val, GrB_Type type, uint64_t n);
  /* The two steps of a write (chunk_write.h): t and the mask are on the device (or t is one value for all);
   * plan moves c and sets p->path. run gives what c holds then. */
  GrB_Info (*write_plan)(grid_write *p);
  GrB_Info (*write_run)(grid_write *p);
} grid_device_chunks;

/* The operations of vec.h on chunks that lie on the device; t is empty. */
typedef struct {
  GrB_Info (*ewise)(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op, bool add);
  GrB_Info (*apply)(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op);
  GrB_Info (*apply_first)(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op);
  GrB_Info (*apply_second)(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op);
  GrB_Info (*apply_index)(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                          uint64_t first);
  GrB_Info (*select)(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y, uint64_t first);
  GrB_Info (*reduce)(void *z, const grid_chunk *u, GrB_BinaryOp op); /* u has entries */
} grid_device_vectors;

struct grid_backend {
  const char *name;
  const grid_device_memory *memory; /* NULL: host memory */
  /* making parts (spmat/matrix/build.h) */
  const struct grid_builder *builder;
  /* splitting off delegates (spmat/matrix/divide.h) */
  const grid_device_division *division;
  const grid_device_chunks *chunks;
  const grid_device_vectors *vectors;
  /* products (spmat/product.h) */
  const grid_kernels *(*kernels)(const grid_job *job, bool structural);
  const grid_device_products *products;
  /* loops that run ahead (spmat/search.h); materialize does up to 8 vectors at once */
  const grid_search_engine *search;
  GrB_Info (*materialize)(grid_materialize *jobs, int n);
  const grid_level_kernels *levels; /* a search on several GPUs (spmat/level.h) */
  const grid_windows *windows;      /* memory that other processes see (spmat/window.h) */
  /* to = the bitwise or of `copies` arrays of n words that lie one behind the other */
  GrB_Info (*or_words)(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies);
  /* *sum, on the host, = the degrees of the set bits (NULL: of all n) */
  GrB_Info (*sum_degrees)(uint64_t *sum, const uint32_t *degree, const uint64_t *bits, uint64_t n);
};
/* NULL in a build without CUDA. */
extern const grid_backend *const grid_cuda;

#endif
