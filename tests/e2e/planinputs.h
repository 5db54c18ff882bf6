// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QList>

/// Traces and environments for whole plans.
namespace tasuki::testing {

/// The log of the paper's Table 1: two tasks, one message of 7992 bytes.
inline const QByteArray paperTrace = "155 1 0 1 0 1189\n"
                                     "161 0 0 1 0 1335\n"
                                     "-101 0 0 1 0 1 1395 0 7992\n"
                                     "162 0 0 2 0 1 1575\n"
                                     "-102 1 0 0 0 1 2158 0 7992\n"
                                     "156 1 0 2 0 1 2198\n";

/// Nodes n0, n1, ... of these speeds and the paper's link.
inline QByteArray environmentOf(const QList<double>& speeds)
{
    QByteArray text;
    for (int node = 0; node < speeds.size(); ++node)
        text += "[[node]]\nname = \"n" + QByteArray::number(node)
            + "\"\nspeed = " + QByteArray::number(speeds[node], 'f', 3) + "\ncores = 4\n\n";
    return text + "[link_default]\na0_us = 60.0\na1_us_per_byte = 0.08\n";
}

inline QByteArray unequalNodes(int count)
{
    QList<double> speeds;
    for (int node = 0; node < count; ++node)
        speeds << 1.0 - 0.05 * node;
    return environmentOf(speeds);
}

/// Tasks in a ring that compute for unequal times, send to the next one, and wait for the one before;
/// 6 records a task and round.
inline QByteArray ringTrace(int tasks, int rounds)
{
    QByteArray text;
    const auto line = [&text](int type, int task, int data, qint64 time, const QByteArray& rest) {
        text += QByteArray::number(type) + ' ' + QByteArray::number(task) + " 0 "
            + QByteArray::number(data) + " 0 " + QByteArray::number(time) + rest + '\n';
    };
    const QByteArray letter = " 7 1000";
    for (int round = 0; round < rounds; ++round) {
        const qint64 begin = qint64{1000} * round;
        for (int task = 0; task < tasks; ++task) {
            const qint64 sends = begin + 50 + 80 * (task % 10);
            line(161, task, 0, sends, {});
            line(-101, task, (task + 1) % tasks, sends + 1, letter);
            line(162, task, 0, sends + 2, {});
            line(155, task, 0, sends + 3, {});
        }
        for (int task = 0; task < tasks; ++task) {
            const qint64 receives = begin + 950 + 3 * (task % 10);
            line(-102, task, (task + tasks - 1) % tasks, receives, letter);
            line(156, task, 0, receives + 1, {});
        }
    }
    return text;
}

inline QByteArrayList linesOf(const QByteArray& text)
{
    QByteArrayList lines = text.split('\n');
    lines.removeAll(QByteArray());
    return lines;
}

} // namespace tasuki::testing
