// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "report/outputdelivery.h"
#include "support/history.h"

#include <memory>
#include <string>
#include <vector>

namespace tst_outputdelivery {

using namespace tasuki;

namespace {

AttemptKey key(std::uint32_t task) { return {TaskId(task), AttemptNumber(1)}; }

CapturedStream whole(const std::string& text)
{
    return {.head = text, .tail = {}, .totalBytes = text.size()};
}

/// What a record of 4 + 4 bytes keeps.
CapturedStream ends(const std::string& text)
{
    return {
        .head = text.substr(0, 4), .tail = text.substr(text.size() - 4), .totalBytes = text.size()};
}

/// Takes as much as the test allows.
class MemoryTarget final : public OutputTarget {
public:
    Result<std::size_t> write(const OutputBlock& block, std::size_t from) override
    {
        if (broken && !block.bytes.empty())
            return Error{.message = "closed"};
        const std::size_t count = std::min(room, block.bytes.size() - from);
        room -= count;
        (block.stream == StreamKind::Output ? output : error) += block.bytes.substr(from, count);
        return count;
    }

    std::size_t room = 1U << 30U;
    bool broken = false;
    std::string output;
    std::string error;
};

/// A delivery with the test as everybody who ran tasks.
struct DeliveryBench {
    explicit DeliveryBench(OutputDelivery::Style style = {}, std::uint32_t tasks = 4)
    {
        history.add(RunOpened{});
        for (std::uint32_t task = 0; task < tasks; ++task)
            history.addTask("command");
        lead(style);
        publish();
    }
    /// Somebody leads who knows the record, and what this bench was told of what is printed.
    void lead(OutputDelivery::Style style)
    {
        delivery = std::make_unique<OutputDelivery>(
            state, style, target, store,
            OutputDelivery::Ports{
                .holder = [this](Rank) { return holder; },
                .fetch =
                    [this](ProcessorId, std::uint32_t number, const OutputQuery& query, bool wait) {
                        asked.push_back({number, query, wait});
                    },
                .release = [this](ProcessorId,
                                  AttemptKey released) { releases.push_back(released); },
                .say = [this](const std::string& line) { said.push_back(line); },
                .printed =
                    [this](const std::vector<PrintedOutput>& outputs) { printed.take(outputs); }},
            printed);
    }

    /// What has been added to the history happens.
    void publish()
    {
        for (; published < history.events().size(); ++published) {
            const Event event = history.events()[published];
            QVERIFY(state.apply(event).ok());
            delivery->published(event);
        }
    }
    void begin(std::uint32_t task)
    {
        history.add(AttemptStarted{.key = key(task), .rank = Rank(0), .slot = SlotIndex(0)});
        publish();
    }
    void end(std::uint32_t task, CapturedStream output, CapturedStream error = {})
    {
        AttemptResult result;
        result.outcome = Outcome::Succeeded;
        result.standardOutput = std::move(output);
        result.standardError = std::move(error);
        history.add(AttemptFinished{.key = key(task),
                                    .rank = Rank(0),
                                    .slot = SlotIndex(0),
                                    .disposition = Disposition::Final,
                                    .result = std::move(result)});
        publish();
    }
    /// Answers the oldest open question from what the task has written by now, by so many bytes.
    void answer(const std::string& output, const std::string& error = {}, bool running = false,
                std::size_t most = 1000, const std::string& problem = {})
    {
        QVERIFY(!asked.empty());
        const Asked question = asked.front();
        asked.erase(asked.begin());
        const auto piece = [most](std::uint64_t from, const std::string& text) {
            if (from == notNow)
                return OutputPiece{.offset = text.size(), .bytes = {}, .totalBytes = text.size()};
            return OutputPiece{
                .offset = from, .bytes = text.substr(from, most), .totalBytes = text.size()};
        };
        delivery->fetched(
            question.number,
            {.answer = {.key = question.query.key,
                        .known = true,
                        .running = running,
                        .standardOutput = piece(question.query.standardOutputFrom, output),
                        .standardError = piece(question.query.standardErrorFrom, error)},
             .problem = problem});
        delivery->poll();
    }

