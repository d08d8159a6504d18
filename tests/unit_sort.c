/* One process: sorting tuples (radix sort, scatter into bins; load balance; sources that skip or duplicate
 * tuples), and large local matrices built from them, against the C library's sort. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include <omp.h>

#include "tests/random_numbers.h"
#include "spmat/matrix/lmat_build.h"
#include "spmat/sort/radix.h"

enum { MOST = 120000 };

typedef struct {
  uint64_t key, k;
} item;
static item items[MOST], in_order[2 * MOST]; /* as they come, and as they must stand */
static uint64_t nitems, nsorted;
static uint64_t key[MOST], tmp[MOST];
static char load[8 * MOST], load_tmp[8 * MOST];

static int by_key(const void *a, const void *b) {
  const item *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->k < y->k ? -1 : x->k > y->k;
}

/* Random, clustered, one distant, ascending, descending. */
typedef enum { ANY, CROWDED, EQUAL, ASCENDING, DESCENDING, SHAPES } shape;

static void draw_items(uint64_t n, int bits, shape s) {
  const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
                 center = draw(1u << 31) << 40 ^ draw(1u << 31) << 20 ^ draw(1u << 31);
  nitems = n;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t x = draw(1u << 31) << 40 ^ draw(1u << 31) << 20 ^ draw(1u << 31);
    if (s == CROWDED && !draw_one_in(10)) x = center ^ draw(40000);
    if (s == EQUAL) x = center;
    if (s == ASCENDING) x = k;
    if (s == DESCENDING) x = n - k;
    items[k] = (item){x & mask, k};
  }
}

/* ---- radix.h ------------------------------------------------------------------------------------------- */

static void sort_by_digits(uint64_t n, int bits, shape s, uint64_t base) {
  draw_items(n, bits, s);
  memcpy(in_order, items, n * sizeof *items);
  qsort(in_order, n, sizeof *in_order, by_key);
  for (size_t size = 0; size <= 8; size += 4) {
    for (uint64_t k = 0; k < n; k++) key[k] = base + items[k].key;
    for (uint64_t k = 0; k < n && size; k++) grid_load_set(load, k, size, k);
    grid_radix_sort(key, load, n, size, base, 0, tmp, load_tmp);
    for (uint64_t k = 0; k < n; k++) {
      assert_true(key[k] == base + in_order[k].key);
      if (size) assert_true(grid_load_get(load, k, size) == in_order[k].k);
    }
  }
}

static void digits(void **state) {
  static const uint64_t n[] = {0, 1, 2, 24, 25, 300, 5000, 70000, 110000};
  static const int bits[] = {1, 9, 27, 45, 64};
  for (size_t a = 0; a < sizeof n / sizeof *n; a++)
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
      for (shape s = ANY; s < SHAPES; s++) sort_by_digits(n[a], bits[b], s, bits[b] < 64 ? 12345 : 0);
}

/* Keys whose low bits ascend: only the others are sorted by. */
static void sorted_digits(void **state) {
  for (uint64_t n = 10; n <= 100000; n *= 10) {
    for (uint64_t k = 0; k < n; k++) items[k] = (item){draw(1000) << 20 | k, k};
    memcpy(in_order, items, n * sizeof *items);
    qsort(in_order, n, sizeof *in_order, by_key);
    for (uint64_t k = 0; k < n; k++) key[k] = items[k].key;
    grid_radix_sort(key, NULL, n, 0, 0, 20, tmp, NULL);
    for (uint64_t k = 0; k < n; k++) assert_true(key[k] == in_order[k].key);
  }
}

/* ---- sort.h -------------------------------------------------------------------------------------------- */

/* Items; the source skips some and emits some twice. */
typedef struct {
  size_t size;
  bool uneven;
} item_source;

static uint64_t count_copies(uint64_t k) {
  return k % 7 == 0 ? 0 : k % 3 == 0 ? 2 : 1;
}

static uint64_t read_items(const grid_source *s, uint64_t from, uint64_t to, uint64_t *to_key, uint32_t *bin,
                           char *to_load) {
  const item_source *x = s->context;
  uint64_t m = 0;
  assert_true(to - from <= GRID_BLOCK && !bin);
  for (uint64_t k = from; k < to; k++)
    for (uint64_t copy = 0; copy < (x->uneven ? count_copies(k) : 1); copy++, m++) {
      to_key[m] = items[k].key;
      if (to_load) grid_load_set(to_load, m, x->size, k);
    }
  return m;
}

static void want_items(bool uneven) {
  nsorted = 0;
  for (uint64_t k = 0; k < nitems; k++)
    for (uint64_t copy = 0; copy < (uneven ? count_copies(k) : 1); copy++) in_order[nsorted++] = items[k];
  qsort(in_order, nsorted, sizeof *in_order, by_key);
}

