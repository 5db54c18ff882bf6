// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/worker.h"
#include "schedulertesting.h"
#include "support/manualclock.h"
#include "support/manualexecutor.h"
#include "support/recordingtransport.h"

#include <QTest>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki::farm::testing {

/// @return an attempt's end after 5 ms of running
inline AttemptResult resultOf(Outcome outcome)
{
    AttemptResult result;
    result.outcome = outcome;
    result.elapsed = std::chrono::milliseconds(5);
    return result;
}

/// A worker with the test as its master, as who gives it ranks, and as its executor.
struct WorkerBench {
    /// @param takes  it holds rank 3 from the beginning
    explicit WorkerBench(std::uint32_t slots = 1, bool takes = true, HoldingPolicy holding = {},
                         std::optional<Welcome> expected = {})
        : worker({.epoch = Epoch(2),
                  .host = "node",
                  .pid = 4711,
                  .slotCount = slots,
                  .cautiousAfter = std::chrono::seconds(5),
                  .holding = holding,
                  .expected = std::move(expected)},
                 transport, clock, ProcessorId(0), [this](Rank rank, const Welcome& welcome) {
                     ++executorsMade;
                     welcomed = welcome;
                     executorRank = rank;
                     auto made = std::make_unique<ManualExecutor>();
                     executor = made.get();
                     return made;
                 })
    {
        if (takes)
            worker.take(held);
    }

    void receive(FarmMessage message)
    {
        worker.receive(chief,
                       {.epoch = epoch,
                        .held = held,
                        .message = std::move(message),
                        .group = {},
                        .leadership = leadership});
    }
    /// Another processor is its chief from now on; what it says has this leadership.
    void lead(ProcessorId by, LeadershipNumber inLeadership)
    {
        chief = by;
        leadership = inLeadership;
        worker.setChief(by);
    }
    void welcome() { receive(Welcome{.run = "run", .directory = "/work"}); }
    /// It gets its rank again, in the next incarnation.
    void takeAgain()
    {
        held.incarnation = held.incarnation.next();
        worker.take(held);
    }
    void assign(std::uint32_t first, std::uint32_t count)
    {
        Assign message;
        for (std::uint32_t task = first; task < first + count; ++task)
            message.tasks.push_back({key(task), "command " + std::to_string(task), settings});
        receive(std::move(message));
    }
    void begin(std::uint32_t task) { executor->tellStarted(key(task), clock.wallNow()); }
    void end(std::uint32_t task, Outcome outcome = Outcome::Succeeded, std::int32_t code = 0)
    {
        AttemptResult result = resultOf(outcome);
        result.code = code;
        executor->tellFinished(key(task), std::move(result));
    }
    /// Everything sent since the last call; each to the chief and of the present life.
    std::vector<FarmMessage> sent()
    {
        std::vector<FarmMessage> messages;
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            Result<Envelope> envelope = decode(item.message);
            if (!envelope || item.to != chief) {
                QTest::qFail("a message that no chief can read", __FILE__, __LINE__);
                continue;
            }
            sentAs.push_back({envelope->epoch, envelope->held});
            leaderships.push_back(envelope->leadership);
            messages.push_back(std::move(envelope->message));
        }
        return messages;
    }
    /// What the worker sends when it is asked once whether something is due.
    std::vector<FarmMessage> polled()
    {
        worker.poll();
        return sent();
    }
    [[nodiscard]] std::vector<std::uint32_t> launchedTasks() const
    {
        std::vector<std::uint32_t> tasks;
        for (const Launch& launch : executor->launches)
            tasks.push_back(launch.key.task.value());
        return tasks;
    }

    ManualClock clock;
    RecordingTransport transport{ProcessorId(3), 4};
    std::shared_ptr<const TaskSettings> settings = std::make_shared<TaskSettings>();
    Epoch epoch{2};
    ProcessorId chief{0};
    LeadershipNumber leadership;
    std::vector<LeadershipNumber> leaderships; ///< of what was sent
    HeldRank held{Rank(3), Incarnation(1)};
    int executorsMade = 0;
    ManualExecutor* executor = nullptr;
    Welcome welcomed;
    Rank executorRank;
    std::vector<std::pair<Epoch, HeldRank>> sentAs;
    Worker worker;
};

/// @return the message when it is the only one and of this kind, else null
template <class Kind>
const Kind* only(const std::vector<FarmMessage>& messages)
{
    return messages.size() == 1 ? std::get_if<Kind>(&messages.front()) : nullptr;
}

} // namespace tasuki::farm::testing
