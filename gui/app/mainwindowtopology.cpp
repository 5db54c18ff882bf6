// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that opens topologies.
#include "mainwindow.h"

#include "planner/planpage.h"
#include "topology/runningpanel.h"
#include "topology/topologypanel.h"

#include <QFileDialog>
#include <QStackedWidget>

namespace tasuki {

namespace {

constexpr auto topologyLayout = "topology-rows";
constexpr auto runningLayout = "running-topology-rows";

} // namespace

bool MainWindow::showTopologyEditor()
{
    if (m_topologyPage != nullptr)
        return true;
    if (!mayClose())
        return false;
    deletePages();
    closeDocuments();
    m_file.clear();
    m_topology = std::make_unique<TopologyDocument>();
    build();
    return true;
}

void MainWindow::buildTopologyPage()
{
    if (!m_topology)
        return;
    m_topologyPage = new TopologyPanel(*m_topology);
    m_topologyPage->restoreLayoutState(m_preferences.layout(QLatin1String(topologyLayout)));
    m_stack->addWidget(m_topologyPage);
    connect(m_topologyPage, &TopologyPanel::said, this, &MainWindow::say);
    connect(m_topologyPage, &TopologyPanel::titleChanged, this, &MainWindow::renewTitle);
}

void MainWindow::openTopology(const QString& path)
{
    if (showTopologyEditor())
        m_topologyPage->open(path);
}

void MainWindow::newTopology()
{
    if (showTopologyEditor())
        m_topologyPage->beginNew();
}

void MainWindow::chooseTopology()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a topology"), {},
        tr("Topologies (*.toml)") + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty())
        openTopology(path);
}

void MainWindow::deleteTopologyPage()
{
    if (m_topologyPage != nullptr)
        m_preferences.setLayout(QLatin1String(topologyLayout), m_topologyPage->layoutState());
    delete m_topologyPage;
    m_topologyPage = nullptr;
}

void MainWindow::buildRunningPanel()
{
    m_runningPanel = new RunningPanel(m_document->models(), *m_running);
    m_runningPanel->restoreLayoutState(m_preferences.layout(QLatin1String(runningLayout)));
    m_page->setTopologyEditor(*m_runningPanel);
    connect(m_runningPanel, &RunningPanel::said, this, &MainWindow::say);
}

/// Before the page goes with it.
void MainWindow::keepRunningLayout()
{
    if (m_runningPanel != nullptr)
        m_preferences.setLayout(QLatin1String(runningLayout), m_runningPanel->layoutState());
    m_runningPanel = nullptr;
}

} // namespace tasuki
