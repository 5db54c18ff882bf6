// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chunk.h"
#include "domain/result.h"
#include "mergemap.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace tasuki::merge {

/// Merges another map, as its chunks come in order, into a new map. Neither of the two changes.
/// Keeps the chunks that hold something new; copies no key and no value.
class MapMerger {
public:
    explicit MapMerger(std::shared_ptr<const MergeMap> mine);
    explicit MapMerger(MergeMap mine) : MapMerger(std::make_shared<const MergeMap>(std::move(mine)))
    {}

    /// @return an Error of kind Damaged for what is no chunk, or not the next one of a map under
    ///         this law; the merger is of no use then
    Result<void> add(Block bytes);
    /// How many entries of the other map came so far.
    [[nodiscard]] std::uint64_t taken() const { return m_taken; }
    /// Precondition: the other map's last chunk has been added. Ends the merger.
    /// @return the first map itself when the other one brought nothing new
    [[nodiscard]] std::shared_ptr<const MergeMap> finish();

private:
    /// @return whether the other map's bytes are needed
    bool place(const Entry& entry, const FlatEntries::Slot& theirs);
    bool settle(const Entry& entry, const FlatEntries::Slot& theirs);
    void keepMine();
    void change();

    std::shared_ptr<const MergeMap> m_mine;
    FlatEntries m_merged;   ///< once something has changed
    std::size_t m_next = 0; ///< of m_mine
    Block m_lastBlock;      ///< holds m_last
    std::optional<Entry> m_last;
    std::uint64_t m_lastPrefix = 0;
    std::uint64_t m_taken = 0;
    bool m_changed = false;
};

/// Merges two maps of one law at once.
MergeMap merged(const MergeMap& first, const MergeMap& second);

} // namespace tasuki::merge
