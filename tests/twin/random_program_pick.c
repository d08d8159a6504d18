/* The variables of a random program, and the arguments of a statement: valid ones, or one that is wrong on
 * purpose. */
#include "tests/twin/random_program.h"

/* ---- the pool ------------------------------------------------------------------------------------------ */

enum {
  MATRICES = 6,
  VECTORS = 5,
  SCALARS = 2,
  POOL = MATRICES + VECTORS + SCALARS,
  TEMPORARIES = 16,
  HOT = 10
};
static thing pool[POOL], temp[TEMPORARIES];
static int temps;
static GrB_Index dim[3];
static uint64_t hot_seed;
static int user; /* the program's user-defined type, or -1 */
static thing nothing = {.name = "NULL"};

static GrB_Index limit(const char *name, GrB_Index n) {
  const char *most = getenv(name);
  return most && strtoull(most, NULL, 10) < n ? strtoull(most, NULL, 10) : n;
}

/* The dimensions of a program: of any size; all from 2^48 to 2^60; some of them 0. */
static enum { ANY_SIZE, HUGE_SIZE, WITH_ZERO } sizes;

static GrB_Index random_dim(void) {
  GrB_Index n;
  if (sizes == WITH_ZERO && chance(50)) return 0;
  switch (sizes == HUGE_SIZE ? 10 : below(10)) {
    case 10: /* a power of 2, less 1, or any number */
      n = UINT64_C(1) << (48 + below(13));
      n = limit("TWIN_SIZE", chance(40) ? n - below(2) : n - below(n / 2));
      return n ? n : 1;
    case 0:
    case 1:
    case 2:
      n = 1 + below(12);
      break;
    case 3:
    case 4:
      n = 64 * (1 + below(9)) + below(3) - 1;
      break;
    case 5:
      n = (UINT64_C(1) << (20 + below(41))) - below(2);
      break;
    default:
      n = 1 + below(600);
  }
  n = limit("TWIN_SIZE", n);
  return n ? n : 1;
}

bool is_real(int t) {
  return t == T_FP32 || t == T_FP64;
}

int bits_of(const thing *x) {
  if (x->t == T_BOOL) return 1;
  if (x->t == T_INT8 || x->t == T_UINT8) return 8;
  return is_real(x->t) ? x->bits : LONG_VALUES;
}

static int pool_type(int base) {
  if (user >= 0) return chance(50) ? user : castable_type(T_INT32);
  return castable_type(base);
}

static void new_thing(thing *x) {
  if (!live()) return;
  if (x->kind == MATRIX) {
    log_text("GrB_Matrix_new(&%s, %s, %" PRIu64 ", %" PRIu64 ")", x->name, twin_type_name[x->t], x->nrows,
             x->ncols);
    RUN("GrB_Matrix_new", GrB_Matrix_new(&x->a, twin_type[x->t], x->nrows, x->ncols));
    twin_tune(x->a, x->nrows == x->ncols);
  } else if (x->kind == VECTOR) {
    log_text("GrB_Vector_new(&%s, %s, %" PRIu64 ")", x->name, twin_type_name[x->t], x->nrows);
    RUN("GrB_Vector_new", GrB_Vector_new(&x->v, twin_type[x->t], x->nrows));
    twin_tune_vector(x->v, x->nrows);
  } else {
    log_text("GrB_Scalar_new(&%s, %s)", x->name, twin_type_name[x->t]);
    RUN("GrB_Scalar_new", GrB_Scalar_new(&x->s, twin_type[x->t]));
  }
}

static void free_thing(thing *x) {
  if (x->a) GrB_Matrix_free(&x->a);
  if (x->v) GrB_Vector_free(&x->v);
  if (x->s) GrB_Scalar_free(&x->s);
}

static void define(thing *x, sort k, int number, char letter, int t, GrB_Index nrows, GrB_Index ncols) {
  *x = (thing){.kind = k, .t = t, .nrows = nrows, .ncols = ncols, .empty = true};
  snprintf(x->name, sizeof x->name, "%c%d", letter, number);
}

