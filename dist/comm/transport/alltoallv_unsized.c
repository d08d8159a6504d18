/* See alltoallv_unsized.h. A segment is sent in fragments. The first 8 bytes of its first fragment are its
 * length; an empty segment is one empty fragment. A receiver without memory discards fragments, so that
 * the senders finish. */
#include "dist/comm/transport/alltoallv_unsized.h"

#include <string.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/waits.h"

enum {
  FRAGMENT = 1 << 15,            /* bytes; MPI sends this many eagerly, without a handshake */
  BATCH = GRID_MPI_MAX_REQUESTS, /* fragments in flight */
  TAG = 12                       /* and TAG + 1: a process may be one alltoallv ahead of another */
};
static const size_t UNSEEN = SIZE_MAX;

typedef struct {
  MPI_Comm comm;
  int rank, size, tag;
  const char *send;
  const size_t *bytes, *off;
  int offset; /* rank distance of the next fragment's receiver */
  size_t at;  /* offset of the fragment in its segment */
  grid_recv_buffer *in;
  int open; /* senders whose segments are incomplete */
  uint64_t used;
  bool out_of_memory; /* some received segment could not be stored */
  MPI_Request request[BATCH];
  int n;
  int rc;
} transfer;

GrB_Info grid_recv_buffer_grow(grid_recv_buffer *in, uint64_t used, uint64_t need) {
  if (in->buf && need <= in->capacity) return GrB_SUCCESS;
  const uint64_t capacity = need + need / 4;
  char *fresh = grid_malloc(capacity, 1);
  if (!fresh) return grid_fail_memory(NULL, "received messages", capacity, 1);
  if (in->buf && used) memcpy(fresh, in->buf, used);
  grid_free(in->buf);
  in->buf = fresh;
  in->capacity = capacity;
  return GrB_SUCCESS;
}

/* Reserves `bytes` bytes for the segment of process r. */
static bool reserve_slot(transfer *m, int r, size_t bytes) {
  m->in->bytes[r] = bytes;
  m->in->off[r] = m->used;
  if (!m->out_of_memory)
    m->out_of_memory = grid_recv_buffer_grow(m->in, m->used, m->used + bytes) != GrB_SUCCESS;
  if (!m->out_of_memory) m->used += (bytes + 7) / 8 * 8;
  return !m->out_of_memory;
}

static void copy_head(const transfer *m, int r, const char *segment, size_t bytes) {
  const size_t head = m->in->head;
  if (m->in->heads) memcpy(m->in->heads + (size_t)r * head, segment, bytes < head ? bytes : head);
}

static void store_error(transfer *m, int rc) {
  if (m->rc == MPI_SUCCESS) m->rc = rc;
}

static bool are_sends_done(const transfer *m) {
  return m->offset == m->size;
}

static void send_partial(transfer *m) {
  while (m->n < BATCH && !are_sends_done(m)) {
    const int to = (m->rank + m->offset) % m->size;
    const size_t rest = m->bytes[to] - m->at, now = rest < FRAGMENT ? rest : FRAGMENT;
    const char *from = now ? m->send + m->off[to] + m->at : NULL;
    store_error(m, MPI_Isend(from, (int)now, MPI_BYTE, to, m->tag, m->comm, &m->request[m->n++]));
    m->at += now;
    if (m->at == m->bytes[to]) m->offset++, m->at = 0;
  }
}

/* Receives the fragment that was probed. */
static void receive_message(transfer *m, MPI_Status *status) {
  _Alignas(8) char passing[FRAGMENT];
  const int from = status->MPI_SOURCE;
  size_t *left = &m->in->left[from];
  const bool first = *left == UNSEEN;
  const int got = status->bytes;
  char *to =
      first || m->out_of_memory ? passing : m->in->buf + m->in->off[from] + (m->in->bytes[from] - *left);
  store_error(m, MPI_Recv(to, got, MPI_BYTE, from, m->tag, m->comm, MPI_STATUS_IGNORE));
  if (first) {
    uint64_t all = 0;
    if (got) memcpy(&all, passing, sizeof all);
    *left = all;
    copy_head(m, from, passing, (size_t)got);
    if (reserve_slot(m, from, all) && got) memcpy(m->in->buf + m->in->off[from], passing, (size_t)got);
  }
  *left -= (size_t)got;
  if (*left == 0) m->open--;
}

/* Removes completed sends from the list. */
static void clear_requests(transfer *m) {
  int rest = 0;
  for (int k = 0; k < m->n; k++) {
    int done;
    store_error(m, MPI_Test(&m->request[k], &done, MPI_STATUS_IGNORE));
    if (!done) m->request[rest++] = m->request[k];
  }
  m->n = rest;
}

/* Receives one fragment if one has arrived; waits for one if all sends are done. */
static void receive(transfer *m) {
  MPI_Status status;
  int arrived = 1;
  if (are_sends_done(m))
    store_error(m, grid_wait_for_message(m->tag, m->comm, &status));
  else
    store_error(m, MPI_Iprobe(MPI_ANY_SOURCE, m->tag, m->comm, &arrived, &status));
  if (arrived && m->rc == MPI_SUCCESS) receive_message(m, &status);
}

static void copy_local_piece(transfer *m) {
  const size_t bytes = m->bytes[m->rank];
  copy_head(m, m->rank, m->send + m->off[m->rank], bytes);
  if (reserve_slot(m, m->rank, bytes) && bytes)
    memcpy(m->in->buf + m->in->off[m->rank], m->send + m->off[m->rank], bytes);
}

GrB_Info grid_alltoallv_nocounts(const void *comm, uint64_t turn, const char *send, const size_t *bytes,
                                 const size_t *off, grid_recv_buffer *in) {
  transfer m = {.comm = *(const MPI_Comm *)comm,
                .tag = TAG + (int)(turn & 1),
                .send = send,
                .bytes = bytes,
                .off = off,
                .offset = 1,
                .in = in};
  MPI_Comm_rank(m.comm, &m.rank);
  MPI_Comm_size(m.comm, &m.size);
  m.open = m.size - 1;
  for (int r = 0; r < m.size; r++) in->left[r] = UNSEEN;
  copy_local_piece(&m);
  while ((m.open > 0 || !are_sends_done(&m)) && m.rc == MPI_SUCCESS) {
    send_partial(&m);
    if (m.open > 0) receive(&m);
    if (!are_sends_done(&m)) clear_requests(&m);
  }
  store_error(&m, grid_wait_for_requests(m.n, m.request));
  if (m.out_of_memory) memset(in->bytes, 0, (size_t)m.size * sizeof *in->bytes);
  if (m.rc != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(m.rc, text, &length);
    return grid_fail(NULL, GrB_PANIC, "an alltoallv failed: %.*s", length, text);
  }
  return m.out_of_memory ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
}
