/* joined.c: see joined.h. */
#include "spmat/cuda/vector/joined.h"

#include <stdlib.h>
#include <string.h>

#include "spmat/cuda/device/stream.h"
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/jit/jit_load.h"
#include "spmat/cuda/vector/chunk.h"
#include "spmat/cuda/vector/vec_source.h"

/* A joined kernel's passes, of which each has a room to count in; sequences that are remembered. */
enum { MOST = GRID_TALLY_ROOMS, KEPT = 64 };
/* A kernel that has to be compiled is when a sequence has come so many times as often as one that need not:
 * it takes half a second, beside the program, which may have to wait for it at its end. */
enum { COMPILED = 32 };
/* A pass over a longer vector takes longer than its launch (6 us of FP64), and what is freed while passes are
 * held, their operands' arrays, would be much. */
static const uint64_t LONGEST = UINT64_C(1) << 20;

typedef struct {
  void *kernel[MOST]; /* each pass's own */
  int n;
} sequence;

typedef struct {
  sequence of;
  uint64_t times;
  bool refused; /* there is no such kernel */
  void *kernel; /* NULL: not made yet */
} join;

static struct {
  join join[KEPT];
  int n, made;
  /* The passes that have come one after the other, all of length n; as long as nobody else has asked for the
   * stream. */
  struct {
    sequence of;
    uint64_t n, uses;
  } seen;
  /* Those of them that are held back: their blocks lie one behind the other. */
  struct {
    sequence of;
    uint64_t n;
    size_t at[MOST + 1];
    const char *what[MOST];
    const void *one[2 * MOST], *to[MOST];
    _Alignas(16) unsigned char step[MOST * sizeof(grid_write_step)];
  } held;
  grid_jit_order *order; /* of ordered */
  join *ordered;
  grid_joined_counts counts;
} all;

grid_joined_counts grid_joined_count(void) {
  return all.counts;
}

/* ---- launches -------------------------------------------------------------------------------------------
 */

static GrB_Info launch(void *kernel, void *block, uint64_t n, const char *what) {
  return grid_jit_launch(kernel, grid_cuda_tile_blocks(n), GRID_TILE_THREADS, (void *[]){block}, what);
}

static bool begins_with(const sequence *all_of_it, const sequence *head, int from) {
  const int n = head->n - from;
  return n <= all_of_it->n && memcmp(all_of_it->kernel, head->kernel + from, (size_t)n * sizeof(void *)) == 0;
}

/* The longest made one that the held passes from `at` on begin with. */
static join *longest_at(int at) {
  join *best = NULL;
  for (int k = 0; k < all.n; k++) {
    join *j = &all.join[k];
    const int n = j->of.n;
    if (!j->kernel || n > all.held.of.n - at || (best && best->of.n >= n)) continue;
    if (memcmp(j->of.kernel, all.held.of.kernel + at, (size_t)n * sizeof(void *)) == 0) best = j;
  }
  return best;
}

static GrB_Info launch_at(int at, void *kernel) {
  return launch(kernel, all.held.step + all.held.at[at], all.held.n, all.held.what[at]);
}

/* Its kernel may be loaded only now, and find no memory: then it is given up. */
static bool launch_joined(int at, join *j) {
  if (launch_at(at, j->kernel) == GrB_SUCCESS) {
    all.counts.launches++, all.counts.passes += (uint64_t)j->of.n;
    return true;
  }
  j->kernel = NULL, j->refused = true;
  all.made--;
  return false;
}

/* Everything that is held goes to the stream, which somebody has asked for. The calls whose passes these are
 * have ended well. */
static void launch_held(void) {
  for (int at = 0; at < all.held.of.n;) {
    join *j = longest_at(at);
    if (j && launch_joined(at, j)) {
      at += j->of.n;
    } else if (!j) {
      if (launch_at(at, all.held.of.kernel[at]) != GrB_SUCCESS) grid_device_spoil();
      at++;
    }
  }
  all.held.of.n = 0;
}

static void let_go(void) {
  if (all.held.of.n) (void)grid_cuda_stream();
}

/* Is there a made one that the held passes and one more begin, and is it that? */
static bool goes_on(const grid_pass *p, bool *whole) {
  sequence s = all.held.of;
  bool found = false;
  s.kernel[s.n++] = p->kernel;
  *whole = true;
  for (int k = 0; k < all.n; k++) {
    if (!all.join[k].kernel || !begins_with(&all.join[k].of, &s, 0)) continue;
    found = true;
    *whole = *whole && all.join[k].of.n == s.n;
  }
  return found;
}

/* Would it write what other indices' threads read in a pass that is held, or they read what one writes? */
static bool disturbs(const grid_pass *p) {
  for (int k = 0; k < all.held.of.n; k++)
    for (int u = 0; u < 2; u++) {
      if (p->to && all.held.one[2 * k + u] == p->to) return true;
      if (p->one[u] && all.held.to[k] == p->one[u]) return true;
    }
  return false;
}

static void hold(const grid_pass *p) {
  const int k = all.held.of.n++;
  all.held.n = p->n;
  all.held.of.kernel[k] = p->kernel;
  all.held.what[k] = p->what;
  for (int u = 0; u < 2; u++) all.held.one[2 * k + u] = p->one[u];
  all.held.to[k] = p->to;
  if (p->tally->slot) p->tally->room += k;
  memcpy(all.held.step + all.held.at[k], p->step, p->bytes);
  if (p->tally->slot) p->tally->room -= k;
  all.held.at[k + 1] = all.held.at[k] + p->bytes;
  grid_cuda_holds(launch_held);
}

