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

/* Exchanges the segments once all sizes are known. every[s * size + r]: bytes that process s sends to
 * process r. */
static GrB_Info exchange_unequal(grid_set set, size_t *every, const void *sendbuf, const size_t *sendbytes,
                                 const size_t *sendoff, char *recvbuf, size_t *recvbytes,
                                 const size_t *recvoff, size_t total) {
  const size_t size = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set), mine = recvbytes[me],
               behind = recvoff[me] + mine;
  size_t longest = 0;
  for (size_t k = 0; k < size * size; k++)
    if (k / size != k % size && every[k] > longest) longest = every[k];
  touch_pages(recvbuf, recvoff[me]);
  touch_pages(recvbuf + behind, total - behind);
  copy_local_segment(recvbuf + recvoff[me], (const char *)sendbuf + sendoff[me], mine);
  size_t *send = every; /* reused: the sizes are no longer needed */
  memcpy(send, sendbytes, size * sizeof *send);
  send[me] = recvbytes[me] = 0;
  const grid_transport *by = grid_ctx.transport;
  GrB_Info info = by->exchange_long
                      ? by->exchange_long(set, sendbuf, send, sendoff, recvbuf, recvbytes, recvoff, longest)
                      : by->exchange(set, sendbuf, send, sendoff, recvbuf, recvbytes, recvoff);
  recvbytes[me] = mine;
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

/* Bytes of a process's sizes and segments, and processes of a set, up to which they are one message. */
enum { SHORT_MESSAGE = 1024, SHORT_SET = 16 };

typedef struct {
  size_t n;         /* sizes at the head of a message, for as many segments behind it */
  bool is_complete; /* all processes had short segments */
  char bytes[SHORT_SET * SHORT_MESSAGE];
} short_messages;

static bool is_short(size_t n, const size_t *bytes) {
  size_t total = n * sizeof *bytes;
  for (size_t k = 0; k < n && total <= SHORT_MESSAGE; k++) total += bytes[k];
  return total <= SHORT_MESSAGE;
}

/* Gathers n sizes of each process, and short segments of these. every[s * n + k]: process s's k-th size. */
static GrB_Info gather_sizes(short_messages *m, grid_set set, size_t n, const void *sendbuf,
                             const size_t *sendbytes, const size_t *sendoff, size_t *every) {
  const size_t size = (size_t)grid_set_size(set), head = n * sizeof *every;
  m->n = n, m->is_complete = false;
  if (size > SHORT_SET) return grid_ctx.transport->allgather(set, sendbytes, head, every);
  const bool is_mine_short = is_short(n, sendbytes);
  char mine[SHORT_MESSAGE] = {0}, *to = mine + head;
  memcpy(mine, sendbytes, head);
  for (size_t k = 0; k < (is_mine_short ? n : 0); to += sendbytes[k++])
    if (sendbytes[k]) memcpy(to, (const char *)sendbuf + sendoff[k], sendbytes[k]);
  const GrB_Info info = grid_ctx.transport->allgather(set, mine, SHORT_MESSAGE, m->bytes);
  m->is_complete = true;
  for (size_t s = 0; s < size; s++) {
    memcpy(every + s * n, m->bytes + s * SHORT_MESSAGE, head);
    m->is_complete = m->is_complete && is_short(n, every + s * n);
  }
  return info;
}

/* Process s's k-th segment. */
static void take_segment(char *to, const short_messages *m, size_t s, size_t k) {
  const char *message = m->bytes + s * SHORT_MESSAGE, *segment = message + m->n * sizeof(size_t);
  size_t bytes;
  for (size_t i = 0;; i++, segment += bytes) {
    memcpy(&bytes, message + i * sizeof bytes, sizeof bytes);
    if (i == k) break;
  }
  memcpy(to, segment, bytes);
}

/* Memory for what a process of the set receives. If it has come already, all of the grid know that it is
 * short. */
static GrB_Info allocate_received(void **to, grid_set set, size_t bytes, const short_messages *m) {
  const bool known = m->is_complete && grid_set_size(set) == grid_ctx.P;
  grid_short_call_begin(known ? sizeof m->bytes : UINT64_MAX, 1);
  *to = grid_malloc(bytes, 1);
  return grid_short_call_agree(NULL,
                               *to ? GrB_SUCCESS : grid_fail_memory(NULL, "received messages", bytes, 1));
}

/* ---- segments of any length ---- */

GrB_Info grid_exchange_alloc(grid_set set, const void *sendbuf, const size_t *sendbytes,
                             const size_t *sendoff, void **recvbuf, size_t *recvbytes, size_t *recvoff) {
  size_t size = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set), total = 0, little[LITTLE],
         *every;
  short_messages m;
  *recvbuf = NULL;
  GrB_Info info = allocate_sizes(&every, little, size * size);
  TRY(info);
  TRY(gather_sizes(&m, set, size, sendbuf, sendbytes, sendoff, every));
  for (size_t r = 0; r < size; r++) {
    recvbytes[r] = every[r * size + me];
    recvoff[r] = total;
    total += recvbytes[r];
  }
  TRY(allocate_received(recvbuf, set, total, &m));
  for (size_t r = 0; r < size && m.is_complete; r++) take_segment((char *)*recvbuf + recvoff[r], &m, r, me);
  if (!m.is_complete)
    TRY(exchange_unequal(set, every, sendbuf, sendbytes, sendoff, *recvbuf, recvbytes, recvoff, total));
