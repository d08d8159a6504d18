/* Operations beyond the standard, with the names, types and semantics of SuiteSparse:GraphBLAS 10.5.1. They
 * are the union with defaults, assignment under a mask of the region's size, ranges and vectors as index
 * lists. Also concatenation and its reverse, diagonals, sorting, reshaping, tuples in vectors. GraphBLAS.h
 * has the notation, and the errors that every function can return; I and J are the lists of rows and columns,
 * X the values. All functions are collective: every process passes the same arguments. Objects may lie on any
 * grid, dense or sparse. desc may be NULL; where a function has no masks and no operands to transpose it is
 * only checked. */
#ifndef GRIDBLAS_GXB_OPERATIONS_H
#define GRIDBLAS_GXB_OPERATIONS_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- element-wise union ------------------------------------------------------------------------------- */

/* w<mask> accum= t on the union of the entries of u and v: t(i) = op(u(i), v(i)); op(u(i), beta) where v has
 * no entry; op(alpha, v(i)) where u has none. Matrices likewise, transposed by GrB_INP0 and GrB_INP1 =
 * GrB_TRAN. A positional operator gives the position everywhere; to one of GxB_BinaryOp_new_IndexOp alpha and
 * beta have the position of the entry beside them. With the device on, t is computed on the CPU. Errors:
 * GrB_EMPTY_OBJECT (alpha or beta has no entry), GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH. */
GrB_Info GxB_Vector_eWiseUnion(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                               const GrB_BinaryOp op, const GrB_Vector u, const GrB_Scalar alpha,
                               const GrB_Vector v, const GrB_Scalar beta, const GrB_Descriptor desc);
GrB_Info GxB_Matrix_eWiseUnion(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                               const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Scalar alpha,
                               const GrB_Matrix B, const GrB_Scalar beta, const GrB_Descriptor desc);

/* ---- ranges as index lists ---------------------------------------------------------------------------- */

/* In place of the number of indices of GrB_extract, GrB_assign and GxB_subassign; the list I then holds begin
 * and end (included), and the last two a step:
 *   GxB_RANGE      I[GxB_BEGIN], + 1, ... I[GxB_END]
 *   GxB_STRIDE     I[GxB_BEGIN], + I[GxB_INC], ... not above I[GxB_END]
 *   GxB_BACKWARDS  I[GxB_BEGIN], - I[GxB_INC], ... not below I[GxB_END]
 * A step of 0, and an end on the wrong side of the beginning, give an empty list. A range of the rows or
 * columns of a matrix takes no memory; other ranges become lists. Error: GrB_INDEX_OUT_OF_BOUNDS. */
#define GxB_RANGE     (INT64_MAX)
#define GxB_STRIDE    (INT64_MAX - 1)
#define GxB_BACKWARDS (INT64_MAX - 2)
#define GxB_BEGIN     (0)
#define GxB_END       (1)
#define GxB_INC       (2)

/* ---- vectors as index lists --------------------------------------------------------------------------- */

/* How the functions ..._Vector below read their index vectors I and J and the vector of values X is said by
 * fields of a descriptor: GxB_ROWINDEX_LIST, GxB_COLINDEX_LIST and GxB_VALUE_LIST (gridblas_gxb_objects.h).
 * Their values, of which GxB_USE_VALUES is the default, GxB_USE_INDICES and GxB_IS_STRIDE. The list is the
 * vector's values in the order of their indices, or the indices of its entries. A stride, for I and J alone,
 * is a vector of three entries, begin, end (included) and step, which may be negative. */

/* ---- assignment under a mask of the region's size ----------------------------------------------------- */

/* w(I)<mask> accum= u, C(I, J)<Mask> accum= A (A transposed by GrB_INP0 = GrB_TRAN), or a value x for all of
 * the region. As GrB_assign, but the mask has the size of the region, not of the output, and nothing outside
 * the region changes, with GrB_REPLACE neither. An empty GrB_Scalar assigns no entries. No index twice.
 * Errors: GrB_DIMENSION_MISMATCH, GrB_INDEX_OUT_OF_BOUNDS, GrB_DOMAIN_MISMATCH. */
GrB_Info GxB_Vector_subassign(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                              const GrB_Vector u, const GrB_Index *rows, GrB_Index nrows,
                              const GrB_Descriptor desc);
GrB_Info GxB_Matrix_subassign(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                              const GrB_Matrix A, const GrB_Index *rows, GrB_Index nrows,
                              const GrB_Index *cols, GrB_Index ncols, const GrB_Descriptor desc);
