/* Random graphs, matrices and vectors for programs that run on two backends (two_backends.h), and the
 * conditions on a parent. */
#ifndef GRID_RANDOM_OBJECTS_H
#define GRID_RANDOM_OBJECTS_H
#include "semiring/support/mem.h"
#include "spmat/device/device.h"
#include "tests/two_backends.h"
#include "tests/c_and_text.h"

enum { LONGEST = 1 << 17, EDGES = 1 << 18, WIDEST = 16 };

/* ---- user-defined types and operators ------------------------------------------------------------------ */

WITH_TEXT(
    three, , typedef struct { int v[3]; } three;)
WITH_TEXT(
    three_plus, static, void three_plus(three *z, const three *x, const three *y) {
      three r;
      for (int k = 0; k < 3; k++) r.v[k] = (int)((unsigned)x->v[k] + (unsigned)y->v[k]);
      *z = r;
    })
WITH_TEXT(
    three_times, static, void three_times(three *z, const three *x, const three *y) {
      three r;
      for (int k = 0; k < 3; k++) r.v[k] = (int)(3u * (unsigned)x->v[k] + (unsigned)y->v[(k + 1) % 3]);
      *z = r;
    })
WITH_TEXT(
    three_twice, static, void three_twice(three *z, const three *x) {
      three r;
      for (int k = 0; k < 3; k++) r.v[k] = (int)(2u * (unsigned)x->v[k]);
      *z = r;
    })
WITH_TEXT(
    three_pick, static, void three_pick(bool *z, const three *x, uint64_t i, uint64_t j, const three *y) {
      *z = x->v[0] > (int)(i % 5) - 2 && j == 0 && y->v[2] > -100;
    })
WITH_TEXT(
    odd_plus, static, void odd_plus(int32_t *z, const int32_t *x, const int32_t *y) {
      *z = (int32_t)((uint32_t)*x + (uint32_t)*y);
    })
WITH_TEXT(
    odd_times, static, void odd_times(int32_t *z, const int32_t *x, const int32_t *y) {
      *z = (int32_t)(3u * (uint32_t)*x - (uint32_t)*y);
    })

typedef void (*unary_f)(void *, const void *);
typedef void (*binary_f)(void *, const void *, const void *);
typedef void (*index_f)(void *, const void *, GrB_Index, GrB_Index, const void *);

/* The same algebra twice: [0] opaque to the device, [1] with source text. */
static struct {
  GrB_Type three;
  GrB_BinaryOp plus, times, odd_plus, odd_times;
  GrB_UnaryOp twice;
  GrB_IndexUnaryOp pick;
  GrB_Monoid monoid, odd_monoid;
  GrB_Semiring semiring, odd_semiring;
} user[2];
static GrB_Monoid band_monoid;
static GrB_Semiring plus_first, plus_second, band_bor;

static void make_user(void) {
  const three zero = {{0, 0, 0}};
#define NEW(...)   assert_int_equal(__VA_ARGS__, GrB_SUCCESS)
#define TEXT(name) #name, k ? name##_text : NULL
  for (int k = 0; k < 2; k++) {
    GrB_Type *t = &user[k].three;
    const GrB_Type i = GrB_INT32;
    NEW(Grid_Type_new(t, sizeof(three), TEXT(three)));
    NEW(Grid_BinaryOp_new(&user[k].plus, (binary_f)three_plus, *t, *t, *t, TEXT(three_plus)));
    NEW(Grid_BinaryOp_new(&user[k].times, (binary_f)three_times, *t, *t, *t, TEXT(three_times)));
    NEW(Grid_BinaryOp_new(&user[k].odd_plus, (binary_f)odd_plus, i, i, i, TEXT(odd_plus)));
    NEW(Grid_BinaryOp_new(&user[k].odd_times, (binary_f)odd_times, i, i, i, TEXT(odd_times)));
    NEW(Grid_UnaryOp_new(&user[k].twice, (unary_f)three_twice, *t, *t, TEXT(three_twice)));
    NEW(Grid_IndexUnaryOp_new(&user[k].pick, (index_f)three_pick, GrB_BOOL, *t, *t, TEXT(three_pick)));
    NEW(GrB_Monoid_new_UDT(&user[k].monoid, user[k].plus, &zero));
    NEW(GrB_Monoid_new_INT32(&user[k].odd_monoid, user[k].odd_plus, 0));
    NEW(GrB_Semiring_new(&user[k].semiring, user[k].monoid, user[k].times));
    NEW(GrB_Semiring_new(&user[k].odd_semiring, user[k].odd_monoid, user[k].odd_times));
  }
  NEW(GrB_Monoid_new_INT32(&band_monoid, GrB_BAND_INT32, -1));
  NEW(GrB_Semiring_new(&plus_first, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64));
  NEW(GrB_Semiring_new(&plus_second, GrB_PLUS_MONOID_INT32, GrB_SECOND_INT32));
  NEW(GrB_Semiring_new(&band_bor, band_monoid, GrB_BOR_INT32));
#undef NEW
#undef TEXT
}

