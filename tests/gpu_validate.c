/* The tree checks on the GPU (bench/validate/validate.cu) against those on the CPU
 * (bench/validate/validate.c). Both must find the same rule broken, with the same words, in trees that are
 * spoilt on purpose and at random. Exit status 77 without a GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "bench/validate/validate.h"
#include "bench/validate/validate_cuda.h"

/* A graph and the result of a search. */
typedef struct {
  uint64_t n, tuples, root;
  uint64_t *rows, *cols;
  bool directed;
  int64_t limit;
  int64_t *parent;
  int32_t *level, *depth;
  uint8_t *in_input;
} search;

static void make(search *s, uint64_t n, uint64_t tuples) {
  *s = (search){.n = n, .tuples = tuples, .limit = -1};
  s->rows = calloc(tuples + 1, sizeof *s->rows);
  s->cols = calloc(tuples + 1, sizeof *s->cols);
  s->parent = malloc(n * sizeof *s->parent);
  s->level = malloc(n * sizeof *s->level);
  s->depth = malloc(n * sizeof *s->depth);
  s->in_input = malloc(n);
  assert_true(s->rows && s->cols && s->parent && s->level && s->depth && s->in_input);
}

static void drop(search *s) {
  free(s->rows);
  free(s->cols);
  free(s->parent);
  free(s->level);
  free(s->depth);
  free(s->in_input);
}

/* A correct result, level by level over all tuples: slow and simple. */
static void answer(search *s, uint64_t root, int64_t limit) {
  bool more = true;
  s->root = root;
  s->limit = limit;
  for (uint64_t v = 0; v < s->n; v++) s->parent[v] = s->level[v] = -1;
  s->parent[root] = (int64_t)root;
  s->level[root] = 0;
  for (int32_t d = 0; more && (limit < 0 || d < limit); d++) {
    more = false;
    for (uint64_t k = 0; k < s->tuples; k++)
      for (int reversed = 0; reversed < (s->directed ? 1 : 2); reversed++) {
        const uint64_t u = reversed ? s->cols[k] : s->rows[k], v = reversed ? s->rows[k] : s->cols[k];
        if (s->level[u] != d || s->level[v] >= 0) continue;
        s->level[v] = d + 1;
        s->parent[v] = (int64_t)u;
        more = true;
      }
  }
}

/* ---- the two validators ---- */

static validate_result by_cpu(search *s, uint64_t *inside) {
  validate_result r;
  const validate_job job = {s->n, s->root, s->parent, s->level, s->depth, s->directed, s->limit};
  *inside = 0;
  memset(s->in_input, 0, s->n);
  if (validate_tree(&job, &r) && validate_edges(&job, s->rows, s->cols, s->tuples, s->in_input, inside, &r))
    validate_tree_edges(&job, s->in_input, &r);
  return r;
}

/* The library's result: the entries of two vectors. */
static bool put_answer(validate_cuda *c, const search *s, validate_result *r) {
  uint64_t *at = malloc((s->n + 1) * sizeof *at), count = 0;
  int64_t *value = malloc((s->n + 1) * sizeof *value);
  assert_true(at && value);
  for (uint64_t v = 0; v < s->n; v++)
    if (s->parent[v] != -1) at[count] = v, value[count++] = s->parent[v];
  const bool good = validate_cuda_clear(c, r) && validate_cuda_parents(c, at, value, count, r);
  free(at);
  free(value);
  return good;
}

static bool scatter_levels(validate_cuda *c, const search *s, uint64_t first, uint64_t share,
                           validate_result *r) {
  uint64_t *at = malloc((share + 1) * sizeof *at), count = 0;
  int32_t *value = malloc((share + 1) * sizeof *value);
  assert_true(at && value);
  for (uint64_t v = first; v < first + share; v++)
    if (s->level[v] != -1) at[count] = v, value[count++] = s->level[v];
  const bool good = validate_cuda_levels(c, at, value, count, r);
  free(at);
  free(value);
  return good;
}

