// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/phrase.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What values of files that people write must be: the same for files and for cells that are typed
/// in, in the same words.
namespace tasuki::config {

/// What a number must be. Not a number is allowed by none.
struct NumberRule {
    double least = 0.0;
    double most = 0.0;
    PhrasePattern words;      ///< follows "expected": "a number from 0 to 10"
    std::string_view example; ///< follows "e.g."

    [[nodiscard]] Phrase expected() const { return words; }

    [[nodiscard]] constexpr bool allows(double value) const
    {
        return value >= least && value <= most;
    }
};

/// What a whole number must be.
struct WholeRule {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    PhrasePattern words; ///< the same with %1 and %2 for least and most
    std::string_view example;

    [[nodiscard]] Phrase expected() const { return words(least, most); }

    [[nodiscard]] constexpr bool allows(std::uint64_t value) const
    {
        return value >= least && value <= most;
    }
};

/// Reads what a person types for a number, with a point whatever the language; blanks around it do
/// not matter.
/// @return none: it is no number, or none that the rule allows
std::optional<double> parseNumber(std::string_view text, const NumberRule& rule);
std::optional<std::uint64_t> parseWhole(std::string_view text, const WholeRule& rule);

/// Whether a byte continues a character of UTF-8.
constexpr bool continuesUtf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// @return text for messages: shortened, without control characters, between quotation marks
std::string quotedExcerpt(std::string_view text);

inline constexpr std::size_t longestHostName = 255; ///< bytes

/// @return why a computer cannot have this name: "is empty", "has a blank in it"; nothing if it can.
///         Names are what launchers know the computers by. The text must be UTF-8.
std::optional<Phrase> hostNameFault(std::string_view name);

} // namespace tasuki::config
