// SPDX-License-Identifier: GPL-3.0-or-later
#include "startrundialog.h"

#include "icons.h"
#include "taskdelegate.h"
#include "theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QThread>
#include <QToolButton>
#include <QVBoxLayout>

namespace tasuki {

namespace {

constexpr int mostRanks = 4096;
constexpr int mostSlots = 4096;
using Field = LaunchPlan::Field;
constexpr qsizetype mostRangesShown = 28; // on one line with what is said of them
constexpr qsizetype mostToolTip = 2'000;

/// The beginning of a long list of numbers.
QString elidedRanges(const QString& ranges)
{
    if (ranges.size() <= mostRangesShown)
        return QString(ranges).replace(QLatin1Char(','), QStringLiteral(", "));
    const QString begin = ranges.left(ranges.lastIndexOf(QLatin1Char(','), mostRangesShown) + 1);
    return QString(begin).replace(QLatin1Char(','), QStringLiteral(", ")) + QChar(0x2026);
}

} // namespace

StartRunDialog::StartRunDialog(AgentFinder& finder, const Clock& clock, Preferences& preferences,
                               QString program, QWidget* parent)
    : QDialog(parent),
      m_preferences(preferences),
      m_program(std::move(program)),
      m_launcher(finder, clock)
{
    setWindowTitle(tr("Start a run"));
    setAcceptDrops(true);
    auto* box = new QVBoxLayout(this);
    box->setSpacing(10);
    makeForm();
    makeCommand();
    makeFailure();
    m_progress = new QProgressBar;
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(true);
    m_progress->setAccessibleName(tr("Waiting for the agent"));
    m_progress->hide();
    box->addWidget(m_progress);
    box->addStretch();
    auto* buttons = new QDialogButtonBox;
    m_start = buttons->addButton(tr("&Start"), QDialogButtonBox::AcceptRole);
    m_start->setIcon(icons::named(QStringLiteral("start")));
    buttons->addButton(QDialogButtonBox::Cancel);
    box->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &StartRunDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::rejected, &m_launcher, &AgentLauncher::forget);
    connect(&m_launcher, &AgentLauncher::connected, this, [this](const QString& accessFile) {
        accept();
        Q_EMIT agentStarted(accessFile, plan().absoluteRunFile());
    });
    connect(&m_launcher, &AgentLauncher::over, this, [this](const QString& runFile) {
        accept();
        Q_EMIT runOver(runFile);
    });
    connect(&m_launcher, &AgentLauncher::failed, this, &StartRunDialog::showFailure);
    linkFields();
    resize(680, sizeHint().height());
    renew();
}

StartRunDialog::PathField StartRunDialog::addPath(const QString& label, const QString& name)
{
    PathField field{.line = new QLineEdit, .browse = new QPushButton(tr("Browse..."))};
    field.browse->setAutoDefault(false);
    field.browse->setAccessibleName(tr("Browse: %1").arg(name));
    field.line->setAccessibleName(name);
    auto* holder = new QWidget;
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(field.line, 1);
    row->addWidget(field.browse);
    auto* caption = new QLabel(label);
    caption->setBuddy(field.line);
    m_form->addRow(caption, holder);
    return field;
}

void StartRunDialog::addProblemLabel(Field field)
{
    auto* label = new QLabel;
    label->setWordWrap(true);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::wrong(colours));
    label->setPalette(colours);
    label->hide();
    m_problems[static_cast<std::size_t>(field)] = label;
    m_form->addRow(QString(), label);
}

