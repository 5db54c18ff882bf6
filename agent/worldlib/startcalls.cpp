// SPDX-License-Identifier: GPL-3.0-or-later
// The beginning and the end, and what is one for the whole process.
#include "algorithms.h"
#include "checks.h"
#include "exported.h"
#include "fortrannumbers.h"
#include "making.h"
#include "real.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace tasuki::world {

namespace {

bool begun = false;
bool over = false;

int begin(const char* name, int wanted, int* provided)
{
    if (begun) {
        std::fprintf(stderr, "tasuki-world: error: %s is called a second time\n", name);
        return MPI_ERR_OTHER;
    }
    if (const char* missing = real::find()) {
        std::fprintf(stderr, "tasuki-world: error: this Open MPI has no %s\n", missing);
        std::exit(1);
    }
    begun = true;
    if (const std::string wrong = Program::join(wanted); !wrong.empty()) {
        std::fprintf(stderr, "tasuki-world: error: %s\n", wrong.c_str());
        std::exit(1);
    }
    if (provided != nullptr)
        *provided = Program::current()->threads();
    return MPI_SUCCESS;
}

template <class Object>
MPI_Fint numberOf(Object* object)
{
    if (object->fortran[0] == 0)
        object->fortran.fill(giveFortranNumber(object));
    return object->fortran[0];
}

} // namespace

TASUKI_WORLD(int, Init, int* argc, char*** argv)
{
    static_cast<void>(argc);
    static_cast<void>(argv);
    return begin("MPI_Init", MPI_THREAD_SINGLE, nullptr);
}

TASUKI_WORLD(int, Init_thread, int* argc, char*** argv, int wanted, int* provided)
{
    static_cast<void>(argc);
    static_cast<void>(argv);
    return begin("MPI_Init_thread", wanted, provided);
}

TASUKI_WORLD(int, Initialized, int* flag)
{
    *flag = begun ? 1 : 0;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Finalized, int* flag)
{
    *flag = over ? 1 : 0;
    return MPI_SUCCESS;
}

TASUKI_WORLD(double, Wtime, void) { return decided::seconds(); }

TASUKI_WORLD(int, Query_thread, int* provided)
{
    const Call call("MPI_Query_thread");
    *provided = call->threads();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Finalize, void)
{
    {
        const Call call("MPI_Finalize");
        // Nobody leaves before what others still send to it has come.
        run(*call, barrier({*call, call->communicators().share(MPI_COMM_WORLD)}));
    }
    Program::leave();
    over = true;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Abort, MPI_Comm comm, int code)
{
    static_cast<void>(comm);
    Program* const program = Program::current();
    if (program != nullptr)
        program->endpoint().end(); // it was not killed
    std::fflush(nullptr);
    std::fprintf(stderr, "tasuki-world: MPI_Abort on rank %d with code %d\n",
                 program != nullptr ? static_cast<int>(program->me()) : -1, code);
    ::_exit(code == 0 ? 1 : code & 0xff ? code & 0xff : 1);
}

TASUKI_WORLD(MPI_Fint, Request_c2f, MPI_Request handle)
{
    return handle == MPI_REQUEST_NULL ? real::Request_c2f(handle) : numberOf(Request::of(handle));
}

TASUKI_WORLD(MPI_Request, Request_f2c, MPI_Fint number)
{
    void* const found = handleOfFortran(number);
    return found == nullptr ? real::Request_f2c(number) : static_cast<MPI_Request>(found);
}

TASUKI_WORLD(MPI_Fint, Message_c2f, MPI_Message handle)
{
    if (handle == MPI_MESSAGE_NULL || handle == MPI_MESSAGE_NO_PROC)
        return real::Message_c2f(handle);
    return numberOf(reinterpret_cast<TakenMessage*>(handle));
}

TASUKI_WORLD(MPI_Message, Message_f2c, MPI_Fint number)
{
    void* const found = handleOfFortran(number);
    return found == nullptr ? real::Message_f2c(number) : static_cast<MPI_Message>(found);
}

namespace {

/// Whether a user has made a type, and may free it.
bool isOfUser(MPI_Datatype type)
{
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    real::Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER
        && combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX;
}

} // namespace

TASUKI_WORLD(int, Type_free, MPI_Datatype* type)
{
    Program* const program = Program::current();
    if (program != nullptr && *type != MPI_DATATYPE_NULL && isOfUser(*type)) {
        const auto lock = program->lock();
        if (program->keepFreed(*type)) {
            *type = MPI_DATATYPE_NULL;
            return MPI_SUCCESS;
        }
    }
    forgetShape(*type);
    return real::Type_free(type);
}

TASUKI_WORLD(int, Op_free, MPI_Op* op)
{
    Program* const program = Program::current();
    if (program != nullptr && *op != MPI_OP_NULL && !isBuiltIn(*op)) {
        const auto lock = program->lock();
        if (program->keepFreed(*op)) {
            *op = MPI_OP_NULL;
            return MPI_SUCCESS;
        }
    }
    return real::Op_free(op);
}

} // namespace tasuki::world
