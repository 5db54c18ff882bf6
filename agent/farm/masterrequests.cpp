// SPDX-License-Identifier: GPL-3.0-or-later
#include "masterrequests.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tasuki::farm {

Recalls<Rank> MasterRequests::recall(std::size_t count)
{
    RecallRequest request{.wanted = count, .given = m_book.giveUp(count), .answersDue = {}};
    request.wanted -= request.given.size();
    m_givesUp = m_givesUp || request.wanted >= m_book.held();
    Recalls<Rank> recalls = m_book.recallsFor(request.wanted);
    for (const auto& [rank, wanted] : recalls)
        request.answersDue[rank] = ++m_answersDue[rank];
    m_recalls.push_back(std::move(request));
    return recalls;
}

std::map<Rank, std::vector<AttemptKey>> MasterRequests::withdraw(std::span<const AttemptKey> keys)
{
    WithdrawRequest request;
    request.given = m_book.takeOut({keys.begin(), keys.end()});
    for (const AttemptKey& key : keys) {
        const std::optional<Rank> holder = m_book.holder(key);
        if (holder && !m_book.isStarted(key))
            request.asked[*holder].push_back(key);
    }
    m_withdrawals.push_back(std::move(request));
    return m_withdrawals.back().asked;
}

void MasterRequests::halt()
{
    m_halted = true;
    m_givesUp = true;
    RecallRequest request;
    request.given = m_book.giveUp(m_book.waiting());
    m_recalls.push_back(std::move(request));
}

void MasterRequests::withdrawFrom(Rank rank, std::vector<AttemptKey> keys)
{
    WithdrawRequest request{.given = {}, .asked = {}, .left = {}, .ofMaster = false};
    request.asked[rank] = std::move(keys);
    m_withdrawals.push_back(std::move(request));
}

std::vector<std::vector<AttemptKey>> MasterRequests::askAgain(Rank rank) const
{
    std::vector<std::vector<AttemptKey>> open;
    for (const WithdrawRequest& request : m_withdrawals) {
        if (const auto asked = request.asked.find(rank); asked != request.asked.end())
            open.push_back(asked->second);
    }
    return open;
}

void MasterRequests::forget(Rank rank)
{
    m_answersDue.erase(rank);
    for (RecallRequest& request : m_recalls)
        request.answersDue.erase(rank);
}

void MasterRequests::lost(Rank rank)
{
    for (WithdrawRequest& request : m_withdrawals) {
        if (const auto asked = request.asked.extract(rank); !asked.empty())
            request.left.insert(asked.mapped().begin(), asked.mapped().end());
    }
}

void MasterRequests::returned(Rank from, bool any)
{
    std::uint32_t& due = m_answersDue[from];
    if (due != 0)
        --due;
    m_book.recallAnswered(from, any, due == 0);
    for (RecallRequest& request : m_recalls) {
        const auto answers = request.answersDue.find(from);
        if (answers != request.answersDue.end() && --answers->second == 0)
            request.answersDue.erase(answers);
    }
}

void MasterRequests::withdrawn(Rank from, std::span<const AttemptKey> keys)
{
    const auto request = std::ranges::find_if(
        m_withdrawals, [from](const WithdrawRequest& one) { return one.asked.contains(from); });
    if (request == m_withdrawals.end())
        return;
    for (const AttemptKey& key : keys) {
        if (m_book.withdrawn(from, key))
            request->given.push_back(key);
    }
    // What it keeps, it runs, whether that has been reported or not.
    for (const AttemptKey& key : request->asked.at(from))
        m_book.started(from, key);
    request->asked.erase(from);
}

std::vector<FarmMessage> MasterRequests::takeFinished()
{
    std::vector<FarmMessage> answers;
    while (!m_recalls.empty() && m_recalls.front().answersDue.empty()) {
        RecallRequest request = std::move(m_recalls.front());
        m_recalls.pop_front();
        std::ranges::copy(m_book.giveUp(request.wanted), std::back_inserter(request.given));
        answers.emplace_back(Returned{std::move(request.given)});
    }
    while (!m_withdrawals.empty() && m_withdrawals.front().asked.empty()) {
        WithdrawRequest request = std::move(m_withdrawals.front());
        m_withdrawals.pop_front();
        std::ranges::copy(m_book.takeOut(request.left), std::back_inserter(request.given));
        if (request.ofMaster)
            answers.emplace_back(Withdrawn{std::move(request.given)});
    }
    return answers;
}

std::vector<AttemptKey> MasterRequests::takeUnasked()
{
    const std::size_t waiting = m_book.waiting();
    return m_givesUp && waiting > reserved() ? m_book.giveUp(waiting - reserved())
                                             : std::vector<AttemptKey>();
}

std::size_t MasterRequests::reserved() const
{
    std::size_t count = 0;
    for (const RecallRequest& request : m_recalls)
        count += request.wanted;
    return count;
}

void MasterRequests::clear()
{
    m_recalls.clear();
    m_withdrawals.clear();
    m_answersDue.clear();
    m_givesUp = false;
    m_halted = false;
}

} // namespace tasuki::farm