static validate_cuda *open_all(const search *s) {
  const char *why = NULL;
  validate_cuda *c = validate_cuda_open(0, s->n, 0, s->n, s->directed, &why);
  if (c == NULL) print_error("%s\n", why);
  assert_non_null(c);
  return c;
}

static validate_result by_gpu(search *s, uint64_t *inside) {
  validate_result r;
  validate_cuda *c = open_all(s);
  *inside = 0;
  if (put_answer(c, s, &r) && validate_cuda_tree(c, s->root, s->limit, &r) &&
      scatter_levels(c, s, 0, s->n, &r) && validate_cuda_edges(c, s->rows, s->cols, s->tuples, inside, &r))
    validate_cuda_tree_edges(c, &r);
  validate_cuda_close(c);
  return r;
}

/* Both agree; returns the broken rule. Of a circle each may name another vertex. */
static int both(search *s) {
  uint64_t cpu_inside, gpu_inside;
  const validate_result cpu = by_cpu(s, &cpu_inside), gpu = by_gpu(s, &gpu_inside);
  if (cpu.rule != gpu.rule)
    print_error("CPU: %d %s\nGPU: %d %s\n", cpu.rule, cpu.rule ? cpu.text : "", gpu.rule,
                gpu.rule ? gpu.text : "");
  assert_int_equal(cpu.rule, gpu.rule);
  if (cpu.rule != 0 && strstr(cpu.text, "circle") == NULL) assert_string_equal(cpu.text, gpu.text);
  if (cpu.rule == 0) assert_int_equal(cpu_inside, gpu_inside);
  return cpu.rule;
}

/* ---- a small graph, spoilt by hand ---- */

/* 0 - 1 - 2 - 3 - 0 with the chord 1 - 3, a tail 3 - 4 - 5, a loop at 2, a duplicate; another component 6 - 7
 * - 8; 9 alone. */
enum { N = 10, EDGES = 11 };
static void small(search *s) {
  static const uint64_t tails[EDGES] = {0, 1, 2, 3, 1, 3, 4, 2, 5, 6, 7},
                        heads[EDGES] = {1, 2, 3, 0, 3, 4, 5, 2, 4, 7, 8};
  static const int64_t parent[N] = {0, 0, 1, 0, 3, 4, -1, -1, -1, -1};
  make(s, N, EDGES);
  memcpy(s->rows, tails, sizeof tails);
  memcpy(s->cols, heads, sizeof heads);
  answer(s, 0, -1);
  memcpy(s->parent, parent, sizeof parent);
}

/* One case: rule `expected` with parent[v] = p and level[v] = l. */
static void spoilt(int expected, uint64_t v, int64_t p, int32_t l) {
  search s;
  small(&s);
  s.parent[v] = p;
  s.level[v] = l;
  assert_int_equal(both(&s), expected);
  drop(&s);
}

static void all_rules(void **state) {
  const int64_t no_vertex[] = {
      N, -2, INT64_MAX, INT64_MIN, INT64_C(0xffffffff), INT64_C(0xfffffffe), INT64_C(1) << 32};
  spoilt(0, 2, 1, 2);
  spoilt(0, 2, 3, 2);
  spoilt(1, 0, 1, 0);
  spoilt(1, 0, -1, 0);
  spoilt(1, 4, 5, 2);
  spoilt(1, 4, 4, 2);
  spoilt(1, 5, 9, 3);
  for (size_t k = 0; k < sizeof no_vertex / sizeof *no_vertex; k++) spoilt(1, 5, no_vertex[k], 3);
  spoilt(2, 5, 4, 4);
  spoilt(2, 9, -1, 1);
  spoilt(2, 5, 4, -1);
  spoilt(2, 0, 0, 1);
  spoilt(4, 5, -1, -1);
  spoilt(5, 9, 0, 1);
  spoilt(5, 4, 1, 2);
}

