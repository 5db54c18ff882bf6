// SPDX-License-Identifier: GPL-3.0-or-later
#include "describedcodec.h"

#include "eventcodec.h"

#include "domain/eventfields.h"
#include "domain/timerange.h"

#include "link.pb.h"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>

namespace tasuki::link {

namespace {

namespace pb = google::protobuf;

std::string inMicroseconds(std::string_view name) { return std::string(name) + "_us"; }
std::string phraseField(std::string_view name) { return std::string(name) + "_phrase"; }

/// A message and its fields by name. Precondition of all: the message has such a field.
template <class Message>
class Fields {
public:
    explicit Fields(Message& message) : m_message(message) {}

protected:
    [[nodiscard]] const pb::FieldDescriptor* field(std::string_view name) const
    {
        const auto* const found = m_message.GetDescriptor()->FindFieldByName(std::string(name));
        assert(found != nullptr);
        return found;
    }
    [[nodiscard]] const pb::Reflection& reflection() const { return *m_message.GetReflection(); }

    Message& m_message;
};

/// What an event says becomes a message.
class MessageWriter : public Fields<pb::Message> {
public:
    using Fields::Fields;

    void number(std::string_view name, std::integral auto value)
    {
        const auto* const to = field(name);
        switch (to->cpp_type()) {
        case pb::FieldDescriptor::CPPTYPE_BOOL:
            return reflection().SetBool(&m_message, to, value != 0);
        case pb::FieldDescriptor::CPPTYPE_UINT32:
            return reflection().SetUInt32(&m_message, to, static_cast<std::uint32_t>(value));
        case pb::FieldDescriptor::CPPTYPE_UINT64:
            return reflection().SetUInt64(&m_message, to, static_cast<std::uint64_t>(value));
        case pb::FieldDescriptor::CPPTYPE_INT64:
            return reflection().SetInt64(&m_message, to, static_cast<std::int64_t>(value));
        default: assert(false);
        }
    }
    void id(std::string_view name, const auto& id) { number(name, id.value()); }
    void idOrNone(std::string_view name, const auto& id)
    {
        if (id)
            number(name, id->value());
    }
    void idIfAny(std::string_view name, const auto& id) { idOrNone(name, id); }
    template <class E>
    void word(std::string_view name, E word, E /*last*/, auto /*nameOf*/)
    {
        number(name, static_cast<std::uint32_t>(word));
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
    void event(std::string_view name, EventId id)
    {
        auto* const place = reflection().MutableMessage(&m_message, field(name));
        encodePlace(id, dynamic_cast<wire::link::EventPlace&>(*place));
    }
    void text(std::string_view name, const std::string& bytes)
    {
        reflection().SetString(&m_message, field(name), bytes);
    }
    void textIfAny(std::string_view name, const std::string& bytes) { text(name, bytes); }
    void phrase(std::string_view name, const Phrase& phrase)
    {
        text(name, phrase.text());
        text(phraseField(name), phrase.code());
    }
    void phraseIfAny(std::string_view name, const Phrase& phrase) { this->phrase(name, phrase); }
    template <class Item>
    void list(std::string_view plural, std::string_view, const std::vector<Item>& items)
    {
        const auto* const to = field(plural);
        for (const Item& item : items) {
            MessageWriter writer(*reflection().AddMessage(&m_message, to));
            Item::describe(writer, item);
        }
    }
};

/// A message becomes what an event says; the first thing that is wrong is kept.
class MessageReader : public Fields<const pb::Message> {
public:
    MessageReader(const pb::Message& message, std::string& problem)
        : Fields(message), m_problem(problem)
    {}