void pool_start(void) {
  const char *huge = getenv("TWIN_HUGE"); /* percent of the programs */
  sizes = chance(huge ? atoi(huge) : 10) ? HUGE_SIZE : chance(6) ? WITH_ZERO : ANY_SIZE;
  for (int k = 0; k < 3; k++) dim[k] = random_dim();
  if (chance(50)) dim[2] = dim[0]; /* so that more operands match */
  hot_seed = rnd();
  user = chance(30) ? T_PAIR + (int)below(NTYPES - T_PAIR) : -1;
  int base = (int)below(NPREDEFINED);
  for (int k = 0; k < MATRICES; k++) {
    GrB_Index nrows = k == 2   ? dim[1]
                      : k == 4 ? dim[2]
                               : dim[0],
              ncols = k == 3   ? dim[1]
                      : k == 4 ? dim[1]
                               : dim[0];
    define(&pool[k], MATRIX, k, 'A', pool_type(base), nrows, ncols);
  }
  for (int k = 0; k < VECTORS; k++)
    define(&pool[MATRICES + k], VECTOR, k, 'v', pool_type(base), dim[k % 3], 1);
  for (int k = 0; k < SCALARS; k++)
    define(&pool[MATRICES + VECTORS + k], SCALAR, k, 's', pool_type(base), 1, 1);
  for (int k = 0; k < POOL; k++) {
    new_thing(&pool[k]);
    flavour f = chance(60) ? EXACT : RICH;
    bool filled = chance(85);
    number_statement(100 + (uint64_t)k);
    if (filled) fill(&pool[k], f);
    drop(false);
  }
}

void pool_show(void) {
  for (int k = 0; k < POOL; k++) show(&pool[k]);
}

void pool_stop(void) {
  for (int k = 0; k < POOL; k++) free_thing(&pool[k]);
}

thing *pick(sort k) {
  int first = k == MATRIX ? 0 : k == VECTOR ? MATRICES : MATRICES + VECTORS;
  return &pool[first + (int)below(k == MATRIX ? MATRICES : k == VECTOR ? VECTORS : SCALARS)];
}

GrB_Index pick_dim(void) {
  return dim[below(3)];
}

GrB_Index random_index(GrB_Index n) {
  if (n == 0) return 0; /* out of bounds */
  if (chance(25)) return below(n);
  uint64_t k = below(HOT + 2);
  if (k == HOT) return 0;
  if (k > HOT) return n - 1;
  uint64_t z = hot_seed + k * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (z ^ z >> 31) % n;
}

/* ---- contents ------------------------------------------------------------------------------------------ */

typedef struct {
  GrB_Index i, j;
} spot;
static int by_spot(const void *a, const void *b) {
  const spot *p = a, *q = b;
  if (p->i != q->i) return p->i < q->i ? -1 : 1;
  return p->j < q->j ? -1 : p->j > q->j;
}

/* Distinct positions, ascending: none, few, many or (of a small variable) all. */
static spot *random_spots(const thing *x, GrB_Index *count) {
  static const int most[] = {0, 4, 12, 40, 120, 250};
  int most_now = most[below(6)];
  bool all = x->nrows <= 40 && x->ncols <= 40 && x->nrows * x->ncols <= 250 && chance(25);
  GrB_Index want = all ? x->nrows * x->ncols : (GrB_Index)below((uint64_t)most_now + 1), n = 0;
  if (x->nrows == 0 || x->ncols == 0) want = 0;
  spot *at = malloc((want + 1) * sizeof *at);
  for (GrB_Index k = 0; k < want; k++)
    at[k] = all ? (spot){k / x->ncols, k % x->ncols} : (spot){random_index(x->nrows), random_index(x->ncols)};
  want = limit("TWIN_ENTRIES", want);
  qsort(at, want, sizeof *at, by_spot);
  for (GrB_Index k = 0; k < want; k++)
    if (k == 0 || by_spot(&at[k], &at[k - 1])) at[n++] = at[k];
  *count = n;
  return at;
}

