/* A search as a user would write it, with deviations. */
#ifndef GRID_CUDA_USER_LOOPS_H
#define GRID_CUDA_USER_LOOPS_H
#include "tests/cuda/round_objects.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Vector q, level, parent, other, visited;
  GrB_Type q_type, level_type;
  GrB_Semiring reach;
  GrB_Descriptor d;
  int32_t depth, no_reads,
      stride; /* no_reads: levels to come without a call of nvals; stride: of the levels recorded */
  bool tree, by_mxv, mask_is_level, mask_is_visited, parent_first, done;
  compare_rule parents;
  uint64_t alone; /* what one process saw */
} loop;

/* What happens once in a loop, at one level, between two of its statements. */
typedef enum {
  NOTHING,
  STOP,
  READ_LEVEL,
  READ_Q,
  READ_PARENT,
  VISIT,
  FORGET,
  ADD_EDGE,
  REMOVE_EDGE,
  OTHER_PRODUCT,
  OTHER_SEMIRING,
  OTHER_MASK,
  BY_VALUE,
  NO_REPLACE,
  CLEAR_Q,
  ADD_TO_Q,
  DUP_Q,
  DUP_VISITED,
  FREE_Q,
  FREE_PARENT,
  FREE_LEVEL,
  FREE_A,
  DIRECTION,
  DEVICE,
  LEVEL_TWICE,
  OTHER_ASSIGN,
  WAITS,
  NO_COUNT,
  STRIDE,
  COUNT_TWICE,
  APPLY_Q,
  REDUCE_LEVEL,
  READ_ON_ONE,
  DEVIATIONS
} deviation;
static const char *const deviation_name[] = {"nothing",
                                             "stop",
                                             "read level",
                                             "read q",
                                             "read parent",
                                             "visit by hand",
                                             "forget a vertex",
                                             "add an edge",
                                             "remove an edge",
                                             "another product",
                                             "another semiring",
                                             "another mask",
                                             "mask by value",
                                             "no replace",
                                             "clear q",
                                             "add to q",
                                             "dup q",
                                             "dup visited",
                                             "free q",
                                             "free parent",
                                             "free level",
                                             "free A",
                                             "another direction",
                                             "another device",
                                             "level twice",
                                             "another assign",
                                             "wait",
                                             "no nvals",
                                             "levels by twos",
                                             "nvals twice",
                                             "apply to q",
                                             "reduce level",
                                             "one process alone looks"};
static struct {
  deviation what;
  int32_t depth;
  int point;
} plan;
enum { AFTER_PRODUCT, AFTER_COUNT, AFTER_LEVEL, AFTER_PARENT, POINTS };

static void new_objects(loop *s) {
  OK(GrB_Vector_new(&s->q, s->q_type, s->n));
  OK(GrB_Vector_new(&s->level, s->level_type, s->n));
  OK(GrB_Vector_new(&s->other, GrB_INT32, s->n));
  OK(GrB_Vector_new(&s->visited, GrB_BOOL, s->n));
  if (s->tree) OK(GrB_Vector_new(&s->parent, s->q_type, s->n));
}

static void begin_loop(loop *s, const GrB_Index *source, int sources) {
  s->depth = 0, s->stride = 1, s->parents = PARENT, s->done = false;
  for (int k = 0; k < sources; k++) {
    OK(GrB_Vector_setElement_INT64(s->q, s->tree ? (int64_t)source[k] : 1, source[k]));
    OK(GrB_Vector_setElement_INT32(s->level, 0, source[k]));
    OK(GrB_Vector_setElement_BOOL(s->visited, true, source[k]));
    if (s->tree) OK(GrB_Vector_setElement_INT64(s->parent, (int64_t)source[k], source[k]));
  }
}

static void clear_objects(loop *s) {
  OK(GrB_Vector_clear(s->q)), OK(GrB_Vector_clear(s->level));
  OK(GrB_Vector_clear(s->other)), OK(GrB_Vector_clear(s->visited));
  if (s->tree) OK(GrB_Vector_clear(s->parent));
}

static void end_loop(loop *s) {
  OK(GrB_Vector_free(&s->q)), OK(GrB_Vector_free(&s->level)), OK(GrB_Vector_free(&s->visited));
  OK(GrB_Vector_free(&s->parent)), OK(GrB_Vector_free(&s->other));
}

static void copy_of(GrB_Vector *v) {
  GrB_Vector copy = NULL;
  OK(GrB_Vector_dup(&copy, *v));
  OK(GrB_Vector_free(v));
  *v = copy;
}

