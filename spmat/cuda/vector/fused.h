/* Passes over vectors, and the fusion of consecutive passes into one kernel; plain C. A pass is a kernel of
 * kernels/vec_*.cuh that reads and writes only at its own index (kernels/bitmap_tile.cuh, GRID_PASS).
 *
 * Sequences of passes over vectors of one length, with nothing else on the stream between, are counted. A
 * sequence of two or more passes becomes one kernel (kernels/vec_fused.cuh) after grid_tune.fuse_after times,
 * if the kernel is on disk. Else a thread compiles it after 32 times as many. From then on the passes that
 * begin such a sequence are held back until it is complete, and are launched as one kernel. If another pass
 * follows, or a call needs the stream (device/stream.h), they are launched one by one. Results are the same.
 *
 * A CUDA graph of the same launches would still pass every vector through memory once a pass, and would need
 * the same calls in every turn of a loop. */
#ifndef GRID_FUSED_H
#define GRID_FUSED_H
#include "spmat/cuda/vector/host_results.h"

typedef struct {
  void *kernel;       /* the kernel of this pass alone */
  void *step;         /* its argument: one of the steps of kernels/vec_args.cuh, */
  size_t bytes;       /* of this size, */
  uint64_t n;         /* over this many indices, */
  grid_tally *tally;  /* containing this tally */
  const char *what;   /* for error messages */
  const void *to;     /* where values are written */
  const void *one[2]; /* arrays whose first value all threads read, or NULL */
} grid_pass;
#define GRID_PASS_OF(kernel, s, what, ...) \
  (&(grid_pass){kernel, &(s), sizeof(s), (s).a.n, &(s).a.tally, what, __VA_ARGS__})

/* Runs the pass on the library's stream, now or fused with later ones. */
GrB_Info grid_pass_run(const grid_pass *p);
/* Number of fused launches and of passes in them, since the start; for tests. */
typedef struct {
  uint64_t launches, passes;
} grid_fusion_counts;
grid_fusion_counts grid_fusion_get_counts(void);
/* Forgets all sequences; before the device is closed, and for tests. */
void grid_fusion_reset(void);
#endif
