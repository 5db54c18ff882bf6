// SPDX-License-Identifier: GPL-3.0-or-later
#include "details.h"

#include <algorithm>

namespace tasuki {

const Details::Entry* Details::lookUp(std::string_view name) const
{
    const auto found = std::ranges::lower_bound(
        m_entries, name, {}, [](const Entry& entry) { return std::string_view(entry.name); });
    return found == m_entries.end() || found->name != name ? nullptr : &*found;
}

const Details::Entry& Details::find(std::string_view name)
{
    static const Entry none{};
    if (const Entry* entry = lookUp(name))
        return *entry;
    complain("lacks a detail");
    return none;
}

} // namespace tasuki
