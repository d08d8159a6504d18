/* Moving data in and out: extensions under the names, types and values of SuiteSparse:GraphBLAS 10.5.1 (its
 * user guide describes them; the text here is about this library). Included after GraphBLAS.h
 * and gridblas_gxb_objects.h, which has the constants.
 *
 * Ranges. On one process all that follows is as in SuiteSparse. On several, arrays and iterators are local:
 * each process passes, or gets, the part of the object that it owns. It owns the rows of its Grid_local_range
 * (gridblas.h) of nrows; for forms by column, the columns of its Grid_local_range of ncols. Of a vector it
 * owns the entries of its Grid_local_range of the size. Indices inside the arrays are global. Sizes, numbers
 * of entries and flags are those of the process's own arrays; a process that owns nothing may pass NULL.
 *
 * Arrays. They belong to the program before a pack, import or load and after an unpack, export or unload. The
 * program allocates and frees them with the functions that it gave to GxB_init (else malloc and free). After
 * a successful pack, import or load they are freed, and the program's pointers are NULL. Every such call
 * copies: the library's arrays have indices of 32 bits inside a block, and its own allocator. The time is
 * that of reading and writing the arrays once, and on several processes of sending the entries that do not
 * stay in their process's block.
 *
 * Errors beyond those of every function (GraphBLAS.h), where they are named: GrB_INVALID_OBJECT, the contents
 * of arrays are not valid. On failure nothing changes: neither the objects nor the program's arrays. */
#ifndef GRIDBLAS_GXB_DATA_H
#define GRIDBLAS_GXB_DATA_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- matrices as arrays ------------------------------------------------------------------------------ */

/* Forms of a matrix A. m is the number of rows that this process owns (by column: columns), L the length of
 * one; entry sizes are that of A's type. All sizes of arrays are in bytes.
 *   CSR        Ap[0 .. m]: where each owned row's entries begin in Aj and Ax, and the end; Ap[0] = 0. Aj:
 *              columns. Ax: values
 *   HyperCSR   Ah[0 .. nvec): those owned rows that have entries, ascending; Ap[0 .. nvec] for these rows
 *   BitmapR    Ab[m L]: 1 where there is an entry, row by row; Ax[m L]: values; nvals: how many there are
 *   FullR      Ax[m L]: every position has an entry
 *   CSC, HyperCSC, BitmapC, FullC: the same by column, with row indices in Ai
 * iso: all entries of the arrays have the value Ax[0], and Ax needs no more. jumbled: indices may be in any
 * order inside a row (column); none may occur twice.
 *
 * GxB_Matrix_pack_FORM: A, which has the right type and dimensions, loses its entries and gets those of the
 * arrays. A's GxB_FORMAT becomes by row or by column, as the form is. Offsets, indices and lists are verified
 * in any case, since they are read. By default unsorted indices are sorted, whatever `jumbled` says, and
 * nvals of a bitmap is counted. With GxB_IMPORT = GxB_SECURE_IMPORT in desc these, too, are errors, as is an
 * index that occurs twice in arrays that are iso (it is one entry otherwise). Rows of a block that are sorted
 * are copied; others are sorted. Errors: GrB_INVALID_VALUE (an array has fewer bytes than its form needs;
 * nvec exceeds the dimension), GrB_NULL_POINTER, GrB_INVALID_OBJECT (offsets that descend or do not begin at
 * 0; an index outside the matrix; a listed row that is not owned, or not above the one before it; b or nvals
 * of a bitmap), and GrB_INDEX_OUT_OF_BOUNDS (an index that occurs twice, or out of order). Collective.
 *
 * GxB_Matrix_unpack_FORM: all entries in new arrays, rows and indices ascending; A keeps its type and
 * dimensions without entries. iso NULL: values are never iso. jumbled, which may be NULL, becomes false.
 * Values of a bitmap without an entry are 0. An array without elements is NULL. desc is not used. Errors:
 * GrB_INVALID_VALUE (full, and A is not), GrB_OUT_OF_MEMORY (of the arrays: CSR has nrows / P offsets,
 * bitmaps all positions). Collective.
 *
 * GxB_Matrix_import_FORM: *A becomes a new matrix, which is packed. GxB_Matrix_export_FORM: A is unpacked and
 * freed; *type, *nrows and *ncols describe it. Collective. */
