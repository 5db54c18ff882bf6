// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.h"

namespace tasuki {

std::string_view conflictText(ConflictCause cause)
{
    switch (cause) {
    case ConflictCause::Unknown: return "does not exist";
    case ConflictCause::Changed: return "has been changed meanwhile";
    case ConflictCause::Started: return "is running";
    case ConflictCause::Finished: return "has finished";
    case ConflictCause::NotFinished: return "has not finished";
    case ConflictCause::NotHeld: return "is not held";
    case ConflictCause::Removed: return "is no longer in the list";
    }
    return "cannot be changed";
}

} // namespace tasuki
