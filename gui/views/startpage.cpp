// SPDX-License-Identifier: GPL-3.0-or-later
#include "startpage.h"

#include "emptyhint.h"
#include "icons.h"
#include "linkclient/remoterun.h"
#include "models/wording.h"
#include "theme.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>

namespace tasuki {

namespace {

constexpr int widestPage = 1180;
constexpr int pathRole = Qt::UserRole;
constexpr int runDigits = 12;

QString titleOf(const AgentEntry& agent)
{
    if (!agent.runFile.isEmpty())
        return QFileInfo(agent.runFile).fileName();
    const QString run = QString::fromStdString(agent.run.hex).left(runDigits);
    return run.isEmpty() ? QFileInfo(agent.accessFile).fileName() : run;
}

QLabel* makeHeading(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.1);
    label->setFont(font);
    label->setBuddy(buddy);
    return label;
}

} // namespace

StartPage::StartPage(AgentFinder& finder, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_finder(finder), m_preferences(preferences)
{
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(28, 22, 28, 22);
    auto* content = new QWidget;
    content->setMaximumWidth(widestPage);
    auto* box = new QVBoxLayout(content);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(18);
    box->addWidget(makeHead());
    box->addWidget(makeLists(), 1);
    box->addWidget(makeHint());
    outer->addStretch(1);
    outer->addWidget(content, 100);
    outer->addStretch(1);

    connect(&finder, &AgentFinder::changed, this, &StartPage::renewAgents);
    connect(&preferences, &Preferences::recentFilesChanged, this, &StartPage::renewFiles);
    renewAgents();
    renewFiles();
}

QWidget* StartPage::makeHead()
{
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    auto* icon = new QLabel;
    icon->setPixmap(icons::application().pixmap(56, 56));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* name = new QLabel(QStringLiteral("Tasuki"));
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.9);
    large.setBold(true);
    name->setFont(large);
    auto* what = new QLabel(tr("Watch and steer runs on a cluster."));
    what->setForegroundRole(QPalette::PlaceholderText);
    words->addWidget(name);
    words->addWidget(what);
    auto* open = new QPushButton(icons::named(QStringLiteral("open")), tr("&Open run file..."));
    auto* start = new QPushButton(icons::named(QStringLiteral("start")), tr("&Start a run..."));
    auto* trace = new QPushButton(icons::named(QStringLiteral("timeline")),
                                  tr("&Plan a program..."));
    trace->setToolTip(tr("Open a trace of an MPI program and find out which node each of its tasks "
                         "should run on"));
    auto* topology = new QPushButton(icons::named(QStringLiteral("topology")),
                                     tr("Edit a topolo&gy..."));
    topology->setToolTip(tr("Say in tables which processors a system consists of, and when one of "
                            "them counts as lost"));
    auto* remote = new QPushButton(icons::named(QStringLiteral("host")), tr("On a&nother host..."));
    remote->setToolTip(tr("Open a run on another host, over ssh"));
    for (QPushButton* button : {open, remote, start, trace, topology}) {
        button->setIconSize(QSize(20, 20));
        button->setMinimumHeight(fontMetrics().height() * 2 + 4);
    }
    row->addWidget(icon);
    row->addLayout(words);
    row->addStretch();
    row->addWidget(open);
    row->addWidget(remote);
    row->addWidget(start);
    row->addWidget(trace);
    row->addWidget(topology);
    connect(topology, &QPushButton::clicked, this, &StartPage::topologyWanted);
    connect(trace, &QPushButton::clicked, this, &StartPage::traceWanted);
    connect(open, &QPushButton::clicked, this, &StartPage::openWanted);
    connect(remote, &QPushButton::clicked, this, &StartPage::remoteWanted);
    connect(start, &QPushButton::clicked, this, &StartPage::startWanted);
    return head;
}

QTreeWidget* StartPage::makeList(const QStringList& titles, const QString& name)
{
    auto* list = new QTreeWidget;
    list->setHeaderLabels(titles);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAllColumnsShowFocus(true);
    list->setAlternatingRowColors(true);
    list->setAccessibleName(name);
    list->header()->setStretchLastSection(true);
    return list;
}

