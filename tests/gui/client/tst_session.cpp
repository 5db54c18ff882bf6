// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "client/session.h"
#include "manualsource.h"
#include "shared/domain/randomhistory.h"
#include "support/history.h"
#include "support/manualclock.h"

#include <QCoreApplication>

#include <set>

namespace tst_session {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// What a sink was given since the last reset.
class CollectingSink final : public EventSink {
public:
    void take(const Event& event) override { ids.push_back(event.id); }
    void reset() override
    {
        ids.clear();
        ++resets;
    }

    std::vector<EventId> ids;
    int resets = 0;
};

/// A session whose source and clock are the test's.
struct Bench {
    explicit Bench(SessionPace pace = {}, SourceKind kind = SourceKind::Agent)
    {
        auto owned = std::make_unique<ManualSource>(kind);
        source = owned.get();
        session = std::make_unique<Session>(std::move(owned), clock, nullptr, pace);
        session->addSink(sink);
        QObject::connect(session.get(), &Session::changed, session.get(),
                         [this](const ChangeSet& changes) { announced.push_back(changes); });
        session->start();
    }
    ~Bench() { session->removeSink(sink); }

    /// Turns the loop until everything is applied and announced.
    void settle()
    {
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
        clock.advance(1s);
        session->announceNow();
    }

    ManualClock clock;
    ManualSource* source = nullptr;
    CollectingSink sink;
    std::unique_ptr<Session> session;
    std::vector<ChangeSet> announced;
};

History small()
{
    History history;
    history.add(RunOpened{}).addTask("a").addTask("b").addTask("c");
    return history;
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void appliesInOrder();
    void sameAsTheRecord_data();
    void sameAsTheRecord();
    void noTurnAppliesMoreThanItMay();
    void aSliceEndsWithItsTime();
    void batchesAreReleasedWhenApplied();
    void tellsWhatChanged();
    void aNewEpochTouchesAll();
    void announcesAtFrameRate();
    void resetForgetsAll();
    void theEndIsShownBehindWhatCameBefore();
    void ofSeveralEndsTheNewestIsShown();
    void anEndOutlivesWhatIsForgotten();
    void eventsThatMakeNoSense();
    void progress();
    void age();
    void ageOfFiles();
    void timeOfTheRun();
    void shortCommands();
    void commandsNeedAnAgent();
};

void TestSession::appliesInOrder()
{
    Bench bench;
    QVERIFY(bench.source->started);
    const History history = small();
    bench.source->deliver(history.events());
    QCOMPARE(bench.session->state().tasks().size(), std::size_t(0)); // not in the source's call
    bench.settle();
    QVERIFY(sameState(bench.session->state(), stateOf(history.events())));
    QCOMPARE(bench.sink.ids.size(), std::size_t(4));
    QCOMPARE(bench.sink.ids.back(), history.events().back().id);
    QCOMPARE(bench.session->eventsApplied(), std::uint64_t(4));
}

void TestSession::sameAsTheRecord_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 20; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestSession::sameAsTheRecord()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    RandomHistory history(seed);
    SessionPace pace;
    pace.eventsPerSlice = 1 + random() % 50;
    Bench bench(pace);
    std::vector<Event> all;
    std::size_t told = 0;
    for (int batch = 0; batch < 30; ++batch) {
        const auto events = history.more(random() % 60);
        all.insert(all.end(), events.begin(), events.end());
        bench.source->deliver(events);
        if (random() % 2 != 0)
            bench.settle();
    }
    while (bench.session->eventsApplied() < all.size())
        bench.settle();
    bench.settle();
    QVERIFY(sameState(bench.session->state(), stateOf(all)));
    for (const ChangeSet& changes : bench.announced)
        told += changes.events;
    QCOMPARE(told, all.size());
    QCOMPARE(bench.sink.ids.size(), all.size());
    QCOMPARE(bench.source->released, std::size_t(30));
}

void TestSession::noTurnAppliesMoreThanItMay()
{
    SessionPace pace;
    pace.eventsPerSlice = 100;
    Bench bench(pace);
    History history;
    history.add(RunOpened{});
    for (int i = 0; i < 1000; ++i)
        history.addTask("x");
    bench.source->deliver(history.events());
    std::uint64_t before = 0;
    int turns = 0;
    while (bench.session->eventsApplied() < history.events().size()) {
        QCoreApplication::processEvents();
        const std::uint64_t applied = bench.session->eventsApplied();
        QVERIFY(applied - before <= 100);
        QVERIFY(++turns < 1000);
        before = applied;
    }
    QVERIFY(turns >= 11);
}

