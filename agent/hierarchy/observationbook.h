// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"
#include "membershipview.h"

#include "domain/clock.h"

#include <functional>
#include <map>
#include <vector>

namespace tasuki::hierarchy {

/// What a master has seen and the tables do not show yet: said again until they do, so that no
/// single message matters.
class ObservationBook {
public:
    /// @param observed  `since` counts back from now
    /// @return whether it is news: not what stands here already, nor outweighed by it
    bool note(const Observed& observed, SteadyTime now);
    /// Forgets what the tables show, or make meaningless.
    void compare(const MembershipView& view);
    /// Forgets who was late or back: a processor that watches them sees that anew, and one that no
    /// longer watches them must not go on saying it. Forgets also who wanted to be let in: it says
    /// so again.
    void forgetPassing();
    /// The same of who is silent: it is heard again, or watched no more, or elsewhere, and perhaps it was
    /// this side that was cut off.
    /// @param whom  says of whom
    void forgetSilent(const std::function<bool(ProcessorId)>& whom);
    /// @return what is open, `since` counted back from now
    [[nodiscard]] std::vector<Observed> open(SteadyTime now) const;
    [[nodiscard]] bool empty() const { return m_entries.empty(); }

private:
    struct Entry {
        Observed observed;
        SteadyTime then; ///< when it was heard last, or ended
    };
    std::map<ProcessorId, Entry> m_entries; ///< the latest of each that is not outweighed
};

} // namespace tasuki::hierarchy