/* Local calls, by one process: what it sees is compared when the loop is over. */
static void read_on_one_process(loop *s) {
  GrB_Index n = 0, rows = 0, entries = s->n;
  const int who = (int)draw((uint64_t)Grid_size());
  if (Grid_rank() != who) return;
  GrB_Index *at = malloc((s->n + 1) * sizeof *at);
  OK(GrB_Vector_size(&n, s->q)), OK(GrB_Matrix_nrows(&rows, s->A));
  assert_true(n == s->n && rows == s->n);
  OK(Grid_Vector_extractLocal(at, NULL, &entries, s->level));
  for (GrB_Index k = 0; k < entries; k++) s->alone += at[k] + 1;
  entries = s->n;
  OK(Grid_Vector_extractLocal(at, NULL, &entries, s->q));
  for (GrB_Index k = 0; k < entries; k++) s->alone += 3 * at[k] + 1;
  OK(Grid_Matrix_extractLocal(NULL, NULL, NULL, &entries, s->A));
  GrB_Index *row = malloc((entries + 1) * sizeof *row), *col = malloc((entries + 1) * sizeof *col);
  OK(Grid_Matrix_extractLocal(row, col, NULL, &entries, s->A));
  for (GrB_Index k = 0; k < entries; k++) assert_true(row[k] < s->n && col[k] < s->n);
  free(at), free(row), free(col);
}

/* Deviations that read results or that end the loop. */
static bool read_or_end(loop *s, GrB_Index v) {
  int64_t sum = 0;
  GrB_Index n = 0;
  int32_t x = -1;
  switch (plan.what) {
    case STOP:
      s->done = true;
      return true;
    case READ_LEVEL:
      OK(GrB_Vector_extractElement_INT32(&x, s->level, v)), record_number("level of one vertex", x);
      record_entries("level in the middle", EXACT, s->level, s->level_type);
      return true;
    case READ_Q:
      record_entries("q in the middle", PATTERN, s->q, s->q_type);
      return true;
    case READ_PARENT:
      if (!s->tree) return true;
      record_entries("parent in the middle", PATTERN, s->parent, s->q_type);
      OK(GrB_Vector_nvals(&n, s->parent)), record_number("parents", (int64_t)n);
      return true;
    case REDUCE_LEVEL:
      OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, s->level, NULL));
      record_number("sum of the levels", sum);
      return true;
    case COUNT_TWICE:
      OK(GrB_Vector_nvals(&n, s->q)), record_number("nvals(q)", (int64_t)n);
      OK(GrB_Vector_nvals(&n, s->level)), record_number("nvals(level)", (int64_t)n);
      return true;
    case READ_ON_ONE:
      read_on_one_process(s);
      return true;
    case WAITS:
      OK(GrB_Vector_wait(s->q, GrB_COMPLETE)), OK(GrB_Vector_wait(s->level, GrB_MATERIALIZE));
      OK(GrB_Matrix_wait(s->A, GrB_MATERIALIZE));
      return true;
    case FREE_Q:
      OK(GrB_Vector_free(&s->q));
      s->done = true;
      return true;
    case FREE_PARENT: /* the mask of the loop; a new, empty one replaces it */
      OK(GrB_Vector_free(&s->parent));
      s->tree = false, s->done = true;
      return true;
    case FREE_LEVEL:
      OK(GrB_Vector_free(&s->level));
      s->done = true;
      return true;
    case FREE_A:
      OK(GrB_Matrix_free(&s->A));
      s->done = true;
      return true;
    default:
      return false;
  }
}

