/* Passes over vectors, and the fusion of consecutive passes into one kernel; plain C. A pass is a kernel of
 * kernels/vec_*.cuh that reads and writes only at its own index (kernels/bitmap_tile.cuh, GRID_PASS).
 *
 * Which passes follow one another, over vectors of one length and with nothing else on the stream between, is
 * counted. A sequence of two or more that has come grid_tune.fuse_after times is made one kernel
 * (kernels/vec_fused.cuh), if that is on disk; else it is compiled when the sequence has come 32 times as
 * often, in a thread of its own. From then on, where passes come that such a sequence begins with, they are
 * held back until it is whole, and go as one launch; or, when something else comes, or somebody asks for the
 * stream (device/stream.h), one by one as before. So a program sees nothing of it but the time.
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
