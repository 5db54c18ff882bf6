// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection.h"

namespace tasuki {

void Selection::setTask(std::optional<TaskId> task)
{
    if (m_task == task && !m_attempt)
        return;
    m_task = task;
    m_attempt.reset();
    Q_EMIT taskChanged();
}

void Selection::setAttempt(AttemptKey attempt)
{
    if (m_attempt == attempt)
        return;
    m_task = attempt.task;
    m_attempt = attempt;
    Q_EMIT taskChanged();
}

void Selection::setProcessor(std::optional<Rank> processor)
{
    if (m_processor == processor)
        return;
    m_processor = processor;
    Q_EMIT processorChanged();
}

void Selection::clear()
{
    setTask(std::nullopt);
    setProcessor(std::nullopt);
}

} // namespace tasuki
