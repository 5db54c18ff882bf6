// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "listorder.h"
#include "outputflow.h"
#include "outputtarget.h"
#include "printedbook.h"

#include "domain/event.h"
#include "domain/runstate.h"
#include "spool/spoolstore.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tasuki {

/// In which order the output of tasks is printed.
enum class OutputOrder : std::uint8_t {
    Grouped,  ///< of each attempt in one piece, as they end
    KeepList, ///< the same, in the order of the list
    Lines,    ///< line by line, while they run
};

/// Passes on all that tasks write, however much, in bounded memory: what the record has no room for is
/// fetched from who ran the task as fast as the target takes it, what waits for its turn is put on the
/// disk. Logic; all calls on the reactor's thread.
class OutputDelivery {
public:
    struct Ports {
        /// @return who holds a rank now
        std::function<std::optional<ProcessorId>(Rank)> holder;
        /// Asks for a stretch of an attempt's output; the answer is to be given to fetched().
        std::function<void(ProcessorId, std::uint32_t number, const OutputQuery&, bool wait)> fetch;
        std::function<void(ProcessorId, AttemptKey)> release;
        std::function<void(const std::string&)> say;
        /// So much has been printed by now, of what is printed line by line; null: nobody wants to know.
        std::function<void(std::vector<PrintedOutput>)> printed = {};
    };
    struct Style {
        OutputOrder order = OutputOrder::Grouped;
        bool tagged = false;
        bool exact = false; ///< nothing is added for the looks
    };

    /// @param state, target, store  outlive this; the store takes what waits
    /// @param printed  what was printed before, by somebody else
    OutputDelivery(const RunState& state, Style style, OutputTarget& target, SpoolStore& store,
                   Ports ports, PrintedBook printed = {});

    /// An event has been applied to the state.
    void published(const Event& event);
    /// An answer to Ports::fetch.
    void fetched(std::uint32_t number, FetchedOutput output);
    /// A processor will not answer any more.
    void processorLost(ProcessorId processor);
    /// Writes what can be written, asks for more. @return whether anything was done
    bool poll();
    /// Nothing runs any more: what waits for those before it need not.
    void endOrder() { m_orderEnded = true; }
    /// Nothing more is fetched, for this reason.
    void giveUp(const std::string& reason);
    [[nodiscard]] bool done() const;
    /// How much is printed of what is printed line by line.
    [[nodiscard]] const PrintedBook& printed() const { return m_book; }
    /// Whether something was written by tasks and not passed on.
    [[nodiscard]] bool incomplete() const { return m_incomplete; }

private:
    /// An attempt that has ended and whose turn has not come.
    struct Waiting {
        std::optional<ProcessorId> processor;
        std::array<CapturedStream, streamCount> streams;
        std::optional<SpooledBytes> spooled; ///< the texts of the streams, one after the other
        std::array<std::size_t, 2 * streamCount> sizes{}; ///< of these
    };
    struct Active {
        OutputFlow flow;
        std::optional<ProcessorId> processor;
        bool kept = false; ///< who ran it keeps something until it is released
    };
    struct Queued {
        OutputBlock block;
        std::size_t written = 0;
    };
    using Turn = std::tuple<std::uint64_t, AttemptKey>; ///< place in the list, or number of the end

    void goesOn(const AttemptFinished& event);
    void beginAgain(const WorldStarted& event);
    void resume();
    void notePrinted(const OutputBlock& block);
    void forgetPrinted(AttemptKey key);
    void tellPrinted();
    void started(const AttemptStarted& event);
    void finished(const AttemptFinished& event);
    Active& activate(AttemptKey key, std::optional<ProcessorId> processor);
    void end(Active& active, std::array<CapturedStream, streamCount> streams);
    void park(Waiting& waiting);
    void restore(Waiting& waiting);
    bool takeTurn();
    bool writeQueued();
    bool advance(AttemptKey key, Active& active);
    void streamFailed(StreamKind stream, const Error& error);

    const RunState& m_state;
    Style m_style;
    OutputTarget& m_target;
    SpoolStore& m_store;
    Ports m_ports;
    ListOrder m_order;
    bool m_orderEnded = false;
    bool m_incomplete = false;
    std::optional<std::string> m_givenUp;

    std::map<Turn, Waiting> m_waiting;
    std::size_t m_waitingBytes = 0; ///< in memory
    std::uint64_t m_ends = 0;
    std::map<AttemptKey, Active> m_active;
    /// Of tasks that go on where an attempt was lost: what has been printed.
    std::map<TaskId, PrintedStretches> m_printed;
    PrintedBook m_book;      ///< as others know it
    std::set<TaskId> m_news; ///< in it, which they do not know yet
    std::vector<PrintedOutput> m_over;
    bool m_resumed = false;
    struct Question {
        AttemptKey key;
        ProcessorId processor;
    };
    std::map<std::uint32_t, Question> m_questions;
    std::uint32_t m_lastQuestion = 0;
    std::deque<Queued> m_queue;
    std::size_t m_queueBytes = 0;
    std::array<bool, streamCount> m_failed{};
};

} // namespace tasuki
