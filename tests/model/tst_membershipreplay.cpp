// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "falsifiedlog.h"
#include "replaycourse.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

using namespace tasuki;
using namespace tasuki::membership;
using hierarchy::KeeperOptions;
using hierarchy::testing::Sabotage;

namespace {

using Log = FalsifiedLog;
using Words = FalsifiedLog::Words;

const auto any = [](const Words&) { return true; };

const ReplayRow& rowOf(const std::string& name)
{
    return *std::ranges::find(replayRows(), name, &ReplayRow::name);
}

/// Two sides, one with a majority: another one comes to act, voters change, those of the other side come back.
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

/// The place of the word that says of a stamp, an acknowledgement, or a change what they are.
constexpr std::size_t first = 4;

/// @return where somebody is first something, and how
std::size_t findIs(const Log& log, const std::string& part, const std::string& standing,
                   std::size_t from = 0)
{
    return log.find(
        "is", [&](const Words& said) { return said[first] == part && said[first + 1] == standing; },
        from);
}

/// One that acts after another one has.
std::size_t findSuccessor(const Log& log)
{
    return log.find("is",
                    [&](const Words& said) { return said[first] == "acts" && said[2] != "0"; });
}

/// The next line of who acts that says by which words.
std::size_t findMastersWords(const Log& log, std::size_t from)
{
    return log.find(
        "words", [](const Words& said) { return said[2] == said.back(); }, from);
}

/// The table that lists voters to be.
std::size_t findStepOne(const Log& log)
{
    return log.find(
        "writes", [](const Words& said) { return said[first] == "system" && said.back() != "-"; });
}

/// A table that condemns somebody first; @return the place of its word, too
std::pair<std::size_t, std::size_t> findVerdict(const Log& log)
{
    std::size_t place = 0;
    const std::size_t at = log.find("writes", [&](const Words& said) {
        for (std::size_t i = first + 3; i < said.size(); ++i) {
            place = i;
            if (said[i].find(":3:2:1:0:") != std::string::npos)
                return true;
        }
        return false;
    });
    return {at, place};
}

struct Falsification {
    const char* rule;
    const char* what;
    std::function<void(Log&)> falsify;
};

/// Sets a word of the first line that fits.
std::function<void(Log&)> with(const char* what, std::function<bool(const Words&)> fits,
                               std::function<void(Words&)> change)
{
    return [what, fits = std::move(fits), change = std::move(change)](Log& log) {
        const std::size_t at = log.find(what, fits);
        Words said = log.words(at);
        change(said);
        log.set(at, said);
    };
}

bool isOfOther(const Words& said) { return said[2] != said[first]; }

const std::vector<Falsification>& acknowledgements()
{
    static const std::vector<Falsification> all{
        {"ack-alone", "one that is divided says that it follows alone",
         with(
             "acknowledges", [](const Words& said) { return said.back() == "divided"; },
             [](Words& said) { said.back() = "alone"; })},
        {"ack-unmade", "a stamp is acknowledged that nobody made",
         with("acknowledges", isOfOther, [](Words& said) { said[first + 1] += "7"; })},
        {"ack-table", "one has not the system table by which it acknowledges",
         [](Log& log) {
             log.erase(log.find("adopts", [](const Words& said) {
                 return said[first] == "system" && said[first + 1] != "1.2";
             }));
         }},
        {"ack-age", "a stamp is taken for older than it is",
         with("acknowledges", isOfOther,
              [](Words& said) {
                  said[first + 3] = std::to_string(std::stoll(said[first + 3]) - 300'000);
              })},
        {"ack-back", "an older stamp is acknowledged after a newer one",
         [](Log& log) {
             const std::size_t old = log.find("acknowledges", isOfOther);
             const Words said = log.words(old);
             const auto alike = [&](const Words& other) {
                 return other[2] == said[2] && other[first] == said[first];
             };
             const std::size_t later = log.find("acknowledges", alike, old + 1);
             const std::size_t last = log.find("acknowledges", alike, later + 1);
             Words again = log.words(last);
             again[first + 1] = said[first + 1];
             log.set(last, again);
         }},
        {"stamp-candidate", "a candidate's stamps do not say what it is",
         with(
             "stamps", [](const Words& said) { return said.back() == "candidate"; },
             [](Words& said) { said.back() = "master"; })},
        {"renounce-granted", "one renounces stamps on which its grant hangs",
         [](Log& log) {
             const std::size_t at = log.find(
                 "stamps", [](const Words& said) { return said[2] == "0"; }, log.size() / 10);
             log.say(at, "0", "renounced 0 " + log.words(at)[first]);
         }},
        {"renounce-unsaid", "one hears that stamps are renounced that nobody has",
         [](Log& log) { log.say(log.find("words", any), "1", "renounced 0 1"); }},
    };
    return all;
}

const std::vector<Falsification>& acts()
{
    static const std::vector<Falsification> all{
        {"grant-majority", "the system master has a grant that no majority gave",
         [](Log& log) {
             const std::size_t at = findMastersWords(log, log.size() / 10);
             Words said = log.words(at);
             said[first + 1] = said[1];
             log.set(at, said);
         }},
        {"alone-majority", "it is trusted by a stamp that no majority has",
         [](Log& log) {
             const std::size_t at = findMastersWords(log, log.size() / 10);
             Words said = log.words(at);
             said[first + 2] = said[1];
             log.set(at, said);
         }},
        {"grant-unheard", "a grant is younger on its way down",
         [](Log& log) {
             const std::size_t at = log.find(
                 "words", [](const Words& said) { return said[2] != said.back(); },
                 log.size() / 10);
             Words said = log.words(at);
             said[first + 1] = said[1];
             log.set(at, said);
         }},
        {"old-grant", "a system master goes on under a grant that is over",
         [](Log& log) { log.erase(findIs(log, "leads", "lapsed")); }},
        {"old-lease", "one goes on under a lease that is over",
         [](Log& log) {
             std::size_t at = log.find("words", [](const Words& said) { return said[2] == "11"; });
             const std::string lease = log.words(at)[first];
             while (at < log.size()) {
                 Words said = log.words(at);
                 said[first] = lease;
                 log.set(at, said);
                 at = log.find(
                     "words", [](const Words& next) { return next[2] == "11"; }, at + 1);
             }
         }},
        {"regain-trust", "one that has lapsed acts again without being trusted",
         [](Log& log) {
             const std::size_t at = findIs(log, "leads", "lapsed");
             const Words said = log.words(at);
             log.say(at, said[2], "is leads valid");
         }},
        {"acts-trust", "a candidate acts when it begins to lead",
         [](Log& log) { log.advance(findSuccessor(log), findIs(log, "leads", "valid")); }},
        {"acts-order", "one acts that others come before",
         [](Log& log) { log.advance(findSuccessor(log), findIs(log, "leads", "valid")); }},
        {"two-act", "the one before it has a grant still",
         [](Log& log) {
             const std::size_t at = findSuccessor(log);
             const std::size_t lapses = findIs(log, "leads", "lapsed");
             const std::string former = log.words(lapses)[2];
             const std::string when = log.words(
                 log.find("stamps", [&](const Words& said) { return said[2] == former; }))[1];
             log.say(at - 1, former, "is acts valid");
             const std::string own = log.words(at)[1];
             log.say(at - 1, former, "words " + own + " " + own + " " + own + " " + former);
         }},
        {"fenced-cause", "one gives itself up that nobody has lost",
         with(
             "is",
             [](const Words& said) { return said[first] == "member" && said.back() == "lapsed"; },
             [](Words& said) { said[first] = "fenced"; })},
        {"entry", "one comes back in another life than that in which it is let in",
         with("asks", any, [](Words& said) { said[first] = "9"; })},
    };
    return all;
}

const std::vector<Falsification>& tables()
{
    static const std::vector<Falsification> all{
        {"voters-step", "voters change at once",
         [](Log& log) {
             const std::size_t at = findStepOne(log);
             Words said = log.words(at);
             std::swap(said[first + 3], said[first + 4]);
             log.set(at, said);
         }},
        {"voters-acknowledged", "voters change before all have the table",
         [](Log& log) {
             const std::size_t one = findStepOne(log);
             const std::size_t three = log.find(
                 "writes",
                 [](const Words& said) { return said[first] == "system" && said.back() == "-"; },
                 one);
             log.advance(three, one);
         }},
        {"voters-wanted", "one that lives is not to vote",
         [](Log& log) {
             const std::size_t at = findStepOne(log);
             Words said = log.words(at);
             said.back().erase(said.back().rfind(','));
             log.set(at, said);
         }},
        {"generation", "who is trusted goes on in the generation that it knows",
         [](Log& log) {
             const Words said = log.words(log.find("writes", [](const Words& words) {
                 return words[first] == "system" && words[2] != "0";
             }));
             const std::string& version = said[first + 1];
             log.replaceBeginnings(version.substr(0, version.find('.') + 1), "1.90");
         }},
        {"table-version", "a table is older than the one before",
         [](Log& log) {
             const std::size_t at = log.find(
                 "writes", [](const Words& said) { return said[first] == "cluster"; },
                 log.size() / 4);
             Words said = log.words(at);
             said[first + 1] = "1.1";
             log.set(at, said);
         }},
        {"table-old", "one takes an older table",
         [](Log& log) {
             const Words said = log.words(
                 log.find("adopts", [](const Words& words) { return words[first] == "system"; }));
             log.say(log.size() - 1, said[2], "adopts system 1.1");
         }},
        {"lost-early", "somebody is lost when it is condemned",
         [](Log& log) {
             const auto [at, place] = findVerdict(log);
             Words said = log.words(at);
             said[place].replace(said[place].find(":3:"), 3, ":4:");
             log.set(at, said);
         }},
        {"condemned-trust", "somebody is condemned by one that has no majority",
         [](Log& log) {
             const auto [at, place] = findVerdict(log);
             const Words said = log.words(at);
             const std::string own = said[1];
             const std::string old = std::to_string(std::stoll(own) - 1'500'000);
             log.say(at - 1, said[2], "words " + own + " " + old + " " + old + " " + said[2]);
         }},
        {"ended-lives", "somebody is said to have ended that lives",
         [](Log& log) {
             const auto [at, place] = findVerdict(log);
             Words said = log.words(at);
             said[place].replace(said[place].find(":3:2:1:0:"), 9, ":4:2:1:1:");
             log.set(at, said);
         }},
        {"two-hold", "one takes a seat that another one holds",
         [](Log& log) {
             const Words said = log.words(log.find("holds", any));
             const std::size_t at = log.find(
                 "holds", [&](const Words& other) { return other[2] != said[2]; });
             Words other = log.words(at);
             std::copy(said.begin() + first, said.end(), other.begin() + first);
             log.set(at, other);
         }},
        {"seat-standing", "one that has lapsed keeps its seat",
         [](Log& log) {
             const std::size_t lapses = findIs(log, "member", "lapsed");
             const std::string who = log.words(lapses)[2];
             log.erase(log.find(
                 "holds", [&](const Words& said) { return said[2] == who && said.back() == "-"; },
                 lapses));
         }},
        {"life", "one is let in that has not asked",
         [](Log& log) { log.erase(log.find("asks", any)); }},
    };
    return all;
}

} // namespace

/// Logs of what keepers decide, held against the text of the protocol; and that falsified ones are noticed.
class TestMembershipReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void permitsWhatKeepersDecide();
    void noticesFalsifiedLogs_data();
    void noticesFalsifiedLogs();
    void noticesOtherRules_data();
    void noticesOtherRules();
};