void StartRunDialog::makeForm()
{
    m_formBox = new QWidget;
    m_form = new QFormLayout(m_formBox);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_tasks = new QLabel;
    m_tasks->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_tasks->setWordWrap(true);
    m_form->addRow(tr("Tasks"), m_tasks);
    m_form->setRowVisible(m_tasks, false);
    m_list = addPath(tr("&Task list"), tr("Task list"));
    m_list.line->setPlaceholderText(tr("a file with one command a line; drop it here"));
    addProblemLabel(Field::TaskList);
    m_directory = addPath(tr("Working &directory"), tr("Working directory"));
    addProblemLabel(Field::Directory);

    m_ranks = new QSpinBox;
    m_ranks->setRange(1, mostRanks);
    m_ranks->setValue(
        m_preferences.value(QStringLiteral("start/ranks"), std::max(1, QThread::idealThreadCount()))
            .toInt());
    m_slots = new QSpinBox;
    m_slots->setRange(0, mostSlots);
    m_slots->setSpecialValueText(tr("auto"));
    m_slots->setToolTip(tr("Tasks that a rank runs at a time; auto: the cores of the host, divided "
                           "among its ranks"));
    m_slots->setValue(m_preferences.value(QStringLiteral("start/slots"), 1).toInt());
    auto* numbers = new QWidget;
    auto* row = new QHBoxLayout(numbers);
    row->setContentsMargins(0, 0, 0, 0);
    auto* slotsLabel = new QLabel(tr("&Slots of each"));
    slotsLabel->setBuddy(m_slots);
    m_dedicated = new QCheckBox(tr("Rank 0 only sche&dules"));
    row->addWidget(m_ranks);
    row->addSpacing(12);
    row->addWidget(slotsLabel);
    row->addWidget(m_slots);
    row->addSpacing(12);
    row->addWidget(m_dedicated);
    row->addStretch();
    auto* ranksLabel = new QLabel(tr("&Ranks"));
    ranksLabel->setBuddy(m_ranks);
    m_ranks->setAccessibleName(tr("Ranks"));
    m_slots->setAccessibleName(tr("Slots of each rank"));
    m_form->addRow(ranksLabel, numbers);
    addProblemLabel(Field::Ranks);

    m_runFile = new QLineEdit;
    m_runFile->setAccessibleName(tr("Run file"));
    m_form->addRow(tr("Run &file"), m_runFile);
    addProblemLabel(Field::RunFile);
    m_retries = new QLineEdit(QStringLiteral("0"));
    m_retries->setPlaceholderText(fieldHint(TaskField::Retries));
    m_retries->setAccessibleName(tr("Retries"));
    m_form->addRow(tr("Re&tries"), m_retries);
    addProblemLabel(Field::Retries);
    m_timeout = new QLineEdit;
    m_timeout->setPlaceholderText(fieldHint(TaskField::Timeout));
    m_timeout->setAccessibleName(tr("Time limit"));
    m_form->addRow(tr("Time &limit"), m_timeout);
    addProblemLabel(Field::Timeout);
    layout()->addWidget(m_formBox);
}

void StartRunDialog::makeCommand()
{
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    auto* caption = new QLabel(tr("This is run:"));
    auto* copy = new QToolButton;
    copy->setIcon(icons::named(QStringLiteral("copy")));
    copy->setAutoRaise(true);
    copy->setToolTip(tr("Copy the command line"));
    copy->setAccessibleName(copy->toolTip());
    row->addWidget(caption, 1);
    row->addWidget(copy);
    m_command = new QPlainTextEdit;
    m_command->setReadOnly(true);
    m_command->setTabChangesFocus(true);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_command->setFont(theme::monospace());
    m_command->setAccessibleName(tr("Command line"));
    m_command->setFixedHeight(QFontMetrics(theme::monospace()).lineSpacing() * 3 + 14);
    layout()->addWidget(head);
    layout()->addWidget(m_command);
    connect(copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(commandLine()); });
}

void StartRunDialog::makeFailure()
{
    m_failure = new QLabel;
    m_failure->setWordWrap(true);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_failure->setPalette(colours);
    m_failure->hide();
    m_words = new QPlainTextEdit;
    m_words->setReadOnly(true);
    m_words->setTabChangesFocus(true);
    m_words->setFont(theme::monospace());
    m_words->setAccessibleName(tr("What the launcher said"));
    m_words->setMinimumHeight(QFontMetrics(theme::monospace()).lineSpacing() * 6);
    m_words->hide();
    layout()->addWidget(m_failure);
    layout()->addWidget(m_words);
}

void StartRunDialog::linkFields()
{
    connect(m_list.browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("Choose a task list"), QFileInfo(m_list.line->text()).absolutePath());
        if (!path.isEmpty())
            setTaskList(path);
    });
    connect(m_directory.browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Choose a directory"),
                                                               m_directory.line->text());
        if (path.isEmpty())
            return;
        m_ownDirectory = true;
        m_directory.line->setText(path);
    });
    connect(m_directory.line, &QLineEdit::textEdited, this, [this] { m_ownDirectory = true; });
    connect(m_runFile, &QLineEdit::textEdited, this, [this] { m_ownRunFile = true; });
    connect(m_list.line, &QLineEdit::textEdited, this, &StartRunDialog::setTaskList);
    for (QLineEdit* line : {m_list.line, m_directory.line, m_runFile, m_retries, m_timeout})
        connect(line, &QLineEdit::textChanged, this, &StartRunDialog::renew);
    for (QSpinBox* number : {m_ranks, m_slots})
        connect(number, &QSpinBox::valueChanged, this, &StartRunDialog::renew);
    connect(m_dedicated, &QCheckBox::toggled, this, &StartRunDialog::renew);
    m_directory.line->setText(QDir::currentPath());
}

