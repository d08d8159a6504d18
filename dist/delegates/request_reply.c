/* Requests and replies. A request to a process is the set of its vertices that open rows have as neighbors,
 * each once. They are sent as distances between ascending vertices, or as a bitmap if that is shorter. The
 * reply has a bit for each: whether it is in x. The sender then tries its open rows again. */
#include "dist/delegates/owner_request_steps.h"

#include <string.h>

#include "dist/comm/transport/varint.h"
#include "semiring/threads/context_section.h"

/* A segment: 8 bytes for the alltoallv (its size), then of a request 8 bytes for the form of the set, and the
 * set; of a reply the bits. */
enum { HEAD = 8, AS_DISTANCES = 0, AS_BITMAP = 1, BODY = HEAD + 8 };

/* ---- the requested vertices ---- */

typedef struct {
  const grid_compressed *c;
  const uint64_t *is; /* the delegates */
  uint64_t low, n;    /* this process's columns: the position of the first, their number */
} remote_rows;

static remote_rows rows_of(const grid_product *p) {
  const grid_delegate_index *g = p->A->delegates.index;
  const uint64_t low = g->col_start[grid_ctx.k];
  return (remote_rows){
      .c = &p->A->block.by_row, .is = g->is_col, .low = low, .n = g->col_start[grid_ctx.k + 1] - low};
}

/* u: the position of a column. */
static inline bool is_remote(const remote_rows *o, uint64_t u) {
  return u - o->low >= o->n && !grid_bit(o->is, u);
}

/* Marks the remote edges of the rows of word w in bits, which other threads mark, too. Returns their number.
 */
