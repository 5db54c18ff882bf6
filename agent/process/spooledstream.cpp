// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/spooledstream.h"

namespace tasuki::guardian {

void SpooledStream::append(std::string_view bytes)
{
    if (m_store != nullptr && !m_spool && m_total + bytes.size() > m_memory) {
        m_spool.emplace(*m_store);
        for (std::uint64_t at = 0; at < m_total && m_problem.empty();) {
            const std::string kept = m_capture.piece(at, m_memory).bytes;
            spool(kept);
            at += kept.size();
        }
    }
    if (m_spool)
        spool(bytes);
    m_total += bytes.size();
    m_capture.append(bytes);
}

void SpooledStream::spool(std::string_view bytes)
{
    if (!m_problem.empty())
        return;
    if (const Result<void> written = m_spool->append(bytes); !written)
        m_problem = written.error().text();
}

OutputPiece SpooledStream::piece(std::uint64_t from, std::size_t limit) const
{
    if (m_spool && from >= m_spool->begin() && from < m_spool->end())
        return {.offset = from, .bytes = m_spool->read(from, limit), .totalBytes = m_total};
    return m_capture.piece(from, limit);
}

void SpooledStream::giveUp(std::uint64_t upTo)
{
    if (m_spool)
        m_spool->giveUp(upTo);
}

} // namespace tasuki::guardian
