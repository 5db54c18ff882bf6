// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "attempthistory.h"
#include "client/session.h"
#include "domain/outputkeeping.h"
#include "outputtext.h"
#include "selection.h"

namespace tasuki {

/// All about the selected task: its attempts, and what one of them wrote. While that attempt runs,
/// its output is asked for twice a second. GUI thread.
class TaskDetails : public QObject {
    Q_OBJECT

public:
    /// Where the output of the attempt stands.
    enum class OutputState : std::uint8_t {
        None,    ///< no attempt is selected
        Asked,   ///< not here yet
        Growing, ///< the attempt runs
        Whole,   ///< all that was kept
        Missing, ///< cannot be had: see outputProblem()
    };

    /// @param session, history, selection  must outlive this object
    TaskDetails(Session& session, const AttemptHistory& history, const Selection& selection,
                QObject* parent = nullptr,
                std::chrono::milliseconds tailInterval = std::chrono::milliseconds(500));

    /// None: nothing is selected, or the run has no such task.
    [[nodiscard]] std::optional<TaskId> task() const { return m_task; }
    /// Precondition: task().
    [[nodiscard]] const TaskRecord& record() const { return m_session.state().task(*m_task); }
    /// The first one first.
    [[nodiscard]] const std::vector<AttemptEntry>& attempts() const { return m_attempts; }
    [[nodiscard]] const HolderEntry& holder(const AttemptEntry& attempt) const
    {
        return m_history.holder(attempt);
    }
    /// The attempt whose output is shown: the selected one or the latest; none: never tried.
    [[nodiscard]] std::optional<AttemptKey> attempt() const { return m_attempt; }

    /// The whole command, also when the record has only its beginning; none: not here yet.
    [[nodiscard]] const std::optional<std::string>& wholeCommand() const { return m_command; }

    [[nodiscard]] OutputState outputState() const { return m_outputState; }
    [[nodiscard]] const QString& outputProblem() const { return m_problem; }
    [[nodiscard]] const OutputText& output(StreamKind stream) const
    {
        return stream == StreamKind::Output ? m_output : m_error;
    }
    /// The file with all that the attempt has printed to a stream, as the run says; it need not be here.
    /// Empty: there is none, or it has been overwritten by a later attempt.
    [[nodiscard]] QString outputFile(StreamKind stream) const;

Q_SIGNALS:
    /// Task, attempts or attempt are others, or their values changed.
    void changed();
    /// The texts begin anew, or outputState() changed.
    void outputChanged();
    /// Text was added at the end of a stream (and may have gone at its beginning).
    void outputGrew(tasuki::StreamKind stream, const QString& text);

private:
    void follow();
    void takeChanges(const ChangeSet& changes);
    void askCommand();
    void choose(std::optional<TaskId> task, std::optional<AttemptKey> attempt);
    void ask();
    void takeAnswer(const Result<OutputAnswer>& answer);
    void setOutputState(OutputState state, QString problem = {});
    [[nodiscard]] bool attemptRuns() const;

    Session& m_session;
    const AttemptHistory& m_history;
    const Selection& m_selection;
    std::optional<TaskId> m_task;
    std::optional<std::string> m_command;
    Revision m_commandRevision; ///< that m_command is, or was asked for, of
    std::vector<AttemptEntry> m_attempts;
    std::optional<AttemptKey> m_attempt;
    OutputText m_output;
    OutputText m_error;
    OutputState m_outputState = OutputState::None;
    QString m_problem;
    bool m_asking = false;
    std::uint64_t m_round = 0; ///< tells answers for what is not selected any more
    QTimer m_tailTimer;
};

} // namespace tasuki
