// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event.h"

#include <cstddef>
#include <utility>
#include <variant>

/// A kind of event whose `describe(fields, event)` names all that it says, once and in one order, for the
/// record (runfile/eventdetails.h), the link to windows (wire/describedcodec.h) and JSON. Each of them
/// brings `fields` of its own, with these functions; the names are those of the record, without units:
///
///     text(name, string)                    bytes; textIfAny: JSON leaves an empty one out
///     phrase(name, Phrase)                  its text, and beside it how it is written; phraseIfAny: as textIfAny
///     number(name, integer or bool)
///     id(name, number of ids.h)             idOrNone, idIfAny: an optional one; of none JSON says null, or nothing
///     word(name, enumeration, last, nameOf) the number of a closed list, its name for people
///     duration(name, chrono duration)       its count; the name has the unit
///     measurement(name, microseconds)       a time that may be notKnown
///     time(name, optional WallTime)
///     event(name, EventId)
///     list(plural, singular, items)         items are described, too
namespace tasuki {

template <class Payload>
concept Described = requires(int& fields, Payload& event)
{
    Payload::describe(fields, event);
};

namespace detail {

template <std::size_t Place, class Read>
bool readAt(EventPayload& out, Read& read)
{
    if constexpr (Described<std::variant_alternative_t<Place, EventPayload>>) {
        read(out.emplace<Place>());
        return true;
    }
    return false;
}

} // namespace detail

/// Makes an event of a described kind.
/// @param is    is(Place, kind): whether it is of that kind
/// @param read  gets the empty event, to fill it
/// @return whether it is of a described kind; else nothing was done
template <class Is, class Read>
bool readDescribed(EventPayload& out, Is&& is, Read&& read)
{
    return [&]<std::size_t... Place>(std::index_sequence<Place...>)
    {
        return ((is(Place, std::variant_alternative_t<Place, EventPayload>::kind)
                 && detail::readAt<Place>(out, read))
                || ...);
    }
    (std::make_index_sequence<std::variant_size_v<EventPayload>>());
}

} // namespace tasuki
