// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchform.h"

#include "merge/law.h"
#include "taskdelegate.h"
#include "theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QThread>

namespace tasuki {

namespace {

using Program = LaunchPlan::Program;

constexpr int mostSlots = 4096;
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

QSpinBox* makeNumber(const QString& name, int least, int most, int value)
{
    auto* number = new QSpinBox;
    number->setRange(least, most);
    number->setValue(value);
    number->setAccessibleName(name);
    return number;
}

} // namespace

LaunchForm::LaunchForm(Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_preferences(preferences)
{
    m_form = new QFormLayout(this);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_program = new QComboBox;
    m_program->addItems({tr("Farm: run the commands of a task list"),
                         tr("Serve: stay up for tasks that are added later"),
                         tr("Merge: files of lines key and value into one"),
                         tr("Probe: measure nodes and links, for a plan")});
    m_program->setAccessibleName(tr("What is started"));
    auto* caption = new QLabel(tr("St&art"));
    caption->setBuddy(m_program);
    m_form->addRow(caption, m_program);
    m_tasks = new QLabel;
    m_tasks->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_tasks->setWordWrap(true);
    m_form->addRow(tr("Tasks"), m_tasks);
    m_form->setRowVisible(m_tasks, false);
    makeLines();
    linkFields();
    line(Field::Directory).setText(QDir::currentPath());
    proposeNames();
    renew();
    line(Field::TaskList).setFocus();
}

void LaunchForm::addRow(Field field, const QString& label, QWidget* widget)
{
    auto* caption = new QLabel(label);
    QWidget* focused = m_lines[indexOf(field)];
    caption->setBuddy(focused != nullptr ? focused : m_ranks);
    m_form->addRow(caption, widget);
    m_rows[indexOf(field)] = widget;
    auto* problem = new QLabel;
    problem->setWordWrap(true);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::wrong(colours));
    problem->setPalette(colours);
    m_problems[indexOf(field)] = problem;
    m_form->addRow(QString(), problem);
}

void LaunchForm::addLine(Field field, const QString& label, const QString& name,
                         const QString& hint)
{
    auto* line = new QLineEdit;
    line->setAccessibleName(name);
    line->setPlaceholderText(hint);
    m_lines[indexOf(field)] = line;
    addRow(field, label, line);
}

void LaunchForm::addPath(Field field, const QString& label, const QString& name,
                         const QString& hint, void (LaunchForm::*browse)())
{
    auto* line = new QLineEdit;
    line->setAccessibleName(name);
    line->setPlaceholderText(hint);
    m_lines[indexOf(field)] = line;
    auto* button = new QPushButton(tr("Browse..."));
    button->setAutoDefault(false);
    button->setAccessibleName(tr("Browse: %1").arg(name));
    connect(button, &QPushButton::clicked, this, browse);
    auto* holder = new QWidget;
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(line, 1);
    row->addWidget(button);
    addRow(field, label, holder);
}

void LaunchForm::makeLines()
{
    addPath(Field::TaskList, tr("&Task list"), tr("Task list"),
            tr("a file with one command a line; drop it here"), &LaunchForm::browseTaskList);
    addPath(Field::Files, tr("&Files"), tr("Files to merge"), tr("files of lines key<TAB>value"),
            &LaunchForm::browseFiles);
    m_law = new QComboBox;
    for (const std::string& name : merge::Law::names())
        m_law->addItem(QString::fromStdString(name));
    m_law->setCurrentText(LaunchPlan().law);
    m_law->setToolTip(tr("What becomes of several values of one key"));
    auto* law = new QLabel(tr("La&w"));
    law->setBuddy(m_law);
    m_form->addRow(law, m_law);
    addPath(Field::Output, tr("&Output"), tr("File that is written"), {},
            &LaunchForm::browseOutput);
    addPath(Field::Directory, tr("Working &directory"), tr("Working directory"), {},
            &LaunchForm::browseDirectory);
    makeNumbers();
    addPath(Field::Hosts, tr("&Hosts"), tr("Hosts"),
            tr("node0:4,node1:8 or a hostfile; empty: this host, or those of the job"),
            &LaunchForm::browseHosts);
    addLine(Field::Options, tr("&mpirun options"), tr("Options of mpirun"),
            tr("e.g. --map-by node --bind-to none"));
    line(Field::Hosts).setText(m_preferences.value(QStringLiteral("start/hosts")).toString());
    line(Field::Options).setText(m_preferences.value(QStringLiteral("start/options")).toString());
    addPath(Field::Topology, tr("To&pology"), tr("Topology"),
            tr("subclusters and standbys (*.toml); empty: one subcluster of all"),
            &LaunchForm::browseTopology);
    addLine(Field::RunFile, tr("Run fil&e"), tr("Run file"));
    addLine(Field::Retries, tr("Retr&ies"), tr("Retries"), fieldHint(TaskField::Retries));
    line(Field::Retries).setText(QStringLiteral("0"));
    addLine(Field::Timeout, tr("Time &limit"), tr("Time limit"), fieldHint(TaskField::Timeout));
}

void LaunchForm::makeNumbers()
{
    const int cores = std::max(1, QThread::idealThreadCount());
    m_ranks = makeNumber(tr("Ranks"), 1, LaunchPlan::mostRanks,
                         m_preferences.value(QStringLiteral("start/ranks"), cores).toInt());
    m_slots = makeNumber(tr("Slots of each rank"), 0, mostSlots,
                         m_preferences.value(QStringLiteral("start/slots"), 1).toInt());
    m_slots->setSpecialValueText(tr("auto"));
    m_slots->setToolTip(tr("Tasks that a rank runs at a time; auto: the cores of the host, divided "
                           "among its ranks"));
    m_dedicated = new QCheckBox(tr("Rank 0 onl&y schedules"));
    auto* slotsLabel = new QLabel(tr("Slots of ea&ch"));
    slotsLabel->setBuddy(m_slots);
    m_ofTasks = new QWidget;
    auto* tasks = new QHBoxLayout(m_ofTasks);
    tasks->setContentsMargins(0, 0, 0, 0);
    tasks->addSpacing(12);
    tasks->addWidget(slotsLabel);
    tasks->addWidget(m_slots);
    tasks->addSpacing(12);
    tasks->addWidget(m_dedicated);
    auto* numbers = new QWidget;
    auto* row = new QHBoxLayout(numbers);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_ranks);
    row->addWidget(m_ofTasks);
    row->addStretch();
    addRow(Field::Ranks, tr("&Ranks"), numbers);
}

