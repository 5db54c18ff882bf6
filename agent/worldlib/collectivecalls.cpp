// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations: each is begun, and waited for at once or by a request.
#include "algorithms.h"
#include "betweensides.h"
#include "checks.h"
#include "exported.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tasuki::world {

namespace {

/// How a collective call ends: at once when it is done, or with a request.
class Outcome {
public:
    explicit Outcome(MPI_Request* request = nullptr) : m_request(request) {}

    int operator()(Program& program, MPI_Comm comm, Collective collective) const
    {
        if (m_request == nullptr) {
            program.wait([&] {
                collective.resume(program);
                return collective.isDone();
            });
            return collective.error() == MPI_SUCCESS ? MPI_SUCCESS : fail(comm, collective.error());
        }
        auto request = std::make_unique<Request>();
        request->kind = Request::Kind::Collective;
        request->communicator = program.communicators().share(comm);
        request->collective = std::make_unique<Collective>(std::move(collective));
        request->collective->resume(program);
        if (!request->collective->isDone())
            program.follow(*request->collective);
        *m_request = request.release()->handle();
        return MPI_SUCCESS;
    }

private:
    MPI_Request* m_request;
};

#define TASUKI_COLLECTIVE(name)                                                                    \
    const Call call(name);                                                                         \
    TASUKI_COMMUNICATOR(with, comm)

/// Of how many ranks a call has parts.
int partsOf(const Communicator& with) { return with.peers().size(); }

std::size_t countOf(int count) { return static_cast<std::size_t>(count); }

int barrierCall(const char* name, MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    return outcome(*call, comm,
                   with->isInter() ? barrierBetween({*call, with}) : barrier({*call, with}));
}

int broadcastCall(const char* name, void* buffer, int count, MPI_Datatype type, int root,
                  MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkBuffer(buffer, count, type));
    TASUKI_CHECK(comm, checkRoot(*with, root));
    const Span span{buffer, countOf(count), type};
    return outcome(*call, comm,
                   with->isInter() ? broadcastBetween({*call, with}, span, root)
                                   : broadcast({*call, with}, span, root));
}

/// Whether the call of this rank has what all give or get.
bool isRoot(const Communicator& with, int root)
{
    return with.isInter() ? root == MPI_ROOT : with.rank == root;
}

/// What a rank gives; of one that stands in its place already nothing.
Span given(const void* buffer, int count, MPI_Datatype type)
{
    if (buffer == MPI_IN_PLACE)
        return {};
    return {const_cast<void*>(buffer), countOf(count), type};
}

int checkGiven(const void* buffer, int count, MPI_Datatype type)
{
    return buffer == MPI_IN_PLACE ? MPI_SUCCESS : checkBuffer(buffer, count, type);
}

int gatherCall(const char* name, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
               const int* counts, const int* places, int count, MPI_Datatype gotType, int root,
               MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkRoot(*with, root));
    TASUKI_CHECK(comm, checkGiven(sent, sentCount, sentType));
    Spans all;
    if (isRoot(*with, root)) {
        TASUKI_CHECK(comm, checkBuffer(got, counts == nullptr ? count : 0, gotType));
        all = counts == nullptr ? Spans::even(got, countOf(count), gotType, partsOf(*with))
                                : Spans::uneven(got, counts, places, gotType, partsOf(*with));
    }
    const Span own = given(sent, sentCount, sentType);
    return outcome(*call, comm,
                   with->isInter() ? gatherBetween({*call, with}, own, std::move(all), root)
                                   : gather({*call, with}, own, std::move(all), root));
}

int scatterCall(const char* name, const void* sent, const int* counts, const int* places, int count,
                MPI_Datatype sentType, void* got, int gotCount, MPI_Datatype gotType, int root,
                MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkRoot(*with, root));
    TASUKI_CHECK(comm, checkGiven(got, gotCount, gotType));
    Spans all;
    if (isRoot(*with, root)) {
        TASUKI_CHECK(comm, checkBuffer(sent, counts == nullptr ? count : 0, sentType));
        void* const data = const_cast<void*>(sent);
        all = counts == nullptr ? Spans::even(data, countOf(count), sentType, partsOf(*with))
                                : Spans::uneven(data, counts, places, sentType, partsOf(*with));
    }
    const Span own = given(got, gotCount, gotType);
    return outcome(*call, comm,
                   with->isInter() ? scatterBetween({*call, with}, std::move(all), own, root)
                                   : scatter({*call, with}, std::move(all), own, root));
}

