/* Lookahead: recognizes the calls of a loop and answers them from the run. */
#include "dist/lookahead/lookahead.h"

#include "dist/lookahead/lookahead_run.h"
#include "dist/lookahead/search_engine.h"
#include "dist/product/dist_product.h"
#include "spmat/backend.h"

static grid_lookahead_run default_run GRID_OF_CONTEXT;
#define run GRID_IN_CONTEXT(default_run)

static bool all_live(const grid_lookahead_product_call *c) {
  return c->w && c->mask && c->u && c->s && c->A && grid_is_live(c->w) && grid_is_live(c->mask) &&
         grid_is_live(c->u) && grid_is_live(c->s) && grid_is_live(c->A);
}

/* Is it <!mask, replace> with suitable operands? The same on every process. A vector with pending changes
 * is left to the ordinary product. */
static bool has_shape(const grid_lookahead_product_call *c, grid_desc *d) {
  if (!all_live(c) || c->w->pending.n || c->mask->pending.n || c->u->pending.n) return false;
  if (c->accum || c->mask == c->w || c->mask == c->u) return false;
  if (c->mask->n != c->w->n || c->u->n != c->w->n || c->A->nrows != c->w->n) return false;
  if (grid_desc_get(c->desc, c->call, d) != GrB_SUCCESS || !d->complement || !d->replace) return false;
  const GrB_Type z = c->s->add->op->z;
  if (c->w->type != z || !grid_type_is_real(z) || !grid_type_is_real(c->u->type)) return false;
  return d->structure || grid_type_is_real(c->mask->type);
}

static const unsigned all_conditions = GRID_FRONTIER_VALUES_ARE_IDS | GRID_FRONTIER_ONES | GRID_MATRIX_ONES;

/* Makes the forms that an engine reads, if it looks like a product of a loop. */
static GrB_Info make_forms(const grid_lookahead_product_call *c) {
  if (!grid_lookahead_lacks_forms(c->A) || !grid_lookahead_find_pattern(c->s, c->flip, all_conditions, true))
    return GrB_SUCCESS;
  return grid_matrix_require(c->A, GRID_ALL_FORMS);
}

/* Can it be a product of loop_patterns.c, ignoring its operands' values? */
static bool can_be_form(const grid_lookahead_product_call *c, const grid_search_engine *e) {
  return e && grid_lookahead_find_pattern(c->s, c->flip, all_conditions, e->min_parents != NULL) != NULL;
}

/* Exponential back-off: a program that reads its vectors after every product gains nothing, so each run
 * that was cut short delays the next try. */
static bool is_lookahead_due(GrB_Matrix A) {
  if (A->cached.lookahead.cooldown == 0) return true;
  A->cached.lookahead.cooldown--;
  return false;
}

static void remember_outcome(GrB_Matrix A, bool useful) {
  if (useful) {
    A->cached.lookahead.failures = 0;
  } else if (A->cached.lookahead.failures < 6) {
    A->cached.lookahead.cooldown = (1u << ++A->cached.lookahead.failures) - 1;
  } else {
    A->cached.lookahead.cooldown = 63;
  }
}

/* ---- the calls of the loop ---- */

/* Is this the next product of the loop: the mask holds all levels found so far? */
static bool is_next_product(const grid_lookahead_product_call *c, const grid_desc *d, bool transposed) {
  if (!run.active || run.A != c->A || run.q.v != c->u || run.visited != c->mask || run.add != c->s->add->op ||
      run.mul != c->s->mul || run.flip != c->flip || run.transposed != transposed ||
      run.by_value != !d->structure || run.q.at >= GRID_SEARCH_LEVELS)
    return false;
  if (c->w != c->u && c->w != run.before.v) return false;
  if (run.form->needs & GRID_FRONTIER_VALUES_ARE_IDS && !run.q.indexed) return false;
  if (run.form->needs & GRID_FRONTIER_ONES && run.q.indexed) return false;
  const grid_follower *v = grid_lookahead_find_follower(&run, run.visited);
  return v && v->from == 1 && v->to == run.q.at;
}

/* w, which may have been an earlier operand, becomes the next level's frontier. */
static void advance_frontier(GrB_Vector w) {
  const grid_frontier_ref last = run.q;
  run.q = (grid_frontier_ref){w, last.at + 1, false};
  if (w != last.v) run.before = last;
}

static GrB_Info trace(const grid_lookahead_product_call *c) {
  grid_product p = {.call = c->call};
  grid_search_level what = {0};
  uint64_t found = 0, before = 0;
  GrB_Info info = run.engine->count(run.A->cached.lookahead.work, run.q.at, &found, &what);
  if (info == GrB_SUCCESS && run.q.at > 1)
    info = run.engine->count(run.A->cached.lookahead.work, run.q.at - 1, &before, NULL);
  if (info != GrB_SUCCESS) return info;
  p.stats = (Grid_Product){.call = c->call,
                           .direction = what.pull ? "pull" : "push",
                           .x_format = "bitmap",
                           .y_format = "bitmap",
                           .frontier = run.q.at > 1 ? before : c->u->chunk.nvals,
                           .found = grid_ctx.k == 0 ? found : 0,
                           .inspected = what.inspected,
                           .local_ms = what.microseconds * 1e-3};
  return grid_trace_product(&p);
}

/* Several processes may search level by level, with messages: the level that the program has reached must
 * have been launched, since materializing may be local. */
static GrB_Info wait_for_level(void) {
  uint64_t found;
  return grid_ctx.P > 1 ? run.engine->count(run.A->cached.lookahead.work, run.q.at - 1, &found, NULL)
                        : GrB_SUCCESS;
}

