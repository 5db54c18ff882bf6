// SPDX-License-Identifier: GPL-3.0-or-later
#include "alogline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace tasuki::trace {

namespace {

constexpr bool isBlankByte(char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }
constexpr bool isDigit(char byte) { return byte >= '0' && byte <= '9'; }

std::string_view withoutTrail(std::string_view text)
{
    while (!text.empty() && isBlankByte(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Walks over the fields of one line.
class FieldScanner {
public:
    enum class Found : std::uint8_t { Number, Nothing, NoNumber, OutOfRange };

    explicit FieldScanner(std::string_view line)
        : m_begin(line.data()), m_at(line.data()), m_end(line.data() + line.size())
    {}

    void skipBlanks()
    {
        while (m_at != m_end && isBlankByte(*m_at))
            ++m_at;
    }
    [[nodiscard]] bool atEnd() const { return m_at == m_end; }
    [[nodiscard]] std::uint64_t column() const
    {
        return static_cast<std::uint64_t>(m_at - m_begin) + 1;
    }
    [[nodiscard]] std::string_view rest() const
    {
        return {m_at, static_cast<std::size_t>(m_end - m_at)};
    }
    [[nodiscard]] std::string_view token() const
    {
        return {m_at, static_cast<std::size_t>(std::find_if(m_at, m_end, isBlankByte) - m_at)};
    }
    void skipToken() { m_at += token().size(); }

    /// Takes the next field if it is a number, else stands before it.
    [[gnu::always_inline]] Found number(std::int64_t& value)
    {
        skipBlanks();
        const char* at = m_at;
        const bool negative = at != m_end && *at == '-';
        at += negative ? 1 : 0;
        const char* const digits = at;
        std::uint64_t sum = 0;
        while (at != m_end && isDigit(*at))
            sum = sum * 10 + static_cast<std::uint64_t>(*at++ - '0');
        // Eighteen digits cannot overflow.
        constexpr std::ptrdiff_t safeDigits = 18;
        const bool ends = at == m_end || isBlankByte(*at);
        if (at == digits || !ends || at - digits > safeDigits)
            return slowNumber(value);
        const auto magnitude = static_cast<std::int64_t>(sum);
        value = negative ? -magnitude : magnitude;
        m_at = at;
        return Found::Number;
    }

private:
    [[gnu::noinline]] Found slowNumber(std::int64_t& value)
    {
        if (atEnd())
            return Found::Nothing;
        const std::string_view text = token();
        const char* const last = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), last, value);
        if (stop != last || error == std::errc::invalid_argument)
            return Found::NoNumber;
        if (error == std::errc::result_out_of_range)
            return Found::OutOfRange;
        m_at = last;
        return Found::Number;
    }

    const char* m_begin;
    const char* m_at;
    const char* m_end;
};

MalformedLine malformedAt(const FieldScanner& scanner, FieldScanner::Found found, AlogField field)
{
    MalformedLine line{.fault = MalformedLine::Fault::FieldMissing,
                       .field = field,
                       .column = scanner.column(),
                       .found = scanner.token()};
    if (const auto nul = line.found.find('\0'); nul != std::string_view::npos) {
        line.fault = MalformedLine::Fault::NulByte;
        line.column += nul;
    } else if (found == FieldScanner::Found::NoNumber) {
        line.fault = MalformedLine::Fault::NoNumber;
    } else if (found == FieldScanner::Found::OutOfRange) {
        line.fault = MalformedLine::Fault::OutOfRange;
    }
    return line;
}

std::optional<MalformedLine> nulIn(std::string_view line, std::string_view comment, AlogField field)
{
    if (comment.empty() || std::memchr(comment.data(), '\0', comment.size()) == nullptr)
        return std::nullopt;
    return MalformedLine{.fault = MalformedLine::Fault::NulByte,
                         .field = field,
                         .column = line.find('\0') + 1,
                         .found = comment};
}

using SixNumbers = std::array<std::int64_t, 6>;

constexpr std::int64_t of(const SixNumbers& numbers, AlogField field)
{
    return numbers[static_cast<std::size_t>(field)];
}

AlogLine eventLine(std::string_view line, const SixNumbers& numbers, FieldScanner scanner)
{
    // Made where it is to stand: copies cost as much as the numbers.
    AlogLine result(std::in_place_type<EventLine>);
    EventLine& event = *std::get_if<EventLine>(&result);
    event.type = of(numbers, AlogField::Type);
    event.process = of(numbers, AlogField::Process);
    event.thread = of(numbers, AlogField::TaskNumber);
    event.data = of(numbers, AlogField::Data);
    event.cycle = of(numbers, AlogField::Cycle);
    event.plain.timestamp = of(numbers, AlogField::Timestamp);
    if (scanner.atEnd())
        return result;
    // A tab where all else is apart by spaces: what follows is a comment, even if it is a number.
    const bool markedComment = *scanner.rest().data() == '\t'
        && line.find('\t') + 1 == scanner.column();
    scanner.skipBlanks();
    event.plain.comment = scanner.rest();
    if (auto fault = nulIn(line, event.plain.comment, AlogField::Timestamp))
        return *fault;
    std::int64_t seventh = 0;
    if (!markedComment && scanner.number(seventh) == FieldScanner::Found::Number) {
        scanner.skipBlanks();
        event.shifted = TimeReading{.timestamp = seventh, .comment = scanner.rest()};
    }
    return result;
}

AlogLine messageLine(std::string_view line, const SixNumbers& numbers, FieldScanner scanner)
{
    AlogLine result(std::in_place_type<MessageLine>);
    MessageLine& message = *std::get_if<MessageLine>(&result);
    message.isSend = of(numbers, AlogField::Type) == alogtype::send;
    message.process = of(numbers, AlogField::Process);
    message.thread = of(numbers, AlogField::TaskNumber);
    message.peer = of(numbers, AlogField::Data);
    message.cycle = of(numbers, AlogField::Cycle);
    message.timestamp = of(numbers, AlogField::Timestamp);
    for (const auto& [value, field] :
         {std::pair{&message.tag, AlogField::Tag}, std::pair{&message.bytes, AlogField::Bytes}}) {
        const auto found = scanner.number(*value);
        if (found != FieldScanner::Found::Number)
            return malformedAt(scanner, found, field);
    }
    std::int64_t ninth = 0;
    if (!scanner.atEnd() && scanner.number(ninth) == FieldScanner::Found::Number) {
        message.timestamp = message.tag;
        message.tag = message.bytes;
        message.bytes = ninth;
        message.shifted = true;
    }
    scanner.skipBlanks();
    message.comment = scanner.rest();
    if (auto fault = nulIn(line, message.comment, AlogField::Bytes))
        return *fault;
    return result;
}

} // namespace

AlogLine parseAlogLine(std::string_view line)
{
    line = withoutTrail(line);
    FieldScanner scanner(line);
    scanner.skipBlanks();
    if (scanner.atEnd())
        return BlankLine{};
    SixNumbers numbers;
    for (std::size_t field = 0; field < numbers.size(); ++field) {
        const auto found = scanner.number(numbers[field]);
        if (found != FieldScanner::Found::Number)
            return malformedAt(scanner, found, static_cast<AlogField>(field));
    }
    const std::int64_t type = of(numbers, AlogField::Type);
    if (type == alogtype::send || type == alogtype::receive)
        return messageLine(line, numbers, scanner);
    if (type >= 0 || type < alogtype::lastHeader)
        return eventLine(line, numbers, scanner);
    scanner.skipBlanks();
    const HeaderLine header{.type = type,
                            .process = of(numbers, AlogField::Process),
                            .task = of(numbers, AlogField::TaskNumber),
                            .data = of(numbers, AlogField::Data),
                            .timestamp = of(numbers, AlogField::Timestamp),
                            .comment = scanner.rest()};
    if (auto fault = nulIn(line, header.comment, AlogField::Timestamp))
        return *fault;
    return header;
}

std::uint64_t columnOf(std::string_view line, AlogField field)
{
    FieldScanner scanner(withoutTrail(line));
    scanner.skipBlanks();
    for (auto skipped = static_cast<unsigned>(field); skipped > 0; --skipped) {
        scanner.skipToken();
        scanner.skipBlanks();
    }
    return scanner.column();
}

std::string_view fieldName(AlogField field)
{
    constexpr std::array<std::string_view, 8> names{"type",  "process",   "task", "data",
                                                    "cycle", "timestamp", "tag",  "bytes"};
    return names[static_cast<std::size_t>(field)];
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t value = 0;
    FieldScanner scanner(text);
    if (text.empty() || isBlankByte(text.front())
        || scanner.number(value) != FieldScanner::Found::Number || !scanner.atEnd())
        return std::nullopt;
    return value;
}

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t shown = 40;
    constexpr std::string_view hex = "0123456789abcdef";
    std::string result = "'";
    for (const char byte : text.substr(0, shown)) {
        const auto code = static_cast<unsigned char>(byte);
        if (code < 0x20 || code == 0x7f) {
            result += "\\x";
            result += hex[code >> 4U];
            result += hex[code & 15U];
        } else {
            result += byte;
        }
    }
    result += text.size() > shown ? "'..." : "'";
    return result;
}

std::string_view trimmedBlanks(std::string_view text)
{
    while (!text.empty() && isBlankByte(text.front()))
        text.remove_prefix(1);
    return withoutTrail(text);
}

} // namespace tasuki::trace
