// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "node/runplan.h"

#include <filesystem>
#include <fstream>

namespace tst_successionplan {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

constexpr Epoch ours{2};

/// A system of one processor, as far as the record of one needs it.
SystemLaidOut smallLayout()
{
    SystemLaidOut layout;
    layout.subclusters = {{.name = "a", .active = 1}};
    layout.units = {{.name = "u", .host = "h", .subcluster = SubclusterId(0)}};
    layout.seats = {{SubclusterId(0), SeatKind::Active, 0}};
    layout.processors = {{.id = ProcessorId(0),
                          .subcluster = SubclusterId(0),
                          .unit = UnitId(0),
                          .kind = ProcessorKind::Active,
                          .seat = SeatId(0),
                          .host = "h"}};
    return layout;
}

/// The run file of a launch that was lost in the middle of its work.
class LostLaunch {
public:
    /// @param payloads  what epoch 2 has recorded
    explicit LostLaunch(std::vector<EventPayload> payloads)
    {
        briefing.epoch = ours;
        briefing.run = RunId::random();
        briefing.runFile =
            (std::filesystem::path(directory.path().toStdString()) / "r.tasuki").string();
        briefing.directory = "/where it began";
        Result<RunFileWriter> file = RunFileWriter::create(briefing.runFile, briefing.run);
        if (!file)
            qFatal("%s", file.error().text().c_str());
        add(EventId{Epoch(1), Sequence(1)}, opened());
        EventId next{ours, Sequence(1)};
        for (EventPayload& payload : payloads) {
            add(next, std::move(payload));
            next.sequence = next.sequence.next();
        }
        if (const auto written = file->append(events); !written)
            qFatal("%s", written.error().text().c_str());
    }
    [[nodiscard]] RunOpened opened() const
    {
        return {.host = "h", .directory = directory.path().toStdString(), .taskList = "tasks.sh"};
    }
    [[nodiscard]] Result<RunPlan> succeed(std::chrono::seconds later = 0s) const
    {
        return planSuccession(briefing, lastAt + later, FormerWriter::MayEnd);
    }

    QTemporaryDir directory;
    Briefing briefing;
    WallTime lastAt{1'700'000'000s};
    std::vector<Event> events;

private:
    void add(EventId id, EventPayload payload)
    {
        lastAt += 1s;
        events.push_back({.id = id,
                          .wallTime = lastAt,
                          .monotonic = std::chrono::seconds(id.sequence.value()),
                          .payload = std::move(payload)});
    }
};

std::vector<EventPayload> midRun()
{
    Task task;
    task.command = "sleep 9";
    task.settings = std::make_shared<const TaskSettings>();
    return {RunOpened{.directory = std::filesystem::temp_directory_path().string()},
            TaskAdded{.id = TaskId(0), .task = task},
            TaskAdded{.id = TaskId(1), .task = task},
            smallLayout(),
            SystemStarted{},
            AttemptStarted{.key = {TaskId(0), AttemptNumber(1)}, .rank = Rank(0)}};
}

/// What was refused, with all its words.
QString wordsOf(const Result<RunPlan>& plan)
{
    return plan ? QString() : QString::fromStdString(plan.error().text());
}

} // namespace

/// What a successor makes of the run file of a launch that goes on.
class TestSuccessionPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesOnWithWhatIsRecorded();
    void writesBehindTheLastEvent();
    void runsAndReigns();
    void onlyOneWriter();
    void anotherRun();
    void resumedMeanwhile();
    void lostBeforeTheEpochBegan();
    void lostBeforeWorkBegan();
    void outOfReach();
    void damaged();
    void endedRun();
    void optionsOfProcessorZero();
};

void TestSuccessionPlan::goesOnWithWhatIsRecorded()
{
    const LostLaunch lost(midRun());
    const Result<RunPlan> plan = lost.succeed(10s);
    QVERIFY2(plan.ok(), qPrintable(wordsOf(plan)));
    QCOMPARE(plan->epoch, ours);
    QVERIFY(plan->opening.empty());
    QCOMPARE(plan->file.run(), lost.briefing.run);
    QCOMPARE(plan->file.lastEvent(), lost.events.back().id);
    QCOMPARE(plan->state.lastEvent(), lost.events.back().id);
    QCOMPARE(plan->state.task(TaskId(0)).state, TaskState::Running); // nothing is taken for lost
    QCOMPARE(plan->state.task(TaskId(1)).state, TaskState::Queued);
    using Started = std::unordered_map<AttemptKey, Rank>;
    QCOMPARE(plan->started, (Started{{{TaskId(0), AttemptNumber(1)}, Rank(0)}}));
    QCOMPARE(plan->term, Term(1));
    QCOMPARE(plan->directory, std::filesystem::temp_directory_path().string());
    QCOMPARE(plan->elapsed, lost.events.back().monotonic + 10s);
}

void TestSuccessionPlan::writesBehindTheLastEvent()
{
    const LostLaunch lost(midRun());
    {
        Result<RunPlan> plan = lost.succeed(-100s); // the clock was set back
        QVERIFY2(plan.ok(), qPrintable(wordsOf(plan)));
        QCOMPARE(plan->elapsed, lost.events.back().monotonic);
        const EventId next{ours, lost.events.back().id.sequence.next()};
        const std::vector<Event> more{{.id = next,
                                       .wallTime = lost.lastAt,
                                       .monotonic = plan->elapsed,
                                       .payload = Notice{.text = "on"}}};
        QVERIFY(plan->file.append(more).ok());
    }
    // The one after that finds it.
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY2(plan.ok(), qPrintable(wordsOf(plan)));
    QCOMPARE(plan->state.lastEvent().sequence, lost.events.back().id.sequence.next());
}