static void log_value(int t, const value *x) {
  log_text("%s", value_text(t, x));
}

static void log_indices(const spot *at, GrB_Index n, bool rows) {
  for (GrB_Index k = 0; k < n; k++) log_text("%s%" PRIu64, k ? "," : "{", rows ? at[k].i : at[k].j);
  log_text("%s", n ? "}" : "{}");
}

static void set_elements(thing *x, const spot *at, const value *v, GrB_Index n) {
  for (GrB_Index k = n; k-- > 0;) {
    log_text("GrB_%s_setElement(%s, ", x->kind == MATRIX ? "Matrix" : "Vector", x->name);
    log_value(x->t, &v[k]);
    if (x->kind == MATRIX) {
      log_text(", %" PRIu64 ", %" PRIu64 ")", at[k].i, at[k].j);
      RUN("GrB_Matrix_setElement", matrix_set(x->a, x->t, &v[k], at[k].i, at[k].j));
    } else {
      log_text(", %" PRIu64 ")", at[k].i);
      RUN("GrB_Vector_setElement", vector_set(x->v, x->t, &v[k], at[k].i));
    }
  }
}

static void build_all(thing *x, const spot *at, const value *v, GrB_Index n) {
  GrB_Index *i = malloc((n + 1) * sizeof *i), *j = malloc((n + 1) * sizeof *j);
  for (GrB_Index k = 0; k < n; k++) i[k] = at[k].i, j[k] = at[k].j;
  void *packed = pack_values(x->t, v, n);
  log_text("GrB_%s_build(%s, ", x->kind == MATRIX ? "Matrix" : "Vector", x->name);
  log_indices(at, n, true);
  if (x->kind == MATRIX) log_text(", "), log_indices(at, n, false);
  for (GrB_Index k = 0; k < n; k++) log_text("%s", k ? "; " : ", {"), log_value(x->t, &v[k]);
  log_text("%s, %" PRIu64 ", NULL)", n ? "}" : ", {}", n);
  if (x->kind == MATRIX)
    RUN("GrB_Matrix_build", matrix_build(x->a, x->t, i, j, packed, n, NULL));
  else
    RUN("GrB_Vector_build", vector_build(x->v, x->t, i, packed, n, NULL));
  free(i), free(j), free(packed);
}

static void fill_scalar(thing *x, flavour f) {
  value v = random_value(x->t, f);
  x->empty = false;
  log_text("GrB_Scalar_setElement(%s, ", x->name);
  log_value(x->t, &v);
  log_text(")");
  RUN("GrB_Scalar_setElement", scalar_set(x->s, x->t, &v));
}

/* x is empty. */
void fill(thing *x, flavour f) {
  x->bits = f == EXACT ? 4 : LONG_VALUES;
  x->unsure = false;
  if (x->kind == SCALAR) {
    fill_scalar(x, f);
    return;
  }
  GrB_Index n;
  spot *at = random_spots(x, &n);
  value *v = malloc((n + 1) * sizeof *v);
  bool same = chance(25), one_by_one = n <= 8 && chance(30);
  for (GrB_Index k = 0; k < n; k++) v[k] = same && k ? v[0] : random_value(x->t, f);
  if (live()) (one_by_one ? set_elements : build_all)(x, at, v, n);
  free(at);
  free(v);
}

/* ---- one wrong argument -------------------------------------------------------------------------------- */

static enum { RIGHT, MISSING, SHAPE, DOMAIN } spoil;
static uint64_t spoil_at, argument;

void statement_start(void) {
  temps = 0;
  argument = 0;
  spoil = chance(8) ? 1 + below(3) : RIGHT;
  spoil_at = below(5);
}
void statement_stop(void) {
  for (int k = 0; k < temps; k++) free_thing(&temp[k]);
}
bool spoilt(void) {
  return spoil != RIGHT;
}
static bool spoil_now(int what) {
  return (int)spoil == what && argument == spoil_at;
}
void restrict_domains(const char *op) {
  if (spoil == DOMAIN && (!strncmp(op, "FIRST", 5) || !strncmp(op, "SECOND", 6) || !strncmp(op, "ONEB", 4)))
    spoil = RIGHT;
}
bool spoil_operator(void) {
  bool now = spoil_now(MISSING);
  argument++;
  return now;
}

