// SPDX-License-Identifier: GPL-3.0-or-later
#include "runningpanel.h"

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "config/topologyfile.h"
#include "conflictlist.h"
#include "diffview.h"
#include "models/wording.h"
#include "topologycells.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds diffDelay{40};

} // namespace

RunningPanel::RunningPanel(RunModels& models, RunningTopology& topology, QWidget* parent)
    : EditorPanel(topology.document().undoStack(), parent), m_models(models), m_topology(topology)
{
    makeActions();
    m_conflicts = new ConflictList(topology, this);
    QWidget* const body = makeBody();
    putTogether({.nameTitle = tr("Running topology"),
                 .first = makeApplyButton(),
                 .buttons = {{m_discard, m_saveAs}, {&undoAction(), &redoAction(), m_changes}},
                 .bars = {m_conflicts},
                 .editors = body,
                 .pages = &m_editors->pages()});
    m_later.setSingleShot(true);
    m_later.setInterval(diffDelay);
    setFocusProxy(&m_editors->table());
    link();
    renewNow();
}

void RunningPanel::makeActions()
{
    m_apply = makeAction(QStringLiteral("send"), tr("Apply to the running system"),
                         {QKeySequence(tr("Ctrl+Return"))});
    m_discard = makeAction(QStringLiteral("discard"), tr("Discard what is not applied"), {});
    m_saveAs = makeAction(QStringLiteral("saveas"), tr("Save as a file..."),
                          {QKeySequence(tr("Ctrl+Shift+S"))});
    m_changes = makeAction(QStringLiteral("difference"), tr("Show what applying changes"),
                           {QKeySequence(tr("Ctrl+E"))});
    connect(m_apply, &QAction::triggered, this, &RunningPanel::apply);
    connect(m_discard, &QAction::triggered, this, [this] {
        if (finishEditing())
            m_topology.discard();
    });
    connect(m_saveAs, &QAction::triggered, this, &RunningPanel::saveAs);
    connect(m_changes, &QAction::triggered, this, [this] { showPage(Page::Changes); });
}

QWidget* RunningPanel::makeApplyButton()
{
    auto* apply = new QPushButton(m_apply->icon(), tr("Apply"));
    connect(apply, &QPushButton::clicked, m_apply, &QAction::trigger);
    connect(m_apply, &QAction::changed, apply, [this, apply] {
        apply->setEnabled(m_apply->isEnabled());
        apply->setToolTip(m_apply->toolTip());
    });
    return apply;
}

QWidget* RunningPanel::makeBody()
{
    m_editors = new TopologyEditors(m_topology.document());
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_processors = new RunningProcessors(m_models);
    m_tabs->addTab(m_processors, QString());
    m_diff = new DiffView;
    m_tabs->addTab(m_diff, QString());
    return stack(m_editors, m_tabs);
}

void RunningPanel::link()
{
    connect(&m_later, &QTimer::timeout, this, &RunningPanel::renewDiff);
    connect(&m_topology, &RunningTopology::changed, this, &RunningPanel::renew);
    connect(&m_topology.document(), &LiveTopology::marksChanged, this, &RunningPanel::renew);
    connect(&m_topology.document().undoStack(), &QUndoStack::indexChanged, this,
            &RunningPanel::renew);
    connect(&m_topology, &RunningTopology::refused, this, &RunningPanel::showRefusal);
    connect(&m_topology, &RunningTopology::followed, this, &RunningPanel::showFollowed);
    connect(&m_topology, &RunningTopology::applied, this, [this](int count) {
        problems().hide();
        Q_EMIT said(tr("The running system has taken %n value(s).", nullptr, count));
    });
    connect(m_processors, &RunningProcessors::countChanged, this, &RunningPanel::renew);
    connect(m_processors, &RunningProcessors::said, this, &RunningPanel::said);
    connect(&m_models.session, &Session::loadingChanged, this, &RunningPanel::renew);
    connect(&pages(), &EditorPages::refused, this, [this](const QString& reason) {
        m_problemPlaces.clear();
        problems().show(theme::Tint::Warning, reason, QString());
    });
    connect(m_conflicts, &ConflictList::placeWanted, m_editors, &TopologyEditors::showPlace);
    connect(&problems(), &ProblemBar::placeWanted, this, [this](int line) {
        const auto place = static_cast<std::size_t>(line);
        if (place < m_problemPlaces.size())
            m_editors->showPlace(m_problemPlaces[place]);
    });
}

void RunningPanel::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

RunningPanel::Page RunningPanel::page() const { return static_cast<Page>(m_tabs->currentIndex()); }

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
    const LiveTopology& document = m_topology.document();
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
    renewSteps();
    m_tabs->setTabText(0, tr("Processors (%1)").arg(m_processors->count()));
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
    const LiveTopology& document = m_topology.document();
    if (document.isEmpty())
        return;
    m_diff->compare(config::topologyFileText(document.known()),
                    config::topologyFileText(document.topology()));
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
        lines << placeName(m_topology.document().topology(), place);
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
                     .arg(placeName(m_topology.document().topology(), place),
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
    const LiveTopology& document = m_topology.document();
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

} // namespace tasuki