#define GRID_DECLARE_SPARSE_FORM(FORM, Ai)                                                                   \
  GrB_Info GxB_Matrix_pack_##FORM(GrB_Matrix A, GrB_Index **Ap, GrB_Index **Ai, void **Ax,                   \
                                  GrB_Index Ap_size, GrB_Index Ai##_size, GrB_Index Ax_size, bool iso,       \
                                  bool jumbled, const GrB_Descriptor desc);                                  \
  GrB_Info GxB_Matrix_unpack_##FORM(GrB_Matrix A, GrB_Index **Ap, GrB_Index **Ai, void **Ax,                 \
                                    GrB_Index *Ap_size, GrB_Index *Ai##_size, GrB_Index *Ax_size, bool *iso, \
                                    bool *jumbled, const GrB_Descriptor desc);                               \
  GrB_Info GxB_Matrix_import_##FORM(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,          \
                                    GrB_Index **Ap, GrB_Index **Ai, void **Ax, GrB_Index Ap_size,            \
                                    GrB_Index Ai##_size, GrB_Index Ax_size, bool iso, bool jumbled,          \
                                    const GrB_Descriptor desc);                                              \
  GrB_Info GxB_Matrix_export_##FORM(GrB_Matrix *A, GrB_Type *type, GrB_Index *nrows, GrB_Index *ncols,       \
                                    GrB_Index **Ap, GrB_Index **Ai, void **Ax, GrB_Index *Ap_size,           \
                                    GrB_Index *Ai##_size, GrB_Index *Ax_size, bool *iso, bool *jumbled,      \
                                    const GrB_Descriptor desc);
GRID_DECLARE_SPARSE_FORM(CSR, Aj)
GRID_DECLARE_SPARSE_FORM(CSC, Ai)

#define GRID_DECLARE_HYPER_FORM(FORM, Ai)                                                                    \
  GrB_Info GxB_Matrix_pack_##FORM(GrB_Matrix A, GrB_Index **Ap, GrB_Index **Ah, GrB_Index **Ai, void **Ax,   \
                                  GrB_Index Ap_size, GrB_Index Ah_size, GrB_Index Ai##_size,                 \
                                  GrB_Index Ax_size, bool iso, GrB_Index nvec, bool jumbled,                 \
                                  const GrB_Descriptor desc);                                                \
  GrB_Info GxB_Matrix_unpack_##FORM(GrB_Matrix A, GrB_Index **Ap, GrB_Index **Ah, GrB_Index **Ai, void **Ax, \
                                    GrB_Index *Ap_size, GrB_Index *Ah_size, GrB_Index *Ai##_size,            \
                                    GrB_Index *Ax_size, bool *iso, GrB_Index *nvec, bool *jumbled,           \
                                    const GrB_Descriptor desc);                                              \
  GrB_Info GxB_Matrix_import_##FORM(                                                                         \
      GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols, GrB_Index **Ap, GrB_Index **Ah,        \
      GrB_Index **Ai, void **Ax, GrB_Index Ap_size, GrB_Index Ah_size, GrB_Index Ai##_size,                  \
      GrB_Index Ax_size, bool iso, GrB_Index nvec, bool jumbled, const GrB_Descriptor desc);                 \
  GrB_Info GxB_Matrix_export_##FORM(                                                                         \
      GrB_Matrix *A, GrB_Type *type, GrB_Index *nrows, GrB_Index *ncols, GrB_Index **Ap, GrB_Index **Ah,     \
      GrB_Index **Ai, void **Ax, GrB_Index *Ap_size, GrB_Index *Ah_size, GrB_Index *Ai##_size,               \
      GrB_Index *Ax_size, bool *iso, GrB_Index *nvec, bool *jumbled, const GrB_Descriptor desc);
