// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

namespace tasuki::testing {

/// What a processor is for the others, the highest of its roles.
enum class ChaosRole { SystemMaster, ClusterMaster, UnitMaster, Active, Standby };
inline constexpr std::size_t chaosRoles = 5;
std::string_view chaosRoleName(ChaosRole role);

/// Who plays which role in two subclusters, each of an I/O processor, three active ones and two
/// standbys in two units of three, when some are gone: the table of masters in docs/hierarchy.md,
/// written a second time.
class Cast {
public:
    static constexpr int processors = 12;

    void lose(int processor) { m_gone.insert(processor); }
    /// It was stopped for so short a time that nobody took its place.
    void regain(int processor) { m_gone.erase(processor); }
    [[nodiscard]] ChaosRole roleOf(int processor) const;
    /// @return those who live in that role
    [[nodiscard]] std::vector<int> in(ChaosRole role) const;

private:
    [[nodiscard]] bool lives(int processor) const { return !m_gone.contains(processor); }
    /// @return the first that lives of so many; none: -1
    [[nodiscard]] int firstOf(int begin, int count) const;

    std::set<int> m_gone;
};

} // namespace tasuki::testing
