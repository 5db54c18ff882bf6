// SPDX-License-Identifier: GPL-3.0-or-later
#include "correspondence.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

namespace {

/// Beats whose replies are waited for: more than a lease has.
constexpr std::size_t mostUnanswered = 64;
/// Replies in a row that differ in the same way before tables are asked for.
constexpr std::uint32_t toleratedDifferences = 1;
/// The same for replies that differ in some way, as tables change all the time.
constexpr std::uint32_t toleratedChanges = 4;

} // namespace

std::uint64_t Correspondence::nextNumber(SteadyTime now, bool forLease)
{
    m_sent[++m_latest] = {.sent = now, .forLease = forLease};
    if (m_sent.size() > mostUnanswered)
        m_sent.erase(m_sent.begin());
    return m_latest;
}

std::optional<Correspondence::Unanswered> Correspondence::takeAnswered(std::uint64_t number)
{
    const auto sent = m_sent.find(number);
    if (sent == m_sent.end())
        return std::nullopt;
    const Unanswered answered = sent->second;
    m_sent.erase(sent);
    return answered;
}

std::optional<SteadyTime> Correspondence::sentAt(std::uint64_t number) const
{
    const auto sent = m_sent.find(number);
    return sent == m_sent.end() ? std::nullopt : std::optional(sent->second.sent);
}

bool Correspondence::hearBeat(ProcessorId from, std::uint64_t number, SteadyTime now)
{
    SteadyTime& answered = m_answered[from];
    if (now - answered <= m_at.rhythm.shortest(now, m_at.options.leaseWaitBeats) / 2 && number != 1)
        return false;
    answered = now;
    return true;
}

bool Correspondence::hearAsk(ProcessorId from, SteadyTime now)
{
    SteadyTime& asked = m_asked[from];
    if (now - asked <= m_at.interval() / 4)
        return false;
    asked = now;
    return true;
}

bool Correspondence::wasAskedLately(ProcessorId by, SteadyTime now)
{
    return m_asked[by] > now - 2 * m_at.interval();
}

std::vector<ProcessorId> Correspondence::beatLately(SteadyTime now) const
{
    std::vector<ProcessorId> lately;
    for (const auto& [processor, when] : m_answered) {
        if (now - when <= m_at.suspectTime())
            lately.push_back(processor);
    }
    return lately;
}

bool Correspondence::missesBeatOf(ProcessorId child, SteadyTime now)
{
    return now - m_answered[child] > m_at.interval() * 3 / 2;
}

bool Correspondence::announces(ProcessorId from, const Version& version, const Version& known)
{
    return std::exchange(m_announced[from], version) > known;
}

bool Correspondence::differs(ProcessorId from, std::uint64_t digest)
{
    Difference& difference = m_differences[from];
    const std::pair digests{digest, m_at.view.digest()};
    if (digests.first == digests.second) {
        difference = {};
        return false;
    }
    difference.alike = digests == difference.digests ? difference.alike + 1 : 1;
    difference.digests = digests;
    if (++difference.any <= toleratedChanges && difference.alike <= toleratedDifferences)
        return false;
    difference = {};
    return true;
}

void Correspondence::hearLapsed(ProcessorId from, bool lapsed, SteadyTime now)
{
    if (lapsed)
        m_lapsed.try_emplace(from, now);
    else
        m_lapsed.erase(from);
}

bool Correspondence::staysLapsed(ProcessorId processor, SteadyTime now) const
{
    const auto lapsed = m_lapsed.find(processor);
    return lapsed != m_lapsed.end()
        && now - std::max(lapsed->second, m_lease.grantedSince())
        > m_at.options.suspendedBeats * m_at.interval();
}

bool Correspondence::isDeaf(ProcessorId processor, SteadyTime now) const
{
    return m_lease.trusted(now) && staysLapsed(processor, now);
}

void Correspondence::forget(ProcessorId processor)
{
    m_digests.erase(processor);
    m_announced.erase(processor);
    m_answered.erase(processor);
    m_asked.erase(processor);
    m_differences.erase(processor);
    m_lapsed.erase(processor);
}

void Correspondence::beginAnew()
{
    m_sent.clear();
    m_digests.clear();
    m_announced.clear();
    m_answered.clear();
    m_asked.clear();
    m_differences.clear();
    m_lapsed.clear();
}

} // namespace tasuki::hierarchy
