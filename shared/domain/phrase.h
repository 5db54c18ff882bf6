// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki {

class Phrase;

/// English words, in which %1 to %9 stand for arguments: what translations are found by.
class PhrasePattern {
public:
    explicit constexpr PhrasePattern(const char* english) : m_english(english) {}

    /// @param arguments  text and whole numbers, which are the same in every language, and phrases
    template <class... Arguments>
    Phrase operator()(const Arguments&... arguments) const;
    [[nodiscard]] constexpr const char* english() const { return m_english; }

private:
    const char* m_english;
};

/// What is said to people: a pattern with arguments, which is put into words where it is shown; or
/// text that is the same in every language, which is what strings become.
class Phrase {
public:
    /// @return the pattern in another language
    using Translate = std::function<std::string(const std::string& english)>;

    /// Nothing is said.
    Phrase() = default;
    Phrase(std::string text) : m_words(std::move(text)) {}
    Phrase(std::string_view text) : m_words(text) {}
    Phrase(const char* text) : m_words(text) {}
    explicit Phrase(std::integral auto number) : m_words(std::to_string(number)) {}
    Phrase(PhrasePattern pattern, std::vector<Phrase> arguments = {})
        : m_words(pattern.english()), m_isPattern(true), m_arguments(std::move(arguments))
    {}

    /// The translations are in the context of this class: lupdate finds calls of this name.
    static constexpr PhrasePattern tr(const char* english) { return PhrasePattern(english); }

    [[nodiscard]] bool empty() const { return m_words.empty(); }
    /// @param translate  null: in English
    [[nodiscard]] std::string text(const Translate& translate = {}) const;

    /// @return how the record and the link write it beside its text; empty: the text says it all
    [[nodiscard]] std::string code() const { return m_isPattern ? written() : std::string(); }
    /// Reads what code() has written; whatever it is.
    /// @param text  what stood beside it; it alone counts when the code does not say the same
    static Phrase decoded(std::string_view code, std::string text);

    bool operator==(const Phrase&) const = default;

private:
    [[nodiscard]] std::string written() const;
    static Phrase taken(std::string_view& code, int deepest);

    std::string m_words;
    bool m_isPattern = false;
    std::vector<Phrase> m_arguments;
};

template <class... Arguments>
Phrase PhrasePattern::operator()(const Arguments&... arguments) const
{
    return Phrase(*this, std::vector<Phrase>{Phrase(arguments)...});
}

} // namespace tasuki
