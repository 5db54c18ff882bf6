// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/outputshelf.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

#include <unistd.h>

namespace tst_outputshelf {

using namespace tasuki;
using namespace tasuki::guardian;

namespace {

const AttemptKey shelved{TaskId(3), AttemptNumber(1)};

/// A shelf, and an attempt that writes what the test says; its record keeps eight bytes.
struct ShelfBench {
    ShelfBench()
    {
        configure.captureHead = configure.captureTail = 4;
        shelf.open(directory.path().toStdString());
        settings.reset(new SettingsBlock{
            {}, {}, TaskEnvironment(environ, RunId::random(), Epoch(1), Rank(0), {})});
        attempt = std::make_unique<RunningAttempt>(1, Start{shelved, SlotIndex(0), 0, "true"},
                                                   settings, configure, shelf.store());
    }
    void write(const std::string& text) { attempt->output.stream().append(text); }
    /// It has ended.
    void end()
    {
        shelf.keep(*attempt);
        attempt.reset();
    }
    std::optional<FetchedOutput> fetch(std::uint64_t from, bool wait = false)
    {
        return shelf.fetch(
            {.token = 9,
             .query = {.key = shelved, .standardOutputFrom = from, .standardErrorFrom = 0},
             .wait = wait},
            attempt.get());
    }

    QTemporaryDir directory;
    Configure configure;
    OutputShelf shelf;
    std::shared_ptr<SettingsBlock> settings;
    std::unique_ptr<RunningAttempt> attempt;
};

} // namespace

/// What breaks it: output that is gone before it was fetched, or is kept for ever; a question that is never
/// answered.
class TestOutputShelf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatRunsIsSeen()
    {
        ShelfBench bench;
        bench.write("abc");
        const OutputQuery query{.key = shelved, .standardOutputFrom = 1, .standardErrorFrom = 0};
        const OutputAnswer answer = OutputShelf::peek(query, bench.attempt.get());
        QVERIFY(answer.known && answer.running);
        QCOMPARE(answer.standardOutput.bytes, std::string("bc"));
        QVERIFY(!OutputShelf::peek(query, nullptr).known);
    }

    void aLongStreamStaysUntilItIsReleased()
    {
        ShelfBench bench;
        bench.write("0123456789abcdef");
        bench.end();
        const auto fetched = bench.fetch(2);
        QVERIFY(fetched && fetched->answer.known && !fetched->answer.running);
        QCOMPARE(fetched->answer.standardOutput.bytes, std::string("23456789abcdef"));
        bench.shelf.release(shelved);
        QVERIFY(!bench.fetch(2)->answer.known);
    }

    void aShortOneIsTheRecords()
    {
        ShelfBench bench;
        bench.write("short");
        bench.end();
        QVERIFY(!bench.fetch(0)->answer.known);
    }

    void aQuestionWaitsForNews()
    {
        ShelfBench bench;
        QVERIFY(bench.fetch(0).has_value()); // nothing, at once: it does not wait
        QVERIFY(!bench.fetch(0, true));
        QVERIFY(bench.shelf.takeWaiting({TaskId(4), AttemptNumber(1)}).empty());
        const auto waiting = bench.shelf.takeWaiting(shelved);
        QCOMPARE(waiting.size(), 1U);
        QCOMPARE(waiting.front().token, 9U);
        QVERIFY(bench.shelf.takeWaiting(shelved).empty());
        bench.write("x");
        QCOMPARE(bench.fetch(0, true)->answer.standardOutput.bytes, std::string("x"));
        bench.end();
        QVERIFY(bench.fetch(1, true).has_value()); // no news will come
    }
};

QTEST_APPLESS_MAIN(TestOutputShelf)

} // namespace tst_outputshelf

#include "tst_outputshelf.moc"
