// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "replaytypes.h"

#include <cstddef>
#include <functional>
#include <istream>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tasuki::membership {

/// An event that docs/membership.md does not permit.
struct Divergence {
    std::size_t line = 0;
    std::string rule; ///< its name; the table of rules is in docs/membership.md
    std::string what;
};

/// Reads a log of what all membership agents of a system have decided, line by line, and holds each decision against
/// what docs/membership.md permits by what was decided before.
class Replay {
public:
    /// @param lag  so much later than it is made a stamp may be written down, where a busy machine does that
    explicit Replay(Us lag = 0) : m_lag(lag) {}
    /// @param text  of one line, without its end
    void take(std::string_view text);
    /// The log is over.
    void finish();
    /// @return what was not permitted, the first ones of each rule
    [[nodiscard]] const std::vector<Divergence>& divergences() const { return m_divergences; }
    [[nodiscard]] std::size_t lines() const { return m_lines; }
    [[nodiscard]] std::size_t events() const { return m_events; }

private:
    Us m_lag;
    static constexpr Us never = std::numeric_limits<Us>::max();

    void head(const std::vector<std::string>& words);
    void first(const std::vector<std::string>& words);
    void settle(Processor& one);
    void diverges(const char* rule, const std::string& what);

    // followers and leaders
    void stamps(Processor& one, const Line& line);
    void acknowledges(Processor& one, const Line& line);
    void renounces(Processor& one, const Line& line);
    void words(Processor& one, const Line& line);
    void leadersWords(Processor& one, Us grant, Us alone);
    void followersWords(Processor& one, Us grant, Us alone, std::optional<Number> from);
    void checkLease(const Processor& one, Us lease, std::optional<Number> by);
    void countsEnded(Processor& one, const Line& line);
    void is(Processor& one, const Line& line);
    void becomes(Processor& one, Part part, Standing standing);
    void checkStanding(const Processor& one, Part was, Standing stood, Us since);
    void checkActs(Processor& one, Part was, Standing stood);
    void checkInherits(const Processor& one);
    void checkFenced(const Processor& one, Standing stood, Us since);
    void enters(Processor& one);
    void asks(Processor& one, const Line& line);
    void dies(Processor& one);
    void checkTwoAct(const Processor& one);

    // tables and seats
    void writes(Processor& one, const Line& line);
    void adopts(Processor& one, const Line& line);
    void writesSystem(Processor& one, const SystemPtr& table);
    void writesCluster(Processor& one, const ClusterPtr& table);
    void checkVoters(const Processor& one, const SystemTable& table);
    void checkRow(const Processor& one, Number whose, const Row& before, const Row& after);
    void checkLoss(const Processor& one, Number whose, const Row& before, const Row& after);
    void checkSeat(const Processor& one, Number whose, const Row& before, const Row& after);
    void checkMayWrite(const Processor& one);
    void holds(Processor& one, const Line& line);
    void takesSeat(Processor& one, const Holding& holding);
    void begin(Processor& one);

    // what follows from the state
    /// How long ago something was in true time that was at a time of somebody's own clock.
    struct Ages {
        Us least = 0;
        Us most = 0;
    };
    [[nodiscard]] Ages agesAt(const Processor& one, Us own) const;
    [[nodiscard]] const Row& row(const Processor& by, Number whose) const;
    [[nodiscard]] bool elsewhere(const Processor& one, Number other) const;
    [[nodiscard]] bool needsMajority(const Processor& one) const;
    [[nodiscard]] bool comesBefore(const Processor& by, Number one, Number other) const;
    [[nodiscard]] Group before(const Processor& one) const;
    [[nodiscard]] bool mayBeBuried(const Processor& by, Number one, Number candidate) const;
    [[nodiscard]] bool hasLeft(const Processor& by, Number other) const;
    [[nodiscard]] bool isGone(const Processor& by, Number other) const;
    [[nodiscard]] Number goesOnFor(const Processor& by, Number maker) const;
    [[nodiscard]] std::vector<Group> lists(const Processor& one) const;
    using NewestOf = std::function<std::uint64_t(const Given&)>;
    [[nodiscard]] std::uint64_t ofAll(const Processor& one, const NewestOf& newest, Us ended) const;
    [[nodiscard]] std::uint64_t followed(const Processor& one) const;
    [[nodiscard]] std::uint64_t alone(const Processor& one) const;
    [[nodiscard]] std::uint64_t aloneOfTable(const Processor& one) const;
    [[nodiscard]] bool trusted(const Processor& one) const;
    [[nodiscard]] Us actsUntil(const Processor& one) const;
    [[nodiscard]] Us holdsUntil(const Processor& one) const;
    [[nodiscard]] Us spans(double heartbeats) const
    {
        return static_cast<Us>(heartbeats * static_cast<double>(m_heartbeat));
    }

    Us m_heartbeat = 0;
    std::size_t m_lines = 0;
    std::size_t m_events = 0;
    Us m_now = 0; ///< true time
    std::map<Number, Processor> m_all;
    std::map<Number, Number> m_clusterOf;
    std::map<Version, SystemPtr> m_systems; ///< that were written
    std::map<std::pair<Number, Version>, ClusterPtr> m_clusters;
    Version m_newestSystem;
    /// By maker and time: when it was made, and which tables it named.
    struct Made {
        Us at = 0;
        std::set<Version> tables;
    };
    std::map<std::pair<Number, std::uint64_t>, Made> m_stamps;
    std::set<std::pair<Number, Version>>
        m_actedBy;        ///< whose stamps as no candidate named which table
    Us m_newestGrant = 0; ///< that anybody had by a majority, when it was made
    Us m_newestAlone = 0;
    std::map<std::pair<Number, std::uint32_t>, Us> m_condemned; ///< since when, by life
    std::map<Number, std::uint32_t> m_over;                     ///< up to which life, by some table
    std::map<Number, std::uint32_t> m_letIn;                    ///< in which life, by some table
    std::map<Holding, Number> m_heldBy;                         ///< ever
    std::vector<Divergence> m_divergences;
    std::map<std::string, std::size_t> m_ofRule;
};

/// Replays a whole log.
Replay replayed(std::istream& log, Us lag = 0);

} // namespace tasuki::membership
