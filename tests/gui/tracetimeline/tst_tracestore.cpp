// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracemaker.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tst_tracestore {

using namespace tasuki;

namespace {

/// Category of the innermost state at a time: of those that are open the one that began last.
TraceCategory categoryAt(const TraceStore& store, std::uint32_t task, Nanoseconds time)
{
    std::optional<std::uint32_t> innermost;
    Nanoseconds end = 0;
    for (std::uint32_t i = 0; i < store.timeline().spans.size(); ++i) {
        if (store.timeline().spans[i].task.value() != task)
            continue;
        end = std::max(end, store.endOf(i));
        if (store.beginOf(i) <= time && time < store.endOf(i))
            innermost = i;
    }
    if (innermost)
        return store.categories().of(store.timeline().spans[*innermost]);
    const bool gap = time >= 0 && time < end && store.gapsAreComputation();
    return gap ? TraceCategories::compute : TraceCategories::idle;
}

/// The task's time in [begin, end) cut at every begin and end, and each piece asked for.
std::vector<double> sharesByHand(const TraceStore& store, std::uint32_t task, Nanoseconds begin,
                                 Nanoseconds end)
{
    std::set<Nanoseconds> cuts{begin, end};
    const auto cut = [&](Nanoseconds time) {
        if (time > begin && time < end)
            cuts.insert(time);
    };
    cut(0);
    for (std::uint32_t i = 0; i < store.timeline().spans.size(); ++i) {
        if (store.timeline().spans[i].task.value() == task) {
            cut(store.beginOf(i));
            cut(store.endOf(i));
        }
    }
    std::vector<double> shares(store.categories().count(), 0.0);
    for (auto at = cuts.begin(); std::next(at) != cuts.end(); ++at)
        shares[categoryAt(store, task, *at)] += static_cast<double>(*std::next(at) - *at)
            / static_cast<double>(end - begin);
    return shares;
}

Nanoseconds us(double value) { return toNanoseconds(value); }

plan::TimelineSpan part(plan::SpanKind kind, std::uint32_t task, double begin, double end,
                        std::uint32_t call = trace::none)
{
    return {.task = trace::Task(task), .kind = kind, .beginUs = begin, .endUs = end, .call = call};
}

} // namespace

class TestTraceStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void columnsEqualBruteForce_data();
    void columnsEqualBruteForce();
    void columnsOfKnownCalls();
    void whatBeginsInAColumnIsPresent();
    void illNestedStatesGetLayers();
    void spansInSightEqualBruteForce();
    void arrowsEqualBruteForce();
    void pathEqualsBruteForce();
    void categoriesOfCalls();
    void statesBeyondTheMost();
    void predictedTimelinesHaveNoComputedGaps();
    void neighboursOfACall();
    void callNearATime();
    void messagesOfACall();
    void counterparts();
    void foreignTasksAreLeftOut();
    void empty();
};

void TestTraceStore::columnsEqualBruteForce_data()
{
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<int>("calls");
    QTest::addColumn<double>("begin");
    QTest::addColumn<double>("span");
    QTest::addColumn<int>("columns");
    unsigned seed = 1;
    for (const int calls : {3, 40, 400}) {
        const double all = calls * 50.0;
        QTest::addRow("%d, everything", calls) << seed++ << calls << -20.0 << all << 97;
        QTest::addRow("%d, wide", calls) << seed++ << calls << -all << all * 5 << 31;
        QTest::addRow("%d, near", calls) << seed++ << calls << all / 3 << all / 7 << 113;
        QTest::addRow("%d, a microsecond a column", calls) << seed++ << calls << 40.0 << 64.0 << 64;
        QTest::addRow("%d, parts of one", calls) << seed++ << calls << 41.3 << 2.7 << 20;
    }
}

