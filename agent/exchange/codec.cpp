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

template <class A, Is<ViewId> M>
void fields(A& a, M& m)
{
    a(m.number, m.coordinator);
}

template <class A, Is<Place> M>
void fields(A& a, M& m)
{
    a(m.pid, m.hostKey);
}

template <class A, Is<Digest> M>
void fields(A& a, M& m)
{
    a(m.high, m.low);
}

template <class A, Is<Schedule> M>
void fields(A& a, M& m)
{
    a(m.pattern, m.sparing);
}

template <class A, Is<Hello> M>
void fields(A& a, M& m)
{
    a(m.entries, m.bytes, m.exactScores, m.place, m.listing);
}

template <class A, Is<View> M>
void fields(A& a, M& m)
{
    a(m.members, m.places, m.schedule, m.trimsInRounds);
    a.require(m.members.size() == m.places.size()
              && std::ranges::adjacent_find(m.members, std::ranges::greater_equal{})
                  == m.members.end());
}

template <class A, Is<Ready> M>
void fields(A& a, M& m)
{
    a(m.round);
}

/// The chunk stands before all fields.
template <class A, Is<Part> M>
void fields(A& a, M& m)
{
    a(m.round, m.last);
}

template <class A, Is<Done> M>
void fields(A& a, M& m)
{
    a(m.digest, m.sentBytes, m.peakBytes, m.listing);
}

template <class A, Is<Finished> M>
void fields(A& a, M& m)
{
    a(m.safe);
}

template <class A, Is<Lost> M>
void fields(A& a, M& m)
{
    a(m.rank, m.gone);
}

template <class M>
concept SaysNoMore = Is<M, Agreed> || Is<M, Beat>;

template <class A, SaysNoMore M>
void fields(A&, M&)
{}

template <class A, Is<Envelope> M>
void fields(A& a, M& m)
{
    a(m.view, m.body);
}

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
