// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "domain/ids.h"

#include <optional>

namespace tasuki {

/// What is selected in a run: the one object that links all views. A view sets it on the user's
/// click and follows changed(); nobody is told of a value that is set again.
///
///   set       | task         | attempt          | processor
///   ----------+--------------+------------------+----------
///   task      | that         | none: the latest | stays
///   attempt   | of it        | that             | stays
///   processor | stays        | stays            | that
///   clear     | none         | none             | none
class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] std::optional<TaskId> task() const { return m_task; }
    [[nodiscard]] std::optional<AttemptKey> attempt() const { return m_attempt; }
    [[nodiscard]] std::optional<Rank> processor() const { return m_processor; }

    void setTask(std::optional<TaskId> task);
    void setAttempt(AttemptKey attempt);
    void setProcessor(std::optional<Rank> processor);
    void clear();

Q_SIGNALS:
    void taskChanged(); ///< task or attempt
    void processorChanged();

private:
    std::optional<TaskId> m_task;
    std::optional<AttemptKey> m_attempt;
    std::optional<Rank> m_processor;
};

} // namespace tasuki
