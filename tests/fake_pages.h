/* Pages and products of the simulated device (fake_device.h), whose asynchronous copies complete as late as
 * allowed: the backend's `paging`, `products` and `kernels`. Violations are counted as errors of
 * two_backends.h. */
#ifndef GRID_FAKE_PAGES_H
#define GRID_FAKE_PAGES_H
#include "tests/fake_device.h"
#include "spmat/convert/page_code.h"
#include "tests/two_backends.h"

/* ---- copies that complete only when they are waited for ------------------------------------------------ */

static struct {
  struct {
    void *to;
    const void *from;
    uint64_t bytes;
    bool sent, taken;
  } slot[GRID_PAGE_SLOTS];
  const void *registered[16]; /* host memory */
  int attempts;               /* to register some */
  uint64_t issued;
  struct {
    void *to, *from;
    uint64_t bytes;
  } in_flight[8]; /* requested and copied, but not complete yet */
  int copies;
} default_fake_copies GRID_OF_CONTEXT;
#define fake_copies GRID_IN_CONTEXT(default_fake_copies)

static void *fake_lock(uint64_t bytes) {
  return malloc(bytes ? bytes : 1);
}
/* Sometimes the host memory cannot be mapped. */
static bool fake_register_host(const void *p, uint64_t bytes) {
  (void)bytes;
  if (++fake_copies.attempts % 5 == 0) return false;
  int k = 0;
  while (k < 15 && fake_copies.registered[k]) {
    if (fake_copies.registered[k] == p) errors++;
    k++;
  }
  fake_copies.registered[k] = p;
  return true;
}
static void fake_unregister_host(const void *p) {
  int k = 0;
  while (k < 15 && fake_copies.registered[k] != p) k++;
  if (fake_copies.registered[k] != p) errors++;
  fake_copies.registered[k] = NULL;
}
static GrB_Info fake_send(int slot, void *to, const void *from, uint64_t bytes) {
  if (fake_copies.slot[slot].sent || fake_copies.slot[slot].taken)
    errors++; /* the buffer still holds another page */
  fake_copies.slot[slot].to = fake_at(to), fake_copies.slot[slot].from = from,
  fake_copies.slot[slot].bytes = bytes, fake_copies.slot[slot].sent = true;
  memset(fake_at(to), 0x77, bytes);
  return GrB_SUCCESS;
}
static GrB_Info fake_take(int slot) {
  if (!fake_copies.slot[slot].sent) errors++;
  memcpy(fake_copies.slot[slot].to, fake_copies.slot[slot].from, fake_copies.slot[slot].bytes);
  fake_copies.slot[slot].sent = false, fake_copies.slot[slot].taken = true;
  return GrB_SUCCESS;
}
static GrB_Info fake_give(int slot) {
  if (!fake_copies.slot[slot].taken) errors++;
  fake_copies.slot[slot].taken = false;
  memset(fake_copies.slot[slot].to, 0x66, fake_copies.slot[slot].bytes);
  return GrB_SUCCESS;
}
/* Some of the requested pages complete only at the next request. */
static GrB_Info fake_issued(void) {
  fake_copies.issued++;
  return GrB_SUCCESS;
}
static uint64_t fake_count_waiting(void) {
  const uint64_t n = fake_copies.issued;
  fake_copies.issued = 0;
  return n;
}
static GrB_Info fake_wait_pending(uint64_t most) {
  if (fake_copies.issued > most) fake_copies.issued = most;
  return GrB_SUCCESS;
}