/* ---- arguments ----------------------------------------------------------------------------------------- */

bool casts(int from, int to) {
  return to == ANY_TYPE || from == to || (from < NPREDEFINED && to < NPREDEFINED);
}

int cast_type(int t) {
  return t == ANY_TYPE ? (chance(70) || user < 0 ? (int)below(NPREDEFINED) : user) : castable_type(t);
}

thing *temporary(sort k, int t, GrB_Index nrows, GrB_Index ncols) {
  if (temps == TEMPORARIES) abort(); /* a statement that needs more is wrong */
  thing *x = &temp[temps];
  define(x, k, temps++, k == MATRIX ? 'T' : k == VECTOR ? 't' : 'c', t, nrows, ncols);
  new_thing(x);
  return x;
}

thing *exact_for(sort k, int t, GrB_Index nrows, GrB_Index ncols) {
  static const int exact[] = {T_FP32, T_FP64, T_BOOL, T_INT8, T_UINT8};
  thing *x = temporary(k, is_real(t) ? exact[below(5)] : t, nrows, ncols);
  fill(x, EXACT);
  return x;
}

static thing *input(sort k, int t, GrB_Index nrows, GrB_Index ncols) {
  if (spoil_now(MISSING)) return argument++, &nothing;
  bool wrong = spoil_now(DOMAIN) && t != ANY_TYPE;
  if (spoil_now(SHAPE) && k != SCALAR) {
    GrB_Index *n = k == MATRIX && chance(50) ? &ncols : &nrows;
    *n = *n < 500 ? *n + 1 + below(3) : *n - 1;
  }
  argument++;
  if (!wrong && chance(85)) {
    int first = (int)below(POOL);
    for (int m = 0; m < POOL; m++) {
      thing *x = &pool[(first + m) % POOL];
      if (x->kind == k && x->nrows == nrows && x->ncols == ncols && casts(x->t, t) &&
          !(k == SCALAR && x->empty))
        return x;
    }
  }
  thing *x = temporary(k, wrong ? (t < NPREDEFINED ? T_PAIR : T_INT32) : cast_type(t), nrows, ncols);
  fill(x, chance(60) ? EXACT : RICH);
  return x;
}

thing *matrix_for(int t, GrB_Index nrows, GrB_Index ncols) {
  return input(MATRIX, t, nrows, ncols);
}
thing *vector_for(int t, GrB_Index n) {
  return input(VECTOR, t, n, 1);
}
thing *scalar_for(int t) {
  return input(SCALAR, t, 1, 1);
}

bound_scalar bound_scalar_for(int t, bool by_scalar, flavour f) {
  bound_scalar g = {.s = by_scalar ? scalar_for(t) : NULL};
  g.t = castable_type(t);
  g.x = random_value(g.t, f);
  return g;
}

void print_bound_scalar(const bound_scalar *g) {
  g->s ? log_text("%s", g->s->name) : log_text("(%s)%s", twin_type_name[g->t], value_text(g->t, &g->x));
}

/* Values of a floating-point mask may be negative zeros, which SuiteSparse treats as true, so such masks are
 * structural. So are those of user-defined types, which have no truth value. */
goal goal_for(thing *c, int t) {
  goal g = {.c = c, .d = random_descriptor()};
  if (chance(60)) g.mask = input(c->kind, chance(75) ? T_BOOL : ANY_TYPE, c->nrows, c->ncols);
  if (g.mask == &nothing) g.mask = NULL;
  if (g.mask && (is_real(g.mask->t) || g.mask->t >= NPREDEFINED || spoil != RIGHT))
    while (!g.d.structure) g.d = random_descriptor();
  if (chance(35)) {
    if (spoil_now(DOMAIN))
      g.accum = binary_for(c->t < NPREDEFINED ? T_TRIO : T_INT32, NULL);
    else
      do g.accum = binary_for(c->t, NULL);
      while (divides(g.accum->name) || !casts(t, g.accum->y));
    argument++;
  }
  g.plus = g.accum ? g.accum->op : NULL;
  g.ma = g.mask ? g.mask->a : NULL, g.mv = g.mask ? g.mask->v : NULL;
  return g;
}

