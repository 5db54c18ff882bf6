// SPDX-License-Identifier: GPL-3.0-or-later
// A message is a chunk, or nothing, after which stand the fields and the number of their bytes: so a chunk lies at
// the beginning and becomes a block of a map without being copied.
#include "messages.h"

#include "codec/codec.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace tasuki::merge {

using codec::Is;
using codec::Of;

constexpr Pattern lastOf(Of<Pattern>) { return Pattern::Dissemination; }

void fields(auto& a, Is<ViewId> auto& m) { a(m.number, m.coordinator); }
void fields(auto& a, Is<Place> auto& m) { a(m.pid, m.hostKey); }
void fields(auto& a, Is<Digest> auto& m) { a(m.high, m.low); }
void fields(auto& a, Is<Schedule> auto& m) { a(m.pattern, m.sparing); }

void fields(auto& a, Is<Hello> auto& m)
{
    a(m.entries, m.bytes, m.exactScores, m.place, m.listing);
}

void fields(auto& a, Is<View> auto& m)
{
    a(m.members, m.places, m.schedule, m.trimsInRounds);
    a.require(m.members.size() == m.places.size()
              && std::ranges::adjacent_find(m.members, std::ranges::greater_equal{})
                  == m.members.end());
}

void fields(auto& a, Is<Ready> auto& m) { a(m.round); }

/// The chunk stands before all fields.
void fields(auto& a, Is<Part> auto& m) { a(m.round, m.last); }
void fields(auto& a, Is<Done> auto& m) { a(m.digest, m.sentBytes, m.peakBytes, m.listing); }
void fields(auto& a, Is<Finished> auto& m) { a(m.safe); }
void fields(auto& a, Is<Lost> auto& m) { a(m.rank, m.gone); }

template <class M>
concept SaysNoMore = Is<M, Agreed> || Is<M, Beat>;

void fields(auto&, SaysNoMore auto&) {}
void fields(auto& a, Is<Envelope> auto& m) { a(m.view, m.body); }

namespace {

using Length = std::uint32_t;

constexpr unsigned byteBits = 8;

void appendLength(Length length, std::string& out)
{
    for (unsigned i = 0; i < sizeof(Length); ++i)
        out += static_cast<char>(length >> (byteBits * i));
}

Length lengthAt(std::string_view bytes)
{
    Length length = 0;
    for (unsigned i = 0; i < sizeof(Length); ++i)
        length |= static_cast<Length>(static_cast<unsigned char>(bytes[i])) << (byteBits * i);
    return length;
}

} // namespace

Message encode(Envelope envelope)
{
    Message message;
    if (auto* const part = std::get_if<Part>(&envelope.body))
        message = std::move(part->chunk);
    const std::size_t chunk = message.size();
    codec::Writer write(message);
    write(envelope);
    appendLength(static_cast<Length>(message.size() - chunk), message);
    return message;
}

Result<Envelope> decode(Message message)
{
    const Error malformed{.kind = ErrorKind::Protocol, .message = "malformed message of a merge"};
    if (message.size() < sizeof(Length))
        return malformed;
    const std::string_view all(message);
    const Length length = lengthAt(all.substr(all.size() - sizeof(Length)));
    if (length > all.size() - sizeof(Length))
        return malformed;
    const std::size_t chunk = all.size() - sizeof(Length) - length;
    Envelope envelope;
    if (!codec::decode(all.substr(chunk, length), envelope))
        return malformed;
    auto* const part = std::get_if<Part>(&envelope.body);
    if (part == nullptr && chunk != 0)
        return malformed;
    message.resize(chunk);
    if (part != nullptr)
        part->chunk = std::move(message);
    return envelope;
}

} // namespace tasuki::merge