    struct Asked {
        std::uint32_t number;
        OutputQuery query;
        bool wait;
    };
    QTemporaryDir directory;
    SpoolStore store{directory.path().toStdString()};
    RunState state;
    History history;
    std::size_t published = 0;
    std::optional<ProcessorId> holder = ProcessorId(1);
    MemoryTarget target;
    std::vector<Asked> asked;
    std::vector<AttemptKey> releases;
    std::vector<std::string> said;
    PrintedBook printed;
    std::unique_ptr<OutputDelivery> delivery;
};

} // namespace

class TestOutputDelivery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortOutputIsPrintedAtOnce();
    void longOutputIsFetchedWhole();
    void outputsDoNotMix();
    void listOrderIsKept();
    void linesComeWhole();
    void tagsStandInFrontOfLines();
    void lossCutsAndSaysWhere();
    void fullDiskCutsAndSaysWhy();
    void slowTargetHoldsFetchingUp();
    void brokenTargetIsToldOnce();
    void whatWaitsGoesToTheDisk();
    void givingUpLeavesTheEnds();
    void nextLifePrintsNothingTwice();
    void anotherOutputIsTold();
    void whoGoesOnPrintsNothingTwice();
    void lifeAfterAnotherMasters();
    void worldThatBeginsAgain();
};

void TestOutputDelivery::shortOutputIsPrintedAtOnce()
{
    DeliveryBench bench;
    bench.end(0, whole("a\n"), whole("no newline"));
    QCOMPARE(bench.target.output, std::string("a\n"));
    QCOMPARE(bench.target.error, std::string("no newline\n"));
    QVERIFY(bench.delivery->done() && bench.asked.empty() && bench.releases.empty());
}

void TestOutputDelivery::longOutputIsFetchedWhole()
{
    DeliveryBench bench;
    const std::string output = "0123456789abcdefghij";
    const std::string error = "ABCDEFGHIJKLMN\n";
    bench.end(0, ends(output), ends(error));
    QVERIFY(bench.target.output.empty() && !bench.delivery->done());
    while (!bench.asked.empty()) {
        QVERIFY(!bench.asked.front().wait);
        bench.answer(output, error, false, 7);
    }
    QCOMPARE(bench.target.output, output);
    QCOMPARE(bench.target.error, error);
    QCOMPARE(bench.releases, std::vector{key(0)});
    QVERIFY(bench.delivery->done() && !bench.delivery->incomplete());
}

void TestOutputDelivery::outputsDoNotMix()
{
    DeliveryBench bench;
    const std::string output = "0123456789";
    bench.end(0, ends(output));
    bench.end(1, whole("one\n"));
    QVERIFY(bench.target.output.empty());
    bench.answer(output, {}, false, 6);
    QCOMPARE(bench.target.output, std::string("012345"));
    bench.answer(output);
    QCOMPARE(bench.target.output, output + "one\n");
}

void TestOutputDelivery::listOrderIsKept()
{
    DeliveryBench bench({.order = OutputOrder::KeepList});
    bench.end(2, whole("two "));
    bench.end(1, whole("one "));
    QVERIFY(bench.target.output.empty());
    bench.end(0, CapturedStream{});
    QCOMPARE(bench.target.output, std::string("one two "));
    bench.history.addTask("more");
    bench.publish();
    bench.end(4, whole("four "));
    QCOMPARE(bench.target.output, std::string("one two "));
    bench.delivery->endOrder(); // the third is not done any more
    bench.delivery->poll();
    QCOMPARE(bench.target.output, std::string("one two four "));
}

