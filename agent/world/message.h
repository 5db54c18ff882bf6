// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tasuki::world {

/// What goes through a ring between two ranks.
///
///   sender            receiver
///   Eager (bytes) ->                     done for the sender at once
///   Eager, synchronous (bytes) ->  matched: -> Taken
///   Offer (place) ->               matched: reads the sender's memory -> Taken
///                                  or, where it may not: -> Wanted; <- Piece, Piece ...; the last one ends it
enum class MessageKind : std::uint8_t { Eager, Offer, Taken, Wanted, Piece };

/// Stands before the bytes of a record.
struct MessageHead {
    MessageKind kind = MessageKind::Eager;
    std::uint8_t synchronous = 0; ///< of Eager: the sender waits for Taken
    std::uint16_t reserved = 0;
    std::int32_t tag = 0;
    std::uint64_t context =
        0; ///< of a communicator, for messages between ranks or for collective operations
    std::int32_t source = 0; ///< rank of the sender in it
    std::int32_t filling = 0;
    std::uint64_t bytes = 0; ///< of the whole message
    std::uint64_t transfer =
        0; ///< number of the sender's request: of Taken, Wanted and Piece that of the Offer
    std::uint64_t place =
        0; ///< of Offer: address in the sender's memory; of Wanted: number of the receiver's request; of Piece: that number
    std::uint64_t offset = 0; ///< of Piece: where its bytes go
};
static_assert(sizeof(MessageHead) == 56);

} // namespace tasuki::world
