// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "flatentries.h"
#include "mergemap.h"

namespace tasuki::merge {

/// Makes a map of entries in any order. Entries of one key (and origin) meet as the law says;
/// under the law `sum` those of one origin are added up.
class MapBuilder {
public:
    explicit MapBuilder(Law law) : m_law(std::move(law)) {}

    /// Copies the bytes. Precondition: the score is no NaN; under the law `sum` the value is a
    /// number.
    void put(const Entry& entry);
    [[nodiscard]] std::size_t size() const { return m_entries.slots().size(); }
    /// Ends the builder.
    [[nodiscard]] MergeMap build();

private:
    Law m_law;
    FlatEntries m_entries;
};

} // namespace tasuki::merge
