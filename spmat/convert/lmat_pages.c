/* See lmat_pages.h. */
#include "spmat/convert/lmat_pages.h"

#include "spmat/convert/lmat_pages_encode.h"

static GrB_Info send_bounds(grid_host_pages *g) {
  uint32_t *bounds = grid_malloc(2 * g->n, sizeof *bounds);
  if (!bounds) return grid_fail_memory(NULL, "pages", 2 * g->n, sizeof *bounds);
  for (uint64_t k = 0; k < g->n; k++) {
    bounds[2 * k] = (uint32_t)(g->page[k].row / 64);
    bounds[2 * k + 1] = (uint32_t)grid_words(g->page[k].rows);
  }
  GrB_Info info = grid_device_send(&g->bounds, bounds, 2 * g->n, sizeof *bounds, "pages");
  grid_free(bounds);
  return info;
}

/* ---- the list of all pages of a context ---------------------------------------------------------------- */

static grid_host_pages *default_page_list GRID_OF_CONTEXT;
#define page_list GRID_IN_CONTEXT(default_page_list)

/* The initial limit of cached bytes. */
static uint64_t max_cached(void) {
  return grid_device_get_limit() ? UINT64_MAX : grid_device_free_bytes() / 2;
}

void grid_host_pages_retry(void) {
  for (grid_host_pages *g = page_list; g; g = g->next)
    g->cache_limit = max_cached(), g->in_place.evicted = false;
}

GrB_Info grid_host_pages_make(grid_host_pages **made, const grid_compressed *m, uint64_t vectors,
                              uint64_t entries, size_t value, uint64_t page_entries) {
  grid_host_pages *g = grid_calloc(1, sizeof *g);
  GrB_Info info = GrB_SUCCESS;
  if (!g) return grid_fail_memory(NULL, "pages", 1, sizeof *g);
  g->entries = entries, g->vectors = vectors, g->value = value;
  g->in_place.beyond_first_share = 0.25;
  TRY(grid_host_pages_slice(g, m, page_entries));
  TRY(grid_host_pages_encode(g, m, false));
  grid_host_pages_layout(g);
  g->bytes = grid_cuda->paging->lock(g->page[g->n].at);
  if (!g->bytes) TRY(grid_fail_memory(NULL, "pages that the device fetches", g->page[g->n].at, 1));
  TRY(grid_host_pages_encode(g, m, true));
  TRY(send_bounds(g));
  g->busy = g->n;
  g->cache_limit = max_cached();
  g->next = page_list;
  if (page_list) page_list->before = g;
  page_list = g;
  grid_device_set_reclaim(grid_host_pages_evict);
  *made = g;
  return info;
done:
  grid_host_pages_free(g);
  return info;
}

/* Frees what reading in place uses on the device. */
static void leave_in_place(grid_host_pages *g) {
  grid_compressed *m = &g->in_place.m;
  grid_device_free(m->ptr);
  grid_device_free(m->hub_neighbor);
  grid_device_free(m->nonempty);
  *m = (grid_compressed){0};
}

static void unregister_host(grid_host_pages *g) {
  for (int k = 0; k < 2; k++)
    if (g->in_place.registered[k]) grid_cuda->paging->unregister_host(g->in_place.registered[k]);
}

void grid_host_pages_free(grid_host_pages *g) {
  if (!g) return;
  leave_in_place(g);
  unregister_host(g);
  for (uint64_t k = 0; k < g->n && g->cached; k++) grid_device_free(g->page[k].cached);
  grid_device_free(g->bounds);
  if (g->bytes) grid_cuda->paging->unlock(g->bytes);
  if (g->with_cpu.buffer) grid_cuda->paging->unlock(g->with_cpu.buffer);
  if (g == page_list) page_list = g->next;
  if (g->next) g->next->before = g->before;
  if (g->before) g->before->next = g->next;
  grid_free(g->page);
  grid_free(g);
}

/* ---- the device cache ---------------------------------------------------------------------------------- */

static void release_page(grid_host_pages *g, uint64_t k) {
  grid_device_free(g->page[k].cached);
  g->page[k].cached = NULL;
  g->cached -= grid_host_page_bytes(g, k);
}

/* The cached page with the fewest uses, or n. */
static uint64_t find_least_used(const grid_host_pages *g) {
  uint64_t least = g->n;
  for (uint64_t k = 0; k < g->n; k++)
    if (g->page[k].cached && !g->page[k].wanted && k != g->busy &&
        (least == g->n || g->page[k].uses < g->page[least].uses))
      least = k;
  return least;
}