GRID_DECLARE_HYPER_FORM(HyperCSR, Aj)
GRID_DECLARE_HYPER_FORM(HyperCSC, Ai)

#define GRID_DECLARE_BITMAP_FORM(FORM)                                                                      \
  GrB_Info GxB_Matrix_pack_##FORM(GrB_Matrix A, int8_t **Ab, void **Ax, GrB_Index Ab_size,                  \
                                  GrB_Index Ax_size, bool iso, GrB_Index nvals, const GrB_Descriptor desc); \
  GrB_Info GxB_Matrix_unpack_##FORM(GrB_Matrix A, int8_t **Ab, void **Ax, GrB_Index *Ab_size,               \
                                    GrB_Index *Ax_size, bool *iso, GrB_Index *nvals,                        \
                                    const GrB_Descriptor desc);                                             \
  GrB_Info GxB_Matrix_import_##FORM(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,         \
                                    int8_t **Ab, void **Ax, GrB_Index Ab_size, GrB_Index Ax_size, bool iso, \
                                    GrB_Index nvals, const GrB_Descriptor desc);                            \
  GrB_Info GxB_Matrix_export_##FORM(GrB_Matrix *A, GrB_Type *type, GrB_Index *nrows, GrB_Index *ncols,      \
                                    int8_t **Ab, void **Ax, GrB_Index *Ab_size, GrB_Index *Ax_size,         \
                                    bool *iso, GrB_Index *nvals, const GrB_Descriptor desc);
GRID_DECLARE_BITMAP_FORM(BitmapR)
GRID_DECLARE_BITMAP_FORM(BitmapC)

#define GRID_DECLARE_FULL_FORM(FORM)                                                                    \
  GrB_Info GxB_Matrix_pack_##FORM(GrB_Matrix A, void **Ax, GrB_Index Ax_size, bool iso,                 \
                                  const GrB_Descriptor desc);                                           \
  GrB_Info GxB_Matrix_unpack_##FORM(GrB_Matrix A, void **Ax, GrB_Index *Ax_size, bool *iso,             \
                                    const GrB_Descriptor desc);                                         \
  GrB_Info GxB_Matrix_import_##FORM(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,     \
                                    void **Ax, GrB_Index Ax_size, bool iso, const GrB_Descriptor desc); \
  GrB_Info GxB_Matrix_export_##FORM(GrB_Matrix *A, GrB_Type *type, GrB_Index *nrows, GrB_Index *ncols,  \
                                    void **Ax, GrB_Index *Ax_size, bool *iso, const GrB_Descriptor desc);
GRID_DECLARE_FULL_FORM(FullR)
GRID_DECLARE_FULL_FORM(FullC)

/* ---- vectors as arrays ------------------------------------------------------------------------------- */

/* Forms of a vector v, of which this process owns n entries from `first` on (Grid_local_range):
 *   CSC     vi[nvals]: global indices inside the local range; vx: values
 *   Bitmap  vb[n]: 1 where there is an entry; vx[n]: values; nvals: how many there are
 *   Full    vx[n]: every index has an entry
 * pack, unpack, import and export do as for matrices, with the same errors. Collective. */
GrB_Info GxB_Vector_pack_CSC(GrB_Vector v, GrB_Index **vi, void **vx, GrB_Index vi_size, GrB_Index vx_size,
                             bool iso, GrB_Index nvals, bool jumbled, const GrB_Descriptor desc);
GrB_Info GxB_Vector_unpack_CSC(GrB_Vector v, GrB_Index **vi, void **vx, GrB_Index *vi_size,
                               GrB_Index *vx_size, bool *iso, GrB_Index *nvals, bool *jumbled,
                               const GrB_Descriptor desc);
