// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/ids.h"
#include "domain/result.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// Which writer of a record one is. Each opening gets a token beyond all before it, and only the newest one
/// may write: docs/record.md, "Who may write".
struct WriterToken {
    Epoch epoch;
    Term term; ///< how often another processor has gone on with the epoch
    auto operator<=>(const WriterToken&) const = default;
};

/// @return e.g. "epoch 2, term 1"
std::string wordsOf(WriterToken token);
/// Why a writer records nothing any more.
Error goesOnElsewhere(WriterToken newer, const std::string& file);

/// The token that somebody wants who opens a record.
class TokenWish {
public:
    /// To begin the next epoch.
    static TokenWish resume() { return {}; }
    /// To go on with an epoch, in the place of who wrote it.
    static TokenWish succeedIn(Epoch epoch)
    {
        TokenWish wish;
        wish.m_epoch = epoch;
        return wish;
    }
    /// To keep one.
    static TokenWish keep(WriterToken token)
    {
        TokenWish wish;
        wish.m_kept = token;
        return wish;
    }

    /// @param present  the newest token that the record has had
    /// @return an Error of kind Foreign: the record is beyond what is wanted
    [[nodiscard]] Result<WriterToken> after(WriterToken present) const;

private:
    std::optional<Epoch> m_epoch;
    std::optional<WriterToken> m_kept;
};

/// @return the newest token of a record; of one that an older program made, the epoch of its last event
Result<WriterToken> readToken(Database& database);

/// Makes the wanted token the record's, in the transaction that reads the present one.
/// @param known  a token that the record has had, by other sources
/// @return the token; an Error of kind Foreign as TokenWish::after(), of kind InUse: somebody holds the file
Result<WriterToken> raiseToken(Database& database, const TokenWish& wish, WriterToken known = {});
/// Makes a token the one of a record that nobody else knows of yet. Part of the caller's transaction, if any.
Result<void> writeToken(Database& database, WriterToken token);

/// Keeps a writer off a record that has got a newer one. Destroy it before its database.
class TokenFence {
public:
    static Result<TokenFence> prepare(Database& database, WriterToken token);

    /// To be called within each transaction that writes, before anything else: writes the token, unless there
    /// is a newer one.
    /// @return the newer one; none: the transaction may go on
    Result<std::optional<WriterToken>> hold(Database& database);
    /// The same question, without writing.
    Result<std::optional<WriterToken>> look(Database& database);

private:
    WriterToken m_token;
    Statement m_write;
    Statement m_read;
};

} // namespace tasuki
