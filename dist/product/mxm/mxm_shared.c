/* GrB_mxm on a grid of several columns whose processes are on one machine: A, B and the mask lie once in
 * shared memory, as whole rows. Each process computes the rows of C of its chunk and sends them to the blocks
 * of its grid row. Stages would send each entry to R or C processes, and their rows are C times shorter. */
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/mxm_stages.h"
#include "spmat/cpu/mxm/cpu_mxm.h"

typedef struct {
  GrB_Matrix M; /* or NULL */
  bool transposed, values;
  grid_mxm_operand block;
  grid_local_matrix shared; /* arrays are borrowed */
  grid_local_matrix whole;  /* a view of `shared`, or of that of an operand before with the same entries */
  grid_local_matrix rows;   /* those of this process's chunk: a view with offsets of its own */
} shared_operand;

enum { LEFT, RIGHT, MASK, OPERANDS };

/* ---- which operands ---- */

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  const GrB_Matrix operands[OPERANDS] = {x->A, x->B, x->mask};
  uint64_t bytes = 0;
  if (grid_ctx.C == 1 || grid_device_is_on() || grid_mxm_uses_position(x->s)) return false;
  for (int k = 0; k < OPERANDS; k++) {
    const GrB_Matrix M = operands[k];
    if (M && (M->nvals == 0 || !grid_can_share_rows(M))) return false;
    bytes += M ? M->nvals * (M->type->size + sizeof(uint32_t)) : 0;
  }
  return bytes <= grid_tune.stage_bytes;
}

/* ---- in shared memory ---- */

/* Collective, agreed on. */
static GrB_Info prepare(const grid_mxm_call *x, shared_operand *o) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < OPERANDS; k++)
    if (o[k].M) TRY(grid_mxm_operand_prepare(x, o[k].M, o[k].transposed, &o[k].block));
done:
  return info;
}

/* The first operand with the entries of number k. */
static shared_operand *find_same(shared_operand *o, int k) {
  int first = 0;
  while (o[first].M != o[k].M || o[first].transposed != o[k].transposed) first++;
  return &o[first];
}

/* Nothing else takes shared buffers until the product is computed: three are read at a time.
 * GRID_UNSUPPORTED, on all processes: there is none. Collective, agreed on. */
static GrB_Info share(shared_operand *o) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < OPERANDS; k++)
    if (o[k].M) find_same(o, k)->values |= o[k].values;
  for (int k = 0; k < OPERANDS; k++) {
    const shared_operand *same = o[k].M ? find_same(o, k) : NULL;
    const GrB_Matrix M = o[k].M;
    bool shared = true;
    if (!M) continue;
    if (same == &o[k])
      TRY(grid_share_rows(&o[k].shared, o[k].block.lmat, o[k].transposed ? M->ncols : M->nrows,
                          o[k].transposed ? M->nrows : M->ncols, o[k].values, &shared));
    if (!shared) return GRID_UNSUPPORTED;
    o[k].whole = same->shared;
  }
done:
  return info;
}

/* o->rows = rows first .. first + n of o->whole. */
static GrB_Info slice(shared_operand *o, uint64_t first, uint64_t n) {
  grid_local_matrix *rows = &o->rows;
  const grid_compressed *c = &o->whole.by_row;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): share() has made it */
  const uint32_t at = c->ptr[first];
  *rows = o->whole;
  rows->row.n = rows->row.dim = n;
  rows->nvals = c->ptr[first + n] - at;
  rows->by_row = (grid_compressed){.ptr = grid_malloc(n + 1, sizeof *c->ptr),
                                   .idx = c->idx + at,
                                   .val = c->val ? (char *)c->val + at * rows->type->size : NULL};
  if (!rows->by_row.ptr) return grid_fail_memory(NULL, "rows of an operand", n + 1, sizeof *c->ptr);
  for (uint64_t r = 0; r <= n; r++) rows->by_row.ptr[r] = c->ptr[first + r] - at;
  return GrB_SUCCESS;
}

static void free_operand(shared_operand *o) {
  grid_mxm_operand_free(&o->block);
  grid_free(o->rows.by_row.ptr);
  o->shared.by_row = (grid_compressed){0};
  if (o->shared.type) grid_lmat_free(&o->shared);
}

/* ---- the product ---- */

/* *t = the rows of this process's chunk. */
static GrB_Info multiply_rows(const grid_mxm_call *x, shared_operand *o, grid_local_matrix *t) {
  const uint64_t m = x->C->nrows, first = grid_chunk_first(m, grid_ctx.k),
                 n = grid_chunk_length(m, grid_ctx.k);
  const grid_mxm_operand a = {.lmat = &o[LEFT].rows}, b = {.lmat = &o[RIGHT].whole};
  GrB_Info info = slice(&o[LEFT], first, n);
  if (info == GrB_SUCCESS && x->mask) info = slice(&o[MASK], first, n);
  TRY(grid_agree(&x->C->head, info));
  info = grid_mxm_operands_multiply(x, &a, &b, x->mask ? &o[MASK].rows : NULL, true, false, t);
done:
  return info;
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  const GrB_BinaryOp mul = x->s->mul;
  shared_operand o[OPERANDS] = {
      {.M = x->A, .transposed = x->d->tran0, .values = mul->uses_x},
      {.M = x->B, .transposed = x->d->tran1, .values = mul->uses_y},
      {.M = x->mask, .values = !x->d->structure},
  };
  grid_local_matrix rows = {0};
  GrB_Info info;
  TRY(prepare(x, o));
  TRY(share(o));
  grid_lmat_init(&rows, x->s->add->op->z, 0, 0);
  info = multiply_rows(x, o, &rows);
  const grid_index_map row = {.axis = &rows.row, .base = grid_chunk_first(x->C->nrows, grid_ctx.k)},
                       col = {.axis = &rows.col};
  info = grid_route_entries(x->C, &rows, &row, &col, false, info, t, x->call);
done:
  if (rows.type) grid_lmat_free(&rows);
  for (int k = 0; k < OPERANDS; k++) free_operand(&o[k]);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_shared = {.name = "shared", .applies = applies, .run = run};
