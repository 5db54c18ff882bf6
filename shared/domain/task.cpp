// SPDX-License-Identifier: GPL-3.0-or-later
#include "task.h"

namespace tasuki {

namespace {

template <class T>
bool sameContent(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace

bool Task::operator==(const Task& other) const
{
    return stage == other.stage && position == other.position && line == other.line
        && command == other.command && sameContent(settings, other.settings)
        && sameContent(links, other.links);
}

} // namespace tasuki
