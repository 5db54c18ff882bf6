// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankstreams.h"

#include <algorithm>
#include <utility>

namespace tasuki::worldhost {

namespace {

/// Who keeps determinants and does not answer for so long keeps them no more.
constexpr std::chrono::milliseconds notaryPatience{1'000};

} // namespace

RankStreams::RankStreams(Setup setup, Ports ports, std::shared_ptr<const world::Segment> segment,
                         const WorldStart& start)
    : m_setup(setup),
      m_ports(std::move(ports)),
      m_segment(std::move(segment)),
      m_holders(start.holders),
      m_lives(start.holders.size()),
      m_standbys(start.standbys),
      m_rings(*m_segment, setup.rank, portsOfRings())
{
    if (keeps())
        m_streams.emplace(*m_segment, setup.rank, portsOfStreams());
}

world::Bridge::Ports RankStreams::portsOfRings()
{
    const world::WorldRank me = m_setup.rank;
    return {.send =
                [this, me](world::WorldRank to, std::string records) {
                    m_ports.send(m_holders[to], Records{me, to, std::move(records)});
                },
            .taken =
                [this, me](world::WorldRank from, std::uint64_t bytes) {
                    m_ports.send(m_holders[from], RecordsTaken{from, me, bytes});
                }};
}

void RankStreams::sendNotes(std::uint32_t stream, std::uint64_t position, std::string bytes,
                            bool skips)
{
    const ProcessorId notary = m_standbys[m_notary];
    const bool makes = std::ranges::none_of(
        m_holders, [&](ProcessorId holder) { return hostOf(holder) == hostOf(notary); });
    const std::uint32_t ranks = m_segment->layout().ranks;
    const world::Gap released = releasedOf(m_segment->stream(m_setup.rank, ranks + stream));
    m_ports.send(notary,
                 Notes{.rank = m_setup.rank,
                       .stream = stream,
                       .ranks = ranks,
                       .logBytes = m_segment->layout().logBytes,
                       .makes = makes,
                       .position = position,
                       .bytes = std::move(bytes),
                       .skips = skips,
                       .stays = released.from,
                       .needed = released.to});
}

world::StreamBridge::Ports RankStreams::portsOfStreams()
{
    const world::WorldRank me = m_setup.rank;
    return {
        .send =
            [this, me](world::WorldRank to, std::uint64_t position, std::string bytes, bool skips) {
                const auto ranks = static_cast<world::WorldRank>(m_holders.size());
                if (to >= ranks)
                    return sendNotes(to - ranks, position, std::move(bytes), skips);
                m_ports.send(m_holders[to], Stretch{me, to, position, std::move(bytes), skips});
            },
        .taken =
            [this, me](world::WorldRank from, std::uint64_t position) {
                const world::Gap released = releasedOf(m_segment->stream(from, me));
                m_ports.send(m_holders[from],
                             StretchTaken{from, me, position, released.from, released.to});
            },
        .want =
            [this, me](world::WorldRank from, std::uint64_t position) {
                m_ports.send(m_holders[from], StreamWanted{from, me, position, m_life});
            },
        .end =
            [this, me](world::WorldRank to, std::uint64_t position) {
                if (to < m_holders.size())
                    m_ports.send(m_holders[to], StreamEnded{me, to, position});
            },
        .differs = [this](world::WorldRank from) { m_ports.send(m_holders[from], Differs{from}); }};
}

bool RankStreams::reachesOut() const
{
    return std::ranges::any_of(m_holders, [this](ProcessorId holder) { return !isHere(holder); });
}

void RankStreams::begin(std::uint32_t life)
{
    const bool first = m_life == 0;
    m_life = life;
    if (!m_streams)
        return;
    for (world::WorldRank other = 0; other < m_holders.size(); ++other) {
        if (other == m_setup.rank || !first)
            continue;
        if (!isHere(m_holders[other]))
            m_streams->begin(other, false);
        else if (life > 1) // it may think that this rank is elsewhere
            m_ports.send(m_holders[other], StreamWanted{other, m_setup.rank, 0, m_life});
    }
    if (first)
        chooseNotary();
}

/// The first that would take over has the notes: in this host's memory, or they are sent to it.
void RankStreams::chooseNotary()
{
    m_notesSince = {};
    m_streams->keepNotes(m_notary < m_standbys.size() && !isHere(m_standbys[m_notary]));
}

void RankStreams::touch(world::WorldRank to)
{
    if (m_streams)
        m_streams->touch(to);
    if (to < m_holders.size())
        m_rings.touch(to);
}

void RankStreams::move()
{
    if (m_streams)
        m_streams->move();
    m_rings.move();
}

bool RankStreams::poll(SteadyTime now)
{
    if (!m_streams)
        return false;
    const world::ProgramStatus& shown = m_segment->status(m_setup.rank);
    const std::uint64_t kept = shown.notesKept.load();
    const bool all = kept >= m_segment->determinants(m_setup.rank).written.load();
    if (all || kept != m_notesKept || m_notesSince == SteadyTime{} || shown.notesLeave.load() == 0)
        m_notesSince = now;
    m_notesKept = kept;
    if (now - m_notesSince > notaryPatience) {
        ++m_notary;
        chooseNotary();
    } else if (!all && shown.notesLeave.load() != 0) {
        m_streams->touch(m_segment->layout().ranks);
        m_streams->move();
    }
    return m_streams->poll(now);
}

/// Who holds a rank, and in which of its lives.
void RankStreams::place(world::WorldRank rank, ProcessorId holder, std::uint32_t life)
{
    const bool same = holder == m_holders[rank];
    const std::uint32_t before = std::exchange(m_lives[rank], life);
    if (same && (before == 0 || before == life))
        return;
    const bool reached = reachesOut();
    m_holders[rank] = holder;
    m_segment->setRemote(rank, !isHere(holder));
    if (isHere(holder)) {
        m_streams->end(rank);
        return;
    }
    if (!reached)
        m_ports.reachesOut();
    m_streams->begin(rank, true);
}

void RankStreams::receive(ProcessorId from, const StreamWanted& word)
{
    if (!m_streams || word.from != m_setup.rank || word.to >= m_holders.size()
        || word.life < m_lives[word.to])
        return;
    place(word.to, from, word.life);
    if (!isHere(from))
        m_streams->wanted(word.to, word.position);
}

void RankStreams::receive(ProcessorId from, const Stretch& word)
{
    if (m_streams && word.to == m_setup.rank && word.from < m_holders.size()
        && from == m_holders[word.from])
        m_streams->deliver(word.from, word.position, word.bytes, word.skips);
}

void RankStreams::receive(ProcessorId from, const StretchTaken& word)
{
    if (m_streams && word.to < m_holders.size() && from == m_holders[word.to])
        m_streams->taken(word.to, word.position, {.from = word.stays, .to = word.needed});
}

void RankStreams::receive(ProcessorId from, const StreamEnded& word)
{
    if (m_streams && word.from < m_holders.size() && from == m_holders[word.from])
        m_streams->ended(word.from, word.position);
}

void RankStreams::receive(ProcessorId from, const NotesTaken& word)
{
    if (!m_streams || m_notary >= m_standbys.size() || from != m_standbys[m_notary])
        return;
    const world::WorldRank notes = m_segment->layout().ranks + word.stream;
    if (word.again)
        m_streams->wanted(notes, word.position);
    else
        m_streams->taken(notes, word.position);
}

} // namespace tasuki::worldhost
