/* See fused.h. */
#include "spmat/cuda/vector/fused.h"

#include <stdlib.h>
#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/cuda/device/stream.h"
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/jit/jit_load.h"
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/vec_source.h"

/* Most passes of a fused kernel, each of which has an accumulator; most sequences that are remembered. */
enum { MAX_PASSES = GRID_TALLY_ACCUMULATORS, MAX_SEQUENCES = 64 };
/* A kernel that must be compiled is made after this many times more occurrences than one that is on disk. It
 * takes half a second, in another thread, for which the program may have to wait at its end. */
enum { COMPILED = 32 };
/* A pass over a longer vector takes longer than its launch (6 us of FP64), and the operand arrays freed while
 * passes are deferred would take much memory. */
static const uint64_t MAX_VECTOR_LENGTH = UINT64_C(1) << 20;

typedef struct {
  void *kernel[MAX_PASSES]; /* of each pass */
  int n;
} sequence;

typedef struct {
  sequence of;
  uint64_t times;
  bool refused; /* there is no such kernel */
  void *kernel; /* NULL: not made yet */
} fusion;

static struct {
  fusion fusion[MAX_SEQUENCES];
  int n, n_compiled;
  /* The most recent consecutive passes, all of length n, without another use of the stream between them. */
  struct {
    sequence of;
    uint64_t n, uses;
  } recorded;
  /* Those of them that are deferred; their arguments are contiguous. */
  struct {
    sequence of;
    uint64_t n;
    size_t at[MAX_PASSES + 1];
    const char *what[MAX_PASSES];
    const void *one[2 * MAX_PASSES], *to[MAX_PASSES];
    _Alignas(16) unsigned char step[MAX_PASSES * sizeof(grid_write_step)];
  } deferred;
  grid_jit_request *order; /* compilation of `ordered` */
  fusion *ordered;
  grid_fusion_counts counts;
} default_pass_state GRID_OF_CONTEXT;
#define pass_state GRID_IN_CONTEXT(default_pass_state)

