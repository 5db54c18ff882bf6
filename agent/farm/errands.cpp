// SPDX-License-Identifier: GPL-3.0-or-later
#include "errands.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tasuki::farm {

Recalls<Rank> Errands::recall(std::size_t count)
{
    RecallErrand errand{.wanted = count, .given = m_book.giveUp(count), .answersDue = {}};
    errand.wanted -= errand.given.size();
    m_givesUp = m_givesUp || errand.wanted >= m_book.held();
    Recalls<Rank> recalls = m_book.recallsFor(errand.wanted);
    for (const auto& [rank, wanted] : recalls)
        errand.answersDue[rank] = ++m_answersDue[rank];
    m_recalls.push_back(std::move(errand));
    return recalls;
}

std::map<Rank, std::vector<AttemptKey>> Errands::withdraw(std::span<const AttemptKey> keys)
{
    WithdrawErrand errand;
    errand.given = m_book.takeOut({keys.begin(), keys.end()});
    for (const AttemptKey& key : keys) {
        const std::optional<Rank> holder = m_book.holder(key);
        if (holder && !m_book.isStarted(key))
            errand.asked[*holder].push_back(key);
    }
    m_withdrawals.push_back(std::move(errand));
    return m_withdrawals.back().asked;
}

void Errands::halt()
{
    m_halted = true;
    m_givesUp = true;
    RecallErrand errand;
    errand.given = m_book.giveUp(m_book.waiting());
    m_recalls.push_back(std::move(errand));
}

void Errands::withdrawFrom(Rank rank, std::vector<AttemptKey> keys)
{
    WithdrawErrand errand{.given = {}, .asked = {}, .left = {}, .ofMaster = false};
    errand.asked[rank] = std::move(keys);
    m_withdrawals.push_back(std::move(errand));
}

std::vector<std::vector<AttemptKey>> Errands::askAgain(Rank rank) const
{
    std::vector<std::vector<AttemptKey>> open;
    for (const WithdrawErrand& errand : m_withdrawals) {
        if (const auto asked = errand.asked.find(rank); asked != errand.asked.end())
            open.push_back(asked->second);
    }
    return open;
}

void Errands::forget(Rank rank)
{
    m_answersDue.erase(rank);
    for (RecallErrand& errand : m_recalls)
        errand.answersDue.erase(rank);
}

void Errands::lost(Rank rank)
{
    for (WithdrawErrand& errand : m_withdrawals) {
        if (const auto asked = errand.asked.extract(rank); !asked.empty())
            errand.left.insert(asked.mapped().begin(), asked.mapped().end());
    }
}

void Errands::returned(Rank from, bool any)
{
    std::uint32_t& due = m_answersDue[from];
    if (due != 0)
        --due;
    m_book.recallAnswered(from, any, due == 0);
    for (RecallErrand& errand : m_recalls) {
        const auto answers = errand.answersDue.find(from);
        if (answers != errand.answersDue.end() && --answers->second == 0)
            errand.answersDue.erase(answers);
    }
}

void Errands::withdrawn(Rank from, std::span<const AttemptKey> keys)
{
    const auto errand = std::ranges::find_if(
        m_withdrawals, [from](const WithdrawErrand& one) { return one.asked.contains(from); });
    if (errand == m_withdrawals.end())
        return;
    for (const AttemptKey& key : keys) {
        if (m_book.withdrawn(from, key))
            errand->given.push_back(key);
    }
    // What it keeps, it runs, whether that has been reported or not.
    for (const AttemptKey& key : errand->asked.at(from))
        m_book.started(from, key);
    errand->asked.erase(from);
}

std::vector<FarmMessage> Errands::takeFinished()
{
    std::vector<FarmMessage> answers;
    while (!m_recalls.empty() && m_recalls.front().answersDue.empty()) {
        RecallErrand errand = std::move(m_recalls.front());
        m_recalls.pop_front();
        std::ranges::copy(m_book.giveUp(errand.wanted), std::back_inserter(errand.given));
        answers.emplace_back(Returned{std::move(errand.given)});
    }
    while (!m_withdrawals.empty() && m_withdrawals.front().asked.empty()) {
        WithdrawErrand errand = std::move(m_withdrawals.front());
        m_withdrawals.pop_front();
        std::ranges::copy(m_book.takeOut(errand.left), std::back_inserter(errand.given));
        if (errand.ofMaster)
            answers.emplace_back(Withdrawn{std::move(errand.given)});
    }
    return answers;
}

std::vector<AttemptKey> Errands::takeUnasked()
{
    const std::size_t waiting = m_book.waiting();
    return m_givesUp && waiting > reserved() ? m_book.giveUp(waiting - reserved())
                                             : std::vector<AttemptKey>();
}

std::size_t Errands::reserved() const
{
    std::size_t count = 0;
    for (const RecallErrand& errand : m_recalls)
        count += errand.wanted;
    return count;
}

void Errands::clear()
{
    m_recalls.clear();
    m_withdrawals.clear();
    m_answersDue.clear();
    m_givesUp = false;
    m_halted = false;
}

} // namespace tasuki::farm
