// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QUndoStack>

#include "cells/cellfault.h"
#include "config/topologyreader.h"
#include "topologyedit.h"
#include "topologyplace.h"

#include <optional>
#include <vector>

namespace tasuki {

/// A cell of the table of subclusters. `subcluster` may be their number or more: then some are
/// added.
struct SubclusterCell {
    std::size_t subcluster = 0;
    config::TopologyField field{};
    QString text;
};

/// A topology that is edited. One call is one step of undo. A cell never takes a value that the
/// rules of topology files do not allow for it; what an edit makes wrong elsewhere, as a minimum
/// above what is active now, is taken and is among faults(). GUI thread.
class EditedTopology : public QObject {
    Q_OBJECT

public:
    /// @param steps  must outlive this object
    explicit EditedTopology(QUndoStack& steps, QObject* parent = nullptr);

    [[nodiscard]] const config::Topology& topology() const { return m_topology; }
    [[nodiscard]] std::size_t count() const { return m_topology.subclusters.size(); }
    [[nodiscard]] bool isEmpty() const { return m_topology.subclusters.empty(); }
    /// What is wrong with it as it is; that there are no subclusters too.
    [[nodiscard]] const std::vector<config::TopologyFault>& faults() const { return m_faults; }
    [[nodiscard]] QUndoStack& undoStack() const { return m_steps; }
    /// Whether it is that of a running system: no subclusters come or go then.
    [[nodiscard]] virtual bool isOfRunningSystem() const { return false; }
    /// @return why a field cannot be edited here, for people; empty: it can
    [[nodiscard]] virtual QString fixedReason(config::TopologyField) const { return {}; }
    /// @return what is wrong with a cell because of others: cells, or people; empty: nothing
    [[nodiscard]] virtual QString faultAt(const TopologyPlace& place) const;
    /// @return what the system runs with, exact, where something else stands here; else none
    [[nodiscard]] virtual std::optional<QString> runningText(const TopologyPlace&) const
    {
        return std::nullopt;
    }

    /// Another one, which is no step of undo.
    void setAll(config::Topology topology) { put(std::move(topology), {}); }
    /// @param came, gone  rows to point at, once it is done and once it is undone
    void exchange(const QString& name, config::Topology topology, const QList<int>& came = {},
                  const QList<int>& gone = {});
    /// Adds a subcluster with a name that is free. @return its row; none: there are as many as allowed
    std::optional<std::size_t> addSubcluster();
    /// Adds copies behind the last of them, with names that are free.
    /// @return whether there was room for them
    bool duplicate(const QList<int>& rows);
    void remove(const QList<int>& rows);
    /// Moves rows one place up or down. @return whether there was room
    bool move(const QList<int>& rows, bool up);
    [[nodiscard]] bool canMove(const QList<int>& rows, bool up) const;
    [[nodiscard]] bool hasRoom() const
    {
        return !isOfRunningSystem() && count() < config::limits::mostSubclusters;
    }

    /// @return what is wrong with the text, for people; empty: the cell can have it
    [[nodiscard]] QString problem(const SubclusterCell& cell) const;
    [[nodiscard]] QString problem(config::TopologyField field, const QString& text) const;
    /// @return none: they are set, as one step of undo
    std::optional<CellFault> setCells(const QList<SubclusterCell>& cells);
    /// Sets a field of the system.
    /// @return what is wrong, for people; empty: it is set
    QString setSystem(config::TopologyField field, const QString& text);

Q_SIGNALS:
    /// Anything in topology() is another. One of the following three came before it.
    void changed();
    void subclustersEdited(int first, int last);
    void systemEdited();
    /// Subclusters came, went or moved, or everything is another; aboutToReset() came before.
    /// @param pointed  rows that came back or moved
    void reset(const QList<int>& pointed);
    void aboutToReset();
    /// What is said of cells alone.
    void marksChanged();

protected:
    void push(const QString& name, TopologyEdit edit);

private:
    void put(config::Topology topology, const QList<int>& pointed);
    void apply(const TopologyEdit& edit, bool forwards);
    [[nodiscard]] QList<int> rowsOf(const QList<int>& rows) const;

    QUndoStack& m_steps;
    config::Topology m_topology;
    std::vector<config::TopologyFault> m_faults;
};

/// @return a subcluster that can be added: the name counts on from the last one
config::SubclusterSpec freshSubcluster(const std::vector<config::SubclusterSpec>& subclusters);

} // namespace tasuki
