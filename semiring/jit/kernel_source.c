/* Writes types, casts and operators of a run-time compiled kernel as text. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "semiring/jit/kernel_source.h"

#define WORD_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* ---- text ---------------------------------------------------------------------------------------------- */

static bool reserve_capacity(grid_jit_source *s, size_t more) {
  if (s->used + more < s->capacity) return true;
  size_t capacity = 2 * s->capacity + more + 4096;
  char *text = s->no_memory ? NULL : grid_realloc(s->text, capacity, 1);
  if (!text) {
    s->no_memory = true;
    return false;
  }
  s->text = text, s->capacity = capacity;
  return true;
}

void grid_jit_append(grid_jit_source *s, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(NULL, 0, fmt, args);
  va_end(args);
  if (n < 0 || !reserve_capacity(s, (size_t)n + 1)) return;
  va_start(args, fmt);
  vsnprintf(s->text + s->used, (size_t)n + 1, fmt, args);
  va_end(args);
  s->used += (size_t)n;
}

void grid_jit_begin(grid_jit_source *s) {
  *s = (grid_jit_source){0};
  grid_jit_append(s, "#include \"prelude.cuh\"\n");
}

void grid_jit_begin_c(grid_jit_source *s) {
  *s = (grid_jit_source){.is_c = true};
}

void grid_jit_free(grid_jit_source *s) {
  grid_free(s->text);
  *s = (grid_jit_source){0};
}

void grid_jit_define(grid_jit_source *s, const char *name, long value) {
  grid_jit_append(s, "#define %s %ld\n", name, value);
}

/* ---- types --------------------------------------------------------------------------------------------- */

/* The name of a type in the text. A definition is included once; its size must agree with the program's. */
static const char *type_word(grid_jit_source *s, GrB_Type t) {
#define WORD(T, C) #C,
  static const char *const word[GRID_NTYPES] = {GRID_TYPES(WORD)};
  if (grid_type_is_real(t)) return word[t->code]; /* a complex one is copied as bytes */
  if (!t->text) {
    snprintf(s->bytes_type, sizeof s->bytes_type, "grid_bytes_%zu", t->size);
    grid_jit_append(
        s,
        "#ifndef HAVE_BYTES_%zu\n#define HAVE_BYTES_%zu\ntypedef struct { unsigned char b[%zu]; } "
        "%s;\n#endif\n",
        t->size, t->size, t->size, s->bytes_type);
    return s->bytes_type;
  }
  grid_jit_append(s, "#ifndef HAVE_TYPE_%s\n#define HAVE_TYPE_%s\n#line 1 \"%s\"\n%s\n#line 1 \"preamble\"\n",
                  t->name, t->name, t->name, t->text);
  grid_jit_append(
      s, "static_assert(sizeof(%s) == %zu, \"the size of %s is not what its program said\");\n#endif\n",
      t->name, t->size, t->name);
  return t->name;
}

void grid_jit_type(grid_jit_source *s, const char *name, GrB_Type t) {
  const char *word = type_word(s, t);
  grid_jit_append(s, "typedef %s %s;\n", word, name);
}

void grid_jit_constant(grid_jit_source *s, const char *name, GrB_Type t, const void *x) {
  const unsigned char *byte = x;
  const char *word = type_word(s, t);
  grid_jit_append(s, "GRID_FN %s %s() {\n  const unsigned char b[] = {", word, name);
  for (size_t k = 0; k < t->size; k++) grid_jit_append(s, "%d,", byte[k]);
  grid_jit_append(s, "};\n  %s z;\n  memcpy(&z, b, sizeof z);\n  return z;\n}\n", word);
}

void grid_jit_cast(grid_jit_source *s, const char *name, GrB_Type to, GrB_Type from) {
  if (!grid_compatible(to, from)) {
    s->absent = true;
  } else if (to == from) {
    const char *word = type_word(s, to);
    grid_jit_append(s, "GRID_FN %s %s(%s x) { return x; }\n", word, name, word);
  } else if (!grid_type_is_real(to) || !grid_type_is_real(from)) {
    s->absent = true;
  } else {
    grid_jit_append(s, "GRID_FN GRID_C_%s %s(GRID_C_%s x) { return GRID_CAST(%s, %s, x); }\n", to->name, name,
                    from->name, to->name, from->name);
  }
}

/* ---- operators ----------------------------------------------------------------------------------------- */

