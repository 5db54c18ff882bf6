// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tasuki::link {

/// Keeps count of connections whose other ends have not shown who they are, so that they are never more
/// than so many and the newest one has a place all the same. No sockets, no clock.
class Strangers {
public:
    /// Greater is newer.
    using Key = std::uint64_t;

    /// @param inAll, ofOrigin  limits, at least 1
    Strangers(std::size_t inAll, std::size_t ofOrigin) : m_inAll(inAll), m_ofOrigin(ofOrigin) {}

    /// Takes one more in.
    /// @param origin  where it comes from: an address
    /// @return who has to go for it and is counted no more, if anybody: the oldest of that origin when it
    ///         has as many as one may have; when all places are taken, the oldest of who has the most
    std::optional<Key> add(Key key, const std::string& origin)
    {
        std::optional<Key> leaves;
        const auto same = m_origins.find(origin);
        if (same != m_origins.end() && same->second.size() >= m_ofOrigin)
            leaves = *same->second.begin();
        else if (m_all.size() >= m_inAll)
            leaves = *std::max_element(m_origins.begin(), m_origins.end(),
                                       [](const auto& a, const auto& b) {
                                           return a.second.size() < b.second.size();
                                       })
                          ->second.begin();
        if (leaves)
            remove(*leaves);
        m_origins[origin].insert(key);
        m_all.emplace(key, origin);
        return leaves;
    }
    /// It has shown who it is, or is gone. Does nothing when it is not counted.
    void remove(Key key)
    {
        const auto found = m_all.find(key);
        if (found == m_all.end())
            return;
        const auto origin = m_origins.find(found->second);
        origin->second.erase(key);
        if (origin->second.empty())
            m_origins.erase(origin);
        m_all.erase(found);
    }
    /// Who came first of those that are counted.
    [[nodiscard]] std::optional<Key> oldest() const
    {
        return m_all.empty() ? std::nullopt : std::optional(m_all.begin()->first);
    }
    [[nodiscard]] std::size_t size() const { return m_all.size(); }

private:
    std::size_t m_inAll;
    std::size_t m_ofOrigin;
    std::map<Key, std::string> m_all;
    std::map<std::string, std::set<Key>> m_origins;
};

} // namespace tasuki::link
