/* Page files appended to by an operation, of this process, in unlinked files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/outofcore/pages/row_pages.h"
#include "semiring/support/mem.h"

/* Smaller files are read through the page cache, which still holds them. */
enum { MIN_DIRECT = 4 << 20 };

typedef struct {
  const char *name;
  size_t length;
} folder;

/* The folder of a file; "." for a name without one. */
static folder folder_of(const char *path, size_t length) {
  size_t end = length;
  while (end && path[end - 1] != '/') end--;
  if (end == 0) return (folder){".", 1};
  return (folder){path, end > 1 ? end - 1 : 1};
}

/* Folders for temporary page files: those of GRIDBLAS_PAGES_FOLDERS, or those of the files of `origin`.
 * Returns their number. */
static int find_folders(folder to[GRID_STORE_MAX_FILES], const char *origin) {
  const char *name[GRID_STORE_MAX_FILES], *from = getenv("GRIDBLAS_PAGES_FOLDERS");
  size_t length[GRID_STORE_MAX_FILES];
  int n = 0;
  if (from) from += strspn(from, ":");
  if (from && *from) {
    for (; *from && n < GRID_STORE_MAX_FILES; from += strspn(from, ":"), n++) {
      to[n] = (folder){from, strcspn(from, ":")};
      from += to[n].length;
    }
    if (n) return n;
  }
  n = grid_store_names(origin, name, length);
  for (int k = 0; k < n; k++) to[k] = folder_of(name[k], length[k]);
  return n;
}

bool grid_pages_have_folders(void) {
  const char *from = getenv("GRIDBLAS_PAGES_FOLDERS");
  return from && from[strspn(from, ":")];
}

static const char temporary_name[] = "/gridblas-XXXXXX.pages";

static GrB_Info open_unlinked(grid_pages *g, char *name) {
  const int fd = mkostemps(name, sizeof ".pages" - 1, O_CLOEXEC);
  if (fd >= 0) g->store.fd[g->store.n++] = fd;
  if (fd >= 0 && unlink(name) == 0) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write rows that do not fit in memory: %s", name,
                   strerror(errno));
}

/* Creates a file in every folder; the first stripe rotates, so that small files do not all use one disk. */
static GrB_Info make_files(grid_pages *g, const char *origin) {
  static _Atomic unsigned turn;
  folder in[GRID_STORE_MAX_FILES] = {{NULL, 0}};
  const unsigned n = (unsigned)find_folders(in, origin), first = turn++;
  size_t capacity = 1, at = 0;
  GrB_Info info = GrB_SUCCESS;
  for (unsigned k = 0; k < n; k++) capacity += in[k].length + sizeof temporary_name;
  g->path = grid_calloc(capacity, 1);
  if (!g->path) return grid_fail_memory(NULL, "a file's name", capacity, 1);
  for (unsigned k = 0; k < n && info == GrB_SUCCESS; k++) {
    const folder *f = &in[(first + k) % n];
    if (k) g->path[at - 1] = ',';
    snprintf(g->path + at, capacity - at, "%.*s%s", (int)f->length, f->name, temporary_name);
    info = open_unlinked(g, g->path + at);
    at += f->length + sizeof temporary_name;
  }
  return info;
}

GrB_Info grid_pages_new(grid_pages **made, const char *origin, GrB_Type type, uint64_t rows, uint64_t cols) {
  GrB_Info info = GrB_SUCCESS;
  grid_pages *g = *made = grid_calloc(1, sizeof *g);
  if (!g) return grid_fail_memory(NULL, "pages", 1, sizeof *g);
  *g = (grid_pages){.rows = rows, .cols = cols, .type = type, .page_capacity = 16, .lengths = rows};
  g->length = grid_calloc(rows, sizeof *g->length);
  g->page = grid_calloc(g->page_capacity, sizeof *g->page);
  if (!g->length || !g->page) info = grid_fail_memory(NULL, "lengths of rows", rows, sizeof *g->length);
  if (info == GrB_SUCCESS) info = make_files(g, origin);
  if (info == GrB_SUCCESS) return info;
  grid_pages_free(g);
  *made = NULL;
  return info;
}

/* ---- values ---- */

/* The values for pages of these rows: *val, or NULL if all entries have g->one or g->implied; *owned, to be
 * freed, is allocated for it. */
static GrB_Info find_values(grid_pages *g, const grid_local_matrix *p, const void **val, void **owned) {
  const size_t size = g->type->size;
  *owned = NULL;
  *val = p->iso ? NULL : p->by_row.val;
  if (!g->end && p->iso) {
    g->one = grid_malloc(1, size);
    if (!g->one) return grid_fail_memory(NULL, "a value", 1, size);
    memcpy(g->one, p->iso_val, size);
    return GrB_SUCCESS;
  }
  const void *now = g->one ? g->one : g->implied;
  if (p->iso && now && memcmp(now, p->iso_val, size) == 0) return GrB_SUCCESS;
  if (g->one) g->implied = g->one, g->one = NULL; /* the value of the pages so far */
  if (!p->iso) return GrB_SUCCESS;
  char *all = *owned = grid_malloc(p->nvals, size);
  if (!all) return grid_fail_memory(NULL, "values of pages", p->nvals, size);
  for (uint64_t e = 0; e < p->nvals; e++) memcpy(all + e * size, p->iso_val, size);
  *val = all;
  return GrB_SUCCESS;
}

/* ---- pages ---- */

static GrB_Info append_tables(grid_pages *g, const grid_coded_pages *m, uint64_t row) {
  if (g->pages + m->pages + 1 > g->page_capacity) {
    const uint64_t capacity = 2 * (g->pages + m->pages + 1);
    grid_page *longer = grid_realloc(g->page, capacity, sizeof *longer);
    if (!longer) return grid_fail_memory(NULL, "pages", capacity, sizeof *longer);
    g->page = longer;
    g->page_capacity = capacity;
  }
  const uint64_t at = g->page[g->pages].at;
  uint64_t entry = 0;
  for (uint64_t k = 0; k <= m->pages; k++) {
    const grid_page_row *p = &m->page[k];
    while (k < m->pages && entry + g->length[row] <= p->entry) entry += g->length[row++];
    g->page[g->pages + k] = (grid_page){g->end + p->entry, at + p->at, p->checksum, row, p->entry - entry};
  }
  g->pages += m->pages;
  g->end += m->nvals;
  return GrB_SUCCESS;
}

GrB_Info grid_pages_append(grid_pages *g, uint64_t row, const grid_local_matrix *p, uint64_t from,
                           uint64_t end) {
  grid_coded_pages m = {0};
  const void *val;
  void *owned = NULL;
  int error;
  GrB_Info info = GrB_SUCCESS;
  if (p->nvals == 0) return info;
  const grid_compressed *c = &p->by_row;
  for (uint64_t r = from; r < end; r++)
    g->length[row + r - from] = (uint32_t)(grid_vector_start(c, r + 1) - grid_vector_start(c, r));
  TRY(find_values(g, p, &val, &owned));
  TRY(grid_pages_make(&m, g->length + row, end - from, c->idx, val, val ? g->type->size : 0));
  error = grid_store_write(&g->store, m.data, m.data_bytes, g->page[g->pages].at);
  if (error)
    TRY(grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write rows that do not fit in memory: %s", g->path,
                  strerror(error)));
  info = append_tables(g, &m, row);
done:
  grid_coded_pages_free(&m);
  grid_free(owned);
  return info;
}

void grid_pages_complete(grid_pages *g) {
  if (grid_pages_bytes(g) >= MIN_DIRECT) grid_store_use_direct_io(&g->store);
}