/// What has ended does not run, and each succession that is recorded counts.
void TestSuccessionPlan::runsAndReigns()
{
    std::vector<EventPayload> events = midRun();
    events.emplace_back(AttemptFinished{.key = {TaskId(0), AttemptNumber(1)},
                                        .rank = Rank(0),
                                        .slot = SlotIndex(0),
                                        .disposition = Disposition::Retry,
                                        .result = {}});
    events.emplace_back(AttemptStarted{.key = {TaskId(1), AttemptNumber(1)}, .rank = Rank(3)});
    events.emplace_back(MasterChanged{.role = MasterRole::System, .processor = ProcessorId(0)});
    events.emplace_back(MasterChanged{
        .role = MasterRole::System, .processor = ProcessorId(0), .previous = ProcessorId(0)});
    const LostLaunch lost(std::move(events));
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY2(plan.ok(), qPrintable(wordsOf(plan)));
    using Started = std::unordered_map<AttemptKey, Rank>;
    QCOMPARE(plan->started, (Started{{{TaskId(1), AttemptNumber(1)}, Rank(3)}}));
    QCOMPARE(plan->term, Term(2));
}

void TestSuccessionPlan::onlyOneWriter()
{
    const LostLaunch lost(midRun());
    const Result<RunFileWriter> former = RunFileWriter::open(lost.briefing.runFile);
    QVERIFY(former.ok());
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().kind, ErrorKind::InUse); // may pass
}

void TestSuccessionPlan::anotherRun()
{
    LostLaunch lost(midRun());
    const std::string found = lost.briefing.run.hex;
    lost.briefing.run = RunId::random();
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().kind, ErrorKind::Foreign);
    QVERIFY(wordsOf(plan).contains(QString::fromStdString(found)));
    QVERIFY(wordsOf(plan).contains(QString::fromStdString(lost.briefing.run.hex)));
    QVERIFY(wordsOf(plan).contains(QStringLiteral("r.tasuki")));
}

void TestSuccessionPlan::resumedMeanwhile()
{
    LostLaunch lost(midRun());
    lost.briefing.epoch = Epoch(1);
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().kind, ErrorKind::Foreign);
    QVERIFY2(wordsOf(plan).contains(QStringLiteral("epoch 2 by now, not 1")),
             qPrintable(wordsOf(plan)));
}

void TestSuccessionPlan::lostBeforeTheEpochBegan()
{
    const LostLaunch lost({});
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY(!plan.ok());
    QVERIFY2(wordsOf(plan).contains(QStringLiteral("epoch 2 yet")), qPrintable(wordsOf(plan)));
}

/// A part of the list may have been recorded.
void TestSuccessionPlan::lostBeforeWorkBegan()
{
    std::vector<EventPayload> begun = midRun();
    begun.resize(4);
    const LostLaunch lost(std::move(begun));
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY(!plan.ok());
    QVERIFY2(wordsOf(plan).contains(QStringLiteral("resume the run with its task list")),
             qPrintable(wordsOf(plan)));
}

void TestSuccessionPlan::outOfReach()
{
    LostLaunch lost(midRun());
    lost.briefing.runFile = "/not here/r.tasuki";
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY(!plan.ok());
    QVERIFY(wordsOf(plan).contains(QStringLiteral("/not here/r.tasuki")));
    QVERIFY2(wordsOf(plan).contains(QStringLiteral("directory that all hosts share")),
             qPrintable(wordsOf(plan)));
}

void TestSuccessionPlan::damaged()
{
    const LostLaunch lost(midRun());
    {
        std::fstream file(lost.briefing.runFile, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4'096);
        file << std::string(200'000, '\xa5');
    }
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().kind, ErrorKind::Damaged);
    QVERIFY(!plan.error().remedy.empty());
    QVERIFY(wordsOf(plan).contains(QStringLiteral("r.tasuki")));
}

/// Its processors are still to be dismissed.
void TestSuccessionPlan::endedRun()
{
    std::vector<EventPayload> all = midRun();
    all.emplace_back(RunClosed{.end = RunEnd::Interrupted, .elapsed = {}});
    const LostLaunch lost(std::move(all));
    const Result<RunPlan> plan = lost.succeed();
    QVERIFY2(plan.ok(), qPrintable(wordsOf(plan)));
    QVERIFY(plan->state.closed().has_value());
}

void TestSuccessionPlan::optionsOfProcessorZero()
{
    const Briefing briefing{.epoch = ours,
                            .topologyFile = {},
                            .topologyText = {},
                            .run = {},
                            .runFile = "/a/r.tasuki",
                            .directory = "/a"};
    FarmOptions options;
    options.runFile = "r.tasuki";
    options.cpsLog = "logs/cps.log";
    options.quiet = true;
    const FarmOptions placed = placedOptions(options, briefing);
    QCOMPARE(placed.runFile, std::string("/a/r.tasuki"));
    QCOMPARE(*placed.cpsLog, std::string("/a/logs/cps.log"));
    QVERIFY(placed.quiet);
    options.cpsLog = "/b/cps.log";
    QCOMPARE(*placedOptions(options, briefing).cpsLog, std::string("/b/cps.log"));
    options.cpsLog.reset();
    QVERIFY(!placedOptions(options, briefing).cpsLog);
}

QTEST_APPLESS_MAIN(TestSuccessionPlan)

} // namespace tst_successionplan

#include "tst_successionplan.moc"
