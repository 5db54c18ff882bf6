// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/messages.h"
#include "replica/copykeeper.h"
#include "replica/replicator.h"
#include "support/memorycopies.h"
#include "support/memoryjournal.h"
#include "transport/simulated/simulatednetwork.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::farm::testing {

/// The record of a simulated farm whose hosts share no directory: each processor stands on one of
/// them, by turns, and the original lies on the first one.
class SimulatedCopies {
public:
    /// @param journal  what the master of the moment writes; all references outlive this
    SimulatedCopies(std::uint32_t hosts, SimulatedNetwork& network, const Clock& clock,
                    MemoryJournal& journal);

    /// A processor leads from now on by what the journal holds.
    void lead(ProcessorId master, Term term);
    [[nodiscard]] Journal& journal() { return *m_replicator; }
    void receive(ProcessorId to, ProcessorId from, const RecordWord& message);
    /// Others hold a processor for dead.
    void lost(ProcessorId processor);
    /// @param masterWorks  it is neither dead nor stopped
    void step(bool masterWorks);

    /// The master is dead, and a processor wants to go on: the journal then holds what its file does.
    /// @return false: it has no file
    bool succeed(ProcessorId successor);
    /// How often the record was another file than before.
    [[nodiscard]] std::uint32_t moves() const { return m_moves; }
    /// Events that the former master had committed, and nobody was told of.
    [[nodiscard]] std::size_t forgotten() const { return m_forgotten; }

private:
    [[nodiscard]] std::string hostOf(std::uint32_t number) const;
    [[nodiscard]] bool sees(std::uint32_t number) const { return number % m_hosts == 0; }
    [[nodiscard]] RecordPlace placeOf(std::uint32_t number) const;
    void tellPresence();
    void send(ProcessorId from, ProcessorId to, replica::CopyWord word);

    const std::uint32_t m_hosts;
    SimulatedNetwork& m_network;
    const Clock& m_clock;
    MemoryJournal& m_journal;
    tasuki::testing::Later m_later;
    tasuki::testing::Shipped m_shipped;
    std::map<std::string, std::vector<Event>> m_files; ///< by path
    std::vector<std::unique_ptr<tasuki::testing::MemoryCopy>> m_copies;
    std::vector<std::unique_ptr<replica::CopyKeeper>> m_agents;
    std::vector<bool> m_lost;
    RecordPlace m_record;
    ProcessorId m_master;
    std::unique_ptr<tasuki::testing::MemoryRows> m_rows;
    std::unique_ptr<replica::Replicator> m_replicator;
    /// Masters that are dead still know theirs.
    std::vector<std::unique_ptr<replica::Replicator>> m_former;
    std::uint32_t m_moves = 0;
    std::size_t m_forgotten = 0;
};

} // namespace tasuki::farm::testing
