/* Random objects: operators from the library's tables and user-defined ones, vectors, masks, matrices. */
#include "tests/twin/twin.h"

/* ---- user-defined operators ---------------------------------------------------------------------------- */

static int64_t wrap_add(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* pair: the greater one, ordered by a, then by b */
static void pair_max(void *z, const void *x, const void *y) {
  pair p, q;
  memcpy(&p, x, sizeof p), memcpy(&q, y, sizeof q);
  bool first = p.a > q.a || (p.a == q.a && p.b >= q.b);
  memcpy(z, first ? &p : &q, sizeof p);
}
/* not commutative: (xa + yb, xb - ya) */
static void pair_mix(void *z, const void *x, const void *y) {
  pair p, q, r;
  memcpy(&p, x, sizeof p), memcpy(&q, y, sizeof q);
  r = (pair){wrap_add(p.a, q.b), wrap_add(p.b, (int64_t)(0 - (uint64_t)q.a))};
  memcpy(z, &r, sizeof r);
}
static void pair_swap(void *z, const void *x) {
  pair p;
  memcpy(&p, x, sizeof p);
  pair r = {p.b, p.a};
  memcpy(z, &r, sizeof r);
}
/* FP64 x INT32 -> INT64, three different types */
static void mixed(void *z, const void *x, const void *y) {
  double a;
  int32_t b;
  memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);
  int64_t r = (a < 0 ? -3 : 5) * (int64_t)b + 7;
  memcpy(z, &r, sizeof r);
}
/* trio: the sum of each byte, modulo 256; a monoid that is not idempotent */
static void trio_sum(void *z, const void *x, const void *y) {
  const uint8_t *p = x, *q = y;
  uint8_t r[3] = {(uint8_t)(p[0] + q[0]), (uint8_t)(p[1] + q[1]), (uint8_t)(p[2] + q[2])};
  memcpy(z, r, 3);
}
static void trio_first(void *z, const void *x, const void *y) {
  (void)y;
  memmove(z, x, 3);
}
/* pair from an index: (a + i, y) */
static void pair_index(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  pair p;
  int64_t k;
  memcpy(&p, x, sizeof p), memcpy(&k, y, sizeof k);
  pair r = {wrap_add(p.a, (int64_t)i), wrap_add(k, (int64_t)j)};
  memcpy(z, &r, sizeof r);
}
static void pair_even(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  pair p;
  int64_t k;
  memcpy(&p, x, sizeof p), memcpy(&k, y, sizeof k);
  bool r = (((uint64_t)p.a ^ i ^ j ^ (uint64_t)k) & 1) == 0;
  memcpy(z, &r, sizeof r);
}

/* medium: bytewise exclusive or, a monoid; not commutative: x rotated by a byte, then y */
static void medium_xor(void *z, const void *x, const void *y) {
  medium r;
  for (size_t k = 0; k < sizeof r; k++) r.c[k] = ((const uint8_t *)x)[k] ^ ((const uint8_t *)y)[k];
  memcpy(z, &r, sizeof r);
}
static void medium_turn(void *z, const void *x, const void *y) {
  medium r;
  for (size_t k = 0; k < sizeof r; k++)
    r.c[k] = (uint8_t)(((const uint8_t *)x)[(k + 1) % sizeof r] + ((const uint8_t *)y)[k]);
  memcpy(z, &r, sizeof r);
}
static void medium_index(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  medium r;
  memcpy(&r, x, sizeof r);
  r.c[0] = (uint8_t)(r.c[0] + i), r.c[1] = (uint8_t)(r.c[1] + j), r.c[36] ^= ((const uint8_t *)y)[0];
  memcpy(z, &r, sizeof r);
}
/* large: the same, at the ends and in the middle */
static void large_xor(void *z, const void *x, const void *y) {
  large r;
  for (size_t k = 0; k < sizeof r; k++) r.c[k] = ((const uint8_t *)x)[k] ^ ((const uint8_t *)y)[k];
  memcpy(z, &r, sizeof r);
}
static void large_turn(void *z, const void *x, const void *y) {
  large r;
  for (size_t k = 0; k < sizeof r; k++)
    r.c[k] = (uint8_t)(((const uint8_t *)x)[(k + 97) % sizeof r] + ((const uint8_t *)y)[k]);
  memcpy(z, &r, sizeof r);
}
static void large_index(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  large r;
  memcpy(&r, x, sizeof r);
  memcpy(&r.c[8], &i, sizeof i), memcpy(&r.c[340], &j, sizeof j), r.c[699] ^= ((const uint8_t *)y)[0];
  memcpy(z, &r, sizeof r);
}
static void large_of(void *z, const void *x) {
  large r = {{0}};
  memcpy(&r.c[690], x, sizeof(int16_t));
  memcpy(z, &r, sizeof r);
}
/* between user-defined and predefined types */
static void pair_dot(void *z, const void *x, const void *y) {
  pair p, q;
  memcpy(&p, x, sizeof p), memcpy(&q, y, sizeof q);
  int64_t r = (int64_t)((uint64_t)p.a * (uint64_t)q.b + (uint64_t)p.b);
  memcpy(z, &r, sizeof r);
}
static void pair_scale(void *z, const void *x, const void *y) {
  pair p;
  int32_t f;
  memcpy(&p, x, sizeof p), memcpy(&f, y, sizeof f);
  pair r = {(int64_t)((uint64_t)p.a * (uint64_t)f), p.b};
  memcpy(z, &r, sizeof r);
}
static void pair_first(void *z, const void *x) {
  memmove(z, &((const pair *)x)->a, sizeof(int64_t));
}
static void medium_of(void *z, const void *x) {
  medium r = {{0}};
  memcpy(&r.c[30], x, sizeof(int16_t));
  memcpy(z, &r, sizeof r);
}

