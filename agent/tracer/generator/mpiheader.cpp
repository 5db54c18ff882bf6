// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpiheader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

namespace tasuki::tracer {

namespace {

constexpr std::string_view prefix = "PMPI_";
/// Words of a type that can be the last one of a parameter without a name.
constexpr std::array typeWords{"int",  "char",  "void",     "double", "float",
                               "long", "short", "unsigned", "size_t"};

bool isWordLetter(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string trimmed(std::string_view text)
{
    std::string words;
    for (const char letter : text) {
        const bool blank = std::isspace(static_cast<unsigned char>(letter)) != 0;
        if (!blank)
            words += letter;
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
    }
    if (words.ends_with(' '))
        words.pop_back();
    return words;
}

/// @return where the bracket at `open` is closed
std::optional<std::size_t> closing(std::string_view text, std::size_t open)
{
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (text[at] == '(')
            ++depth;
        else if (text[at] == ')' && --depth == 0)
            return at;
    }
    return std::nullopt;
}

/// Leaves out __attribute__((...)) and extern.
std::string withoutAttributes(std::string_view text)
{
    std::string rest(text);
    constexpr std::string_view attribute = "__attribute__";
    for (auto at = rest.find(attribute); at != std::string::npos; at = rest.find(attribute)) {
        const auto open = rest.find('(', at);
        const auto end = open == std::string::npos ? std::nullopt : closing(rest, open);
        rest.erase(at, end ? *end + 1 - at : std::string::npos);
    }
    constexpr std::string_view word = "extern ";
    if (const auto at = rest.find(word); at != std::string::npos)
        rest.erase(at, word.size());
    return trimmed(rest);
}

std::vector<std::string> parts(std::string_view list)
{
    std::vector<std::string> found;
    int depth = 0;
    std::string part;
    for (const char letter : list) {
        depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        if (letter == ',' && depth == 0) {
            found.push_back(trimmed(part));
            part.clear();
        } else {
            part += letter;
        }
    }
    if (const std::string last = trimmed(part); !last.empty())
        found.push_back(last);
    return found;
}

/// Takes one parameter; one without a name gets one.
void addParameter(MpiFunction& function, std::string declaration)
{
    auto end = declaration.find('[');
    if (end == std::string::npos)
        end = declaration.size();
    while (end > 0 && declaration[end - 1] == ' ')
        --end;
    auto begin = end;
    while (begin > 0 && isWordLetter(declaration[begin - 1]))
        --begin;
    std::string name = declaration.substr(begin, end - begin);
    const bool isType = begin == 0 || std::ranges::find(typeWords, name) != typeWords.end();
    if (name.empty() || isType) {
        name = "argument" + std::to_string(function.names.size());
        declaration.insert(end, " " + name);
    }
    function.parameters.push_back(std::move(declaration));
    function.names.push_back(std::move(name));
}

/// @param name  where the name begins
std::optional<MpiFunction> functionAt(std::string_view text, std::size_t name)
{
    std::size_t end = name;
    while (end < text.size() && isWordLetter(text[end]))
        ++end;
    const auto open = text.find_first_not_of(" \t\r\n", end);
    if (open == std::string_view::npos || text[open] != '(')
        return std::nullopt;
    const auto close = closing(text, open);
    if (!close)
        return std::nullopt;
    const auto before = text.substr(0, name).find_last_of(";{}\"#");
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    // Of a string in an attribute, the rest of the attribute is left.
    std::string result = withoutAttributes(text.substr(begin, name - begin));
    if (const auto bracket = result.find_last_of(')'); bracket != std::string::npos)
        result = trimmed(result.substr(bracket + 1));
    MpiFunction function{.name = std::string(text.substr(name, end - name).substr(prefix.size())),
                         .result = std::move(result),
                         .parameters = {},
                         .names = {}};
    for (std::string& parameter : parts(text.substr(open + 1, *close - open - 1))) {
        if (parameter == "...")
            function.variadic = true;
        else if (parameter != "void")
            addParameter(function, std::move(parameter));
    }
    return function;
}

} // namespace

std::vector<MpiFunction> mpiFunctions(std::string_view text)
{
    std::vector<MpiFunction> functions;
    std::set<std::string> known;
    for (auto at = text.find(prefix); at != std::string_view::npos;
         at = text.find(prefix, at + prefix.size())) {
        if (at > 0 && isWordLetter(text[at - 1]))
            continue;
        auto function = functionAt(text, at);
        // What is named in a text or called has no type before it.
        if (!function || function->result.empty() || !known.insert(function->name).second)
            continue;
        functions.push_back(std::move(*function));
    }
    return functions;
}

std::vector<std::string> namesInSource(std::string_view text)
{
    constexpr std::string_view mark = "TASUKI_MPI int MPI_";
    std::vector<std::string> names;
    for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at)) {
        at += mark.size();
        const std::size_t begin = at;
        while (at < text.size() && isWordLetter(text[at]))
            ++at;
        names.emplace_back(text.substr(begin, at - begin));
    }
    return names;
}

} // namespace tasuki::tracer
