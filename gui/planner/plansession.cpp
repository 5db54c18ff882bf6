// SPDX-License-Identifier: GPL-3.0-or-later
#include "plansession.h"

#include "localsearcher.h"
#include "plan/search.h"
#include "planworker.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace tasuki::planner {

namespace {

/// Edits come one after the other: a search waits until they pause.
constexpr std::chrono::milliseconds settleTime{150};
/// Records times allocations that are gone through in much less than a second.
constexpr std::uint64_t quickWork = 100'000'000;
constexpr std::uint64_t evaluationSeed = 1;
constexpr qint64 largestMeasurements = 64 * 1024 * 1024;

bool sameNames(const plan::Environment* first, const plan::Environment* second)
{
    return first != nullptr && second != nullptr
        && std::ranges::equal(first->nodes, second->nodes, {}, &plan::NodeSpec::name,
                              &plan::NodeSpec::name);
}

} // namespace

PlanSession::PlanSession(QObject* parent) : QObject(parent), m_worker(new PlanWorker)
{
    qRegisterMetaType<CountResult>();
    qRegisterMetaType<LoadedTrace>();
    qRegisterMetaType<SearchProgress>();
    qRegisterMetaType<SearchResult>();
    qRegisterMetaType<TimelineResult>();
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &PlanWorker::loading, this, &PlanSession::loadingProgress);
    connect(m_worker, &PlanWorker::loaded, this,
            [this](const LoadedTrace& loaded) { take(loaded); });
    connect(m_worker, &PlanWorker::predicted, this,
            [this](const TimelineResult& result) { take(result); });
    connect(m_worker, &PlanWorker::counted, this,
            [this](const CountResult& result) { take(result); });
    m_local = std::make_unique<LocalSearcher>(*m_worker);
    connectSearcher(*m_local);
    m_settled.setSingleShot(true);
    m_settled.setInterval(settleTime);
    connect(&m_settled, &QTimer::timeout, this, &PlanSession::searchIfQuick);
    m_thread.start();
}

PlanSession::~PlanSession()
{
    stopWork();
    endCounting();
    m_thread.quit();
    m_thread.wait();
}

void PlanSession::connectSearcher(PlanSearcher& searcher)
{
    connect(&searcher, &PlanSearcher::found, this,
            [this](const SearchResult& result) { take(result); });
    connect(&searcher, &PlanSearcher::lost, this, &PlanSession::takeLoss);
    connect(&searcher, &PlanSearcher::progressed, this, [this](const SearchProgress& progress) {
        if (progress.number != m_searchNumber || m_state != State::Searching)
            return;
        m_progress = progress;
        Q_EMIT searchProgress();
    });
}

void PlanSession::setSearcher(std::unique_ptr<PlanSearcher> searcher)
{
    const bool searching = searchesElsewhere();
    if (m_active == m_agent.get())
        m_active = nullptr;
    if (m_agent) {
        m_agent->disconnect(this);
        m_agent.release()->deleteLater(); // it may be what tells of a loss
    }
    m_agent = std::move(searcher);
    if (m_agent)
        connectSearcher(*m_agent);
    if (searching)
        setState(State::Ready);
}

bool PlanSession::searchesElsewhere() const
{
    return m_state == State::Searching && m_agent && m_active == m_agent.get();
}

bool PlanSession::isUnfinished() const
{
    return m_result && plan::isUnfinished(m_result->ranking.tried(), m_result->total);
}

bool PlanSession::maySearchByItself() const
{
    return m_settled.isActive() || m_countStop.stop_possible();
}

void PlanSession::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

void PlanSession::stopWork()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    if (m_active)
        m_active->cancel();
}

void PlanSession::open(const QString& path)
{
    stopWork();
    m_path = path;
    m_loaded = {};
    Q_EMIT loadedChanged();
    m_measurements.clear();
    invalidate();
    setState(State::Loading);
    ++m_loadNumber;
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, stop = m_stop.get_token(), number = m_loadNumber,
         file = QFile::encodeName(path).toStdString()] { worker->load(number, file, stop); });
}

void PlanSession::take(const LoadedTrace& loaded)
{
    if (loaded.number != m_loadNumber || m_state != State::Loading)
        return;
    m_loaded = loaded;
    Q_EMIT loadedChanged();
    if (!loaded.trace) {
        setState(State::Empty);
        return;
    }
    setState(State::Ready);
    searchIfQuick();
}

void PlanSession::cancel() { stopWork(); }

void PlanSession::setEnvironment(std::shared_ptr<const plan::Environment> environment)
{
    if (environment == m_environment
        || (environment && m_environment && *environment == *m_environment))
        return;
    const bool sameNodes = sameNames(m_environment.get(), environment.get());
    m_environment = std::move(environment);
    // Measurements speak of nodes by their places.
    if (!sameNodes)
        clearMeasurements();
    invalidate();
    m_settled.start();
}

void PlanSession::setModel(Model model)
{
    if (model == m_model)
        return;
    m_model = model;
    invalidate();
    m_settled.start();
}

void PlanSession::invalidate()
{
    if (m_state == State::Searching) {
        stopWork();
        m_state = State::Ready;
    }
    endCounting();
    ++m_searchNumber;
    ++m_timelineNumber;
    m_wanted.reset();
    m_result.reset();
    m_failure.clear();
    Q_EMIT resultChanged();
    Q_EMIT stateChanged();
}