int allgatherCall(const char* name, const void* sent, int sentCount, MPI_Datatype sentType,
                  void* got, const int* counts, const int* places, int count, MPI_Datatype gotType,
                  MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkGiven(sent, sentCount, sentType));
    TASUKI_CHECK(comm, checkBuffer(got, counts == nullptr ? count : 0, gotType));
    Spans all = counts == nullptr ? Spans::even(got, countOf(count), gotType, partsOf(*with))
                                  : Spans::uneven(got, counts, places, gotType, partsOf(*with));
    const Span own = given(sent, sentCount, sentType);
    if (!with->isInter())
        return outcome(*call, comm, allgather({*call, with}, own, std::move(all)));
    Spans out = Spans::even(own.data, own.count, own.type, partsOf(*with));
    std::ranges::fill(out.places, 0);
    return outcome(*call, comm, exchangeAllBetween({*call, with}, std::move(out), std::move(all)));
}

int alltoallCall(const char* name, const void* sent, int sentCount, MPI_Datatype sentType,
                 void* got, int gotCount, MPI_Datatype gotType, MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkGiven(sent, sentCount, sentType));
    TASUKI_CHECK(comm, checkBuffer(got, gotCount, gotType));
    const bool inPlace = sent == MPI_IN_PLACE;
    Spans out;
    if (!inPlace)
        out = Spans::even(const_cast<void*>(sent), countOf(sentCount), sentType, partsOf(*with));
    Spans in = Spans::even(got, countOf(gotCount), gotType, partsOf(*with));
    return outcome(*call, comm,
                   with->isInter()
                       ? exchangeAllBetween({*call, with}, std::move(out), std::move(in))
                       : alltoall({*call, with}, std::move(out), std::move(in), inPlace));
}

int alltoallvCall(const char* name, const void* sent, const int* sentCounts, const int* sentPlaces,
                  MPI_Datatype sentType, void* got, const int* gotCounts, const int* gotPlaces,
                  MPI_Datatype gotType, MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    const bool inPlace = sent == MPI_IN_PLACE;
    TASUKI_CHECK(comm, checkGiven(sent, 0, sentType));
    TASUKI_CHECK(comm, checkBuffer(got, 0, gotType));
    Spans out;
    if (!inPlace)
        out = Spans::uneven(const_cast<void*>(sent), sentCounts, sentPlaces, sentType,
                            partsOf(*with));
    Spans in = Spans::uneven(got, gotCounts, gotPlaces, gotType, partsOf(*with));
    return outcome(*call, comm,
                   with->isInter()
                       ? exchangeAllBetween({*call, with}, std::move(out), std::move(in))
                       : alltoall({*call, with}, std::move(out), std::move(in), inPlace));
}

int alltoallwCall(const char* name, const void* sent, const int* sentCounts, const int* sentPlaces,
                  const MPI_Datatype* sentTypes, void* got, const int* gotCounts,
                  const int* gotPlaces, const MPI_Datatype* gotTypes, MPI_Comm comm,
                  Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    const bool inPlace = sent == MPI_IN_PLACE;
    Spans out;
    if (!inPlace)
        out = Spans::mixed(const_cast<void*>(sent), sentCounts, sentPlaces, sentTypes,
                           partsOf(*with));
    Spans in = Spans::mixed(got, gotCounts, gotPlaces, gotTypes, partsOf(*with));
    return outcome(*call, comm,
                   with->isInter()
                       ? exchangeAllBetween({*call, with}, std::move(out), std::move(in))
                       : alltoall({*call, with}, std::move(out), std::move(in), inPlace));
}

