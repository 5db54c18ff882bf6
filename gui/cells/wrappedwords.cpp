// SPDX-License-Identifier: GPL-3.0-or-later
#include "wrappedwords.h"

namespace tasuki {

QString wrapped(const QString& words)
{
    return words.isEmpty() ? words : QStringLiteral("<qt>%1</qt>").arg(words.toHtmlEscaped());
}

} // namespace tasuki
