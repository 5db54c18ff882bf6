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

/// Progress that is drawn on a terminal ends so: what follows stands in its place.
constexpr std::string_view lineErased = "\x1b[K";

} // namespace

std::string StderrFilter::take(std::string_view chunk)
{
    lookForRefusal(chunk);
    std::string out;
    while (!chunk.empty()) {
        const std::optional<std::size_t> end = endOfLine(chunk);
        const bool complete = end.has_value();
        std::string_view part = chunk.substr(0, end.value_or(chunk.size()));
        // What mpirun tags a line with belongs to it.
        const bool untagged = m_passing || (m_held.empty() && !part.starts_with('['));
        if (const auto sign = part.find(reportSign); untagged && sign != std::string_view::npos) {
            out += part.substr(0, sign);
            part.remove_prefix(sign);
            chunk.remove_prefix(sign);
            m_passing = false;
        }
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

/// @return how much of a chunk belongs to the current line; none: all of it and more
std::optional<std::size_t> StderrFilter::endOfLine(std::string_view chunk)
{
    const auto newline = chunk.find('\n');
    // The sequence may have begun in the chunk before.
    const std::string line = m_lineTail + std::string(chunk.substr(0, newline));
    if (const auto erased = line.find(lineErased); erased != std::string::npos) {
        const std::size_t end = erased + lineErased.size() - m_lineTail.size();
        m_lineTail.clear();
        return end;
    }
    m_lineTail = line.substr(line.size() - std::min(line.size(), lineErased.size() - 1));
    if (newline == std::string_view::npos)
        return std::nullopt;
    m_lineTail.clear();
    return newline + 1;
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
    return beginning.starts_with('[') || beginning.starts_with(reportSign);
}

bool StderrFilter::filterLine(std::string_view line)
{
    if (const std::optional<int> code = parseExitReport(line, m_token)) {
        m_exitCode = code;
        return true;
    }
    if (const std::optional<int> code = parseGivenUp(line, m_token)) {
        m_givenUpCode = code;
        return true;
    }
    if (isGoingOn(line, m_token)) {
        ++m_signsOfGoingOn;
        return true;
    }
    if (auto terms = parseRestartTerms(line, m_token)) {
        m_restartTerms = std::move(terms);
        return true;
    }
    if (auto runFile = parseRecording(line, m_token)) {
        m_runFile = std::move(runFile);
        return true;
    }
    return line.starts_with('[') && std::ranges::any_of(noise, [line](std::string_view pattern) {
               return line.find(pattern) != std::string_view::npos;
           });
}

} // namespace tasuki
