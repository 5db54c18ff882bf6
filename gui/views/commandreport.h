// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include "client/session.h"
#include "domain/command.h"
#include "domain/result.h"

#include <functional>

namespace tasuki {

/// What became of a command, in words.
struct CommandOutcome {
    bool good = false; ///< all was done
    QString headline;
    QStringList lines; ///< tasks with reasons, or diagnostics
};

/// @param what    was wanted, as a heading, e.g. "Cancel"
/// @param wanted  how many tasks the command named; 0: it names none
CommandOutcome describe(const QString& what, const Result<CommandAnswer>& answer,
                        std::size_t wanted);

/// The same for a command about alarms.
/// @param text  of an alarm that was left as it is, for people
CommandOutcome describeAlarms(const QString& what, const Result<CommandAnswer>& answer,
                              std::size_t wanted, const std::function<QString(EventId)>& text);

/// Sends a command and tells what became of it: in the status line, and when not all was done in a
/// CommandReport above the window of a widget.
/// @param place     nothing is told when it is gone by then
/// @param describe  puts the answer into words
/// @param say       the status line
void sendAndTell(Session& session, OperatorCommand command, QWidget& place, const QString& what,
                 std::function<CommandOutcome(const Result<CommandAnswer>&)> describe,
                 std::function<void(const QString&)> say);

/// Shows what could not be done, with tasks and reasons.
class CommandReport : public QDialog {
    Q_OBJECT

public:
    CommandReport(const QString& what, const CommandOutcome& outcome, QWidget* parent = nullptr);
};

} // namespace tasuki
