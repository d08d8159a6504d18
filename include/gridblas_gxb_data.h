/* Moving data in and out: extensions under the names, types and values of SuiteSparse:GraphBLAS 10.5.1 (its
 * user guide describes them; the text here is about this library). Included after GraphBLAS.h.
 *
 * Ranges. On one process all that follows is as in SuiteSparse. On several, arrays and iterators are local:
 * each process passes, or gets, the part of the object that it owns. It owns the rows of its Grid_local_range
 * (gridblas.h) of nrows, for forms by column the columns of its Grid_local_range of ncols, and of a vector
 * the entries of its Grid_local_range of the size. Indices inside the arrays are global. Sizes, numbers of
 * entries and flags are those of the process's own arrays; a process that owns nothing may pass NULL.
 *
 * Arrays. They belong to the program before a pack, import or load and after an unpack, export or unload. The
 * program allocates them with malloc and frees them with free; after a successful pack, import or load they
 * are freed, and the program's pointers are NULL. Every such call copies: the library's arrays have indices
 * of 32 bits inside a block, and its own allocator. The time is that of reading and writing the arrays once,
 * and on several processes of sending the entries that do not stay in their process's block.
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

/* ---- constants --------------------------------------------------------------------------------------- */

/* Forms of a matrix or vector, as bits: GxB_SPARSITY_CONTROL is a sum of them. */
#define GxB_HYPERSPARSE   1
#define GxB_SPARSE        2
#define GxB_BITMAP        4
#define GxB_FULL          8
#define GxB_ANY_SPARSITY  15
#define GxB_AUTO_SPARSITY 15

/* Values of the field GxB_FORMAT. */
typedef enum { GxB_BY_ROW = 0, GxB_BY_COL = 1, GxB_NO_FORMAT = -1 } GxB_Format_Value;
#define GxB_FORMAT_DEFAULT GxB_BY_ROW
#define GxB_HYPER_DEFAULT  0.0625
#define GxB_ALWAYS_HYPER   1.0
#define GxB_NEVER_HYPER    (-1.0)

/* Fields of matrices and vectors, for GrB_get, GrB_set and the GxB_..._Option functions below. */
typedef enum {
  GxB_HYPER_SWITCH = 7000,     /* FP64, matrices: a hint, kept and given back */
  GxB_BITMAP_SWITCH = 7001,    /* FP64: a hint, kept and given back */
  GxB_FORMAT = 7002,           /* INT32: GxB_BY_ROW or GxB_BY_COL: the GrB_STORAGE_ORIENTATION_HINT */
  GxB_SPARSITY_STATUS = 7034,  /* INT32, read only: the form of the entries; see GxB_Matrix_Option_get */
  GxB_SPARSITY_CONTROL = 7036, /* INT32: the forms that SPARSITY_STATUS may give and containers get */
  GxB_ISO = 7079               /* INT32, read only: 1: one value is stored for all entries */
} GxB_Option_Field;

/* Fields and values of a descriptor, for GrB_Descriptor_set_INT32 and GrB_set. */
#define GxB_COMPRESSION         7092 /* kept and given back: blobs are not compressed */
#define GxB_IMPORT              7093 /* GxB_FAST_IMPORT (the default) or GxB_SECURE_IMPORT */
#define GxB_FAST_IMPORT         0
#define GxB_SECURE_IMPORT       7080
#define GxB_COMPRESSION_NONE    (-1)
#define GxB_COMPRESSION_DEFAULT 0
#define GxB_COMPRESSION_LZ4     1000
#define GxB_COMPRESSION_LZ4HC   2000
#define GxB_COMPRESSION_ZSTD    3000

/* Who frees the array of GxB_Vector_load: the library (GrB_DEFAULT), or the program. */
#define GxB_IS_READONLY 7078

/* ---- matrices as arrays -------------------------------------------------------------------------------- */

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

/* ---- vectors as arrays -----------------------------------------------------------------------------------
 */

/* Forms of a vector v, of which this process owns n entries from `first` on (Grid_local_range):
 *   CSC     vi[nvals]: global indices inside the own range; vx: values
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
 * index: those of the own range are in *X. handling GrB_DEFAULT: the array is freed, and *X becomes NULL.
 * GxB_IS_READONLY: the program keeps it (the library has copied it). desc is not used.
 * Errors: GrB_INVALID_OBJECT (V has fewer entries than its size), GrB_INVALID_VALUE (X_size, n, handling),
 * GrB_NULL_POINTER. Collective. */
GrB_Info GxB_Vector_unload(GrB_Vector V, void **X, GrB_Type *type, uint64_t *n, uint64_t *X_size,
                           int *handling, const GrB_Descriptor desc);
GrB_Info GxB_Vector_load(GrB_Vector V, void **X, GrB_Type type, uint64_t n, uint64_t X_size, int handling,
                         const GrB_Descriptor desc);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
