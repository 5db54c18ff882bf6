// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>
#include <QTest>

#include "report/runreporter.h"
#include "support/manualclock.h"

#include <cstdio>
#include <memory>
#include <utility>

namespace tst_runreporter {

using namespace tasuki;
using namespace std::chrono_literals;

/// What people read on the terminal of a system whose masters change.
class TestRunReporter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void successionsAreTold();
    void lastWords_data();
    void lastWords();
};

void TestRunReporter::lastWords_data()
{
    QTest::addColumn<bool>("kept");
    QTest::addColumn<bool>("done");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("kept") << true << true << QByteArray("1 succeeded, 0 failed; record: r\n");
    QTest::newRow("kept, interrupted")
        << true << false
        << QByteArray(
               "0 succeeded, 0 failed, 1 still to be done; go on with farm --resume r; record: r\n");
    QTest::newRow("not kept") << false << true
                              << QByteArray("1 succeeded, 0 failed; no record is kept\n");
    QTest::newRow("not kept, interrupted")
        << false << false
        << QByteArray(
               "0 succeeded, 0 failed, 1 still to be done; the run cannot be resumed; no record is kept\n");
}

// Fails if people are sent to a record that there is not.
void TestRunReporter::lastWords()
{
    QFETCH(const bool, kept);
    QFETCH(const bool, done);
    QFETCH(const QByteArray, words);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> errors(std::tmpfile(), &std::fclose);
    QVERIFY(errors != nullptr);
    ManualClock clock;
    RunState state;
    std::uint64_t last = 0;
    const auto happen = [&](EventPayload payload) {
        const Event event{.id = {Epoch(1), Sequence(++last)},
                          .wallTime = {},
                          .monotonic = {},
                          .payload = std::move(payload)};
        QVERIFY(state.apply(event).ok());
    };
    happen(RunOpened{});
    Task task;
    task.settings = std::make_shared<const TaskSettings>();
    happen(TaskAdded{.id = TaskId(0), .task = task});
    if (done)
        happen(AttemptFinished{.key = {TaskId(0), AttemptNumber(1)},
                               .rank = Rank(0),
                               .result = {.outcome = Outcome::Succeeded}});
    RunReporter(state, clock, {.kept = kept, .errors = errors.get()}).finish("r");
    std::rewind(errors.get());
    QByteArray told(1'000, '\0');
    told.resize(static_cast<qsizetype>(std::fread(told.data(), 1, 1'000, errors.get())));
    QVERIFY2(told.endsWith("tasuki: " + words), told);
}

void TestRunReporter::successionsAreTold()
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> errors(std::tmpfile(), &std::fclose);
    QVERIFY(errors != nullptr);
    ManualClock clock;
    RunState state;
    RunReporter::Options options;
    options.quiet = true; // that is told all the same
    options.errors = errors.get();
    RunReporter reporter(state, clock, options);
    std::uint64_t last = 0;
    const auto happen = [&](EventPayload payload) {
        const Event event{.id = {Epoch(1), Sequence(++last)},
                          .wallTime = {},
                          .monotonic = {},
                          .payload = std::move(payload)};
        QVERIFY(state.apply(event).ok());
        reporter.published(event);
    };
    SystemLaidOut layout;
    layout.subclusters = {{.name = "a"}};
    layout.units = {{.name = "u", .host = "h", .subcluster = SubclusterId(0)}};
    for (std::uint32_t number = 0; number < 2; ++number)
        layout.processors.push_back({.id = ProcessorId(number), .host = "h"});
    happen(RunOpened{});
    happen(layout);
    happen(MasterChanged{.role = MasterRole::System, .index = 0, .processor = ProcessorId(0)});
    happen(MasterChanged{.role = MasterRole::System,
                         .index = 0,
                         .processor = ProcessorId(1),
                         .previous = ProcessorId(0),
                         .detection = 1ms,
                         .takeover = 8ms});
    happen(MasterChanged{.role = MasterRole::System,
                         .index = 0,
                         .processor = ProcessorId(1),
                         .previous = ProcessorId(1),
                         .takeover = 4s});
    std::rewind(errors.get());
    QByteArray told(1'000, '\0');
    told.resize(static_cast<qsizetype>(std::fread(told.data(), 1, 1'000, errors.get())));
    QCOMPARE(told.count('\n'), qsizetype(2)); // who was first succeeded nobody
    QVERIFY2(told.contains("processor 1 (h) is system master in place of processor 0 (h)"), told);
    QVERIFY2(told.contains("processor 1 (h) is system master again"), told);
}

QTEST_APPLESS_MAIN(TestRunReporter)

} // namespace tst_runreporter

#include "tst_runreporter.moc"
