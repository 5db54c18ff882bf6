// SPDX-License-Identifier: GPL-3.0-or-later
#include "statetable.h"

namespace tasuki::trace {

namespace {

/// The states of MPE's own profiling library, which every reader of its logs has come to know.
const std::array<StateType, 2>& usualStates()
{
    static const std::array<StateType, 2> states{
        StateType{.beginId = 155,
                  .endId = 156,
                  .name = "MPI_Recv",
                  .colour = "green",
                  .call = MpiCall::Recv},
        StateType{.beginId = 161,
                  .endId = 162,
                  .name = "MPI_Send",
                  .colour = "blue",
                  .call = MpiCall::Send},
    };
    return states;
}

} // namespace

StateTable::Meaning& StateTable::at(std::int32_t type)
{
    if (type >= 0 && static_cast<std::size_t>(type) < m_small.size())
        return m_small[static_cast<std::size_t>(type)];
    return m_others[type];
}

std::uint32_t StateTable::add(const StateType& state, bool guessed)
{
    const auto index = static_cast<std::uint32_t>(m_states.size());
    m_states.push_back(state);
    m_guessed.push_back(guessed);
    at(state.beginId) = {.role = Role::Begin, .met = true, .state = index};
    at(state.endId) = {.role = Role::End, .met = true, .state = index};
    return index;
}

StateTable::Meaning StateTable::meet(std::int32_t type, std::uint64_t line)
{
    m_met.emplace(type, line);
    if (Meaning& known = at(type); known.role == Role::Mark) {
        known.met = true;
        return known;
    }
    for (const StateType& usual : usualStates()) {
        const bool isOne = type == usual.beginId || type == usual.endId;
        if (isOne && find(usual.beginId).role == Role::Unknown
            && find(usual.endId).role == Role::Unknown) {
            add(usual, true);
            return find(type);
        }
    }
    return at(type) = {.role = Role::Mark, .met = true, .state = 0};
}

std::optional<std::uint64_t> StateTable::firstMet(std::int32_t type) const
{
    const auto found = m_met.find(type);
    if (found == m_met.end())
        return std::nullopt;
    return found->second;
}

StateTable::Defined StateTable::define(const StateType& state)
{
    const Meaning begin = find(state.beginId);
    const Meaning end = find(state.endId);
    const auto isState = [](const Meaning& meaning) {
        return meaning.role == Role::Begin || meaning.role == Role::End;
    };
    if (!isState(begin) && !isState(end)) {
        add(state, false);
        return Defined::New;
    }
    if (begin.role != Role::Begin || end.role != Role::End || begin.state != end.state) {
        const auto isFree = [&](const Meaning& meaning) {
            return !isState(meaning) || m_guessed[meaning.state];
        };
        if (!isFree(begin) || !isFree(end))
            return Defined::Taken;
        m_late.push_back(state);
        return Defined::TooLate;
    }
    StateType& known = m_states[begin.state];
    if (m_guessed[begin.state]) {
        m_guessed[begin.state] = false;
        known = state;
        m_met.erase(state.beginId);
        m_met.erase(state.endId);
    }
    return known.name == state.name ? Defined::New : Defined::Renamed;
}

void StateTable::describe(std::int32_t type)
{
    m_described.push_back(type);
    if (Meaning& meaning = at(type); meaning.role == Role::Unknown)
        meaning.role = Role::Mark;
}

std::vector<StateType> StateTable::definedStates() const
{
    std::vector<StateType> defined;
    for (std::size_t index = 0; index < m_states.size(); ++index) {
        if (!m_guessed[index])
            defined.push_back(m_states[index]);
    }
    defined.insert(defined.end(), m_late.begin(), m_late.end());
    return defined;
}

} // namespace tasuki::trace
