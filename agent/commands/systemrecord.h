// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/master.h"
#include "hierarchy/picture.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace tasuki {

/// Tells the master of a farm what its keeper sees: who holds which rank, who leads it, who gets work,
/// who is lost, when work may begin; and has the record tell it. On the processor of the master alone, on the
/// reactor's thread. Pure logic.
class SystemRecord {
public:
    /// @param self    the processor of the master
    /// @param first   what all processors begin with; of a successor, what it knows now
    /// @param master  outlives this
    /// @param say     writes a line for people
    SystemRecord(ProcessorId self, hierarchy::Picture first, SystemLaidOut layout,
                 farm::Master& master, std::function<void(const std::string&)> say);

    /// @return what the record says first: the layout, and who is master of what
    [[nodiscard]] std::vector<EventPayload> opening() const;
    /// The layout is another one from now on.
    /// @return it with the holders of seats and the roles of the picture that was told last, to be
    ///         recorded
    SystemLaidOut layOut(SystemLaidOut layout);
    /// The picture has changed.
    void changed(const hierarchy::Picture& picture);
    /// An order that was accepted cannot be carried out any more.
    void givenUp(const std::string& reason);
    /// The start is overdue: the run ends before it has begun.
    void missing(const std::vector<ProcessorId>& processors);
    /// Thresholds are longer by so much: recorded, but not again and again.
    void lengthened(std::chrono::nanoseconds by, SteadyTime now);

private:
    void tellLeaders();
    void tellRoles(const hierarchy::Picture& before);
    void tellLosses(const hierarchy::Picture& picture);
    void tellClusters(const hierarchy::Picture& picture);

    hierarchy::Picture m_picture;
    SubclusterId m_home; ///< of the master
    SystemLaidOut m_layout;
    farm::Master& m_master;
    std::function<void(const std::string&)> m_say;
    SteadyTime m_lengthenedSaid{};
    bool m_ending = false; ///< a subcluster is down, and the policy ends the run
};

} // namespace tasuki
