// SPDX-License-Identifier: GPL-3.0-or-later
#include "observationbook.h"

namespace tasuki::hierarchy {

namespace {

/// @return how final an observation is: what weighs less does not replace what weighs more
int weightOf(Observation what)
{
    switch (what) {
    case Observation::Gone:
    case Observation::Left:
    case Observation::Returned: return 2;
    case Observation::Silent:
    case Observation::Stuck:
    case Observation::Unwanted: return 1;
    case Observation::Ready:
    case Observation::Late:
    case Observation::Back:
    case Observation::Unfenced:
    case Observation::LeaseOver: return 0;
    }
    return 0;
}

} // namespace

bool ObservationBook::note(const Observed& observed, SteadyTime now)
{
    const Entry entry{.observed = observed, .then = now - observed.since};
    const auto [place, added] = m_entries.try_emplace(observed.processor, entry);
    if (added)
        return true;
    const Observation known = place->second.observed.what;
    // Who is heard again before anybody has decided is not silent.
    const bool heard = observed.what == Observation::Back && known == Observation::Silent;
    if (weightOf(observed.what) < weightOf(known) && !heard)
        return false;
    place->second = entry;
    return observed.what != known;
}

void ObservationBook::compare(const MembershipView& view)
{
    std::erase_if(m_entries, [&](const auto& item) {
        const Observed& observed = item.second.observed;
        const MemberRow& row = view.member(observed.processor);
        return actionFor(observed.what, row) == Action::None || !observed.concerns(row.life);
    });
}

void ObservationBook::forgetPassing()
{
    std::erase_if(m_entries, [](const auto& item) {
        const Observation what = item.second.observed.what;
        return what == Observation::Late || what == Observation::Back
            || what == Observation::Returned;
    });
}

void ObservationBook::forgetSilent(const std::function<bool(ProcessorId)>& whom)
{
    std::erase_if(m_entries, [&](const auto& item) {
        return item.second.observed.what == Observation::Silent && whom(item.first);
    });
}

std::vector<Observed> ObservationBook::open(SteadyTime now) const
{
    std::vector<Observed> out;
    for (const auto& [processor, entry] : m_entries) {
        out.push_back(entry.observed);
        out.back().since = std::chrono::duration_cast<std::chrono::microseconds>(now - entry.then);
    }
    return out;
}

} // namespace tasuki::hierarchy
