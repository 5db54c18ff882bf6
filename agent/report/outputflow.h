// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/command.h"
#include "domain/ids.h"
#include "domain/outputfetch.h"
#include "domain/outputkeeping.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

inline constexpr std::size_t streamCount = 2;

/// A stretch of what an attempt has written, as it is to be printed.
struct OutputBlock {
    AttemptKey key;
    StreamKind stream = StreamKind::Output;
    std::string bytes;
    bool last = false;      ///< of the attempt; may be empty
    std::uint64_t upTo = 0; ///< the place in the stream behind it
};

/// How what an attempt has written becomes blocks.
struct FlowStyle {
    bool live = false;  ///< while it runs, in whole lines, both streams at once; else one after the
                        ///< other when it has ended
    bool exact = false; ///< an unfinished line of standard error is left unfinished
    std::string tag;    ///< in front of each line; empty: none
    bool goesOn = false; ///< when it is lost, another attempt goes on in its place
};

/// How much of a stream has been printed, over all attempts of a task each of which goes on where the last one was lost.
struct PrintedStretch {
    std::uint64_t bytes = 0;
    std::uint64_t hash =
        14'695'981'039'346'656'037U; ///< of them; FNV-1a, which needs no more than this between two stretches
    bool compares = true;            ///< the hash is known
    void add(std::string_view more);
    bool operator==(const PrintedStretch&) const = default;
};
using PrintedStretches = std::array<PrintedStretch, streamCount>;

/// Makes blocks of what one attempt has written, from what the record keeps of it and, where that is
/// not all, from what the processor that ran it hands over piece by piece. Pure logic.
class OutputFlow {
public:
    /// @param before  what attempts before this one have printed, which writes it once more: it is compared, and left out
    OutputFlow(AttemptKey key, FlowStyle style, const PrintedStretches& before = {});

    /// So much was printed of it by somebody else: it goes on behind that.
    void startAt(std::uint64_t output, std::uint64_t error);
    /// What is printed by now: the next attempt goes on behind it.
    [[nodiscard]] PrintedStretches printed() const;

    /// It has ended; the record keeps this.
    void ended(CapturedStream output, CapturedStream error);
    /// @return what its processor is to be asked for now; none: nothing, or an answer is awaited
    std::optional<OutputQuery> ask();
    /// Whether the answer may wait for the next bytes: it has not ended.
    [[nodiscard]] bool runs() const { return !m_ended; }
    void answered(FetchedOutput fetched);
    /// Its processor will not answer any more, for this reason.
    void lost(const std::string& reason);
    /// Nothing of a stream is wanted any more.
    void drop(StreamKind stream);

    /// What has become ready since the last call.
    std::vector<OutputBlock> take();
    /// What is missing and why, since the last call, in words.
    std::vector<std::string> takeComplaints();
    [[nodiscard]] bool done() const { return m_done; }

private:
    struct Stream {
        CapturedStream kept;
        PrintedStretch before;  ///< by attempts before
        PrintedStretch printed; ///< or left out
        std::uint64_t at = 0;   ///< all before that has been taken
        std::string unfinished;
        bool insideLine = false;
        bool complete = false;
    };

    void advance();
    void take(std::size_t index, OutputPiece&& piece, const std::string& problem);
    void cut(std::size_t index, const std::string& reason);
    void skip(std::size_t index, std::uint64_t to, const std::string& reason);
    void feed(std::size_t index, std::string_view bytes);
    std::string_view leaveOut(std::size_t index, std::string_view bytes);
    void put(std::size_t index, std::string_view bytes);
    void finish(std::size_t index);

    AttemptKey m_key;
    FlowStyle m_style;
    std::array<Stream, streamCount> m_streams;
    std::vector<OutputBlock> m_blocks;
    std::vector<std::string> m_complaints;
    bool m_ended = false;
    bool m_asked = false;
    bool m_silent = false; ///< there is nothing to be asked for before it has ended
    bool m_done = false;
};

} // namespace tasuki
