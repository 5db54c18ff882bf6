// SPDX-License-Identifier: GPL-3.0-or-later
#include "event.h"

#include <array>

namespace tasuki {

std::string_view eventKindName(const EventPayload& payload)
{
    static constexpr std::array<std::string_view, std::variant_size_v<EventPayload>> names{
        "run opened",
        "task added",
        "task changed",
        "task removed",
        "task reopened",
        "task skipped",
        "processor joined",
        "processor lost",
        "attempt started",
        "attempt finished",
        "notice",
        "run closed",
        "task held",
        "task released",
        "task cancelled",
        "system laid out",
        "system started",
        "health changed",
        "seat taken",
        "seat vacated",
        "master changed",
        "subcluster changed",
        "alarm acknowledged",
        "processor drained",
        "task cancelling",
        "run ending",
        "processor ordered",
    };
    return names.at(payload.index());
}

} // namespace tasuki
