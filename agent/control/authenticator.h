// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controladdress.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

struct evp_mac_ctx_st;

namespace tasuki::control {

/// HMAC-SHA256, cut to its first half as RFC 2104 allows: what a forger would have to guess.
inline constexpr std::size_t tagBytes = 16;
using Tag = std::array<char, tagBytes>;

/// @param purpose  keys for different purposes tell nothing of each other
/// @return 32 bytes: two tags, of the purpose and a number, as in RFC 5869
RunKey deriveKey(const RunKey& key, std::string_view purpose);

/// Makes and checks tags with one key.
class Authenticator {
public:
    explicit Authenticator(const RunKey& key);

    /// @return the tag of the two parts, one after the other
    [[nodiscard]] Tag tag(std::string_view first, std::string_view second = {}) const;
    /// Takes the same time wherever they differ.
    [[nodiscard]] bool matches(std::string_view tag, std::string_view first,
                               std::string_view second = {}) const;

private:
    struct Free {
        void operator()(evp_mac_ctx_st* context) const;
    };
    std::unique_ptr<evp_mac_ctx_st, Free> m_keyed; ///< copied for each tag
};

} // namespace tasuki::control
