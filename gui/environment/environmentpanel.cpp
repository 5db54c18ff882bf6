// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentpanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "generalform.h"
#include "linkpage.h"
#include "nodetablemodel.h"
#include "views/theme.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>
#include <set>

namespace tasuki {

EnvironmentPanel::~EnvironmentPanel() = default;

void EnvironmentPanel::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

EnvironmentPanel::Page EnvironmentPanel::page() const
{
    return static_cast<Page>(m_tabs->currentIndex());
}

QString EnvironmentPanel::fileName() const
{
    return m_document.path().isEmpty() ? tr("New environment")
                                       : QFileInfo(m_document.path()).fileName();
}

QString EnvironmentPanel::title() const
{
    return m_document.isClean() ? fileName() : fileName() + QStringLiteral(" *");
}

void EnvironmentPanel::renew()
{
    const bool empty = m_document.isEmpty();
    const bool opening = m_document.isOpening();
    const auto count = static_cast<int>(m_document.nodeCount());
    m_stack->setCurrentIndex(empty ? 0 : 1);
    m_emptyText->setText(opening ? tr("The environment is being read...")
                                 : tr("No environment yet. Open one, add a node, or measure with "
                                      "tasuki-agent probe."));
    m_name->setText(fileName());
    m_name->setToolTip(m_document.path());
    m_name->setVisible(!empty || !m_document.path().isEmpty());
    m_mark->setVisible(!m_document.isClean());

    m_save->setEnabled(!empty && (!m_document.isClean() || m_document.path().isEmpty()));
    m_saveAs->setEnabled(!empty);
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

void EnvironmentPanel::renewMessage(const QString& text, bool wrong)
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

void EnvironmentPanel::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(
        window(), tr("Open an environment"), QFileInfo(m_document.path()).path(),
        tr("Environments (*.toml)") + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void EnvironmentPanel::open(const QString& path)
{
    if (mayDiscard())
        m_document.open(path);
}

void EnvironmentPanel::takeOpened(const QString& path, bool taken,
                                  const std::vector<Diagnostic>& diagnostics)
{
    const QString name = QFileInfo(path).fileName();
    const auto count = static_cast<int>(diagnostics.size());
    if (!taken) {
        m_problems->show(theme::Tint::Failure,
                         tr("%1 cannot be used: %n thing(s) wrong in it", nullptr, count).arg(name),
                         diagnostics);
    } else if (!diagnostics.empty()) {
        m_problems->show(theme::Tint::Warning,
                         tr("%1 is open; %n thing(s) to note", nullptr, count).arg(name),
                         diagnostics);
    } else {
        m_problems->hide();
    }
    renew();
}

bool EnvironmentPanel::save()
{
    return m_document.path().isEmpty() ? saveAs() : saveTo(m_document.path());
}

bool EnvironmentPanel::saveAs()
{
    if (!finishEditing())
        return false;
    const QString before = m_document.path();
    QString path = QFileDialog::getSaveFileName(
        window(), tr("Save the environment"),
        before.isEmpty() ? QStringLiteral("environment.toml") : before,
        tr("Environments (*.toml)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".toml");
    return saveTo(path);
}

bool EnvironmentPanel::saveTo(const QString& path)
{
    if (!finishEditing()) {
        renewMessage(tr("It was not saved: what is being typed is wrong."), true);
        return false;
    }
    const Result<void> saved = m_document.save(path);
    const QString name = QFileInfo(path).fileName();
    if (!saved) {
        m_problems->show(theme::Tint::Failure, tr("%1 cannot be saved").arg(name),
                         QString::fromStdString(saved.error().text()));
        return false;
    }
    m_problems->hide();
    renewMessage({}, false);
    Q_EMIT said(tr("The environment is in %1.").arg(path));
    renew();
    return true;
}

bool EnvironmentPanel::mayDiscard()
{
    if (!finishEditing())
        return false;
    if (m_document.isClean())
        return true;
    QMessageBox question(QMessageBox::Question, tr("Environment"),
                         tr("%1 has edits that are not saved.").arg(fileName()),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window());
    question.setDefaultButton(QMessageBox::Save);
    switch (question.exec()) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard: return true;
    default: return false;
    }
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
        renewMessage(tr("There can be %1 nodes at most.").arg(plan::limits::mostNodes), true);
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
    renewMessage(tr("%n node(s) removed, with the links from and to them.", nullptr,
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