QWidget* StartPage::makeLists()
{
    auto* lists = new QWidget;
    auto* row = new QHBoxLayout(lists);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(20);
    const int digit = fontMetrics().averageCharWidth();

    m_agents = makeList({tr("Run"), tr("Host"), tr("State"), tr("Started")}, tr("Running agents"));
    m_agents->header()->resizeSection(0, 24 * digit);
    m_agents->header()->resizeSection(1, 14 * digit);
    m_agents->header()->resizeSection(2, 16 * digit);
    auto* left = new QVBoxLayout;
    left->setSpacing(6);
    left->addWidget(makeHeading(tr("&Agents on this host"), m_agents));
    left->addWidget(m_agents);
    new EmptyHint(*m_agents, [] {
        return tr("No agent runs here.\n\nStart a run, and it appears by itself.");
    });

    m_files = makeList({tr("Run file"), tr("Changed"), tr("Directory")}, tr("Recent run files"));
    m_files->header()->resizeSection(0, 24 * digit);
    m_files->header()->resizeSection(1, 26 * digit);
    auto* right = new QVBoxLayout;
    right->setSpacing(6);
    right->addWidget(makeHeading(tr("&Recent run files"), m_files));
    right->addWidget(m_files);
    new EmptyHint(*m_files, [] {
        return tr("No run file was open yet.\n\nOpen one, or drop it on this window.");
    });
    auto* forget = new QAction(tr("&Remove from this list"), m_files);
    forget->setShortcut(QKeySequence::Delete);
    forget->setShortcutContext(Qt::WidgetShortcut);
    m_files->addAction(forget);
    m_files->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(forget, &QAction::triggered, this, &StartPage::forgetFile);

    row->addLayout(left, 1);
    row->addLayout(right, 1);
    connect(m_agents, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (!item->isDisabled())
            Q_EMIT agentChosen(item->data(0, pathRole).toString());
    });
    connect(m_files, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        Q_EMIT runFileChosen(item->data(0, pathRole).toString());
    });
    return lists;
}

QWidget* StartPage::makeHint()
{
    auto* hint = new QWidget;
    auto* box = new QVBoxLayout(hint);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(4);
    auto* words = new QLabel(tr("From the command line: start a farm of four ranks, then watch it "
                                "in this window."));
    words->setWordWrap(true);
    words->setForegroundRole(QPalette::PlaceholderText);
    auto* command = new QLabel(QStringLiteral("tasuki-agent launch -n 4 -- farm tasks.sh"));
    command->setFont(theme::monospace());
    command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    command->setAccessibleName(tr("Example of a command line"));
    box->addWidget(words);
    box->addWidget(command);
    return hint;
}

void StartPage::renewAgents()
{
    const QTreeWidgetItem* before = m_agents->currentItem();
    const QString current = before == nullptr ? QString() : before->data(0, pathRole).toString();
    m_agents->clear();
    for (const AgentEntry& agent : m_finder.agents()) {
        auto* item = new QTreeWidgetItem(m_agents);
        const bool usable = agent.problem.isEmpty() && agent.running;
        item->setText(0, titleOf(agent));
        item->setText(1, agent.host);
        item->setText(2,
                      !agent.problem.isEmpty() ? tr("unusable")
                          : agent.running      ? tr("running")
                                               : tr("has ended"));
        if (agent.startedAt != WallTime{})
            item->setText(3, wording::time(agent.startedAt));
        item->setIcon(0,
                      usable                        ? icons::state(TaskState::Running)
                          : agent.problem.isEmpty() ? icons::state(TaskState::Removed)
                                                    : icons::severity(Severity::Warning));
        const QString tip = agent.problem.isEmpty() ? agent.runFile : agent.problem;
        for (int column = 0; column < m_agents->columnCount(); ++column)
            item->setToolTip(column, tip);
        item->setData(0, pathRole, agent.accessFile);
        item->setDisabled(!usable);
        if (agent.accessFile == current)
            m_agents->setCurrentItem(item);
    }
    if (m_agents->currentItem() == nullptr && m_agents->topLevelItemCount() > 0)
        m_agents->setCurrentItem(m_agents->topLevelItem(0));
}

void StartPage::renewFiles()
{
    m_files->clear();
    for (const QString& path : m_preferences.recentFiles()) {
        const QFileInfo file(path);
        auto* item = new QTreeWidgetItem(m_files);
        item->setText(0, file.fileName());
        const bool remote = isRemote(path.toStdString());
        item->setText(1,
                      remote ? tr("on another host")
                          : file.exists()
                          ? file.lastModified().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))
                          : tr("no longer there"));
        item->setText(2, remote ? path.section(QLatin1Char('/'), 0, -2) : file.absolutePath());
        item->setIcon(0, icons::named(remote ? QStringLiteral("host") : QStringLiteral("runfile")));
        item->setToolTip(2, path);
        item->setData(0, pathRole, path);
    }
    if (m_files->topLevelItemCount() > 0)
        m_files->setCurrentItem(m_files->topLevelItem(0));
}

void StartPage::forgetFile()
{
    if (const QTreeWidgetItem* item = m_files->currentItem())
        m_preferences.removeRecentFile(item->data(0, pathRole).toString());
}

} // namespace tasuki
