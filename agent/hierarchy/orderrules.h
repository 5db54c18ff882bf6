// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "orders.h"

#include "domain/result.h"

namespace tasuki::hierarchy {

/// What can be wanted in a state of the system. The table: docs/hierarchy.md, "Orders".
/// @param others  orders that are not carried out yet concern the same processor: then an order is
///                not refused because it is as wanted already
/// @return an Error of kind Input: why not
Result<void> orderFits(const Order& order, const MembershipView& view, bool others);

/// @return an Error of kind Input: what cannot be, and what can
Result<void> settingsFit(const Settings& settings);

/// Precondition: what the order names is of this system.
/// @return whether the tables show what is wanted. A promotion shows for good: later ones come before.
bool shows(const TableOrder& order, const ClusterTable& table);
bool shows(const Order& order, const MembershipView& view);

/// Precondition: what the order names is of this system.
/// @return whose table it is about
SubclusterId subclusterOf(const TableOrder& order, const MembershipView& view);
/// @return the processor that an order is about; none: a whole subcluster
std::optional<ProcessorId> subjectOf(const TableOrder& order);
std::optional<ProcessorId> subjectOf(const Order& order);

} // namespace tasuki::hierarchy
