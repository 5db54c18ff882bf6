// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologyeditors.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "subclustertablemodel.h"
#include "systemform.h"
#include "topologycells.h"

#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace tasuki {

TopologyEditors::TopologyEditors(TopologyDocument& document, QWidget* parent)
    : QWidget(parent), m_document(document)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    m_faults = new ProblemBar;
    m_model = new SubclusterTableModel(document, this);
    m_table = new CellTableView(*m_model);
    m_table->setAccessibleName(tr("Subclusters"));
    m_table->fitColumns(SubclusterTableModel::columnOf(config::TopologyField::Hosts));
    m_system = new SystemForm(document);
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_table, QString());
    m_tabs->addTab(m_system, QString());
    box->addWidget(m_faults);
    box->addWidget(m_tabs, 1);
    connect(&document, &TopologyDocument::changed, this, [this] {
        renewFaults();
        renewTitles();
    });
    connect(&document, &TopologyDocument::reset, this, &TopologyEditors::takeReset);
    // Undo and redo show what they change.
    const auto follow = [this](Page page) {
        if (m_retracing)
            showPage(page);
    };
    connect(&document, &TopologyDocument::subclustersEdited, this,
            [follow] { follow(Page::Subclusters); });
    connect(&document, &TopologyDocument::systemEdited, this, [follow] { follow(Page::System); });
    connect(m_tabs, &QTabWidget::currentChanged, this, &TopologyEditors::moved);
    connect(m_table, &CellTableView::selectionMoved, this, &TopologyEditors::moved);
    connect(m_table, &CellTableView::refused, this, &TopologyEditors::refused);
    connect(m_faults, &ProblemBar::placeWanted, this, [this](int line) {
        const auto place = static_cast<std::size_t>(line);
        if (place < m_faultPlaces.size())
            showPlace(m_faultPlaces[place]);
    });
    renewFaults();
    renewTitles();
}

void TopologyEditors::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

TopologyEditors::Page TopologyEditors::page() const
{
    return static_cast<Page>(m_tabs->currentIndex());
}

void TopologyEditors::renewTitles()
{
    m_tabs->setTabText(0, tr("&Subclusters (%1)").arg(m_document.count()));
    m_tabs->setTabText(1, tr("S&ystem"));
}

void TopologyEditors::renewFaults()
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
    const auto count = static_cast<int>(lines.size());
    m_faults->showPlaces(
        theme::Tint::Failure,
        m_document.isOfRunningSystem()
            ? tr("%n thing(s) to mend before the system can take the topology", nullptr, count)
            : tr("%n thing(s) to mend before the topology can be saved", nullptr, count),
        lines);
}

bool TopologyEditors::finishEditing()
{
    // What is wrong has to be seen, and can only have the focus on its page.
    const auto finish = [this](Page wanted, auto& editing) {
        if (editing.finishEditing())
            return true;
        showPage(wanted);
        return editing.finishEditing();
    };
    return finish(Page::Subclusters, *m_table) && finish(Page::System, *m_system);
}

void TopologyEditors::showPlace(const TopologyPlace& place)
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

void TopologyEditors::showFirstFault() { showPlace(m_faultPlaces.front()); }

void TopologyEditors::editName(std::size_t subcluster)
{
    const QModelIndex name = m_model->index(
        static_cast<int>(subcluster), SubclusterTableModel::columnOf(config::TopologyField::Name));
    m_table->setCurrentIndex(name);
    m_table->scrollTo(name);
    m_table->setFocus();
    m_table->edit(name);
}

QList<int> TopologyEditors::chosenRows() const
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

void TopologyEditors::retrace(bool undo)
{
    if (!finishEditing())
        return;
    m_retracing = true;
    if (undo)
        m_document.undoStack().undo();
    else
        m_document.undoStack().redo();
    m_retracing = false;
}

/// Rows that came are chosen, so that one sees which they are.
void TopologyEditors::takeReset(const QList<int>& pointed)
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