int checkReduction(int count, MPI_Datatype type, MPI_Op op)
{
    if (op == MPI_OP_NULL)
        return MPI_ERR_OP;
    if (const int code = checkBuffer(nullptr, count, type); code != MPI_SUCCESS)
        return code;
    // On all ranks, also on those that combine nothing: else some go on without the others.
    return isReducible(type, op) ? MPI_SUCCESS : MPI_ERR_OP;
}

int reduceCall(const char* name, const void* from, void* to, int count, MPI_Datatype type,
               MPI_Op op, int root, MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkRoot(*with, root));
    TASUKI_CHECK(comm, checkReduction(count, type, op));
    const void* const data = from == MPI_IN_PLACE ? to : from;
    const Span span{to, countOf(count), type};
    return outcome(*call, comm,
                   with->isInter() ? reduceBetween({*call, with}, data, span, op, root)
                                   : reduce({*call, with}, data, span, op, root));
}

int allreduceCall(const char* name, const void* from, void* to, int count, MPI_Datatype type,
                  MPI_Op op, MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkReduction(count, type, op));
    const void* const data = from == MPI_IN_PLACE ? to : from;
    const Span span{to, countOf(count), type};
    return outcome(*call, comm,
                   with->isInter() ? allreduceBetween({*call, with}, data, span, op)
                                   : allreduce({*call, with}, data, span, op));
}

int reduceScatterCall(const char* name, const void* from, void* to, const int* counts, int count,
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkReduction(counts == nullptr ? count : 0, type, op));
    std::vector<std::size_t> parts;
    for (int rank = 0; rank < with->size(); ++rank)
        parts.push_back(countOf(counts == nullptr ? count : counts[rank]));
    const void* const data = from == MPI_IN_PLACE ? to : from;
    return outcome(*call, comm,
                   with->isInter()
                       ? reduceScatterBetween({*call, with}, data, to, std::move(parts), type, op)
                       : reduceScatter({*call, with}, data, to, std::move(parts), type, op));
}

int scanCall(const char* name, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             bool exclusive, MPI_Comm comm, Outcome outcome)
{
    TASUKI_COLLECTIVE(name);
    TASUKI_CHECK(comm, checkReduction(count, type, op));
    if (with->isInter())
        return fail(comm, MPI_ERR_COMM);
    return outcome(*call, comm,
                   scan({*call, with}, from == MPI_IN_PLACE ? to : from, {to, countOf(count), type},
                        op, exclusive));
}

} // namespace

TASUKI_WORLD(int, Barrier, MPI_Comm comm) { return barrierCall("MPI_Barrier", comm, Outcome()); }
TASUKI_WORLD(int, Ibarrier, MPI_Comm comm, MPI_Request* request)
{
    return barrierCall("MPI_Ibarrier", comm, Outcome(request));
}

