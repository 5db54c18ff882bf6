// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QTest>
#include <QTranslator>

#include "config/layout.h"
#include "config/topologyreader.h"
#include "models/wording.h"
#include "sampletopology.h"
#include "topology/topologycells.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace tst_topologyphrases {

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

struct WrongLaunch {
    Topology topology;
    std::vector<std::string> hosts;
};

/// A launch for each thing that a topology and a launch can have against each other.
std::vector<WrongLaunch> wrongLaunches()
{
    const std::vector<std::string> twelve(12, "node0");
    const Topology sample = sampleTopology();
    std::vector<WrongLaunch> all;
    all.push_back({sample, std::vector<std::string>(11, "node0")});
    Topology one;
    one.subclusters = {{.name = "one", .active = 4}};
    all.push_back({one, {"a", "a", "a"}});
    one.subclusters = {{.name = "one", .active = 1, .minimum = 1}};
    all.push_back({one, {"a", "a"}});
    Topology many;
    for (int i = 0; i < 10; ++i)
        many.subclusters.push_back({.name = "s" + std::to_string(i)});
    all.push_back({many, twelve});
    all.push_back({sample, std::vector<std::string>(12, "nod0")});
    std::vector<std::string> spread;
    for (int i = 0; i < 12; ++i)
        spread.push_back("host" + std::to_string(i));
    all.push_back({sample, spread});
    std::vector<std::string> domains = twelve;
    for (std::size_t i = 0; i < domains.size(); ++i)
        domains[i] = i % 2 == 0 ? "node0.a.example" : "node0.b.example";
    all.push_back({sample, domains});
    std::vector<std::string> few = twelve;
    std::fill(few.begin() + 3, few.end(), "node1");
    all.push_back({sample, few});
    Topology sharing = sample;
    sharing.subclusters[1].hosts = {"node0"};
    all.push_back({sharing, few});
    Topology single = sample;
    single.subclusters = {{.name = "x", .hosts = {"a"}}, {.name = "y", .hosts = {"a"}}};
    all.push_back({single, {"a", "b"}});
    single.subclusters = {{.name = "x", .hosts = {"c"}}, {.name = "y"}};
    all.push_back({single, {"a", "b"}});
    Topology unused = sample;
    unused.subclusters[0].hosts = {"node0", "node1"};
    unused.subclusters[0].units.reset();
    std::vector<std::string> behind = twelve;
    behind[11] = "node1";
    all.push_back({unused, behind});
    Topology units = sample;
    units.subclusters[0].hosts.clear();
    units.subclusters[0].units = 3;
    std::vector<std::string> thin = twelve;
    thin[0] = thin[1] = "node1";
    all.push_back({units, thin});
    return all;
}

constexpr std::array wrongFiles{
    "",
    "[[subcluster]]\nname = \"a\"\nactive = = 2\n",
    "[subcluster]\nname = \"a\"\nactive = 1\n",
    "subcluster = 2\n",
    "subcluster = [{name = \"a\", active = 1}, 3]\n",
    "system = 1\n[[subcluster]]\nname = \"a\"\nactive = 1\n",
    "[[system]]\n[[subcluster]]\nname = \"a\"\nactive = 1\n",
    "[[subclusters]]\nname = \"a\"\n",
    "heartbeat_ms = 50\nactive = 2\n",
    "[system]\nhartbeat = 100\nunits = 2\nheartbeat_ms = 1.5\nlost_after = -1\n"
    "suspect_after = \"x\"\npolicy = \"stopp\"\n",
    "[system]\nheartbeat_ms = true\nlost_after = [1]\nsuspect_after = nan\npolicy = 1979-05-27\n",
    "[system]\nheartbeat_ms = { a = 1 }\nlost_after = -inf\n",
    "[[subcluster]]\n",
    "[[subcluster]]\nname = 7\nactive = 4\nhosts = \"a\"\nrestarts = 3\ndedicated_master = 1\n",
    "[[subcluster]]\nname = \"a\"\nactive = 4\nhosts = []\nrestarts = { count = 1, within = 6 }\n",
    "[[subcluster]]\nname = \"a\"\nactive = 4\nhosts = [\"a\", 2]\nstandbys = 1\npolicy = 1\n",
    "[[subcluster]]\nname = \"a\"\nactive = 4\nwithin_s = 60\nunits = 9\nminimum = 9\n",
    "[[subcluster]]\nname = \"a\"\nactive = 4\n[[subcluster]]\nname = \"a\"\nactive = 4\n",
};

