/* Grid_restore. Process k reads the parts k, k + P, ...; vector entries are routed to their owners as
 * tuples. The program's objects change only after everything has been read. */
#include <string.h>

#include "dist/checkpoint/checkpoint.h"
#include "dist/object/burble.h"
#include "dist/vector/vector.h"
#include "semiring/support/mem.h"

/* A damaged step; an older one may be intact. Never returned to a program. */
#define DAMAGED GrB_INVALID_OBJECT

/* One object during the restore. */
typedef struct {
  uint64_t n;               /* entries in the parts that this process has read */
  uint64_t indices_covered; /* indices that those parts cover */
  uint64_t *idx;
  char *val;
  GrB_Vector object; /* vectors: the whole vector */
  uint64_t present;  /* others: val has a value (on process 0, then everywhere) */
} incoming;

typedef struct {
  const char *folder, *call;
  const Grid_Checkpoint_Item *items;
  uint64_t n, step;
  int processes;
  char **image; /* of the parts read */
  uint64_t *size, files;
  uint64_t run;
  incoming *in;
} restore;

static uint64_t value_size(const Grid_Checkpoint_Item *k) {
  return k->vector ? k->vector->type->size : k->scalar ? k->scalar->type->size : k->size;
}

/* ---- reading, local ---- */

static GrB_Info fail_damaged(const restore *r, int rank, const char *what) {
  char path[GRID_CHECKPOINT_PATH];
  grid_checkpoint_path(path, r->folder, (grid_checkpoint_file){r->step, r->processes, rank});
  return grid_fail(NULL, DAMAGED, "%s: %s: %s", r->call, path, what);
}

/* Does the entry match the program's object? */
static GrB_Info check_entry(const restore *r, const Grid_Checkpoint_Item *k, const grid_checkpoint_entry *e) {
  static const char *const kinds[] = {"a vector", "a scalar", "bytes"};
  const grid_checkpoint_kind kind = k->vector   ? GRID_CHECKPOINT_VECTOR
                                    : k->scalar ? GRID_CHECKPOINT_SCALAR
                                                : GRID_CHECKPOINT_BYTES;
  if (kind != e->kind)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH, "%s: \"%s\" was saved as %s, not as %s", r->call, k->name,
                     kinds[e->kind], kinds[kind]);
  const char *type = k->vector ? k->vector->type->name : k->scalar ? k->scalar->type->name : "";
  if (strcmp(type, e->type) != 0 || value_size(k) != e->size)
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                     "%s: \"%s\" was saved with values of %s%s%llu bytes, not %s%s%llu", r->call, k->name,
                     e->type, *e->type ? ", " : "", (unsigned long long)e->size, type, *type ? ", " : "",
                     (unsigned long long)value_size(k));
  if (k->vector && k->vector->n != e->n)
    return grid_fail(NULL, GrB_DIMENSION_MISMATCH, "%s: \"%s\" was saved with size %llu, not %llu", r->call,
                     k->name, (unsigned long long)e->n, (unsigned long long)k->vector->n);
  return GrB_SUCCESS;
}

static void append(incoming *in, const grid_checkpoint_entry *e) {
  if (e->is_list)
    memcpy(in->idx + in->n, e->idx, e->nvals * sizeof(uint64_t));
  else
    for (uint64_t k = 0; k < e->nvals; k++) in->idx[in->n + k] = e->first + k;
  memcpy(in->val + in->n * e->size, e->val, e->nvals * e->size);
  in->n += e->nvals;
}

/* Visits the part's objects. first: checks and counts them; else copies them. */
static GrB_Info walk_file(restore *r, uint64_t number, bool first) {
  const int rank = grid_ctx.k + (int)number * grid_ctx.P;
  uint64_t at = sizeof(grid_image_head), found = 0;
  grid_checkpoint_entry e;
  while (at < r->size[number]) {
    const char *wrong = grid_image_next(&e, &at, r->image[number], r->size[number]);
    if (wrong) return fail_damaged(r, rank, wrong);
    uint64_t k = 0;
    while (k < r->n && strcmp(r->items[k].name, e.name) != 0) k++;
    if (k == r->n) continue;
    incoming *in = &r->in[k];
    GrB_Info info = first ? check_entry(r, &r->items[k], &e) : GrB_SUCCESS;
    if (info != GrB_SUCCESS) return info;
    found++;
    if (!r->items[k].vector) {
      if (rank == 0 && !first && (in->present = e.nvals)) memcpy(in->val, e.val, e.size);
    } else if (first) {
      in->n += e.nvals, in->indices_covered += e.count;
    } else {
      append(in, &e);
    }
  }
  if (found == r->n) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: step %llu in %s lacks an object, or has one twice", r->call,
                   (unsigned long long)r->step, r->folder);
}

