// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "shared/domain/randomhistory.h"

#include "wire/framing.h"
#include "wire/linkcodec.h"

namespace tasuki::fuzz {

namespace framesMessages {

using namespace tasuki::link;

template <class Message>
std::string seed(char choice, const std::vector<Message>& messages)
{
    std::string bytes(1, choice);
    for (const Message& message : messages)
        bytes += frame(encode(message)).value();
    return bytes;
}

std::vector<ClientMessage> toAgent()
{
    const std::vector<TaskTarget> targets{{TaskId(1), Revision(2)}, {TaskId(3), Revision(4)}};
    const auto settings = std::make_shared<const TaskSettings>();
    ClientHello hello;
    hello.operatorName = "user@host";
    return {hello,
            ClientProof{},
            Subscribe{RunId{"00112233445566778899aabbccddeeff"}, {Epoch(1), Sequence(5)}},
            CommandRequest{1, AddTasks{"echo 1\n", "typed"}},
            CommandRequest{
                2, EditTasks{{{targets[0], "echo 2", settings}, {targets[1], "echo 3", settings}}}},
            CommandRequest{3, CancelTasks{targets}},
            CommandRequest{4, HoldTasks{targets}},
            CommandRequest{5, ReleaseTasks{targets}},
            CommandRequest{6, RepeatTasks{targets}},
            CommandRequest{7, StopRun{true}},
            CommandRequest{12, AcknowledgeAlarms{{{{Epoch(1), Sequence(4)}}}, "seen", WallTime{}}},
            CommandRequest{13, DrainProcessor{ProcessorId(1), true}},
            CommandRequest{14, StopProcessor{ProcessorId(1)}},
            CommandRequest{15, PromoteProcessor{ProcessorId(1)}},
            CommandRequest{16, ChangeTopology{1, "[system]"}},
            CommandRequest{17, ChangeRole{ProcessorId(1), ProcessorKind::Standby}},
            OutputRequest{8, {{TaskId(1), AttemptNumber(1)}, 5, 6}},
            TaskRequest{9, TaskId(1)},
            Ping{10},
            PlanRequest{11, PlanModel::Lsmg, 24, "a.alog", "n.toml", 100, 50},
            PlanPiece{11, 0, "[[node]]"},
            PlanCancel{11}};
}

std::vector<AgentMessage> toWindow()
{
    const EventId id{Epoch(2), Sequence(7)};
    Task task;
    task.command = "echo 1";
    task.settings = std::make_shared<const TaskSettings>();
    CommandAnswer answer;
    answer.reason = "no";
    answer.details = {"line 1"};
    answer.conflicts = {{TaskId(1), ConflictCause::Changed}};
    OutputAnswer output;
    output.standardOutput = {3, "abc", 10};
    return {ServerHello{},
            Refused{"no"},
            Welcome{},
            SnapshotBegin{true, {}, id},
            SnapshotEnd{id},
            Gap{id},
            Status{},
            CommandReply{1, answer},
            OutputReply{2, output},
            TaskReply{3, TaskId(1), true, task},
            Pong{4},
            Bye{"over"},
            PlanProgress{5, PlanPhase::Searching, 2, 6, 1, 2},
            PlanFound{.number = 5,
                      .tasks = 2,
                      .timesUs = {2378.0},
                      .nodes = {0, 1},
                      .worstUs = 3369.36,
                      .worstNodes = {1, 0},
                      .sumUs = 5747.36,
                      .tried = 2,
                      .total = 2},
            PlanEnded{5, PlanEnd::Failed, "no", {{Severity::Warning, {}, "a note", {}}}}};
}

} // namespace framesMessages

std::vector<std::string> framesSeeds()
{
    using namespace framesMessages;
    std::vector<std::string> all;
    for (const ClientMessage& message : toAgent())
        all.push_back(seed<ClientMessage>(40, {message}));
    for (const AgentMessage& message : toWindow())
        all.push_back(seed<AgentMessage>(41, {message}));
    all.push_back(seed(2, toAgent()));
    all.push_back(seed(3, toWindow()));
    for (std::uint32_t history = 1; history <= 5; ++history) {
        Events events{RandomHistory(history).more(20), {}};
        all.push_back(seed<AgentMessage>(101, {std::move(events)}));
    }
    return all;
}

} // namespace tasuki::fuzz