/* Deviations that change what the loop works on. */
static void change(loop *s, GrB_Index v, GrB_Index u) {
  GrB_Vector t = NULL;
  switch (plan.what) {
    case VISIT:
      OK(GrB_Vector_setElement_INT32(s->level, 100, v));
      OK(GrB_Vector_setElement_BOOL(s->visited, true, v));
      if (s->tree) OK(GrB_Vector_setElement_INT64(s->parent, -7, v));
      s->parents = PATTERN; /* v may be in q already */
      break;
    case FORGET:
      OK(GrB_Vector_removeElement(s->level, v));
      OK(GrB_Vector_removeElement(s->visited, v));
      if (s->tree) OK(GrB_Vector_removeElement(s->parent, v));
      s->parents = PATTERN;
      break;
    case ADD_EDGE:
      OK(GrB_Matrix_setElement_INT32(s->A, 1, u, v));
      s->parents = PATTERN; /* `drawn` does not have it */
      break;
    case REMOVE_EDGE:
      if (drawn.n) OK(GrB_Matrix_removeElement(s->A, drawn.at[u % drawn.n].row, drawn.at[u % drawn.n].col));
      break;
    case OTHER_PRODUCT:
      OK(GrB_Vector_new(&t, GrB_UINT64, s->n));
      OK(GrB_vxm(t, NULL, NULL, Grid_PLUS_ONEB_SEMIRING_UINT64, s->q, s->A, NULL));
      record_entries("edges of q", EXACT, t, GrB_UINT64);
      OK(GrB_Vector_free(&t));
      break;
    case OTHER_SEMIRING:
      if (s->q_type == GrB_INT64) s->reach = Grid_MIN_SECONDI_SEMIRING_INT64;
      break;
    case OTHER_MASK:
      s->mask_is_level = !s->mask_is_level, s->mask_is_visited = false;
      break;
    case BY_VALUE: /* the sources have level 0: they are found again */
      s->d = s->by_mxv ? GrB_DESC_RCT0 : GrB_DESC_RC;
      s->mask_is_level = true, s->mask_is_visited = false, s->parents = PATTERN;
      break;
    case NO_REPLACE:
      s->d = s->by_mxv ? GrB_DESC_SCT0 : GrB_DESC_SC;
      s->parents = PATTERN;
      break;
    case CLEAR_Q:
      OK(GrB_Vector_clear(s->q));
      break;
    case ADD_TO_Q:
      OK(GrB_Vector_setElement_INT64(s->q, 1, v));
      s->parents = PATTERN;
      break;
    case DUP_Q:
      copy_of(&s->q);
      break;
    case DUP_VISITED:
      copy_of(&s->level);
      copy_of(&s->visited);
      if (s->tree) copy_of(&s->parent);
      break;
    case DIRECTION:
      OK(GrB_Matrix_set_INT32(s->A, direction((int32_t)(u % 3)), Grid_DIRECTION));
      break;
    case DEVICE:
      OK(to_device(Grid_CPU));
      break;
    case LEVEL_TWICE:
      OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, 77, GrB_ALL, s->n, GrB_DESC_S));
      OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth, GrB_ALL, s->n, GrB_DESC_S));
      if (s->tree && plan.point < AFTER_LEVEL) s->parents = PATTERN;
      break;
    case OTHER_ASSIGN:
      OK(GrB_Vector_assign_INT32(s->other, s->q, GrB_PLUS_INT32, s->depth, GrB_ALL, s->n, GrB_DESC_S));
      break;
    case NO_COUNT:
      s->no_reads = 3;
      break;
    case STRIDE:
      s->stride = 2, s->parents = PATTERN;
      break;
    case APPLY_Q: /* q keeps its pattern */
      OK(GrB_Vector_apply(s->q, NULL, NULL, s->q_type == GrB_BOOL ? GrB_IDENTITY_BOOL : GrB_IDENTITY_INT64,
                          s->q, NULL));
      break;
    default:
      break;
  }
}

static void maybe_deviate(loop *s, int point) {
  const bool again = plan.what == READ_ON_ONE && s->depth > plan.depth; /* that one continues */
  if ((s->depth != plan.depth && !again) || point != plan.point || s->done) return;
  const GrB_Index v = draw(s->n), u = draw(s->n);
  if (!read_or_end(s, v)) change(s, v, u);
  if (s->parent_first && point == AFTER_LEVEL && (s->done || plan.what == CLEAR_Q))
    s->parents = PATTERN; /* the parents are noted, their levels are not */
}

static void record_level(loop *s) {
  OK(GrB_Vector_assign_INT32(s->level, s->q, NULL, s->depth * s->stride, GrB_ALL, s->n, GrB_DESC_S));
}
static void record_parent(loop *s) {
  if (s->tree) OK(GrB_Vector_assign(s->parent, s->q, NULL, s->q, GrB_ALL, s->n, GrB_DESC_S));
}

/* One level. */
static void run_level(loop *s) {
  const int32_t longest = plan.what == NO_REPLACE ? 12
                          : small_sizes           ? 80
                                                  : 600; /* without replace q never empties */
  GrB_Index nq = 1;
  GrB_Vector mask = s->tree ? s->parent : s->level;
  if (s->mask_is_level) mask = s->level;
  if (s->mask_is_visited) mask = s->visited;
  s->depth++;
  if (s->by_mxv)
    OK(GrB_mxv(s->q, mask, NULL, s->reach, s->A, s->q, s->d));
  else
    OK(GrB_vxm(s->q, mask, NULL, s->reach, s->q, s->A, s->d));
  maybe_deviate(s, AFTER_PRODUCT);
  if (s->done) return;
  if (s->no_reads == 0) {
    OK(GrB_Vector_nvals(&nq, s->q));
    record_number("nvals(q)", (int64_t)nq);
  } else {
    s->no_reads--;
  }
  maybe_deviate(s, AFTER_COUNT);
  if (nq == 0 || s->done || s->depth > longest) {
    s->done = true;
    return;
  }
  if (s->mask_is_visited) OK(GrB_Vector_assign_BOOL(s->visited, s->q, NULL, true, GrB_ALL, s->n, GrB_DESC_S));
  s->parent_first ? record_parent(s) : record_level(s);
  maybe_deviate(s, AFTER_LEVEL);
  if (s->done) return;
  s->parent_first ? record_level(s) : record_parent(s);
  maybe_deviate(s, AFTER_PARENT);
}