QString PlanSession::obstacle() const
{
    if (!m_loaded.trace)
        return tr("Open a trace first.");
    if (!m_environment || m_environment->nodes.empty())
        return tr("The environment has no nodes yet.");
    const Result<void> room = plan::checkRoom(*m_environment, m_loaded.trace->tasks());
    if (room)
        return {};
    std::uint64_t slotCount = 0;
    for (const plan::NodeSpec& node : m_environment->nodes)
        slotCount += node.slots;
    return tr("The trace has %1 tasks, but the nodes have %2 slots: add nodes or raise their "
              "slots.")
        .arg(m_loaded.trace->tasks())
        .arg(slotCount);
}

void PlanSession::searchIfQuick()
{
    if (m_state != State::Ready || !obstacle().isEmpty())
        return;
    endCounting();
    m_countStop = std::stop_source();
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, stop = m_countStop.get_token(), request = requestOf(m_countNumber)] {
            worker->count(request, stop);
        });
}

void PlanSession::endCounting()
{
    m_countStop.request_stop();
    m_countStop = std::stop_source(std::nostopstate);
    ++m_countNumber;
}

void PlanSession::take(const CountResult& result)
{
    if (result.number != m_countNumber)
        return;
    endCounting();
    if (m_state != State::Ready)
        return;
    const std::uint64_t records = std::max<std::uint64_t>(m_loaded.trace->events.size(), 1);
    if (!result.total.isMoreThan(quickWork / records))
        startSearch(*m_local);
}

SearchRequest PlanSession::requestOf(std::uint64_t number) const
{
    return {.number = number,
            .trace = m_loaded.trace,
            .environment = m_environment,
            .model = m_model,
            .path = QFile::encodeName(m_path).toStdString()};
}

void PlanSession::search()
{
    m_settled.stop();
    if (m_state == State::Ready && obstacle().isEmpty())
        startSearch(m_agent ? *m_agent : *m_local);
}

void PlanSession::startSearch(PlanSearcher& searcher)
{
    endCounting();
    ++m_searchNumber;
    m_active = &searcher;
    m_failure.clear();
    m_progress = {.number = m_searchNumber};
    const SearchRequest request = requestOf(m_searchNumber);
    setState(State::Searching);
    searcher.search(request);
}

void PlanSession::take(const SearchResult& result)
{
    if (result.number != m_searchNumber || m_state != State::Searching)
        return;
    m_result = result;
    if (result.last)
        m_state = State::Ready;
    Q_EMIT resultChanged();
    if (result.last)
        Q_EMIT stateChanged();
}

void PlanSession::takeLoss(quint64 number, const QString& reason)
{
    if (number != m_searchNumber || m_state != State::Searching)
        return;
    m_failure = reason;
    setState(State::Ready);
}

void PlanSession::select(const plan::Allocation& allocation)
{
    if (!m_loaded.trace || !m_result || m_result->ranking.tried() == 0
        || allocation.size() != m_loaded.trace->tasks())
        return;
    // An allocation may have been selected when there were more nodes.
    const std::size_t nodes = m_result->environment->nodes.size();
    if (std::ranges::any_of(allocation, [nodes](plan::Node node) { return node.value() >= nodes; }))
        return;
    ++m_timelineNumber;
    m_wanted = TimelineRequest{.number = m_timelineNumber,
                               .trace = m_loaded.trace,
                               .environment = m_result->environment,
                               .allocation = allocation,
                               .best = m_result->ranking.best().front().allocation};
    predictNext();
}

void PlanSession::predictNext()
{
    // While the worker is busy wishes replace each other.
    if (m_predicting || !m_wanted)
        return;
    m_predicting = true;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request = *std::exchange(m_wanted, std::nullopt)] {
            worker->predict(request);
        });
}

void PlanSession::take(const TimelineResult& result)
{
    m_predicting = false;
    predictNext();
    if (result.number == m_timelineNumber)
        Q_EMIT timelineReady(result);
}

std::vector<Diagnostic> PlanSession::loadMeasurements(const QString& path)
{
    const std::string name = QFile::encodeName(path).toStdString();
    const auto refuse = [&name](std::string message, std::string remedy) {
        return std::vector<Diagnostic>{{.severity = Severity::Failure,
                                        .place = {.file = name},
                                        .message = std::move(message),
                                        .remedy = std::move(remedy)}};
    };
    if (!m_loaded.trace || !m_environment)
        return refuse("there is nothing to compare with", "open a trace and an environment first");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse("cannot read it: " + file.errorString().toStdString(), {});
    if (file.size() > largestMeasurements)
        return refuse("it is too large for measurements", "expected at most 64 MiB");
    plan::MeasurementReading reading = plan::readMeasurements(
        file.readAll().toStdString(), name, *m_environment, m_loaded.trace->tasks());
    if (reading.diagnostics.empty()) {
        m_measurements = std::move(reading.measurements);
        Q_EMIT measurementsChanged();
    }
    return std::move(reading.diagnostics);
}

void PlanSession::clearMeasurements()
{
    m_measurements.clear();
    Q_EMIT measurementsChanged();
}

std::optional<plan::Evaluation> PlanSession::evaluation() const
{
    if (!m_result || m_measurements.empty() || isUnfinished())
        return std::nullopt;
    const plan::Evaluation evaluation = plan::evaluate(m_result->ranking.best(), m_measurements,
                                                       evaluationSeed);
    if (evaluation.allocations == 0)
        return std::nullopt;
    return evaluation;
}

} // namespace tasuki::planner