GrB_Info GxB_Vector_import_CSC(GrB_Vector *v, GrB_Type type, GrB_Index n, GrB_Index **vi, void **vx,
                               GrB_Index vi_size, GrB_Index vx_size, bool iso, GrB_Index nvals, bool jumbled,
                               const GrB_Descriptor desc);
GrB_Info GxB_Vector_export_CSC(GrB_Vector *v, GrB_Type *type, GrB_Index *n, GrB_Index **vi, void **vx,
                               GrB_Index *vi_size, GrB_Index *vx_size, bool *iso, GrB_Index *nvals,
                               bool *jumbled, const GrB_Descriptor desc);
GrB_Info GxB_Vector_pack_Bitmap(GrB_Vector v, int8_t **vb, void **vx, GrB_Index vb_size, GrB_Index vx_size,
                                bool iso, GrB_Index nvals, const GrB_Descriptor desc);
GrB_Info GxB_Vector_unpack_Bitmap(GrB_Vector v, int8_t **vb, void **vx, GrB_Index *vb_size,
                                  GrB_Index *vx_size, bool *iso, GrB_Index *nvals, const GrB_Descriptor desc);
GrB_Info GxB_Vector_import_Bitmap(GrB_Vector *v, GrB_Type type, GrB_Index n, int8_t **vb, void **vx,
                                  GrB_Index vb_size, GrB_Index vx_size, bool iso, GrB_Index nvals,
                                  const GrB_Descriptor desc);
GrB_Info GxB_Vector_export_Bitmap(GrB_Vector *v, GrB_Type *type, GrB_Index *n, int8_t **vb, void **vx,
                                  GrB_Index *vb_size, GrB_Index *vx_size, bool *iso, GrB_Index *nvals,
                                  const GrB_Descriptor desc);
GrB_Info GxB_Vector_pack_Full(GrB_Vector v, void **vx, GrB_Index vx_size, bool iso,
                              const GrB_Descriptor desc);
GrB_Info GxB_Vector_unpack_Full(GrB_Vector v, void **vx, GrB_Index *vx_size, bool *iso,
                                const GrB_Descriptor desc);
GrB_Info GxB_Vector_import_Full(GrB_Vector *v, GrB_Type type, GrB_Index n, void **vx, GrB_Index vx_size,
                                bool iso, const GrB_Descriptor desc);
GrB_Info GxB_Vector_export_Full(GrB_Vector *v, GrB_Type *type, GrB_Index *n, void **vx, GrB_Index *vx_size,
                                bool *iso, const GrB_Descriptor desc);

/* GxB_Vector_unload: *X becomes a new array of the values of V, which has an entry at every index: this
 * process's own range of them. *type, *n (the size of V) and *X_size (bytes of *X) describe it; *handling is
 * GrB_DEFAULT: the program frees *X. V then has size 0. An empty array is NULL.
 * GxB_Vector_load: V becomes a vector of this type and size n, whatever it was before, with an entry at every
 * index: those of the local range are in *X. handling GrB_DEFAULT: the array is freed, and *X becomes NULL.
 * GxB_IS_READONLY: the program keeps it (the library has copied it). desc is not used.
 * Errors: GrB_INVALID_OBJECT (V has fewer entries than its size), GrB_INVALID_VALUE (X_size, n, handling),
 * GrB_NULL_POINTER. Collective. */
GrB_Info GxB_Vector_unload(GrB_Vector V, void **X, GrB_Type *type, uint64_t *n, uint64_t *X_size,
                           int *handling, const GrB_Descriptor desc);
GrB_Info GxB_Vector_load(GrB_Vector V, void **X, GrB_Type type, uint64_t n, uint64_t X_size, int handling,
                         const GrB_Descriptor desc);

/* ---- containers -------------------------------------------------------------------------------------- */

