// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "falsifications.h"
#include "replaycourse.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

using namespace tasuki;
using namespace tasuki::membership;
using hierarchy::MembershipOptions;
using hierarchy::testing::Sabotage;

namespace {

const hierarchy::testing::OutageRow& rowOf(const std::string& name)
{
    return *std::ranges::find(hierarchy::testing::outageRows(), name,
                              &hierarchy::testing::OutageRow::name);
}

const std::string sides = "sides, over two hosts";

bool says(const Replay& replay, const std::string& rule)
{
    return std::ranges::any_of(replay.divergences(),
                               [&](const Divergence& one) { return one.rule == rule; });
}

QString told(const Replay& replay)
{
    std::string out;
    for (const Divergence& one : replay.divergences())
        out += "\n  line " + std::to_string(one.line) + ": " + one.rule + ": " + one.what;
    return QString::fromStdString(out.empty() ? "nothing diverges" : out);
}

} // namespace

/// Logs of what membership agents decide, held against the text of the protocol; and that falsified ones are noticed.
class TestMembershipReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void permitsWhatMembershipAgentsDecide();
    void permitsGuests();
    void noticesFalsifiedLogs_data();
    void noticesFalsifiedLogs();
    void noticesOtherRules_data();
    void noticesOtherRules();
};

/// One log of each row.
void TestMembershipReplay::permitsWhatMembershipAgentsDecide()
{
    std::size_t events = 0;
    for (const hierarchy::testing::OutageRow& row : hierarchy::testing::outageRows()) {
        const ReplayResult result = replayCourse(row, 1);
        events += result.events;
        if (!result.divergences.empty()) {
            const Divergence& found = result.divergences.front();
            qWarning("%s: line %d: %s: %s", row.name.c_str(), static_cast<int>(found.line),
                     found.rule.c_str(), found.what.c_str());
        }
        QVERIFY(result.divergences.empty());
    }
    QVERIFY(events > 100'000);
}

/// The same of courses in which processors come after the start; TASUKI_SIMULATION_SEEDS of each row.
void TestMembershipReplay::permitsGuests()
{
    const int seeds = std::max(1, qEnvironmentVariableIntValue("TASUKI_SIMULATION_SEEDS"));
    for (hierarchy::testing::OutageRow row : hierarchy::testing::outageRows()) {
        row.kind.guests = 4;
        for (int seed = 1; seed <= seeds; ++seed) {
            const auto found = replayCourse(row, static_cast<std::uint64_t>(seed)).divergences;
            if (!found.empty())
                qWarning("%s, seed %d: line %d: %s: %s", row.name.c_str(), seed,
                         static_cast<int>(found.front().line), found.front().rule.c_str(),
                         found.front().what.c_str());
            QVERIFY(found.empty());
        }
    }
}

void TestMembershipReplay::noticesFalsifiedLogs_data()
{
    QTest::addColumn<const Falsification*>("falsification");
    for (const auto* const all : {&falseAcknowledgements(), &falseActs(), &falseTables()}) {
        for (const Falsification& one : *all)
            QTest::newRow(one.what) << &one;
    }
}

void TestMembershipReplay::noticesFalsifiedLogs()
{
    QFETCH(const Falsification*, falsification);
    static const std::string truth = courseLog(rowOf(sides), 2);
    FalsifiedLog log(truth);
    QVERIFY2(log.replayed().divergences().empty(), "the log was wrong before");
    falsification->falsify(log);
    const Replay replay = log.replayed();
    QVERIFY2(says(replay, falsification->rule), qPrintable(falsification->rule + told(replay)));
}

void TestMembershipReplay::noticesOtherRules_data()
{
    QTest::addColumn<Sabotage>("sabotage");
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("rule");
    const auto options = [](auto change) {
        Sabotage out;
        out.options = change;
        return out;
    };
    using namespace std::chrono_literals;
    QTest::newRow("nobody is followed alone for long")
        << Sabotage{.nobodyWaits = true} << "sides, over all hosts"
        << "ack-alone";
    QTest::newRow("everybody is said to follow")
        << Sabotage{.everybodyAgrees = true} << "sides, over two hosts"
        << "grant-majority";
    QTest::newRow("leases last longer")
        << options([](MembershipOptions& all) { all.leaseBeats = 60; }) << "sides, over two hosts"
        << "old-grant";
    QTest::newRow("old words are trusted")
        << options([](MembershipOptions& all) { all.trustBeats = 24; })
        << "several hosts pause, over two hosts"
        << "grant-regained";
    QTest::newRow("leases are not waited for")
        << options([](MembershipOptions& all) { all.leaseWaitBeats = 20; })
        << "sides, over two hosts"
        << "lost-early";
    QTest::newRow("the suspended wait for long")
        << options([](MembershipOptions& all) { all.suspendedBeats = 60; })
        << "several hosts pause, over two hosts"
        << "suspended";
    QTest::newRow("the lapsed give themselves up")
        << options([](MembershipOptions& all) { all.lapsedWithin = 500ms; })
        << "all hosts apart, over two hosts"
        << "fenced-cause";
}

/// Membership agents that go by other rules.
void TestMembershipReplay::noticesOtherRules()
{
    QFETCH(Sabotage, sabotage);
    QFETCH(QString, row);
    QFETCH(QString, rule);
    constexpr std::uint64_t seeds = 20;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto found = replayCourse(rowOf(row.toStdString()), seed, sabotage).divergences;
        if (std::ranges::any_of(
                found, [&](const Divergence& one) { return one.rule == rule.toStdString(); }))
            return;
    }
    QFAIL("not noticed");
}

QTEST_APPLESS_MAIN(TestMembershipReplay)

#include "tst_membershipreplay.moc"
