// SPDX-License-Identifier: GPL-3.0-or-later
#include "groupscheduler.h"

#include "assignpacker.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace tasuki::farm {

GroupScheduler::GroupScheduler(Setup setup, Transport& transport, const Clock& clock,
                               LeadershipCounter nextLeadership)
    : m_feeding(setup.feeding),
      m_clock(clock),
      m_nextTerm(std::move(nextLeadership)),
      m_mail(setup.epoch, setup.group, setup.master, m_hands, transport),
      m_book(setup.feeding),
      m_requests(m_book),
      m_report(clock)
{
    m_mail.setLeadership(m_nextTerm());
}

void GroupScheduler::setMaster(ProcessorId master)
{
    if (m_mail.setMaster(master))
        restart();
}

void GroupScheduler::rankHeld(Rank rank, ProcessorId holder, Incarnation incarnation)
{
    Hand& hand = m_hands[rank];
    if (hand.state != Hand::State::Vacant)
        lose(rank, hand);
    hand = Hand{};
    hand.holder = holder;
    hand.incarnation = incarnation;
    call(rank, hand);
}

void GroupScheduler::rankLost(Rank rank, Incarnation incarnation)
{
    const auto found = m_hands.find(rank);
    if (found != m_hands.end() && found->second.incarnation == incarnation)
        lose(rank, found->second);
}

void GroupScheduler::setOpen(Rank rank, bool open)
{
    const auto found = m_hands.find(rank);
    if (found == m_hands.end())
        return;
    found->second.open = open;
    if (m_book.knows(rank))
        m_book.setOpen(rank, open);
}

void GroupScheduler::receive(ProcessorId from, Envelope envelope)
{
    if (!m_mail.isPresent(envelope))
        return;
    if (envelope.group) {
        if (m_mail.isOfMaster(from, envelope))
            std::visit([this](auto&& message) { take(std::move(message)); },
                       std::move(envelope.message));
        return;
    }
    const Rank rank = envelope.held.rank;
    const auto found = m_hands.find(rank);
    if (found == m_hands.end() || !GroupSchedulerMail::isOf(found->second, from, envelope))
        return;
    if (auto* hello = std::get_if<Hello>(&envelope.message))
        greeted(rank, found->second, envelope.leadership, std::move(*hello));
    else
        std::visit([this, rank](auto&& message) { on(rank, std::move(message)); },
                   std::move(envelope.message));
}

bool GroupScheduler::poll()
{
    m_mail.takeSent();
    const SteadyTime now = m_clock.now();
    if (m_phase == Phase::Calling && m_calls.isDue(now)) {
        m_calls.said(now);
        m_mail.sendUp(GroupHello{});
    }
    for (auto& [rank, hand] : m_hands) {
        if (m_phase != Phase::Calling && hand.state == Hand::State::Called && hand.calls.isDue(now))
            sayCall(rank, hand);
    }
    const bool nothingToClaim = m_unclaimed.empty() && !m_byRecord;
    if (m_phase == Phase::Resyncing && (nothingToClaim || !awaitsRanks()))
        endResync();
    if (m_phase == Phase::Leading)
        dealAndRecall();
    if (m_report.isDue(now, m_book.waiting() == 0))
        sendReport();
    return m_mail.takeSent();
}

/// What it says from now on counts when it has answered this. It is said when the era is known.
void GroupScheduler::call(Rank rank, Hand& hand)
{
    hand.state = Hand::State::Called;
    hand.call = m_nextTerm();
    hand.calls.restart();
    if (m_phase != Phase::Calling)
        sayCall(rank, hand);
}

void GroupScheduler::callAll()
{
    for (auto& [rank, hand] : m_hands) {
        if (hand.state == Hand::State::Vacant)
            continue;
        hand.told = false;
        call(rank, hand);
    }
}

void GroupScheduler::sayCall(Rank rank, Hand& hand)
{
    hand.calls.said(m_clock.now());
    m_mail.send(rank, ResyncCall{m_era});
}

/// Its holder had another chief meanwhile: what was sent to it then may not have been taken.
void GroupScheduler::callAgain(Rank rank, Hand& hand)
{
    if (m_book.knows(rank))
        m_book.setUnreachable(rank, true);
    forgetAnswers(rank);
    call(rank, hand);
    finishRequests();
}

void GroupScheduler::greeted(Rank rank, Hand& hand, LeadershipNumber leadership, Hello&& hello)
{
    if (m_phase == Phase::Calling)
        return;
    if (leadership == LeadershipNumber{}) {
        if (hand.state == Hand::State::Called)
            sayCall(rank, hand);
        else
            callAgain(rank, hand);
        return;
    }
    if (leadership != hand.call || hand.state != Hand::State::Called)
        return; // the answer to an earlier call, or a second one
    hand.hello = std::move(hello);
    admit(rank, hand);
}

