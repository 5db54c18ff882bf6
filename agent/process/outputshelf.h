// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/guardianprotocol.h"
#include "process/runningattempt.h"
#include "process/spooledstream.h"

#include "domain/command.h"
#include "domain/ids.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki::guardian {

/// What attempts have written, for those who ask: what the disk has of those that have ended, until it is
/// released, and questions that wait for news of those that run.
class OutputShelf {
public:
    /// More is wanted than the record keeps. Called before anything is started.
    void open(const std::string& spoolDirectory) { m_store.emplace(spoolDirectory); }
    /// @return where streams go that are long; null: nobody wants more than the record keeps
    [[nodiscard]] SpoolStore* store() { return m_store ? &*m_store : nullptr; }
    /// @param attempt  null: it does not run
    [[nodiscard]] static OutputAnswer peek(const OutputQuery& query, RunningAttempt* attempt);
    /// Gives up what comes before the place that is asked for.
    /// @param attempt  null: it does not run
    /// @return none: the question waits for news
    std::optional<FetchedOutput> fetch(const Fetch& command, RunningAttempt* attempt);
    /// There is news of an attempt. @return the questions that have waited for it
    std::vector<Fetch> takeWaiting(AttemptKey key);
    /// Called when the result of an attempt is taken.
    void keep(RunningAttempt& attempt);
    void release(AttemptKey key) { m_ended.erase(key); }

private:
    struct EndedOutput {
        SpooledStream output;
        SpooledStream error;
    };
    std::optional<SpoolStore> m_store;
    std::unordered_map<AttemptKey, EndedOutput> m_ended;
    std::vector<Fetch> m_waiting;
};

} // namespace tasuki::guardian
