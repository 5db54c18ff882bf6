// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tasuki::control {

/// Which numbers of a sender have been seen: each is taken once, and only when it is among the
/// latest 64. That is the sliding window of IPsec's ESP (RFC 4303, section 3.4.3), with its
/// recommended size: networks reorder a few datagrams, and who replays them gets nothing.
class ReplayWindow {
public:
    enum class Verdict : std::uint8_t { Fresh, Replayed, TooOld };
    static constexpr std::uint64_t size = 64;

    /// Takes a number, from 1, of a message that is known to be genuine.
    Verdict take(std::uint64_t number)
    {
        if (number > m_newest) {
            const std::uint64_t ahead = number - m_newest;
            m_seen = ahead < size ? (m_seen << ahead) | 1U : 1U;
            m_newest = number;
            return Verdict::Fresh;
        }
        const std::uint64_t behind = m_newest - number;
        if (behind >= size || number == 0)
            return Verdict::TooOld;
        const std::uint64_t bit = std::uint64_t{1} << behind;
        if ((m_seen & bit) != 0)
            return Verdict::Replayed;
        m_seen |= bit;
        return Verdict::Fresh;
    }

private:
    std::uint64_t m_newest = 0;
    std::uint64_t m_seen = 0; ///< bit n: the number n below the newest
};

} // namespace tasuki::control
