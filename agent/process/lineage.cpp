// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/lineage.h"

#include <algorithm>
#include <unordered_set>

namespace tasuki::guardian {
namespace {

constexpr std::size_t endedKept = 1024;
/// The system rounds the time at which a process began.
constexpr std::uint64_t slackTicks = 2;

bool covers(const AttemptSpan& span, std::uint64_t ticks)
{
    return span.begin <= ticks + slackTicks && (!span.end || ticks <= *span.end + slackTicks);
}

} // namespace

void AttemptSpans::begin(AttemptKey key, std::uint64_t ticks)
{
    m_running.push_back({key, ticks, {}});
}

void AttemptSpans::end(AttemptKey key, std::uint64_t ticks)
{
    const auto place = std::find_if(m_running.begin(), m_running.end(),
                                    [&](const AttemptSpan& span) { return span.key == key; });
    if (place == m_running.end())
        return;
    place->end = ticks;
    m_ended.push_back(*place);
    m_running.erase(place);
    if (m_ended.size() > endedKept)
        m_ended.pop_front();
}

std::optional<AttemptKey> AttemptSpans::onlyOneAt(std::uint64_t ticks) const
{
    std::optional<AttemptKey> found;
    for (const auto* spans : {&m_running, &m_ended}) {
        for (const AttemptSpan& span : *spans) {
            if (!covers(span, ticks))
                continue;
            if (found)
                return {};
            found = span.key;
        }
    }
    return found;
}

Lineage::Lineage(ProcessMarker marker, pid_t first) : m_marker(std::move(marker)), m_sessions{first}
{}

bool Lineage::sharesSession(const ProcessEntry& process) const
{
    return m_sessions.contains(process.session) || m_sessions.contains(process.group);
}

bool Lineage::markedOrAlone(const ProcessEntry& process, pid_t guardian, const AttemptSpans& spans,
                            const MarkerReader& readMarker) const
{
    if (const auto marker = readMarker(process.pid))
        return *marker == m_marker;
    return process.parent == guardian && spans.onlyOneAt(process.startTicks) == m_marker.key;
}

std::vector<ProcessEntry> Lineage::members(std::span<const ProcessEntry> below, pid_t guardian,
                                           const AttemptSpans& spans,
                                           const MarkerReader& readMarker)
{
    std::vector<ProcessEntry> found;
    std::unordered_set<pid_t> known;
    const auto add = [&](const ProcessEntry& process) {
        known.insert(process.pid);
        found.push_back(process);
        m_sessions.insert(process.session);
        m_sessions.insert(process.group);
    };
    for (const ProcessEntry& process : below) {
        if (!process.zombie()
            && (sharesSession(process) || markedOrAlone(process, guardian, spans, readMarker)))
            add(process);
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (const ProcessEntry& process : below) {
            if (process.zombie() || known.contains(process.pid)
                || (!known.contains(process.parent) && !sharesSession(process)))
                continue;
            add(process);
            grown = true;
        }
    }
    return found;
}

} // namespace tasuki::guardian
