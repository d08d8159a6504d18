/* The forms in which programs write a search (dist/lookahead/loop_patterns.c): each on the CPU, where no loop
 * is deferred, and on a device, where it must be. Also with vectors read, changed and cut short in the
 * middle. The device is simulated in host memory (fake_device.h), or, with GRID_TEST_GPU=1, the GPU with its
 * own search engine. */
#include "dist/comm/peer_windows.h"
#include "dist/matrix/matrix.h"
#include "tests/gpu_present.h"
#include "tests/two_backends.h"

#include "semiring/support/tuning.h"
#include "tests/fake_device.h"

enum { MOST = 640 };

static struct {
  GrB_Index n;
  bool edge[MOST][MOST], mirror, hypersparse; /* so few edges that its rows are a list */
} graph;

/* ---- a search ------------------------------------------------------------------------------------------ */

typedef struct {
  GrB_Matrix A;
  GrB_Index n, source;
  GrB_Vector q, next, level, parent, visited, ramp;
  int32_t depth;
  int read_level; /* the level after which the program reads its vectors; 0: never */
  int what;       /* at what */
  bool changed;   /* it has changed something, too: parents of any kind cannot be checked */
} search;

static void new_vectors(search *s, GrB_Type q, GrB_Type level, GrB_Type parent) {
  OK(GrB_Vector_new(&s->q, q, s->n));
  if (level) OK(GrB_Vector_new(&s->level, level, s->n));
  if (parent) OK(GrB_Vector_new(&s->parent, parent, s->n));
}

static void make_index_vector(search *s, GrB_Type t) {
  OK(GrB_Vector_new(&s->ramp, t, s->n));
  OK(GrB_Vector_assign_INT64(s->ramp, NULL, NULL, 0, GrB_ALL, s->n, NULL));
  OK(GrB_Vector_apply_IndexOp_INT64(s->ramp, NULL, NULL, GrB_ROWINDEX_INT64, s->ramp, 0, NULL));
}

enum { READS = 8 };
/* Between two calls of the loop a program may do anything. */
static void read_at_random(search *s, int point) {
  GrB_Index n = 0;
  GrB_Vector v = NULL;
  int64_t x = 0;
  const GrB_Vector output = s->parent ? s->parent : s->level;
  if (s->read_level != s->depth || s->what / READS != point) return;
  switch (s->what % READS) {
    case 0:
      MAY(GrB_Vector_extractElement_INT64(&x, output, s->source)), record_number("an element", x);
      break;
    case 1:
      OK(GrB_Vector_nvals(&n, output)), record_number("a count", (int64_t)n);
      break;
    case 2:
      OK(GrB_Vector_dup(&v, s->q)), record_entries("a copy of q", PATTERN, v, s->q->type),
          OK(GrB_Vector_free(&v));
      break;
    case 3:
      OK(GrB_Vector_wait(output, GrB_MATERIALIZE));
      break;
    case 4:
      s->changed = true;
      OK(GrB_Vector_setElement_INT64(output, 1, s->n - 1));
      break;
    case 5:
      s->changed = true;
      OK(GrB_Vector_removeElement(output, s->source));
      break;
    case 6: /* a value of a loop's */
      OK(GrB_Vector_reduce_INT64(&x, NULL, GrB_PLUS_MONOID_INT64, s->level ? s->level : s->q, NULL));
      if (s->level) record_number("a sum", x);
      break;
    default:
      OK(GrB_Vector_new(&v, GrB_INT32, s->n));
      OK(GrB_Vector_assign_INT32(v, s->q, NULL, 7, GrB_ALL, s->n, GrB_DESC_S));
      record_entries("a vector under q", EXACT, v, GrB_INT32), OK(GrB_Vector_free(&v));
  }
}

static bool is_over(const search *s, GrB_Index found) {
  record_number("found", (int64_t)found);
  return found == 0 || s->depth > (int32_t)s->n + 5;
}

