/* GxB_print for objects that each process holds whole: scalars, types, algebra, descriptors, contexts. */
#include "dist/fields/context.h"
#include "dist/fields/fields.h"
#include "dist/interchange/printer.h"

static const char *name_of(const grid_head *h, const char *otherwise) {
  return h->name ? h->name : otherwise;
}

static void print_Scalar(grid_printer *p, GrB_Scalar s) {
  grid_print_text(p, "scalar of %s, ", s->type->name);
  if (s->present)
    grid_print_value(p, s->type, s->val);
  else
    grid_print_text(p, "empty");
  grid_print_text(p, "\n");
}

static void print_Type(grid_printer *p, GrB_Type t) {
  grid_print_text(p, "type %s, %zu bytes\n", t->name, t->size);
}

static void print_UnaryOp(grid_printer *p, GrB_UnaryOp op) {
  grid_print_text(p, "unary operator %s(%s) -> %s\n", op->name, op->x->name, op->z->name);
}

static void print_BinaryOp(grid_printer *p, GrB_BinaryOp op) {
  const grid_index_binary *index = op->index;
  grid_print_text(p, "binary operator %s(%s, %s) -> %s", op->name, op->x->name, op->y->name, op->z->name);
  if (index) grid_print_text(p, ", of positions");
  if (index && index->theta_type) {
    grid_print_text(p, " and ");
    grid_print_value(p, index->theta_type, index->theta);
  }
  grid_print_text(p, "\n");
}

static void print_IndexBinaryOp(grid_printer *p, GxB_IndexBinaryOp op) {
  grid_print_text(p, "index-binary operator %s(%s, i, j, %s, i, j, %s) -> %s\n", op->name, op->x->name,
                  op->y->name, op->theta->name, op->z->name);
}

static void print_Context(grid_printer *p, GxB_Context c) {
  int32_t threads;
  if (GxB_Context_get_INT(c, &threads, GxB_NTHREADS) == GrB_SUCCESS)
    grid_print_text(p, "context, %d threads%s\n", (int)threads,
                    c == grid_context_engaged() ? ", engaged by this thread" : "");
}

static void print_IndexUnaryOp(grid_printer *p, GrB_IndexUnaryOp op) {
  grid_print_text(p, "index-unary operator %s(%s, i, j, %s) -> %s\n", op->name, op->x ? op->x->name : "any",
                  op->y->name, op->z->name);
}

static void print_addition(grid_printer *p, GrB_Monoid m) {
  grid_print_text(p, "%s of %s, identity ", m->op->name, m->op->z->name);
  grid_print_value(p, m->op->z, m->identity);
}

static void print_Monoid(grid_printer *p, GrB_Monoid m) {
  grid_print_text(p, "monoid ");
  print_addition(p, m);
  grid_print_text(p, "\n");
}

static void print_Semiring(grid_printer *p, GrB_Semiring s) {
  grid_print_text(p, "semiring, adds by %s ", name_of(&s->add->head, "a monoid,"));
  print_addition(p, s->add);
  grid_print_text(p, ", multiplies by %s\n", s->mul->name);
}

static void print_Descriptor(grid_printer *p, GrB_Descriptor d) {
  const bool any = d->replace || d->structure || d->complement || d->tran0 || d->tran1;
  grid_print_text(p, "descriptor:%s%s%s%s%s%s\n", d->replace ? " replace" : "",
                  d->structure ? " structural mask" : "", d->complement ? " complemented mask" : "",
                  d->tran0 ? " first input transposed" : "", d->tran1 ? " second input transposed" : "",
                  any ? "" : " all defaults");
}

#define DEFINE(PREFIX, KIND)                                                                            \
  GrB_Info GxB_##KIND##_fprint(PREFIX##_##KIND object, const char *name, GxB_Print_Level pr, FILE *f) { \
    static const char call[] = "GxB_" #KIND "_fprint";                                                  \
    grid_printer p;                                                                                     \
    GrB_Info info = grid_print_start(&p, object, GRID_KIND_OF(object), (int)pr, f, call);               \
    if (info != GrB_SUCCESS) return info;                                                               \
    grid_print_title(&p, name, &object->head);                                                          \
    print_##KIND(&p, object);                                                                           \
    return grid_print_end(&p, &object->head, call);                                                     \
  }
DEFINE(GrB, Scalar)
DEFINE(GrB, Type)
DEFINE(GrB, UnaryOp)
DEFINE(GrB, BinaryOp)
DEFINE(GrB, IndexUnaryOp)
DEFINE(GrB, Monoid)
DEFINE(GrB, Semiring)
DEFINE(GrB, Descriptor)
DEFINE(GxB, IndexBinaryOp)
DEFINE(GxB, Context)
