// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "hierarchy/orders.h"
#include "hierarchy/tables.h"

#include <functional>

namespace tasuki {

/// Takes what operators want of the system: MembershipThread, or who stands in for it in tests.
class OrderDesk {
public:
    /// Called on the main thread, later, once it is accepted or refused.
    using Answer = std::function<void(Result<void>)>;

    OrderDesk() = default;
    OrderDesk(const OrderDesk&) = delete;
    OrderDesk& operator=(const OrderDesk&) = delete;
    virtual ~OrderDesk() = default;

    /// MembershipAgent::order() and MembershipAgent::changeSettings().
    virtual void order(hierarchy::Order order, Answer answer) = 0;
    virtual void changeSettings(hierarchy::Settings settings, Answer answer) = 0;
};

} // namespace tasuki
