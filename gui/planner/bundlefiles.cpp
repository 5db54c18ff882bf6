// SPDX-License-Identifier: GPL-3.0-or-later
#include "bundlefiles.h"

#include "views/tableexport.h"

#include <QDir>
#include <QFile>

namespace tasuki::planner {

BundleOutcome writeBundleFiles(const QString& folder, const plan::LaunchBundle& bundle)
{
    BundleOutcome outcome;
    const QDir place(folder);
    outcome.script = place.filePath(QStringLiteral("run"));
    const auto write = [&](const QString& name, const std::string& content) {
        if (outcome.problem.isEmpty())
            outcome.problem = writeWholeFile(place.filePath(name),
                                             QByteArray::fromStdString(content));
    };
    write(QStringLiteral("rankfile"), bundle.rankfile);
    write(QStringLiteral("machinefile"), bundle.machinefile);
    write(QStringLiteral("run"), bundle.script);
    if (!outcome.problem.isEmpty())
        return outcome;
    QFile script(outcome.script);
    if (!script.setPermissions(script.permissions() | QFile::ExeOwner | QFile::ExeGroup
                               | QFile::ExeOther))
        outcome.problem = script.errorString();
    for (const std::string& warning : bundle.warnings)
        outcome.warnings += QString::fromStdString(warning) + QLatin1Char('\n');
    outcome.warnings = outcome.warnings.trimmed();
    return outcome;
}

} // namespace tasuki::planner
