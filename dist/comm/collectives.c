/* Exchanges of segments, built on the transport; of most of them the receivers do not know the sizes. */
#include "dist/grid/layout.h"

#include <string.h>

#include "dist/grid/short_call.h"

GrB_Info grid_exchange_known(grid_set set, const void *sendbuf, size_t *sendbytes, const size_t *sendoff,
                             void *recvbuf, size_t *recvbytes, const size_t *recvoff, size_t longest) {
  const grid_transport *by = grid_ctx.transport;
  const size_t me = (size_t)grid_set_rank(set), local_bytes = recvbytes[me];
  if (!by->exchange_long) return by->exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
  if (local_bytes) memcpy((char *)recvbuf + recvoff[me], (const char *)sendbuf + sendoff[me], local_bytes);
  sendbytes[me] = recvbytes[me] = 0;
  GrB_Info info = by->exchange_long(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
  sendbytes[me] = recvbytes[me] = local_bytes;
  return info;
}

/* The transport runs on one thread, so all threads first copy the local segment and touch the receive
 * buffer's other pages. First-touch faults in fresh pages cost more than the receive itself. */
static void copy_local_segment(char *to, const char *from, size_t bytes) {
  const size_t segment = (size_t)1 << 16;
#pragma omp parallel for schedule(static) if (bytes > 16 * segment)
  for (size_t at = 0; at < bytes; at += segment)
    memcpy(to + at, from + at, bytes - at < segment ? bytes - at : segment);
}

static void touch_pages(char *p, size_t bytes) {
  const size_t page = 4096;
#pragma omp parallel for schedule(static) if (bytes > 256 * page)
  for (size_t at = 0; at < bytes; at += page) p[at] = 0;
}

/* An array's segments for the processes of a set, and those received. */
typedef struct {
  const char *send;
  const size_t *bytes, *off;
  char *recv;
  size_t *in, *in_off, total;
  void **owner; /* see grid_array_exchange */
} segments;

/* Exchanges the segments of an array once all sizes are known. every[s * row + r]: bytes that process s sends
 * to process r. */
static GrB_Info exchange_unequal(grid_set set, size_t *every, size_t row, segments *x) {
  const size_t size = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set), local = x->in[me],
               at = x->in_off[me], behind = at + local;
  size_t longest = 0, *send = every + me * row;
  for (size_t k = 0; k < size * size; k++)
    if (k / size != k % size && every[k / size * row + k % size] > longest)
      longest = every[k / size * row + k % size];
  touch_pages(x->recv, at);
  touch_pages(x->recv + behind, x->total - behind);
  copy_local_segment(x->recv + at, x->send + x->off[me], local);
  send[me] = x->in[me] = 0;
  const grid_transport *by = grid_ctx.transport;
  GrB_Info info = by->exchange_long
                      ? by->exchange_long(set, x->send, send, x->off, x->recv, x->in, x->in_off, longest)
                      : by->exchange(set, x->send, send, x->off, x->recv, x->in, x->in_off);
  x->in[me] = local;
  return info;
}

/* Small size tables stand on the caller's stack (`little`), where no allocation can fail and no agreement
 * is needed. */
