// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tasuki::trace {

/// What the headers of a log say that its records cannot be understood without.
struct AlogDefinitions {
    std::vector<StateType> states;               ///< headers -13
    std::vector<std::int32_t> described;         ///< events, by headers -9
    std::optional<std::int64_t> rolloverUs = {}; ///< header -11, if there is one; 0: never
};

/// What the types of records mean.
class StateTable {
public:
    enum class Role : std::uint8_t {
        Unknown, ///< never met nor defined
        Begin,
        End,
        Mark, ///< an event without length
    };
    struct Meaning {
        Role role = Role::Unknown;
        bool met = false;        ///< meet() has nothing more to say of it
        std::uint32_t state = 0; ///< of Begin and End: index in states()
    };
    enum class Defined : std::uint8_t {
        New,     ///< or it is known just so, or was only guessed
        Renamed, ///< the same two types stand for a state of another name; that one stays
        Taken,   ///< one of the two types means something else; nothing changes
        TooLate, ///< records have already been guessed to mean something else; nothing changes
    };

    [[nodiscard]] Meaning find(std::int32_t type) const
    {
        if (type >= 0 && static_cast<std::size_t>(type) < m_small.size()) [[likely]]
            return m_small[static_cast<std::size_t>(type)];
        const auto found = m_others.find(type);
        return found == m_others.end() ? Meaning{} : found->second;
    }

    /// The first record of a type that is no state. An unknown one becomes one of the usual ones of
    /// MPI_Recv and MPI_Send, if the log defines neither of their two, else a mark.
    /// @param line  of the record
    Meaning meet(std::int32_t type, std::uint64_t line);
    /// @return the line where a type was first met that was no defined state then
    [[nodiscard]] std::optional<std::uint64_t> firstMet(std::int32_t type) const;

    /// @param state  begin and end differ
    Defined define(const StateType& state);
    /// An event without length; nothing changes if it is known.
    void describe(std::int32_t type);

    [[nodiscard]] const std::vector<StateType>& states() const { return m_states; }
    [[nodiscard]] std::vector<StateType> takeStates() { return std::move(m_states); }
    /// What the log has defined, also too late, and not what was guessed.
    [[nodiscard]] std::vector<StateType> definedStates() const;
    [[nodiscard]] const std::vector<std::int32_t>& described() const { return m_described; }

private:
    static constexpr std::size_t smallTypes = 1024;

    Meaning& at(std::int32_t type);
    std::uint32_t add(const StateType& state, bool guessed);

    std::array<Meaning, smallTypes> m_small{};
    std::unordered_map<std::int32_t, Meaning> m_others;
    std::unordered_map<std::int32_t, std::uint64_t> m_met;
    std::vector<StateType> m_states;
    std::vector<bool> m_guessed; ///< one a state
    std::vector<StateType> m_late;
    std::vector<std::int32_t> m_described;
};

} // namespace tasuki::trace
