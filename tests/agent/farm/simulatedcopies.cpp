// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulatedcopies.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm::testing {

using replica::CopyKeeper;
using replica::CopyWord;
using replica::Peer;
using replica::Replicator;
using tasuki::testing::MemoryCopy;
using tasuki::testing::MemoryRows;

SimulatedCopies::SimulatedCopies(std::uint32_t hosts, SimulatedNetwork& network, const Clock& clock,
                                 MemoryJournal& journal)
    : m_hosts(hosts),
      m_network(network),
      m_clock(clock),
      m_journal(journal),
      m_lost(network.size()),
      m_record(placeOf(0))
{
    for (std::uint32_t number = 0; number < network.size(); ++number) {
        const ProcessorId id(number);
        m_copies.push_back(std::make_unique<MemoryCopy>(m_files[placeOf(number).path],
                                                        placeOf(number), m_shipped, m_later));
        m_agents.push_back(std::make_unique<CopyKeeper>(
            CopyKeeper::Setup{
                .host = hostOf(number), .original = placeOf(0), .seesOriginal = sees(number)},
            *m_copies.back(),
            [this, id](ProcessorId to, CopyWord word) { send(id, to, std::move(word)); }));
    }
}

std::string SimulatedCopies::hostOf(std::uint32_t number) const
{
    return "h" + std::to_string(number % m_hosts);
}

RecordPlace SimulatedCopies::placeOf(std::uint32_t number) const
{
    return {.host = hostOf(number),
            .path = sees(number) ? "/r" : "/r" + std::to_string(number),
            .original = sees(number)};
}

void SimulatedCopies::send(ProcessorId from, ProcessorId to, CopyWord word)
{
    m_network.at(from).send(
        to, encode({m_journal.epoch(), {}, RecordWord{replica::encode(std::move(word))}}));
}

void SimulatedCopies::lead(ProcessorId master, Term term)
{
    m_master = master;
    m_agents[master.value()]->end();
    m_rows = std::make_unique<MemoryRows>(
        [this]() -> const std::vector<Event>& { return m_journal.record(); }, m_shipped, m_later);
    if (m_replicator)
        m_former.push_back(std::move(m_replicator));
    m_replicator = std::make_unique<Replicator>(
        Replicator::Setup{.run = RunId{"0"},
                          .term = term,
                          .place = m_record,
                          .original = placeOf(0),
                          .recorded = m_journal.record().empty() ? EventId{}
                                                                 : m_journal.record().back().id},
        m_journal, *m_rows, m_clock,
        Replicator::Ports{
            .send = [this, master](ProcessorId to,
                                   CopyWord word) { send(master, to, std::move(word)); },
            .say = [](Severity, const std::string&) {}});
    m_replicator->setCallbacks({});
    tellPresence();
}

void SimulatedCopies::receive(ProcessorId to, ProcessorId from, const RecordWord& message)
{
    auto word = replica::decodeCopyWord(message.bytes);
    if (!word)
        return;
    if (isOfMaster(*word))
        m_agents[to.value()]->receive(from, std::move(*word));
    else if (to == m_master)
        m_replicator->receive(from, std::move(*word));
}

void SimulatedCopies::lost(ProcessorId processor)
{
    m_lost[processor.value()] = true;
    if (m_network.alive(m_master))
        tellPresence();
}

void SimulatedCopies::tellPresence()
{
    std::vector<Peer> peers;
    for (std::uint32_t number = 0; number < m_network.size(); ++number) {
        if (ProcessorId(number) == m_master)
            continue;
        peers.push_back(
            {.processor = ProcessorId(number),
             .host = hostOf(number),
             .fit = m_record.original ? !sees(number) : hostOf(number) != m_record.host,
             .presence = m_lost[number] ? Peer::Presence::Gone : Peer::Presence::There});
    }
    if (!m_record.original)
        std::stable_partition(peers.begin(), peers.end(), [this](const Peer& peer) {
            return peer.fit && sees(peer.processor.value());
        });
    m_replicator->processorsAre(std::move(peers));
}

void SimulatedCopies::step(bool masterWorks)
{
    m_later.run();
    if (masterWorks)
        m_replicator->poll();
}

bool SimulatedCopies::succeed(ProcessorId successor)
{
    const auto place = m_agents[successor.value()]->succession();
    m_agents[successor.value()]->end();
    m_lost[m_master.value()] = true;
    if (!place)
        return false;
    m_files[m_record.path] = m_journal.record();
    const std::vector<Event>& file = m_files.at(place->path);
    if (place->path != m_record.path) {
        ++m_moves;
        m_forgotten += m_journal.record().size() - std::min(m_journal.record().size(), file.size());
    }
    m_journal.become(file);
    m_record = *place;
    return true;
}

} // namespace tasuki::farm::testing
