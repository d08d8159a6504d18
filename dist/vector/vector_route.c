/* Routes entries to the owners of their indices. */
#include <string.h>

#include "dist/vector/vector.h"

void grid_routed_entries_free(grid_routed_entries *e) {
  grid_free(e->idx);
  grid_free(e->val);
  *e = (grid_routed_entries){0};
}

/* A message to an owner: its length in bytes, its number of entries, indices, values. */
enum { HEAD = 2 * sizeof(uint64_t), SHORT_LIST = 256 };
typedef struct {
  uint64_t little[7 * SHORT_LIST], *count, *next; /* per process: number of entries, offset of the next one */
  size_t *bytes, *off;
  char *messages;
  grid_recv_buffer in;
} owner_messages;

/* For few processes the arrays stand in `little`, so that no allocation can fail and no agreement is
 * needed. */
static GrB_Info owner_messages_init(owner_messages *m) {
  const size_t P = (size_t)grid_ctx.P;
  m->count = m->little, m->messages = NULL;
  if (P > SHORT_LIST) {
    m->count = grid_malloc(7 * P, sizeof *m->count);
    GrB_Info info = m->count ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 7 * P, sizeof *m->count);
    if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) {
      grid_free(m->count);
      return info;
    }
  }
  memset(m->count, 0, 7 * P * sizeof *m->count);
  m->next = m->count + P, m->bytes = m->next + P, m->off = m->bytes + P;
  m->in = (grid_recv_buffer){.bytes = m->off + P, .off = m->off + 2 * P, .left = m->off + 3 * P};
  return GrB_SUCCESS;
}

static void owner_messages_free(owner_messages *m) {
  if (m->count != m->little) grid_free(m->count);
  grid_free(m->messages);
  grid_free(m->in.buf);
}

/* Packs entries by owner, stably; indices become local to the owner. */
static GrB_Info pack_entries(owner_messages *m, uint64_t n, const uint64_t *idx, const char *val, size_t step,
                             size_t size, uint64_t dim) {
  const int P = grid_ctx.P;
  size_t all = 0;
  uint64_t local;
  for (uint64_t k = 0; k < n; k++) m->count[grid_chunk_of(dim, idx[k])]++;
  for (int r = 0; r < P; r++) {
    m->off[r] = all;
    if (m->count[r]) m->bytes[r] = HEAD + (m->count[r] * (sizeof local + size) + 7) / 8 * 8;
    all += m->bytes[r];
  }
  m->messages = grid_malloc(all, 1);
  if (!m->messages) {
    memset(m->bytes, 0, (size_t)P * sizeof *m->bytes);
    return grid_fail_memory(NULL, "entries to send", n, sizeof local + size);
  }
  for (int r = 0; r < P; r++) {
    if (!m->count[r]) continue;
    memset(m->messages + m->off[r] + m->bytes[r] - sizeof local, 0, sizeof local); /* padding */
    memcpy(m->messages + m->off[r], (const uint64_t[]){m->bytes[r], m->count[r]}, HEAD);
  }
  for (uint64_t k = 0; k < n; k++) {
    const int r = grid_owner(dim, idx[k], &local);
    char *to = m->messages + m->off[r] + HEAD;
    const uint64_t at = m->next[r]++;
    memcpy(to + at * sizeof local, &local, sizeof local);
    memcpy(to + m->count[r] * sizeof local + at * size, val + k * step * size, size);
  }
  return GrB_SUCCESS;
}

/* Unpacks the received entries, in the order of the senders. */
static GrB_Info unpack_entries(grid_routed_entries *to, const owner_messages *m, size_t size) {
  uint64_t n = 0, count;
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < grid_ctx.P; r++) {
      if (!m->in.bytes[r]) continue;
      const char *from = m->in.buf + m->in.off[r];
      memcpy(&count, from + sizeof count, sizeof count);
      if (pass) memcpy(to->idx + n, from + HEAD, count * sizeof *to->idx);
      if (pass) memcpy((char *)to->val + n * size, from + HEAD + count * sizeof *to->idx, count * size);
      n += count;
    }
    if (pass) break;
    to->idx = grid_malloc(n, sizeof *to->idx);
    to->val = grid_malloc(n, size);
    if (!to->idx || !to->val) return grid_fail_memory(NULL, "entries", n, sizeof *to->idx + size);
    n = 0;
  }
  to->n = n;
  return GrB_SUCCESS;
}

static GrB_Info copy_local_entries(grid_routed_entries *to, uint64_t n, const uint64_t *idx, const char *val,
                                   size_t step, size_t size, GrB_Info info) {
  TRY(info);
  to->idx = grid_malloc(n, sizeof(uint64_t));
  to->val = grid_malloc(n, size);
  if (!to->idx || !to->val) TRY(grid_fail_memory(NULL, "entries", n, sizeof(uint64_t) + size));
  if (n) memcpy(to->idx, idx, n * sizeof *idx);
  for (uint64_t k = 0; k < n; k++) memcpy((char *)to->val + k * size, val + k * step * size, size);
  to->n = n;
done:
  if (info != GrB_SUCCESS) grid_routed_entries_free(to);
  return info;
}

GrB_Info grid_route(grid_routed_entries *to, uint64_t n, const uint64_t *idx, const void *val, size_t step,
                    size_t size, uint64_t dim, GrB_Info info) {
  owner_messages m;
  *to = (grid_routed_entries){0};
  if (grid_ctx.P == 1) return copy_local_entries(to, n, idx, val, step, size, info);
  GrB_Info opened = owner_messages_init(&m);
  if (opened != GrB_SUCCESS) return opened;
  /* a failed process sends nothing */
  if (info == GrB_SUCCESS) info = pack_entries(&m, n, idx, val, step, size, dim);
  GrB_Info sent = grid_ctx.transport->alltoallv_nocounts(GRID_SET_ALL, m.messages, m.bytes, m.off, &m.in);
  if (info == GrB_SUCCESS) info = sent;
  if (info == GrB_SUCCESS) info = unpack_entries(to, &m, size);
  owner_messages_free(&m);
  if (info != GrB_SUCCESS) grid_routed_entries_free(to);
  return info;
}
