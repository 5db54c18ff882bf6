// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputkeeper.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tasuki::worldhost {

namespace {

enum class Added : std::uint8_t { Nothing, Something, Missing };

/// @param kept  bytes of the stream that are in the log
Added add(const OutputPiece& piece, std::uint64_t kept, world::StreamWriter writer)
{
    if (piece.totalBytes <= kept)
        return Added::Nothing;
    if (piece.offset > kept)
        return Added::Missing;
    const std::string_view bytes = std::string_view(piece.bytes)
                                       .substr(std::min<std::size_t>(piece.bytes.size(),
                                                                     kept - piece.offset));
    if (bytes.empty())
        return Added::Missing;
    writer.goToEnd();
    if (!writer.append(bytes.data(), bytes.size()))
        return Added::Missing;
    writer.publish();
    return Added::Something;
}

} // namespace

void OutputKeeper::look(std::shared_ptr<const world::Segment> segment, world::WorldRank rank)
{
    const std::uint32_t asked = segment->status(rank).outputAsked.load();
    if (m_question != 0 || asked == segment->status(rank).outputLogged.load())
        return;
    m_segment = std::move(segment);
    m_rank = rank;
    m_question = asked;
    ask();
}

std::uint64_t OutputKeeper::kept(std::size_t which) const
{
    return m_segment->output(m_rank, which).written.load();
}

void OutputKeeper::ask()
{
    m_executor.peek({.key = m_key, .standardOutputFrom = kept(0), .standardErrorFrom = kept(1)},
                    [this, life = std::weak_ptr(m_life)](const OutputAnswer& answer) {
                        if (!life.expired())
                            take(answer);
                    });
}

void OutputKeeper::take(const OutputAnswer& answer)
{
    bool any = false;
    bool misses = !answer.known;
    const auto one = [&](std::size_t which, const OutputPiece& piece) {
        const world::StreamWriter writer(m_segment->log(m_rank), m_segment->output(m_rank, which));
        const Added added = add(piece, kept(which), writer);
        any = any || added == Added::Something;
        misses = misses || added == Added::Missing;
    };
    one(0, answer.standardOutput);
    one(1, answer.standardError);
    if (misses || !any)
        finish(!misses);
    else
        ask(); // an answer is not longer than it may be
}

void OutputKeeper::finish(bool all)
{
    world::ProgramStatus& shown = m_segment->status(m_rank);
    shown.outputMissing.store(all ? 0 : 1);
    shown.outputLogged.store(std::exchange(m_question, 0));
    m_segment->announceToAgent(m_rank); // it may have to leave before that is answered
}

} // namespace tasuki::worldhost
