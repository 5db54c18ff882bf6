// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/requesttable.h"

#include <deque>
#include <map>
#include <random>

namespace tst_requesttable {

using namespace tasuki::tracer;

namespace {

Request numbered(std::uint32_t number) { return {.number = number, .active = true}; }

} // namespace

/// Requests by handle. What breaks it: one that is not found or found twice, or the younger of two of
/// one handle.
class TestRequestTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotThereIsNotFound();
    void keepsWhatItIsGiven();
    void oneHandleForSeveral();
    void manyOfOneHandleAreQuick();
    void foundOnesCanBeChanged();
    void behavesAsAMap_data();
    void behavesAsAMap();
};

void TestRequestTable::whatIsNotThereIsNotFound()
{
    RequestTable table;
    QVERIFY(table.find(0) == nullptr);
    QVERIFY(!table.take(17));
    table.add(17, numbered(1));
    QVERIFY(table.find(18) == nullptr);
    QVERIFY(table.take(17));
    QVERIFY(!table.take(17));
    QCOMPARE(table.size(), std::size_t{0});
}

void TestRequestTable::keepsWhatItIsGiven()
{
    RequestTable table;
    table.add(0,
              {.number = 7,
               .startedAs = State::Issend,
               .receives = true,
               .persistent = true,
               .active = true,
               .communicator = 3,
               .peer = 2,
               .tag = -5,
               .bytes = 1ULL << 40});
    const Request* found = table.find(0);
    QVERIFY(found != nullptr);
    QCOMPARE(found->number, 7U);
    QCOMPARE(found->startedAs, State::Issend);
    QVERIFY(found->receives && found->persistent && found->active);
    QCOMPARE(found->communicator, 3U);
    QCOMPARE(found->peer, 2);
    QCOMPARE(found->tag, -5);
    QCOMPARE(found->bytes, 1ULL << 40);
}

void TestRequestTable::oneHandleForSeveral()
{
    RequestTable table;
    for (std::uint32_t number = 1; number <= 3; ++number)
        table.add(42, numbered(number));
    QCOMPARE(table.size(), std::size_t{3});
    QCOMPARE(table.find(42)->number, 1U);
    QCOMPARE(table.take(42)->number, 1U);
    table.add(42, numbered(4));
    for (std::uint32_t number = 2; number <= 4; ++number)
        QCOMPARE(table.take(42)->number, number);
    QVERIFY(table.find(42) == nullptr);
}

// A program may start a hundred thousand sends that are all done at once. Quadratic work would take
// minutes.
void TestRequestTable::manyOfOneHandleAreQuick()
{
    RequestTable table;
    for (std::uint32_t number = 1; number <= 300'000; ++number)
        table.add(42, numbered(number));
    for (std::uint32_t number = 1; number <= 300'000; ++number)
        QCOMPARE(table.take(42)->number, number);
}

void TestRequestTable::foundOnesCanBeChanged()
{
    RequestTable table;
    table.add(1, {.number = 1, .persistent = true});
    table.find(1)->active = true;
    table.find(1)->number = 9;
    QVERIFY(table.find(1)->active);
    QCOMPARE(table.take(1)->number, 9U);
}

void TestRequestTable::behavesAsAMap_data()
{
    QTest::addColumn<quint64>("step");
    QTest::addColumn<int>("handles");
    // Small numbers, addresses, addresses of one page, and such that collide.
    for (const quint64 step : {1ULL, 512ULL, 4096ULL, 1ULL << 58}) {
        for (const int handles : {40, 3000})
            QTest::addRow("%llu x %d", step, handles) << step << handles;
    }
}

void TestRequestTable::behavesAsAMap()
{
    QFETCH(quint64, step);
    QFETCH(int, handles);
    std::mt19937 random{12'345};
    RequestTable table;
    std::map<Handle, std::deque<std::uint32_t>> model;
    std::size_t size = 0;
    for (std::uint32_t round = 1; round <= 50'000; ++round) {
        const Handle handle = static_cast<Handle>(random() % static_cast<unsigned>(handles)) * step;
        auto& expected = model[handle];
        if (random() % 2 == 0) {
            table.add(handle, numbered(round));
            expected.push_back(round);
            ++size;
        } else {
            const auto taken = table.take(handle);
            QCOMPARE(taken.has_value(), !expected.empty());
            if (taken) {
                QCOMPARE(taken->number, expected.front());
                expected.pop_front();
                --size;
            }
        }
        QCOMPARE(table.size(), size);
    }
    for (const auto& [handle, expected] : model) {
        for (const std::uint32_t number : expected)
            QCOMPARE(table.take(handle)->number, number);
        QVERIFY(table.find(handle) == nullptr);
    }
    QCOMPARE(table.size(), std::size_t{0});
}

QTEST_APPLESS_MAIN(TestRequestTable)

} // namespace tst_requesttable

#include "tst_requesttable.moc"
