/* See sort_entries.h. Each process sorts its own entries, all choose splitters from samples of them, entries
 * travel to the process between whose splitters they lie, and are merged there. */
#include "dist/op/sort_entries.h"

#include <string.h>

#include "semiring/op_codes.h"
#include "spmat/sort/radix.h"

/* An entry as it is sorted and sent: `size` bytes apart. */
typedef struct {
  uint64_t major, minor;
  char value[];
} record;

typedef struct {
  GrB_BinaryOp less;
  grid_cast_fn cast; /* from the entries' type to the comparison's; NULL: the same */
  grid_cast_fn
      key; /* from the comparison's type to the one of 64 bits of its kind; NULL: no order of numbers */
  size_t value_size, size;
} ordering;

typedef struct {
  uint64_t n;
  char *memory;
} records;

static const record *record_at(const ordering *o, const char *memory, uint64_t k) {
  return (const record *)(const void *)(memory + k * o->size);
}

/* ---- the order ----------------------------------------------------------------------------------------- */

/* The type of 64 bits of a number's kind. */
static GrB_Type number_kind(GrB_Type t) {
  const bool is_signed = t == GrB_INT8 || t == GrB_INT16 || t == GrB_INT32 || t == GrB_INT64;
  return t == GrB_FP32 || t == GrB_FP64 ? GrB_FP64 : is_signed ? GrB_INT64 : GrB_UINT64;
}

/* Is the comparison that of numbers, from the smallest or from the largest? */
static bool is_order_of_numbers(GrB_BinaryOp less) {
  return grid_type_is_real(less->x) && (less->op == GRID_OP_LT || less->op == GRID_OP_GT);
}

static bool is_less(const ordering *o, const char *x, const char *y) {
  uint64_t cast[2]; /* predefined types alone are cast: at most 8 bytes */
  bool less = false;
  if (!o->cast) {
    o->less->f(&less, x, y);
    return less;
  }
  o->cast(&cast[0], x, o->less->x->size);
  o->cast(&cast[1], y, o->less->x->size);
  o->less->f(&less, &cast[0], &cast[1]);
  return less;
}

static bool precedes(const ordering *o, const record *a, const record *b) {
  if (a->major != b->major) return a->major < b->major;
  if (is_less(o, a->value, b->value)) return true;
  return !is_less(o, b->value, a->value) && a->minor < b->minor;
}

/* Two neighbouring runs of `from`, [a, b) and [b, end), become one of `to`. */
static void merge_runs(const ordering *o, const record **to, const record *const *from, uint64_t a,
                       uint64_t b, uint64_t end) {
  uint64_t i = a, j = b, n = a;
  if (b < end && b > a && precedes(o, from[b], from[b - 1]))
    while (i < b && j < end) to[n++] = precedes(o, from[j], from[i]) ? from[j++] : from[i++];
  while (i < b) to[n++] = from[i++];
  while (j < end) to[n++] = from[j++];
}

/* Sorts pointers to n records by merging; `other` has room for as many. Returns the array that they are in. A
 * comparison that is no order gives any sequence of them. */
static const record **sort_pointers(const ordering *o, const record **at, const record **other, uint64_t n) {
  for (uint64_t width = 1; width < n; width *= 2) {
    const int64_t merges = (int64_t)((n + 2 * width - 1) / (2 * width));
#pragma omp parallel for schedule(static) if (n > 1 << 14 && merges > 1)
    for (int64_t m = 0; m < merges; m++) {
      const uint64_t a = (uint64_t)m * 2 * width, b = n - a < width ? n : a + width,
                     end = n - a < 2 * width ? n : a + 2 * width;
      merge_runs(o, other, at, a, b, end);
    }
    const record **swap = at;
    at = other, other = swap;
  }
  return at;
}

/* *sorted = the records in order. Local. */
static GrB_Info sort_by_comparison(const ordering *o, char *sorted, const records *r) {
  const size_t pointers = 2 * sizeof(void *);
  const record **at = grid_malloc(r->n, pointers);
  if (!at) return grid_fail_memory(NULL, "entries to sort", r->n, pointers);
  for (uint64_t k = 0; k < r->n; k++) at[k] = record_at(o, r->memory, k);
  const record **order = sort_pointers(o, at, at + r->n, r->n);
  for (uint64_t k = 0; k < r->n; k++) memcpy(sorted + k * o->size, order[k], o->size);
  grid_free(at);
  return GrB_SUCCESS;
}

/* A value as an unsigned number: a smaller one comes first. */
static uint64_t value_key(const ordering *o, const char *value) {
  const uint64_t top = (uint64_t)1 << 63;
  const GrB_Type type = o->less->x;
  uint64_t cast, key;
  double real;
  if (o->cast) o->cast(&cast, value, type->size), value = (const char *)&cast;
  o->key(&key, value, type->size);
  if (number_kind(type) == GrB_FP64) {
    memcpy(&real, &key, sizeof real);
    real += 0.0; /* -0 becomes 0 */
    memcpy(&key, &real, sizeof key);
    key = key & top ? ~key : key | top;
  } else if (number_kind(type) == GrB_INT64) {
    key ^= top;
  }
  return o->less->op == GRID_OP_GT ? ~key : key;
}

