// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "simulatedlink.h"
#include "transport/transport.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki {

/// Processors of one simulated launch and the links between them. All that is random comes from
/// the seed: the same calls at the same times give the same deliveries.
///
/// Time is the given clock's; nothing happens between calls. The usual loop of a test:
///
///     while (network.pollAll() || network.nextDelivery()) {
///         if (auto next = network.nextDelivery(); next && *next > clock.now())
///             clock.advance(*next - clock.now());
///     }
class SimulatedNetwork {
public:
    /// What becomes of messages that a processor had sent before it died.
    enum class LastWords : std::uint8_t { Lost, Delivered };

    /// @param count  number of processors
    /// @param clock  outlives the network
    SimulatedNetwork(std::size_t count, const Clock& clock, std::uint64_t seed,
                     const LinkModel& link = {});
    SimulatedNetwork(const SimulatedNetwork&) = delete;
    SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;
    ~SimulatedNetwork();

    [[nodiscard]] std::size_t size() const { return m_endpoints.size(); }
    /// One more processor, which all know at once. Links between the others stay as they are.
    ProcessorId join();
    /// The endpoint of a processor; lives as long as the network.
    [[nodiscard]] Transport& at(ProcessorId processor);

    /// The behaviour of one direction, for messages that have not left yet.
    void setLink(ProcessorId from, ProcessorId to, const LinkModel& model);
    /// Share of the messages that vanish, on all links between different processors.
    void setLoss(double share);
    /// Everything between two processors vanishes, in both directions, until heal().
    void cut(ProcessorId one, ProcessorId other);
    void heal(ProcessorId one, ProcessorId other);

    /// Ends a processor: nothing reaches it any more, it sends nothing any more. As with MPI its
    /// peers are not told: what they send is swallowed up to the window and then stays pending.
    void kill(ProcessorId processor, LastWords words = LastWords::Lost);
    [[nodiscard]] bool alive(ProcessorId processor) const;
    /// Stops a processor as SIGSTOP does: it takes nothing, what is sent to it waits.
    void pause(ProcessorId processor);
    void resume(ProcessorId processor);
    [[nodiscard]] bool paused(ProcessorId processor) const;

    /// Polls every processor that lives and is not paused, in the order of ranks.
    /// @return whether one of them moved something
    bool pollAll();
    /// When the next message can be taken by a processor that lives and is not paused. May lie in
    /// the past: its receiver has not been polled since. None: nothing is under way.
    [[nodiscard]] std::optional<SteadyTime> nextDelivery() const;

private:
    class Endpoint;
    using LinkKey = std::pair<ProcessorId, ProcessorId>;

    SimulatedLink& link(ProcessorId from, ProcessorId to);
    Endpoint& endpoint(ProcessorId processor);
    [[nodiscard]] const Endpoint& endpoint(ProcessorId processor) const;
    /// Lets what waits at the sender leave, as far as the window allows.
    /// @return whether something left
    bool depart(ProcessorId from, ProcessorId to);

    const Clock& m_clock;
    std::uint64_t m_seed;
    LinkModel m_defaultLink;
    std::size_t m_launched; ///< processors that were there from the start
    std::uint64_t m_departures = 0;
    std::vector<std::unique_ptr<Endpoint>> m_endpoints;
    std::map<LinkKey, SimulatedLink> m_links; ///< made when first used
};

} // namespace tasuki
