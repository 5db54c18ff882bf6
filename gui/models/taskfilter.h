// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attempthistory.h"
#include "domain/runstate.h"

#include <QRegularExpression>
#include <QString>

#include <bitset>
#include <optional>

namespace tasuki {

/// Which tasks are shown.
struct TaskFilter {
    /// What command, label or directory contain, in any case; between slashes: a regular expression
    /// (Perl's, in any case). Empty: everything.
    QString text;
    /// Bits by TaskState. None set: all but Removed.
    std::bitset<taskStateCount> states;
    /// Only tasks whose latest attempt ran there.
    std::optional<Rank> rank;
    bool operator==(const TaskFilter&) const = default;

    /// Whether it lets everything through that is not removed.
    [[nodiscard]] bool trivial() const { return text.isEmpty() && states.none() && !rank; }
};

/// A filter made ready for use.
class TaskMatcher {
public:
    explicit TaskMatcher(const TaskFilter& filter);

    /// What is wrong with the regular expression, for people; empty: nothing. Then no task matches.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] bool matches(const TaskRecord& record, const AttemptEntry* latest) const;

private:
    [[nodiscard]] bool contains(const std::string& bytes) const;

    TaskFilter m_filter;
    std::string m_asciiNeedle; ///< lower case; empty: not ASCII alone
    std::optional<QRegularExpression> m_expression;
    QString m_problem;
};

} // namespace tasuki
