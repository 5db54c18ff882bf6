// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentpanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "generalform.h"
#include "linkpage.h"
#include "nodetablemodel.h"

#include <utility>

namespace tasuki {

EnvironmentPanel::EnvironmentPanel(EnvironmentDocument& document, QWidget* parent)
    : FileEditorPanel(
        document,
        {.file = tr("File of the environment"),
         .fresh = tr("New environment"),
         .openTitle = tr("Open an environment"),
         .saveTitle = tr("Save the environment"),
         .suggestion = QStringLiteral("environment.toml"),
         .filter = tr("Environments (*.toml)"),
         .kind = tr("Environment"),
         .saved = tr("The environment is in %1."),
         .reading = tr("The environment is being read..."),
         .beginning = tr("No environment yet. Open one, add a node, or measure with "
                         "tasuki-agent probe."),
         .add = tr("Add node"),
         .duplicate = tr("Duplicate nodes"),
         .remove = tr("Remove nodes"),
         .tooMany = tr("There can be %1 nodes at most.").arg(plan::limits::mostNodes)},
        parent),
      m_document(document)
{
    m_pages = new EditorPages(*new NodeTableModel(document, this), document.undoStack());
    CellTableView& nodes = m_pages->table();
    nodes.setAccessibleName(tr("Nodes"));
    nodes.fitColumns(static_cast<int>(NodeField::Name));
    m_links = new LinkPage(document);
    m_pages->addPage(m_links, [this] { return m_links->table().finishEditing(); });
    m_general = new GeneralForm(document);
    m_pages->addPage(m_general, [this] { return m_general->finishEditing(); });
    m_freeLinks = new ProblemBar;
    link();
    begin(m_pages, *m_pages, {.bars = {m_freeLinks}});
    renewFreeLinks();
}

void EnvironmentPanel::link()
{
    connect(&m_document, &EnvironmentDocument::changed, this, &EnvironmentPanel::renewFreeLinks);
    // Undo and redo show what they change; nodes that came are chosen, so that one sees which they
    // are.
    connect(&m_document, &EnvironmentDocument::reset, this, [this](const QList<int>& came) {
        m_pages->follow(static_cast<int>(Page::Nodes));
        m_pages->choose(came, 0);
    });
    connect(&m_document, &EnvironmentDocument::nodesEdited, this,
            [this] { m_pages->follow(static_cast<int>(Page::Nodes)); });
    connect(&m_document, &EnvironmentDocument::linksEdited, this,
            [this] { m_pages->follow(static_cast<int>(Page::Links)); });
    connect(&m_document, &EnvironmentDocument::generalEdited, this,
            [this] { m_pages->follow(static_cast<int>(Page::General)); });
    connect(&m_links->table(), &CellTableView::refused, this,
            [this](const QString& reason) { tell(reason, true); });
}

bool EnvironmentPanel::hasRoom() const { return m_document.nodeCount() < plan::limits::mostNodes; }

QString EnvironmentPanel::removeRows(const QList<int>& rows)
{
    m_document.removeNodes(rows);
    return tr("%n node(s) removed, with the links from and to them.", nullptr,
              static_cast<int>(rows.size()));
}

void EnvironmentPanel::renewMore()
{
    if (m_document.isEmpty() && m_document.path().isEmpty())
        setName({}, {});
    m_pages->setTabText(0, tr("&Nodes (%1)").arg(m_document.nodeCount()));
    const std::size_t own = m_links->model().ownLinks();
    m_pages->setTabText(
        1, own > 0 ? tr("&Links (%n own)", nullptr, static_cast<int>(own)) : tr("&Links"));
    m_pages->setTabText(2, tr("&General"));
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

} // namespace tasuki
