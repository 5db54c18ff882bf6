! SPDX-License-Identifier: GPL-3.0-or-later
! Heat on a line, by mpi_f08: neighbours exchange their edges, and all sum up. Then all exchange their ranks, and so do neighbours on
! a ring: each with a type of its own.
program heat
  use mpi_f08
  implicit none
  integer :: rank, size, i, n, left, right
  type(MPI_Request) :: req(4)
  type(MPI_Status) :: st(4)
  real(8) :: u(0:101), v(0:101), s, t
  integer, allocatable :: mine(:), theirs(:), counts(:), places(:)
  integer(MPI_ADDRESS_KIND) :: around(2)
  type(MPI_Datatype), allocatable :: types(:)
  type(MPI_Comm) :: ring
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  left = merge(MPI_PROC_NULL, rank-1, rank==0)
  right = merge(MPI_PROC_NULL, rank+1, rank==size-1)
  u = rank
  do n=1,100
    call MPI_Irecv(u(0),1,MPI_DOUBLE_PRECISION,left,1,MPI_COMM_WORLD,req(1))
    call MPI_Irecv(u(101),1,MPI_DOUBLE_PRECISION,right,2,MPI_COMM_WORLD,req(2))
    call MPI_Isend(u(1),1,MPI_DOUBLE_PRECISION,left,2,MPI_COMM_WORLD,req(3))
    call MPI_Isend(u(100),1,MPI_DOUBLE_PRECISION,right,1,MPI_COMM_WORLD,req(4))
    call MPI_Waitall(4,req,st)
    do i=1,100
      v(i)=u(i)+0.25d0*(u(i-1)-2*u(i)+u(i+1))
    end do
    u(1:100)=v(1:100)
  end do
  s=sum(u(1:100))
  call MPI_Allreduce(s,t,1,MPI_DOUBLE_PRECISION,MPI_SUM,MPI_COMM_WORLD)
  if(rank==0) print '(A,ES22.15)','sum ',t
  allocate(mine(size), theirs(size), counts(size), places(size), types(size))
  mine = rank + 1
  counts = 1
  types = MPI_INTEGER
  places = [(4*(i-1), i=1, size)]
  call MPI_Alltoallw(mine, counts, places, types, theirs, counts, places, types, MPI_COMM_WORLD)
  if(any(theirs /= [(i, i=1, size)])) error stop 'MPI_Alltoallw'
  theirs = rank + 1
  call MPI_Ialltoallw(MPI_IN_PLACE, counts, places, types, theirs, counts, places, types, MPI_COMM_WORLD, req(1))
  call MPI_Wait(req(1), MPI_STATUS_IGNORE)
  if(any(theirs /= [(i, i=1, size)])) error stop 'MPI_Ialltoallw'
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring)
  around = [0, 4]
  theirs = 0
  call MPI_Neighbor_alltoallw(mine, counts, around, types, theirs, counts, around, types, ring)
  if(theirs(1) /= modulo(rank-1, size)+1 .or. theirs(2) /= modulo(rank+1, size)+1) error stop 'MPI_Neighbor_alltoallw'
  call MPI_Finalize()
end program
