// SPDX-License-Identifier: GPL-3.0-or-later
// What running tasks have written so far, through a real guardian.
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "guardianharness.h"
#endif

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_guardianpeek {

using namespace tasuki;

class GuardianPeekTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outputGrows();
    void unknownAttempts();
    void whatIsDroppedIsLeftOut();
    void longOutputComesInPieces();
    void guardianIsKilledMeanwhile();
    void withoutAnyGuardian();
    void clientGoesMeanwhile();
};

namespace {

/// A harness that asks for output, and what it was answered.
struct Peeker : GuardianHarness {
    using GuardianHarness::GuardianHarness;

    void ask(const OutputQuery& query)
    {
        client->peek(query, [this](OutputAnswer answer) { answers.push_back(std::move(answer)); });
    }
    /// @return the answer; one that is about nothing when none came in time
    OutputAnswer peek(const OutputQuery& query)
    {
        answers.clear();
        ask(query);
        const bool answered = runUntil([this] { return !answers.empty(); });
        return answered ? answers.front() : OutputAnswer{.key = key(4'711)};
    }
    OutputAnswer peek(std::uint32_t task, std::uint64_t outputFrom = 0, std::uint64_t errorFrom = 0)
    {
        return peek(
            {.key = key(task), .standardOutputFrom = outputFrom, .standardErrorFrom = errorFrom});
    }
    /// Peeks until so much was written to standard output.
    OutputAnswer peekWhen(std::uint32_t task, std::uint64_t totalBytes, std::uint64_t from = 0)
    {
        OutputAnswer answer;
        runUntil([&] {
            answer = peek(task, from);
            return !answer.known || answer.standardOutput.totalBytes >= totalBytes;
        });
        return answer;
    }

    std::vector<OutputAnswer> answers;
};

/// A shell command that waits until a file exists.
std::string waitFor(const QString& file)
{
    return "until [ -e '" + file.toStdString() + "' ]; do sleep 0.02; done; ";
}

bool touch(const QString& file) { return QFile(file).open(QIODevice::WriteOnly); }

} // namespace

void GuardianPeekTest::outputGrows()
{
    const QTemporaryDir directory;
    const QString second = directory.filePath("second");
    const QString end = directory.filePath("end");
    Peeker harness;
    harness.start(0,
                  "printf one; " + waitFor(second) + "printf two; printf bad >&2; " + waitFor(end));
    harness.start(1, "printf other; " + waitFor(end), {}, 1);
    OutputAnswer answer = harness.peekWhen(0, 3);
    QCOMPARE(answer.key, GuardianHarness::key(0));
    QVERIFY(answer.known && answer.running);
    QCOMPARE(answer.standardOutput, (OutputPiece{.offset = 0, .bytes = "one", .totalBytes = 3}));
    QCOMPARE(answer.standardError, OutputPiece{});
    QVERIFY(touch(second));
    answer = harness.peekWhen(0, 6, 3);
    QCOMPARE(answer.standardOutput, (OutputPiece{.offset = 3, .bytes = "two", .totalBytes = 6}));
    QVERIFY(harness.runUntil([&] { return harness.peek(0).standardError.totalBytes == 3; }));
    answer = harness.peek(0, 6, 1);
    QCOMPARE(answer.standardOutput, (OutputPiece{.offset = 6, .bytes = "", .totalBytes = 6}));
    QCOMPARE(answer.standardError, (OutputPiece{.offset = 1, .bytes = "ad", .totalBytes = 3}));
    QCOMPARE(harness.peekWhen(1, 5).standardOutput.bytes, std::string("other"));
    QVERIFY(harness.results.empty());
    QVERIFY(touch(end));
    QVERIFY(harness.runUntilFinished(0) && harness.runUntilFinished(1));
    const AttemptResult& result = harness.results[GuardianHarness::key(0)];
    QCOMPARE(result.standardOutput.head, std::string("onetwo")); // looking took nothing away
    QCOMPARE(result.standardError.head, std::string("bad"));
}

void GuardianPeekTest::unknownAttempts()
{
    const QTemporaryDir directory;
    const QString end = directory.filePath("end");
    Peeker harness;
    harness.ask({.key = GuardianHarness::key(3)});
    QVERIFY(harness.answers.empty()); // never from inside the call
    QVERIFY(harness.runUntil([&] { return !harness.answers.empty(); }));
    QCOMPARE(harness.answers.front(), OutputAnswer{.key = GuardianHarness::key(3)});
    harness.start(0, "printf x; " + waitFor(end));
    QVERIFY(harness.peekWhen(0, 1).known);
    const AttemptKey next{TaskId(0), AttemptNumber(2)};
    QCOMPARE(harness.peek({.key = next}), OutputAnswer{.key = next});
    QVERIFY(touch(end));
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(harness.peek(0), OutputAnswer{.key = GuardianHarness::key(0)});
    QCOMPARE(harness.answers.size(), std::size_t(1));
}

void GuardianPeekTest::whatIsDroppedIsLeftOut()
{
    const QTemporaryDir directory;
    const QString end = directory.filePath("end");
    GuardianOptions options;
    options.captureHead = 10;
    options.captureTail = 5;
    Peeker harness(options);
    harness.start(0, "printf 0123456789; printf abcdefghijklmnopqrstuvwxyz; " + waitFor(end));
    QCOMPARE(harness.peekWhen(0, 36).standardOutput,
             (OutputPiece{.offset = 0, .bytes = "0123456789", .totalBytes = 36}));
    QCOMPARE(harness.peek(0, 12).standardOutput,
             (OutputPiece{.offset = 31, .bytes = "vwxyz", .totalBytes = 36}));
    QCOMPARE(harness.peek(0, 35).standardOutput,
             (OutputPiece{.offset = 35, .bytes = "z", .totalBytes = 36}));
    QVERIFY(touch(end));
    QVERIFY(harness.runUntilFinished(0));
}

void GuardianPeekTest::longOutputComesInPieces()
{
    const QTemporaryDir directory;
    const QString end = directory.filePath("end");
    GuardianOptions options;
    options.captureHead = 700'000;
    options.captureTail = 400'000;
    Peeker harness(options);
    // A million bytes: lines of ten digits, counting up.
    harness.start(0, "seq -f %09.0f 0 99999; " + waitFor(end));
    QVERIFY(harness.peekWhen(0, 1'000'000, 2'000'000).known);
    std::string whole;
    int pieces = 0;
    for (; pieces < 50 && whole.size() < 1'000'000; ++pieces) {
        const OutputPiece piece = harness.peek(0, whole.size()).standardOutput;
        QCOMPARE(piece.offset, std::uint64_t(whole.size()));
        QCOMPARE(piece.totalBytes, std::uint64_t(1'000'000));
        QVERIFY(!piece.bytes.empty());
        whole += piece.bytes;
    }
    QVERIFY(pieces > 3); // no answer is so long that it would hold up others
    QCOMPARE(whole.size(), std::size_t(1'000'000));
    for (std::size_t line = 0; line < 100'000; ++line) {
        const std::string number = std::to_string(line);
        if (whole.compare(line * 10, 10, std::string(9 - number.size(), '0') + number + '\n') != 0)
            QFAIL("a line is not what was written");
    }
    QVERIFY(touch(end));
    QVERIFY(harness.runUntilFinished(0));
}

/// The guardian that should answer dies: the answer is that nothing is known.
void GuardianPeekTest::guardianIsKilledMeanwhile()
{
    Peeker harness;
    harness.start(0, "printf x; sleep 60");
    QVERIFY(harness.peekWhen(0, 1).known);
    harness.answers.clear();
    const pid_t guardian = harness.client->guardianPid();
    QCOMPARE(::kill(guardian, SIGSTOP), 0);
    harness.ask({.key = GuardianHarness::key(0)});
    harness.ask({.key = GuardianHarness::key(0), .standardOutputFrom = 1});
    harness.runUntil([] { return false; }, std::chrono::milliseconds(100));
    QVERIFY(harness.answers.empty());
    QCOMPARE(::kill(guardian, SIGKILL), 0);
    QVERIFY(harness.runUntil([&] { return harness.answers.size() >= 2; }));
    for (const OutputAnswer& answer : harness.answers)
        QCOMPARE(answer, OutputAnswer{.key = GuardianHarness::key(0)});
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(harness.results[GuardianHarness::key(0)].outcome, Outcome::Lost);
    // The next one answers again.
    harness.start(1, "printf yes; sleep 60");
    QCOMPARE(harness.peekWhen(1, 3).standardOutput.bytes, std::string("yes"));
    harness.client->stop(GuardianHarness::key(1), StopReason::Cancelled);
    QVERIFY(harness.runUntilFinished(1));
    QCOMPARE(harness.answers.size(), std::size_t(1));
}

void GuardianPeekTest::withoutAnyGuardian()
{
    GuardianOptions options;
    options.program = "/no/such/guardian";
    Peeker harness(options);
    harness.start(0, "true");
    harness.ask({.key = GuardianHarness::key(0)});
    QVERIFY(harness.answers.empty());
    QVERIFY(harness.runUntil([&] { return !harness.answers.empty() && !harness.failure.empty(); }));
    QCOMPARE(harness.answers, std::vector{OutputAnswer{.key = GuardianHarness::key(0)}});
    QVERIFY(!harness.peek(0).known);
}

void GuardianPeekTest::clientGoesMeanwhile()
{
    Peeker harness;
    harness.start(0, "printf x; sleep 60");
    QVERIFY(harness.peekWhen(0, 1).known);
    harness.answers.clear();
    harness.ask({.key = GuardianHarness::key(0)});
    harness.ask({.key = GuardianHarness::key(9)});
    harness.client.reset();
    harness.runUntil([] { return false; }, std::chrono::milliseconds(100));
    QVERIFY(harness.answers.empty());
}

QTEST_APPLESS_MAIN(GuardianPeekTest)

} // namespace tst_guardianpeek

#include "tst_guardianpeek.moc"
