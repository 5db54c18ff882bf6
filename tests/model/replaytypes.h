// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What a log of decisions says, in the words of docs/membership.md. Nothing here is shared with agent/: the
/// replay is another reading of the same text.
namespace tasuki::membership {

using Us = std::int64_t; ///< a time or a span, in microseconds
inline constexpr Us millisecond = 1000;
/// So many beats late one looks at the latest, a quarter by itself and a fifth that is no lateness: its lease is
/// as old as its last look.
inline constexpr double looksLate = 0.5;
using Number = std::uint32_t; ///< of a processor
using Group = std::vector<Number>;

struct Version {
    std::uint64_t term = 0;
    std::uint64_t revision = 0;
    auto operator<=>(const Version&) const = default;
    [[nodiscard]] std::uint64_t generation() const { return term >> 32U; }
    [[nodiscard]] std::string text() const
    {
        return std::to_string(term) + "." + std::to_string(revision);
    }
};

enum class Health : std::uint8_t { Expected, Alive, Suspect, Condemned, Lost, Fenced, Left };
enum class Cause : std::uint8_t { None, Late, Silent, Stopped, Gone, Stuck, Missing, Ordered };

struct Holding {
    Number seat = 0;
    Number incarnation = 0;
    auto operator<=>(const Holding&) const = default;
};

/// Nobody has come with the number; who comes has a later one.
inline constexpr std::uint32_t reservedLife = 65'536;

/// A processor in a cluster's table.
struct Row {
    Health health = Health::Expected;
    Cause cause = Cause::None;
    std::uint32_t life = 1;
    bool ended = false;
    std::uint32_t promoted = 0;
    std::uint32_t kind = 0;
    std::optional<Holding> seat = {};
    [[nodiscard]] bool lives() const { return health <= Health::Condemned; }
    [[nodiscard]] bool ofStart() const { return life < reservedLife; }
    /// 0, or more of those that come after all who have less.
    [[nodiscard]] int turn() const { return !ofStart() ? 2 : life > 1 ? 1 : 0; }
};

struct SystemTable {
    Version version;
    bool started = false;
    Group voters; ///< empty: everybody of the start
    Group toBe;
};

struct ClusterTable {
    Version version;
    Number cluster = 0;
    std::optional<Number> writer = {};
    std::map<Number, Row> rows;
};

using SystemPtr = std::shared_ptr<const SystemTable>;
using ClusterPtr = std::shared_ptr<const ClusterTable>;

enum class Part : std::uint8_t { Member, Leads, Acts, Fenced, Over };
enum class Standing : std::uint8_t { Valid, Suspended, Lapsed };

/// What one has acknowledged of another one's stamps.
struct Given {
    std::uint64_t when = 0;  ///< the newest
    std::uint64_t alone = 0; ///< the newest when it followed alone
    Us made = 0; ///< when the newest was made at the latest, on the clock of who acknowledged
    bool binds = false;        ///< not forgotten
    Version table = {};        ///< that the newest names
    std::uint64_t ofTable = 0; ///< the newest of those that name it
    std::uint64_t aloneOfTable = 0;
};

/// One line of a log, taken apart.
struct Line {
    std::size_t number = 0;
    Us at = 0;  ///< true time
    Us own = 0; ///< that of the processor
    Number who = 0;
    std::string what;
    std::vector<std::string> words; ///< after that
};

struct Processor {
    Number number = 0;
    Number host = 0;
    Number unit = 0;
    bool dead = false;
    Part part = Part::Member;
    Standing standing = Standing::Valid;
    Us standingSince = 0;
    std::uint32_t life = 1;
    std::uint32_t asks = 0; ///< the life in which it wants to be let in
    SystemPtr system;
    std::map<Number, ClusterPtr> clusters;
    Us lease = 0; ///< own clock, as the next two
    Us grant = 0;
    Us alone = 0;
    Us leaseAt = 0;                            ///< in true time, at most; as the next one
    Us grantAt = 0;                            ///< the same in true time, at most
    std::optional<Us> granted = {};            ///< when a grant hung on its own stamps last
    std::map<Number, Given> gave;              ///< by who made the stamps
    std::map<Number, std::uint64_t> renounced; ///< up to which stamp, as it knows
    std::map<Number, Us> ended;                ///< since when those count as such, for it
    std::optional<Holding> holding = {};
    std::uint64_t lastStamp = 0;
    Us at = 0; ///< of its last line
    Us own = 0;
    bool begun = false;         ///< it has said something
    bool trustedAnew = false;   ///< in this step, it began to act by the trust of a majority
    bool newGeneration = false; ///< it has written one, since it leads and is valid
    bool hasRenounced = false;  ///< in this step

    [[nodiscard]] bool leads() const { return part == Part::Leads || part == Part::Acts; }
    [[nodiscard]] bool member() const { return !dead && part <= Part::Acts; }
    [[nodiscard]] bool started() const { return system != nullptr && system->started; }
};

} // namespace tasuki::membership
