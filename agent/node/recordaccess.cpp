// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordaccess.h"

#include <algorithm>
#include <utility>

namespace tasuki {

bool hasCopies(const RecordReach& reach)
{
    return std::ranges::find(reach.sees, false) != reach.sees.end();
}

RecordAccess::RecordAccess(Setup setup, Transport& transport, const Clock& clock, Reactor& reactor,
                           std::function<void(Result<RunPlan>)> opened)
    : m_setup(std::move(setup)),
      m_clock(clock),
      m_reactor(reactor),
      m_opened(std::move(opened)),
      m_place(m_setup.reach.original),
      m_plan(std::exchange(m_setup.plan, {}))
{
    if (hasCopies(m_setup.reach))
        m_copyPost = std::make_unique<CopyPost>(m_setup.reach, m_setup.briefing.epoch, transport,
                                                reactor);
}

void RecordAccess::open(bool copy)
{
    if (copy) {
        const std::optional<RecordPlace> place = m_copyPost->succeed();
        if (!place) {
            const RecordPlace& record = m_copyPost->record();
            m_opened(Error{.kind = ErrorKind::System,
                           .message = "neither the record nor a copy that has all of it is here",
                           .remedy = "resume the run where its run file is: " + record.path + " on "
                               + record.host});
            return;
        }
        m_place = *place;
    }
    m_opener = std::make_unique<RecordOpener>(
        placed(), m_clock.wallNow(),
        [this](std::function<void()> work) { m_reactor.post(std::move(work)); }, m_opened);
}

RunPlan RecordAccess::takePlan()
{
    RunPlan plan = std::move(*m_plan);
    m_plan.reset();
    return plan;
}

void RecordAccess::letGo()
{
    m_opener.reset();
    if (m_plan)
        m_plan->file.drop();
    m_plan.reset();
}

std::optional<MasterPost::Copies> RecordAccess::copies() const
{
    if (!m_copyPost)
        return std::nullopt;
    return MasterPost::Copies{.reach = m_setup.reach, .record = m_place};
}

void RecordAccess::receive(ProcessorId from, replica::CopyWord word)
{
    if (m_copyPost)
        m_copyPost->receive(from, std::move(word));
}

void RecordAccess::end()
{
    if (m_copyPost)
        m_copyPost->end();
}

} // namespace tasuki
