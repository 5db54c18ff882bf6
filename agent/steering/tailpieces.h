// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki::steering {

/// Up to where what a task has written was shown.
struct TailPlace {
    std::uint32_t attempt = 0; ///< 0: nothing was shown
    std::uint64_t output = 0;  ///< bytes of standard output
    std::uint64_t error = 0;
    bool operator==(const TailPlace&) const = default;
};

/// @return as --from has it: "2,100,7"
std::string tailPlaceText(const TailPlace& place);
/// @return nothing for what is none
std::optional<TailPlace> tailPlaceOf(std::string_view text);

/// A part of what `tail` shows, as it comes from another host: so that a lost connection can go on where it ended.
struct TailPiece {
    enum class Stream : std::uint8_t { Output, Error, Words };
    Stream stream = Stream::Output; ///< Words: what tail itself says
    TailPlace after;                ///< up to where all was shown with this piece
    std::string bytes;
    bool operator==(const TailPiece&) const = default;
};

/// A line "STREAM ATTEMPT,OUTPUT,ERROR LENGTH", then the bytes.
std::string written(const TailPiece& piece);

/// Reads pieces back from whatever bytes arrive.
class TailPieces {
public:
    void feed(std::string_view bytes) { m_text += bytes; }
    /// @return the next piece; nothing when it is not there yet; an Error of kind Protocol for what is none
    Result<std::optional<TailPiece>> next();

private:
    std::string m_text;
};

} // namespace tasuki::steering