GrB_Info grid_host_pages_cache(grid_host_pages *g, uint64_t k, const void *from) {
  const uint64_t bytes = grid_host_page_bytes(g, k);
  grid_host_page *p = &g->page[k];
  const bool fits =
      g->cached + bytes <= g->cache_limit &&
      (!grid_device_get_limit() || grid_device_bytes_in_use() + 2 * bytes <= grid_device_get_limit());
  if (!fits) {
    const uint64_t other = find_least_used(g);
    if (other == g->n || g->page[other].uses + 1 >= p->uses || grid_host_page_bytes(g, other) < bytes)
      return GrB_SUCCESS;
    release_page(g, other);
  }
  p->cached = grid_device_malloc(bytes, 1);
  if (!p->cached) return GrB_SUCCESS; /* it is sent again when it is needed */
  g->cached += bytes;
  return grid_device_copy(p->cached, from, bytes);
}

/* Registers columns and values once; false: impossible. */
static bool register_all(grid_host_pages *g, const grid_compressed *m) {
  const void *const what[2] = {m->idx, g->value ? m->val : NULL};
  const uint64_t bytes[2] = {g->entries * sizeof *m->idx, g->entries * g->value};
  for (int k = 0; k < 2; k++) {
    if (!what[k] || g->in_place.registered[k] == what[k]) continue;
    if (g->in_place.registered[k] || !grid_cuda->paging->register_host(what[k], bytes[k])) return false;
    g->in_place.registered[k] = what[k];
  }
  return true;
}

/* Copies the offsets to the device. */
static GrB_Info send_offsets(grid_compressed *to, const grid_compressed *m, uint64_t n, bool hub_neighbors) {
  static const char what[] = "where rows begin";
  GrB_Info info = GrB_SUCCESS;
  to->idx = m->idx, to->val = m->val;
  if (!to->ptr) TRY(grid_device_send(&to->ptr, m->ptr, n + 1, sizeof *m->ptr, what));
  if (!hub_neighbors || to->hub_neighbor) return info;
  TRY(grid_device_send(&to->hub_neighbor, m->hub_neighbor, n, sizeof *m->hub_neighbor, what));
  TRY(grid_device_send(&to->nonempty, m->nonempty, grid_words(n), sizeof *m->nonempty, what));
done:
  return info;
}

static void release_in_place(grid_host_pages *g) {
  leave_in_place(g);
  g->in_place.evicted = true, g->in_place.missed = 0;
}

GrB_Info grid_host_pages_register(grid_host_pages *g, const grid_compressed *m, bool hub_neighbors,
                                  uint64_t saves) {
  grid_compressed *to = &g->in_place.m;
  const uint64_t n = g->vectors, wanted = (n + 1) * sizeof *to->ptr +
                                          (hub_neighbors ? n * sizeof *to->hub_neighbor + n / 8 : 0);
  GrB_Info info = GrB_SUCCESS;
  if (g->in_place.hidden || (to->ptr && (to->hub_neighbor || !hub_neighbors))) return info;
  g->in_place.missed += saves;
  if (g->in_place.evicted && g->in_place.missed < 2 * wanted) return info;
  /* half of what is free or cached, since cached pages can be sent again */
  const bool fits = !m->offsets64 && (!hub_neighbors || m->hub_neighbor) &&
                    wanted <= (grid_device_free_bytes() + g->cached) / 2;
  if (fits) g->in_place.hidden = !register_all(g, m);
  if (fits && !g->in_place.hidden) info = send_offsets(to, m, n, hub_neighbors);
  if (fits && info == GrB_SUCCESS && to->ptr) return info;
  release_in_place(g);
  return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
}

void grid_host_pages_evict(uint64_t bytes) {
  uint64_t freed = 0;
  for (grid_host_pages *g = page_list; g && freed < bytes; g = g->next) {
    const uint64_t before = g->cached;
    for (uint64_t k; freed < bytes && (k = find_least_used(g)) < g->n;) {
      freed += grid_host_page_bytes(g, k);
      release_page(g, k);
    }
    if (g->cached < before) g->cache_limit = g->cached; /* others need the rest, and will again */
    if (freed >= bytes || g->busy < g->n || !g->in_place.m.ptr) continue;
    const uint64_t held = grid_device_bytes_in_use();
    release_in_place(g);
    freed += held - grid_device_bytes_in_use();
  }
}
