// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/environment.h"

#include <cstdint>
#include <vector>

namespace tasuki {

/// Nodes out of an environment with all that goes and comes with them: the links that begin or end
/// at them and have figures of their own.
struct NodeExcerpt {
    struct Link {
        std::uint32_t from = 0; ///< places in the environment that has the nodes
        std::uint32_t to = 0;
        plan::LinkSpec link;
    };
    std::vector<std::uint32_t> places; ///< of the nodes, ascending, when they are in
    std::vector<plan::NodeSpec> nodes; ///< one for each place
    std::vector<Link> links;
};

/// Gives the environment's table of links room for every pair.
void completeLinks(plan::Environment& environment);

/// Takes nodes out; those behind them move up.
/// @param places  ascending, each once. Precondition: they exist, and completeLinks() held.
NodeExcerpt takeNodes(plan::Environment& environment, std::vector<std::uint32_t> places);

/// Puts nodes where the excerpt says; those there move on. The reverse of takeNodes().
/// Precondition: completeLinks() held.
void putNodes(plan::Environment& environment, const NodeExcerpt& excerpt);

} // namespace tasuki
