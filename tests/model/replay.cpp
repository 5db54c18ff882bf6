// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay.h"

#include "replaywords.h"

#include <stdexcept>

namespace tasuki::membership {

void Replay::diverges(const char* rule, const std::string& what)
{
    constexpr std::size_t mostOfRule = 3;
    if (++m_ofRule[rule] <= mostOfRule)
        m_divergences.push_back({m_lines, rule, what});
}

void Replay::head(const std::vector<std::string>& words)
{
    if (words.front() == "membership") {
        m_heartbeat = numberIn<Us>(words.at(3));
        return;
    }
    Processor& one = m_all[numberIn<Number>(words.at(1))];
    one.number = numberIn<Number>(words.at(1));
    one.host = numberIn<Number>(words.at(3));
    one.unit = numberIn<Number>(words.at(5));
}

/// A table that everybody has from the start.
void Replay::first(const std::vector<std::string>& words)
{
    const std::vector<std::string> rest(words.begin() + 2, words.end());
    if (words.at(1) == "system") {
        const SystemPtr table = systemIn(rest);
        m_systems[table->version] = table;
        m_newestSystem = table->version;
        for (auto& [number, one] : m_all)
            one.system = table;
        return;
    }
    const ClusterPtr table = clusterIn(rest, std::nullopt);
    m_clusters[{table->cluster, table->version}] = table;
    for (const auto& [number, row] : table->rows) {
        m_clusterOf[number] = table->cluster;
        if (!row.lives())
            m_over[number] = row.life; // who comes has no place
    }
    for (auto& [number, one] : m_all)
        one.clusters[table->cluster] = table;
}

void Replay::take(std::string_view text)
{
    ++m_lines;
    Line line{.number = m_lines, .what = {}, .words = split(text, ' ')};
    if (line.words.empty())
        return;
    if (line.words.front() == "membership" || line.words.front() == "processor")
        return head(line.words);
    if (line.words.front() == "first")
        return first(line.words);
    line.at = numberIn<Us>(line.words.at(0));
    line.own = numberIn<Us>(line.words.at(1));
    line.who = numberIn<Number>(line.words.at(2));
    line.what = line.words.at(3);
    line.words.erase(line.words.begin(), line.words.begin() + 4);
    if (line.at < m_now)
        throw std::runtime_error("line " + std::to_string(m_lines) + " is before the one before");
    ++m_events;
    m_now = line.at;
    Processor& one = m_all.at(line.who);
    constexpr Us step = 1000; // what is done in one go is said in one go
    if (one.begun && line.own > one.own + step)
        settle(one);
    one.begun = true;
    one.at = line.at;
    one.own = line.own;
    using Take = void (Replay::*)(Processor&, const Line&);
    static const std::map<std::string, Take> kinds{
        {"stamps", &Replay::stamps},       {"acknowledges", &Replay::acknowledges},
        {"renounced", &Replay::renounces}, {"words", &Replay::words},
        {"ended", &Replay::countsEnded},   {"is", &Replay::is},
        {"writes", &Replay::writes},       {"adopts", &Replay::adopts},
        {"holds", &Replay::holds},         {"asks", &Replay::asks},
    };
    if (line.what == "dies")
        return dies(one);
    (this->*kinds.at(line.what))(one, line);
}

void Replay::finish()
{
    for (auto& [number, one] : m_all) {
        if (one.begun)
            settle(one);
    }
}

Replay replayed(std::istream& log, Us lag)
{
    Replay replay(lag);
    for (std::string line; std::getline(log, line);)
        replay.take(line);
    replay.finish();
    return replay;
}

} // namespace tasuki::membership
