// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a log, taken apart; and what can be said of one by itself.
#include "replay.h"
#include "replaywords.h"

#include <map>

namespace tasuki::membership {

void Replay::stamps(Processor& one, const Line& line)
{
    const auto when = numberIn<std::uint64_t>(line.words.at(0));
    const Version table = versionIn(line.words.at(1));
    const bool candidate = line.words.at(2) == "candidate";
    if (when < one.lastStamp)
        diverges("stamp-back", "a stamp is older than the one before");
    constexpr Us exact = 1000;
    if (static_cast<Us>(when) * exact > one.own
        || static_cast<Us>(when) * exact + exact + m_lag < one.own)
        diverges("stamp-time", "a stamp is of another time than it is made");
    if (one.system->version != table)
        diverges("stamp-table", "a stamp names another system table than its maker's");
    if (!candidate && !before(one).empty())
        diverges("stamp-candidate", "the stamps of a candidate do not say so");
    one.lastStamp = when;
    Made& made =
        m_stamps.try_emplace({one.number, when}, Made{.at = m_now, .tables = {}}).first->second;
    made.tables.insert(table);
    if (!candidate)
        m_actedBy.insert({one.number, table});
}

void Replay::acknowledges(Processor& one, const Line& line)
{
    const auto maker = numberIn<Number>(line.words.at(0));
    const auto when = numberIn<std::uint64_t>(line.words.at(1));
    const Version table = versionIn(line.words.at(2));
    const Us atLatest = numberIn<Us>(line.words.at(3));
    const bool isAlone = line.words.at(4) == "alone";
    const auto made = m_stamps.find({maker, when});
    if (made == m_stamps.end() || !made->second.tables.contains(table)) {
        diverges("ack-unmade", "it acknowledges a stamp that nobody has made");
        return;
    }
    if (one.system->version != table)
        diverges("ack-table", "the stamp names another system table than it has");
    const auto renounced = one.renounced.find(maker);
    if (renounced != one.renounced.end() && when <= renounced->second)
        diverges("ack-renounced", "the stamp was renounced, and it knows that");
    constexpr Us exact = 2000; // stamps are in milliseconds
    if (atLatest > one.own || one.at - agesAt(one, atLatest).least < made->second.at - exact)
        diverges("ack-age", "the stamp is taken for older than it is, or is not made yet");
    Given& given = one.gave[maker];
    if (when < given.when)
        diverges("ack-back", "it has acknowledged a newer one");
    if (isAlone && given.alone < when) { // else it was so when it said so first
        for (const auto& [other, word] : one.gave) {
            const bool binds = other != maker && word.binds && one.own - word.made < spans(38) - 2;
            if (binds && goesOnFor(one, other) != maker)
                diverges("ack-alone",
                         "it follows alone, but has acknowledged " + std::to_string(other)
                             + " less than 38 T ago");
        }
    }
    if (given.table != table)
        given.ofTable = given.aloneOfTable = 0;
    given.table = table;
    given.when = given.ofTable = when;
    if (isAlone)
        given.alone = given.aloneOfTable = when;
    given.made = atLatest;
    given.binds = true;
}

void Replay::renounces(Processor& one, const Line& line)
{
    const auto maker = numberIn<Number>(line.words.at(0));
    const auto upTo = numberIn<std::uint64_t>(line.words.at(1));
    if (maker == one.number) {
        one.hasRenounced = true;
        if (one.granted && one.own - *one.granted <= spans(38) - 2)
            diverges("renounce-granted", "a grant has hung on its stamps less than 38 T ago");
    } else if (m_all.at(maker).renounced[maker] < upTo) {
        diverges("renounce-unsaid", "that one has not renounced these stamps");
    }
    one.renounced[maker] = std::max(one.renounced[maker], upTo);
    if (const auto given = one.gave.find(maker);
        given != one.gave.end() && given->second.when <= upTo)
        given->second.binds = false;
}

void Replay::words(Processor& one, const Line& line)
{
    const Us lease = numberIn<Us>(line.words.at(0));
    const Us grant = numberIn<Us>(line.words.at(1));
    const Us alone = numberIn<Us>(line.words.at(2));
    std::optional<Number> by;
    std::optional<Number> from;
    if (line.words.at(3) != "-")
        by = numberIn<Number>(line.words[3]);
    if (line.words.at(4) != "-")
        from = numberIn<Number>(line.words[4]);
    if (std::max({lease, grant, alone}) > one.own)
        diverges("words-future", "its words are of later than now");
    if (!one.started())
        ; // what was said before the table that begins the run
    else if (from == one.number)
        leadersWords(one, grant, alone);
    else
        followersWords(one, grant, alone, from);
    if (one.started() && lease > one.lease && one.member() && !one.leads())
        checkLease(one, lease, by);
    one.lease = lease;
    // What it has answered with an earlier one may be on its way.
    one.leaseAt = std::max(one.leaseAt, one.at - agesAt(one, lease).least);
    one.grant = grant;
    one.alone = alone;
    one.grantAt = one.at - agesAt(one, grant).least;
    if (one.part == Part::Acts)
        checkTwoAct(one);
}

void Replay::countsEnded(Processor& one, const Line& line)
{
    const auto other = numberIn<Number>(line.words.at(0));
    const Us since = numberIn<Us>(line.words.at(1));
    if (!m_all.at(other).dead && !hasLeft(one, other))
        diverges("ended-lives", "it counts " + line.words[0] + " as ended, which lives");
    if (since > one.own)
        diverges("ended-lives", "it counts " + line.words[0] + " as ended since later than now");
    one.ended[other] = since;
}

void Replay::writes(Processor& one, const Line& line)
{
    const std::vector<std::string> rest(line.words.begin() + 1, line.words.end());
    if (line.words.front() == "system")
        writesSystem(one, systemIn(rest));
    else
        writesCluster(one, clusterIn(rest, one.number));
}

void Replay::adopts(Processor& one, const Line& line)
{
    const Version version = versionIn(line.words.at(1));
    if (line.words.front() == "system") {
        const auto written = m_systems.find(version);
        if (written == m_systems.end())
            return diverges("table-unwritten", "it has a system table that nobody wrote");
        if (version <= one.system->version)
            diverges("table-old", "it takes an older system table for the one that it had");
        const bool waits = !one.started();
        one.system = written->second;
        if (waits)
            begin(one);
        return;
    }
    const auto cluster = numberIn<Number>(line.words.at(2));
    const auto written = m_clusters.find({cluster, version});
    if (written == m_clusters.end())
        return diverges("table-unwritten", "it has a cluster table that nobody wrote");
    if (version <= one.clusters.at(cluster)->version && one.part != Part::Fenced)
        diverges("table-old", "it takes an older cluster table for the one that it had");
    one.clusters[cluster] = written->second;
}

void Replay::holds(Processor& one, const Line& line)
{
    if (line.words.at(0) == "-") {
        one.holding.reset();
        return;
    }
    takesSeat(one,
              {.seat = numberIn<Number>(line.words[0]),
               .incarnation = numberIn<Number>(line.words.at(1))});
}

void Replay::asks(Processor& one, const Line& line)
{
    one.asks = numberIn<std::uint32_t>(line.words.at(0));
    if (one.part != Part::Fenced)
        diverges("entry", "it asks to be let in and was not fenced");
    if (one.asks <= one.life)
        diverges("entry", "it asks to be let in, in a life that it had");
}

void Replay::is(Processor& one, const Line& line)
{
    static const std::map<std::string, Part> parts{{"member", Part::Member},
                                                   {"leads", Part::Leads},
                                                   {"acts", Part::Acts},
                                                   {"fenced", Part::Fenced},
                                                   {"over", Part::Over}};
    static const std::map<std::string, Standing> standings{{"valid", Standing::Valid},
                                                           {"suspended", Standing::Suspended},
                                                           {"lapsed", Standing::Lapsed}};
    becomes(one, parts.at(line.words.at(0)), standings.at(line.words.at(1)));
}

} // namespace tasuki::membership
