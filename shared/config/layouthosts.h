// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::config {

/// The hosts of a launch, and which of their processors nobody has taken yet.
class LaunchHosts {
public:
    /// @param hosts  of the processors, by number; outlives this
    explicit LaunchHosts(std::span<const std::string> hosts);

    /// A host's place in the order of their first processors.
    using Index = std::size_t;

    [[nodiscard]] std::size_t count() const { return m_hosts.size(); }
    [[nodiscard]] std::string_view name(Index host) const { return m_hosts[host].name; }
    [[nodiscard]] Index hostOf(std::uint32_t processor) const { return m_hostOf[processor]; }
    /// @return how many processors it has that are free
    [[nodiscard]] std::size_t room(Index host) const;

    /// @return the hosts that somebody means: that of the name, else those that differ from it only
    ///         by the domain, which one of both leaves out
    [[nodiscard]] std::vector<Index> meant(std::string_view name) const;
    /// @return the host whose name is nearest; count() > 0
    [[nodiscard]] std::string_view nearest(std::string_view name) const;
    /// @return the names, at most some of them, for messages
    [[nodiscard]] std::string listed() const;

    /// Takes the free processors of the lowest numbers from some hosts.
    /// @param wanted  at most what they have
    /// @return by number
    std::vector<std::uint32_t> take(std::span<const Index> hosts, std::size_t wanted);
    /// The same from all hosts.
    std::vector<std::uint32_t> take(std::size_t wanted);

private:
    struct Host {
        std::string_view name;
        std::vector<std::uint32_t> processors;
        std::size_t taken = 0; ///< the first ones
    };
    std::vector<Host> m_hosts;
    std::map<std::string_view, Index> m_named;
    std::vector<Index> m_hostOf; ///< by processor
};

} // namespace tasuki::config
