// SPDX-License-Identifier: GPL-3.0-or-later
#include "shellscanner.h"

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

/// Bytes that mean something in at least one context; the rest is skipped in a tight loop.
constexpr std::array<bool, 256> specialBytes = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("\\'\"`$#()<}"))
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

bool isSpecial(char c) { return specialBytes[static_cast<unsigned char>(c)]; }

/// Whether a word, and so a comment, may begin right after this byte.
bool separatesWords(char c)
{
    return std::string_view(" \t\n;&|()<>").find(c) != std::string_view::npos;
}

} // namespace

void ShellScanner::reset()
{
    m_frames.clear();
    m_length = 0;
    m_hereDocument.reset();
    m_pending = Pending::Nothing;
    m_wordStart = true;
    m_uncertain = false;
}

void ShellScanner::feed(std::string_view piece)
{
    std::size_t at = 0;
    while (true) {
        if (m_pending == Pending::Nothing)
            at = skip(piece, at);
        if (at == piece.size())
            break;
        take(piece[at], m_length + at);
        ++at;
    }
    m_length += piece.size();
}

/// @return the offset of the next byte that take() must see
std::size_t ShellScanner::skip(std::string_view piece, std::size_t at)
{
    if (context() == Context::Comment)
        return piece.size();
    if (context() == Context::Single)
        return std::min(piece.find('\'', at), piece.size());
    const std::size_t begin = at;
    while (at < piece.size() && !isSpecial(piece[at]))
        ++at;
    if (at > begin)
        m_wordStart = separatesWords(piece[at - 1]);
    return at;
}

bool ShellScanner::inComment() const { return context() == Context::Comment; }

std::optional<ShellScanner::OpenQuote> ShellScanner::openQuote(std::string_view command) const
{
    if (m_uncertain)
        return std::nullopt;
    // The unbalanced parentheses of `case` end a substitution early here.
    if (command.find("$(") != std::string_view::npos
        && command.find("esac") != std::string_view::npos)
        return std::nullopt;
    // Shells that differ on quotes in arithmetic differ on where it ends, too.
    if (std::any_of(m_frames.begin(), m_frames.end(),
                    [](const Frame& frame) { return frame.context == Context::Arithmetic; }))
        return std::nullopt;
    for (const Frame& frame : m_frames) {
        switch (frame.context) {
        case Context::Single:
        case Context::AnsiC: return OpenQuote{frame.offset, '\''};
        case Context::Double: return OpenQuote{frame.offset, '"'};
        case Context::Backquote: return OpenQuote{frame.offset, '`'};
        case Context::Command:
        case Context::Substitution:
        case Context::Parenthesis:
        case Context::Arithmetic:
        case Context::Parameter:
        case Context::Comment: break;
        }
    }
    return std::nullopt;
}

/// Whether a double quote encloses this place with no substitution between.
bool ShellScanner::withinDouble() const
{
    for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame) {
        if (frame->context == Context::Double)
            return true;
        if (frame->context != Context::Parameter)
            return false;
    }
    return false;
}

void ShellScanner::pop()
{
    m_frames.pop_back();
    m_wordStart = false;
}

void ShellScanner::take(char c, std::size_t offset)
{
    if (m_pending != Pending::Nothing && takePending(c, offset))
        return;
    switch (context()) {
    case Context::Command:
    case Context::Substitution:
    case Context::Parenthesis:
    case Context::Arithmetic: takeInCommand(c, offset); break;
    case Context::Parameter: takeInParameter(c, offset); break;
    case Context::Single:
    case Context::AnsiC:
    case Context::Double:
    case Context::Backquote: takeQuoted(c, offset); break;
    case Context::Comment: break;
    }
}

