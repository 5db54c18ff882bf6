// SPDX-License-Identifier: GPL-3.0-or-later
#include "replicator.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace tasuki::replica {

namespace {

/// Bytes in one message, and in all that have not been answered.
constexpr std::size_t batchBytes = std::size_t{512} * 1024;
constexpr std::size_t windowBytes = 8 * batchBytes;
/// A processor that is there answers sooner, unless its disk hangs.
constexpr std::chrono::seconds patience{10};

std::string nameOf(const Peer& peer)
{
    return "processor " + std::to_string(peer.processor.value()) + " on " + peer.host;
}

} // namespace

Replicator::Replicator(Setup setup, Journal& inner, RowSource& rows, const Clock& clock,
                       Ports ports)
    : m_setup(std::move(setup)),
      m_inner(inner),
      m_rows(rows),
      m_clock(clock),
      m_ports(std::move(ports)),
      m_published(m_setup.recorded),
      m_committed(m_setup.recorded)
{}

void Replicator::setCallbacks(Callbacks callbacks)
{
    m_callbacks = std::move(callbacks);
    m_inner.setCallbacks(
        {.committed = [this](std::vector<Event> events) { take(std::move(events)); },
         .stalled = m_callbacks.stalled,
         .resumed = m_callbacks.resumed});
}

bool Replicator::holding() const
{
    return !settled() || (m_holder && m_holder->state == State::Promised);
}

bool Replicator::inStep() const
{
    return m_holder && m_holder->state == State::Promised && m_holder->stored >= m_holder->promise;
}

std::optional<RecordPlace> Replicator::copy() const
{
    if (m_ended)
        return m_atEnd;
    return inStep() ? std::optional(m_holder->place) : std::nullopt;
}

ConversationNumber Replicator::nextConversation()
{
    return conversationOf(m_setup.term, ++m_conversations);
}

void Replicator::send(ProcessorId to, ConversationNumber conversation,
                      decltype(CopyWord::word) word)
{
    m_ports.send(to, {.conversation = conversation, .word = std::move(word)});
}

void Replicator::take(std::vector<Event> events)
{
    m_committed = events.back().id;
    if (holding() || !m_waiting.empty())
        std::ranges::move(events, std::back_inserter(m_waiting));
    else
        publish(std::move(events));
    ship();
}

void Replicator::processorsAre(std::vector<Peer> peers)
{
    m_peers = std::move(peers);
    if (!m_introduced)
        introduce();
    for (const Peer& peer : m_peers) {
        const bool holds = m_holder && m_holder->peer.processor == peer.processor;
        if (holds && std::exchange(m_holder->peer.presence, peer.presence) != peer.presence)
            m_heard = m_clock.now();
        if (peer.presence == Peer::Presence::Gone) {
            m_awaited.erase(peer.processor);
            m_counting.erase(peer.processor);
            m_unreachable.insert(peer.processor);
            if (holds)
                drop();
        } else if (m_unreachable.erase(peer.processor) != 0) {
            send(peer.processor, m_awaited[peer.processor] = nextConversation(),
                 Lead{.place = m_setup.place, .release = m_setup.term == Term{} || m_holder});
        }
    }
    choose();
    publishWhatMay();
}

/// The first master is known to all, and so is its record.
void Replicator::introduce()
{
    m_introduced = true;
    if (m_setup.term == Term{})
        return;
    for (const Peer& peer : m_peers) {
        if (peer.presence != Peer::Presence::Gone)
            m_unreachable.insert(peer.processor);
    }
}

bool Replicator::mayHold(const Peer& peer) const
{
    return peer.fit && peer.presence == Peer::Presence::There && !m_unfit.contains(peer.processor);
}

