// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "sampletopology.h"
#include "topology/rulewords.h"
#include "topology/topologycells.h"

#include <functional>

using namespace tasuki;
using namespace tasuki::testing;
using config::SubclusterSpec;
using config::Topology;
using config::TopologyField;

namespace {

/// A topology for each thing that can be wrong in it.
std::vector<Topology> wrongTopologies()
{
    std::vector<Topology> all;
    const auto add = [&all](const std::function<void(Topology&)>& spoil) {
        Topology topology = sampleTopology();
        spoil(topology);
        all.push_back(std::move(topology));
    };
    const auto spec = [&add](const std::function<void(SubclusterSpec&)>& spoil) {
        add([&spoil](Topology& topology) { spoil(topology.subclusters[0]); });
    };
    add([](Topology& t) { t.lostAfter = t.suspectAfter; });
    add([](Topology& t) { t.subclusters.clear(); });
    add([](Topology& t) { t.subclusters[1].name = t.subclusters[0].name; });
    add([](Topology& t) {
        t.subclusters.resize(config::limits::mostSubclusters + 1);
        for (std::size_t i = 0; i < t.subclusters.size(); ++i)
            t.subclusters[i].name = "s" + std::to_string(i);
    });
    add([](Topology& t) {
        t.subclusters.resize(11);
        for (std::size_t i = 0; i < t.subclusters.size(); ++i) {
            t.subclusters[i].name = "s" + std::to_string(i);
            t.subclusters[i].active = 100'000;
        }
    });
    for (const char* name : {"", "a b", "a\xC3\xA9", "a/b", "a\"b", "a1", "7/7"})
        spec([name](SubclusterSpec& s) { s.name = name; });
    spec([](SubclusterSpec& s) { s.name = std::string(65, 'a'); });
    spec([](SubclusterSpec& s) { s.minimum = 5; });
    spec([](SubclusterSpec& s) { s.units = 7; });
    spec([](SubclusterSpec& s) { s = {.name = "one", .units = 2}; });
    spec([](SubclusterSpec& s) { s = {.name = "one", .hosts = {"a", "b"}}; });
    spec([](SubclusterSpec& s) { s.hosts = {"a", "b", "c", "d"}; });
    spec([](SubclusterSpec& s) {
        s.units.reset();
        s.hosts = {"a", "b", "c", "d", "e", "f", "g"};
    });
    spec([](SubclusterSpec& s) { s.hosts = {""}; });
    spec([](SubclusterSpec& s) { s.hosts = {"a b"}; });
    spec([](SubclusterSpec& s) { s.hosts = {"a\tb"}; });
    spec([](SubclusterSpec& s) { s.hosts = {std::string(256, 'a')}; });
    spec([](SubclusterSpec& s) { s.hosts = {"a", "a"}; });
    spec([](SubclusterSpec& s) {
        s.active = 100'000;
        s.hosts.clear();
        for (std::size_t i = 0; i <= config::limits::mostHosts; ++i)
            s.hosts.push_back("h" + std::to_string(i));
    });
    return all;
}

bool isKnown(const QString& pattern)
{
    const auto patterns = rulewords::patterns();
    return std::ranges::any_of(
        patterns, [&pattern](const char* known) { return pattern == QLatin1String(known); });
}

} // namespace

/// What breaks it: a rule that says something new in English alone.
class TestTopologyRuleWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsAllFaults();
    void knowsAllRanges();
    void saysInEnglishWhatTheRulesSay();
    void keepsWhatItDoesNotKnow();
};

void TestTopologyRuleWords::knowsAllFaults()
{
    int faults = 0;
    for (const Topology& topology : wrongTopologies()) {
        for (const config::TopologyFault& fault : config::topologyFaults(topology)) {
            ++faults;
            for (const std::string& words : {fault.message, fault.remedy}) {
                const QString pattern = rulewords::pattern(words);
                QVERIFY2(isKnown(pattern), qPrintable(pattern));
            }
        }
    }
    QVERIFY(faults >= 22);
}

void TestTopologyRuleWords::knowsAllRanges()
{
    for (const auto field : systemFields) {
        if (const config::WholeRule* rule = config::ruleOf(field))
            QVERIFY(isKnown(rulewords::pattern(rule->expected)));
    }
    for (const auto field : subclusterFields) {
        if (const config::WholeRule* rule = config::ruleOf(field))
            QVERIFY(isKnown(rulewords::pattern(rule->expected)));
    }
}

void TestTopologyRuleWords::saysInEnglishWhatTheRulesSay()
{
    for (const Topology& topology : wrongTopologies()) {
        for (const config::TopologyFault& fault : config::topologyFaults(topology)) {
            QCOMPARE(sentence(fault), QString::fromStdString(fault.message + "; " + fault.remedy));
        }
    }
}

void TestTopologyRuleWords::keepsWhatItDoesNotKnow()
{
    QCOMPARE(rulewords::pattern("a \"x 1\" and 27, 3"), QStringLiteral("a %1 and %2, %3"));
    QCOMPARE(rulewords::translated("a \"%2\" and 27"), QStringLiteral("a \"%2\" and 27"));
    QCOMPARE(rulewords::translated("nothing to replace"), QStringLiteral("nothing to replace"));
}

QTEST_APPLESS_MAIN(TestTopologyRuleWords)
#include "tst_topologyrulewords.moc"