/// Finishes what an earlier byte began.
/// @return whether that used up this byte
bool ShellScanner::takePending(char c, std::size_t offset)
{
    const Pending pending = m_pending;
    m_pending = Pending::Nothing;
    switch (pending) {
    case Pending::Nothing: return false;
    case Pending::Backslash:
        // Shells without $'..' read \' there as the end of the quote.
        if (c == '\'' && context() == Context::AnsiC)
            m_uncertain = true;
        if (c != '\n') // a continuation leaves the word as it was
            m_wordStart = false;
        return true;
    case Pending::Dollar:
        m_wordStart = false;
        if (c == '(') {
            push(Context::Substitution, offset);
            m_pending = Pending::Parenthesis;
            m_wordStart = true;
            return true;
        }
        if (c == '{') {
            push(Context::Parameter, offset);
            return true;
        }
        if (c == '\'' && context() != Context::Double && !withinDouble()) {
            push(Context::AnsiC, offset);
            return true;
        }
        return c == '$' || c == '#';
    case Pending::Parenthesis:
        if (c != '(')
            return false;
        push(Context::Arithmetic, offset);
        return true;
    case Pending::Less:
        if (c != '<')
            return false;
        m_pending = Pending::LessLess;
        return true;
    case Pending::LessLess:
        if (c == '<') // a here-string
            return true;
        if (!m_hereDocument)
            m_hereDocument = m_lessOffset;
        return false;
    }
    return false;
}

void ShellScanner::takeInCommand(char c, std::size_t offset)
{
    const bool arithmetic = context() == Context::Arithmetic;
    switch (c) {
    case '\\': m_pending = Pending::Backslash; return;
    case '\'':
    case '"':
        // In arithmetic some shells take quotes for ordinary bytes.
        if (arithmetic)
            m_uncertain = true;
        else
            push(c == '"' ? Context::Double : Context::Single, offset);
        return;
    case '`': push(Context::Backquote, offset); return;
    case '$': m_pending = Pending::Dollar; return;
    case '#':
        if (m_wordStart && !arithmetic) {
            // Within something that must still be closed, patterns can look like comments.
            m_uncertain = m_uncertain || !m_frames.empty();
            push(Context::Comment, offset);
        }
        m_wordStart = false;
        return;
    case '(':
        push(arithmetic ? Context::Arithmetic : Context::Parenthesis, offset);
        if (!arithmetic)
            m_pending = Pending::Parenthesis;
        m_wordStart = true;
        return;
    case ')': {
        const Context closed = context();
        if (!m_frames.empty())
            pop();
        m_wordStart = closed == Context::Parenthesis || closed == Context::Command;
        return;
    }
    case '<':
        if (!arithmetic) {
            m_pending = Pending::Less;
            m_lessOffset = offset;
        }
        m_wordStart = true;
        return;
    default: m_wordStart = separatesWords(c); return;
    }
}

void ShellScanner::takeInParameter(char c, std::size_t offset)
{
    switch (c) {
    case '\\': m_pending = Pending::Backslash; return;
    case '}': pop(); return;
    case '"': push(Context::Double, offset); return;
    case '`': push(Context::Backquote, offset); return;
    case '$': m_pending = Pending::Dollar; return;
    case '\'':
        // In "${x:-it's}" it is an ordinary byte, in "${x#'"'}" a quote: depends on the operator.
        if (withinDouble())
            m_uncertain = true;
        else
            push(Context::Single, offset);
        return;
    default: return;
    }
}

void ShellScanner::takeQuoted(char c, std::size_t offset)
{
    const Context quote = context();
    if (c == '\\' && quote != Context::Single) {
        m_pending = Pending::Backslash;
    } else if (quote == Context::Single || quote == Context::AnsiC) {
        if (c == '\'')
            pop();
    } else if (quote == Context::Backquote) {
        // Shells look for the closing backquote before they look at what is inside.
        if (c == '`')
            pop();
    } else if (c == '"') {
        pop();
    } else if (c == '`') {
        push(Context::Backquote, offset);
    } else if (c == '$') {
        m_pending = Pending::Dollar;
    }
}

} // namespace tasuki
