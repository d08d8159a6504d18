/* The tree checks of bench/validate/validate.c and validate_paths.c: right trees pass, and each kind of wrong
 * one is caught by the rule that is meant to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "bench/validate/validate.h"
#include "bench/validate/validate_paths.h"

enum { N = 10 };

/* 0 - 1 - 2 - 3 - 0 with the chord 1 - 3, a tail 3 - 4 - 5, a loop at 2, a duplicate; another component 6 - 7
 * - 8; 9 alone. */
static const uint64_t tails[] = {0, 1, 2, 3, 1, 3, 4, 2, 5, 6, 7};
static const uint64_t heads[] = {1, 2, 3, 0, 3, 4, 5, 2, 4, 7, 8};
enum { EDGES = sizeof tails / sizeof *tails };

static const int64_t good_parent[N] = {0, 0, 1, 0, 3, 4, -1, -1, -1, -1};
static const int32_t good_level[N] = {0, 1, 2, 1, 2, 3, -1, -1, -1, -1};

/* A search from 0 whose result a test corrupts. */
typedef struct {
  int64_t parent[N];
  int32_t level[N], depth[N];
  uint8_t in_input[N];
  uint64_t inside;
  validate_job job;
  validate_result result;
} answer;

static void start(answer *a) {
  memcpy(a->parent, good_parent, sizeof good_parent);
  memcpy(a->level, good_level, sizeof good_level);
  memset(a->in_input, 0, sizeof a->in_input);
  a->inside = 0;
  a->job = (validate_job){N, 0, a->parent, a->level, a->depth, false, -1};
}

/* All five rules; returns the one that is broken, 0 when none is. */
static int check(answer *a) {
  if (!validate_tree(&a->job, &a->result)) return a->result.rule;
  if (!validate_edges(&a->job, tails, heads, EDGES, a->in_input, &a->inside, &a->result))
    return a->result.rule;
  if (!validate_tree_edges(&a->job, a->in_input, &a->result)) return a->result.rule;
  return 0;
}

static void a_right_tree_passes(void **state) {
  answer a;
  start(&a);
  assert_int_equal(check(&a), 0);
  assert_memory_equal(a.depth, good_level, sizeof good_level);
  assert_int_equal(a.inside, 9); /* the loop and the duplicate count */
  start(&a);
  a.parent[2] = 3; /* the other path to 2 is as good */
  assert_int_equal(check(&a), 0);
  start(&a);
  a.job.level = NULL;
  assert_int_equal(check(&a), 0);
}

static void rule_1_root(void **state) {
  answer a;
  start(&a);
  a.parent[0] = 1;
  assert_int_equal(check(&a), 1);
  start(&a);
  a.parent[0] = -1;
  assert_int_equal(check(&a), 1);
  start(&a);
  a.job.root = N;
  assert_int_equal(check(&a), 1);
}

static void rule_1_cycle(void **state) {
  answer a;
  start(&a);
  a.parent[4] = 5; /* 4 and 5 are each other's parents */
  assert_int_equal(check(&a), 1);
  start(&a);
  a.parent[4] = 4; /* a second root */
  assert_int_equal(check(&a), 1);
}

static void rule_1_no_such_parent(void **state) {
  answer a;
  const int64_t wrong[] = {N, -2, INT64_MAX, INT64_MIN, 9 /* not reached */};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    start(&a);
    a.parent[5] = wrong[k];
    assert_int_equal(check(&a), 1);
  }
}

/* A gap in the Graph500 reference: another component marked as visited passes there, its levels being
 * "infinite". */
static void rule_1_another_component_marked(void **state) {
  answer a;
  start(&a);
  a.parent[6] = 7, a.parent[7] = 6, a.parent[8] = 7;
  a.job.level = NULL;
  assert_int_equal(check(&a), 1);
  start(&a);
  a.parent[6] = 6, a.parent[7] = 6, a.parent[8] = 7;
  a.level[6] = INT32_MAX, a.level[7] = INT32_MAX, a.level[8] = INT32_MAX;
  assert_int_equal(check(&a), 1);
}

static void rule_2_levels(void **state) {
  answer a;
  start(&a);
  a.level[5] = 4;
  assert_int_equal(check(&a), 2);
  start(&a);
  a.level[9] = 1; /* a level without a parent */
  assert_int_equal(check(&a), 2);
  start(&a);
  a.level[5] = -1; /* a parent without a level */
  assert_int_equal(check(&a), 2);
  start(&a);
  a.level[0] = 1;
  assert_int_equal(check(&a), 2);
  start(&a);
  a.job.limit = 2; /* deeper than the limit */
  assert_int_equal(check(&a), 2);
}