static void free_user(void) {
  for (int k = 0; k < 2; k++) {
    GrB_Semiring_free(&user[k].semiring), GrB_Semiring_free(&user[k].odd_semiring);
    GrB_Monoid_free(&user[k].monoid), GrB_Monoid_free(&user[k].odd_monoid);
    GrB_BinaryOp_free(&user[k].plus), GrB_BinaryOp_free(&user[k].times);
    GrB_BinaryOp_free(&user[k].odd_plus), GrB_BinaryOp_free(&user[k].odd_times);
    GrB_UnaryOp_free(&user[k].twice), GrB_IndexUnaryOp_free(&user[k].pick);
    GrB_Type_free(&user[k].three);
  }
  GrB_Semiring_free(&plus_first), GrB_Semiring_free(&plus_second), GrB_Semiring_free(&band_bor);
  GrB_Monoid_free(&band_monoid);
}

/* ---- values -------------------------------------------------------------------------------------------- */

typedef enum {
  NUMBERS,  /* small integers; of a floating-point type none below 0 */
  REALS,    /* 0.5 to 1.5 where the type can represent it */
  NEGATIVE, /* -1 or below: cannot be mistaken for a parent */
  ALIKE     /* all 1 */
} values;

static void draw_value(char *v, GrB_Type t, values of) {
  const bool real = t == GrB_FP32 || t == GrB_FP64;
  const uint64_t d = draw(1 << 20);
  double x = (double)(int64_t)(d % 9) - (real ? 0 : 3);
  if (of == NEGATIVE) x = -1 - (double)(d % 50);
  if (of == REALS && real) x = 0.5 + (double)d / (1 << 20);
  if (of == ALIKE) x = 1;
  memset(v, 0, WIDEST);
  if (t->code == GRID_T_UDT) {
    const three r = {{(int)x, (int)(d % 100), -(int)(d % 7)}};
    memcpy(v, &r, sizeof r);
  } else {
    grid_cast(t, GrB_FP64)(v, &x, t->size);
  }
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

/* Around words of bits, warps and blocks; rarely long. */
static GrB_Index draw_size(void) {
  static const GrB_Index sizes[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
  const uint64_t d = draw(40);
  if (d < 14) return sizes[d];
  if (d < 30) return 1 + draw(small_sizes ? 300 : 1000);
  if (d < 35) return small_sizes ? 1000 : 1000 + draw(3000);
  if (d < 38 || small_sizes) return small_sizes ? 1025 : 4096;
  return 100003;
}

/* ---- vectors ------------------------------------------------------------------------------------------- */

/* Assigns tuple k to a process (each process passes its own tuples to the Grid_..._build functions). */
static bool is_local_tuple(uint64_t k, bool distributed) {
  return distributed ? (int)(k % (uint64_t)Grid_size()) == Grid_rank() : Grid_rank() == Grid_size() - 1;
}

static int by_number(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y ? 1 : 0;
}

/* Ascending indices below n: none, a few, about half, all, or those at word boundaries. Returns how many. */
static uint64_t draw_indices(GrB_Index *at, GrB_Index n, const char **form) {
  static const char *const names[] = {"empty", "few", "sparse", "half", "full", "ends"};
  const int kind = (int)draw(6);
  uint64_t count = 0;
  *form = names[kind];
  if (n > LONGEST) { /* too long for a scan */
    *form = "few of many";
    for (uint64_t k = draw(60); k-- > 0;) at[count++] = (draw(1 << 30) << 30 | draw(1 << 30)) % n;
    qsort(at, count, sizeof *at, by_number);
    uint64_t kept = 0;
    for (uint64_t k = 0; k < count; k++)
      if (k == 0 || at[k] != at[k - 1]) at[kept++] = at[k];
    return kept;
  }
  static const uint64_t per_1000[] = {0, 4, 40, 500, 1000};
  for (GrB_Index i = 0; i < n; i++)
    if (kind == 5 ? i % 64 == 0 || i % 64 == 63 || i + 1 == n : draw(1000) < per_1000[kind]) at[count++] = i;
  return count;
}

/* A random vector, built by one of several methods; *form names the method for the log. */
static GrB_Vector draw_vector(GrB_Type t, GrB_Index n, values of, const char **form) {
  static GrB_Index at[LONGEST], local[LONGEST];
  static char val[LONGEST * WIDEST];
  const uint64_t count = draw_indices(at, n, form);
  const bool distributed = draw_one_in(2),
             pattern = t->code != GRID_T_UDT && of != NEGATIVE && draw_one_in(4);
  const bool whole = n <= LONGEST && t->code != GRID_T_UDT && draw_one_in(8);
  uint64_t kept = 0;
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, t, n));
  if (whole) { /* every entry the same value */
    *form = "full iso";
    OK(GrB_Vector_assign_INT32(v, NULL, NULL, of == NEGATIVE ? -5 : 1, GrB_ALL, n, NULL));
    return v;
  }
  for (uint64_t k = 0; k < count; k++) {
    char x[WIDEST];
    draw_value(x, t, of);
    if (!is_local_tuple(k, distributed)) continue;
    memcpy(val + kept * t->size, x, t->size);
    local[kept++] = at[k];
  }
  OK(Grid_Vector_build(v, local, pattern ? NULL : val, pattern ? NULL : t, kept, NULL));
  return v;
}

