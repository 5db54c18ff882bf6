// SPDX-License-Identifier: GPL-3.0-or-later
#include "planpage.h"

#include "bundlefiles.h"
#include "cells/problembar.h"
#include "chart/allocationpanel.h"
#include "chart/allocationtext.h"
#include "environment/environmentpanel.h"
#include "folderdialog.h"
#include "losstext.h"
#include "placechooser.h"
#include "tracetimeline/tracecomparison.h"
#include "views/icons.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace tasuki::planner {

namespace {

constexpr int progressSteps = 1000;
// The splitter gives the window's width in this proportion.
constexpr int firstCentreWidth = 1000;
constexpr int firstSideWidth = 480;
constexpr int gap = 12;

/// What stands above the selected allocation's timeline.
enum class Beside : std::uint8_t { Traced, Best };

} // namespace

PlanPage::PlanPage(PlanDocument& document, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_document(document), m_preferences(preferences)
{
    m_problems = new ProblemBar;
    m_loss = new ProblemBar;
    m_loss->setAction(tr("Search here"));
    m_allocations = new AllocationPanel(document.allocations());
    m_environment = new EnvironmentPanel(document.environment());
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->setChildrenCollapsible(false);
    m_rows->addWidget(m_allocations);
    m_rows->addWidget(makeTimelines());
    m_rows->setStretchFactor(0, 1);
    m_rows->setStretchFactor(1, 1);
    m_columns = new QSplitter(Qt::Horizontal);
    m_columns->setChildrenCollapsible(false);
    m_columns->addWidget(m_rows);
    m_columns->addWidget(m_environment);
    m_columns->setStretchFactor(0, 3);
    m_columns->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    layout->addWidget(m_problems);
    layout->addWidget(m_loss);
    layout->addWidget(m_columns, 1);
    if (!m_columns->restoreState(preferences.layout(QStringLiteral("plan-columns"))))
        m_columns->setSizes({firstCentreWidth, firstSideWidth});
    if (!m_rows->restoreState(preferences.layout(QStringLiteral("plan-rows"))))
        m_rows->setSizes({1, 1});
    link();
    renewState();
    renewProblems();
    renewLoss();
    renewTimelines();
    if (document.allocations().selected())
        document.session().select(*document.allocations().selected());
}

PlanPage::~PlanPage()
{
    m_preferences.setLayout(QStringLiteral("plan-columns"), m_columns->saveState());
    m_preferences.setLayout(QStringLiteral("plan-rows"), m_rows->saveState());
}

QWidget* PlanPage::makeHeader()
{
    auto* header = new QWidget;
    m_name = new QLabel;
    QFont bold = m_name->font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_summary = new QLabel;
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_models = new QComboBox;
    m_models->addItem(tr("replay: causal"));
    m_models->addItem(tr("lsmg: as in the paper"));
    m_models->setToolTip(tr("How runtimes are predicted"));
    m_models->setAccessibleName(tr("Model"));
    m_places = new PlaceChooser(m_document, m_preferences);
    auto* places = new QLabel(tr("Sea&rch:"));
    places->setBuddy(m_places);
    places->setVisible(false);
    connect(m_places, &PlaceChooser::offersAgents, places, &QWidget::setVisible);
    m_progress = new QProgressBar;
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(true);
    m_progress->setMinimumWidth(160);
    m_search = new QPushButton;
    m_bundle = new QPushButton(icons::named(QStringLiteral("save")), tr("Write &bundle..."));
    m_bundle->setToolTip(
        tr("Write what mpirun needs to start the program as the selected allocation says"));
    auto* model = new QLabel(tr("&Model:"));
    model->setBuddy(m_models);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(9, 6, 9, 6);
    row->addWidget(m_name);
    row->addWidget(m_summary, 1);
    row->addWidget(m_progress);
    row->addWidget(model);
    row->addWidget(m_models);
    row->addWidget(places);
    row->addWidget(m_places);
    row->addWidget(m_search);
    row->addWidget(m_bundle);
    m_summary->setMinimumWidth(0);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return header;
}

QWidget* PlanPage::makeTimelines()
{
    auto* part = new QWidget;
    m_comparison = new QComboBox;
    m_comparison->addItem(tr("the trace"));
    m_comparison->addItem(tr("the best allocation"));
    m_comparison->setAccessibleName(tr("Compare with"));
    auto* label = new QLabel(tr("Compare &with:"));
    label->setBuddy(m_comparison);
    auto* path = new QCheckBox(tr("Critical &path"));
    path->setChecked(true);
    auto* messages = new QCheckBox(tr("Mess&ages"));
    messages->setChecked(true);
    auto* picture = new QToolButton;
    picture->setIcon(icons::named(QStringLiteral("save")));
    picture->setToolTip(tr("Save the timelines as a picture"));
    picture->setAccessibleName(tr("Save the timelines as a picture"));
    picture->setAutoRaise(true);
    m_explanation = new QLabel;
    m_explanation->setWordWrap(true);
    m_explanation->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_timelines = new TraceComparison;
    m_timelines->setCriticalPathVisible(true);
    m_timelines->upper().setEmptyText(tr("Open a trace to see what its tasks did."));
    m_timelines->lower().setEmptyText(tr("Select an allocation to see what the tasks would do."));
    connect(path, &QCheckBox::toggled, m_timelines, &TraceComparison::setCriticalPathVisible);
    connect(messages, &QCheckBox::toggled, m_timelines, &TraceComparison::setMessagesVisible);
    connect(picture, &QToolButton::clicked, this, &PlanPage::chooseTimelinePicture);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(9, 4, 9, 4);
    row->addWidget(label);
    row->addWidget(m_comparison);
    row->addSpacing(gap);
    row->addWidget(path);
    row->addWidget(messages);
    row->addSpacing(gap);
    row->addWidget(m_explanation, 1);
    row->addWidget(picture);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_timelines, 1);
    return part;
}

