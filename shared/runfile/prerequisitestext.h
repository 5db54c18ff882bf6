// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/prerequisites.h"
#include "domain/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki {

/// How prerequisites are written in the run file: a JSON array whose items together are the tasks.
/// An item is the number of a task; or an array of them, a group; or {"event":E,"item":I}, the
/// group that is item I, counted from 0, of the event with that id. So a group is there once,
/// however many tasks come after it. A few tasks are written as numbers alone, as they always were.

/// Where a group stands: the row of an event, and the item.
using GroupPlace = std::pair<std::int64_t, std::uint32_t>;

/// Writes prerequisites, and knows where groups stand already.
class PrerequisitesWriter {
public:
    /// @param event  the row in which the text will stand
    std::string text(const Prerequisites& after, std::int64_t event);
    /// To be called after the rows were committed.
    void keep() { m_new.clear(); }
    /// To be called when the rows have not come to be.
    void forget();

private:
    /// Holds the groups, so that no address is used twice.
    std::unordered_map<SharedGroup, GroupPlace> m_places;
    std::vector<SharedGroup> m_new;
};

/// Reads them. Rows are only ever added, so groups that were read stay true.
class PrerequisitesReader {
public:
    /// @param event  the row in which the text stands
    /// @return none when the text is no such array; an Error when the database cannot be read
    Result<std::optional<Prerequisites>> read(Database& database, std::string_view text,
                                              std::int64_t event);

private:
    Result<SharedGroup> groupAt(Database& database, GroupPlace place);

    std::map<GroupPlace, SharedGroup> m_groups;
};

} // namespace tasuki