static void trio_not(void *z, const void *x) {
  const uint8_t *p = x;
  uint8_t r[3] = {(uint8_t)~p[2], (uint8_t)~p[1], (uint8_t)~p[0]};
  memcpy(z, r, 3);
}
static void trio_index(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  const uint8_t *p = x;
  uint8_t r[3] = {(uint8_t)(p[0] + i), (uint8_t)(p[1] + j), (uint8_t)(p[2] + *(const bool *)y)};
  memcpy(z, r, 3);
}

/* with a user-defined scalar */
static void int_with_pair(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  int64_t a;
  pair p;
  memcpy(&a, x, sizeof a), memcpy(&p, y, sizeof p);
  int64_t r = (int64_t)((uint64_t)a + (uint64_t)p.a + i + 3 * j);
  memcpy(z, &r, sizeof r);
}
static void below_pair(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  int64_t a;
  pair p;
  memcpy(&a, x, sizeof a), memcpy(&p, y, sizeof p);
  bool r = a < p.a || ((i ^ j) & 1) == ((uint64_t)p.b & 1);
  memcpy(z, &r, sizeof r);
}

/* ---- the tables ---------------------------------------------------------------------------------------- */

enum { MOST = 512 };
static unary unaries[MOST];
static binary binaries[MOST];
static indexed indexeds[MOST];
static monoid monoids[MOST];
static semiring semirings[MOST];
static descriptor descriptors[MOST];
static uint64_t nunary, nbinary, nindexed, nmonoid, nsemiring, ndescriptor;
static GrB_UnaryOp user_swap;
static GrB_BinaryOp user_max, user_mix, user_mixed, user_sum, user_first;
static GrB_IndexUnaryOp user_index, user_even;
static GrB_Monoid user_max_monoid, user_sum_monoid;
static GrB_Semiring user_pair, user_trio, user_mixed_semiring;
static GrB_BinaryOp user_xor, user_turn, user_dot, user_scale;
static GrB_IndexUnaryOp user_medium_index, user_trio_index, user_with_pair, user_below_pair;
static GrB_UnaryOp user_pair_first, user_medium_of, user_trio_not;
static GrB_Monoid user_xor_monoid;
static GrB_Semiring user_pair128, user_dot_semiring;
static GrB_BinaryOp user_large_xor, user_large_turn;
static GrB_IndexUnaryOp user_large_index;
static GrB_UnaryOp user_large_of;
static GrB_Monoid user_large_monoid;
static GrB_Semiring user_large;

