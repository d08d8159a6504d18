/* See container.h: the part of a container that a process reads. */
#include "dist/grid/layout.h"
#include "dist/extensions/containers/container.h"
#include "dist/extensions/containers/vector_segments.h"

#define ULL(x) ((unsigned long long)(x))

typedef struct {
  GrB_Vector v[GRID_C_VECTORS];
  const struct GxB_Container_struct *c;
  grid_head *head;
  const char *call;
} reader;

static bool is_index_type(GrB_Type t) {
  return t == GrB_INT32 || t == GrB_UINT32 || t == GrB_INT64 || t == GrB_UINT64;
}

/* A vector that has an entry at every index, and at least n of them. */
static GrB_Info check_vector(const reader *r, int which, uint64_t n) {
  static const char *const name[] = {"p", "h", "b", "i", "x"};
  const GrB_Vector v = r->v[which];
  uint64_t nvals;
  GrB_Info info;
  TRY(grid_check_operand(v, r->head, r->call, name[which]));
  TRY(grid_vector_count(&nvals, v));
  if (nvals != v->n)
    TRY(grid_fail(r->head, GrB_INVALID_OBJECT, "%s: vector %s has %llu entries, but the size %llu", r->call,
                  name[which], ULL(nvals), ULL(v->n)));
  if (v->n < n)
    TRY(grid_fail(r->head, GrB_INVALID_OBJECT, "%s: vector %s has the size %llu; %llu is needed", r->call,
                  name[which], ULL(v->n), ULL(n)));
  if (which == GRID_C_B && v->type->size != 1)
    TRY(grid_fail(r->head, GrB_INVALID_VALUE, "%s: vector b has type %s, not GrB_INT8", r->call,
                  v->type->name));
  if (which != GRID_C_B && which != GRID_C_X && !is_index_type(v->type))
    TRY(grid_fail(r->head, GrB_INVALID_VALUE,
                  "%s: vector %s has type %s; it takes INT32, UINT32, INT64 or UINT64", r->call, name[which],
                  v->type->name));
done:
  return info;
}

/* *x = elements of p, h or i as 64-bit numbers: a negative one becomes larger than any dimension. */
static GrB_Info read_numbers(uint64_t **x, const reader *r, int which, uint64_t start, uint64_t count) {
  void *raw = NULL;
  GrB_Info info;
  TRY(grid_segment_of_vector(&raw, r->v[which], start, count));
  *x = grid_malloc(count, sizeof **x);
  TRY(grid_agree(r->head,
                 *x ? GrB_SUCCESS : grid_fail_memory(r->head, "numbers of a container", count, sizeof **x)));
  grid_cast_array(*x, GrB_UINT64, raw, r->v[which]->type, 1, count);
done:
  grid_free(raw);
  return info;
}

/* Offsets of `count` vectors from `start` on, `all` over the grid, and the entries that they name. */
static GrB_Info read_offsets(grid_packed *a, uint64_t *from, const reader *r, uint64_t start, uint64_t count,
                             uint64_t all) {
  const uint64_t entries = r->v[GRID_C_I]->n;
  GrB_Info info;
  TRY(check_vector(r, GRID_C_P, all + 1));
  TRY(check_vector(r, GRID_C_I, 0));
  TRY(read_numbers(&a->p, r, GRID_C_P, start, count + 1));
  a->p_size = (count + 1) * sizeof *a->p;
  const uint64_t first = a->p[0], last = a->p[count];
  if (start == 0 && first != 0)
    info = grid_fail(r->head, GrB_INVALID_OBJECT, "%s: p[0] is %llu; it must be 0", r->call, ULL(first));
  else if (start + count == all && last != r->c->nvals)
    info = grid_fail(r->head, GrB_INVALID_OBJECT, "%s: p[%llu] is %llu, but nvals is %llu", r->call, ULL(all),
                     ULL(last), ULL(r->c->nvals));
  else if (first > last || last > entries)
    info = grid_fail(r->head, GrB_INVALID_OBJECT,
                     "%s: p[%llu] is %llu and p[%llu] is %llu, but there are %llu entries", r->call,
                     ULL(start), ULL(first), ULL(start + count), ULL(last), ULL(entries));
  TRY(grid_agree(r->head, info));
  for (uint64_t k = 0; k <= count; k++) a->p[k] -= first;
  *from = first;
  a->nvals = last - first;
done:
  return info;
}

/* Indices and values of a->nvals entries from `from` on. */
static GrB_Info read_entries(grid_packed *a, const reader *r, uint64_t from) {
  GrB_Info info = read_numbers(&a->i, r, GRID_C_I, from, a->nvals);
  a->i_size = a->nvals * sizeof *a->i;
  return info;
}

static GrB_Info read_values(grid_packed *a, const reader *r, uint64_t from, uint64_t count, uint64_t all) {
  const GrB_Vector x = r->v[GRID_C_X];
  const uint64_t n = a->iso ? all > 0 : count;
  GrB_Info info;
  TRY(check_vector(r, GRID_C_X, a->iso ? all > 0 : all));
  TRY(grid_segment_of_vector(&a->x, x, a->iso ? 0 : from, n));
  a->x_size = n * x->type->size;
done:
  return info;
}

static GrB_Info read_sparse(grid_packed *a, const reader *r, uint64_t vectors) {
  const bool is_list = a->form == GxB_HYPERSPARSE;
  const uint64_t all = is_list ? r->v[GRID_C_H]->n : vectors, start = grid_chunk_first(all, grid_ctx.k),
                 count = grid_chunk_length(all, grid_ctx.k);
  uint64_t from = 0;
  GrB_Info info;
  if (is_list) {
    TRY(check_vector(r, GRID_C_H, 0));
    TRY(read_numbers(&a->h, r, GRID_C_H, start, count));
    a->h_size = count * sizeof *a->h;
    a->nvec = count, a->any_vector = true;
  }
  TRY(read_offsets(a, &from, r, start, count, all));
  TRY(read_entries(a, r, from));
  info = read_values(a, r, from, a->nvals, r->c->nvals);
done:
  return info;
}