typedef enum { BY_MINOR, BY_VALUE, BY_MAJOR, FIELDS } field;

static uint64_t key_of(const ordering *o, field by, const record *r) {
  return by == BY_MINOR ? r->minor : by == BY_VALUE ? value_key(o, r->value) : r->major;
}

/* *sorted = the records in order, if it is one of numbers: stable sorts by minor index, value, and major
 * index. Local. */
static GrB_Info sort_by_keys(const ordering *o, char *sorted, const records *r) {
  const uint64_t n = r->n;
  uint64_t *key = grid_malloc(n, 4 * sizeof *key);
  if (!key) return grid_fail_memory(NULL, "keys to sort", n, 4 * sizeof *key);
  uint64_t *number = key + n, *spare = number + n;
  for (uint64_t k = 0; k < n; k++) number[k] = k;
  for (field by = BY_MINOR; by < FIELDS; by++) {
    uint64_t least = UINT64_MAX;
    for (uint64_t k = 0; k < n; k++) {
      key[k] = key_of(o, by, record_at(o, r->memory, number[k]));
      if (key[k] < least) least = key[k];
    }
    grid_radix_sort(key, (char *)number, n, sizeof *number, least, 0, spare, (char *)(spare + n));
  }
  for (uint64_t k = 0; k < n; k++) memcpy(sorted + k * o->size, record_at(o, r->memory, number[k]), o->size);
  grid_free(key);
  return GrB_SUCCESS;
}

/* Sorts the records. Local. */
static GrB_Info sort_records(const ordering *o, records *r) {
  char *sorted = grid_malloc(r->n, o->size);
  GrB_Info info = GrB_SUCCESS;
  if (!sorted) TRY(grid_fail_memory(NULL, "entries to sort", r->n, o->size));
  TRY(o->key ? sort_by_keys(o, sorted, r) : sort_by_comparison(o, sorted, r));
  char *swap = r->memory;
  r->memory = sorted, sorted = swap;
done:
  grid_free(sorted);
  return info;
}

/* ---- several processes --------------------------------------------------------------------------------- */

enum { MOST_SAMPLES = 64 };

/* *all = samples of every process's sorted records, sorted. Collective, agreed on. */
static GrB_Info gather_samples(const ordering *o, records *all, const records *local) {
  const uint64_t P = (uint64_t)grid_ctx.P, most = P < MOST_SAMPLES ? P : MOST_SAMPLES,
                 n = local->n < most ? local->n : most;
  char *sample = grid_malloc(n, o->size);
  uint64_t *counts = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree(NULL, sample ? info : grid_fail_memory(NULL, "samples", n, o->size)));
  for (uint64_t k = 0; k < n; k++)
    memcpy(sample + k * o->size, local->memory + (local->n * k + local->n / 2) / n * o->size, o->size);
  TRY(grid_gather_elements(&n, 1, sizeof n, (void **)&counts));
  for (uint64_t r = 0; r < P; r++) all->n += counts[r];
  TRY(grid_gather_elements(sample, n, o->size, (void **)&all->memory));
  info = grid_agree(NULL, sort_records(o, all));
done:
  grid_free(sample);
  grid_free(counts);
  return info;
}

/* count[r] = records of the sorted `local` that go to process r. */
static void count_by_splitter(const ordering *o, uint64_t *count, const records *local,
                              const records *samples) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t before = 0;
  for (uint64_t r = 0; r < P; r++) {
    uint64_t low = before, high = local->n;
    const record *splitter =
        r + 1 < P && samples->n ? record_at(o, samples->memory, (r + 1) * samples->n / P) : NULL;
    if (!splitter) low = high;
    while (low < high) {
      const uint64_t mid = low + (high - low) / 2;
      if (precedes(o, record_at(o, local->memory, mid), splitter))
        low = mid + 1;
      else
        high = mid;
    }
    count[r] = low - before;
    before = low;
  }
}

/* The sorted records of each process are exchanged for a run of all. Collective, agreed on. */
static GrB_Info exchange_records(const ordering *o, records *r) {
  records samples = {0}, run = {0};
  uint64_t *count = grid_malloc((size_t)grid_ctx.P, sizeof *count);
  GrB_Info info = count ? GrB_SUCCESS : grid_fail_memory(NULL, "counts", (uint64_t)grid_ctx.P, sizeof *count);
  TRY(grid_agree(NULL, info));
  TRY(gather_samples(o, &samples, r));
  count_by_splitter(o, count, r, &samples);
  TRY(grid_exchange_elements(r->memory, count, o->size, (void **)&run.memory, &run.n));
  grid_free(r->memory);
  *r = run;
  info = grid_agree(NULL, sort_records(o, r));
done:
  grid_free(count);
  grid_free(samples.memory);
  return info;
}

