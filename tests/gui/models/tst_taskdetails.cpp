// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "models/taskdetails.h"
#include "sessionbench.h"

namespace tst_taskdetails {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

using OutputState = TaskDetails::OutputState;

OutputPiece piece(std::uint64_t offset, std::string bytes,
                  std::optional<std::uint64_t> total = std::nullopt)
{
    const std::uint64_t end = offset + bytes.size();
    return {.offset = offset, .bytes = std::move(bytes), .totalBytes = total.value_or(end)};
}

struct Bench : SessionBench {
    explicit Bench(SourceKind kind = SourceKind::Agent)
        : SessionBench(kind), details(*session, history, selection, nullptr, 10ms)
    {
        session->addSink(history);
        begin(4);
        QObject::connect(&details, &TaskDetails::changed, &details, [this] { ++changes; });
        QObject::connect(&details, &TaskDetails::outputGrew, &details,
                         [this](StreamKind stream, const QString& text) {
                             (stream == StreamKind::Output ? grown : grownError) += text;
                         });
    }
    ~Bench() { session->removeSink(history); }

    [[nodiscard]] std::size_t asked() const { return source->queries.size(); }
    [[nodiscard]] const OutputQuery& query() const { return source->queries.back().first; }
    void answer(OutputPiece output, OutputPiece error, bool running, bool known = true)
    {
        OutputAnswer answer{.key = query().key, .known = known, .running = running};
        answer.standardOutput = std::move(output);
        answer.standardError = std::move(error);
        auto done = std::move(source->queries.back().second);
        done(answer);
    }
    [[nodiscard]] QString output() const { return details.output(StreamKind::Output).text(); }

    AttemptHistory history;
    Selection selection;
    TaskDetails details;
    QTimer* tail = details.findChild<QTimer*>(); ///< asks again
    int changes = 0;
    QString grown;
    QString grownError;
};

} // namespace

class TestTaskDetails : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void selection();
    void followsTheSelection();
    void wholeOutput();
    void fileOfTheOutput();
    void liveTail();
    void endOfTheTail();
    void answersThatComeTooLate();
    void outputThatCannotBeHad();
    void ofARunFile();
    void longCommands();
    void startOver();
    void textAcrossPieces();
    void holesAndLimits();
};

void TestTaskDetails::selection()
{
    Selection selection;
    int tasks = 0;
    int processors = 0;
    connect(&selection, &Selection::taskChanged, this, [&] { ++tasks; });
    connect(&selection, &Selection::processorChanged, this, [&] { ++processors; });
    selection.setTask(TaskId(3));
    selection.setTask(TaskId(3));
    QCOMPARE(tasks, 1);
    const AttemptKey attempt{TaskId(4), AttemptNumber(2)};
    selection.setAttempt(attempt);
    QCOMPARE(*selection.task(), TaskId(4));
    QCOMPARE(*selection.attempt(), attempt);
    selection.setAttempt(attempt);
    QCOMPARE(tasks, 2);
    selection.setTask(TaskId(4));
    QVERIFY(!selection.attempt());
    QCOMPARE(tasks, 3);
    selection.setProcessor(Rank(1));
    selection.setProcessor(Rank(1));
    QCOMPARE(processors, 1);
    QCOMPARE(*selection.task(), TaskId(4));
    selection.clear();
    QVERIFY(!selection.task() && !selection.attempt() && !selection.processor());
    QCOMPARE(tasks, 4);
    QCOMPARE(processors, 2);
    selection.clear();
    QCOMPARE(tasks, 4);
}