/* 0 - 1 - 2 - 3 is a path of the graph, but not a shortest one. */
static void a_detour(void **state) {
  search s;
  small(&s);
  s.parent[3] = 2;
  s.level[3] = 3, s.level[4] = 4, s.level[5] = 5;
  assert_int_equal(both(&s), 3);
  drop(&s);
}

static void limits(void **state) {
  search s;
  small(&s);
  s.limit = 2; /* 5 is deeper than the limit */
  assert_int_equal(both(&s), 2);
  s.parent[5] = s.level[5] = -1;
  assert_int_equal(both(&s), 0);
  s.limit = 3; /* now it is missing */
  assert_int_equal(both(&s), 4);
  s.root = N;
  assert_int_equal(both(&s), 1);
  drop(&s);
}

static void one_way(void **state) {
  search s;
  small(&s);
  s.directed = true; /* the undirected tree uses 3 -> 0 backwards */
  assert_int_equal(both(&s), 5);
  answer(&s, 0, -1);
  assert_int_equal(both(&s), 0);
  drop(&s);
}

static void an_end_that_is_no_vertex(void **state) {
  search s;
  small(&s);
  s.cols[3] = N;
  assert_int_equal(both(&s), 3);
  drop(&s);
}

/* ---- R-MAT graphs, spoilt at random ---- */

static uint64_t next_random(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return Grid_Rmat_mix(*state);
}

static void random_graph(search *s, Grid_Rmat *g, int scale, uint64_t seed) {
  make(s, UINT64_C(1) << scale, UINT64_C(4) << scale);
  Grid_Rmat_init(g, scale, seed);
  for (uint64_t k = 0; k < s->tuples; k++) Grid_Rmat_tuple(g, k, &s->rows[k], &s->cols[k]);
}

/* Up to three vertices get another parent or level. */
static void spoil(search *s, uint64_t *random) {
  for (uint64_t times = next_random(random) % 3 + 1; times > 0; times--) {
    const uint64_t v = next_random(random) % s->n, u = next_random(random) % s->n;
    switch (next_random(random) % 4) {
      case 0:
        s->parent[v] = (int64_t)u;
        break;
      case 1:
        s->parent[v] = (int64_t)u, s->level[v] = s->level[u] + 1;
        break;
      case 2:
        s->parent[v] = s->level[v] = -1;
        break;
      default:
        s->level[v]++;
    }
  }
}

static void at_random(void **state) {
  uint64_t random = 3, rules[6] = {0};
  for (uint64_t round = 0; round < 60; round++) {
    search s;
    Grid_Rmat g;
    random_graph(&s, &g, 5 + (int)(round % 5), round);
    s.directed = round % 3 == 0;
    answer(&s, s.rows[0], round % 4 == 0 ? 2 : -1);
    assert_int_equal(both(&s), 0);
    spoil(&s, &random);
    /* with several faults each may come upon another one first */
    uint64_t cpu_inside, gpu_inside;
    const validate_result cpu = by_cpu(&s, &cpu_inside), gpu = by_gpu(&s, &gpu_inside);
    assert_int_equal(cpu.rule == 0, gpu.rule == 0);
    assert_true(gpu.rule >= 0 && gpu.rule <= 5);
    rules[gpu.rule]++;
    drop(&s);
  }
  assert_true(rules[0] < 30); /* faults are found, not overlooked by both */
}

/* The tuples regenerated on the GPU are those of the host, for any division into segments; the segments'
 * flags combine. */
