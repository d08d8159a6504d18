! Breadth-first search in GraphBLAS calls, as bfs.c; the same program runs in one process and, under mpirun, on many.
program bfs
  use gridblas
  implicit none
  ! 0 - 1 - 2 - 3 - 0, 3 - 4 - 5, and 6 - 7 apart
  integer(GrB_Index), parameter :: from(7) = [0, 1, 2, 3, 3, 4, 6], to(7) = [1, 2, 3, 0, 4, 5, 7], n = 8
  integer(GrB_Index) :: found, reached
  integer(c_int32_t) :: depth
  integer :: k
  type(GrB_Matrix) :: A
  type(GrB_Vector) :: frontier, level

  call try(GrB_init(GrB_NONBLOCKING))
  call try(GrB_Matrix_new(A, GrB_BOOL, n, n))
  do k = 1, 7
    call try(GrB_setElement(A, .true._c_bool, from(k), to(k)))
    call try(GrB_setElement(A, .true._c_bool, to(k), from(k)))
  end do
  call try(GrB_Vector_new(frontier, GrB_BOOL, n))
  call try(GrB_Vector_new(level, GrB_INT32, n))
  call try(GrB_setElement(frontier, .true._c_bool, 0_GrB_Index)) ! the source

  found = 1
  depth = 0
  do while (found > 0)
    if (Grid_rank() == 0) print '("level ", i0, ": ", i0, " found")', depth, found
    ! level<frontier> = depth;  frontier<not level, replace> = frontier A
    call try(GrB_assign(level, frontier, GrB_NULL_BinaryOp, depth, GrB_ALL, n, GrB_DESC_S))
    call try(GrB_vxm(frontier, level, GrB_NULL_BinaryOp, GrB_LOR_LAND_SEMIRING_BOOL, frontier, A, GrB_DESC_RSC))
    call try(GrB_Vector_nvals(found, frontier))
    depth = depth + 1
  end do

  call try(GrB_Vector_nvals(reached, level))
  if (Grid_rank() == 0) print '(i0, " of ", i0, " vertices reached")', reached, n
  call try(GrB_free(A))
  call try(GrB_free(frontier))
  call try(GrB_free(level))
  call try(GrB_finalize())

contains
  subroutine try(info)
    integer(c_int), intent(in) :: info
    if (info == GrB_SUCCESS) return
    print *, 'error ', info, ': ', Grid_last_error()
    error stop
  end subroutine
end program
