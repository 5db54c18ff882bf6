// SPDX-License-Identifier: GPL-3.0-or-later
#include "ranksignals.h"

#include <utility>

namespace tasuki {

RankSignals::RankSignals(boost::asio::io_context& context, std::function<void(int)> came)
    : m_set(context), m_came(std::move(came))
{
    for (const int number : rankSignals)
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
