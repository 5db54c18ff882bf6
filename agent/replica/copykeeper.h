// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "copywords.h"
#include "ports.h"

#include "domain/recordrows.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tasuki::replica {

/// A processor that does not lead: knows where the record lies, keeps a copy of it when the master
/// asks for one, and so knows by which file it could go on as master. Pure logic, on the reactor's
/// thread.
///
///   the copy is | word, or event             | does                                  | then
///   ------------+----------------------------+---------------------------------------+-----------
///   in step     | Lead, Begin of another one | still counts: Led                     | in step with
///               |                            |                                       | the last one
///   any other   | Lead                       | lets go of the file; Led              | none
///   any         | Lead that releases it      | the same                              | none
///   any         | Begin                      | opens a file                          | opening
///   opening     | opened                     | Have                                  | there
///   there       | Take                       | takes back what is behind it          | kept
///   kept        | Rows                       | stores them, then Stored              | kept
///   kept        | Promise                    |                                       | in step, as
///               |                            |                                       | soon as all
///               |                            |                                       | of it is stored
///   any         | it cannot be written       | lets go of it; Unable                 | none
///   in step     | the master is lost, and    | lets go of the file, which becomes    | none
///               | this processor succeeds    | the record                            |
class CopyKeeper {
public:
    struct Setup {
        std::string host;          ///< of this processor
        RecordPlace original;      ///< the record of the first master
        bool seesOriginal = false; ///< it can be reached from here
    };
    using Send = std::function<void(ProcessorId, CopyWord)>;

    /// @param store  outlives this
    CopyKeeper(Setup setup, CopyStore& store, Send send);

    /// Takes what a master says, whoever that is by the view: the newest conversation counts.
    void receive(ProcessorId from, CopyWord word);

    /// The file by which this processor could go on as master now, with nothing lost that anybody
    /// was told; none: there is no such file here.
    [[nodiscard]] std::optional<RecordPlace> succession() const;
    /// The record of who leads, as far as is known.
    [[nodiscard]] const RecordPlace& record() const { return m_record; }
    /// Whatever was said: the copy will be needed.
    void keepAll() { m_discard = false; }
    /// Lets go of the file for good: this processor leads, or the run is over for it.
    void end();

private:
    [[nodiscard]] bool counts() const;
    void forget();
    void lead(Lead lead);
    void begin(ProcessorId from, const Begin& begin);
    void take(EventId after);
    void store(RecordRows rows);
    void give(ProcessorId to, decltype(CopyWord::word) word);
    void fail(const std::string& reason);

    const Setup m_setup;
    CopyStore& m_store;
    Send m_send;
    RecordPlace m_record; ///< of who leads, as far as is known
    ConversationNumber m_conversation;
    ProcessorId m_master;
    enum class State : std::uint8_t { None, Opening, There, Kept };
    State m_state = State::None;
    CopyStore::Opened m_file;
    EventId m_received;
    EventId m_stored;
    std::optional<EventId> m_promise;
    /// What stands in the file is all that anybody was told by the masters before this one.
    bool m_counted = false;
    bool m_discard = false;
    bool m_ended = false;
};

} // namespace tasuki::replica
