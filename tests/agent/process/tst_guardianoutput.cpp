// SPDX-License-Identifier: GPL-3.0-or-later
// All that tasks write can be fetched, also what the record has no room for.
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "guardianharness.h"
#endif

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_guardianoutput {

using namespace tasuki;

class GuardianOutputTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void longOutputIsFetchedWhole();
    void shortOutputIsOnlyInTheResult();
    void answersWaitForNews();
    void missingDirectoryIsAProblem();
    void nothingIsSpooledUnasked();
    void guardianThatDiesAnswers();
};

namespace {

class Fetcher : public GuardianHarness {
public:
    explicit Fetcher(const QTemporaryDir& directory)
        : GuardianHarness({.captureHead = 1000,
                           .captureTail = 1000,
                           .spoolDirectory = directory.path().toStdString()})
    {}

    void ask(std::uint32_t task, std::uint64_t output, std::uint64_t error, bool wait = false)
    {
        client->fetch({.key = key(task), .standardOutputFrom = output, .standardErrorFrom = error},
                      wait,
                      [this](FetchedOutput fetched) { answers.push_back(std::move(fetched)); });
    }
    FetchedOutput fetch(std::uint32_t task, std::uint64_t output, std::uint64_t error,
                        bool wait = false)
    {
        const std::size_t before = answers.size();
        ask(task, output, error, wait);
        return runUntil([&] { return answers.size() > before; }) ? answers.back() : FetchedOutput{};
    }

    std::vector<FetchedOutput> answers;
};

} // namespace

void GuardianOutputTest::longOutputIsFetchedWhole()
{
    const QTemporaryDir directory;
    Fetcher harness(directory);
    const AttemptResult result = harness.run(0, "seq 200000; seq 1000 >&2");
    QCOMPARE(result.standardOutput.head.size(), std::size_t(1000));
    QCOMPARE(result.standardOutput.totalBytes, std::uint64_t(1'288'895));
    std::string expected;
    for (int i = 1; i <= 200'000; ++i)
        expected += std::to_string(i) + '\n';
    std::string output;
    while (output.size() < expected.size()) {
        const FetchedOutput fetched = harness.fetch(0, output.size(), notNow);
        QVERIFY(fetched.answer.known && !fetched.answer.running && fetched.problem.empty());
        QCOMPARE(fetched.answer.standardOutput.offset, std::uint64_t(output.size()));
        QVERIFY(!fetched.answer.standardOutput.bytes.empty());
        QVERIFY(fetched.answer.standardError.bytes.empty());
        output += fetched.answer.standardOutput.bytes;
    }
    QVERIFY(output == expected);
    const OutputPiece error = harness.fetch(0, output.size(), 0).answer.standardError;
    QCOMPARE(error.bytes.size(), std::size_t(3893)); // "not now" has thrown nothing away
    QVERIFY(QDir(directory.path()).isEmpty(QDir::AllEntries | QDir::NoDotAndDotDot));
    harness.client->release(GuardianHarness::key(0));
    QVERIFY(!harness.fetch(0, 0, 0).answer.known);
}

void GuardianOutputTest::shortOutputIsOnlyInTheResult()
{
    const QTemporaryDir directory;
    Fetcher harness(directory);
    const AttemptResult result = harness.run(0, "head -c 2000 /dev/zero");
    QCOMPARE(result.standardOutput.head.size(), std::size_t(2000));
    QVERIFY(!harness.fetch(0, 0, 0).answer.known);
}

void GuardianOutputTest::answersWaitForNews()
{
    const QTemporaryDir directory;
    const QString go = directory.filePath("go");
    Fetcher harness(directory);
    harness.start(0,
                  "sleep 0.1; until [ -e '" + go.toStdString()
                      + "' ]; do sleep 0.02; done; echo news; sleep 0.3");
    QVERIFY(harness.runUntil([&] { return harness.started.contains(GuardianHarness::key(0)); }));
    harness.ask(0, 0, 0, true);
    QVERIFY(!harness.runUntil([&] { return !harness.answers.empty(); },
                              std::chrono::milliseconds(200)));
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QVERIFY(harness.runUntil([&] { return !harness.answers.empty(); }));
    QCOMPARE(harness.answers.front().answer.standardOutput.bytes, std::string("news\n"));
    QVERIFY(harness.answers.front().answer.running);
    harness.ask(0, 5, 0, true); // nothing more comes: its end is the answer
    QVERIFY(harness.runUntil([&] { return harness.answers.size() == 2; }));
    QVERIFY(!harness.answers.back().answer.running);
}

void GuardianOutputTest::missingDirectoryIsAProblem()
{
    const QTemporaryDir directory;
    Fetcher harness(directory);
    QVERIFY(QDir(directory.path()).removeRecursively());
    const AttemptResult result = harness.run(0, "seq 1000; sleep 0.1");
    QCOMPARE(result.outcome, Outcome::Succeeded);
    QCOMPARE(result.standardOutput.tail.size(), std::size_t(1000));
    const FetchedOutput fetched = harness.fetch(0, 0, 0);
    QVERIFY(fetched.answer.known);
    QVERIFY(fetched.problem.find(directory.path().toStdString()) != std::string::npos);
}

void GuardianOutputTest::nothingIsSpooledUnasked()
{
    GuardianHarness harness({.captureHead = 10, .captureTail = 10});
    QCOMPARE(harness.run(0, "seq 1000").standardOutput.head.size(), std::size_t(10));
    bool answered = false;
    harness.client->fetch({.key = GuardianHarness::key(0)}, false,
                          [&](const FetchedOutput& fetched) { answered = !fetched.answer.known; });
    QVERIFY(harness.runUntil([&] { return answered; }));
}

void GuardianOutputTest::guardianThatDiesAnswers()
{
    const QTemporaryDir directory;
    Fetcher harness(directory);
    harness.start(0, "sleep 60");
    QVERIFY(harness.runUntil([&] { return harness.started.contains(GuardianHarness::key(0)); }));
    harness.ask(0, 0, 0, true);
    harness.runUntil([] { return false; }, std::chrono::milliseconds(50));
    const pid_t guardian = harness.client->guardianPid();
    QVERIFY(guardian > 1);
    ::kill(guardian, SIGKILL);
    QVERIFY(harness.runUntil([&] { return !harness.answers.empty(); }));
    QVERIFY(!harness.answers.front().answer.known);
}

QTEST_APPLESS_MAIN(GuardianOutputTest)

} // namespace tst_guardianoutput

#include "tst_guardianoutput.moc"
