// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/filedocument.h"
#include "environmentcells.h"
#include "plan/environmentfile.h"

#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// An environment that is edited: its file and its steps of undo. All edits are checked by the
/// rules of environment files, one call is one step, and a wrong one changes nothing. Indexes are
/// those of environment().nodes. GUI thread.
class EnvironmentDocument : public FileDocument {
    Q_OBJECT

public:
    explicit EnvironmentDocument(QObject* parent = nullptr);

    /// Its links have room for every pair of nodes.
    [[nodiscard]] const plan::Environment& environment() const { return m_environment; }
    [[nodiscard]] std::uint32_t nodeCount() const;
    [[nodiscard]] bool isEmpty() const override { return m_environment.nodes.empty(); }
    [[nodiscard]] std::string textToSave() const override;
    /// Takes an environment that was measured or sent, as one step of undo.
    /// @param name  of that step, for people
    void replace(plan::Environment environment, const QString& name);

    /// Adds a node with a name that is free. @return its index; none: there are as many as allowed
    std::optional<std::uint32_t> addNode();
    /// Adds copies of nodes with the same figures, also of their links, and names that are free.
    /// @return whether there was room for them
    bool duplicateNodes(const QList<int>& nodes);
    /// Removes nodes and the links from and to them.
    void removeNodes(const QList<int>& nodes);

    /// @return what is wrong with the text, for people; empty: the cell can have it
    [[nodiscard]] QString problem(const NodeCell& cell) const;
    [[nodiscard]] QString problem(const LinkCell& cell) const;
    [[nodiscard]] QString problem(GeneralField field, const QString& text) const;

    /// @return none: they are set, as one step of undo
    std::optional<CellFault> setCells(const QList<NodeCell>& cells);
    /// @param bothWays  sets the links back to the same, those that are not among the cells
    std::optional<CellFault> setCells(const QList<LinkCell>& cells, bool bothWays);
    /// @return what is wrong, for people; empty: it is set
    QString setGeneral(GeneralField field, const QString& text);
    /// Takes away the own figures of links: the default holds again.
    void clearLinks(const QList<NodePair>& pairs, bool bothWays);

Q_SIGNALS:
    // One of these comes before changed().
    void nodesEdited(int first, int last);
    void linksEdited();
    void generalEdited();
    /// Nodes came or went, or everything is another; aboutToReset() came before.
    /// @param came  nodes that were put in
    void reset(const QList<int>& came);
    void aboutToReset();

protected:
    [[nodiscard]] std::any content() const override { return m_environment; }
    void setContent(std::any content) override;
    [[nodiscard]] Result<void> write(const std::string& path) const override;

private:
    std::optional<CellFault> take(EnvironmentOutcome outcome);
    void push(const QString& name, EnvironmentEdit edit);
    void push(const QString& name, NodeExcerpt excerpt, bool insert);
    void apply(const EnvironmentEdit& edit, bool forwards);

    plan::Environment m_environment;
};

} // namespace tasuki
