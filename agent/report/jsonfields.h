// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtables.h"

#include "domain/event.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// What an event says (domain/eventfields.h) becomes members of a JSON object. Measurements are in
/// milliseconds, null when they are not known; times are in seconds since 1970.
class JsonFields {
public:
    using Json = nlohmann::ordered_json;

    /// @param own  what an item of a list is called: its own number is called so
    explicit JsonFields(Json& target, std::string_view own = "id") : m_json(target), m_own(own) {}

    /// @return one line
    static std::string line(const Json& json)
    {
        constexpr int compact = -1;
        return json.dump(compact, ' ', false, Json::error_handler_t::replace) + '\n';
    }
    static Json milliseconds(std::chrono::microseconds time)
    {
        return time.count() < 0 ? Json() : Json(secondsOf(time) * 1e3);
    }
    static Json seconds(const std::optional<WallTime>& time)
    {
        return time ? Json(secondsOf(time->time_since_epoch())) : Json();
    }

    template <class Number>
    requires std::integral<Number>
    void number(std::string_view name, Number value) { member(name) = value; }
    void id(std::string_view name, const auto& id)
    {
        member(name == "id" ? m_own : name) = id.value();
    }
    void idOrNone(std::string_view name, const auto& id)
    {
        member(name) = id ? Json(id->value()) : Json();
    }
    void idIfAny(std::string_view name, const auto& id)
    {
        if (id)
            member(name) = id->value();
    }
    template <class E>
    void word(std::string_view name, E word, E /*last*/, auto nameOf)
    {
        member(name) = nameOf(word);
    }
    void duration(std::string_view name, const auto& duration) { member(name) = duration.count(); }
    void measurement(std::string_view name, std::chrono::microseconds time)
    {
        member(std::string(name) + "_ms") = milliseconds(time);
    }
    void time(std::string_view name, const std::optional<WallTime>& time)
    {
        member(name) = seconds(time);
    }
    void event(std::string_view name, EventId id) { member(name) = eventIdText(id); }
    void text(std::string_view name, const std::string& bytes) { member(name) = bytes; }
    void textIfAny(std::string_view name, const std::string& bytes)
    {
        if (!bytes.empty())
            member(name) = bytes;
    }
    void phrase(std::string_view name, const Phrase& phrase) { text(name, phrase.text()); }
    void phraseIfAny(std::string_view name, const Phrase& phrase)
    {
        textIfAny(name, phrase.text());
    }
    template <class Item>
    void list(std::string_view plural, std::string_view singular, const std::vector<Item>& items)
    {
        Json& array = member(plural) = Json::array();
        for (const Item& item : items) {
            JsonFields fields(array.emplace_back(Json::object()), singular);
            Item::describe(fields, item);
        }
    }

private:
    Json& member(std::string_view name) { return m_json[std::string(name)]; }

    Json& m_json;
    std::string_view m_own;
};

} // namespace tasuki