void TestTraceStore::columnsEqualBruteForce()
{
    QFETCH(unsigned, seed);
    QFETCH(int, calls);
    QFETCH(double, begin);
    QFETCH(double, span);
    QFETCH(int, columns);
    const auto store = randomTrace(seed, 2, calls).store();
    const TimeWindow window{us(begin), us(span)};
    const auto count = static_cast<std::size_t>(columns);
    TraceColumns found;
    for (std::uint32_t task = 0; task < 2; ++task) {
        store->summarise(task, window, count, found);
        QCOMPARE(found.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto wanted = sharesByHand(*store, task, window.edge(count, i),
                                             window.edge(count, i + 1));
            for (std::size_t c = 0; c < wanted.size(); ++c)
                QVERIFY2(std::abs(wanted[c] - static_cast<double>(found[i].shares[c])) < 1e-4,
                         qPrintable(QStringLiteral("task %1 column %2 category %3: %4, not %5")
                                        .arg(task)
                                        .arg(i)
                                        .arg(c)
                                        .arg(static_cast<double>(found[i].shares[c]))
                                        .arg(wanted[c])));
        }
    }
}

void TestTraceStore::columnsOfKnownCalls()
{
    const auto store = smallTrace().store();
    TraceColumns columns;
    const TraceCategory send = TraceCategories::ofFamily(CallFamily::Send, false);
    const TraceCategory collective = TraceCategories::ofFamily(CallFamily::Collective, false);
    store->summarise(0, {0, us(1000)}, 4, columns);
    QCOMPARE(columns[0].shares[send], 0.4F);
    QCOMPARE(columns[0].shares[TraceCategories::compute], 0.6F);
    QCOMPARE(columns[0].starts, 3U); // computation, the send, computation
    QCOMPARE(columns[1].shares[TraceCategories::compute], 1.0F);
    QCOMPARE(columns[1].starts, 0U);
    QCOMPARE(columns[2].dominating(), collective);
    QCOMPARE(columns[3].dominating(), TraceCategories::idle); // nothing after the last call
    QCOMPARE(columns[3].shares[TraceCategories::idle], 0.8F);
    // The state around the calls counts where no call is.
    store->summarise(1, {0, us(1000)}, 4, columns);
    const TraceCategory solve = TraceCategories::firstOfStates;
    QCOMPARE(columns[0].shares[solve], 0.2F);
    QCOMPARE(columns[1].shares[solve], 0.8F);
    QCOMPARE(columns[3].dominating(), solve);
}

void TestTraceStore::whatBeginsInAColumnIsPresent()
{
    TraceMaker maker(1);
    maker.call("MPI_Send", 0, 500, 500); // no length
    maker.call("MPI_Recv", 0, 900, 1000);
    TraceColumns columns;
    maker.store()->summarise(0, {0, us(1000)}, 10, columns);
    const TraceCategory send = TraceCategories::ofFamily(CallFamily::Send, false);
    for (std::size_t i = 0; i < 10; ++i)
        QCOMPARE(columns[i].has(send), i == 5);
    QCOMPARE(columns[5].shares[TraceCategories::compute], 1.0F);
}

void TestTraceStore::illNestedStatesGetLayers()
{
    TraceMaker maker(1);
    maker.call("a", 0, 0, 100, 0);
    maker.call("b", 0, 50, 150, 1); // ends after the state that it began in
    maker.call("c", 0, 120, 200, 1);
    const auto store = maker.store();
    QCOMPARE(store->layers(0), std::size_t(3));
    for (std::uint32_t i = 0; i < 3; ++i)
        QCOMPARE(store->layerOf(i), std::size_t(i));
    TraceColumns columns;
    store->summarise(0, {0, us(200)}, 20, columns);
    const auto categoryOf = [&](std::size_t column) { return columns[column].dominating(); };
    QCOMPARE(categoryOf(2), TraceCategory(TraceCategories::firstOfStates));
    QCOMPARE(categoryOf(8), TraceCategory(TraceCategories::firstOfStates + 1));
    QCOMPARE(categoryOf(11), TraceCategory(TraceCategories::firstOfStates + 1));
    QCOMPARE(categoryOf(13), TraceCategory(TraceCategories::firstOfStates + 2));
}

