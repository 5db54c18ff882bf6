// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <array>
#include <csignal>
#include <functional>

namespace tasuki {

/// By which a user, `launch` or mpirun ask a rank to end. Held back until a RankSignals is there.
inline constexpr std::array rankSignals{SIGUSR1, SIGUSR2, SIGTERM, SIGINT};

/// Hands over every rankSignals that comes, as long as it lives. Reactor's thread.
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
