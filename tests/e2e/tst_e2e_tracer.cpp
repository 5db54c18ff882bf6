// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs under mpirun with the tracer preloaded: what their logs say. What breaks each test stands
// above it.
#include <QTest>

#include "programlog.h"
#include "tracedprogram.h"
#include "workspace.h"

#include <QDir>
#include <QFile>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tst_e2e_tracer {

using namespace tasuki::testing;
using namespace std::chrono_literals;
namespace trace = tasuki::trace;

class TestTracer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMessageIsLogged_data();
    void everyMessageIsLogged();
    void callsAreCounted_data();
    void callsAreCounted();
    void requestsHaveNumbers();
    void persistentRequestsAreStartsAndWaits();
    void collectivesTellTheirShare_data();
    void collectivesTellTheirShare();
    void communicatorsAreToldApart_data();
    void communicatorsAreToldApart();
    void interCommunicatorsHaveWorldRanks();
    void severalThreads();
    void moreThanMemoryHolds();
    void clocksThatDiffer();
    void measuredClocks();
    void programIsLeftAsItIs();
    void headerTellsTheRun();
    void unwritableLog_data();
    void unwritableLog();
    void oldLogIsReplaced();
    void endsWithoutFinalize_data();
    void endsWithoutFinalize();
    void settingsThatAreWrong();
};

void TestTracer::everyMessageIsLogged_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<int>("ranks");
    for (const char* scenario : {"blocking", "probes", "requests", "anyrequests"}) {
        for (const int ranks : {2, 3, 4})
            QTest::addRow("%s, %d ranks", scenario, ranks) << scenario << ranks;
    }
}

// Fails if a message is missing, logged twice or at one end alone, or with a wrong peer, tag or length;
// if one is logged that goes nowhere, never comes or is cancelled.
void TestTracer::everyMessageIsLogged()
{
    QFETCH(QString, scenario);
    QFETCH(int, ranks);
    std::vector<Letter> expected;
    const auto ring = [&](int tag, int times = 1, std::optional<std::uint64_t> bytes = {}) {
        addRing(expected, ranks, tag, times, bytes);
    };
    if (scenario == "blocking") {
        for (const int tag : {10, 11, 12, 13, 14, 16})
            ring(tag);
        ring(15, 1, letterBytes(15, 0));
        ring(18, 1, 0);
        for (int rank = 0; rank < ranks; ++rank)
            expected.emplace_back(rank, rank, 19, sizeof(int));
    } else if (scenario == "probes") {
        for (const int tag : {20, 21, 22, 23})
            ring(tag);
    } else if (scenario == "requests") {
        for (const int tag : {30, 31, 32, 33, 37})
            ring(tag);
        for (int rank = 0; rank < ranks; ++rank) {
            expected.emplace_back(rank, (rank + 1) % ranks, 34, letterBytes(1, rank));
            expected.emplace_back(rank, (rank + 1) % ranks, 34, letterBytes(50, rank));
        }
        ring(35, 20);
    } else {
        for (int way = 0; way < 6; ++way)
            ring(40 + way, 2);
    }
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(ranks, {scenario}) == 0, program.story());
    QVERIFY2(program.complaints().isEmpty(), program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    QCOMPARE(log.trace().tasks(), static_cast<std::uint32_t>(ranks));
    QCOMPARE(listed(log.letters()), listed(expected));
    for (const trace::Message& message : log.trace().messages)
        QCOMPARE(message.communicator, 0U);
}

void TestTracer::callsAreCounted_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QByteArray>("calls");
    QTest::newRow("blocking")
        << "blocking"
        << QByteArray("BARRIER 1, BSEND 1, IRECV 1, MPI_Buffer_detach 1, "
                      "RECV 5, RSEND 1, SEND 3, SENDRECV 4, SENDRECV_REPLACE 1, SSEND 1, WAIT 1");
    QTest::newRow("probes") << "probes"
                            << QByteArray("IPROBE 2, IRECV 1, ISEND 4, PROBE 2, RECV 3, WAIT 1, "
                                          "WAITALL 1");
    QTest::newRow("requests") << "requests"
                              << QByteArray(
                                     "BARRIER 4, IBSEND 1, IRECV 29, IRSEND 1, ISEND 25, "
                                     "ISSEND 1, MPI_Buffer_detach 1, MPI_Ibarrier 1, WAIT 15, "
                                     "WAITALL 2");
    QTest::newRow("persistent") << "persistent"
                                << QByteArray("IRECV 4, ISEND 3, ISSEND 1, TEST 1, WAIT 1, "
                                              "WAITALL 4");
}

