// SPDX-License-Identifier: GPL-3.0-or-later
#include "stderrfilter.h"

#include "exitreport.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tasuki {

namespace {

/// Lines of Open MPI that follow from the death of a rank under recovery, and nothing else.
constexpr std::array<std::string_view, 2> noise{
    "PMIX ERROR: BAD-PARAM in file", // 4.1: an event about a rank that is gone already
    "PMIX ERROR: UNREACHABLE in file",
};

/// What Open MPI 4 and 5 say to root; the name that they begin with differs.
constexpr std::string_view rootRefusal = "has detected an attempt to run as root";

} // namespace

std::string StderrFilter::take(std::string_view chunk)
{
    lookForRefusal(chunk);
    std::string out;
    while (!chunk.empty()) {
        const auto end = chunk.find('\n');
        const bool complete = end != std::string_view::npos;
        const std::string_view part = chunk.substr(0, complete ? end + 1 : chunk.size());
        chunk.remove_prefix(part.size());
        if (m_passing) {
            out += part;
        } else {
            m_held += part;
            if (complete ? !filterLine(m_held) : !mayBeFiltered(m_held)) {
                out += m_held;
                m_held.clear();
                m_passing = true;
            }
        }
        if (complete) {
            m_held.clear();
            m_passing = false;
        }
    }
    return out;
}

std::string StderrFilter::finish()
{
    if (!m_held.empty() && filterLine(m_held))
        m_held.clear();
    return std::exchange(m_held, {});
}

void StderrFilter::lookForRefusal(std::string_view chunk)
{
    if (m_rootRefused)
        return;
    m_tail += chunk;
    m_rootRefused = m_tail.find(rootRefusal) != std::string::npos;
    m_tail.erase(0, m_tail.size() - std::min(m_tail.size(), rootRefusal.size()));
}

bool StderrFilter::mayBeFiltered(std::string_view beginning) const
{
    // What is dropped begins with "[host:pid] " or "[1,0]<stderr>:", or is the report itself.
    return beginning.starts_with('[') || beginning.starts_with('t');
}

bool StderrFilter::filterLine(std::string_view line)
{
    if (const std::optional<int> code = parseExitReport(line, m_token)) {
        m_exitCode = code;
        return true;
    }
    return line.starts_with('[') && std::ranges::any_of(noise, [line](std::string_view pattern) {
               return line.find(pattern) != std::string_view::npos;
           });
}

} // namespace tasuki
