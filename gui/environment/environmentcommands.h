// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include "environmentdocument.h"

#include <utility>

namespace tasuki {

/// Values change, nodes stay. Edits of one cell that follow each other are one step.
class EnvironmentDocument::EditCommand : public QUndoCommand {
public:
    EditCommand(EnvironmentDocument& document, const QString& name, EnvironmentEdit edit)
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
    EnvironmentDocument& m_document;
    EnvironmentEdit m_edit;
};

/// Nodes come, or go.
class EnvironmentDocument::NodesCommand : public QUndoCommand {
public:
    enum class Kind : std::uint8_t { Insert, Remove };

    NodesCommand(EnvironmentDocument& document, const QString& name, Kind kind, NodeExcerpt excerpt)
        : QUndoCommand(name), m_document(document), m_kind(kind), m_excerpt(std::move(excerpt))
    {}

    void undo() override { run(m_kind == Kind::Remove); }
    void redo() override { run(m_kind == Kind::Insert); }

private:
    void run(bool insert)
    {
        if (insert)
            m_document.insert(m_excerpt);
        else
            m_excerpt = m_document.remove(m_excerpt.places);
    }

    EnvironmentDocument& m_document;
    Kind m_kind;
    NodeExcerpt m_excerpt;
};

/// Everything changes.
class EnvironmentDocument::ReplaceCommand : public QUndoCommand {
public:
    ReplaceCommand(EnvironmentDocument& document, const QString& name,
                   plan::Environment environment)
        : QUndoCommand(name), m_document(document), m_other(std::move(environment))
    {}

    void undo() override { exchange(); }
    void redo() override { exchange(); }

private:
    void exchange()
    {
        plan::Environment before = m_document.m_environment;
        m_document.setAll(std::exchange(m_other, std::move(before)));
    }

    EnvironmentDocument& m_document;
    plan::Environment m_other;
};

} // namespace tasuki
