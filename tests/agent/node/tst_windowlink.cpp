// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "fakewindows.h"
#include "support/manualclock.h"
#include "support/memoryjournal.h"
#include "support/recordingtransport.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tst_windowlink {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

/// A master with one task, and a link whose windows are the test.
struct LinkBench {
    LinkBench()
        : master({.run = RunId{"00"}, .directory = "/", .taskDefaults = {}, .scheduling = {}},
                 state, transport, journal, clock, {})
    {
        Task task;
        task.command = "true";
        task.settings = std::make_shared<const TaskSettings>();
        master.open({RunOpened{}, TaskAdded{TaskId(0), task}});
        master.rankHeld(Rank(0), ProcessorId(1), Incarnation(1));
        master.begin();
        settle();
        auto opened = open();
        if (!opened)
            qFatal("%s", opened.error().text().c_str());
        link = std::move(*opened);
    }
    Result<std::unique_ptr<WindowLink>> open()
    {
        link::LinkOptions options;
        options.title = "list";
        return WindowLink::open(
            std::move(options), reactor, master, state, clock,
            [this](const std::string& line) { said.push_back(line); }, windows.serve());
    }
    void settle()
    {
        for (int i = 0; i < 3; ++i) {
            journal.commit();
            master.poll();
        }
    }
    /// A window asks for a task.
    void askFor(std::uint32_t task)
    {
        windows.ask.task(TaskId(task), [this](std::optional<Task> answer) {
            answers.push_back(answer ? answer->command : "none");
        });
    }
    void tick() { link->tick(clock.now(), clock.wallNow(), 7, true, "disk full"); }

    ManualClock clock;
    Reactor reactor{clock};
    RunState state;
    RecordingTransport transport{ProcessorId(0), 2};
    MemoryJournal journal{Epoch(1), clock};
    farm::Master master;
    FakeWindows windows;
    std::vector<std::string> said;
    std::vector<std::string> answers;
    std::unique_ptr<WindowLink> link;
};

using Texts = std::vector<std::string>;

} // namespace

/// What windows want of the master, and what they are told. What breaks it: something that is done on the
/// link's thread, while it is held, or after the end.
class TestWindowLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void servesWithWhatItIsGiven()
    {
        LinkBench bench;
        QCOMPARE(bench.windows.options.title, std::string("list"));
        bench.windows.refused = true;
        QVERIFY(!bench.open());
    }

    void answersOnTheReactorsThread()
    {
        LinkBench bench;
        bench.askFor(0);
        bench.askFor(1);
        QVERIFY(bench.answers.empty()); // this may be the link's thread
        turn(bench.reactor);
        QCOMPARE(bench.answers, (Texts{"true", "none"}));
    }

    void commandsReachTheMaster()
    {
        LinkBench bench;
        std::vector<bool> accepted;
        bench.windows.ask.command(
            {.operatorName = "ann@host"}, StopRun{},
            [&accepted](const CommandAnswer& answer) { accepted.push_back(answer.accepted); });
        QCOMPARE(bench.master.phase(), farm::Master::Phase::Running);
        turn(bench.reactor);
        bench.settle();
        QVERIFY(bench.master.phase() != farm::Master::Phase::Running);
        QCOMPARE(accepted, std::vector<bool>{true});
    }

    void outputThatNobodyHasIsNotKnown()
    {
        LinkBench bench;
        std::vector<bool> known;
        bench.windows.ask.output(
            {.key = {TaskId(0), AttemptNumber(1)}},
            [&known](const OutputAnswer& answer) { known.push_back(answer.known); });
        turn(bench.reactor);
        QCOMPARE(known, std::vector<bool>{false});
    }

    void wishesWaitWhileItIsHeld()
    {
        LinkBench bench;
        bench.link->hold(true);
        bench.askFor(0);
        turn(bench.reactor);
        bench.askFor(1);
        turn(bench.reactor);
        QVERIFY(bench.answers.empty());
        bench.link->hold(false);
        QCOMPARE(bench.answers, (Texts{"true", "none"}));
    }

    void nothingIsDoneAfterTheEnd()
    {
        LinkBench bench;
        bench.askFor(0);
        bench.link.reset();
        turn(bench.reactor);
        QVERIFY(bench.answers.empty());
    }

    void tellsEventsAndHowTheAgentIs()
    {
        LinkBench bench;
        bench.link->published(bench.journal.record());
        QCOMPARE(bench.windows.events.size(), bench.journal.record().size());
        bench.tick();
        QVERIFY(bench.windows.statuses.empty());
        bench.clock.advance(500ms);
        bench.tick();
        bench.tick(); // not yet again
        QCOMPARE(bench.windows.statuses.size(), std::size_t{1});
        const link::Status status = bench.windows.statuses[0];
        QCOMPARE(status.phase, std::string("running"));
        QCOMPARE(status.stalled, std::string("disk full"));
        QCOMPARE(status.uncommitted, std::uint64_t{7});
        QVERIFY(status.recovery);
        bench.clock.advance(500ms);
        bench.tick();
        QCOMPARE(bench.windows.statuses.size(), std::size_t{2});
    }

    void saysWarningsAlone()
    {
        LinkBench bench;
        bench.windows.ask.log(Severity::Information, "a window came");
        bench.windows.ask.log(Severity::Warning, "a window was refused");
        QVERIFY(bench.said.empty());
        turn(bench.reactor);
        QCOMPARE(bench.said, Texts{"a window was refused"});
    }

    void endsWithOrWithoutAWord()
    {
        LinkBench bench;
        bench.link->drop();
        bench.link->close("over");
        QCOMPARE(bench.windows.ends, (Texts{"dropped", "over"}));
    }
};

QTEST_GUILESS_MAIN(TestWindowLink)

} // namespace tst_windowlink

#include "tst_windowlink.moc"