void TestSession::aSliceEndsWithItsTime()
{
    // A clock that moves by being looked at: each look is a millisecond of work.
    class SlowClock final : public Clock {
    public:
        [[nodiscard]] SteadyTime now() const override { return SteadyTime{} + ++m_looks * 1ms; }
        [[nodiscard]] WallTime wallNow() const override { return {}; }

    private:
        mutable int m_looks = 0;
    } clock;
    auto owned = std::make_unique<ManualSource>();
    ManualSource* source = owned.get();
    SessionPace pace;
    pace.eventsPerLook = 10;
    Session session(std::move(owned), clock, nullptr, pace);
    History history;
    history.add(RunOpened{});
    for (int i = 0; i < 1000; ++i)
        history.addTask("x");
    source->deliver(history.events());
    QCoreApplication::processEvents();
    // 8 ms are over after some looks with 10 events before each.
    QVERIFY(session.eventsApplied() >= 20);
    QVERIFY(session.eventsApplied() <= 90);
}

void TestSession::batchesAreReleasedWhenApplied()
{
    SessionPace pace;
    pace.eventsPerSlice = 3;
    Bench bench(pace);
    bench.source->deliver(small().events());
    QCOMPARE(bench.source->released, std::size_t(0));
    QCoreApplication::processEvents(); // three of four events
    QCOMPARE(bench.source->released, std::size_t(0));
    bench.settle();
    QCOMPARE(bench.source->released, std::size_t(1));
}

void TestSession::tellsWhatChanged()
{
    Bench bench;
    History history = small();
    bench.source->deliver(history.events());
    bench.settle();
    ChangeSet changes = bench.announced.back();
    QCOMPARE(changes.firstNewTask, TaskId(0));
    QCOMPARE(changes.newTasks, std::uint32_t(3));
    QVERIFY(changes.tasks.empty());
    QVERIFY(changes.run);
    QVERIFY(!changes.allTasks);

    const std::size_t known = history.events().size();
    history.addEnd(2, 1, Outcome::Failed, 1, 1s, Disposition::Retry)
        .addEnd(0, 1, Outcome::Succeeded, 0, 1s)
        .addTask("d")
        .addEnd(3, 1, Outcome::Succeeded, 0, 1s)
        .addEnd(2, 2, Outcome::Succeeded, 0, 1s)
        .add(Notice{.severity = Severity::Warning, .text = "look"});
    bench.source->deliver(
        {history.events().begin() + static_cast<std::ptrdiff_t>(known), history.events().end()});
    bench.settle();
    changes = bench.announced.back();
    QCOMPARE(changes.tasks, (std::vector{TaskId(0), TaskId(2)}));
    QCOMPARE(changes.firstNewTask, TaskId(3));
    QCOMPARE(changes.newTasks, std::uint32_t(1));
    QCOMPARE(changes.events, std::uint64_t(6));
    QVERIFY(!changes.processors);
    QVERIFY(!changes.run);

    const std::size_t then = history.events().size();
    history.add(ProcessorJoined{.rank = Rank(0), .incarnation = Incarnation(1), .host = "h"});
    bench.source->deliver(
        {history.events().begin() + static_cast<std::ptrdiff_t>(then), history.events().end()});
    bench.settle();
    QVERIFY(bench.announced.back().processors);
    QVERIFY(bench.announced.back().tasks.empty());
}

void TestSession::aNewEpochTouchesAll()
{
    Bench bench;
    bench.source->deliver(small().events());
    bench.settle();
    History next(Epoch(2));
    next.add(RunOpened{}).addEnd(1, 1, Outcome::Succeeded, 0, 1s);
    bench.source->deliver(next.events());
    bench.settle();
    QVERIFY(bench.announced.back().allTasks);
    QVERIFY(bench.announced.back().tasks.empty());
    QVERIFY(bench.announced.back().processors);
}

void TestSession::announcesAtFrameRate()
{
    SessionPace pace;
    pace.frame = 1h;
    Bench bench(pace);
    History history;
    history.add(RunOpened{});
    for (int i = 0; i < 50; ++i) {
        history.addTask("x");
        bench.source->deliver({history.events()[static_cast<std::size_t>(i)]});
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }
    // The first one at once, nothing more within the frame.
    QCOMPARE(bench.session->eventsApplied(), std::uint64_t(50));
    QCOMPARE(bench.announced.size(), std::size_t(1));
    bench.session->announceNow();
    QCOMPARE(bench.announced.size(), std::size_t(2));
    bench.session->announceNow(); // nothing new
    QCOMPARE(bench.announced.size(), std::size_t(2));
}

