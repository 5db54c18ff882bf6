// SPDX-License-Identifier: GPL-3.0-or-later
#include "communicators.h"

#include "real.h"

#include <algorithm>
#include <numeric>

namespace tasuki::tracer {

namespace {

/// Ids that were made of members and not agreed upon.
constexpr CommunicatorId madeOfMembers = CommunicatorId{1} << 63;

bool isInter(MPI_Comm communicator)
{
    int inter = 0;
    real::Comm_test_inter(communicator, &inter);
    return inter != 0;
}

CommunicatorId hashOf(const std::vector<std::int32_t>& members)
{
    CommunicatorId hash = 0xCBF2'9CE4'8422'2325ULL;
    for (const std::int32_t member : members)
        hash = (hash ^ static_cast<std::uint32_t>(member)) * 0x0000'0100'0000'01B3ULL;
    return hash;
}

} // namespace

Communicators::Communicators()
{
    real::Comm_group(MPI_COMM_WORLD, &m_world);
    real::Comm_rank(MPI_COMM_WORLD, &m_worldRank);
    add(MPI_COMM_WORLD, worldId);
    add(MPI_COMM_SELF, communicatorId(static_cast<std::uint32_t>(m_worldRank), 1));
    m_lastHandle = toHandle(MPI_COMM_WORLD);
    m_last = &at(0);
}

Communicators::~Communicators()
{
    if (m_world != MPI_GROUP_NULL)
        real::Group_free(&m_world);
}

Communicator& Communicators::lookUp(MPI_Comm communicator)
{
    if (communicator == MPI_COMM_NULL)
        return at(0);
    const Handle handle = toHandle(communicator);
    auto known = m_numbers.find(handle);
    if (known == m_numbers.end()) {
        add(communicator, idOfMembers(communicator, isInter(communicator)));
        known = m_numbers.find(handle);
    }
    m_last = &at(known->second);
    m_lastHandle = handle;
    return *m_last;
}

/// @return ranks in MPI_COMM_WORLD, noPeer for what is outside
std::vector<std::int32_t> Communicators::membersOf(MPI_Comm communicator, bool remote) const
{
    MPI_Group group = MPI_GROUP_NULL;
    if (remote)
        real::Comm_remote_group(communicator, &group);
    else
        real::Comm_group(communicator, &group);
    int size = 0;
    real::Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<std::int32_t> members(ranks.size(), noPeer);
    real::Group_translate_ranks(group, size, ranks.data(), m_world, members.data());
    real::Group_free(&group);
    std::ranges::replace_if(
        members, [](std::int32_t rank) { return rank < 0; }, noPeer);
    return members;
}

CommunicatorId Communicators::idOfMembers(MPI_Comm communicator, bool remote) const
{
    CommunicatorId id = hashOf(membersOf(communicator, false));
    // The same from both sides.
    if (remote)
        id ^= hashOf(membersOf(communicator, true));
    return id | madeOfMembers;
}

CommunicatorId Communicators::agree(MPI_Comm communicator)
{
    const bool inter = isInter(communicator);
    std::vector<std::int32_t> members = membersOf(communicator, false);
    if (inter) {
        const auto others = membersOf(communicator, true);
        members.insert(members.end(), others.begin(), others.end());
    }
    // Who is outside of MPI_COMM_WORLD may not be traced, and would not take part.
    if (std::ranges::find(members, noPeer) != members.end())
        return idOfMembers(communicator, inter);

    int rank = 0;
    real::Comm_rank(communicator, &rank);
    std::uint64_t id = 0;
    if (rank == 0)
        id = communicatorId(static_cast<std::uint32_t>(m_worldRank), ++m_made);
    if (!inter) {
        real::Bcast(&id, 1, MPI_UINT64_T, 0, communicator);
        return id;
    }
    // A reduction gives each side what the other contributes: first the other's id, then the own.
    std::uint64_t theirs = 0;
    std::uint64_t ours = 0;
    real::Allreduce(&id, &theirs, 1, MPI_UINT64_T, MPI_MAX, communicator);
    real::Allreduce(&theirs, &ours, 1, MPI_UINT64_T, MPI_MAX, communicator);
    return std::min(ours, theirs);
}

void Communicators::add(MPI_Comm communicator, CommunicatorId id)
{
    const auto number = static_cast<std::uint32_t>(m_ids.size());
    auto made = std::make_unique<Communicator>(number,
                                               membersOf(communicator, isInter(communicator)));
    m_ids.push_back(id);
    m_entries[number].communicator = std::move(made);
    m_numbers[toHandle(communicator)] = number;
}

void Communicators::remove(MPI_Comm communicator)
{
    const auto known = m_numbers.find(toHandle(communicator));
    if (known == m_numbers.end())
        return;
    const std::uint32_t number = known->second;
    m_numbers.erase(known);
    m_last = &at(0);
    m_lastHandle = toHandle(MPI_COMM_WORLD);
    Entry& entry = m_entries.at(number);
    entry.freed = true;
    if (entry.held == 0)
        erase(number);
}

void Communicators::release(std::uint32_t number)
{
    Entry& entry = m_entries.at(number);
    if (--entry.held == 0 && entry.freed)
        erase(number);
}

void Communicators::erase(std::uint32_t number) { m_entries.erase(number); }

} // namespace tasuki::tracer
