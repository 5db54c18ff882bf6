// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "report/topscreen.h"
#include "support/history.h"

namespace tst_topscreen {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

const WallTime begin = WallTime(1'700'000'000s);

/// A run whose events have times.
struct Bench {
    RunHistory history;
    TopFigures figures;
    std::uint64_t sequence = 0;

    void add(WallTime at, EventPayload payload)
    {
        const Event event{.id = {Epoch(1), Sequence(++sequence)},
                          .wallTime = at,
                          .monotonic = {},
                          .payload = std::move(payload)};
        if (!history.apply(event))
            qFatal("the history is wrong");
        figures.take(event, history.state());
    }
    void task(std::uint32_t id, std::string command)
    {
        Task task{.command = std::move(command),
                  .settings = std::make_shared<const TaskSettings>()};
        add(begin, TaskAdded{TaskId(id), std::move(task)});
    }
    void start(WallTime at, std::uint32_t task, std::int32_t rank)
    {
        add(at, AttemptStarted{{TaskId(task), AttemptNumber(1)}, Rank(rank), SlotIndex(0), at});
    }
    void end(WallTime at, std::uint32_t task, std::int32_t rank, Outcome outcome,
             std::int32_t code = 0)
    {
        AttemptResult result;
        result.outcome = outcome;
        result.code = code;
        add(at,
            AttemptFinished{.key = {TaskId(task), AttemptNumber(1)},
                            .rank = Rank(rank),
                            .slot = SlotIndex(0),
                            .disposition = Disposition::Final,
                            .result = std::move(result)});
    }
    std::vector<TopLine> draw(TopView view, std::size_t columns = 80, std::size_t rows = 24,
                              WallTime now = begin + 60s) const
    {
        return TopScreen(history, figures, now)
            .draw({.name = "x.tasuki", .state = "running", .living = true}, view, columns, rows);
    }
};

Bench sample()
{
    Bench bench;
    bench.add(begin, RunOpened{});
    for (std::int32_t rank = 0; rank < 3; ++rank)
        bench.add(begin,
                  ProcessorJoined{.rank = Rank(rank),
                                  .incarnation = Incarnation(1),
                                  .host = "node" + std::to_string(rank),
                                  .pid = 7,
                                  .slots = 2});
    for (std::uint32_t id = 0; id < 40; ++id)
        bench.task(id, "echo " + std::to_string(id));
    for (std::uint32_t id = 0; id < 16; ++id)
        bench.end(begin + 50s, id, 1, id == 3 ? Outcome::Failed : Outcome::Succeeded,
                  id == 3 ? 4 : 0);
    bench.start(begin + 30s, 20, 0);
    bench.add(begin + 55s, ProcessorLost{Rank(2), Incarnation(1), LossCause::Gone});
    return bench;
}

QByteArray textOf(const std::vector<TopLine>& lines)
{
    QByteArray text;
    for (const TopLine& line : lines)
        text += QByteArray::fromStdString(line.text) + '\n';
    return text;
}

} // namespace

/// What breaks it: a line that is too long for the terminal, a screen with another number of lines, a figure that is wrong.
class TestTopScreen : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fitsTheTerminal()
    {
        const Bench bench = sample();
        for (const std::size_t columns : {20U, 40U, 80U, 200U}) {
            for (const std::size_t rows : {8U, 24U, 60U}) {
                for (const TopPane pane :
                     {TopPane::Ranks, TopPane::Tasks, TopPane::Failures, TopPane::Alarms}) {
                    const auto lines = bench.draw({.pane = pane}, columns, rows);
                    QCOMPARE(lines.size(), std::size_t(rows));
                    for (const TopLine& line : lines)
                        QVERIFY2(line.text.size() <= columns, line.text.c_str());
                }
            }
        }
    }

    void figures()
    {
        const Bench bench = sample();
        const QByteArray text = textOf(bench.draw({}));
        QVERIFY2(
            text.contains("15 succeeded, 1 failed, 1 running, 23 queued; lately 1.0 tasks/s\n"),
            text);
        QVERIFY2(
            text.contains(
                "\nrank 0           node0            present      1/2         0       0    0.0\n"),
            text);
        QVERIFY2(
            text.contains(
                "\nrank 1           node1            present      0/2        16       1    1.0\n"),
            text);
        QVERIFY2(
            text.contains(
                "\nrank 2           node2            lost         0/2         0       0    0.0\n"),
            text);
    }

    void lists()
    {
        const Bench bench = sample();
        QVERIFY(textOf(bench.draw({.pane = TopPane::Tasks}))
                    .contains("\n20         1 rank 0             30s  echo 20\n"));
        QVERIFY(textOf(bench.draw({.pane = TopPane::Failures}))
                    .contains(
                        "\n3          1 rank 1             10s  ended with exit code 4: echo 3\n"));
    }

    void programsOfWorlds()
    {
        Bench bench = sample();
        bench.figures.take({{.rank = Rank(0),
                             .state = ProgramState::Waiting,
                             .call = "MPI_Recv\x1b",
                             .messages = 9,
                             .bytes = 90,
                             .messagesPerSecond = 3}});
        const QByteArray text = textOf(bench.draw({.pane = TopPane::Tasks}, 120));
        QVERIFY2(text.contains("30s  [waits in MPI_Recv\\x1b, 3 messages/s] echo 20\n"), text);
    }

    void scrolls()
    {
        Bench bench = sample();
        for (std::uint32_t id = 21; id < 40; ++id)
            bench.start(begin + 40s, id, 0);
        const auto from = [&](std::size_t scroll) {
            return textOf(bench.draw({.pane = TopPane::Tasks, .scroll = scroll}, 80, 12));
        };
        QVERIFY2(from(0).contains("from 1 to 6 --") && from(0).contains("\n20 "), from(0));
        QVERIFY2(from(3).contains("from 4 to 9 --") && !from(3).contains("\n22 "), from(3));
        QVERIFY2(from(9999).contains("from 15 to 20 --") && from(9999).contains("\n39 "),
                 from(9999));
    }

    void everythingWhereThereIsNoTerminal()
    {
        const QByteArray text = textOf(sample().draw({}, 200, 0));
        QVERIFY2(text.count('\n') == 8 && !text.contains("q ends"), text);
    }

    void rates()
    {
        RecentRate rate;
        QCOMPARE(rate.perSecond(begin), 0.0);
        for (int i = 0; i < 32; ++i)
            rate.note(begin + std::chrono::milliseconds(500 * i));
        QCOMPARE(rate.perSecond(begin + 16s), 2.0);
        QCOMPARE(rate.perSecond(begin + 24s), 1.0);
        QCOMPARE(rate.perSecond(begin + 4s, begin), 2.0); // it has not lasted longer
        QCOMPARE(rate.perSecond(begin + 1h), 0.0);
        rate.note(begin + 2h);
        QCOMPARE(rate.perSecond(begin + 2h + 1s), 1.0 / 16);
    }

    void controlCharactersOfCommandsAreHarmless()
    {
        Bench bench = sample();
        bench.task(40, "echo \x1b[2J");
        bench.start(begin + 59s, 40, 0);
        QVERIFY(!textOf(bench.draw({.pane = TopPane::Tasks})).contains('\x1b'));
    }
};

QTEST_APPLESS_MAIN(TestTopScreen)

} // namespace tst_topscreen

#include "tst_topscreen.moc"