/* C(i, J)<mask> accum= u', C(I, j)<mask> accum= u. Errors: also GrB_INVALID_INDEX (i, j). */
GrB_Info GxB_Row_subassign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                           GrB_Index i, const GrB_Index *cols, GrB_Index ncols, const GrB_Descriptor desc);
GrB_Info GxB_Col_subassign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                           const GrB_Index *rows, GrB_Index nrows, GrB_Index j, const GrB_Descriptor desc);
#define GRID_DECLARE_SUBASSIGN(T, C_TYPE)                                                                    \
  GrB_Info GxB_Vector_subassign_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, C_TYPE x, \
                                    const GrB_Index *rows, GrB_Index nrows, const GrB_Descriptor desc);      \
  GrB_Info GxB_Matrix_subassign_##T(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, C_TYPE x, \
                                    const GrB_Index *rows, GrB_Index nrows, const GrB_Index *cols,           \
                                    GrB_Index ncols, const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_SUBASSIGN)
GRID_COMPLEX_TYPES(GRID_DECLARE_SUBASSIGN)
GRID_DECLARE_SUBASSIGN(UDT, const void *)
GRID_DECLARE_SUBASSIGN(Scalar, const GrB_Scalar)

/* ---- tiles, diagonals, other shapes ------------------------------------------------------------------- */

/* C = the m x n matrices Tiles[i * n + j], one beside the other; each row of tiles has a height, each column
 * a width, and C's dimensions are their sums. Entries are cast to C's type; C may be one of the tiles. All
 * entries are in memory meanwhile. C and tiles may be GrB_Vector, of one column, and tiles GrB_Scalar, that
 * the program cast to GrB_Matrix, as python-graphblas does. Errors: GrB_INVALID_VALUE (no tiles),
 * GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH. */
GrB_Info GxB_Matrix_concat(GrB_Matrix C, const GrB_Matrix *Tiles, GrB_Index m, GrB_Index n,
                           const GrB_Descriptor desc);
/* Tiles[i * n + j] becomes a new matrix of Tile_nrows[i] x Tile_ncols[j], of A's type, for i < m and j < n:
 * the reverse of GxB_Matrix_concat. If A is a GrB_Vector that was cast to GrB_Matrix, and n is 1, the tiles
 * are vectors, to be cast back. On failure Tiles does not change. Errors:
 * GrB_INVALID_VALUE (no tiles), GrB_DIMENSION_MISMATCH (their sizes do not add up to A's). */
GrB_Info GxB_Matrix_split(GrB_Matrix *Tiles, GrB_Index m, GrB_Index n, const GrB_Index *Tile_nrows,
                          const GrB_Index *Tile_ncols, const GrB_Matrix A, const GrB_Descriptor desc);

/* v(i) = A(i, i + k), or A(i - k, i) for k < 0, cast to v's type; other entries of v go. v has the length of
 * the diagonal; 0 where A has none. Errors: GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH. */
GrB_Info GxB_Vector_diag(GrB_Vector v, const GrB_Matrix A, int64_t k, const GrB_Descriptor desc);
/* C = the square matrix with v on diagonal k, as GrB_Matrix_diag makes it; cast to C's type. Errors as above.
 */
GrB_Info GxB_Matrix_diag(GrB_Matrix C, const GrB_Vector v, int64_t k, const GrB_Descriptor desc);

/* C gets other dimensions; entries keep their number, counted by columns (by_col) or by rows. reshapeDup: *C
 * becomes a new matrix, and A stays; A may be a GrB_Vector that was cast to GrB_Matrix. All entries are in
 * memory meanwhile. Errors: GrB_DIMENSION_MISMATCH (not as many positions), GrB_OUT_OF_MEMORY (more than 2^60
 * positions). */
GrB_Info GxB_Matrix_reshape(GrB_Matrix C, bool by_col, GrB_Index nrows_new, GrB_Index ncols_new,
                            const GrB_Descriptor desc);
GrB_Info GxB_Matrix_reshapeDup(GrB_Matrix *C, const GrB_Matrix A, bool by_col, GrB_Index nrows_new,
                               GrB_Index ncols_new, const GrB_Descriptor desc);

/* ---- sorting ------------------------------------------------------------------------------------------ */

