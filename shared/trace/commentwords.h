// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace.h"

#include <functional>
#include <string_view>

namespace tasuki::trace {

/// What the words "name=value" in the comment of a message say.
struct MessageWords {
    std::uint32_t communicator = 0;
    std::uint32_t request = none;
};

/// Told of a word whose name is known and whose value is not of its kind.
/// @param word      a part of the comment
/// @param expected  in words
using BadWord = std::function<void(std::string_view word, std::string_view expected)>;

/// Reads root=, bytes=, comm= and req= in the comment of a call's begin. Other words are left alone.
/// @param bad  may be told several times; bad words count for nothing
/// @return whether there was any of them, right or not; then detail has what they say
bool readCallWords(std::string_view comment, CallDetail& detail, const BadWord& bad);

/// Reads comm= and req= in the comment of a message.
MessageWords readMessageWords(std::string_view comment, const BadWord& bad);

} // namespace tasuki::trace