static void check_sorted(const grid_sorted *s) {
  uint64_t at = 0;
  assert_int_equal(s->n, nsorted);
  for (uint64_t r = 0; r < s->runs; r++) {
    const grid_run *run = &s->run[r];
    uint64_t distinct = 0;
    assert_true(run->n > 0);
    assert_true(r == 0 || run[-1].key[run[-1].n - 1] < run->key[0]);
    for (uint64_t k = 0; k < run->n; k++, at++) {
      distinct += k == 0 || run->key[k] != run->key[k - 1];
      assert_true(run->key[k] == in_order[at].key);
      if (s->size) assert_true(grid_load_get(run->load, k, s->size) == in_order[at].k);
    }
    assert_int_equal(run->distinct, distinct);
  }
  assert_int_equal(at, nsorted);
}

static void sort_items(uint64_t n, int bits, shape s, bool uneven) {
  const int64_t live = grid_mem_live();
  draw_items(n, bits, s);
  want_items(uneven);
  for (int threads = 1; threads <= 5; threads += 2)
    for (size_t size = 0; size <= 8; size += 4) {
      grid_sorted sorted;
      const item_source x = {size, uneven};
      omp_set_num_threads(threads);
      assert_int_equal(
          grid_sort_tuples(&sorted, &(grid_source){n, uneven ? 2 : 1, read_items, &x}, size, bits, 0, NULL),
          GrB_SUCCESS);
      check_sorted(&sorted);
      grid_sorted_free(&sorted);
    }
  assert_int_equal(grid_mem_live(), live);
}

static void sorted_tuples(void **state) {
  static const uint64_t n[] = {0, 1, 511, 513, 4096, 4097, 30000, MOST};
  static const int bits[] = {0, 3, 40, 64};
  for (size_t a = 0; a < sizeof n / sizeof *n; a++)
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
      for (shape s = ANY; s < SHAPES; s++) sort_items(n[a], bits[b], s, (a + b) % 2);
}

/* Items scattered into bins as senders do: segment p has every third one, in order of range. The values are
 * the items' numbers, of `size` bytes. */
static uint64_t *bin_items(uint64_t segments, uint64_t ranges, int shift, uint64_t *binned, char *value,
                           size_t size) {
  uint64_t *start = malloc(segments * (ranges + 1) * sizeof *start), at = 0;
  assert_non_null(start);
  for (uint64_t p = 0; p < segments; p++)
    for (uint64_t v = 0; v <= ranges; v++) {
      start[p * (ranges + 1) + v] = at;
      for (uint64_t k = p; k < nitems && v < ranges; k += segments) {
        if (shift < 64 ? items[k].key >> shift != v : v != 0) continue;
        memcpy(value + at * size, &items[k].k, size);
        binned[at++] = items[k].key;
      }
    }
  assert_int_equal(at, nitems);
  return start;
}

static int by_key_then_segment(const void *a, const void *b) {
  const item *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->k % 3 != y->k % 3) return x->k % 3 < y->k % 3 ? -1 : 1;
  return x->k < y->k ? -1 : x->k > y->k;
}

/* A value of `size` bytes that stands for item k. */
static void check_binned(const grid_sorted *s, size_t size, const char *value) {
  uint64_t at = 0;
  const uint64_t mask = size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
  assert_int_equal(s->n, nitems);
  for (uint64_t r = 0; r < s->runs; r++)
    for (uint64_t k = 0; k < s->run[r].n; k++, at++) {
      assert_true(s->run[r].key[k] == in_order[at].key);
      if (!size) continue;
      uint64_t got = grid_load_get(s->run[r].load, k, s->size), want = in_order[at].k;
      if (size > GRID_LOAD_MAX) memcpy(&got, value + got * size, sizeof got);
      assert_true((got & mask) == (want & mask));
    }
  assert_int_equal(at, nitems);
}

