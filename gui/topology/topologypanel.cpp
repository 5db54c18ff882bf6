// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologypanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "config/topologyrules.h"
#include "outcomeview.h"

#include <QAction>
#include <QSplitter>

namespace tasuki {

TopologyPanel::~TopologyPanel() = default;

QByteArray TopologyPanel::layoutState() const { return m_rows->saveState(); }

bool TopologyPanel::restoreLayoutState(const QByteArray& state)
{
    return m_rows->restoreState(state);
}

void TopologyPanel::renew()
{
    const bool empty = m_document.isEmpty();
    const bool opening = m_document.isOpening();
    showEditors(!empty,
                opening ? tr("The topology is being read...")
                        : tr("A topology says which processors a system consists of, which of them "
                             "are standbys, and when one of them counts as lost. Add its first "
                             "subcluster, or open a file."));
    renewFile();
    m_add->setEnabled(m_document.hasRoom() && !opening);
    m_rows->setEnabled(!opening); // what is edited now would be gone in a moment
    renewSteps(*m_undo, *m_redo, m_document.undoStack());
    m_changes->setEnabled(!empty);
    const bool chosen = page() == Page::Subclusters && table().currentIndex().isValid();
    m_remove->setEnabled(chosen);
    m_duplicate->setEnabled(chosen && m_document.hasRoom());
    const QList<int> rows = chosen ? m_editors->chosenRows() : QList<int>();
    m_up->setEnabled(m_document.canMove(rows, true));
    m_down->setEnabled(m_document.canMove(rows, false));
    Q_EMIT titleChanged();
}

bool TopologyPanel::finishEditing()
{
    return m_editors->finishEditing() && m_outcome->finishEditing();
}

void TopologyPanel::focusEditors()
{
    if (m_document.isEmpty())
        setFocus();
    else
        table().setFocus();
}

void TopologyPanel::add()
{
    if (!finishEditing())
        return;
    showPage(Page::Subclusters);
    if (const auto row = m_document.addSubcluster())
        m_editors->editName(*row);
}

void TopologyPanel::duplicate()
{
    if (!finishEditing())
        return;
    if (!m_document.duplicate(m_editors->chosenRows())) {
        tell(tr("There can be %1 subclusters at most.").arg(config::limits::mostSubclusters), true);
        return;
    }
    table().setFocus();
}

void TopologyPanel::remove()
{
    if (!finishEditing())
        return;
    const QList<int> rows = m_editors->chosenRows();
    m_document.remove(rows);
    tell(tr("%n subcluster(s) removed.", nullptr, static_cast<int>(rows.size())), false);
    table().setFocus();
}

void TopologyPanel::move(bool up)
{
    if (finishEditing() && m_document.move(m_editors->chosenRows(), up))
        table().setFocus();
}

void TopologyPanel::retrace(bool undo)
{
    if (!finishEditing())
        return;
    m_editors->retrace(undo);
    renew();
}

} // namespace tasuki
