// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Qt first: moc of Qt 6.4 cannot read <compare> of GCC 12 when nothing of Qt came before it.
#include <QByteArray>
#include <QtTest>

#include "tasklist/tasklistreader.h"

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::testing {

/// Reads a list called "list.sh".
inline TaskListParse parse(std::string_view text, const TaskListDefaults& defaults = {})
{
    return parseTaskList(text, "list.sh", defaults);
}

inline std::vector<std::string> commands(const TaskListParse& list)
{
    std::vector<std::string> all;
    for (const Task& task : list.tasks)
        all.push_back(task.command);
    return all;
}

/// All diagnostics as one text, a line each: what tests compare, so that nothing is overlooked.
inline std::string told(const TaskListParse& list)
{
    std::string text;
    for (const Diagnostic& found : list.diagnostics)
        text += found.text() + '\n';
    return text;
}

/// "list.sh:LINE:COLUMN: error: MESSAGE" for every diagnostic, without the remedies.
inline std::string toldBriefly(const TaskListParse& list)
{
    std::string text;
    for (Diagnostic found : list.diagnostics) {
        found.remedy = {};
        text += found.text() + '\n';
    }
    return text;
}

} // namespace tasuki::testing

/// Compares std::strings and shows both when they differ.
#define TASUKI_COMPARE_TEXT(actual, expected)                                                      \
    QCOMPARE(QByteArray::fromStdString(actual), QByteArray::fromStdString(expected))