void LaunchForm::linkFields()
{
    for (QLineEdit* line : m_lines) {
        if (line != nullptr)
            connect(line, &QLineEdit::textChanged, this, &LaunchForm::renew);
    }
    for (QSpinBox* number : {m_ranks, m_slots})
        connect(number, &QSpinBox::valueChanged, this, &LaunchForm::renew);
    connect(m_dedicated, &QCheckBox::toggled, this, &LaunchForm::renew);
    connect(m_law, &QComboBox::currentIndexChanged, this, &LaunchForm::renew);
    connect(m_program, &QComboBox::currentIndexChanged, this, [this] {
        proposeNames();
        renew();
    });
    connect(&line(Field::Directory), &QLineEdit::textEdited, this, [this] {
        m_ownDirectory = true;
        proposeNames();
    });
    connect(&line(Field::RunFile), &QLineEdit::textEdited, this, [this] { m_ownRunFile = true; });
    connect(&line(Field::Output), &QLineEdit::textEdited, this, [this] { m_ownOutput = true; });
    connect(&line(Field::TaskList), &QLineEdit::textEdited, this, &LaunchForm::setTaskList);
}

QString LaunchForm::browsed(const QString& title, Field field)
{
    const QDir base(line(Field::Directory).text());
    const QString now = wordsOf(line(field).text()).value(0);
    return QFileDialog::getOpenFileName(this, title,
                                        QFileInfo(base.absoluteFilePath(now)).absolutePath());
}

void LaunchForm::browseTaskList()
{
    const QString path = browsed(tr("Choose a task list"), Field::TaskList);
    if (!path.isEmpty())
        setTaskList(path);
}

void LaunchForm::browseFiles()
{
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Choose the files to merge"),
                                                            line(Field::Directory).text());
    if (!paths.isEmpty())
        line(Field::Files).setText(lineOf(paths));
}

void LaunchForm::browseOutput()
{
    const QDir base(line(Field::Directory).text());
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Choose the file that is written"),
        base.absoluteFilePath(line(Field::Output).text()), {}, nullptr,
        QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty())
        return;
    m_ownOutput = true;
    line(Field::Output).setText(path);
}

void LaunchForm::browseDirectory()
{
    const QString path = QFileDialog::getExistingDirectory(this, tr("Choose a directory"),
                                                           line(Field::Directory).text());
    if (path.isEmpty())
        return;
    m_ownDirectory = true;
    line(Field::Directory).setText(path);
    proposeNames();
}

void LaunchForm::browseHosts()
{
    const QString path = browsed(tr("Choose a hostfile"), Field::Hosts);
    if (!path.isEmpty())
        line(Field::Hosts).setText(path);
}

void LaunchForm::browseTopology()
{
    const QString path = browsed(tr("Choose a topology"), Field::Topology);
    if (!path.isEmpty())
        line(Field::Topology).setText(path);
}

