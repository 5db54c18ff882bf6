// SPDX-License-Identifier: GPL-3.0-or-later
#include "communicator.h"

#include "fortrannumbers.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace tasuki::world {

namespace {

struct GroupHandle {
    std::int32_t fortran = 0;
};
std::mutex groupsMutex;
std::unordered_map<MPI_Group, SharedGroup> groups;

} // namespace

int Group::rankOf(WorldRank member) const
{
    const auto found = std::find(members.begin(), members.end(), member);
    return found == members.end() ? MPI_UNDEFINED : static_cast<int>(found - members.begin());
}

MPI_Group handleOf(SharedGroup group)
{
    if (group->members.empty())
        return MPI_GROUP_EMPTY;
    auto* const handle = reinterpret_cast<MPI_Group>(new GroupHandle);
    const std::scoped_lock lock(groupsMutex);
    groups.emplace(handle, std::move(group));
    return handle;
}

SharedGroup groupOf(MPI_Group handle)
{
    if (handle == MPI_GROUP_EMPTY)
        return std::make_shared<const Group>();
    const std::scoped_lock lock(groupsMutex);
    const auto found = groups.find(handle);
    return found == groups.end() ? nullptr : found->second;
}

void freeGroup(MPI_Group handle)
{
    const std::scoped_lock lock(groupsMutex);
    if (groups.erase(handle) == 0)
        return;
    auto* const gone = reinterpret_cast<GroupHandle*>(handle);
    forgetFortranNumber(gone->fortran);
    delete gone;
}

std::int32_t fortranOf(MPI_Group handle)
{
    auto* const known = reinterpret_cast<GroupHandle*>(handle);
    if (known->fortran == 0)
        known->fortran = giveFortranNumber(known);
    return known->fortran;
}

Communicator* Communicators::find(MPI_Comm handle)
{
    for (auto one = m_all.rbegin(); one != m_all.rend(); ++one)
        if ((*one)->handle == handle)
            return one->get();
    return nullptr;
}

SharedCommunicator Communicators::share(MPI_Comm handle)
{
    for (const SharedCommunicator& one : m_all)
        if (one->handle == handle)
            return one;
    return nullptr;
}

Communicator& Communicators::add(SharedCommunicator communicator)
{
    m_all.push_back(std::move(communicator));
    return *m_all.back();
}

void Communicators::remove(MPI_Comm handle)
{
    std::erase_if(m_all, [&](const SharedCommunicator& one) { return one->handle == handle; });
}

} // namespace tasuki::world