enum { LITTLE = 1024 };
static GrB_Info allocate_sizes(size_t **w, size_t *little, size_t n) {
  *w = n <= LITTLE ? memset(little, 0, n * sizeof *little) : grid_calloc(n, sizeof **w);
  if (n <= LITTLE) return GrB_SUCCESS;
  return grid_agree(NULL, *w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", n, sizeof **w));
}
static void sizes_free(size_t *w, const size_t *little) {
  if (w != little) grid_free(w);
}

/* ---- short segments, which come with their sizes ---- */

/* Bytes of a process's sizes and segments of an array, and processes of a set, up to which they are one
 * message. */
enum { SHORT_MESSAGE = 1024, SHORT_SET = 16 };

typedef struct {
  size_t n;         /* sizes at the head of a message, for as many segments behind it */
  size_t length;    /* of a process's message */
  bool is_complete; /* all processes had short segments */
  char bytes[SHORT_SET * GRID_EXCHANGED_ARRAYS * SHORT_MESSAGE];
} short_messages;

/* Are those of each array, n sizes and as many segments? */
static bool are_short(size_t arrays, size_t n, const size_t *bytes) {
  bool all = true;
  for (size_t a = 0; a < arrays && all; a++) {
    size_t total = n * sizeof *bytes;
    for (size_t k = 0; k < n && total <= SHORT_MESSAGE; k++) total += bytes[a * n + k];
    all = total <= SHORT_MESSAGE;
  }
  return all;
}

/* Gathers n sizes of each process for each of the arrays, and short segments. Those of x[0] are followed by
 * the other arrays'. every[(s * arrays + a) * n + k]: process s's k-th size of array a. */
static GrB_Info gather_sizes(short_messages *m, grid_set set, const segments *x, size_t arrays, size_t n,
                             size_t *every) {
  const size_t size = (size_t)grid_set_size(set), all = arrays * n, head = all * sizeof *every;
  const size_t *bytes = x->bytes;
  m->n = all, m->length = arrays * SHORT_MESSAGE, m->is_complete = false;
  if (size > SHORT_SET) return grid_ctx.transport->allgather(set, bytes, head, every);
  const bool is_local_short = are_short(arrays, n, bytes);
  char message[GRID_EXCHANGED_ARRAYS * SHORT_MESSAGE] = {0}, *to = message + head;
  memcpy(message, bytes, head);
  for (size_t k = 0; k < (is_local_short ? all : 0); to += bytes[k++])
    if (bytes[k]) memcpy(to, x[k / n].send + x[k / n].off[k % n], bytes[k]);
  const GrB_Info info = grid_ctx.transport->allgather(set, message, m->length, m->bytes);
  m->is_complete = true;
  for (size_t s = 0; s < size; s++) {
    memcpy(every + s * all, m->bytes + s * m->length, head);
    m->is_complete = m->is_complete && are_short(arrays, n, every + s * all);
  }
  return info;
}

/* Process s's k-th segment. */
static void take_segment(char *to, const short_messages *m, size_t s, size_t k) {
  const char *message = m->bytes + s * m->length, *segment = message + m->n * sizeof(size_t);
  size_t bytes;
  for (size_t i = 0;; i++, segment += bytes) {
    memcpy(&bytes, message + i * sizeof bytes, sizeof bytes);
    if (i == k) break;
  }
  memcpy(to, segment, bytes);
}

/* Memory for what a process of the set receives. If it has come already, all of the grid know that it is
 * short. */
static GrB_Info allocate_received(segments *x, size_t arrays, grid_set set, const short_messages *m) {
  const bool known = m->is_complete && grid_set_size(set) == grid_ctx.P;
  GrB_Info info = GrB_SUCCESS;
  grid_short_call_begin(known ? SHORT_SET * SHORT_MESSAGE : UINT64_MAX, 1);
  for (size_t a = 0; a < arrays; a++) {
    x[a].recv = grid_malloc(x[a].total, 1);
    if (!x[a].recv) info = grid_fail_memory(NULL, "received messages", x[a].total, 1);
  }
  return grid_short_call_agree(NULL, info);
}

/* ---- segments of any length ---- */

/* every: see exchange_unequal. */
static void find_offsets(grid_set set, const size_t *every, size_t row, segments *x) {
  const size_t size = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set);
  x->total = 0;
  for (size_t r = 0; r < size; r++) {
    x->in[r] = every[r * row + me];
    x->in_off[r] = x->total;
    x->total += x->in[r];
  }
}

/* Is an array freed once it is sent, before memory for the next one is allocated? */
static bool frees_arrays(const segments *x, size_t arrays) {
  for (size_t a = 0; a < arrays; a++)
    if (x[a].owner) return true;
  return false;
}

static GrB_Info exchange_segments(grid_set set, segments *x, size_t arrays) {
  const size_t size = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set), row = arrays * size;
  size_t little[LITTLE], *every;
  short_messages m;
  GrB_Info info = allocate_sizes(&every, little, size * row);
  TRY(info);
  TRY(gather_sizes(&m, set, x, arrays, size, every));
  for (size_t a = 0; a < arrays; a++) find_offsets(set, every + a * size, row, &x[a]);
  const bool at_once = m.is_complete || !frees_arrays(x, arrays);
  if (at_once) TRY(allocate_received(x, arrays, set, &m));
  for (size_t a = 0; a < arrays; a++) {
    for (size_t r = 0; r < size && m.is_complete; r++)
      take_segment(x[a].recv + x[a].in_off[r], &m, r, a * size + me);
    if (m.is_complete) continue;
    if (!at_once) TRY(allocate_received(&x[a], 1, set, &m));
    TRY(exchange_unequal(set, every + a * size, row, &x[a]));
    if (!x[a].owner) continue;
    grid_free(*x[a].owner);
    *x[a].owner = NULL;
  }
