/* GrB_mxv and GrB_vxm: check, count, choose a method, run it between the two steps for delegates, write
 * (specification 4.3.2, 4.3.3; docs/how/product.md). vxm is mxv with the transpose, and with the
 * operands of the multiplier exchanged. */
#include <string.h>

#include "dist/delegates/delegate_split.h"
#include "dist/delegates/owner_requests.h"
#include "dist/plan/push_pull.h"
#include "dist/grid/hooks.h"
#include "dist/lookahead/lookahead.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/device_retry.h"
#include "dist/product/exchange/exchange_sparse_device.h"
#include "dist/product/exchange/update_set.h"
#include "dist/product/exchange/view_order.h"
#include "dist/product/mxv/mxv.h"
#include "dist/vector/vector_positions.h"
#include "spmat/device/device.h"

/* ---- check ---- */

static GrB_Info check(grid_mxv_call *x) {
  grid_product *p = &x->p;
  const grid_product_call *a = &x->a;
  grid_desc *d = &x->d;
  GrB_Info info = grid_check_initialized(p->call);
  if (info != GrB_SUCCESS) return info;
  if ((info = grid_check_vector(a->w, p->call, "w")) != GrB_SUCCESS) return info;
  if ((info = grid_check_object(p->s, &a->w->head, p->call, "op")) != GrB_SUCCESS) return info;
  if ((info = grid_check_object(p->A, &a->w->head, p->call, "A")) != GrB_SUCCESS) return info;
  if ((info = grid_check_operand(a->u, &a->w->head, p->call, "u")) != GrB_SUCCESS) return info;
  info = grid_check_output(a->w, a->mask, a->accum, a->desc, p->s->add->op->z, p->call, d);
  if (info != GrB_SUCCESS) return info;
  p->transposed = (p->values.flip ? d->tran1 : d->tran0) != p->values.flip;
  GrB_Matrix A = p->A;
  p->in.n = p->transposed ? A->nrows : A->ncols;
  p->out.n = p->transposed ? A->ncols : A->nrows;
  if (a->u->n != p->in.n || a->w->n != p->out.n)
    return grid_fail(&a->w->head, GrB_DIMENSION_MISMATCH,
                     "%s: w has size %llu and u %llu, but %s is %llu x %llu", p->call,
                     (unsigned long long)a->w->n, (unsigned long long)a->u->n,
                     d->tran0 || d->tran1 ? "A (before transposition)" : "A", (unsigned long long)A->nrows,
                     (unsigned long long)A->ncols);
  GrB_BinaryOp mul = p->s->mul;
  GrB_Type want_u = p->values.flip ? mul->x : mul->y, want_a = p->values.flip ? mul->y : mul->x;
  p->values.uses_x = p->values.flip ? mul->uses_x : mul->uses_y;
  p->values.uses_a = p->values.flip ? mul->uses_y : mul->uses_x;
  if (p->values.uses_x && !grid_compatible(want_u, a->u->type))
    return grid_fail(&a->w->head, GrB_DOMAIN_MISMATCH, "%s: u has type %s, which %s cannot take as %s",
                     p->call, a->u->type->name, mul->name, want_u->name);
  if (p->values.uses_a && !grid_compatible(want_a, A->type))
    return grid_fail(&a->w->head, GrB_DOMAIN_MISMATCH, "%s: A has type %s, which %s cannot take as %s",
                     p->call, A->type->name, mul->name, want_a->name);
  return GrB_SUCCESS;
}

/* ---- multiply ---- */

/* The block's direction; after a slash those of a split's other matrices on this process. */
static const char *direction_name(const grid_product *p) {
  static const char *const name[2][4] = {{"push", "push/push", "push/pull", "push/both"},
                                         {"pull", "pull/push", "pull/pull", "pull/both"}};
  return name[p->choice.pull][p->choice.delegates_push + 2 * p->choice.delegates_pull];
}

static const char *format_name(grid_format f) {
  return f == GRID_LIST ? "list" : f == GRID_BITMAP ? "bitmap" : "full";
}

/* The orientation that the method reads: rows for a pull of A and a push of its transpose. A pull reads hub
 * neighbors, too. */
static unsigned needed_forms(const grid_product *p) {
  /* on one GPU short pushes use the tiles that come with hub neighbors */
  if (p->where == GRID_ON_DEVICE && grid_ctx.P == 1)
    return p->choice.pull != p->transposed ? GRID_ROW_HUB_NEIGHBORS : GRID_COL_HUB_NEIGHBORS;
  if (p->choice.pushes_rows) return p->transposed ? GRID_COLS : 0; /* the orientation of pulls */
  if (p->choice.pull) return p->transposed ? GRID_COL_HUB_NEIGHBORS : GRID_ROW_HUB_NEIGHBORS;
  return p->transposed ? 0 : GRID_COLS;
}

/* Sets the value of a structural product. */
static GrB_Info fill_constant(const grid_product *p, grid_chunk *t) {
  if (!p->values.structural) return GrB_SUCCESS;
  t->iso = true;
  GrB_Info info = grid_chunk_reserve_val(t, 1); /* the reused array may be for a smaller type */
  if (info == GrB_SUCCESS) memcpy(t->val, p->values.constant, t->type->size);
  return info;
}

