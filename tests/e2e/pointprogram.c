/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An MPI program with restart points. Usage: pointprogram KIND STEPS MILLISECONDS-A-STEP
 *
 * Each rank adds up what comes round a ring, and prints a line each tenth step; rank 0 tells the sum at the end, and each rank on
 * standard error how many steps its last process has made. Kinds:
 * ring   nothing else
 * file   writes a file, too
 * hangs  the first process of rank 1 gives no sign of life after step 20
 * late   its restart points begin with step 20 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tasuki.h>
#include <time.h>

static void rest(long milliseconds)
{
    struct timespec time;
    time.tv_sec = milliseconds / 1000;
    time.tv_nsec = milliseconds % 1000 * 1000000;
    nanosleep(&time, NULL);
}

int main(int argc, char** argv)
{
    tasuki_place place;
    const char* kind = argc > 1 ? argv[1] : "ring";
    const int steps = argc > 2 ? atoi(argv[2]) : 100;
    const long pause = argc > 3 ? atol(argv[3]) : 10;
    int rank, size, step = 0, made = 0, saved = 0, restored = 0;
    long sum = 0, all = 0;
    FILE* file = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    tasuki_where(&place);
    if (strcmp(kind, "file") == 0)
        file = fopen(rank == 0 ? "result.0" : "result.1", "w");
    tasuki_protect(1, &step, sizeof step);
    tasuki_protect(2, &sum, sizeof sum);
    for (; step < steps; ++step) {
        int from = 0;
        if (strcmp(kind, "late") != 0 || step >= 20) {
            const int what = tasuki_restart_point();
            saved += what == TASUKI_SAVED;
            restored += what == TASUKI_RESTORED;
        }
        if (strcmp(kind, "hangs") == 0)
            tasuki_alive(1);
        if (strcmp(kind, "hangs") == 0 && rank == 1 && step == 20 && place.incarnation == 1)
            rest(600000);
        MPI_Sendrecv(&step, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT, MPI_ANY_SOURCE, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += from;
        ++made;
        if (step % 10 == 0)
            printf("rank %d step %d sum %ld\n", rank, step, sum);
        if (file != NULL)
            fprintf(file, "%d\n", step);
        rest(pause);
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %ld\n", all);
    fprintf(stderr, "%s rank %d of %d incarnation %d made %d saved %d restored %d\n",
            place.subcluster, place.rank, place.ranks, place.incarnation, made, saved, restored);
    MPI_Finalize();
    return 0;
}
