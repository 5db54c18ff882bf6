// SPDX-License-Identifier: GPL-3.0-or-later
#include "plancontent.h"

#include <algorithm>
#include <utility>

namespace tasuki::planning {

Result<void> PlanContent::add(link::PlanPiece piece)
{
    const std::uint64_t expected = m_environmentBytes + m_traceBytes;
    if (piece.offset != m_received || piece.content.size() > expected - m_received) {
        return Error{.kind = ErrorKind::Protocol,
                     .message = "a piece of the plan's files came for byte "
                         + std::to_string(piece.offset) + ", expected byte "
                         + std::to_string(m_received) + " of " + std::to_string(expected)};
    }
    m_received += piece.content.size();
    const std::uint64_t missing = m_environmentBytes - m_environment.size();
    const auto share = static_cast<std::size_t>(
        std::min<std::uint64_t>(missing, piece.content.size()));
    m_environment.append(piece.content, 0, share);
    piece.content.erase(0, share);
    if (!piece.content.empty())
        m_trace.push_back(std::move(piece.content));
    return {};
}

} // namespace tasuki::planning
