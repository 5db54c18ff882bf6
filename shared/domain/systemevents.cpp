// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemevents.h"

#include <cassert>

namespace tasuki {

std::optional<ProcessorKind> kindOrdered(ProcessorOrder order)
{
    switch (order) {
    case ProcessorOrder::BecomeActive: return ProcessorKind::Active;
    case ProcessorOrder::BecomeIo: return ProcessorKind::Io;
    case ProcessorOrder::BecomeStandby: return ProcessorKind::Standby;
    case ProcessorOrder::Stop:
    case ProcessorOrder::Promote: break;
    }
    return std::nullopt;
}

ProcessorOrder orderForKind(ProcessorKind kind)
{
    assert(kind != ProcessorKind::DedicatedMaster);
    switch (kind) {
    case ProcessorKind::Active: return ProcessorOrder::BecomeActive;
    case ProcessorKind::Io: return ProcessorOrder::BecomeIo;
    default: return ProcessorOrder::BecomeStandby;
    }
}

} // namespace tasuki
