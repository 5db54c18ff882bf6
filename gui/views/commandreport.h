// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include "domain/command.h"
#include "domain/result.h"

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

/// Shows what could not be done, with tasks and reasons.
class CommandReport : public QDialog {
    Q_OBJECT

public:
    CommandReport(const QString& what, const CommandOutcome& outcome, QWidget* parent = nullptr);
};

} // namespace tasuki
