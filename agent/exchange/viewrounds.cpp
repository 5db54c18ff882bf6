// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewrounds.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::merge {

ViewRounds::ViewRounds(std::shared_ptr<const MergeMap> map, Trim trim,
                       std::function<void(const RoundReport&)> ended, const Pace& pace,
                       Transport& transport, const Clock& clock)
    : m_map(std::move(map)),
      m_trim(std::move(trim)),
      m_ended(std::move(ended)),
      m_pace(pace),
      m_transport(transport),
      m_clock(clock)
{}

void ViewRounds::begin(const ViewId& id, View content)
{
    assert(m_id < id);
    m_id = id;
    m_content = std::move(content);
    const auto place = std::ranges::find(m_content.members, m_transport.self());
    m_steps = stepsOf(m_content.schedule, m_content.members.size(),
                      static_cast<std::size_t>(place - m_content.members.begin()));
    m_earlier.clear();
    std::erase_if(m_earlyReadies, [&id](const EarlyReady& early) { return early.view < id; });
    trim();
    beginRound(0);
}

void ViewRounds::trim()
{
    if (m_content.trimsInRounds)
        m_map = m_trim(std::move(m_map));
}

void ViewRounds::beginRound(std::uint32_t number)
{
    m_round.reset();
    if (number == m_steps.size()) {
        m_earlier.clear();
        return;
    }
    const Step& step = m_steps[number];
    m_earlier.push_back(m_map);
    if (!m_content.schedule.sparing && number > 0)
        m_earlier[number - 1].reset();
    const Round::Peers peers{.to = m_content.members[step.to],
                             .from = m_content.members[step.from]};
    m_round.emplace(number, peers, m_earlier[step.map], m_map, m_pace, m_clock.now());
    m_transport.send(peers.from, encode({.view = m_id, .body = Ready{number}}));
    for (const EarlyReady& early : m_earlyReadies)
        take(early.from, early.view, Ready{early.round});
}

void ViewRounds::take(ProcessorId from, const ViewId& view, const Ready& ready)
{
    if (view == m_id && m_round && ready.round == m_round->number()) {
        if (from == m_round->peers().to)
            m_round->receiverReady();
        return;
    }
    const bool early = m_id < view || (view == m_id && m_round && ready.round > m_round->number());
    const auto known = [&](const EarlyReady& each) {
        return each.view == view && each.from == from && each.round == ready.round;
    };
    if (early && std::ranges::none_of(m_earlyReadies, known))
        m_earlyReadies.push_back({.view = view, .from = from, .round = ready.round});
}

Result<void> ViewRounds::take(ProcessorId from, const ViewId& view, Part part)
{
    if (view != m_id || !m_round || part.round != m_round->number()
        || from != m_round->peers().from)
        return {};
    if (Result<void> taken = m_round->take(std::move(part)); !taken)
        return taken;
    advance();
    return {};
}

bool ViewRounds::poll()
{
    const bool sent = m_round && m_round->send(m_transport, m_id);
    advance();
    return sent;
}

void ViewRounds::advance()
{
    while (m_round && m_round->done()) {
        m_map = m_round->finish();
        trim();
        RoundReport report = m_round->report(m_clock.now());
        report.entries = m_map->size();
        m_sentBytes += report.sentBytes;
        if (m_ended)
            m_ended(report);
        beginRound(report.round + 1);
    }
}

RoundProgress ViewRounds::progress() const
{
    assert(m_round);
    const RoundReport sofar = m_round->report(m_clock.now());
    return {.round = sofar.round,
            .rounds = m_steps.size(),
            .sentShare = m_round->sentShare(),
            .sentBytes = sofar.sentBytes,
            .receivedBytes = sofar.receivedBytes,
            .elapsed = sofar.duration};
}

} // namespace tasuki::merge
