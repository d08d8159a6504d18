/* Signatures of run-time compiled kernels; see jit_kernel.h. */
#include <string.h>

#include "semiring/jit/jit_kernel.h"
#include "semiring/jit/kernel_cache.h"

static void add(grid_jit_signature *s, const void *p, size_t bytes) {
  s->a = grid_jit_hash(s->a, p, bytes);
  s->b = grid_jit_hash(s->b, p, bytes);
}

static void hash_text(grid_jit_signature *s, const char *text) {
  add(s, text ? text : "", text ? strlen(text) + 1 : 1);
}

grid_jit_signature grid_jit_signature_begin(const char *family) {
  grid_jit_signature s = {GRID_HASH_START, ~GRID_HASH_START};
  hash_text(&s, family);
  add(&s, &grid_text_settings, sizeof grid_text_settings);
  return s;
}

void grid_jit_signature_add_number(grid_jit_signature *s, uint64_t x) {
  add(s, &x, sizeof x);
}

void grid_jit_signature_add_value(grid_jit_signature *s, const void *x, size_t size) {
  add(s, x, size);
}

void grid_jit_signature_add_type(grid_jit_signature *s, GrB_Type t) {
  const uint64_t what[2] = {t->code, t->size};
  add(s, what, sizeof what);
  if (t->code != GRID_T_UDT) return;
  hash_text(s, t->name);
  hash_text(s, t->text);
}

static void add_operator(grid_jit_signature *s, int op, const char *name, const char *text) {
  grid_jit_signature_add_number(s, (uint64_t)op);
  if (op != GRID_OP_USER && op != GRID_OP_OTHER) return;
  hash_text(s, name);
  hash_text(s, text);
}

void grid_jit_signature_add_binary(grid_jit_signature *s, GrB_BinaryOp op) {
  add_operator(s, op->op, op->name, op->text);
  grid_jit_signature_add_type(s, op->z), grid_jit_signature_add_type(s, op->x),
      grid_jit_signature_add_type(s, op->y);
}

void grid_jit_signature_add_unary(grid_jit_signature *s, GrB_UnaryOp op) {
  add_operator(s, op->op, op->name, op->text);
  grid_jit_signature_add_type(s, op->z), grid_jit_signature_add_type(s, op->x);
}
