// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace tasuki::workloads {

/// Which rank has which of the columns, rows or planes 0, 1, ... of a problem.
class Distribution {
public:
    /// Neighbours that one rank has: first, first + 1, ..., first + count - 1.
    struct Block {
        int first = 0;
        int count = 0;
    };

    /// Pieces of `width` neighbours, dealt to the ranks in turn. Balanced whatever is finished first.
    static Distribution cyclic(int count, int ranks, int width);
    /// One block a rank, as equal as possible.
    static Distribution blocks(int count, int ranks);
    /// One block a rank, in proportion to its share; as many ranks as shares.
    static Distribution shared(int count, std::span<const int> shares);

    [[nodiscard]] int count() const { return static_cast<int>(m_owners.size()); }
    [[nodiscard]] int ownerOf(int index) const;
    /// @return what a rank has, ascending
    [[nodiscard]] std::vector<int> indicesOf(int rank) const;
    /// Of blocks() and shared() only. @return what a rank has, perhaps nothing
    [[nodiscard]] Block blockOf(int rank) const;

private:
    explicit Distribution(std::vector<int> owners) : m_owners(std::move(owners)) {}

    std::vector<int> m_owners;
};

} // namespace tasuki::workloads
