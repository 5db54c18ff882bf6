// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "eventcollector.h"
#include "testrun.h"

#include "link/feed.h"
#include "link/inbox.h"
#include "runfile/recordedoutput.h"
#include "wire/eventcodec.h"
#include "wire/framing.h"
#include "wire/linkcodec.h"

#include <random>

namespace tst_feed {

using namespace tasuki;
using namespace tasuki::link;
using namespace tasuki::testing;

namespace {

/// Gives frames to a collector as a window would get them.
void deliver(const std::vector<SharedFrame>& frames, EventCollector& collector)
{
    for (const SharedFrame& bytes : frames) {
        FrameDecoder decoder(frameLimit);
        decoder.feed(*bytes);
        collector.take(decodeAgentMessage(decoder.next().value().value()).value());
    }
}

SharedFrame frameOf(const std::vector<Event>& events)
{
    EventsEncoder encoder;
    for (const Event& event : events)
        encoder.add(event);
    return std::make_shared<const std::string>(frame(encoder.take()).value());
}

} // namespace

/// What a window is sent, without sockets: random orders of committing, forgetting, sending and
/// subscribing must end with the run file's events, each once.
class TestFeed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomOrders_data();
    void randomOrders();
    void knownPositions();
    void idleFeedGivesNothing();
    void chunksAreSmall();
    void recentEventsAreBounded();
    void inboxForgetsWhenFull();
    void piecesOfOutput();
};

void TestFeed::randomOrders_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 1; seed <= 30; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestFeed::randomOrders()
{
    QFETCH(std::uint32_t, seed);
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) { return random() % limit; };
    TestRun run(seed);
    if (below(2) == 0)
        run.commit(1 + below(50));
    History history = History::open(run.file()).value();
    RecentEvents recent(2000);
    recent.skipTo(history.last().value());
    Feed feed(recent, history, 500);
    EventCollector window;
    for (int i = 0; i < 300; ++i) {
        switch (below(7)) {
        case 0:
        case 1: {
            const auto batch = run.commit(1 + below(20));
            recent.add(frameOf(*batch), batch->back().id);
            break;
        }
        case 2:
            if (below(8) == 0)
                recent.skipTo(run.commit(1 + below(5))->back().id);
            break;
        case 3:
            if (below(10) == 0)
                QVERIFY(feed.subscribe({run.id(), window.last()}).ok());
            break;
        default: deliver(feed.next(1 + below(3000)).value(), window); break;
        }
        QVERIFY2(window.problem().empty(), window.problem().c_str());
    }
    if (!feed.subscribed())
        QVERIFY(feed.subscribe({}).ok());
    for (auto frames = feed.next(100).value(); !frames.empty(); frames = feed.next(100).value())
        deliver(frames, window);
    QVERIFY2(window.problem().empty(), window.problem().c_str());
    QVERIFY(window.live());
    QVERIFY(window.events() == run.recorded());
}

void TestFeed::knownPositions()
{
    TestRun run(5);
    do
        run.commit(200);
    while (run.last().epoch == Epoch(1)); // more lives than one
    const auto all = run.recorded();
    History history = History::open(run.file()).value();
    RecentEvents recent(1000);
    recent.skipTo(run.last());
    const auto begins = [&](const RunId& id, EventId after) {
        Feed feed(recent, history, 1 << 20);
        EventCollector window;
        if (!feed.subscribe({id, after}).ok())
            return SnapshotBegin{};
        const auto frames = feed.next(1).value();
        FrameDecoder decoder(frameLimit);
        decoder.feed(*frames.at(0));
        return std::get<SnapshotBegin>(decodeAgentMessage(decoder.next().value().value()).value());
    };
    for (const Event& event : all)
        QVERIFY(begins(run.id(), event.id) == (SnapshotBegin{false, event.id, run.last()}));
    const SnapshotBegin everything{true, {}, run.last()};
    QVERIFY(begins(run.id(), {}) == everything);
    QVERIFY(begins(RunId::random(), all[5].id) == everything);
    QVERIFY(begins({}, all[5].id) == everything);
    const EventId last = run.last();
    QVERIFY(begins(run.id(), {last.epoch, last.sequence.next()}) == everything);
    QVERIFY(begins(run.id(), {last.epoch.next(), Sequence(1)}) == everything);
    QVERIFY(begins(run.id(), {last.epoch, Sequence(0)}) == everything);
    // Behind the end of an earlier epoch: never committed, so never seen.
    QVERIFY(all.front().id.epoch != last.epoch);
    QVERIFY(begins(run.id(), {all.front().id.epoch, Sequence(1'000'000)}) == everything);
}

void TestFeed::idleFeedGivesNothing()
{
    TestRun run(1);
    const auto batch = run.commit(3);
    History history = History::open(run.file()).value();
    RecentEvents recent(1000);
    Feed feed(recent, history, 100);
    recent.add(frameOf(*batch), batch->back().id);
    QVERIFY(feed.next(1000).value().empty());
    QVERIFY(!feed.subscribed());
}