done:
  sizes_free(every, little);
  for (size_t a = 0; a < arrays && info != GrB_SUCCESS; a++) {
    grid_free(x[a].recv);
    x[a].recv = NULL;
  }
  return info;
}

GrB_Info grid_exchange_alloc(grid_set set, const void *sendbuf, const size_t *sendbytes,
                             const size_t *sendoff, void **recvbuf, size_t *recvbytes, size_t *recvoff) {
  segments x = {.send = sendbuf, .bytes = sendbytes, .off = sendoff, .in = recvbytes, .in_off = recvoff};
  const GrB_Info info = exchange_segments(set, &x, 1);
  *recvbuf = x.recv;
  return info;
}

GrB_Info grid_exchange_chunks(grid_set set, uint64_t n, const void *all, size_t size, void *local) {
  const size_t S = (size_t)grid_set_size(set), q = grid_local_padded_size(n) * size;
  size_t little[LITTLE], longest = 0, *bytes;
  GrB_Info info = allocate_sizes(&bytes, little, 4 * S);
  for (size_t s = 0; s < S && info == GrB_SUCCESS; s++) {
    const uint64_t first = grid_member_offset(set, n, (int)s);
    bytes[s] = (grid_member_offset(set, n, (int)s + 1) - first) * size;
    bytes[S + s] = first * size;
    bytes[2 * S + s] = q;
    bytes[3 * S + s] = s * q;
    longest = bytes[s] > longest ? bytes[s] : longest;
  }
  if (info == GrB_SUCCESS)
    info = grid_exchange_known(set, all, bytes, bytes + S, local, bytes + 2 * S, bytes + 3 * S, longest);
  sizes_free(bytes, little);
  return info;
}

/* Sizes and offsets of the segments of several arrays, in bytes; w has 4 P words for each. */
static void measure_arrays(segments *s, const grid_array_exchange *x, size_t arrays, size_t *w) {
  const size_t P = (size_t)grid_ctx.P;
  for (size_t a = 0; a < arrays; a++) {
    size_t *bytes = w + a * P, *off = w + (arrays + a) * P, at = 0;
    for (size_t r = 0; r < P; r++) {
      bytes[r] = x[a].count[r] * x[a].size;
      off[r] = at;
      at += bytes[r];
    }
    s[a] = (segments){.send = x[a].send,
                      .bytes = bytes,
                      .off = off,
                      .in = off + arrays * P,
                      .in_off = off + 2 * arrays * P,
                      .owner = x[a].owner};
  }
}

GrB_Info grid_exchange_arrays(grid_array_exchange *x, size_t arrays) {
  size_t little[LITTLE], *w;
  segments s[GRID_EXCHANGED_ARRAYS] = {{0}};
  GrB_Info info = allocate_sizes(&w, little, 4 * arrays * (size_t)grid_ctx.P);
  if (info == GrB_SUCCESS) {
    measure_arrays(s, x, arrays, w);
    info = exchange_segments(GRID_SET_ALL, s, arrays);
  }
  for (size_t a = 0; a < arrays; a++) {
    x[a].recv = s[a].recv;
    x[a].n = info == GrB_SUCCESS ? s[a].total / x[a].size : 0;
  }
  sizes_free(w, little);
  return info;
}

GrB_Info grid_exchange_elements(const void *send, const uint64_t *count, size_t size, void **recv,
                                uint64_t *n) {
  grid_array_exchange x = {.send = send, .count = count, .size = size};
  const GrB_Info info = grid_exchange_arrays(&x, 1);
  *recv = x.recv;
  if (info == GrB_SUCCESS) *n = x.n;
  return info;
}

