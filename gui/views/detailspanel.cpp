// SPDX-License-Identifier: GPL-3.0-or-later
#include "detailspanel.h"

#include "headerlayout.h"
#include "icons.h"
#include "models/wording.h"
#include "theme.h"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tasuki {

namespace {

constexpr std::size_t mostLinks = 30;
constexpr int commandLines = 4;

enum AttemptColumn : int { Number, Ending, RanOn, Host, Started, RunTime, Processor, Memory };

QString number(std::uint64_t n) { return QLocale().toString(qulonglong{n}); }

QIcon resultIcon(const AttemptEntry& attempt)
{
    if (attempt.cutOff || attempt.outcome == Outcome::Lost)
        return icons::health(ProcessorTreeModel::Health::Lost);
    if (attempt.outcome == Outcome::Succeeded)
        return icons::state(TaskState::Succeeded);
    const bool wanted = attempt.outcome == Outcome::Cancelled
        || attempt.outcome == Outcome::Interrupted;
    return icons::state(wanted ? TaskState::Cancelled : TaskState::Failed);
}

} // namespace

DetailsPanel::DetailsPanel(RunModels& models, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_models(models)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    m_stack = new QStackedWidget;
    box->addWidget(m_stack);

    auto* nothing = new QLabel(tr("Nothing is selected.\n\nSelect a task in the timeline, in the "
                                  "task table or among the events to see all about it."));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    nothing->setMargin(16);
    nothing->setForegroundRole(QPalette::PlaceholderText);
    m_stack->addWidget(nothing);

    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeHead());
    splitter->addWidget(makeAttempts(preferences));
    m_output = new OutputView(models.details);
    splitter->addWidget(m_output);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setStretchFactor(2, 4);
    splitter->setSizes({240, 110, 300});
    m_stack->addWidget(splitter);

    connect(&models.details, &TaskDetails::changed, this, &DetailsPanel::renew);
    connect(m_attempts, &QTreeWidget::currentItemChanged, this, &DetailsPanel::selectAttempt);
    renew();
}

QWidget* DetailsPanel::makeHead()
{
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    auto* box = new QVBoxLayout(content);
    box->setContentsMargins(10, 8, 10, 8);
    box->setSpacing(6);

    auto* heading = new QHBoxLayout;
    m_stateIcon = new QLabel;
    m_title = new QLabel;
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_copy = new QToolButton;
    m_copy->setAutoRaise(true);
    m_copy->setIcon(icons::named(QStringLiteral("copy")));
    m_copy->setToolTip(tr("Copy the command"));
    m_copy->setAccessibleName(m_copy->toolTip());
    heading->addWidget(m_stateIcon);
    heading->addWidget(m_title, 1);
    heading->addWidget(m_copy);
    box->addLayout(heading);

    m_command = new QPlainTextEdit;
    m_command->setReadOnly(true);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_command->setFont(theme::monospace());
    m_command->setTabChangesFocus(true);
    m_command->setAccessibleName(tr("Command of the task"));
    m_command->setMinimumHeight(QFontMetrics(theme::monospace()).lineSpacing() * 2 + 12);
    m_command->setMaximumHeight(QFontMetrics(theme::monospace()).lineSpacing() * commandLines + 12);
    box->addWidget(m_command);

    m_settings = new QFormLayout;
    m_settings->setContentsMargins(0, 0, 0, 0);
    m_settings->setHorizontalSpacing(12);
    m_settings->setVerticalSpacing(3);
    m_settings->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    box->addLayout(m_settings);
    box->addStretch();
    scroll->setWidget(content);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(command()); });
    return scroll;
}

QWidget* DetailsPanel::makeAttempts(Preferences& preferences)
{
    m_attempts = new QTreeWidget;
    m_attempts->setHeaderLabels({tr("Attempt"), tr("Result"), tr("Rank"), tr("Host"), tr("Started"),
                                 tr("Run time"), tr("CPU time"), tr("Memory")});
    m_attempts->setRootIsDecorated(false);
    m_attempts->setUniformRowHeights(true);
    m_attempts->setAllColumnsShowFocus(true);
    m_attempts->setFrameShape(QFrame::NoFrame);
    m_attempts->setAccessibleName(tr("Attempts of the task"));
    QHeaderView& header = *m_attempts->header();
    header.setStretchLastSection(false);
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    const std::array widths{8, 15, 7, 12, 20, 10, 10, 10};
    for (int column = 0; column < static_cast<int>(widths.size()); ++column)
        header.resizeSection(column, widths.at(static_cast<std::size_t>(column)) * digit);
    keepHeader(header, preferences, QStringLiteral("attempts"));
    return m_attempts;
}

QString DetailsPanel::command() const
{
    if (!m_models.details.task())
        return {};
    const auto& whole = m_models.details.wholeCommand();
    return wording::text(whole ? *whole : m_models.details.record().task.command);
}

