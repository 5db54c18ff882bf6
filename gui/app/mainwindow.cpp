// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "client/agentsource.h"
#include "client/runfilesource.h"
#include "guiversion.h"
#include "linkclient/remoterun.h"
#include "mainmenus.h"
#include "planner/planpage.h"
#include "runfile/runfilereader.h"
#include "topology/runningpanel.h"
#include "topology/runningtopology.h"
#include "topology/topologypanel.h"
#include "views/helpdialogs.h"
#include "views/icons.h"
#include "views/openremotedialog.h"
#include "views/settingsdialog.h"
#include "views/startpage.h"
#include "views/taskpanel.h"
#include "views/theme.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>
#include <QTreeWidget>

#include <utility>

namespace tasuki {

namespace {

constexpr auto runFileSuffix = ".tasuki";
constexpr auto traceSuffix = ".alog";
constexpr auto configurationSuffix = ".toml";
constexpr std::chrono::milliseconds messageTime{10000};
constexpr QSize firstSize(1280, 800);
constexpr auto topologyLayout = "topology-rows";
constexpr auto runningLayout = "running-topology-rows";

std::filesystem::path toPath(const QString& path) { return QFile::encodeName(path).toStdString(); }

/// @return the one local file of a drop; empty: something else
QString droppedFile(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 ? urls.constFirst().toLocalFile() : QString();
}

} // namespace

MainWindow::MainWindow(Preferences& preferences, Languages& languages, const Clock& clock,
                       Surroundings surroundings)
    : m_preferences(preferences),
      m_languages(languages),
      m_clock(clock),
      m_finder(surroundings.accessDirectory),
      m_starter(m_finder, clock, preferences, std::move(surroundings.agentProgram), *this)
{
    setAcceptDrops(true);
    setWindowIcon(icons::application());
    m_stack = new QStackedWidget;
    setCentralWidget(m_stack);
    if (!restoreGeometry(preferences.layout(QStringLiteral("window"))))
        resize(firstSize);
    connect(&preferences, &Preferences::themeChanged, this, [this] {
        theme::apply(m_preferences.theme());
        rebuild();
    });
    connect(&preferences, &Preferences::languageChanged, this, [this] {
        m_languages.use(m_preferences.language());
        rebuild();
    });
    connect(&m_starter, &RunStarter::agentStarted, this, &MainWindow::openStarted);
    connect(&m_starter, &RunStarter::runOver, this, &MainWindow::openRunFile);
    connect(&m_starter, &RunStarter::probed, this, &MainWindow::openEnvironment);
    build();
}

MainWindow::~MainWindow()
{
    // Views go before what they show.
    setMenuBar(nullptr);
    delete m_stack;
}

void MainWindow::build()
{
    m_startPage = new StartPage(m_finder, m_preferences);
    m_stack->addWidget(m_startPage);
    connect(m_startPage, &StartPage::agentChosen, this, &MainWindow::openAgent);
    connect(m_startPage, &StartPage::runFileChosen, this, &MainWindow::openRunFile);
    connect(m_startPage, &StartPage::openWanted, this, &MainWindow::chooseRunFile);
    connect(m_startPage, &StartPage::remoteWanted, this, &MainWindow::chooseRemoteRun);
    connect(m_startPage, &StartPage::startWanted, this, [this] { startRun(); });
    connect(m_startPage, &StartPage::traceWanted, this, &MainWindow::chooseTrace);
    connect(m_startPage, &StartPage::topologyWanted, this, &MainWindow::newTopology);
    if (m_document) {
        m_page = new RunPage(*m_document, m_preferences);
        m_stack->addWidget(m_page);
        buildRunningPanel();
        connect(m_page, &RunPage::said, this, &MainWindow::say);
        connect(m_page, &RunPage::runFileWanted, this, &MainWindow::openRunFile,
                Qt::QueuedConnection);
        connect(m_page, &RunPage::resumeWanted, this, &MainWindow::resumeRun, Qt::QueuedConnection);
        connect(m_page, &RunPage::retryWanted, this, &MainWindow::retryTasks, Qt::QueuedConnection);
    }
    if (m_plan) {
        m_planPage = new planner::PlanPage(*m_plan, m_preferences);
        m_stack->addWidget(m_planPage);
        connect(m_planPage, &planner::PlanPage::said, this, &MainWindow::say);
        connect(m_planPage, &planner::PlanPage::traceWanted, this, &MainWindow::chooseTrace);
        connect(&m_finder, &AgentFinder::changed, m_planPage,
                [this] { m_planPage->setAgents(m_finder.agents()); });
        m_planPage->setAgents(m_finder.agents());
    }
    buildTopologyPage();
    showPage();
}

void MainWindow::rebuild()
{
    const RunView view = m_page == nullptr ? RunView::Overview : m_page->view();
    deletePages();
    build();
    if (m_page != nullptr)
        m_page->setView(view);
}

void MainWindow::deletePages()
{
    setMenuBar(new QMenuBar);
    keepRunningLayout();
    delete m_page;
    delete m_planPage;
    delete m_startPage;
    deleteTopologyPage();
    m_page = nullptr;
    m_planPage = nullptr;
    m_startPage = nullptr;
}

/// Each after the pages that show it.
void MainWindow::closeDocuments()
{
    m_running.reset();
    m_document.reset();
    m_plan.reset();
    m_topology.reset();
}

void MainWindow::showPage()
{
    QWidget* shown = m_startPage;
    if (m_page != nullptr)
        shown = m_page;
    else if (m_planPage != nullptr)
        shown = m_planPage;
    else if (m_topologyPage != nullptr)
        shown = m_topologyPage;
    m_stack->setCurrentWidget(shown);
    statusBar()->setVisible(shown != m_startPage);
    setMenuBar(makeMenus(*this));
    renewTitle();
    if (m_page != nullptr)
        m_page->tasks().table().setFocus();
    else if (m_planPage != nullptr)
        m_planPage->setFocus();
    else if (m_topologyPage != nullptr)
        m_topologyPage->focusEditors();
    else
        m_startPage->agents().setFocus();
}

void MainWindow::renewTitle()
{
    if (m_planPage != nullptr) {
        const QString trace = m_planPage->title();
        setWindowTitle(tr("%1 - Tasuki").arg(trace.isEmpty() ? tr("Planner") : trace));
        return;
    }
    if (m_topologyPage != nullptr) {
        setWindowTitle(tr("%1 - Tasuki").arg(m_topologyPage->title()));
        return;
    }
    if (!m_document) {
        setWindowTitle(QStringLiteral("Tasuki"));
        return;
    }
    const Session& session = m_document->models().session;
    const bool named = m_file.isEmpty() || session.isElsewhere();
    const QString name = named ? session.name() : QFileInfo(m_file).fileName();
    const QString title = tr("%1 - Tasuki").arg(name);
    const auto alarms = static_cast<int>(m_document->models().alarms.open());
    setWindowTitle(alarms == 0 ? title
                               : tr("(%n alarm(s))", nullptr, alarms) + QLatin1Char(' ') + title);
}

void MainWindow::say(const QString& text)
{
    statusBar()->showMessage(text, static_cast<int>(messageTime.count()));
}

bool MainWindow::mayClose()
{
    if (m_planPage != nullptr)
        return m_planPage->mayClose();
    if (m_topologyPage != nullptr)
        return m_topologyPage->mayDiscard();
    return !m_document || mayLoseEdits();
}

bool MainWindow::mayLoseEdits()
{
    const auto tasks = static_cast<int>(m_document->models().drafts.drafts().size());
    const auto values = static_cast<int>(m_running->document().changes().size());
    QStringList lost;
    if (tasks > 0)
        lost << tr("%n changed task(s) were not sent to the agent.", nullptr, tasks);
    if (values > 0)
        lost << tr("%n edited value(s) of the topology were not applied to the running system.",
                   nullptr, values);
    if (lost.isEmpty())
        return true;
    QMessageBox question(
        QMessageBox::Question, tr("Unsent changes"),
        tr("%1 Discard the changes?", "what was not sent").arg(lost.join(QLatin1Char(' '))),
        QMessageBox::NoButton, this);
    auto* discard = question.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    question.setDefaultButton(question.addButton(tr("&Keep"), QMessageBox::RejectRole));
    question.exec();
    return question.clickedButton() == discard;
}

void MainWindow::open(const Target& target)
{
    switch (target.kind) {
    case Target::Kind::Agent: openAgent(target.path); break;
    case Target::Kind::RunFile: openRunFile(target.path); break;
    case Target::Kind::Remote: openRemote(target.path); break;
    case Target::Kind::Trace: openTrace(target.path); break;
    case Target::Kind::Environment: openEnvironment(target.path); break;
    case Target::Kind::Topology: openTopology(target.path); break;
    }
}

void MainWindow::openPlanner()
{
    deletePages();
    closeDocuments();
    m_file.clear();
    m_plan = std::make_unique<planner::PlanDocument>();
    connect(&m_plan->session(), &planner::PlanSession::stateChanged, this, &MainWindow::renewTitle);
    build();
}

void MainWindow::openTrace(const QString& path)
{
    if (m_planPage == nullptr) {
        if (!mayClose())
            return;
        openPlanner();
    }
    m_plan->session().open(path);
}

void MainWindow::openEnvironment(const QString& path)
{
    if (m_planPage == nullptr) {
        if (!mayClose())
            return;
        openPlanner();
    }
    m_planPage->openEnvironment(path);
}

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

void MainWindow::openRunFile(const QString& path)
{
    if (isRemote(path.toStdString()))
        return openRemote(path);
    if (looksLikeTrace(path))
        return openTrace(path);
    const bool shown = m_document || m_plan || m_topology;
    if (const auto readable = RunFileReader::open(toPath(path)); shown && !readable) {
        // What is shown stays.
        auto* box = new QMessageBox(QMessageBox::Warning, tr("Open a run file"),
                                    QString::fromStdString(readable.error().text()),
                                    QMessageBox::Ok, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
        return;
    }
    if (!mayClose())
        return;
    m_file = path;
    openSource(std::make_unique<RunFileSource>(toPath(path)));
}

void MainWindow::openAgent(const QString& accessFile)
{
    if (!mayClose())
        return;
    m_file.clear();
    openSource(std::make_unique<AgentSource>(toPath(accessFile)));
}

void MainWindow::openRemote(const QString& address)
{
    const auto run = parseRemoteRun(address.toStdString());
    if (!run) {
        auto* box = new QMessageBox(QMessageBox::Warning, tr("Open a run on another host"),
                                    QString::fromStdString(run.error().text()), QMessageBox::Ok,
                                    this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
        return;
    }
    if (!mayClose())
        return;
    m_file = address;
    openSource(std::make_unique<AgentSource>(*run));
}

void MainWindow::openStarted(const QString& accessFile, const QString& runFile)
{
    openAgent(accessFile);
    m_startedFile = runFile;
}

/// A short run may have ended before its agent could be asked: its record tells all.
void MainWindow::lookForEarlyEnd()
{
    const Session& session = m_document->models().session;
    const ConnectionState state = session.connection().state;
    const bool failed = state == ConnectionState::Refused || state == ConnectionState::Waiting
        || state == ConnectionState::Ended;
    if (m_startedFile.isEmpty() || !failed || session.eventsApplied() != 0)
        return;
    QMetaObject::invokeMethod(
        this, [this, file = std::exchange(m_startedFile, {})] { openRunFile(file); },
        Qt::QueuedConnection);
}

void MainWindow::openSource(std::unique_ptr<SessionSource> source)
{
    deletePages();
    closeDocuments();
    m_startedFile.clear();
    m_document = std::make_unique<RunDocument>(std::move(source), m_clock);
    Session& session = m_document->models().session;
    connect(&session, &Session::connectionChanged, this, &MainWindow::lookForEarlyEnd);
    m_running = std::make_unique<RunningTopology>(session);
    connect(&session, &Session::agentChanged, this, &MainWindow::renewTitle);
    for (const auto signal : {&Session::loadingChanged, &Session::agentChanged})
        connect(&session, signal, this, &MainWindow::rememberFile);
    connect(&m_document->models().alarms, &AlarmListModel::openChanged, this,
            &MainWindow::renewTitle);
    build();
}

void MainWindow::rememberFile()
{
    const Session& session = m_document->models().session;
    // Of an agent, what it writes, if that is here.
    const QString file = m_file.isEmpty() && session.agent() ? session.agent()->runFile : m_file;
    // Only what could be read is worth remembering.
    if ((!session.isElsewhere() && !QFileInfo(file).isFile()) || session.loading()
        || session.eventsApplied() == 0 || session.connection().state == ConnectionState::Refused)
        return;
    m_preferences.addRecentFile(file);
}

void MainWindow::closeRun()
{
    if ((!m_document && !m_plan && !m_topology) || !mayClose())
        return;
    deletePages();
    closeDocuments();
    m_file.clear();
    build();
}

void MainWindow::setView(RunView view)
{
    if (m_page != nullptr)
        m_page->setView(view);
}

void MainWindow::chooseRunFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a run file"), QFileInfo(m_file).absolutePath(),
        tr("Run files (*%1)").arg(QLatin1String(runFileSuffix)) + QStringLiteral(";;")
            + tr("All files (*)"));
    if (!path.isEmpty())
        openRunFile(path);
}

void MainWindow::chooseRemoteRun()
{
    QStringList hosts;
    for (const QString& file : m_preferences.recentFiles()) {
        const auto run = parseRemoteRun(isRemote(file.toStdString()) ? file.toStdString()
                                                                     : std::string("ssh://"));
        if (run && run->port.empty() && !hosts.contains(QString::fromStdString(run->target)))
            hosts << QString::fromStdString(run->target);
    }
    for (const QString& host : sshHosts(QDir::homePath() + QStringLiteral("/.ssh/config"))) {
        if (!hosts.contains(host))
            hosts << host;
    }
    OpenRemoteDialog dialog(hosts, this);
    if (dialog.exec() == QDialog::Accepted)
        openRemote(dialog.address());
}

void MainWindow::chooseTrace()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a trace"), {},
        tr("ALOG traces (*%1)").arg(QLatin1String(traceSuffix)) + QStringLiteral(";;")
            + tr("All files (*)"));
    if (!path.isEmpty())
        openTrace(path);
}