void LaunchForm::setProgram(Program program)
{
    m_program->setCurrentIndex(static_cast<int>(program));
}

void LaunchForm::setTaskList(const QString& path)
{
    if (line(Field::TaskList).text() != path)
        line(Field::TaskList).setText(path);
    const QFileInfo list(path);
    if (!m_ownDirectory && list.isAbsolute() && list.isFile())
        line(Field::Directory).setText(list.absolutePath());
    proposeNames();
    renew();
}

/// Names of what is written that are not in use, where nobody has chosen others.
void LaunchForm::proposeNames()
{
    const auto program = static_cast<Program>(m_program->currentIndex());
    const QString directory = line(Field::Directory).text();
    const QString list = program == Program::Farm ? line(Field::TaskList).text()
        : program == Program::Serve               ? QStringLiteral("serve")
                                                  : QStringLiteral("merge");
    if (!m_ownRunFile)
        line(Field::RunFile)
            .setText(list.isEmpty() ? QString() : LaunchPlan::runFileFor(list, directory));
    if (!m_ownOutput)
        line(Field::Output)
            .setText(LaunchPlan::freeName(program == Program::Probe
                                              ? QStringLiteral("environment.toml")
                                              : QStringLiteral("merged.tsv"),
                                          directory));
}

void LaunchForm::setResumption(const LaunchPlan& plan)
{
    m_given = plan;
    m_ownDirectory = m_ownRunFile = true;
    setProgram(plan.program);
    line(Field::Directory).setText(plan.directory);
    line(Field::TaskList).setText(plan.taskList);
    m_ranks->setValue(plan.ranks);
    m_slots->setValue(plan.slots);
    m_dedicated->setChecked(plan.dedicatedMaster);
    line(Field::Topology).setText(plan.topology);
    line(Field::RunFile).setText(plan.runFile);
    line(Field::RunFile).setReadOnly(true);
    line(Field::TaskList).setPlaceholderText(tr("the tasks as they are recorded"));
    m_form->setRowVisible(m_program, false);
    m_form->setRowVisible(m_tasks, plan.goal == LaunchPlan::Goal::RetryTasks);
    m_tasks->setText(
        tr("%1, and what waits for them; nothing else is run").arg(elidedRanges(plan.tasks)));
    m_tasks->setToolTip(plan.tasks.left(mostToolTip));
    renew();
}

LaunchPlan LaunchForm::plan() const
{
    const auto text = [this](Field field) { return m_lines[indexOf(field)]->text(); };
    LaunchPlan plan = m_given;
    plan.program = static_cast<Program>(m_program->currentIndex());
    plan.taskList = text(Field::TaskList);
    plan.files = text(Field::Files);
    plan.output = text(Field::Output);
    plan.law = m_law->currentText();
    plan.directory = text(Field::Directory);
    plan.ranks = m_ranks->value();
    plan.slots = m_slots->value();
    plan.hosts = text(Field::Hosts).trimmed();
    plan.options = text(Field::Options).trimmed();
    plan.topology = text(Field::Topology).trimmed();
    plan.runFile = text(Field::RunFile);
    plan.retries = text(Field::Retries);
    plan.timeout = text(Field::Timeout);
    plan.dedicatedMaster = m_dedicated->isChecked();
    return plan;
}

void LaunchForm::remember()
{
    m_preferences.setValue(QStringLiteral("start/ranks"), m_ranks->value());
    m_preferences.setValue(QStringLiteral("start/slots"), m_slots->value());
    m_preferences.setValue(QStringLiteral("start/hosts"), line(Field::Hosts).text());
    m_preferences.setValue(QStringLiteral("start/options"), line(Field::Options).text());
}

void LaunchForm::renew()
{
    const LaunchPlan now = plan();
    const auto found = now.problems();
    // An empty form needs no scolding.
    const bool empty = now.goal == LaunchPlan::Goal::New
        && (now.program == Program::Farm ? now.taskList : now.files).isEmpty();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto field = static_cast<Field>(i);
        const bool quiet = empty
            && (field == Field::TaskList || field == Field::Files || field == Field::RunFile);
        m_problems[i]->setText(found[i]);
        m_form->setRowVisible(m_problems[i], !found[i].isEmpty() && !quiet);
        m_form->setRowVisible(m_rows[i], now.has(field));
    }
    m_form->setRowVisible(m_law, now.program == Program::Merge);
    const bool tasks = now.program == Program::Farm || now.program == Program::Serve;
    m_ofTasks->setVisible(tasks);
    m_dedicated->setEnabled(now.topology.isEmpty());
    m_dedicated->setToolTip(now.topology.isEmpty() ? QString() : tr("The topology says it."));
    Q_EMIT edited();
}

} // namespace tasuki
