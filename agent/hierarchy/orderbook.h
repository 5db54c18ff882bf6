// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "orders.h"

#include "domain/phrase.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tasuki::hierarchy {

/// Orders that were accepted here and that the tables do not show yet: said again until they do, so
/// that no single message matters.
class OrderBook {
public:
    /// @param self  who gives the orders
    explicit OrderBook(ProcessorId self) : m_self(self) {}

    struct GivenUp {
        TableOrder order;
        Phrase reason; ///< one line for people
    };

    /// Precondition: orderFits() by the view.
    void add(const TableOrder& order, const MembershipView& view);
    /// Forgets what was carried out, or has become impossible.
    /// @return the latter
    std::vector<GivenUp> compare(const MembershipView& view);
    /// @return what is open, by whose tables it is about
    [[nodiscard]] std::map<SubclusterId, std::vector<NumberedOrder>> open() const;
    /// @return whether something is open that concerns a processor
    [[nodiscard]] bool concerns(ProcessorId processor) const;
    [[nodiscard]] bool empty() const { return m_entries.empty(); }

private:
    struct Entry {
        SubclusterId subcluster;
        NumberedOrder order;
    };
    [[nodiscard]] bool overtaken(const Entry& entry) const;

    ProcessorId m_self;
    std::uint64_t m_latest = 0;
    std::vector<Entry> m_entries; ///< by number
};

} // namespace tasuki::hierarchy