static void sort_binned(uint64_t n, int bits, shape s, int range_bits, size_t size) {
  static char value[16 * MOST];
  const int64_t live = grid_mem_live();
  const uint64_t ranges = UINT64_C(1) << range_bits;
  draw_items(n, bits, s);
  for (uint64_t k = 0; k < n; k++) items[k].k = k;
  memcpy(in_order, items, n * sizeof *items);
  qsort(in_order, n, sizeof *in_order, by_key_then_segment);
  uint64_t *binned = malloc(n * sizeof *binned + 1);
  uint64_t *start = bin_items(3, ranges, bits - range_bits, binned, value, size < 8 ? size : 8);
  for (uint64_t k = n; size > 8 && k-- > 0;) memcpy(value + k * size, value + k * 8, 8); /* spread out */
  for (int threads = 1; threads <= 3; threads += 2) {
    grid_sorted sorted;
    grid_binned d = {.key = grid_malloc(n, sizeof *binned),
                     .values = size > GRID_LOAD_MAX ? value
                               : size               ? grid_malloc(n, size)
                                                    : NULL,
                     .value_size = size,
                     .segments = 3,
                     .ranges = ranges,
                     .shift = bits - range_bits,
                     .start = start};
    memcpy(d.key, binned, n * sizeof *binned);
    if (size && d.values != value) memcpy(d.values, value, n * size);
    omp_set_num_threads(threads);
    assert_int_equal(grid_sort_binned(&sorted, &d, grid_load_size(size, n)), GrB_SUCCESS);
    check_binned(&sorted, size, value);
    grid_sorted_free(&sorted);
  }
  free(start), free(binned);
  assert_int_equal(grid_mem_live(), live);
}

static void binned_tuples(void **state) {
  static const uint64_t n[] = {0, 1, 600, 60000, MOST};
  for (size_t a = 0; a < sizeof n / sizeof *n; a++)
    for (shape s = ANY; s < SHAPES; s++) {
      sort_binned(n[a], 40, s, 4, 0);
      sort_binned(n[a], 64, s, 0, 8);
      sort_binned(n[a], 30, s, 5, 1);
      sort_binned(n[a], 40, s, 3, 4);
      sort_binned(n[a], 6, s, 6, 8); /* a range of one key each */
      sort_binned(n[a], 50, s, 2, 16);
    }
}

static uint64_t read_bad(const grid_source *s, uint64_t from, uint64_t to, uint64_t *to_key, uint32_t *bin,
                         char *to_load) {
  (void)from, (void)to, (void)to_key, (void)bin;
  assert_null(to_load); /* a failed sort is not used further */
  atomic_store((atomic_bool *)(uintptr_t)s->context, true);
  return 0;
}

static void failed_sorts_unused(void **state) {
  for (uint64_t n = 100; n <= 100000; n *= 1000) {
    atomic_bool spoiled = false;
    grid_sorted sorted;
    const int64_t live = grid_mem_live();
    assert_int_equal(grid_sort_tuples(&sorted, &(grid_source){n, 1, read_bad, &spoiled}, 0, 30, 0, &spoiled),
                     GrB_INVALID_INDEX);
    assert_int_equal(grid_mem_live(), live);
  }
}

/* The k-th allocation fails: nothing leaks. */
static void sort_without_memory(void **state) {
  const item_source x = {8, false};
  GrB_Info info = GrB_OUT_OF_MEMORY;
  draw_items(MOST, 40, CROWDED);
  want_items(false);
  const int64_t live = grid_mem_live();
  for (int64_t k = 0; info != GrB_SUCCESS; k++) {
    grid_sorted sorted;
    grid_mem_fail_after(k);
    info = grid_sort_tuples(&sorted, &(grid_source){MOST, 1, read_items, &x}, 8, 40, 0, NULL);
    grid_mem_fail_after(-1);
    assert_true(k < 1000 && (info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY));
    if (info == GrB_SUCCESS) {
      assert_true(k > 3);
      check_sorted(&sorted);
      grid_sorted_free(&sorted);
    }
    assert_int_equal(grid_mem_live(), live);
  }
}

/* ---- lmat_build.h -------------------------------------------------------------------------------------- */

typedef struct {
  double x[2];
} large_value;
static large_value large_values[MOST];
static int32_t int_values[MOST];
static double double_values[MOST];
static bool bool_values[MOST];

/* Value of the entry that tuples in_order[from .. to) make: their sum, or the last. */
static void check_value(const grid_local_matrix *p, uint64_t at, uint64_t from, uint64_t to, bool sum) {
  const void *got = grid_lmat_value(p, at);
  const uint64_t last = in_order[to - 1].k;
  if (p->type == GrB_INT32) {
    int32_t want = sum ? 0 : int_values[last];
    for (uint64_t t = from; t < to && sum; t++) want += int_values[in_order[t].k];
    assert_int_equal(*(const int32_t *)got, want);
  } else if (p->type == GrB_FP64) { /* in tuple order, so to the bit */
    double want = sum ? double_values[in_order[from].k] : double_values[last];
    for (uint64_t t = from + 1; t < to && sum; t++) want += double_values[in_order[t].k];
    assert_memory_equal(got, &want, sizeof want);
  } else if (p->type == GrB_BOOL) {
    assert_int_equal(*(const bool *)got, p->iso || bool_values[last]);
  } else {
    assert_memory_equal(got, &large_values[last], sizeof(large_value));
  }
}

