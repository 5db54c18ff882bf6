// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "node/healthlog.h"
#include "support/manualclock.h"

#include <QTemporaryDir>

#include <sys/stat.h>

namespace tst_healthlog {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

/// One subcluster: processor 0 is I/O, 1 and 2 hold ranks, 3 is a standby.
MembershipView healthView()
{
    const std::vector<Place> places{{SubclusterId(0), UnitId(0), ProcessorKind::Io, SeatId(2)},
                                    {SubclusterId(0), UnitId(0), ProcessorKind::Active, SeatId(0)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Active, SeatId(1)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Standby}};
    const std::vector<SeatKind> seats{SeatKind::Active, SeatKind::Active, SeatKind::Io};
    return {places, seats, {}};
}

ClusterTable healthTable()
{
    ClusterTable table = healthView().cluster(SubclusterId(0));
    for (MemberRow& row : table.members)
        row.health = Health::Alive;
    table.state = ClusterState::Up;
    return table;
}

/// What processor 2 writes while the table changes. From the start everybody is there.
struct HealthBench {
    HealthBench()
    {
        change(table);
        log.emplace(ProcessorId(2), Epoch(1), clock, view, std::vector<std::string>{"left"},
                    [this](const std::string& line) { lines.push_back(line); });
    }

    void change(ClusterTable to)
    {
        table = std::move(to);
        table.version = {hierarchy::TableTerm(2), ++revision};
        view.adopt(std::make_shared<const ClusterTable>(table));
        if (log)
            log->changed(view);
    }

    /// @return a line without its time
    [[nodiscard]] std::string words(std::size_t line) const
    {
        return lines.at(line).substr(lines.at(line).find(' ') + 1);
    }

    ManualClock clock;
    ClusterTable table = healthTable();
    MembershipView view = healthView();
    std::uint64_t revision = 0;
    std::optional<HealthLog> log;
    std::vector<std::string> lines;
};

} // namespace

/// What each processor writes about the health of the others.
class TestHealthLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesAreTold();
    void nothingNewIsNotTold();
    void ownEndIsTold();
    void processorsHaveFilesOfTheirOwn();
    void neitherLinksNorPipesAreFollowed();
};

// A loss, the takeover that follows and a subcluster's end must be told apart by a script.
void TestHealthLog::changesAreTold()
{
    HealthBench bench;
    ClusterTable table = bench.table;
    table.member(ProcessorId(1))->health = Health::Suspect;
    table.member(ProcessorId(1))->cause = HealthCause::Late;
    bench.change(table);
    QCOMPARE(bench.lines.size(), std::size_t{1});
    QCOMPARE(bench.words(0), std::string("1 2 processor 1 suspect late\n"));

    table.member(ProcessorId(1))->health = Health::Lost;
    table.member(ProcessorId(1))->cause = HealthCause::Silent;
    table.member(ProcessorId(1))->seat = std::nullopt;
    table.member(ProcessorId(3))->seat = SeatId(0);
    table.seat(SeatId(0))->incarnation = Incarnation(2);
    table.seat(SeatId(0))->previous = ProcessorId(1);
    table.state = ClusterState::Down;
    bench.change(table);
    QCOMPARE(bench.words(1), std::string("1 2 processor 1 lost silent\n"));
    QCOMPARE(bench.words(2), std::string("1 2 seat 0 held 2 3\n"));
    QCOMPARE(bench.words(3), std::string("1 2 subcluster left down\n"));
}

// Tables come with each revision, whether anything that is told has changed or not.
void TestHealthLog::nothingNewIsNotTold()
{
    HealthBench bench;
    bench.change(bench.table);
    QVERIFY(bench.lines.empty());
}

void TestHealthLog::ownEndIsTold()
{
    HealthBench bench;
    bench.clock.advance(42us);
    bench.log->fenced();
    QCOMPARE(bench.lines.back(), std::string("1576800000.000042 1 2 gives up\n"));
    bench.log->overlapped();
    QCOMPARE(bench.words(1), std::string("1 2 overlaps\n"));
    bench.lines.pop_back();
    bench.log->leaves();
    QCOMPARE(bench.words(1), std::string("1 2 leaves\n"));
    bench.log->masterSilent(true);
    QCOMPARE(bench.words(2), std::string("1 2 system master silent\n"));
    bench.log->masterSilent(false);
    QCOMPARE(bench.words(3), std::string("1 2 system master heard\n"));
    bench.log->standing(Standing::Suspended);
    QCOMPARE(bench.words(4), std::string("1 2 suspended\n"));
    bench.log->standing(Standing::Lapsed);
    QCOMPARE(bench.words(5), std::string("1 2 lapsed\n"));
    bench.log->standing(Standing::Valid);
    QCOMPARE(bench.words(6), std::string("1 2 valid\n"));
}

// Also when the run is started again: what was written before stays.
void TestHealthLog::processorsHaveFilesOfTheirOwn()
{
    const QTemporaryDir directory;
    const std::string path = directory.filePath("health").toStdString();
    for (const char* line : {"first\n", "again\n"})
        processorLogFile("--health-log", path, ProcessorId(7))(line);
    QFile file(directory.filePath("health.7"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("first\nagain\n"));
    QVERIFY(!processorLogFile("--health-log", path + "/not/there", ProcessorId(7)));
    QCOMPARE(file.permissions() & ~QFile::Permissions(QFile::ReadUser | QFile::WriteUser),
             QFile::Permissions(QFile::ReadOwner | QFile::WriteOwner));
}

// What breaks it: it is opened whatever stands under its name; for a pipe it would wait.
void TestHealthLog::neitherLinksNorPipesAreFollowed()
{
    const QTemporaryDir directory;
    const std::string path = directory.filePath("health").toStdString();
    QVERIFY(QFile::link(directory.filePath("target"), directory.filePath("health.1")));
    QVERIFY(!processorLogFile("--health-log", path, ProcessorId(1)));
    QVERIFY(!QFile::exists(directory.filePath("target")));
    QCOMPARE(::mkfifo((path + ".2").c_str(), 0666), 0);
    QVERIFY(!processorLogFile("--health-log", path, ProcessorId(2)));
}

QTEST_APPLESS_MAIN(TestHealthLog)

} // namespace tst_healthlog

#include "tst_healthlog.moc"
