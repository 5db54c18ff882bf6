// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowtext.h"

#include <sqlite3.h>

#include <algorithm>

namespace tasuki {

namespace {

/// A value begins with one of these; numbers follow in groups of seven bits, the lowest first.
enum class ValueKind : char { Null = 'n', Number = 'i', Text = 't', Blob = 'b' };

constexpr unsigned groupBits = 7;
constexpr unsigned moreFollows = 0x80U;

void putNumber(std::string& out, std::uint64_t value)
{
    while (value >= moreFollows) {
        out += static_cast<char>(static_cast<unsigned char>(value | moreFollows));
        value >>= groupBits;
    }
    out += static_cast<char>(static_cast<unsigned char>(value));
}

/// Numbers near 0 are short, whatever their sign.
std::uint64_t folded(std::int64_t value)
{
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? ~(bits << 1U) : bits << 1U;
}

std::int64_t unfolded(std::uint64_t bits)
{
    const std::uint64_t value = bits >> 1U;
    return static_cast<std::int64_t>((bits & 1U) != 0 ? ~value : value);
}

Error badRow(const char* what)
{
    return {.kind = ErrorKind::Protocol, .message = std::string("malformed row: ") + what};
}

} // namespace

void addRow(std::string& out, RowTable table, const Statement& row)
{
    const auto shape = std::ranges::find(rowShapes, table, &RowShape::table);
    out += static_cast<char>(table);
    for (int column = 0; column < shape->columns; ++column) {
        switch (row.type(column)) {
        case SQLITE_NULL: out += static_cast<char>(ValueKind::Null); break;
        case SQLITE_INTEGER:
            out += static_cast<char>(ValueKind::Number);
            putNumber(out, folded(row.integer(column)));
            break;
        default:
            out += static_cast<char>(row.type(column) == SQLITE_TEXT ? ValueKind::Text
                                                                     : ValueKind::Blob);
            const std::string_view bytes = row.bytes(column);
            putNumber(out, bytes.size());
            out += bytes;
        }
    }
}

Result<const RowShape*> RowTextReader::next()
{
    const auto table = static_cast<RowTable>(m_rest.front());
    const auto shape = std::ranges::find(rowShapes, table, &RowShape::table);
    if (shape == rowShapes.end())
        return badRow("of no table");
    m_rest.remove_prefix(1);
    return &*shape;
}

Result<std::int64_t> RowTextReader::bind(const RowShape& shape, Statement& insert)
{
    std::int64_t first = 0;
    for (int column = 0; column < shape.columns; ++column) {
        const int parameter = column + 1;
        if (m_rest.empty())
            return badRow("too short");
        const auto kind = static_cast<ValueKind>(m_rest.front());
        m_rest.remove_prefix(1);
        std::uint64_t number = 0;
        std::string_view bytes;
        switch (kind) {
        case ValueKind::Null: insert.bindNull(parameter); break;
        case ValueKind::Number:
            if (!takeNumber(number))
                return badRow("a number is cut off");
            insert.bind(parameter, unfolded(number));
            first = column == 0 ? unfolded(number) : first;
            break;
        case ValueKind::Text:
        case ValueKind::Blob:
            if (!takeBytes(bytes))
                return badRow("a text is cut off");
            if (kind == ValueKind::Text)
                insert.bindText(parameter, bytes);
            else
                insert.bindBlob(parameter, bytes);
            break;
        default: return badRow("a value of no kind");
        }
    }
    return first;
}

bool RowTextReader::takeNumber(std::uint64_t& value)
{
    constexpr unsigned bits = 64;
    for (unsigned shift = 0; shift < bits && !m_rest.empty(); shift += groupBits) {
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= std::uint64_t{byte & (moreFollows - 1)} << shift;
        if ((byte & moreFollows) == 0)
            return true;
    }
    return false;
}

bool RowTextReader::takeBytes(std::string_view& bytes)
{
    std::uint64_t length = 0;
    if (!takeNumber(length) || length > m_rest.size())
        return false;
    bytes = m_rest.substr(0, length);
    m_rest.remove_prefix(length);
    return true;
}

} // namespace tasuki