void PlanPage::link()
{
    PlanSession& session = m_document.session();
    connect(&session, &PlanSession::stateChanged, this, &PlanPage::renewState);
    connect(&session, &PlanSession::resultChanged, this, &PlanPage::renewState);
    connect(&session, &PlanSession::stateChanged, this, &PlanPage::renewProblems);
    connect(&session, &PlanSession::searchProgress, this, &PlanPage::renewProgress);
    connect(&session, &PlanSession::loadingProgress, this, [this](quint64 bytes, quint64 total) {
        m_progress->setValue(total == 0 ? 0 : static_cast<int>(bytes * progressSteps / total));
    });
    connect(&session, &PlanSession::timelineReady, this, &PlanPage::takeTimelines);
    connect(&session, &PlanSession::resultChanged, this, [this] {
        if (!m_document.session().result()) {
            m_shown.reset();
            renewTimelines();
        }
    });
    connect(&session, &PlanSession::loadedChanged, this, &PlanPage::renewTimelines);
    connect(&m_document.environment(), &EnvironmentDocument::changed, this, &PlanPage::renewState);
    m_models->setCurrentIndex(session.model() == Model::Lsmg ? 1 : 0);
    connect(m_models, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_document.session().setModel(index == 1 ? Model::Lsmg : Model::Replay);
    });
    connect(&session, &PlanSession::stateChanged, this, &PlanPage::renewLoss);
    connect(m_loss, &ProblemBar::actionWanted, this, &PlanPage::searchHere);
    connect(m_search, &QPushButton::clicked, this, [this] {
        if (m_document.session().state() == PlanSession::State::Empty)
            Q_EMIT traceWanted();
        else
            search();
    });
    connect(m_bundle, &QPushButton::clicked, this, &PlanPage::chooseBundle);
    connect(m_comparison, &QComboBox::currentIndexChanged, this, &PlanPage::renewTimelines);
    connect(m_allocations, &AllocationPanel::measurementsWanted, this,
            &PlanPage::chooseMeasurements);
    connect(m_allocations, &AllocationPanel::said, this, &PlanPage::said);
    connect(m_environment, &EnvironmentPanel::said, this, &PlanPage::said);
}

void PlanPage::setAgents(const QList<AgentEntry>& agents) { m_places->setAgents(agents); }

QComboBox& PlanPage::places() { return *m_places; }

void PlanPage::searchHere()
{
    m_places->chooseHere();
    m_document.session().search();
}

void PlanPage::renewLoss()
{
    const QString& failure = m_document.session().failure();
    if (failure.isEmpty())
        m_loss->hide();
    else
        m_loss->show(theme::Tint::Warning, tr("The agent did not search to the end"), failure);
}

void PlanPage::search()
{
    PlanSession& session = m_document.session();
    if (session.state() == PlanSession::State::Ready)
        session.search();
    else
        session.cancel();
}

