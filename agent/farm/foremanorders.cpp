// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the master asks of a foreman, and what the ranks answer.
#include "foreman.h"

#include <algorithm>
#include <iterator>

namespace tasuki::farm {

void Foreman::take(Muster&& message)
{
    if (m_phase != Phase::Calling)
        return;
    m_phase = Phase::Mustering;
    m_era = message.era;
    m_byRecord = message.byRecord;
    m_welcome = {.run = std::move(message.run), .directory = std::move(message.directory)};
    for (const MusteredAttempt& attempt : message.attempts)
        m_unclaimed.emplace(attempt.key, attempt.startedOn);
    callAll();
}

/// The master has believed somebody else meanwhile. In the phase Calling it has not heard anything
/// that could be lost, but it may just have begun to listen.
void Foreman::take(const CrewRollCall&)
{
    if (m_phase != Phase::Calling)
        restart();
    else
        m_calls.restart(); // due at once
}

/// The ranks need not keep what the master has.
void Foreman::take(const CrewNoted& message)
{
    std::map<Rank, Unnoted> newest;
    const auto end = m_unnoted.upper_bound(message.upTo);
    for (auto report = m_unnoted.begin(); report != end; ++report) {
        for (const Unnoted& unnoted : report->second)
            newest.insert_or_assign(unnoted.rank, unnoted);
    }
    m_unnoted.erase(m_unnoted.begin(), end);
    for (const auto& [rank, noted] : newest) {
        const Hand& hand = m_hands.at(rank);
        if (hand.state == Hand::State::Present && hand.incarnation == noted.incarnation)
            send(rank, Noted{noted.number});
    }
}

void Foreman::take(Assign&& message)
{
    m_givesUp = m_halted;
    m_book.enqueue(std::move(message.tasks));
}

void Foreman::take(const Recall& message)
{
    RecallErrand errand{.wanted = message.count, .given = {}, .answersDue = {}};
    errand.given = m_book.giveUp(message.count);
    errand.wanted -= errand.given.size();
    m_givesUp = m_givesUp || errand.wanted >= m_book.held();
    for (const auto& [rank, count] : m_book.recallsFor(errand.wanted)) {
        recall(rank, Recall{count});
        errand.answersDue[rank] = m_hands.at(rank).answersDue;
    }
    m_recalls.push_back(std::move(errand));
    finishErrands();
}

void Foreman::take(const Withdraw& message)
{
    WithdrawErrand errand;
    errand.given = m_book.takeOut({message.keys.begin(), message.keys.end()});
    for (const AttemptKey& key : message.keys) {
        const std::optional<Rank> holder = m_book.holder(key);
        if (holder && !m_book.isStarted(key))
            errand.asked[*holder].push_back(key);
    }
    for (const auto& [rank, keys] : errand.asked) {
        if (m_hands.at(rank).state == Hand::State::Present)
            send(rank, Withdraw{keys}); // else when it is there again
    }
    m_withdrawals.push_back(std::move(errand));
    finishErrands();
}

/// What still waits here stays: whatever its end, it is not tried again.
void Foreman::take(const Stop& message)
{
    std::map<Rank, Stop> stops;
    for (const AttemptKey& key : message.keys) {
        if (const std::optional<Rank> holder = m_book.holder(key))
            stops[*holder].keys.push_back(key);
    }
    for (auto& [rank, stop] : stops)
        send(rank, std::move(stop));
}

void Foreman::take(const Warn& message)
{
    std::map<Rank, Warn> warnings;
    for (const AttemptKey& key : message.keys) {
        if (const std::optional<Rank> holder = m_book.holder(key)) {
            Warn& warning = warnings[*holder];
            warning.signalNumber = message.signalNumber;
            warning.keys.push_back(key);
        }
    }
    for (auto& [rank, warning] : warnings)
        send(rank, std::move(warning));
}

void Foreman::take(const Peek& message)
{
    const std::optional<Rank> holder = m_book.holder(message.query.key);
    if (!holder || m_hands.at(*holder).state != Hand::State::Present) {
        sendUp(Peeked{.number = message.number, .answer = {.key = message.query.key}});
        return;
    }
    m_peeks[message.number] = {*holder, message.query.key};
    send(*holder, message);
}

void Foreman::take(const Halt&)
{
    m_halted = true;
    m_givesUp = true;
    RecallErrand errand;
    errand.given = m_book.giveUp(m_book.waiting());
    m_recalls.push_back(std::move(errand));
    for (auto& [rank, hand] : m_hands) {
        if (hand.state == Hand::State::Present)
            recall(rank, Halt{});
    }
    finishErrands();
}

/// @param message  one that is answered with Returned
void Foreman::recall(Rank rank, FarmMessage message)
{
    ++m_hands.at(rank).answersDue;
    send(rank, std::move(message));
}

void Foreman::on(Rank from, const Returned& message)
{
    tell(from, {.started = {}, .unknown = m_book.returned(from, message.keys)});
    Hand& hand = m_hands.at(from);
    if (hand.answersDue != 0)
        --hand.answersDue;
    m_book.recallAnswered(from, !message.keys.empty(), hand.answersDue == 0);
    for (RecallErrand& errand : m_recalls) {
        const auto due = errand.answersDue.find(from);
        if (due != errand.answersDue.end() && --due->second == 0)
            errand.answersDue.erase(due);
    }
    finishErrands();
}

void Foreman::on(Rank from, const Withdrawn& message)
{
    const auto errand = std::ranges::find_if(
        m_withdrawals, [from](const WithdrawErrand& one) { return one.asked.contains(from); });
    if (errand == m_withdrawals.end())
        return;
    for (const AttemptKey& key : message.keys) {
        if (m_book.withdrawn(from, key))
            errand->given.push_back(key);
    }
    // What it keeps, it runs, whether that has been reported or not.
    for (const AttemptKey& key : errand->asked.at(from))
        m_book.started(from, key);
    errand->asked.erase(from);
    finishErrands();
}

void Foreman::on(Rank from, Peeked&& message)
{
    const auto found = m_peeks.find(message.number);
    if (found == m_peeks.end() || found->second.rank != from)
        return;
    m_peeks.erase(found);
    sendUp(std::move(message));
}

/// A rank is there again: what was asked of it before may not have reached it.
void Foreman::withdrawAgain(Rank rank)
{
    for (const WithdrawErrand& errand : m_withdrawals) {
        if (const auto asked = errand.asked.find(rank); asked != errand.asked.end())
            send(rank, Withdraw{asked->second});
    }
}

/// What a rank was asked will not be answered; withdrawals wait for whoever holds it then.
void Foreman::forgetAnswers(Rank rank, Hand& hand)
{
    hand.answersDue = 0;
    for (RecallErrand& errand : m_recalls)
        errand.answersDue.erase(rank);
    std::erase_if(m_peeks, [&](const auto& peek) {
        if (peek.second.rank != rank)
            return false;
        sendUp(Peeked{.number = peek.first, .answer = {.key = peek.second.key}});
        return true;
    });
}

void Foreman::finishErrands()
{
    while (!m_recalls.empty() && m_recalls.front().answersDue.empty()) {
        RecallErrand errand = std::move(m_recalls.front());
        m_recalls.pop_front();
        std::ranges::copy(m_book.giveUp(errand.wanted), std::back_inserter(errand.given));
        sendReport(); // what was before
        sendUp(Returned{std::move(errand.given)});
    }
    while (!m_withdrawals.empty() && m_withdrawals.front().asked.empty()) {
        WithdrawErrand errand = std::move(m_withdrawals.front());
        m_withdrawals.pop_front();
        std::ranges::copy(m_book.takeOut(errand.left), std::back_inserter(errand.given));
        if (!errand.ofMaster)
            continue;
        sendReport();
        sendUp(Withdrawn{std::move(errand.given)});
    }
}

/// What waits here, but for what the master has asked for already.
void Foreman::giveUpQueue()
{
    const std::size_t waiting = m_book.waiting();
    if (waiting <= reserved())
        return;
    std::ranges::copy(m_book.giveUp(waiting - reserved()), std::back_inserter(m_report.returned));
    touchReport(true);
}

std::size_t Foreman::reserved() const
{
    std::size_t count = 0;
    for (const RecallErrand& errand : m_recalls)
        count += errand.wanted;
    return count;
}

} // namespace tasuki::farm
