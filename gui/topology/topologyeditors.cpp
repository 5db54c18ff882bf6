// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologyeditors.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "subclustertablemodel.h"
#include "systemform.h"
#include "topologycells.h"

#include <QVBoxLayout>

#include <algorithm>

namespace tasuki {

TopologyEditors::TopologyEditors(EditedTopology& topology, QWidget* parent)
    : QWidget(parent), m_topology(topology)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    m_faults = new ProblemBar;
    m_pages = new EditorPages(*new SubclusterTableModel(topology, this), topology.undoStack());
    table().setAccessibleName(tr("Subclusters"));
    table().fitColumns(SubclusterTableModel::columnOf(config::TopologyField::Hosts));
    // The processors of a running system do not tell what it is: its tasks do.
    table().setColumnHidden(SubclusterTableModel::columnOf(config::TopologyField::WorldCommand),
                            topology.isOfRunningSystem());
    m_system = new SystemForm(topology);
    m_pages->addPage(m_system, [this] { return m_system->finishEditing(); });
    box->addWidget(m_faults);
    box->addWidget(m_pages, 1);
    connect(&topology, &EditedTopology::changed, this, [this] {
        renewFaults();
        renewTitles();
    });
    connect(&topology, &EditedTopology::reset, this, &TopologyEditors::takeReset);
    // Undo and redo show what they change.
    connect(&topology, &EditedTopology::subclustersEdited, this,
            [this] { m_pages->follow(static_cast<int>(Page::Subclusters)); });
    connect(&topology, &EditedTopology::systemEdited, this,
            [this] { m_pages->follow(static_cast<int>(Page::System)); });
    connect(m_faults, &ProblemBar::placeWanted, this, [this](int line) {
        const auto place = static_cast<std::size_t>(line);
        if (place < m_faultPlaces.size())
            showPlace(m_faultPlaces[place]);
    });
    renewFaults();
    renewTitles();
}

void TopologyEditors::renewTitles()
{
    m_pages->setTabText(0, tr("&Subclusters (%1)").arg(m_topology.count()));
    m_pages->setTabText(1, tr("S&ystem"));
}

void TopologyEditors::renewFaults()
{
    const auto& faults = m_topology.faults();
    // That there are no subclusters is what the empty page tells.
    if (faults.empty() || m_topology.isEmpty()) {
        m_faults->hide();
        return;
    }
    QStringList lines;
    m_faultPlaces.clear();
    for (const config::TopologyFault& fault : faults) {
        QString where;
        if (fault.subcluster) {
            where = QString::fromStdString(
                m_topology.topology().subclusters[*fault.subcluster].name);
        }
        lines << (where.isEmpty() ? sentence(fault) : tr("%1: %2").arg(where, sentence(fault)));
        m_faultPlaces.push_back({.subcluster = fault.subcluster, .field = fault.field});
    }
    const auto count = static_cast<int>(lines.size());
    m_faults->showPlaces(
        theme::Tint::Failure,
        m_topology.isOfRunningSystem()
            ? tr("%n thing(s) to mend before the system can take the topology", nullptr, count)
            : tr("%n thing(s) to mend before the topology can be saved", nullptr, count),
        lines);
}

void TopologyEditors::showPlace(const TopologyPlace& place)
{
    if (!m_pages->finishEditing())
        return;
    if (!place.subcluster) {
        showPage(Page::System);
        m_system->focus(place.field.value_or(config::TopologyField::HeartbeatMs));
        return;
    }
    showPage(Page::Subclusters);
    m_pages->showCell(
        static_cast<int>(*place.subcluster),
        SubclusterTableModel::columnOf(place.field.value_or(config::TopologyField::Name)));
}

void TopologyEditors::showFirstFault() { showPlace(m_faultPlaces.front()); }

/// Rows that came are chosen, so that one sees which they are.
void TopologyEditors::takeReset(const QList<int>& pointed)
{
    m_pages->follow(static_cast<int>(Page::Subclusters));
    const QAbstractItemModel& model = *table().model();
    if (!table().currentIndex().isValid() && model.rowCount() > 0)
        table().setCurrentIndex(model.index(0, 0)); // keys do something at once
    m_pages->choose(pointed, std::max(0, table().currentIndex().column()));
}

} // namespace tasuki
