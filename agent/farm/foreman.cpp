// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreman.h"

#include "assignpacker.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <iterator>

namespace tasuki::farm {

Foreman::Foreman(Setup setup, Transport& transport, const Clock& clock, TermCounter nextTerm)
    : m_setup(setup),
      m_transport(transport),
      m_clock(clock),
      m_nextTerm(std::move(nextTerm)),
      m_term(m_nextTerm()),
      m_book(setup.feeding)
{}

void Foreman::setMaster(ProcessorId master)
{
    if (std::exchange(m_setup.master, master) != master)
        restart();
}

void Foreman::rankHeld(Rank rank, ProcessorId holder, Incarnation incarnation)
{
    Hand& hand = m_hands[rank];
    if (hand.state != Hand::State::Vacant)
        lose(rank, hand);
    hand = Hand{};
    hand.holder = holder;
    hand.incarnation = incarnation;
    call(rank, hand);
}

void Foreman::rankLost(Rank rank, Incarnation incarnation)
{
    const auto found = m_hands.find(rank);
    if (found != m_hands.end() && found->second.incarnation == incarnation)
        lose(rank, found->second);
}

void Foreman::setOpen(Rank rank, bool open)
{
    const auto found = m_hands.find(rank);
    if (found == m_hands.end())
        return;
    found->second.open = open;
    if (m_book.knows(rank))
        m_book.setOpen(rank, open);
}

void Foreman::receive(ProcessorId from, Envelope envelope)
{
    if (envelope.epoch != m_setup.epoch)
        return; // of an earlier life
    if (envelope.crew) {
        const bool ofTerm = envelope.term == m_term
            || std::holds_alternative<CrewRollCall>(envelope.message);
        if (from == m_setup.master && envelope.crew == m_setup.crew && ofTerm)
            std::visit([this](auto&& message) { take(std::move(message)); },
                       std::move(envelope.message));
        return;
    }
    const Rank rank = envelope.held.rank;
    const auto found = m_hands.find(rank);
    if (found == m_hands.end())
        return;
    Hand& hand = found->second;
    if (hand.state == Hand::State::Vacant || hand.holder != from
        || hand.incarnation != envelope.held.incarnation)
        return; // of another holding
    if (auto* hello = std::get_if<Hello>(&envelope.message)) {
        greeted(rank, hand, envelope.term, std::move(*hello));
        return;
    }
    if (hand.state == Hand::State::Present && envelope.term == hand.call)
        std::visit([this, rank](auto&& message) { on(rank, std::move(message)); },
                   std::move(envelope.message));
}

bool Foreman::poll()
{
    m_sent = false;
    const SteadyTime now = m_clock.now();
    if (m_phase == Phase::Calling && m_calls.isDue(now)) {
        m_calls.said(now);
        sendUp(CrewHello{});
    }
    for (auto& [rank, hand] : m_hands) {
        if (m_phase != Phase::Calling && hand.state == Hand::State::Called && hand.calls.isDue(now))
            sayCall(rank, hand);
    }
    const bool nothingToClaim = m_unclaimed.empty() && !m_byRecord;
    if (m_phase == Phase::Mustering && (nothingToClaim || !awaitsRanks()))
        endMuster();
    if (m_phase == Phase::Leading)
        dealAndRecall();
    if (reportIsDue(now))
        sendReport();
    return m_sent;
}

/// What it says from now on counts when it has answered this. It is said when the era is known.
void Foreman::call(Rank rank, Hand& hand)
{
    hand.state = Hand::State::Called;
    hand.call = m_nextTerm();
    hand.calls.restart();
    if (m_phase != Phase::Calling)
        sayCall(rank, hand);
}

void Foreman::callAll()
{
    for (auto& [rank, hand] : m_hands) {
        if (hand.state == Hand::State::Vacant)
            continue;
        hand.told = false;
        hand.answersDue = 0;
        call(rank, hand);
    }
}

void Foreman::sayCall(Rank rank, Hand& hand)
{
    hand.calls.said(m_clock.now());
    send(rank, RollCall{m_era});
}

/// Its holder had another chief meanwhile: what was sent to it then may not have been taken.
void Foreman::callAgain(Rank rank, Hand& hand)
{
    if (m_book.knows(rank))
        m_book.setAway(rank, true);
    forgetAnswers(rank, hand);
    call(rank, hand);
    finishErrands();
}

void Foreman::greeted(Rank rank, Hand& hand, std::uint64_t term, Hello&& hello)
{
    if (m_phase == Phase::Calling)
        return;
    if (term == 0) {
        if (hand.state == Hand::State::Called)
            sayCall(rank, hand);
        else
            callAgain(rank, hand);
        return;
    }
    if (term != hand.call || hand.state != Hand::State::Called)
        return; // the answer to an earlier call, or a second one
    hand.hello = std::move(hello);
    admit(rank, hand);
}

void Foreman::admit(Rank rank, Hand& hand)
{
    hand.state = Hand::State::Present;
    send(rank, m_welcome);
    if (m_book.knows(rank))
        m_book.setAway(rank, false);
    else
        m_book.join(rank, hand.hello.slotCount);
    m_book.setOpen(rank, hand.open);
    const Standing standing = std::exchange(hand.hello.standing, {});
    reconcile(rank, standing);
    if (!std::exchange(hand.told, true)) {
        if (!m_report.reports.empty())
            sendReport(); // it may be of the rank's last holder
        m_report.joined.push_back(
            {.held = {rank, hand.incarnation}, .holder = hand.holder, .hello = hand.hello});
        touchReport(true);
    }
    withdrawAgain(rank);
    if (m_halted)
        recall(rank, Halt{});
}

/// What a rank says that it holds, beside what is known of it.
void Foreman::reconcile(Rank rank, const Standing& standing)
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
    tell(rank, m_book.keepOnly(rank, claimed));

