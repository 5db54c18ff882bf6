// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "authenticator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki::control {

/// What stands before the content of a datagram. All of it is under the tag.
struct DatagramHeader {
    Epoch epoch;
    ProcessorId from;
    ProcessorId to; ///< so that what was said to one cannot be repeated to another
    Life life = {}; ///< of the sender
    std::uint64_t number = 0;
    bool operator==(const DatagramHeader&) const = default;
};

/// Fits into the smallest packet that every IPv6 network carries, and passes tunnels.
inline constexpr std::size_t datagramBytes = 1200;
/// "TSKB", version (2), zero (2), epoch (4), from (4), to (4), life (4), number (8).
inline constexpr std::size_t datagramHeaderBytes = 32;
/// Largest content, in bytes.
inline constexpr std::size_t datagramContentBytes = datagramBytes - datagramHeaderBytes - tagBytes;

/// Why a datagram is not taken, in the order in which it is looked at.
enum class DatagramFlaw : std::uint8_t { None, Malformed, OtherVersion, WrongTag };

/// Header, content, tag: one after the other; numbers with the least byte first.
class DatagramCodec {
public:
    /// @param key  of the launch, from which that of datagrams is made
    explicit DatagramCodec(const RunKey& key);

    /// Precondition: the content is at most datagramContentBytes long.
    [[nodiscard]] std::string seal(const DatagramHeader& header, std::string_view content) const;

    struct Opened {
        DatagramFlaw flaw = DatagramFlaw::None;
        DatagramHeader header = {};
        std::string_view content = {}; ///< points into what was opened
    };
    /// Header and content are those of a processor of this launch when there is no flaw, else
    /// nothing is to be believed. Whether they are new is not looked at.
    [[nodiscard]] Opened open(std::string_view datagram) const;

private:
    Authenticator m_authenticator;
};

} // namespace tasuki::control
