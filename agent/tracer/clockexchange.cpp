// SPDX-License-Identifier: GPL-3.0-or-later
#include "clockexchange.h"

#include "clock.h"
#include "real.h"

#include <algorithm>

namespace tasuki::tracer {

namespace {

constexpr int clockTag = 1;
/// Rank 0 sends it instead of a time when it has enough.
constexpr std::int64_t enough = -1;

/// The first trips are slower, for connections are made; on a busy host most are. Trips go on until one
/// was quick, or for so long.
constexpr std::size_t fewestTrips = 64;
constexpr std::int64_t quickTripNs = 20'000;
constexpr std::int64_t longestNs = 20'000'000;

ClockSample makeTrip(MPI_Comm communicator, int peer)
{
    ClockSample sample;
    sample.sentNs = nowNs();
    real::Send(&sample.sentNs, 1, MPI_INT64_T, peer, clockTag, communicator);
    real::Recv(&sample.remoteNs, 1, MPI_INT64_T, peer, clockTag, communicator, MPI_STATUS_IGNORE);
    sample.receivedNs = nowNs();
    return sample;
}

ClockOffset measure(MPI_Comm communicator, int peer)
{
    std::vector<ClockSample> samples;
    bool quick = false;
    const std::int64_t beginNs = nowNs();
    do {
        const ClockSample sample = makeTrip(communicator, peer);
        quick = quick || sample.receivedNs - sample.sentNs <= quickTripNs;
        samples.push_back(sample);
    } while (samples.size() < fewestTrips
             || (!quick && samples.back().receivedNs - beginNs < longestNs));
    real::Send(&enough, 1, MPI_INT64_T, peer, clockTag, communicator);
    return estimateOffset(samples).value_or(ClockOffset{});
}

void answer(MPI_Comm communicator)
{
    for (;;) {
        std::int64_t timeNs = enough;
        real::Recv(&timeNs, 1, MPI_INT64_T, 0, clockTag, communicator, MPI_STATUS_IGNORE);
        if (timeNs == enough)
            return;
        timeNs = nowNs();
        real::Send(&timeNs, 1, MPI_INT64_T, 0, clockTag, communicator);
    }
}

} // namespace

ClockGroups findClockGroups(MPI_Comm communicator, bool measureAll)
{
    int rank = 0;
    int size = 0;
    real::Comm_rank(communicator, &rank);
    real::Comm_size(communicator, &size);
    const std::uint64_t own = measureAll ? 0 : clockIdentity();
    std::vector<std::uint64_t> identities(static_cast<std::size_t>(size));
    real::Allgather(&own, 1, MPI_UINT64_T, identities.data(), 1, MPI_UINT64_T, communicator);

    ClockGroups groups(identities.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto first = std::ranges::find(identities, identities[i]);
        groups[i] = static_cast<std::uint32_t>(
            identities[i] == 0 ? i : static_cast<std::size_t>(first - identities.begin()));
    }
    return groups;
}

std::vector<ClockOffset> measureClocks(MPI_Comm communicator, const ClockGroups& groups)
{
    int rank = 0;
    real::Comm_rank(communicator, &rank);
    const auto own = static_cast<std::size_t>(rank);
    if (rank != 0) {
        if (groups[own] == own)
            answer(communicator);
        return {};
    }
    std::vector<ClockOffset> offsets(groups.size());
    for (std::size_t i = 1; i < groups.size(); ++i) {
        if (groups[i] == i)
            offsets[i] = measure(communicator, static_cast<int>(i));
        else
            offsets[i] = offsets[groups[i]];
    }
    return offsets;
}

} // namespace tasuki::tracer
