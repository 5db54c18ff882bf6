// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentpanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "generalform.h"
#include "linkpage.h"
#include "nodetablemodel.h"

#include <QAction>
#include <QTabWidget>

#include <algorithm>
#include <set>
#include <utility>

namespace tasuki {

EnvironmentPanel::~EnvironmentPanel() = default;

void EnvironmentPanel::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

EnvironmentPanel::Page EnvironmentPanel::page() const
{
    return static_cast<Page>(m_tabs->currentIndex());
}

void EnvironmentPanel::renew()
{
    const bool empty = m_document.isEmpty();
    const bool opening = m_document.isOpening();
    const auto count = static_cast<int>(m_document.nodeCount());
    showEditors(!empty,
                opening ? tr("The environment is being read...")
                        : tr("No environment yet. Open one, add a node, or measure with "
                             "tasuki-agent probe."));
    renewFile();
    if (empty && m_document.path().isEmpty())
        setName({}, {});
    const bool room = m_document.nodeCount() < plan::limits::mostNodes;
    m_add->setEnabled(room && !opening);
    m_tabs->setEnabled(!opening); // what is edited now would be gone in a moment
    renewSteps(*m_undo, *m_redo, m_document.undoStack());
    const bool chosen = page() == Page::Nodes && m_nodeTable->currentIndex().isValid();
    m_remove->setEnabled(chosen);
    m_duplicate->setEnabled(chosen && room);
    m_tabs->setTabText(0, tr("&Nodes (%1)").arg(count));
    const std::size_t own = m_links->model().ownLinks();
    m_tabs->setTabText(
        1, own > 0 ? tr("&Links (%n own)", nullptr, static_cast<int>(own)) : tr("&Links"));
    m_tabs->setTabText(2, tr("&General"));
}

/// One that was closed comes back when something has changed.
void EnvironmentPanel::renewFreeLinks()
{
    const plan::Environment& environment = m_document.environment();
    const plan::FreeLinks free = plan::freeLinks(environment);
    if (free == std::exchange(m_toldFree, free))
        return;
    if (free.count == 0) {
        m_freeLinks->hide();
        return;
    }
    const auto name = [&environment](plan::Node node) {
        return QString::fromStdString(environment.nodes[node.value()].name);
    };
    m_freeLinks->show(theme::Tint::Warning,
                      tr("%1 of %2 links cost nothing, as that from %3 to %4")
                          .arg(free.count)
                          .arg(free.all)
                          .arg(name(free.from), name(free.to)),
                      tr("Set figures under Links, or the default under General."));
}

bool EnvironmentPanel::finishEditing()
{
    // What is wrong has to be seen, and can only have the focus on its page.
    const auto finish = [this](Page wanted, auto& editing) {
        if (editing.finishEditing())
            return true;
        showPage(wanted);
        return editing.finishEditing();
    };
    return finish(Page::Nodes, *m_nodeTable) && finish(Page::Links, m_links->table())
        && finish(Page::General, *m_general);
}

void EnvironmentPanel::addNode()
{
    if (!finishEditing())
        return;
    showPage(Page::Nodes);
    const auto node = m_document.addNode();
    if (!node)
        return;
    const QModelIndex name = m_nodes->index(static_cast<int>(*node),
                                            static_cast<int>(NodeField::Name));
    m_nodeTable->setCurrentIndex(name);
    m_nodeTable->scrollTo(name);
    m_nodeTable->setFocus();
    m_nodeTable->edit(name);
}

QList<int> EnvironmentPanel::chosenNodes() const
{
    std::set<int> rows;
    for (const QModelIndex& index : m_nodeTable->selectedCells())
        rows.insert(index.row());
    if (rows.empty() && m_nodeTable->currentIndex().isValid())
        rows.insert(m_nodeTable->currentIndex().row());
    return {rows.begin(), rows.end()};
}

void EnvironmentPanel::duplicateNodes()
{
    if (!finishEditing())
        return;
    if (!m_document.duplicateNodes(chosenNodes())) {
        tell(tr("There can be %1 nodes at most.").arg(plan::limits::mostNodes), true);
        return;
    }
    m_nodeTable->setFocus();
}

void EnvironmentPanel::removeNodes()
{
    if (!finishEditing())
        return;
    const QList<int> nodes = chosenNodes();
    m_document.removeNodes(nodes);
    tell(tr("%n node(s) removed, with the links from and to them.", nullptr,
            static_cast<int>(nodes.size())),
         false);
    m_nodeTable->setFocus();
}

void EnvironmentPanel::retrace(bool undo)
{
    if (!finishEditing())
        return;
    m_retracing = true;
    if (undo)
        m_document.undoStack().undo();
    else
        m_document.undoStack().redo();
    m_retracing = false;
    renew();
}

/// Nodes that came are chosen, so that one sees which they are.
void EnvironmentPanel::takeReset(const QList<int>& came)
{
    if (m_retracing)
        showPage(Page::Nodes);
    if (came.isEmpty() || m_nodes->rowCount() <= came.back())
        return;
    QItemSelection rows;
    int first = came.front();
    for (qsizetype i = 0; i < came.size(); ++i) {
        const bool runEnds = i + 1 == came.size() || came[i + 1] != came[i] + 1;
        if (!runEnds)
            continue;
        rows.select(m_nodes->index(first, 0), m_nodes->index(came[i], m_nodes->columnCount() - 1));
        if (i + 1 < came.size())
            first = came[i + 1];
    }
    QItemSelectionModel& selection = *m_nodeTable->selectionModel();
    selection.setCurrentIndex(m_nodes->index(came.front(), 0), QItemSelectionModel::NoUpdate);
    selection.select(rows, QItemSelectionModel::ClearAndSelect);
    m_nodeTable->scrollTo(m_nodes->index(came.back(), 0));
}

} // namespace tasuki
