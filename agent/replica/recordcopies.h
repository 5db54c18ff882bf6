// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "copyfile.h"
#include "copykeeper.h"
#include "recordrowsource.h"
#include "replicator.h"

#include "domain/clock.h"
#include "domain/recordrows.h"
#include "farm/messages.h"
#include "hierarchy/membershipview.h"
#include "reactor/reactor.h"
#include "recorder/journal.h"
#include "transport/transport.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// What all processors of a launch know of its record from the start.
struct RecordReach {
    RecordPlace original;
    std::vector<bool> sees;         ///< who can reach the original, by processor
    std::vector<std::string> hosts; ///< of the processors
    /// Where this processor keeps a copy that cannot be under the original's path; empty: where copies usually are.
    std::string copies = {};
};

/// The other processors as a master knows them, in the order in which it asks them to keep a copy
/// of its record. Fit for that are, when the original is the record, those that cannot reach it, in
/// the order in which they would succeed; when a copy has become the record, those that can reach
/// the original, and then others of other hosts. Nobody is fit before the system has started.
std::vector<replica::Peer> copyPeers(const RecordReach& reach, const RecordPlace& record,
                                     const hierarchy::MembershipView& view, ProcessorId self);

/// The copy of the record on a processor that does not lead. Composition only.
class CopyPost {
public:
    /// References outlive this.
    CopyPost(const RecordReach& reach, Epoch epoch, Transport& transport, Reactor& reactor);

    void receive(ProcessorId from, replica::CopyWord word)
    {
        m_membership.receive(from, std::move(word));
    }
    /// @return the file by which this processor can succeed; none: there is none. The file is let
    ///         go of soon, for good
    std::optional<RecordPlace> succeed();
    /// The record of who leads, as far as is known.
    [[nodiscard]] const RecordPlace& record() const { return m_membership.record(); }
    /// The run is over for this processor.
    void end() { m_membership.end(); }

private:
    CopyFile m_file;
    replica::CopyKeeper m_membership;
};

/// The copies of a master's record: see Replicator. Composition only.
class RecordCopies {
public:
    struct Setup {
        RecordReach reach;
        RecordPlace record;
        RunId run;
        Term term;
        EventId recorded; ///< latest event in the record
    };
    /// @param recorder  of the record
    /// @param say  puts something into the record
    /// References outlive this.
    RecordCopies(Setup setup, Journal& recorder, Transport& transport, const Clock& clock,
                 Reactor& reactor, std::function<void(Severity, std::string)> say);

    Journal& journal() { return m_replicator; }
    void changed(const hierarchy::MembershipView& view);
    void receive(ProcessorId from, replica::CopyWord word)
    {
        m_replicator.receive(from, std::move(word));
    }
    void poll() { m_replicator.poll(); }
    [[nodiscard]] bool settled() const { return m_replicator.settled(); }
    /// What people must know of where the record is, when this master begins; empty: nothing.
    [[nodiscard]] static std::string firstWords(const RecordReach& reach,
                                                const RecordPlace& record);
    /// The same at the end; empty: nothing.
    [[nodiscard]] std::string lastWords() const;

private:
    const Setup m_setup;
    const ProcessorId m_self;
    RecordRowSource m_rows;
    replica::Replicator m_replicator;
};

} // namespace tasuki