void DetailsPanel::renew()
{
    const auto task = m_models.details.task();
    m_stack->setCurrentIndex(task ? 1 : 0);
    if (!task)
        return;
    const TaskRecord& record = m_models.details.record();
    const int size = fontMetrics().height() + 2;
    m_stateIcon->setPixmap(icons::state(record.state).pixmap(size, size));
    m_title->setText(QStringLiteral("<b>%1</b> &nbsp;%2")
                         .arg(tr("Task %1").arg(number(task->value())).toHtmlEscaped(),
                              wording::state(record.state).toHtmlEscaped()));
    const QString text = command();
    if (m_command->toPlainText() != text)
        m_command->setPlainText(text);
    const bool whole = m_models.details.wholeCommand().has_value();
    m_copy->setEnabled(whole);
    m_command->setToolTip(whole ? QString()
                                : tr("The rest of this long command is being fetched."));
    renewSettings(record);
    renewAttempts();
}

void DetailsPanel::addSetting(const QString& name, const QString& value, bool links)
{
    auto* caption = new QLabel(name);
    caption->setForegroundRole(QPalette::PlaceholderText);
    auto* label = new QLabel(value);
    label->setWordWrap(true);
    label->setTextFormat(links ? Qt::RichText : Qt::PlainText);
    label->setTextInteractionFlags(links ? Qt::TextBrowserInteraction : Qt::TextSelectableByMouse);
    label->setAccessibleName(name);
    if (links) {
        connect(label, &QLabel::linkActivated, this,
                [this](const QString& link) { m_models.selection.setTask(TaskId(link.toUInt())); });
    }
    m_settings->addRow(caption, label);
}

void DetailsPanel::renewSettings(const TaskRecord& record)
{
    while (m_settings->rowCount() > 0)
        m_settings->removeRow(0);
    const TaskContent content{.command = {}, .settings = *record.task.settings};
    if (record.attempts > 0 && record.state != TaskState::Running)
        addSetting(tr("Last result"), wording::outcome(record.lastOutcome, record.lastCode));
    addSetting(tr("Retries"), wording::retries(content.settings.retries));
    const QString limit = fieldText(content, TaskField::Timeout);
    addSetting(tr("Time limit"), limit.isEmpty() ? tr("none") : limit);
    const QString directory = fieldText(content, TaskField::Directory);
    addSetting(tr("Directory"), directory.isEmpty() ? tr("that of the run") : directory);
    if (!content.settings.environment.empty())
        addSetting(tr("Environment"), fieldText(content, TaskField::Environment));
    if (record.task.links && !record.task.links->label.empty())
        addSetting(tr("Label"), wording::text(record.task.links->label));
    if (record.task.links && !record.task.links->after.empty()) {
        QStringList links;
        const auto& after = record.task.links->after;
        for (std::size_t i = 0; i < std::min(after.size(), mostLinks); ++i)
            links << QStringLiteral("<a href=\"%1\">%2</a>")
                         .arg(after[i].value())
                         .arg(number(after[i].value()));
        QString text = links.join(QStringLiteral(", "));
        if (after.size() > mostLinks)
            text += QLatin1Char(' ') + tr("and %1 more").arg(number(after.size() - mostLinks));
        addSetting(tr("After tasks"), text, true);
    }
    QStringList place;
    if (record.task.line > 0)
        place << tr("line %1 of the list").arg(number(record.task.line));
    if (record.task.stage > 0)
        place << tr("stage %1").arg(number(record.task.stage + 1U));
    if (!place.isEmpty())
        addSetting(tr("Place"), place.join(QStringLiteral(", ")));
}

void DetailsPanel::renewAttempts()
{
    m_filling = true;
    m_attempts->clear();
    const auto shown = m_models.details.attempt();
    for (const AttemptEntry& attempt : m_models.details.attempts()) {
        const HolderEntry& holder = m_models.details.holder(attempt);
        auto* item = new QTreeWidgetItem(m_attempts);
        item->setText(Number, number(attempt.number.value()));
        item->setData(Number, Qt::UserRole, attempt.number.value());
        item->setText(
            RanOn, wording::rankCell(m_models.session.state().system(), attempt.rank).toString());
        item->setText(Host, wording::text(holder.host));
        item->setText(Started, wording::time(attempt.startedAt));
        if (attempt.running) {
            item->setText(Ending, wording::state(TaskState::Running));
            item->setIcon(Ending, icons::state(TaskState::Running));
        } else {
            item->setText(Ending,
                          attempt.cutOff ? tr("unknown: the run was cut off")
                                         : wording::outcome(attempt.outcome, attempt.code));
            item->setIcon(Ending, resultIcon(attempt));
            item->setText(RunTime, wording::duration(attempt.elapsed));
            item->setText(Processor, wording::duration(attempt.user + attempt.system));
            item->setToolTip(
                Processor,
                tr("%1 user, %2 system")
                    .arg(wording::duration(attempt.user), wording::duration(attempt.system)));
            if (attempt.maxResidentKiB > 0)
                item->setText(Memory, wording::bytes(std::uint64_t{attempt.maxResidentKiB} << 10U));
        }
        for (const int column : {Number, RanOn, RunTime, Processor, Memory})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        if (shown && shown->number == attempt.number)
            m_attempts->setCurrentItem(item);
    }
    m_filling = false;
}

void DetailsPanel::selectAttempt()
{
    const QTreeWidgetItem* item = m_attempts->currentItem();
    const auto task = m_models.details.task();
    if (m_filling || item == nullptr || !task)
        return;
    m_models.selection.setAttempt(
        {*task, AttemptNumber(item->data(Number, Qt::UserRole).toUInt())});
}

} // namespace tasuki