static void add_unary(const char *name, GrB_UnaryOp op, int x, int z) {
  unaries[nunary++] = (unary){name, op, x, z};
}
static void add_binary(const char *name, GrB_BinaryOp op, int x, int y, int z) {
  binaries[nbinary++] = (binary){name, op, x, y, z};
}
static void add_indexed(const char *name, GrB_IndexUnaryOp op, int x, int y, int z) {
  indexeds[nindexed++] = (indexed){name, op, x, y, z};
}
static void add_monoid(const char *name, GrB_Monoid op, int t) {
  monoids[nmonoid++] = (monoid){name, op, t, !strncmp(name, "ANY", 3)};
}
static void add_semiring(const char *name, const char *mul, GrB_Semiring op, int x, int y, int z) {
  semirings[nsemiring++] =
      (semiring){name, op, x, y, z, !strncmp(name, "ANY", 3) && strcmp(mul, "ONEB"), mul};
}

static void user_types(void) {
  DO(GrB_Type_new(&twin_type[T_PAIR], sizeof(pair)));
  DO(GrB_Type_new(&twin_type[T_TRIO], sizeof(trio)));
  DO(GrB_Type_new(&twin_type[T_MEDIUM], sizeof(medium)));
  DO(GrB_Type_new(&twin_type[T_LARGE], sizeof(large)));
}

static void large_operators(void) {
  const GrB_Type l = twin_type[T_LARGE];
  const large zero = {{0}};
  DO(GrB_BinaryOp_new(&user_large_xor, large_xor, l, l, l));
  DO(GrB_BinaryOp_new(&user_large_turn, large_turn, l, l, l));
  DO(GrB_IndexUnaryOp_new(&user_large_index, large_index, l, l, GrB_UINT8));
  DO(GrB_UnaryOp_new(&user_large_of, large_of, l, GrB_INT16));
  DO(GrB_Monoid_new_UDT(&user_large_monoid, user_large_xor, (void *)&zero));
  DO(GrB_Semiring_new(&user_large, user_large_monoid, user_large_turn));
  add_binary("large_xor", user_large_xor, T_LARGE, T_LARGE, T_LARGE);
  add_binary("large_turn", user_large_turn, T_LARGE, T_LARGE, T_LARGE);
  add_indexed("large_index", user_large_index, T_LARGE, T_UINT8, T_LARGE);
  add_unary("large_of", user_large_of, T_INT16, T_LARGE);
  add_monoid("large_xor", user_large_monoid, T_LARGE);
  add_semiring("large", "large_turn", user_large, T_LARGE, T_LARGE, T_LARGE);
}

static void more_operators(void) {
  GrB_Type p = twin_type[T_PAIR], w = twin_type[T_MEDIUM], t = twin_type[T_TRIO];
  medium zero = {{0}};
  DO(GrB_BinaryOp_new(&user_xor, medium_xor, w, w, w));
  DO(GrB_BinaryOp_new(&user_turn, medium_turn, w, w, w));
  DO(GrB_BinaryOp_new(&user_dot, pair_dot, GrB_INT64, p, p));
  DO(GrB_BinaryOp_new(&user_scale, pair_scale, p, p, GrB_INT32));
  DO(GrB_IndexUnaryOp_new(&user_medium_index, medium_index, w, w, GrB_UINT8));
  DO(GrB_UnaryOp_new(&user_pair_first, pair_first, GrB_INT64, p));
  DO(GrB_UnaryOp_new(&user_medium_of, medium_of, w, GrB_INT16));
  DO(GrB_Monoid_new_UDT(&user_xor_monoid, user_xor, &zero));
  DO(GrB_Semiring_new(&user_pair128, user_xor_monoid, user_turn));
  DO(GrB_Semiring_new(&user_dot_semiring, GrB_PLUS_MONOID_INT64, user_dot));
  add_binary("medium_xor", user_xor, T_MEDIUM, T_MEDIUM, T_MEDIUM);
  add_binary("medium_turn", user_turn, T_MEDIUM, T_MEDIUM, T_MEDIUM);
  add_binary("pair_dot", user_dot, T_PAIR, T_PAIR, T_INT64);
  add_binary("pair_scale", user_scale, T_PAIR, T_INT32, T_PAIR);
  add_indexed("medium_index", user_medium_index, T_MEDIUM, T_UINT8, T_MEDIUM);
  add_unary("pair_first", user_pair_first, T_PAIR, T_INT64);
  DO(GrB_UnaryOp_new(&user_trio_not, trio_not, t, t));
  DO(GrB_IndexUnaryOp_new(&user_trio_index, trio_index, t, t, GrB_BOOL));
  DO(GrB_IndexUnaryOp_new(&user_with_pair, int_with_pair, GrB_INT64, GrB_INT64, p));
  DO(GrB_IndexUnaryOp_new(&user_below_pair, below_pair, GrB_BOOL, GrB_INT64, p));
  add_indexed("int_with_pair", user_with_pair, T_INT64, T_PAIR, T_INT64);
  add_indexed("below_pair", user_below_pair, T_INT64, T_PAIR, T_BOOL);
  add_unary("trio_not", user_trio_not, T_TRIO, T_TRIO);
  add_indexed("trio_index", user_trio_index, T_TRIO, T_BOOL, T_TRIO);
  add_unary("medium_of", user_medium_of, T_INT16, T_MEDIUM);
  add_monoid("medium_xor", user_xor_monoid, T_MEDIUM);
  add_semiring("wide", "medium_turn", user_pair128, T_MEDIUM, T_MEDIUM, T_MEDIUM);
  add_semiring("dot", "pair_dot", user_dot_semiring, T_PAIR, T_PAIR, T_INT64);
}

