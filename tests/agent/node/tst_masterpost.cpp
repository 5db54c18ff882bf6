// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "fakewindows.h"
#include "hierarchy/tablewriter.h"
#include "membership/firstview.h"
#include "membership/layoutevent.h"
#include "node/masterpost.h"
#include "startup/exitcode.h"
#include "support/manualclock.h"
#include "support/recordingtransport.h"
#include "tasklist/tasklistreader.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace tst_masterpost {

using namespace tasuki;
using namespace std::chrono_literals;
using hierarchy::MembershipView;
using hierarchy::Observation;
using hierarchy::TableWriter;

namespace {

constexpr ProcessorId leader(0);
constexpr ProcessorId led(1);

/// The membership agent of the processor that leads, which says nothing by itself.
struct FakeDesk final : OrderDesk {
    void order(hierarchy::Order order, Answer answer) override
    {
        orders.push_back(std::move(order));
        answers.push_back(std::move(answer));
    }
    void changeSettings(hierarchy::Settings, Answer answer) override
    {
        answers.push_back(std::move(answer));
    }

    std::vector<hierarchy::Order> orders;
    std::vector<Answer> answers;
};

/// A master's post on the first of two processors with a rank each; the test is all other parts of both. The
/// record is a real one.
struct MasterPostBench {
    MasterPostBench()
        : system(*planSystem(PlainSystem{}, {"a", "a"}).plan),
          view(firstView(system.topology, system.layout)),
          cluster(leader, view.cluster(SubclusterId(0)), SteadyTime{})
    {
        options.runFile = directory.filePath("r.tasuki").toStdString();
        options.output.temporary = directory.path().toStdString();
        options.quiet = true;
    }

    /// The post opens a run of so many tasks.
    void open(std::uint32_t tasks)
    {
        std::string text;
        for (std::uint32_t i = 0; i < tasks; ++i)
            text += "echo " + std::to_string(i) + '\n';
        TaskListParse list = parseTaskList(text, "list");
        Result<RunPlan> plan = planRun(options, {.host = "a", .processors = 2}, &list);
        if (!plan)
            qFatal("%s", plan.error().text().c_str());
        run = plan->file.run();
        make(std::move(*plan), {});
    }
    /// It goes on with the record, as its own successor.
    Result<RunPlan> succession(FormerWriter former)
    {
        Briefing briefing;
        briefing.epoch = Epoch(1);
        briefing.run = run;
        briefing.runFile = options.runFile;
        return planSuccession(briefing, clock.wallNow(), former);
    }
    void make(RunPlan plan, std::optional<SteadyTime> lostSince)
    {
        SystemLaidOut layout = lostSince
            ? *plan.state.system().layout()
            : layoutEvent(system,
                          {{.processor = leader, .hosts = {"127.0.0.1"}},
                           {.processor = led, .hosts = {"127.0.0.1"}}});
        post.emplace(MasterPost::Setup{.options = options,
                                       .launch = {},
                                       .plan = std::move(plan),
                                       .layout = std::move(layout),
                                       .view = view,
                                       .lostSince = lostSince,
                                       .serve = windows.serve()},
                     transport, clock, reactor, desk);
    }
    /// Both processors are ready.
    void start()
    {
        for (const ProcessorId processor : {leader, led})
            cluster.observe({processor, Observation::Ready, HealthCause::None, {}, {}},
                            SteadyTime{});
        view.adopt(cluster.publish(SteadyTime{}, WallTime{}));
        hierarchy::SystemTable table = view.system();
        ++table.version.revision;
        table.started = true;
        view.adopt(std::make_shared<const hierarchy::SystemTable>(table));
        post->viewChanged(view);
    }
    void say(ProcessorId from, farm::FarmMessage message)
    {
        post->receive(from,
                      {.epoch = Epoch(1),
                       .held = {Rank(static_cast<std::int32_t>(from.value())), Incarnation(1)},
                       .message = std::move(message)});
    }
    void hello() { say(led, farm::Hello{.host = "a", .pid = 7, .slotCount = 1}); }
    void finish(AttemptKey key)
    {
        AttemptResult result;
        result.outcome = Outcome::Succeeded;
        farm::Report report;
        report.finished.push_back({key, SlotIndex(0), std::move(result)});
        report.number = ++reports;
        say(led, std::move(report));
    }
    /// What runs on the other processor has been begun.
    void beginOne()
    {
        start();
        hello();
        QVERIFY(waitFor([this] { return !assigned().empty(); }));
        say(led,
            farm::Report{.started = {{assigned()[0], SlotIndex(0), clock.wallNow()}},
                         .finished = {},
                         .number = ++reports});
        QVERIFY(waitFor([this] { return hasRecorded<AttemptStarted>(); }));
    }

