// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmsuccessor.h"

#include <utility>

namespace tasuki {

namespace {

/// Who has not heard that the system has started hears it within this from a successor, if there is one.
constexpr std::chrono::seconds startPatience{3};
/// Tables show within some beats what they were told of the record.
constexpr std::chrono::seconds recallPatience{10};

} // namespace

void FarmSuccessor::masterLost()
{
    if (m_state != State::Follows)
        return;
    m_state = State::Waits;
    m_lost = m_clock.now();
}

void FarmSuccessor::opened(std::vector<hierarchy::RecordedSeat> recorded)
{
    if (m_state != State::Opens)
        return;
    m_state = State::Recalls;
    m_recalled = m_clock.now();
    m_behind = std::move(recorded);
}

void FarmSuccessor::lapsed()
{
    if (m_state < State::Opens)
        return;
    standBack();
    masterLost();
}

void FarmSuccessor::standBack()
{
    m_state = State::Follows;
    m_behind.clear();
}

std::optional<SteadyTime> FarmSuccessor::lostSince() const
{
    return m_state >= State::Opens ? std::optional(m_lost) : std::nullopt;
}

FarmSuccessor::Step FarmSuccessor::look(const hierarchy::MembershipView& view, ProcessorId master,
                                        bool valid)
{
    switch (m_state) {
    case State::Follows:
    case State::Leads: return Step::None;
    case State::Waits: return valid ? lookForStart(view, master) : Step::None;
    case State::Opens:
    case State::Recalls: break;
    }
    if (master != m_self) {
        standBack();
        return Step::StandBack;
    }
    return valid && m_state == State::Recalls ? lookAtRecorded(view) : Step::None;
}

FarmSuccessor::Step FarmSuccessor::lookForStart(const hierarchy::MembershipView& view,
                                                ProcessorId master)
{
    if (!view.system().started) {
        if (m_clock.now() - m_lost <= startPatience)
            return Step::None;
        standBack();
        return Step::GiveUp;
    }
    if (master != m_self) {
        standBack();
        return Step::None;
    }
    m_state = State::Opens;
    m_opening = m_clock.now();
    return Step::OpenRecord;
}

FarmSuccessor::Step FarmSuccessor::lookAtRecorded(const hierarchy::MembershipView& view)
{
    std::erase_if(m_behind, [&view](const hierarchy::RecordedSeat& seat) {
        return !hierarchy::isBehind(view, seat);
    });
    const bool late = m_clock.now() - m_recalled > recallPatience;
    if (!m_behind.empty() && !late)
        return Step::None;
    m_state = State::Leads;
    return m_behind.empty() ? Step::Lead : Step::LeadAnyway;
}

} // namespace tasuki
