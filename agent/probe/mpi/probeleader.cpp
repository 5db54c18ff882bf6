// SPDX-License-Identifier: GPL-3.0-or-later
#include "probeleader.h"

#include "probe/assessment.h"
#include "probe/sendbuffer.h"
#include "probe/statistics.h"
#include "probe/tournament.h"
#include "probefollower.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <thread>

namespace tasuki::probe {

namespace {

constexpr double wantedTimes = 25;  ///< of the work, within the span, on the fastest rank
constexpr double longestTime = 0.1; ///< seconds: between two times it may be interrupted
constexpr std::uint64_t fewestTimes = 7;
/// How often each node has its turn where nodes compute one after the other: how fast computers are
/// changes within seconds, and what changes meanwhile shall change all of them alike.
constexpr std::uint64_t speedRounds = 10;

} // namespace

std::optional<Findings> ProbeLeader::measure(const std::vector<NodeRanks>& nodes)
{
    m_findings = {};
    m_findings.nodes = nodes;
    if (!measureSpeeds() || !measureLinks() || !measureCards() || !measureLargeMessages())
        return std::nullopt;
    return std::move(m_findings);
}

void ProbeLeader::dismiss(int ranks)
{
    for (int rank = 1; rank < ranks; ++rank)
        m_channel.give(rank, {.kind = OrderKind::Leave, .words = {}});
}

std::optional<std::uint64_t> ProbeLeader::chooseWork()
{
    std::size_t others = 0;
    for (const NodeRanks& node : m_findings.nodes) {
        for (const int rank : node.ranks) {
            if (rank == 0)
                continue;
            m_channel.give(rank, {.kind = OrderKind::Calibrate, .words = {}});
            ++others;
        }
    }
    double best = m_speed.calibrate();
    for (; others > 0; --others)
        best = std::max(best, m_channel.awaitAnswer().values.front());
    if (m_watcher.interrupted())
        return std::nullopt;
    const double seconds = std::chrono::duration<double>(m_wishes.speedSpan).count();
    return static_cast<std::uint64_t>(
        std::max(1.0, best * std::min(seconds / wantedTimes, longestTime)));
}

bool ProbeLeader::measureSpeeds()
{
    const auto work = chooseWork();
    if (!work)
        return false;
    std::vector<std::size_t> all(m_findings.nodes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const SpeedRun::Task task{.work = *work, .span = m_wishes.speedSpan, .fewest = fewestTimes};
    if (!m_wishes.oneNodeAtATime)
        return measureSpeedsOf(all, task);
    const SpeedRun::Task turn{.work = *work, .span = m_wishes.speedSpan / speedRounds, .fewest = 1};
    for (std::uint64_t round = 0; round < speedRounds; ++round) {
        if (!std::ranges::all_of(all,
                                 [&](std::size_t node) { return measureSpeedsOf({node}, turn); }))
            return false;
    }
    return true;
}

bool ProbeLeader::measureSpeedsOf(const std::vector<std::size_t>& nodes, const SpeedRun::Task& task)
{
    std::map<int, std::size_t> nodeOf;
    for (const std::size_t node : nodes) {
        for (const int rank : m_findings.nodes[node].ranks)
            nodeOf[rank] = node;
    }
    std::size_t missing = nodeOf.size();
    bool complete = true;
    const auto keep = [&](int rank, const std::vector<double>& times) {
        complete = complete && !times.empty();
        m_findings.speeds.push_back({.node = nodeOf.at(rank), .rank = rank, .us = times});
        --missing;
    };
    bool cancelled = false;
    const auto look = [&] {
        while (const auto answer = m_channel.takeAnswer())
            keep(answer->rank, answer->values);
        m_watcher.progress("speed of " + std::to_string(nodeOf.size()) + " ranks, "
                           + std::to_string(nodeOf.size() - missing) + " done");
        cancelled = cancelled || m_watcher.interrupted();
        return cancelled || missing == 0;
    };
    for (const auto& [rank, node] : nodeOf) {
        if (rank != 0)
            m_channel.give(
                rank,
                {.kind = OrderKind::Compute,
                 .words = {task.work, static_cast<std::uint64_t>(task.span.count()), task.fewest}});
    }
    if (nodeOf.contains(0)) {
        m_speed.run(
            task, [&](const std::vector<double>& times) { keep(0, times); }, look);
    } else {
        while (!look())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    for (const auto& [rank, node] : nodeOf) {
        if (rank != 0)
            m_channel.give(rank, {.kind = OrderKind::Rest, .words = {}});
    }
    while (missing > 0) {
        const Answer answer = m_channel.awaitAnswer();
        keep(answer.rank, answer.values);
    }
    return !cancelled && complete;
}

std::vector<ProbeLeader::Turn> ProbeLeader::turns() const
{
    const auto& nodes = m_findings.nodes;
    std::vector<Turn> all;
    Turn inside;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].ranks.size() > 1)
            inside.push_back({.a = i,
                              .b = i,
                              .leader = nodes[i].ranks[0],
                              .follower = nodes[i].ranks[1],
                              .guess = {}});
    }
    if (!inside.empty())
        all.push_back(std::move(inside));
    for (const std::vector<Pairing>& round : tournament(nodes.size())) {
        Turn turn;
        for (const Pairing& pair : round)
            turn.push_back({.a = pair.first,
                            .b = pair.second,
                            .leader = nodes[pair.first].ranks.front(),
                            .follower = nodes[pair.second].ranks.front(),
                            .guess = {}});
        all.push_back(std::move(turn));
    }
    if (m_wishes.pairsAtOnce)
        return all;
    std::vector<Turn> single;
    for (const Turn& turn : all) {
        for (const Link& link : turn)
            single.push_back({link});
    }
    return single;
}