    /// Turns until it is so. The recorder commits on a thread of its own.
    bool waitFor(const std::function<bool()>& isSo)
    {
        for (int i = 0; i < 5'000; ++i) {
            turn(reactor);
            if (post)
                post->poll();
            if (isSo())
                return true;
            std::this_thread::sleep_for(1ms);
        }
        return false;
    }
    /// Turns for so long that whatever is under way is done.
    void rest()
    {
        int turns = 0;
        waitFor([&turns] { return ++turns == 100; });
    }
    /// What was sent to the other processor, of one kind.
    template <class Kind>
    std::vector<Kind> sent()
    {
        for (RecordingTransport::Sent& item : transport.takeSent()) {
            Result<farm::Envelope> envelope = farm::decode(item.message);
            if (envelope && item.to == led)
                toLed.push_back(std::move(envelope->message));
        }
        std::vector<Kind> found;
        for (const farm::FarmMessage& message : toLed) {
            if (const Kind* kind = std::get_if<Kind>(&message))
                found.push_back(*kind);
        }
        return found;
    }
    std::vector<AttemptKey> assigned()
    {
        std::vector<AttemptKey> keys;
        for (const farm::Assign& assign : sent<farm::Assign>()) {
            for (const farm::AssignedTask& task : assign.tasks)
                keys.push_back(task.key);
        }
        return keys;
    }
    /// Windows are told of what is in the record.
    template <class Kind>
    [[nodiscard]] bool hasRecorded() const
    {
        return std::ranges::any_of(windows.events, [](const Event& event) {
            return std::holds_alternative<Kind>(event.payload);
        });
    }
    bool finishAll()
    {
        return waitFor([this] {
            for (const AttemptKey& key : assigned()) {
                if (std::ranges::find(ended, key) == ended.end()) {
                    ended.push_back(key);
                    finish(key);
                }
            }
            return post->ending();
        });
    }

    QTemporaryDir directory;
    ManualClock clock;
    Reactor reactor{clock};
    RecordingTransport transport{leader, 2};
    FarmOptions options;
    SystemPlan system;
    MembershipView view;
    TableWriter cluster;
    RunId run;
    FakeWindows windows;
    FakeDesk desk;
    std::uint64_t reports = 0;
    std::vector<farm::FarmMessage> toLed;
    std::vector<AttemptKey> ended;
    std::optional<MasterPost> post;
};

} // namespace

/// The processor that leads: record, master, windows, and what it is told. What breaks it: something that
/// is told or recorded while the post is held, or after it was dropped; a record that another one has taken.
class TestMasterPost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leadsARunToItsEnd();
    void handsOutNothingBeforeTheSystemHasStarted();
    void takesAfterwardsWhatItWasToldWhileHeld();
    void tellsAndRecordsNothingWhileHeld();
    void drainsWhenItIsInterrupted();
    void leavesTheRecordToASuccessor();
    void goesOnWithTheRecord();
    void findsThatAnotherOneHasTheRecord();
    void ordersOfWindowsReachTheMembership();
    void answersThatComeTooLateDoNothing();
    void goesOnWithoutWindows();
    void saysWhatARunThatWasAbandonedComesTo();
};

