// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tasuki::hierarchy {

/// What a processor may do by its lease: the table is in docs/membership.md.
enum class Standing : std::uint8_t {
    Valid,     ///< its lease holds
    Suspended, ///< its lease ended while it was late itself (it was stopped, or its machine was): it
               ///< starts nothing and reports nothing until it hears whether it has its place still
    Lapsed, ///< its lease is over: it holds no seat and leads nothing, but beats, follows and is counted
};

} // namespace tasuki::hierarchy
