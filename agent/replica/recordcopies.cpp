// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordcopies.h"

#include "hierarchy/tree.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

using Presence = replica::Peer::Presence;

Presence presenceOf(Health health)
{
    if (health == Health::Alive)
        return Presence::There;
    return isUnreachable(health) ? Presence::Gone : Presence::Doubtful;
}

/// In the order of system masters.
std::vector<const hierarchy::MemberRow*> inSuccession(const hierarchy::MembershipView& view)
{
    const SubclusterId home = view.subclusterOf(ProcessorId(0));
    std::vector<SubclusterId> order{home};
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        if (SubclusterId(number) != home)
            order.emplace_back(number);
    }
    std::vector<const hierarchy::MemberRow*> rows;
    for (const SubclusterId subcluster : order) {
        const auto begin = static_cast<std::ptrdiff_t>(rows.size());
        for (const hierarchy::MemberRow& row : view.cluster(subcluster).members)
            rows.push_back(&row);
        std::sort(rows.begin() + begin, rows.end(),
                  [](const auto* one, const auto* other) { return precedes(*one, *other); });
    }
    return rows;
}

replica::CopyKeeper::Send sender(Epoch epoch, Transport& transport)
{
    return [epoch, &transport](ProcessorId to, replica::CopyWord word) {
        transport.send(
            to, farm::encode({epoch, {}, farm::RecordWord{replica::encode(std::move(word))}}));
    };
}

std::function<void(std::function<void()>)> poster(Reactor& reactor)
{
    return [&reactor](std::function<void()> work) { reactor.post(std::move(work)); };
}

} // namespace

std::vector<replica::Peer> copyPeers(const RecordReach& reach, const RecordPlace& record,
                                     const hierarchy::MembershipView& view, ProcessorId self)
{
    // Before that the first in order may only be the last to be ready.
    const bool started = view.system().started;
    std::vector<replica::Peer> peers;
    for (const hierarchy::MemberRow* const row : inSuccession(view)) {
        const std::size_t number = row->processor.value();
        if (row->processor == self)
            continue;
        const std::string& host = reach.hosts[number];
        peers.push_back(
            {.processor = row->processor,
             .host = host,
             .fit = started && (record.original ? !reach.sees[number] : host != record.host),
             .presence = presenceOf(row->health)});
    }
    if (!record.original)
        std::stable_partition(peers.begin(), peers.end(), [&reach](const replica::Peer& peer) {
            return peer.fit && reach.sees[peer.processor.value()];
        });
    return peers;
}

CopyPost::CopyPost(const RecordReach& reach, Epoch epoch, Transport& transport, Reactor& reactor)
    : m_file({.host = reach.hosts[transport.self().value()],
              .epoch = epoch,
              .seesOriginal = reach.sees[transport.self().value()],
              .directory = reach.copies},
             poster(reactor)),
      m_membership({.host = reach.hosts[transport.self().value()],
                    .original = reach.original,
                    .seesOriginal = reach.sees[transport.self().value()]},
                   m_file, sender(epoch, transport))
{}

std::optional<RecordPlace> CopyPost::succeed()
{
    std::optional<RecordPlace> place = m_membership.succession();
    m_membership.keepAll();
    m_membership.end();
    return place;
}

RecordCopies::RecordCopies(Setup setup, Journal& recorder, Transport& transport, const Clock& clock,
                           Reactor& reactor, std::function<void(Severity, std::string)> say)
    : m_setup(std::move(setup)),
      m_self(transport.self()),
      m_rows(m_setup.record.path, poster(reactor)),
      m_replicator({.run = m_setup.run,
                    .term = m_setup.term,
                    .place = m_setup.record,
                    .original = m_setup.reach.original,
                    .recorded = m_setup.recorded},
                   recorder, m_rows, clock,
                   {.send = sender(recorder.epoch(), transport), .say = std::move(say)})
{}

void RecordCopies::changed(const hierarchy::MembershipView& view)
{
    m_replicator.processorsAre(copyPeers(m_setup.reach, m_setup.record, view, m_self));
}

std::string RecordCopies::firstWords(const RecordReach& reach, const RecordPlace& record)
{
    if (record.original)
        return {};
    return "the record goes on in its copy, " + record.path + " on " + record.host
        + "; the original was " + reach.original.path + " on " + reach.original.host;
}

std::string RecordCopies::lastWords() const
{
    if (m_setup.record.original)
        return {};
    const RecordPlace& original = m_setup.reach.original;
    const std::optional<RecordPlace> copy = m_replicator.copy();
    const std::string where = "the record is now " + m_setup.record.path + " on "
        + m_setup.record.host;
    const std::string first = original.path + " on " + original.host;
    return copy && copy->original ? where + "; the original, " + first + ", has all of it too"
                                  : where + "; the original, " + first
            + ", does not have all of it: go on with the other one";
}

} // namespace tasuki
