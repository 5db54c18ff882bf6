// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wire/accessfile.h"

#include "domain/ids.h"
#include "domain/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tasuki {

/// @param fits  which agents are meant
/// @return the one of the greatest epoch among those that may live, as seen from a host; null: there is none
const link::AccessListing::Entry* newestAgent(
    const link::AccessListing& listing, const std::string& hostKey,
    const std::function<bool(const link::AccessFile&)>& fits);

/// Where the agent of a run is: the file that it has written, or that of another one which goes on with
/// the run. Such a one is known by the run and another token.
class AgentAddress {
public:
    /// @param accessFile  of the agent; its directory is where successors are looked for
    explicit AgentAddress(std::filesystem::path accessFile);

    /// Chooses whom to connect to: once the run is known, the newest agent of it that may live.
    /// @return why there is none; what was chosen before stays until forget()
    Result<void> choose();
    void forget() { m_access.reset(); }
    /// Whether another agent of the run than the chosen one may live.
    [[nodiscard]] bool hasSuccessor() const;
    /// Whether the process of the chosen agent has ended, as far as can be seen from here.
    [[nodiscard]] bool isGone() const;
    /// Whether an agent was there at all: one that was there may come back.
    [[nodiscard]] bool isKnown() const { return !m_run.hex.empty(); }

    [[nodiscard]] const RunId& run() const { return m_run; }
    /// @return what was chosen last
    [[nodiscard]] const std::optional<link::AccessFile>& access() const { return m_access; }

private:
    std::filesystem::path m_path;
    std::string m_hostKey;
    RunId m_run; ///< empty: not known yet
    std::optional<link::AccessFile> m_access;
};

} // namespace tasuki