void TestMasterPost::leadsARunToItsEnd()
{
    MasterPostBench bench;
    bench.open(3);
    bench.start();
    bench.hello();
    QVERIFY(bench.finishAll());
    QCOMPARE(bench.ended.size(), std::size_t{3});
    QCOMPARE(bench.sent<farm::Goodbye>().size(), std::size_t{1});
    QVERIFY(!bench.post->over());
    bench.say(led, farm::Left{});
    bench.say(leader, farm::Left{});
    QVERIFY(bench.waitFor([&bench] { return bench.post->over(); }));
    SessionEnd end;
    bench.post->finish(end);
    QCOMPARE(end.exitCode, toInt(ExitCode::Success));
    QVERIFY(!end.losses);
    QCOMPARE(bench.windows.ends, std::vector<std::string>{"the run is complete"});
    QVERIFY(bench.hasRecorded<RunClosed>());
    QVERIFY(bench.post->recordLost().empty());
}

void TestMasterPost::handsOutNothingBeforeTheSystemHasStarted()
{
    MasterPostBench bench;
    bench.open(1);
    bench.hello();
    bench.rest();
    QVERIFY(bench.assigned().empty());
    bench.start();
    QVERIFY(bench.waitFor([&bench] { return !bench.assigned().empty(); }));
}

void TestMasterPost::takesAfterwardsWhatItWasToldWhileHeld()
{
    MasterPostBench bench;
    bench.open(1);
    bench.post->hold(true);
    bench.start();
    bench.hello();
    bench.rest();
    QVERIFY(bench.sent<farm::Welcome>().empty());
    bench.post->hold(false);
    QVERIFY(bench.waitFor([&bench] { return !bench.assigned().empty(); }));
    QCOMPARE(bench.sent<farm::Welcome>().size(), std::size_t{1});
}

void TestMasterPost::tellsAndRecordsNothingWhileHeld()
{
    MasterPostBench bench;
    bench.open(1);
    bench.start();
    QVERIFY(bench.waitFor([&bench] { return bench.hasRecorded<SystemStarted>(); }));
    bench.hello();
    bench.post->hold(true);
    const std::size_t told = bench.windows.events.size();
    std::vector<bool> answers;
    bench.windows.ask.task(TaskId(0), [&answers](const std::optional<Task>& task) {
        answers.push_back(task.has_value());
    });
    bench.rest();
    QCOMPARE(bench.windows.events.size(), told);
    QVERIFY(answers.empty());
    bench.post->hold(false);
    QVERIFY(bench.waitFor([&bench] { return bench.hasRecorded<ProcessorJoined>(); }));
    QCOMPARE(answers, std::vector<bool>{true});
}

void TestMasterPost::drainsWhenItIsInterrupted()
{
    MasterPostBench bench;
    bench.open(2);
    bench.beginOne();
    bench.post->hold(true);
    bench.post->signal(SIGINT);
    bench.rest();
    QVERIFY(bench.sent<farm::Recall>().empty()); // not yet
    bench.post->hold(false);
    QVERIFY(bench.waitFor([&bench] { return !bench.sent<farm::Recall>().empty(); }));
    bench.say(led, farm::Returned{});
    QVERIFY(bench.sent<farm::Halt>().empty());
    bench.post->signal(SIGTERM); // kills
    QVERIFY(bench.waitFor([&bench] { return !bench.sent<farm::Halt>().empty(); }));
}

void TestMasterPost::leavesTheRecordToASuccessor()
{
    MasterPostBench bench;
    bench.open(1);
    bench.beginOne();
    QVERIFY(!bench.succession(FormerWriter::MayEnd)); // it has the record
    bench.post->drop();
    QCOMPARE(bench.windows.ends, std::vector<std::string>{"dropped"});
    const Result<RunPlan> next = bench.succession(FormerWriter::MayEnd);
    QVERIFY2(next.ok(), next ? "" : next.error().text().c_str());
    QCOMPARE(next->started.size(), std::size_t{1});
    QCOMPARE(next->term, Term(1));
}