/// Neither a snapshot nor the stream may come in one large piece.
void TestFeed::chunksAreSmall()
{
    TestRun run(2);
    run.commit(5000);
    History history = History::open(run.file()).value();
    RecentEvents recent(100'000);
    recent.skipTo(run.last());
    Feed feed(recent, history, 2000);
    QVERIFY(feed.subscribe({}).ok());
    EventCollector window;
    std::size_t rounds = 0;
    for (auto frames = feed.next(2000).value(); !frames.empty(); frames = feed.next(2000).value()) {
        for (const SharedFrame& bytes : frames)
            QVERIFY2(bytes->size() < 4000, qPrintable(QString::number(bytes->size())));
        deliver(frames, window);
        ++rounds;
    }
    QVERIFY(rounds > 20);
    QVERIFY(window.events() == run.recorded());
}

void TestFeed::recentEventsAreBounded()
{
    RecentEvents recent(100);
    const auto add = [&](std::size_t size, std::uint64_t sequence) {
        recent.add(std::make_shared<const std::string>(size, 'x'), {Epoch(1), Sequence(sequence)});
    };
    QVERIFY(recent.holds(recent.end()));
    add(60, 1);
    add(40, 2);
    QVERIFY(recent.holds(0));
    QCOMPARE(recent.at(0).last, (EventId{Epoch(1), Sequence(1)}));
    add(1, 3);
    QVERIFY(!recent.holds(0));
    QVERIFY(recent.holds(1));
    QCOMPARE(recent.end(), std::uint64_t{3});
    // Larger than the limit alone: kept, else nobody could ever get it from here.
    add(500, 4);
    QVERIFY(!recent.holds(2));
    QVERIFY(recent.holds(3));
    QCOMPARE(recent.at(3).bytes->size(), std::size_t{500});
    const auto end = recent.end();
    recent.skipTo({Epoch(1), Sequence(9)});
    QVERIFY(!recent.holds(end));
    QVERIFY(recent.holds(recent.end()));
    QCOMPARE(recent.last(), (EventId{Epoch(1), Sequence(9)}));
}

void TestFeed::inboxForgetsWhenFull()
{
    const auto batch = [](std::uint64_t first, std::uint64_t count, std::size_t output = 0) {
        std::vector<Event> events;
        for (std::uint64_t i = 0; i < count; ++i) {
            AttemptFinished finished;
            finished.result.standardError = {std::string(output, 'e'), {}, output};
            events.push_back({{Epoch(1), Sequence(first + i)}, {}, {}, finished});
        }
        return std::make_shared<const std::vector<Event>>(std::move(events));
    };
    Inbox inbox(10, 1000);
    QVERIFY(!inbox.put(batch(1, 0)));
    QVERIFY(inbox.put(batch(1, 6)));
    QVERIFY(!inbox.put(batch(7, 4)));
    auto content = inbox.take();
    QVERIFY(!content.forgotten);
    QCOMPARE(content.batches.size(), std::size_t{2});

    QVERIFY(inbox.put(batch(11, 6)));
    QVERIFY(!inbox.put(batch(17, 5)));
    QVERIFY(!inbox.put(batch(22, 2)));
    content = inbox.take();
    QCOMPARE(content.forgotten.value(), (EventId{Epoch(1), Sequence(21)}));
    QCOMPARE(content.batches.size(), std::size_t{1});
    QCOMPARE(content.batches[0]->front().id.sequence, Sequence(22));

    QVERIFY(inbox.put(batch(24, 2, 501)));
    content = inbox.take();
    QCOMPARE(content.forgotten.value(), (EventId{Epoch(1), Sequence(25)}));
    QVERIFY(content.batches.empty());

    QVERIFY(inbox.put(Status{}));
    Status latest;
    latest.phase = "closing";
    QVERIFY(!inbox.put(latest));
    QCOMPARE(inbox.take().status->phase, "closing");
    QVERIFY(!inbox.take().status);
}

void TestFeed::piecesOfOutput()
{
    const CapturedStream whole{"abcdef", "", 6};
    QVERIFY(pieceFrom(whole, 0) == (OutputPiece{0, "abcdef", 6}));
    QVERIFY(pieceFrom(whole, 4) == (OutputPiece{4, "ef", 6}));
    QVERIFY(pieceFrom(whole, 6) == (OutputPiece{6, "", 6}));
    QVERIFY(pieceFrom(whole, 99) == (OutputPiece{6, "", 6}));
    const CapturedStream cut{"abc", "xyz", 100};
    QVERIFY(pieceFrom(cut, 1) == (OutputPiece{1, "bc", 100}));
    QVERIFY(pieceFrom(cut, 3) == (OutputPiece{97, "xyz", 100}));
    QVERIFY(pieceFrom(cut, 50) == (OutputPiece{97, "xyz", 100}));
    QVERIFY(pieceFrom(cut, 98) == (OutputPiece{98, "yz", 100}));
    QVERIFY(pieceFrom({}, 0) == (OutputPiece{0, "", 0}));
    const CapturedStream large{std::string(outputPieceBytes + 5, 'l'), "", outputPieceBytes + 5};
    QCOMPARE(pieceFrom(large, 0).bytes.size(), outputPieceBytes);
    QCOMPARE(pieceFrom(large, outputPieceBytes).bytes.size(), std::size_t{5});
}

QTEST_APPLESS_MAIN(TestFeed)

} // namespace tst_feed

#include "tst_feed.moc"