/* The contents of a matrix or vector as vectors, which are objects of the library like others. On several
 * processes they are distributed and describe the whole matrix, not a process's part: offsets are into all
 * entries. So a program that computes with them runs unchanged on any number of processes.
 *   format           GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL
 *   orientation      GrB_ROWMAJOR, or GrB_COLMAJOR: rows and columns change roles in what follows
 *   p, h, i, b       offsets (nrows + 1, or of the listed rows one more than these), listed rows, columns of
 *                    the entries, bitmap (nrows * ncols); those that the format lacks have size 0
 *   x                values, one if iso; its type is that of the matrix
 *   Y                a hash of h in SuiteSparse; here always NULL, and freed by a load
 * After an unload p is UINT32, or UINT64 if there are 2^32 entries or more. h and i are INT32, or INT64 if a
 * dimension exceeds 2^31. b is INT8. A load takes any of these four integer types for p, h and i.
 * nrows_nonempty and ncols_nonempty are -1, unknown, and are not read. The members named `future` are zero
 * and not read. */
struct GxB_Container_struct {
  uint64_t nrows, ncols;
  int64_t nrows_nonempty, ncols_nonempty;
  uint64_t nvals;
  uint64_t u64_future[11];
  int32_t format, orientation;
  int32_t header_arena; /* 0 */
  uint32_t u32_future[13];
  GrB_Vector p, h, b, i, x;
  GrB_Vector vector_future[11];
  GrB_Matrix Y;
  GrB_Matrix matrix_future[15];
  bool iso, jumbled;
  bool bool_future[30];
  void *void_future[16];
};
typedef struct GxB_Container_struct *GxB_Container;

/* *Container becomes an empty one, with vectors of size 0. GxB_Container_free frees it and its objects and
 * sets *Container to NULL; a NULL handle does nothing. Collective. */
GrB_Info GxB_Container_new(GxB_Container *Container);
GrB_Info GxB_Container_free(GxB_Container *Container);

/* GxB_unload_Matrix_into_Container, _Vector_: the contents go to the container, by row or column as
 * GxB_FORMAT says. The form is full if there is an entry at every position; bitmap if the matrix has its
 * bitmap form; hypersparse if there are 8 rows (by column: columns) or more for each entry; else sparse. A
 * vector is full, sparse with an entry for 32 indices or fewer, else bitmap. If GxB_SPARSITY_CONTROL does not
 * allow that form, it is one that it allows (vectors: a matrix of one column, by column). What the container
 * held before is lost. A then is 0 x 0, V has size 0. Entries are sorted: jumbled is false.
 * GxB_load_Matrix_from_Container, _Vector_: A (V) becomes what the container describes, with its type and
 * dimensions, whatever it was before; the container is empty afterwards. A vector is loaded from a matrix of
 * one column, by column, that is not hypersparse. desc: GxB_IMPORT, as in GxB_Matrix_pack. Every entry is
 * copied, and sent where the layouts of the matrix and of its vectors differ. Errors of a load:
 * GrB_NULL_POINTER (a vector is NULL), GrB_INVALID_VALUE (types of p, h, i and b; dimensions),
 * GrB_INVALID_OBJECT (format, orientation, sizes of the vectors, vectors that lack entries, nvals; offsets,
 * indices and lists as in GxB_Matrix_pack), GrB_INDEX_OUT_OF_BOUNDS (as there). On failure nothing changes.
 * Collective. */
GrB_Info GxB_unload_Matrix_into_Container(GrB_Matrix A, GxB_Container Container, const GrB_Descriptor desc);
GrB_Info GxB_unload_Vector_into_Container(GrB_Vector V, GxB_Container Container, const GrB_Descriptor desc);
GrB_Info GxB_load_Matrix_from_Container(GrB_Matrix A, GxB_Container Container, const GrB_Descriptor desc);
GrB_Info GxB_load_Vector_from_Container(GrB_Vector V, GxB_Container Container, const GrB_Descriptor desc);

