// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/executor.h"

#include "domain/ids.h"
#include "domain/rankprogram.h"
#include "domain/result.h"

#include <cstdint>
#include <string>
#include <variant>

/// What the processors of a world tell each other while its programs run. The conversations are in docs/worlds.md, "Between
/// processors".
namespace tasuki::worldhost {

/// Which start of which world.
struct WorldKey {
    std::uint32_t world = 0;
    std::uint32_t generation = 0;
    auto operator<=>(const WorldKey&) const = default;
};

/// To the processor of this host that makes the memory: where is it? Said again until it is answered.
struct MemoryWanted {
    bool operator==(const MemoryWanted&) const = default;
};

/// Answer to MemoryWanted.
struct Memory {
    std::string path;
    bool operator==(const Memory&) const = default;
};

/// A rank's program has sent these to one of the receiver's.
struct Records {
    std::uint32_t from = 0; ///< ranks in the world
    std::uint32_t to = 0;
    std::string bytes; ///< as Bridge::Ports has them
    bool operator==(const Records&) const = default;
};

/// So many bytes of Records are in the ring of the receiver.
struct RecordsTaken {
    std::uint32_t from = 0; ///< as in Records
    std::uint32_t to = 0;
    std::uint64_t bytes = 0;
    bool operator==(const RecordsTaken&) const = default;
};

/// The stream from a rank of another host is wanted from there on. When a rank begins, in each
/// life, its processor sends this to those of all ranks of other hosts, and so says where the rank
/// is. Said again until a Stretch comes.
struct StreamWanted {
    std::uint32_t from = 0; ///< ranks in the world
    std::uint32_t to = 0;
    std::uint64_t position = 0;
    std::uint32_t life = 0; ///< of `to`: the number of its attempt
    bool operator==(const StreamWanted&) const = default;
};

/// What a rank has sent, where its messages are kept: a stretch of its stream to another one.
struct Stretch {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t position = 0;
    std::string bytes;
    bool skips = false; ///< what stands before it and has not come is not to be had
    bool operator==(const Stretch&) const = default;
};

/// All of a stream up to there is in the memory of the receiver's host.
struct StretchTaken {
    std::uint32_t from = 0; ///< as in Stretch
    std::uint32_t to = 0;
    std::uint64_t position = 0;
    std::uint64_t stays =
        0; ///< what stands from there up to `needed` is not needed any more; needed is 0: all is
    std::uint64_t needed = 0;
    bool operator==(const StretchTaken&) const = default;
};

/// A stream ends there: what its rank sends from now on is not kept.
struct StreamEnded {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t position = 0;
    bool operator==(const StreamEnded&) const = default;
};

/// To the processor that holds a rank: it sends something else than the life before did.
struct Differs {
    std::uint32_t rank = 0;
    bool operator==(const Differs&) const = default;
};

/// To a standby of another host, which would take a rank over: a stretch of its determinants, or of what it has printed.
struct Notes {
    std::uint32_t rank = 0;
    std::uint32_t stream = 0;   ///< 0: determinants; else of an output, from 1 on
    std::uint32_t ranks = 0;    ///< of the world
    std::uint64_t logBytes = 0; ///< of each
    bool makes = false;         ///< nobody of its host has the memory of the world: it makes one
    std::uint64_t position = 0;
    std::string bytes;
    bool skips = false;      ///< as in Stretch
    std::uint64_t stays = 0; ///< as in StretchTaken
    std::uint64_t needed = 0;
    bool operator==(const Notes&) const = default;
};

/// Answer to Notes: so much is there.
struct NotesTaken {
    std::uint32_t rank = 0;
    std::uint32_t stream = 0; ///< as in Notes
    std::uint64_t position = 0;
    bool again = false; ///< what stands behind is wanted once more
    bool operator==(const NotesTaken&) const = default;
};

/// Rank 0 to the processor that has standard input: what stands from there on? Said again until it is answered.
struct InputWanted {
    std::uint64_t from = 0;
    bool operator==(const InputWanted&) const = default;
};

/// Answer to InputWanted.
struct Input {
    std::uint64_t from = 0;
    std::string bytes;
    bool end = false; ///< nothing comes behind it
    bool operator==(const Input&) const = default;
};

/// To rank 0's processor: this rank's program is between MPI_Init and MPI_Finalize.
struct InsideMpi {
    std::uint32_t rank = 0;
    bool operator==(const InsideMpi&) const = default;
};

/// To rank 0's processor: this rank's program has ended well and had never called MPI_Init.
struct EndedOutside {
    std::uint32_t rank = 0;
    bool operator==(const EndedOutside&) const = default;
};

/// From rank 0's processor to one that is inside MPI: it waits for a rank that will not come.
struct Hopeless {
    std::uint32_t outside = 0; ///< that rank
    bool operator==(const Hopeless&) const = default;
};

/// To the processor that leads the run: what a program does now.
struct ProgramShown {
    RankProgram program;
    std::uint32_t life = 1; ///< number of its attempt
    /// How long it took from the begin of this life until it had done again what the one before had; none: it is not through, or
    /// there was none.
    std::optional<std::chrono::microseconds> replayTook = {};
    bool operator==(const ProgramShown&) const = default;
};

struct WorldWord {
    WorldKey key;
    std::variant<MemoryWanted, Memory, Records, RecordsTaken, StreamWanted, Stretch, StretchTaken,
                 StreamEnded, Differs, Notes, NotesTaken, InputWanted, Input, InsideMpi,
                 EndedOutside, Hopeless, ProgramShown>
        word;
    bool operator==(const WorldWord&) const = default;
};

std::string encode(const WorldWord& word);
/// @return the word, or an Error of kind Protocol
Result<WorldWord> decodeWorldWord(const std::string& bytes);

} // namespace tasuki::worldhost