done:
  sizes_free(every, little);
  if (info != GrB_SUCCESS) {
    grid_free(*recvbuf);
    *recvbuf = NULL;
  }
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

/* Shared by the functions below: converts sizes and offsets from elements to bytes, then exchanges. */
static GrB_Info exchange_all(const void *send, size_t *bytes, size_t size, void **recv, uint64_t *n) {
  size_t P = (size_t)grid_ctx.P, *off = bytes + P, *in = off + P, *inoff = in + P;
  for (size_t r = 0; r < P; r++) {
    bytes[r] *= size;
    off[r] *= size;
  }
  GrB_Info info = grid_exchange_alloc(GRID_SET_ALL, send, bytes, off, recv, in, inoff);
  if (info == GrB_SUCCESS && n) *n = (inoff[P - 1] + in[P - 1]) / size;
  return info;
}

GrB_Info grid_exchange_elements(const void *send, const uint64_t *count, size_t size, void **recv,
                                uint64_t *n) {
  size_t P = (size_t)grid_ctx.P, little[LITTLE], *w, at = 0;
  GrB_Info info = allocate_sizes(&w, little, 4 * P);
  *recv = NULL;
  for (size_t r = 0; r < P && info == GrB_SUCCESS; r++) {
    w[r] = count[r];
    w[P + r] = at;
    at += count[r];
  }
  if (info == GrB_SUCCESS) info = exchange_all(send, w, size, recv, n);
  sizes_free(w, little);
  return info;
}

/* Sizes and offsets of a gather: those sent, those received. Gathers the sizes, and what is short. */
static GrB_Info plan_gathering(size_t **w, size_t *little, const void *mine, size_t bytes, size_t *total,
                               short_messages *m) {
  const size_t P = (size_t)grid_ctx.P;
  GrB_Info info = allocate_sizes(w, little, 4 * P);
  if (info != GrB_SUCCESS) return info;
  size_t *out = *w, *in = out + 2 * P, *in_at = in + P; /* all segments begin at offset 0 */
  *total = 0;
  info = gather_sizes(m, GRID_SET_ALL, 1, mine, &bytes, &(size_t){0}, in);
  for (size_t r = 0; r < P && info == GrB_SUCCESS; r++) {
    out[r] = bytes;
    in_at[r] = *total;
    *total += in[r];
  }
  return info;
}

static GrB_Info gather(const size_t *w, const void *mine, void *all, const short_messages *m) {
  const size_t P = (size_t)grid_ctx.P;
  const grid_transport *by = grid_ctx.transport;
  for (size_t r = 0; r < P && m->is_complete; r++) take_segment((char *)all + w[3 * P + r], m, r, 0);
  if (m->is_complete) return GrB_SUCCESS;
  if (by->gather_long && by->gather_long(mine, w + 2 * P, w + 3 * P, all)) return GrB_SUCCESS;
  return by->exchange(GRID_SET_ALL, mine, w, w + P, all, w + 2 * P, w + 3 * P);
}

GrB_Info grid_gather_elements(const void *mine, uint64_t count, size_t size, void **all) {
  size_t little[LITTLE], *w = NULL, total;
  short_messages m;
  *all = NULL;
  GrB_Info info = plan_gathering(&w, little, mine, count * size, &total, &m);
  TRY(info);
  TRY(allocate_received(all, GRID_SET_ALL, total, &m));
  info = gather(w, mine, *all, &m);
done:
  sizes_free(w, little);
  if (info != GrB_SUCCESS) {
    grid_free(*all);
    *all = NULL;
  }
  return info;
}

GrB_Info grid_gather_into(const void *mine, uint64_t count, size_t size, void *all) {
  size_t little[LITTLE], *w = NULL, total;
  short_messages m;
  GrB_Info info = plan_gathering(&w, little, mine, count * size, &total, &m);
  if (info == GrB_SUCCESS) info = gather(w, mine, all, &m);
  sizes_free(w, little);
  return info;
}

/* ---- chunks of one dimension ---- */

static int chunk_of_member(grid_set set, int s) {
  return set == GRID_SET_ALL ? s : grid_block_chunk(set == GRID_SET_ROW, s);
}

GrB_Info grid_gather_chunks(grid_set set, uint64_t n, const void *local, size_t bits, void *all) {
  const size_t S = (size_t)grid_set_size(set), mine = grid_local_padded_size(n) / 8 * bits;
  if (!grid_partition_of(n)) return grid_ctx.transport->allgather(set, local, mine, all);
  size_t little[LITTLE], *out, at = 0;
  GrB_Info info = allocate_sizes(&out, little, 4 * (size_t)grid_ctx.P);
  TRY(info);
  size_t *out_at = out + S, *in = out_at + S, *in_at = in + S; /* all segments begin at offset 0 */
  for (size_t s = 0; s < S; s++) {
    out[s] = mine;
    in[s] = grid_chunk_padded_size(n, chunk_of_member(set, (int)s)) / 8 * bits;
    in_at[s] = at;
    at += in[s];
  }
  info = grid_ctx.transport->exchange(set, local, out, out_at, all, in, in_at);
done:
  sizes_free(out, little);
  return info;
}