/* How many entries of the first major index here are on the processes before this one. */
static GrB_Info count_before(uint64_t *before, uint64_t n, const uint64_t *major) {
  typedef struct {
    uint64_t n, first, last, trailing; /* trailing: entries of the last major index */
  } summary;
  summary local = {.n = n}, *all = NULL;
  *before = 0;
  if (n) local.first = major[0], local.last = major[n - 1];
  while (local.trailing < n && major[n - 1 - local.trailing] == local.last) local.trailing++;
  if (grid_ctx.P == 1) return GrB_SUCCESS;
  GrB_Info info = grid_gather_elements(&local, 1, sizeof local, (void **)&all);
  for (int r = grid_ctx.k - 1; info == GrB_SUCCESS && n && r >= 0; r--) {
    if (all[r].n == 0) continue;
    if (all[r].last != local.first) break;
    *before += all[r].trailing;
    if (all[r].first != local.first) break;
  }
  grid_free(all);
  return info;
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

void grid_sorted_run_free(grid_sorted_run *run) {
  grid_free(run->major);
  grid_free(run->minor);
  grid_free(run->position);
  grid_free(run->val);
  *run = (grid_sorted_run){0};
}

static GrB_Info read_entries(const ordering *o, records *r, const grid_unsorted_entries *in) {
  r->memory = grid_malloc(in->n, o->size);
  if (!r->memory) return grid_fail_memory(NULL, "entries to sort", in->n, o->size);
  r->n = in->n;
  for (uint64_t k = 0; k < in->n; k++) {
    record *to = (record *)(void *)(r->memory + k * o->size);
    to->major = in->major ? in->major[k] : 0;
    to->minor = in->minor[k];
    memcpy(to->value, in->val + k * o->value_size, o->value_size);
  }
  return GrB_SUCCESS;
}

static GrB_Info write_run(const ordering *o, grid_sorted_run *run, const records *r) {
  const uint64_t n = r->n;
  *run = (grid_sorted_run){.n = n,
                           .major = grid_malloc(n, sizeof *run->major),
                           .minor = grid_malloc(n, sizeof *run->minor),
                           .position = grid_malloc(n, sizeof *run->position),
                           .val = grid_malloc(n, o->value_size)};
  if (!run->major || !run->minor || !run->position || !run->val)
    return grid_fail_memory(NULL, "sorted entries", n, 24 + o->value_size);
  for (uint64_t k = 0; k < n; k++) {
    const record *from = record_at(o, r->memory, k);
    run->major[k] = from->major, run->minor[k] = from->minor;
    memcpy(run->val + k * o->value_size, from->value, o->value_size);
  }
  return GrB_SUCCESS;
}

GrB_Info grid_sort_entries(grid_sorted_run *run, const grid_unsorted_entries *in, GrB_BinaryOp less,
                           GrB_Info info) {
  const ordering o = {.less = less,
                      .cast = in->type == less->x ? NULL : grid_cast(less->x, in->type),
                      .key = is_order_of_numbers(less) ? grid_cast(number_kind(less->x), less->x) : NULL,
                      .value_size = in->type->size,
                      .size = sizeof(record) + (in->type->size + 7) / 8 * 8};
  records r = {0};
  uint64_t before = 0;
  *run = (grid_sorted_run){0};
  if (info == GrB_SUCCESS) info = read_entries(&o, &r, in);
  if (info == GrB_SUCCESS) info = sort_records(&o, &r);
  TRY(grid_agree(NULL, info));
  if (grid_ctx.P > 1) TRY(exchange_records(&o, &r));
  TRY(grid_agree(NULL, write_run(&o, run, &r)));
  TRY(count_before(&before, run->n, run->major));
  for (uint64_t k = 0; k < run->n; k++) {
    if (k > 0 && run->major[k] != run->major[k - 1]) before = 0;
    run->position[k] = before++;
  }
done:
  grid_free(r.memory);
  return info;
}

GrB_Info grid_check_comparison(GrB_BinaryOp op, GrB_Type type, grid_head *out, const char *call) {
  GrB_Info info = grid_check_binary(op, out, call, "op");
  if (info != GrB_SUCCESS) return info;
  if (op->z != GrB_BOOL || op->x != op->y)
    return grid_fail(out, GrB_DOMAIN_MISMATCH,
                     "%s: op is %s(%s, %s) -> %s; a comparison takes two values of one type and gives BOOL",
                     call, op->name, op->x->name, op->y->name, op->z->name);
  return grid_check_cast(op->x, type, out, call, "the operand", "op");
}

GrB_Info grid_check_permutation(GrB_Type type, uint64_t size, grid_head *out, const char *call,
                                const char *what) {
  const bool is_narrow = type == GrB_INT32 || type == GrB_UINT32;
  if (is_narrow && size > (type == GrB_INT32 ? (uint64_t)INT32_MAX : UINT32_MAX))
    return grid_fail(out, GrB_DOMAIN_MISMATCH, "%s: %s has type %s, which does not hold indices below %llu",
                     call, what, type->name, (unsigned long long)size);
  if (is_narrow || type == GrB_INT64 || type == GrB_UINT64) return GrB_SUCCESS;
  return grid_fail(out, GrB_DOMAIN_MISMATCH,
                   "%s: %s has type %s; indices are of INT32, INT64, UINT32, UINT64", call, what, type->name);
}
