// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologypanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "config/topologyrules.h"
#include "fileconflictdialog.h"
#include "outcomeview.h"

#include <QAction>

namespace tasuki {

TopologyPanel::TopologyPanel(TopologyDocument& document, QWidget* parent)
    : FileEditorPanel(
        document,
        {.file = tr("File of the topology"),
         .fresh = tr("New topology"),
         .openTitle = tr("Open a topology"),
         .saveTitle = tr("Save the topology"),
         .suggestion = QStringLiteral("topology.toml"),
         .filter = tr("Topologies (*.toml)"),
         .kind = tr("Topology"),
         .saved = tr("The topology is in %1."),
         .reading = tr("The topology is being read..."),
         .beginning = tr("A topology says which processors a system consists of, which of them "
                         "are standbys, and when one of them counts as lost. Add its first "
                         "subcluster, or open a file."),
         .add = tr("Add a subcluster"),
         .duplicate = tr("Duplicate subclusters"),
         .remove = tr("Remove subclusters"),
         .tooMany =
             tr("There can be %1 subclusters at most.").arg(config::limits::mostSubclusters)},
        parent),
      m_document(document)
{
    m_up = makeAction(QStringLiteral("moveup"), tr("Move up"), {QKeySequence(tr("Alt+Up"))});
    m_down = makeAction(QStringLiteral("movedown"), tr("Move down"),
                        {QKeySequence(tr("Alt+Down"))});
    m_changes = makeAction(QStringLiteral("difference"), tr("Show what saving changes"),
                           {QKeySequence(tr("Ctrl+E"))});
    connect(m_up, &QAction::triggered, this, [this] { move(true); });
    connect(m_down, &QAction::triggered, this, [this] { move(false); });
    connect(m_changes, &QAction::triggered, this,
            [this] { m_outcome->showPage(OutcomeView::Page::Changes); });
    QWidget* const editors = makeEditors();
    begin(editors, m_editors->pages(), {.rows = {m_up, m_down}, .steps = {m_changes}});
    noteOpened();
}

QWidget* TopologyPanel::makeEditors()
{
    m_editors = new TopologyEditors(m_document.edited());
    m_outcome = new OutcomeView(m_document);
    connect(m_outcome, &OutcomeView::placeWanted, this, &TopologyPanel::showPlace);
    return stack(m_editors, m_outcome);
}

void TopologyPanel::renewMore()
{
    m_changes->setEnabled(!m_document.isEmpty());
    const QList<int> rows = pages().hasChosenRow() ? pages().chosenRows() : QList<int>();
    m_up->setEnabled(m_document.edited().canMove(rows, true));
    m_down->setEnabled(m_document.edited().canMove(rows, false));
    Q_EMIT titleChanged();
}

bool TopologyPanel::finishEditing()
{
    return FileEditorPanel::finishEditing() && m_outcome->finishEditing();
}

void TopologyPanel::focusEditors()
{
    if (m_document.isEmpty())
        setFocus();
    else
        table().setFocus();
}

bool TopologyPanel::duplicateRows(const QList<int>& rows)
{
    return m_document.edited().duplicate(rows);
}

QString TopologyPanel::removeRows(const QList<int>& rows)
{
    m_document.edited().remove(rows);
    return tr("%n subcluster(s) removed.", nullptr, static_cast<int>(rows.size()));
}

void TopologyPanel::move(bool up)
{
    if (finishEditing() && m_document.edited().move(pages().chosenRows(), up))
        table().setFocus();
}

void TopologyPanel::beginNew()
{
    if (!mayDiscard())
        return;
    problems().hide();
    m_document.clear();
}

/// The file is written anew when it is saved.
void TopologyPanel::noteOpened()
{
    const std::vector<std::string> comments = m_document.ownComments();
    if (comments.empty())
        return;
    QString first = QStringLiteral("# ") + QString::fromStdString(comments.front());
    if (comments.size() > 1)
        first += QStringLiteral(" ...");
    problems().show(theme::Tint::Warning,
                    tr("Saving writes the file anew: %n comment(s) of its own would be lost",
                       nullptr, static_cast<int>(comments.size())),
                    first);
}

bool TopologyPanel::maySave()
{
    if (m_document.edited().faults().empty() || m_document.isEmpty())
        return true;
    m_editors->showFirstFault();
    tell(tr("It was not saved: what is said above has to be mended first."), true);
    return false;
}

Standing TopologyPanel::askWhatStands(const FileOnDisk& file)
{
    FileConflictDialog question(m_document, file, window());
    question.exec();
    return question.choice();
}

} // namespace tasuki
