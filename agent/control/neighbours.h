// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controladdress.h"
#include "processhandle.h"
#include "processwatch.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>

namespace tasuki::control {

/// The processes of this host that are processors of the launch. Control thread only.
class Neighbours {
public:
    struct Callbacks {
        std::function<void(ProcessorId)> gone; ///< its process has ended
        std::function<void(Error)> problem;    ///< one cannot be watched
    };

    /// @param hostKey  of this host
    Neighbours(boost::asio::io_context& context, std::string hostKey, Callbacks callbacks)
        : m_context(context), m_hostKey(std::move(hostKey)), m_callbacks(std::move(callbacks))
    {}

    /// Gets hold of the process, if it is of this host and its number is known. Watches go on when it
    /// is the same one.
    void learn(const ControlAddress& address);

    /// From now on tells once when the process ends; at once, though not from inside, when it has.
    void watch(ProcessorId processor);

    [[nodiscard]] Presence presence(ProcessorId processor) const;
    /// Whether presence() is Elsewhere, mostly without a look at the process.
    [[nodiscard]] bool isElsewhere(ProcessorId processor) const;
    /// Whether presence() is Zombie or Gone, with less work.
    [[nodiscard]] bool hasEnded(ProcessorId processor) const;
    /// SIGKILL to the process, which is watched from then on: `gone` confirms.
    Result<void> kill(ProcessorId processor);

private:
    struct Neighbour {
        std::int64_t pid = 0;
        std::uint64_t start = 0;
        ProcessHandle handle;
        std::unique_ptr<ProcessWatch> watch = {};
    };
    Result<void> begin(ProcessorId processor, Neighbour& neighbour);

    boost::asio::io_context& m_context;
    std::string m_hostKey;
    Callbacks m_callbacks;
    std::map<ProcessorId, Neighbour> m_neighbours;
};

} // namespace tasuki::control