/// One log of each row.
void TestMembershipReplay::permitsWhatKeepersDecide()
{
    std::size_t events = 0;
    for (const ReplayRow& row : replayRows()) {
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

void TestMembershipReplay::noticesFalsifiedLogs_data()
{
    QTest::addColumn<const Falsification*>("falsification");
    for (const auto* const all : {&acknowledgements(), &acts(), &tables()}) {
        for (const Falsification& one : *all)
            QTest::newRow(one.what) << &one;
    }
}

void TestMembershipReplay::noticesFalsifiedLogs()
{
    QFETCH(const Falsification*, falsification);
    static const std::string truth = courseLog(rowOf(sides), 2);
    Log log(truth);
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
        << options([](KeeperOptions& all) { all.leaseBeats = 60; }) << "sides, over two hosts"
        << "old-grant";
    QTest::newRow("old words are trusted")
        << options([](KeeperOptions& all) { all.trustBeats = 24; })
        << "several hosts pause, over two hosts"
        << "grant-regained";
    QTest::newRow("leases are not waited for")
        << options([](KeeperOptions& all) { all.leaseWaitBeats = 20; }) << "sides, over two hosts"
        << "lost-early";
    QTest::newRow("the suspended wait for long")
        << options([](KeeperOptions& all) { all.suspendedBeats = 60; })
        << "several hosts pause, over two hosts"
        << "suspended";
    QTest::newRow("the lapsed give themselves up")
        << options([](KeeperOptions& all) { all.lapsedWithin = 500ms; })
        << "all hosts apart, over two hosts"
        << "fenced-cause";
}

/// Keepers that go by other rules.
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