void MainWindow::startRun(const QString& taskList) { m_starter.start(taskList); }

void MainWindow::resumeRun()
{
    if (m_document)
        m_starter.resume(m_document->models());
}

void MainWindow::retryTasks(const QString& tasks)
{
    if (m_document)
        m_starter.retry(m_document->models(), tasks);
}

void MainWindow::showSettings()
{
    SettingsDialog dialog(m_preferences, this);
    dialog.exec();
}

void MainWindow::showShortcuts()
{
    ShortcutsDialog dialog(shortcutGroups(*menuBar()), this);
    dialog.exec();
}

void MainWindow::showAbout()
{
    AboutDialog dialog(QLatin1String(guiVersion), this);
    dialog.exec();
}

void MainWindow::setFullScreen(bool full)
{
    setWindowState(full ? windowState() | Qt::WindowFullScreen
                        : windowState() & ~Qt::WindowFullScreen);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    m_preferences.setLayout(QStringLiteral("window"), saveGeometry());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QString file = droppedFile(*event->mimeData());
    if (QFileInfo(file).isFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString file = droppedFile(*event->mimeData());
    if (file.isEmpty())
        return;
    event->acceptProposedAction();
    // The drag is over before anything is asked.
    QMetaObject::invokeMethod(
        this, [this, file] { openDropped(file); }, Qt::QueuedConnection);
}

void MainWindow::openDropped(const QString& file)
{
    const auto isA = [&file](const char* suffix) {
        return file.endsWith(QLatin1String(suffix), Qt::CaseInsensitive);
    };
    if (isA(runFileSuffix))
        openRunFile(file);
    else if (isA(configurationSuffix))
        looksLikeTopology(file) ? openTopology(file) : openEnvironment(file);
    else if (looksLikeTrace(file))
        openTrace(file);
    else
        startRun(file);
}

} // namespace tasuki
