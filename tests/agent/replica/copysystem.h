// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "replica/copykeeper.h"
#include "replica/replicator.h"
#include "support/manualclock.h"
#include "support/memorycopies.h"
#include "support/memoryjournal.h"
#include "transport/simulated/simulatednetwork.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::testing {

/// Processors with a file each, over the simulated network: one leads, the others may keep copies.
/// The first one's file is the original.
class CopySystem {
public:
    static constexpr std::uint32_t count = 4;
    using Presence = replica::Peer::Presence;

    /// @param seesOriginal  besides processor 0
    explicit CopySystem(std::uint64_t seed = 1, std::vector<std::uint32_t> seesOriginal = {})
        : network(count, clock, seed), files(count), fit(count, true), presence(count)
    {
        std::vector<bool> sees(count);
        sees[0] = true;
        for (const std::uint32_t number : seesOriginal)
            sees[number] = true;
        for (std::uint32_t number = 0; number < count; ++number) {
            const ProcessorId id(number);
            fit[number] = !sees[number];
            copies.push_back(
                std::make_unique<MemoryCopy>(files[number], placeOf(number), shipped, later));
            agents.push_back(std::make_unique<replica::CopyKeeper>(
                replica::CopyKeeper::Setup{
                    .host = hostOf(number), .original = placeOf(0), .seesOriginal = sees[number]},
                *copies.back(), [this, id](ProcessorId to, replica::CopyWord word) {
                    network.at(id).send(to, encode(std::move(word)));
                }));
            network.at(id).setHandler([this, number](ProcessorId from, const Message& bytes) {
                auto word = replica::decodeCopyWord(bytes);
                if (!word)
                    return;
                if (number != master)
                    agents[number]->receive(from, std::move(*word));
                else if (replicator)
                    replicator->receive(from, std::move(*word));
            });
        }
    }

    static std::string hostOf(std::uint32_t number) { return "h" + std::to_string(number); }
    static RecordPlace placeOf(std::uint32_t number)
    {
        return {.host = hostOf(number), .path = "/r.tasuki", .original = number == 0};
    }

    /// A processor leads by its file, in place of who led before.
    void lead(std::uint32_t number, std::uint32_t term)
    {
        agents[number]->end();
        master = number;
        replicator.reset();
        rows.reset();
        journal = std::make_unique<MemoryJournal>(Epoch(1), clock);
        for (const Event& event : files[number])
            journal->restore(event);
        rows = std::make_unique<MemoryRows>(
            [this]() -> const std::vector<Event>& { return journal->record(); }, shipped, later);
        replicator = std::make_unique<replica::Replicator>(
            replica::Replicator::Setup{.run = RunId{"r"},
                                       .term = Term(term),
                                       .place = placeOf(number),
                                       .original = placeOf(0),
                                       .recorded = files[number].empty() ? EventId{}
                                                                         : files[number].back().id},
            *journal, *rows, clock,
            replica::Replicator::Ports{
                .send =
                    [this](ProcessorId to, replica::CopyWord word) {
                        network.at(ProcessorId(master)).send(to, encode(std::move(word)));
                    },
                .say = [this](Severity, const std::string& text) { said.push_back(text); }});
        replicator->setCallbacks({.committed =
                                      [this](std::vector<Event> events) {
                                          for (Event& event : events)
                                              told.push_back(std::move(event));
                                      },
                                  .stalled = {},
                                  .resumed = {}});
        tellPresence();
    }
    void tellPresence()
    {
        std::vector<replica::Peer> peers;
        for (std::uint32_t number = 0; number < count; ++number) {
            if (number != master)
                peers.push_back({.processor = ProcessorId(number),
                                 .host = hostOf(number),
                                 .fit = fit[number],
                                 .presence = presence[number]});
        }
        replicator->processorsAre(std::move(peers));
    }
    void becomes(std::uint32_t number, Presence now)
    {
        presence[number] = now;
        tellPresence();
    }
    /// The master is lost, with what it has not committed.
    void masterDies()
    {
        files[master] = journal->record();
        network.kill(ProcessorId(master));
        presence[master] = Presence::Gone;
    }
    void commit(int events)
    {
        for (int i = 0; i < events; ++i)
            replicator->append(Notice{.text = std::to_string(++m_serial)});
        journal->commit();
    }
    /// Lets everything happen that can, for some time.
    void run(std::chrono::microseconds time = std::chrono::milliseconds(200))
    {
        const SteadyTime end = clock.now() + time;
        while (clock.now() < end) {
            later.run();
            network.pollAll();
            if (replicator)
                replicator->poll();
            clock.advance(std::chrono::microseconds(200));
        }
    }
    [[nodiscard]] bool saw(const std::string& part) const
    {
        return std::ranges::any_of(said, [&part](const std::string& text) {
            return text.find(part) != std::string::npos;
        });
    }
    /// @return whether a processor could go on now by its own file
    [[nodiscard]] bool canSucceed(std::uint32_t number) const
    {
        const auto place = agents[number]->succession();
        return place && place->host == hostOf(number);
    }

    ManualClock clock;
    SimulatedNetwork network;
    Shipped shipped;
    Later later;
    std::vector<std::vector<Event>> files; ///< by processor; of the master: see its journal
    std::vector<bool> fit;
    std::vector<Presence> presence;
    std::vector<std::unique_ptr<MemoryCopy>> copies;
    std::vector<std::unique_ptr<replica::CopyKeeper>> agents;
    std::uint32_t master = 0;
    std::unique_ptr<MemoryJournal> journal;
    std::unique_ptr<MemoryRows> rows;
    std::unique_ptr<replica::Replicator> replicator;
    std::vector<Event> told; ///< by all masters
    std::vector<std::string> said;

private:
    int m_serial = 0;
};

} // namespace tasuki::testing
