// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnosticsink.h"

#include <cstdint>
#include <string_view>

namespace tasuki {

/// One line of a text, without what ends it.
struct TextLine {
    std::string_view text;
    std::uint64_t number = 0; ///< from 1
};

/// Splits a text into lines and tells what is odd about its bytes: a byte order mark (left out),
/// CR LF line ends (the CR is left out), CR alone, NUL bytes. Other bytes are the user's affair.
class TextLines {
public:
    /// @param text  must outlive this object; so must the sink
    /// @param linesBefore  of the same list: the first line has the next number
    TextLines(std::string_view text, DiagnosticSink& sink, std::uint64_t linesBefore = 0);

    /// @return whether there was another line
    bool next(TextLine& line);
    /// Reports what is told once for the whole file. Call it after the last line.
    void finish();
    /// Whether the text is not one of lines of bytes at all, which was reported: read no line.
    [[nodiscard]] bool unreadable() const { return m_unreadable; }

private:
    void inspectBytes(TextLine& line);

    DiagnosticSink& m_sink;
    std::string_view m_rest;
    std::uint64_t m_number;
    bool m_hasNul = false;
    bool m_hasCr = false;
    bool m_unreadable = false;
    std::uint64_t m_crLines = 0;
    std::uint64_t m_firstCrLine = 0;
    std::uint64_t m_firstCrColumn = 0;
    std::uint64_t m_loneCrs = 0;
    std::uint64_t m_firstLoneCrLine = 0;
    std::uint64_t m_firstLoneCrColumn = 0;
};

} // namespace tasuki
