// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "ownerwaiting.h"
#include "recordowner.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace tasuki {

/// The right of one agent to write a run file where locks do not reach: "RUNFILE.owner", which is made
/// exclusively and says who that is. Unlike a lock it stays when the process dies; who comes next looks
/// whether the owner lives, and takes it over if not:
///
///   the owner               | is
///   ------------------------+------------------------------------------------------------------
///   is seen, and lives      | left alone: InUse
///   is seen not to live     | succeeded at once
///   cannot be seen, beats   | left alone: InUse
///   cannot be seen, silent  | succeeded after `patience`
///   any, and is to be broken| succeeded at once
///
/// Two that take it over at once: one of them renames the file, and only its own is made anew.
class OwnerClaim {
public:
    /// Whose place is taken, and how.
    struct Terms {
        TokenWish wish = TokenWish::resume();
        WriterToken present = {}; ///< the newest token that the record is known to have had
        /// The owner is succeeded by its token, whether it lives or not: it is known that it may write no
        /// more, and it finds out by itself.
        bool breaks = false;
    };
    /// A number that changes while the owner lives.
    using Pulse = std::function<std::uint64_t()>;

    /// @return the file that says who owns a run file
    static std::filesystem::path pathOf(const std::filesystem::path& runFile);
    /// @param runFile  need not exist
    /// @return an Error of kind InUse that names the owner; Foreign: its token is beyond what is wanted
    static Result<OwnerClaim> acquire(const std::filesystem::path& runFile, const Pulse& pulse,
                                      std::chrono::milliseconds patience,
                                      const OwnerWaiting& waiting, const Terms& terms);
    static Result<OwnerClaim> acquire(const std::filesystem::path& runFile, const Pulse& pulse,
                                      std::chrono::milliseconds patience,
                                      const OwnerWaiting& waiting = {})
    {
        return acquire(runFile, pulse, patience, waiting, Terms());
    }
    /// @return an Error of kind InUse that names who claims a file; success when nobody does
    static Result<void> claimedBy(const std::filesystem::path& runFile);
    /// @return who claims a file; none: nobody does, or it cannot be read
    static std::optional<RecordOwner> ownerOf(const std::filesystem::path& runFile);
    /// @return the token of who claims a file; none: nobody does, or it cannot be read
    static std::optional<WriterToken> claimant(const std::filesystem::path& runFile);

    OwnerClaim(OwnerClaim&& other) noexcept;
    OwnerClaim& operator=(OwnerClaim&& other) noexcept;
    OwnerClaim(const OwnerClaim&) = delete;
    OwnerClaim& operator=(const OwnerClaim&) = delete;
    /// Gives the right back.
    ~OwnerClaim();

    /// This process, with the token that the claim has got.
    [[nodiscard]] const RecordOwner& owner() const { return m_owner; }
    /// @return an Error of kind InUse that says who has the right now; not one that is only unreadable
    [[nodiscard]] Result<void> check() const;

private:
    OwnerClaim(std::filesystem::path path, RecordOwner owner);
    void release();

    std::filesystem::path m_path; ///< empty: given back
    RecordOwner m_owner;
};

} // namespace tasuki
