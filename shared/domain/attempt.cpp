// SPDX-License-Identifier: GPL-3.0-or-later
#include "attempt.h"

namespace tasuki {

std::string_view outcomeName(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Succeeded: return "succeeded";
    case Outcome::Failed: return "failed";
    case Outcome::Signalled: return "signalled";
    case Outcome::TimedOut: return "timed out";
    case Outcome::Cancelled: return "cancelled";
    case Outcome::Interrupted: return "interrupted";
    case Outcome::Lost: return "lost";
    case Outcome::NotStarted: return "not started";
    }
    return "unknown";
}

} // namespace tasuki