std::vector<std::vector<double>> ProbeLeader::run(
    const Turn& turn, const std::vector<std::vector<Exchange>>& exchanges)
{
    std::vector<std::vector<double>> times(turn.size());
    std::size_t awaited = 0;
    std::optional<std::size_t> own;
    for (std::size_t i = 0; i < turn.size(); ++i) {
        if (exchanges[i].empty())
            continue;
        const Link& link = turn[i];
        // The lower rank leads, so rank 0 never follows.
        m_channel.give(
            link.follower,
            {.kind = OrderKind::Follow, .words = exchangeWords(link.leader, exchanges[i])});
        if (link.leader == 0) {
            own = i;
            continue;
        }
        m_channel.give(
            link.leader,
            {.kind = OrderKind::Lead, .words = exchangeWords(link.follower, exchanges[i])});
        ++awaited;
    }
    if (own)
        times[*own] = m_channel.lead(turn[*own].follower, exchanges[*own]);
    for (; awaited > 0; --awaited) {
        Answer answer = m_channel.awaitAnswer();
        const auto led = std::ranges::find(turn, answer.rank, &Link::leader);
        times[static_cast<std::size_t>(led - turn.begin())] = std::move(answer.values);
    }
    return times;
}

bool ProbeLeader::guess(Turn& turn)
{
    constexpr int looks = 5;
    constexpr std::uint64_t some = 16'384;
    const std::vector<Exchange> look{{0, 8}, {some, 2}};
    std::vector<std::vector<double>> empty(turn.size());
    std::vector<std::vector<double>> loaded(turn.size());
    run(turn, std::vector(turn.size(), look)); // sets the connection up and does not count
    for (int i = 0; i < looks; ++i) {
        if (m_watcher.interrupted())
            return false;
        const auto times = run(turn, std::vector(turn.size(), look));
        for (std::size_t link = 0; link < turn.size(); ++link) {
            empty[link].push_back(times[link][0]);
            loaded[link].push_back(times[link][1]);
        }
    }
    for (std::size_t link = 0; link < turn.size(); ++link) {
        LinkGuess& rough = turn[link].guess;
        rough.a0Us = median(empty[link]);
        rough.a1UsPerByte = std::max(0.0, median(loaded[link]) - rough.a0Us)
            / static_cast<double>(some);
    }
    return true;
}

bool ProbeLeader::measureLinks()
{
    std::vector<Turn> all = turns();
    std::vector<std::vector<LinkGuess>> guesses;
    for (Turn& turn : all) {
        if (!guess(turn))
            return false;
        guesses.emplace_back();
        for (const Link& link : turn)
            guesses.back().push_back(link.guess);
    }
    const PingPongPlan plan = planPingPong(guesses, m_wishes.messages);
    if (!all.empty())
        m_watcher.planned(plan);
    std::size_t done = 0;
    for (const Turn& turn : all) {
        if (!measureTurn(turn, plan, done))
            return false;
        done += turn.size();
    }
    return true;
}

std::size_t ProbeLeader::linkCount() const
{
    const std::size_t nodes = m_findings.nodes.size();
    return nodes * (nodes - 1) / 2
        + static_cast<std::size_t>(std::ranges::count_if(
            m_findings.nodes, [](const NodeRanks& node) { return node.ranks.size() > 1; }));
}

