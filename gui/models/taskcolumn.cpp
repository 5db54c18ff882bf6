// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskcolumn.h"

#include "tasklist/directive.h"

#include <QCoreApplication>

#include <limits>

namespace tasuki {

namespace {

constexpr std::uint64_t noValue = std::numeric_limits<std::uint64_t>::max();

/// Groups the words for translators.
struct ColumnWords {
    Q_DECLARE_TR_FUNCTIONS(TaskColumn)
};

std::uint64_t ofSigned(std::int32_t value)
{
    return static_cast<std::uint64_t>(std::int64_t{value}
                                      - std::numeric_limits<std::int32_t>::min());
}

} // namespace

QString columnTitle(TaskColumn column)
{
    switch (column) {
    case TaskColumn::Number: return ColumnWords::tr("Task");
    case TaskColumn::State: return ColumnWords::tr("State");
    case TaskColumn::Command: return ColumnWords::tr("Command");
    case TaskColumn::Attempts: return ColumnWords::tr("Attempts");
    case TaskColumn::Result: return ColumnWords::tr("Result");
    case TaskColumn::RanOn: return ColumnWords::tr("Rank");
    case TaskColumn::Host: return ColumnWords::tr("Host");
    case TaskColumn::Started: return ColumnWords::tr("Started");
    case TaskColumn::RunTime: return ColumnWords::tr("Run time");
    case TaskColumn::Printed: return ColumnWords::tr("Output");
    case TaskColumn::Kept: return ColumnWords::tr("Kept");
    case TaskColumn::Label: return ColumnWords::tr("Label");
    case TaskColumn::Stage: return ColumnWords::tr("Stage");
    case TaskColumn::Retries: return ColumnWords::tr("Retries");
    case TaskColumn::Timeout: return ColumnWords::tr("Time limit");
    case TaskColumn::Directory: return ColumnWords::tr("Directory");
    case TaskColumn::Environment: return ColumnWords::tr("Environment");
    }
    return {};
}

std::optional<TaskField> fieldOf(TaskColumn column)
{
    switch (column) {
    case TaskColumn::Command: return TaskField::Command;
    case TaskColumn::Retries: return TaskField::Retries;
    case TaskColumn::Timeout: return TaskField::Timeout;
    case TaskColumn::Directory: return TaskField::Directory;
    case TaskColumn::Environment: return TaskField::Environment;
    default: return std::nullopt;
    }
}

bool sortsByText(TaskColumn column)
{
    return column == TaskColumn::Command || column == TaskColumn::Host
        || column == TaskColumn::Label || column == TaskColumn::Directory
        || column == TaskColumn::Environment;
}

std::uint64_t sortNumber(const TaskView& task, TaskColumn column)
{
    const TaskRecord& record = task.record;
    switch (column) {
    case TaskColumn::State: return static_cast<std::uint64_t>(record.state);
    case TaskColumn::Attempts: return record.attempts;
    case TaskColumn::Result:
        if (!task.hasResult())
            return noValue;
        return (static_cast<std::uint64_t>(record.lastOutcome) << 32U) | ofSigned(record.lastCode);
    case TaskColumn::RanOn: return task.latest ? ofSigned(task.latest->rank.value()) : noValue;
    case TaskColumn::Started:
        return task.latest
            ? static_cast<std::uint64_t>(task.latest->startedAt.time_since_epoch().count())
            : noValue;
    case TaskColumn::RunTime:
        return task.hasResult() ? static_cast<std::uint64_t>(record.lastElapsed.count()) : noValue;
    case TaskColumn::Printed: return task.hasOutput() ? task.latest->printedBytes : noValue;
    case TaskColumn::Kept: return task.hasOutput() ? task.latest->keptBytes : noValue;
    case TaskColumn::Stage: return record.task.stage;
    case TaskColumn::Retries: {
        std::uint64_t number = 0;
        for (const std::uint16_t allowed : record.task.settings->retries.allowed)
            number = (number << 16U) | allowed;
        return number;
    }
    case TaskColumn::Timeout:
        return record.task.settings->timeout
            ? static_cast<std::uint64_t>(record.task.settings->timeout->count())
            : noValue;
    default: return task.id.value();
    }
}

std::string_view sortText(const TaskView& task, TaskColumn column, std::string& buffer)
{
    const Task& definition = task.record.task;
    switch (column) {
    case TaskColumn::Command: return definition.command;
    case TaskColumn::Host:
        return task.holder ? std::string_view(task.holder->host) : std::string_view();
    case TaskColumn::Label:
        return definition.links ? std::string_view(definition.links->label) : std::string_view();
    case TaskColumn::Directory: return definition.settings->workingDirectory;
    case TaskColumn::Environment:
        buffer.clear();
        for (const auto& [name, value] : definition.settings->environment)
            buffer.append(name).append("=").append(value).append(" ");
        return buffer;
    default: return {};
    }
}

bool comesBefore(const TaskView& a, const TaskView& b, TaskColumn column, Qt::SortOrder order)
{
    int way = 0;
    if (sortsByText(column)) {
        std::string bufferA;
        std::string bufferB;
        way = sortText(a, column, bufferA).compare(sortText(b, column, bufferB));
    } else {
        const std::uint64_t numberA = sortNumber(a, column);
        const std::uint64_t numberB = sortNumber(b, column);
        way = numberA < numberB ? -1 : numberA > numberB ? 1 : 0;
    }
    if (way == 0)
        return a.id < b.id;
    return order == Qt::AscendingOrder ? way < 0 : way > 0;
}

} // namespace tasuki
