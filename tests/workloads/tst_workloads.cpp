// SPDX-License-Identifier: GPL-3.0-or-later
//
// The workloads under mpirun, small: on every count of ranks the check of the result passes, and it
// fails when one message is lost.
#include <QTest>

#include "distribution.h"
#include "options.h"
#include "workloadrun.h"

#include <unistd.h>

using namespace tasuki::testing;
using namespace tasuki::workloads;

namespace {

QStringList words(const char* text)
{
    return QString::fromLatin1(text).split(' ', Qt::SkipEmptyParts);
}

/// Small, and a multiple of nothing, so that parts differ in size. A plane of the stencil is more
/// than MPI_Send takes before there is a receiver, as Open MPI is delivered.
constexpr const char* smallLu = "--size 31";
constexpr const char* smallMatmul = "--size 37";
constexpr const char* smallStencil = "--size 9x24x23 --iterations 12";

QByteArray hostName()
{
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return name;
}

} // namespace

class TestWorkloads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void distributions();
    void listsOfNumbers();
    void resultIsRight_data();
    void resultIsRight();
    void lostMessageIsSeen_data();
    void lostMessageIsSeen();
    void badDistribution_data();
    void badDistribution();
    void badOption_data();
    void badOption();
    void oneErrorForAllRanks();
    void tellsHosts();
};

/// Broken when an index has another owner than the article's distributions give it.
void TestWorkloads::distributions()
{
    const auto cyclic = Distribution::cyclic(23, 2, 5);
    QCOMPARE(cyclic.indicesOf(0), (std::vector{0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22}));
    QCOMPARE(cyclic.ownerOf(9), 1);
    const std::vector<int> shares{4, 2, 1, 1};
    const auto uneven = Distribution::shared(1000, shares);
    const std::vector<std::pair<int, int>> expected{{0, 500}, {500, 250}, {750, 125}, {875, 125}};
    for (int rank = 0; rank < 4; ++rank) {
        const Distribution::Block block = uneven.blockOf(rank);
        QCOMPARE(std::pair(block.first, block.count), expected[static_cast<std::size_t>(rank)]);
    }
    const auto blocks = Distribution::blocks(10, 4);
    int all = 0;
    for (int rank = 0; rank < 4; ++rank) {
        const int count = blocks.blockOf(rank).count;
        QVERIFY(count == 2 || count == 3);
        all += count;
    }
    QCOMPARE(all, 10);
    QCOMPARE(Distribution::blocks(1, 4).blockOf(0).count, 0);
    QCOMPARE(Distribution::blocks(1, 4).ownerOf(0), 3);
}

/// Broken when a bad list is taken for a shorter one.
void TestWorkloads::listsOfNumbers()
{
    QCOMPARE(numbersIn("4:2:1:1", ':', 1, 9), (std::vector{4, 2, 1, 1}));
    QCOMPARE(numbersIn("7", 'x', 1, 9), std::vector{7});
    for (const char* bad : {"", ":", "4:", ":4", "4::2", "4:0", "4:10", "4:a", "4 :2", "4x2"})
        QVERIFY2(numbersIn(bad, ':', 1, 9).empty(), bad);
}

void TestWorkloads::resultIsRight_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("distribution");
    QTest::addColumn<QByteArray>("size");
    const char* shares[] = {"1", "2:1", "4:1:2", "4:2:1:1"};
    for (int ranks = 1; ranks <= 4; ++ranks) {
        const QByteArray uneven = QByteArray("--shares ") + shares[ranks - 1]
            + " --distribution uneven ";
        // What is computed thrice comes to the same.
        const QByteArray passes = ranks == 3 ? " --passes 3" : "";
        const auto add = [&](const char* program, const QByteArray& options,
                             const QByteArray& distribution, const char* size) {
            QTest::addRow("%s %s on %d", program, distribution.constData(), ranks)
                << QString::fromLatin1(program) << ranks << words(options + passes) << distribution
                << QByteArray(size);
        };
        add("lu", QByteArray(smallLu) + " --distribution cyclic --width 3", "cyclic", "31");
        add("lu", QByteArray(smallLu) + " --distribution block", "block", "31");
        add("lu", uneven + smallLu, "uneven", "31");
        add("matmul", uneven + smallMatmul, "uneven", "37");
        add("stencil", smallStencil, "even", "9x24x23");
    }
    // Without a message of its own: ranks with nothing to do, and more ranks than columns.
    QTest::newRow("matmul of one row")
        << QStringLiteral("matmul") << 3 << words("--size 1 --distribution block")
        << QByteArray("block") << QByteArray("1");
    QTest::newRow("lu of two columns") << QStringLiteral("lu") << 3 << words("--size 2")
                                       << QByteArray("cyclic") << QByteArray("2");
}

/// Broken by a wrong owner, part, order or border: the check compares with what is known of the
/// whole result. Also when the line of the result is not as people's scripts read it.
void TestWorkloads::resultIsRight()
{
    QFETCH(const QString, program);
    QFETCH(const int, ranks);
    QFETCH(const QStringList, options);
    QFETCH(const QByteArray, distribution);
    QFETCH(const QByteArray, size);
    const WorkloadRun run(program, ranks, options);
    QVERIFY2(run.exitCode() == 0, run.story());
    const auto result = run.result();
    QVERIFY2(result.size() == 7, run.story());
    QCOMPARE(result["workload"], program.toUtf8());
    QCOMPARE(result["distribution"], distribution);
    QCOMPARE(result["size"], size);
    QCOMPARE(result["ranks"].toInt(), ranks);
    QCOMPARE(result["check"], QByteArray("ok"));
    bool isNumber = false;
    QVERIFY2(result["seconds"].toDouble(&isNumber) > 0 && isNumber, run.story());
    QVERIFY2(result["residual"].toDouble(&isNumber) < 1e-10 && isNumber, run.story());
}

