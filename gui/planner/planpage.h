// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "client/agentfinder.h"
#include "plandocument.h"
#include "views/preferences.h"

class QAction;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QToolButton;

namespace tasuki {

class AllocationPanel;
class EnvironmentPanel;
class ProblemBar;
class TraceComparison;

} // namespace tasuki

namespace tasuki::planner {

class PlaceChooser;

/// The planner: the chart of allocations, the timelines of the selected one, the environment.
class PlanPage : public QWidget {
    Q_OBJECT

public:
    /// @param document, preferences  must outlive the widget
    PlanPage(PlanDocument& document, Preferences& preferences, QWidget* parent = nullptr);
    ~PlanPage() override;

    /// Agents that could search instead of this process.
    void setAgents(const QList<AgentEntry>& agents);
    /// Asks what becomes of edits that are not saved. @return false: the user wants to stay
    bool mayClose();
    void openEnvironment(const QString& path);
    void chooseMeasurements();
    void loadMeasurements(const QString& path);
    /// Once there is something to compare them with.
    void loadMeasurementsLater(const QString& path);
    void chooseBundle();
    /// Writes what mpirun needs for the selected allocation.
    void writeBundle(const QString& folder);
    void chooseTimelinePicture();
    void search();
    /// Name of the trace, for the title.
    [[nodiscard]] QString title() const;

    [[nodiscard]] AllocationPanel& allocations() { return *m_allocations; }
    [[nodiscard]] EnvironmentPanel& environment() { return *m_environment; }
    [[nodiscard]] TraceComparison& timelines() { return *m_timelines; }
    [[nodiscard]] QPushButton& searchButton() { return *m_search; }
    [[nodiscard]] QComboBox& models() { return *m_models; }
    /// Where a search runs: here, or with an agent. Not shown when there is none.
    [[nodiscard]] QComboBox& places();
    /// Tells that an agent did not search to the end.
    [[nodiscard]] ProblemBar& loss() { return *m_loss; }
    [[nodiscard]] QComboBox& comparison() { return *m_comparison; }
    [[nodiscard]] ProblemBar& problems() { return *m_problems; }
    [[nodiscard]] QString explanation() const;
    /// Timelines of the selected allocation are shown.
    [[nodiscard]] bool showsPrediction() const { return m_shown.has_value(); }
    [[nodiscard]] PlanSession& session() { return m_document.session(); }

Q_SIGNALS:
    void said(const QString& text);
    void traceWanted();

private:
    QWidget* makeHeader();
    QWidget* makeTimelines();
    void link();
    void renewState();
    void renewProgress();
    void renewLoss();
    void searchHere();
    void renewProblems();
    void renewTimelines();
    void takeTimelines(const TimelineResult& result);
    [[nodiscard]] QStringList nodesOf(const plan::Allocation& allocation) const;
    [[nodiscard]] QString summary() const;

    PlanDocument& m_document;
    Preferences& m_preferences;
    QLabel* m_name = nullptr;
    QLabel* m_summary = nullptr;
    QComboBox* m_models = nullptr;
    PlaceChooser* m_places = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_search = nullptr;
    QPushButton* m_bundle = nullptr;
    ProblemBar* m_problems = nullptr;
    ProblemBar* m_loss = nullptr;
    QSplitter* m_columns = nullptr;
    QSplitter* m_rows = nullptr;
    AllocationPanel* m_allocations = nullptr;
    EnvironmentPanel* m_environment = nullptr;
    QComboBox* m_comparison = nullptr;
    QLabel* m_explanation = nullptr;
    TraceComparison* m_timelines = nullptr;
    std::optional<TimelineResult> m_shown;
    QString m_laterMeasurements; ///< empty: none
};

} // namespace tasuki::planner
