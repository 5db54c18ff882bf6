// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
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

    void add(std::string_view bytes);
    /// All eight bytes, the least first, whatever the machine's order.
    void add(std::uint64_t number);
    [[nodiscard]] Digest digest() const;

private:
    XXH3_state_s* m_state;
};

/// A check sum of 64 bits (XXH3) of some bytes.
std::uint64_t checkSum(std::string_view bytes);

} // namespace tasuki::merge
