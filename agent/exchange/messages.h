// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"
#include "merge/digest.h"
#include "schedule.h"
#include "transport/transport.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// What the ranks of an exchange of maps tell each other. See docs/merge.md for the conversation.
namespace tasuki::merge {

/// Names a view: who takes part. Later ones have higher numbers; of two that were made at the same
/// time by two coordinators that did not know of each other, that of the higher rank counts.
struct ViewId {
    std::uint64_t number = 0;
    ProcessorId coordinator;
    auto operator<=>(const ViewId&) const = default;
};

/// Where a rank's process can be seen from its host.
struct Place {
    std::int64_t pid = 0;
    std::string hostKey; ///< see HostIdentity
    bool operator==(const Place&) const = default;
};

/// To the coordinator: I am here, and this is what I bring.
struct Hello {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    bool exactScores = true; ///< see trimsInRounds()
    Place place;
    std::string listing; ///< of the map before the exchange, if listings are wanted
    bool operator==(const Hello&) const = default;
};

/// From the coordinator: the exchange begins, or begins again, with these members. The envelope
/// names it.
struct View {
    std::vector<ProcessorId> members; ///< ascending
    std::vector<Place> places;        ///< of the members, so that all can watch all of their host
    Schedule schedule;
    bool trimsInRounds = false;
    bool operator==(const View&) const = default;
};

/// To the source of a round: send.
struct Ready {
    std::uint32_t round = 0;
    bool operator==(const Ready&) const = default;
};

/// A chunk of the sender's map; of an empty map no bytes.
struct Part {
    std::uint32_t round = 0;
    bool last = false;
    std::string chunk;
    bool operator==(const Part&) const = default;
};

/// To the coordinator: all rounds are done, and this is what I hold.
struct Done {
    Digest digest;
    std::uint64_t sentBytes = 0; ///< of chunks, in all views
    std::uint64_t peakBytes = 0; ///< of this process's memory
    std::string listing;         ///< of the result, if listings are wanted
    bool operator==(const Done&) const = default;
};

/// All members of the view hold the same. Passed on by everybody before they leave.
struct Agreed {
    bool operator==(const Agreed&) const = default;
};

/// The result is safe, or will never be: leave.
struct Finished {
    bool safe = true;
    bool operator==(const Finished&) const = default;
};

/// To all: this rank is not counted on any more.
struct Lost {
    ProcessorId rank;
    bool gone = false; ///< its process has ended for certain; else it is silent
    bool operator==(const Lost&) const = default;
};

/// A sign of life.
struct Beat {
    bool operator==(const Beat&) const = default;
};

using Body = std::variant<Hello, View, Ready, Part, Done, Agreed, Finished, Lost, Beat>;

struct Envelope {
    ViewId view;
    Body body;
    bool operator==(const Envelope&) const = default;
};

Message encode(Envelope envelope);
/// @return an Error of kind Protocol when the bytes are not what encode() makes
Result<Envelope> decode(Message message);

} // namespace tasuki::merge
