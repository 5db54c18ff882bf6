// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "steering/outputtail.h"

#include <random>

namespace tst_outputtail {

using namespace tasuki;
using namespace tasuki::steering;

namespace {

const AttemptKey key{TaskId(1), AttemptNumber(2)};

/// An attempt that writes to standard output and of whose beginning everything is kept, or only the last bytes.
struct Writer {
    std::string text;
    std::size_t kept = std::string::npos;
    std::size_t mostAtOnce = 1000;
    bool running = true;

    [[nodiscard]] OutputAnswer answer(const OutputQuery& query) const
    {
        const std::size_t begin = text.size() > kept ? text.size() - kept : 0;
        const std::size_t from = std::min(std::max<std::size_t>(query.standardOutputFrom, begin),
                                          text.size());
        return {.key = query.key,
                .known = true,
                .running = running,
                .standardOutput = {from, text.substr(from, mostAtOnce), text.size()},
                .standardError = {}};
    }
};

/// Asks until nothing new comes.
std::string readAll(OutputTail& tail, const Writer& writer, std::uint64_t* missing = nullptr)
{
    std::string all;
    do {
        TailText text = tail.take(writer.answer(tail.query()));
        all += text.standardOutput;
        if (missing != nullptr)
            *missing += text.missing;
    } while (!tail.idle() && !tail.atEnd());
    return all;
}

} // namespace

/// What breaks it: bytes that come twice or are left out, an end that is told too early or never.
class TestOutputTail : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allOfIt()
    {
        Writer writer{.text = std::string(2500, 'x') + "\nend"};
        OutputTail tail(key, {});
        QCOMPARE(readAll(tail, writer), writer.text);
        QVERIFY(!tail.atEnd());
        QVERIFY(tail.idle());
        writer.text += "more";
        QCOMPARE(readAll(tail, writer), "more");
        writer.running = false;
        QCOMPARE(readAll(tail, writer), "");
        QVERIFY(tail.atEnd());
    }

    /// Between the end of an attempt and its row in the record, nobody has its output.
    void unknownIsNotTheEnd()
    {
        Writer writer{.text = "begin "};
        OutputTail tail(key, {});
        QCOMPARE(readAll(tail, writer), "begin ");
        QCOMPARE(tail.take({.key = key}).standardOutput, "");
        QVERIFY(!tail.atEnd() && !tail.known() && tail.idle());
        writer.text += "end";
        writer.running = false;
        QCOMPARE(readAll(tail, writer), "end");
        QVERIFY(tail.atEnd() && tail.known());
    }

    void lastLines_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("lines");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("two") << QByteArray("a\nb\nc\n") << 2 << QByteArray("b\nc\n");
        QTest::newRow("all") << QByteArray("a\nb\nc\n") << 3 << QByteArray("a\nb\nc\n");
        QTest::newRow("more") << QByteArray("a\nb\nc\n") << 9 << QByteArray("a\nb\nc\n");
        QTest::newRow("none") << QByteArray("a\nb\nc\n") << 0 << QByteArray();
        QTest::newRow("open line") << QByteArray("a\nb\nc") << 2 << QByteArray("b\nc");
        QTest::newRow("empty lines") << QByteArray("a\n\n\n") << 2 << QByteArray("\n\n");
        QTest::newRow("nothing") << QByteArray() << 2 << QByteArray();
    }
    void lastLines()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, lines);
        Writer writer{.text = text.toStdString(), .mostAtOnce = 2};
        OutputTail tail(key, static_cast<std::size_t>(lines));
        QTEST(QByteArray::fromStdString(readAll(tail, writer)), "shown");
        writer.text += "d\n";
        QCOMPARE(readAll(tail, writer), "d\n");
    }

    /// Of a long stream the beginning is not even asked for.
    void lastLinesOfALongStream()
    {
        Writer writer{.text = std::string(10'000'000, 'x') + "\nlast\n", .mostAtOnce = 20'000};
        OutputTail tail(key, 1);
        static_cast<void>(tail.take(writer.answer(tail.query())));
        QVERIFY(tail.query().standardOutputFrom > 9'000'000);
        QCOMPARE(readAll(tail, writer), "last\n");
    }

    void whatIsNotKeptIsTold()
    {
        Writer writer{.text = std::string(500, 'a') + "end\n", .kept = 4};
        std::uint64_t missing = 0;
        OutputTail all(key, {});
        QCOMPARE(readAll(all, writer, &missing), "end\n");
        QCOMPARE(missing, std::uint64_t(500));
        missing = 0;
        OutputTail last(key, 1);
        QCOMPARE(readAll(last, writer, &missing), "end\n");
        QCOMPARE(missing, std::uint64_t(0)); // nobody wanted it
    }

    /// However it is written and asked for, each byte comes once.
    void eachByteOnce()
    {
        for (std::uint32_t seed = 1; seed <= 200; ++seed) {
            std::mt19937 random(seed);
            Writer writer{.mostAtOnce = 1 + random() % 50};
            OutputTail tail(key, {});
            std::string shown;
            for (int step = 0; step < 100; ++step) {
                for (std::size_t i = random() % 40; i > 0; --i)
                    writer.text += static_cast<char>('a' + random() % 26);
                shown += tail.take(writer.answer(tail.query())).standardOutput;
                QVERIFY(!tail.atEnd());
            }
            writer.running = false;
            while (!tail.atEnd())
                shown += tail.take(writer.answer(tail.query())).standardOutput;
            QCOMPARE(shown, writer.text);
        }
    }
};

QTEST_APPLESS_MAIN(TestOutputTail)

} // namespace tst_outputtail

#include "tst_outputtail.moc"
