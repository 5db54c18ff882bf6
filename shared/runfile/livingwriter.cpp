// SPDX-License-Identifier: GPL-3.0-or-later
#include "livingwriter.h"

#include "agentlock.h"
#include "ownerclaim.h"

#include <system_error>

namespace tasuki {

std::optional<std::string> livingWriter(const std::filesystem::path& runFile,
                                        const std::optional<RecordAge>& age, WallTime now)
{
    // Lock and claim lie beside the file itself.
    std::error_code error;
    std::filesystem::path file = std::filesystem::canonical(runFile, error);
    if (error)
        file = runFile;
    if (auto holder = AgentLock::holder(file))
        return holder;
    const std::optional<RecordOwner> owner = OwnerClaim::ownerOf(file);
    const OwnerLife life = owner ? lifeOf(*owner) : OwnerLife::NotSeen;
    if (owner && life == OwnerLife::Lives)
        return owner->words();
    const bool heard = age && !age->closed && !age->writer.empty()
        && now - age->asOf <= recordSilence;
    return life == OwnerLife::NotSeen && heard ? std::optional(age->writer) : std::nullopt;
}

} // namespace tasuki