static void rule_3_a_detour(void **state) {
  answer a;
  start(&a);
  a.job.level = NULL;
  a.parent[3] = 2; /* 0 - 1 - 2 - 3 is a path of the graph, but not a shortest one */
  assert_int_equal(check(&a), 3);
  /* an edge that is out of range never passes */
  const uint64_t far = N;
  start(&a);
  assert_true(validate_tree(&a.job, &a.result));
  assert_false(validate_edges(&a.job, &far, &far, 1, a.in_input, &a.inside, &a.result));
}

static void rule_4_not_all_reached(void **state) {
  answer a;
  start(&a);
  a.parent[5] = -1;
  a.level[5] = -1;
  assert_int_equal(check(&a), 4);
  start(&a);
  for (int v = 1; v < N; v++) a.parent[v] = a.level[v] = -1; /* the root alone */
  assert_int_equal(check(&a), 4);
}

static void rule_5_no_such_edge(void **state) {
  answer a;
  start(&a);
  a.parent[9] = 0, a.level[9] = 1; /* a vertex without edges */
  assert_int_equal(check(&a), 5);
  start(&a);
  a.parent[4] = 1; /* the right level, but 1 - 4 is no edge */
  assert_int_equal(check(&a), 5);
  start(&a);
  a.parent[6] = 0, a.parent[7] = 6,
  a.parent[8] = 7; /* the other component attached by an edge that does not exist */
  a.level[6] = 1, a.level[7] = 2, a.level[8] = 3;
  assert_int_equal(check(&a), 5);
}

static void a_limit_ends_the_tree(void **state) {
  answer a;
  start(&a);
  a.job.limit = 2;
  a.parent[5] = a.level[5] = -1;
  assert_int_equal(check(&a), 0);
  start(&a);
  a.job.limit = 3; /* now 5 is missing */
  a.parent[5] = a.level[5] = -1;
  assert_int_equal(check(&a), 4);
  start(&a);
  a.job.limit = 0;
  for (int v = 1; v < N; v++) a.parent[v] = a.level[v] = -1;
  assert_int_equal(check(&a), 0);
}

static void directed_edges(void **state) {
  answer a;
  start(&a);
  a.job.directed = true;
  /* along the edges 0 -> 1 -> 2 -> 3 -> 4 -> 5, and 1 -> 3 */
  const int64_t parent[N] = {0, 0, 1, 1, 3, 4, -1, -1, -1, -1};
  const int32_t level[N] = {0, 1, 2, 2, 3, 4, -1, -1, -1, -1};
  memcpy(a.parent, parent, sizeof parent);
  memcpy(a.level, level, sizeof level);
  assert_int_equal(check(&a), 0);
  start(&a);
  a.job.directed = true; /* the undirected tree uses 3 -> 0 backwards */
  assert_int_equal(check(&a), 5);
}

/* The flags come from several segments of the edges, and the counts add up. */
static void edges_in_segments(void **state) {
  answer a;
  start(&a);
  assert_true(validate_tree(&a.job, &a.result));
  for (uint64_t k = 0; k < EDGES; k++)
    assert_true(validate_edges(&a.job, tails + k, heads + k, 1, a.in_input, &a.inside, &a.result));
  assert_true(validate_tree_edges(&a.job, a.in_input, &a.result));
  assert_int_equal(a.inside, 9);
}

/* A path long enough to show that the chase up the parents is neither recursive nor quadratic. */
static void a_long_path(void **state) {
  const uint64_t n = 1 << 20;
  int64_t *parent = malloc(n * sizeof *parent);
  int32_t *depth = malloc(n * sizeof *depth);
  assert_non_null(parent);
  assert_non_null(depth);
  for (uint64_t v = 0; v < n; v++) parent[v] = v + 1 < n ? (int64_t)v + 1 : (int64_t)v;
  validate_job job = {n, n - 1, parent, NULL, depth, false, -1};
  validate_result result;
  assert_true(validate_tree(&job, &result));
  assert_int_equal(depth[0], n - 1);
  parent[n - 2] = 0; /* one large cycle besides the root */
  assert_false(validate_tree(&job, &result));
  assert_int_equal(result.rule, 1);
  free(parent);
  free(depth);
}

/* ---- shortest paths ---- */

