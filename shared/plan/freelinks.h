// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "environment.h"

#include <cstddef>
#include <string>

namespace tasuki::plan {

/// Links between nodes whose messages take no time. As a rule nobody has said yet what they cost, and
/// predictions for programs that communicate are too short.
struct FreeLinks {
    std::size_t count = 0;
    std::size_t all = 0; ///< links between two nodes, each direction for itself
    Node from{0};        ///< of the first one
    Node to{0};
    bool operator==(const FreeLinks&) const = default;
};

FreeLinks freeLinks(const Environment& environment);

/// @return "6 of 12 links between nodes cost nothing, as that from n0 to n1"; empty: there are none
std::string freeLinksText(const Environment& environment);

} // namespace tasuki::plan
