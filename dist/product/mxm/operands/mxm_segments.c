/* See mxm_segments.h. */
#include "dist/product/mxm/operands/mxm_segments.h"

#include <string.h>

/* ---- packing ---- */

static size_t round8(size_t n) {
  return (n + 7) / 8 * 8;
}

static size_t segment_bytes(const grid_segment_head *h, size_t size) {
  return sizeof *h + h->rows * 8 + round8(h->rows * 4) + (h->hypersparse ? h->cols * 8 : 0) +
         round8(h->entries * 4) + round8((h->iso ? 1 : h->entries) * size);
}

/* The segment at p. */
static grid_segment open_segment(char *p) {
  grid_segment x;
  memcpy(&x.h, p, sizeof x.h);
  p += sizeof x.h;
  x.name = (uint64_t *)(void *)p, p += x.h.rows * 8;
  x.count = (uint32_t *)(void *)p, p += round8(x.h.rows * 4);
  x.id = (uint64_t *)(void *)p, p += x.h.hypersparse ? x.h.cols * 8 : 0;
  x.idx = (uint32_t *)(void *)p, p += round8(x.h.entries * 4);
  x.val = p;
  return x;
}

uint64_t grid_slice_entries(const grid_slice *s, uint64_t r, uint64_t *from) {
  uint64_t e = grid_vector_start(s->x->c, r), end = grid_vector_start(s->x->c, r + 1);
  if (s->c0 > 0) e = grid_first_entry(s->x->c->idx, e, end, s->c0);
  if (s->c1 < s->x->col->n) end = grid_first_entry(s->x->c->idx, e, end, s->c1);
  *from = e;
  return end - e;
}

static grid_segment_head measure(const grid_slice *s) {
  grid_segment_head h = {.cols = s->c1 - s->c0, .first = s->c0, .iso = s->x->iso != NULL};
  uint64_t from;
  for (uint64_t r = s->r0; r < s->r1; r++) {
    const uint64_t n = grid_slice_entries(s, r, &from);
    h.rows += n > 0;
    h.entries += n;
  }
  return h;
}

static void fill_segment(const grid_slice *s, grid_segment *p) {
  const grid_rows *x = s->x;
  uint64_t at = 0, row = 0, from;
  for (uint64_t r = s->r0; r < s->r1; r++) {
    const uint64_t n = grid_slice_entries(s, r, &from);
    if (n == 0) continue;
    p->name[row] = s->names_rows ? grid_axis_id(x->row, r) : r;
    p->count[row++] = (uint32_t)n;
    for (uint64_t e = 0; e < n; e++) p->idx[at + e] = x->c->idx[from + e] - (uint32_t)s->c0;
    if (x->size && !x->iso) memcpy(p->val + at * x->size, (char *)x->c->val + from * x->size, n * x->size);
    at += n;
  }
  if (x->size && x->iso) memcpy(p->val, x->iso, x->size);
  for (uint64_t c = 0; p->h.hypersparse && c < p->h.cols; c++) p->id[c] = grid_axis_id(x->col, s->c0 + c);
}

static GrB_Info pack(const grid_slice *s, char **buffer, size_t *bytes) {
  grid_segment_head h = measure(s);
  h.hypersparse = !s->names_rows && s->x->col->ids;
  *bytes = segment_bytes(&h, s->x->size);
  *buffer = grid_calloc(*bytes, 1);
  if (!*buffer) return grid_fail_memory(NULL, "a segment of a matrix", *bytes, 1);
  memcpy(*buffer, &h, sizeof h);
  grid_segment p = open_segment(*buffer);
  fill_segment(s, &p);
  return GrB_SUCCESS;
}

/* ---- gathering ---- */

void grid_segments_free(grid_segments *x) {
  grid_free(x->p);
  grid_free(x->buffer);
}

static void sum_heads(grid_segments *x, size_t size) {
  x->iso = size > 0;
  for (int r = 0; r < x->n; r++) {
    const grid_segment *p = &x->p[r];
    x->entries += p->h.entries;
    x->cols += p->h.cols;
    if (p->h.entries == 0) continue;
    if (!p->h.iso || (x->one && memcmp(x->one, p->val, size) != 0)) x->iso = false;
    if (!x->one) x->one = p->val;
  }
  if (x->entries == 0) x->iso = false;
}

GrB_Info grid_gather_segments(grid_set set, const grid_slice *s, GrB_Info info, grid_segments *got) {
  const size_t size = (size_t)grid_set_size(set);
  size_t *sizes = grid_calloc(4 * size, sizeof *sizes), bytes = 0;
  char *buffer = NULL;
  *got = (grid_segments){.n = (int)size, .p = grid_calloc(size, sizeof *got->p)};
  if (info == GrB_SUCCESS && (!sizes || !got->p))
    info = grid_fail_memory(NULL, "segments of a matrix", size, sizeof *got->p);
  if (info == GrB_SUCCESS) info = pack(s, &buffer, &bytes);
  TRY(grid_agree(NULL, info));
  for (size_t r = 0; r < size; r++) sizes[r] = bytes; /* all segments begin at 0 */
  TRY(grid_exchange_alloc(set, buffer, sizes, sizes + size, &got->buffer, sizes + 2 * size,
                          sizes + 3 * size));
  for (size_t r = 0; r < size; r++) got->p[r] = open_segment((char *)got->buffer + sizes[3 * size + r]);
  sum_heads(got, s->x->size);
done:
  grid_free(buffer);
  grid_free(sizes);
  return info;
}
