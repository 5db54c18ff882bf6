// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskdetails.h"

#include <QFile>
#include <QPointer>

#include <algorithm>

namespace tasuki {

TaskDetails::TaskDetails(Session& session, const AttemptHistory& history,
                         const Selection& selection, QObject* parent,
                         std::chrono::milliseconds tailInterval)
    : QObject(parent),
      m_session(session),
      m_history(history),
      m_selection(selection),
      m_tailTimer(this)
{
    m_tailTimer.setInterval(tailInterval);
    connect(&m_tailTimer, &QTimer::timeout, this, &TaskDetails::ask);
    connect(&selection, &Selection::taskChanged, this, &TaskDetails::follow);
    connect(&session, &Session::changed, this, &TaskDetails::takeChanges);
    connect(&session, &Session::wasReset, this, &TaskDetails::follow);
    connect(&session, &Session::connectionChanged, this, [this] {
        if (m_outputState == OutputState::Missing && m_session.takesCommands())
            ask();
    });
}

void TaskDetails::follow() { choose(m_selection.task(), m_selection.attempt()); }

void TaskDetails::takeChanges(const ChangeSet& changes)
{
    const auto selected = m_selection.task();
    if (!selected)
        return;
    const bool cameBack = !m_task && selected->value() < m_session.state().tasks().size();
    const bool touched = changes.allTasks || std::ranges::binary_search(changes.tasks, *selected)
        || cameBack;
    const bool isNew = *selected >= changes.firstNewTask && changes.newTasks != 0;
    if (touched || isNew)
        follow();
}

void TaskDetails::choose(std::optional<TaskId> task, std::optional<AttemptKey> attempt)
{
    if (task && task->value() >= m_session.state().tasks().size())
        task.reset();
    const bool otherTask = task != m_task;
    m_task = task;
    m_attempts = task ? m_history.of(*task) : std::vector<AttemptEntry>();
    std::optional<AttemptKey> shown;
    if (task && attempt && attempt->task == *task && m_history.find(*attempt))
        shown = attempt;
    else if (!m_attempts.empty())
        shown = AttemptKey{.task = *task, .number = m_attempts.back().number};
    if (otherTask) {
        m_command.reset();
        m_commandRevision = {};
    }
    if (task)
        askCommand();
    const bool otherAttempt = shown != m_attempt;
    m_attempt = shown;
    Q_EMIT changed();
    if (otherAttempt || otherTask) {
        ++m_round;
        m_asking = false;
        m_output.clear();
        m_error.clear();
        setOutputState(m_attempt ? OutputState::Asked : OutputState::None);
        Q_EMIT outputChanged();
    } else if (m_outputState == OutputState::Missing) {
        m_outputState = OutputState::Asked;
    }
    if (m_attempt && m_outputState != OutputState::Whole)
        ask();
}

void TaskDetails::askCommand()
{
    if (!m_session.shortCommand(*m_task)) {
        m_command = record().task.command;
        return;
    }
    const Revision revision = record().revision;
    if (m_commandRevision == revision)
        return; // it is here or on its way
    m_command.reset();
    m_commandRevision = revision;
    m_session.requestTask(
        *m_task,
        [self = QPointer<TaskDetails>(this), task = *m_task, revision](const Result<Task>& answer) {
            if (!self || self->m_task != task || self->m_commandRevision != revision)
                return;
            if (!answer) {
                self->m_commandRevision = {}; // the next change asks again
                return;
            }
            self->m_command = answer->command;
            Q_EMIT self->changed();
        });
}

void TaskDetails::ask()
{
    if (!m_attempt || m_asking)
        return;
    m_asking = true;
    const OutputQuery query{.key = *m_attempt,
                            .standardOutputFrom = m_output.nextOffset(),
                            .standardErrorFrom = m_error.nextOffset()};
    m_session.requestOutput(
        query,
        [self = QPointer<TaskDetails>(this), round = m_round](const Result<OutputAnswer>& answer) {
            if (self && self->m_round == round)
                self->takeAnswer(answer);
        });
}

void TaskDetails::takeAnswer(const Result<OutputAnswer>& answer)
{
    m_asking = false;
    if (!answer) {
        setOutputState(OutputState::Missing, QString::fromStdString(answer.error().text()));
        return;
    }
    if (!answer->known && attemptRuns() && !m_session.showsRecord()) {
        // Its start is known before its first output, its end before its record: ask again.
        setOutputState(OutputState::Asked);
        return;
    }
    if (!answer->known) {
        setOutputState(OutputState::Missing,
                       attemptRuns() ? tr("The output of a running task is with its agent alone.")
                                     : tr("The record has no output of this attempt."));
        return;
    }
    if (m_outputState == OutputState::Missing)
        setOutputState(OutputState::Asked);
    const auto before = m_output.nextOffset() + m_error.nextOffset();
    if (const QString text = m_output.append(answer->standardOutput); !text.isEmpty())
        Q_EMIT outputGrew(StreamKind::Output, text);
    if (const QString text = m_error.append(answer->standardError); !text.isEmpty())
        Q_EMIT outputGrew(StreamKind::Error, text);
    const bool more = m_output.nextOffset() < m_output.totalBytes()
        || m_error.nextOffset() < m_error.totalBytes();
    const bool grew = m_output.nextOffset() + m_error.nextOffset() > before;
    if (more && grew) {
        ask();
        return;
    }
    setOutputState(answer->running ? OutputState::Growing : OutputState::Whole);
}

void TaskDetails::setOutputState(OutputState state, QString problem)
{
    const bool tail = state == OutputState::Growing || state == OutputState::Asked;
    if (tail && !m_session.showsRecord())
        m_tailTimer.start();
    else
        m_tailTimer.stop();
    if (m_outputState == state && m_problem == problem)
        return;
    m_outputState = state;
    m_problem = std::move(problem);
    Q_EMIT outputChanged();
}

QString TaskDetails::outputFile(StreamKind stream) const
{
    const AttemptEntry* entry = m_attempt ? m_history.find(*m_attempt) : nullptr;
    if (!entry || entry->running || entry->cutOff || output(stream).totalBytes() == 0)
        return {};
    const std::string& directory = m_history.outputDirectory(*entry);
    const bool overwritten = std::ranges::any_of(m_attempts, [&](const AttemptEntry& other) {
        return other.number > entry->number && m_history.outputDirectory(other) == directory;
    });
    if (directory.empty() || overwritten)
        return {};
    return QFile::decodeName(
        QByteArray::fromStdString(directory + '/' + outputFileName(m_attempt->task, stream)));
}

bool TaskDetails::attemptRuns() const
{
    const AttemptEntry* entry = m_attempt ? m_history.find(*m_attempt) : nullptr;
    return entry && entry->running;
}

} // namespace tasuki