static void record_loop(loop *s) {
  OK(Grid_sum(&s->alone, 1)), record_number("what one process saw alone", (int64_t)s->alone);
  if (s->level) record_entries("level", EXACT, s->level, s->level_type);
  if (s->q) record_entries("q", PATTERN, s->q, s->q_type);
  record_entries("other", EXACT, s->other, GrB_INT32);
  if (!s->parent) return;
  if (s->parents == PATTERN || !s->level) {
    record_entries("parent", PATTERN, s->parent, s->q_type);
    return;
  }
  const family f = {.g = &drawn, .level = true_level};
  levels_of(true_level, s->n, s->level);
  record_parents("parent", s->parent, s->q_type, &f);
}

static void draw_loop(loop *s) {
  const GrB_Semiring reach[] = {Grid_ANY_SECONDI_SEMIRING_INT64, Grid_ANY_SECONDI_SEMIRING_INT32,
                                Grid_ANY_ONEB_SEMIRING_BOOL, Grid_MIN_SECONDI_SEMIRING_INT64};
  const GrB_Type types[] = {GrB_INT64, GrB_INT32, GrB_BOOL, GrB_INT64};
  const int which = draw_one_in(2) ? 0 : (int)draw(4);
  *s = (loop){
      .reach = reach[which], .q_type = types[which], .level_type = draw_one_in(4) ? GrB_INT64 : GrB_INT32};
  s->tree = which != 2;
  s->by_mxv = draw_one_in(4);
  s->mask_is_level = draw_one_in(4);
  s->mask_is_visited = draw_one_in(5);
  s->parent_first = draw_one_in(4);
  s->d = s->by_mxv ? GrB_DESC_RSCT0 : GrB_DESC_RSC;
}

static int draw_sources(GrB_Index *source) {
  for (int j = 0; j < 3; j++)
    source[j] = draw_one_in(2) && drawn.n ? drawn.at[draw(drawn.n)].row : draw(drawn.nrows);
  return draw_one_in(3) ? 3 : 1;
}

/* Runs the searches to their ends, level by level in turn. False: one of them has freed the matrix. */
static bool take_turns(loop *s, int searches_at_once) {
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < searches_at_once; k++) {
      if (!s[k].done) run_level(&s[k]);
      if (!s[k].A) return false;
      more = more || !s[k].done;
    }
  }
  return true;
}

/* One search, or two whose levels take turns; then maybe another with the objects of the first. */
static void user_loop(void) {
  const char *form;
  GrB_Matrix A = draw_search_graph(&form);
  loop s[2];
  GrB_Index source[3];
  const int searches_at_once = draw_one_in(4) ? 2 : 1;
  const bool again = draw_one_in(4);
  plan.what = (deviation)draw(DEVIATIONS);
  plan.depth = 1 + (int32_t)draw(draw_one_in(3) ? 1 : 4);
  plan.point = (int)draw(POINTS);
  for (int k = 0; k < searches_at_once; k++) {
    const int sources = draw_sources(source);
    draw_loop(&s[k]);
    s[k].A = A, s[k].n = drawn.nrows;
    set_current_call(
        "a loop, n %llu, %s%s %s, %llu edges, source %llu, %d sources; search %d of %d by %s%s%s%s%s; level "
        "%d point %d: %s",
        (unsigned long long)drawn.nrows, drawn.form, drawn.mirror ? " mirrored" : "", form,
        (unsigned long long)drawn.n, (unsigned long long)source[0], sources, k + 1, searches_at_once,
        s[k].by_mxv ? "mxv" : "vxm", s[k].tree ? ", tree" : "", s[k].mask_is_level ? ", mask level" : "",
        s[k].mask_is_visited ? ", mask visited" : "", s[k].parent_first ? ", parent first" : "",
        (int)plan.depth, plan.point, deviation_name[plan.what]);
    new_objects(&s[k]);
    begin_loop(&s[k], source, sources);
  }
  change_device();
  if (!take_turns(s, searches_at_once)) A = NULL;
  for (int k = 0; k < searches_at_once; k++) record_loop(&s[k]);
  if (A && again && s[0].q && s[0].level && (s[0].parent || !s[0].tree)) {
    plan.what = NOTHING;
    draw_sources(source);
    set_current_call("another search with the same objects, from %llu", (unsigned long long)source[0]);
    clear_objects(&s[0]);
    begin_loop(&s[0], source, 1);
    s[0].parents = PATTERN; /* A may have changed */
    take_turns(s, 1);
    record_loop(&s[0]);
  }
  for (int k = 0; k < searches_at_once; k++) end_loop(&s[k]);
  OK(GrB_Matrix_free(&A));
}

static void loops(void **state) {
  run_rounds("loops", 400, 10, user_loop);
}
#endif