static void check_lmat(const grid_local_matrix *p, int bits, bool sum) {
  uint64_t from = 0;
  for (grid_entries it = grid_entries_begin(p); grid_entries_next(&it);) {
    uint64_t to = from;
    while (to < nsorted && in_order[to].key == in_order[from].key) to++;
    assert_true(from < to && it.row == in_order[from].key >> bits);
    assert_true(it.col == (in_order[from].key & ((UINT64_C(1) << bits) - 1)));
    check_value(p, it.at, from, to, sum);
    from = to;
  }
  assert_int_equal(from, nsorted);
}

static int by_column(const void *a, const void *b) {
  const item *x = a, *y = b;
  if (x->k != y->k) return x->k < y->k ? -1 : 1;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* The columns hold what the rows hold, rows ascending, and the same values. */
static void check_columns(grid_local_matrix *p) {
  uint64_t n = 0, at = 0;
  for (grid_entries it = grid_entries_begin(p); grid_entries_next(&it);)
    in_order[n++] = (item){it.row, it.col}; /* the column as k, so that it is sorted by first */
  qsort(in_order, n, sizeof *in_order, by_column);
  assert_int_equal(grid_lmat_add_cols(p, false, false), GrB_SUCCESS);
  for (uint64_t c = 0; c < p->col.n; c++)
    for (uint64_t e = grid_vector_start(&p->by_col, c); e < grid_vector_start(&p->by_col, c + 1); e++, at++) {
      const uint64_t r = p->by_col.idx[e], size = p->type->size;
      assert_true(at < n && in_order[at].k == grid_axis_id(&p->col, c));
      assert_true(in_order[at].key == grid_axis_id(&p->row, r));
      if (!p->iso)
        assert_memory_equal((char *)p->by_col.val + e * size, grid_lmat_value(p, grid_lmat_find(p, r, c)),
                            size);
    }
  assert_int_equal(at, n);
}

static void build(uint64_t n, int row_bits, int bits, shape s, GrB_Type type, const void *values,
                  GrB_BinaryOp dup) {
  const bool one = true;
  grid_local_matrix p;
  grid_pair bad;
  draw_items(n, row_bits + bits, s);
  want_items(false);
  grid_lmat_init(&p, type, UINT64_C(1) << row_bits, UINT64_C(1) << bits);
  uint64_t *packed = grid_malloc(n, sizeof *packed);
  for (uint64_t k = 0; k < n; k++)
    packed[k] = items[k].key >> bits << 32 | (items[k].key & ((UINT64_C(1) << bits) - 1));
  assert_int_equal(grid_lmat_build(&p, packed, false, n, values, &one, (grid_duplicates){dup, !dup}, &bad),
                   GrB_SUCCESS);
  check_lmat(&p, bits, dup != NULL);
  check_columns(&p);
  grid_lmat_free(&p);
}

static void large_lmats(void **state) {
  GrB_Type type;
  const int64_t live = grid_mem_live();
  assert_int_equal(GrB_Type_new(&type, sizeof(large_value)), GrB_SUCCESS);
  for (uint64_t k = 0; k < MOST; k++) {
    int_values[k] = (int32_t)draw(1000) - 500;
    double_values[k] = (double)draw(1000000) / 7;
    bool_values[k] = draw(2);
    large_values[k] = (large_value){{(double)draw(1000), (double)k}};
  }
  for (int threads = 1; threads <= 4; threads += 3) {
    omp_set_num_threads(threads);
    for (shape s = ANY; s < (threads == 1 ? EQUAL : SHAPES); s++) {
      build(MOST, 14, 12, s, GrB_FP64, double_values, GrB_PLUS_FP64);
      build(MOST, 0, 20, s, GrB_FP64, double_values, NULL);
      build(MOST, 20, 0, s, GrB_INT32, int_values, GrB_PLUS_INT32);
      build(MOST, 20, 12, s, GrB_INT32, int_values, NULL);
      build(20000, 31, 31, s, GrB_BOOL, bool_values, NULL); /* hypersparse */
      build(MOST, 22, 22, s, GrB_BOOL, NULL, NULL);
      build(MOST, 10, 10, s, type, large_values, NULL);
    }
  }
  GrB_Type_free(&type);
  assert_int_equal(grid_mem_live(), live);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(digits),
      cmocka_unit_test(sorted_digits),
      cmocka_unit_test(sorted_tuples),
      cmocka_unit_test(binned_tuples),
      cmocka_unit_test(failed_sorts_unused),
      cmocka_unit_test(sort_without_memory),
      cmocka_unit_test(large_lmats),
  };
  if (GrB_init(GrB_BLOCKING) != GrB_SUCCESS) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS ? failed : 1;
}
