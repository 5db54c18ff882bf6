// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "states.h"

#include <cstdint>
#include <type_traits>

namespace tasuki::tracer {

enum class RecordKind : std::uint8_t {
    Begin,    ///< of a call; followed by MoreRequests when it has more than one request
    End,      ///< of a call
    Sent,     ///< a message left
    Received, ///< a message came
    MoreRequests,
};

/// No task: what stands for `peer` where there is none.
inline constexpr std::int32_t noPeer = -1;

inline constexpr std::uint64_t mostThreads = 15;
inline constexpr std::uint64_t maxRecordBytes = (std::uint64_t{1} << 36) - 1;

/// One event as a rank keeps it and as it travels to rank 0, in the byte order of the machine.
///
/// | kind         | peer     | tag                      | request         | bytes              |
/// |--------------|----------|--------------------------|-----------------|--------------------|
/// | Begin        | the root | number of requests - 1   | the first, or 0 | of a collective    |
/// | Sent         | receiver | of the message           | of MPI_Isend    | of the message     |
/// | Received     | sender   | of the message           | of MPI_Irecv    | of the message     |
/// | MoreRequests | four numbers of requests in peer, tag, communicator, request; 0: none             |
///
/// Peers and roots are ranks of MPI_COMM_WORLD, communicators the rank's own numbers.
struct Record {
    std::int64_t timeNs = 0; ///< by the rank's clock
    std::uint64_t bytes : 36 = 0;
    std::uint64_t thread : 4 =
        0; ///< of the process, in the order of their first calls; many share the last
    RecordKind kind = RecordKind::Begin;
    State state = State::Init; ///< of Begin and End
    std::int32_t peer = noPeer;
    std::int32_t tag = 0;
    std::uint32_t communicator = 0;
    std::uint32_t request = 0;
};
static_assert(sizeof(Record) == 32);
static_assert(std::is_trivially_copyable_v<Record>);

inline constexpr std::uint32_t requestsPerRecord = 4;

/// @return how many records MoreRequests follow a Begin
inline std::uint32_t moreRecords(const Record& begin)
{
    if (begin.kind != RecordKind::Begin || begin.tag <= 0)
        return 0;
    return (static_cast<std::uint32_t>(begin.tag) + requestsPerRecord - 1) / requestsPerRecord;
}

} // namespace tasuki::tracer
