! SPDX-License-Identifier: GPL-3.0-or-later
! Sends its rank along a ring, 20 times, in one of the three ways that Fortran has to MPI.
program ring
#if defined(F08)
  use mpi_f08
#elif defined(MODULE)
  use mpi
#endif
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  integer :: error, rank, ranks, round, got
  double precision :: own, total
#if defined(F08)
  type(MPI_Status) :: status
  type(MPI_Request) :: request
#else
  integer :: status(MPI_STATUS_SIZE)
  integer :: request
#endif
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do round = 1, 20
    call MPI_Irecv(got, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 7, MPI_COMM_WORLD, request, error)
    call MPI_Send(rank, 1, MPI_INTEGER, mod(rank + 1, ranks), 7, MPI_COMM_WORLD, error)
    call MPI_Wait(request, status, error)
    if (got /= mod(rank + ranks - 1, ranks)) stop 3
  end do
  own = rank
  call MPI_Allreduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,f6.1)', 'sum', total
  call MPI_Finalize(error)
end program
