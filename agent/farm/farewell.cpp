// SPDX-License-Identifier: GPL-3.0-or-later
#include "farewell.h"

#include <chrono>
#include <cstdint>

namespace tasuki::farm {

namespace {

/// Workers get so long to kill what tasks have left behind.
constexpr std::chrono::seconds dismissalLimit{5};
/// Who has not left is told again so often: it may not have known yet who the master is.
constexpr std::chrono::milliseconds goodbyePause{500};

} // namespace

Farewell::Farewell(std::size_t processors, MasterMail& mail) : m_mail(mail)
{
    for (std::uint32_t number = 0; number < processors; ++number)
        m_living.emplace(number);
}

void Farewell::lost(ProcessorId processor)
{
    m_losses = true;
    m_living.erase(processor);
}

void Farewell::begin(SteadyTime now)
{
    m_begun = now;
    say(now);
}

bool Farewell::isOver(SteadyTime now)
{
    if (now - m_said >= goodbyePause)
        say(now);
    if (!m_living.empty() && now - m_begun <= dismissalLimit)
        return false;
    m_losses = m_losses || !m_living.empty();
    return true;
}

void Farewell::say(SteadyTime now)
{
    m_said = now;
    for (const ProcessorId processor : m_living)
        m_mail.send(processor, Goodbye{m_losses});
}

} // namespace tasuki::farm
