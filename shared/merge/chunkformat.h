// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers as the serialised layout has them.
namespace tasuki::merge::format {

inline constexpr std::string_view magic = "TMC2";
inline constexpr std::size_t fixedBytes = 8;
inline constexpr std::size_t summedFrom = magic.size() + fixedBytes;
inline constexpr std::size_t prefixBytes = summedFrom + fixedBytes;
/// Room that a new chunk has for what a message puts behind it.
inline constexpr std::size_t envelopeBytes = 64;

inline void storeFixed(char* to, std::uint64_t number)
{
    for (std::size_t byte = 0; byte < fixedBytes; ++byte)
        to[byte] = static_cast<char>((number >> (8 * byte)) & 0xffU);
}

/// @param from  fixedBytes bytes
inline std::uint64_t loadFixed(const char* from)
{
    std::uint64_t number = 0;
    for (std::size_t byte = 0; byte < fixedBytes; ++byte)
        number |= std::uint64_t{static_cast<unsigned char>(from[byte])} << (8 * byte);
    return number;
}

inline void appendFixed(std::string& to, std::uint64_t number)
{
    char bytes[fixedBytes];
    storeFixed(bytes, number);
    to.append(bytes, fixedBytes);
}

/// @param to  has room for the longest, ten bytes
/// @return behind what was stored
inline char* storeVariable(char* to, std::uint64_t number)
{
    for (; number >= 0x80U; number >>= 7U)
        *to++ = static_cast<char>((number & 0x7fU) | 0x80U);
    *to++ = static_cast<char>(number);
    return to;
}

/// Takes numbers from the front of bytes that may be anything.
class Scanner {
public:
    explicit Scanner(std::string_view bytes) : m_rest(bytes) {}

    [[nodiscard]] std::string_view rest() const { return m_rest; }

    /// @return none: there are not so many bytes left
    std::optional<std::uint64_t> fixed()
    {
        if (m_rest.size() < fixedBytes)
            return std::nullopt;
        const std::uint64_t number = loadFixed(m_rest.data());
        m_rest.remove_prefix(fixedBytes);
        return number;
    }

    /// @return none: no number of 64 bits ends here, or one of needlessly many bytes
    std::optional<std::uint64_t> variable()
    {
        if (!m_rest.empty() && static_cast<unsigned char>(m_rest.front()) < 0x80U) {
            const auto small = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            return small;
        }
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0))
                return std::nullopt;
            number |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80U)
                return number;
        }
        return std::nullopt;
    }

private:
    std::string_view m_rest;
};

} // namespace tasuki::merge::format
