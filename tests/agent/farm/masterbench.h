// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/master.h"
#include "schedulertesting.h"
#include "support/manualclock.h"
#include "support/memoryjournal.h"
#include "support/recordingtransport.h"

#include <QTest>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki::farm::testing {

/// @return what opens a life of a run, and tasks that echo their number when it is the first
inline std::vector<EventPayload> openingOf(std::uint32_t tasks, RetryBudget budget = {})
{
    std::vector<EventPayload> opening{RunOpened{.host = "node",
                                                .version = "0",
                                                .directory = "/",
                                                .taskList = "list",
                                                .processors = 4,
                                                .dedicatedMaster = false}};
    TaskSettings made;
    made.retries = budget;
    const auto settings = std::make_shared<const TaskSettings>(made);
    for (std::uint32_t i = 0; i < tasks; ++i) {
        Task task;
        task.command = "echo " + std::to_string(i);
        task.settings = settings;
        task.position = i;
        opening.push_back(TaskAdded{TaskId(i), std::move(task)});
    }
    return opening;
}

/// A master with the test as its workers, ranks 1 to 3 on processors 1 to 3, as who says which of
/// them live, and as its disk. Processor 0 holds no rank.
struct MasterBench {
    /// @param started  the system
    explicit MasterBench(Epoch epoch = Epoch(1), MasterOptions options = {}, bool started = true,
                         SystemOrder order = {})
        : journal(epoch, clock)
    {
        options.run = RunId{"00"};
        options.directory = "/";
        MasterObserver observer;
        observer.published = [this](const Event&) { ++published; };
        observer.stalled = [this](const std::optional<Error>& error) {
            stalls.push_back(error.has_value());
        };
        observer.order = std::move(order);
        master.emplace(options, state, transport, journal, clock, observer);
        for (const std::int32_t rank : {1, 2, 3})
            hold(Rank(rank), Incarnation(1));
        if (started)
            master->begin();
    }

    /// The processor that holds a rank here, whatever has become of it.
    static ProcessorId holderOf(Rank rank)
    {
        return ProcessorId(static_cast<std::uint32_t>(rank.value()));
    }
    void hold(Rank rank, Incarnation incarnation)
    {
        held[rank] = incarnation;
        transport.remember(holderOf(rank)); // it stands for whoever holds the rank now
        master->rankHeld(rank, holderOf(rank), incarnation);
    }
    /// The holder of a rank is dead.
    void gone(Rank rank, LossCause cause = LossCause::Gone)
    {
        master->processorLost(holderOf(rank));
        master->rankLost(rank, held[rank], cause);
    }
    void leave(Rank rank)
    {
        master->receive(holderOf(rank), {.epoch = journal.epoch(), .held = {}, .message = Left{}});
    }

    /// What opens the run waits to be committed.
    void open(std::uint32_t tasks, RetryBudget budget = {})
    {
        master->open(openingOf(tasks, budget));
    }
    void hello(Rank rank, std::uint32_t slots = 1)
    {
        say(rank, Hello{.host = "node", .pid = 100 + rank.value(), .slotCount = slots});
    }
    void say(Rank rank, FarmMessage message, std::optional<Incarnation> incarnation = {})
    {
        master->receive(holderOf(rank),
                        {.epoch = journal.epoch(),
                         .held = {rank, incarnation.value_or(held[rank])},
                         .message = std::move(message)});
    }
    void end(Rank rank, AttemptKey key, Outcome outcome = Outcome::Succeeded)
    {
        AttemptResult result;
        result.outcome = outcome;
        Report report;
        report.finished.push_back({key, SlotIndex(0), std::move(result)});
        say(rank, std::move(report));
    }
    void begin(Rank rank, AttemptKey key)
    {
        say(rank, Report{.started = {{key, SlotIndex(0), clock.wallNow()}}, .finished = {}});
    }
    /// Commits and polls until the phase stays what it is.
    void settle()
    {
        for (int i = 0; i < 5; ++i) {
            journal.commit();
            master->poll();
            if (master->phase() == Master::Phase::Dismissing)
                leave(Rank(0));
        }
    }
    void pass(std::chrono::milliseconds time)
    {
        constexpr auto step = std::chrono::milliseconds(100);
        for (auto passed = step; passed <= time; passed += step) {
            clock.advance(step);
            settle();
        }
    }
    /// What was sent to a rank since the last call for it.
    template <class Kind>
    std::vector<Kind> sent(Rank rank)
    {
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            Result<Envelope> envelope = decode(item.message);
            if (!envelope)
                QTest::qFail("a message that no worker can read", __FILE__, __LINE__);
            else
                m_sent.push_back({item.to, std::move(envelope->message)});
        }
        std::vector<Kind> found;
        std::erase_if(m_sent, [&](const auto& item) {
            const Kind* message = std::get_if<Kind>(&item.second);
            if (item.first != holderOf(rank) || !message)
                return false;
            found.push_back(*message);
            return true;
        });
        return found;
    }
    /// Attempts handed to a rank since the last call for it.
    std::vector<AttemptKey> handed(Rank rank)
    {
        std::vector<AttemptKey> keys;
        for (const Assign& message : sent<Assign>(rank)) {
            for (const AssignedTask& task : message.tasks)
                keys.push_back(task.key);
        }
        return keys;
    }
    /// Events of one kind in the record.
    template <class Kind>
    [[nodiscard]] std::vector<Kind> recorded() const
    {
        return journal.recorded<Kind>();
    }

    ManualClock clock;
    RecordingTransport transport{ProcessorId(0), 4};
    MemoryJournal journal;
    RunState state;
    int published = 0;
    std::vector<bool> stalls;
    std::map<Rank, Incarnation> held;
    std::optional<Master> master;

private:
    std::vector<std::pair<ProcessorId, FarmMessage>> m_sent;
};

} // namespace tasuki::farm::testing
