// SPDX-License-Identifier: GPL-3.0-or-later
#include "ranksignals.h"

#include <csignal>
#include <utility>

namespace tasuki {

std::vector<int> rankSignals()
{
    std::vector<int> numbers{SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGQUIT};
    struct sigaction action {};
    if (::sigaction(SIGHUP, nullptr, &action) != 0 || action.sa_handler != SIG_IGN)
        numbers.push_back(SIGHUP);
    return numbers;
}

bool asksToKill(int number) { return number == SIGUSR2 || number == SIGTERM || number == SIGQUIT; }

RankSignals::RankSignals(boost::asio::io_context& context, std::function<void(int)> came)
    : m_set(context), m_came(std::move(came))
{
    for (const int number : rankSignals())
        m_set.add(number);
    wait();
}

void RankSignals::wait()
{
    m_set.async_wait([this](const boost::system::error_code& error, int number) {
        if (error)
            return;
        m_came(number);
        wait();
    });
}

} // namespace tasuki
