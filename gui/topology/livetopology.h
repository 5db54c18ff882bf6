// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editedtopology.h"
#include "topologychanges.h"

namespace tasuki {

/// The topology of a running system as it is edited: only what may change while the system runs,
/// beside how it runs and what others say of cells.
class LiveTopology : public EditedTopology {
    Q_OBJECT

public:
    using EditedTopology::EditedTopology;

    [[nodiscard]] bool isOfRunningSystem() const override { return true; }
    [[nodiscard]] QString fixedReason(config::TopologyField field) const override;
    [[nodiscard]] QString faultAt(const TopologyPlace& place) const override;
    [[nodiscard]] std::optional<QString> runningText(const TopologyPlace& place) const override;

    /// How the system runs.
    [[nodiscard]] const config::Topology& known() const { return m_known; }
    [[nodiscard]] bool isClean() const { return topology() == m_known; }
    /// What is another than known().
    [[nodiscard]] std::vector<TopologyChange> changes() const
    {
        return topologyChanges(m_known, topology());
    }
    /// @return the exact text of a cell in known(); none: it has no such cell
    [[nodiscard]] std::optional<QString> knownText(const TopologyPlace& place) const;
    /// Whether a cell is another than in known().
    [[nodiscard]] bool isEdited(const TopologyPlace& place) const;

    /// The system runs otherwise now.
    /// @param edited  takes the place of topology(), as a step of undo unless this is the first time
    void follow(config::Topology known, config::Topology edited);
    /// Gives cells the values of known(), as one step of undo.
    void takeKnown(const std::vector<TopologyPlace>& places);
    /// What others say of cells stands until it is set again.
    void setObjections(std::vector<TopologyObjection> objections);

private:
    config::Topology m_known;
    std::vector<TopologyObjection> m_objections;
};

} // namespace tasuki