/// Fails if what runs is lost, or if its ranks are led before they have said what they hold.
void TestMasterPost::goesOnWithTheRecord()
{
    MasterPostBench bench;
    bench.open(1);
    bench.beginOne();
    bench.post->drop();
    bench.post.reset();
    const std::size_t told = bench.windows.events.size();
    Result<RunPlan> next = bench.succession(FormerWriter::MayEnd);
    QVERIFY2(next.ok(), next ? "" : next.error().text().c_str());
    bench.make(std::move(*next), bench.clock.now());
    bench.toLed.clear();
    QVERIFY(bench.waitFor([&bench, told] { return bench.windows.events.size() > told; }));
    QVERIFY(!bench.post->ending());
    const auto& events = bench.windows.events;
    QCOMPARE(events[told].id.sequence, events[told - 1].id.sequence.next());
    bench.rest();
    QVERIFY(bench.assigned().empty());
}

void TestMasterPost::findsThatAnotherOneHasTheRecord()
{
    MasterPostBench bench;
    bench.open(1);
    bench.start();
    QVERIFY(bench.waitFor([&bench] { return bench.hasRecorded<SystemStarted>(); }));
    QVERIFY(bench.post->recordLost().empty());
    const Result<RunPlan> next = bench.succession(FormerWriter::IsBroken);
    QVERIFY2(next.ok(), next ? "" : next.error().text().c_str());
    bench.hello(); // is to be recorded
    QVERIFY(bench.waitFor([&bench] { return !bench.post->recordLost().empty(); }));
    QVERIFY(bench.post->succeeded());
    QVERIFY(!bench.hasRecorded<ProcessorJoined>());
    bench.post->drop();
}

void TestMasterPost::ordersOfWindowsReachTheMembership()
{
    MasterPostBench bench;
    bench.open(1);
    bench.beginOne();
    std::vector<bool> accepted;
    const auto ask = [&bench, &accepted](OperatorCommand command) {
        bench.windows.ask.command(
            {.operatorName = "ann@host"}, std::move(command),
            [&accepted](const CommandAnswer& answer) { accepted.push_back(answer.accepted); });
    };
    ask(DrainProcessor{.processor = led, .drained = true});
    QVERIFY(bench.waitFor([&bench] { return bench.desk.orders.size() == 1; }));
    QVERIFY(std::holds_alternative<hierarchy::DrainOrder>(bench.desk.orders[0]));
    bench.rest();
    QVERIFY(accepted.empty()); // before the membership agent has answered
    bench.desk.answers[0]({});
    QVERIFY(bench.waitFor([&accepted] { return accepted.size() == 1; }));
    QVERIFY(accepted[0]);

    ask(StopProcessor{.processor = led});
    QVERIFY(bench.waitFor([&bench] { return bench.desk.orders.size() == 2; }));
    bench.desk.answers[1](Error{.kind = ErrorKind::Input, .message = "no"});
    QVERIFY(bench.waitFor([&accepted] { return accepted.size() == 2; }));
    QVERIFY(!accepted[1]);
}

void TestMasterPost::answersThatComeTooLateDoNothing()
{
    MasterPostBench bench;
    bench.open(1);
    bench.beginOne();
    int answers = 0;
    bench.windows.ask.command({.operatorName = "ann@host"}, StopProcessor{.processor = led},
                              [&answers](const CommandAnswer&) { ++answers; });
    QVERIFY(bench.waitFor([&bench] { return !bench.desk.answers.empty(); }));
    bench.post->drop();
    bench.post.reset();
    bench.desk.answers[0]({});
    turn(bench.reactor);
    QCOMPARE(answers, 0);
}

void TestMasterPost::goesOnWithoutWindows()
{
    MasterPostBench bench;
    bench.windows.refused = true;
    bench.open(1);
    bench.start();
    bench.hello();
    QVERIFY(bench.finishAll());
}

void TestMasterPost::saysWhatARunThatWasAbandonedComesTo()
{
    MasterPostBench bench;
    bench.open(1);
    bench.beginOne();
    bench.post->abandon("mpirun is gone");
    SessionEnd end{.abandoned = true};
    bench.post->finish(end);
    QCOMPARE(end.exitCode, toInt(ExitCode::Interrupted));
    QCOMPARE(bench.windows.ends, std::vector<std::string>{"the run has ended and can be resumed"});
    QVERIFY(!end.requeue);
}

QTEST_GUILESS_MAIN(TestMasterPost)

} // namespace tst_masterpost

#include "tst_masterpost.moc"