/// Who has a copy that counts is better than who has none. A copy must not count for ever when
/// another one is kept.
void Replicator::choose()
{
    if (m_holder || !m_introduced || !m_awaited.empty())
        return;
    auto chosen = std::ranges::find_if(m_peers, [this](const Peer& peer) {
        return mayHold(peer) && m_counting.contains(peer.processor);
    });
    if (chosen == m_peers.end())
        chosen = std::ranges::find_if(m_peers, [this](const Peer& peer) { return mayHold(peer); });
    for (const ProcessorId other : std::set(m_counting)) {
        if (chosen == m_peers.end() || other != chosen->processor)
            release(other);
    }
    if (chosen == m_peers.end())
        return;
    m_holder.emplace(Holder{.peer = *chosen, .conversation = nextConversation()});
    m_heard = m_clock.now();
    send(chosen->processor, m_holder->conversation,
         Begin{.run = m_setup.run, .original = m_setup.original});
}

/// It lives and may think that its copy counts: nobody is told of anything before it has heard that it
/// does not.
void Replicator::release(ProcessorId processor)
{
    m_counting.erase(processor);
    send(processor, m_awaited[processor] = nextConversation(),
         Lead{.place = m_setup.place, .release = true});
}

void Replicator::answered(ProcessorId from, ConversationNumber conversation, bool counts)
{
    const auto awaited = m_awaited.find(from);
    if (awaited == m_awaited.end() || conversation < awaited->second)
        return;
    m_awaited.erase(awaited);
    if (counts)
        m_counting.insert(from);
    choose();
    publishWhatMay();
}

/// There is no holder any more. What it was waited for may be told, unless somebody else is.
void Replicator::drop()
{
    const bool counted = inStep();
    const std::string name = nameOf(m_holder->peer);
    m_holder.reset();
    const bool others = std::ranges::any_of(m_peers, [this](const Peer& peer) {
        return peer.fit && peer.presence != Peer::Presence::Gone
            && !m_unfit.contains(peer.processor);
    });
    if (counted && !others)
        m_ports.say(Severity::Warning,
                    "the copy of the record that " + name
                        + " has kept is lost; nobody is left to keep another one");
}

void Replicator::refuse(const std::string& reason)
{
    const Peer peer = m_holder->peer;
    m_unfit.insert(peer.processor);
    drop();
    m_ports.say(Severity::Warning, nameOf(peer) + " does not keep a copy of the record: " + reason);
}

void Replicator::receive(ProcessorId from, CopyWord word)
{
    if (const auto* const led = std::get_if<Led>(&word.word)) {
        answered(from, word.conversation, led->counts);
        return;
    }
    if (!m_holder || m_holder->peer.processor != from
        || m_holder->conversation != word.conversation)
        return;
    m_heard = m_clock.now();
    if (const auto* const have = std::get_if<Have>(&word.word)) {
        compare(*have);
    } else if (const auto* const upTo = std::get_if<Stored>(&word.word)) {
        stored(upTo->upTo);
    } else if (const auto* const unable = std::get_if<Unable>(&word.word)) {
        m_counting.erase(from);
        refuse(unable->reason);
        choose();
        publishWhatMay();
    }
}

void Replicator::compare(const Have& have)
{
    if (m_holder->state != State::Asked)
        return;
    m_holder->state = State::Compared;
    m_holder->place = have.place;
    if (have.marks.empty()) {
        begin({});
        return;
    }
    m_rows.firstShared(
        have.marks,
        [this, conversation = m_holder->conversation](Result<std::optional<RecordMark>> shared) {
            if (!m_holder || m_holder->conversation != conversation)
                return;
            if (shared && *shared) {
                begin((*shared)->id);
                return;
            }
            if (m_counting.contains(m_holder->peer.processor))
                release(m_holder->peer.processor);
            refuse(shared ? m_holder->place.path + " there is the record of something else"
                          : shared.error().text());
            choose();
            publishWhatMay();
        });
}

void Replicator::begin(EventId after)
{
    m_holder->state = State::Copying;
    m_holder->shipped = after;
    m_holder->stored = after;
    send(m_holder->peer.processor, m_holder->conversation, Take{after});
    ship();
}

