// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "domain/clock.h"
#include "node/recordaccess.h"
#include "support/recordingtransport.h"

#include <memory>
#include <optional>
#include <vector>

namespace tst_recordaccess {

using namespace tasuki;

namespace {

/// Three processors, of which some cannot reach the record; this is the second.
struct AccessBench {
    explicit AccessBench(std::vector<bool> sees)
        : access({.reach = {.original = {.host = "first", .path = path(), .original = true},
                            .sees = std::move(sees),
                            .hosts = {"first", "second", "third"}},
                  .briefing = briefing()},
                 transport, clock, reactor, [this](Result<RunPlan> plan) {
                     opened.push_back(std::move(plan));
                     reactor.stop();
                 })
    {}
    std::string path() const { return directory.filePath("r.tasuki").toStdString(); }
    Briefing briefing() const
    {
        Briefing briefing;
        briefing.epoch = Epoch(1);
        briefing.run = RunId{"0123456789abcdef0123456789abcdef"};
        briefing.runFile = path();
        return briefing;
    }
    RunPlan plan() const
    {
        Result<RunFileWriter> file = RunFileWriter::create(path(), briefing().run);
        if (!file)
            qFatal("%s", file.error().text().c_str());
        return {.file = std::move(*file),
                .state = {},
                .epoch = Epoch(1),
                .opening = {},
                .directory = "/"};
    }

    QTemporaryDir directory;
    SystemClock clock;
    Reactor reactor{clock};
    RecordingTransport transport{ProcessorId(1), 3};
    std::vector<Result<RunPlan>> opened;
    RecordAccess access;
};

} // namespace

/// How a processor gets at the record of its run.
class TestRecordAccess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesAreKeptWhereSomebodyCannotReachIt()
    {
        QVERIFY(!hasCopies({.original = {}, .sees = {true, true}, .hosts = {}}));
        QVERIFY(hasCopies({.original = {}, .sees = {true, false}, .hosts = {}}));
        QVERIFY(!AccessBench({true, true, true}).access.copies());
        const AccessBench bench({true, false, true});
        const auto copies = bench.access.copies();
        QVERIFY(copies);
        QCOMPARE(copies->record.path, bench.path());
        QCOMPARE(copies->reach.sees.size(), std::size_t{3});
    }

    void tellsWhatCameOfOpeningIt()
    {
        AccessBench bench({true, true, true});
        bench.access.open(false); // there is none
        QVERIFY(bench.opened.empty());
        bench.reactor.run();
        QCOMPARE(bench.opened.size(), std::size_t{1});
        QVERIFY(!bench.opened[0]);
        QCOMPARE(bench.access.placed().runFile, bench.path());
    }

    void saysWhereTheRecordIsIfThereIsNoCopy()
    {
        AccessBench bench({true, false, true});
        bench.access.open(true);
        QCOMPARE(bench.opened.size(), std::size_t{1});
        QVERIFY(!bench.opened[0]);
        const std::string text = bench.opened[0].error().text();
        QVERIFY2(text.find(bench.path() + " on first") != std::string::npos, text.c_str());
        QVERIFY(!bench.access.plan());
    }

    void handsOverWhatWasOpened()
    {
        AccessBench bench({true, true, true});
        QVERIFY(!bench.access.plan());
        QCOMPARE(bench.access.keep(bench.plan()).directory, std::string("/"));
        QVERIFY(bench.access.plan());
        const RunPlan plan = bench.access.takePlan();
        QCOMPARE(plan.epoch, Epoch(1));
        QVERIFY(!bench.access.plan());
    }

    /// Fails if somebody else cannot open it then, or hears of what was being opened.
    void letsGoOfAll()
    {
        AccessBench bench({true, true, true});
        bench.access.keep(bench.plan());
        bench.access.letGo();
        QVERIFY(!bench.access.plan());
        const Result<RunPlan> next = planSuccession(bench.briefing(), {}, FormerWriter::MayEnd);
        QVERIFY(!next); // nothing was recorded; but nobody holds it
        QVERIFY2(next.error().kind != ErrorKind::InUse, next.error().text().c_str());

        bench.access.open(false);
        bench.access.letGo();
        bench.reactor.post([&bench] { bench.reactor.stop(); });
        bench.reactor.run();
        QVERIFY(bench.opened.empty());
    }
};

QTEST_GUILESS_MAIN(TestRecordAccess)

} // namespace tst_recordaccess

#include "tst_recordaccess.moc"