GrB_Info grid_lookahead_product(const grid_lookahead_product_call *c, bool *handled) {
  grid_desc d;
  GrB_Info info = GrB_SUCCESS;
  *handled = false;
  if (!run.active && !grid_device_is_on()) return info;
  if (grid_is_call_check_on) info = grid_compare_calls(c->call);
  const bool is_shaped = info == GrB_SUCCESS && grid_ctx.initialized && has_shape(c, &d);
  if (is_shaped) info = make_forms(c);
  if (is_shaped && info == GrB_SUCCESS) {
    const bool transposed = grid_lookahead_is_transposed(c->A, (c->flip ? d.tran1 : d.tran0) != c->flip);
    const grid_search_engine *e = grid_lookahead_choose_engine(c->A, transposed);
    if (!can_be_form(c, e)) e = NULL;
    if (is_next_product(c, &d, transposed)) {
      advance_frontier(c->w);
      *handled = true;
      info = wait_for_level();
    } else if (e) {
      grid_lookahead_product_call first = *c;
      first.indexed = run.active && run.q.v == c->u && run.q.indexed;
      info = grid_lookahead_materialize();
      if (info == GrB_SUCCESS && is_lookahead_due(c->A))
        info = grid_lookahead_start(&run, &first, e, transposed, d.structure, handled);
    }
  }
  if (info == GrB_SUCCESS && *handled && grid_is_tracing()) info = trace(c);
  return info;
}

/* As grid_check_initialized does for other calls. */
static GrB_Info compare_call(const char *call) {
  return grid_is_call_check_on ? grid_compare_calls(call) : GrB_SUCCESS;
}

GrB_Info grid_lookahead_nvals(uint64_t *nvals, GrB_Vector v, bool *handled) {
  *handled = run.active && v && v == run.q.v && nvals;
  if (!*handled) return GrB_SUCCESS;
  GrB_Info info = compare_call("GrB_Vector_nvals");
  if (info == GrB_SUCCESS) info = run.engine->count(run.A->cached.lookahead.work, run.q.at, nvals, NULL);
  run.ended = run.ended || (info == GrB_SUCCESS && *nvals == 0);
  return info;
}

GrB_Info grid_lookahead_reduce(void *x, GrB_Type type, GrB_BinaryOp accum, GrB_Monoid m, GrB_Vector u,
                               bool *handled) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t count;
  int64_t sum;
  *handled = false;
  if (!run.active || !u || u != run.q.v || !grid_lookahead_is_iso_one(&run) || !x || !type || accum)
    return info;
  if (!m || !grid_is_live(m) || !grid_lookahead_sum_of_ones(m, 0, &sum)) return info;
  *handled = true;
  TRY(compare_call("GrB_reduce"));
  TRY(run.engine->count(run.A->cached.lookahead.work, run.q.at, &count, NULL));
  run.ended = run.ended || count == 0;
  grid_lookahead_sum_of_ones(m, count, &sum);
  grid_cast_array(x, type, &sum, GrB_INT64, 0, 1);
done:
  return info;
}

bool grid_lookahead_can_take(const void *op, grid_kind kind) {
  return run.active && op && grid_is_live_handle(op, kind);
}

GrB_Info grid_lookahead_ewise(const grid_lookahead_ewise_call *call, bool *handled) {
  static const char *const name[] = {[GRID_CALL_ASSIGN] = "GrB_assign",
                                     [GRID_CALL_APPLY] = "GrB_apply",
                                     [GRID_CALL_ADD] = "GrB_eWiseAdd",
                                     [GRID_CALL_MULT] = "GrB_eWiseMult"};
  *handled = false;
  if (!run.active || !run.q.v) return GrB_SUCCESS;
  GrB_Info info = compare_call(name[call->what]);
  return info == GrB_SUCCESS ? grid_lookahead_run_ewise(&run, call, handled) : info;
}

/* ---- materializing ---- */

GrB_Info grid_lookahead_materialize(void) {
  if (!run.active) return GrB_SUCCESS;
  run.active = false; /* the calls below are not the program's */
  GrB_Info info = grid_lookahead_run_materialize(&run, true);
  grid_lookahead_free_arrays(&run);
  remember_outcome(run.A, run.q.at > 1 || run.ended);
  return info;
}

void grid_lookahead_leave_matrix(GrB_Matrix A) {
  if (run.active && run.A == A) grid_lookahead_materialize();
}

GrB_Info grid_lookahead_materialize_local(void) {
  if (!run.active || grid_ctx.P == 1) return grid_lookahead_materialize();
  return grid_lookahead_run_materialize(&run, false);
}

void grid_lookahead_release_vector(GrB_Vector v) {
  if (!run.active) return;
  grid_follower *f = grid_lookahead_find_follower(&run, v);
  if (v == run.indices) run.indices = NULL;
  if (v == run.visited && (run.q.v || run.before.v || run.n > (f != NULL))) {
    grid_lookahead_materialize(); /* the other vectors' values may be in its arrays */
  } else if (v == run.visited) {  /* no vector of the loop is left */
    run.active = false;
    if (grid_ctx.P > 1) run.engine->wait(run.A->cached.lookahead.work);
    grid_lookahead_free_arrays(&run);
  } else if (v == run.q.v) {
    run.q.v = NULL;
  } else if (v == run.before.v) {
    run.before.v = NULL;
  } else if (f) {
    *f = run.f[--run.n];
  }
}