grid_fusion_counts grid_fusion_get_counts(void) {
  return pass_state.counts;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

static GrB_Info launch(void *kernel, void *block, uint64_t n, const char *what) {
  return grid_jit_launch(kernel, grid_cuda_tile_blocks(n), GRID_TILE_THREADS, (void *[]){block}, what);
}

static bool has_prefix(const sequence *full_sequence, const sequence *head, int from) {
  const int n = head->n - from;
  return n <= full_sequence->n &&
         memcmp(full_sequence->kernel, head->kernel + from, (size_t)n * sizeof(void *)) == 0;
}

/* The longest existing fusion that the deferred passes from `at` on begin with. */
static fusion *longest_fusion_at(int at) {
  fusion *best = NULL;
  for (int k = 0; k < pass_state.n; k++) {
    fusion *j = &pass_state.fusion[k];
    const int n = j->of.n;
    if (!j->kernel || n > pass_state.deferred.of.n - at || (best && best->of.n >= n)) continue;
    if (memcmp(j->of.kernel, pass_state.deferred.of.kernel + at, (size_t)n * sizeof(void *)) == 0) best = j;
  }
  return best;
}

static GrB_Info launch_at(int at, void *kernel) {
  return launch(kernel, pass_state.deferred.step + pass_state.deferred.at[at], pass_state.deferred.n,
                pass_state.deferred.what[at]);
}

/* Its kernel may have to be loaded, without memory for it: then the fusion is dropped. */
static bool launch_fused(int at, fusion *j) {
  if (launch_at(at, j->kernel) == GrB_SUCCESS) {
    pass_state.counts.launches++, pass_state.counts.passes += (uint64_t)j->of.n;
    return true;
  }
  j->kernel = NULL, j->refused = true;
  pass_state.n_compiled--;
  return false;
}

/* Launches all deferred passes, since the stream was requested. The calls that issued them have already
 * succeeded. */
static void launch_deferred(void) {
  for (int at = 0; at < pass_state.deferred.of.n;) {
    fusion *j = longest_fusion_at(at);
    if (j && launch_fused(at, j)) {
      at += j->of.n;
    } else if (!j) {
      if (launch_at(at, pass_state.deferred.of.kernel[at]) != GrB_SUCCESS) grid_device_mark_failed();
      at++;
    }
  }
  pass_state.deferred.of.n = 0;
}

static void flush_deferred(void) {
  if (pass_state.deferred.of.n) (void)grid_cuda_stream();
}

/* Do the deferred passes and this one begin an existing fusion? *matches_all: they are the whole of it. */
static bool has_joined_prefix(const grid_pass *p, bool *matches_all) {
  sequence s = pass_state.deferred.of;
  bool found = false;
  s.kernel[s.n++] = p->kernel;
  *matches_all = true;
  for (int k = 0; k < pass_state.n; k++) {
    if (!pass_state.fusion[k].kernel || !has_prefix(&pass_state.fusion[k].of, &s, 0)) continue;
    found = true;
    *matches_all = *matches_all && pass_state.fusion[k].of.n == s.n;
  }
  return found;
}

/* Would it write what other indices' threads read in a deferred pass, or read what one writes? */
static bool has_conflict(const grid_pass *p) {
  for (int k = 0; k < pass_state.deferred.of.n; k++)
    for (int u = 0; u < 2; u++) {
      if (p->to && pass_state.deferred.one[2 * k + u] == p->to) return true;
      if (p->one[u] && pass_state.deferred.to[k] == p->one[u]) return true;
    }
  return false;
}

static void defer_pass(const grid_pass *p) {
  const int k = pass_state.deferred.of.n++;
  pass_state.deferred.n = p->n;
  pass_state.deferred.of.kernel[k] = p->kernel;
  pass_state.deferred.what[k] = p->what;
  for (int u = 0; u < 2; u++) pass_state.deferred.one[2 * k + u] = p->one[u];
  pass_state.deferred.to[k] = p->to;
  if (p->tally->slot) p->tally->accumulator += k;
  memcpy(pass_state.deferred.step + pass_state.deferred.at[k], p->step, p->bytes);
  if (p->tally->slot) p->tally->accumulator -= k;
  pass_state.deferred.at[k + 1] = pass_state.deferred.at[k] + p->bytes;
  grid_cuda_set_flush(launch_deferred);
}

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* The source of a pass's kernel; *generated: for a compiled-in kernel, whose source is generated here. */
static const char *text_of(grid_jit_source *generated, const void *kernel) {
  const GrB_Type by_size[] = {GrB_UINT8, GrB_UINT16, GrB_UINT32, GrB_UINT64};
  const char *text =
      kernel == grid_cuda_bits_kernel() ? "#include \"vec_bits.cuh\"\n" : grid_jit_text_of(kernel);
  for (int t = 0; !text && t < 4; t++)
    if (kernel == grid_cuda_write_kernel(by_size[t]->size)) {
      grid_source_write(generated, by_size[t], by_size[t], NULL);
      grid_jit_append(generated, "#include \"vec_write.cuh\"\n");
      text = generated->no_memory ? NULL : generated->text;
    }
  return text;
}

static bool source_of(grid_jit_source *s, const sequence *of) {
  grid_jit_source generated[MAX_PASSES] = {0};
  const char *text[MAX_PASSES];
  bool can = true;
  for (int k = 0; k < of->n; k++) can = (text[k] = text_of(&generated[k], of->kernel[k])) && can;
  can = can && grid_source_fused(s, text, of->n);
  for (int k = 0; k < of->n; k++) grid_jit_free(&generated[k]);
  return can;
}

static const char file[] = "vec_fused.cuh", function[] = "grid_fused";

/* The ordered compilation has ended, with or without a kernel; without one, passes stay separate. */
static void finish_compilation(void) {
  fusion *j = pass_state.ordered;
  j->refused = grid_jit_request_take(pass_state.order, &j->kernel, function) != GrB_SUCCESS;
  pass_state.order = NULL;
  pass_state.n_compiled += !j->refused;
}

void grid_fusion_reset(void) {
  flush_deferred();
  const grid_fusion_counts counts = pass_state.counts;
  memset(&pass_state, 0, sizeof pass_state);
  pass_state.counts = counts;
}

/* Requests the kernel of a fusion; cached: only if it need not be compiled. */
static void make(fusion *j, bool cached) {
  grid_jit_source s;
  j->refused = !source_of(&s, &j->of);
  if (j->refused) return;
  pass_state.order = grid_jit_request_begin(&s, file, cached);
  pass_state.ordered = j;
  j->refused = !pass_state.order && !cached;
  if (pass_state.order && grid_tune.fuse_after == 0) finish_compilation();
}

/* ---- sequences ----------------------------------------------------------------------------------------- */

/* The entry of a sequence: its own, a new one, or, if none is left, that of one that was never made. */
static fusion *position_of(const sequence *s) {
  fusion *rare = NULL;
  for (int k = 0; k < pass_state.n; k++) {
    fusion *j = &pass_state.fusion[k];
    if (j->of.n == s->n && has_prefix(&j->of, s, 0)) return j;
    if (!j->kernel && !(pass_state.order && pass_state.ordered == j) && (!rare || j->times < rare->times))
      rare = j;
  }
  if (pass_state.n == 0) grid_cuda_register_close(grid_fusion_reset); /* addresses of kernels */
  if (pass_state.n < MAX_SEQUENCES) rare = &pass_state.fusion[pass_state.n++];
  if (rare) *rare = (fusion){.of = *s};
  return rare;
}

/* A sequence has ended. */
static void count_sequence(void) {
  sequence s = pass_state.recorded.of;
  pass_state.recorded.of.n = 0;
  fusion *j = s.n > 1 ? position_of(&s) : NULL;
  const uint64_t after = grid_tune.fuse_after;
  if (!j || j->kernel || j->refused) return;
  j->times++;
  const bool cached = j->times == after, compile = j->times >= COMPILED * after;
  if (!pass_state.order && (cached || compile)) make(j, !compile);
}

static void record_pass(const grid_pass *p) {
  const bool follows = pass_state.recorded.n == p->n &&
                       pass_state.recorded.uses == grid_cuda_stream_use_count() &&
                       pass_state.recorded.of.n < MAX_PASSES;
  if (pass_state.recorded.of.n && !follows) count_sequence();
  pass_state.recorded.n = p->n;
  pass_state.recorded.of.kernel[pass_state.recorded.of.n++] = p->kernel;
}

GrB_Info grid_pass_run(const grid_pass *p) {
  GrB_Info info = GrB_SUCCESS;
  bool matches_all;
  if (grid_tune.fuse_after == GRID_TUNE_NEVER || p->n > MAX_VECTOR_LENGTH || grid_device_get_limit()) {
    flush_deferred();
    return launch(p->kernel, p->step, p->n, p->what);
  }
  if (pass_state.order && grid_jit_request_is_done(pass_state.order)) finish_compilation();
  record_pass(p);
  if (pass_state.deferred.of.n &&
      (pass_state.deferred.n != p->n || has_conflict(p) || !has_joined_prefix(p, &matches_all)))
    flush_deferred();
  if (pass_state.n_compiled && has_joined_prefix(p, &matches_all)) {
    defer_pass(p);
    if (matches_all) flush_deferred();
  } else {
    info = launch(p->kernel, p->step, p->n, p->what);
  }
  pass_state.recorded.uses = grid_cuda_stream_use_count();
  return info;
}
