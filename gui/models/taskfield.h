// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/task.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>

namespace tasuki {

/// What an operator can edit of a task that has not started.
enum class TaskField : std::uint8_t { Command, Retries, Timeout, Directory, Environment };
inline constexpr std::size_t taskFieldCount = 5;
inline constexpr std::array<TaskField, taskFieldCount> allTaskFields{
    TaskField::Command, TaskField::Retries, TaskField::Timeout, TaskField::Directory,
    TaskField::Environment};

/// A task's command and settings by value.
struct TaskContent {
    std::string command;
    TaskSettings settings;
    bool operator==(const TaskContent&) const = default;
};

/// @return the text of a cell that means what the content has, e.g. "1h30m"; what the user edits.
///         An empty time limit or directory is the empty text.
QString fieldText(const TaskContent& content, TaskField field);

/// Reads a cell into the content with the rules of task lists.
/// @return what is wrong, for people; empty: it was taken. The content is as before when wrong.
QString setField(TaskContent& content, TaskField field, const QString& text);

/// Whether the text of a cell says all that the content has: bytes that are not UTF-8 cannot be
/// edited as text.
bool fieldIsText(const TaskContent& content, TaskField field);

} // namespace tasuki