/// A delivery of lines, of which task 0 goes on where it is lost.
struct LivesBench : DeliveryBench {
    LivesBench() : DeliveryBench({.order = OutputOrder::Lines})
    {
        Task task = state.task(TaskId(0)).task;
        TaskSettings settings;
        settings.seat = WorldSeat{.world = 0, .rank = Rank(0), .logMb = 64};
        task.settings = std::make_shared<const TaskSettings>(settings);
        history.add(TaskChanged{.id = TaskId(0), .task = task});
        publish();
    }
    [[nodiscard]] AttemptKey life() const { return {TaskId(0), AttemptNumber(number)}; }
    /// What it writes first is asked for.
    void live(const std::string& output, const std::string& error = {})
    {
        ++number;
        history.add(AttemptStarted{.key = life(), .rank = Rank(0), .slot = SlotIndex(0)});
        publish();
        delivery->poll();
        answer(output, error, true);
    }
    void ends(Outcome outcome, const std::string& output)
    {
        AttemptResult result;
        result.outcome = outcome;
        result.standardOutput = whole(output);
        history.add(AttemptFinished{.key = life(),
                                    .rank = Rank(0),
                                    .slot = SlotIndex(0),
                                    .disposition = outcome == Outcome::Succeeded
                                        ? Disposition::Final
                                        : Disposition::Requeue,
                                    .result = std::move(result)});
        publish();
        asked.clear(); // who was asked is not there any more
        delivery->poll();
    }
    std::uint32_t number = 0;
};

// Fails if a rank that goes on elsewhere prints a line twice, loses one, or leaves half of one.
void TestOutputDelivery::nextLifePrintsNothingTwice()
{
    LivesBench bench;
    bench.live("a1\na2\na3", "warning\n");
    bench.ends(Outcome::Lost, "a1\na2\na3");
    QCOMPARE(bench.target.output, std::string("a1\na2\n"));
    bench.live("a1\n", "warning\n"); // it is killed before it has come as far
    bench.ends(Outcome::Lost, "a1\n");
    QCOMPARE(bench.target.output, std::string("a1\na2\n"));
    bench.live("a1\na2\na3\na4\n", "warning\n");
    QCOMPARE(bench.target.output, std::string("a1\na2\na3\na4\n"));
    bench.ends(Outcome::Lost, "a1\na2\na3\na4\n");
    bench.live("a1\na2\na3\na4\na5\n", "warning\n");
    bench.ends(Outcome::Interrupted, "a1\na2\na3\na4\na5\n");
    QCOMPARE(bench.target.output, std::string("a1\na2\na3\na4\na5\n"));
    bench.live("a1\n"); // its world has gone back to its start
    QCOMPARE(bench.target.output, std::string("a1\na2\na3\na4\na5\na1\n"));
    QCOMPARE(bench.target.error, std::string("warning\n"));
    QVERIFY(bench.said.empty());
}

// Fails if a life that prints something else goes unnoticed.
void TestOutputDelivery::anotherOutputIsTold()
{
    LivesBench bench;
    bench.live("a1\na2\n");
    bench.ends(Outcome::Lost, "a1\na2\n");
    bench.live("a1\nb2\na3\n");
    QCOMPARE(bench.target.output, std::string("a1\na2\na3\n"));
    QCOMPARE(bench.said,
             std::vector<std::string>{"output of task 0 is another one than before it was lost, "
                                      "somewhere in the first 6 bytes"});
}

// Fails if who leads after the master is lost prints a line once more, or loses one.
void TestOutputDelivery::whoGoesOnPrintsNothingTwice()
{
    DeliveryBench bench({.order = OutputOrder::Lines});
    bench.begin(0);
    bench.delivery->poll();
    bench.answer("a1\na2\na3", "warning\n", true);
    bench.begin(1);
    bench.asked.clear();
    bench.lead({.order = OutputOrder::Lines});
    bench.delivery->poll();
    bench.end(0, whole("a1\na2\na3\n"), whole("warning\nend\n"));
    bench.end(1, whole("b1\n"));
    QCOMPARE(bench.target.output, std::string("a1\na2\na3\nb1\n"));
    QCOMPARE(bench.target.error, std::string("warning\nend\n"));
    QVERIFY(bench.printed.outputs().empty());
}