/* ---- the forms ----------------------------------------------------------------------------------------- */

/* GraphBLAS C API 2.1, level search: values are what is visited. */
static void levels_by_value(search *s) {
  GrB_Index found;
  new_vectors(s, GrB_BOOL, GrB_INT32, NULL);
  OK(GrB_Vector_setElement_BOOL(s->q, true, s->source));
  do {
    s->depth++;
    OK(GrB_Vector_apply_BinaryOp2nd_INT32(s->level, NULL, GrB_PLUS_INT32, GrB_SECOND_INT32, s->q, s->depth,
                                          NULL));
    read_at_random(s, 0);
    OK(GrB_vxm(s->q, s->level, NULL, GrB_LOR_LAND_SEMIRING_BOOL, s->q, s->A, GrB_DESC_RC));
    read_at_random(s, 1);
    OK(GrB_Vector_nvals(&found, s->q));
  } while (!is_over(s, found));
}

/* The same with levels in a vector that is full of zeros, and a sum as the loop's condition. */
static void dense_levels(search *s) {
  bool more = false;
  new_vectors(s, GrB_BOOL, GrB_INT64, NULL);
  OK(GrB_Vector_assign_INT64(s->level, NULL, NULL, 0, GrB_ALL, s->n, NULL));
  OK(GrB_Vector_setElement_BOOL(s->q, true, s->source));
  do {
    s->depth++;
    OK(GrB_Vector_assign_INT64(s->level, s->q, NULL, s->depth, GrB_ALL, s->n, NULL));
    read_at_random(s, 0);
    OK(GrB_vxm(s->q, s->level, NULL, GrB_LOR_LAND_SEMIRING_BOOL, s->q, s->A, GrB_DESC_RC));
    read_at_random(s, 1);
    more = false;
    OK(GrB_Vector_reduce_BOOL(&more, NULL, GrB_LOR_MONOID_BOOL, s->q, NULL));
  } while (!is_over(s, more));
}

/* ... parents, indices written by apply, and the smallest parent. */
static void parents_by_apply(search *s) {
  GrB_Index found;
  new_vectors(s, GrB_UINT64, NULL, GrB_UINT64);
  OK(GrB_Vector_setElement_UINT64(s->parent, s->source, s->source));
  OK(GrB_Vector_setElement_UINT64(s->q, 1, s->source));
  do {
    s->depth++;
    OK(GrB_Vector_apply_IndexOp_UINT64(s->q, NULL, NULL, GrB_ROWINDEX_INT64, s->q, 0, NULL));
    read_at_random(s, 0);
    OK(GrB_vxm(s->q, s->parent, NULL, GrB_MIN_FIRST_SEMIRING_UINT64, s->q, s->A, GrB_DESC_RSC));
    read_at_random(s, 1);
    OK(GrB_Vector_apply(s->parent, NULL, GrB_PLUS_UINT64, GrB_IDENTITY_UINT64, s->q, NULL));
    OK(GrB_Vector_nvals(&found, s->q));
  } while (!is_over(s, found));
}

/* Local indices by assignment from a ramp. */
static void parents_by_ramp(search *s) {
  GrB_Index found;
  new_vectors(s, GrB_INT32, GrB_INT32, GrB_INT32);
  make_index_vector(s, GrB_INT32);
  OK(GrB_Vector_setElement_INT32(s->parent, (int32_t)s->source, s->source));
  OK(GrB_Vector_setElement_INT32(s->q, (int32_t)s->source, s->source));
  do {
    s->depth++;
    OK(GrB_mxv(s->q, s->parent, NULL, GrB_MIN_SECOND_SEMIRING_INT32, s->A, s->q, GrB_DESC_RSCT0));
    read_at_random(s, 0);
    OK(GrB_Vector_assign(s->parent, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth, GrB_ALL, s->n, GrB_DESC_S));
    read_at_random(s, 1);
    OK(GrB_Vector_assign(s->q, s->q, NULL, s->ramp, GrB_ALL, s->n,
                         draw_one_in(2) ? GrB_DESC_S : GrB_DESC_RS));
    OK(GrB_Vector_nvals(&found, s->q));
  } while (!is_over(s, found));
}