static GrB_Info read_positions(grid_packed *a, const reader *r, uint64_t vectors, uint64_t length) {
  const uint64_t first = grid_chunk_first(vectors, grid_ctx.k),
                 count = grid_chunk_length(vectors, grid_ctx.k);
  uint64_t all;
  void *b = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (__builtin_mul_overflow(vectors, length, &all) || all > GrB_INDEX_MAX + 1)
    TRY(grid_fail(r->head, GrB_INVALID_OBJECT, "%s: %llu x %llu positions are more than 2^60", r->call,
                  ULL(vectors), ULL(length)));
  if (a->form == GxB_BITMAP) {
    TRY(check_vector(r, GRID_C_B, all));
    TRY(grid_segment_of_vector(&b, r->v[GRID_C_B], first * length, count * length));
    a->b = b, a->b_size = count * length;
    for (uint64_t k = 0; k < count * length; k++) a->nvals += a->b[k] != 0;
  } else {
    a->nvals = count * length;
  }
  uint64_t sum = a->nvals;
  TRY(grid_agree_sum(r->head, GrB_SUCCESS, &sum, 1));
  if (sum != r->c->nvals)
    TRY(grid_fail(r->head, GrB_INVALID_OBJECT, "%s: nvals is %llu, but there are %llu entries", r->call,
                  ULL(r->c->nvals), ULL(sum)));
  info = read_values(a, r, first * length, count * length, all);
done:
  return info;
}

/* Offsets of one column, then this process's chunk of its entries, whose indices may be anywhere. */
static GrB_Info read_list(grid_packed *a, const reader *r) {
  const uint64_t n = r->c->nvals, from = grid_chunk_first(n, grid_ctx.k);
  uint64_t first;
  GrB_Info info;
  if (n > GrB_INDEX_MAX + 1)
    return grid_fail(r->head, GrB_INVALID_OBJECT, "%s: nvals is %llu, more than 2^60", r->call, ULL(n));
  TRY(read_offsets(a, &first, r, 0, 1, 1));
  a->nvals = grid_chunk_length(n, grid_ctx.k);
  TRY(read_entries(a, r, from));
  info = read_values(a, r, from, a->nvals, n);
done:
  return info;
}

void grid_container_part_free(grid_container_part *part) {
  grid_free(part->a.p);
  grid_free(part->a.h);
  grid_free(part->a.i);
  grid_free(part->a.b);
  grid_free(part->a.x);
  part->a = (grid_packed){0};
}

static GrB_Info check_header(const struct GxB_Container_struct *c, bool vector, grid_head *head,
                             const char *call) {
  const bool by_column = c->orientation == GrB_COLMAJOR;
  if (c->format != GxB_HYPERSPARSE && c->format != GxB_SPARSE && c->format != GxB_BITMAP &&
      c->format != GxB_FULL)
    return grid_fail(head, GrB_INVALID_OBJECT, "%s: Container->format is %d", call, (int)c->format);
  if (!by_column && c->orientation != GrB_ROWMAJOR)
    return grid_fail(head, GrB_INVALID_OBJECT, "%s: Container->orientation is %d", call, (int)c->orientation);
  if (vector && (c->ncols != 1 || !by_column || c->format == GxB_HYPERSPARSE))
    return grid_fail(head, GrB_INVALID_OBJECT,
                     "%s: the container has %llu columns, orientation %d and format %d; a vector is one "
                     "column, by column, and not hypersparse",
                     call, ULL(c->ncols), (int)c->orientation, (int)c->format);
  if (c->nrows > GrB_INDEX_MAX + 1 || c->ncols > GrB_INDEX_MAX + 1)
    return grid_fail(head, GrB_INVALID_VALUE, "%s: of the dimensions %llu x %llu one is more than 2^60", call,
                     ULL(c->nrows), ULL(c->ncols));
  return GrB_SUCCESS;
}

GrB_Info grid_container_read(grid_container_part *part, GxB_Container c, bool vector, GrB_Descriptor desc,
                             grid_head *head, const char *call) {
  reader r = {.c = c, .head = head, .call = call};
  grid_packed *a = &part->a;
  GrB_Info info;
  *part = (grid_container_part){0};
  TRY(grid_container_check(r.v, c, head, call));
  if (desc) TRY(grid_check_object(desc, head, call, "desc"));
  TRY(check_header(c, vector, head, call));
  const bool by_column = c->orientation == GrB_COLMAJOR, sparse = c->format <= GxB_SPARSE;
  const uint64_t vectors = by_column ? c->ncols : c->nrows, length = by_column ? c->nrows : c->ncols;
  *part = (grid_container_part){.type = r.v[GRID_C_X]->type, .nrows = c->nrows, .ncols = c->ncols};
  a->form = c->format, a->by_column = by_column;
  a->iso = c->iso, a->sorted = !c->jumbled;
  a->strict = desc && desc->option[GRID_IMPORT] == GxB_SECURE_IMPORT;
  if (vector)
    info = sparse ? read_list(a, &r) : read_positions(a, &r, length, 1);
  else
    info = sparse ? read_sparse(a, &r, vectors) : read_positions(a, &r, vectors, length);
done:
  if (info != GrB_SUCCESS) grid_container_part_free(part);
  return info;
}