// Fails if a rank that goes on after master and processor are lost prints a line twice.
void TestOutputDelivery::lifeAfterAnotherMasters()
{
    LivesBench bench;
    bench.live("a1\na2\n");
    bench.asked.clear();
    bench.lead({.order = OutputOrder::Lines});
    bench.delivery->poll();
    QCOMPARE(bench.asked.size(), std::size_t(1)); // it goes on while it runs
    QCOMPARE(bench.asked.front().query.standardOutputFrom, std::uint64_t(6));
    bench.ends(Outcome::Lost, "");
    bench.live("a1\na2\na3\n");
    bench.ends(Outcome::Lost, "a1\na2\na3\n");
    bench.live("a1\na2\na3\na4\n");
    QCOMPARE(bench.target.output, std::string("a1\na2\na3\na4\n"));
    QVERIFY(bench.said.empty());
}

// Fails if lines of a world that begins again are left out for ranks that were lost before.
void TestOutputDelivery::worldThatBeginsAgain()
{
    LivesBench bench;
    bench.live("a1\n");
    bench.ends(Outcome::Lost, "a1\n");
    bench.history.add(WorldStarted{.world = 0, .generation = 3, .name = "solver"});
    bench.publish();
    bench.live("a1\n");
    QCOMPARE(bench.target.output, std::string("a1\na1\n"));
}

void TestOutputDelivery::linesComeWhole()
{
    DeliveryBench bench({.order = OutputOrder::Lines});
    bench.begin(0);
    bench.begin(1);
    QVERIFY(bench.asked.empty()); // when it is polled
    bench.delivery->poll();
    QCOMPARE(bench.asked.size(), std::size_t(2));
    QVERIFY(bench.asked.front().wait);
    bench.answer("a1\na2", {}, true);
    bench.answer("b1\n", "bad\n", true);
    QCOMPARE(bench.target.output, std::string("a1\nb1\n"));
    QCOMPARE(bench.target.error, std::string("bad\n"));
    QCOMPARE(bench.asked.size(), std::size_t(2));
    QCOMPARE(bench.asked.front().query.standardOutputFrom, std::uint64_t(5));
    bench.end(0, whole("a1\na2 end\n")); // its answer is still to come
    bench.answer("a1\na2 end\n");
    QCOMPARE(bench.target.output, std::string("a1\nb1\na2 end\n"));
    bench.end(1, whole("b1\nb2"), whole("bad\n"));
    bench.answer("b1\nb2", "bad\n");
    QCOMPARE(bench.target.output, std::string("a1\nb1\na2 end\nb2"));
    QVERIFY(bench.delivery->done());
}

void TestOutputDelivery::tagsStandInFrontOfLines()
{
    DeliveryBench bench({.order = OutputOrder::Grouped, .tagged = true});
    Task task = bench.state.task(TaskId(1)).task;
    task.links = std::make_shared<const TaskLinks>(TaskLinks{.label = "fit", .after = {}});
    bench.history.add(TaskChanged{.id = TaskId(1), .task = task});
    bench.publish();
    bench.end(0, whole("a\n\nb"));
    bench.end(1, ends("first line\nsecond line\n"));
    bench.answer("first line\nsecond line\n", {}, false, 13);
    bench.answer("first line\nsecond line\n");
    QCOMPARE(bench.target.output,
             std::string("0\ta\n0\t\n0\tbfit\tfirst line\nfit\tsecond line\n"));
}

