// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worldwords.h"

#include "world/segment.h"
#include "world/streambridge.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace tasuki::worldhost {

/// The memory of worlds of which this processor holds no rank, and would take one over: that of this host, or one that it has made
/// for notes of ranks of other hosts.
class KeptMemory {
public:
    using SharedSegment = std::shared_ptr<const world::Segment>;

    /// @return null: it is not here
    [[nodiscard]] SharedSegment find(const WorldKey& key) const;
    /// Others of this host have it.
    void take(const WorldKey& key, const std::string& path);
    /// Adds to the notes of a rank.
    /// @param own  the memory that this processor has as the holder of a rank; null: it is none
    /// @return the answer; none: the memory is not here yet
    std::optional<NotesTaken> add(const WorldKey& key, const Notes& notes, SharedSegment own);
    void forgetIf(const std::function<bool(const WorldKey&)>& isOver);

private:
    std::map<WorldKey, SharedSegment> m_segments;
    std::map<std::tuple<WorldKey, world::WorldRank, std::uint32_t>, world::StreamCopy>
        m_notes; ///< also by number of the stream
};

} // namespace tasuki::worldhost
