// SPDX-License-Identifier: GPL-3.0-or-later
#include "runningpanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "config/topologyfile.h"
#include "conflictlist.h"
#include "diffview.h"
#include "models/wording.h"
#include "views/processoractions.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>

namespace tasuki {

RunningPanel::~RunningPanel() = default;

void RunningPanel::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

RunningPanel::Page RunningPanel::page() const { return static_cast<Page>(m_tabs->currentIndex()); }

QByteArray RunningPanel::layoutState() const { return m_rows->saveState(); }

bool RunningPanel::restoreLayoutState(const QByteArray& state)
{
    return m_rows->restoreState(state);
}

QString RunningPanel::emptyText() const
{
    if (!m_topology.problem().isEmpty())
        return m_topology.problem();
    if (m_models.session.loading())
        return tr("Loading...");
    return tr("This run has not told of a topology: a run gets one when it is started with "
              "--topology, and tells of it when its processors are there.");
}

void RunningPanel::renew()
{
    TopologyDocument& document = m_topology.document();
    const bool known = m_topology.revision().has_value() && !document.isEmpty();
    const bool sending = m_topology.isSending();
    const auto count = static_cast<int>(document.changes().size());
    showEditors(known, emptyText());
    const auto& layout = m_models.session.state().system().layout();
    setName(known ? tr("Running topology, revision %1").arg(*m_topology.revision() + 1)
                  : tr("Running topology"),
            layout && !layout->topologyFile.empty()
                ? tr("The run was started with %1.").arg(wording::text(layout->topologyFile))
                : QString());
    setMark(!known          ? QString()
                : sending   ? tr("being applied...")
                : count > 0 ? tr("%n value(s) not applied", nullptr, count)
                            : QString());
    const QString whyNot = m_topology.whyNot();
    m_apply->setEnabled(whyNot.isEmpty());
    m_apply->setToolTip(whyNot.isEmpty()
                            ? tr("Change the system as it runs (%1)")
                                  .arg(m_apply->shortcut().toString(QKeySequence::NativeText))
                            : whyNot);
    m_discard->setEnabled(known && count > 0);
    m_saveAs->setEnabled(known);
    m_changes->setEnabled(known);
    renewSteps(*m_undo, *m_redo, document.undoStack());
    m_tabs->setTabText(0, tr("Processors (%1)").arg(m_processors->model()->rowCount()));
    m_later.start();
}

void RunningPanel::renewNow()
{
    m_later.stop();
    renew();
    m_later.stop();
    renewDiff();
}

void RunningPanel::renewDiff()
{
    const TopologyDocument& document = m_topology.document();
    if (document.isEmpty())
        return;
    m_diff->compare(config::topologyFileText(document.known()), document.textToSave());
    m_diff->setHeadline(m_diff->isSame()
                            ? tr("Nothing is edited: this is how the system runs.")
                            : tr("This is what applying would change in the running system:"));
    m_tabs->setTabText(
        1,
        m_diff->isSame()
            ? tr("Changes")
            : tr("Changes (+%1 \u2212%2)").arg(m_diff->added()).arg(m_diff->removed()));
}

void RunningPanel::apply()
{
    if (!finishEditing())
        return;
    if (!m_topology.document().faults().empty()) {
        m_editors->showFirstFault();
        return;
    }
    problems().hide();
    m_topology.apply();
}

void RunningPanel::showRefusal(const QString& reason)
{
    QStringList lines;
    m_problemPlaces = m_topology.refusedPlaces();
    for (const TopologyPlace& place : m_problemPlaces)
        lines << placeName(m_topology.document(), place);
    problems().showPlaces(theme::Tint::Failure,
                          tr("The system did not take the change: %1").arg(reason), lines);
    Q_EMIT said(problems().headline());
}

void RunningPanel::showFollowed(const std::vector<TopologyPlace>& taken, bool kept)
{
    if (!kept) {
        m_problemPlaces.clear();
        problems().show(theme::Tint::Warning,
                        tr("The system was laid out anew, with other subclusters. What was edited "
                           "here does not fit any more; Undo shows it again."),
                        QString());
        return;
    }
    if (taken.empty())
        return;
    QStringList lines;
    m_problemPlaces = taken;
    for (const TopologyPlace& place : taken)
        lines << tr("%1 (now %2)", "setting, value")
                     .arg(placeName(m_topology.document(), place),
                          placeValue(place,
                                     m_topology.document().knownText(place).value_or(QString())));
    problems().showPlaces(theme::Tint::Information,
                          tr("Others have changed the running system. %n value(s) are shown as "
                             "they are now:",
                             nullptr, static_cast<int>(taken.size())),
                          lines);
}

void RunningPanel::saveAs()
{
    if (!finishEditing())
        return;
    QString path = QFileDialog::getSaveFileName(window(), tr("Save the running topology"),
                                                QStringLiteral("topology.toml"),
                                                tr("Topologies (*.toml)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".toml");
    saveTo(path);
}

bool RunningPanel::saveTo(const QString& path)
{
    const TopologyDocument& document = m_topology.document();
    if (!finishEditing())
        return false;
    if (!document.faults().empty()) {
        m_editors->showFirstFault();
        return false;
    }
    const Result<void> saved = config::writeTopologyFile(QFile::encodeName(path).toStdString(),
                                                         document.topology());
    if (!saved) {
        m_problemPlaces.clear();
        problems().show(theme::Tint::Failure,
                        tr("%1 cannot be saved").arg(QFileInfo(path).fileName()),
                        wording::text(saved.error().text()));
        return false;
    }
    Q_EMIT said(document.isClean()
                    ? tr("The topology as it runs is in %1.").arg(path)
                    : tr("The topology is in %1, with what is edited and not applied.").arg(path));
    return true;
}

void RunningPanel::retrace(bool undo)
{
    if (!finishEditing())
        return;
    m_editors->retrace(undo);
    renew();
}

void RunningPanel::showMenu(QPoint at)
{
    if (!m_processors->indexAt(at).isValid())
        return;
    QMenu menu(this);
    m_actions->fill(menu);
    menu.exec(m_processors->viewport()->mapToGlobal(at));
}

} // namespace tasuki
