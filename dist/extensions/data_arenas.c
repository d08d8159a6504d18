/* The constructors of matrices, vectors, containers, iterators and blobs that name an arena, whose numbers
 * they check (arenas.c). */
#include "dist/extensions/arenas.h"
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "gridblas_gxb_objects.h"
#include "gridblas_gxb_data.h"

static GrB_Info check_two(int header_arena, int data_arena, const char *call) {
  const GrB_Info info = grid_arena_check(header_arena, call);
  return info == GrB_SUCCESS ? grid_arena_check(data_arena, call) : info;
}

/* The outcome of `make`, if the arenas are initialised. */
#define IN_ARENAS(call, make)                                \
  GrB_Info info = check_two(header_arena, data_arena, call); \
  return info == GrB_SUCCESS ? (make) : info

GrB_Info GxB_Matrix_new_arena(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                              int header_arena, int data_arena) {
  IN_ARENAS("GxB_Matrix_new_arena", GrB_Matrix_new(A, type, nrows, ncols));
}
GrB_Info GxB_Matrix_dup_arena(GrB_Matrix *C, const GrB_Matrix A, int header_arena, int data_arena) {
  IN_ARENAS("GxB_Matrix_dup_arena", GrB_Matrix_dup(C, A));
}
GrB_Info GxB_Vector_new_arena(GrB_Vector *v, GrB_Type type, GrB_Index n, int header_arena, int data_arena) {
  IN_ARENAS("GxB_Vector_new_arena", GrB_Vector_new(v, type, n));
}
GrB_Info GxB_Vector_dup_arena(GrB_Vector *w, const GrB_Vector u, int header_arena, int data_arena) {
  IN_ARENAS("GxB_Vector_dup_arena", GrB_Vector_dup(w, u));
}

/* Nothing moves: a live object and valid numbers are all that is needed. */
#define SET_ARENAS(K, A)                                                                       \
  GrB_Info GxB_##K##_set_arenas(GrB_##K *A, int header_arena, int data_arena) {                \
    static const char call[] = "GxB_" #K "_set_arenas";                                        \
    GrB_Info info = check_two(header_arena, data_arena, call);                                 \
    if (info == GrB_SUCCESS && !A)                                                             \
      info = grid_fail(NULL, GrB_NULL_POINTER, "%s: the pointer to the object is NULL", call); \
    if (info == GrB_SUCCESS) info = grid_check_local(*A, call, "the object");                  \
    return info;                                                                               \
  }
SET_ARENAS(Matrix, A)
SET_ARENAS(Vector, v)

GrB_Info GxB_Container_new_arena(GxB_Container *Container, int header_arena, int data_arena) {
  IN_ARENAS("GxB_Container_new_arena", GxB_Container_new(Container));
}
GrB_Info GxB_Iterator_new_arena(GxB_Iterator *iterator, int header_arena) {
  const GrB_Info info = grid_arena_check(header_arena, "GxB_Iterator_new_arena");
  return info == GrB_SUCCESS ? GxB_Iterator_new(iterator) : info;
}
GrB_Info GxB_Matrix_serialize_arena(void **blob, GrB_Index *size, GrB_Matrix A, int arena,
                                    const GrB_Descriptor desc) {
  const GrB_Info info = grid_arena_check(arena, "GxB_Matrix_serialize_arena");
  return info == GrB_SUCCESS ? GxB_Matrix_serialize(blob, size, A, desc) : info;
}
GrB_Info GxB_Vector_serialize_arena(void **blob, GrB_Index *size, GrB_Vector v, int arena,
                                    const GrB_Descriptor desc) {
  const GrB_Info info = grid_arena_check(arena, "GxB_Vector_serialize_arena");
  return info == GrB_SUCCESS ? GxB_Vector_serialize(blob, size, v, desc) : info;
}
GrB_Info GxB_Matrix_deserialize_arena(GrB_Matrix *A, GrB_Type type, const void *blob, GrB_Index size,
                                      int header_arena, int data_arena, const GrB_Descriptor desc) {
  IN_ARENAS("GxB_Matrix_deserialize_arena", GxB_Matrix_deserialize(A, type, blob, size, desc));
}
GrB_Info GxB_Vector_deserialize_arena(GrB_Vector *v, GrB_Type type, const void *blob, GrB_Index size,
                                      int header_arena, int data_arena, const GrB_Descriptor desc) {
  IN_ARENAS("GxB_Vector_deserialize_arena", GxB_Vector_deserialize(v, type, blob, size, desc));
}