static GrB_Info open_file(restore *r, uint64_t number) {
  const int rank = grid_ctx.k + (int)number * grid_ctx.P;
  char path[GRID_CHECKPOINT_PATH];
  grid_image_head head;
  grid_checkpoint_path(path, r->folder, (grid_checkpoint_file){r->step, r->processes, rank});
  GrB_Info info = grid_checkpoint_read_file(&r->image[number], &r->size[number], path, r->call);
  if (info != GrB_SUCCESS) return info == GrB_INVALID_VALUE ? DAMAGED : info;
  const char *wrong = grid_image_open(&head, r->image[number], r->size[number]);
  if (!wrong && (head.step != r->step || head.processes != (uint32_t)r->processes ||
                 head.process != (uint32_t)rank || (number && head.run != r->run)))
    wrong = "its header does not match its name";
  if (wrong) return fail_damaged(r, rank, wrong);
  r->run = head.run;
  return GrB_SUCCESS;
}

/* Allocates the counted entries and resets the counts. */
static GrB_Info allocate_entries(restore *r) {
  for (uint64_t k = 0; k < r->n; k++) {
    incoming *in = &r->in[k];
    const uint64_t values = r->items[k].vector ? in->n : 1, size = value_size(&r->items[k]);
    in->idx = grid_malloc(in->n, sizeof *in->idx);
    in->val = grid_malloc(values, size);
    if (!in->idx || !in->val) return grid_fail_memory(NULL, "entries of a checkpoint", values, size + 8);
    in->n = 0;
  }
  return GrB_SUCCESS;
}

static GrB_Info read_files(restore *r) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t files = (uint64_t)(r->processes - grid_ctx.k + grid_ctx.P - 1) / (uint64_t)grid_ctx.P;
  r->files = r->processes > grid_ctx.k ? files : 0;
  r->image = grid_calloc(r->files, sizeof *r->image);
  r->size = grid_calloc(r->files, sizeof *r->size);
  r->in = grid_calloc(r->n, sizeof *r->in);
  if (!r->image || !r->size || !r->in) return grid_fail_memory(NULL, "parts of a checkpoint", r->files, 16);
  for (uint64_t p = 0; p < r->files; p++) {
    TRY(open_file(r, p));
    TRY(walk_file(r, p, true));
  }
  TRY(allocate_entries(r));
  for (uint64_t p = 0; p < r->files; p++) TRY(walk_file(r, p, false));
done:
  return info;
}

/* ---- collective steps ---- */

/* Do all parts belong to one run, and do they cover each vector completely? */
static GrB_Info check_consistent(restore *r) {
  uint64_t run[2] = {r->files ? r->run : 0, r->files ? ~r->run : 0};
  GrB_Info info = GrB_SUCCESS;
  TRY(Grid_max(run, 2));
  bool fits = run[0] == ~run[1];
  r->run = run[0];
  for (uint64_t k = 0; k < r->n; k++) {
    uint64_t indices_covered = r->in[k].indices_covered;
    TRY(Grid_sum(&indices_covered, 1));
    fits = fits && (!r->items[k].vector || indices_covered == r->items[k].vector->n);
  }
  if (!fits)
    info = grid_fail(NULL, DAMAGED, "%s: the parts of step %llu in %s do not belong together", r->call,
                     (unsigned long long)r->step, r->folder);
done:
  return info;
}

/* Broadcasts process 0's value. */
static GrB_Info share_value(incoming *in, uint64_t size) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &in->present, sizeof in->present, 0));
  if (in->present) TRY(grid_ctx.transport->bcast(GRID_SET_ALL, in->val, size, 0));
done:
  return info;
}

