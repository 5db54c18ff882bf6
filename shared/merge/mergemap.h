// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "digest.h"
#include "entry.h"
#include "flatentries.h"
#include "law.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace tasuki::merge {

/// A map of byte strings that merges with others of the same law, so that all end alike.
///
/// Flat: one array of entries in the order of their keys (and origins, where the law keeps them),
/// which point into blocks of bytes. Blocks are shared between maps and never change, so copying a
/// map copies its array only, and merging takes over the blocks of what came, as they came. Sizes
/// are 64-bit. A map is a value. MapBuilder makes maps of entries, MapMerger of two maps.
class MergeMap {
public:
    explicit MergeMap(Law law) : m_law(std::move(law)) {}
    /// @param entries  in the order of before()
    MergeMap(Law law, FlatEntries entries) : m_law(std::move(law)), m_entries(std::move(entries)) {}

    [[nodiscard]] const Law& law() const { return m_law; }
    [[nodiscard]] std::size_t size() const { return m_entries.slots().size(); }
    [[nodiscard]] bool empty() const { return m_entries.slots().empty(); }
    /// Bytes of all entries, as they are stored and sent.
    [[nodiscard]] std::uint64_t bytes() const { return m_entries.liveBytes(); }
    /// Bytes of memory that the map keeps alive, those shared with other maps included.
    [[nodiscard]] std::uint64_t heldBytes() const { return m_entries.heldBytes(); }

    /// @param index  less than size(); the view lives as long as a map that shares its block
    [[nodiscard]] Entry entry(std::size_t index) const { return m_entries.slots()[index].view(); }
    /// Entries of one key are neighbours. @return the first of them
    [[nodiscard]] std::optional<Entry> find(std::string_view key) const;

    /// A fingerprint of all entries and the law's name, to the last bit.
    [[nodiscard]] Digest digest() const;

    /// Under a law that keeps origins one entry a key with the total of its origins and the largest
    /// stamp and score of them, as a map under the law `last`. Else the map itself.
    [[nodiscard]] MergeMap folded() const;

    [[nodiscard]] const FlatEntries& entries() const { return m_entries; }

private:
    Law m_law;
    FlatEntries m_entries;
};

/// The order of entries in a map: by key, then by origin where the law keeps origins.
std::strong_ordering orderInMap(const Law& law, const Entry& first, const Entry& second);
/// The same for entries whose prefixes are known: quicker, as most pairs differ there.
inline std::strong_ordering orderInMap(const Law& law, const FlatEntries::Slot& first,
                                       const Entry& second, std::uint64_t prefixOfSecond)
{
    const auto byPrefix = first.prefix <=> prefixOfSecond;
    return byPrefix != 0 ? byPrefix : orderInMap(law, first.view(), second);
}

} // namespace tasuki::merge