TASUKI_WORLD(int, Bcast, void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return broadcastCall("MPI_Bcast", buffer, count, type, root, comm, Outcome());
}
TASUKI_WORLD(int, Ibcast, void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
             MPI_Request* request)
{
    return broadcastCall("MPI_Ibcast", buffer, count, type, root, comm, Outcome(request));
}
TASUKI_WORLD(int, Gather, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, int root, MPI_Comm comm)
{
    return gatherCall("MPI_Gather", sent, sentCount, sentType, got, nullptr, nullptr, gotCount,
                      gotType, root, comm, Outcome());
}
TASUKI_WORLD(int, Igather, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, int root, MPI_Comm comm, MPI_Request* request)
{
    return gatherCall("MPI_Igather", sent, sentCount, sentType, got, nullptr, nullptr, gotCount,
                      gotType, root, comm, Outcome(request));
}
TASUKI_WORLD(int, Gatherv, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             const int* counts, const int* places, MPI_Datatype gotType, int root, MPI_Comm comm)
{
    return gatherCall("MPI_Gatherv", sent, sentCount, sentType, got, counts, places, 0, gotType,
                      root, comm, Outcome());
}
TASUKI_WORLD(int, Igatherv, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             const int* counts, const int* places, MPI_Datatype gotType, int root, MPI_Comm comm,
             MPI_Request* request)
{
    return gatherCall("MPI_Igatherv", sent, sentCount, sentType, got, counts, places, 0, gotType,
                      root, comm, Outcome(request));
}
TASUKI_WORLD(int, Scatter, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, int root, MPI_Comm comm)
{
    return scatterCall("MPI_Scatter", sent, nullptr, nullptr, sentCount, sentType, got, gotCount,
                       gotType, root, comm, Outcome());
}
TASUKI_WORLD(int, Iscatter, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, int root, MPI_Comm comm, MPI_Request* request)
{
    return scatterCall("MPI_Iscatter", sent, nullptr, nullptr, sentCount, sentType, got, gotCount,
                       gotType, root, comm, Outcome(request));
}
TASUKI_WORLD(int, Scatterv, const void* sent, const int* counts, const int* places,
             MPI_Datatype sentType, void* got, int gotCount, MPI_Datatype gotType, int root,
             MPI_Comm comm)
{
    return scatterCall("MPI_Scatterv", sent, counts, places, 0, sentType, got, gotCount, gotType,
                       root, comm, Outcome());
}
TASUKI_WORLD(int, Iscatterv, const void* sent, const int* counts, const int* places,
             MPI_Datatype sentType, void* got, int gotCount, MPI_Datatype gotType, int root,
             MPI_Comm comm, MPI_Request* request)
{
    return scatterCall("MPI_Iscatterv", sent, counts, places, 0, sentType, got, gotCount, gotType,
                       root, comm, Outcome(request));
}
TASUKI_WORLD(int, Allgather, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, MPI_Comm comm)
{
    return allgatherCall("MPI_Allgather", sent, sentCount, sentType, got, nullptr, nullptr,
                         gotCount, gotType, comm, Outcome());
}
TASUKI_WORLD(int, Iallgather, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, MPI_Comm comm, MPI_Request* request)
{
    return allgatherCall("MPI_Iallgather", sent, sentCount, sentType, got, nullptr, nullptr,
                         gotCount, gotType, comm, Outcome(request));
}
TASUKI_WORLD(int, Allgatherv, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             const int* counts, const int* places, MPI_Datatype gotType, MPI_Comm comm)
{
    return allgatherCall("MPI_Allgatherv", sent, sentCount, sentType, got, counts, places, 0,
                         gotType, comm, Outcome());
}
TASUKI_WORLD(int, Iallgatherv, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             const int* counts, const int* places, MPI_Datatype gotType, MPI_Comm comm,
             MPI_Request* request)
{
    return allgatherCall("MPI_Iallgatherv", sent, sentCount, sentType, got, counts, places, 0,
                         gotType, comm, Outcome(request));
}
TASUKI_WORLD(int, Alltoall, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, MPI_Comm comm)
{
    return alltoallCall("MPI_Alltoall", sent, sentCount, sentType, got, gotCount, gotType, comm,
                        Outcome());
}
TASUKI_WORLD(int, Ialltoall, const void* sent, int sentCount, MPI_Datatype sentType, void* got,
             int gotCount, MPI_Datatype gotType, MPI_Comm comm, MPI_Request* request)
{
    return alltoallCall("MPI_Ialltoall", sent, sentCount, sentType, got, gotCount, gotType, comm,
                        Outcome(request));
}
TASUKI_WORLD(int, Alltoallv, const void* sent, const int* sentCounts, const int* sentPlaces,
             MPI_Datatype sentType, void* got, const int* gotCounts, const int* gotPlaces,
             MPI_Datatype gotType, MPI_Comm comm)
{
    return alltoallvCall("MPI_Alltoallv", sent, sentCounts, sentPlaces, sentType, got, gotCounts,
                         gotPlaces, gotType, comm, Outcome());
}
TASUKI_WORLD(int, Ialltoallv, const void* sent, const int* sentCounts, const int* sentPlaces,
             MPI_Datatype sentType, void* got, const int* gotCounts, const int* gotPlaces,
             MPI_Datatype gotType, MPI_Comm comm, MPI_Request* request)
{
    return alltoallvCall("MPI_Ialltoallv", sent, sentCounts, sentPlaces, sentType, got, gotCounts,
                         gotPlaces, gotType, comm, Outcome(request));
}
TASUKI_WORLD(int, Alltoallw, const void* sent, const int* sentCounts, const int* sentPlaces,
             const MPI_Datatype* sentTypes, void* got, const int* gotCounts, const int* gotPlaces,
             const MPI_Datatype* gotTypes, MPI_Comm comm)
{
    return alltoallwCall("MPI_Alltoallw", sent, sentCounts, sentPlaces, sentTypes, got, gotCounts,
                         gotPlaces, gotTypes, comm, Outcome());
}
TASUKI_WORLD(int, Ialltoallw, const void* sent, const int* sentCounts, const int* sentPlaces,
             const MPI_Datatype* sentTypes, void* got, const int* gotCounts, const int* gotPlaces,
             const MPI_Datatype* gotTypes, MPI_Comm comm, MPI_Request* request)
{
    return alltoallwCall("MPI_Ialltoallw", sent, sentCounts, sentPlaces, sentTypes, got, gotCounts,
                         gotPlaces, gotTypes, comm, Outcome(request));
}
TASUKI_WORLD(int, Reduce, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             int root, MPI_Comm comm)
{
    return reduceCall("MPI_Reduce", from, to, count, type, op, root, comm, Outcome());
}
TASUKI_WORLD(int, Ireduce, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             int root, MPI_Comm comm, MPI_Request* request)
{
    return reduceCall("MPI_Ireduce", from, to, count, type, op, root, comm, Outcome(request));
}
TASUKI_WORLD(int, Allreduce, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm)
{
    return allreduceCall("MPI_Allreduce", from, to, count, type, op, comm, Outcome());
}
TASUKI_WORLD(int, Iallreduce, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm, MPI_Request* request)
{
    return allreduceCall("MPI_Iallreduce", from, to, count, type, op, comm, Outcome(request));
}
TASUKI_WORLD(int, Reduce_scatter, const void* from, void* to, const int* counts, MPI_Datatype type,
             MPI_Op op, MPI_Comm comm)
{
    return reduceScatterCall("MPI_Reduce_scatter", from, to, counts, 0, type, op, comm, Outcome());
}
TASUKI_WORLD(int, Ireduce_scatter, const void* from, void* to, const int* counts, MPI_Datatype type,
             MPI_Op op, MPI_Comm comm, MPI_Request* request)
{
    return reduceScatterCall("MPI_Ireduce_scatter", from, to, counts, 0, type, op, comm,
                             Outcome(request));
}
TASUKI_WORLD(int, Reduce_scatter_block, const void* from, void* to, int count, MPI_Datatype type,
             MPI_Op op, MPI_Comm comm)
{
    return reduceScatterCall("MPI_Reduce_scatter_block", from, to, nullptr, count, type, op, comm,
                             Outcome());
}
TASUKI_WORLD(int, Ireduce_scatter_block, const void* from, void* to, int count, MPI_Datatype type,
             MPI_Op op, MPI_Comm comm, MPI_Request* request)
{
    return reduceScatterCall("MPI_Ireduce_scatter_block", from, to, nullptr, count, type, op, comm,
                             Outcome(request));
}
TASUKI_WORLD(int, Scan, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm)
{
    return scanCall("MPI_Scan", from, to, count, type, op, false, comm, Outcome());
}
TASUKI_WORLD(int, Iscan, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm, MPI_Request* request)
{
    return scanCall("MPI_Iscan", from, to, count, type, op, false, comm, Outcome(request));
}
TASUKI_WORLD(int, Exscan, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm)
{
    return scanCall("MPI_Exscan", from, to, count, type, op, true, comm, Outcome());
}
TASUKI_WORLD(int, Iexscan, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm, MPI_Request* request)
{
    return scanCall("MPI_Iexscan", from, to, count, type, op, true, comm, Outcome(request));
}

} // namespace tasuki::world
