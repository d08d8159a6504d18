/* GxB_Vector_sort. */
#include "dist/object/device_retry.h"
#include "dist/op/sort_entries.h"
#include "gridblas_gxb_operations.h"

static const char call[] = "GxB_Vector_sort";

/* The entries of u in order, on all processes together. */
static GrB_Info sort_chunk(grid_sorted_run *run, GrB_Vector u, GrB_BinaryOp op) {
  const uint64_t n = u->chunk.nvals;
  uint64_t *idx = grid_malloc(n, sizeof *idx);
  char *val = grid_malloc(n, u->type->size);
  GrB_Info info =
      idx && val ? GrB_SUCCESS : grid_fail_memory(NULL, "entries to sort", n, sizeof *idx + u->type->size);
  if (info == GrB_SUCCESS)
    info = grid_vec_tuples(idx, val, u->type, &u->chunk, grid_chunk_first(u->n, grid_ctx.k));
  info = grid_sort_entries(run, &(grid_unsorted_entries){.n = n, .minor = idx, .val = val, .type = u->type},
                           op, info);
  grid_free(idx);
  grid_free(val);
  return info;
}

/* *t = the chunk of w with x[k] at its position. w NULL: nothing. Collective, agreed on. */
static GrB_Info make_chunk(grid_chunk *t, GrB_Vector w, const grid_sorted_run *run, const void *x,
                           GrB_Type type) {
  grid_routed_entries in = {0};
  uint64_t where;
  if (!w) return GrB_SUCCESS;
  GrB_Info info = grid_route(&in, run->n, run->position, x, 1, type->size, w->n, GrB_SUCCESS);
  grid_chunk_init(t, w->type, w->chunk.n);
  if (info == GrB_SUCCESS)
    info = grid_vec_build(t, in.idx, in.val, type, 1, in.n, (grid_dup){.last = true}, &where);
  grid_routed_entries_free(&in);
  return grid_agree(NULL, info);
}

static GrB_Info check(GrB_Vector w, GrB_Vector p, GrB_BinaryOp op, GrB_Vector u, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_head *head = &(w ? w : p)->head;
  TRY(grid_check_operand(u, head, call, "u"));
  TRY(grid_desc_get(desc, call, &d));
  TRY(grid_check_comparison(op, u->type, head, call));
  if (w) TRY(grid_check_size(w->n, u->n, head, call, "w", "u"));
  if (p) TRY(grid_check_size(p->n, u->n, head, call, "p", "u"));
  if (p) TRY(grid_check_permutation(p->type, u->n, head, call, "p"));
  if (w && w->type != u->type)
    info = grid_fail(head, GrB_DOMAIN_MISMATCH, "%s: w has type %s, but u %s; they must be equal", call,
                     w->type->name, u->type->name);
  if (w == p) info = grid_fail(head, GrB_NOT_IMPLEMENTED, "%s: w and p are the same vector", call);
done:
  return info;
}

static GrB_Info sort(GrB_Vector w, GrB_Vector p, GrB_BinaryOp op, GrB_Vector u, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_sorted_run run = {0};
  grid_chunk values = {0}, places = {0};
  if (!w && !p) {
    info = grid_check_initialized(call);
    return info != GrB_SUCCESS ? info : grid_fail(NULL, GrB_NULL_POINTER, "%s: w and p are NULL", call);
  }
  if (w) TRY(grid_check_vector(w, call, "w"));
  if (p) TRY(grid_check_vector(p, call, "p"));
  TRY(check(w, p, op, u, desc));
  TRY(sort_chunk(&run, u, op));
  TRY(make_chunk(&values, w, &run, run.val, u->type));
  TRY(make_chunk(&places, p, &run, run.minor, GrB_UINT64));
  if (w) grid_chunk_swap(&w->chunk, &values);
  if (p) grid_chunk_swap(&p->chunk, &places);
done:
  if (values.type) grid_chunk_free(&values);
  if (places.type) grid_chunk_free(&places);
  grid_sorted_run_free(&run);
  return info;
}

GrB_Info GxB_Vector_sort(GrB_Vector w, GrB_Vector p, GrB_BinaryOp op, GrB_Vector u,
                         const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(call, sort(w, p, op, u, desc), w, p, u);
}
