// SPDX-License-Identifier: GPL-3.0-or-later
#include "operatorname.h"

#include <QFileInfo>
#include <QHostInfo>
#include <QString>

namespace tasuki {

std::string operatorName()
{
    QString user = qEnvironmentVariable("USER", qEnvironmentVariable("LOGNAME"));
    if (user.isEmpty())
        user = QFileInfo(QStringLiteral("/proc/self")).owner();
    return (user + QLatin1Char('@') + QHostInfo::localHostName()).toStdString();
}

} // namespace tasuki