void TestOutputDelivery::lossCutsAndSaysWhere()
{
    DeliveryBench bench;
    const std::string output = "0123456789abcdefghij";
    bench.end(7 % 4, ends(output));
    bench.answer(output, {}, false, 7);
    bench.delivery->processorLost(ProcessorId(1));
    bench.delivery->poll();
    QCOMPARE(bench.target.output, std::string("0123456\n[... 9 bytes dropped ...]\nghij"));
    QCOMPARE(bench.said,
             std::vector<std::string>{"output of task 3 is cut at 7 of 20 bytes: the "
                                      "processor that ran it is lost"});
    QVERIFY(bench.delivery->done() && bench.delivery->incomplete());
    bench.end(0, whole("whole\n")); // the record has it
    QVERIFY(bench.target.output.ends_with("whole\n"));
    QCOMPARE(bench.said.size(), std::size_t(1));
}

void TestOutputDelivery::fullDiskCutsAndSaysWhy()
{
    DeliveryBench bench;
    const std::string output = "0123456789abcdefghij";
    bench.end(0, ends(output));
    bench.answer("0123456", {}, false, 100, "no space"); // what the disk took
    bench.answer("0123456", {}, false, 100, "no space");
    QCOMPARE(bench.target.output, std::string("0123456\n[... 9 bytes dropped ...]\nghij"));
    QCOMPARE(bench.said,
             std::vector<std::string>{"output of task 0 is cut at 7 of 20 bytes: no space"});
    QCOMPARE(bench.releases, std::vector{key(0)});
}

// Fails if a reader that stands still lets the memory of the one that prints grow.
void TestOutputDelivery::slowTargetHoldsFetchingUp()
{
    DeliveryBench bench;
    bench.target.room = 0;
    const std::string output(40U << 20U, 'x');
    bench.end(0, ends(output));
    int answers = 0;
    for (; !bench.asked.empty() && answers < 100; ++answers)
        bench.answer(output, {}, false, 256U << 10U);
    QVERIFY(answers <= 5);
    bench.target.room = 1U << 30U;
    bench.delivery->poll();
    while (!bench.asked.empty())
        bench.answer(output, {}, false, 256U << 10U);
    QVERIFY(bench.target.output == output);
}

void TestOutputDelivery::brokenTargetIsToldOnce()
{
    DeliveryBench bench;
    bench.target.broken = true;
    bench.end(0, whole("a"));
    bench.end(1, whole("b"));
    bench.end(2, ends("0123456789"));
    QCOMPARE(bench.said.size(), std::size_t(1));
    QVERIFY(bench.said.front().starts_with("closed"));
    QVERIFY(bench.asked.empty()); // nobody wants it
    QVERIFY(bench.delivery->done() && bench.delivery->incomplete());
    QCOMPARE(bench.releases, std::vector{key(2)});
}

void TestOutputDelivery::whatWaitsGoesToTheDisk()
{
    constexpr std::uint32_t count = 40;
    DeliveryBench bench({.order = OutputOrder::KeepList}, count + 1);
    const auto text = [](std::uint32_t task) {
        return std::string(1U << 20U, static_cast<char>('A' + task));
    };
    std::string expected;
    for (std::uint32_t task = 1; task <= count; ++task) {
        bench.end(task, whole(text(task)));
        expected += text(task);
    }
    QVERIFY(bench.store.heldBytes() >= std::uint64_t(20) << 20U);
    bench.end(0, whole("first"));
    QVERIFY(bench.target.output == "first" + expected);
    QCOMPARE(bench.store.heldBytes(), std::uint64_t(0));
}

void TestOutputDelivery::givingUpLeavesTheEnds()
{
    DeliveryBench bench;
    const std::string output = "0123456789abcdefghij";
    bench.end(0, ends(output));
    bench.end(1, ends(output));
    bench.delivery->giveUp("interrupted");
    bench.delivery->poll();
    QCOMPARE(bench.target.output,
             std::string("0123\n[... 12 bytes dropped ...]\nghij"
                         "0123\n[... 12 bytes dropped ...]\nghij"));
    QCOMPARE(bench.said.size(), std::size_t(2));
    QVERIFY(bench.delivery->done());
}

QTEST_APPLESS_MAIN(TestOutputDelivery)

} // namespace tst_outputdelivery

#include "tst_outputdelivery.moc"