void became(const goal *g, int bits, bool unsure) {
  if (g->accum) bits = LONG_VALUES;
  if (bits > g->c->bits) g->c->bits = bits;
  g->c->unsure |= unsure;
}

const char *mask_name(const goal *g) {
  return g->mask ? g->mask->name : "NULL";
}
const char *accum_name(const goal *g) {
  return g->accum ? g->accum->name : "NULL";
}

/* ---- operators ----------------------------------------------------------------------------------------- */

bool divides(const char *op) {
  return !strncmp(op, "DIV_FP", 6) || !strncmp(op, "MINV_FP", 7);
}

bool sums_depend_on_order(const char *name) {
  const char *end = strstr(name, "_FP");
  return end && (!strncmp(name, "PLUS", 4) || !strncmp(name, "TIMES", 5));
}

const unary *unary_for(int t) {
  const unary *op;
  do op = random_unary();
  while (!casts(op->z, t));
  return op;
}
const binary *binary_for(int t, const char *family) {
  const binary *op;
  do op = random_binary(t);
  while (family && strncmp(op->name, family, strlen(family)));
  return op;
}
const binary *any_binary_for(int t) {
  const binary *op;
  do op = random_any_binary();
  while (!casts(op->z, t));
  return op;
}
const indexed *indexed_for(int t) {
  const indexed *op;
  do op = random_indexed();
  while (!casts(op->z, t));
  return op;
}
const indexed *selector_for(int t) {
  const indexed *op;
  do op = random_indexed();
  while (op->z >= NPREDEFINED || (op->x >= 0 && !casts(t, op->x)));
  return op;
}
const monoid *monoid_for(int t) {
  const monoid *op;
  do op = random_monoid();
  while (op->any || !casts(op->t, t) || !strncmp(op->name, "TIMES_FP", 8));
  return op;
}
const semiring *semiring_for(int t) {
  const semiring *op;
  do op = random_semiring();
  while (op->any || !casts(op->z, t) || !strncmp(op->name, "TIMES_FP", 8));
  return op;
}

/* ---- lists of indices ---------------------------------------------------------------------------------- */

GrB_Index *list_for(GrB_Index n, GrB_Index *ni, bool distinct) {
  *ni = n;
  if (chance(30)) return NULL;
  GrB_Index want = n && !chance(3) ? 1 + below(chance(50) ? 5 : 40) : 0, m = 0,
            *i = malloc((want + 1) * sizeof *i), first = random_index(n);
  bool ascending = chance(40), range = chance(20);
  for (GrB_Index k = 0; k < want; k++) {
    GrB_Index at = range && k < n - first ? first + k : random_index(n);
    bool is_repeated = false;
    for (GrB_Index e = 0; e < m; e++) is_repeated |= i[e] == at;
    if (!(is_repeated && distinct)) i[m++] = at;
  }
  if (ascending)
    for (GrB_Index k = 1; k < m; k++)
      for (GrB_Index e = k; e > 0 && i[e - 1] > i[e]; e--) {
        GrB_Index swap = i[e];
        i[e] = i[e - 1], i[e - 1] = swap;
      }
  *ni = m;
  return i;
}

void log_list(const GrB_Index *list, GrB_Index ni) {
  if (!list) log_text("GrB_ALL");
  for (GrB_Index k = 0; list && k < ni; k++) log_text("%s%" PRIu64, k ? "," : "{", list[k]);
  log_text("%s, %" PRIu64, !list ? "" : ni ? "}" : "{}", ni);
}
