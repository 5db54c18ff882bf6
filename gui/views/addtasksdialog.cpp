// SPDX-License-Identifier: GPL-3.0-or-later
#include "addtasksdialog.h"

#include "icons.h"
#include "listeditor.h"
#include "models/wording.h"
#include "theme.h"

#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QStringDecoder>
#include <QThreadPool>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds typingPause{200};
constexpr std::size_t mostProblems = 500;
enum ProblemColumn : int { Place, Text };
constexpr int lineRole = Qt::UserRole;
constexpr int columnRole = Qt::UserRole + 1;

} // namespace

EarlierTasks earlierTasks(const RunState& state)
{
    EarlierTasks earlier;
    earlier.count = static_cast<std::uint32_t>(state.tasks().size());
    for (std::uint32_t id = 0; id < earlier.count; ++id) {
        const TaskRecord& record = state.task(TaskId(id));
        earlier.stage = std::max(earlier.stage, record.task.stage);
        const bool listed = record.state != TaskState::Removed;
        if (listed && record.task.links && !record.task.links->label.empty())
            earlier.labels[record.task.links->label].push_back(TaskId(id));
    }
    return earlier;
}

AddTasksDialog::AddTasksDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_name(tr("new tasks"))
{
    setWindowTitle(tr("Add tasks"));
    setAcceptDrops(true);
    auto* box = new QVBoxLayout(this);
    box->setSpacing(8);
    box->addWidget(makeTop());

    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    m_editor = new ListEditor;
    m_editor->setAcceptDrops(false);
    m_editor->setAccessibleName(tr("Task list"));
    m_editor->setPlaceholderText(QStringLiteral("./fit input1.dat > output1.txt\n"
                                                "#TASUKI retries=2 timeout=10m\n"
                                                "./fit input2.dat > output2.txt"));
    splitter->addWidget(m_editor);
    m_problems = new QTreeWidget;
    m_problems->setHeaderLabels({tr("Line:column"), tr("What is wrong")});
    m_problems->setRootIsDecorated(false);
    m_problems->setUniformRowHeights(true);
    m_problems->setAccessibleName(tr("What is wrong with the list"));
    m_problems->header()->resizeSection(Place, fontMetrics().averageCharWidth() * 16);
    splitter->addWidget(m_problems);
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 1);
    box->addWidget(splitter, 1);

    m_verdict = new QLabel;
    m_verdict->setWordWrap(true);
    box->addWidget(m_verdict);
    auto* buttons = new QDialogButtonBox;
    m_add = buttons->addButton(tr("&Add"), QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    box->addWidget(buttons);

    m_typing.setSingleShot(true);
    m_typing.setInterval(typingPause);
    const auto jump = [this](const QTreeWidgetItem* item) {
        m_editor->jumpTo(item->data(0, lineRole).toULongLong(),
                         item->data(0, columnRole).toULongLong());
    };
    connect(&m_typing, &QTimer::timeout, this, &AddTasksDialog::check);
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
        m_checking = true;
        m_typing.start();
        renewButtons();
    });
    connect(m_problems, &QTreeWidget::itemActivated, this, jump);
    connect(m_problems, &QTreeWidget::itemClicked, this, jump);
    connect(buttons, &QDialogButtonBox::accepted, this, &AddTasksDialog::send);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&session, &Session::connectionChanged, this, &AddTasksDialog::renewButtons);
    resize(760, 540);
    m_editor->setFocus();
    check();
}

QWidget* AddTasksDialog::makeTop()
{
    auto* top = new QWidget;
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    auto* explanation = new QLabel(
        tr("One command a line. Directives (#TASUKI ...) hold for what follows; labels "
           "of the run may be named by after=."));
    explanation->setWordWrap(true);
    auto* file = new QPushButton(icons::named(QStringLiteral("open")), tr("From a &file..."));
    file->setAutoDefault(false);
    row->addWidget(explanation, 1);
    row->addWidget(file);
    connect(file, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Open a task list"));
        if (!path.isEmpty())
            loadFile(path);
    });
    return top;
}

QString AddTasksDialog::verdict() const { return m_verdict->text(); }

void AddTasksDialog::loadFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        QMessageBox::warning(this, windowTitle(),
                             tr("%1 cannot be read: %2").arg(path, file.errorString()));
        return;
    }
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder.decode(file.readAll());
    if (decoder.hasError()) {
        QMessageBox::warning(this, windowTitle(),
                             tr("%1 has bytes that are not UTF-8 and would be changed here; give "
                                "it to tasuki-agent farm instead.")
                                 .arg(path));
        return;
    }
    m_name = QFileInfo(path).fileName();
    m_editor->setPlainText(text);
    check();
}

