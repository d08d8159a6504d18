/* Running ahead: which calls make a loop, and what a run answers them. */
#include "dist/ahead/ahead.h"

#include "dist/ahead/ahead_run.h"
#include "dist/ahead/engine.h"
#include "dist/product/product.h"
#include "spmat/backend.h"

static grid_ahead_run run;

static bool all_live(const grid_ahead_call *c) {
  return c->w && c->mask && c->u && c->s && c->A && grid_is_live(c->w) && grid_is_live(c->mask) &&
         grid_is_live(c->u) && grid_is_live(c->s) && grid_is_live(c->A);
}

/* <!mask, replace>, all alike on every process. A vector with pending changes is resolved by the ordinary
 * product. */
static bool has_shape(const grid_ahead_call *c, grid_desc *d) {
  if (!all_live(c) || c->w->pending.n || c->mask->pending.n || c->u->pending.n) return false;
  if (c->accum || c->mask == c->w || c->mask == c->u) return false;
  if (c->mask->n != c->w->n || c->u->n != c->w->n || c->A->nrows != c->w->n) return false;
  if (grid_desc_get(c->desc, c->call, d) != GrB_SUCCESS || !d->complement || !d->replace) return false;
  const GrB_Type z = c->s->add->op->z;
  if (c->w->type != z || z->code == GRID_T_UDT || c->u->type->code == GRID_T_UDT) return false;
  return d->structure || c->mask->type->code != GRID_T_UDT;
}

/* And a product of forms.c, as far as its operands' values do not matter. */
static bool may_be_form(const grid_ahead_call *c, const grid_search_engine *e) {
  const unsigned all = GRID_OWN_INDICES | GRID_FRONTIER_ONES | GRID_MATRIX_ONES;
  return e && grid_ahead_form_of(c->s, c->flip, all, e->least != NULL) != NULL;
}

/* A program that looks at its vectors after every product gets nothing out of it: each run that was cut short
 * makes the library wait longer before it tries again. */
static bool is_worth_it(GrB_Matrix A) {
  if (A->ahead.pause == 0) return true;
  A->ahead.pause--;
  return false;
}

static void remember_outcome(GrB_Matrix A, bool useful) {
  if (useful) {
    A->ahead.cut = 0;
  } else if (A->ahead.cut < 6) {
    A->ahead.pause = (1u << ++A->ahead.cut) - 1;
  } else {
    A->ahead.pause = 63;
  }
}

/* ---- the calls of the loop ---- */

/* Is this the next round: everything found so far, the last level included, counted as visited? */
static bool is_next(const grid_ahead_call *c, const grid_desc *d, bool transposed) {
  if (!run.active || run.A != c->A || run.q.v != c->u || run.visited != c->mask || run.add != c->s->add->op ||
      run.mul != c->s->mul || run.flip != c->flip || run.transposed != transposed ||
      run.by_value != !d->structure || run.q.at >= GRID_SEARCH_LEVELS)
    return false;
  if (c->w != c->u && c->w != run.before.v) return false;
  if (run.form->needs & GRID_OWN_INDICES && !run.q.indexed) return false;
  if (run.form->needs & GRID_FRONTIER_ONES && run.q.indexed) return false;
  const grid_follower *v = grid_ahead_follower_of(&run, run.visited);
  return v && v->from == 1 && v->to == run.q.at;
}

/* w, which may have been the operand before, stands for the next level. */
static void go_on(GrB_Vector w) {
  const grid_front last = run.q;
  run.q = (grid_front){w, last.at + 1, false};
  if (w != last.v) run.before = last;
}

static GrB_Info trace(const grid_ahead_call *c) {
  grid_product p = {.call = c->call};
  grid_search_level what = {0};
  uint64_t found = 0, before = 0;
  GrB_Info info = run.engine->count(run.A->ahead.work, run.q.at, &found, &what);
  if (info == GrB_SUCCESS && run.q.at > 1)
    info = run.engine->count(run.A->ahead.work, run.q.at - 1, &before, NULL);
  if (info != GrB_SUCCESS) return info;
  p.stats = (Grid_Product){.call = c->call,
                           .direction = what.pull ? "pull" : "push",
                           .x_format = "bitmap",
                           .y_format = "bitmap",
                           .frontier = run.q.at > 1 ? before : c->u->chunk.nvals,
                           .found = grid_here.k == 0 ? found : 0,
                           .inspected = what.inspected,
                           .local_ms = what.us * 1e-3};
  return grid_trace_product(&p);
}

/* Several processes may search level by level, together: the level that the program has reached must be under
 * way, since materializing may be local. */
static GrB_Info reach(void) {
  uint64_t found;
  return grid_here.P > 1 ? run.engine->count(run.A->ahead.work, run.q.at - 1, &found, NULL) : GrB_SUCCESS;
}

