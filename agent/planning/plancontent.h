// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "wire/linkplans.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::planning {

/// The two files of a window's plan, as they come in pieces.
class PlanContent {
public:
    PlanContent() = default;
    explicit PlanContent(const link::PlanRequest& request)
        : m_environmentBytes(request.environmentBytes), m_traceBytes(request.traceBytes)
    {}

    /// @return an Error of kind Protocol for a piece that is not the next one, or more than was
    ///         announced
    Result<void> add(link::PlanPiece piece);

    [[nodiscard]] bool complete() const { return m_received == m_environmentBytes + m_traceBytes; }
    [[nodiscard]] const std::string& environment() const { return m_environment; }
    /// What the pieces are together.
    [[nodiscard]] const std::vector<std::string>& trace() const { return m_trace; }

private:
    std::uint64_t m_environmentBytes = 0;
    std::uint64_t m_traceBytes = 0;
    std::uint64_t m_received = 0;
    std::string m_environment;
    std::vector<std::string> m_trace;
};

} // namespace tasuki::planning