/* The hash of a hypersparse matrix's rows, which the library does not have: *Y = NULL; and a hash that is
 * given is freed, and *Y becomes NULL. Collective. */
GrB_Info GxB_unpack_HyperHash(GrB_Matrix A, GrB_Matrix *Y, const GrB_Descriptor desc);
GrB_Info GxB_pack_HyperHash(GrB_Matrix A, GrB_Matrix *Y, const GrB_Descriptor desc);

/* ---- iterators --------------------------------------------------------------------------------------- */

/* An iterator goes over the entries that this process owns; on one process all of them. Of a matrix they are
 * the rows of its Grid_local_range of nrows, of a column iterator the columns of its Grid_local_range of
 * ncols, of a vector its Grid_local_range. Indices are global. attach is collective; all other functions are
 * local and cost as much as reading an array. The same loops as with SuiteSparse's iterators visit each entry
 * on exactly one process. attach copies the values, and on several processes all entries: an iterator goes on
 * over the entries of its attach when the object changes or is freed (SuiteSparse forbids that). */
typedef struct GB_Iterator_opaque *GxB_Iterator;

/* *iterator becomes a new one, attached to nothing. GxB_Iterator_free frees it; NULL does nothing. Local. */
GrB_Info GxB_Iterator_new(GxB_Iterator *iterator);
GrB_Info GxB_Iterator_free(GxB_Iterator *iterator);

/* attach: to a matrix or vector, whose changes are merged; then a seek must come first. A matrix that stores
 * its rows has all three kinds of iterator (SuiteSparse's row iterator refuses one by column). desc is not
 * used. Errors: GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. Collective. */
GrB_Info GxB_rowIterator_attach(GxB_Iterator iterator, GrB_Matrix A, GrB_Descriptor desc);
GrB_Info GxB_colIterator_attach(GxB_Iterator iterator, GrB_Matrix A, GrB_Descriptor desc);
GrB_Info GxB_Matrix_Iterator_attach(GxB_Iterator iterator, GrB_Matrix A, GrB_Descriptor desc);
GrB_Info GxB_Vector_Iterator_attach(GxB_Iterator iterator, GrB_Vector v, GrB_Descriptor desc);

/* By rows; the colIterator does the same by columns, with "row" and "column" exchanged. An iterator lists
 * rows: if the matrix is hypersparse those that have entries, else all owned ones.
 *   kount       how many rows are listed
 *   seekRow(i)  goes to the first listed row from i on
 *   kseek(k)    goes to the k-th listed row
 *   nextRow     goes to the next listed row
 *   nextCol     goes to the next entry of the row
 * They return GrB_SUCCESS: at an entry; GrB_NO_VALUE: the row has no entry (seeks, nextRow), or no more
 * (nextCol); GxB_EXHAUSTED: there is no such row. getRowIndex: the row, nrows once exhausted. getColIndex:
 * the entry's column, only at an entry. Local. */
GrB_Index GxB_rowIterator_kount(GxB_Iterator iterator);
GrB_Info GxB_rowIterator_seekRow(GxB_Iterator iterator, GrB_Index row);
GrB_Info GxB_rowIterator_kseek(GxB_Iterator iterator, GrB_Index k);
GrB_Info GxB_rowIterator_nextRow(GxB_Iterator iterator);
GrB_Info GxB_rowIterator_nextCol(GxB_Iterator iterator);
GrB_Index GxB_rowIterator_getRowIndex(GxB_Iterator iterator);
GrB_Index GxB_rowIterator_getColIndex(GxB_Iterator iterator);
GrB_Index GxB_colIterator_kount(GxB_Iterator iterator);
GrB_Info GxB_colIterator_seekCol(GxB_Iterator iterator, GrB_Index col);
GrB_Info GxB_colIterator_kseek(GxB_Iterator iterator, GrB_Index k);
GrB_Info GxB_colIterator_nextCol(GxB_Iterator iterator);
GrB_Info GxB_colIterator_nextRow(GxB_Iterator iterator);
GrB_Index GxB_colIterator_getColIndex(GxB_Iterator iterator);
GrB_Index GxB_colIterator_getRowIndex(GxB_Iterator iterator);

