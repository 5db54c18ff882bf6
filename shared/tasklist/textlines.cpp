// SPDX-License-Identifier: GPL-3.0-or-later
#include "textlines.h"

#include <algorithm>
#include <string>

namespace tasuki {

namespace {

constexpr std::string_view utf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view utf16LittleMark = "\xFF\xFE";
constexpr std::string_view utf16BigMark = "\xFE\xFF";

} // namespace

TextLines::TextLines(std::string_view text, DiagnosticSink& sink, std::uint64_t linesBefore)
    : m_sink(sink),
      m_rest(text),
      m_number(linesBefore),
      m_hasNul(text.find('\0') != std::string_view::npos),
      m_hasCr(text.find('\r') != std::string_view::npos)
{
    if (text.starts_with(utf8Mark)) {
        m_rest.remove_prefix(utf8Mark.size());
        sink.warning(linesBefore + 1, 1,
                     "the file begins with a byte order mark, which is left out",
                     "save it as UTF-8 without one");
    } else if (text.starts_with(utf16LittleMark) || text.starts_with(utf16BigMark)) {
        m_unreadable = true;
        sink.error(linesBefore + 1, 1, "the file is UTF-16 text", "save it as UTF-8");
    } else if (m_hasCr && text.find('\n') == std::string_view::npos
               && text.find('\r') != text.size() - 1) {
        m_unreadable = true;
        sink.error(linesBefore + 1, text.find('\r') + 1, "the lines of the file end in CR alone",
                   "let them end in LF, e.g. with: tr '\\r' '\\n'");
    }
}

bool TextLines::next(TextLine& line)
{
    if (m_rest.empty())
        return false;
    const std::size_t end = m_rest.find('\n');
    line.text = m_rest.substr(0, end);
    line.number = ++m_number;
    m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
    if (m_hasNul || m_hasCr)
        inspectBytes(line);
    return true;
}

void TextLines::inspectBytes(TextLine& line)
{
    if (line.text.ends_with('\r')) {
        line.text.remove_suffix(1);
        if (m_crLines++ == 0) {
            m_firstCrLine = line.number;
            m_firstCrColumn = line.text.size() + 1;
        }
    }
    const auto loneCrs = std::count(line.text.begin(), line.text.end(), '\r');
    if (loneCrs != 0 && m_loneCrs == 0) {
        m_firstLoneCrLine = line.number;
        m_firstLoneCrColumn = line.text.find('\r') + 1;
    }
    m_loneCrs += static_cast<std::uint64_t>(loneCrs);

    const std::size_t nul = line.text.find('\0');
    if (nul != std::string_view::npos) {
        m_sink.error(line.number, nul + 1, "there is a NUL byte, which no command can hold",
                     "remove it; is this really a text file?");
    }
}

void TextLines::finish()
{
    if (m_crLines != 0)
        m_sink.warning(m_firstCrLine, m_firstCrColumn,
                       m_crLines == 1 ? "the line ends in CR LF; the CR is left out"
                                      : std::to_string(m_crLines)
                               + " lines of the file end in CR LF, this is the first; the CRs are "
                                 "left out",
                       "let lines end in LF alone, e.g. with dos2unix");
    if (m_loneCrs != 0)
        m_sink.warning(m_firstLoneCrLine, m_firstLoneCrColumn,
                       m_loneCrs == 1 ? "there is a CR within the line, which the shell takes "
                                        "as part of a word"
                                      : "there are " + std::to_string(m_loneCrs)
                               + " CRs within lines, which the shell takes as part of words; "
                                 "this is the first",
                       "remove it, or end the line there");
}

} // namespace tasuki