/// Reads on while there is room on the way.
void Replicator::ship()
{
    if (!m_holder || m_holder->state < State::Copying || m_holder->reading)
        return;
    if (m_holder->state == State::Copying && m_holder->shipped >= m_published)
        promise();
    if (m_holder->bytesUnderWay >= windowBytes || m_holder->shipped >= m_committed)
        return;
    m_holder->reading = true;
    m_rows.read(m_holder->shipped, batchBytes,
                [this, conversation = m_holder->conversation](Result<RecordRows> rows) {
                    if (!m_holder || m_holder->conversation != conversation)
                        return;
                    m_holder->reading = false;
                    shipRows(std::move(rows));
                });
}

void Replicator::shipRows(Result<RecordRows> rows)
{
    Holder& holder = *m_holder;
    if (!rows || rows->empty()) {
        // It is in step with all that could be read; that the record has more is known.
        const std::string reason = rows ? "rows are missing in the record" : rows.error().text();
        release(holder.peer.processor);
        refuse(reason);
        return;
    }
    if (holder.underWay.empty())
        m_heard = m_clock.now();
    holder.shipped = rows->last;
    holder.underWay.push_back({rows->last, rows->bytes.size()});
    holder.bytesUnderWay += rows->bytes.size();
    send(holder.peer.processor, holder.conversation, Rows{std::move(*rows)});
    ship();
}

void Replicator::promise()
{
    m_counting.erase(m_holder->peer.processor); // from now on it counts by this master's word
    m_holder->state = State::Promised;
    m_holder->promise = m_published;
    send(m_holder->peer.processor, m_holder->conversation, Promise{m_published});
    stored(m_holder->stored);
}

void Replicator::stored(EventId upTo)
{
    Holder& holder = *m_holder;
    if (upTo > holder.shipped)
        return; // never sent
    holder.stored = std::max(holder.stored, upTo);
    while (!holder.underWay.empty() && holder.underWay.front().last <= holder.stored) {
        holder.bytesUnderWay -= holder.underWay.front().bytes;
        holder.underWay.pop_front();
    }
    if (inStep() && !std::exchange(holder.told, true))
        m_ports.say(Severity::Information,
                    nameOf(holder.peer) + " keeps a copy of the record: " + holder.place.path);
    publishWhatMay();
    if (m_holder && !m_holder->reading)
        ship();
}

/// Tells of what may be told, in one go.
void Replicator::publishWhatMay()
{
    if (!settled())
        return;
    auto end = m_waiting.end();
    if (holding())
        end = std::ranges::find_if(
            m_waiting, [this](const Event& event) { return event.id > m_holder->stored; });
    if (end == m_waiting.begin())
        return;
    std::vector<Event> events(std::make_move_iterator(m_waiting.begin()),
                              std::make_move_iterator(end));
    m_waiting.erase(m_waiting.begin(), end);
    publish(std::move(events));
}

void Replicator::publish(std::vector<Event> events)
{
    m_published = events.back().id;
    const bool ends = std::ranges::any_of(events, [](const Event& event) {
        return std::holds_alternative<RunClosed>(event.payload);
    });
    if (ends && !m_ended) {
        m_atEnd = copy();
        m_ended = true;
    }
    // Before anybody is dismissed.
    if (ends && m_holder)
        send(m_holder->peer.processor, m_holder->conversation,
             Farewell{.keep = !m_setup.place.original});
    if (m_callbacks.committed)
        m_callbacks.committed(std::move(events));
}

void Replicator::poll()
{
    const bool waits = m_holder
        && (m_holder->state < State::Copying || !m_holder->underWay.empty());
    if (!waits || m_holder->peer.presence != Peer::Presence::There
        || m_clock.now() - m_heard < patience)
        return;
    release(m_holder->peer.processor);
    refuse("it has not answered for " + std::to_string(patience.count()) + " s");
}

} // namespace tasuki::replica