static GrB_Info fake_fetch(void *to, const void *from, uint64_t bytes) {
  to = fake_at(to), from = fake_at(from);
  if (fake_copies.copies == 8) errors++, fake_copies.copies = 0;
  fake_copies.in_flight[fake_copies.copies].to = to,
  fake_copies.in_flight[fake_copies.copies].from = malloc(bytes),
  fake_copies.in_flight[fake_copies.copies].bytes = bytes;
  memcpy(fake_copies.in_flight[fake_copies.copies++].from, from, bytes);
  memset(to, 0x55, bytes);
  return GrB_SUCCESS;
}
static GrB_Info fake_fetched(void) {
  while (fake_copies.copies > 0) {
    fake_copies.copies--;
    memcpy(fake_copies.in_flight[fake_copies.copies].to, fake_copies.in_flight[fake_copies.copies].from,
           fake_copies.in_flight[fake_copies.copies].bytes);
    free(fake_copies.in_flight[fake_copies.copies].from);
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_upload(void *to, const void *from, uint64_t bytes) {
  memcpy(fake_at(to), fake_at(from), bytes);
  return GrB_SUCCESS;
}
static GrB_Info fake_drop(void) {
  memset(fake_copies.slot, 0, sizeof fake_copies.slot);
  fake_copies.issued = 0;
  return fake_fetched();
}

/* ---- computation --------------------------------------------------------------------------------------- */

/* The same arrays, at addresses that host code can follow. */
static grid_compressed host_compressed(const grid_compressed *c) {
  grid_compressed m = *c;
  m.ptr = fake_at(c->ptr), m.offsets64 = fake_at(c->offsets64), m.idx = fake_at(c->idx);
  m.val = fake_at(c->val), m.hub_neighbor = fake_at(c->hub_neighbor), m.nonempty = fake_at(c->nonempty);
  return m;
}
static grid_axis host_axis(const grid_axis *a) {
  grid_axis axis = *a;
  axis.ids = fake_at(a->ids);
  return axis;
}
/* `m` and `ids` are host_compressed(job->m) and space for the axis of the index map. */
static grid_job host_job(const grid_job *job, const grid_compressed *m, grid_axis *ids) {
  grid_job J = *job;
  J.m = m, J.a = fake_at(J.a), J.xbits = fake_at(J.xbits), J.xlist = fake_at(J.xlist), J.x = fake_at(J.x);
  J.mask = fake_at(J.mask), J.ybits = fake_at(J.ybits), J.y = fake_at(J.y);
  if (J.index_map.axis) *ids = host_axis(J.index_map.axis), J.index_map.axis = ids;
  J.index_map.table = fake_at(J.index_map.table);
  return J;
}

/* Which vectors of a page have entries; their list is built from it. */
static void check_numbers(const grid_device_page *p) {
  const uint32_t *offset = p->page_rows.ptr,
                 *before = (const uint32_t *)(const void *)(p->bytes + p->at.before),
                 *numbers = (const uint32_t *)(const void *)(p->bytes + p->at.numbers);
  uint32_t n = 0;
  for (uint64_t v = 0; v < p->rows; v++) {
    if (v % 32 == 0 && numbers[v / 32] != n) errors++;
    if (offset[v + 1] == offset[v]) continue;
    if (p->vector) p->vector[n] = (uint32_t)v;
    n++;
  }
  for (uint64_t s = 0; s <= (p->entries + GRID_PAGE_TILE - 1) / GRID_PAGE_TILE; s++) {
    uint32_t begin = 0;
    for (uint64_t v = 0; v < p->rows; v++)
      begin += offset[v + 1] > offset[v] && offset[v] < s * GRID_PAGE_TILE;
    if (before[s] != begin) errors++;
  }
}

static GrB_Info fake_unpack(const grid_device_page *page) {
  const grid_device_page copy = {fake_at(page->bytes),
                                 page->at,
                                 page->rows,
                                 page->entries,
                                 host_compressed(&page->page_rows),
                                 fake_at(page->row_start),
                                 fake_at(page->vector)},
                         *p = &copy;
  const grid_compressed *r = &p->page_rows;
  const uint32_t *start = (const uint32_t *)(const void *)(p->bytes + p->at.balanced_tiles);
  uint32_t *length = malloc((p->rows + 1) * sizeof *length);
  memset(r->nonempty, 0, grid_words(p->rows) * sizeof *r->nonempty);
  for (uint64_t v = 0; v < p->rows; v++) {
    length[v] = r->ptr[v + 1] - r->ptr[v];
    if (length[v]) fake_set_bit(r->nonempty, v);
  }
  check_numbers(p);
  grid_page_rows rows = {.length = length};
  for (uint64_t e = 0, s = 0; e < p->entries; e += rows.n, s++) {
    rows.n = p->entries - e < GRID_PAGE_TILE ? p->entries - e : GRID_PAGE_TILE;
    while (rows.before >= *rows.length) rows.before -= *rows.length++;
    const unsigned char *code = (const unsigned char *)p->bytes + p->at.codes + start[s];
    if (grid_page_columns(code, start[s + 1] - start[s], rows.n) != start[s + 1] - start[s]) errors++;
    if (!grid_page_decode(r->idx + e, code, &rows, UINT32_MAX)) errors++;
    rows.before += rows.n;
  }
  for (uint64_t v = 0; r->hub_neighbor && v < p->rows; v++)
    r->hub_neighbor[v] = length[v] ? r->idx[r->ptr[v]] : 0;
  free(length);
  return GrB_SUCCESS;
}

/* Lengths of the rows of a page with the entries from .. to, the first of which begins a row there. */
static void fake_page_lengths(uint32_t *length, const unsigned char *begins, uint64_t from, uint64_t to) {
  uint64_t rows = 0;
  for (uint64_t e = from; e < to; e++) {
    if (e == from || begins[e]) length[rows++] = 0;
    length[rows - 1]++;
  }
}

static GrB_Info fake_decode(const grid_device_coded_rows *coded) {
  grid_device_coded_rows copy = *coded, *p = &copy;
  const grid_compressed rows = host_compressed(&p->rows), *r = &rows;
  p->codes = fake_at(p->codes), p->page = fake_at(p->page), p->row_start = fake_at(p->row_start);
  p->damaged = fake_at(p->damaged);
  unsigned char *begins = calloc(p->all + 1, 1);
  uint32_t *length = malloc((p->all + 1) * sizeof *length), *idx = malloc((p->all + 1) * sizeof *idx);
  memset(r->nonempty, 0, grid_words(p->n) * sizeof *r->nonempty);
  memset(p->row_start, 0x44, (grid_words(p->all) + 1) * sizeof(uint64_t));
  for (uint64_t v = 0; v < p->n; v++)
    if (r->ptr[v + 1] > r->ptr[v]) begins[p->skip + r->ptr[v]] = 1, fake_set_bit(r->nonempty, v);
  for (uint64_t k = 0; k < p->pages; k++) {
    const uint64_t from = p->page[k].entry, to = p->page[k + 1].entry,
                   bytes = p->page[k + 1].at - p->page[k].at;
    const unsigned char *code = (const unsigned char *)p->codes + p->page[k].at;
    if (p->page[k].at % 8 || grid_page_columns(code, bytes, to - from) != bytes) errors++;
    fake_page_lengths(length, begins, from, to);
    const bool whole = from >= p->skip && to <= p->skip + p->entries;
    if (!grid_page_decode(idx + from, code, &(grid_page_rows){length, 0, to - from}, p->cols) && whole &&
        p->number + k < *p->damaged)
      *p->damaged = p->number + k;
  }
  for (uint64_t e = 0; e < p->entries; e++) r->idx[e] = idx[p->skip + e] < p->cols ? idx[p->skip + e] : 0;
  for (uint64_t v = 0; r->hub_neighbor && v < p->n; v++)
    r->hub_neighbor[v] = r->ptr[v + 1] > r->ptr[v] ? r->idx[r->ptr[v]] : 0;
  free(begins), free(length), free(idx);
  return GrB_SUCCESS;
}

static GrB_Info fake_page_edges(uint32_t *count, const uint64_t *bits, bool complement,
                                const uint64_t *nonempty_count, const uint32_t *bounds, uint64_t n) {
  count = fake_at(count), bits = fake_at(bits), nonempty_count = fake_at(nonempty_count),
  bounds = fake_at(bounds);
  for (uint64_t k = 0; k < n; k++)
    for (uint64_t w = bounds[2 * k]; w < bounds[2 * k] + (uint64_t)bounds[2 * k + 1]; w++)
      count[k] += (uint32_t)__builtin_popcountll((complement ? ~bits[w] : bits[w]) & nonempty_count[w]);
  return GrB_SUCCESS;
}

static const grid_device_paging fake_paging = {.lock = fake_lock,
                                               .unlock = free,
                                               .register_host = fake_register_host,
                                               .unregister_host = fake_unregister_host,
                                               .begin = fake_drop,
                                               .send = fake_send,
                                               .load = fake_take,
                                               .release_slot = fake_give,
                                               .issued = fake_issued,
                                               .count_pending = fake_count_waiting,
                                               .wait_pending = fake_wait_pending,
                                               .fetch = fake_fetch,
                                               .wait_fetch = fake_fetched,
                                               .upload = fake_upload,
                                               .end = fake_drop,
                                               .unpack = fake_unpack,
                                               .decode = fake_decode,
                                               .count_edges = fake_page_edges};

static bool accepts_all_semirings(GrB_Semiring s) {
  (void)s;
  return true;
}
/* Entries in the vectors that x has, by degree or by offsets. */
static uint64_t fake_count_input(const grid_product_count_job *c) {
  const grid_axis axis = host_axis(c->in_axis);
  const uint64_t *x = fake_at(c->x);
  const uint32_t *degree = fake_at(c->degree), *start = degree ? NULL : fake_at(c->by_in->ptr);
  uint64_t sum = 0;
  for (uint64_t k = 0; k < axis.n; k++)
    if (!x || grid_bit(x, degree ? k : grid_axis_id(&axis, k)))
      sum += degree ? degree[k] : start[k + 1] - start[k];
  return sum;
}
/* Outputs that the mask allows, and those of them with entries. */
static void fake_count_mask(grid_product_count_job *c) {
  const grid_axis axis = host_axis(c->out_axis);
  const uint64_t *mask = fake_at(c->mask), *nonempty = fake_at(c->by_out->nonempty);
  for (uint64_t k = 0; k < c->n; k++) c->allowed += grid_bit(mask, k) != c->complement;
  for (uint64_t k = 0; nonempty && k < axis.n; k++)
    c->nonempty_count += grid_bit(nonempty, k) && grid_bit(mask, grid_axis_id(&axis, k)) != c->complement;
}
static GrB_Info fake_count_edges(grid_product_count_job *c, int n) {
  for (; n-- > 0; c++) {
    if (c->count_x) c->edges += fake_count_input(c);
    if (c->count_mask) fake_count_mask(c);
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_begin_count(grid_product_count_job *c) {
  return fake_count_edges(c, 1);
}
static GrB_Info fake_end_count(grid_product_count_job *c) {
  (void)c;
  return GrB_SUCCESS;
}
/* For blocks that are not paged and whose axes are lists. */
static GrB_Info fake_pick(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                          bool complement, const grid_axis *device_axis) {
  const grid_axis host = host_axis(device_axis), *axis = &host;
  to_bits = fake_at(to_bits), to_val = fake_at(to_val), bits = fake_at(bits), val = fake_at(val);
  if (axis->n) memset(to_bits, 0, grid_words(axis->n) * sizeof *to_bits);
  for (uint64_t k = 0; k < axis->n; k++) {
    const uint64_t id = grid_axis_id(axis, k);
    if ((!bits || grid_bit(bits, id)) == complement) continue;
    fake_set_bit(to_bits, k);
    if (to_val) memcpy((char *)to_val + k * size, (const char *)val + id * size, size);
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_spread(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val,
                            size_t size, const grid_axis *device_axis) {
  const grid_axis host = host_axis(device_axis), *axis = &host;
  to_bits = fake_at(to_bits), to_val = fake_at(to_val), bits = fake_at(bits), val = fake_at(val);
  for (uint64_t k = 0; k < axis->n; k++) {
    if (!grid_bit(bits, k)) continue;
    const uint64_t id = grid_axis_id(axis, k);
    fake_set_bit(to_bits, id);
    if (to_val) memcpy((char *)to_val + id * size, (const char *)val + k * size, size);
  }
  return GrB_SUCCESS;
}
static const grid_device_products fake_all_products = {
    accepts_all_semirings, fake_count_edges, fake_begin_count, fake_end_count, fake_pick, fake_spread};

/* The CPU's kernels, which need hub neighbours in a pull and an index list in a push. */
static GrB_Info fake_pull(grid_job *job, bool structural) {
  grid_compressed m = host_compressed(job->m);
  grid_axis ids;
  grid_job J = host_job(job, &m, &ids);
  if (!m.hub_neighbor) m.hub_neighbor = malloc((J.ny + 1) * sizeof *m.hub_neighbor);
  for (uint64_t v = 0; !job->m->hub_neighbor && v < J.ny; v++)
    m.hub_neighbor[v] = m.ptr[v + 1] > m.ptr[v] ? m.idx[m.ptr[v]] : 0;
  GrB_Info info = grid_backend_cpu.kernels(&J, structural)->pull(&J);
  if (!job->m->hub_neighbor) free(m.hub_neighbor);
  job->found = J.found, job->inspected = J.inspected;
  return info;
}
static GrB_Info fake_push(grid_job *job, bool structural) {
  const grid_compressed m = host_compressed(job->m);
  grid_axis ids;
  grid_job J = host_job(job, &m, &ids);
  uint32_t *list = calloc(J.nx + 1, sizeof *list);
  uint64_t n = 0;
  if (J.xbits && J.nx % 64 && J.xbits[J.nx / 64] & ~grid_tail(J.nx, J.nx / 64))
    errors++; /* the device inspects all entries */
  for (uint64_t k = 0; k < J.nx; k++)
    if (!J.xbits || grid_bit(J.xbits, k)) list[n++] = (uint32_t)k;
  J.xbits = NULL, J.xlist = list, J.nx = n;
  J.push_edges = grid_push_edges(J.m, list, n);
  GrB_Info info = n ? grid_backend_cpu.kernels(&J, structural)->push(&J) : GrB_SUCCESS;
  free(list);
  job->found = J.found, job->inspected = J.inspected;
  return info;
}
static GrB_Info pull_bits(grid_job *J) {
  return fake_pull(J, true);
}
static GrB_Info push_bits(grid_job *J) {
  return fake_push(J, true);
}
static GrB_Info pull_values(grid_job *J) {
  return fake_pull(J, false);
}
static GrB_Info push_values(grid_job *J) {
  return fake_push(J, false);
}
static const grid_kernels *fake_kernels(const grid_job *J, bool structural) {
  static const grid_kernels bits = {pull_bits, push_bits}, values = {pull_values, push_values};
  (void)J;
  return structural ? &bits : &values;
}
#endif
