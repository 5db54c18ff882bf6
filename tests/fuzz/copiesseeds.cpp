// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "replica/copywords.h"

namespace tasuki::fuzz {

std::vector<std::string> copiesSeeds()
{
    using namespace tasuki::replica;
    const EventId first{Epoch(1), Sequence(9)};
    const EventId last{Epoch(2), Sequence(1ULL << 39U)};
    const RecordPlace place{.host = "grid01", .path = "/data/tasks.tasuki", .original = false};
    const RecordMark mark{.id = last,
                          .wallTime = WallTime(std::chrono::microseconds(1'700'000'000'000'000)),
                          .monotonic = std::chrono::nanoseconds(5)};
    const auto word = [](auto content) {
        return encode(
            CopyWord{.conversation = ConversationNumber(1ULL << 33U), .word = std::move(content)});
    };
    return {word(Lead{.place = place, .release = true}),
            word(Begin{.run = RunId{"0123456789abcdef0123456789abcdef"}, .original = place}),
            word(Take{.after = first}),
            word(Rows{{.after = first, .last = last, .bytes = std::string("\0\1rows\xff", 7)}}),
            word(Promise{.published = last}),
            word(Farewell{.keep = true}),
            word(Led{.counts = true}),
            word(Have{.place = place, .marks = {mark, {.id = first}}}),
            word(Stored{.upTo = last}),
            word(Unable{.reason = "the disk is full"}),
            encode(RecordSight{.sees = true}),
            encode(RecordSight{.latest = mark, .path = place.path})};
}

} // namespace tasuki::fuzz
