// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole merges under mpirun. What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QFile>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tst_e2e_merge {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// The maps of the article, a file a rank, and what becomes of them.
const QStringList articleFiles{"r0", "r1", "r2", "r3"};
const QByteArray articleResult = "key05\t5\nkey06\t6\nkey07\t7\nkey08\t8\nkey09\t9\nkey10\t10\n";

void writeArticle(const Workspace& place)
{
    place.write("r0", "key05\t5\nkey08\t8\nkey09\t9\n");
    place.write("r1", "key06\t6\nkey08\t8\n");
    place.write("r2", "key08\t8\nkey09\t9\nkey10\t10\n");
    place.write("r3", "key05\t5\nkey07\t7\nkey10\t10\n");
}

QByteArray listing(const QByteArray& title, const QList<QByteArray>& maps)
{
    QByteArray text = title + "\n";
    for (int rank = 0; rank < maps.size(); ++rank)
        text += "rank = " + QByteArray::number(rank) + "\n" + maps[rank] + "\n";
    return text;
}

/// Lines with keys of its own and some that all files have.
QByteArray largeFile(int number, int lines)
{
    QByteArray text;
    const QByteArray filling(80, 'v');
    for (int line = 0; line < lines; ++line) {
        const QByteArray name = line % 4 == 0 ? QByteArray("all") : QByteArray::number(number);
        text += name + "/" + QByteArray::number(line) + "\t" + filling + "\n";
    }
    return text;
}

} // namespace

class TestMerge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void articleListing();
    void anyCountOfRanks_data();
    void anyCountOfRanks();
    void conflictingValues_data();
    void conflictingValues();
    void keepsTheBest();
    void anyBytesOfAnyLength();
    void badLineLeavesNothing();
    void badPlacesAreToldFirst();
    void rankIsKilled();
    void interruptedWritesNothing();
    void recordTellsTheRounds();
    void recordIsDeleted();
};

// Fails if the listings or rounds are not those of the article, or if ranks end with different maps.
void TestMerge::articleListing()
{
    const Workspace place;
    writeArticle(place);
    AgentProcess agent(place);
    const int code = agent.run(Start::Mpirun, 4,
                               QStringList{"merge"} + articleFiles
                                   + QStringList{"-o", "out", "--before-after", "--verbose"});
    QVERIFY2(code == 0, agent.story());
    const QByteArray output = agent.standardOutput();
    const QByteArray merged = QByteArray(articleResult).replace('\t', ':');
    QVERIFY2(output.startsWith(
                 listing("before",
                         {"key05:5\nkey08:8\nkey09:9\n", "key06:6\nkey08:8\n",
                          "key08:8\nkey09:9\nkey10:10\n", "key05:5\nkey07:7\nkey10:10\n"})),
             output);
    QVERIFY2(output.contains(listing("after", {merged, merged, merged, merged})), output);
    const auto first = output.indexOf("step:0 (0,1) (2,3)");
    QVERIFY2(first > 0 && output.indexOf("step:1 (0,2) (1,3)") > first, output);
    QVERIFY2(output.contains("butterfly"), output);
    QCOMPARE(place.read("out"), articleResult);
    const QByteArray size = QByteArray::number(QByteArray(articleResult).size()) + " bytes; ";
    QVERIFY2(agent.standardError().contains("entries, " + size),
             agent.standardError()); // of the file
}

void TestMerge::anyCountOfRanks_data()
{
    QTest::addColumn<int>("ranks");
    for (const int ranks : {1, 3, 6, 17})
        QTest::addRow("%d", ranks) << ranks;
}

// Fails if the result depends on the number of ranks, or if one of them does not end with it.
void TestMerge::anyCountOfRanks()
{
    QFETCH(int, ranks);
    const Workspace place;
    writeArticle(place);
    AgentProcess agent(place);
    const int code = agent.run(Start::Launch, ranks,
                               QStringList{"merge"} + articleFiles
                                   + QStringList{"-o", "out", "--before-after"});
    QVERIFY2(code == 0, agent.story());
    QCOMPARE(place.read("out"), articleResult);
    const QByteArray merged = QByteArray(articleResult).replace('\t', ':');
    const QByteArray expected = listing("after", QList<QByteArray>(ranks, merged));
    QVERIFY2(agent.standardOutput().contains(expected), agent.standardOutput());
}

void TestMerge::conflictingValues_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("first") << "first" << QByteArray("4");
    QTest::newRow("last") << "last" << QByteArray("6");
    QTest::newRow("min") << "min" << QByteArray("10");
    QTest::newRow("max-number") << "max-number" << QByteArray("10");
    QTest::newRow("sum") << "sum" << QByteArray("26");
}

// Fails if one key's values from several ranks end otherwise than the law says.
void TestMerge::conflictingValues()
{
    QFETCH(QString, law);
    QFETCH(QByteArray, value);
    const Workspace place;
    QStringList files;
    for (const char* number : {"4", "6", "10", "6"}) { // the last file is the first one's rank's
        files << "f" + QString::number(files.size());
        place.write(files.back(), QByteArray("key\t") + number + "\n");
    }
    AgentProcess agent(place);
    const int code = agent.run(Start::Launch, 3,
                               QStringList{"merge"} + files + QStringList{"-o", "-", "--law", law});
    QVERIFY2(code == 0, agent.story());
    QCOMPARE(agent.standardOutput(), "key\t" + value + "\n");
}

