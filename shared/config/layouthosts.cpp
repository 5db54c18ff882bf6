// SPDX-License-Identifier: GPL-3.0-or-later
#include "layouthosts.h"

#include "domain/nearest.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace tasuki::config {

namespace {

/// @return a host's name without its domain
std::string_view bareHostName(std::string_view name) { return name.substr(0, name.find('.')); }

} // namespace

LaunchHosts::LaunchHosts(std::span<const std::string> hosts)
{
    m_hostOf.reserve(hosts.size());
    for (std::uint32_t number = 0; number < hosts.size(); ++number) {
        const auto [named, fresh] = m_named.try_emplace(hosts[number], m_hosts.size());
        if (fresh)
            m_hosts.push_back({.name = hosts[number], .processors = {}});
        m_hosts[named->second].processors.push_back(number);
        m_hostOf.push_back(named->second);
    }
}

std::size_t LaunchHosts::room(Index host) const
{
    return m_hosts[host].processors.size() - m_hosts[host].taken;
}

std::vector<LaunchHosts::Index> LaunchHosts::meant(std::string_view name) const
{
    const auto exact = m_named.find(name);
    if (exact != m_named.end())
        return {exact->second};
    const std::string_view bare = bareHostName(name);
    std::vector<Index> all;
    for (Index i = 0; i < m_hosts.size(); ++i) {
        const std::string_view other = m_hosts[i].name;
        const std::string_view otherBare = bareHostName(other);
        if (bare == otherBare && (bare == name || otherBare == other))
            all.push_back(i);
    }
    return all;
}

std::string_view LaunchHosts::nearest(std::string_view name) const
{
    std::vector<std::string_view> names;
    for (const Host& host : m_hosts)
        names.push_back(host.name);
    return nearestName(name, names);
}

std::string LaunchHosts::listed() const
{
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, m_hosts.size()); ++i)
        text += (i == 0 ? "" : ", ") + std::string(m_hosts[i].name);
    if (m_hosts.size() > most)
        text += ", ...";
    return text;
}

std::vector<std::uint32_t> LaunchHosts::take(std::span<const Index> hosts, std::size_t wanted)
{
    using Head = std::pair<std::uint32_t, Index>; // the first free one of a host
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    const auto offer = [&](Index index) {
        const Host& host = m_hosts[index];
        if (host.taken < host.processors.size())
            heads.emplace(host.processors[host.taken], index);
    };
    std::ranges::for_each(hosts, offer);
    std::vector<std::uint32_t> got;
    while (got.size() < wanted && !heads.empty()) {
        const auto [number, index] = heads.top();
        heads.pop();
        got.push_back(number);
        ++m_hosts[index].taken;
        offer(index);
    }
    return got;
}

std::vector<std::uint32_t> LaunchHosts::take(std::size_t wanted)
{
    std::vector<Index> all(m_hosts.size());
    std::iota(all.begin(), all.end(), Index{0});
    return take(all, wanted);
}

} // namespace tasuki::config