/// Whether words are in Japanese; names and numbers alone are in no language.
bool isJapanese(const QString& words)
{
    return std::ranges::any_of(words, [](QChar c) {
        return c.script() == QChar::Script_Hiragana || c.script() == QChar::Script_Katakana;
    });
}

bool isJapanese(const Phrase& phrase) { return isJapanese(wording::phrase(phrase)); }

} // namespace

/// What breaks it: a rule that says something in English alone, as text or without a translation.
class TestTopologyPhrases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void faults();
    void ranges();
    void layouts();
    void files();
    void inTheLanguageOfTheUser();

private:
    QTranslator m_japanese;
};

void TestTopologyPhrases::initTestCase()
{
    QVERIFY(m_japanese.load(QStringLiteral(":/translations/tasuki_ja")));
    QCoreApplication::installTranslator(&m_japanese);
}

void TestTopologyPhrases::faults()
{
    int faults = 0;
    for (const Topology& topology : wrongTopologies()) {
        for (const config::TopologyFault& fault : config::topologyFaults(topology)) {
            ++faults;
            QVERIFY2(isJapanese(fault.message), fault.message.text().c_str());
            QVERIFY2(isJapanese(fault.remedy), fault.remedy.text().c_str());
        }
    }
    QVERIFY(faults >= 22);
}

void TestTopologyPhrases::ranges()
{
    int rules = 0;
    const auto look = [&rules](TopologyField field) {
        if (const config::WholeRule* rule = config::ruleOf(field)) {
            ++rules;
            QVERIFY(isJapanese(rule->expected()));
        }
    };
    std::ranges::for_each(systemFields, look);
    std::ranges::for_each(subclusterFields, look);
    QVERIFY(rules >= 9);
}

void TestTopologyPhrases::layouts()
{
    std::set<std::string> messages;
    for (const WrongLaunch& launch : wrongLaunches()) {
        QVERIFY(config::topologyFaults(launch.topology).empty());
        const auto reading = config::layOut(launch.topology, launch.hosts);
        QVERIFY(!reading.diagnostics.empty());
        for (const Diagnostic& told : reading.diagnostics) {
            QVERIFY2(isJapanese(told.message), told.message.text().c_str());
            QVERIFY2(isJapanese(told.remedy), told.remedy.text().c_str());
            messages.insert(told.message.text());
        }
    }
    QVERIFY(messages.size() >= 8);
}

void TestTopologyPhrases::files()
{
    for (const char* text : wrongFiles) {
        const auto reading = config::readTopologyText(text, "t.toml");
        QVERIFY2(!reading.diagnostics.empty(), text);
        for (const Diagnostic& told : reading.diagnostics) {
            QVERIFY2(isJapanese(told.message), told.text().c_str());
            QVERIFY2(isJapanese(told.remedy), told.text().c_str());
        }
    }
}

void TestTopologyPhrases::inTheLanguageOfTheUser()
{
    Topology topology = sampleTopology();
    topology.subclusters[0].name = "a b";
    const auto faults = config::topologyFaults(topology);
    QCOMPARE(faults.size(), std::size_t{1});
    const QString japanese = QStringLiteral("名前 \"a b\" に空白が含まれています");
    QVERIFY2(sentence(faults[0]).startsWith(japanese), qPrintable(sentence(faults[0])));
    QCoreApplication::removeTranslator(&m_japanese);
    QCOMPARE(sentence(faults[0]),
             QString::fromStdString(faults[0].message.text() + "; " + faults[0].remedy.text()));
}

QTEST_GUILESS_MAIN(TestTopologyPhrases)

} // namespace tst_topologyphrases

#include "tst_topologyphrases.moc"
