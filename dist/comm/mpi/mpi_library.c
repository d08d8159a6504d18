/* See mpi_library.h. MPI is opened with global symbols, for the plug-in, which does not name the file of its
 * MPI, and for the parts that MPI loads itself. */
#include "dist/comm/mpi/mpi_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "semiring/semiring.h"
#include "semiring/support/installed_files.h"

#ifndef GRIDBLAS_OPENMPI_LIBRARY /* the file, where the loader does not find it by its name */
#define GRIDBLAS_OPENMPI_LIBRARY NULL
#endif
#ifndef GRIDBLAS_MPICH_LIBRARY
#define GRIDBLAS_MPICH_LIBRARY NULL
#endif

/* Each kind of MPI has one binary interface, and one plug-in. */
enum { NAMES = 4 };
typedef struct {
  const char *name, *plugin;
  const char *configured;      /* the file of the library that CMake found, or NULL */
  const char *library[NAMES];  /* names of its library */
  const char *version[NAMES];  /* MPI_Get_library_version contains one of them */
  const char *launcher[NAMES]; /* variables that a launcher of it sets */
} mpi_kind;
static const mpi_kind kinds[] = {
    {"openmpi",
     "libgridblas-openmpi.so",
     GRIDBLAS_OPENMPI_LIBRARY,
     {"libmpi.so.40"},
     {"Open MPI"},
     {"OMPI_COMM_WORLD_SIZE"}},
    {"mpich",
     "libgridblas-mpich.so",
     GRIDBLAS_MPICH_LIBRARY,
     {"libmpich.so.12", "libmpi.so.12"},
     {"MPICH", "Intel(R) MPI", "MVAPICH"},
     {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const grid_mpi_table *grid_mpi_calls;

/* ---- what the environment and the process say ---- */

/* GRIDBLAS_MPI; NULL where it is not set. */
static const char *setting(void) {
  const char *text = getenv("GRIDBLAS_MPI");
  return text && *text ? text : NULL;
}

static bool is_launcher_of(const mpi_kind *kind) {
  for (int v = 0; v < NAMES && kind->launcher[v]; v++)
    if (getenv(kind->launcher[v])) return true;
  return false;
}

static bool is_launched(void) {
  for (int k = 0; k < KINDS; k++)
    if (is_launcher_of(&kinds[k])) return true;
  return getenv("PMIX_RANK") != NULL; /* of any kind */
}

int grid_mpi_launched(void) {
  static const char *const variable[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (size_t v = 0; v < sizeof variable / sizeof *variable; v++) {
    const char *text = getenv(variable[v]);
    const long n = text ? strtol(text, NULL, 10) : 0;
    if (n > 0 && n <= INT_MAX) return (int)n;
  }
  return 0;
}

/* ---- MPI in this process ---- */

/* Opens MPI of this kind; NULL: there is none. flags: RTLD_NOLOAD, only if it is in this process. */
static void *open_mpi(const mpi_kind *kind, int flags) {
  const int mode = RTLD_NOW | RTLD_GLOBAL | flags;
  void *library = kind->configured ? dlopen(kind->configured, mode) : NULL;
  for (int v = 0; v < NAMES && kind->library[v] && !library; v++) library = dlopen(kind->library[v], mode);
  return library;
}

/* Has the program linked or loaded MPI? Its symbols are then global. */
static bool is_present(void) {
  for (int k = 0; k < KINDS; k++) open_mpi(&kinds[k], RTLD_NOLOAD);
  return dlsym(RTLD_DEFAULT, "MPI_Get_library_version") != NULL;
}

static bool is_initialized(void) {
  int (*initialized)(int *flag), flag = 0;
  *(void **)&initialized = is_present() ? dlsym(RTLD_DEFAULT, "MPI_Initialized") : NULL;
  return initialized && initialized(&flag) == MPI_SUCCESS && flag;
}

/* The kind of an MPI that is open (RTLD_DEFAULT: the program's). NULL: another one, or no MPI. */
static const mpi_kind *kind_of(void *library) {
  int (*get_version)(char *text, int *length), length;
  char text[8192]; /* as long as in MPICH */
  *(void **)&get_version = dlsym(library, "MPI_Get_library_version");
  if (!get_version || get_version(text, &length) != MPI_SUCCESS) return NULL;
  for (int k = 0; k < KINDS; k++)
    for (int v = 0; v < NAMES && kinds[k].version[v]; v++)
      if (strstr(text, kinds[k].version[v])) return &kinds[k];
  return NULL;
}

bool grid_mpi_wanted(void) {
  const char *text = setting();
  return text ? strcmp(text, "none") != 0 : is_launched() || is_initialized();
}

bool grid_mpi_is_finalized(void) {
  int down = 0;
  if (grid_mpi_calls) MPI_Finalized(&down);
  return down;
}

/* ---- the plug-in ---- */

/* Does GRIDBLAS_MPI name the file of this kind's plug-in? */
static bool is_plugin_named(const mpi_kind *kind) {
  const char *text = setting(), *name = text ? strrchr(text, '/') : NULL;
  return name && strcmp(name + 1, kind->plugin) == 0;
}

static bool find_plugin(const mpi_kind *kind, char path[PATH_MAX]) {
  grid_trust trust;
  if (is_plugin_named(kind))
    return snprintf(path, PATH_MAX, "%s", setting()) < PATH_MAX &&
           grid_is_trusted_path(path, GRID_TRUST_ROOT);
  for (size_t k = 0; grid_installed_path(k, kind->plugin, path, PATH_MAX, &trust); k++)
    if (grid_is_trusted_path(path, trust)) return true;
  return false;
}

static GrB_Info open_plugin(const char *path) {
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!plugin) return grid_fail(NULL, GrB_PANIC, "Grid_init: MPI's plug-in cannot be opened: %s", dlerror());
  const grid_mpi_table *table = dlsym(plugin, GRID_MPI_TABLE_SYMBOL);
  if (!table || strcmp(table->version, GRID_MPI_TABLE_VERSION) != 0)
    return grid_fail(NULL, GrB_PANIC, "Grid_init: %s is of another version of the library", path);
  grid_mpi_calls = table;
  return GrB_SUCCESS;
}

/* ---- the choice ---- */

typedef struct {
  char text[1024]; /* what was looked for and why it was not used */
} reasons;

static void add_reason(reasons *r, const mpi_kind *kind, const char *format, const char *what) {
  const size_t n = strlen(r->text);
  const int m = snprintf(r->text + n, sizeof r->text - n, "; %s: ", kind->name);
  if (m > 0 && n + (size_t)m < sizeof r->text)
    snprintf(r->text + n + m, sizeof r->text - n - (size_t)m, format, what);
}

/* After MPI itself was opened no other kind may be: *opened. */
static GrB_Info load_kind(const mpi_kind *kind, reasons *r, bool *opened) {
  char path[PATH_MAX];
  grid_trust trust;
  if (!find_plugin(kind, path)) {
    if (!is_plugin_named(kind)) grid_installed_path(0, kind->plugin, path, sizeof path, &trust);
    add_reason(r, kind,
               "no plug-in %.300s, nor in the other folders of an installation that others cannot write",
               path);
    return GrB_PANIC;
  }
  *opened = is_present() || open_mpi(kind, 0);
  if (*opened) return open_plugin(path);
  add_reason(r, kind, "%s", dlerror());
  return GrB_PANIC;
}

/* The kind that GRIDBLAS_MPI names. */
static GrB_Info read_setting(const char *text, const mpi_kind **kind) {
  void *library = NULL;
  *kind = NULL;
  for (int k = 0; k < KINDS; k++)
    if (strcmp(text, kinds[k].name) == 0 || is_plugin_named(&kinds[k])) *kind = &kinds[k];
  if (!*kind && strchr(text, '/')) library = dlopen(text, RTLD_NOW | RTLD_GLOBAL);
  if (library) *kind = kind_of(library);
  if (*kind) return GrB_SUCCESS;
  return grid_fail(
      NULL, GrB_INVALID_VALUE,
      "Grid_init: GRIDBLAS_MPI is \"%.200s\", not openmpi, mpich, none, or the file of such an MPI "
      "or of a plug-in",
      text);
}

/* The kind that the program or GRIDBLAS_MPI decides; NULL: the launcher. */
static GrB_Info choose_kind(bool given, const mpi_kind **kind) {
  const char *text = setting();
  const bool present = is_present();
  const mpi_kind *linked = *kind = present ? kind_of(RTLD_DEFAULT) : NULL;
  if (present && !linked)
    return grid_fail(NULL, GrB_PANIC, "Grid_init: this program's MPI is neither Open MPI nor like MPICH");
  if (given && (!present || (text && strcmp(text, "none") == 0)))
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: argument comm is given, but %s",
                     present ? "GRIDBLAS_MPI is none" : "this program has no MPI");
  if (!text) return GrB_SUCCESS;
  const GrB_Info info = read_setting(text, kind);
  if (info != GrB_SUCCESS || !linked || linked == *kind) return info;
  return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_MPI is \"%.200s\", but this program uses %s",
                   text, linked->name);
}

GrB_Info grid_mpi_load(bool given) {
  const mpi_kind *kind = NULL;
  reasons r = {""};
  bool opened = false;
  if (grid_mpi_calls) return GrB_SUCCESS;
  GrB_Info info = choose_kind(given, &kind);
  if (info != GrB_SUCCESS) return info;
  info = GrB_PANIC;
  if (kind) info = load_kind(kind, &r, &opened);
  for (int launched = 1; !kind && launched >= 0; launched--)
    for (int k = 0; k < KINDS && info != GrB_SUCCESS && !opened; k++)
      if (is_launcher_of(&kinds[k]) == launched) info = load_kind(&kinds[k], &r, &opened);
  if (info == GrB_SUCCESS || opened) return info;
  return grid_fail(NULL, GrB_PANIC,
                   "Grid_init: no MPI%s. GRIDBLAS_MPI=FILE: a plug-in in another folder; none: each process "
                   "alone",
                   r.text);
}
