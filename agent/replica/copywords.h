// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/recordrows.h"
#include "domain/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a master and the processors that may keep a copy of its record tell each other. The
/// conversations are in docs/record.md, "The copy of the record".
namespace tasuki::replica {

// ---- master to others

/// I lead from now on, by this record. Answered with Led.
struct Lead {
    RecordPlace place;
    bool release = false; ///< a copy that you keep does not count any more
    bool operator==(const Lead&) const = default;
};

/// Keep a copy of my record. Answered with Have or Unable.
struct Begin {
    RunId run;
    RecordPlace original; ///< of the run
    bool operator==(const Begin&) const = default;
};

/// The copy goes on behind this event: what it has beyond is to be taken back.
struct Take {
    EventId after;
    bool operator==(const Take&) const = default;
};

/// What comes next.
struct Rows {
    RecordRows rows;
    bool operator==(const Rows&) const = default;
};

/// From now on nobody is told of an event behind this one before you have stored it: as soon as you
/// have stored this one, your copy is in step.
struct Promise {
    EventId published;
    bool operator==(const Promise&) const = default;
};

/// The run has ended; nothing more is written.
struct Farewell {
    bool keep = false; ///< else a copy that was made for this is not needed any more
    bool operator==(const Farewell&) const = default;
};

// ---- the other way

/// Answer to Lead.
struct Led {
    bool counts = false; ///< a copy is here that was in step with the last master's record
    bool operator==(const Led&) const = default;
};

/// What a file has that is to become a copy.
struct Have {
    RecordPlace place;
    std::vector<RecordMark> marks; ///< of its latest event and of earlier ones; none: it is empty
    bool operator==(const Have&) const = default;
};

/// All rows up to this event are on the disk.
struct Stored {
    EventId upTo;
    bool operator==(const Stored&) const = default;
};

/// There is no copy here, and will not be.
struct Unable {
    std::string reason;
    bool operator==(const Unable&) const = default;
};

/// Counts the conversations of masters with those who keep copies: a master's are beyond all of the masters before it. An
/// answer carries the number of what it answers; what belongs to an earlier conversation is dropped.
using ConversationNumber = Id<struct ConversationTag, std::uint64_t>;

/// @param count  of the master's conversations, from 1
constexpr ConversationNumber conversationOf(Term master, std::uint32_t count)
{
    return ConversationNumber(std::uint64_t{master.value()} << 32U | count);
}
/// @return of the master whose conversation it is
constexpr Term termOf(ConversationNumber conversation)
{
    return Term(static_cast<std::uint32_t>(conversation.value() >> 32U));
}

struct CopyWord {
    ConversationNumber conversation;
    std::variant<Lead, Begin, Take, Rows, Promise, Farewell, Led, Have, Stored, Unable> word;
    bool operator==(const CopyWord&) const = default;
};

/// @return whether a word is one of a master
bool isOfMaster(const CopyWord& word);

std::string encode(const CopyWord& word);
/// @return the word, or an Error of kind Protocol
Result<CopyWord> decodeCopyWord(const std::string& bytes);

/// What a processor has seen of the record before the run begins.
struct RecordSight {
    bool sees = false; ///< the record itself, under the path that processor 0 has told
    /// Else, of a copy that an earlier launch has left there: its latest event and its path.
    std::optional<RecordMark> latest = {};
    std::string path = {};
    bool operator==(const RecordSight&) const = default;
};
std::string encode(const RecordSight& sight);
Result<RecordSight> decodeRecordSight(const std::string& bytes);

} // namespace tasuki::replica
