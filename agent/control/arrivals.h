// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sockets.h"

#include "domain/clock.h"
#include "domain/result.h"
#include "wire/strangers.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tasuki::control {

/// Connections whose other ends have said nothing yet: each costs a descriptor and some hundred bytes,
/// for a limited time. They are never more than so many: the oldest goes for the newest. An event costs
/// the same however many there are. Control thread only.
class Arrivals {
public:
    struct Limits {
        std::chrono::milliseconds greeting{}; ///< for the first frame
        std::size_t inAll = 0;
        std::size_t ofAddress = 0;
    };
    struct Callbacks {
        /// The first frame is there, whatever it says.
        /// @param since  when the connection was accepted
        std::function<void(Accepted, std::string bytes, SteadyTime since)> greeted;
        /// One was closed, and why.
        std::function<void(Error)> refused;
    };

    /// Callbacks come from completions and from take().
    Arrivals(boost::asio::io_context& context, const Limits& limits, Callbacks callbacks);
    ~Arrivals();
    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;

    void take(Accepted accepted);
    /// Closes the oldest, for its descriptor. @return whether there was one
    bool closeOldest();
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

private:
    struct Entry {
        boost::asio::posix::stream_descriptor socket;
        boost::asio::ip::tcp::endpoint from;
        SteadyTime since;
        std::string bytes = {};
    };
    using Entries = std::map<link::Strangers::Key, Entry>;

    void wait(Entries::iterator entry);
    void read(Entries::iterator entry);
    void greet(Entries::iterator entry);
    void refuse(link::Strangers::Key key, const std::string& why);
    void armTimer();

    boost::asio::io_context& m_context;
    Limits m_limits;
    Callbacks m_callbacks;
    link::Strangers m_strangers;
    Entries m_entries;
    link::Strangers::Key m_latest = 0;
    boost::asio::steady_timer m_timer;
    bool m_timing = false;
    std::shared_ptr<int> m_alive = std::make_shared<int>(); ///< completions look whether it is
};

} // namespace tasuki::control
