// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feeding.h"
#include "groupbook.h"
#include "messages.h"

#include "domain/ids.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace tasuki::farm {

/// What the master wants back of a worker group: first from the queue, then from the ranks; answered in the order in
/// which it was asked, when all ranks have. Pure logic: the caller sends.
class MasterRequests {
public:
    /// @param book  of the worker group; outlives the requests
    explicit MasterRequests(GroupBook& book) : m_book(book) {}

    /// The master wants so many attempts. @return what to recall from ranks
    Recalls<Rank> recall(std::size_t count);
    /// The master wants these attempts.
    /// @return what to withdraw from ranks; a rank that is not there is asked when it is
    std::map<Rank, std::vector<AttemptKey>> withdraw(std::span<const AttemptKey> keys);
    /// The master wants all that has not started, and kills what has.
    void halt();
    /// The master hands out once more.
    void assigned() { m_givesUp = m_halted; }
    /// A rank must give these back, and the master does not wait for it. Said by askAgain().
    void withdrawFrom(Rank rank, std::vector<AttemptKey> keys);

    /// A rank is sent what it answers with Returned; those of recall() are counted there.
    void ask(Rank rank) { ++m_answersDue[rank]; }
    /// @return withdrawals that a rank which is there again may not have got
    [[nodiscard]] std::vector<std::vector<AttemptKey>> askAgain(Rank rank) const;
    /// What a rank was asked will not be answered; withdrawals wait for whoever holds it then.
    void forget(Rank rank);
    /// Nobody holds the rank: what it had may be in the queue again.
    void lost(Rank rank);
    void returned(Rank from, bool any);
    void withdrawn(Rank from, std::span<const AttemptKey> keys);

    /// @return answers for the master that are complete, in order
    std::vector<FarmMessage> takeFinished();
    /// @return what has come back to the queue though the master wants nothing to wait there
    std::vector<AttemptKey> takeUnasked();
    /// So many in the queue are the master's already.
    [[nodiscard]] std::size_t reserved() const;
    [[nodiscard]] bool halted() const { return m_halted; }
    /// Forgets everything.
    void clear();

private:
    struct RecallRequest {
        std::size_t wanted = 0; ///< beyond what is given already
        std::vector<AttemptKey> given;
        std::map<Rank, std::uint32_t> answersDue;
    };
    struct WithdrawRequest {
        std::vector<AttemptKey> given;
        std::map<Rank, std::vector<AttemptKey>> asked; ///< without an answer
        std::set<AttemptKey> left;                     ///< asked of ranks that are lost
        bool ofMaster = true;                          ///< who waits for an answer
    };

    GroupBook& m_book;
    std::deque<RecallRequest> m_recalls;
    std::deque<WithdrawRequest> m_withdrawals;
    std::map<Rank, std::uint32_t> m_answersDue; ///< to Recalls and Halts
    bool m_givesUp = false;                     ///< what comes back to the queue goes to the master
    bool m_halted = false;
};

} // namespace tasuki::farm
