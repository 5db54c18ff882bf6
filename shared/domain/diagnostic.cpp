// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnostic.h"

namespace tasuki {

std::string Diagnostic::text() const
{
    Error error = toError();
    error.message = (isError() ? "error: " : "warning: ") + error.message;
    return error.text();
}

Error Diagnostic::toError() const
{
    return Error{.kind = ErrorKind::Input,
                 .message = message.text(),
                 .remedy = remedy.text(),
                 .place = place};
}

} // namespace tasuki
