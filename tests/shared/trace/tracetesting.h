// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Qt first: moc of Qt 6.4 cannot read <compare> of GCC 12 when nothing of Qt came before it.
#include <QByteArray>
#include <QtTest>

#include "trace/alogreader.h"
#include "tracechecks.h"

#include <string>
#include <string_view>

namespace tasuki::trace::testing {

/// Reads a log called "t.alog".
inline TraceReading readText(std::string_view text, const AlogLimits& limits = {})
{
    return readAlog(text, "t.alog", limits);
}

/// All diagnostics, a line each, with their remedies.
inline std::string told(const TraceReading& reading)
{
    std::string text;
    for (const Diagnostic& found : reading.diagnostics)
        text += found.text() + '\n';
    return text;
}

/// "LINE:COLUMN: MESSAGE" for every diagnostic.
inline std::string toldBriefly(const TraceReading& reading)
{
    std::string text;
    for (const Diagnostic& found : reading.diagnostics)
        text += std::to_string(found.place.line) + ':' + std::to_string(found.place.column) + ": "
            + found.message.text() + '\n';
    return text;
}

/// Headers and two states that a small log needs to be understood; seven lines.
inline const std::string smallHeading = "-1 0 0 0 0 0 someone\n"
                                        "-3 0 0 3 0 0\n"
                                        "-11 0 0 0 0 0\n"
                                        "-13 0 11 12 0 0 yellow:dimple3 BARRIER\n"
                                        "-13 0 155 156 0 0 green:light_gray RECV\n"
                                        "-13 0 161 162 0 0 blue:gray3 SEND\n"
                                        "-9 0 0 7 0 0 step\n";

} // namespace tasuki::trace::testing

/// Compares std::strings and shows both when they differ.
#define TASUKI_COMPARE_TEXT(actual, expected)                                                      \
    QCOMPARE(QByteArray::fromStdString(actual), QByteArray::fromStdString(expected))
