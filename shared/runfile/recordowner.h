// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "writertoken.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

/// The process that writes a record, for others to tell whether it lives.
struct RecordOwner {
    std::string token; ///< drawn anew for each opening
    std::string host;  ///< for people
    /// Equal for processes that see each other's process ids.
    std::string system;
    std::int64_t pid = 0;
    std::uint64_t started = 0; ///< clock ticks since boot: process ids are used again
    WriterToken writer = {};   ///< of an earlier program: none
    bool operator==(const RecordOwner&) const = default;

    /// This process, with a new token.
    static RecordOwner here();
    [[nodiscard]] std::string words() const;
};

enum class OwnerLife : std::uint8_t { Lives, Dead, NotSeen };
/// @return NotSeen: it runs where this process sees no processes
OwnerLife lifeOf(const RecordOwner& owner);

/// Lines of names and values.
std::string textOf(const RecordOwner& owner);
/// @return none: it is not such a text
std::optional<RecordOwner> ownerOf(std::string_view text);

} // namespace tasuki
