// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventdetails.h"

#include "domain/eventfields.h"
#include "domain/timerange.h"

#include <type_traits>
#include <utility>

namespace tasuki {

namespace {

/// Names rows; of an item of a list with what the item is called before them.
class RowNames {
public:
    std::string operator()(std::string_view name) const { return m_prefix + std::string(name); }
    void enter(std::string_view list, std::size_t index)
    {
        m_prefix = std::string(list) + '.' + std::to_string(index) + '.';
    }
    void leave() { m_prefix.clear(); }

private:
    std::string m_prefix;
};

std::string inMicroseconds(std::string_view name) { return std::string(name) + "_us"; }

template <class Number>
using RepresentationOf = typename Number::Representation;

/// What an event says becomes rows.
class DetailWriter {
public:
    std::vector<DetailRow> rows;

    void number(std::string_view name, std::integral auto value)
    {
        rows.push_back({m_names(name), static_cast<std::int64_t>(value)});
    }
    void id(std::string_view name, const auto& id) { number(name, id.value()); }
    template <class Number>
    void idOrNone(std::string_view name, const std::optional<Number>& id)
    {
        if (id)
            number(name, id->value());
    }
    void idIfAny(std::string_view name, const auto& id) { idOrNone(name, id); }
    template <class E>
    void word(std::string_view name, E word, E /*last*/, auto /*nameOf*/)
    {
        number(name, static_cast<std::int64_t>(word));
    }
    void duration(std::string_view name, const auto& duration) { number(name, duration.count()); }
    void measurement(std::string_view name, std::chrono::microseconds time)
    {
        number(inMicroseconds(name), time.count());
    }
    void time(std::string_view name, const std::optional<WallTime>& time)
    {
        if (time)
            number(inMicroseconds(name), time->time_since_epoch().count());
    }
    void event(std::string_view name, EventId id) { number(name, rowIdOf(id)); }
    void text(std::string_view name, const std::string& bytes)
    {
        rows.push_back({m_names(name), bytes});
    }
    void textIfAny(std::string_view name, const std::string& bytes) { text(name, bytes); }
    void phrase(std::string_view name, const Phrase& phrase)
    {
        text(name, phrase.text());
        if (std::string code = phrase.code(); !code.empty())
            text(phraseRow(name), code);
    }
    void phraseIfAny(std::string_view name, const Phrase& phrase) { this->phrase(name, phrase); }
    template <class Item>
    void list(std::string_view plural, std::string_view singular, const std::vector<Item>& items)
    {
        number(plural, items.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_names.enter(singular, i);
            Item::describe(*this, items[i]);
        }
        m_names.leave();
    }

private:
    RowNames m_names;
};

/// Rows become what an event says.
class DetailReader {
public:
    explicit DetailReader(Details& details) : m_details(details) {}

    template <std::integral T>
    void number(std::string_view name, T& value)
    {
        if constexpr (std::is_same_v<T, std::uint64_t>)
            value = static_cast<T>(m_details.number(m_names(name)));
        else
            value = m_details.narrow<T>(m_names(name));
    }
    void number(std::string_view name, bool& value)
    {
        value = m_details.number(m_names(name)) != 0;
    }
    template <class Number>
    void id(std::string_view name, Number& id)
    {
        id = Number(m_details.narrow<RepresentationOf<Number>>(m_names(name)));
    }
    template <class Number>
    void idOrNone(std::string_view name, std::optional<Number>& id)
    {
        id.reset();
        if (m_details.has(m_names(name)))
            id = Number(m_details.narrow<RepresentationOf<Number>>(m_names(name)));
    }
    void idIfAny(std::string_view name, auto& id) { idOrNone(name, id); }
    template <class E>
    void word(std::string_view name, E& word, E last, auto /*nameOf*/)
    {
        word = m_details.word(m_names(name), last);
    }
    template <class Duration>
    void duration(std::string_view name, Duration& duration)
    {
        duration = Duration(m_details.number(m_names(name)));
        if (!isBelievable(duration))
            m_details.complain(hasImpossibleDuration);
    }
    void measurement(std::string_view name, std::chrono::microseconds& time)
    {
        time = asRecorded(
            std::chrono::microseconds(m_details.number(m_names(inMicroseconds(name)))));
        if (time != notKnown && !isBelievable(time))
            m_details.complain(hasImpossibleDuration);
    }
    void time(std::string_view name, std::optional<WallTime>& time)
    {
        time.reset();
        const std::string row = m_names(inMicroseconds(name));
        if (m_details.has(row))
            time = WallTime(std::chrono::microseconds(m_details.number(row)));
        if (time && !isBelievable(*time))
            m_details.complain(hasImpossibleTime);
    }
    void event(std::string_view name, EventId& id)
    {
        const std::int64_t row = m_details.number(m_names(name));
        if (row < 0)
            m_details.complain("refers to an impossible event");
        else
            id = eventIdOf(row);
    }
    void text(std::string_view name, std::string& bytes) { bytes = m_details.bytes(m_names(name)); }
    void textIfAny(std::string_view name, std::string& bytes) { text(name, bytes); }
    void phrase(std::string_view name, Phrase& phrase) { phrase = m_details.phrase(m_names(name)); }
    void phraseIfAny(std::string_view name, Phrase& phrase) { this->phrase(name, phrase); }
    template <class Item>
    void list(std::string_view plural, std::string_view singular, std::vector<Item>& items)
    {
        const auto wanted = m_details.narrow<std::uint32_t>(plural);
        // Every item has rows of its own.
        if (wanted > m_details.size())
            return m_details.complain("lacks a detail");
        items.resize(wanted);
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_names.enter(singular, i);
            Item::describe(*this, items[i]);
        }
        m_names.leave();
    }

private:
    Details& m_details;
    RowNames m_names;
};

} // namespace

std::vector<DetailRow> eventDetails(const EventPayload& payload)
{
    DetailWriter writer;
    std::visit(
        [&writer](const auto& event) {
            if constexpr (Described<std::remove_cvref_t<decltype(event)>>)
                event.describe(writer, event);
        },
        payload);
    return std::move(writer.rows);
}

bool readEventDetails(std::size_t kind, Details& details, EventPayload& out)
{
    return readDescribed(
        out, [kind](std::size_t place, std::string_view) { return place == kind; },
        [&details](auto& event) {
            DetailReader reader(details);
            event.describe(reader, event);
        });
}

} // namespace tasuki
