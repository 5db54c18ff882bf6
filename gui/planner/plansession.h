// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>
#include <QTimer>

#include "plan/evaluation.h"
#include "plan/measurements.h"
#include "planrequest.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace tasuki::planner {

class PlanSearcher;
class PlanWorker;

/// One opened trace, the environment it is planned for, and what the search found. GUI thread; what
/// takes long runs on a worker's.
///
///   state     | event                             | does                           | next
///   ----------+-----------------------------------+--------------------------------+-----------
///   Empty     | open()                            | the worker reads the log       | Loading
///   Loading   | read                              |                                | Ready
///   Loading   | cannot be read, or cancel()       | tells why                      | Empty
///   Ready     | search(); or the environment or   | the worker searches            | Searching
///             | model changed and it is quick     |                                |
///   Searching | something was found so far        | keeps it                       | Searching
///   Searching | found, or cancel()                | keeps what was found           | Ready
///   Searching | the agent that searches is lost   | keeps what was found; tells why| Ready
///   Searching | the environment or model changed  | the search ends; a new one, if | Searching,
///             |                                   | it is quick                    | or Ready
///   any       | open()                            | ends what runs                 | Loading
class PlanSession : public QObject {
    Q_OBJECT

public:
    enum class State : std::uint8_t { Empty, Loading, Ready, Searching };

    explicit PlanSession(QObject* parent = nullptr);
    ~PlanSession() override;

    void open(const QString& path);
    /// Ends a loading or a search.
    void cancel();
    /// Null: there is none. Searches by itself when that is quick.
    void setEnvironment(std::shared_ptr<const plan::Environment> environment);
    void setModel(Model model);
    /// Searches whatever it takes, where setSearcher() says.
    void search();
    /// Who searches when search() says so; a search that goes on there ends. Searches by itself, which
    /// are quick, stay in this process.
    /// @param searcher  null: this process
    void setSearcher(std::unique_ptr<PlanSearcher> searcher);
    /// Which allocation's timeline is wanted; timelineReady() brings it, and that of the best one.
    /// Precondition: result().
    void select(const plan::Allocation& allocation);
    /// Measured runtimes to be shown beside the predicted ones.
    /// @return what is wrong with the file; empty: they are taken
    std::vector<Diagnostic> loadMeasurements(const QString& path);
    void clearMeasurements();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] const LoadedTrace& loaded() const { return m_loaded; }
    [[nodiscard]] const std::shared_ptr<const plan::Environment>& environment() const
    {
        return m_environment;
    }
    [[nodiscard]] Model model() const { return m_model; }
    /// None: nothing was searched yet, or what was found does not hold any more.
    [[nodiscard]] const std::optional<SearchResult>& result() const { return m_result; }
    /// What was found is only the best so far.
    [[nodiscard]] bool isUnfinished() const;
    [[nodiscard]] const SearchProgress& progress() const { return m_progress; }
    /// Why the latest search came to no end, for people; empty: it did, or goes on.
    [[nodiscard]] const QString& failure() const { return m_failure; }
    /// Whether a search may still begin by itself: edits may follow, or what it takes is being counted.
    [[nodiscard]] bool maySearchByItself() const;
    /// The search that goes on is an agent's.
    [[nodiscard]] bool searchesElsewhere() const;
    [[nodiscard]] const std::vector<plan::Measurement>& measurements() const
    {
        return m_measurements;
    }
    /// How well the predictions serve; none: nothing was measured or predicted, or not all were tried.
    [[nodiscard]] std::optional<plan::Evaluation> evaluation() const;
    /// Why there is nothing to search: no trace, no environment, too few slots. Empty: nothing.
    [[nodiscard]] QString obstacle() const;

Q_SIGNALS:
    void stateChanged();
    /// Another trace is there, or none.
    void loadedChanged();
    void loadingProgress(quint64 bytes, quint64 total);
    void searchProgress();
    void resultChanged();
    void measurementsChanged();
    void timelineReady(const tasuki::planner::TimelineResult& result);

private:
    void take(const LoadedTrace& loaded);
    void take(const CountResult& result);
    void take(const SearchResult& result);
    void take(const TimelineResult& result);
    void takeLoss(quint64 number, const QString& reason);
    void connectSearcher(PlanSearcher& searcher);
    void setState(State state);
    /// What was found does not hold any more.
    void invalidate();
    /// Once it is counted how long it would take.
    void searchIfQuick();
    void endCounting();
    [[nodiscard]] SearchRequest requestOf(std::uint64_t number) const;
    void startSearch(PlanSearcher& searcher);
    void stopWork();
    void predictNext();

    PlanWorker* m_worker;
    QThread m_thread;
    std::unique_ptr<PlanSearcher> m_local;
    std::unique_ptr<PlanSearcher> m_agent; ///< null: none was chosen
    PlanSearcher* m_active = nullptr;      ///< of the two; null: none was asked yet
    QTimer m_settled;                      ///< runs while edits may still follow each other
    State m_state = State::Empty;
    QString m_path;
    LoadedTrace m_loaded;
    std::shared_ptr<const plan::Environment> m_environment;
    Model m_model = Model::Replay;
    std::optional<SearchResult> m_result;
    SearchProgress m_progress;
    QString m_failure;
    std::optional<TimelineRequest> m_wanted; ///< the latest wish that the worker does not know of
    bool m_predicting = false;
    std::vector<plan::Measurement> m_measurements;
    std::stop_source m_stop;
    std::stop_source m_countStop{std::nostopstate}; ///< of what is being counted
    std::uint64_t m_countNumber = 0;
    std::uint64_t m_searchNumber = 0;
    std::uint64_t m_timelineNumber = 0;
    std::uint64_t m_loadNumber = 0;
};

} // namespace tasuki::planner