// Fails if other entries stay than sorting everything by score would keep.
void TestMerge::keepsTheBest()
{
    const Workspace place;
    QStringList files;
    for (int file = 0; file < 5; ++file) {
        files << "f" + QString::number(file);
        QByteArray text;
        for (int line = 0; line < 20; ++line)
            text += "k" + QByteArray::number(file * 20 + line) + "\t"
                + QByteArray::number((file * 20 + line) * 37 % 101) + "\n";
        place.write(files.back(), text);
    }
    AgentProcess agent(place);
    const int code = agent.run(
        Start::Launch, 5,
        QStringList{"merge"} + files
            + QStringList{"-o", "out", "--law", "max-number", "--score", "number", "--keep", "3"});
    QVERIFY2(code == 0, agent.story());
    // 37 n modulo 101 is 100 for n = 30, 99 for n = 60 and 98 for n = 90.
    QCOMPARE(place.read("out"), QByteArray("k30\t100\nk60\t99\nk90\t98\n"));
    QVERIFY2(agent.standardError().contains("3 entries"), agent.standardError());
}

// Fails if a length or a byte is treated otherwise than others: keys and values from empty to 5 MB.
void TestMerge::anyBytesOfAnyLength()
{
    const Workspace place;
    // Zero bytes, and bytes that are no UTF-8; a key has no TAB, and neither has a line end.
    const auto bytes = [](int length, char first) {
        QByteArray text(length, '\0');
        for (int i = 0; i < length; ++i)
            text[i] = i == 0 ? first
                             : "\0\xff"
                               "a\0\r"[i % 5];
        return text;
    };
    QMap<QByteArray, QByteArray> expected; // in the order of bytes
    QList<QByteArray> texts(3);
    int number = 0;
    for (const int keyBytes : {0, 1, 127, 128, 300, 70'000, 5'000'000}) {
        for (const int valueBytes : {0, 1, 127, 128, 300, 70'000, 5'000'000}) {
            const QByteArray key = bytes(keyBytes, static_cast<char>('A' + number));
            const QByteArray value = bytes(valueBytes, 'v');
            expected[key] = value; // the empty key's last line wins: all are in one file
            texts[keyBytes == 0 ? 0 : number % 3] += key + "\t" + value + "\n";
            ++number;
        }
    }
    for (int file = 0; file < texts.size(); ++file)
        place.write("f" + QString::number(file), texts[file]);
    AgentProcess agent(place);
    const int code = agent.run(Start::Launch, 3, {"merge", "f0", "f1", "f2", "-o", "out"});
    QVERIFY2(code == 0, agent.story());
    QByteArray whole;
    for (auto pair = expected.cbegin(); pair != expected.cend(); ++pair)
        whole += pair.key() + "\t" + pair.value() + "\n";
    QVERIFY(place.read("out") == whole);
}

// Fails if a wrong line is not named, ends otherwise than with code 2, or leaves a file behind.
void TestMerge::badLineLeavesNothing()
{
    const Workspace place;
    place.write("good", "a\t1\n");
    place.write("bad", "b\t2\nno tab here\n");
    for (const Start start : {Start::Launch, Start::Mpirun}) {
        AgentProcess agent(place);
        const int code = agent.run(start, 2, {"merge", "good", "bad", "-o", "out"});
        QVERIFY2(code == 2, agent.story());
        const QByteArray error = agent.ownError();
        QVERIFY2(error.contains("bad:2:12: the line has no TAB; expected key<TAB>value"), error);
        QCOMPARE(error.count('\n'), 1);
        QCOMPARE(place.count("*"), 2);
    }
}

// Fails if a merge begins whose result could not be kept, or whose input is not there.
void TestMerge::badPlacesAreToldFirst()
{
    const Workspace place;
    place.write("in", "a\t1\n");
    const auto refused = [&place](const QStringList& arguments, const char* words, int code) {
        AgentProcess agent(place);
        const int got = agent.run(Start::Launch, 2, QStringList{"merge"} + arguments);
        const QByteArray error = agent.standardError();
        if (got == code && error.contains(words) && error.count('\n') == 1)
            return QByteArray();
        return agent.story();
    };
    QCOMPARE(refused({"in", "-o", "none/out"}, "cannot write none/out", 3), QByteArray());
    QCOMPARE(refused({"in", "-o", "."}, "cannot write .", 3), QByteArray());
    QCOMPARE(refused({"missing", "in", "-o", "out"}, "cannot read missing", 2), QByteArray());
    QCOMPARE(refused({"in", ".", "-o", "out"}, "cannot read .", 2), QByteArray());
    QCOMPARE(refused({"in", "-o", "out", "--law", "best"}, "--law 'best'", 2), QByteArray());
    QCOMPARE(place.count("*"), 1);
}

// Fails if survivors do not finish, lack what they have read themselves, or do not say whose
// entries may be missing.
void TestMerge::rankIsKilled()
{
    const Workspace place;
    constexpr int lines = 200'000;
    QStringList files;
    for (int file = 0; file < 3; ++file) {
        files << "f" + QString::number(file);
        place.write(files.back(), largeFile(file, lines));
    }
    for (const int victim : {0, 1}) {
        AgentProcess agent(place);
        agent.start(Start::Launch, 3,
                    QStringList{"merge"} + files + QStringList{"-o", "out", "--verbose"});
        // The exchange has begun when its reason is told.
        QTRY_VERIFY_WITH_TIMEOUT(agent.standardOutput().contains("dissemination"), 30'000);
        QCOMPARE(kill(agent.rank(victim), SIGKILL), 0);
        QVERIFY2(agent.finish(60s), agent.story());
        QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
        QVERIFY2(agent.exitCode() == 0 || agent.exitCode() == 1, agent.story());
        const QByteArray error = agent.standardError();
        const QByteArray lost = "f" + QByteArray::number(victim);
        if (agent.exitCode() == 1)
            QVERIFY2(error.contains("may be missing") && error.contains(": " + lost), error);
        const QByteArray out = place.read("out");
        for (int file = 0; file < 3; ++file) {
            const QByteArray last = QByteArray::number(file) + "/" + QByteArray::number(lines - 1)
                + "\t";
            QVERIFY2(out.contains("\n" + last) || file == victim, error);
        }
        QCOMPARE(place.count("out.*"), 0);
        QVERIFY(QFile::remove(place.path("out")));
    }
}

// Fails if Ctrl-C leaves a process or a part of a file, or is not told by the exit code.
void TestMerge::interruptedWritesNothing()
{
    const Workspace place;
    place.write("f0", largeFile(0, 500'000));
    place.write("f1", largeFile(1, 500'000));
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"merge", "f0", "f1", "-o", "out", "--verbose"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.standardOutput().contains("butterfly"), 30'000);
    // Rank 1 is stopped for a moment, so that the merge does not end before the signal comes.
    const pid_t other = agent.rank(1);
    QCOMPARE(kill(other, SIGSTOP), 0);
    QCOMPARE(kill(agent.pid(), SIGINT), 0);
    QTRY_VERIFY_WITH_TIMEOUT(agent.standardError().contains("nothing was written"), 10'000);
    QCOMPARE(kill(other, SIGCONT), 0);
    QVERIFY2(agent.finish(30s), agent.story());
    QVERIFY2(agent.exitCode() == 4, agent.story());
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
    QCOMPARE(place.count("out*"), 0);
}

// Fails if the record does not tell ranks, rounds with their bytes and duration, and the end.
void TestMerge::recordTellsTheRounds()
{
    const Workspace place;
    writeArticle(place);
    AgentProcess agent(place);
    const int code = agent.run(Start::Launch, 4,
                               QStringList{"merge"} + articleFiles
                                   + QStringList{"-o", "out", "--run", "merge.tasuki"});
    QVERIFY2(code == 0, agent.story());
    const RunRecord record(place.path("merge.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from log where event = 'processor joined'"), 4);
    QCOMPARE(record.number("select count(*) from log where event = 'run closed'"), 1);
    for (const char* pattern : {"step:0 (0,1) (2,3): sent % received % in % s; %",
                                "step:1 (0,2) (1,3): sent %", "merged into out: 6 entries%"}) {
        QCOMPARE(record.number(std::string("select count(*) from log where event = 'notice' and "
                                           "text like '%text=")
                               + pattern + "'"),
                 1);
    }
    QVERIFY(!QDir(place.path(".access")).exists("*.json"));
}

// Fails if scripts are told that a record is there that somebody deleted, or if it is not saved.
void TestMerge::recordIsDeleted()
{
    const Workspace place;
    const QByteArray file = place.path("slow").toLocal8Bit();
    QCOMPARE(mkfifo(file.constData(), 0600), 0);
    AgentProcess agent(place);
    agent.start(Start::Alone, 0, {"merge", "slow", "-o", "out", "--run", "merge.tasuki"});
    // It reads, and has begun its record before, as long as nobody closes this end.
    int writing = -1;
    const auto opened = [&] {
        writing = writing >= 0 ? writing
                               : open(file.constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        return writing >= 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(opened(), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(place.count("merge.tasuki") == 1, 30'000);
    QVERIFY(QFile::remove(place.path("merge.tasuki")));
    QCOMPARE(write(writing, "a\t1\n", 4), 4);
    close(writing);
    QVERIFY2(agent.finish(30s), agent.story());
    QVERIFY2(agent.exitCode() == 3, agent.story());
    QVERIFY2(agent.standardError().contains("merge.saved.tasuki"), agent.story());
    const RunRecord record(place.path("merge.saved.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from log where event = 'run closed'"), 1);
    QCOMPARE(place.count("out"), 1); // which is as good as ever
}

QTEST_GUILESS_MAIN(TestMerge)

} // namespace tst_e2e_merge

#include "tst_e2e_merge.moc"
