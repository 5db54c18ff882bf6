// SPDX-License-Identifier: GPL-3.0-or-later
#include "falsifications.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace tasuki::membership {

namespace {

using Log = FalsifiedLog;
using Words = FalsifiedLog::Words;

const auto any = [](const Words&) { return true; };

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

} // namespace

const std::vector<Falsification>& falseAcknowledgements()
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

const std::vector<Falsification>& falseActs()
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
        {"lease-unheard", "a lease is renewed and nobody has answered",
         [](Log& log) {
             const std::size_t at = log.find(
                 "words", [](const Words& said) { return said[2] != said.back(); },
                 log.size() / 10);
             Words said = log.words(at);
             said[first] = said[1];
             said[first + 3] = "-";
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
             log.say(at - 1, former, "words " + own + " " + own + " " + own + " - " + former);
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

const std::vector<Falsification>& falseTables()
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
             log.say(at - 1, said[2], "words " + own + " " + old + " " + old + " - " + said[2]);
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

} // namespace tasuki::membership
