// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "farm/messages.h"

#include <chrono>
#include <memory>
#include <utility>

namespace tasuki::fuzz {

namespace farmMessages {

using namespace tasuki::farm;

AttemptKey key(std::uint32_t task) { return {TaskId(task), AttemptNumber(1 + task % 3)}; }

FinishedAttempt finished()
{
    AttemptResult result;
    result.outcome = Outcome::Signalled;
    result.code = -9;
    result.startedAt = WallTime(std::chrono::microseconds(1'700'000'000'123'456));
    result.elapsed = std::chrono::seconds(90);
    result.standardOutput = {.head = "head", .tail = "tail", .totalBytes = 1ULL << 40U};
    return {.key = key(7), .slot = SlotIndex(2), .result = std::move(result)};
}

Assign assign()
{
    TaskSettings settings;
    settings.retries.allowed = {1, 2};
    settings.timeout = std::chrono::seconds(9);
    settings.workingDirectory = "/data";
    settings.environment = {{"A", "1"}, {"B", ""}};
    const auto shared = std::make_shared<const TaskSettings>(std::move(settings));
    return {{{key(1), "echo one", shared},
             {key(2), "", std::make_shared<const TaskSettings>()},
             {key(3), "echo three", shared}}};
}

Hello hello()
{
    return {.host = "grid01",
            .pid = 4711,
            .slotCount = 2,
            .standing = {.running = {key(1)}, .queued = {key(2)}, .ended = {key(3)}}};
}

GroupReport groupReport()
{
    const HeldRank held{Rank(4), Incarnation(3)};
    GroupReport report;
    report.number = 6;
    report.joined = {{.held = held, .holder = ProcessorId(9), .hello = hello()}};
    report.claimed = {key(5)};
    report.reports = {
        {Rank(4), {.started = {{key(1), SlotIndex(0), {}}}, .finished = {finished()}}}};
    report.returned = {key(8)};
    return report;
}

std::vector<FarmMessage> messages()
{
    OutputAnswer answer{.key = key(7), .known = true, .running = true};
    answer.standardOutput = {.offset = 3, .bytes = "more", .totalBytes = 7};
    return {hello(),
            Report{.started = {{key(1), SlotIndex(3), {}}}, .finished = {finished()}, .number = 7},
            Returned{{key(5), key(4)}},
            Withdrawn{{key(5)}},
            Peeked{.number = 2, .answer = std::move(answer)},
            Left{},
            Broken{"the guardian ended"},
            GroupHello{},
            Resynced{},
            groupReport(),
            ResyncCall{Era(1ULL << 62U)},
            Welcome{.run = "0123456789abcdef", .directory = "/data"},
            assign(),
            Recall{3},
            Withdraw{{key(1)}},
            Stop{{key(8)}},
            Peek{.number = 2, .query = {.key = key(9), .standardOutputFrom = 3}},
            Halt{},
            Warn{.keys = {key(8)}, .signalNumber = 10},
            Noted{9},
            GroupResyncCall{},
            Resync{.run = "0123",
                   .directory = "/data",
                   .era = Era(5),
                   .byRecord = true,
                   .attempts = {{key(1), Rank(0)}, {key(3), std::nullopt}}},
            GroupNoted{9},
            Goodbye{.losses = true},
            RecordWord{"word"},
            WorldMail{"mail"},
            OutputPrinted{{{{TaskId(7), AttemptNumber(2)}, 5, 6, false}}}};
}

} // namespace farmMessages

std::vector<std::string> farmSeeds()
{
    using namespace farmMessages;
    std::vector<std::string> all;
    for (FarmMessage& message : messages()) {
        all.push_back(encode({.epoch = Epoch(7),
                              .held = {Rank(5), Incarnation(8)},
                              .message = std::move(message),
                              .group = GroupId(2),
                              .leadership = LeadershipNumber(3)}));
    }
    return all;
}

} // namespace tasuki::fuzz
