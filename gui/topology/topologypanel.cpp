// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologypanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "outcomeview.h"
#include "subclustertablemodel.h"
#include "systemform.h"
#include "topologycells.h"
#include "views/theme.h"

#include <QAction>
#include <QFileInfo>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>
#include <set>

namespace tasuki {

TopologyPanel::~TopologyPanel() = default;

void TopologyPanel::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

TopologyPanel::Page TopologyPanel::page() const
{
    return static_cast<Page>(m_tabs->currentIndex());
}

QString TopologyPanel::fileName() const
{
    return m_document.path().isEmpty() ? tr("New topology")
                                       : QFileInfo(m_document.path()).fileName();
}

QString TopologyPanel::title() const
{
    return m_document.isClean() ? fileName() : fileName() + QStringLiteral(" *");
}

QByteArray TopologyPanel::layoutState() const { return m_rows->saveState(); }

bool TopologyPanel::restoreLayoutState(const QByteArray& state)
{
    return m_rows->restoreState(state);
}

void TopologyPanel::renew()
{
    const bool empty = m_document.isEmpty();
    const bool opening = m_document.isOpening();
    m_stack->setCurrentIndex(empty ? 0 : 1);
    m_emptyText->setText(
        opening ? tr("The topology is being read...")
                : tr("A topology says which processors a system consists of, which of them are "
                     "standbys, and when one of them counts as lost. Add its first subcluster, or "
                     "open a file."));
    m_name->setText(fileName());
    m_name->setToolTip(m_document.path());
    m_mark->setVisible(!m_document.isClean());
    m_save->setEnabled(!empty && (!m_document.isClean() || m_document.path().isEmpty()));
    m_saveAs->setEnabled(!empty);
    m_add->setEnabled(m_document.hasRoom() && !opening);
    m_rows->setEnabled(!opening); // what is edited now would be gone in a moment
    renewSteps(*m_undo, *m_redo, m_document.undoStack());
    m_changes->setEnabled(!empty);
    const bool chosen = page() == Page::Subclusters && m_table->currentIndex().isValid();
    m_remove->setEnabled(chosen);
    m_duplicate->setEnabled(chosen && m_document.hasRoom());
    const QList<int> rows = chosen ? chosenRows() : QList<int>();
    m_up->setEnabled(m_document.canMove(rows, true));
    m_down->setEnabled(m_document.canMove(rows, false));
    m_tabs->setTabText(0, tr("&Subclusters (%1)").arg(m_document.count()));
    m_tabs->setTabText(1, tr("S&ystem"));
    Q_EMIT titleChanged();
}

void TopologyPanel::renewFaults()
{
    const auto& faults = m_document.faults();
    // That there are no subclusters is what the empty page tells.
    if (faults.empty() || m_document.isEmpty()) {
        m_faults->hide();
        return;
    }
    QStringList lines;
    m_faultPlaces.clear();
    for (const config::TopologyFault& fault : faults) {
        QString where;
        if (fault.subcluster) {
            where = QString::fromStdString(
                m_document.topology().subclusters[*fault.subcluster].name);
        }
        lines << (where.isEmpty() ? sentence(fault) : tr("%1: %2").arg(where, sentence(fault)));
        m_faultPlaces.push_back({.subcluster = fault.subcluster, .field = fault.field});
    }
    m_faults->showPlaces(theme::Tint::Failure,
                         tr("%n thing(s) to mend before the topology can be saved", nullptr,
                            static_cast<int>(lines.size())),
                         lines);
}

void TopologyPanel::renewMessage(const QString& text, bool wrong)
{
    QPalette colours = palette();
    if (wrong)
        colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_message->setPalette(colours);
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
    if (!text.isEmpty())
        Q_EMIT said(text);
}

bool TopologyPanel::finishEditing()
{
    // What is wrong has to be seen, and can only have the focus on its page.
    const auto finish = [this](Page wanted, auto& editing) {
        if (editing.finishEditing())
            return true;
        showPage(wanted);
        return editing.finishEditing();
    };
    return finish(Page::Subclusters, *m_table) && finish(Page::System, *m_system)
        && m_outcome->finishEditing();
}

void TopologyPanel::showPlace(const TopologyPlace& place)
{
    if (!finishEditing())
        return;
    if (!place.subcluster) {
        showPage(Page::System);
        m_system->focus(place.field.value_or(config::TopologyField::HeartbeatMs));
        return;
    }
    showPage(Page::Subclusters);
    const QModelIndex cell = m_model->index(
        static_cast<int>(*place.subcluster),
        SubclusterTableModel::columnOf(place.field.value_or(config::TopologyField::Name)));
    m_table->setCurrentIndex(cell);
    m_table->scrollTo(cell);
    m_table->setFocus();
}

void TopologyPanel::focusEditors()
{
    if (m_document.isEmpty())
        setFocus();
    else
        m_table->setFocus();
}

void TopologyPanel::add()
{
    if (!finishEditing())
        return;
    showPage(Page::Subclusters);
    const auto row = m_document.addSubcluster();
    if (!row)
        return;
    const QModelIndex name = m_model->index(
        static_cast<int>(*row), SubclusterTableModel::columnOf(config::TopologyField::Name));
    m_table->setCurrentIndex(name);
    m_table->scrollTo(name);
    m_table->setFocus();
    m_table->edit(name);
}

QList<int> TopologyPanel::chosenRows() const
{
    std::set<int> rows;
    for (const QItemSelectionRange& range : m_table->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.insert(row);
    }
    if (rows.empty() && m_table->currentIndex().isValid())
        rows.insert(m_table->currentIndex().row());
    return {rows.begin(), rows.end()};
}

void TopologyPanel::duplicate()
{
    if (!finishEditing())
        return;
    if (!m_document.duplicate(chosenRows())) {
        renewMessage(
            tr("There can be %1 subclusters at most.").arg(config::limits::mostSubclusters), true);
        return;
    }
    m_table->setFocus();
}

void TopologyPanel::remove()
{
    if (!finishEditing())
        return;
    const QList<int> rows = chosenRows();
    m_document.remove(rows);
    renewMessage(tr("%n subcluster(s) removed.", nullptr, static_cast<int>(rows.size())), false);
    m_table->setFocus();
}

void TopologyPanel::move(bool up)
{
    if (finishEditing() && m_document.move(chosenRows(), up))
        m_table->setFocus();
}

void TopologyPanel::retrace(bool undo)
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

/// Rows that came are chosen, so that one sees which they are.
void TopologyPanel::takeReset(const QList<int>& pointed)
{
    if (m_retracing)
        showPage(Page::Subclusters);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0)); // keys do something at once
    if (pointed.isEmpty() || m_model->rowCount() <= pointed.back())
        return;
    QItemSelection rows;
    for (const int row : pointed)
        rows.select(m_model->index(row, 0), m_model->index(row, m_model->columnCount() - 1));
    QItemSelectionModel& selection = *m_table->selectionModel();
    const int column = std::max(0, m_table->currentIndex().column());
    selection.setCurrentIndex(m_model->index(pointed.front(), column),
                              QItemSelectionModel::NoUpdate);
    selection.select(rows, QItemSelectionModel::ClearAndSelect);
    m_table->scrollTo(m_model->index(pointed.back(), column));
}

} // namespace tasuki
