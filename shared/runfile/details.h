// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/phrase.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// @return whether a column's number is one of a type
template <class T>
bool fits(std::int64_t value)
{
    return value >= std::int64_t{std::numeric_limits<T>::min()}
    && value <= std::int64_t{std::numeric_limits<T>::max()};
}

/// What is said of an event whose times are not believed (domain/timerange.h).
inline constexpr const char* hasImpossibleTime = "has a time that is not between 1970 and 2200";
inline constexpr const char* hasImpossibleDuration =
    "has a duration that is negative or over 230 years";

/// @return the name of the row that has the code of a phrase, beside the row of its text
inline std::string phraseRow(std::string_view name) { return std::string(name) + "_phrase"; }

/// The rows of table detail of one event, by name, checked as they are asked for. The first thing
/// that is wrong is kept in problem(); what could not be read is zero or empty.
class Details {
public:
    struct Entry {
        std::string name;
        std::int64_t number = 0;
        std::string bytes;
    };

    /// To be added by ascending name.
    void add(Entry entry) { m_entries.push_back(std::move(entry)); }

    [[nodiscard]] const char* problem() const { return m_problem; }
    void complain(const char* problem)
    {
        if (!m_problem)
            m_problem = problem;
    }

    [[nodiscard]] bool has(std::string_view name) const { return lookUp(name) != nullptr; }
    /// How many rows there are.
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

    std::string bytes(std::string_view name) { return find(name).bytes; }
    Phrase phrase(std::string_view name)
    {
        const Entry* const code = lookUp(phraseRow(name));
        return Phrase::decoded(code ? code->bytes : std::string(), bytes(name));
    }
    std::int64_t number(std::string_view name) { return find(name).number; }

    template <class T>
    T narrow(std::string_view name)
    {
        const auto value = find(name).number;
        if (!fits<T>(value))
            complain("has a number out of range");
        return static_cast<T>(value);
    }

    /// A closed enumeration whose last value is known.
    template <class E>
    E word(std::string_view name, E last)
    {
        const auto value = find(name).number;
        if (value < 0 || value > static_cast<std::int64_t>(last)) {
            complain("has a number that means nothing");
            return E{};
        }
        return static_cast<E>(value);
    }

private:
    [[nodiscard]] const Entry* lookUp(std::string_view name) const;
    const Entry& find(std::string_view name);

    std::vector<Entry> m_entries;
    const char* m_problem = nullptr;
};

} // namespace tasuki