/* ... by eWiseMult with it; the visited vertices in another vector, combined by eWiseAdd. */
static void parents_by_product(search *s) {
  GrB_Index found;
  new_vectors(s, GrB_INT64, GrB_INT32, GrB_INT64);
  make_index_vector(s, GrB_INT64);
  OK(GrB_Vector_setElement_INT64(s->parent, (int64_t)s->source, s->source));
  OK(GrB_Vector_dup(&s->visited, s->parent));
  OK(GrB_Vector_setElement_INT64(s->q, (int64_t)s->source, s->source));
  do {
    s->depth++;
    OK(GrB_vxm(s->q, s->visited, NULL, Grid_ANY_FIRST_SEMIRING_INT64, s->q, s->A, GrB_DESC_RSC));
    read_at_random(s, 0);
    OK(GrB_Vector_eWiseAdd_BinaryOp(s->visited, NULL, NULL, GrB_MIN_INT64, s->visited, s->q, NULL));
    OK(GrB_Vector_assign(s->parent, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_apply_BinaryOp1st_INT32(s->level, s->q, NULL, GrB_FIRST_INT32, s->depth, s->q, GrB_DESC_S));
    read_at_random(s, 1);
    if (s->source % 2)
      OK(GrB_Vector_eWiseMult_BinaryOp(s->q, NULL, NULL, GrB_SECOND_INT64, s->q, s->ramp, NULL));
    else
      OK(GrB_Vector_eWiseMult_BinaryOp(s->q, NULL, NULL, GrB_FIRST_INT64, s->ramp, s->q, NULL));
    OK(GrB_Vector_nvals(&found, s->q));
  } while (!is_over(s, found));
}

static void parents_by_position(search *s, GrB_Semiring reach) {
  GrB_Index found;
  new_vectors(s, GrB_INT64, GrB_INT32, GrB_INT64);
  OK(GrB_Vector_setElement_INT64(s->parent, (int64_t)s->source, s->source));
  OK(GrB_Vector_setElement_INT64(s->q, (int64_t)s->source, s->source));
  do {
    s->depth++;
    OK(GrB_vxm(s->q, s->parent, NULL, reach, s->q, s->A, GrB_DESC_RSC));
    read_at_random(s, 0);
    OK(GrB_Vector_assign(s->parent, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth, GrB_ALL, s->n, GrB_DESC_S));
    read_at_random(s, 1);
    OK(GrB_Vector_nvals(&found, s->q));
  } while (!is_over(s, found));
}
static void parents_any(search *s) {
  parents_by_position(s, Grid_ANY_SECONDI_SEMIRING_INT64);
}
static void parents_least(search *s) {
  parents_by_position(s, Grid_MIN_SECONDI_SEMIRING_INT64);
}

/* Two frontiers that are swapped; the visited vertices as a pattern. */
static void two_frontiers(search *s, GrB_Semiring reach) {
  GrB_Index found;
  new_vectors(s, reach->add->op->z, GrB_INT32, NULL);
  OK(GrB_Vector_new(&s->next, reach->add->op->z, s->n));
  OK(GrB_Vector_setElement_INT32(s->level, 0, s->source));
  OK(GrB_Vector_new(&s->visited, GrB_BOOL, s->n));
  OK(GrB_Vector_setElement_BOOL(s->visited, true, s->source));
  OK(GrB_Vector_setElement_INT64(s->q, 1, s->source));
  do {
    s->depth++;
    OK(GrB_vxm(s->next, s->visited, NULL, reach, s->q, s->A, GrB_DESC_RSC));
    const GrB_Vector last = s->q;
    s->q = s->next, s->next = last;
    read_at_random(s, 0);
    OK(GrB_Vector_assign_BOOL(s->visited, s->q, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
    OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth, GrB_ALL, s->n,
                               draw_one_in(2) ? NULL : GrB_DESC_S));
    read_at_random(s, 1);
    int64_t sum = 0;
    OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, s->q, NULL));
    found = (GrB_Index)sum;
  } while (!is_over(s, found));
}
static void pattern_operands(search *s) {
  two_frontiers(s, Grid_ANY_ONEB_SEMIRING_INT32);
}
static void iso_patterns(search *s) {
  two_frontiers(s, GrB_MAX_FIRST_SEMIRING_INT64);
}
static void times_semiring(search *s) {
  two_frontiers(s, GrB_MIN_TIMES_SEMIRING_FP32);
}

