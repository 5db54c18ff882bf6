// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "copywords.h"
#include "ports.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/recordrows.h"
#include "recorder/journal.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tasuki::replica {

/// Another processor, as a master knows it.
struct Peer {
    enum class Presence : std::uint8_t { There, Doubtful, Gone };
    ProcessorId processor;
    std::string host;
    bool fit = false; ///< it may keep a copy: it cannot reach the record itself
    Presence presence = Presence::There;
};

/// The journal of a master whose record not every processor can reach. Has one of them keep a copy,
/// and tells of an event only when the copy has it too, so that whatever anybody was told survives
/// the loss of the master's host. Pure logic; all calls on the reactor's thread.
///
///   the holder is | event                          | does                                | then
///   --------------+--------------------------------+-------------------------------------+----------
///   none          | a peer is fit and there        | Begin                               | asked
///   asked         | Have                           | looks for the first mark that both  | compared
///   compared      | found                          | Take, ships what comes behind       | copying
///   copying       | all that is published is       | Promise: holds back from now on     | promised
///                 | shipped                        |                                     |
///   promised      | Stored                         | tells of what is stored             | promised
///   any           | Unable; nothing shared         | says so, never asks it again        | none
///   any           | no answer for long             | the same; releases it by a Lead,    | none
///                 |                                | holds all back until it is answered |
///   any           | it is gone                     | tells of all that waits             | none
///
/// A master that takes over tells nobody of anything before each of the others has answered Lead, or
/// is gone: one of them may have a copy that counts. That one is asked to be the holder, so that its
/// copy counts all the time; if it cannot be, it is released first.
class Replicator final : public Journal {
public:
    struct Setup {
        RunId run;
        Term term;            ///< greater than that of every master before
        RecordPlace place;    ///< of the record that is written
        RecordPlace original; ///< of the run's
        EventId recorded;     ///< the latest event that the record has now
    };
    struct Ports {
        std::function<void(ProcessorId, CopyWord)> send;
        /// Something that belongs into the record. May call append().
        std::function<void(Severity, std::string)> say;
    };

    /// @param inner  what commits to the record; its callbacks are set
    /// @param rows   of the record
    /// All references outlive this.
    Replicator(Setup setup, Journal& inner, RowSource& rows, const Clock& clock, Ports ports);

    void setCallbacks(Callbacks callbacks) override;
    EventId append(EventPayload payload) override { return m_inner.append(std::move(payload)); }
    void hurry() override { m_inner.hurry(); }
    [[nodiscard]] std::size_t uncommitted() const override
    {
        return m_inner.uncommitted() + m_waiting.size();
    }
    [[nodiscard]] Epoch epoch() const override { return m_inner.epoch(); }

    /// All other processors, in the order in which they are to be asked for a copy.
    void processorsAre(std::vector<Peer> peers);
    void receive(ProcessorId from, CopyWord word);
    /// Looks after the time.
    void poll();

    /// Whether everybody knows by which record this master goes, and no copy counts but the holder's.
    [[nodiscard]] bool settled() const
    {
        return m_introduced && m_awaited.empty() && m_counting.empty();
    }
    /// Where the copy lies that has all that was told, or had when the run ended; none: there is none.
    [[nodiscard]] std::optional<RecordPlace> copy() const;

private:
    enum class State : std::uint8_t { Asked, Compared, Copying, Promised };
    struct Holder {
        Peer peer;
        ConversationNumber conversation;
        State state = State::Asked;
        RecordPlace place = {};
        EventId shipped = {};
        EventId stored = {};
        EventId promise = {};
        struct Batch {
            EventId last;
            std::size_t bytes = 0;
        };
        std::deque<Batch> underWay = {};
        std::size_t bytesUnderWay = 0;
        bool reading = false;
        bool told = false; ///< people know that it is in step
    };

    void take(std::vector<Event> events);
    void introduce();
    void answered(ProcessorId from, ConversationNumber conversation, bool counts);
    void choose();
    void release(ProcessorId processor);
    [[nodiscard]] bool mayHold(const Peer& peer) const;
    void drop();
    void refuse(const std::string& reason);
    void compare(const Have& have);
    void begin(EventId after);
    void ship();
    void shipRows(Result<RecordRows> rows);
    void promise();
    void stored(EventId upTo);
    void publishWhatMay();
    void publish(std::vector<Event> events);
    void send(ProcessorId to, ConversationNumber conversation, decltype(CopyWord::word) word);
    [[nodiscard]] ConversationNumber nextConversation();
    [[nodiscard]] bool holding() const;
    [[nodiscard]] bool inStep() const;

    const Setup m_setup;
    Journal& m_inner;
    RowSource& m_rows;
    const Clock& m_clock;
    Ports m_ports;
    Callbacks m_callbacks;
    std::vector<Peer> m_peers;
    bool m_introduced = false;
    std::uint32_t m_conversations = 0; ///< used so far
    std::map<ProcessorId, ConversationNumber>
        m_awaited;                       ///< are to answer a Lead of that conversation
    std::set<ProcessorId> m_counting;    ///< have copies that still count
    std::set<ProcessorId> m_unreachable; ///< must be told who leads when they are back
    std::set<ProcessorId> m_unfit;       ///< have failed
    std::optional<Holder> m_holder;
    SteadyTime m_heard{};               ///< when the holder has said something, or was asked
    EventId m_published;                ///< the latest event that anybody was told of
    EventId m_committed;                ///< the latest one in the record, as far as is known
    std::optional<RecordPlace> m_atEnd; ///< as copy() is to be, once the run has ended
    bool m_ended = false;
    std::deque<Event> m_waiting; ///< committed, but not told yet
};

} // namespace tasuki::replica
