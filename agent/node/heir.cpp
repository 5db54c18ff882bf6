// SPDX-License-Identifier: GPL-3.0-or-later
#include "heir.h"

#include <utility>

namespace tasuki {

namespace {

/// Who has not heard that the system has started hears it within this from a successor, if there is one.
constexpr std::chrono::seconds startPatience{3};
/// Tables show within some beats what they were told of the record.
constexpr std::chrono::seconds recallPatience{10};

} // namespace

void Heir::masterLost()
{
    if (m_state != State::Follows)
        return;
    m_state = State::Waits;
    m_lost = m_clock.now();
}

void Heir::opened(std::vector<hierarchy::RecordedSeat> recorded)
{
    if (m_state != State::Opens)
        return;
    m_state = State::Recalls;
    m_recalled = m_clock.now();
    m_behind = std::move(recorded);
}

void Heir::lapsed()
{
    if (m_state < State::Opens)
        return;
    standBack();
    masterLost();
}

void Heir::standBack()
{
    m_state = State::Follows;
    m_behind.clear();
}

std::optional<SteadyTime> Heir::lostSince() const
{
    return m_state >= State::Opens ? std::optional(m_lost) : std::nullopt;
}

Heir::Step Heir::look(const hierarchy::Picture& picture, ProcessorId master, bool valid)
{
    switch (m_state) {
    case State::Follows:
    case State::Leads: return Step::None;
    case State::Waits: return valid ? lookForStart(picture, master) : Step::None;
    case State::Opens:
    case State::Recalls: break;
    }
    if (master != m_self) {
        standBack();
        return Step::StandBack;
    }
    return valid && m_state == State::Recalls ? lookAtRecorded(picture) : Step::None;
}

Heir::Step Heir::lookForStart(const hierarchy::Picture& picture, ProcessorId master)
{
    if (!picture.system().started) {
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

Heir::Step Heir::lookAtRecorded(const hierarchy::Picture& picture)
{
    std::erase_if(m_behind, [&picture](const hierarchy::RecordedSeat& seat) {
        return !hierarchy::isBehind(picture, seat);
    });
    const bool late = m_clock.now() - m_recalled > recallPatience;
    if (!m_behind.empty() && !late)
        return Step::None;
    m_state = State::Leads;
    return m_behind.empty() ? Step::Lead : Step::LeadAnyway;
}

} // namespace tasuki
