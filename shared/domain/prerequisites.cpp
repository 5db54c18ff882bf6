// SPDX-License-Identifier: GPL-3.0-or-later
#include "prerequisites.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

void makeAscending(std::vector<TaskId>& ids)
{
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

bool sameGroup(const SharedGroup& a, const SharedGroup& b) { return a == b || *a == *b; }

} // namespace

Prerequisites::Prerequisites(std::initializer_list<TaskId> ids)
    : Prerequisites(std::vector<TaskId>(ids))
{}

Prerequisites::Prerequisites(std::vector<TaskId> ids)
{
    if (ids.empty())
        return;
    makeAscending(ids);
    m_groups.push_back(std::make_shared<const TaskGroup>(std::move(ids)));
}

Prerequisites::Prerequisites(std::vector<SharedGroup> groups) : m_groups(std::move(groups))
{
    std::ranges::sort(m_groups, {}, [](const SharedGroup& group) { return group->front(); });
}

std::vector<TaskId> Prerequisites::ids() const
{
    std::vector<TaskId> all;
    for (const SharedGroup& group : m_groups)
        all.insert(all.end(), group->begin(), group->end());
    if (m_groups.size() > 1)
        makeAscending(all);
    return all;
}

bool Prerequisites::operator==(const Prerequisites& other) const
{
    return std::ranges::equal(m_groups, other.m_groups, sameGroup) || ids() == other.ids();
}

} // namespace tasuki