/* in[i] = v has an entry i; v has at most LONGEST indices. On every process. */
static void pattern_of(bool *in, GrB_Vector v) {
  static GrB_Index at[LONGEST];
  GrB_Index n = LONGEST;
  memset(in, 0, LONGEST);
  if (OK(GrB_Vector_extractTuples_INT64(at, NULL, &n, v)) != GrB_SUCCESS) return;
  for (GrB_Index k = 0; k < n; k++) in[at[k]] = true;
}

/* ---- graphs -------------------------------------------------------------------------------------------- */

typedef struct {
  GrB_Index row, col;
} edge;
typedef struct {
  GrB_Index nrows, ncols;
  const char *form;
  bool mirror; /* each edge counts both ways */
  uint64_t n;  /* the edges, ascending, without duplicates, in both directions where mirrored */
  edge at[2 * EDGES];
  uint64_t given; /* as drawn: with duplicates, in one direction */
  edge tuple[EDGES];
} graph;

static int compare_edges(const void *a, const void *b) {
  const edge *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return x->col < y->col ? -1 : x->col > y->col ? 1 : 0;
}

static void give(graph *g, GrB_Index r, GrB_Index c) {
  if (g->given < EDGES && r < g->nrows && c < g->ncols) g->tuple[g->given++] = (edge){r, c};
}

/* The edges of the tuples. */
static void expand_tuples(graph *g) {
  uint64_t n = 0;
  for (uint64_t k = 0; k < g->given; k++) {
    g->at[n++] = g->tuple[k];
    if (g->mirror) g->at[n++] = (edge){g->tuple[k].col, g->tuple[k].row};
  }
  qsort(g->at, n, sizeof *g->at, compare_edges);
  g->n = 0;
  for (uint64_t k = 0; k < n; k++)
    if (k == 0 || compare_edges(&g->at[k], &g->at[k - 1]) != 0) g->at[g->n++] = g->at[k];
}

/* A number below 2^60 from draw's 31 bits. */
static GrB_Index draw_index(GrB_Index n) {
  return (draw(1 << 30) << 30 | draw(1 << 30)) % n;
}

static void draw_graph(graph *g, GrB_Index nrows, GrB_Index ncols) {
  static const char *const names[] = {"empty",  "single", "few",  "sparse", "dense",
                                      "skewed", "hubs",   "path", "mesh",   "two parts"};
  const int kind = nrows > LONGEST || ncols > LONGEST ? 2 : (int)draw(10);
  const GrB_Index shorter = nrows < ncols ? nrows : ncols;
  uint64_t want = 4 * (nrows > ncols ? nrows : ncols);
  g->nrows = nrows, g->ncols = ncols, g->given = 0, g->form = names[kind];
  g->mirror = nrows == ncols && draw_one_in(2);
  if (want > EDGES) want = EDGES;
  if (kind == 1) want = 1;
  if (kind == 2) want = 1 + draw(40);
  if (kind == 4) want = nrows * ncols < 60000 ? nrows * ncols / 4 : 60000;
  for (uint64_t k = 0; k < want && kind > 0 && kind < 6; k++) {
    GrB_Index r = draw_index(nrows), c = draw_index(ncols);
    if (kind == 5) r = draw_index(draw_index(r + 1) + 1), c = draw_index(draw_index(c + 1) + 1);
    give(g, r, c);
  }
  if (kind == 6) { /* a long row, a long column, and some others */
    const GrB_Index r = draw(nrows), c = draw(ncols);
    for (GrB_Index j = 0; j < ncols; j++) give(g, r, j);
    for (GrB_Index i = 0; i < nrows; i++) give(g, i, c);
    for (GrB_Index k = 0; k < shorter; k++) give(g, draw(nrows), draw(ncols));
  }
  if (kind == 7) { /* 0 - 7 - 14 - ..., interrupted at some vertices to bound the levels of a search */
    const GrB_Index step = shorter % 7 ? 7 : 1;
    for (GrB_Index k = 0; k + 1 < shorter; k++)
      if (k % (small_sizes ? 60 : 700) != 1) give(g, k * step % shorter, (k + 1) * step % shorter);
  }
  if (kind == 8) {
    const GrB_Index width = shorter < 2000 ? 1 + draw(40) : 200 + draw(200);
    for (GrB_Index v = 0; v < shorter; v++) {
      if (v % width + 1 < width) give(g, v, v + 1);
      give(g, v, v + width);
    }
  }
  if (kind == 9)
    for (uint64_t k = 0; k < want; k++) {
      const GrB_Index half = shorter / 2, base = half && draw_one_in(2) ? half : 0;
      give(g, base + draw(half + 1), base + draw(half + 1));
    }
  expand_tuples(g);
}