static void rebuilt(void **state) {
  for (int scale = 4; scale <= 15; scale++) {
    search s;
    Grid_Rmat g;
    validate_result r;
    random_graph(&s, &g, scale, 7);
    answer(&s, s.rows[0], -1);
    uint64_t expected, inside = 0, counted = 0;
    assert_int_equal(by_cpu(&s, &expected).rule, 0);
    validate_cuda *a = open_all(&s), *b = open_all(&s);
    const uint64_t half = s.tuples / 3;
    assert_true(put_answer(a, &s, &r) && validate_cuda_tree(a, s.root, -1, &r));
    assert_true(put_answer(b, &s, &r) && validate_cuda_tree(b, s.root, -1, &r));
    assert_true(validate_cuda_rmat(a, &g, 0, half, &inside, &r));
    assert_true(validate_cuda_rmat(b, &g, half, s.tuples - half, &inside, &r));
    assert_int_equal(inside, expected);

    uint32_t *marks = malloc(validate_cuda_words(b) * sizeof *marks);
    assert_non_null(marks);
    assert_true(validate_cuda_marks(b, marks, &r) && validate_cuda_merge_marks(a, marks, &r));
    assert_true(validate_cuda_tree_edges(a, &r));
    free(marks);
    assert_true(validate_cuda_depths(a, s.depth, &r));
    assert_memory_equal(s.depth, s.level, s.n * sizeof *s.depth);

    validate_cuda_count_only(b);
    assert_true(validate_cuda_rmat(b, &g, 0, s.tuples, &counted, &r));
    assert_int_equal(counted, expected);
    assert_true(validate_cuda_generate(b, &g, 0, s.tuples) >= 0);
    validate_cuda_close(a);
    validate_cuda_close(b);
    drop(&s);
  }
}

/* A tree distributed over processes. */
static void in_shares(void **state) {
  search s;
  Grid_Rmat g;
  validate_result r;
  const char *why;
  random_graph(&s, &g, 10, 1);
  answer(&s, s.rows[0], -1);
  const uint64_t first = 320, share = s.n - first;
  validate_cuda *all = open_all(&s), *part = validate_cuda_open(0, s.n, first, share, false, &why);
  uint32_t *segment = malloc(s.n * sizeof *segment);
  assert_true(part && segment);
  assert_true(put_answer(all, &s, &r) && validate_cuda_clear(part, &r));
  assert_true(validate_cuda_get(all, segment, 0, first, &r) &&
              validate_cuda_set(part, 0, segment, first, &r));
  assert_true(validate_cuda_get(all, segment, first, share, &r) &&
              validate_cuda_set(part, first, segment, share, &r));
  assert_true(validate_cuda_tree(part, s.root, -1, &r));
  assert_true(scatter_levels(part, &s, first, share, &r));
  s.level[first + 5] += 1;
  assert_false(scatter_levels(part, &s, first, share, &r));
  assert_int_equal(r.rule, 2);
  free(segment);
  validate_cuda_close(all);
  validate_cuda_close(part);
  drop(&s);
}

/* A path long enough to show that depths don't take a pass a level, and a circle as long. */
static void a_long_path(void **state) {
  search s;
  make(&s, 1 << 20, 0);
  s.tuples = 0;
  for (uint64_t v = 0; v < s.n; v++) {
    s.parent[v] = v + 1 < s.n ? (int64_t)v + 1 : (int64_t)v;
    s.level[v] = (int32_t)(s.n - 1 - v);
  }
  s.root = s.n - 1;
  assert_int_equal(both(&s), 5); /* correct except for the edges: there are none */
  s.parent[s.n - 2] = 0;
  assert_int_equal(both(&s), 1);
  drop(&s);
}

int main(void) {
  const char *why = NULL;
  validate_cuda *c = validate_cuda_open(0, 1, 0, 1, false, &why);
  if (c == NULL) {
    printf("skipped: %s\n", why);
    return 77;
  }
  validate_cuda_close(c);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_rules),
      cmocka_unit_test(a_detour),
      cmocka_unit_test(limits),
      cmocka_unit_test(one_way),
      cmocka_unit_test(an_end_that_is_no_vertex),
      cmocka_unit_test(at_random),
      cmocka_unit_test(rebuilt),
      cmocka_unit_test(in_shares),
      cmocka_unit_test(a_long_path),
  };
  return cmocka_run_group_tests_name("validate on the GPU", tests, NULL, NULL);
}
