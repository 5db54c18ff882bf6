// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "entry.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// An entry as bytes: in memory, on its way between ranks, and for the digest they are the same.
///
///   key bytes, value bytes, time, origin: LEB128, as short as can be
///   0, or 1 and the score as 8 bytes of an IEEE double, little-endian, not +0
///   key, value
///
/// Equal entries are equal bytes, and the other way round.
namespace tasuki::merge::record {

/// Key, value, time and origin of one byte each, and no score.
inline constexpr std::uint64_t smallestBytes = 5;

/// How many bytes the record of an entry has.
std::uint64_t bytesOf(const Entry& entry);

/// @param to  has room for bytesOf(entry)
void store(char* to, const Entry& entry);

/// Precondition: store() or read() has seen a record at these bytes.
/// @return the entry, with views into the record
Entry view(const char* record);

/// Takes a record from the front of bytes that may be anything. No size that it claims is believed
/// before it is seen to fit.
/// @return none: no record begins here
std::optional<Entry> read(std::string_view& bytes);

} // namespace tasuki::merge::record