QString PlanPage::title() const { return QFileInfo(m_document.session().path()).fileName(); }

QString PlanPage::explanation() const { return m_explanation->text(); }

QString PlanPage::summary() const
{
    const LoadedTrace& loaded = m_document.session().loaded();
    if (!loaded.trace)
        return {};
    const QLocale locale;
    return tr("%1 tasks, %2 records, %3 as traced")
        .arg(loaded.trace->tasks())
        .arg(locale.toString(static_cast<qulonglong>(loaded.trace->events.size())))
        .arg(TimeText(plan::TimeScale(loaded.tracedUs, loaded.tracedUs)).text(loaded.tracedUs));
}

void PlanPage::renewState()
{
    const PlanSession& session = m_document.session();
    const auto state = session.state();
    const bool works = state == PlanSession::State::Loading
        || state == PlanSession::State::Searching;
    const QString obstacle = session.obstacle();
    m_name->setText(title().isEmpty() ? tr("No trace") : title());
    m_name->setToolTip(session.path());
    m_summary->setText(state == PlanSession::State::Loading ? tr("reading...") : summary());
    m_progress->setVisible(works);
    if (works)
        renewProgress();
    if (works)
        m_search->setText(tr("&Cancel"));
    else if (state == PlanSession::State::Empty)
        m_search->setText(tr("&Open trace..."));
    else
        m_search->setText(tr("&Search"));
    m_search->setEnabled(state != PlanSession::State::Ready || obstacle.isEmpty());
    m_search->setToolTip(obstacle);
    m_allocations->setEmptyText(
        obstacle.isEmpty() ? (works ? tr("Searching...")
                                    : tr("Search to see how long the program would take under "
                                         "each allocation of its tasks to nodes."))
                           : obstacle);
    m_allocations->setMeasurementsEnabled(obstacle.isEmpty());
    m_bundle->setEnabled(session.result().has_value()
                         && m_document.allocations().selected().has_value());
}

void PlanPage::renewProgress()
{
    const PlanSession& session = m_document.session();
    m_progress->setFormat(QStringLiteral("%p%"));
    m_progress->setToolTip({});
    if (session.state() != PlanSession::State::Searching) {
        m_progress->setValue(0);
        return;
    }
    const SearchProgress& progress = session.progress();
    const double share = progress.total == 0
        ? 0.0
        : static_cast<double>(progress.tried) / static_cast<double>(progress.total);
    m_progress->setValue(static_cast<int>(share * progressSteps));
    const QLocale locale;
    switch (progress.phase) {
    case SearchPhase::Sending: m_progress->setFormat(tr("sending, %p%")); break;
    case SearchPhase::Waiting: m_progress->setFormat(tr("waiting")); break;
    case SearchPhase::Reading: m_progress->setFormat(tr("reading")); break;
    case SearchPhase::Searching:
        m_progress->setToolTip(tr("%1 of %2 allocations")
                                   .arg(locale.toString(static_cast<qulonglong>(progress.tried)),
                                        AllocationText::numberText(progress.allocations)));
        break;
    }
    if (progress.phase == SearchPhase::Waiting)
        m_progress->setToolTip(tr("The agent works out other plans first"));
}