void TestSession::resetForgetsAll()
{
    Bench bench;
    bench.source->deliver(small().events());
    bench.settle();
    int before = -1;
    int after = -1;
    QObject::connect(bench.session.get(), &Session::aboutToReset, bench.session.get(),
                     [&] { before = static_cast<int>(bench.session->state().tasks().size()); });
    QObject::connect(bench.session.get(), &Session::wasReset, bench.session.get(), [&] {
        after = static_cast<int>(bench.session->state().tasks().size());
        QCOMPARE(bench.sink.ids.size(), std::size_t(0));
    });
    bench.source->deliver(small().events()); // waits
    Q_EMIT bench.source->restarted();
    QCOMPARE(before, 3);
    QCOMPARE(after, 0);
    QCOMPARE(bench.sink.resets, 1);
    QCOMPARE(bench.source->released, std::size_t(2)); // what waited is void
    History other;
    other.add(RunOpened{}).addTask("z");
    bench.source->deliver(other.events());
    bench.settle();
    QVERIFY(sameState(bench.session->state(), stateOf(other.events())));
    QCOMPARE(bench.announced.back().newTasks, std::uint32_t(1));
}

/// Otherwise whoever acts on the end, such as an offer to resume the run, does so on an older state.
void TestSession::theEndIsShownBehindWhatCameBefore()
{
    SessionPace pace;
    pace.eventsPerSlice = 1;
    Bench bench(pace);
    bench.source->setState(ConnectionState::Live);
    QCOMPARE(bench.session->connection().state, ConnectionState::Live);
    std::optional<bool> closed;
    QObject::connect(bench.session.get(), &Session::connectionChanged, bench.session.get(),
                     [&] { closed = bench.session->state().closed().has_value(); });
    History history = small();
    history.add(RunClosed{.end = RunEnd::Interrupted, .elapsed = {}});
    bench.source->deliver(history.events());
    bench.source->setState(ConnectionState::Ended);
    QCOMPARE(bench.session->connection().state, ConnectionState::Live);
    bench.settle();
    QCOMPARE(bench.session->connection().state, ConnectionState::Ended);
    QCOMPARE(closed, std::optional(true));
    // Nothing waits: at once.
    bench.source->setState(ConnectionState::Waiting);
    QCOMPARE(bench.session->connection().state, ConnectionState::Waiting);
}

void TestSession::ofSeveralEndsTheNewestIsShown()
{
    Bench bench;
    bench.source->setState(ConnectionState::Live);
    bench.source->deliver(small().events());
    bench.source->setState(ConnectionState::Waiting);
    Q_EMIT bench.source->caughtUp();
    bench.source->setState(ConnectionState::Connecting);
    bench.source->setState(ConnectionState::CatchingUp);
    bench.settle();
    QCOMPARE(bench.session->connection().state, ConnectionState::CatchingUp);
    QVERIFY(!bench.session->loading());
}

void TestSession::anEndOutlivesWhatIsForgotten()
{
    Bench bench;
    bench.source->setState(ConnectionState::Live);
    bench.source->deliver(small().events());
    bench.source->setState(ConnectionState::Waiting);
    Q_EMIT bench.source->restarted();
    QCOMPARE(bench.session->connection().state, ConnectionState::Waiting);
    bench.source->setState(ConnectionState::Live);
    History history = small();
    history.addEnd(7, 1, Outcome::Succeeded, 0, 1s);
    bench.source->deliver(history.events());
    bench.source->setState(ConnectionState::Ended);
    bench.settle();
    QVERIFY(!bench.session->damage().isEmpty());
    QCOMPARE(bench.session->connection().state, ConnectionState::Ended);
}

void TestSession::eventsThatMakeNoSense()
{
    Bench bench;
    int damaged = 0;
    QObject::connect(bench.session.get(), &Session::damageChanged, bench.session.get(),
                     [&] { ++damaged; });
    History history = small();
    history.addEnd(7, 1, Outcome::Succeeded, 0, 1s);
    bench.source->deliver(history.events());
    bench.source->deliver(history.events());
    bench.settle();
    QCOMPARE(damaged, 1);
    QVERIFY2(bench.session->damage().contains(QStringLiteral("task 7")),
             qPrintable(bench.session->damage()));
    QCOMPARE(bench.session->state().tasks().size(), std::size_t(3)); // what made sense stays
    QCOMPARE(bench.source->released, std::size_t(2));
    bench.source->deliver(small().events());
    bench.settle();
    QCOMPARE(bench.source->released, std::size_t(3)); // dropped
    QCOMPARE(bench.session->eventsApplied(), std::uint64_t(4));

    bench.session->reload();
    QCOMPARE(bench.source->restarts, 1);
    Q_EMIT bench.source->restarted();
    QVERIFY(bench.session->damage().isEmpty());
    QCOMPARE(damaged, 2);
    bench.source->deliver(small().events());
    bench.settle();
    QCOMPARE(bench.session->state().tasks().size(), std::size_t(3));
}