static bool has_edge(const graph *g, GrB_Index r, GrB_Index c) {
  const edge e = {r, c};
  return bsearch(&e, g->at, g->n, sizeof e, compare_edges) != NULL;
}

/* The matrix of a graph. A pattern is built from the tuples as drawn; a valued matrix from the edges, with
 * symmetric values or not. */
static GrB_Matrix matrix_of(const graph *g, GrB_Type t, values of, const char **form) {
  static GrB_Index row[2 * EDGES], col[2 * EDGES];
  static char val[2 * EDGES * WIDEST];
  const bool distributed = draw_one_in(2), pattern = t->code != GRID_T_UDT && draw_one_in(2),
             even = draw_one_in(3);
  const edge *from = pattern ? g->tuple : g->at;
  const uint64_t n = pattern ? g->given : g->n;
  uint64_t kept = 0;
  GrB_Matrix A = NULL;
  *form = pattern ? "pattern" : even ? "even values" : "values";
  OK(GrB_Matrix_new(&A, t, g->nrows, g->ncols));
  for (uint64_t k = 0; k < n; k++) {
    char x[WIDEST];
    const uint64_t before = seed;
    if (even && !pattern) seed = from[k].row + from[k].col; /* (r, c) and (c, r) alike */
    if (!pattern) draw_value(x, t, of);
    if (even && !pattern) seed = before;
    if (!is_local_tuple(k, distributed)) continue;
    if (!pattern) memcpy(val + kept * t->size, x, t->size);
    row[kept] = from[k].row, col[kept++] = from[k].col;
  }
  OK(Grid_Matrix_build(A, row, col, pattern ? NULL : val, pattern ? NULL : t, kept, NULL,
                       pattern && g->mirror ? Grid_MIRROR : 0));
  return A;
}

/* ---- parents ------------------------------------------------------------------------------------------- */

/* The conditions under which x is a parent of i: an edge from x to i (from i to x: backwards). x is in the
 * frontier `from`, and one level below i's. A NULL argument drops its condition. A vertex of level 0 is its
 * own parent. */
typedef struct {
  const graph *g;
  bool backwards;
  const bool *from;
  const int32_t *level; /* -1: none */
} family;

static bool is_parent(const family *f, GrB_Index i, int64_t x) {
  const GrB_Index k = (GrB_Index)x, inner = f->backwards ? f->g->ncols : f->g->nrows;
  if (k >= inner) return false;
  if (f->level && f->level[i] == 0) return k == i;
  if (f->from && !f->from[k]) return false;
  if (f->level && f->level[k] + 1 != f->level[i]) return false;
  return f->backwards ? has_edge(f->g, i, k) : has_edge(f->g, k, i);
}

/* Logs an INT32 or INT64 vector of parents. */
static void record_parents(const char *object, GrB_Vector v, GrB_Type type, const family *f) {
  record *k = record_entries(object, PARENT, v, type);
  char *values64 = calloc(k->n + 1, 8);
  grid_cast_array(values64, GrB_INT64, k->val, type, 1, k->n);
  for (uint64_t e = 0; e < k->n; e++) {
    int64_t x, fits = FITS;
    memcpy(&x, values64 + 8 * e, 8);
    if (x >= 0 && is_parent(f, k->at[e], x)) memcpy(values64 + 8 * e, &fits, 8);
  }
  free(k->val);
  k->val = values64, k->type = GrB_INT64;
}

