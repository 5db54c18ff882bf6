// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracestore.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace tasuki {

/// What the timeline of a trace says in words.
class TraceText {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TraceText)

public:
    /// @return a length of time, four digits: "12.34 ms"
    static QString duration(double us);
    /// @return a time since the log's zero, to the microsecond or finer: "12.345 ms"
    static QString time(double us);
    static QString task(trace::Task task);

    /// @return what the legend calls a category
    static QString category(const TraceCategories& categories, TraceCategory category);
    /// @return the name of the call or state that a span is in, as the log has it
    static QString callName(const TraceStore& store, std::uint32_t span);

    /// @param taskNote  for instance its node; may be empty
    /// @return lines of plain text, the first one a heading
    static QStringList ofCall(const TraceStore& store, std::uint32_t span, const QString& taskNote);
    static QStringList ofMessage(const TraceStore& store, std::uint32_t arrow);
    static QStringList ofComputation(trace::Task task, const QString& taskNote);
    /// Several calls in one place.
    static QStringList ofMany(const TraceStore& store, trace::Task task, std::size_t calls,
                              const TraceColumns::Column& column);

    /// Where the critical path is, and too often jumps to other tasks to be drawn jump by jump.
    static QString ofCondensedPath();

    /// @return lines as rich text for a tool tip
    static QString rich(const QStringList& lines);

private:
    static QString messageOf(const TraceStore& store, std::uint32_t arrow, trace::Task task);
};

} // namespace tasuki