/* A row of the operator table: the operator's object, the names of its types and its expression. */
typedef struct {
  const void *object; /* address of the public handle */
  const char *x, *y, *z, *e;
} row;
#define UNARY(P, NAME, OP, T, Z, E)          {&P##_##NAME, #T, NULL, #Z, #E},
#define BINARY(P, NAME, OP, T, Z, UX, UY, E) {&P##_##NAME, #T, #T, #Z, #E},
#define INDEX(P, NAME, OP, T, Y, Z, UX, E)   {&P##_##NAME, UX ? #T : NULL, #Y, #Z, #E},
#define EXACT(OP, T, Z, E)                   {&GxB_##OP##_##T, #T, NULL, #Z, #E},
static const row unary_rows[] = {GRID_UNARY_OPS(UNARY) GRID_GXB_UNARY_PLAIN(UNARY)
                                     GRID_GXB_UNARY_EXACT(EXACT)},
                 binary_rows[] = {GRID_BINARY_OPS(BINARY) GRID_GXB_BINARY_PLAIN(BINARY)},
                 index_rows[] = {GRID_INDEX_OPS(INDEX)};
#define FIND(rows, op) find_row(rows, sizeof rows / sizeof *rows, op)

static const row *find_row(const row *rows, size_t n, const void *op) {
  for (size_t k = 0; k < n; k++)
    if (*(void *const *)rows[k].object == op) return &rows[k];
  return NULL;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The end of a comment, string, character or preprocessor line that begins at p; else p. */
static const char *skip_comment_or_string(const char *p, bool line_begins) {
  const char quote = *p;
  if (p[0] == '/' && p[1] == '*') {
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
  }
  if ((p[0] == '/' && p[1] == '/') || (line_begins && quote == '#')) return p + strcspn(p, "\n");
  if (quote != '"' && quote != '\'') return p;
  for (p++; *p && *p != quote; p++)
    if (*p == '\\' && p[1]) p++;
  return *p ? p + 1 : p;
}

static bool is_attribute_word(const char *word, size_t n) {
  static const char *const other[] = {"__attribute__", "_Static_assert", "static_assert"};
  for (size_t k = 0; k < sizeof other / sizeof *other; k++)
    if (strlen(other[k]) == n && memcmp(other[k], word, n) == 0) return true;
  return false;
}

/* C has no namespaces: each function that the text defines or declares gets the user's name as a prefix.
 * (A name followed by a parenthesis at depth 0 is a function. Macros with arguments leave members of the
 * same name alone.) */
static void append_renames(grid_jit_source *s, const char *name, const char *text, bool end) {
  int depth = 0;
  bool begins = true;
  for (const char *p = text; *p;) {
    const char *aside = skip_comment_or_string(p, begins);
    if (*p != ' ' && *p != '\t') begins = *p == '\n';
    if (aside > p) {
      p = aside;
    } else if (is_word(*p)) {
      const size_t n = strspn(p, WORD_LETTERS), blanks = strspn(p + n, " \t\n");
      const bool call = depth == 0 && p[n + blanks] == '(' && !is_attribute_word(p, n);
      if (call && end) grid_jit_append(s, "#undef %.*s\n", (int)n, p);
      if (call && !end)
        grid_jit_append(s, "#define %.*s(...) grid_user_%s_%.*s(__VA_ARGS__)\n", (int)n, p, name, (int)n, p);
      p += n;
    } else {
      depth += (*p == '{' || *p == '(') - (*p == '}' || *p == ')');
      p++;
    }
  }
}

/* A user-defined function, in a namespace of its own, since two may have one name. In C a preceding
 * declaration makes it inline. False: it has no text. */
bool grid_jit_user_function(grid_jit_source *s, const char *name, const char *f, const char *text) {
  if (!text) {
    s->absent = true;
    return false;
  }
  if (s->is_c) {
    s->user = true;
    append_renames(s, name, text, false);
    grid_jit_append(s, "GRID_FN void grid_user_%s_%s();\n", name, f);
  } else {
    grid_jit_append(s, "namespace grid_user_%s {\n", name);
  }
  grid_jit_append(s, "#line 1 \"%s\"\n%s\n#line 1 \"preamble\"\n", f, text);
  if (s->is_c)
    append_renames(s, name, text, true);
  else
    grid_jit_append(s, "}\n");
  return true;
}

/* The separator between the user's name and the function's. */
static const char *scope(const grid_jit_source *s) {
  return s->is_c ? "_" : "::";
}

void grid_jit_unary(grid_jit_source *s, const char *name, GrB_UnaryOp op) {
  const row *r = FIND(unary_rows, op);
  if (r) {
    grid_jit_append(s, "GRID_FN GRID_C_%s %s(GRID_C_%s x) { return GRID_CALL1(%s, %s, x); }\n", r->z, name,
                    r->x, r->e, r->x);
    return;
  }
  char z[GRID_NAME_MAX + 40], x[GRID_NAME_MAX + 40];
  snprintf(z, sizeof z, "%s", type_word(s, op->z));
  snprintf(x, sizeof x, "%s", type_word(s, op->x));
  if (grid_jit_user_function(s, name, op->name, op->text))
    grid_jit_append(s, "GRID_FN %s %s(%s x) {\n  %s z;\n  grid_user_%s%s%s(&z, &x);\n  return z;\n}\n", z,
                    name, x, z, name, scope(s), op->name);
}

void grid_jit_binary(grid_jit_source *s, const char *name, GrB_BinaryOp op) {
  const row *r = FIND(binary_rows, op);
  if (r) {
    grid_jit_append(
        s,
        "GRID_FN GRID_C_%s %s(GRID_C_%s x, GRID_C_%s y) {\n  (void)x, (void)y;\n  return GRID_CALL2(%s, %s, "
        "x, y);\n}\n",
        r->z, name, r->x, r->y, r->e, r->x);
    return;
  }
  char z[GRID_NAME_MAX + 40], x[GRID_NAME_MAX + 40], y[GRID_NAME_MAX + 40];
  snprintf(z, sizeof z, "%s", type_word(s, op->z));
  snprintf(x, sizeof x, "%s", type_word(s, op->x));
  snprintf(y, sizeof y, "%s", type_word(s, op->y));
  if (grid_jit_user_function(s, name, op->name, op->text))
    grid_jit_append(s,
                    "GRID_FN %s %s(%s x, %s y) {\n  %s z;\n  grid_user_%s%s%s(&z, &x, &y);\n  return z;\n}\n",
                    z, name, x, y, z, name, scope(s), op->name);
}

void grid_jit_index(grid_jit_source *s, const char *name, GrB_IndexUnaryOp op) {
  const row *r = FIND(index_rows, op);
  if (r) {
    if (r->x)
      grid_jit_append(s, "GRID_FN GRID_C_%s %s(GRID_C_%s x, ", r->z, name, r->x);
    else
      grid_jit_append(s, "template <class X> GRID_FN GRID_C_%s %s(X x, ", r->z, name);
    grid_jit_append(
        s,
        "uint64_t i, uint64_t j, GRID_C_%s y) {\n  (void)x, (void)i, (void)j;\n  return GRID_I_%s(GRID_C_%s, "
        "x, i, j, y);\n}\n",
        r->y, r->e, r->z);
    return;
  }
  char z[GRID_NAME_MAX + 40], x[GRID_NAME_MAX + 40], y[GRID_NAME_MAX + 40];
  snprintf(z, sizeof z, "%s", type_word(s, op->z));
  snprintf(x, sizeof x, "%s", type_word(s, op->x));
  snprintf(y, sizeof y, "%s", type_word(s, op->y));
  if (grid_jit_user_function(s, name, op->name, op->text))
    grid_jit_append(
        s,
        "GRID_FN %s %s(%s x, uint64_t i, uint64_t j, %s y) {\n  %s z;\n  grid_user_%s%s%s(&z, &x, i, j, "
        "&y);\n  return z;\n}\n",
        z, name, x, y, z, name, scope(s), op->name);
}

/* A value is terminal if its bytes are: only predefined types have terminal values. */
static void append_is_terminal(grid_jit_source *s, const char *name, GrB_Monoid m) {
  char z[GRID_NAME_MAX + 40];
  snprintf(z, sizeof z, "%s", type_word(s, m->op->z));
  if (!m->terminal || m->op->z->size > 8) {
    grid_jit_append(s, "GRID_FN bool %s_done(%s z) { return (void)z, false; }\n", name, z);
    return;
  }
  uint64_t bits = 0;
  memcpy(&bits, m->terminal, m->op->z->size);
  grid_jit_append(s,
                  "GRID_FN bool %s_done(%s z) {\n  uint%zu_t b;\n  memcpy(&b, &z, sizeof b);\n  return b == "
                  "(uint%zu_t)%luul;\n}\n",
                  name, z, 8 * m->op->z->size, 8 * m->op->z->size, (unsigned long)bits);
}

void grid_jit_monoid(grid_jit_source *s, const char *name, GrB_Monoid m) {
  char identity[80];
  if (!m->identity) {
    s->absent = true; /* GrB_reduce by an operator that is not a monoid's: kernels need an identity */
    return;
  }
  snprintf(identity, sizeof identity, "%.60s_identity", name);
  grid_jit_binary(s, name, m->op);
  grid_jit_constant(s, identity, m->op->z, m->identity);
  append_is_terminal(s, name, m);
}
