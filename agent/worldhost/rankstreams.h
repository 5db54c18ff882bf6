// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worldwords.h"

#include "domain/clock.h"
#include "process/executor.h"
#include "world/bridge.h"
#include "world/segment.h"
#include "world/streambridge.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::worldhost {

/// The other ranks of a world, for one rank that this processor holds: where they are, and how its
/// messages get there and back when that is another host. It is told when another processor takes
/// one over. One thread.
class RankStreams {
public:
    struct Setup {
        ProcessorId self;
        world::WorldRank rank = 0;
        const std::vector<std::string>* hosts =
            nullptr; ///< of all processors, by number; outlives this
    };
    struct Ports {
        std::function<void(ProcessorId to, decltype(WorldWord::word) word)> send;
        /// A rank is on another host now, and none was before.
        std::function<void()> reachesOut;
    };

    /// @param segment  of this host
    RankStreams(Setup setup, Ports ports, std::shared_ptr<const world::Segment> segment,
                const WorldStart& start);

    /// This rank begins here, in some life. Nobody else notices its next life at the same
    /// processor.
    /// @param life  number of its attempt
    void begin(std::uint32_t life);
    [[nodiscard]] bool reachesOut() const;
    /// The program or another agent has something for a rank.
    void touch(world::WorldRank to);
    void move();
    /// @return whether anything was said
    bool poll(SteadyTime now);

    void receive(ProcessorId from, const StreamWanted& word);
    void receive(ProcessorId from, const Stretch& word);
    void receive(ProcessorId from, const StretchTaken& word);
    void receive(ProcessorId from, const StreamEnded& word);
    void receive(ProcessorId from, const NotesTaken& word);
    /// Records of those that keep no messages any more go and come through it.
    [[nodiscard]] world::Bridge& rings() { return m_rings; }

private:
    [[nodiscard]] const std::string& hostOf(ProcessorId processor) const
    {
        return (*m_setup.hosts)[processor.value()];
    }
    [[nodiscard]] bool isHere(ProcessorId processor) const
    {
        return hostOf(processor) == hostOf(m_setup.self);
    }
    [[nodiscard]] bool keeps() const { return m_segment->layout().logBytes != 0; }
    [[nodiscard]] world::StreamBridge::Ports portsOfStreams();
    [[nodiscard]] world::Bridge::Ports portsOfRings();
    void place(world::WorldRank rank, ProcessorId holder, std::uint32_t life);
    void chooseNotary();
    void sendNotes(std::uint32_t stream, std::uint64_t position, std::string bytes, bool skips);

    Setup m_setup;
    Ports m_ports;
    std::shared_ptr<const world::Segment> m_segment;
    std::vector<ProcessorId> m_holders;  ///< by rank
    std::vector<std::uint32_t> m_lives;  ///< by rank; 0: not known
    std::vector<ProcessorId> m_standbys; ///< who takes over, in order
    std::size_t m_notary = 0;      ///< of these: who keeps the notes; behind the last one: nobody
    std::uint64_t m_notesKept = 0; ///< when it was looked at last
    SteadyTime m_notesSince{};
    std::uint32_t m_life = 0;
    world::Bridge m_rings;
    std::optional<world::StreamBridge> m_streams; ///< none: no messages are kept
};

} // namespace tasuki::worldhost
