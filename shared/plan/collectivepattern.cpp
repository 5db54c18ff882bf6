// SPDX-License-Identifier: GPL-3.0-or-later
#include "collectivepattern.h"

#include <cassert>

namespace tasuki::plan {

namespace {

using trace::MpiCall;

class PatternMaker {
public:
    PatternMaker(std::uint32_t members, double bytes) : m_members(members), m_bytes(bytes) {}

    /// All at once send to the member so far away, then wait for the one so far behind.
    void round(std::uint32_t distance)
    {
        const auto first = static_cast<std::uint32_t>(m_pattern.messages.size());
        for (std::uint32_t member = 0; member < m_members; ++member)
            send(member, (member + distance) % m_members);
        for (std::uint32_t member = 0; member < m_members; ++member)
            m_pattern.steps.push_back(
                {.member = (member + distance) % m_members, .message = first + member});
    }

    void send(std::uint32_t from, std::uint32_t to)
    {
        const auto message = static_cast<std::uint32_t>(m_pattern.messages.size());
        m_pattern.messages.push_back({.from = from, .to = to, .bytes = m_bytes});
        m_pattern.steps.push_back({.member = from, .message = message, .sends = true});
    }

    void sendAndTake(std::uint32_t from, std::uint32_t to)
    {
        send(from, to);
        m_pattern.steps.push_back({.member = to, .message = m_pattern.steps.back().message});
    }

    /// From the root outwards, the largest subtree first.
    void treeDown(std::uint32_t root)
    {
        std::uint32_t top = 1;
        while (top < m_members)
            top *= 2;
        for (std::uint32_t mask = top / 2; mask > 0; mask /= 2) {
            for (std::uint32_t place = 0; place + mask < m_members; place += 2 * mask)
                sendAndTake((place + root) % m_members, (place + mask + root) % m_members);
        }
    }

    /// From the leaves inwards.
    void treeUp(std::uint32_t root)
    {
        for (std::uint32_t mask = 1; mask < m_members; mask *= 2) {
            for (std::uint32_t place = 0; place + mask < m_members; place += 2 * mask)
                sendAndTake((place + mask + root) % m_members, (place + root) % m_members);
        }
    }

    [[nodiscard]] std::uint32_t members() const { return m_members; }
    CollectivePattern take() { return std::move(m_pattern); }

private:
    std::uint32_t m_members;
    double m_bytes;
    CollectivePattern m_pattern;
};

void dissemination(PatternMaker& maker)
{
    for (std::uint32_t distance = 1; distance < maker.members(); distance *= 2)
        maker.round(distance);
}

void pairwise(PatternMaker& maker)
{
    for (std::uint32_t distance = 1; distance < maker.members(); ++distance)
        maker.round(distance);
}

void ring(PatternMaker& maker)
{
    for (std::uint32_t times = 1; times < maker.members(); ++times)
        maker.round(1);
}

void star(PatternMaker& maker, std::uint32_t root, bool outwards)
{
    for (std::uint32_t member = 0; member < maker.members(); ++member) {
        if (member != root)
            maker.sendAndTake(outwards ? root : member, outwards ? member : root);
    }
}

} // namespace

CollectivePattern collectivePattern(trace::MpiCall call, std::uint32_t members, std::uint32_t root,
                                    double bytes)
{
    assert(trace::isCollective(call) && root < members);
    PatternMaker maker(members, bytes);
    switch (call) {
    case MpiCall::Barrier:
    case MpiCall::Allreduce:
    case MpiCall::ReduceScatter:
    case MpiCall::Scan: dissemination(maker); break;
    case MpiCall::Bcast: maker.treeDown(root); break;
    case MpiCall::Reduce: maker.treeUp(root); break;
    case MpiCall::Scatter: star(maker, root, true); break;
    case MpiCall::Gather: star(maker, root, false); break;
    case MpiCall::Allgather: ring(maker); break;
    case MpiCall::Alltoall: pairwise(maker); break;
    default: break;
    }
    return maker.take();
}

} // namespace tasuki::plan
