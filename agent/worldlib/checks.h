// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decided.h"
#include "program.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

/// How a call begins: it takes the program's lock and checks that what is asked of it is possible.
namespace tasuki::world {

/// A call of MPI between MPI_Init and MPI_Finalize.
class Call {
public:
    explicit Call(const char* name)
    {
        m_program = Program::current();
        if (m_program == nullptr) {
            std::fprintf(stderr, "tasuki-world: error: %s before MPI_Init or after MPI_Finalize\n",
                         name);
            std::abort();
        }
        m_lock = m_program->lock();
        m_program->beginCall(name);
    }
    Program* operator->() const { return m_program; }
    Program& operator*() const { return *m_program; }
    /// @return null: it is no communicator
    [[nodiscard]] SharedCommunicator communicator(MPI_Comm handle) const
    {
        return handle == MPI_COMM_NULL ? nullptr : m_program->communicators().share(handle);
    }

private:
    decided::Inside m_inside;
    Program* m_program;
    std::unique_lock<std::recursive_mutex> m_lock;
};

/// @return what is wrong with what is to be sent or received; MPI_SUCCESS: nothing
int checkBuffer(const void* buffer, int count, MPI_Datatype type);
int checkDestination(const Communicator& communicator, int rank);
int checkSource(const Communicator& communicator, int rank);
int checkSendTag(int tag);
int checkReceiveTag(int tag);
int checkRoot(const Communicator& communicator, int root);

} // namespace tasuki::world

/// Returns from a call with an error, through the error handler of a communicator.
#define TASUKI_CHECK(comm, expression)                                                             \
    if (const int wrong_ = (expression); wrong_ != MPI_SUCCESS)                                    \
    return tasuki::world::fail(comm, wrong_)

/// Finds the communicator that a `call` is of, or returns from it with an error.
#define TASUKI_COMMUNICATOR(variable, handle)                                                      \
    const auto variable = call.communicator(handle);                                               \
    if (!(variable))                                                                               \
    return tasuki::world::fail(MPI_COMM_WORLD, MPI_ERR_COMM)
