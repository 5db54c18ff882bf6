// SPDX-License-Identifier: GPL-3.0-or-later
#include "round.h"

#include <cassert>
#include <utility>

namespace tasuki::merge {

Round::Round(std::uint32_t number, Peers peers, std::shared_ptr<const MergeMap> outgoing,
             std::shared_ptr<const MergeMap> base, const Pace& pace, SteadyTime now)
    : m_peers(peers),
      m_outgoing(std::move(outgoing)),
      m_writer(*m_outgoing),
      m_merger(std::move(base)),
      m_pace(pace),
      m_began(now)
{
    m_report.round = number;
}

bool Round::send(Transport& transport, const ViewId& view)
{
    bool moved = false;
    while (m_receiverReady && !m_allSent && transport.pending(m_peers.to) < m_pace.chunksUnderWay) {
        Part part{.round = number(), .last = false, .chunk = {}};
        if (auto chunk = m_writer.next(m_pace.chunkBytes))
            part.chunk = std::move(*chunk);
        part.last = m_writer.done();
        m_allSent = part.last;
        m_report.sentBytes += part.chunk.size();
        transport.send(m_peers.to, encode({.view = view, .body = std::move(part)}));
        moved = true;
    }
    return moved;
}

Result<void> Round::take(Part part)
{
    assert(part.round == number());
    if (m_allTaken)
        return Error{.kind = ErrorKind::Protocol, .message = "a part after the last one"};
    m_report.receivedBytes += part.chunk.size();
    if (!part.chunk.empty()) {
        auto block = std::make_shared<const std::string>(std::move(part.chunk));
        if (Result<void> added = m_merger.add(std::move(block)); !added)
            return added;
    }
    m_allTaken = part.last;
    return {};
}

RoundReport Round::report(SteadyTime now) const
{
    RoundReport report = m_report;
    report.duration = now - m_began;
    return report;
}

double Round::sentShare() const
{
    return m_outgoing->empty()
        ? 1.0
        : static_cast<double>(m_writer.written()) / static_cast<double>(m_outgoing->size());
}

} // namespace tasuki::merge
