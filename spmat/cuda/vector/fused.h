/* fused.h: passes over vectors, and such that follow one another joined in one kernel; plain C. A pass is a
 * kernel of kernels/vec_*.cuh that reads and writes places of its own index alone (kernels/bitmap_tile.cuh,
 * GRID_PASS).
 *
 * Which passes follow one another, over vectors of one length and with nothing else on the stream between, is
 * counted. A sequence of two or more that has come grid_tune.fuse_after times is made one kernel
 * (kernels/vec_fused.cuh), if that is on disk; else it is compiled when the sequence has come 32 times as
 * often, in a thread of its own. From then on, where passes come that such a sequence begins with, they are
 * held back until it is whole, and go as one launch; or, when something else comes, or somebody asks for the
 * stream (device/stream.h), one by one as before. So a program sees nothing of it but the time. */
#ifndef GRID_FUSED_H
#define GRID_FUSED_H
#include "spmat/cuda/vector/host_results.h"

typedef struct {
  void *kernel;       /* that does it by itself */
  void *step;         /* what it is given: one of the steps of kernels/vec_args.cuh, */
  size_t bytes;       /* so long, */
  uint64_t n;         /* over so many indices, */
  grid_tally *tally;  /* with its tally in it */
  const char *what;   /* for an error */
  const void *to;     /* where values are written */
  const void *one[2]; /* arrays of which all threads read the first value, or NULL */
} grid_pass;
#define GRID_PASS_OF(kernel, s, what, ...) \
  (&(grid_pass){kernel, &(s), sizeof(s), (s).a.n, &(s).a.tally, what, __VA_ARGS__})

/* On the library's stream, now or with what follows. */
GrB_Info grid_pass_run(const grid_pass *p);
/* How many launches were joined ones, and how many passes they had, since the start; for tests. */
typedef struct {
  uint64_t launches, passes;
} grid_fusion_counts;
grid_fusion_counts grid_fusion_get_counts(void);
/* All sequences are forgotten; before the device is closed, and for tests. */
void grid_fusion_reset(void);
#endif
