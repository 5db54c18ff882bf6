// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracecategories.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// What a task does in each of a row of equal columns of time.
class TraceColumns {
public:
    /// One column.
    struct Column {
        /// Time of each category as a part of the column; the sum is 1.
        std::span<const float> shares;
        std::uint32_t starts = 0;  ///< how many stretches of time begin in it
        std::uint32_t present = 0; ///< bits: categories that it has, those of no length too

        /// @return the category with the largest share
        [[nodiscard]] TraceCategory dominating() const
        {
            std::size_t best = 0;
            for (std::size_t i = 1; i < shares.size(); ++i)
                best = shares[i] > shares[best] ? i : best;
            return static_cast<TraceCategory>(best);
        }
        [[nodiscard]] bool has(TraceCategory category) const
        {
            return (present >> category & 1U) != 0;
        }
    };

    void resize(std::size_t columns, std::size_t categories)
    {
        m_categories = categories;
        m_shares.assign(columns * categories, 0.0F);
        m_starts.assign(columns, 0);
        m_present.assign(columns, 0);
    }
    [[nodiscard]] std::size_t size() const { return m_starts.size(); }
    [[nodiscard]] std::size_t categories() const { return m_categories; }

    [[nodiscard]] Column operator[](std::size_t column) const
    {
        return {{m_shares.data() + column * m_categories, m_categories},
                m_starts[column],
                m_present[column]};
    }
    void addTime(std::size_t column, std::size_t category, float share)
    {
        m_shares[column * m_categories + category] += share;
        m_present[column] |= 1U << category;
    }
    void addStarts(std::size_t column, std::size_t category, std::uint32_t count)
    {
        m_starts[column] += count;
        m_present[column] |= 1U << category;
    }

private:
    std::size_t m_categories = 0;
    std::vector<float> m_shares;
    std::vector<std::uint32_t> m_starts;
    std::vector<std::uint32_t> m_present;
};

} // namespace tasuki