void TestSession::progress()
{
    SessionPace pace;
    pace.eventsPerSlice = 2;
    Bench bench(pace);
    QVERIFY(!bench.session->loading());
    Q_EMIT bench.source->catchingUp(4);
    QVERIFY(bench.session->loading());
    QCOMPARE(bench.session->progress(), 0.0);
    bench.source->deliver(small().events());
    Q_EMIT bench.source->caughtUp();
    QCoreApplication::processEvents();
    QCOMPARE(bench.session->progress(), 0.5);
    QVERIFY(bench.session->loading());
    bench.settle();
    QVERIFY(!bench.session->loading());
    QCOMPARE(bench.session->progress(), 1.0);
    Q_EMIT bench.source->catchingUp(0);
    QVERIFY(bench.session->progress() < 0);
    bench.source->setState(ConnectionState::Waiting);
    QVERIFY(!bench.session->loading()); // nothing comes
}

void TestSession::age()
{
    Bench bench;
    QVERIFY(!bench.session->dataAge());
    bench.source->deliver(small().events());
    bench.settle(); // a second passes
    QCOMPARE(*bench.session->dataAge(), std::chrono::microseconds(1s));
    Q_EMIT bench.source->heard(std::nullopt);
    QCOMPARE(*bench.session->dataAge(), std::chrono::microseconds(0));
    bench.source->setState(ConnectionState::Waiting);
    bench.clock.advance(90s);
    QCOMPARE(*bench.session->dataAge(), std::chrono::microseconds(90s));
}

void TestSession::ageOfFiles()
{
    Bench bench({}, SourceKind::RunFile);
    Event event = small().events().front();
    event.wallTime = bench.clock.wallNow() - 1h;
    bench.source->deliver({event});
    bench.settle();
    QCOMPARE(*bench.session->dataAge(), std::chrono::microseconds(1h + 1s));
    QCOMPARE(bench.session->runNow(), event.wallTime);
}

void TestSession::timeOfTheRun()
{
    Bench bench;
    const WallTime agent{std::chrono::hours(1000)};
    bench.source->setState(ConnectionState::Live);
    Q_EMIT bench.source->heard(agent);
    QCOMPARE(bench.session->runNow(), agent);
    bench.clock.advance(3s);
    QCOMPARE(bench.session->runNow(), agent + 3s);
    Q_EMIT bench.source->heard(std::nullopt);
    bench.source->setState(ConnectionState::Waiting);
    bench.clock.advance(10s);
    QCOMPARE(bench.session->runNow(), agent + 3s); // nothing is known of the time since
}

void TestSession::shortCommands()
{
    Bench bench;
    History history = small();
    bench.source->deliver(history.events(), {{.task = TaskId(1), .bytes = 100'000}});
    bench.settle();
    QVERIFY(!bench.session->shortCommand(TaskId(0)));
    QCOMPARE(*bench.session->shortCommand(TaskId(1)), std::uint64_t(100'000));
    Task task;
    task.command = "short";
    task.settings = std::make_shared<const TaskSettings>();
    const std::size_t known = history.events().size();
    history.add(TaskChanged{.id = TaskId(1), .task = task});
    bench.source->deliver({history.events()[known]});
    bench.settle();
    QVERIFY(!bench.session->shortCommand(TaskId(1)));
}

void TestSession::commandsNeedAnAgent()
{
    Bench bench;
    QVERIFY(!bench.session->takesCommands());
    bench.source->setState(ConnectionState::Live);
    QVERIFY(bench.session->takesCommands());
    bench.source->setState(ConnectionState::Waiting);
    QVERIFY(!bench.session->takesCommands());
    Bench file({}, SourceKind::RunFile);
    file.source->setState(ConnectionState::Offline);
    QVERIFY(!file.session->takesCommands());
}

QTEST_GUILESS_MAIN(TestSession)

} // namespace tst_session

#include "tst_session.moc"
