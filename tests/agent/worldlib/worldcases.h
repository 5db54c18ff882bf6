// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <functional>
#include <numeric>
#include <vector>

/// What a case knows of its surroundings.
namespace worldcases {

inline const MPI_Comm all = MPI_COMM_WORLD;

/// Known from MPI_Init on.
extern int rank;
extern int size;

inline int next() { return (rank + 1) % size; }
inline int before() { return (rank - 1 + size) % size; }

using Values = std::vector<int>;

/// As many as there are ranks.
inline Values perRank(int value) { return Values(static_cast<std::size_t>(size), value); }

inline std::vector<int> numbers(int count, int seed)
{
    std::vector<int> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), seed * 1000);
    return values;
}

inline bool isFrom(const std::vector<int>& values, int seed)
{
    return values == numbers(static_cast<int>(values.size()), seed);
}

/// Of all ranks.
inline int sumOfRanks() { return size * (size - 1) / 2; }

template <class Values>
decltype(auto) at(Values& values, int index)
{
    return values[static_cast<std::size_t>(index)];
}

/// MPI_SUCCESS, or what kind of error a code stands for.
inline int classOf(int code)
{
    int found = 0;
    MPI_Error_class(code, &found);
    return found;
}

/// Elements of a type that a message had, as its status tells.
inline int countOf(const MPI_Status& status, MPI_Datatype type = MPI_INT)
{
    int count = -1;
    MPI_Get_count(&status, type, &count);
    return count;
}

/// A communicator or a type of a case, which is freed with it.
template <class Handle, int (*release)(Handle*)>
class Owned {
public:
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { release(&m_handle); }
    operator Handle() const { return m_handle; }
    Handle* operator&() { return &m_handle; }

private:
    Handle m_handle{};
};
inline int freeComm(MPI_Comm* comm)
{
    return *comm == MPI_COMM_NULL || *comm == nullptr ? MPI_SUCCESS : MPI_Comm_free(comm);
}
using Comm = Owned<MPI_Comm, freeComm>;
using Type = Owned<MPI_Datatype, MPI_Type_free>;
using Op = Owned<MPI_Op, MPI_Op_free>;
using Group = Owned<MPI_Group, MPI_Group_free>;

/// A copy of MPI_COMM_WORLD whose errors are returned.
inline void tolerant(Comm& comm)
{
    MPI_Comm_dup(all, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

/// A case for two ranks and more.
template <bool (*holds)()>
bool withTwo()
{
    return size < 2 || holds();
}

struct Case {
    const char* name;
    std::function<bool()> holds;
};

/// Messages between two ranks: all ways to send, at all sizes.
std::vector<Case> messageCases();
/// A first round through collective operations, communicators, groups, topologies and errors.
std::vector<Case> groupCases();
/// Waiting for requests, cancelling; sends that wait and such that do not.
std::vector<Case> requestCases();
/// Which message goes where: probes, order, many, long, to nobody.
std::vector<Case> deliveryCases();
/// Datatypes in messages and collective operations, packing, what a status tells.
std::vector<Case> typeCases();
/// Collective operations in place, uneven, not waited for.
std::vector<Case> collectiveCases();
/// Reductions, prefixes and their operations.
std::vector<Case> reductionCases();
/// Communicators, intercommunicators, groups, attributes.
std::vector<Case> communicatorCases();
std::vector<Case> topologyCases();
/// Errors and their handlers, what MPI says of itself.
std::vector<Case> environmentCases();
/// Files that several ranks open together.
std::vector<Case> fileCases();
/// What Open MPI 4 does not hold, mostly because it crashes.
std::vector<Case> beyondCases();
std::vector<Case> beyondFileCases();

} // namespace worldcases