/* Sorts each row of A, or with GrB_INP0 = GrB_TRAN each column: of the k entries of row i, C(i, 0) .. C(i, k
 * - 1) are the values in order, P(i, 0) .. P(i, k - 1) the columns that these have in A; equal values by
 * column. op: a comparison (T, T) -> BOOL, as GrB_LT_FP64 for ascending values. C has A's type, P one of
 * INT32 (dimensions below 2^31), UINT32 (below 2^32), INT64, UINT64; either may be NULL; C may be A. All
 * entries are in memory meanwhile; rows may be longer than the memory of a process. Errors: GrB_NULL_POINTER
 * (both are NULL), GrB_DIMENSION_MISMATCH (C, P and A differ), GrB_DOMAIN_MISMATCH, GrB_NOT_IMPLEMENTED (C
 * and P are one object). */
GrB_Info GxB_Matrix_sort(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A,
                         const GrB_Descriptor desc);
/* The same for the entries of a vector. */
GrB_Info GxB_Vector_sort(GrB_Vector w, GrB_Vector p, GrB_BinaryOp op, GrB_Vector u,
                         const GrB_Descriptor desc);

/* ---- entries ------------------------------------------------------------------------------------------ */

/* GrB_SUCCESS: there is an entry A(i, j), v(i); GrB_NO_VALUE: there is none. Error: GrB_INVALID_INDEX. */
GrB_Info GxB_Matrix_isStoredElement(const GrB_Matrix A, GrB_Index i, GrB_Index j);
GrB_Info GxB_Vector_isStoredElement(const GrB_Vector v, GrB_Index i);

/* C(I[k], J[k]) = scalar, w(I[k]) = scalar for k < nvals; the output is empty before. Indices may repeat.
 * Errors: GrB_EMPTY_OBJECT (the scalar has no entry), GrB_OUTPUT_NOT_EMPTY, GrB_INDEX_OUT_OF_BOUNDS,
 * GrB_DOMAIN_MISMATCH. */
GrB_Info GxB_Matrix_build_Scalar(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols,
                                 const GrB_Scalar scalar, GrB_Index nvals);
GrB_Info GxB_Vector_build_Scalar(GrB_Vector w, const GrB_Index *rows, const GrB_Scalar scalar,
                                 GrB_Index nvals);

/* GrB_build and build_Scalar of tuples in vectors of as many entries, which every process reads whole.
 * Errors: also GrB_INVALID_VALUE (different numbers of entries; a descriptor with GxB_IS_STRIDE). */
GrB_Info GxB_Matrix_build_Vector(GrB_Matrix C, const GrB_Vector rows, const GrB_Vector cols,
                                 const GrB_Vector values, const GrB_BinaryOp dup, const GrB_Descriptor desc);
GrB_Info GxB_Vector_build_Vector(GrB_Vector w, const GrB_Vector rows, const GrB_Vector values,
                                 const GrB_BinaryOp dup, const GrB_Descriptor desc);
GrB_Info GxB_Matrix_build_Scalar_Vector(GrB_Matrix C, const GrB_Vector rows, const GrB_Vector cols,
                                        const GrB_Scalar scalar, const GrB_Descriptor desc);
GrB_Info GxB_Vector_build_Scalar_Vector(GrB_Vector w, const GrB_Vector rows, const GrB_Scalar scalar,
                                        const GrB_Descriptor desc);
/* I, J and X become dense vectors with as many values as A (v) has entries. They are the rows and columns,
 * and the values, in the same order, which on several processes is unspecified. Their types change: UINT32
 * for indices of a dimension below 2^31, else UINT64; and A's. Each may be NULL. Error: GrB_NOT_IMPLEMENTED
 * (two are one vector). */
GrB_Info GxB_Matrix_extractTuples_Vector(GrB_Vector rows, GrB_Vector cols, GrB_Vector values,
                                         const GrB_Matrix A, const GrB_Descriptor desc);
GrB_Info GxB_Vector_extractTuples_Vector(GrB_Vector rows, GrB_Vector values, const GrB_Vector v,
                                         const GrB_Descriptor desc);

/* ---- extract, assign and subassign with vectors as index lists ---------------------------------------- */

/* As the functions without _Vector; a NULL list stands for GrB_ALL. Every process reads the lists whole.
 * Errors: also GrB_INVALID_VALUE (a stride without three entries), GrB_DOMAIN_MISMATCH (a list of a
 * user-defined type). */
#define GRID_DECLARE_BY_VECTOR(OPERATION)                                                                    \
  GrB_Info GxB_Vector_##OPERATION##_Vector(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,    \
                                           const GrB_Vector u, const GrB_Vector rows,                        \
                                           const GrB_Descriptor desc);                                       \
  GrB_Info GxB_Matrix_##OPERATION##_Vector(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,    \
                                           const GrB_Matrix A, const GrB_Vector rows, const GrB_Vector cols, \
                                           const GrB_Descriptor desc);