void StartRunDialog::setTaskList(const QString& path)
{
    if (m_list.line->text() != path)
        m_list.line->setText(path);
    const QFileInfo list(path);
    if (!m_ownDirectory && list.isAbsolute() && list.isFile())
        m_directory.line->setText(list.absolutePath());
    if (!m_ownRunFile && !path.isEmpty())
        m_runFile->setText(LaunchPlan::runFileFor(path, m_directory.line->text()));
    renew();
}

void StartRunDialog::setResumption(const LaunchPlan& plan)
{
    m_given = plan;
    m_ownDirectory = m_ownRunFile = true;
    m_directory.line->setText(plan.directory);
    m_list.line->setText(plan.taskList);
    m_ranks->setValue(plan.ranks);
    m_slots->setValue(plan.slots);
    m_dedicated->setChecked(plan.dedicatedMaster);
    m_runFile->setText(plan.runFile);
    m_runFile->setReadOnly(true);
    m_list.line->setPlaceholderText(tr("the tasks as they are recorded"));
    m_form->setRowVisible(m_tasks, plan.goal == LaunchPlan::Goal::RetryTasks);
    m_tasks->setText(
        tr("%1, and what waits for them; nothing else is run").arg(elidedRanges(plan.tasks)));
    m_tasks->setToolTip(plan.tasks.left(mostToolTip));
    const bool resume = plan.goal == LaunchPlan::Goal::Resume;
    const bool failed = plan.goal == LaunchPlan::Goal::RetryFailed;
    setWindowTitle(resume       ? tr("Resume a run")
                       : failed ? tr("Try again what has failed")
                                : tr("Do tasks again"));
    m_start->setText(resume ? tr("Res&ume") : tr("Re&try"));
    renew();
}

LaunchPlan StartRunDialog::plan() const
{
    LaunchPlan plan = m_given;
    plan.taskList = m_list.line->text();
    plan.directory = m_directory.line->text();
    plan.ranks = m_ranks->value();
    plan.slots = m_slots->value();
    plan.runFile = m_runFile->text();
    plan.retries = m_retries->text();
    plan.timeout = m_timeout->text();
    plan.dedicatedMaster = m_dedicated->isChecked();
    return plan;
}

QString StartRunDialog::commandLine() const
{
    return plan().commandLine(m_program.isEmpty() ? QStringLiteral("tasuki-agent") : m_program);
}

QString StartRunDialog::failure() const
{
    return m_failure->isHidden() ? QString()
                                 : m_failure->text() + QLatin1Char('\n') + m_words->toPlainText();
}

void StartRunDialog::renew()
{
    const LaunchPlan now = plan();
    const auto found = now.problems();
    bool valid = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
        valid = valid && found[i].isEmpty();
        // An empty form needs no scolding.
        const bool quiet = now.taskList.isEmpty() && now.goal == LaunchPlan::Goal::New
            && (i == static_cast<std::size_t>(Field::TaskList)
                || i == static_cast<std::size_t>(Field::RunFile));
        m_problems[i]->setText(found[i]);
        m_problems[i]->setVisible(!found[i].isEmpty() && !quiet);
    }
    m_command->setPlainText(commandLine());
    m_start->setEnabled(valid && !m_program.isEmpty() && !m_launcher.waiting());
    if (m_program.isEmpty())
        showFailure(tr("The program tasuki-agent was not found, neither beside this one nor in the "
                       "directories of PATH."),
                    {});
}

void StartRunDialog::start()
{
    if (!m_start->isEnabled())
        return;
    m_failure->hide();
    m_words->hide();
    m_preferences.setValue(QStringLiteral("start/ranks"), m_ranks->value());
    m_preferences.setValue(QStringLiteral("start/slots"), m_slots->value());
    setWaiting(true);
    m_launcher.start(plan(), m_program);
}

void StartRunDialog::setWaiting(bool waiting)
{
    m_formBox->setEnabled(!waiting);
    m_progress->setVisible(waiting);
    m_start->setEnabled(!waiting);
}

void StartRunDialog::showFailure(const QString& why, const QString& words)
{
    setWaiting(false);
    m_start->setEnabled(!m_program.isEmpty() && plan().valid());
    m_failure->setText(why);
    m_failure->show();
    m_words->setPlainText(words);
    m_words->setVisible(!words.isEmpty());
}

void StartRunDialog::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1)
        event->acceptProposedAction();
}

void StartRunDialog::dropEvent(QDropEvent* event)
{
    setTaskList(event->mimeData()->urls().constFirst().toLocalFile());
}

} // namespace tasuki
