// SPDX-License-Identifier: GPL-3.0-or-later
#include "startrundialog.h"

#include "icons.h"
#include "launchform.h"
#include "theme.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace tasuki {

StartRunDialog::StartRunDialog(AgentFinder& finder, const Clock& clock, Preferences& preferences,
                               QString program, QWidget* parent)
    : QDialog(parent), m_program(std::move(program)), m_launcher(finder, clock)
{
    setWindowTitle(tr("Start a run"));
    setAcceptDrops(true);
    auto* box = new QVBoxLayout(this);
    box->setSpacing(10);
    m_form = new LaunchForm(preferences);
    box->addWidget(m_form);
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
    connect(m_form, &LaunchForm::edited, this, &StartRunDialog::renew);
    connect(buttons, &QDialogButtonBox::accepted, this, &StartRunDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    linkLauncher();
    resize(720, sizeHint().height());
    renew();
}

void StartRunDialog::linkLauncher()
{
    connect(this, &QDialog::rejected, &m_launcher, &AgentLauncher::forget);
    connect(&m_launcher, &AgentLauncher::connected, this, [this](const QString& accessFile) {
        accept();
        Q_EMIT agentStarted(accessFile, m_form->plan().absoluteRunFile());
    });
    connect(&m_launcher, &AgentLauncher::over, this, [this](const QString& runFile) {
        accept();
        Q_EMIT runOver(runFile);
    });
    connect(&m_launcher, &AgentLauncher::written, this, [this](const QString& file) {
        accept();
        Q_EMIT probed(file);
    });
    connect(&m_launcher, &AgentLauncher::said, this, &StartRunDialog::showWords);
    connect(&m_launcher, &AgentLauncher::failed, this, &StartRunDialog::showFailure);
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

void StartRunDialog::setTaskList(const QString& path) { m_form->setTaskList(path); }

void StartRunDialog::setResumption(const LaunchPlan& plan)
{
    m_form->setResumption(plan);
    const bool resume = plan.goal == LaunchPlan::Goal::Resume;
    const bool failed = plan.goal == LaunchPlan::Goal::RetryFailed;
    setWindowTitle(resume       ? tr("Resume a run")
                       : failed ? tr("Try again what has failed")
                                : tr("Do tasks again"));
    m_start->setText(resume ? tr("Res&ume") : tr("Re&try"));
}

QString StartRunDialog::commandLine() const
{
    return m_form->plan().commandLine(m_program.isEmpty() ? QStringLiteral("tasuki-agent")
                                                          : m_program);
}

QString StartRunDialog::failure() const
{
    return m_failure->isHidden() ? QString()
                                 : m_failure->text() + QLatin1Char('\n') + m_words->toPlainText();
}

QString StartRunDialog::words() const { return m_words->toPlainText(); }

void StartRunDialog::renew()
{
    m_command->setPlainText(commandLine());
    m_start->setEnabled(m_form->plan().valid() && !m_program.isEmpty() && !m_launcher.waiting());
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
    m_form->remember();
    setWaiting(true);
    m_launcher.start(m_form->plan(), m_program);
}

void StartRunDialog::setWaiting(bool waiting)
{
    m_form->setEnabled(!waiting);
    m_progress->setVisible(waiting);
    m_start->setEnabled(!waiting);
}

void StartRunDialog::showFailure(const QString& why, const QString& words)
{
    setWaiting(false);
    m_start->setEnabled(!m_program.isEmpty() && m_form->plan().valid());
    m_failure->setText(why);
    m_failure->show();
    showWords(words);
}

void StartRunDialog::showWords(const QString& words)
{
    m_words->setPlainText(words);
    m_words->setVisible(!words.isEmpty());
    m_words->moveCursor(QTextCursor::End);
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