/* level[i] of every vertex from a vector of levels; -1: none. On every process. */
static void levels_of(int32_t *level, GrB_Index n, GrB_Vector v) {
  static GrB_Index at[LONGEST];
  static int32_t x[LONGEST];
  GrB_Index count = LONGEST;
  for (GrB_Index i = 0; i < n; i++) level[i] = -1;
  if (OK(GrB_Vector_extractTuples_INT32(at, x, &count, v)) != GrB_SUCCESS) return;
  for (GrB_Index k = 0; k < count; k++) level[at[k]] = x[k];
}

/* The true levels of a search along the rows, not deeper than limit (< 0: no limit). */
static void true_levels(int32_t *level, const graph *g, GrB_Index source, int64_t limit) {
  static GrB_Index queue[LONGEST];
  uint64_t head = 0, tail = 0;
  for (GrB_Index i = 0; i < g->nrows; i++) level[i] = -1;
  level[source] = 0, queue[tail++] = source;
  while (head < tail) {
    const GrB_Index v = queue[head++];
    uint64_t low = 0, high = g->n; /* v's first edge */
    if (limit >= 0 && level[v] >= limit) continue;
    while (low < high) {
      const uint64_t mid = (low + high) / 2;
      if (g->at[mid].row < v)
        low = mid + 1;
      else
        high = mid;
    }
    for (; low < g->n && g->at[low].row == v; low++)
      if (level[g->at[low].col] < 0) level[g->at[low].col] = level[v] + 1, queue[tail++] = g->at[low].col;
  }
}

/* Number of operations that fell back to the CPU, other than messages through host memory. */
static int64_t count_fallbacks(void) {
  const char *text;
  uint64_t count, sum = 0;
  for (int k = 0; (text = Grid_fallback(k, &count)); k++)
    if (!strstr(text, "messages")) sum += count;
  return (int64_t)sum;
}

/* ---- calls --------------------------------------------------------------------------------------------- */

#define DESCRIPTOR(NAME, r, s, c, t0, t1) {GrB_DESC_##NAME, #NAME},
/* A random descriptor, or none with a probability of `nones`. */
static GrB_Descriptor draw_descriptor(const char **name, uint64_t nones) {
  const struct {
    GrB_Descriptor d;
    const char *name;
  } all[] = {GRID_DESCRIPTORS(DESCRIPTOR)};
  const uint64_t k = draw(nones + sizeof all / sizeof *all);
  *name = k < nones ? "none" : all[k - nones].name;
  return k < nones ? NULL : all[k - nones].d;
}
#undef DESCRIPTOR

/* 0 .. n-1, a permutation or n draws with repetition. */
static void draw_order(GrB_Index *order, GrB_Index n, bool once) {
  for (GrB_Index k = 0; k < n; k++) order[k] = once ? k : draw(n);
  for (GrB_Index k = n; once && k-- > 1;) {
    const GrB_Index l = draw(k + 1), t = order[k];
    order[k] = order[l], order[l] = t;
  }
}

static const char *accum_name(GrB_BinaryOp accum) {
  return !accum ? "none" : accum->name ? accum->name : "user";
}

/* ---- begin and end ------------------------------------------------------------------------------------- */

/* main's return value if the tests cannot start, or 0. */
static int start_sides(GrB_Mode mode) {
  if (Grid_init(mode, NULL, 0, 0) != GrB_SUCCESS) {
    fprintf(stderr, "%s\n", Grid_last_error());
    return 1;
  }
  if (take_device()) return 0;
  GrB_finalize();
  return 77;
}

/* main's return value after `failed` tests. */
static int end_sides(int failed) {
  print_fallbacks();
  if (GrB_finalize() != GrB_SUCCESS) failed++;
  if (grid_mem_live() != 0 || grid_device_live() != 0) {
    fprintf(stderr, "after GrB_finalize %lld blocks are live, %lld on the device\n",
            (long long)grid_mem_live(), (long long)grid_device_live());
    failed++;
  }
  return failed != 0;
}

static int free_all(void **state) {
  free_user();
  return 0;
}

/* The rest of main after read_settings: after start, runs the tests of the table that are called `only`
 * (NULL: all). */
#define RUN_SIDES(TESTS, START, MODE, ONLY)                                           \
  do {                                                                                \
    cmocka_set_test_filter(replay_round >= 0 ? replay_test : (ONLY));                 \
    const int begun = start_sides(MODE);                                              \
    return begun ? begun : end_sides(cmocka_run_group_tests(TESTS, START, free_all)); \
  } while (0)
#endif
