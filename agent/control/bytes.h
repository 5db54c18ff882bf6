// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace tasuki::control {

/// Appends a number, the least byte first.
template <std::unsigned_integral Number>
void putNumber(std::string& out, Number value)
{
    constexpr unsigned byteBits = 8;
    for (unsigned shift = 0; shift < sizeof(Number) * byteBits; shift += byteBits)
        out += static_cast<char>((value >> shift) & 0xFFU);
}

/// Takes apart what putNumber() and append() put together. Past the end everything reads as zero,
/// and good() says so.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : m_rest(bytes) {}

    template <std::unsigned_integral Number>
    Number number()
    {
        constexpr unsigned byteBits = 8;
        const std::string_view bytes = take(sizeof(Number));
        Number value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            value = static_cast<Number>(
                value
                | static_cast<Number>(Number{static_cast<unsigned char>(bytes[i])}
                                      << (byteBits * i)));
        return value;
    }
    /// @return the next bytes; empty when there are not so many
    std::string_view take(std::size_t count)
    {
        m_good = m_good && count <= m_rest.size();
        if (!m_good)
            return {};
        const std::string_view taken = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return taken;
    }
    [[nodiscard]] std::string_view rest() const { return m_rest; }
    [[nodiscard]] bool good() const { return m_good; }

private:
    std::string_view m_rest;
    bool m_good = true;
};

} // namespace tasuki::control
