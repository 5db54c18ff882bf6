// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"

#include "control.pb.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tasuki::hierarchy {

namespace pb = wire::control;

// Tables and what they are made of, as they travel in messages.
void put(const Version& version, pb::Version& out);
void put(const Holding& holding, pb::Holding& out);
void put(const ClusterRules& rules, pb::ClusterRules& out);
void put(const ClusterTable& table, pb::ClusterTable& out);
void put(const SystemTable& table, pb::SystemTable& out);

/// @return whether rows stand in order, no two alike
template <class Rows, class Key>
bool rising(const Rows& rows, Key key)
{
    return std::ranges::adjacent_find(rows, std::ranges::greater_equal{}, key) == rows.end();
}

/// Takes tables apart, and remembers whether something in them cannot be.
class TableReader {
public:
    [[nodiscard]] bool ok() const { return m_ok; }

    template <class Enum>
    Enum word(std::uint32_t number, Enum last)
    {
        require(number <= static_cast<std::uint32_t>(last));
        return m_ok ? static_cast<Enum>(number) : Enum{};
    }

    std::chrono::microseconds duration(std::int64_t count);
    static Version version(const pb::Version& in) { return {in.term(), in.revision()}; }
    static Holding holding(const pb::Holding& in)
    {
        return {SeatId(in.seat()), Incarnation(in.incarnation())};
    }
    ClusterRules rules(const pb::ClusterRules& in);
    ClusterTablePtr cluster(const pb::ClusterTable& in);
    SystemTablePtr system(const pb::SystemTable& in);

protected:
    void require(bool holds) { m_ok = m_ok && holds; }

private:
    MemberRow member(const pb::MemberRow& in);
    SeatRow seat(const pb::SeatRow& in);

    bool m_ok = true;
};

} // namespace tasuki::hierarchy