/* Of the edges above; 0 - 1 - 2 is as long as 0 - 3 - 2, and 1 - 3 weighs nothing. */
static const double lengths[] = {0.5, 0.25, 0.25, 0.5, 0, 0.125, 1, 0.75, 2, 1, 1};
static const int64_t path_parent[N] = {0, 0, 1, 0, 3, 4, -1, -1, -1, -1};
static const double path_distance[N] = {0, 0.5, 0.75, 0.5, 0.625, 1.625, NAN, NAN, NAN, NAN};

typedef struct {
  double distance[N];
  answer a;
} paths;

static void start_paths(paths *p) {
  memcpy(p->distance, path_distance, sizeof path_distance);
  start(&p->a);
  memcpy(p->a.parent, path_parent, sizeof path_parent);
  p->a.job.level = NULL;
}

/* All five rules; returns the one that is broken, 0 when none is. */
static int check_lengths(paths *p) {
  answer *a = &p->a;
  if (validate_tree(&a->job, &a->result) && validate_distances(&a->job, p->distance, &a->result) &&
      validate_path_edges(&a->job, p->distance, tails, heads, lengths, EDGES, a->in_input, &a->inside,
                          &a->result))
    validate_tree_edges(&a->job, a->in_input, &a->result);
  return a->result.rule;
}

static void right_paths_pass(void **state) {
  paths p;
  start_paths(&p);
  assert_int_equal(check_lengths(&p), 0);
  assert_int_equal(p.a.inside, 9);
  start_paths(&p);
  p.a.parent[2] = 3;
  assert_int_equal(check_lengths(&p), 0);
  start_paths(&p);
  p.a.parent[3] = 1; /* by the edge that weighs nothing */
  assert_int_equal(check_lengths(&p), 0);
}

static void wrong_paths_do_not(void **state) {
  paths p;
  start_paths(&p);
  p.a.parent[1] = 3, p.a.parent[3] = 1; /* round in a circle by that edge */
  assert_int_equal(check_lengths(&p), 1);
  const double wrong[] = {NAN, INFINITY, -0.5};
  for (int k = 0; k < 3; k++) {
    start_paths(&p);
    p.distance[4] = wrong[k];
    assert_int_equal(check_lengths(&p), 2);
  }
  start_paths(&p);
  p.distance[6] = 1; /* not in the tree */
  assert_int_equal(check_lengths(&p), 2);
  start_paths(&p);
  p.distance[0] = 0.5;
  assert_int_equal(check_lengths(&p), 2);
  start_paths(&p);
  p.distance[5] = 2.625; /* the heavier of two edges */
  assert_int_equal(check_lengths(&p), 3);
  start_paths(&p);
  p.a.parent[2] = 3, p.distance[2] = 1; /* longer than the edge */
  assert_int_equal(check_lengths(&p), 3);
  start_paths(&p);
  p.a.parent[5] = -1, p.distance[5] = NAN;
  assert_int_equal(check_lengths(&p), 4);
  start_paths(&p);
  p.distance[5] = 1.5; /* shorter than any path */
  assert_int_equal(check_lengths(&p), 5);
  start_paths(&p);
  p.a.parent[4] = 1; /* 1 - 4 is no edge */
  assert_int_equal(check_lengths(&p), 5);
  const uint64_t far = N;
  const double one = 1;
  start_paths(&p);
  assert_true(validate_tree(&p.a.job, &p.a.result));
  assert_false(
      validate_path_edges(&p.a.job, p.distance, &far, &far, &one, 1, p.a.in_input, &p.a.inside, &p.a.result));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_right_tree_passes),
      cmocka_unit_test(rule_1_root),
      cmocka_unit_test(rule_1_cycle),
      cmocka_unit_test(rule_1_no_such_parent),
      cmocka_unit_test(rule_1_another_component_marked),
      cmocka_unit_test(rule_2_levels),
      cmocka_unit_test(rule_3_a_detour),
      cmocka_unit_test(rule_4_not_all_reached),
      cmocka_unit_test(rule_5_no_such_edge),
      cmocka_unit_test(a_limit_ends_the_tree),
      cmocka_unit_test(directed_edges),
      cmocka_unit_test(edges_in_segments),
      cmocka_unit_test(a_long_path),
      cmocka_unit_test(right_paths_pass),
      cmocka_unit_test(wrong_paths_do_not),
  };
  return cmocka_run_group_tests_name("validate", tests, NULL, NULL);
}