/* The steps for delegates of a split matrix, or nothing. */
static GrB_Info delegates_before(grid_mxv_call *x, grid_delegates *g) {
  grid_product *p = &x->p;
  double since = grid_product_now();
  if (p->where == GRID_ON_DEVICE || !p->A->delegates.split) return GrB_SUCCESS;
  grid_find_structural(p);
  const GrB_Info info = grid_delegates_before(p, g, &x->t);
  grid_product_lap(p, &p->stats.delegate_ms, &since);
  return info;
}

/* x->t = the product, by the chosen method and, of a split matrix, the steps for delegates. After the method
 * the outcome may differ between processes, until grid_mxv_finish. */
static GrB_Info multiply(grid_mxv_call *x, grid_delegates *g) {
  grid_product *p = &x->p;
  const bool on_host = p->where != GRID_ON_DEVICE;
  GrB_Info info;
  TRY(x->plan.chosen->run(&x->plan));
  if (on_host) TRY(fill_constant(p, &x->t));
  double since = grid_product_now();
  if (on_host && p->A->delegates.split) info = grid_delegates_after(p, g, &x->t);
  grid_product_lap(p, &p->stats.delegate_ms, &since);
done:
  return info;
}

/* ---- all steps ---- */

/* Did making a form that the device has no room for move A to the host? */
static bool has_left_device(const grid_product *p) {
  const grid_local_matrix *b = &p->A->block;
  return p->where == GRID_ON_DEVICE && grid_ctx.P == 1 && !p->pages && b->nvals && !b->device &&
         !b->host_resident;
}

/* Computes the product in the memory p->where. GRID_UNSUPPORTED: nothing has changed, and it must be computed
 * on the host. */
static GrB_Info attempt(grid_mxv_call *x) {
  grid_product *p = &x->p;
  grid_delegates g;        /* of a split matrix */
  grid_device_input input; /* of a product on the device */
  GrB_Info info;
  if (p->A->delegates.split) memset(&g, 0, sizeof g);
  if (p->where == GRID_ON_DEVICE) memset(&input, 0, sizeof input);
  p->input = &input;
  if (p->A->properties.symmetric) p->transposed = grid_symmetric_reads_columns();
  p->in.set = p->transposed ? GRID_SET_ROW : GRID_SET_COL;
  p->out.set = p->transposed ? GRID_SET_COL : GRID_SET_ROW;
  p->stats.call = p->call;
  x->cast = (grid_chunk){0};
  x->t = grid_reusable_chunk(x->a.w, p->s->add->op->z);
  if (!p->pages) TRY(grid_requests_prepare(p));
  TRY(grid_mxv_count(x));
  TRY(delegates_before(x, &g));
  grid_mxv_choose(x);
  grid_payload_use(p);
  TRY(grid_update_set_prepare(p));
  if (!p->pages) TRY(grid_matrix_require(p->A, needed_forms(p)));
  if (has_left_device(p)) TRY(GRID_UNSUPPORTED);
  TRY(grid_view_order_prepare(p));
  p->stats.x_format = format_name(p->x->format);
  TRY(multiply(x, &g));
  info = grid_chunk_choose_format(&x->t);
done:;
  grid_delegates_free(p, &g);
  if (p->where == GRID_ON_DEVICE) grid_device_input_free(&input);
  const bool unsupported = info == GRID_UNSUPPORTED && !p->choice.not_agreed;
  const bool masked = p->mask.all || grid_is_product_masked(p);
  double since = grid_product_now();
  p->stats.direction = direction_name(p);
  if (x->plan.chosen)
    grid_method_trace(&grid_mxv_methods, &x->plan, p->A->delegates.split ? p->stats.direction : NULL);
  if (unsupported) {
    grid_chunk_free(&x->t);
  } else {
    p->stats.found = masked || !grid_is_tracing() || info != GrB_SUCCESS
                         ? x->t.nvals
                         : grid_mask_count_allowed(&p->mask, &x->t);
    p->stats.y_format = format_name(x->t.format);
    info = grid_mxv_finish(x, masked, info);
    grid_product_lap(p, &p->stats.write_ms, &since);
  }
  if (x->cast.val) grid_free(x->cast.val);
  grid_mask_free(&p->mask);
  return info == GrB_SUCCESS && grid_is_tracing() ? grid_trace_product(p) : info;
}

/* Makes A ready, and sets p->pages and p->where. *forced: pages of a matrix in memory, for tests; the caller
 * frees them. */
static GrB_Info choose_memory(grid_mxv_call *x, grid_pages **forced) {
  grid_product *p = &x->p;
  const GrB_Matrix A = p->A;
  GrB_Info info;
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_READY));
  if (grid_is_paged(A)) {
    TRY(grid_paged_prepare(A));
    p->pages = A->pages;
    grid_product_choose_where_paged(p, x->a.u->type, x->a.mask != NULL || x->d.complement);
    return info;
  }
  TRY(grid_product_choose_where(p, x->a.u->type));
  info = grid_paged_force(A, forced);
  p->pages = *forced;
