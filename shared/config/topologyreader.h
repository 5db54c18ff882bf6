// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"
#include "topologyrules.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::config {

/// Where the parts of a topology stand in its file. Empty for one that comes from no file.
struct TopologyPlaces {
    /// From 1; 0: not known.
    struct Spot {
        std::uint64_t line = 0;
        std::uint64_t column = 0;
    };
    struct Table {
        Spot begin;
        std::map<TopologyField, Spot> fields; ///< values of those that are given
        std::vector<Spot> hosts;
    };

    std::string file;
    Table system;
    std::vector<Table> subclusters;

    /// @return the most exact place that is known: of the host, the field, the subcluster, the file
    /// @param subcluster  none: of the system
    [[nodiscard]] SourcePlace of(std::optional<std::size_t> subcluster,
                                 std::optional<TopologyField> field = {},
                                 std::optional<std::size_t> host = {}) const;
};

/// What reading a file has come to.
struct TopologyReading {
    std::optional<Topology> topology;    ///< none when a diagnostic is an error
    TopologyPlaces places;               ///< of the topology
    std::vector<Diagnostic> diagnostics; ///< in the order of the file, each with its place
};

/// Reads the content of a topology file and tells everything that is wrong in it; after a violation
/// of TOML's syntax that alone.
/// @param file  what diagnostics call it
TopologyReading readTopologyText(std::string_view text, const std::string& file);

} // namespace tasuki::config
