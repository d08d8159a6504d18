! Conjugate gradients, as conjugate_gradient.c: A x = b, A the five-point Laplace operator on a square mesh with zero boundary values. Each
! process generates the rows that it owns.
program conjugate_gradient
  use gridblas
  implicit none
  integer(GrB_Index), parameter :: side = 40, n = side * side
  type(GrB_Matrix) :: A
  type(GrB_Vector) :: x, r, p, q, w
  type(GrB_Vector), parameter :: none = GrB_NULL_Vector
  type(GrB_BinaryOp), parameter :: no_accum = GrB_NULL_BinaryOp
  type(GrB_Descriptor), parameter :: plain = GrB_NULL_Descriptor
  real(c_double) :: rr, start, pq, before, step, rest, middle
  integer :: steps

  call try(GrB_init(GrB_NONBLOCKING))
  call laplace()
  call try(GrB_Vector_new(x, GrB_FP64, n))
  call try(GrB_Vector_new(r, GrB_FP64, n))
  call try(GrB_Vector_new(q, GrB_FP64, n))
  call try(GrB_Vector_new(w, GrB_FP64, n))

  ! b = 1 everywhere, x = 0, so the residual r = b
  call try(GrB_assign(x, none, no_accum, 0.0_c_double, GrB_ALL, n, plain))
  call try(GrB_assign(r, none, no_accum, 1.0_c_double, GrB_ALL, n, plain))
  call try(GrB_Vector_dup(p, r))
  rr = dot(r, r)
  start = rr
  do steps = 1, 1000
    if (rr <= 1e-20_c_double * start) exit
    ! q = A p; x += step p; r -= step q; p = r + rr/before p
    call try(GrB_mxv(q, none, no_accum, GrB_PLUS_TIMES_SEMIRING_FP64, A, p, plain))
    pq = dot(p, q)
    step = rr / pq
    before = rr
    call try(GrB_apply(x, none, GrB_PLUS_FP64, GrB_TIMES_FP64, step, p, plain))
    call try(GrB_apply(r, none, GrB_PLUS_FP64, GrB_TIMES_FP64, -step, q, plain))
    rr = dot(r, r)
    call try(GrB_apply(p, none, no_accum, GrB_TIMES_FP64, rr / before, p, plain))
    call try(GrB_eWiseAdd(p, none, no_accum, GrB_PLUS_FP64, p, r, plain))
  end do

  ! the residual b - A x, recomputed
  call try(GrB_assign(r, none, no_accum, 1.0_c_double, GrB_ALL, n, plain))
  call try(GrB_mxv(r, none, GrB_MINUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, plain))
  rest = dot(r, r)
  call try(GrB_extractElement(middle, x, n / 2 + side / 2))
  if (sqrt(rest) >= 1e-6_c_double * sqrt(start)) error stop 'not solved'
  if (Grid_rank() == 0) print '("x in the middle is ", f0.6, ", solved")', middle

  call try(GrB_free(A))
  call try(GrB_free(x))
  call try(GrB_free(r))
  call try(GrB_free(p))
  call try(GrB_free(q))
  call try(GrB_free(w))
  call try(GrB_finalize())

contains
  ! A's rows of this process: 4 on the diagonal, -1 for each neighbour.
  subroutine laplace()
    integer(GrB_Index) :: first, local_rows, i, k
    integer(GrB_Index), allocatable :: row(:), col(:)
    real(c_double), allocatable, target :: value(:)
    integer(GrB_Index) :: neighbours(4)
    logical :: inside(4)
    call try(Grid_local_range(n, first, local_rows))
    allocate(row(5 * local_rows), col(5 * local_rows), value(5 * local_rows))
    k = 0
    do i = first, first + local_rows - 1
      neighbours = [i - side, i + side, i - 1, i + 1]
      inside = [i >= side, i < n - side, mod(i, side) > 0, mod(i + 1, side) > 0]
      row(k + 1:k + 1 + count(inside)) = i
      col(k + 1:k + 1 + count(inside)) = [i, pack(neighbours, inside)]
      value(k + 1:k + 1 + count(inside)) = -1
      value(k + 1) = 4
      k = k + 1 + count(inside)
    end do
    call try(GrB_Matrix_new(A, GrB_FP64, n, n))
    call try(Grid_Matrix_build(A, row, col, c_loc(value), GrB_FP64, k, no_accum, 0_c_int))
  end subroutine

  ! u . v, with w as workspace
  function dot(u, v) result(z)
    type(GrB_Vector), intent(in) :: u, v
    real(c_double) :: z
    call try(GrB_eWiseMult(w, none, no_accum, GrB_TIMES_FP64, u, v, plain))
    call try(GrB_reduce(z, no_accum, GrB_PLUS_MONOID_FP64, w, plain))
  end function

  subroutine try(info)
    integer(c_int), intent(in) :: info
    if (info == GrB_SUCCESS) return
    print *, 'error ', info, ': ', Grid_last_error()
    error stop
  end subroutine
end program
