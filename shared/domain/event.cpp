// SPDX-License-Identifier: GPL-3.0-or-later
#include "event.h"

namespace tasuki {

std::string_view eventKindName(const EventPayload& payload)
{
    return std::visit([](const auto& event) { return event.kind; }, payload);
}

} // namespace tasuki