/* Entry by entry, by rows: the position p of an entry is its number, 0 .. pmax - 1. seek and next return
 * GrB_SUCCESS, or GxB_EXHAUSTED past the last entry; then p is pmax. getIndex: row and column of the entry
 * (or the index in the vector). Local. */
GrB_Index GxB_Matrix_Iterator_getpmax(GxB_Iterator iterator);
GrB_Info GxB_Matrix_Iterator_seek(GxB_Iterator iterator, GrB_Index p);
GrB_Info GxB_Matrix_Iterator_next(GxB_Iterator iterator);
GrB_Index GxB_Matrix_Iterator_getp(GxB_Iterator iterator);
void GxB_Matrix_Iterator_getIndex(GxB_Iterator iterator, GrB_Index *row, GrB_Index *col);
GrB_Index GxB_Vector_Iterator_getpmax(GxB_Iterator iterator);
GrB_Info GxB_Vector_Iterator_seek(GxB_Iterator iterator, GrB_Index p);
GrB_Info GxB_Vector_Iterator_next(GxB_Iterator iterator);
GrB_Index GxB_Vector_Iterator_getp(GxB_Iterator iterator);
GrB_Index GxB_Vector_Iterator_getIndex(GxB_Iterator iterator);

/* GxB_Iterator_get_T(iterator): the value of the entry, which must have the type T: nothing is cast (0
 * otherwise). UDT: copied to *value. Local. */
#define GRID_DECLARE_ITERATOR_GET(T, C) C GxB_Iterator_get_##T(GxB_Iterator iterator);
GRID_TYPES(GRID_DECLARE_ITERATOR_GET)
/* clang++ warns that C has no std::complex, which is returned like C's complex numbers. */
#if defined(__cplusplus) && defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif
GRID_COMPLEX_TYPES(GRID_DECLARE_ITERATOR_GET)
#if defined(__cplusplus) && defined(__clang__)
#pragma clang diagnostic pop
#endif
void GxB_Iterator_get_UDT(GxB_Iterator iterator, void *value);

/* ---- serialisation ----------------------------------------------------------------------------------- */

/* *blob becomes a new array of *size bytes that holds all of A (v), the same on every process, without
 * compression. It has the bytes of GrB_Matrix_serialize (a vector is a matrix of one column), then the names
 * of the object and of its type, and the hints. desc: GxB_COMPRESSION has no effect. Collective. */
GrB_Info GxB_Matrix_serialize(void **blob, GrB_Index *size, GrB_Matrix A, const GrB_Descriptor desc);
GrB_Info GxB_Vector_serialize(void **blob, GrB_Index *size, GrB_Vector v, const GrB_Descriptor desc);
/* *A (*v) becomes the matrix (vector) of a blob, the same on every process, of these functions or of
 * GrB_Matrix_serialize. type: as GrB_Matrix_deserialize. desc is not used. Errors: as there;
 * GrB_INVALID_OBJECT (a matrix of several columns, for a vector). Collective. */
GrB_Info GxB_Matrix_deserialize(GrB_Matrix *A, GrB_Type type, const void *blob, GrB_Index size,
                                const GrB_Descriptor desc);
GrB_Info GxB_Vector_deserialize(GrB_Vector *v, GrB_Type type, const void *blob, GrB_Index size,
                                const GrB_Descriptor desc);
/* type_name, of GxB_MAX_NAME_LEN letters, becomes the name in C of the type ("double"), or a user-defined
 * type's GrB_NAME ("" if it has none, or the blob is of GrB_Matrix_serialize). Error: GrB_INVALID_OBJECT.
 * Local. */