#define GRID_DECLARE_ASSIGN_BY_VECTOR(OPERATION)                                                       \
  GRID_DECLARE_BY_VECTOR(OPERATION)                                                                    \
  GrB_Info GxB_Vector_##OPERATION##_Scalar_Vector(GrB_Vector w, const GrB_Vector mask,                 \
                                                  const GrB_BinaryOp accum, const GrB_Scalar x,        \
                                                  const GrB_Vector rows, const GrB_Descriptor desc);   \
  GrB_Info GxB_Matrix_##OPERATION##_Scalar_Vector(                                                     \
      GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Scalar x,               \
      const GrB_Vector rows, const GrB_Vector cols, const GrB_Descriptor desc);                        \
  GrB_Info GxB_Row_##OPERATION##_Vector(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                        const GrB_Vector u, GrB_Index i, const GrB_Vector cols,        \
                                        const GrB_Descriptor desc);                                    \
  GrB_Info GxB_Col_##OPERATION##_Vector(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                        const GrB_Vector u, const GrB_Vector rows, GrB_Index j,        \
                                        const GrB_Descriptor desc);
GRID_DECLARE_BY_VECTOR(extract)
GRID_DECLARE_ASSIGN_BY_VECTOR(assign)
GRID_DECLARE_ASSIGN_BY_VECTOR(subassign)
GrB_Info GxB_Col_extract_Vector(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                const GrB_Matrix A, const GrB_Vector rows, GrB_Index j,
                                const GrB_Descriptor desc);

/* ---- older names of calls of the standard ------------------------------------------------------------- */

/* GrB_Matrix_apply_BinaryOp1st_Scalar, and so on. GxB_kron: GrB_Matrix_kronecker_BinaryOp. */
GrB_Info GxB_Matrix_apply_BinaryOp1st(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Scalar x, const GrB_Matrix A,
                                      const GrB_Descriptor desc);
GrB_Info GxB_Matrix_apply_BinaryOp2nd(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Scalar y,
                                      const GrB_Descriptor desc);
GrB_Info GxB_Vector_apply_BinaryOp1st(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Scalar x, const GrB_Vector u,
                                      const GrB_Descriptor desc);
GrB_Info GxB_Vector_apply_BinaryOp2nd(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                      const GrB_BinaryOp op, const GrB_Vector u, const GrB_Scalar y,
                                      const GrB_Descriptor desc);
GrB_Info GxB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new);
GrB_Info GxB_Vector_resize(GrB_Vector w, GrB_Index nrows_new);
GrB_Info GxB_kron(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_BinaryOp op,
                  const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc);

/* Select operators, which index-unary operators have replaced. TRIL, TRIU, DIAG, OFFDIAG: entries on or below
 * diagonal k, on or above it, on it, not on it. NONZERO, ..._ZERO: entries that compare so with 0. ..._THUNK:
 * with the thunk, cast to their type. The thunk, or k, is 0 where Thunk is NULL or has no entry. */
typedef struct GB_SelectOp_opaque *GxB_SelectOp;
/* clang-format off */
#define GRID_SELECT_OPS(X)                                                                              \
  X(TRIL) X(TRIU) X(DIAG) X(OFFDIAG) X(NONZERO) X(EQ_ZERO) X(GT_ZERO) X(GE_ZERO) X(LT_ZERO) X(LE_ZERO) \
  X(NE_THUNK) X(EQ_THUNK) X(GT_THUNK) X(GE_THUNK) X(LT_THUNK) X(LE_THUNK)
/* clang-format on */
#define GRID_DECLARE_SELECT_OP(NAME) extern GxB_SelectOp GxB_##NAME;
GRID_SELECT_OPS(GRID_DECLARE_SELECT_OP)
/* w<mask> accum= the selected entries of u, of A (transposed by GrB_INP0 = GrB_TRAN). A vector is a matrix of
 * one column. Errors: GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH (also of a user-defined type whose values
 * are to be compared). */
GrB_Info GxB_Matrix_select(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Matrix A, const GrB_Scalar Thunk,
                           const GrB_Descriptor desc);
GrB_Info GxB_Vector_select(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                           const GxB_SelectOp op, const GrB_Vector u, const GrB_Scalar Thunk,
                           const GrB_Descriptor desc);
