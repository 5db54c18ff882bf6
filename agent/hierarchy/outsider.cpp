// SPDX-License-Identifier: GPL-3.0-or-later
#include "outsider.h"

#include <utility>

namespace tasuki::hierarchy {

void Outsider::comeBack()
{
    if (m_state.wayBack.state() != WayBack::State::Fenced)
        return;
    const bool comes = m_at.view.member(m_at.self).reserved(); // for all that is known
    if (!comes && (!m_at.settings().rejoin || !m_at.started())) {
        shutOut();
        return;
    }
    m_messenger.beginLife(comes && m_at.life < reservedLife ? firstLifeOf(m_at.options.arrival)
                                                            : m_at.life.next());
    m_state.wayBack.ask();
    m_state.correspondence.setNextBeat(m_at.clock.now());
}

void Outsider::poll(SteadyTime now)
{
    if (m_state.wayBack.overdue(now))
        shutOut();
    if (m_state.wayBack.state() != WayBack::State::Asking
        || now < m_state.correspondence.nextBeat())
        return;
    m_state.correspondence.setNextBeat(now + m_at.interval());
    for (const ProcessorId to : m_state.wayBack.next(m_at.view, m_state.following.leader()))
        m_messenger.plead(to, now);
}

void Outsider::shutOut()
{
    m_state.wayBack.end();
    m_participant.tellPart();
    m_observer.shutOut();
}

void Outsider::receive(ProcessorId from, const ControlMessage& message)
{
    if (m_state.wayBack.state() != WayBack::State::Asking)
        return;
    const SteadyTime now = m_at.clock.now();
    if (const auto* const admission = std::get_if<Admission>(&message)) {
        hear(from, *admission);
    } else if (const auto* const banish = std::get_if<Banish>(&message)) {
        hear(from, *banish);
    } else if (const auto* const reply = std::get_if<BeatReply>(&message)) {
        m_state.following.hear(reply->generation, reply->renounced, now);
        m_state.following.takeStampOutside(*reply, now);
    } else if (const auto* const tables = std::get_if<Tables>(&message);
               tables != nullptr && tables->system != nullptr) {
        if (m_at.view.adopt(tables->system)) // by which votes count
            m_state.log.adopted(m_at.view.system());
    }
}

void Outsider::hear(ProcessorId from, const Banish& banish)
{
    if (arrivalOf(banish.life) != arrivalOf(m_at.life))
        return; // another one that has come with this number
    m_participant.hearOfOwnLoss(from, banish.lostFor);
    if (banish.life >= m_at.life && banish.forGood)
        shutOut();
    else if (banish.life >= m_at.life)
        m_messenger.beginLife(banish.life.next()); // let in, did not hear of it, and lost again
}

void Outsider::hear(ProcessorId from, const Admission& admission)
{
    const auto asked = m_state.correspondence.sentAt(admission.reply.number);
    if (admission.life != m_at.life || !asked)
        return;
    MembershipView view = m_first;
    for (const ClusterTablePtr& table : admission.tables.clusters)
        view.adopt(table);
    if (admission.tables.system != nullptr)
        view.adopt(admission.tables.system);
    view.adopt(m_at.view.systemPtr()); // who votes it does not forget
    const MemberRow& row = view.member(m_at.self);
    const SteadyTime lease = *asked - admission.reply.leaseAge;
    if (row.life != m_at.life || row.health >= Health::Condemned
        || m_at.clock.now() - lease
            > m_at.options.leaseBeats * view.system().settings.heartbeat / 2)
        return; // it is asked again
    m_participant.hearOfOwnLoss(from, admission.lostFor);
    m_entering();
    m_participant.enter(std::move(view), admission.reply, lease, *asked);
}

} // namespace tasuki::hierarchy