GrB_Info grid_ahead_product(const grid_ahead_call *c, bool *taken) {
  grid_desc d;
  GrB_Info info = GrB_SUCCESS;
  *taken = false;
  if (!run.active && !grid_device_on()) return info;
  if (grid_compares_calls) info = grid_compare_calls(c->call);
  if (info == GrB_SUCCESS && grid_here.ready && has_shape(c, &d)) {
    /* a symmetric matrix is its own transpose */
    const bool transposed = !c->A->symmetric && (c->flip ? d.tran1 : d.tran0) != c->flip;
    const grid_search_engine *e = grid_ahead_engine_for(c->A, transposed);
    if (!may_be_form(c, e)) e = NULL;
    if (is_next(c, &d, transposed)) {
      go_on(c->w);
      *taken = true;
      info = reach();
    } else if (e) {
      grid_ahead_call first = *c;
      first.indexed = run.active && run.q.v == c->u && run.q.indexed;
      info = grid_ahead_materialize();
      if (info == GrB_SUCCESS && is_worth_it(c->A))
        info = grid_ahead_start(&run, &first, e, transposed, d.structure, taken);
    }
  }
  if (info == GrB_SUCCESS && *taken && grid_tracing()) info = trace(c);
  return info;
}

/* As grid_check_ready does for calls that no loop takes. */
static GrB_Info tell(const char *call) {
  return grid_compares_calls ? grid_compare_calls(call) : GrB_SUCCESS;
}

GrB_Info grid_ahead_nvals(uint64_t *nvals, GrB_Vector v, bool *taken) {
  *taken = run.active && v && v == run.q.v && nvals;
  if (!*taken) return GrB_SUCCESS;
  GrB_Info info = tell("GrB_Vector_nvals");
  if (info == GrB_SUCCESS) info = run.engine->count(run.A->ahead.work, run.q.at, nvals, NULL);
  run.ended = run.ended || (info == GrB_SUCCESS && *nvals == 0);
  return info;
}

GrB_Info grid_ahead_reduce(void *x, GrB_Type type, GrB_BinaryOp accum, GrB_Monoid m, GrB_Vector u,
                           bool *taken) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t count;
  int64_t sum;
  *taken = false;
  if (!run.active || !u || u != run.q.v || !grid_ahead_is_ones(&run) || !x || !type || accum) return info;
  if (!m || !grid_is_live(m) || !grid_ahead_sums(m, 0, &sum)) return info;
  *taken = true;
  TRY(tell("GrB_reduce"));
  TRY(run.engine->count(run.A->ahead.work, run.q.at, &count, NULL));
  run.ended = run.ended || count == 0;
  grid_ahead_sums(m, count, &sum);
  grid_cast_array(x, type, &sum, GrB_INT64, 0, 1);
done:
  return info;
}

bool grid_ahead_may(const void *op) {
  return run.active && op && grid_is_live(op);
}

GrB_Info grid_ahead_entrywise(const grid_ahead_entries *call, bool *taken) {
  static const char *const name[] = {[GRID_CALL_ASSIGN] = "GrB_assign",
                                     [GRID_CALL_APPLY] = "GrB_apply",
                                     [GRID_CALL_ADD] = "GrB_eWiseAdd",
                                     [GRID_CALL_MULT] = "GrB_eWiseMult"};
  *taken = false;
  if (!run.active || !run.q.v) return GrB_SUCCESS;
  GrB_Info info = tell(name[call->what]);
  return info == GrB_SUCCESS ? grid_ahead_run_entrywise(&run, call, taken) : info;
}

/* ---- materializing ------------------------------------------------------------------------------------- */

GrB_Info grid_ahead_materialize(void) {
  if (!run.active) return GrB_SUCCESS;
  run.active = false; /* the calls below are none of the program's */
  GrB_Info info = grid_ahead_run_materialize(&run, true);
  grid_ahead_free_room(&run);
  remember_outcome(run.A, run.q.at > 1 || run.ended);
  return info;
}

void grid_ahead_leave(GrB_Matrix A) {
  if (run.active && run.A == A) grid_ahead_materialize();
}

GrB_Info grid_ahead_peek(void) {
  if (!run.active || grid_here.P == 1) return grid_ahead_materialize();
  return grid_ahead_run_materialize(&run, false);
}

void grid_ahead_release(GrB_Vector v) {
  if (!run.active) return;
  grid_follower *f = grid_ahead_follower_of(&run, v);
  if (v == run.indices) run.indices = NULL;
  if (v == run.visited && (run.q.v || run.before.v || run.n > (f != NULL))) {
    grid_ahead_materialize();    /* the others' values may be in its arrays */
  } else if (v == run.visited) { /* nobody will ask any more */
    run.active = false;
    if (grid_here.P > 1) run.engine->wait(run.A->ahead.work);
    grid_ahead_free_room(&run);
  } else if (v == run.q.v) {
    run.q.v = NULL;
  } else if (v == run.before.v) {
    run.before.v = NULL;
  } else if (f) {
    *f = run.f[--run.n];
  }
}