void TestTraceStore::spansInSightEqualBruteForce()
{
    const auto store = randomTrace(77, 3, 200).store();
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        const auto begin = static_cast<Nanoseconds>(random() % 9'000'000);
        const Nanoseconds end = begin + 1 + static_cast<Nanoseconds>(random() % 400'000);
        const std::uint32_t task = random() % 3;
        std::set<std::uint32_t> wanted;
        for (std::uint32_t i = 0; i < store->timeline().spans.size(); ++i) {
            const bool atPoint = store->beginOf(i) == store->endOf(i);
            const bool seen = store->beginOf(i) < end
                && (store->endOf(i) > begin || (atPoint && store->beginOf(i) >= begin));
            if (store->timeline().spans[i].task.value() == task && seen)
                wanted.insert(i);
        }
        std::set<std::uint32_t> found;
        for (std::size_t layer = 0; layer < store->layers(task); ++layer) {
            Nanoseconds last = 0;
            store->forEachSpan(task, layer, begin, end, [&](std::uint32_t span) {
                found.insert(span);
                QVERIFY(store->beginOf(span) >= last); // none overlaps another
                last = store->endOf(span);
            });
        }
        // A call that ends as it begins where another ends may be passed over at the edge.
        for (const std::uint32_t span : wanted)
            QVERIFY2(found.contains(span), qPrintable(QString::number(span)));
        for (const std::uint32_t span : found)
            QVERIFY(wanted.contains(span) || store->beginOf(span) == begin);
        QCOMPARE(store->spansIn(task, begin, end), found.size());
    }
}

