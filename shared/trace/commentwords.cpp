// SPDX-License-Identifier: GPL-3.0-or-later
#include "commentwords.h"

#include "alogline.h"

#include <algorithm>

namespace tasuki::trace {

namespace {

constexpr std::string_view smallNumberExpected = "expected a whole number from 0 to 4294967294";

struct NamedValue {
    std::string_view word;
    std::string_view name;
    std::string_view value;
};

/// Calls visit with every word of the form name=value.
template <class Visit>
void eachNamedValue(std::string_view comment, Visit&& visit)
{
    constexpr std::string_view blanks = " \t\r";
    for (std::size_t at = comment.find_first_not_of(blanks); at != std::string_view::npos;
         at = comment.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(comment.find_first_of(blanks, at), comment.size());
        const std::string_view word = comment.substr(at, end - at);
        if (const std::size_t equals = word.find('='); equals != std::string_view::npos)
            visit(NamedValue{word, word.substr(0, equals), word.substr(equals + 1)});
        at = end;
    }
}

std::optional<std::uint32_t> smallNumber(std::string_view text)
{
    const auto value = wholeNumber(text);
    if (!value || *value < 0 || *value >= std::int64_t{none})
        return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

void takeSmallNumber(const NamedValue& found, std::uint32_t& target, const BadWord& bad)
{
    if (const auto number = smallNumber(found.value))
        target = *number;
    else
        bad(found.word, smallNumberExpected);
}

void takeRequests(const NamedValue& found, std::vector<std::uint32_t>& requests, const BadWord& bad)
{
    std::vector<std::uint32_t> numbers;
    std::string_view left = found.value;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find(','), left.size());
        const auto number = smallNumber(left.substr(0, end));
        const bool endsInComma = end + 1 == left.size();
        if (!number || endsInComma) {
            bad(found.word, "expected numbers of requests with commas between them");
            return;
        }
        numbers.push_back(*number);
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    requests = std::move(numbers);
}

} // namespace

bool readCallWords(std::string_view comment, CallDetail& detail, const BadWord& bad)
{
    detail = {};
    bool any = false;
    if (comment.find('=') == std::string_view::npos)
        return any;
    eachNamedValue(comment, [&](const NamedValue& found) {
        if (found.name == "root") {
            takeSmallNumber(found, detail.root, bad);
        } else if (found.name == "bytes") {
            const auto bytes = wholeNumber(found.value);
            if (bytes && *bytes >= 0)
                detail.bytes = static_cast<std::uint64_t>(*bytes);
            else
                bad(found.word, "expected a whole number of bytes");
        } else if (found.name == "comm") {
            takeSmallNumber(found, detail.communicator, bad);
        } else if (found.name == "req") {
            takeRequests(found, detail.requests, bad);
        } else {
            return;
        }
        any = true;
    });
    return any;
}

MessageWords readMessageWords(std::string_view comment, const BadWord& bad)
{
    MessageWords words;
    eachNamedValue(comment, [&](const NamedValue& found) {
        if (found.name == "comm")
            takeSmallNumber(found, words.communicator, bad);
        else if (found.name == "req")
            takeSmallNumber(found, words.request, bad);
    });
    return words;
}

} // namespace tasuki::trace
