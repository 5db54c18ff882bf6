// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "node/outputpost.h"
#include "support/history.h"
#include "support/manualclock.h"
#include "support/recordingtransport.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tst_outputpost {

using namespace tasuki;
using namespace tasuki::hierarchy;

namespace {

constexpr ProcessorId outputRunner(1);
const std::string longOutput = "0123456789abcdefghij";

/// Two processors with a rank each.
MembershipView outputView(Health runner)
{
    std::array<Place, 2> places{};
    for (std::uint32_t number = 0; number < places.size(); ++number)
        places[number] = {
            .subcluster = {}, .unit = {}, .kind = ProcessorKind::Active, .seat = SeatId(number)};
    MembershipView view{places, std::array{SeatKind::Active, SeatKind::Active}, {}};
    ClusterTable table = view.cluster(SubclusterId(0));
    ++table.version.revision;
    table.member(outputRunner)->health = runner;
    view.adopt(std::make_shared<const ClusterTable>(table));
    return view;
}

/// The post of who leads, into files; the test is the processor that runs the one task.
struct OutputBench {
    explicit OutputBench(bool wanted = true)
    {
        OutputPost::Setup setup;
        setup.options.temporary = directory.path().toStdString();
        if (wanted)
            setup.options.directory = directory.path().toStdString();
        setup.quiet = true;
        setup.epoch = Epoch(3);
        post = std::make_unique<OutputPost>(setup, state, transport, clock, reporter,
                                            [](Rank) { return std::optional(outputRunner); });
        history.add(RunOpened{}).addTask("command");
        publish();
    }
    void publish()
    {
        for (; published < history.events().size(); ++published) {
            QVERIFY(state.apply(history.events()[published]).ok());
            post->published(history.events()[published]);
        }
    }
    /// The task has ended, and the record keeps the ends of what it wrote.
    void end()
    {
        AttemptResult result;
        result.outcome = Outcome::Succeeded;
        result.standardOutput = {.head = longOutput.substr(0, 4),
                                 .tail = longOutput.substr(longOutput.size() - 4),
                                 .totalBytes = longOutput.size()};
        history.add(AttemptFinished{.key = key,
                                    .rank = Rank(0),
                                    .slot = SlotIndex(0),
                                    .disposition = Disposition::Final,
                                    .result = std::move(result)});
        publish();
        post->poll();
    }
    /// @return what was asked of the processor that ran it since the last call
    template <class Kind>
    std::vector<Kind> asked()
    {
        std::vector<Kind> found;
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            Result<farm::Envelope> envelope = farm::decode(item.message);
            if (!envelope || item.to != outputRunner || envelope->epoch != Epoch(3))
                continue;
            if (const Kind* kind = std::get_if<Kind>(&envelope->message))
                found.push_back(*kind);
        }
        return found;
    }
    void answer(const farm::FetchOutput& question)
    {
        FetchedOutput output;
        output.answer.key = key;
        output.answer.known = true;
        const std::uint64_t from = question.query.standardOutputFrom;
        output.answer.standardOutput = {.offset = std::min<std::uint64_t>(from, longOutput.size()),
                                        .bytes = from == notNow ? "" : longOutput.substr(from),
                                        .totalBytes = longOutput.size()};
        post->fetched({.number = question.number, .output = std::move(output)});
        post->poll();
    }
    /// @return what stands in the files of tasks
    [[nodiscard]] std::string written() const
    {
        std::string text;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(directory.path().toStdString())) {
            if (!entry.is_regular_file())
                continue;
            std::ifstream file(entry.path());
            text.append(std::istreambuf_iterator<char>(file), {});
        }
        return text;
    }

    const AttemptKey key{TaskId(0), AttemptNumber(1)};
    QTemporaryDir directory;
    ManualClock clock;
    RunState state;
    RecordingTransport transport{ProcessorId(0), 2};
    RunReporter reporter{state, clock, {.quiet = true}};
    History history;
    std::size_t published = 0;
    std::unique_ptr<OutputPost> post;
};

} // namespace

/// The output of tasks, as who leads gets it. What breaks it: output that is not fetched, or a run that is
/// closed before all of it is told.
class TestOutputPost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fetchesWhatTheRecordDoesNotKeep()
    {
        OutputBench bench;
        QVERIFY(bench.post->told());
        bench.end();
        QVERIFY(!bench.post->told());
        auto questions = bench.asked<farm::FetchOutput>();
        while (!questions.empty()) {
            for (const farm::FetchOutput& question : questions)
                bench.answer(question);
            if (bench.post->told())
                break;
            questions = bench.asked<farm::FetchOutput>();
        }
        QVERIFY(bench.post->told());
        QCOMPARE(bench.written(), longOutput);
        QCOMPARE(bench.asked<farm::ReleaseOutput>().size(), std::size_t{1});
        bench.post->finish();
        QVERIFY(!bench.post->incomplete());
    }

    /// Fails if the run waits for ever for who is dead.
    void doesNotWaitForWhoIsLost()
    {
        OutputBench bench;
        bench.end();
        QVERIFY(!bench.post->told());
        bench.post->viewChanged(outputView(Health::Suspect));
        QVERIFY(!bench.post->told());
        bench.post->viewChanged(outputView(Health::Lost));
        bench.post->poll();
        QVERIFY(bench.post->told());
        QVERIFY(bench.post->incomplete());
    }

    void leavesWhatIsGivenUp()
    {
        OutputBench bench;
        bench.end();
        bench.post->giveUp("the run was interrupted");
        QVERIFY(bench.post->told());
        bench.post->finish();
        QVERIFY(bench.post->incomplete());
    }

    void fetchesNothingThatNobodyWants()
    {
        OutputBench bench(false);
        bench.end();
        QVERIFY(bench.post->told());
        QVERIFY(bench.asked<farm::FetchOutput>().empty());
        bench.post->finish();
        QVERIFY(!bench.post->incomplete());
    }
};

QTEST_APPLESS_MAIN(TestOutputPost)

} // namespace tst_outputpost

#include "tst_outputpost.moc"
