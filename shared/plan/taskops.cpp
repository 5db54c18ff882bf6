// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskops.h"

#include "collectivecalls.h"
#include "collectivepattern.h"
#include "overheads.h"
#include "unfollowed.h"

#include <map>
#include <utility>

namespace tasuki::plan {

namespace {

using trace::MpiCall;

/// The marks of a message whose two ends are known.
struct MessageMarks {
    bool travels = false; ///< both ends are known
    bool waits = false;   ///< travels when its receive is posted, not before
    std::uint32_t sendPosted = 0;
    std::uint32_t receivePosted = 0;
    std::uint32_t arrived = 0;
    bool isReceivePosted = false; ///< by MPI_Irecv
};

class Maker {
public:
    Maker(const trace::Trace& trace, std::span<const CallSequence> sequences,
          std::uint64_t eagerBytes)
        : m_trace(trace),
          m_sequences(sequences),
          m_overheads(trace, sequences),
          m_unfollowed(trace, sequences),
          m_collectives(collectiveCalls(trace, sequences))
    {
        m_ops.byTask.resize(sequences.size());
        m_ops.warnings = m_collectives.warnings;
        m_collectiveMarks.resize(m_collectives.calls.size());
        nameMarks(eagerBytes);
    }

    TaskOps make()
    {
        for (std::uint32_t task = 0; task < m_sequences.size(); ++task)
            makeTask(task);
        return std::move(m_ops);
    }

private:
    using Request = std::pair<std::uint32_t, std::uint32_t>; ///< task, number

    void nameMarks(std::uint64_t eagerBytes);
    void makeTask(std::uint32_t task);
    void makeStep(const CallStep& step);
    void makeCollective(const CallStep& step, std::uint32_t collective);
    void makeSend(const CallStep& step, std::uint32_t message);
    void awaitSent(std::uint32_t message);
    void makeReceive(std::uint32_t message);
    void postReceives(const CallStep& step);
    void waitForSends(const CallStep& step);

    [[nodiscard]] const std::vector<std::uint32_t>& requestsOf(const CallStep& step) const
    {
        static const std::vector<std::uint32_t> nobody;
        const std::uint32_t detail = m_trace.calls[step.call].detail;
        return detail == trace::none ? nobody : m_trace.details[detail].requests;
    }

    std::uint32_t newMark() { return m_ops.marks++; }

    std::uint32_t pairOf(std::uint32_t from, std::uint32_t to)
    {
        const auto next = static_cast<std::uint32_t>(m_ops.pairs.size());
        const auto [place, isNew] = m_pairs.emplace(std::pair(from, to), next);
        if (isNew)
            m_ops.pairs.push_back({.from = from, .to = to});
        return place->second;
    }

    /// Adds an operation of the task and the call at hand; the first one of a call brings the
    /// computation before it.
    Op& add(OpKind kind, std::uint32_t message = trace::none)
    {
        TaskOp added{
            .op = {}, .source = {.call = m_call, .message = message}, .tracedUs = m_tracedUs};
        added.op.kind = kind;
        added.op.task = m_task;
        added.op.beforeUs = std::exchange(m_beforeUs, 0.0);
        auto& ops = m_ops.byTask[m_task];
        ops.push_back(added);
        return ops.back().op;
    }

    const trace::Trace& m_trace;
    std::span<const CallSequence> m_sequences;
    Overheads m_overheads;
    UnfollowedCalls m_unfollowed;
    CollectiveCalls m_collectives;
    std::vector<MessageMarks> m_messages;
    std::map<Request, std::uint32_t> m_sendsOfRequests; ///< messages that wait for their receive
    std::map<Request, std::uint32_t> m_receivesOfRequests;
    std::vector<std::vector<std::uint32_t>> m_collectiveMarks; ///< [collective call][message]
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_pairs;
    TaskOps m_ops;