void AddTasksDialog::check()
{
    m_typing.stop();
    m_checking = true;
    const std::uint64_t round = ++m_round;
    const QPointer<AddTasksDialog> guard(this);
    QThreadPool::globalInstance()->start(
        [guard, round, text = m_editor->toPlainText().toStdString(), name = m_name.toStdString(),
         earlier = earlierTasks(m_session.state()), application = qApp] {
            auto parse = std::make_shared<const TaskListParse>(
                parseTaskList(text, name, {}, earlier));
            QMetaObject::invokeMethod(
                application,
                [guard, round, parse] {
                    if (guard && guard->m_round == round)
                        guard->showFound(*parse);
                },
                Qt::QueuedConnection);
        });
}

void AddTasksDialog::addProblem(const Diagnostic& diagnostic)
{
    const SourcePlace& place = diagnostic.place;
    auto* item = new QTreeWidgetItem(m_problems);
    QString where = QString::number(place.line);
    if (place.column > 0)
        where += QLatin1Char(':') + QString::number(place.column);
    item->setText(Place, place.line > 0 ? where : QString());
    QString text = wording::phrase(diagnostic.message);
    if (!diagnostic.remedy.empty())
        text += QStringLiteral("; ") + wording::phrase(diagnostic.remedy);
    item->setText(Text, text);
    item->setToolTip(Text, text);
    item->setIcon(Place, icons::severity(diagnostic.severity));
    item->setData(0, lineRole, qulonglong{place.line});
    item->setData(0, columnRole, qulonglong{place.column});
}

void AddTasksDialog::showFound(const TaskListParse& found)
{
    // Nobody needs to be told that what is empty has no tasks.
    const bool empty = m_editor->toPlainText().trimmed().isEmpty();
    const TaskListParse parse = empty ? TaskListParse{} : found;
    m_checking = false;
    m_count = parse.tasks.size();
    m_usable = parse.usable();
    m_problems->clear();
    for (std::size_t i = 0; i < std::min(parse.diagnostics.size(), mostProblems); ++i)
        addProblem(parse.diagnostics[i]);
    m_editor->setDiagnostics(parse.diagnostics);
    const auto errors = std::count_if(parse.diagnostics.begin(), parse.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.isError(); });
    QPalette colours = palette();
    if (errors > 0) {
        colours.setColor(QPalette::WindowText, theme::wrong(colours));
        m_verdict->setText(tr("%n error(s): mend them before the tasks can be added.", nullptr,
                              static_cast<int>(errors)));
    } else if (m_count == 0) {
        m_verdict->setText(tr("There is no command yet."));
    } else {
        m_verdict->setText(tr("%n task(s) will be added.", nullptr, static_cast<int>(m_count)));
    }
    m_verdict->setPalette(colours);
    renewButtons();
    Q_EMIT checked();
}

void AddTasksDialog::renewButtons()
{
    const bool open = m_session.takesCommands();
    m_add->setEnabled(open && m_usable && m_count > 0 && !m_checking && !m_sending);
    m_add->setToolTip(open ? QString() : tr("The agent cannot take commands now."));
    m_editor->setReadOnly(m_sending);
}

void AddTasksDialog::send()
{
    if (!m_add->isEnabled())
        return;
    m_sending = true;
    renewButtons();
    const QPointer<AddTasksDialog> guard(this);
    m_session.sendCommand(
        AddTasks{.text = m_editor->toPlainText().toStdString(), .name = m_name.toStdString()},
        [guard](const Result<CommandAnswer>& answer) {
            if (guard)
                guard->takeAnswer(answer);
        });
}

void AddTasksDialog::takeAnswer(const Result<CommandAnswer>& answer)
{
    m_sending = false;
    if (answer && answer->accepted) {
        Q_EMIT said(tr("%n task(s) added.", nullptr, static_cast<int>(m_count)));
        accept();
        return;
    }
    renewButtons();
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_verdict->setPalette(colours);
    m_verdict->setText(
        answer ? tr("The agent refused the tasks: %1").arg(wording::phrase(answer->reason))
               : tr("The agent gave no answer: %1").arg(wording::text(answer.error().text())));
    if (!answer)
        return;
    m_problems->clear();
    for (const std::string& detail : answer->details) {
        auto* item = new QTreeWidgetItem(m_problems);
        item->setIcon(Place, icons::severity(Severity::Failure));
        item->setText(Text, wording::text(detail));
    }
}

void AddTasksDialog::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1)
        event->acceptProposedAction();
}

void AddTasksDialog::dropEvent(QDropEvent* event)
{
    loadFile(event->mimeData()->urls().constFirst().toLocalFile());
}

} // namespace tasuki
