// SPDX-License-Identifier: GPL-3.0-or-later
#include "exitreport.h"

#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

namespace tasuki {

namespace {

constexpr std::string_view exitMark = "tasuki-exit-report ";
constexpr std::string_view givenUpMark = "tasuki-given-up ";
constexpr std::string_view goingOnMark = "tasuki-going-on ";
constexpr std::string_view termsMark = "tasuki-restart-terms ";
constexpr std::string_view recordingMark = "tasuki-recording ";
constexpr std::string_view noTerms = "none";
constexpr int hexadecimal = 16;

std::string reportBeginning(std::string_view mark, std::string_view token)
{
    return reportSign + std::string(mark) + std::string(token) + ' ';
}

/// @return what follows mark and token in a line, without its end; none: they are not in it
std::optional<std::string_view> reportContent(std::string_view line, std::string_view mark,
                                              std::string_view token)
{
    const std::string expected = reportBeginning(mark, token).substr(1);
    const auto place = line.find(expected);
    if (token.empty() || place == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = line.substr(place + expected.size());
    return rest.substr(0, rest.find_first_of("\r\n"));
}

/// A text as one word of printable ASCII, as in addresses of the web.
std::string wordOf(std::string_view text)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string word;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte > ' ' && byte < 0x7F && c != '%') {
            word += c;
        } else {
            word += '%';
            word += digits[byte / hexadecimal];
            word += digits[byte % hexadecimal];
        }
    }
    return word;
}

template <class Number>
std::optional<Number> parsedNumber(std::string_view word, int base = 10)
{
    Number number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
    if (error != std::errc{} || end != word.data() + word.size())
        return std::nullopt;
    return number;
}

std::optional<std::string> textOfWord(std::string_view word)
{
    std::string text;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '%') {
            text += word[i];
            continue;
        }
        const auto code = parsedNumber<unsigned>(word.substr(i + 1, 2), hexadecimal);
        if (!code || i + 2 >= word.size())
            return std::nullopt;
        text += static_cast<char>(static_cast<unsigned char>(*code));
        i += 2;
    }
    return text;
}

std::vector<std::string_view> wordsIn(std::string_view content)
{
    std::vector<std::string_view> words;
    for (;;) {
        const auto blank = content.find(' ');
        words.push_back(content.substr(0, blank));
        if (blank == std::string_view::npos)
            return words;
        content.remove_prefix(blank + 1);
    }
}

} // namespace

std::string exitReportLine(std::string_view token, int exitCode)
{
    return reportBeginning(exitMark, token) + std::to_string(exitCode) + '\n';
}

std::optional<int> parseExitReport(std::string_view line, std::string_view token)
{
    const auto content = reportContent(line, exitMark, token);
    return content ? parsedNumber<int>(*content) : std::nullopt;
}

std::string givenUpLine(std::string_view token, int exitCode)
{
    return reportBeginning(givenUpMark, token) + std::to_string(exitCode) + '\n';
}

std::string goingOnLine(std::string_view token)
{
    return reportBeginning(goingOnMark, token) + '\n';
}

std::optional<int> parseGivenUp(std::string_view line, std::string_view token)
{
    const auto content = reportContent(line, givenUpMark, token);
    return content ? parsedNumber<int>(*content) : std::nullopt;
}

bool isGoingOn(std::string_view line, std::string_view token)
{
    return reportContent(line, goingOnMark, token).has_value();
}

std::string recordingLine(std::string_view token, std::string_view runFile)
{
    return reportBeginning(recordingMark, token) + wordOf(runFile) + '\n';
}

std::optional<std::string> parseRecording(std::string_view line, std::string_view token)
{
    const auto content = reportContent(line, recordingMark, token);
    return content && !content->empty() ? textOfWord(*content) : std::nullopt;
}

std::string restartTermsLine(std::string_view token, const RestartTerms& terms)
{
    const std::string beginning = reportBeginning(termsMark, token);
    if (!terms.allowed())
        return beginning + std::string(noTerms) + '\n';
    return beginning + std::to_string(terms.most) + ' ' + std::to_string(terms.within.count()) + ' '
        + wordOf(terms.runFile) + ' ' + wordOf(terms.why) + '\n';
}

std::optional<RestartTerms> parseRestartTerms(std::string_view line, std::string_view token)
{
    const auto content = reportContent(line, termsMark, token);
    if (!content)
        return std::nullopt;
    if (*content == noTerms)
        return RestartTerms{};
    const std::vector<std::string_view> words = wordsIn(*content);
    constexpr std::size_t wordCount = 4;
    if (words.size() != wordCount)
        return std::nullopt;
    const auto most = parsedNumber<std::uint32_t>(words[0]);
    const auto within = parsedNumber<std::int64_t>(words[1]);
    auto runFile = textOfWord(words[2]);
    auto why = textOfWord(words[3]);
    if (!most || !within || !runFile || runFile->empty() || !why)
        return std::nullopt;
    return RestartTerms{.most = *most,
                        .within = std::chrono::seconds(*within),
                        .runFile = std::move(*runFile),
                        .why = std::move(*why)};
}

} // namespace tasuki