// Fails if a kind of call is not logged, logged under another name, or logged when it found nothing.
void TestTracer::callsAreCounted()
{
    QFETCH(QString, scenario);
    QFETCH(QByteArray, calls);
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(3, {scenario}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    for (std::uint32_t task = 0; task < 3; ++task)
        QCOMPARE(log.callsOf(task), calls);
}

// Fails if a wait does not name what it waits for, a message not the request that started it, or if
// messages of one tag are logged in the order of an array instead of that of their receives.
void TestTracer::requestsHaveNumbers()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"requests"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    const auto waits = log.calls("WAITALL", 0);
    QCOMPARE(waits.size(), std::size_t{2});
    // Two receives and two sends, in the order of the array; 20 of each.
    const auto few = log.detailOf(waits[0]).requests;
    QCOMPARE(few.size(), std::size_t{4});
    QCOMPARE(few[0], few[1] + 1);
    QCOMPARE(few[2], few[0] + 1);
    auto all = log.detailOf(waits[1]).requests;
    QCOMPARE(all.size(), std::size_t{40});
    std::set<std::uint32_t> started;
    for (const char* state : {"IRECV", "ISEND"}) {
        for (const trace::Call& call : log.calls(state, 0)) {
            const auto requests = log.detailOf(call).requests;
            QVERIFY(requests.size() <= 1);
            started.insert(requests.begin(), requests.end());
        }
    }
    for (const std::uint32_t number : all)
        QVERIFY(started.contains(number));

    std::vector<std::uint64_t> lengths;
    std::vector<std::uint32_t> receives;
    for (const trace::Message& message : log.trace().messages) {
        if (message.tag == 34 && message.to.value() == 0) {
            lengths.push_back(message.bytes);
            receives.push_back(message.receiveRequest);
        }
        if (message.tag == 30)
            QVERIFY(message.sendRequest != trace::none && message.receiveRequest != trace::none);
    }
    QCOMPARE(lengths, (std::vector<std::uint64_t>{letterBytes(1, 1), letterBytes(50, 1)}));
    QCOMPARE(receives, (std::vector<std::uint32_t>{few[1], few[0]}));
}

// Fails if a request that is started again keeps its number, or is taken for done for ever.
void TestTracer::persistentRequestsAreStartsAndWaits()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"persistent"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    std::vector<Letter> expected;
    addRing(expected, 2, 50, 3);
    addRing(expected, 2, 51);
    QCOMPARE(listed(log.letters()), listed(expected));
    std::vector<std::vector<std::uint32_t>> waits;
    for (const trace::Call& call : log.calls("WAITALL", 1))
        waits.push_back(log.detailOf(call).requests);
    // Receive and send of each round; the last wait finds nothing that was started.
    QCOMPARE(waits, (std::vector<std::vector<std::uint32_t>>{{1, 2}, {3, 4}, {5, 6}, {}}));
}

void TestTracer::collectivesTellTheirShare_data()
{
    QTest::addColumn<int>("ranks");
    for (const int ranks : {2, 3, 4})
        QTest::addRow("%d", ranks) << ranks;
}

// Fails if a collective call is not logged, or with a wrong root, share or communicator.
void TestTracer::collectivesTellTheirShare()
{
    QFETCH(int, ranks);
    const auto root = static_cast<std::uint32_t>(ranks - 1);
    struct Expected {
        const char* state;
        std::uint32_t root;
        std::function<int(int)> numbers; ///< by rank
    };
    const auto share = [](int) { return 100; };
    const auto mine = [](int rank) { return 10 * (rank + 1); };
    const auto mean = [ranks](int) { return 10 * ranks * (ranks + 1) / 2 / ranks; };
    const std::vector<Expected> plain{
        {"BARRIER", trace::none, [](int) { return 0; }},
        {"BCAST", root, share},
        {"REDUCE", root, share},
        {"ALLREDUCE", trace::none, share},
        {"GATHER", root, share},
        {"SCATTER", root, share},
        {"ALLGATHER", trace::none, share},
        {"ALLTOALL", trace::none, share},
        {"SCAN", trace::none, share},
        {"EXSCAN", trace::none, share},
        {"REDUCE_SCATTER_BLOCK", trace::none, share},
    };
    const std::vector<Expected> vectors{
        {"GATHERV", root, mine},
        {"SCATTERV", root, mine},
        {"ALLGATHERV", trace::none, mine},
        {"ALLTOALLV", trace::none, mean},
        {"REDUCE_SCATTER", trace::none, mine},
    };
    for (const auto& [scenario, expected] :
         {std::pair{"collectives", plain}, std::pair{"vectors", vectors}}) {
        const Workspace place;
        TracedProgram program(place);
        QVERIFY2(program.run(ranks, {scenario}) == 0, program.story());
        const ProgramLog log(place.path("trace.alog"));
        QCOMPARE(log.problems(), QByteArray());
        QVERIFY(log.trace().messages.empty());
        for (int rank = 0; rank < ranks; ++rank) {
            for (const Expected& one : expected) {
                const auto calls = log.calls(one.state, static_cast<std::uint32_t>(rank));
                QVERIFY2(calls.size() == 1, one.state);
                const trace::CallDetail detail = log.detailOf(calls.front());
                QCOMPARE(detail.root, one.root);
                if (detail.bytes / sizeof(int) != static_cast<std::uint64_t>(one.numbers(rank)))
                    qWarning("%s of rank %d", one.state, rank);
                QCOMPARE(detail.bytes / sizeof(int), static_cast<std::uint64_t>(one.numbers(rank)));
                QCOMPARE(detail.communicator, 0U);
            }
        }
    }
}