static void user_operators(void) {
  GrB_Type p = twin_type[T_PAIR], t = twin_type[T_TRIO];
  pair least = {INT64_MIN, INT64_MIN};
  trio zero = {{0, 0, 0}};
  DO(GrB_UnaryOp_new(&user_swap, pair_swap, p, p));
  DO(GrB_BinaryOp_new(&user_max, pair_max, p, p, p));
  DO(GrB_BinaryOp_new(&user_mix, pair_mix, p, p, p));
  DO(GrB_BinaryOp_new(&user_mixed, mixed, GrB_INT64, GrB_FP64, GrB_INT32));
  DO(GrB_BinaryOp_new(&user_sum, trio_sum, t, t, t));
  DO(GrB_BinaryOp_new(&user_first, trio_first, t, t, t));
  DO(GrB_IndexUnaryOp_new(&user_index, pair_index, p, p, GrB_INT64));
  DO(GrB_IndexUnaryOp_new(&user_even, pair_even, GrB_BOOL, p, GrB_INT64));
  DO(GrB_Monoid_new_UDT(&user_max_monoid, user_max, &least));
  DO(GrB_Monoid_new_UDT(&user_sum_monoid, user_sum, &zero));
  DO(GrB_Semiring_new(&user_pair, user_max_monoid, user_mix));
  DO(GrB_Semiring_new(&user_trio, user_sum_monoid, user_first));
  DO(GrB_Semiring_new(&user_mixed_semiring, GrB_PLUS_MONOID_INT64, user_mixed));
  add_unary("pair_swap", user_swap, T_PAIR, T_PAIR);
  add_binary("pair_max", user_max, T_PAIR, T_PAIR, T_PAIR);
  add_binary("pair_mix", user_mix, T_PAIR, T_PAIR, T_PAIR);
  add_binary("mixed", user_mixed, T_FP64, T_INT32, T_INT64);
  add_binary("trio_sum", user_sum, T_TRIO, T_TRIO, T_TRIO);
  add_binary("trio_first", user_first, T_TRIO, T_TRIO, T_TRIO);
  add_indexed("pair_index", user_index, T_PAIR, T_INT64, T_PAIR);
  add_indexed("pair_even", user_even, T_PAIR, T_INT64, T_BOOL);
  add_monoid("pair_max", user_max_monoid, T_PAIR);
  add_monoid("trio_sum", user_sum_monoid, T_TRIO);
  add_semiring("pair", "pair_mix", user_pair, T_PAIR, T_PAIR, T_PAIR);
  add_semiring("trio", "trio_first", user_trio, T_TRIO, T_TRIO, T_TRIO);
  add_semiring("mixed", "mixed", user_mixed_semiring, T_FP64, T_INT32, T_INT64);
}

