// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/systemstate.h"

#include <QString>

#include <array>

/// What an operator can make of a processor of a running system: the table of orders in
/// docs/hierarchy.md, "Orders", as far as the record shows how things are. The system master has the last word.
namespace tasuki {

/// Who is a dedicated master is settled at the start.
inline constexpr std::array changeableRoles{ProcessorKind::Active, ProcessorKind::Standby,
                                            ProcessorKind::Io};

/// @return why a processor cannot get a role now, for people; empty: it can
QString roleRefusal(const SystemState& system, ProcessorId processor, ProcessorKind role);

/// @return what follows when it gets the role, a sentence for people. Precondition: it can.
QString roleConsequence(const SystemState& system, ProcessorId processor, ProcessorKind role);

} // namespace tasuki
