// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/observationbook.h"

namespace tst_observationbook {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

SteadyTime at(std::chrono::nanoseconds time) { return SteadyTime{} + 100s + time; }

Observed seen(Observation what, std::chrono::microseconds since = 0us)
{
    return {ProcessorId(1), what, HealthCause::None, since};
}

MembershipView viewWith(Health health)
{
    MembershipView view(std::vector<Place>(2), {}, {});
    ClusterTable table = view.cluster(SubclusterId(0));
    table.members[1].health = health;
    ++table.version.revision;
    view.adopt(std::make_shared<const ClusterTable>(table));
    return view;
}

} // namespace

class TestObservationBook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saidUntilTheTablesShowIt();
    void timeGoesOn();
    void weights();
    void news();
    void passing();
    void silentElsewhere();
};

void TestObservationBook::saidUntilTheTablesShowIt()
{
    ObservationBook book;
    book.note(seen(Observation::Gone), at(0s));
    book.compare(viewWith(Health::Alive));
    book.compare(viewWith(Health::Condemned));
    QVERIFY(!book.empty());
    book.compare(viewWith(Health::Lost));
    QVERIFY(book.empty());
    book.note(seen(Observation::Silent), at(0s));
    book.compare(viewWith(Health::Condemned));
    QVERIFY(book.empty());
}

void TestObservationBook::timeGoesOn()
{
    ObservationBook book;
    book.note(seen(Observation::Silent, 1'000'000us), at(2s));
    QCOMPARE(book.open(at(2s)), std::vector{seen(Observation::Silent, 1'000'000us)});
    QCOMPARE(book.open(at(5s)), std::vector{seen(Observation::Silent, 4'000'000us)});
}

void TestObservationBook::weights()
{
    ObservationBook book;
    const auto what = [&] { return book.open(at(0s)).front().what; };
    book.note(seen(Observation::Late), at(0s));
    book.note(seen(Observation::Back), at(0s));
    QCOMPARE(what(), Observation::Back);
    book.note(seen(Observation::Silent), at(0s));
    book.note(seen(Observation::Late), at(0s));
    QCOMPARE(what(), Observation::Silent);
    // Nobody has decided yet: who is heard again is killed for nothing.
    QVERIFY(book.note(seen(Observation::Back), at(0s)));
    QCOMPARE(what(), Observation::Back);
    book.note(seen(Observation::Stuck), at(0s));
    book.note(seen(Observation::Back), at(0s));
    QCOMPARE(what(), Observation::Stuck);
    book.note(seen(Observation::Gone), at(0s));
    book.note(seen(Observation::Silent), at(0s));
    book.note(seen(Observation::Late), at(0s));
    QCOMPARE(what(), Observation::Gone);
    QCOMPARE(book.open(at(0s)).size(), std::size_t(1));
}

void TestObservationBook::news()
{
    ObservationBook book;
    QVERIFY(book.note(seen(Observation::Silent), at(0s)));
    QVERIFY(!book.note(seen(Observation::Silent), at(1s)));
    QVERIFY(!book.note(seen(Observation::Late), at(1s)));
    QVERIFY(book.note(seen(Observation::Gone), at(1s)));
    QVERIFY(!book.note(seen(Observation::Silent), at(1s)));
}

void TestObservationBook::passing()
{
    ObservationBook book;
    for (const Observation what : {Observation::Late, Observation::Back}) {
        book.note(seen(what), at(0s));
        book.forgetPassing();
        QVERIFY(book.empty());
    }
    book.note(seen(Observation::Silent), at(0s));
    book.forgetPassing();
    QVERIFY(!book.empty());
}

void TestObservationBook::silentElsewhere()
{
    ObservationBook book;
    const auto elsewhere = [](ProcessorId one) { return one == ProcessorId(1); };
    book.note(seen(Observation::Silent), at(0s));
    book.forgetSilent([](ProcessorId) { return false; });
    QVERIFY(!book.empty());
    book.forgetSilent(elsewhere);
    QVERIFY(book.empty());
    book.note(seen(Observation::Gone), at(0s));
    book.forgetSilent(elsewhere);
    QVERIFY(!book.empty());
}

QTEST_APPLESS_MAIN(TestObservationBook)

} // namespace tst_observationbook

#include "tst_observationbook.moc"