/* ---- kernels ----------------------------------------------------------------------------------------------
 */

/* The text of a pass's kernel; *own: one that is compiled in, whose text is written now. */
static const char *text_of(grid_jit_source *own, const void *kernel) {
  const GrB_Type by_size[] = {GrB_UINT8, GrB_UINT16, GrB_UINT32, GrB_UINT64};
  const char *text =
      kernel == grid_cuda_bits_kernel() ? "#include \"vec_bits.cuh\"\n" : grid_jit_text_of(kernel);
  for (int t = 0; !text && t < 4; t++)
    if (kernel == grid_cuda_write_kernel(by_size[t]->size)) {
      grid_source_write(own, by_size[t], by_size[t], NULL);
      grid_jit_put(own, "#include \"vec_write.cuh\"\n");
      text = own->no_memory ? NULL : own->text;
    }
  return text;
}

static bool source_of(grid_jit_source *s, const sequence *of) {
  grid_jit_source own[MOST] = {0};
  const char *text[MOST];
  bool can = true;
  for (int k = 0; k < of->n; k++) can = (text[k] = text_of(&own[k], of->kernel[k])) && can;
  can = can && grid_source_joined(s, text, of->n);
  for (int k = 0; k < of->n; k++) grid_jit_free(&own[k]);
  return can;
}

static const char file[] = "vec_joined.cuh", function[] = "grid_joined";

/* What has been ordered is there, or will never be, for whatever reason: passes go one by one then. */
static void take_order(void) {
  join *j = all.ordered;
  j->refused = grid_jit_order_take(all.order, &j->kernel, function) != GrB_SUCCESS;
  all.order = NULL;
  all.made += !j->refused;
}

void grid_joined_forget(void) {
  let_go();
  if (all.order) (void)grid_jit_order_take(all.order, NULL, function);
  const grid_joined_counts counts = all.counts;
  memset(&all, 0, sizeof all);
  all.counts = counts;
}

/* Times that a sequence comes before it is made; 0: at once, and waited for; negative: never. */
static int64_t join_after(void) {
  static int64_t after = -2;
  if (after != -2) return after;
  const char *set = getenv("GRIDBLAS_JOIN_AFTER");
  after = !set || !*set ? 32 : strcmp(set, "off") == 0 ? -1 : (int64_t)(strtoul(set, NULL, 10) & INT32_MAX);
  return after;
}

/* kept: if it need not be compiled. */
static void make(join *j, bool kept) {
  grid_jit_source s;
  j->refused = !source_of(&s, &j->of);
  if (j->refused) return;
  all.order = grid_jit_order_begin(&s, file, kept);
  all.ordered = j;
  j->refused = !all.order && !kept;
  if (all.order && join_after() == 0) take_order();
}

/* ---- what comes -------------------------------------------------------------------------------------------
 */

/* The sequence's place: its own, a new one, or, where there is none left, that of one which never came to be.
 */
static join *place_of(const sequence *s) {
  join *rare = NULL;
  for (int k = 0; k < all.n; k++) {
    join *j = &all.join[k];
    if (j->of.n == s->n && begins_with(&j->of, s, 0)) return j;
    if (!j->kernel && !(all.order && all.ordered == j) && (!rare || j->times < rare->times)) rare = j;
  }
  if (all.n == 0) grid_cuda_at_close(grid_joined_forget); /* kernels' addresses */
  if (all.n < KEPT) rare = &all.join[all.n++];
  if (rare) *rare = (join){.of = *s};
  return rare;
}

/* A sequence has ended. */
static void count_seen(void) {
  sequence s = all.seen.of;
  all.seen.of.n = 0;
  join *j = s.n > 1 ? place_of(&s) : NULL;
  const uint64_t after = (uint64_t)join_after();
  if (!j || j->kernel || j->refused) return;
  j->times++;
  const bool kept = j->times == after, compile = j->times >= COMPILED * after;
  if (!all.order && (kept || compile)) make(j, !compile);
}

static void note(const grid_pass *p) {
  const bool follows = all.seen.n == p->n && all.seen.uses == grid_cuda_uses() && all.seen.of.n < MOST;
  if (all.seen.of.n && !follows) count_seen();
  all.seen.n = p->n;
  all.seen.of.kernel[all.seen.of.n++] = p->kernel;
}

GrB_Info grid_pass_run(const grid_pass *p) {
  GrB_Info info = GrB_SUCCESS;
  bool whole;
  if (join_after() < 0 || p->n > LONGEST || grid_device_limited()) {
    let_go();
    return launch(p->kernel, p->step, p->n, p->what);
  }
  if (all.order && grid_jit_order_done(all.order)) take_order();
  note(p);
  if (all.held.of.n && (all.held.n != p->n || disturbs(p) || !goes_on(p, &whole))) let_go();
  if (all.made && goes_on(p, &whole)) {
    hold(p);
    if (whole) let_go();
  } else {
    info = launch(p->kernel, p->step, p->n, p->what);
  }
  all.seen.uses = grid_cuda_uses();
  return info;
}