done:
  return info;
}

static GrB_Info product(grid_mxv_call *x) {
  grid_product *p = &x->p;
  const GrB_BinaryOp accum = x->a.accum;
  grid_pages *forced = NULL;
  GrB_Info info;
  bool full = false; /* device memory was short on this process */
  TRY(check(x));
  if (p->s->mul->index)
    return grid_hooks.index_binary->mxv(x->a.w, x->a.mask, x->a.accum, p->s, p->A, x->a.u, x->a.desc,
                                        p->values.flip);
  TRY(choose_memory(x, &forced));
  p->stats.calls = grid_traffic_now.calls, p->stats.sent_bytes = grid_traffic_now.bytes;
  x->plan.forced = grid_method_forced(&grid_mxv_methods);
  const bool on_host = p->where == GRID_ON_HOST;
  grid_mxv_call fresh;
  if (!on_host) fresh = *x;
  const uint64_t refusals = grid_device_oom_count();
  info = attempt(x);
  if (info == GRID_UNSUPPORTED && !on_host) {
    full = grid_device_oom_count() != refusals;
    grid_report_fallback(full ? "product of a matrix for which the device has no room"
                              : "product without a kernel, or of a matrix for which a device has no room");
    *x = fresh;
    p->where = GRID_ON_HOST;
    info = attempt(x);
  }
  if (full) grid_block_make_host_resident(p->A);
done:
  x->a.accum = accum; /* cleared where a product added to w's values; after a failure the call is repeated */
  grid_pages_free(forced);
  return info;
}

/* By a positional multiplication without kernels: one operand's values are replaced. In w' = u' A
 * the vector is the first operand, a row. */
static GrB_Info multiply_positions(bool vxm, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                   GrB_Semiring op, GrB_Matrix A, GrB_Vector u, GrB_Descriptor desc) {
  const char *call = vxm ? "GrB_vxm" : "GrB_mxv";
  const GrB_BinaryOp mul = op->mul;
  const grid_position p = mul->position;
  const bool inner = p == GRID_POSITION_FIRST_J || p == GRID_POSITION_SECOND_I,
             of_vector = inner || grid_position_is_of_first(p) == vxm;
  struct GrB_Semiring_opaque s = {GRID_BUILTIN(GRID_IS_SEMIRING, NULL), op->add,
                                  grid_position_operand(mul->z, of_vector == vxm)};
  GrB_Matrix M = NULL;
  GrB_Vector v = NULL;
  GrB_Info info;
  grid_desc d;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(A, &w->head, call, "A"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_desc_get(desc, call, &d));
  if (of_vector)
    TRY(grid_vector_positions(&v, u, inner, mul->shift, mul->z, call));
  else
    TRY(grid_hooks.index_binary->matrix_positions(&M, A, grid_position_is_row(p) != (vxm ? d.tran1 : d.tran0),
                                                  mul->shift, mul->z));
  info = vxm ? GrB_vxm(w, mask, accum, &s, v ? v : u, M ? M : A, desc)
             : GrB_mxv(w, mask, accum, &s, M ? M : A, v ? v : u, desc);
done:
  GrB_Matrix_free(&M);
  GrB_Vector_free(&v);
  return info;
}

static bool needs_positions(GrB_Semiring op) {
  return op && grid_is_live(op) && grid_semiring_needs_positions(op);
}

GrB_Info GrB_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, w, mask, A, u);
  if (needs_positions(op)) return multiply_positions(false, w, mask, accum, op, A, u, desc);
  const uint64_t before = grid_calls;
  bool handled;
  GrB_Info info = grid_lookahead_product(
      &(grid_lookahead_product_call){"GrB_mxv", w, mask, u, accum, op, A, desc, false}, &handled);
  if (handled) return GRID_TRACE_CALL("GrB_mxv", info, w, mask, A, u);
  if (info != GrB_SUCCESS) return info;
  grid_mxv_call x = {.p = {.call = "GrB_mxv", .A = A, .s = op}, .a = {w, mask, u, accum, desc, before}};
  return GRID_TRACE_CALL_RETRY("GrB_mxv", product(&x), w, mask, A, u);
}

GrB_Info GrB_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Vector u, const GrB_Matrix A, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, w, mask, u, A);
  if (needs_positions(op)) return multiply_positions(true, w, mask, accum, op, A, u, desc);
  const uint64_t before = grid_calls;
  bool handled;
  GrB_Info info = grid_lookahead_product(
      &(grid_lookahead_product_call){"GrB_vxm", w, mask, u, accum, op, A, desc, true}, &handled);
  if (handled) return GRID_TRACE_CALL("GrB_vxm", info, w, mask, u, A);
  if (info != GrB_SUCCESS) return info;
  grid_mxv_call x = {.p = {.call = "GrB_vxm", .A = A, .s = op, .values.flip = true},
                     .a = {w, mask, u, accum, desc, before}};
  return GRID_TRACE_CALL_RETRY("GrB_vxm", product(&x), w, mask, u, A);
}