static GrB_Info assemble(restore *r) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < r->n; k++) {
    incoming *in = &r->in[k];
    const GrB_Vector v = r->items[k].vector;
    if (v) {
      TRY(GrB_Vector_new(&in->object, v->type, v->n));
      TRY(Grid_Vector_build(in->object, in->idx, in->val, v->type, in->n, NULL));
    } else {
      TRY(share_value(in, value_size(&r->items[k])));
    }
  }
done:
  return info;
}

/* Cannot fail. */
static void store_results(restore *r) {
  for (uint64_t k = 0; k < r->n; k++) {
    const Grid_Checkpoint_Item *items = &r->items[k];
    incoming *in = &r->in[k];
    if (items->vector)
      grid_chunk_swap(&items->vector->chunk, &in->object->chunk);
    else if (items->scalar)
      grid_scalar_set(items->scalar, in->present ? in->val : NULL, items->scalar->type);
    else
      memcpy(items->bytes, in->val, items->size);
  }
}

static void release(restore *r) {
  for (uint64_t p = 0; r->image && p < r->files; p++) grid_free(r->image[p]);
  for (uint64_t k = 0; r->in && k < r->n; k++) {
    grid_free(r->in[k].idx);
    grid_free(r->in[k].val);
    GrB_Vector_free(&r->in[k].object);
  }
  grid_free(r->image);
  grid_free(r->size);
  grid_free(r->in);
  r->image = NULL, r->size = NULL, r->in = NULL;
}

/* Restores one step; DAMAGED: it is not usable. */
static GrB_Info load_step(restore *r, grid_checkpoint_step which) {
  GrB_Info info;
  r->step = which.step, r->processes = which.processes, r->run = 0;
  TRY(grid_agree(NULL, read_files(r)));
  TRY(check_consistent(r));
  TRY(assemble(r));
  store_results(r);
  grid_checkpoint_continue(r->folder, r->run, r->step + 1);
done:
  release(r);
  return info;
}

/* The complete steps that process 0 sees, on every process (grid_free). */
static GrB_Info share_list(grid_checkpoint_step **steps, uint64_t *n, const char *folder, const char *call) {
  uint64_t newest;
  GrB_Info info = GrB_SUCCESS;
  *steps = NULL, *n = 0;
  if (grid_ctx.k == 0) info = grid_checkpoint_list_steps(steps, n, &newest, folder, call);
  TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, n, sizeof *n, 0));
  if (grid_ctx.k) *steps = grid_malloc(*n, sizeof **steps);
  if (*n && !*steps) info = grid_fail_memory(NULL, "checkpoints", *n, sizeof **steps);
  TRY(grid_agree(NULL, info));
  if (*n) TRY(grid_ctx.transport->bcast(GRID_SET_ALL, *steps, *n * sizeof **steps, 0));
done:
  return info;
}

static GrB_Info restore_all(const char *folder, uint64_t *step, const Grid_Checkpoint_Item *items,
                            uint64_t n) {
  static const char call[] = "Grid_restore";
  restore r = {.folder = folder, .call = call, .items = items, .n = n};
  grid_checkpoint_step *steps = NULL;
  uint64_t count = 0, k = 0;
  GrB_Info info = grid_checkpoint_check(folder, 0, items, n, call);
  if (info != GrB_SUCCESS) return info;
  if (!step) info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument step is NULL", call);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) return info;
  TRY(grid_checkpoint_wait(call));
  TRY(grid_checkpoint_begin(folder, call));
  TRY(share_list(&steps, &count, folder, call));
  if (!count) info = grid_fail(NULL, GrB_NO_VALUE, "%s: there is no complete checkpoint in %s", call, folder);
  for (; k < count; k++) {
    info = load_step(&r, steps[k]);
    if (info != DAMAGED) break;
  }
  if (info == DAMAGED) info = GrB_INVALID_VALUE; /* with the error text of the oldest step */
  if (info == GrB_SUCCESS) *step = steps[k].step;
done:
  grid_checkpoint_abandon(folder);
  grid_free(steps);
  return info;
}

GrB_Info Grid_restore(const char *folder, uint64_t *step, const Grid_Checkpoint_Item *items, uint64_t n) {
  return GRID_TRACE_CALL("Grid_restore", restore_all(folder, step, items, n), NULL);
}
