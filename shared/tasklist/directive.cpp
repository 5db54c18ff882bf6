// SPDX-License-Identifier: GPL-3.0-or-later
#include "directive.h"

#include "blanks.h"

#include <algorithm>
#include <optional>

namespace tasuki {

namespace {

constexpr std::string_view directiveWord = "#TASUKI";

/// Whether two words are the same but for upper and lower case of ASCII letters.
bool sameLetters(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

/// Cuts one directive line into items, front to back.
class Splitter {
public:
    Splitter(std::string_view body, std::uint64_t line, std::uint64_t column, DiagnosticSink& sink)
        : m_body(body), m_line(line), m_column(column), m_sink(sink)
    {}

    std::vector<DirectiveItem> split()
    {
        std::vector<DirectiveItem> items;
        m_at = directiveWord.size();
        while (skipBlanks() && m_body[m_at] != '#') {
            std::optional<DirectiveItem> item = takeItem();
            if (!item)
                break;
            items.push_back(std::move(*item));
        }
        return items;
    }

private:
    [[nodiscard]] std::uint64_t columnHere() const { return m_column + m_at; }
    [[nodiscard]] bool atEnd() const { return m_at == m_body.size(); }

    bool skipBlanks()
    {
        while (!atEnd() && isBlank(m_body[m_at]))
            ++m_at;
        return !atEnd();
    }

    std::optional<DirectiveItem> takeItem()
    {
        DirectiveItem item;
        item.line = m_line;
        item.keyColumn = columnHere();
        while (!atEnd() && !isBlank(m_body[m_at]) && m_body[m_at] != '=')
            item.key += m_body[m_at++];
        if (atEnd() || isBlank(m_body[m_at])) {
            const std::size_t end = m_at;
            if (skipBlanks() && m_body[m_at] == '=') {
                m_sink.error(m_line, columnHere(), "there is a blank before the \"=\"",
                             "write " + item.key + "=VALUE, without blanks around the \"=\"");
                return std::nullopt;
            }
            m_at = end;
            return item;
        }
        if (item.key.empty()) {
            m_sink.error(m_line, columnHere(), "a key was expected before the \"=\"",
                         "write KEY=VALUE");
            return std::nullopt;
        }
        ++m_at;
        item.hasValue = true;
        item.valueColumn = columnHere();
        const std::string_view next = trimBlanksLeft(m_body.substr(m_at));
        if (!atEnd() && isBlank(m_body[m_at]) && !next.empty() && next.front() != '#') {
            m_sink.error(m_line, item.valueColumn, "there is a blank after the \"=\"",
                         "write " + item.key + "=VALUE, without blanks around the \"=\"");
            return std::nullopt;
        }
        return takeValue(item) ? std::optional(std::move(item)) : std::nullopt;
    }

    bool takeValue(DirectiveItem& item)
    {
        while (!atEnd() && !isBlank(m_body[m_at])) {
            const char c = m_body[m_at];
            if (c != '\'' && c != '"') {
                item.value += c;
                ++m_at;
                continue;
            }
            const std::size_t end = m_body.find(c, m_at + 1);
            if (end == std::string_view::npos) {
                m_sink.error(m_line, columnHere(),
                             "the quote " + std::string(1, c) + " is not closed",
                             "close it on the same line; a directive is one line");
                return false;
            }
            item.quoted = true;
            item.value += m_body.substr(m_at + 1, end - m_at - 1);
            m_at = end + 1;
        }
        return true;
    }

    std::string_view m_body;
    std::uint64_t m_line;
    std::uint64_t m_column;
    DiagnosticSink& m_sink;
    std::size_t m_at = 0;
};

} // namespace

CommentKind classifyComment(std::string_view body)
{
    if (body.starts_with(directiveWord)
        && (body.size() == directiveWord.size() || isBlank(body[directiveWord.size()])))
        return CommentKind::Directive;

    const std::size_t wordLength = directiveWord.size() - 1;
    std::string_view rest = trimBlanksLeft(body.substr(1));
    const bool apart = rest.size() + 1 != body.size();
    if (!sameLetters(rest.substr(0, wordLength), directiveWord.substr(1)))
        return CommentKind::Comment;
    if (!apart)
        return CommentKind::Lookalike;
    // "# Tasuki runs these" is prose, "# TASUKI retries=2" is not.
    rest.remove_prefix(wordLength);
    if (!rest.empty() && !isBlank(rest.front()))
        return CommentKind::Comment;
    rest = trimBlanksLeft(rest);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    const bool meansIt = word.empty() || word == "barrier"
        || word.find('=') != std::string_view::npos;
    return meansIt ? CommentKind::Lookalike : CommentKind::Comment;
}

std::vector<DirectiveItem> splitDirective(std::string_view body, std::uint64_t line,
                                          std::uint64_t column, DiagnosticSink& sink)
{
    return Splitter(body, line, column, sink).split();
}

std::string quoteDirectiveValue(std::string_view value, bool forceQuotes)
{
    if (!forceQuotes && !value.empty() && value.find_first_of(" \t\r'\"") == std::string_view::npos)
        return std::string(value);
    std::string text;
    for (std::size_t at = 0; at < value.size() || text.empty();) {
        const std::size_t end = std::min(value.find('\'', at), value.size());
        if (end > at || value.empty())
            text += '\'' + std::string(value.substr(at, end - at)) + '\'';
        at = end;
        const std::size_t quotesEnd = std::min(value.find_first_not_of('\'', at), value.size());
        if (quotesEnd > at)
            text += '"' + std::string(value.substr(at, quotesEnd - at)) + '"';
        at = quotesEnd;
    }
    return text;
}

} // namespace tasuki
