// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace tasuki::merge {

/// A fingerprint of 128 bits. Not proof against malice: it tells that maps agree.
struct Digest {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    auto operator<=>(const Digest&) const = default;
    /// 32 hexadecimal digits.
    [[nodiscard]] std::string hex() const;
};

/// Makes a Digest (XXH3, 128 bits) of bytes that come one after the other.
class Digester {
public:
    Digester();
    ~Digester();
    Digester(const Digester&) = delete;
    Digester& operator=(const Digester&) = delete;

    void add(std::string_view bytes)
    {
        if (m_gathered.size() - m_used < bytes.size()) {
            flush();
            if (bytes.size() > m_gathered.size())
                return addDirectly(bytes);
        }
        std::memcpy(m_gathered.data() + m_used, bytes.data(), bytes.size());
        m_used += bytes.size();
    }
    /// All eight bytes, the least first, whatever the machine's order.
    void add(std::uint64_t number)
    {
        char bytes[sizeof number];
        for (std::size_t byte = 0; byte < sizeof number; ++byte)
            bytes[byte] = static_cast<char>(number >> 8U * byte & 0xffU);
        add(std::string_view(bytes, sizeof bytes));
    }
    [[nodiscard]] Digest digest();

private:
    void flush();
    void addDirectly(std::string_view bytes);

    XXH3_state_s* m_state;
    std::array<char, 4096> m_gathered; ///< small pieces, so that each costs a copy only
    std::size_t m_used = 0;
};

/// A check sum of 64 bits (XXH3) of some bytes.
std::uint64_t checkSum(std::string_view bytes);

} // namespace tasuki::merge
