// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/groupscheduler.h"
#include "schedulertesting.h"
#include "support/manualclock.h"
#include "support/recordingtransport.h"

#include <QTest>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki::farm::testing {

/// A group scheduler on processor 4 with the test as its master, on processor 0, and as its ranks: 5 to 7 on
/// the processors of these numbers.
struct GroupSchedulerBench {
    GroupSchedulerBench()
    {
        for (const std::int32_t rank : {5, 6, 7})
            hold(Rank(rank), Incarnation(1));
    }

    static ProcessorId holderOf(Rank rank)
    {
        return ProcessorId(static_cast<std::uint32_t>(rank.value()));
    }
    void hold(Rank rank, Incarnation incarnation)
    {
        held[rank] = incarnation;
        groupScheduler.rankHeld(rank, holderOf(rank), incarnation);
    }
    void lose(Rank rank) { groupScheduler.rankLost(rank, held.at(rank)); }

    /// Who is the master says something, in the group scheduler's leadership unless told otherwise.
    void order(FarmMessage message, std::optional<LeadershipNumber> inLeadership = {})
    {
        look();
        groupScheduler.receive(master,
                               {.epoch = Epoch(2),
                                .held = {},
                                .message = std::move(message),
                                .group = GroupId(5),
                                .leadership = inLeadership.value_or(leadership)});
    }
    void resync(std::vector<ResyncedAttempt> attempts = {})
    {
        groupScheduler.poll();
        order(Resync{
            .run = "run", .directory = "/work", .era = era = era.next(), .attempts = attempts});
    }
    /// A rank says something, in the leadership of its resynchronisation call unless told otherwise.
    void say(Rank rank, FarmMessage message, std::optional<LeadershipNumber> inLeadership = {})
    {
        look();
        groupScheduler.receive(holderOf(rank),
                               {.epoch = Epoch(2),
                                .held = {rank, held.at(rank)},
                                .message = std::move(message),
                                .group = {},
                                .leadership = inLeadership.value_or(calls[rank])});
    }
    void hello(Rank rank, Standing standing = {}, std::uint32_t slots = 1)
    {
        say(rank,
            Hello{.host = "node",
                  .pid = rank.value(),
                  .slotCount = slots,
                  .standing = std::move(standing)});
    }
    /// It leads three ranks that hold nothing.
    void lead(std::uint32_t slots = 1)
    {
        resync();
        for (const std::int32_t rank : {5, 6, 7})
            hello(Rank(rank), {}, slots);
        groupScheduler.poll();
        up<GroupReport>();
    }
    void assign(std::initializer_list<std::uint32_t> tasks)
    {
        Assign message;
        for (const std::uint32_t task : tasks)
            message.tasks.push_back({key(task), "command " + std::to_string(task), settings});
        order(std::move(message));
    }
    void begin(Rank rank, std::uint32_t task)
    {
        say(rank,
            Report{.started = {{key(task), SlotIndex(0), clock.wallNow()}},
                   .finished = {},
                   .number = ++numbers[rank]});
    }
    void end(Rank rank, std::uint32_t task, Outcome outcome = Outcome::Succeeded)
    {
        AttemptResult result;
        result.outcome = outcome;
        Report report;
        report.number = ++numbers[rank];
        report.finished.push_back({key(task), SlotIndex(0), std::move(result)});
        say(rank, std::move(report));
    }
    void poll()
    {
        groupScheduler.poll();
        clock.advance(std::chrono::milliseconds(3));
        groupScheduler.poll();
    }

    /// Everything of a kind that was said to the master since the last call for that kind.
    template <class Kind>
    std::vector<Kind> up()
    {
        look();
        return take<Kind>(master);
    }
    /// The same to a rank.
    template <class Kind>
    std::vector<Kind> down(Rank rank)
    {
        look();
        return take<Kind>(holderOf(rank));
    }
    /// Tasks handed to a rank since the last call.
    std::vector<std::uint32_t> handed(Rank rank)
    {
        std::vector<std::uint32_t> tasks;
        for (const Assign& message : down<Assign>(rank)) {
            for (const AssignedTask& task : message.tasks)
                tasks.push_back(task.key.task.value());
        }
        return tasks;
    }
    /// What the reports since the last call say: "5 started 1", "6 lost 2", "returned 3", ...
    std::vector<std::string> told()
    {
        std::vector<std::string> words;
        for (const GroupReport& report : up<GroupReport>()) {
            lastReport = report.number;
            for (const JoinedRank& joined : report.joined)
                words.push_back(std::to_string(joined.held.rank.value()) + " joined");
            for (const RankReport& ofRank : report.reports) {
                const std::string rank = std::to_string(ofRank.rank.value());
                for (const StartedAttempt& each : ofRank.report.started)
                    words.push_back(rank + " started " + std::to_string(each.key.task.value()));
                for (const FinishedAttempt& each : ofRank.report.finished) {
                    const bool lost = each.result.outcome == Outcome::Lost;
                    words.push_back(rank + (lost ? " lost " : " ended ")
                                    + std::to_string(each.key.task.value()));
                }
            }
            for (const AttemptKey& each : report.returned)
                words.push_back("returned " + std::to_string(each.task.value()));
        }
        return words;
    }

    ManualClock clock;
    RecordingTransport transport{ProcessorId(4), 8};
    std::shared_ptr<const TaskSettings> settings = std::make_shared<TaskSettings>();
    ProcessorId master{0};
    std::map<Rank, Incarnation> held;
    std::map<Rank, std::uint64_t> numbers;  ///< of reports
    std::map<Rank, LeadershipNumber> calls; ///< leaderships of the latest resynchronisation calls
    LeadershipNumber leadership;            ///< of the latest GroupHello
    LeadershipNumber leaderships;           ///< given out
    Era era;
    std::uint64_t lastReport = 0;
    GroupScheduler groupScheduler{
        {.epoch = Epoch(2), .group = GroupId(5), .master = ProcessorId(0)},
        transport,
        clock,
        [this] { return leaderships = leaderships.next(); }};

private:
    /// Reads what has been sent.
    void look()
    {
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            Result<Envelope> envelope = decode(item.message);
            if (!envelope) {
                QTest::qFail("a message that nobody can read", __FILE__, __LINE__);
                continue;
            }
            if (std::holds_alternative<GroupHello>(envelope->message))
                leadership = envelope->leadership;
            if (std::holds_alternative<ResyncCall>(envelope->message))
                calls[envelope->held.rank] = envelope->leadership;
            m_sent.emplace_back(item.to, std::move(envelope->message));
        }
    }
    template <class Kind>
    std::vector<Kind> take(ProcessorId by)
    {
        std::vector<Kind> found;
        std::erase_if(m_sent, [&](auto& item) {
            const Kind* message = std::get_if<Kind>(&item.second);
            if (item.first != by || !message)
                return false;
            found.push_back(*message);
            return true;
        });
        return found;
    }

    std::vector<std::pair<ProcessorId, FarmMessage>> m_sent;
};

inline const Rank five(5);
inline const Rank six(6);
inline const Rank seven(7);

using Words = std::vector<std::string>;
using Numbers = std::vector<std::uint32_t>;
using AttemptKeys = std::vector<AttemptKey>;

} // namespace tasuki::farm::testing