    // What nobody believes it to hold must not run there.
    const auto foreign = [&](const std::vector<AttemptKey>& keys) {
        std::vector<AttemptKey> found;
        std::ranges::copy_if(keys, std::back_inserter(found),
                             [&](const AttemptKey& key) { return m_book.holder(key) != rank; });
        return found;
    };
    if (std::vector<AttemptKey> keys = foreign(standing.running); !keys.empty())
        send(rank, Stop{std::move(keys)});
    if (std::vector<AttemptKey> keys = foreign(standing.queued); !keys.empty()) {
        WithdrawErrand errand{.given = {}, .asked = {}, .left = {}, .ofMaster = false};
        errand.asked[rank] = std::move(keys);
        m_withdrawals.push_back(std::move(errand)); // said with what else is asked of it
    }
}

/// A master that goes by the record has not heard of what was not in it: it is the rank's all the
/// same. That it has started is in reports which the rank tells again.
void Foreman::claimByRecord(Rank rank, const std::vector<AttemptKey>& keys)
{
    for (const AttemptKey& key : keys) {
        if (m_book.holder(key))
            continue;
        m_book.place(rank, key, false);
        m_report.claimed.push_back(key);
        touchReport(true);
    }
}

void Foreman::lose(Rank rank, Hand& hand)
{
    hand.state = Hand::State::Vacant;
    forgetAnswers(rank, hand);
    if (m_book.knows(rank))
        tell(rank, m_book.lost(rank));
    for (WithdrawErrand& errand : m_withdrawals) {
        if (const auto asked = errand.asked.extract(rank); !asked.empty())
            errand.left.insert(asked.mapped().begin(), asked.mapped().end());
    }
    finishErrands();
}

/// What has become of attempts whose rank went away.
void Foreman::tell(Rank rank, RankLeavings leavings)
{
    Report lost;
    for (const AttemptKey& key : leavings.started) // Outcome::Lost
        lost.finished.push_back({.key = key, .slot = SlotIndex(0), .result = {}});
    if (!lost.finished.empty()) {
        m_report.reports.push_back({rank, std::move(lost)});
        touchReport(true);
    }
    if (!leavings.unknown.empty()) {
        std::ranges::copy(leavings.unknown, std::back_inserter(m_report.returned));
        touchReport(true);
    }
}

