// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/systemlayout.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/messages.h"

#include <chrono>
#include <optional>
#include <string>

namespace tasuki {

/// @param lostFor  how long it is known that the processor was given up; none: it is not
/// @param view  which says who has its place now
/// @return one line for people: who went on in which place though another one had it, and why that can be
std::string overlapText(const hierarchy::Overlap& overlap,
                        std::optional<std::chrono::nanoseconds> lostFor,
                        const SystemLaidOut& layout, const hierarchy::MembershipView& view);

} // namespace tasuki
