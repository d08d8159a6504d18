/* part_cut.c: see part_cut.h. */
#include "spmat/cpu/rows/part_cut.h"

#include "spmat/vector/words.h"

/* A row of at most so many entries is not cut. */
#define SHORT_ROW 256
/* Bytes of buffers that stay in a thread's own cache, and the fewest entries that are worth a task. */
#define CACHE  ((uint64_t)512 << 10)
#define LITTLE 512

/* Work before common row r: its entries, and the rows themselves. */
static uint64_t work_before(const grid_aligned *a, uint64_t r) {
  uint64_t sum = r;
  for (size_t k = 0; k < a->n; k++) sum += grid_aligned_start(&a->part[k], r);
  return sum;
}

static uint64_t all_entries(const grid_aligned *a) {
  uint64_t sum = 0;
  for (size_t k = 0; k < a->n; k++) sum += grid_aligned_entries(&a->part[k]);
  return sum;
}

/* Where the entries of row r with a column below c end; returns how many there are. */
static uint64_t split_row(const grid_aligned *a, uint64_t r, uint64_t c, grid_cut *cut) {
  uint64_t n = 0;
  for (size_t k = 0; k < a->n; k++) {
    const grid_aligned_part *x = &a->part[k];
    const uint64_t from = grid_aligned_start(x, r), to = grid_aligned_start(x, r + 1);
    cut->at[k] = x->c ? grid_first_entry(x->idx, from, to, c) : 0;
    n += cut->at[k] - from;
  }
  return n;
}

/* In row r, before its entry number `target` or a little earlier. */
static void cut_row(const grid_aligned *a, uint64_t r, uint64_t target, grid_cut *cut) {
  uint64_t low = 0, high = a->col.n;
  while (low < high) {
    const uint64_t mid = low + (high - low + 1) / 2;
    if (split_row(a, r, mid, cut) <= target)
      low = mid;
    else
      high = mid - 1;
  }
  split_row(a, r, low, cut);
}

static void cut_at(const grid_aligned *a, uint64_t target, grid_cut *cut) {
  uint64_t low = 0, high = a->row.n;
  while (low < high) {
    const uint64_t mid = low + (high - low + 1) / 2;
    if (work_before(a, mid) <= target)
      low = mid;
    else
      high = mid - 1;
  }
  cut->row = low;
  for (size_t k = 0; k < a->n; k++) cut->at[k] = grid_aligned_start(&a->part[k], low);
  if (low == a->row.n) return;
  const uint64_t before = work_before(a, low), length = work_before(a, low + 1) - before - 1;
  if (length > SHORT_ROW && target > before) cut_row(a, low, target - before, cut);
}

static uint64_t entries_between(const grid_aligned *a, const grid_cut *cut) {
  uint64_t n = 0;
  for (size_t k = 0; k < a->n; k++) n += cut[1].at[k] - cut[0].at[k];
  return n;
}

uint64_t grid_cut_entries(const grid_aligned *a, size_t bytes) {
  const uint64_t most = CACHE / bytes, all = all_entries(a), threads = (uint64_t)grid_word_threads(all),
                 each = all / (8 * threads);
  const uint64_t entries = most < LITTLE ? (most < 16 ? 16 : most) : most;
  return each > entries ? entries : each > LITTLE ? each : LITTLE < entries ? LITTLE : entries;
}

GrB_Info grid_cut_rows(grid_row_cuts *cuts, const grid_aligned *a, uint64_t entries) {
  const uint64_t work = work_before(a, a->row.n);
  const int64_t n = (int64_t)(work / entries + 1);
  *cuts = (grid_row_cuts){.tasks = (uint64_t)n, .cut = grid_malloc((size_t)n + 1, sizeof *cuts->cut)};
  if (!cuts->cut) return grid_fail_memory(NULL, "tasks", (uint64_t)n + 1, sizeof *cuts->cut);
  uint64_t most = 0;
#pragma omp parallel for schedule(static) if (n > 1 << 8)
  for (int64_t t = 0; t <= n; t++) {
    cuts->cut[t] = (grid_cut){0};
    cut_at(a, t == n ? work : (uint64_t)t * entries, &cuts->cut[t]);
  }
  for (int64_t t = 0; t < n; t++) {
    const uint64_t m = entries_between(a, &cuts->cut[t]);
    most = m > most ? m : most;
  }
  cuts->most = most;
  return GrB_SUCCESS;
}