GrB_Info GxB_deserialize_type_name(char *type_name, const void *blob, GrB_Index size);
/* Fields of a blob of `size` bytes. INT32: GrB_EL_TYPE_CODE, GrB_STORAGE_ORIENTATION_HINT, GxB_FORMAT,
 * GxB_SPARSITY_CONTROL, GxB_SPARSITY_STATUS, GxB_ISO. String: GrB_NAME, GrB_EL_TYPE_STRING; SIZE gives the
 * bytes such a string takes. Scalar: the numbers, and GxB_HYPER_SWITCH and GxB_BITMAP_SWITCH. VOID: none.
 * Errors: GrB_INVALID_OBJECT, GrB_INVALID_VALUE (field), GrB_NULL_POINTER. Local. */
GrB_Info GxB_Serialized_get_Scalar(const void *blob, GrB_Scalar value, int field, size_t size);
GrB_Info GxB_Serialized_get_String(const void *blob, char *value, int field, size_t size);
GrB_Info GxB_Serialized_get_INT32(const void *blob, int32_t *value, int field, size_t size);
GrB_Info GxB_Serialized_get_SIZE(const void *blob, size_t *value, int field, size_t size);
GrB_Info GxB_Serialized_get_VOID(const void *blob, void *value, int field, size_t size);

/* ---- storage ----------------------------------------------------------------------------------------- */

/* *size = bytes that the object takes, over all processes. Collective. */
GrB_Info GxB_Matrix_memoryUsage(size_t *size, const GrB_Matrix A);
GrB_Info GxB_Vector_memoryUsage(size_t *size, const GrB_Vector v);
/* *iso: one value is stored for all entries, which there are. Collective. */
GrB_Info GxB_Matrix_iso(bool *iso, const GrB_Matrix A);
GrB_Info GxB_Vector_iso(bool *iso, const GrB_Vector v);

/* ---- arenas ------------------------------------------------------------------------------------------ */

/* The functions without arenas, which check that these are initialised (gridblas_gxb_objects.h, "arenas").
 * GxB_K_set_arenas changes nothing. Blobs come from the functions of GxB_init in any case. Errors:
 * GrB_INVALID_VALUE (an arena). As the other functions collective; set_arenas is local. */
GrB_Info GxB_Matrix_new_arena(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                              int header_arena, int data_arena);
GrB_Info GxB_Matrix_dup_arena(GrB_Matrix *C, const GrB_Matrix A, int header_arena, int data_arena);
GrB_Info GxB_Matrix_set_arenas(GrB_Matrix *A, int header_arena, int data_arena);
GrB_Info GxB_Vector_new_arena(GrB_Vector *v, GrB_Type type, GrB_Index n, int header_arena, int data_arena);
GrB_Info GxB_Vector_dup_arena(GrB_Vector *w, const GrB_Vector u, int header_arena, int data_arena);
GrB_Info GxB_Vector_set_arenas(GrB_Vector *v, int header_arena, int data_arena);
GrB_Info GxB_Container_new_arena(GxB_Container *Container, int header_arena, int data_arena);
GrB_Info GxB_Iterator_new_arena(GxB_Iterator *iterator, int header_arena);
GrB_Info GxB_Matrix_serialize_arena(void **blob, GrB_Index *size, GrB_Matrix A, int arena,
                                    const GrB_Descriptor desc);
GrB_Info GxB_Vector_serialize_arena(void **blob, GrB_Index *size, GrB_Vector v, int arena,
                                    const GrB_Descriptor desc);
GrB_Info GxB_Matrix_deserialize_arena(GrB_Matrix *A, GrB_Type type, const void *blob, GrB_Index size,
                                      int header_arena, int data_arena, const GrB_Descriptor desc);
GrB_Info GxB_Vector_deserialize_arena(GrB_Vector *v, GrB_Type type, const void *blob, GrB_Index size,
                                      int header_arena, int data_arena, const GrB_Descriptor desc);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