/* Vertices are marked when they are found: where the search begins is not visited, and may be found, too. */
static void marked_when_found(search *s, bool everywhere) {
  GrB_Index found;
  new_vectors(s, GrB_BOOL, GrB_INT32, NULL);
  if (everywhere)
    OK(GrB_Vector_assign_BOOL(s->q, NULL, NULL, true, GrB_ALL, s->n, NULL));
  else
    OK(GrB_Vector_setElement_BOOL(s->q, true, s->source));
  for (GrB_Index v = s->source % 7; everywhere && v < s->n; v += 7)
    OK(GrB_Vector_setElement_INT32(s->level, 0, v));
  do {
    s->depth++;
    OK(GrB_vxm(s->q, s->level, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, s->q, s->A, GrB_DESC_RSC));
    read_at_random(s, 0);
    OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth, GrB_ALL, s->n, GrB_DESC_S));
    read_at_random(s, 1);
    OK(GrB_Vector_nvals(&found, s->q));
  } while (!is_over(s, found));
}
static void marked_from_one(search *s) {
  marked_when_found(s, false);
}
static void marked_from_all(search *s) {
  marked_when_found(s, true);
}

/* A loop that looks like one of these and is none: the smallest *label*, not the smallest number. */
static void min_label_is_not_parent(search *s) {
  GrB_Index found;
  new_vectors(s, GrB_INT64, NULL, GrB_INT64);
  OK(GrB_Vector_setElement_INT64(s->parent, 7, s->source));
  OK(GrB_Vector_setElement_INT64(s->q, 7, s->source));
  do {
    s->depth++;
    OK(GrB_vxm(s->q, s->parent, NULL, GrB_MIN_FIRST_SEMIRING_INT64, s->q, s->A, GrB_DESC_RSC));
    read_at_random(s, 0);
    OK(GrB_Vector_assign(s->parent, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
    read_at_random(s, 1);
    OK(GrB_Vector_nvals(&found, s->q));
  } while (!is_over(s, found));
}

static const struct {
  const char *name;
  void (*run)(search *s);
  compare_rule parents;
  bool lookahead; /* it must be deferred */
} variants[] = {{"levels by value", levels_by_value, EXACT, true},
                {"levels in full", dense_levels, EXACT, true},
                {"least parents by apply", parents_by_apply, EXACT, true},
                {"least parents by ramp", parents_by_ramp, EXACT, true},
                {"parents by product", parents_by_product, PATTERN, true},
                {"any parents", parents_any, PATTERN, true},
                {"least parents", parents_least, EXACT, true},
                {"two patterns", pattern_operands, EXACT, true},
                {"two of ones", iso_patterns, EXACT, true},
                {"two times", times_semiring, EXACT, true},
                {"marked when found", marked_from_one, EXACT, true},
                {"marked when found, from everywhere", marked_from_all, EXACT, false},
                {"labels", min_label_is_not_parent, EXACT, false}};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* ---- graphs -------------------------------------------------------------------------------------------- */

static void draw_graph(void) {
  const bool path = draw_one_in(6);
  memset(&graph, 0, sizeof graph);
  graph.n = path ? 260 + draw(MOST - 260) : 1 + draw(90);
  graph.mirror = path || draw_one_in(2);
  for (GrB_Index i = 0; path && i + 1 < graph.n; i++) graph.edge[i][i + 1] = true;
  const GrB_Index edges = path ? draw(2) : draw(4 * graph.n);
  for (GrB_Index e = 0; e < edges; e++) graph.edge[draw(graph.n)][draw(graph.n)] = true;
  for (GrB_Index i = 0; graph.mirror && i < graph.n; i++)
    for (GrB_Index j = 0; j < i; j++)
      graph.edge[i][j] = graph.edge[j][i] = graph.edge[i][j] || graph.edge[j][i];
}

static GrB_Matrix matrix_of_graph(void) {
  static GrB_Index row[MOST * MOST], col[MOST * MOST];
  GrB_Index m = 0;
  GrB_Matrix A = NULL;
  for (GrB_Index i = 0; i < graph.n; i++)
    for (GrB_Index j = 0; j < graph.n; j++)
      if (graph.edge[i][j]) row[m] = i, col[m++] = j;
  OK(GrB_Matrix_new(&A, GrB_BOOL, graph.n, graph.n));
  OK(Grid_Matrix_build(A, row, col, NULL, NULL, Grid_rank() == 0 ? m : 0, NULL,
                       graph.mirror ? Grid_MIRROR : 0));
  OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  OK(grid_matrix_require(A, GRID_READY)); /* what the first products would make */
  OK(grid_matrix_require(A, GRID_ALL_FORMS));
  uint64_t hypersparse = A->block.nvals == 0 || A->block.row.ids || A->block.col.ids;
  OK(Grid_sum(&hypersparse, 1)); /* on any process */
  graph.hypersparse = hypersparse > 0;
  return A;
}

/* ---- one round ----------------------------------------------------------------------------------------- */

/* Parents that are none: of a vertex of level L, an edge from one of level L - 1. */
static int64_t wrong_parents(search *s) {
  static GrB_Index at[MOST];
  static int64_t level[MOST], parent[MOST], level_of[MOST];
  GrB_Index n = MOST, m = MOST;
  int64_t wrong = 0;
  for (GrB_Index v = 0; v < s->n; v++) level_of[v] = -1;
  OK(GrB_Vector_extractTuples_INT64(at, level, &n, s->level));
  for (GrB_Index k = 0; k < n; k++) level_of[at[k]] = level[k];
  level_of[s->source] = 0;
  OK(GrB_Vector_extractTuples_INT64(at, parent, &m, s->parent));
  for (GrB_Index k = 0; k < m; k++) {
    const GrB_Index v = at[k], p = (GrB_Index)parent[k];
    if (v == s->source || level_of[v] < 1) continue;
    wrong += p >= s->n || !graph.edge[p][v] || level_of[p] + 1 != level_of[v];
  }
  return wrong;
}

/* A threshold of delegates, with which loops stay deferred on one grid column. The host splits A if it waits
 * before the device is on. */
static bool draw_delegates(GrB_Matrix A) {
  if (grid_ctx.C > 1 || !draw_one_in(3)) return false;
  OK(GrB_Matrix_set_INT32(A, (int32_t)draw(8), Grid_DELEGATES));
  if (draw_one_in(2)) OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  return true;
}

static uint64_t products_without_lookahead; /* products that were not deferred */
static const grid_device_products *products_below;
static bool count_and_accept(GrB_Semiring s) {
  products_without_lookahead++;
  return products_below->is_supported(s);
}

/* With an uneven partition a search is run ahead where rows are whole, every process has entries, and GPUs
 * have windows. */
static bool can_search_partition(GrB_Matrix A) {
  uint64_t with_entries = A->block.nvals > 0;
  if (!grid_partition_of(A->nrows)) return true;
  OK(Grid_sum(&with_entries, 1));
  return with_entries == (uint64_t)grid_ctx.P && grid_ctx.C == 1 && A->properties.symmetric &&
         (grid_window_addresses() || !grid_cuda->search->window);
}

static void run_all_forms(void) {
  const int variant = (int)draw(VARIANTS);
  const bool read_level = draw_one_in(2);
  draw_graph();
  search s = {.A = matrix_of_graph(), .n = graph.n, .source = draw(graph.n)};
  if (read_level) s.read_level = 1 + (int)draw(draw_one_in(4) ? 300 : 4), s.what = (int)draw(2 * READS);
  set_current_call("%s, n %llu%s, source %llu, look %d behind level %d", variants[variant].name,
                   (unsigned long long)s.n, graph.mirror ? " mirrored" : "", (unsigned long long)s.source,
                   s.what, s.read_level);
  const int32_t towards = direction((int32_t)draw(3));
  OK(GrB_Matrix_set_INT32(s.A, towards, Grid_DIRECTION));
  const bool threshold = draw_delegates(s.A);
  change_device();
  if (threshold) OK(grid_matrix_require(s.A, GRID_READY)); /* what the first product would change */
  products_without_lookahead = 0;
  variants[variant].run(&s);
  /* without windows each process must have complete rows, those of the transpose, too. A run is 250 levels
   * long; after it, all vertices may be visited, as may an isolated one. With 64-bit offsets the device has
   * symmetric matrices only. Without windows the engine has no smallest parents */
  const bool partition = can_search_partition(s.A);
  const bool lookahead =
      variants[variant].lookahead && !graph.hypersparse && graph.n > 1 && partition &&
      (s.A->nvals < grid_tune.offsets64_from || s.A->properties.symmetric) &&
      (grid_ctx.P == 1 || (towards != Grid_DIRECTION_PUSH && grid_tune.peer &&
                           (grid_window_addresses() || (grid_ctx.C == 1 && s.A->properties.symmetric))));
  if (!read_level && lookahead && grid_device_is_on() && products_without_lookahead > (s.depth > 250))
    record_number("products that did not run ahead (CUDA)", (int64_t)products_without_lookahead);
  else
    record_number("products that did not run ahead (CUDA)", 0);
  record_entries("q", variants[variant].parents, s.q, s.q->type);
  if (s.next) record_entries("the other frontier", EXACT, s.next, s.next->type);
  if (s.level) record_entries("level", EXACT, s.level, s.level->type);
  if (s.parent) record_entries("parent", variants[variant].parents, s.parent, s.parent->type);
  if (s.visited) record_entries("visited", PATTERN, s.visited, s.visited->type);
  if (s.parent && s.level && !s.changed) record_number("wrong parents", wrong_parents(&s));
  GrB_Vector *all[] = {&s.q, &s.next, &s.level, &s.parent, &s.visited, &s.ramp};
  for (int k = 0; k < 6; k++) OK(GrB_Vector_free(all[k]));
  OK(GrB_Matrix_free(&s.A));
}

static void lookahead(void **state) {
  (void)record_matrix; /* two_backends.h's, unused here */
  run_rounds("ahead", 600, 12, run_all_forms);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lookahead)};
  static grid_backend device;
  static grid_device_products products;
  read_settings();
  const bool gpu = is_set("GRID_TEST_GPU");
  if (gpu && !have_gpu()) return 77;
  if (!gpu) grid_tune.nccl = false; /* it would select a GPU */
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  device = gpu ? *grid_cuda : fake_device;
  products_below = device.products, products = *device.products;
  products.is_supported = count_and_accept, device.products = &products;
  grid_backend_register(&grid_backend_cpu, &device);
  if (!take_device()) return 77;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  if (verbose) print_fallbacks();
  const bool finalized = GrB_finalize() == GrB_SUCCESS;
  free_records(0), free_records(1);
  return failed || !finalized || grid_mem_live() || grid_device_live() ? 1 : 0;
}