static uint64_t mark_word(const remote_rows *o, uint64_t w, uint64_t rows, uint64_t *bits) {
  uint64_t n = 0;
  for (; rows; rows &= rows - 1) {
    const uint64_t r = 64 * w + grid_low_bit(rows);
    for (uint64_t e = grid_vector_start(o->c, r); e < grid_vector_start(o->c, r + 1); e++) {
      const uint64_t u = o->c->idx[e], bit = UINT64_C(1) << (u & 63);
      if (!is_remote(o, u)) continue;
      n++;
      if (!(__atomic_load_n(&bits[u >> 6], __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(&bits[u >> 6], bit, __ATOMIC_RELAXED);
    }
  }
  return n;
}

/* Marks the remote edges of open rows. Returns their number. */
static uint64_t mark_remote_edges(const grid_product *p, const uint64_t *open, uint64_t *bits) {
  const remote_rows o = rows_of(p);
  const uint64_t words = grid_words(p->mask.n);
  uint64_t n = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : n) if (words > 64)
  for (uint64_t w = 0; w < words; w++) n += mark_word(&o, w, open[w], bits);
  return n;
}

/* ---- segments ---- */

/* The columns of a process, of which delegates are excluded, and bits by their positions. */
typedef struct {
  uint64_t *bits;
  const uint64_t *is;
  const grid_axis *axis;
  uint64_t from, to; /* positions */
  uint64_t first;    /* local id of the process's first vertex */
  uint64_t words;    /* of a bitmap of its vertices */
} requested_columns;

static requested_columns columns_of(const grid_product *p, uint64_t *bits, int k) {
  const grid_delegate_index *g = p->A->delegates.index;
  return (requested_columns){.bits = bits,
                             .is = g->is_col,
                             .axis = &p->A->block.col,
                             .from = g->col_start[k],
                             .to = g->col_start[k + 1],
                             .first = grid_process_offset(p, k),
                             .words = grid_chunk_padded_size(p->in.n, k) / 64};
}

/* The first position from `at` on that is set and no delegate, or t->to. */
static uint64_t next_column(const requested_columns *t, uint64_t at) {
  uint64_t mask = ~UINT64_C(0) << (at & 63);
  for (uint64_t w = at / 64; 64 * w < t->to; w++, mask = ~UINT64_C(0)) {
    const uint64_t bits = t->bits[w] & ~t->is[w] & mask;
    if (bits) return 64 * w + grid_low_bit(bits) < t->to ? 64 * w + grid_low_bit(bits) : t->to;
  }
  return t->to;
}

/* The vertex of a position, as an index of its process's chunk. */
static uint64_t vertex_of(const requested_columns *t, uint64_t at) {
  return grid_axis_id(t->axis, at) - t->first;
}

/* Writes the set as distances, or (to NULL) returns the number of bytes. */
static uint64_t write_distances(const requested_columns *t, uint8_t *to) {
  uint64_t last = 0, bytes = 0;
  for (uint64_t c = next_column(t, t->from); c < t->to; c = next_column(t, c + 1)) {
    const uint64_t v = vertex_of(t, c);
    if (to)
      grid_varint_write(&to, v - last);
    else
      bytes += grid_varint_size(v - last);
    last = v;
  }
  return bytes;
}

static uint64_t size_of_set(const requested_columns *t, bool *as_bitmap) {
  const uint64_t bytes = write_distances(t, NULL);
  *as_bitmap = bytes > 8 * t->words;
  return bytes == 0 ? 0 : BODY + (*as_bitmap ? 8 * t->words : bytes);
}

static void write_set(const requested_columns *t, uint64_t bytes, bool as_bitmap, char *to) {
  const uint64_t head[2] = {bytes, as_bitmap ? AS_BITMAP : AS_DISTANCES};
  memcpy(to, head, sizeof head);
  if (!as_bitmap) {
    write_distances(t, (uint8_t *)to + BODY);
    return;
  }
  uint64_t *words = (uint64_t *)(void *)(to + BODY);
  memset(words, 0, 8 * t->words);
  for (uint64_t c = next_column(t, t->from); c < t->to; c = next_column(t, c + 1))
    grid_set_bit(words, vertex_of(t, c));
}

static void count_sent(grid_product *p, const size_t *bytes) {
  for (int k = 0; k < grid_ctx.P; k++)
    if (k != grid_ctx.k) p->stats.fold_bytes += bytes[k];
}

/* Writes the requests to all processes, in consecutive segments. */
static GrB_Info write_requests(grid_product *p, uint64_t *bits, size_t *size, size_t *off) {
  grid_comm_buffers *work = &p->A->cached.buffers;
  uint64_t all = 0;
  bool as_bitmap;
  for (int k = 0; k < grid_ctx.P; k++) {
    const requested_columns t = columns_of(p, bits, k);
    size[k] = k == grid_ctx.k ? 0 : size_of_set(&t, &as_bitmap);
    off[k] = all;
    all += (size[k] + 7) / 8 * 8;
  }
  GrB_Info info = grid_comm_buffers_reserve(work, all);
  for (int k = 0; k < grid_ctx.P && info == GrB_SUCCESS; k++) {
    const requested_columns t = columns_of(p, bits, k);
    if (size[k] == 0) continue;
    size_of_set(&t, &as_bitmap);
    write_set(&t, size[k], as_bitmap, work->send + off[k]);
  }
  if (info == GrB_SUCCESS) count_sent(p, size);
  return info;
}

/* ---- replies ---- */

static uint64_t count_requests(const char *segment, uint64_t bytes) {
  uint64_t n = 0;
  if (bytes == 0) return 0;
  if (segment[HEAD] == AS_BITMAP)
    return grid_count_bits((const uint64_t *)(const void *)(segment + BODY), (bytes - BODY) / 8);
  for (uint64_t b = BODY; b < bytes; b++) n += (uint8_t)segment[b] < 0x80;
  return n;
}

/* to (zeros) = a bit for each vertex of the set: is it in `local`? */
static void write_reply(const char *segment, uint64_t bytes, const uint64_t *local, uint8_t *to) {
  uint64_t m = 0;
  if (segment[HEAD] == AS_BITMAP) {
    const uint64_t *words = (const uint64_t *)(const void *)(segment + BODY);
    for (uint64_t w = 0; w < (bytes - BODY) / 8; w++)
      for (uint64_t b = words[w]; b; b &= b - 1, m++)
        if (local[w] >> grid_low_bit(b) & 1) to[m >> 3] |= (uint8_t)(1 << (m & 7));
    return;
  }
  const uint8_t *at = (const uint8_t *)segment + BODY, *end = (const uint8_t *)segment + bytes;
  for (uint64_t v = 0; at < end; m++) {
    v += grid_varint_get(&at);
    if (grid_bit(local, v)) to[m >> 3] |= (uint8_t)(1 << (m & 7));
  }
}

static GrB_Info write_replies(grid_product *p, const grid_received *got, const uint64_t *local, size_t *size,
                              size_t *off) {
  grid_comm_buffers *work = &p->A->cached.buffers;
  uint64_t all = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t n = count_requests(got->buf + got->off[k], got->bytes[k]);
    size[k] = n ? HEAD + (n + 7) / 8 : 0;
    off[k] = all;
    all += (size[k] + 7) / 8 * 8;
  }
  GrB_Info info = grid_comm_buffers_reserve(work, all);
  if (info != GrB_SUCCESS) return info;
  if (all) memset(work->send, 0, all);
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(dynamic, 1) if (all > 1 << 12)
  for (int k = 0; k < grid_ctx.P; k++) {
    GRID_WORKER_SCOPE(context);
    const uint64_t bytes = size[k];
    if (bytes == 0) continue;
    memcpy(work->send + off[k], &bytes, sizeof bytes);
    write_reply(got->buf + got->off[k], got->bytes[k], local, (uint8_t *)work->send + off[k] + HEAD);
  }
  count_sent(p, size);
  return info;
}

/* Clears the bits of the requested vertices that are not in x; all, if there is no reply (that process has
 * failed). */
static void copy_hits(const requested_columns *t, const char *segment, uint64_t bytes) {
  const uint8_t *reply = (const uint8_t *)segment + HEAD;
  uint64_t m = 0;
  for (uint64_t c = next_column(t, t->from); c < t->to; c = next_column(t, c + 1), m++)
    if (bytes == 0 || !(reply[m >> 3] >> (m & 7) & 1)) t->bits[c >> 6] &= ~(UINT64_C(1) << (c & 63));
}

/* ---- trying the open rows again ---- */

static void try_word(const grid_product *p, const remote_rows *o, uint64_t w, uint64_t rows,
                     const uint64_t *bits, grid_output *y) {
  for (; rows; rows &= rows - 1) {
    const uint64_t r = 64 * w + grid_low_bit(rows);
    for (uint64_t e = grid_vector_start(o->c, r); e < grid_vector_start(o->c, r + 1); e++) {
      const uint64_t u = o->c->idx[e];
      if (!grid_bit(bits, u) || !is_remote(o, u)) continue;
      grid_store_hit(p, y, r, grid_axis_id(&p->A->block.col, u)); /* which is the vertex: all are columns */
      break;
    }
  }
}

static void try_rows(const grid_product *p, const uint64_t *open, const uint64_t *bits, grid_output *y) {
  const remote_rows o = rows_of(p);
  const uint64_t words = grid_words(p->mask.n);
  uint64_t found = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : found) if (words > 64)
  for (uint64_t w = 0; w < words; w++) {
    grid_output of_word = *y; /* a word of bits is written by one thread */
    of_word.found = 0;
    try_word(p, &o, w, open[w], bits, &of_word);
    found += of_word.found;
  }
  y->found += found;
}

GrB_Info grid_request_owners(grid_product *p, GrB_Info info, grid_input *in, const uint64_t *open,
                             grid_output *y) {
  size_t *size = p->A->cached.buffers.counts, *off = size + grid_ctx.P;
  grid_received got;
  if (info == GrB_SUCCESS) {
    p->stats.inspected += mark_remote_edges(p, open, in->bits);
    info = write_requests(p, in->bits, size, off);
  }
  info = grid_alltoall_packed(&p->A->cached.buffers, GRID_SET_ALL, info, &got);
  if (info == GrB_SUCCESS) info = write_replies(p, &got, grid_local_input(p, in->bits), size, off);
  info = grid_alltoall_packed(&p->A->cached.buffers, GRID_SET_ALL, info, &got);
  if (info != GrB_SUCCESS) return info;
  for (int k = 0; k < grid_ctx.P; k++) {
    const requested_columns t = columns_of(p, in->bits, k);
    if (k != grid_ctx.k) copy_hits(&t, got.buf + got.off[k], got.bytes[k]);
  }
  try_rows(p, open, in->bits, y);
  return info;
}