void TestWorkloads::lostMessageIsSeen_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("lu") << QStringLiteral("lu") << 4 << words("--size 31 --distribution uneven");
    QTest::newRow("matmul") << QStringLiteral("matmul") << 4 << words(smallMatmul);
    QTest::newRow("stencil") << QStringLiteral("stencil") << 3 << words(smallStencil);
}

/// Broken when a check passes whatever was computed. The stencil goes on with a border that is right
/// but for the last sweep.
void TestWorkloads::lostMessageIsSeen()
{
    QFETCH(const QString, program);
    QFETCH(const int, ranks);
    QFETCH(const QStringList, options);
    const WorkloadRun run(program, ranks, options + words("--lose-message"));
    QVERIFY2(run.exitCode() == 1, run.story());
    QVERIFY2(run.result()["check"] == "failed", run.story());
    QVERIFY2(run.result()["residual"].toDouble() > 1e-6, run.story());
}

void TestWorkloads::badDistribution_data()
{
    QTest::addColumn<bool>("withCyclic");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("complaint");
    const auto add = [](bool withCyclic, const char* options, const char* complaint) {
        QTest::addRow("%s %s", options, withCyclic ? "or cyclic" : "")
            << withCyclic << words(options) << QString::fromLatin1(complaint);
    };
    add(true, "--width 2k", "--width '2k' is not valid; expected a whole number from 1 to 40000");
    add(true, "--distribution even",
        "--distribution 'even' is not valid; expected cyclic, block or uneven");
    add(false, "--distribution cyclic",
        "--distribution 'cyclic' is not valid; expected block or uneven");
    add(true, "--distribution block --width 2",
        "--width '2' is not valid; expected it with --distribution cyclic only, not with block");
    add(true, "--shares 4:2:1",
        "--shares '4:2:1' is not valid; expected it with --distribution uneven only, not with "
        "cyclic");
    add(true, "--distribution uneven",
        "--shares '4:2:1:1' is not valid; expected a whole number from 1 for every rank, of which "
        "there are 3; such as 4:2:1:1 for four");
    add(false, "--distribution uneven --shares 4:0:1",
        "--shares '4:0:1' is not valid; expected a whole number from 1 for every rank, of which "
        "there are 3; such as 4:2:1:1 for four");
}

/// Broken when columns are distributed in another way than asked for, without a word.
void TestWorkloads::badDistribution()
{
    QFETCH(const bool, withCyclic);
    QFETCH(const QStringList, options);
    QFETCH(const QString, complaint);
    std::vector<std::string> arguments;
    for (const QString& word : options)
        arguments.push_back(word.toStdString());
    boost::program_options::options_description known;
    describeDistribution(known, "columns", withCyclic, withCyclic ? "cyclic" : "uneven");
    const auto values = parseWords("lu", arguments, known);
    QVERIFY(values.ok());
    const auto distribution = distributionOption(*values, 3);
    QVERIFY(!distribution.ok());
    QCOMPARE(QString::fromStdString(distribution.error().text()), complaint);
}

void TestWorkloads::badOption_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("complaint");
    const auto add = [](const char* program, const char* options, const char* complaint) {
        QTest::addRow("%s %s", program, options)
            << QString::fromLatin1(program) << words(options) << QByteArray(complaint);
    };
    add("lu", "--size 0", "--size '0' is not valid; expected a whole number from 1 to 40000");
    add("lu", "--pivot", "unrecognised option '--pivot'; see lu --help");
    add("lu", "1000", "'1000' is no option; see lu --help");
    add("stencil", "--size 8x8",
        "--size '8x8' is not valid; expected one edge of a cube, or planes, rows and columns such "
        "as 256x64x64; each from 1 to 4096");
    add("stencil", "--iterations -1",
        "--iterations '-1' is not valid; expected a whole number from 1 to 10000000");
}

/// Broken when a wrong option is taken, or when its error does not say which one and what to write.
void TestWorkloads::badOption()
{
    QFETCH(const QString, program);
    QFETCH(const QStringList, options);
    QFETCH(const QByteArray, complaint);
    const WorkloadRun run(program, 0, options);
    QCOMPARE(run.complaints(), QList<QByteArray>{program.toUtf8() + ": error: " + complaint});
    QCOMPARE(run.exitCode(), 2);
    QCOMPARE(run.output(), QByteArray());
}

/// Broken when each rank tells of the same wrong option, or when some ranks go on.
void TestWorkloads::oneErrorForAllRanks()
{
    const WorkloadRun run(QStringLiteral("stencil"), 4, words("--size 3"));
    QCOMPARE(run.complaints(),
             QList<QByteArray>{"stencil: error: --size '3' is not valid; expected at least one "
                               "plane for each of the 4 ranks"});
    QCOMPARE(run.exitCode(), 2);
}

/// Broken when ranks and hosts are not told one by one and in order, or when --no-check checks.
void TestWorkloads::tellsHosts()
{
    const WorkloadRun run(QStringLiteral("lu"), 3,
                          words("--size 20 --where --no-check --lose-message"));
    QVERIFY2(run.exitCode() == 0, run.story());
    const QList<QByteArray> lines = run.output().split('\n');
    for (int rank = 0; rank < 3; ++rank) {
        const QByteArray expected = "rank=" + QByteArray::number(rank) + " host=" + hostName();
        QCOMPARE(lines.value(rank), expected);
    }
    QCOMPARE(run.result()["check"], QByteArray("off"));
    QCOMPARE(run.result()["residual"], QByteArray("nan"));
}

QTEST_GUILESS_MAIN(TestWorkloads)
#include "tst_workloads.moc"
