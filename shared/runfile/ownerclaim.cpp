// SPDX-License-Identifier: GPL-3.0-or-later
#include "ownerclaim.h"

#include "domain/ids.h"
#include "files/recordmode.h"
#include "files/uniquefd.h"
#include "files/wholefile.h"

#include "freshfile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds pulsePause{250};
constexpr int claimRounds = 8; ///< others that give it back meanwhile

std::string wordsOf(const std::optional<RecordOwner>& owner)
{
    return owner ? owner->words() : "another process";
}

Error inUseBy(const fs::path& runFile, const std::optional<RecordOwner>& owner)
{
    return about(runFile, ErrorKind::InUse, "in use by " + wordsOf(owner),
                 "wait for it to end, or use another run file");
}

/// Makes a file with this text; errno says why not.
bool makeText(const fs::path& path, const std::string& text)
{
    const Result<mode_t> mode = recordMode();
    const UniqueFd file(makeFile(path, mode ? *mode : mode_t{0600}));
    if (!file)
        return false;
    if (writeAll(file.get(), text) && ::fsync(file.get()) == 0)
        return true;
    const int number = errno;
    ::unlink(path.c_str());
    errno = number;
    return false;
}

/// @return what a claim says; none: there is none, or anybody else has made it up
std::optional<RecordOwner> readClaim(const fs::path& path)
{
    constexpr std::size_t mostBytes = 4096;
    if (isOfStranger(path))
        return std::nullopt;
    const auto text = freshText(path, mostBytes);
    return text ? ownerOf(*text) : std::nullopt;
}

enum class Exchange : std::uint8_t { Done, OfAnother, NotHere };

/// Puts the claim in the place of a dead owner's, so that the name is free at no time and nobody else gets it.
/// @return OfAnother: somebody else's claim was there by then, and is; NotHere: the file system cannot
Exchange exchangeClaims(const fs::path& path, const RecordOwner& owner,
                        const std::optional<RecordOwner>& dead)
{
    const fs::path draft = path.native() + '.' + owner.token;
    if (!makeText(draft, textOf(owner)))
        return Exchange::NotHere;
    // Seldom that it is another one's after all: who sees the wrong claim for a moment gives its record up.
    if (readClaim(path) != dead) {
        ::unlink(draft.c_str());
        return Exchange::OfAnother;
    }
    const auto exchange = [&] {
        return ::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0;
    };
    Exchange done = Exchange::NotHere;
    if (exchange())
        done = readClaim(draft) == dead || !exchange() ? Exchange::Done : Exchange::OfAnother;
    ::unlink(draft.c_str());
    return done;
}

/// Makes the claim, whole or not at all where the file system has hard links.
bool makeClaim(const fs::path& path, const RecordOwner& owner)
{
    const fs::path draft = path.native() + '.' + owner.token;
    if (!makeText(draft, textOf(owner)))
        return false;
    const bool linked = ::link(draft.c_str(), path.c_str()) == 0;
    const int number = errno;
    ::unlink(draft.c_str());
    errno = number;
    if (linked || number == EEXIST)
        return linked;
    return makeText(path, textOf(owner));
}

/// Waits whether anything is heard of an owner that cannot be seen.
bool isSilent(const fs::path& path, const std::optional<RecordOwner>& owner,
              const OwnerClaim::Pulse& pulse, std::chrono::milliseconds patience,
              const OwnerWaiting& waiting)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    const std::uint64_t first = pulse();
    for (auto now = std::chrono::steady_clock::now(); now < end;
         now = std::chrono::steady_clock::now()) {
        if (waiting)
            waiting(wordsOf(owner), std::chrono::ceil<std::chrono::milliseconds>(end - now));
        std::this_thread::sleep_for(std::min(pulsePause, patience));
        if (pulse() != first || readClaim(path) != owner)
            return false;
    }
    return true;
}

bool isSucceeded(const fs::path& path, const std::optional<RecordOwner>& owner,
                 const OwnerClaim::Pulse& pulse, std::chrono::milliseconds patience,
                 const OwnerWaiting& waiting)
{
    switch (owner ? lifeOf(*owner) : OwnerLife::NotSeen) {
    case OwnerLife::Lives: return false;
    case OwnerLife::Dead: return true;
    case OwnerLife::NotSeen: break;
    }
    return isSilent(path, owner, pulse, patience, waiting);
}

