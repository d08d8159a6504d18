/* Known differences: where a reference library deviates, and from which section of the specification
 * (GraphBLAS C API 2.1). Random programs and steps avoid these cases and no others. 7.4 is Debian's
 * SuiteSparse:GraphBLAS, 10.5.1 that of the Python package (TWIN_NEWER); entries without a number concern
 * both.
 *
 * Cases that are avoided elsewhere, because they do not depend on a single call's arguments:
 *
 * - A value of -0.0 in a mask is true to both; it is false when cast to bool (section 3.5.4: a mask's value
 * is cast to bool). Random floating-point values have no -0.0 (values.c), and masks of results are structural
 * (random_program_pick.c).
 * - 7.4 crashes in w<m> accum= t when m or t is stored full and w sparse (its method 08n): vectors are stored
 * as bitmaps (twin_tune_vector).
 * - With a complemented mask and no mask given, no entry is allowed. Both return before they check the
 * indices, so that an index out of bounds is no error (section 4.3.7: GrB_INDEX_OUT_OF_BOUNDS; call_move.c).
 * - After a failed build both treat the output as an invalid object; gridblas leaves it unchanged
 * (section 4.2.5.9 leaves it open; call_object.c builds wrong tuples into temporary variables).
 * - 10.5.1 returns a descriptor's name for every field queried as a string. Each field has one kind of value,
 * any other is GrB_INVALID_VALUE (sections 3.7.1, 4.2.1.1). Fields are compared with gridblas on more
 * processes only.
 * - 7.4, sporadically: a product of matrices with a complemented mask, one of them empty, has a spurious
 * entry (program 5101844; section 4.3.1). */
#include "tests/twin/random_program.h"

/* 10.5.1 misreads the scalar of a select whose operator is of another type than the values. GrB_VALUEGE_FP64
 * with 1.0 on INT32 keeps zeros (section 4.3.9: values are cast to the operator's type). */
bool known_select_scalar(const indexed *op, int t) {
  return twin_newer() && op->x >= 0 && op->x != t;
}

/* 7.4 reads past the end of a vector of equal values in apply with an index operator on them
 * (section 4.3.8). */
bool known_apply_equal_values(const indexed *op) {
  return !twin_newer() && (op->x >= NPREDEFINED || op->y >= NPREDEFINED);
}

/* Reduction to a GrB_Scalar does not check the monoid for NULL where there is nothing to reduce: no
 * GrB_NULL_POINTER (section 4.3.10), and the scalar is corrupt afterwards. */
bool known_reduce_null(void) {
  return true;
}

/* 7.4 treats an emptied object whose entries all had one value as one with that value, and adds it
 * (section 4.3.10: the identity). */
bool known_reduce_emptied(void) {
  return !twin_newer();
}

/* eWiseAdd casts a transposed input to the operator's type first, also where an entry has no partner and is
 * copied. (Section 4.3.5: cast to the output's type; without the transposition both do that.) */
bool known_cast_of_transpose(void) {
  return true;
}

/* eWiseMult whose output is also an operand or the mask reads the row list of a hypersparse matrix after it
 * is freed: entries get arbitrary rows (section 4.3.4). */
bool known_ewise_mult_in_place(void) {
  return true;
}

/* eWiseAdd whose operands and mask are all the same object reads values of other entries where they are cast
 * (section 4.3.5). */
bool known_ewise_add_of_mask(void) {
  return true;
}

/* 7.4 casts a fraction to bool through an integer in select: 0.5 is false (section 3.3: as in C). t: the
 * scalar's type. */
bool known_select_cast(const indexed *op, int t) {
  return !twin_newer() && op->y == T_BOOL && is_real(t);
}

/* Select uses 64-bit indices where the operator's type is 32-bit: 2^32 is not zero (section 4.3.9: the result
 * in the operator's output type; overflow is left open there). n: the larger dimension. */
bool known_select_position(const indexed *op, GrB_Index n) {
  return n > INT32_MAX && strstr(op->name, "INDEX_INT32");
}

/* 7.4 rejects its own serialized form of a matrix that was emptied by a product with equal values. */
bool known_serialize_emptied(void) {
  return !twin_newer();
}

/* With a complemented mask that is not given or has all entries (0 of 0, for one), no entry is allowed. Both
 * return before they check that a bound scalar is empty, with success. (Sections 4.3.8 and 4.3.9: an empty
 * scalar is GrB_EMPTY_OBJECT in any case.) */
bool known_empty_scalar(const goal *g) {
  return g->d.complement;
}

/* An assignment to row (column) 0 of a matrix without rows (columns) is GrB_INDEX_OUT_OF_BOUNDS, or success,
 * to both (section 4.3.7: GrB_INVALID_INDEX). */
bool known_assign_to_no_row(void) {
  return true;
}

/* 10.5.1 does not sort an input with unfinished updates: C is the input, or invalid, and P has no entries
 * (user guide, GxB_sort). The input is completed first. */
bool known_sort_pending(void) {
  return twin_newer();
}

/* Both return GrB_DOMAIN_MISMATCH for an accumulated product of user-defined type t with the inner dimension
 * 0, although all types match. So does 10.5.1 for such a reduction of a matrix to a vector (sections 4.3.1,
 * 4.3.10). */
bool known_empty_product(const goal *g, int t, GrB_Index inner) {
  return g->accum && t >= NPREDEFINED && inner == 0;
}

/* 10.5.1 subtracts the entries whose deletion is unfinished from a vector to all of which a value is then
 * assigned: too few are reported (section 4.3.7). The vector is completed first. */
bool known_assign_to_deleted(void) {
  return twin_newer();
}