void TestTaskDetails::followsTheSelection()
{
    Bench bench;
    QVERIFY(!bench.details.task());
    bench.happen({bench.ended(1, 1, Outcome::Failed, 1s, Disposition::Retry), bench.ended(1, 2)});
    bench.selection.setTask(TaskId(1));
    QCOMPARE(*bench.details.task(), TaskId(1));
    QCOMPARE(bench.changes, 1);
    QCOMPARE(bench.details.record().task.command, std::string("task 1"));
    QCOMPARE(*bench.details.wholeCommand(), std::string("task 1"));
    QCOMPARE(bench.details.attempts().size(), std::size_t(2));
    QCOMPARE(bench.details.attempt()->number, AttemptNumber(2));
    QCOMPARE(bench.details.holder(bench.details.attempts()[0]).host, std::string("node0"));
    bench.selection.setAttempt({TaskId(1), AttemptNumber(1)});
    QCOMPARE(bench.details.attempt()->number, AttemptNumber(1));
    QCOMPARE(bench.query().key.number, AttemptNumber(1));
    const int before = bench.changes;
    bench.happen({bench.ended(2)});
    QCOMPARE(bench.changes, before); // another task
    bench.selection.setTask(TaskId(0));
    QVERIFY(!bench.details.attempt());
    QCOMPARE(bench.details.outputState(), OutputState::None);
    bench.happen({bench.started(0)});
    QCOMPARE(bench.details.attempts().size(), std::size_t(1));
    QVERIFY(bench.details.attempts()[0].running);
    bench.selection.setTask(TaskId(77));
    QVERIFY(!bench.details.task());
    bench.selection.clear();
    QVERIFY(!bench.details.task());
}