/* *xtype, *ttype = NULL: the operators take entries and thunks of any type. Local. */
GrB_Info GxB_SelectOp_xtype(GrB_Type *xtype, const GxB_SelectOp selectop);
GrB_Info GxB_SelectOp_ttype(GrB_Type *ttype, const GxB_SelectOp selectop);
/* As GxB_UnaryOp_fprint. Local. */
GrB_Info GxB_SelectOp_fprint(GxB_SelectOp selectop, const char *name, GxB_Print_Level pr, FILE *f);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#else

/* ---- the polymorphic names, chosen by the types of the arguments -------------------------------------- */

/* clang-format off */
#define GxB_eWiseUnion(w, mask, accum, op, u, alpha, v, beta, desc) \
  _Generic((w), GrB_Vector : GxB_Vector_eWiseUnion, GrB_Matrix : GxB_Matrix_eWiseUnion) \
  (w, mask, accum, op, u, alpha, v, beta, desc)

/* By an array or a vector of indices; NULL counts as an array. P: GrB or GxB, the prefix of the form with an
 * array. */
#define GRID_BY_LIST(P, F, list) _Generic((list), GrB_Vector : GxB_##F##_Vector, default : P##_##F)
#define GRID_BY_SCALAR_LIST(P, F, x, list) \
  _Generic((list), GrB_Vector : GxB_##F##_Scalar_Vector, \
           default : _Generic((x), GxB_FC32_t : GxB_##F##_FC32, GxB_FC64_t : GxB_##F##_FC64, \
                              default : GRID_BY_VALUE(P##_##F, x)))
#define GRID_SECOND_OF(a, b, ...) b
#define GRID_SECOND(...) GRID_SECOND_OF(__VA_ARGS__, 0, 0)
#define GRID_BY_ASSIGN(P, OP, w, u, ...)                                                            \
  _Generic((w),                                                                                     \
    GrB_Vector : _Generic((u),                                                                      \
      GrB_Vector : GRID_BY_LIST(P, Vector_##OP, GRID_FIRST(__VA_ARGS__)),                           \
      default : GRID_BY_SCALAR_LIST(P, Vector_##OP, u, GRID_FIRST(__VA_ARGS__))),                   \
    GrB_Matrix : _Generic((u),                                                                      \
      GrB_Matrix : GRID_BY_LIST(P, Matrix_##OP, GRID_FIRST(__VA_ARGS__)),                           \
      GrB_Vector : _Generic((GRID_FIRST(__VA_ARGS__)),                                              \
        const GrB_Index * : P##_Col_##OP, GrB_Index * : P##_Col_##OP,                               \
        GrB_Vector : GxB_Col_##OP##_Vector,                                                         \
        default : GRID_BY_LIST(P, Row_##OP, GRID_SECOND(__VA_ARGS__))),                             \
      default : GRID_BY_SCALAR_LIST(P, Matrix_##OP, u, GRID_FIRST(__VA_ARGS__))))

#define GxB_subassign(w, mask, accum, u, ...) \
  GRID_BY_ASSIGN(GxB, subassign, w, u, __VA_ARGS__)(w, mask, accum, u, __VA_ARGS__)
/* The standard's names, with lists of both kinds. */
#undef GrB_assign
#define GrB_assign(w, mask, accum, u, ...) \
  GRID_BY_ASSIGN(GrB, assign, w, u, __VA_ARGS__)(w, mask, accum, u, __VA_ARGS__)
#undef GrB_extract
#define GrB_extract(w, mask, accum, u, ...)                                                         \
  _Generic((w),                                                                                     \
    GrB_Vector : _Generic((u),                                                                      \
      GrB_Matrix : GRID_BY_LIST(GrB, Col_extract, GRID_FIRST(__VA_ARGS__)),                         \
      default : GRID_BY_LIST(GrB, Vector_extract, GRID_FIRST(__VA_ARGS__))),                        \
    GrB_Matrix : GRID_BY_LIST(GrB, Matrix_extract, GRID_FIRST(__VA_ARGS__)))                        \
  (w, mask, accum, u, __VA_ARGS__)

#define GxB_select(w, mask, accum, op, u, thunk, desc)                               \
  _Generic((w), GrB_Vector : GxB_Vector_select, GrB_Matrix : GxB_Matrix_select) \
  (w, mask, accum, op, u, thunk, desc)
#define GxB_sort(w, p, op, u, desc)                                                       \
  _Generic((u), GrB_Vector : GxB_Vector_sort, GrB_Matrix : GxB_Matrix_sort)(w, p, op, u, desc)
/* clang-format on */
#endif
#endif