void TestTraceStore::arrowsEqualBruteForce()
{
    const auto store = randomTrace(3, 4, 300).store();
    const auto& arrows = store->timeline().arrows;
    QCOMPARE(store->arrows().size(), arrows.size());
    std::mt19937 random(9);
    for (int round = 0; round < 100; ++round) {
        const auto begin = static_cast<Nanoseconds>(random() % 21'000'000);
        const Nanoseconds end = begin + 1 + static_cast<Nanoseconds>(random() % 1'000'000);
        std::set<std::uint32_t> wanted;
        for (std::uint32_t i = 0; i < arrows.size(); ++i) {
            const auto [low, high] = std::minmax({us(arrows[i].sentUs), us(arrows[i].arrivedUs)});
            if (low < end && high >= begin)
                wanted.insert(i);
        }
        std::set<std::uint32_t> found;
        store->arrows().forEachIn(begin, end, [&found](std::uint32_t arrow) {
            found.insert(arrow);
            return true;
        });
        QVERIFY(found == wanted);
        QCOMPARE(store->arrows().countIn(begin, end), wanted.size());
    }
    Nanoseconds last = us(1e9);
    std::size_t count = 0;
    store->arrows().forEachArrivedUntil(us(10'000), [&](std::uint32_t arrow) {
        const Nanoseconds time = us(std::max(arrows[arrow].sentUs, arrows[arrow].arrivedUs));
        const bool ordered = time <= last && time <= us(10'000);
        last = time;
        ++count;
        return ordered;
    });
    QCOMPARE(count,
             static_cast<std::size_t>(
                 std::ranges::count_if(arrows, [](const plan::TimelineArrow& arrow) {
                     return std::max(arrow.sentUs, arrow.arrivedUs) <= 10'000;
                 })));
}

void TestTraceStore::pathEqualsBruteForce()
{
    plan::Timeline timeline;
    timeline.tasks = 9;
    std::mt19937 random(21);
    double time = 0;
    for (int i = 0; i < 1000; ++i) {
        const double length = random() % 30 + 0.5;
        const trace::Task from(random() % 9);
        const trace::Task to(i % 3 == 0 ? random() % 9 : from.value());
        timeline.criticalPath.push_back(
            {plan::PathPiece::Kind::Message, from, to, time, time + length});
        time += length;
    }
    timeline.endUs = time;
    const TraceStore store(std::make_shared<const plan::Timeline>(timeline), nullptr);
    const PathIndex& path = store.path();
    for (std::size_t i = 0; i < path.jumps(); ++i) {
        QVERIFY(path.stays()[i].task != path.stays()[i + 1].task);
        QVERIFY(path.stays()[i].end <= path.stays()[i + 1].begin);
    }
    for (int round = 0; round < 200; ++round) {
        const double begin = static_cast<double>(random() % 16'000) - 500;
        const double end = begin + static_cast<double>(random() % (round % 2 ? 50 : 6000)) + 0.25;
        for (std::uint32_t task = 0; task < timeline.tasks; ++task) {
            const bool visited = std::ranges::any_of(
                timeline.criticalPath, [&](const plan::PathPiece& piece) {
                    const auto within = [&](double first, double last) {
                        return last >= begin && first <= end;
                    };
                    if (piece.task == piece.to)
                        return piece.task.value() == task && within(piece.beginUs, piece.endUs);
                    return (piece.task.value() == task && within(piece.beginUs, piece.beginUs))
                        || (piece.to.value() == task && within(piece.endUs, piece.endUs));
                });
            const PathStay* const stay = path.stayFrom(task, us(begin));
            QCOMPARE(stay != nullptr && stay->begin <= us(end), visited);
            QVERIFY(stay == nullptr || (stay->task == task && stay->end >= us(begin)));
        }
        const auto jumps = std::count_if(
            path.stays().begin(), path.stays().end() - 1,
            [&](const PathStay& stay) { return stay.end < us(begin); });
        QCOMPARE(path.jumpsBefore(us(begin)), static_cast<std::size_t>(jumps));
    }
}

void TestTraceStore::categoriesOfCalls()
{
    TraceMaker maker(1);
    const std::vector<std::pair<const char*, CallFamily>> calls{
        {"MPI_Send", CallFamily::Send},           {"MPI_Sendrecv", CallFamily::Send},
        {"MPI_Isend", CallFamily::Send},          {"MPI_Recv", CallFamily::Receive},
        {"MPI_Irecv", CallFamily::Receive},       {"MPI_Wait", CallFamily::Wait},
        {"MPI_Waitall", CallFamily::Wait},        {"MPI_Barrier", CallFamily::Collective},
        {"MPI_Alltoall", CallFamily::Collective}, {"MPI_Comm_split", CallFamily::Other},
    };
    std::int64_t time = 0;
    for (const auto& call : calls) {
        maker.call(call.first, 0, time, time + 1);
        ++time;
    }
    maker.call("solve", 0, time, time + 10);
    maker.call("TRACER_OFF", 0, time + 10, time + 20);
    const TraceCategories categories(&maker.trace());
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        QCOMPARE(categories.of(part(plan::SpanKind::Call, 0, 0, 1, i)),
                 TraceCategories::ofFamily(calls[i].second, false));
        const TraceCategory waiting = categories.of(part(plan::SpanKind::Wait, 0, 0, 1, i));
        QCOMPARE(waiting, TraceCategories::ofFamily(calls[i].second, true));
        QVERIFY(TraceCategories::isWaiting(waiting));
        QCOMPARE(TraceCategories::familyOfCategory(waiting), calls[i].second);
    }
    const auto own = static_cast<std::uint32_t>(calls.size());
    const TraceCategory state = categories.of(part(plan::SpanKind::Call, 0, 0, 1, own));
    QVERIFY(TraceCategories::isState(state));
    QCOMPARE(categories.stateOf(state).name, std::string("solve"));
    // No call of the program's either.
    const TraceCategory off = categories.of(part(plan::SpanKind::Call, 0, 10, 20, own + 1));
    QVERIFY(TraceCategories::isState(off) && off != state);
    QCOMPARE(categories.of(part(plan::SpanKind::Compute, 0, 0, 1)), TraceCategories::compute);
    // Out of range, as in a timeline of another trace: a call without a name.
    QCOMPARE(categories.of(part(plan::SpanKind::Call, 0, 0, 1, 12345)),
             TraceCategories::ofFamily(CallFamily::Other, false));
}

void TestTraceStore::statesBeyondTheMost()
{
    TraceMaker maker(1);
    for (int i = 0; i < 60; ++i)
        maker.call("state" + std::to_string(i), 0, i, i + 1);
    const TraceCategories categories(&maker.trace());
    QCOMPARE(categories.count(), TraceCategories::most);
    QVERIFY(TraceCategories::isState(categories.of(part(plan::SpanKind::Call, 0, 0, 1, 0))));
    QCOMPARE(categories.of(part(plan::SpanKind::Call, 0, 0, 1, 59)),
             TraceCategories::ofFamily(CallFamily::Other, false));
    TraceColumns columns;
    maker.store()->summarise(0, {0, us(60)}, 60, columns);
    QCOMPARE(columns[59].dominating(), TraceCategories::ofFamily(CallFamily::Other, false));
}

void TestTraceStore::predictedTimelinesHaveNoComputedGaps()
{
    using plan::SpanKind;
    plan::Timeline timeline;
    timeline.tasks = 1;
    timeline.endUs = 40;
    timeline.spans = {part(SpanKind::Compute, 0, 0, 10), part(SpanKind::Call, 0, 10, 12, 0),
                      part(SpanKind::Wait, 0, 12, 20, 0), part(SpanKind::Call, 0, 30, 40, 1)};
    const TraceStore store(std::make_shared<const plan::Timeline>(timeline), nullptr);
    QVERIFY(!store.gapsAreComputation());
    TraceColumns columns;
    store.summarise(0, {0, us(40)}, 4, columns);
    QCOMPARE(columns[0].dominating(), TraceCategories::compute);
    QCOMPARE(columns[1].shares[TraceCategories::ofFamily(CallFamily::Other, true)], 0.8F);
    QCOMPARE(columns[2].dominating(), TraceCategories::idle);
    QCOMPARE(store.wholeCall(2), std::pair(1U, 2U));
    QCOMPARE(store.wholeCall(1), std::pair(1U, 2U));
    QCOMPARE(store.wholeCall(3), std::pair(3U, 3U));
    QCOMPARE(store.nextCall(2, 1), std::optional(3U));
    QCOMPARE(store.nextCall(3, -1), std::optional(1U)); // the begin of the call
}

void TestTraceStore::neighboursOfACall()
{
    const auto maker = smallTrace();
    const auto store = maker.store();
    // Spans: 0 Send, 1 Barrier of task 0; 2 solve, 3 Recv, 4 Barrier of task 1.
    const auto next = [&](std::uint32_t span) { return store->nextCall(span, 1); };
    const auto before = [&](std::uint32_t span) { return store->nextCall(span, -1); };
    QCOMPARE(next(0), std::optional(1U));
    QCOMPARE(next(1), std::optional<std::uint32_t>());
    QCOMPARE(before(0), std::optional<std::uint32_t>());
    QCOMPARE(next(2), std::optional(3U));
    QCOMPARE(next(3), std::optional(4U));
    QCOMPARE(before(4), std::optional(3U));
    QCOMPARE(before(3), std::optional(2U));
}

void TestTraceStore::callNearATime()
{
    const auto store = smallTrace().store();
    QCOMPARE(store->callNear(0, us(150)), std::optional(0U));
    QCOMPARE(store->callNear(0, us(300)), std::optional(0U));
    QCOMPARE(store->callNear(0, us(500)), std::optional(1U));
    QCOMPARE(store->callNear(0, us(5000)), std::optional(1U));
    QCOMPARE(store->callNear(1, us(100)), std::optional(3U)); // the innermost
    QCOMPARE(store->callNear(1, us(500)), std::optional(2U));
}

void TestTraceStore::messagesOfACall()
{
    auto maker = smallTrace();
    maker.call("MPI_Recv", 0, 900, 1000);
    maker.call("MPI_Send", 1, 1100, 1200); // began later than its message came: clocks
    maker.message(1, 0, 1100, 1000);
    const auto store = maker.store();
    const auto of = [&](std::uint32_t span) { return store->messagesOf(span, 9); };
    QCOMPARE(of(0), std::vector<std::uint32_t>{0});
    QCOMPARE(of(1), std::vector<std::uint32_t>{});
    // Spans of task 0: Send, Barrier, Recv; of task 1: solve, Recv, Barrier, Send.
    QCOMPARE(of(4), std::vector<std::uint32_t>{0});
    QCOMPARE(of(6), std::vector<std::uint32_t>{1});
}

void TestTraceStore::counterparts()
{
    using plan::SpanKind;
    const auto maker = smallTrace();
    const auto traced = maker.store();
    plan::Timeline timeline;
    timeline.tasks = 2;
    timeline.endUs = 900;
    timeline.spans = {part(SpanKind::Compute, 0, 0, 90), part(SpanKind::Call, 0, 90, 100, 0),
                      part(SpanKind::Wait, 0, 100, 190, 0), part(SpanKind::Call, 1, 50, 60, 2)};
    timeline.arrows = {{.from = trace::Task(0), .to = trace::Task(1), .sentUs = 1, .arrivedUs = 2},
                       {.from = trace::Task(0),
                        .to = trace::Task(1),
                        .sentUs = 95,
                        .arrivedUs = 200,
                        .message = 0}};
    const auto predicted = maker.store(timeline);
    using Kind = TraceItem::Kind;
    QVERIFY(traced->counterpart(*predicted, {Kind::Call, 0}) == (TraceItem{Kind::Call, 1}));
    QVERIFY(predicted->counterpart(*traced, {Kind::Call, 2}) == (TraceItem{Kind::Call, 0}));
    QVERIFY(traced->counterpart(*predicted, {Kind::Call, 1}) == TraceItem{}); // is not there
    QVERIFY(traced->counterpart(*predicted, {Kind::Message, 0}) == (TraceItem{Kind::Message, 1}));
    QVERIFY(predicted->counterpart(*traced, {Kind::Message, 0}) == TraceItem{});
    QVERIFY(predicted->counterpart(*traced, {Kind::Message, 1}) == (TraceItem{Kind::Message, 0}));
}

void TestTraceStore::foreignTasksAreLeftOut()
{
    auto timeline = smallTrace().timeline();
    timeline.tasks = 1;
    const TraceStore store(std::make_shared<const plan::Timeline>(timeline), nullptr);
    QCOMPARE(store.arrows().size(), std::size_t(0));
    QCOMPARE(store.spansIn(0, 0, us(1000)), std::size_t(2));
}

void TestTraceStore::empty()
{
    const TraceStore none(std::make_shared<const plan::Timeline>(), nullptr);
    QCOMPARE(none.tasks(), 0U);
    plan::Timeline timeline;
    timeline.tasks = 2;
    const TraceStore idle(std::make_shared<const plan::Timeline>(timeline), nullptr);
    TraceColumns columns;
    idle.summarise(1, {0, us(10)}, 3, columns);
    QCOMPARE(columns[2].shares[TraceCategories::idle], 1.0F);
    QCOMPARE(idle.spansIn(0, 0, us(10)), std::size_t(0));
    QCOMPARE(idle.callNear(0, 5), std::optional<std::uint32_t>());
    QCOMPARE(idle.arrows().countIn(0, us(10)), std::size_t(0));
}

QTEST_APPLESS_MAIN(TestTraceStore)

} // namespace tst_tracestore

#include "tst_tracestore.moc"