/* SECONDI and ONEB read no value, but have types. */
void objects_start(void) {
#define X(T, C) twin_type[T_##T] = GrB_##T;
  GRID_TYPES(X)
#undef X
  user_types();
#define X(P, NAME, OP, T, Z, E) add_unary(#NAME, GrB_##NAME, T_##T, T_##Z);
  GRID_UNARY_OPS(X)
#undef X
#define X(P, NAME, OP, T, Z, UX, UY, E) \
  if (strcmp(#OP, "ANY")) add_binary(#NAME, TWIN_BINARY_##P(NAME), T_##T, T_##T, T_##Z);
  GRID_BINARY_OPS(X)
#undef X
#define X(P, NAME, OP, T, Y, Z, UX, E) add_indexed(#NAME, GrB_##NAME, (UX) ? T_##T : -1, T_##Y, T_##Z);
  GRID_INDEX_OPS(X)
#undef X
#define X(P, OP, T, ID, TERM, HAS, IDEM) add_monoid(#OP "_" #T, TWIN_MONOID_##P(OP, T), T_##T);
  GRID_MONOIDS(X)
#undef X
#define X(ADD, MUL, T) \
  add_semiring(#ADD "_" #MUL "_" #T, #MUL, GrB_##ADD##_##MUL##_SEMIRING_##T, T_##T, T_##T, T_##T);
  GRID_SEMIRINGS_GRB(X)
#undef X
#define X(ADD, MUL, T) \
  add_semiring(#ADD "_" #MUL "_" #T, #MUL, TWIN_SEMIRING_Grid(ADD, MUL, T), T_##T, T_##T, T_##T);
  GRID_SEMIRINGS_GRID(X)
#undef X
#define X(NAME, r, s, c, t0, t1) \
  descriptors[ndescriptor++] = (descriptor){#NAME, GrB_DESC_##NAME, r, s, c, t0, t1};
  GRID_DESCRIPTORS(X)
#undef X
  user_operators();
  more_operators();
  large_operators();
}

void objects_stop(void) {
  GrB_Semiring_free(&user_large), GrB_Monoid_free(&user_large_monoid);
  GrB_BinaryOp_free(&user_large_xor), GrB_BinaryOp_free(&user_large_turn);
  GrB_IndexUnaryOp_free(&user_large_index), GrB_UnaryOp_free(&user_large_of);
  GrB_Type_free(&twin_type[T_LARGE]);
  GrB_Semiring_free(&user_pair128), GrB_Semiring_free(&user_dot_semiring);
  GrB_Monoid_free(&user_xor_monoid);
  GrB_BinaryOp_free(&user_xor), GrB_BinaryOp_free(&user_turn), GrB_BinaryOp_free(&user_dot);
  GrB_BinaryOp_free(&user_scale);
  GrB_IndexUnaryOp_free(&user_medium_index), GrB_IndexUnaryOp_free(&user_trio_index);
  GrB_IndexUnaryOp_free(&user_with_pair), GrB_IndexUnaryOp_free(&user_below_pair);
  GrB_UnaryOp_free(&user_pair_first), GrB_UnaryOp_free(&user_medium_of), GrB_UnaryOp_free(&user_trio_not);
  GrB_Semiring_free(&user_pair), GrB_Semiring_free(&user_trio), GrB_Semiring_free(&user_mixed_semiring);
  GrB_Monoid_free(&user_max_monoid), GrB_Monoid_free(&user_sum_monoid);
  GrB_UnaryOp_free(&user_swap);
  GrB_BinaryOp_free(&user_max), GrB_BinaryOp_free(&user_mix), GrB_BinaryOp_free(&user_mixed);
  GrB_BinaryOp_free(&user_sum), GrB_BinaryOp_free(&user_first);
  GrB_IndexUnaryOp_free(&user_index), GrB_IndexUnaryOp_free(&user_even);
  GrB_Type_free(&twin_type[T_PAIR]), GrB_Type_free(&twin_type[T_TRIO]), GrB_Type_free(&twin_type[T_MEDIUM]);
}

/* ---- picks --------------------------------------------------------------------------------------------- */

/* User-defined types combine only with themselves. */
static bool together(int a, int b) {
  return a == b || (a < NPREDEFINED && b < NPREDEFINED);
}

int castable_type(int t) {
  return t >= NPREDEFINED || chance(60) ? t : (int)below(NPREDEFINED);
}

/* Large integers would round or overflow in floating point, differently in each order of summation. */
int castable_exact_type(int t) {
  static const int exact[] = {T_FP32, T_FP64, T_BOOL, T_INT8, T_UINT8};
  return t == T_FP32 || t == T_FP64 ? exact[below(5)] : castable_type(t);
}

const unary *random_unary(void) {
  return &unaries[below(nunary)];
}
const indexed *random_indexed(void) {
  return &indexeds[below(nindexed)];
}
const monoid *random_monoid(void) {
  return &monoids[below(nmonoid)];
}
const semiring *random_semiring(void) {
  if (chance(10)) return &semirings[nsemiring - 1 - below(6)]; /* user-defined */
  return &semirings[below(nsemiring)];
}
const binary *random_any_binary(void) {
  return &binaries[below(nbinary)];
}
const binary *random_binary(int t) {
  for (;;) {
    const binary *b = &binaries[below(nbinary)];
    if (together(b->x, t) && together(b->y, t) && together(b->z, t)) return b;
  }
}
const binary *random_accum(int t, bool exact) {
  if (chance(50)) return NULL;
  for (;;) {
    const binary *b = random_binary(t);
    /* 1/0 and 1/-0 differ, and a sum of zeros may be either */
    if (!(exact && !strncmp(b->name, "DIV_FP", 6))) return b;
  }
}
descriptor random_descriptor(void) {
  if (chance(30)) return (descriptor){"-", NULL, false, false, false, false, false};
  return descriptors[below(ndescriptor)];
}

/* ---- vectors ------------------------------------------------------------------------------------------- */

GrB_Index random_size(void) {
  switch (below(8)) {
    case 0:
      return 1 + below(4);
    case 1:
    case 2:
    case 3:
      return 1 + below(200);
    case 4:
    case 5:
      return 64 * (1 + below(12)) + below(3) - 1; /* near the boundaries of words and chunks */
    case 6:
      return 200 + below(1800);
    default:
      return (UINT64_C(1) << (20 + below(41))) - below(2);
  }
}

static int by_index(const void *a, const void *b) {
  GrB_Index p = *(const GrB_Index *)a, q = *(const GrB_Index *)b;
  return p < q ? -1 : p > q;
}

/* Distinct ascending indices below n: none, few, some, many, or (when n is small) all. */
static GrB_Index *random_set(GrB_Index n, GrB_Index *count) {
  GrB_Index want, k = 0;
  switch (below(6)) {
    case 0:
      want = chance(30) ? 0 : 1;
      break;
    case 1:
      want = 1 + below(6);
      break;
    case 2:
      want = 1 + n / 20;
      break;
    case 3:
    case 4:
      want = 1 + n / 2;
      break;
    default:
      want = n;
  }
  if (n > 4000 && want > 300) want = 300;
  GrB_Index *i = malloc((want + 1) * sizeof *i);
  if (want >= n) {
    for (; k < n; k++) i[k] = k;
  } else {
    for (GrB_Index m = 0; m < want; m++) i[m] = below(n);
    qsort(i, want, sizeof *i, by_index);
    for (GrB_Index m = 0; m < want; m++)
      if (m == 0 || i[m] != i[m - 1]) i[k++] = i[m];
  }
  *count = k;
  return i;
}

void *pack_values(int t, const value *x, GrB_Index n) {
  char *p = malloc(n * twin_size[t] + 1);
  for (GrB_Index k = 0; k < n; k++) memcpy(p + k * twin_size[t], &x[k], twin_size[t]);
  return p;
}

static value *random_values(int t, GrB_Index n, flavour f) {
  value *x = malloc((n + 1) * sizeof *x);
  bool same = chance(25); /* the library may store one value for all */
  for (GrB_Index k = 0; k < n; k++) x[k] = same && k ? x[0] : random_value(t, f);
  return x;
}

vec empty_vector(int t, GrB_Index n) {
  vec v = {NULL, t, n, 0, NULL, NULL};
  DO(GrB_Vector_new(&v.v, twin_type[t], n));
  twin_tune_vector(v.v, n);
  return v;
}

vec random_vector(int t, GrB_Index n, flavour f) {
  vec v = empty_vector(t, n);
  v.i = random_set(n, &v.nvals);
  v.x = random_values(t, v.nvals, f);
  if (v.nvals <= 20 && chance(40)) {
    for (GrB_Index k = v.nvals; k-- > 0;) DO(vector_set(v.v, t, &v.x[k], v.i[k]));
  } else {
    void *x = pack_values(t, v.x, v.nvals);
    DO(vector_build(v.v, t, v.i, x, v.nvals, NULL));
    free(x);
  }
  if (chance(20)) DO(GrB_Vector_wait(v.v, GrB_MATERIALIZE));
  return v;
}

vec random_mask(GrB_Index n) {
  if (chance(35)) return (vec){NULL, T_BOOL, n, 0, NULL, NULL};
  return random_vector(chance(60) ? T_BOOL : (int)below(NPREDEFINED), n, RICH);
}

void free_vector(vec *v) {
  GrB_Vector_free(&v->v);
  free(v->i);
  free(v->x);
}

/* Indices for assign and extract: NULL stands for GrB_ALL. */
GrB_Index *random_indices(GrB_Index n, GrB_Index *ni, bool distinct) {
  *ni = n;
  if (chance(30) && n < 5000) return NULL;
  GrB_Index *i;
  if (distinct) {
    i = random_set(n, ni);
    if (chance(60))
      for (GrB_Index k = *ni; k-- > 1;) { /* any order */
        GrB_Index m = below(k + 1), swap = i[k];
        i[k] = i[m], i[m] = swap;
      }
  } else {
    *ni = 1 + below(n < 400 ? n : 400);
    i = malloc(*ni * sizeof *i);
    for (GrB_Index k = 0; k < *ni; k++) i[k] = below(n);
  }
  return i;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

/* An index below n; half the matrices have high-degree rows, so that there are delegates. */
static GrB_Index skewed(GrB_Index n, bool hubs) {
  if (!hubs) return below(n);
  if (chance(50)) return below(n < 5 ? n : 5);
  return below(1 + below(n));
}

static int by_tuple(const void *a, const void *b) {
  const GrB_Index *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

static mat matrix_of(int t, GrB_Index nrows, GrB_Index ncols, GrB_Index (*tuple)[2], GrB_Index n, flavour f) {
  mat a = {NULL, t, nrows, ncols, 0, malloc((n + 1) * sizeof(GrB_Index)), malloc((n + 1) * sizeof(GrB_Index)),
           NULL};
  qsort(tuple, n, sizeof *tuple, by_tuple);
  for (GrB_Index k = 0; k < n; k++) {
    if (k && !by_tuple(tuple[k], tuple[k - 1])) continue;
    a.i[a.nvals] = tuple[k][0];
    a.j[a.nvals++] = tuple[k][1];
  }
  free(tuple);
  a.x = random_values(t, a.nvals, f);
  DO(GrB_Matrix_new(&a.a, twin_type[t], nrows, ncols));
  if (a.nvals <= 20 && chance(40)) {
    for (GrB_Index k = a.nvals; k-- > 0;) DO(matrix_set(a.a, t, &a.x[k], a.i[k], a.j[k]));
  } else {
    void *x = pack_values(t, a.x, a.nvals);
    DO(matrix_build(a.a, t, a.i, a.j, x, a.nvals, NULL));
    free(x);
  }
  twin_tune(a.a, nrows == ncols);
  return a;
}

mat random_matrix(int t, GrB_Index nrows, GrB_Index ncols, flavour f) {
  bool rows = chance(50), cols = chance(50);
  GrB_Index smaller = nrows < ncols ? nrows : ncols, n;
  switch (below(6)) {
    case 0:
      n = below(3);
      break;
    case 1:
      n = below(40);
      break;
    case 2:
    case 3:
      n = 2 * smaller;
      break;
    case 4:
      n = 8 * smaller;
      break;
    default:
      n = smaller < 40 ? 3 * nrows * ncols : 16 * smaller; /* full, nearly */
  }
  if (n > 3000) n = 3000;
  GrB_Index(*tuple)[2] = malloc((n + 1) * sizeof *tuple);
  for (GrB_Index k = 0; k < n; k++) {
    tuple[k][0] = skewed(nrows, rows);
    tuple[k][1] = skewed(ncols, cols);
  }
  return matrix_of(t, nrows, ncols, tuple, n, f);
}

mat symmetric_graph(GrB_Index n) {
  GrB_Index m = 1 + below(3 * n);
  if (m > 3000) m = 3000;
  bool hubs = chance(60);
  GrB_Index(*tuple)[2] = malloc(2 * m * sizeof *tuple);
  for (GrB_Index k = 0; k < m; k++) {
    tuple[2 * k][0] = tuple[2 * k + 1][1] = skewed(n, hubs);
    tuple[2 * k][1] = tuple[2 * k + 1][0] = skewed(n, false);
  }
  return matrix_of(T_BOOL, n, n, tuple, 2 * m, EXACT);
}

void free_matrix(mat *a) {
  GrB_Matrix_free(&a->a);
  free(a->i);
  free(a->j);
  free(a->x);
}
