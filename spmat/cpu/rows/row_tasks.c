/* See row_tasks.h. */
#include "spmat/cpu/rows/row_tasks.h"

#include "spmat/vector/bitmap_words.h"

/* A row of at most this many entries is not divided. */
#define SHORT_ROW 256
/* Bytes of buffers that stay in a thread's own cache, and the fewest entries of a task. */
#define CACHE            ((uint64_t)512 << 10)
#define MIN_TASK_ENTRIES 512

/* Work before common row r: its entries, and the rows themselves. */
static uint64_t prefix_work(const grid_aligned *a, uint64_t r) {
  uint64_t sum = r;
  for (size_t k = 0; k < a->n; k++) sum += grid_aligned_start(&a->lmat[k], r);
  return sum;
}

static uint64_t count_all_entries(const grid_aligned *a) {
  uint64_t sum = 0;
  for (size_t k = 0; k < a->n; k++) sum += grid_aligned_entries(&a->lmat[k]);
  return sum;
}

/* Sets split to the end of row r's entries with columns below c; returns how many there are. */
static uint64_t split_row(const grid_aligned *a, uint64_t r, uint64_t c, grid_split_point *split) {
  uint64_t n = 0;
  for (size_t k = 0; k < a->n; k++) {
    const grid_aligned_lmat *x = &a->lmat[k];
    const uint64_t from = grid_aligned_start(x, r), to = grid_aligned_start(x, r + 1);
    split->at[k] = x->c ? grid_first_entry(x->idx, from, to, c) : 0;
    n += split->at[k] - from;
  }
  return n;
}

/* Splits row r before its entry number `target` or slightly earlier. */
static void split_long_row(const grid_aligned *a, uint64_t r, uint64_t target, grid_split_point *split) {
  uint64_t low = 0, high = a->col.n;
  while (low < high) {
    const uint64_t mid = low + (high - low + 1) / 2;
    if (split_row(a, r, mid, split) <= target)
      low = mid;
    else
      high = mid - 1;
  }
  split_row(a, r, low, split);
}

static void split_at(const grid_aligned *a, uint64_t target, grid_split_point *split) {
  uint64_t low = 0, high = a->row.n;
  while (low < high) {
    const uint64_t mid = low + (high - low + 1) / 2;
    if (prefix_work(a, mid) <= target)
      low = mid;
    else
      high = mid - 1;
  }
  split->row = low;
  for (size_t k = 0; k < a->n; k++) split->at[k] = grid_aligned_start(&a->lmat[k], low);
  if (low == a->row.n) return;
  const uint64_t before = prefix_work(a, low), length = prefix_work(a, low + 1) - before - 1;
  if (length > SHORT_ROW && target > before) split_long_row(a, low, target - before, split);
}

static uint64_t count_entries_between(const grid_aligned *a, const grid_split_point *split) {
  uint64_t n = 0;
  for (size_t k = 0; k < a->n; k++) n += split[1].at[k] - split[0].at[k];
  return n;
}

uint64_t grid_split_entries(const grid_aligned *a, size_t bytes) {
  const uint64_t most = CACHE / bytes, all = count_all_entries(a), threads = (uint64_t)grid_work_threads(all),
                 task_entries = all / (8 * threads);
  const uint64_t entries = most < MIN_TASK_ENTRIES ? (most < 16 ? 16 : most) : most;
  return task_entries > entries            ? entries
         : task_entries > MIN_TASK_ENTRIES ? task_entries
         : MIN_TASK_ENTRIES < entries      ? MIN_TASK_ENTRIES
                                           : entries;
}

GrB_Info grid_split_rows(grid_row_splits *splits, const grid_aligned *a, uint64_t entries) {
  const uint64_t work = prefix_work(a, a->row.n);
  const int64_t n = (int64_t)(work / entries + 1);
  *splits =
      (grid_row_splits){.tasks = (uint64_t)n, .split = grid_malloc((size_t)n + 1, sizeof *splits->split)};
  if (!splits->split) return grid_fail_memory(NULL, "tasks", (uint64_t)n + 1, sizeof *splits->split);
  uint64_t most = 0;
#pragma omp parallel for schedule(static) if (n > 1 << 8)
  for (int64_t t = 0; t <= n; t++) {
    splits->split[t] = (grid_split_point){0};
    split_at(a, t == n ? work : (uint64_t)t * entries, &splits->split[t]);
  }
  for (int64_t t = 0; t < n; t++) {
    const uint64_t m = count_entries_between(a, &splits->split[t]);
    most = m > most ? m : most;
  }
  splits->most = most;
  return GrB_SUCCESS;
}
