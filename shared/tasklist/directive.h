// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnosticsink.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// One `key=value` or `key` of a directive.
struct DirectiveItem {
    std::string key;
    std::string value;
    bool hasValue = false;
    bool quoted = false; ///< part of the value was written in quotes
    std::uint64_t line = 0;
    std::uint64_t keyColumn = 0;   ///< from 1
    std::uint64_t valueColumn = 0; ///< of the first byte after the =

    /// @return the column of a byte of the value, or where the value begins when quotes make that
    ///         uncertain
    [[nodiscard]] std::uint64_t columnOf(std::size_t offset) const
    {
        return quoted ? valueColumn : valueColumn + offset;
    }
};

/// What a line whose first byte that is no blank is `#` turns out to be.
enum class CommentKind { Comment, Directive, Lookalike };

/// @param body  the line from its `#` on
CommentKind classifyComment(std::string_view body);

/// Splits a directive into its items. Items are separated by blanks; a value may have parts in
/// '..' or "..", within which every byte stands for itself; an item that begins with `#` begins a
/// comment. What cannot be split is reported and left out.
/// @param body    from the `#` on; of kind Directive
/// @param column  of the `#`, from 1
std::vector<DirectiveItem> splitDirective(std::string_view body, std::uint64_t line,
                                          std::uint64_t column, DiagnosticSink& sink);

/// Writes a value so that splitDirective reads the same back.
/// Precondition: it has neither a newline nor a NUL byte.
/// @param forceQuotes  quote it even when nothing in it needs that
std::string quoteDirectiveValue(std::string_view value, bool forceQuotes = false);

} // namespace tasuki