void PlanPage::renewProblems()
{
    const PlanSession& session = m_document.session();
    if (session.state() == PlanSession::State::Loading) {
        m_problems->hide();
        return;
    }
    std::vector<Diagnostic> diagnostics = session.loaded().diagnostics;
    if (session.result()) {
        const auto& more = session.result()->diagnostics;
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
    if (diagnostics.empty())
        return;
    const bool failed = std::ranges::any_of(diagnostics, &Diagnostic::isError);
    m_problems->show(
        failed ? theme::Tint::Failure : theme::Tint::Warning,
        failed ? tr("The trace cannot be used")
               : tr("%n note(s) on the trace", nullptr, static_cast<int>(diagnostics.size())),
        diagnostics);
}

QStringList PlanPage::nodesOf(const plan::Allocation& allocation) const
{
    QStringList names;
    const auto& result = m_document.session().result();
    if (!result)
        return names;
    for (const plan::Node node : allocation)
        names.push_back(QString::fromStdString(result->environment->nodes[node.value()].name));
    return names;
}

void PlanPage::takeTimelines(const TimelineResult& result)
{
    m_shown = result;
    renewTimelines();
    renewState();
}

void PlanPage::renewTimelines()
{
    const PlanSession& session = m_document.session();
    const LoadedTrace& loaded = session.loaded();
    const bool shows = m_shown && m_shown->timeline && session.result();
    const auto beside = static_cast<Beside>(m_comparison->currentIndex());
    TraceComparison::Part upper{.caption = tr("As traced"),
                                .timeline = loaded.timeline,
                                .trace = loaded.trace,
                                .rowLabels = {}};
    if (shows && beside == Beside::Best) {
        const auto best = session.result()->ranking.best().front().allocation;
        upper.caption = (session.isUnfinished() ? tr("The best so far: %1") : tr("The best: %1"))
                            .arg(nodesOf(best).join(QStringLiteral(", ")));
        upper.timeline = m_shown->best;
        upper.rowLabels = nodesOf(best);
    }
    m_timelines->setUpper(upper);
    TraceComparison::Part lower;
    if (shows) {
        const QStringList nodes = nodesOf(m_shown->allocation);
        lower = {.caption = tr("Predicted: %1").arg(nodes.join(QStringLiteral(", "))),
                 .timeline = m_shown->timeline,
                 .trace = loaded.trace,
                 .rowLabels = nodes};
        m_explanation->setText(
            lossText(*m_shown->timeline, *m_shown->best, nodes, session.isUnfinished()));
    } else {
        m_explanation->clear();
    }
    m_timelines->setLower(lower);
}

bool PlanPage::mayClose() { return m_environment->mayDiscard(); }

void PlanPage::openEnvironment(const QString& path) { m_environment->open(path); }

void PlanPage::chooseMeasurements()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open measured runtimes"), {},
                                                      tr("Tables (*.csv)") + QStringLiteral(";;")
                                                          + tr("All files (*)"));
    if (!path.isEmpty())
        loadMeasurements(path);
}

void PlanPage::loadMeasurements(const QString& path)
{
    const std::vector<Diagnostic> diagnostics = m_document.session().loadMeasurements(path);
    if (diagnostics.empty())
        Q_EMIT said(tr("Measured runtimes of %n allocation(s)", nullptr,
                       static_cast<int>(m_document.session().measurements().size())));
    else
        m_problems->show(theme::Tint::Failure, tr("The measured runtimes cannot be used"),
                         diagnostics);
}

void PlanPage::loadMeasurementsLater(const QString& path)
{
    m_laterMeasurements = path;
    const auto load = [this] {
        if (!m_laterMeasurements.isEmpty() && m_document.session().result())
            loadMeasurements(std::exchange(m_laterMeasurements, {}));
    };
    connect(&m_document.session(), &PlanSession::resultChanged, this, load, Qt::QueuedConnection);
    load();
}

void PlanPage::chooseBundle()
{
    const QFileInfo trace(m_document.session().path());
    FolderDialog dialog(this, tr("Write the bundle into a folder"),
                        trace.dir().filePath(trace.completeBaseName() + QStringLiteral(".plan")));
    if (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty())
        writeBundle(dialog.selectedFiles().front());
}

void PlanPage::writeBundle(const QString& folder)
{
    const auto& result = m_document.session().result();
    const auto& selected = m_document.allocations().selected();
    if (!result || !selected)
        return;
    const BundleOutcome outcome = writeBundleFiles(
        folder, plan::launchBundle(*result->environment, *selected));
    if (!outcome.problem.isEmpty()) {
        m_problems->show(theme::Tint::Failure, tr("The bundle was not written"), outcome.problem);
        return;
    }
    m_problems->show(outcome.warnings.isEmpty() ? theme::Tint::Information : theme::Tint::Warning,
                     tr("The bundle is written; start the program with %1").arg(outcome.script),
                     outcome.warnings);
}

void PlanPage::chooseTimelinePicture()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the timelines"),
                                                      QStringLiteral("timelines.png"),
                                                      tr("Pictures (*.png *.svg *.pdf)"));
    if (path.isEmpty())
        return;
    const Result<void> written = m_timelines->exportImage(path);
    if (written)
        Q_EMIT said(tr("Saved %1").arg(path));
    else
        m_problems->show(theme::Tint::Failure, tr("The picture was not saved"),
                         QString::fromStdString(written.error().text()));
}

} // namespace tasuki::planner