void TestTracer::communicatorsAreToldApart_data()
{
    QTest::addColumn<int>("ranks");
    for (const int ranks : {2, 3, 4})
        QTest::addRow("%d", ranks) << ranks;
}

// Fails if ranks are those of a communicator instead of the world's, if two communicators have one
// name or one has two, or if a message is lost because its communicator is freed.
void TestTracer::communicatorsAreToldApart()
{
    QFETCH(int, ranks);
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(ranks, {"communicators"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());

    std::vector<Letter> expected;
    const auto rings = [&](const std::vector<int>& members, int tag) {
        for (std::size_t i = 0; i < members.size(); ++i) {
            expected.emplace_back(members[i], members[(i + 1) % members.size()], tag,
                                  letterBytes(tag, members[i]));
        }
    };
    std::vector<int> all;
    std::vector<int> even;
    std::vector<int> odd;
    for (int rank = 0; rank < ranks; ++rank) {
        all.push_back(rank);
        (rank % 2 == 0 ? even : odd).insert((rank % 2 == 0 ? even : odd).begin(), rank);
        rings({rank}, 70);
    }
    rings(all, 60);
    rings(all, 60);
    for (const int tag : {61, 62}) {
        rings(even, tag);
        rings(odd, tag);
    }
    rings({all.begin() + 1, all.end()}, 63);
    for (const int tag : {65, 66})
        rings({ranks - 1, 0}, tag);
    for (const int tag : {64, 67, 68, 69, 71})
        rings(all, tag);
    QCOMPARE(listed(log.letters()), listed(expected));

    std::set<std::uint32_t> seen{0};
    const std::map<int, std::size_t> communicators{{60, 2}, {61, 2}, {62, 2},          {63, 1},
                                                   {64, 1}, {65, 1}, {66, 1},          {67, 1},
                                                   {68, 1}, {69, 1}, {70, all.size()}, {71, 1}};
    for (const auto& [tag, count] : communicators) {
        for (const std::uint32_t number : log.communicatorsOf(tag))
            QVERIFY2(seen.insert(number).second, qPrintable(QString("tag %1").arg(tag)));
        QCOMPARE(log.communicatorsOf(tag).size(), count);
    }
    // The root of the broadcast, rank 0 of a half, is the highest rank of the world.
    for (std::uint32_t task = 0; task < static_cast<std::uint32_t>(ranks); ++task) {
        const auto calls = log.calls("BCAST", task);
        QCOMPARE(calls.size(), std::size_t{1});
        const trace::CallDetail detail = log.detailOf(calls.front());
        QCOMPARE(detail.root, static_cast<std::uint32_t>((task % 2 == 0 ? even : odd).front()));
        QVERIFY(log.communicatorsOf(61).contains(detail.communicator));
    }
}

// Fails if a rank of the remote group is taken for one of the local group, or if the two sides call an
// inter-communicator by different names.
void TestTracer::interCommunicatorsHaveWorldRanks()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(3, {"inter"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    std::vector<Letter> expected;
    for (const int tag : {72, 73}) {
        expected.emplace_back(0, 1, tag, letterBytes(tag, 0));
        expected.emplace_back(1, 0, tag, letterBytes(tag, 1));
        QCOMPARE(log.communicatorsOf(tag).size(), std::size_t{1});
    }
    QVERIFY(log.communicatorsOf(72) != log.communicatorsOf(73));
    // Merged, the even ranks come first.
    expected.emplace_back(0, 2, 74, letterBytes(74, 0));
    expected.emplace_back(2, 1, 74, letterBytes(74, 2));
    expected.emplace_back(1, 0, 74, letterBytes(74, 1));
    QCOMPARE(listed(log.letters()), listed(expected));
    QCOMPARE(log.detailOf(log.calls("BCAST", 0).at(0)).root, 0U);
    QCOMPARE(log.detailOf(log.calls("BCAST", 1).at(0)).root, 0U);
    QCOMPARE(log.detailOf(log.calls("BCAST", 2).at(0)).root, trace::none);
}

// Fails if threads that call MPI at once lose or spoil each other's records. Their calls overlap, which
// logs of this format cannot tell: only messages are looked at.
void TestTracer::severalThreads()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"threads"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    std::vector<Letter> expected;
    for (const int tag : {100, 101, 102})
        addRing(expected, 2, tag, 100);
    QCOMPARE(listed(log.letters()), listed(expected));
    for (const trace::Message& message : log.trace().messages)
        QVERIFY(message.matched());
}

// Fails if records are lost or mixed up when they go to a file and come back.
void TestTracer::moreThanMemoryHolds()
{
    const Workspace place;
    QVERIFY(QDir(place.path()).mkdir("spill"));
    TracedProgram program(place);
    program.set("TASUKI_ALOG_MEMORY", "2");
    program.set("TASUKI_ALOG_VERBOSE", "1");
    program.set("TMPDIR", place.path("spill"));
    QVERIFY2(program.run(2, {"long"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    QCOMPARE(log.trace().messages.size(), std::size_t{60'000});
    QVERIFY(log.callsOf(0).contains("SENDRECV 30000"));
    QVERIFY(log.callsOf(0).contains("TRACER_SPILL"));
    // 30,000 times begin, sent, received, end, of 32 bytes.
    QVERIFY2(program.error().contains("rank 0: 1200"), program.story());
    QVERIFY2(!program.error().contains("of which 0 in a file"), program.story());
    QVERIFY(QDir(place.path("spill")).isEmpty());
}

// Fails if clocks of different hosts are not put on one zero: here one rank's clock is 1,000 s ahead.
void TestTracer::clocksThatDiffer()
{
    const QStringList ahead{"unshare", "--time", "--monotonic", "1000", "--fork"};
    QProcess trial;
    trial.start(ahead.front(), ahead.mid(1) + QStringList{"true"});
    if (!trial.waitForFinished(10'000) || trial.exitCode() != 0)
        QSKIP("a time namespace needs root and a kernel that has them");
    const Workspace place;
    TracedProgram program(place);
    program.wrapLastRank(ahead);
    program.set("TASUKI_ALOG_VERBOSE", "1");
    QVERIFY2(program.run(3, {"blocking"}) == 0, program.story());
    const QByteArrayList told = program.complaints();
    QVERIFY2(told.size() == 4 && told[1].contains("clock of rank 0"), program.story());
    // Within a second of it: namespaces' clocks differ by whole ones.
    QVERIFY2(told[2].contains("clock 1000000") || told[2].contains("clock 999999"),
             program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    QVERIFY(log.trace().events.back().timeUs < 100'000'000);
    QVERIFY(log.calls("FINALIZE", 2).at(0).beginUs > 0);
}

// Fails if the way that clocks are measured puts receives before their sends by more than its error,
// which the mending takes away.
void TestTracer::measuredClocks()
{
    const Workspace place;
    TracedProgram program(place);
    program.set("TASUKI_ALOG_CLOCK", "measure");
    program.set("TASUKI_ALOG_VERBOSE", "1");
    QVERIFY2(program.run(2, {"long"}) == 0, program.story());
    QVERIFY2(program.error().contains("ahead of rank 0, error"), program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    QCOMPARE(log.trace().messages.size(), std::size_t{60'000});
}

// Fails if the traced program prints something else, leaves with another exit code, or leaves other
// files than the log.
void TestTracer::programIsLeftAsItIs()
{
    // Where MPI is not started, mpirun would say so after another exit code. Open MPI 5 may lose the
    // output of ranks that leave with one.
    for (const auto& [scenario, code] :
         {std::pair{"blocking", 0}, std::pair{"blocking", 5}, std::pair{"noinit", 0}}) {
        const Workspace with;
        const Workspace without;
        TracedProgram traced(with);
        TracedProgram plain(without);
        plain.withoutTracer();
        const QStringList arguments{scenario, QString::number(code)};
        QVERIFY2(traced.run(2, arguments) == code, traced.story());
        QVERIFY2(plain.run(2, arguments) == code, plain.story());
        if (code == 0)
            QCOMPARE(traced.output(), plain.output());
        const bool starts = std::string_view{scenario} != "noinit";
        QVERIFY2(traced.complaints().size() == (starts ? 0 : 1), traced.story());
        QCOMPARE(with.count("*"), starts ? 1 : 0);
        QCOMPARE(with.exists("trace.alog"), starts);
    }
}

// Fails if the header is not that of the log.
void TestTracer::headerTellsTheRun()
{
    const Workspace place;
    TracedProgram program(place);
    program.set("TASUKI_ALOG", place.path("here.alog"));
    QVERIFY2(program.run(2, {"nothing"}) == 0, program.story());
    const QByteArrayList lines = place.read("here.alog").trimmed().split('\n');
    QCOMPARE(lines.size(), 9 + 2 + 8);
    const QByteArrayList last = lines.back().split(' ');
    const QByteArrayList expected{"-1 0 0 0 0 0 tasuki-alog",
                                  "-2 0 0 8 0 0",
                                  "-3 0 0 2 0 0",
                                  "-4 0 0 1 0 0",
                                  "-5 0 0 4 0 0",
                                  "-6 0 0 0 0 0",
                                  "-7 0 0 0 0 " + last.value(5),
                                  "-8 0 0 1 0 0",
                                  "-11 0 0 0 0 0",
                                  "-13 0 201 202 0 0 gray:black INIT",
                                  "-13 0 203 204 0 0 gray:black FINALIZE"};
    QCOMPARE(lines.mid(0, expected.size()), expected);
    QVERIFY(lines.at(11) == "201 0 0 1 0 0" || lines.at(11) == "201 1 0 1 0 0");
}

void TestTracer::unwritableLog_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("no such directory")
        << "missing/trace.alog" << QByteArray("No such file or directory");
    QTest::newRow("a directory") << "." << QByteArray("Is a directory");
    QTest::newRow("below a file") << "file/trace.alog" << QByteArray("Not a directory");
    QTest::newRow("no room") << "/dev/full" << QByteArray("No space left on device");
}

// Fails if the program pays for a log that cannot be written, or if that is told not at all, without
// its reason, or by every rank.
void TestTracer::unwritableLog()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, reason);
    const Workspace place;
    place.write("file", "");
    TracedProgram program(place);
    program.set("TASUKI_ALOG", file);
    QVERIFY2(program.run(3, {"blocking", "0"}) == 0, program.story());
    QCOMPARE(program.output(), QByteArray("blocking with 3 ranks is done\n"));
    const QByteArrayList told = program.complaints();
    QVERIFY2(told.size() == 1 && told.front().contains(reason), program.story());
    QVERIFY2(told.front().contains("cannot write '"), program.story());
    QCOMPARE(place.count("*"), 1);
}

// Fails if a run leaves the log of the one before, or a mixture, or puts a file in place of a link.
void TestTracer::oldLogIsReplaced()
{
    const Workspace place;
    place.write("target", QByteArray(1'000'000, 'x'));
    QVERIFY(QFile::link(place.path("target"), place.path("trace.alog")));
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"nothing"}) == 0, program.story());
    QVERIFY(place.read("target").startsWith("-1 0 0 0 0 0 tasuki-alog\n"));
    QVERIFY(place.read("target").size() < 1000);
    QVERIFY(QFileInfo(place.path("trace.alog")).isSymLink());
    QCOMPARE(place.count("*"), 2);
}

void TestTracer::endsWithoutFinalize_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("MPI_Abort") << "abort" << QByteArray("rank 1 called MPI_Abort before");
    QTest::newRow("exit") << "leave" << QByteArray("rank 0 ended before MPI_Finalize");
}

// Fails if a log is lost without a word, or the end is held up.
void TestTracer::endsWithoutFinalize()
{
    QFETCH(QString, scenario);
    QFETCH(QByteArray, told);
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {scenario}) > 0, program.story());
    QVERIFY2(program.error().contains(told), program.story());
    QVERIFY2(program.error().contains("events are lost"), program.story());
    QCOMPARE(place.count("*"), 0);
}

// Fails if a wrong setting is taken for another one without a word, or ends the program.
void TestTracer::settingsThatAreWrong()
{
    const Workspace place;
    TracedProgram program(place);
    program.set("TASUKI_ALOG_MEMORY", "much");
    QVERIFY2(program.run(2, {"nothing"}) == 0, program.story());
    QCOMPARE(program.complaints(),
             QByteArrayList{"tasuki-alog: TASUKI_ALOG_MEMORY='much' is ignored; expected MiB for "
                            "the events of a rank, 2 to 1048576"});
    QVERIFY(place.exists("trace.alog"));
}

QTEST_GUILESS_MAIN(TestTracer)

} // namespace tst_e2e_tracer

#include "tst_e2e_tracer.moc"
