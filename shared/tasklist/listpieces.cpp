// SPDX-License-Identifier: GPL-3.0-or-later
#include "listpieces.h"

#include "blanks.h"
#include "directive.h"

#include <algorithm>

namespace tasuki {

void ListPieces::feed(std::string_view bytes)
{
    m_text += bytes;
    readLines();
}

void ListPieces::finish()
{
    readLines();
    if (m_readBytes < m_text.size()) {
        readLine(std::string_view(m_text).substr(m_readBytes));
        m_readBytes = m_text.size();
        noteWhole();
    }
    // What is behind the last command means nothing but when a directive waits for a task in vain, a command
    // ends in a backslash, or there is no command at all: whoever reads it says so.
    if (m_readBytes > m_wholeBytes && (m_wantsTask || m_continues || !m_gave)) {
        m_wholeBytes = m_readBytes;
        m_wholeLines = m_readLines;
    }
}

std::optional<ListPiece> ListPieces::next()
{
    if (m_wholeBytes == 0)
        return std::nullopt;
    ListPiece piece{.text = heldDirectives(), .firstLine = m_givenLines + 1};
    if (!piece.text.empty())
        --piece.firstLine;
    piece.text.append(m_text, 0, m_wholeBytes);
    m_text.erase(0, m_wholeBytes);
    m_readBytes -= m_wholeBytes;
    m_wholeBytes = 0;
    m_givenLines = m_wholeLines;
    m_givenSettings = m_wholeSettings;
    m_gave = true;
    return piece;
}

void ListPieces::readLines()
{
    for (auto end = m_text.find('\n', m_readBytes); end != std::string::npos;
         end = m_text.find('\n', m_readBytes)) {
        readLine(std::string_view(m_text).substr(m_readBytes, end - m_readBytes));
        m_readBytes = end + 1;
        noteWhole();
    }
}

/// A piece may end here, if a command has just ended.
void ListPieces::noteWhole()
{
    if (!m_continues && !m_wantsTask && m_wholeLines == m_readLines)
        m_wholeBytes = m_readBytes;
}

void ListPieces::readLine(std::string_view line)
{
    ++m_readLines;
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    const std::string_view body = trimBlanksLeft(line);
    if (!m_continues && body.empty())
        return;
    if (!m_continues && body.starts_with('#')) {
        if (classifyComment(body) != CommentKind::Comment)
            readDirective(body);
        return;
    }
    m_continues = endsInBackslash(line);
    if (m_continues)
        return;
    m_wantsTask = false;
    m_wholeLines = m_readLines;
    m_wholeSettings = m_settings;
}

void ListPieces::readDirective(std::string_view body)
{
    DiagnosticSink sink{""};
    const std::vector<DirectiveItem> items = splitDirective(body, 1, 1, sink);
    m_wantsTask = m_wantsTask || items.empty();
    for (const DirectiveItem& item : items) {
        if (item.key == "label" || item.key == "after" || item.key == "barrier" || !item.hasValue) {
            m_wantsTask = true;
            continue;
        }
        std::string key = item.key;
        if (key == "env" && item.value == "default")
            std::erase_if(m_settings,
                          [](const auto& held) { return held.first.starts_with("env="); });
        else if (key == "env")
            key += '=' + item.value.substr(0, item.value.find('='));
        const std::string written = item.key + '=' + quoteDirectiveValue(item.value, item.quoted);
        const auto held = std::ranges::find(m_settings, key, &Settings::value_type::first);
        if (held != m_settings.end())
            held->second = written; // variables keep their order
        else
            m_settings.emplace_back(key, written);
    }
}

/// @return a line; empty: none holds
std::string ListPieces::heldDirectives() const
{
    std::string line;
    for (const auto& [key, written] : m_givenSettings)
        line += ' ' + written;
    return line.empty() ? line : "#TASUKI" + line + '\n';
}

} // namespace tasuki