/* Sizes and offsets of a gather: those sent, those received. Gathers the sizes, and what is short. */
static GrB_Info plan_gathering(size_t **w, size_t *little, const void *local, size_t bytes, size_t *total,
                               short_messages *m) {
  const size_t P = (size_t)grid_ctx.P;
  GrB_Info info = allocate_sizes(w, little, 4 * P);
  if (info != GrB_SUCCESS) return info;
  size_t *out = *w, *in = out + 2 * P, *in_at = in + P; /* all segments begin at offset 0 */
  *total = 0;
  info = gather_sizes(m, GRID_SET_ALL, &(segments){.send = local, .bytes = &bytes, .off = in_at}, 1, 1, in);
  for (size_t r = 0; r < P && info == GrB_SUCCESS; r++) {
    out[r] = bytes;
    in_at[r] = *total;
    *total += in[r];
  }
  return info;
}

static GrB_Info gather_planned(const size_t *w, const void *local, void *all) {
  const size_t P = (size_t)grid_ctx.P;
  const grid_transport *by = grid_ctx.transport;
  if (by->gather_long && by->gather_long(local, w + 2 * P, w + 3 * P, all)) return GrB_SUCCESS;
  return by->exchange(GRID_SET_ALL, local, w, w + P, all, w + 2 * P, w + 3 * P);
}

static GrB_Info gather(const size_t *w, const void *local, void *all, const short_messages *m) {
  const size_t P = (size_t)grid_ctx.P;
  if (!m->is_complete) return gather_planned(w, local, all);
  for (size_t r = 0; r < P; r++) take_segment((char *)all + w[3 * P + r], m, r, 0);
  return GrB_SUCCESS;
}

GrB_Info grid_gather_elements(const void *local, uint64_t count, size_t size, void **all) {
  size_t little[LITTLE], *w = NULL;
  segments x = {.recv = NULL};
  short_messages m;
  GrB_Info info = plan_gathering(&w, little, local, count * size, &x.total, &m);
  TRY(info);
  TRY(allocate_received(&x, 1, GRID_SET_ALL, &m));
  info = gather(w, local, x.recv, &m);
done:
  sizes_free(w, little);
  if (info != GrB_SUCCESS) {
    grid_free(x.recv);
    x.recv = NULL;
  }
  *all = x.recv;
  return info;
}

GrB_Info grid_gather_into(const void *local, uint64_t count, size_t size, void *all) {
  size_t little[LITTLE], *w = NULL, total;
  short_messages m;
  GrB_Info info = plan_gathering(&w, little, local, count * size, &total, &m);
  if (info == GrB_SUCCESS) info = gather(w, local, all, &m);
  sizes_free(w, little);
  return info;
}

GrB_Info grid_gather_known(const void *local, const uint64_t *count, size_t size, void *all) {
  const size_t P = (size_t)grid_ctx.P, bytes = count[grid_ctx.k] * size;
  size_t little[LITTLE], *w = NULL, at = 0;
  GrB_Info info = allocate_sizes(&w, little, 4 * P);
  for (size_t r = 0; r < P && info == GrB_SUCCESS; r++) {
    w[r] = bytes;
    w[2 * P + r] = count[r] * size;
    w[3 * P + r] = at;
    at += w[2 * P + r];
  }
  if (info == GrB_SUCCESS) info = gather_planned(w, local, all);
  sizes_free(w, little);
  return info;
}

/* ---- chunks of one dimension ---- */

static int chunk_of_member(grid_set set, int s) {
  return set == GRID_SET_ALL ? s : grid_block_chunk(set == GRID_SET_ROW, s);
}

GrB_Info grid_gather_chunks(grid_set set, uint64_t n, const void *local, size_t bits, void *all) {
  const size_t S = (size_t)grid_set_size(set), local_bytes = grid_local_padded_size(n) / 8 * bits;
  if (!grid_partition_of(n)) return grid_ctx.transport->allgather(set, local, local_bytes, all);
  size_t little[LITTLE], *out, at = 0;
  GrB_Info info = allocate_sizes(&out, little, 4 * (size_t)grid_ctx.P);
  TRY(info);
  size_t *out_at = out + S, *in = out_at + S, *in_at = in + S; /* all segments begin at offset 0 */
  for (size_t s = 0; s < S; s++) {
    out[s] = local_bytes;
    in[s] = grid_chunk_padded_size(n, chunk_of_member(set, (int)s)) / 8 * bits;
    in_at[s] = at;
    at += in[s];
  }
  info = grid_ctx.transport->exchange(set, local, out, out_at, all, in, in_at);
done:
  sizes_free(out, little);
  return info;
}
