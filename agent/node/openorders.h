// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/systemstate.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/orders.h"

#include <optional>
#include <vector>

namespace tasuki {

/// What operators want of the system and have been promised. A promise is an event of the record: the
/// tables follow it, and whoever goes on with the record sees to it that they do.
struct OpenOrders {
    std::vector<hierarchy::Order> orders; ///< in the order in which they are to be given
    std::optional<hierarchy::Settings> settings;
};

/// @param recorded  has a layout
/// @return what the record promises and a view does not show
OpenOrders openOrders(const SystemState& recorded, const hierarchy::MembershipView& now);

/// @return how the record tells an order, without who gave it; none: in another way
std::optional<ProcessorOrdered> recordOf(const hierarchy::Order& order);

} // namespace tasuki
