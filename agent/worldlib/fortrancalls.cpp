// SPDX-License-Identifier: GPL-3.0-or-later
// Calls from Fortran that Open MPI's layer for it cannot hand on: it takes as many types from their arrays as its own communicator
// has ranks, and that is of this process alone. All others reach the library through that layer.
#include "checks.h"
#include "communicator.h"

#include <mpi.h>

#include <vector>

/// Addresses by which Fortran says MPI_IN_PLACE and MPI_BOTTOM. Weak: Open MPI may have been built without Fortran.
extern "C" __attribute__((weak)) int mpi_fortran_in_place_;
extern "C" __attribute__((weak)) int mpi_fortran_bottom_;

namespace tasuki::world {

namespace {

void* addressOf(void* data)
{
    if (data == nullptr)
        return data;
    if (data == &mpi_fortran_in_place_)
        return MPI_IN_PLACE;
    return data == &mpi_fortran_bottom_ ? MPI_BOTTOM : data;
}

/// Types of `count` neighbours or ranks; none if the data is in its place already.
std::vector<MPI_Datatype> typesOf(const void* data, const MPI_Fint* numbers, int count)
{
    std::vector<MPI_Datatype> types;
    if (data != MPI_IN_PLACE)
        for (int index = 0; index < count; ++index)
            types.push_back(MPI_Type_f2c(numbers[index]));
    return types;
}

struct Partners {
    int destinations = 0;
    int sources = 0;
};
using PartnersOf = Partners (*)(const Communicator&);

/// Those whom an operation of all exchanges data with.
Partners ranksOf(const Communicator& communicator)
{
    const int all = communicator.peers().size();
    return {all, all};
}

/// The same for an operation among neighbours.
Partners neighboursAround(const Communicator& communicator)
{
    const Neighbours found = neighboursOf(communicator);
    return {static_cast<int>(found.destinations.size()), static_cast<int>(found.sources.size())};
}

/// One side of an operation, as Fortran gives it.
template <class Place>
struct Given {
    void* data;
    const MPI_Fint* counts;
    const Place* places;
    const MPI_Fint* types;
};

/// Hands a blocking operation on to C.
template <class Place, class Function>
void callBlocking(const char* name, Function function, PartnersOf partnersOf, Given<Place> sent,
                  Given<Place> got, const MPI_Fint* number, MPI_Fint* error)
{
    const MPI_Comm comm = MPI_Comm_f2c(*number);
    // A wrong communicator has none: the operation itself says so.
    const SharedCommunicator communicator = Call(name).communicator(comm);
    const Partners with = communicator ? partnersOf(*communicator) : Partners{};
    void* const from = addressOf(sent.data);
    void* const to = addressOf(got.data);
    const int code = function(from, sent.counts, sent.places,
                              typesOf(from, sent.types, with.destinations).data(), to, got.counts,
                              got.places, typesOf(to, got.types, with.sources).data(), comm);
    if (error != nullptr)
        *error = code;
}

/// The same with a request.
template <class Place, class Function>
void callWithRequest(const char* name, Function function, PartnersOf partnersOf, Given<Place> sent,
                     Given<Place> got, const MPI_Fint* number, MPI_Fint* request, MPI_Fint* error)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    const auto begin = [&](auto... arguments) { return function(arguments..., &handle); };
    MPI_Fint code = MPI_SUCCESS;
    callBlocking(name, begin, partnersOf, sent, got, number, &code);
    if (code == MPI_SUCCESS)
        *request = MPI_Request_c2f(handle);
    if (error != nullptr)
        *error = code;
}

} // namespace

/// A function under the names that compilers of Fortran and Open MPI's modules call it by.
#define TASUKI_FORTRAN(name, ...)                                                                  \
    extern "C" __attribute__((visibility("default"))) void mpi_##name##_(__VA_ARGS__)              \
        __attribute__((alias("ompi_" #name "_f")));                                                \
    extern "C" __attribute__((visibility("default"))) void pmpi_##name##_(__VA_ARGS__)             \
        __attribute__((alias("ompi_" #name "_f")));                                                \
    extern "C" __attribute__((visibility("default"))) void ompi_##name##_f(__VA_ARGS__)

#define TASUKI_MIXED(name, function, Place, partnersOf)                                            \
    TASUKI_FORTRAN(name, void* sent, const MPI_Fint* sentCounts, const Place* sentPlaces,          \
                   const MPI_Fint* sentTypes, void* got, const MPI_Fint* gotCounts,                \
                   const Place* gotPlaces, const MPI_Fint* gotTypes, const MPI_Fint* comm,         \
                   MPI_Fint* error)                                                                \
    {                                                                                              \
        callBlocking("MPI_" #function, MPI_##function, partnersOf,                                 \
                     Given<Place>{sent, sentCounts, sentPlaces, sentTypes},                        \
                     Given<Place>{got, gotCounts, gotPlaces, gotTypes}, comm, error);              \
    }                                                                                              \
    TASUKI_FORTRAN(i##name, void* sent, const MPI_Fint* sentCounts, const Place* sentPlaces,       \
                   const MPI_Fint* sentTypes, void* got, const MPI_Fint* gotCounts,                \
                   const Place* gotPlaces, const MPI_Fint* gotTypes, const MPI_Fint* comm,         \
                   MPI_Fint* request, MPI_Fint* error)                                             \
    {                                                                                              \
        callWithRequest("MPI_I" #name, MPI_I##name, partnersOf,                                    \
                        Given<Place>{sent, sentCounts, sentPlaces, sentTypes},                     \
                        Given<Place>{got, gotCounts, gotPlaces, gotTypes}, comm, request, error);  \
    }

TASUKI_MIXED(alltoallw, Alltoallw, MPI_Fint, ranksOf)
TASUKI_MIXED(neighbor_alltoallw, Neighbor_alltoallw, MPI_Aint, neighboursAround)

} // namespace tasuki::world