void TestTaskDetails::wholeOutput()
{
    Bench bench;
    bench.happen({bench.ended(1)});
    bench.selection.setTask(TaskId(1));
    QCOMPARE(bench.asked(), std::size_t(1));
    QCOMPARE(bench.details.outputState(), OutputState::Asked);
    QCOMPARE(bench.query().standardOutputFrom, std::uint64_t(0));
    bench.answer(piece(0, "head\n", 1'000), piece(0, "oops"), false);
    QCOMPARE(bench.asked(), std::size_t(2)); // there is more
    QCOMPARE(bench.query().standardOutputFrom, std::uint64_t(5));
    QCOMPARE(bench.query().standardErrorFrom, std::uint64_t(4));
    bench.answer(piece(996, "tail"), piece(4, ""), false);
    QCOMPARE(bench.asked(), std::size_t(2));
    QCOMPARE(bench.details.outputState(), OutputState::Whole);
    QCOMPARE(bench.output(), QStringLiteral("head\n[991 bytes are not kept]\ntail"));
    QVERIFY(bench.details.output(StreamKind::Output).cut());
    QVERIFY(!bench.details.output(StreamKind::Output).trimmed());
    QCOMPARE(bench.details.output(StreamKind::Output).hole().begin, std::uint64_t(5));
    QCOMPARE(bench.details.output(StreamKind::Output).hole().end, std::uint64_t(996));
    QCOMPARE(bench.details.output(StreamKind::Output).totalBytes(), std::uint64_t(1'000));
    QCOMPARE(bench.details.output(StreamKind::Error).text(), QStringLiteral("oops"));
    QCOMPARE(bench.grown, bench.output());
    QCOMPARE(bench.grownError, QStringLiteral("oops"));
    QVERIFY(!bench.tail->isActive());
    QCOMPARE(bench.asked(), std::size_t(2)); // it does not grow any more
}

// Fails if a file is named that has the output of another attempt, or none.
void TestTaskDetails::fileOfTheOutput()
{
    Bench bench;
    bench.happen({Notice{.text = outputNotice({.directory = "/out put"})}});
    bench.happen({bench.ended(1, 1, Outcome::Failed, 1s, Disposition::Retry)});
    bench.selection.setTask(TaskId(1));
    bench.answer(piece(0, "one"), piece(0, ""), false);
    QCOMPARE(bench.details.outputFile(StreamKind::Output), QStringLiteral("/out put/1.out"));
    QCOMPARE(bench.details.outputFile(StreamKind::Error), QString()); // it wrote none
    bench.happen({bench.ended(1, 2)});
    bench.selection.setAttempt({TaskId(1), AttemptNumber(1)});
    bench.answer(piece(0, "one"), piece(0, ""), false);
    QCOMPARE(bench.details.outputFile(StreamKind::Output), QString()); // overwritten
    bench.selection.setAttempt({TaskId(1), AttemptNumber(2)});
    bench.answer(piece(0, ""), piece(0, "two"), false);
    QCOMPARE(bench.details.outputFile(StreamKind::Error), QStringLiteral("/out put/1.err"));
    bench.happen({RunOpened{}, TaskReopened{TaskId(1)}, bench.ended(1, 3)}); // a life without files
    QCOMPARE(bench.details.outputFile(StreamKind::Error), QStringLiteral("/out put/1.err"));
    bench.selection.setAttempt({TaskId(1), AttemptNumber(3)});
    bench.answer(piece(0, "three"), piece(0, ""), false);
    QVERIFY(bench.details.outputFile(StreamKind::Output).isEmpty());
}

void TestTaskDetails::liveTail()
{
    Bench bench;
    bench.happen({bench.started(1)});
    bench.selection.setTask(TaskId(1));
    bench.answer(piece(0, "a"), piece(0, ""), true);
    QCOMPARE(bench.details.outputState(), OutputState::Growing);
    QTRY_COMPARE(bench.asked(), std::size_t(2));
    QCOMPARE(bench.query().standardOutputFrom, std::uint64_t(1));
    QSignalSpy looks(bench.tail, &QTimer::timeout);
    QTRY_VERIFY(looks.count() >= 3);
    QCOMPARE(bench.asked(), std::size_t(2)); // one at a time
    bench.answer(piece(1, "b"), piece(0, "!"), true);
    QCOMPARE(bench.output(), QStringLiteral("ab"));
    QTRY_COMPARE(bench.asked(), std::size_t(3));
    bench.selection.clear();
    bench.answer(piece(2, "c"), piece(1, ""), true);
    QVERIFY(!bench.tail->isActive());
    QCOMPARE(bench.asked(), std::size_t(3)); // nobody looks
}

void TestTaskDetails::endOfTheTail()
{
    Bench bench;
    bench.happen({bench.started(1)});
    bench.selection.setTask(TaskId(1));
    // Not there yet, and again between its end and its record.
    bench.answer({}, {}, false, false);
    QCOMPARE(bench.details.outputState(), OutputState::Asked);
    QTRY_COMPARE(bench.asked(), std::size_t(2));
    bench.answer(piece(0, "one "), piece(0, ""), true);
    QTRY_COMPARE(bench.asked(), std::size_t(3));
    bench.answer({}, {}, false, false);
    QTRY_COMPARE(bench.asked(), std::size_t(4));
    bench.happen({bench.ended(1)});
    bench.answer(piece(4, "two"), piece(0, ""), false);
    QCOMPARE(bench.details.outputState(), OutputState::Whole);
    QCOMPARE(bench.output(), QStringLiteral("one two"));
    QCOMPARE(bench.details.attempts().at(0).outcome, Outcome::Succeeded);
}

void TestTaskDetails::answersThatComeTooLate()
{
    Bench bench;
    bench.happen({bench.ended(1), bench.ended(2)});
    bench.selection.setTask(TaskId(1));
    auto late = std::move(bench.source->queries.back().second);
    bench.selection.setTask(TaskId(2));
    QCOMPARE(bench.asked(), std::size_t(2));
    OutputAnswer wrong{.key = {TaskId(1), AttemptNumber(1)}, .known = true};
    wrong.standardOutput = piece(0, "of task 1");
    late(wrong);
    QCOMPARE(bench.output(), QString());
    bench.answer(piece(0, "of task 2"), piece(0, ""), false);
    QCOMPARE(bench.output(), QStringLiteral("of task 2"));
}

void TestTaskDetails::outputThatCannotBeHad()
{
    Bench bench;
    bench.happen({bench.ended(1)});
    bench.selection.setTask(TaskId(1));
    auto done = std::move(bench.source->queries.back().second);
    done(Error{.kind = ErrorKind::System, .message = "no connection"});
    QCOMPARE(bench.details.outputState(), OutputState::Missing);
    QCOMPARE(bench.details.outputProblem(), QStringLiteral("no connection"));
    bench.source->setState(ConnectionState::Waiting);
    QCOMPARE(bench.asked(), std::size_t(1));
    bench.source->setState(ConnectionState::Live);
    QCOMPARE(bench.asked(), std::size_t(2)); // it is back
    bench.answer(piece(0, "there"), piece(0, ""), false);
    QCOMPARE(bench.output(), QStringLiteral("there"));
    QCOMPARE(bench.details.outputState(), OutputState::Whole);
    QVERIFY(bench.details.outputProblem().isEmpty());
}

void TestTaskDetails::ofARunFile()
{
    Bench bench(SourceKind::RunFile);
    bench.happen({bench.started(1)});
    bench.selection.setTask(TaskId(1));
    bench.answer({}, {}, false, false);
    QCOMPARE(bench.details.outputState(), OutputState::Missing);
    QVERIFY(!bench.details.outputProblem().isEmpty());
    QVERIFY(!bench.tail->isActive());
    QCOMPARE(bench.asked(), std::size_t(1)); // nothing comes by asking
    bench.happen({bench.ended(1)});
    QCOMPARE(bench.asked(), std::size_t(2));
    bench.answer(piece(0, "done"), piece(0, ""), false);
    QCOMPARE(bench.output(), QStringLiteral("done"));
}

void TestTaskDetails::longCommands()
{
    Bench bench;
    bench.source->deliver({}, {{.task = TaskId(1), .bytes = 50'000}});
    QTRY_VERIFY(bench.session->shortCommand(TaskId(1)).has_value());
    bench.selection.setTask(TaskId(1));
    QVERIFY(!bench.details.wholeCommand());
    QCOMPARE(bench.source->tasks.size(), std::size_t(1));
    bench.happen({bench.started(1)});
    QCOMPARE(bench.source->tasks.size(), std::size_t(1)); // the definition is the same
    const int before = bench.changes;
    bench.source->tasks.back().second(SessionBench::task(1, std::string(50'000, 'x')));
    QCOMPARE(bench.details.wholeCommand()->size(), std::size_t(50'000));
    QCOMPARE(bench.changes, before + 1);
}

void TestTaskDetails::startOver()
{
    Bench bench;
    bench.happen({bench.ended(1)});
    bench.selection.setTask(TaskId(1));
    bench.answer(piece(0, "text"), piece(0, ""), false);
    bench.startOver();
    QVERIFY(!bench.details.task());
    QCOMPARE(bench.output(), QString());
    bench.begin(4);
    QCOMPARE(*bench.details.task(), TaskId(1)); // still what is selected
    bench.happen({bench.ended(1)});
    QCOMPARE(bench.asked(), std::size_t(2));
    bench.answer(piece(0, "again"), piece(0, ""), false);
    QCOMPARE(bench.output(), QStringLiteral("again"));
}

void TestTaskDetails::textAcrossPieces()
{
    OutputText text;
    const std::string sash = "\xe8\xa5\xb7";
    QCOMPARE(text.append(piece(0, sash.substr(0, 1))), QString());
    QCOMPARE(text.append(piece(1, sash.substr(1))), QStringLiteral("襷"));
    QCOMPARE(text.append(piece(3,
                               "a\xff"
                               "b")),
             QStringLiteral("a\uFFFDb"));
    QCOMPARE(text.append(piece(4,
                               "\xff"
                               "bc")),
             QStringLiteral("c")); // overlaps what is there
    QCOMPARE(text.append(piece(0, "old")), QString());
    QCOMPARE(text.text(), QStringLiteral("襷a\uFFFDbc"));
    QCOMPARE(text.nextOffset(), std::uint64_t(7));
    QVERIFY(!text.cut());
    text.clear();
    QCOMPARE(text.append(piece(0, "x")), QStringLiteral("x"));
}

void TestTaskDetails::holesAndLimits()
{
    OutputText text(20);
    QCOMPARE(text.append(piece(100, "late\n")), QStringLiteral("[100 bytes are not kept]\nlate\n"));
    QVERIFY(text.text().size() <= 20);
    QVERIFY(text.text().endsWith(QStringLiteral("late\n")));
    QVERIFY(text.cut());
    for (int i = 0; i < 1'000; ++i) {
        text.append(piece(text.nextOffset(), "line\n"));
        QVERIFY(text.text().size() <= 20);
        QVERIFY(text.text().startsWith(QStringLiteral("line\n")) || i < 4);
    }
    text.append(piece(text.nextOffset(), std::string(500, 'x'), 10'000));
    QCOMPARE(text.text(), QString(20, QLatin1Char('x')));
    QCOMPARE(text.totalBytes(), std::uint64_t(10'000));
}

QTEST_GUILESS_MAIN(TestTaskDetails)

} // namespace tst_taskdetails

#include "tst_taskdetails.moc"
