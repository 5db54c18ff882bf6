! SPDX-License-Identifier: GPL-3.0-or-later
! Heat on a line, by mpi_f08: neighbours exchange their edges, and all sum up.
program heat
  use mpi_f08
  implicit none
  integer :: rank, size, i, n, left, right
  type(MPI_Request) :: req(4)
  type(MPI_Status) :: st(4)
  real(8) :: u(0:101), v(0:101), s, t
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
  call MPI_Finalize()
end program
