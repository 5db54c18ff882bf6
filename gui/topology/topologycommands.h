// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include "topologydocument.h"

#include <utility>

namespace tasuki {

/// Values change, subclusters stay. Edits of one cell that follow each other are one step.
class TopologyDocument::EditCommand : public QUndoCommand {
public:
    EditCommand(TopologyDocument& document, const QString& name, TopologyEdit edit)
        : QUndoCommand(name), m_document(document), m_edit(std::move(edit))
    {}

    void undo() override { m_document.apply(m_edit, false); }
    void redo() override { m_document.apply(m_edit, true); }
    [[nodiscard]] int id() const override { return m_edit.cell ? 1 : -1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* const later = dynamic_cast<const EditCommand*>(other);
        if (later == nullptr || !m_edit.absorb(later->m_edit))
            return false;
        setObsolete(m_edit.isVoid());
        return true;
    }

private:
    TopologyDocument& m_document;
    TopologyEdit m_edit;
};

/// Subclusters come, go or move, or everything changes.
class TopologyDocument::ExchangeCommand : public QUndoCommand {
public:
    /// @param came, gone  rows to point at, once it is done and once it is undone
    ExchangeCommand(TopologyDocument& document, const QString& name, config::Topology topology,
                    QList<int> came, QList<int> gone)
        : QUndoCommand(name),
          m_document(document),
          m_other(std::move(topology)),
          m_came(std::move(came)),
          m_gone(std::move(gone))
    {}

    void undo() override { exchange(m_gone); }
    void redo() override { exchange(m_came); }

private:
    void exchange(const QList<int>& pointed)
    {
        config::Topology before = m_document.m_topology;
        m_document.setAll(std::exchange(m_other, std::move(before)), pointed);
    }

    TopologyDocument& m_document;
    config::Topology m_other;
    QList<int> m_came;
    QList<int> m_gone;
};

} // namespace tasuki
