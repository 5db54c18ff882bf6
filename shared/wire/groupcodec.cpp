// SPDX-License-Identifier: GPL-3.0-or-later
#include "groupcodec.h"

#include "eventpayloadcodec.h"

#include "link.pb.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tasuki::link {

namespace {

/// As few tasks as these cost less than a group.
constexpr std::size_t mostWrittenOut = 8;

} // namespace

void encodeGroup(const TaskGroup& group, wire::link::TaskGroup& out)
{
    std::uint32_t before = 0;
    for (std::size_t at = 0; at < group.size();) {
        const std::uint32_t first = group[at].value();
        const std::uint32_t step = at + 1 < group.size() ? group[at + 1].value() - first : 1;
        std::size_t end = at + 1;
        while (end < group.size() && group[end].value() - group[end - 1].value() == step)
            ++end;
        out.add_firsts(first - before);
        out.add_steps(step);
        out.add_counts(static_cast<std::uint32_t>(end - at));
        before = group[end - 1].value();
        at = end;
    }
}

Result<TaskGroup> decodeGroup(const wire::link::TaskGroup& message, std::uint64_t most)
{
    if (message.firsts_size() != message.steps_size()
        || message.firsts_size() != message.counts_size() || message.firsts_size() == 0)
        return malformed("a group of tasks whose runs differ in number");
    TaskGroup group;
    std::uint64_t before = 0;
    for (int run = 0; run < message.firsts_size(); ++run) {
        const std::uint64_t first = before + message.firsts(run);
        const std::uint64_t step = message.steps(run);
        const std::uint64_t count = message.counts(run);
        const bool ascends = (run == 0 || message.firsts(run) != 0) && step != 0;
        if (!ascends || count == 0 || count > most - group.size()
            || first + step * (count - 1) > std::numeric_limits<std::uint32_t>::max())
            return malformed("a group of tasks that is none");
        for (std::uint64_t i = 0; i < count; ++i)
            group.emplace_back(static_cast<std::uint32_t>(first + step * i));
        before = group.back().value();
    }
    return group;
}

void encodePrerequisites(const Prerequisites& after, const GroupIndex& index,
                         wire::link::TaskLinks& out)
{
    std::size_t tasks = 0;
    for (const SharedGroup& group : after.groups())
        tasks += group->size();
    if (index && tasks > mostWrittenOut) {
        for (const SharedGroup& group : after.groups())
            out.add_after_groups(index(group));
        return;
    }
    std::uint32_t before = 0;
    for (const TaskId id : after.ids()) {
        out.add_after(id.value() - before);
        before = id.value();
    }
}

Result<Prerequisites> decodePrerequisites(const wire::link::TaskLinks& message,
                                          const GroupTable& groups)
{
    std::vector<SharedGroup> after;
    if (message.after_size() != 0) {
        std::vector<TaskId> ids;
        ids.reserve(static_cast<std::size_t>(message.after_size()));
        std::uint32_t id = 0;
        for (const std::uint32_t difference : message.after()) {
            id += difference;
            ids.emplace_back(id);
        }
        const Prerequisites writtenOut(std::move(ids));
        after.assign(writtenOut.groups().begin(), writtenOut.groups().end());
    }
    for (const std::uint32_t index : message.after_groups()) {
        if (index >= groups.size())
            return malformed("a task comes after a group that was not sent");
        after.push_back(groups[index]);
    }
    return Prerequisites(std::move(after));
}

} // namespace tasuki::link
