// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <functional>
#include <vector>

namespace tasuki {

/// @return the signals by which a user, `launch` or mpirun ask a rank to end; a SIGHUP that this process
///         was told to ignore, as by nohup, is none. Held back until a RankSignals is there.
std::vector<int> rankSignals();
/// @return whether a signal asks for the running tasks to be killed at once
bool asksToKill(int number);

/// Hands over every one of rankSignals() that comes, as long as it lives. Reactor's thread.
class RankSignals {
public:
    /// @param came  is told the number
    RankSignals(boost::asio::io_context& context, std::function<void(int)> came);
    RankSignals(const RankSignals&) = delete;
    RankSignals& operator=(const RankSignals&) = delete;

private:
    void wait();

    boost::asio::signal_set m_set;
    std::function<void(int)> m_came;
};

} // namespace tasuki
