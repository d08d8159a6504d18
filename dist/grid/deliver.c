/* See deliver.h. A piece goes in fragments; the first 8 bytes of the first one say how long the whole is, and
 * of an empty piece there is one, empty, fragment. Who gets them takes them as they come, and throws them
 * away where there is no memory: others need not know. */
#include "dist/grid/deliver.h"

#include <mpi.h>
#include <string.h>

enum {
  FRAGMENT = 1 << 15, /* bytes: MPI sends so many at once, without asking first */
  BATCH = 64,         /* fragments under way */
  TAG = 12            /* and the next: a process may be one delivery ahead of another */
};
static const size_t UNSEEN = SIZE_MAX;

typedef struct {
  MPI_Comm comm;
  int rank, size, tag;
  const char *send;
  const size_t *bytes, *off;
  int ahead; /* the next fragment goes to the process so many after this one, */
  size_t at; /* from this byte on */
  grid_inbox *in;
  int open; /* senders that have more */
  uint64_t used;
  bool lost; /* no memory for some of it */
  MPI_Request request[BATCH];
  int n;
  int rc;
} mail;

GrB_Info grid_inbox_grow(grid_inbox *in, uint64_t used, uint64_t need) {
  if (in->buf && need <= in->room) return GrB_SUCCESS;
  const uint64_t ask = need + need / 4;
  char *fresh = grid_malloc(ask, 1);
  if (!fresh) return grid_fail_memory(NULL, "received messages", ask, 1);
  if (in->buf && used) memcpy(fresh, in->buf, used);
  grid_free(in->buf);
  in->buf = fresh;
  in->room = ask;
  return GrB_SUCCESS;
}

/* A place for `bytes` bytes from process r. */
static bool make_place(mail *m, int r, size_t bytes) {
  m->in->bytes[r] = bytes;
  m->in->off[r] = m->used;
  if (!m->lost) m->lost = grid_inbox_grow(m->in, m->used, m->used + bytes) != GrB_SUCCESS;
  if (!m->lost) m->used += (bytes + 7) / 8 * 8;
  return !m->lost;
}

static void keep_head(const mail *m, int r, const char *piece, size_t bytes) {
  const size_t head = m->in->head;
  if (m->in->heads) memcpy(m->in->heads + (size_t)r * head, piece, bytes < head ? bytes : head);
}

static void keep_error(mail *m, int rc) {
  if (m->rc == MPI_SUCCESS) m->rc = rc;
}

static bool all_sent(const mail *m) {
  return m->ahead == m->size;
}

static void send_some(mail *m) {
  while (m->n < BATCH && !all_sent(m)) {
    const int to = (m->rank + m->ahead) % m->size;
    const size_t rest = m->bytes[to] - m->at, now = rest < FRAGMENT ? rest : FRAGMENT;
    const char *from = now ? m->send + m->off[to] + m->at : NULL;
    keep_error(m, MPI_Isend(from, (int)now, MPI_BYTE, to, m->tag, m->comm, &m->request[m->n++]));
    m->at += now;
    if (m->at == m->bytes[to]) m->ahead++, m->at = 0;
  }
}

/* A fragment is there. */
static void take(mail *m, MPI_Status *status) {
  static _Alignas(8) char passing[FRAGMENT];
  const int from = status->MPI_SOURCE;
  size_t *left = &m->in->left[from];
  const bool first = *left == UNSEEN;
  int got;
  MPI_Get_count(status, MPI_BYTE, &got);
  char *to = first || m->lost ? passing : m->in->buf + m->in->off[from] + (m->in->bytes[from] - *left);
  keep_error(m, MPI_Recv(to, got, MPI_BYTE, from, m->tag, m->comm, MPI_STATUS_IGNORE));
  if (first) {
    uint64_t all = 0;
    if (got) memcpy(&all, passing, sizeof all);
    *left = all;
    keep_head(m, from, passing, (size_t)got);
    if (make_place(m, from, all) && got) memcpy(m->in->buf + m->in->off[from], passing, (size_t)got);
  }
  *left -= (size_t)got;
  if (*left == 0) m->open--;
}

/* Fragments that have arrived leave the list. */
static void forget_sent(mail *m) {
  int rest = 0;
  for (int k = 0; k < m->n; k++) {
    int done;
    keep_error(m, MPI_Test(&m->request[k], &done, MPI_STATUS_IGNORE));
    if (!done) m->request[rest++] = m->request[k];
  }
  m->n = rest;
}

/* One fragment, if there is one, or if nothing else is left to be done. */
static void receive(mail *m) {
  MPI_Status status;
  int there = 1;
  if (all_sent(m))
    keep_error(m, MPI_Probe(MPI_ANY_SOURCE, m->tag, m->comm, &status));
  else
    keep_error(m, MPI_Iprobe(MPI_ANY_SOURCE, m->tag, m->comm, &there, &status));
  if (there && m->rc == MPI_SUCCESS) take(m, &status);
}

static void copy_own(mail *m) {
  const size_t bytes = m->bytes[m->rank];
  keep_head(m, m->rank, m->send + m->off[m->rank], bytes);
  if (make_place(m, m->rank, bytes) && bytes)
    memcpy(m->in->buf + m->in->off[m->rank], m->send + m->off[m->rank], bytes);
}

GrB_Info grid_deliver(const void *comm, uint64_t turn, const char *send, const size_t *bytes,
                      const size_t *off, grid_inbox *in) {
  mail m = {.comm = *(const MPI_Comm *)comm,
            .tag = TAG + (int)(turn & 1),
            .send = send,
            .bytes = bytes,
            .off = off,
            .ahead = 1,
            .in = in};
  MPI_Comm_rank(m.comm, &m.rank);
  MPI_Comm_size(m.comm, &m.size);
  m.open = m.size - 1;
  for (int r = 0; r < m.size; r++) in->left[r] = UNSEEN;
  copy_own(&m);
  while ((m.open > 0 || !all_sent(&m)) && m.rc == MPI_SUCCESS) {
    send_some(&m);
    if (m.open > 0) receive(&m);
    if (!all_sent(&m)) forget_sent(&m);
  }
  keep_error(&m, MPI_Waitall(m.n, m.request, MPI_STATUSES_IGNORE));
  if (m.lost) memset(in->bytes, 0, (size_t)m.size * sizeof *in->bytes);
  if (m.rc != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(m.rc, text, &length);
    return grid_fail(NULL, GrB_PANIC, "a delivery failed: %.*s", length, text);
  }
  return m.lost ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
}
