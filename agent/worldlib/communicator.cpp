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

std::vector<std::uint64_t> Communicators::contexts() const
{
    std::vector<std::uint64_t> found;
    for (const SharedCommunicator& one : m_all)
        found.push_back(one->context);
    return found;
}

void Communicators::save(StateWriter& state) const
{
    state.put(m_proposed);
    state.put(std::uint64_t{m_all.size()});
    for (const SharedCommunicator& one : m_all) {
        state.put(one->context);
        state.put(one->operations);
        state.put(one->local ? one->local->operations : std::uint32_t{0});
    }
}

bool Communicators::restore(StateReader& state)
{
    m_proposed = state.get<std::uint64_t>();
    if (state.get<std::uint64_t>() != m_all.size())
        return false;
    for (const SharedCommunicator& one : m_all) {
        if (state.get<std::uint64_t>() != one->context)
            return false;
        one->operations = state.get<std::uint32_t>();
        const auto ofLocal = state.get<std::uint32_t>();
        if (one->local)
            one->local->operations = ofLocal;
    }
    return true;
}

} // namespace tasuki::world