void GroupScheduler::admit(Rank rank, Hand& hand)
{
    hand.state = Hand::State::Present;
    m_mail.send(rank, m_welcome);
    if (m_book.knows(rank))
        m_book.setUnreachable(rank, false);
    else
        m_book.join(rank, hand.hello.slotCount);
    m_book.setOpen(rank, hand.open);
    const Standing standing = std::exchange(hand.hello.standing, {});
    reconcile(rank, standing);
    if (!std::exchange(hand.told, true)) {
        if (m_report.hasReports())
            sendReport(); // it may be of the rank's last holder
        m_report.addJoined(
            {.held = {rank, hand.incarnation}, .holder = hand.holder, .hello = hand.hello});
    }
    for (std::vector<AttemptKey>& keys : m_requests.askAgain(rank))
        m_mail.send(rank, Withdraw{std::move(keys)});
    if (m_requests.halted()) {
        m_requests.ask(rank);
        m_mail.send(rank, Halt{});
    }
}

/// What a rank says that it holds, beside what is known of it.
void GroupScheduler::reconcile(Rank rank, const Standing& standing)
{
    std::set<AttemptKey> claimed;
    const auto claim = [&](const std::vector<AttemptKey>& keys, bool started) {
        for (const AttemptKey& key : keys) {
            claimed.insert(key);
            if (m_unclaimed.erase(key) != 0)
                m_book.place(rank, key, started);
            else if (started)
                m_book.started(rank, key);
        }
        if (m_byRecord)
            claimByRecord(rank, keys);
    };
    claim(standing.ended, true);
    claim(standing.running, true);
    claim(standing.queued, false);
    m_report.addLeavings(rank, m_book.keepOnly(rank, claimed));

    // What nobody believes it to hold must not run there.
    const auto foreign = [&](const std::vector<AttemptKey>& keys) {
        std::vector<AttemptKey> found;
        std::ranges::copy_if(keys, std::back_inserter(found),
                             [&](const AttemptKey& key) { return m_book.holder(key) != rank; });
        return found;
    };
    if (std::vector<AttemptKey> keys = foreign(standing.running); !keys.empty())
        m_mail.send(rank, Stop{.keys = std::move(keys)});
    if (std::vector<AttemptKey> keys = foreign(standing.queued); !keys.empty())
        m_requests.withdrawFrom(rank, std::move(keys)); // said with what else is asked of it
}

/// A master that goes by the record has not heard of what was not in it: it is the rank's all the
/// same. That it has started is in reports which the rank tells again.
void GroupScheduler::claimByRecord(Rank rank, const std::vector<AttemptKey>& keys)
{
    for (const AttemptKey& key : keys) {
        if (m_book.holder(key))
            continue;
        m_book.place(rank, key, false);
        m_report.addClaimed(key);
    }
}

void GroupScheduler::lose(Rank rank, Hand& hand)
{
    hand.state = Hand::State::Vacant;
    forgetAnswers(rank);
    if (m_book.knows(rank))
        m_report.addLeavings(rank, m_book.lost(rank));
    m_requests.lost(rank);
    finishRequests();
}

/// What a rank was asked will not be answered.
void GroupScheduler::forgetAnswers(Rank rank)
{
    m_requests.forget(rank);
    m_peeks.giveUp(groupOf(rank));
}

/// The master did not take all that was said: everything as at the beginning, in another leadership.
void GroupScheduler::restart()
{
    m_phase = Phase::Calling;
    m_mail.setLeadership(m_nextTerm());
    m_calls.restart();
    m_calls.said(m_clock.now());
    m_book = GroupBook(m_feeding);
    m_unclaimed.clear();
    m_byRecord = false;
    m_requests.clear();
    m_peeks = {};
    m_report.clear();
    m_mail.sendUp(GroupHello{});
    callAll();
}

bool GroupScheduler::awaitsRanks() const
{
    return std::ranges::any_of(
        m_hands, [](const auto& entry) { return entry.second.state == Hand::State::Called; });
}

/// Nobody will claim what is left.
void GroupScheduler::endResync()
{
    std::map<Rank, RankLeavings> lost;
    for (const auto& [key, startedOn] : std::exchange(m_unclaimed, {})) {
        if (startedOn)
            lost[*startedOn].started.push_back(key);
        else
            lost[Rank(-1)].unknown.push_back(key);
    }
    for (const auto& [rank, leavings] : lost)
        m_report.addLeavings(rank, leavings);
    sendReport();
    m_mail.sendUp(Resynced{});
    m_byRecord = false;
    m_phase = Phase::Leading;
}

void GroupScheduler::dealAndRecall()
{
    m_report.addReturned(m_requests.takeUnasked());
    for (auto& [rank, tasks] : m_book.deal(m_requests.reserved())) {
        AssignPacker packer(
            [this, to = rank](Assign message) { m_mail.send(to, std::move(message)); });
        for (AssignedTask& task : tasks)
            packer.add(std::move(task));
        packer.flush();
    }
    for (const auto& [rank, count] : m_book.recalls()) {
        m_requests.ask(rank);
        m_mail.send(rank, Recall{count});
    }
}

