// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topologyrules.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace tasuki {

/// A cell of a topology, or what it stands in.
struct TopologyPlace {
    std::optional<std::size_t> subcluster;      ///< none: the system
    std::optional<config::TopologyField> field; ///< none: all of it
    bool operator==(const TopologyPlace&) const = default;
};

/// Something that somebody else says of a cell: why it was not taken, or what others have made of it.
struct TopologyObjection {
    TopologyPlace place;
    QString text; ///< for people
    bool operator==(const TopologyObjection&) const = default;
};

} // namespace tasuki
