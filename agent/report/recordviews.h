// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace tasuki {

/// A column of a view of the run file, in words for people.
struct RecordColumn {
    const char* name;
    const char* meaning;
};

/// A view of the run file that is meant for queries of users.
struct RecordView {
    const char* name;
    const char* meaning;
    std::span<const RecordColumn> columns; ///< as they follow each other
};

/// All of them. Names and meanings are a promise to people's queries: columns are added, and neither taken
/// away nor renamed.
std::span<const RecordView> recordViews();

/// @return all of them as a text for a terminal of 80 columns, lines ended
std::string recordViewsText();

} // namespace tasuki