void GroupScheduler::on(Rank from, Report&& message)
{
    RankReport counted{.rank = from, .report = {}};
    for (const StartedAttempt& started : message.started) {
        if (m_book.started(from, started.key))
            counted.report.started.push_back(started);
    }
    for (FinishedAttempt& finished : message.finished) {
        if (m_book.finished(from, finished.key, finished.result.elapsed))
            counted.report.finished.push_back(std::move(finished));
    }
    m_report.add(std::move(counted), {from, m_hands.at(from).incarnation, message.number});
}

void GroupScheduler::on(Rank from, const Returned& message)
{
    m_report.addReturned(m_book.returned(from, message.keys));
    m_requests.returned(from, !message.keys.empty());
    finishRequests();
}

void GroupScheduler::on(Rank from, const Withdrawn& message)
{
    m_requests.withdrawn(from, message.keys);
    finishRequests();
}

void GroupScheduler::on(Rank from, Peeked&& message)
{
    m_peeks.answered(groupOf(from), std::move(message));
}

void GroupScheduler::on(Rank from, const Broken&) { lose(from, m_hands.at(from)); }

void GroupScheduler::take(Resync&& message)
{
    if (m_phase != Phase::Calling)
        return;
    m_phase = Phase::Resyncing;
    m_era = message.era;
    m_byRecord = message.byRecord;
    m_welcome = {.run = std::move(message.run), .directory = std::move(message.directory)};
    for (const ResyncedAttempt& attempt : message.attempts)
        m_unclaimed.emplace(attempt.key, attempt.startedOn);
    callAll();
}

/// The master has believed somebody else meanwhile. In the phase Calling it has not heard anything
/// that could be lost, but it may just have begun to listen.
void GroupScheduler::take(const GroupResyncCall&)
{
    if (m_phase != Phase::Calling)
        restart();
    else
        m_calls.restart(); // due at once
}

/// The ranks need not keep what the master has.
void GroupScheduler::take(const GroupNoted& message)
{
    for (const ReportDraft::Told& noted : m_report.noted(message.upTo)) {
        const Hand& hand = m_hands.at(noted.rank);
        if (hand.state == Hand::State::Present && hand.incarnation == noted.incarnation)
            m_mail.send(noted.rank, Noted{noted.number});
    }
}

void GroupScheduler::take(Assign&& message)
{
    m_requests.assigned();
    m_book.enqueue(std::move(message.tasks));
}

void GroupScheduler::take(const Recall& message)
{
    for (const auto& [rank, count] : m_requests.recall(message.count))
        m_mail.send(rank, Recall{count});
    finishRequests();
}

void GroupScheduler::take(const Withdraw& message)
{
    for (const auto& [rank, keys] : m_requests.withdraw(message.keys)) {
        if (m_hands.at(rank).state == Hand::State::Present)
            m_mail.send(rank, Withdraw{keys}); // else when it is there again
    }
    finishRequests();
}

/// What still waits here stays: whatever its end, it is not tried again. Of a world that goes back it is given back.
void GroupScheduler::take(const Stop& message)
{
    for (auto& [rank, keys] : byHolder(message.keys))
        m_mail.send(rank, Stop{.keys = std::move(keys), .reason = message.reason});
    if (message.reason == StopReason::Interrupted)
        m_report.addReturned(m_book.takeOut({message.keys.begin(), message.keys.end()}));
}

void GroupScheduler::take(const Warn& message)
{
    for (auto& [rank, keys] : byHolder(message.keys))
        m_mail.send(rank, Warn{.keys = std::move(keys), .signalNumber = message.signalNumber});
}

std::map<Rank, std::vector<AttemptKey>> GroupScheduler::byHolder(
    const std::vector<AttemptKey>& keys) const
{
    std::map<Rank, std::vector<AttemptKey>> held;
    for (const AttemptKey& key : keys) {
        if (const std::optional<Rank> holder = m_book.holder(key))
            held[*holder].push_back(key);
    }
    return held;
}

void GroupScheduler::take(const Peek& message)
{
    const auto answer = [this, number = message.number](OutputAnswer seen) {
        m_mail.sendUp(Peeked{.number = number, .answer = std::move(seen)});
    };
    const std::optional<Rank> holder = m_book.holder(message.query.key);
    if (!holder || m_hands.at(*holder).state != Hand::State::Present) {
        answer({.key = message.query.key});
        return;
    }
    m_peeks.ask(message.number, groupOf(*holder), message.query.key, answer);
    m_mail.send(*holder, message);
}

void GroupScheduler::take(const Halt&)
{
    m_requests.halt();
    for (const auto& [rank, hand] : m_hands) {
        if (hand.state != Hand::State::Present)
            continue;
        m_requests.ask(rank);
        m_mail.send(rank, Halt{});
    }
    finishRequests();
}

void GroupScheduler::finishRequests()
{
    for (FarmMessage& answer : m_requests.takeFinished()) {
        sendReport(); // what was before
        m_mail.sendUp(std::move(answer));
    }
}

void GroupScheduler::sendReport()
{
    if (std::optional<GroupReport> report = m_report.take())
        m_mail.sendUp(std::move(*report));
}

} // namespace tasuki::farm
