// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event.h"
#include "phrase.h"
#include "result.h"

#include <string>

namespace tasuki {

/// Something that is wrong, or looks wrong, in a file that a person wrote.
struct Diagnostic {
    Severity severity = Severity::Failure; ///< Failure: the file cannot be used; else Warning
    SourcePlace place;
    Phrase message; ///< what was found
    Phrase remedy;  ///< what was expected or what to do; may be empty
    bool operator==(const Diagnostic&) const = default;

    [[nodiscard]] bool isError() const { return severity == Severity::Failure; }
    /// @return "file:line:column: error: message; remedy", the parts that are known
    [[nodiscard]] std::string text() const;
    /// @return the same as an Error of kind Input
    [[nodiscard]] Error toError() const;
};

} // namespace tasuki
