// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QString>

namespace tasuki {

/// @return what is wrong with the command line and what to do about it
inline Error inputError(const QString& what, const QString& remedy)
{
    return Error{
        .kind = ErrorKind::Input, .message = what.toStdString(), .remedy = remedy.toStdString()};
}

} // namespace tasuki