    // The task and the call that are being turned into operations.
    std::uint32_t m_task = 0;
    std::uint32_t m_call = trace::none;
    std::int64_t m_tracedUs = 0;
    double m_beforeUs = 0.0;
};

/// Messages whose ends both stand in calls travel; the others are time that passes.
void Maker::nameMarks(std::uint64_t eagerBytes)
{
    m_messages.resize(m_trace.messages.size());
    std::vector<bool> isSynchronous(m_messages.size(), false);
    std::vector<int> ends(m_messages.size(), 0);
    for (const CallSequence& sequence : m_sequences) {
        for (const CallStep& step : sequence.steps) {
            for (const std::uint32_t message : step.sent) {
                ++ends[message];
                isSynchronous[message] = step.kind == MpiCall::Ssend
                    || step.kind == MpiCall::Issend;
            }
            for (const std::uint32_t message : step.received)
                ++ends[message];
        }
    }
    for (std::uint32_t index = 0; index < m_messages.size(); ++index) {
        const trace::Message& message = m_trace.messages[index];
        MessageMarks& marks = m_messages[index];
        marks.travels = message.matched() && ends[index] == 2;
        if (!marks.travels)
            continue;
        marks.waits = message.bytes > eagerBytes || isSynchronous[index];
        marks.arrived = newMark();
        if (message.receiveRequest != trace::none)
            m_receivesOfRequests[{message.to.value(), message.receiveRequest}] = index;
        if (!marks.waits)
            continue;
        marks.sendPosted = newMark();
        marks.receivePosted = newMark();
        if (message.sendRequest != trace::none)
            m_sendsOfRequests[{message.from.value(), message.sendRequest}] = index;
        TaskOp transfer;
        transfer.op = {.kind = OpKind::Transfer,
                       .pair = pairOf(message.from.value(), message.to.value()),
                       .out = marks.arrived,
                       .in = marks.sendPosted,
                       .in2 = marks.receivePosted,
                       .bytes = static_cast<double>(message.bytes)};
        transfer.source.message = index;
        m_ops.transfers.push_back(transfer);
    }
}

void Maker::makeTask(std::uint32_t task)
{
    m_task = task;
    std::int64_t lastEndUs = 0;
    m_beforeUs = 0.0;
    for (const CallStep& step : m_sequences[task].steps) {
        m_call = step.call;
        m_tracedUs = step.beginUs;
        m_beforeUs += static_cast<double>(std::max<std::int64_t>(step.beforeUs, 0));
        makeStep(step);
        lastEndUs = step.endUs;
    }
    m_call = trace::none;
    m_tracedUs = lastEndUs;
    m_beforeUs += static_cast<double>(m_sequences[task].afterUs);
    add(OpKind::Advance);
}

void Maker::makeStep(const CallStep& step)
{
    const std::uint32_t collective = m_collectives.ofCall[step.call];
    if (collective != trace::none)
        return makeCollective(step, collective);
    const std::size_t opsBefore = m_ops.byTask[m_task].size();
    postReceives(step);
    for (const std::uint32_t message : step.sent)
        makeSend(step, message);
    for (const std::uint32_t message : step.received)
        makeReceive(message);
    // A blocking send is over when its message has travelled; so is the sending half of Sendrecv.
    for (const std::uint32_t message : step.sent) {
        if (m_messages[message].travels && m_messages[message].waits
            && !trace::isImmediate(step.kind))
            awaitSent(message);
    }
    waitForSends(step);
    if (m_ops.byTask[m_task].size() > opsBefore)
        return;
    // Of the time of other calls nothing is known but that it passed. What waits only, now waits for
    // nothing; after a probe the receive waits for both.
    const bool waitsOnly = (trace::isCompletion(step.kind) || step.kind == MpiCall::Probe)
        && !m_unfollowed.stateOf(step);
    const bool messagesLost = !step.sent.empty() || !step.received.empty();
    const auto durationUs = static_cast<double>(step.endUs - step.beginUs);
    Op& op = add(OpKind::Advance);
    if (trace::isImmediate(step.kind) && !messagesLost)
        op.ownUs = durationUs;
    else if (!waitsOnly || messagesLost)
        op.pauseUs = durationUs;
}

void Maker::makeCollective(const CallStep& step, std::uint32_t collective)
{
    const CollectiveCall& call = m_collectives.calls[collective];
    const CollectivePattern pattern = collectivePattern(
        call.kind, static_cast<std::uint32_t>(call.members.size()), call.root,
        static_cast<double>(call.bytes));
    auto& marks = m_collectiveMarks[collective];
    while (marks.size() < pattern.messages.size())
        marks.push_back(newMark());
    for (const CollectivePattern::Step& part : pattern.steps) {
        if (call.members[part.member] != m_task)
            continue;
        const CollectivePattern::Message& message = pattern.messages[part.message];
        Op& op = add(part.sends ? OpKind::Send : OpKind::Wait);
        if (part.sends) {
            op.pair = pairOf(call.members[message.from], call.members[message.to]);
            op.out = marks[part.message];
            op.bytes = message.bytes;
        } else {
            op.in = marks[part.message];
        }
    }
    if (call.members.size() == 1)
        add(OpKind::Advance).ownUs = static_cast<double>(step.endUs - step.beginUs);
}

void Maker::makeSend(const CallStep& step, std::uint32_t message)
{
    const MessageMarks& marks = m_messages[message];
    if (!marks.travels)
        return;
    Op& op = add(marks.waits ? OpKind::Post : OpKind::Send, message);
    op.out = marks.waits ? marks.sendPosted : marks.arrived;
    op.pair = pairOf(m_trace.messages[message].from.value(), m_trace.messages[message].to.value());
    op.bytes = static_cast<double>(m_trace.messages[message].bytes);
    // What a synchronous send takes is waiting, and Sendrecv's time is its receive's.
    if (!marks.waits && step.received.empty())
        op.ownUs = m_overheads.sendUs(message);
}

void Maker::awaitSent(std::uint32_t message)
{
    Op& op = add(OpKind::Wait, message);
    op.in = m_messages[message].arrived;
    op.pair = pairOf(m_trace.messages[message].from.value(), m_trace.messages[message].to.value());
    op.bytes = static_cast<double>(m_trace.messages[message].bytes);
}

void Maker::makeReceive(std::uint32_t message)
{
    MessageMarks& marks = m_messages[message];
    if (!marks.travels)
        return;
    if (marks.waits && !marks.isReceivePosted)
        add(OpKind::Post, message).out = marks.receivePosted;
    Op& op = add(OpKind::Wait, message);
    op.in = marks.arrived;
    // What travels only once its receive is posted comes while the receive lasts: that is waiting.
    if (!marks.waits)
        op.ownUs = m_overheads.receiveUs(message);
}

void Maker::postReceives(const CallStep& step)
{
    if (step.kind != MpiCall::Irecv)
        return;
    for (const std::uint32_t request : requestsOf(step)) {
        const auto place = m_receivesOfRequests.find({m_task, request});
        if (place == m_receivesOfRequests.end())
            continue;
        MessageMarks& marks = m_messages[place->second];
        if (!marks.waits || marks.isReceivePosted)
            continue;
        marks.isReceivePosted = true;
        Op& op = add(OpKind::Post, place->second);
        op.out = marks.receivePosted;
        op.ownUs = static_cast<double>(step.endUs - step.beginUs);
    }
}

void Maker::waitForSends(const CallStep& step)
{
    if (trace::isImmediate(step.kind))
        return;
    for (const std::uint32_t request : requestsOf(step)) {
        const auto place = m_sendsOfRequests.find({m_task, request});
        if (place == m_sendsOfRequests.end())
            continue;
        awaitSent(place->second);
        m_sendsOfRequests.erase(place);
    }
}

} // namespace

TaskOps taskOps(const trace::Trace& trace, std::span<const CallSequence> sequences,
                std::uint64_t eagerBytes)
{
    return Maker(trace, sequences, eagerBytes).make();
}

} // namespace tasuki::plan