/// Takes the claim of a dead owner away. @return false: it was somebody else's by then
bool removeClaim(const fs::path& path, const std::optional<RecordOwner>& dead)
{
    const fs::path aside = path.native() + '.' + RunId::random().hex;
    if (::rename(path.c_str(), aside.c_str()) != 0)
        return errno == ENOENT;
    const bool right = readClaim(aside) == dead;
    if (!right)
        static_cast<void>(::link(aside.c_str(), path.c_str()));
    ::unlink(aside.c_str());
    return right;
}

} // namespace

fs::path OwnerClaim::pathOf(const fs::path& runFile) { return runFile.native() + ".owner"; }

Result<OwnerClaim> OwnerClaim::acquire(const fs::path& runFile, const Pulse& pulse,
                                       std::chrono::milliseconds patience,
                                       const OwnerWaiting& waiting, const Terms& terms)
{
    const fs::path path = pathOf(runFile);
    RecordOwner self = RecordOwner::here();
    WriterToken present = terms.present;
    for (int round = 0; round < claimRounds; ++round) {
        auto owner = readClaim(path);
        present = std::max(present, owner ? owner->writer : WriterToken());
        const auto token = terms.wish.after(present);
        if (!token)
            return token.error();
        self.writer = *token;
        if (makeClaim(path, self))
            return OwnerClaim(path, self);
        if (errno != EEXIST)
            return about(path, systemError("cannot be made", errno));
        if (isOfStranger(path))
            return strangersFile(path);
        owner = readClaim(path);
        if (!owner && ::access(path.c_str(), F_OK) != 0)
            continue;
        // It may have come just now, with a newer token.
        if (const auto still = terms.wish.after(owner ? owner->writer : present); !still)
            return still.error();
        present = std::max(present, owner ? owner->writer : WriterToken());
        if (!terms.breaks && !isSucceeded(path, owner, pulse, patience, waiting))
            return inUseBy(runFile, owner);
        if (const auto after = terms.wish.after(present); after)
            self.writer = *after;
        const Exchange exchanged = exchangeClaims(path, self, owner);
        if (exchanged == Exchange::Done)
            return OwnerClaim(path, self);
        if (exchanged == Exchange::OfAnother || !removeClaim(path, owner))
            return inUseBy(runFile, owner);
    }
    return inUseBy(runFile, std::nullopt);
}

Result<void> OwnerClaim::claimedBy(const fs::path& runFile)
{
    const fs::path path = pathOf(runFile);
    const auto owner = readClaim(path);
    if (!owner && (::access(path.c_str(), F_OK) != 0 || isOfStranger(path)))
        return {};
    return inUseBy(runFile, owner);
}

std::optional<RecordOwner> OwnerClaim::ownerOf(const fs::path& runFile)
{
    return readClaim(pathOf(runFile));
}

std::optional<WriterToken> OwnerClaim::claimant(const fs::path& runFile)
{
    const auto owner = readClaim(pathOf(runFile));
    return owner ? std::optional(owner->writer) : std::nullopt;
}

OwnerClaim::OwnerClaim(fs::path path, RecordOwner owner)
    : m_path(std::move(path)), m_owner(std::move(owner))
{}

OwnerClaim::OwnerClaim(OwnerClaim&& other) noexcept
    : m_path(std::move(other.m_path)), m_owner(std::move(other.m_owner))
{
    other.m_path.clear();
}

OwnerClaim& OwnerClaim::operator=(OwnerClaim&& other) noexcept
{
    if (this != &other) {
        release();
        m_path = std::move(other.m_path);
        m_owner = std::move(other.m_owner);
        other.m_path.clear();
    }
    return *this;
}

OwnerClaim::~OwnerClaim() { release(); }

Result<void> OwnerClaim::check() const
{
    const auto owner = readClaim(m_path);
    if (!owner || owner->token == m_owner.token)
        return {};
    return inUseBy(m_path.parent_path() / m_path.stem(), owner);
}

void OwnerClaim::release()
{
    if (m_path.empty())
        return;
    const auto owner = readClaim(m_path);
    if (owner && owner->token == m_owner.token)
        ::unlink(m_path.c_str());
    m_path.clear();
}

} // namespace tasuki