    template <std::integral T>
    void number(std::string_view name, T& value)
    {
        value = static_cast<T>(numberOf(field(name)));
    }
    template <class Number>
    void id(std::string_view name, Number& id)
    {
        id = Number(static_cast<typename Number::Representation>(numberOf(field(name))));
    }
    template <class Number>
    void idOrNone(std::string_view name, std::optional<Number>& id)
    {
        id.reset();
        if (reflection().HasField(m_message, field(name)))
            this->id(name, id.emplace());
    }
    void idIfAny(std::string_view name, auto& id) { idOrNone(name, id); }
    template <class E>
    void word(std::string_view name, E& word, E last, auto /*nameOf*/)
    {
        const auto number = numberOf(field(name));
        if (number <= static_cast<std::int64_t>(last))
            word = static_cast<E>(number);
        else
            complain("an unknown " + std::string(name) + " in \""
                     + m_message.GetDescriptor()->name() + '"');
    }
    template <class Duration>
    void duration(std::string_view name, Duration& duration)
    {
        duration = Duration(numberOf(field(name)));
        if (!isBelievable(duration))
            complain(unbelievableDuration);
    }
    void measurement(std::string_view name, std::chrono::microseconds& time)
    {
        time = asRecorded(std::chrono::microseconds(numberOf(field(inMicroseconds(name)))));
        if (time != notKnown && !isBelievable(time))
            complain(unbelievableDuration);
    }
    void time(std::string_view name, std::optional<WallTime>& time)
    {
        time.reset();
        const auto* const from = field(inMicroseconds(name));
        if (!reflection().HasField(m_message, from))
            return;
        time = WallTime(std::chrono::microseconds(numberOf(from)));
        if (!isBelievable(*time))
            complain(unbelievableTime);
    }
    void event(std::string_view name, EventId& id)
    {
        const auto& place = reflection().GetMessage(m_message, field(name));
        id = decodePlace(dynamic_cast<const wire::link::EventPlace&>(place));
    }
    void text(std::string_view name, std::string& bytes)
    {
        bytes = reflection().GetString(m_message, field(name));
    }
    void textIfAny(std::string_view name, std::string& bytes) { text(name, bytes); }
    void phrase(std::string_view name, Phrase& phrase)
    {
        phrase = Phrase::decoded(reflection().GetString(m_message, field(phraseField(name))),
                                 reflection().GetString(m_message, field(name)));
    }
    void phraseIfAny(std::string_view name, Phrase& phrase) { this->phrase(name, phrase); }
    template <class Item>
    void list(std::string_view plural, std::string_view, std::vector<Item>& items)
    {
        const auto* const from = field(plural);
        items.resize(static_cast<std::size_t>(reflection().FieldSize(m_message, from)));
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto& message = reflection().GetRepeatedMessage(m_message, from,
                                                                  static_cast<int>(i));
            MessageReader reader(message, m_problem);
            Item::describe(reader, items[i]);
        }
    }

private:
    /// Numbers of 64 bits keep their bits.
    [[nodiscard]] std::int64_t numberOf(const pb::FieldDescriptor* from) const
    {
        switch (from->cpp_type()) {
        case pb::FieldDescriptor::CPPTYPE_BOOL:
            return reflection().GetBool(m_message, from) ? 1 : 0;
        case pb::FieldDescriptor::CPPTYPE_UINT32: return reflection().GetUInt32(m_message, from);
        case pb::FieldDescriptor::CPPTYPE_UINT64:
            return static_cast<std::int64_t>(reflection().GetUInt64(m_message, from));
        case pb::FieldDescriptor::CPPTYPE_INT64: return reflection().GetInt64(m_message, from);
        default: assert(false); return 0;
        }
    }
    void complain(std::string what)
    {
        if (m_problem.empty())
            m_problem = std::move(what);
    }

    std::string& m_problem;
};

/// @return the name of a kind's field
std::string fieldOf(std::string_view kind)
{
    std::string name(kind);
    std::ranges::replace(name, ' ', '_');
    return name;
}

} // namespace

void encodeDescribed(const EventPayload& payload, wire::link::Event& out)
{
    std::visit(
        [&out](const auto& event) {
            if constexpr (Described<std::remove_cvref_t<decltype(event)>>) {
                const auto* const to = out.GetDescriptor()->FindFieldByName(fieldOf(event.kind));
                MessageWriter writer(*out.GetReflection()->MutableMessage(&out, to));
                event.describe(writer, event);
            }
        },
        payload);
}

bool decodeDescribed(const wire::link::Event& in, EventPayload& out, std::string& problem)
{
    const auto* const payload = in.GetDescriptor()->FindOneofByName("payload");
    const auto* const from = in.GetReflection()->GetOneofFieldDescriptor(in, payload);
    return from != nullptr
        && readDescribed(
               out,
               [from](std::size_t, std::string_view kind) { return from->name() == fieldOf(kind); },
               [&](auto& event) {
                   MessageReader reader(in.GetReflection()->GetMessage(in, from), problem);
                   event.describe(reader, event);
               });
}

void encodePlace(EventId id, wire::link::EventPlace& out)
{
    out.set_epoch(id.epoch.value());
    out.set_sequence(id.sequence.value());
}

EventId decodePlace(const wire::link::EventPlace& in)
{
    return {Epoch(in.epoch()), Sequence(in.sequence())};
}

} // namespace tasuki::link
