// SPDX-License-Identifier: GPL-3.0-or-later
#include "phrase.h"

#include <bitset>

namespace tasuki {

namespace {

constexpr char begins = '\x02'; // STX; what it separates has no control characters
constexpr char argumentFollows = '\x1f';
constexpr char ends = '\x03';
constexpr std::string_view marks = "\x1f\x03";

constexpr std::size_t mostArguments = 9;
/// More than any phrase of Tasuki has.
constexpr int deepestArgument = 8;

/// @return which argument stands for what begins at `at`; 0: none does
std::size_t argumentAt(std::string_view pattern, std::size_t at)
{
    const bool isPlace = pattern[at] == '%' && at + 1 < pattern.size() && pattern[at + 1] >= '1'
        && pattern[at + 1] <= '9';
    return isPlace ? static_cast<std::size_t>(pattern[at + 1] - '0') : 0;
}

/// Whether no argument stands in several places: the text of a phrase from elsewhere is no longer
/// than its code then.
bool hasEachOnce(std::string_view pattern)
{
    std::bitset<mostArguments + 1> seen;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const std::size_t number = argumentAt(pattern, at);
        if (number != 0 && seen.test(number))
            return false;
        seen.set(number);
    }
    return true;
}

} // namespace

std::string Phrase::text(const Translate& translate) const
{
    if (!m_isPattern)
        return m_words;
    const std::string pattern = translate ? translate(m_words) : m_words;
    std::string out;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const std::size_t number = argumentAt(pattern, at);
        if (number == 0 || number > m_arguments.size()) {
            out += pattern[at];
        } else {
            out += m_arguments[number - 1].text(translate);
            ++at;
        }
    }
    return out;
}

std::string Phrase::written() const
{
    if (!m_isPattern)
        return m_words;
    std::string out = begins + m_words;
    for (const Phrase& argument : m_arguments)
        out += argumentFollows + argument.written();
    return out + ends;
}

/// Takes a phrase or text from the front of a code.
Phrase Phrase::taken(std::string_view& code, int deepest)
{
    Phrase out;
    const bool isWritten = code.starts_with(begins);
    code.remove_prefix(isWritten ? 1 : 0);
    out.m_words = code.substr(0, code.find_first_of(marks));
    code.remove_prefix(out.m_words.size());
    if (!isWritten)
        return out;
    out.m_isPattern = hasEachOnce(out.m_words);
    while (deepest > 0 && out.m_arguments.size() < mostArguments
           && code.starts_with(argumentFollows)) {
        code.remove_prefix(1);
        out.m_arguments.push_back(taken(code, deepest - 1));
    }
    code.remove_prefix(code.starts_with(ends) ? 1 : 0);
    return out;
}

Phrase Phrase::decoded(std::string_view code, std::string text)
{
    Phrase phrase = taken(code, deepestArgument);
    return code.empty() && phrase.m_isPattern && phrase.text() == text ? phrase
                                                                       : Phrase(std::move(text));
}

} // namespace tasuki
