/* The vector operations with a GrB_Scalar argument, which may be empty, and user-created descriptors. */
#include "tests/twin/twin.h"

/* A descriptor set field by field, possibly in several calls. */
static GrB_Descriptor new_descriptor(char *name) {
  GrB_Descriptor d = NULL;
  bool replace = chance(40), comp = chance(40), structure = chance(40);
  DO(GrB_Descriptor_new(&d));
  if (replace) DO(GrB_Descriptor_set(d, GrB_OUTP, GrB_REPLACE));
  if (comp) DO(GrB_Descriptor_set(d, GrB_MASK, GrB_COMP));
  if (structure) DO(GrB_Descriptor_set(d, GrB_MASK, GrB_STRUCTURE));
  sprintf(name, "%s%s%s", replace ? "R" : "", comp ? "C" : "", structure ? "S" : "");
  return d;
}

void step_scalar(void) {
  char name[8];
  GrB_Index n = 1 + below(400), i = below(n);
  int t = (int)below(NPREDEFINED), st = castable_type(t);
  GrB_Descriptor d = new_descriptor(name);
  vec w = random_vector(t, n, RICH), u = random_vector(castable_type(t), n, RICH), mask = random_mask(n);
  const binary *accum = random_accum(t, false), *op = random_binary(t);
  const indexed *index = random_indexed();
  while (index->x >= NPREDEFINED) index = random_indexed();
  GrB_BinaryOp plus = accum ? accum->op : NULL;
  value x = random_value(st, RICH);
  /* SuiteSparse checks for an empty scalar only sometimes in apply and select: step_errors has those cases */
  int kind = (int)below(6);
  bool full = kind >= 2 || chance(60);
  GrB_Scalar s = NULL;
  DO(GrB_Scalar_new(&s, twin_type[st]));
  if (full) { /* through a vector, which takes any type */
    GrB_Vector one = NULL;
    DO(GrB_Vector_new(&one, twin_type[st], 1));
    DO(vector_set(one, st, &x, 0));
    DO(GrB_Vector_extractElement_Scalar(s, one, 0));
    GrB_Vector_free(&one);
  }
  say("scalar kind %d %s %s w %s (%" PRIu64 ") mask (%" PRIu64 ") accum %s desc %s op %s %s\n", kind,
      twin_type_name[st], full ? "present" : "empty", twin_type_name[t], w.nvals, mask.nvals,
      accum ? accum->name : "-", name, op->name, index->name);
  GrB_Info info;
  switch (kind) {
    case 0:
      info = GrB_Vector_setElement_Scalar(w.v, s, i);
      break;
    case 1:
      info = GrB_Vector_assign_Scalar(w.v, mask.v, plus, s, GrB_ALL, n, d);
      break;
    case 2:
      info = GrB_Vector_apply_BinaryOp1st_Scalar(w.v, mask.v, plus, op->op, s, u.v, d);
      break;
    case 3:
      info = GrB_Vector_apply_BinaryOp2nd_Scalar(w.v, mask.v, plus, op->op, u.v, s, d);
      break;
    case 4:
      info = GrB_Vector_apply_IndexOp_Scalar(w.v, mask.v, plus, index->op, u.v, s, d);
      break;
    default:
      info = GrB_Vector_select_Scalar(w.v, mask.v, plus, index->op, u.v, s, d);
  }
  say("%d\n", (int)info);
  say_vector("w", w.v, t);
  GrB_Index nvals = 9;
  DO(GrB_Vector_extractElement_Scalar(s, w.v, i));
  DO(GrB_Scalar_nvals(&nvals, s));
  int64_t y = 0;
  say("element %" PRIu64 ", %d ", nvals, (int)GrB_Scalar_extractElement_INT64(&y, s));
  say("%" PRId64 "\n", y);
  GrB_Scalar_free(&s);
  GrB_Descriptor_free(&d);
  free_vector(&w), free_vector(&u), free_vector(&mask);
}