/// The master did not take all that was said: everything as at the beginning, in another term.
void Foreman::restart()
{
    m_phase = Phase::Calling;
    m_term = m_nextTerm();
    m_calls.restart();
    m_calls.said(m_clock.now());
    m_book = CrewBook(m_setup.feeding);
    m_unclaimed.clear();
    m_byRecord = false;
    m_givesUp = false;
    m_halted = false;
    m_recalls.clear();
    m_withdrawals.clear();
    m_peeks.clear();
    m_report = {};
    m_inReport.clear();
    m_unnoted.clear();
    m_reportBegun = false;
    m_reportUrgent = false;
    m_endsInReport = 0;
    m_outputInReport = 0;
    sendUp(CrewHello{});
    callAll();
}

bool Foreman::awaitsRanks() const
{
    return std::ranges::any_of(
        m_hands, [](const auto& entry) { return entry.second.state == Hand::State::Called; });
}

/// Nobody will claim what is left.
void Foreman::endMuster()
{
    std::map<Rank, RankLeavings> lost;
    for (const auto& [key, startedOn] : std::exchange(m_unclaimed, {})) {
        if (startedOn)
            lost[*startedOn].started.push_back(key);
        else
            lost[Rank(-1)].unknown.push_back(key);
    }
    for (auto& [rank, leavings] : lost)
        tell(rank, std::move(leavings));
    sendReport();
    sendUp(Mustered{});
    m_byRecord = false;
    m_phase = Phase::Leading;
}

void Foreman::dealAndRecall()
{
    if (m_givesUp)
        giveUpQueue();
    for (auto& [rank, tasks] : m_book.deal(reserved())) {
        AssignPacker packer([this, to = rank](Assign message) { send(to, std::move(message)); });
        for (AssignedTask& task : tasks)
            packer.add(std::move(task));
        packer.flush();
    }
    for (const auto& [rank, count] : m_book.recalls())
        recall(rank, Recall{count});
}

void Foreman::on(Rank from, Report&& message)
{
    RankReport counted{.rank = from, .report = {}};
    for (const StartedAttempt& started : message.started) {
        if (m_book.started(from, started.key))
            counted.report.started.push_back(started);
    }
    for (FinishedAttempt& finished : message.finished) {
        if (!m_book.finished(from, finished.key, finished.result.elapsed))
            continue;
        ++m_endsInReport;
        m_outputInReport += finished.result.standardOutput.head.size()
            + finished.result.standardError.head.size();
        counted.report.finished.push_back(std::move(finished));
    }
    if (!counted.report.started.empty() || !counted.report.finished.empty())
        m_report.reports.push_back(std::move(counted));
    m_inReport.push_back({from, m_hands.at(from).incarnation, message.number});
    touchReport(false);
}

void Foreman::on(Rank from, const Broken&) { lose(from, m_hands.at(from)); }

bool Foreman::reportIsDue(SteadyTime now) const
{
    constexpr std::chrono::milliseconds patience{2};
    constexpr std::size_t manyEnds = 512;
    constexpr std::size_t muchOutput = 1U << 20U;
    if (!m_reportBegun)
        return false;
    return m_reportUrgent || m_book.waiting() == 0 || m_endsInReport >= manyEnds
        || m_outputInReport >= muchOutput || now - m_oldestUnreported >= patience;
}

void Foreman::touchReport(bool urgent)
{
    if (!std::exchange(m_reportBegun, true))
        m_oldestUnreported = m_clock.now();
    m_reportUrgent = m_reportUrgent || urgent;
}

void Foreman::sendReport()
{
    if (!std::exchange(m_reportBegun, false))
        return;
    m_report.number = ++m_lastReport;
    m_unnoted[m_report.number] = std::exchange(m_inReport, {});
    m_reportUrgent = false;
    m_endsInReport = 0;
    m_outputInReport = 0;
    sendUp(std::exchange(m_report, {}));
}

void Foreman::sendUp(FarmMessage message)
{
    m_sent = true;
    m_transport.send(m_setup.master,
                     encode({.epoch = m_setup.epoch,
                             .held = {},
                             .message = std::move(message),
                             .crew = m_setup.crew,
                             .term = m_term}));
}

void Foreman::send(Rank to, FarmMessage message)
{
    m_sent = true;
    const Hand& hand = m_hands.at(to);
    m_transport.send(hand.holder,
                     encode({.epoch = m_setup.epoch,
                             .held = {to, hand.incarnation},
                             .message = std::move(message),
                             .crew = {},
                             .term = hand.call}));
}

} // namespace tasuki::farm
