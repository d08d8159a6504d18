! Tests of the Fortran module: the generic names by type and object, predefined objects, errors and their texts; on any number of processes.
program fortran_types
  use gridblas
  implicit none
  integer(GrB_Index), parameter :: n = 10, indices(3) = [1, 4, 7]
  type(GrB_Vector), parameter :: none = GrB_NULL_Vector
  type(GrB_BinaryOp), parameter :: no_accum = GrB_NULL_BinaryOp
  type(GrB_Descriptor), parameter :: plain = GrB_NULL_Descriptor
  type(GrB_Vector) :: v, w
  type(GrB_Matrix) :: A, B
  type(GrB_Scalar) :: s
  type(GrB_Monoid) :: longest
  type(GrB_Descriptor) :: desc
  integer(GrB_Index) :: count, at(10), rows(10), cols(10)
  integer(c_int8_t) :: i1
  integer(c_int16_t) :: i2
  integer(c_int32_t) :: i4, values4(10)
  integer(c_int64_t) :: i8
  real(c_float) :: r4
  real(c_double) :: r8, values8(10)
  logical(c_bool) :: truth
  character(kind=c_char) :: name(128)
  character(:), allocatable :: path

  call want(GrB_init(GrB_BLOCKING), GrB_SUCCESS)

  ! elements of each type, of vectors and matrices
  call want(GrB_Vector_new(v, GrB_FP64, n), GrB_SUCCESS)
  call want(GrB_Matrix_new(A, GrB_FP64, n, n), GrB_SUCCESS)
  call want(GrB_setElement(v, 1_c_int8_t, 0_GrB_Index), GrB_SUCCESS)
  call want(GrB_setElement(v, 2_c_int16_t, 1_GrB_Index), GrB_SUCCESS)
  call want(GrB_setElement(v, 3_c_int32_t, 2_GrB_Index), GrB_SUCCESS)
  call want(GrB_setElement(v, 4_c_int64_t, 3_GrB_Index), GrB_SUCCESS)
  call want(GrB_setElement(v, 5.5_c_float, 4_GrB_Index), GrB_SUCCESS)
  call want(GrB_setElement(v, 6.5_c_double, 5_GrB_Index), GrB_SUCCESS)
  call want(GrB_setElement(v, .true._c_bool, 6_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(i1, v, 0_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(i2, v, 1_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(i4, v, 2_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(i8, v, 3_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(r4, v, 4_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(r8, v, 5_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(truth, v, 6_GrB_Index), GrB_SUCCESS)
  call check(i1 == 1 .and. i2 == 2 .and. i4 == 3 .and. i8 == 4 .and. r4 == 5.5 .and. r8 == 6.5 .and. truth)
  call want(GrB_extractElement(r8, v, 9_GrB_Index), GrB_NO_VALUE)
  call want(GrB_setElement(A, 8.25_c_double, 3_GrB_Index, 9_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(r4, A, 3_GrB_Index, 9_GrB_Index), GrB_SUCCESS)
  call check(r4 == 8.25)
  call want(GrB_Scalar_new(s, GrB_INT32), GrB_SUCCESS)
  call want(GrB_setElement(s, 77_c_int32_t), GrB_SUCCESS)
  call want(GrB_extractElement(i8, s), GrB_SUCCESS)
  call check(i8 == 77)
  call want(GrB_extractElement(s, A, 3_GrB_Index, 9_GrB_Index), GrB_SUCCESS)

  ! build and extractTuples
  call want(GrB_Vector_new(w, GrB_INT32, n), GrB_SUCCESS)
  call want(GrB_build(w, indices, [10_c_int32_t, 20_c_int32_t, 30_c_int32_t], 3_GrB_Index, no_accum), GrB_SUCCESS)
  count = 10
  call want(GrB_extractTuples(at, values4, count, w), GrB_SUCCESS)
  call check(count == 3 .and. all(at(1:3) == indices) .and. all(values4(1:3) == [10, 20, 30]))
  call want(GrB_Matrix_new(B, GrB_FP64, n, n), GrB_SUCCESS)
  call want(GrB_build(B, indices, indices, [1.5_c_double, 2.5_c_double, 3.5_c_double], 3_GrB_Index, GrB_PLUS_FP64), GrB_SUCCESS)
  count = 10
  call want(GrB_extractTuples(rows, cols, values8, count, B), GrB_SUCCESS)
  call check(count == 3 .and. sum(values8(1:3)) == 7.5 .and. all(rows(1:3) == cols(1:3)))

  ! assign, apply, select, reduce with values
  call want(GrB_assign(v, none, no_accum, 2.0_c_double, GrB_ALL, n, plain), GrB_SUCCESS)
  call want(GrB_assign(v, none, GrB_PLUS_FP64, 1_c_int32_t, indices, 3_GrB_Index, plain), GrB_SUCCESS)
  call want(GrB_reduce(r8, no_accum, GrB_PLUS_MONOID_FP64, v, plain), GrB_SUCCESS)
  call check(r8 == 23)
  call want(GrB_apply(v, none, no_accum, GrB_MINUS_FP64, v, 1.0_c_double, plain), GrB_SUCCESS) ! v - 1
  call want(GrB_apply(v, none, no_accum, GrB_MINUS_FP64, 1.0_c_double, v, plain), GrB_SUCCESS) ! 1 - v
  call want(GrB_apply(v, none, no_accum, GrB_AINV_FP64, v, plain), GrB_SUCCESS)
  call want(GrB_reduce(i8, no_accum, GrB_PLUS_MONOID_FP64, v, plain), GrB_SUCCESS)
  call check(i8 == 3)
  call want(GrB_select(v, none, no_accum, GrB_VALUEGT_FP64, v, 0.5_c_double, plain), GrB_SUCCESS)
  call want(GrB_Vector_nvals(count, v), GrB_SUCCESS)
  call check(count == 3)
  call want(GrB_reduce(v, none, no_accum, GrB_PLUS_MONOID_FP64, B, plain), GrB_SUCCESS) ! row sums
  call want(GrB_extractElement(r8, v, 4_GrB_Index), GrB_SUCCESS)
  call check(r8 == 2.5)
  call want(GrB_Monoid_new(longest, GrB_MAX_FP64, 0.0_c_double), GrB_SUCCESS)
  call want(GrB_reduce(r8, no_accum, longest, B, plain), GrB_SUCCESS)
  call check(r8 == 3.5)

  ! descriptors, fields, names
  call want(GrB_Descriptor_new(desc), GrB_SUCCESS)
  call want(GrB_Descriptor_set(desc, GrB_INP0, GrB_TRAN), GrB_SUCCESS)
  call want(GrB_transpose(A, GrB_NULL_Matrix, no_accum, B, desc), GrB_SUCCESS)
  call want(GrB_get(GrB_PLUS_FP64, name, GrB_NAME), GrB_SUCCESS)
  call check(all(name(1:13) == [character(kind=c_char) :: 'G', 'r', 'B', '_', 'P', 'L', 'U', 'S', '_', 'F', 'P', '6', '4']))
  call want(GrB_get(A, i4, GrB_EL_TYPE_CODE), GrB_SUCCESS)
  call check(i4 == GrB_FP64_CODE)

  ! files and algorithms; optional arguments that are absent are NULL in C
  path = 'fortran_types_' // char(48 + Grid_size()) // '.txt' // c_null_char
  call want(Grid_Matrix_write(B, none, path, 'matrix-market' // c_null_char), GrB_SUCCESS)
  call want(GrB_free(A), GrB_SUCCESS)
  call want(Grid_Matrix_read(A, path=path), GrB_SUCCESS)
  call want(GrB_reduce(r8, no_accum, GrB_PLUS_MONOID_FP64, A, plain), GrB_SUCCESS)
  call check(r8 == 7.5)
  call want(GrB_free(A), GrB_SUCCESS)
  call want(Grid_Matrix_read(A, path=path, &
                             options=Grid_Read_Options(no_loops=.true._c_bool, pattern=.true._c_bool)), GrB_SUCCESS)
  call want(GrB_Matrix_nvals(count, A), GrB_SUCCESS)
  call check(count == 0)
  call want(GrB_free(A), GrB_SUCCESS)
  call want(Grid_Matrix_read(A), GrB_NULL_POINTER)
  call want(GrB_Matrix_new(A, GrB_BOOL, n, n), GrB_SUCCESS)
  call want(Grid_Matrix_build(A, [0_GrB_Index, 1_GrB_Index], [1_GrB_Index, 2_GrB_Index], c_null_ptr, GrB_BOOL, &
                              merge(2_GrB_Index, 0_GrB_Index, Grid_rank() == 0), no_accum, Grid_MIRROR), GrB_SUCCESS)
  call want(GrB_free(w), GrB_SUCCESS)
  call want(Grid_bfs(parent=w, A=A, source=0_GrB_Index, limit=-1_c_int64_t), GrB_SUCCESS)
  call want(GrB_extractElement(i8, w, 2_GrB_Index), GrB_SUCCESS)
  call check(i8 == 1)
  call want(GrB_free(w), GrB_SUCCESS)
  call want(Grid_betweenness(w, A, [0_GrB_Index, 2_GrB_Index], 2_GrB_Index), GrB_SUCCESS)
  call want(GrB_extractElement(r8, w, 1_GrB_Index), GrB_SUCCESS)
  call check(r8 == 2)
  call want(Grid_triangles(count, A=A), GrB_SUCCESS)
  call check(count == 0)
  call want(GrB_free(w), GrB_SUCCESS)
  cols(4) = -7
  call want(Grid_Matrix_order(ids=w, first=cols, A=A, method=Grid_ORDER_DEGREE, parts=2_GrB_Index, seed=0_c_int64_t), &
            GrB_SUCCESS)
  call check(cols(1) == 0 .and. cols(3) == n .and. cols(4) == -7)

  ! errors have numbers and texts
  call want(GrB_setElement(v, 1.0_c_double, 10_GrB_Index), GrB_INVALID_INDEX)
  call check(index(Grid_last_error(), 'GrB_Vector_setElement') > 0)
  call check(Grid_size() >= 1 .and. Grid_rank() < Grid_size())

  call want(GrB_free(v), GrB_SUCCESS)
  call want(GrB_free(w), GrB_SUCCESS)
  call want(GrB_free(A), GrB_SUCCESS)
  call want(GrB_free(B), GrB_SUCCESS)
  call want(GrB_free(s), GrB_SUCCESS)
  call want(GrB_free(longest), GrB_SUCCESS)
  call want(GrB_free(desc), GrB_SUCCESS)
  call check(.not. c_associated(v%object))
  call want(GrB_finalize(), GrB_SUCCESS)

contains
  subroutine want(info, expected)
    integer(c_int), intent(in) :: info, expected
    if (info == expected) return
    print *, 'expected ', expected, ', got ', info, ': ', Grid_last_error()
    error stop 1
  end subroutine
  subroutine check(condition)
    logical, intent(in) :: condition
    if (condition) return
    print *, 'a value is wrong'
    error stop 1
  end subroutine
end program
