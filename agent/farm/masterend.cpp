// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a life of the run ends: by an interrupt, with its allocation, or because all is done.
#include "master.h"

#include <utility>

namespace tasuki::farm {

/// What the phase means for attempts that end in it.
Interruption Master::interruption() const
{
    switch (m_phase) {
    case Phase::Draining: return Interruption::Asked;
    case Phase::Killing: return Interruption::Killing;
    default: return Interruption::None;
    }
}

void Master::interrupt(std::optional<SubclusterId> restartFor)
{
    switch (m_phase) {
    case Phase::Opening:
        if (m_takesOver)
            interruptLater(restartFor); // somebody may run something
        else
            close(RunEnd::Interrupted);
        break;
    case Phase::Running:
        m_phase = Phase::Draining;
        recordEnding(false, restartFor);
        m_scheduler.setHeld(true);
        for (const RecallOrder& order : m_scheduler.recallAll())
            send(order.crew, Recall{order.count});
        break;
    case Phase::Draining:
        m_phase = Phase::Killing;
        recordEnding(true, restartFor);
        for (const auto& [rank, member] : m_roster.members()) {
            if (member.state == Member::State::Present && !m_roster.isLed(rank))
                send(rank, Halt{});
        }
        for (const auto& [crew, record] : m_roster.crews())
            send(crew, Halt{});
        break;
    case Phase::Closing:
        if (m_stalled) {
            m_end = RunEnd::Interrupted;
            dismiss();
        }
        break;
    case Phase::Killing:
        if (m_stalled && gathered()
            && m_scheduler.outstanding() == 0) { // but for a command that is under way
            m_operations.abandon("the record cannot be written");
            close(RunEnd::Interrupted);
            dismiss();
        }
        break;
    case Phase::Dismissing:
    case Phase::Over: break;
    }
}

/// Which tasks may still start; null: no end is known.
FitTest Master::fitTest() const
{
    if (!m_allocationEnd)
        return {};
    return [this, now = m_clock.now()](TaskId id) {
        return m_allocationEnd->fit(m_state.task(id).task, now);
    };
}

/// Warns, and ends the run in order before its allocation does.
void Master::lookAtAllocationEnd()
{
    if (!m_allocationEnd || (m_phase != Phase::Running && m_phase != Phase::Draining))
        return;
    const SteadyTime now = m_clock.now();
    for (const AllocationEnd::Warning& warning : m_allocationEnd->warningsDue(now)) {
        if (const auto held = m_scheduler.held(warning.key.task))
            send(held->first, Warn{.keys = {warning.key}, .signalNumber = warning.signalNumber});
    }
    const SteadyTime stopAt = m_allocationEnd->stopAt();
    const bool over = now >= stopAt;
    const bool useless = m_phase == Phase::Running && gathered() && m_operations.idle()
        && m_scheduler.onlyLate(stopAt);
    if (!over && !useless)
        return;
    if (m_phase == Phase::Running) {
        m_endedByAllocation = true;
        const std::size_t left = m_state.unfinished();
        append(Notice{.severity = Severity::Information,
                      .text = "the allocation ends: interrupted, " + std::to_string(left)
                          + (left == 1 ? " task is left" : " tasks are left")});
        interrupt();
    }
    if (over && m_phase == Phase::Draining)
        interrupt();
}

void Master::close(RunEnd end)
{
    m_phase = Phase::Closing;
    m_end = end;
    append(RunClosed{
        .end = end,
        .elapsed = std::chrono::floor<std::chrono::microseconds>(m_clock.now() - m_opened)});
}

void Master::dismiss()
{
    m_phase = Phase::Dismissing;
    m_dismissed = m_clock.now();
    sayGoodbye();
}

void Master::sayGoodbye()
{
    m_goodbyeSaid = m_clock.now();
    m_sent = true;
    for (const ProcessorId processor : m_living)
        m_transport.send(processor, encode({m_journal.epoch(), {}, Goodbye{m_losses}}));
}

} // namespace tasuki::farm
