/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an MPI program may tell Tasuki about itself, and ask it. All of it is optional: a program that knows nothing of this goes on
 * after a loss, too, from its start. Link with -ltasuki; outside a world each function does nothing. C99, C++ and Fortran (ISO C
 * binding). Between MPI_Init and MPI_Finalize, from the thread that called MPI_Init. */
#ifndef TASUKI_H
#define TASUKI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where this process is. */
typedef struct tasuki_place {
    const char* subcluster; /* its name; "" outside a run of Tasuki */
    int rank;               /* in MPI_COMM_WORLD; -1 outside a world */
    int ranks;              /* of the world; 0 outside one */
    int incarnation; /* of the rank, from 1: each one goes on where the one before was lost; 0 outside a world */
} tasuki_place;

/* Fills in where this process is.
 * Returns 1 in a world, 0 outside one. */
int tasuki_where(tasuki_place* place);

/* Names memory that the program needs to go on from a restart point; before the first one. The same id again: another place, or
 * another size, of it.
 * id      chosen by the program; the same in each incarnation
 * memory  must stay where it is until the last restart point, or be named again
 * bytes   0: it is not needed any more
 * Returns 0, or -1: there is no memory. */
int tasuki_protect(int id, void* memory, size_t bytes);

/* What tasuki_restart_point() has done. */
enum {
    TASUKI_NOT_SAVED =
        0, /* nothing: it is not time yet, or it cannot be now (`tasuki-agent show --worlds` says why) */
    TASUKI_SAVED = 1, /* an incarnation that follows goes on from here */
    TASUKI_RESTORED =
        2 /* this is an incarnation that goes on: the memory that was named is as it was saved */
};

/* A place in the program from which it can go on, called again and again, in its outermost loop for instance. No request may be
 * under way, and what was sent to this rank may well be. Once in a second (TASUKI_RESTART_SECONDS), or earlier where much is sent, it
 * saves the memory that was named; an incarnation that follows runs from the start of the program to its first call, and is then given what the latest
 * one has saved. Communicators, datatypes and operations that are used after it must be made before the first call.
 * It is no collective operation: each rank has restart points where it likes.
 * Returns one of the above. */
int tasuki_restart_point(void);

/* A sign of life: the program promises the next one within so many seconds. If it does not come, the program hangs: it is
 * killed, and another incarnation goes on. A restart point is a sign, too; while it waits in MPI for others none is due.
 * seconds  0: it promises no more */
void tasuki_alive(unsigned seconds);

#ifdef __cplusplus
}
#endif

#endif