bool ProbeLeader::measureTurn(const Turn& turn, const PingPongPlan& plan, std::size_t done)
{
    std::vector<std::uint64_t> counts;
    std::vector<LinkRecord> records;
    for (const Link& link : turn) {
        counts.push_back(plan.roundCount(link.guess));
        records.push_back({.a = link.a, .b = link.b, .samples = {}});
    }
    const std::uint64_t most = *std::ranges::max_element(counts);
    for (std::uint64_t round = 0; round < most; ++round) {
        if (m_watcher.interrupted())
            return false;
        m_watcher.progress("link " + std::to_string(done + 1) + " of " + std::to_string(linkCount())
                           + ", round " + std::to_string(round + 1) + " of "
                           + std::to_string(most));
        std::vector<std::vector<Exchange>> exchanges(turn.size());
        for (std::size_t i = 0; i < turn.size(); ++i) {
            if (round < counts[i])
                exchanges[i] = plan.round(turn[i].guess, round, counts[i]);
        }
        const auto times = run(turn, exchanges);
        for (std::size_t i = 0; i < turn.size(); ++i) {
            for (std::size_t size = 0; size < exchanges[i].size(); ++size)
                records[i].samples.push_back({.round = round,
                                              .bytes = exchanges[i][size].bytes,
                                              .repetitions = exchanges[i][size].repetitions,
                                              .meanUs = times[i][size]});
        }
    }
    std::ranges::move(records, std::back_inserter(m_findings.links));
    return true;
}

bool ProbeLeader::measureLargeMessages()
{
    constexpr std::size_t mostLinks = 8; // they tell enough of what the computers' systems do
    constexpr int rounds = 3;
    std::size_t links = 0;
    for (const FittedLink& link : fitLinks(m_findings.links)) {
        if (link.a == link.b || links++ >= mostLinks)
            continue;
        const std::uint64_t bytes = largeMessageBytes(link.fit);
        const int sender = m_findings.nodes[link.a].ranks.front();
        const int taker = m_findings.nodes[link.b].ranks.front();
        for (int round = 0; round < rounds; ++round) {
            if (m_watcher.interrupted())
                return false;
            m_watcher.progress("large messages, link " + std::to_string(links));
            // The lower rank sends, so rank 0 never takes.
            m_channel.give(
                taker,
                {.kind = OrderKind::Take, .words = {static_cast<std::uint64_t>(sender), bytes}});
            ProbeChannel::Sending times;
            if (sender == 0) {
                times = m_channel.sendOne(taker, bytes);
            } else {
                m_channel.give(
                    sender,
                    {.kind = OrderKind::Send, .words = {static_cast<std::uint64_t>(taker), bytes}});
                const Answer answer = m_channel.awaitAnswer();
                times = {.sentUs = answer.values.front(), .answeredUs = answer.values.back()};
            }
            m_findings.largeMessages.push_back({.a = link.a,
                                                .b = link.b,
                                                .bytes = static_cast<double>(bytes),
                                                .sentUs = times.sentUs,
                                                .answeredUs = times.answeredUs});
        }
    }
    return true;
}

bool ProbeLeader::measureCards()
{
    const std::vector<CardTest> tests = planCardTests(m_findings.nodes.size(),
                                                      fitLinks(m_findings.links));
    constexpr int rounds = 3;
    std::vector<CardRecord> records;
    for (const CardTest& test : tests) {
        records.push_back({.node = test.node,
                           .incoming = test.incoming,
                           .bytes = test.bytes(),
                           .aloneUs = test.aloneUs,
                           .us = {}});
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < tests.size(); ++i) {
            if (m_watcher.interrupted())
                return false;
            m_watcher.progress("network cards, round " + std::to_string(round + 1) + " of "
                               + std::to_string(rounds));
            records[i].us.push_back(run(tests[i]));
        }
    }
    m_findings.cards = std::move(records);
    return true;
}

/// @return how long all streams took, in microseconds
double ProbeLeader::run(const CardTest& test)
{
    const auto rankOf = [this](std::size_t node) { return m_findings.nodes[node].ranks.front(); };
    const auto word = [](int rank) { return static_cast<std::uint64_t>(rank); };
    const int poured = rankOf(test.node);
    const std::uint64_t incoming = test.incoming ? 1 : 0;
    std::vector<std::uint64_t> words{incoming};
    std::vector<ProbeChannel::Stream> streams;
    std::optional<ProbeChannel::Stream> own; // this rank's part as one of the others
    for (const CardStream& stream : test.streams) {
        const int peer = rankOf(stream.peer);
        words.insert(words.end(), {word(peer), stream.messages});
        streams.push_back({.peer = peer, .messages = stream.messages});
        if (peer == 0)
            own = {.peer = poured, .messages = stream.messages};
        else
            m_channel.give(
                peer,
                {.kind = OrderKind::Join, .words = {incoming, word(poured), stream.messages}});
    }
    if (poured == 0)
        return m_channel.pour(test.incoming, streams);
    m_channel.give(poured, {.kind = OrderKind::Pour, .words = words});
    if (own)
        m_channel.join(test.incoming, *own);
    return m_channel.awaitAnswer().values.front();
}

} // namespace tasuki::probe
