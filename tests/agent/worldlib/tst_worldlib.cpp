// SPDX-License-Identifier: GPL-3.0-or-later
//
// MPI programs as ranks of a world, beside the same programs under Open MPI's mpirun.
#include <QTest>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <unistd.h>

namespace tst_worldlib {

namespace {

struct Outcome {
    int code = -1;
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QByteArray story() const
    {
        // QtTest shows about a thousand bytes.
        return "exit code " + QByteArray::number(code) + '\n' + err.right(700) + out.right(200);
    }
};

Outcome run(const QString& program, const QStringList& arguments)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    if (::geteuid() == 0) {
        environment.insert(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT"), QStringLiteral("1"));
        environment.insert(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), QStringLiteral("1"));
    }
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    if (!process.waitForFinished(100'000)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

Outcome inWorld(int ranks, const QStringList& program)
{
    return run(QStringLiteral(TASUKI_WORLD_RUN),
               QStringList{QStringLiteral(TASUKI_WORLD_LIBRARY), QString::number(ranks)} + program);
}

Outcome underMpirun(int ranks, const QStringList& program)
{
    return run(
        QStringLiteral("mpirun"),
        QStringList{QStringLiteral("--oversubscribe"), QStringLiteral("-n"), QString::number(ranks)}
            + program);
}

/// Where it takes no time until files are on the disk, whatever else writes to it.
const auto inMemory = QStringLiteral("/dev/shm/tst_worldlib-XXXXXX");

/// A program that makes its files in a folder of its own.
QStringList inScratch(const QTemporaryDir& folder, const QStringList& program)
{
    return QStringList{QStringLiteral("env"), QStringLiteral("TMPDIR=") + folder.path()} + program;
}

bool isEmpty(const QTemporaryDir& folder)
{
    return QDir(folder.path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
        .isEmpty();
}

/// Names that a shared library shows.
QSet<QString> shown(const QString& library)
{
    const Outcome nm = run(QStringLiteral("nm"),
                           {QStringLiteral("-D"), QStringLiteral("--defined-only"), library});
    static const QRegularExpression function(QStringLiteral("^\\S+ [TW] (P?MPI_\\w+)$"),
                                             QRegularExpression::MultilineOption);
    QSet<QString> names;
    for (auto match = function.globalMatch(QString::fromLatin1(nm.out)); match.hasNext();)
        names.insert(match.next().captured(1));
    return names;
}

QSet<QString> namesIn(const QString& list)
{
    QFile file(QStringLiteral(TASUKI_SOURCE_DIR "/agent/worldlib/") + list);
    static const QRegularExpression line(QStringLiteral("^TASUKI_\\w+\\((\\w+)\\)$"),
                                         QRegularExpression::MultilineOption);
    QSet<QString> names;
    if (file.open(QIODevice::ReadOnly))
        for (auto match = line.globalMatch(QString::fromLatin1(file.readAll())); match.hasNext();)
            names.insert(QStringLiteral("MPI_") + match.next().captured(1));
    return names;
}

} // namespace

class TestWorldLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFunctionIsKnown();
    void cases_data();
    void cases();
    void beyond_data() { cases_data(); }
    void beyond();
    void workloads_data();
    void workloads();
    void lives_data();
    void lives();
    void fortran();
    void ownScratch();
    void ends_data();
    void ends();
};

// Fails if a function of Open MPI is neither answered, passed on nor refused, or two of these.
void TestWorldLibrary::everyFunctionIsKnown()
{
    if (QStandardPaths::findExecutable(QStringLiteral("nm")).isEmpty())
        QSKIP("nm is not installed");
    const QSet<QString> answered = shown(QStringLiteral(TASUKI_WORLD_LIBRARY));
    const QSet<QString> passed = namesIn(QStringLiteral("passedfunctions.inc"));
    const Outcome ldd = run(QStringLiteral("ldd"), {QStringLiteral(TASUKI_WORLD_LIBRARY)});
    static const QRegularExpression library(QStringLiteral("libmpi\\.so\\S* => (\\S+)"));
    const QString openMpi = library.match(QString::fromLocal8Bit(ldd.out)).captured(1);
    QVERIFY2(!openMpi.isEmpty(), ldd.out);
    const QSet<QString> functions = shown(openMpi);
    QVERIFY(functions.size() > 800 && answered.size() > 300 && passed.size() > 100);
    for (const QString& name : functions) {
        if (name.startsWith(QLatin1Char('P')))
            continue;
        const bool own = answered.contains(name);
        QVERIFY2(own != passed.contains(name), qPrintable(name));
        QVERIFY2(own == answered.contains(QLatin1Char('P') + name), qPrintable(name));
    }
}

void TestWorldLibrary::cases_data()
{
    QTest::addColumn<int>("ranks");
    for (const int ranks : {1, 2, 3, 4, 7})
        QTest::addRow("%d", ranks) << ranks;
}

// Fails if MPI promises what a world does not hold, or holds otherwise than Open MPI.
void TestWorldLibrary::cases()
{
    QFETCH(int, ranks);
    const QTemporaryDir scratch(inMemory);
    const QStringList program = inScratch(scratch, {QStringLiteral(TASUKI_WORLD_CASES)});
    const Outcome world = inWorld(ranks, program);
    QVERIFY2(world.code == 0 && world.err.isEmpty(), world.story());
    QVERIFY2(isEmpty(scratch), qPrintable(QDir(scratch.path()).entryList().join(' ')));
    const Outcome openMpi = underMpirun(ranks, program);
    QVERIFY2(world.out == openMpi.out && world.out.count('\n') > 250, openMpi.story());
}

// Fails if a world does not hold what MPI promises and Open MPI 4 does not hold either.
void TestWorldLibrary::beyond()
{
    QFETCH(int, ranks);
    const QTemporaryDir scratch(inMemory);
    const Outcome world = inWorld(
        ranks, inScratch(scratch, {QStringLiteral(TASUKI_WORLD_CASES), "beyond"}));
    QVERIFY2(world.code == 0 && world.err.isEmpty() && world.out.count('\n') > 3, world.story());
    QVERIFY2(isEmpty(scratch), qPrintable(QDir(scratch.path()).entryList().join(' ')));
}

void TestWorldLibrary::workloads_data()
{
    QTest::addColumn<QStringList>("program");
    QTest::newRow("LU, cyclic") << QStringList{QStringLiteral(TASUKI_LU), "--size", "300"};
    QTest::newRow("LU, block") << QStringList{QStringLiteral(TASUKI_LU), "--size", "300",
                                              "--distribution", "block"};
    QTest::newRow("LU, uneven") << QStringList{QStringLiteral(TASUKI_LU), "--size", "300",
                                               "--distribution", "uneven"};
    QTest::newRow("matrix product") << QStringList{QStringLiteral(TASUKI_MATMUL), "--size", "300"};
    QTest::newRow("stencil") << QStringList{QStringLiteral(TASUKI_STENCIL), "--size", "32x24x23",
                                            "--iterations", "12"};
}

void TestWorldLibrary::lives_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("seed");
    QTest::addColumn<QStringList>("program");
    const QStringList cases{QStringLiteral(TASUKI_WORLD_CASES), "repeatable"};
    QTest::newRow("2 ranks, cases") << 2 << 1 << cases;
    QTest::newRow("3 ranks, cases") << 3 << 2 << cases;
    QTest::newRow("4 ranks, cases") << 4 << 3 << cases;
    QTest::newRow("stencil") << 3 << 4
                             << QStringList{QStringLiteral(TASUKI_STENCIL), "--size", "48x48x48",
                                            "--iterations", "400"};
    QTest::newRow("LU") << 4 << 5 << QStringList{QStringLiteral(TASUKI_LU), "--size", "700"};
}

// Fails if a rank that is killed at any time, alone or with another one, does not go on as if nothing had been.
void TestWorldLibrary::lives()
{
    QFETCH(int, ranks);
    QFETCH(int, seed);
    QFETCH(QStringList, program);
    static const QRegularExpression time(QStringLiteral("seconds=\\S+"));
    const QTemporaryDir scratch(inMemory);
    const auto runIn = [&](const QStringList& options) {
        return run(QStringLiteral(TASUKI_WORLD_RUN),
                   options
                       + QStringList{QStringLiteral(TASUKI_WORLD_LIBRARY), QString::number(ranks)}
                       + inScratch(scratch, program));
    };
    const Outcome undisturbed = runIn({});
    const Outcome killed = runIn(
        {"--log", "256", "--kills", "10", "--pause", "120", "--seed", QString::number(seed)});
    QVERIFY2(killed.code == 0, killed.story());
    QCOMPARE(QString::fromUtf8(killed.out).remove(time),
             QString::fromUtf8(undisturbed.out).remove(time));
    QVERIFY2(isEmpty(scratch), qPrintable(QDir(scratch.path()).entryList().join(' ')));
    static const QRegularExpression kills(QStringLiteral("^worldrun: (\\d+) killed\n$"));
    const auto told = kills.match(QString::fromUtf8(killed.err));
    QVERIFY2(told.hasMatch() && told.captured(1).toInt() > 1, killed.err);
}

// Fails if an unmodified program computes something else in a world.
void TestWorldLibrary::workloads()
{
    QFETCH(QStringList, program);
    const auto withoutTime = [](QByteArray text) {
        static const QRegularExpression time(QStringLiteral("seconds=\\S+"));
        return QString::fromUtf8(text).remove(time);
    };
    const Outcome world = inWorld(4, program);
    QVERIFY2(world.code == 0, world.story());
    const Outcome openMpi = underMpirun(4, program);
    QCOMPARE(withoutTime(world.out), withoutTime(openMpi.out));
}

// Fails if a program in Fortran, whose calls come through Open MPI's layer, is not of the world.
void TestWorldLibrary::fortran()
{
    if (QStandardPaths::findExecutable(QStringLiteral("mpifort")).isEmpty())
        QSKIP("mpifort is not installed");
    const QTemporaryDir folder;
    const QString program = folder.filePath(QStringLiteral("heat"));
    const Outcome compiled = run(
        QStringLiteral("mpifort"),
        {QStringLiteral("-J"), folder.path(), QStringLiteral("-o"), program,
         QStringLiteral(TASUKI_SOURCE_DIR "/tests/agent/worldlib/heat.F90")});
    QVERIFY2(compiled.code == 0, compiled.story());
    const Outcome world = inWorld(4, {program});
    QVERIFY2(world.code == 0 && world.out.startsWith("sum "), world.story());
    QCOMPARE(world.out, underMpirun(4, {program}).out);
}

// Fails if ranks keep Open MPI's files where other programs of the user do, who would take them away.
void TestWorldLibrary::ownScratch()
{
    const Outcome world = inWorld(4,
                                  {QStringLiteral("env"), QStringLiteral("TMPDIR=/proc/none"),
                                   QStringLiteral(TASUKI_MATMUL), QStringLiteral("--size"),
                                   QStringLiteral("100")});
    QVERIFY2(world.code == 0, world.story());
}

void TestWorldLibrary::ends_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("abort") << QStringLiteral("abort") << 7
                           << QByteArray("tasuki-world: MPI_Abort on rank 1 with code 7\n");
    QTest::newRow("error") << QStringLiteral("error") << 1 << QByteArray("MPI_Send: MPI_ERR_RANK");
    QTest::newRow("refused") << QStringLiteral("window") << 1
                             << QByteArray("tasuki-world: error: MPI_Win_create is not there");
    QTest::newRow("twice") << QStringLiteral("twice") << 134 << QByteArray("after MPI_Finalize");
}

// Fails if the end of a program is not told, or told by somebody else.
void TestWorldLibrary::ends()
{
    QFETCH(QString, how);
    QFETCH(int, code);
    QFETCH(QByteArray, said);
    const Outcome world = inWorld(2, {QStringLiteral(TASUKI_WORLD_CASES), how});
    QVERIFY2(world.code == code && world.err.contains(said), world.story());
}

QTEST_GUILESS_MAIN(TestWorldLibrary)

} // namespace tst_worldlib

#include "tst_worldlib.moc"
