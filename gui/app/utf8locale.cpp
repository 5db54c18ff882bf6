// SPDX-License-Identifier: GPL-3.0-or-later
#include "utf8locale.h"

#include <clocale>
#include <langinfo.h>

namespace tasuki {

Utf8Locale::Utf8Locale()
{
    std::setlocale(LC_ALL, "");
    const QByteArray charset = QByteArray(::nl_langinfo(CODESET)).toUpper();
    if (charset == "UTF-8" || charset == "UTF8")
        return;
    m_changed = true;
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (qEnvironmentVariableIsSet(names[index]))
            m_before[index] = qgetenv(names[index]);
    }
    if (const QByteArray all = qgetenv("LC_ALL"); !all.isEmpty())
        qputenv("LANG", all);
    qunsetenv("LC_ALL");
    qputenv("LC_CTYPE", "C.UTF-8");
}

Utf8Locale::~Utf8Locale()
{
    if (!m_changed)
        return;
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (m_before[index])
            qputenv(names[index], *m_before[index]);
        else
            qunsetenv(names[index]);
    }
}

} // namespace tasuki
