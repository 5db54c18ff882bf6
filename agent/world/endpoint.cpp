// SPDX-License-Identifier: GPL-3.0-or-later
#include "endpoint.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

namespace tasuki::world {

namespace {

constexpr std::size_t pieceBytes = 16 * 1024;

/// Tells the core that a loop waits for memory.
void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

Endpoint::Endpoint(Segment segment, WorldRank me, Options options,
                   std::span<const Determinants::Value> early)
    : m_segment(std::move(segment)),
      m_me(me),
      m_options(options),
      m_outgoing(m_segment.layout().ranks)
{
    m_options.eagerBytes = std::min<std::uint64_t>(
        m_options.eagerBytes, m_segment.ring(me, me).longest() / 4 - sizeof(MessageHead));
    if (m_segment.layout().logBytes != 0)
        m_log = std::make_unique<MessageLog>(m_segment, me, m_options.log, early);
    ProgramStatus& shown = m_segment.status(me);
    shown.process.store(static_cast<std::uint32_t>(::getpid()));
    shown.phase.store(ProgramPhase::Inside);
}

void Endpoint::end() { m_segment.status(m_me).phase.store(ProgramPhase::Over); }

// ---- sending

void Endpoint::send(WorldRank to, const Envelope& envelope, SendMode mode, Sending& sending)
{
    count(sending.bytes);
    if (sendKept(to, envelope, mode, sending))
        return;
    const bool eager = sending.bytes <= m_options.eagerBytes;
    const bool answered = !eager || mode == SendMode::Synchronous;
    MessageHead head{.kind = eager ? MessageKind::Eager : MessageKind::Offer,
                     .synchronous = mode == SendMode::Synchronous,
                     .tag = envelope.tag,
                     .context = envelope.context,
                     .source = envelope.source,
                     .bytes = sending.bytes};
    if (answered) {
        sending.transfer = m_nextTransfer++;
        m_transfers.emplace(sending.transfer, &sending);
        head.transfer = sending.transfer;
    }
    if (!eager)
        head.place = reinterpret_cast<std::uint64_t>(sending.data);
    post(to,
         {.head = head,
          .data = eager ? sending.data : nullptr,
          .bytes = eager ? static_cast<std::size_t>(sending.bytes) : 0,
          .ends = answered ? nullptr : &sending});
}

/// Into the log: whatever becomes of the receiver, it is sent.
/// @return false: nothing is kept
bool Endpoint::sendKept(WorldRank to, const Envelope& envelope, SendMode mode, Sending& sending)
{
    if (m_log == nullptr)
        return false;
    if (m_observesAny)
        m_log->observe();
    const bool answered = mode == SendMode::Synchronous;
    const MessageHead head{.kind = MessageKind::Eager,
                           .synchronous = answered,
                           .tag = envelope.tag,
                           .context = envelope.context,
                           .source = envelope.source,
                           .bytes = sending.bytes,
                           .transfer = answered ? m_nextTransfer : 0};
    if (!m_log->send(to, head, sending.data))
        return false;
    if (answered)
        m_transfers.emplace(sending.transfer = m_nextTransfer++, &sending);
    else
        sending.done = true;
    return true;
}

/// For who watches; this process alone writes it.
void Endpoint::count(std::uint64_t bytes)
{
    ProgramStatus& shown = m_segment.status(m_me);
    shown.messages.store(shown.messages.load(std::memory_order_relaxed) + 1,
                         std::memory_order_relaxed);
    shown.bytes.store(shown.bytes.load(std::memory_order_relaxed) + bytes,
                      std::memory_order_relaxed);
}

void Endpoint::showCall(const char* name)
{
    ProgramStatus& shown = m_segment.status(m_me);
    for (std::atomic<char>& place : shown.call) {
        place.store(*name, std::memory_order_relaxed);
        if (*name != 0)
            ++name;
    }
    shown.waits.store(1, std::memory_order_relaxed);
}

void Endpoint::post(WorldRank to, const Outgoing& record)
{
    const bool answers = record.head.kind == MessageKind::Taken;
    if (answers && m_log != nullptr && m_log->send(to, record.head, nullptr))
        return;
    // In order.
    if (m_outgoing[to].empty() && tryWrite(to, record))
        return;
    m_outgoing[to].push_back(record);
    ++m_queued;
}

bool Endpoint::tryWrite(WorldRank to, const Outgoing& record)
{
    Ring ring = m_segment.ring(m_me, to);
    const std::size_t size = sizeof record.head + record.bytes;
    const RingPieces place = ring.reserve(size);
    if (place.first == nullptr)
        return false;
    copyInto(place, 0, &record.head, sizeof record.head);
    if (record.bytes != 0)
        copyInto(place, sizeof record.head, record.data, record.bytes);
    ring.publish(size);
    m_segment.announce(m_me, to);
    if (record.ends != nullptr)
        record.ends->done = true;
    return true;
}

bool Endpoint::flush()
{
    bool moved = false;
    for (WorldRank to = 0; m_queued != 0 && to < m_outgoing.size(); ++to) {
        auto& queue = m_outgoing[to];
        while (!queue.empty() && tryWrite(to, queue.front())) {
            queue.pop_front();
            --m_queued;
            moved = true;
        }
    }
    return moved;
}

// ---- receiving

void Endpoint::receive(const Pattern& pattern, Receiving& receiving)
{
    receiving.done = false;
    if (pattern.source == Pattern::any)
        m_observesAny = true;
    if (auto found = m_matching.post(pattern, &receiving))
        match(found->second, nullptr, receiving);
}

void Endpoint::receive(Arrival arrival, Receiving& receiving)
{
    receiving.done = false;
    match(arrival, nullptr, receiving);
}

const Arrival* Endpoint::look(const Pattern& pattern)
{
    const auto* found = m_matching.look(pattern);
    return found == nullptr ? nullptr : &found->second;
}

std::optional<Arrival> Endpoint::take(const Pattern& pattern)
{
    auto found = m_matching.take(pattern);
    return found ? std::optional(std::move(found->second)) : std::nullopt;
}

bool Endpoint::cancel(const Pattern& pattern, Receiving& receiving)
{
    if (!m_matching.cancel(pattern.context, &receiving))
        return false;
    receiving.done = true;
    return true;
}

void Endpoint::match(Arrival& arrival, const RingPieces* record, Receiving& receiving)
{
    const MessageHead& head = arrival.head;
    receiving.envelope = {head.context, head.source, head.tag};
    receiving.bytes = head.bytes;
    if (head.kind == MessageKind::Offer)
        return fetch(arrival, receiving);
    const auto bytes = static_cast<std::size_t>(std::min(head.bytes, receiving.capacity));
    if (bytes != 0 && arrival.kept)
        m_log->copy(arrival.from, *arrival.kept, receiving.buffer, bytes);
    else if (bytes != 0 && record != nullptr)
        copyOutOf(*record, sizeof head, receiving.buffer, bytes);
    else if (bytes != 0)
        std::copy_n(arrival.payload.data(), bytes, static_cast<std::byte*>(receiving.buffer));
    receiving.done = true;
    if (head.synchronous != 0)
        post(arrival.from, {.head = {.kind = MessageKind::Taken, .transfer = head.transfer}});
}

/// A long message: from the sender's memory at once, or in pieces through the ring.
void Endpoint::fetch(const Arrival& arrival, Receiving& receiving)
{
    const MessageHead& head = arrival.head;
    const auto wanted = static_cast<std::size_t>(std::min(head.bytes, receiving.capacity));
    std::size_t read = 0;
    if (m_options.mayReadOthers && !m_segment.isRemote(arrival.from)) {
        const auto process = static_cast<pid_t>(m_segment.status(arrival.from).process.load());
        while (read < wanted) {
            const iovec here{static_cast<std::byte*>(receiving.buffer) + read, wanted - read};
            const iovec there{reinterpret_cast<std::byte*>(head.place) + read, wanted - read};
            const ssize_t count = ::process_vm_readv(process, &here, 1, &there, 1, 0);
            if (count <= 0)
                break;
            read += static_cast<std::size_t>(count);
        }
        if (read < wanted && errno == EPERM)
            m_options.mayReadOthers = false;
    }
    if (read == wanted) {
        receiving.done = true;
        post(arrival.from, {.head = {.kind = MessageKind::Taken, .transfer = head.transfer}});
        return;
    }
    const std::uint64_t number = m_nextTransfer++;
    m_assembled.emplace(number, &receiving);
    receiving.arrived = 0;
    post(arrival.from,
         {.head = {.kind = MessageKind::Wanted,
                   .bytes = wanted,
                   .transfer = head.transfer,
                   .place = number}});
}

void Endpoint::sendPieces(WorldRank to, const MessageHead& wanted)
{
    const auto found = m_transfers.find(wanted.transfer);
    if (found == m_transfers.end())
        return;
    Sending& sending = *found->second;
    m_transfers.erase(found);
    for (std::uint64_t offset = 0;;) {
        const auto bytes = static_cast<std::size_t>(
            std::min<std::uint64_t>(wanted.bytes - offset, pieceBytes));
        const bool last = offset + bytes >= wanted.bytes;
        post(to,
             {.head = {.kind = MessageKind::Piece,
                       .bytes = bytes,
                       .transfer = wanted.transfer,
                       .place = wanted.place,
                       .offset = offset},
              .data = static_cast<const std::byte*>(sending.data) + offset,
              .bytes = bytes,
              .ends = last ? &sending : nullptr});
        if (last)
            return;
        offset += bytes;
    }
}

void Endpoint::takePiece(const MessageHead& head, const RingPieces& record)
{
    const auto found = m_assembled.find(head.place);
    if (found == m_assembled.end())
        return;
    Receiving& receiving = *found->second;
    const auto bytes = static_cast<std::size_t>(head.bytes);
    if (bytes != 0)
        copyOutOf(record, sizeof head, static_cast<std::byte*>(receiving.buffer) + head.offset,
                  bytes);
    receiving.arrived += bytes;
    if (receiving.arrived < std::min(receiving.bytes, receiving.capacity))
        return;
    receiving.done = true;
    m_assembled.erase(found);
}

void Endpoint::read(WorldRank from)
{
    Ring ring = m_segment.ring(from, m_me);
    while (!ring.isEmpty()) {
        takeRecord(from, ring.front());
        ring.pop();
    }
    if (ring.takeWriterWaits())
        m_segment.wakeWriter(from, m_me);
}

void Endpoint::takeRecord(WorldRank from, const RingPieces& record)
{
    MessageHead head;
    copyOutOf(record, 0, &head, sizeof head);
    switch (head.kind) {
    case MessageKind::Eager:
    case MessageKind::Offer: return arrived({.from = from, .head = head}, &record);
    case MessageKind::Wanted: return sendPieces(from, head);
    case MessageKind::Piece: return takePiece(head, record);
    case MessageKind::Taken: return taken(head.transfer);
    }
}

void Endpoint::takeKept(WorldRank from, const MessageHead& head, StreamPlace payload)
{
    if (head.kind == MessageKind::Taken)
        taken(head.transfer);
    else
        arrived({.from = from, .head = head, .kept = payload}, nullptr);
}

/// The receiver has a message.
void Endpoint::taken(std::uint64_t transfer)
{
    const auto found = m_transfers.find(transfer);
    if (found == m_transfers.end())
        return;
    found->second->done = true;
    m_transfers.erase(found);
}

/// @param record  null: it is kept in a log
void Endpoint::arrived(Arrival arrival, const RingPieces* record)
{
    const MessageHead& head = arrival.head;
    const Envelope envelope{head.context, head.source, head.tag};
    if (const auto receiving = m_matching.arrive(envelope))
        return match(arrival, record, **receiving);
    if (head.kind == MessageKind::Eager && record != nullptr) {
        arrival.payload.resize(static_cast<std::size_t>(head.bytes));
        if (head.bytes != 0)
            copyOutOf(*record, sizeof head, arrival.payload.data(), arrival.payload.size());
    }
    m_matching.keep(envelope, std::move(arrival));
}

std::int64_t Endpoint::decide(ValueKind kind, const std::function<std::int64_t()>& live)
{
    return m_log == nullptr ? live() : m_log->decide(kind, live);
}

void Endpoint::endKeeping(const std::string& why)
{
    if (keeps())
        m_log->end(why);
}

void Endpoint::observe()
{
    if (m_log != nullptr)
        m_log->observe();
}

bool Endpoint::progress(Look look)
{
    bool moved = m_queued != 0 && flush();
    if (m_log == nullptr) {
        m_segment.forEachPending(programOf(m_me), [&](WorldRank from) {
            moved = true;
            read(from);
        });
        return moved;
    }
    const auto take = [this](WorldRank from, const MessageHead& head, StreamPlace payload) {
        takeKept(from, head, payload);
    };
    // Who keeps no more sends through its ring, behind what it has kept.
    const auto other = [this, &moved](WorldRank from) {
        moved = true;
        read(from);
    };
    return m_log->receive(look, take, other) || moved;
}

/// The life before did not wait here for what has not come again.
void Endpoint::lookAtReplay(const char* call, std::optional<Clock::time_point>& until)
{
    if (m_log->isShort())
        return until.reset(); // it will come
    const auto now = Clock::now();
    if (!until)
        until = now + m_options.longestReplayWait;
    if (now >= *until)
        m_log->differ(std::string("it waits in ") + call + " for what it had not waited for");
}

void Endpoint::wait(const char* call, const std::function<bool()>& holds,
                    const std::function<void()>& release, const std::function<void()>& acquire)
{
    // An answer often comes within a microsecond: giving up the core, and even the time, would cost as much.
    constexpr int looks = 64;
    int looked = 0;
    constexpr auto notYet = Clock::time_point::max();
    auto sleepsAt = notYet;
    std::optional<Clock::time_point> replaysUntil;
    while (!holds()) {
        if (progress(Look::Waits)) {
            looked = 0;
            sleepsAt = notYet;
            replaysUntil.reset();
            continue;
        }
        if (holds())
            return;
        if (replays())
            lookAtReplay(call, replaysUntil);
        if (m_options.spin.count() != 0 && looked++ < looks) {
            pause();
            continue;
        }
        if (m_log)
            m_log->prepare();
        if (sleepsAt == notYet)
            sleepsAt = Clock::now() + m_options.spin;
        if (Clock::now() < sleepsAt) {
            release();
            ::sched_yield();
            acquire();
            continue;
        }
        const std::uint32_t drowsed = m_segment.drowse(programOf(m_me));
        if (progress(Look::Waits) || holds()) {
            m_segment.awake(programOf(m_me));
            continue;
        }
        showCall(call);
        release();
        m_segment.sleep(programOf(m_me), drowsed, m_options.longestSleep);
        acquire();
        renewSign(); // who waits for others does not hang
        m_segment.status(m_me).waits.store(0, std::memory_order_relaxed);
    }
}

// ---- restart points

namespace {

/// A message that has come and is not matched, as it is saved.
struct SavedArrival {
    WorldRank from = 0;
    MessageHead head;
    std::uint64_t position = 0; ///< of what it says, in the stream
};

} // namespace

std::vector<std::uint64_t> Endpoint::save(StateWriter& state) const
{
    std::vector<std::uint64_t> needed = m_log->takenOf();
    std::vector<SavedArrival> arrivals;
    m_matching.forEachKept([&](const Arrival& arrival) {
        arrivals.push_back({arrival.from, arrival.head, arrival.kept->position});
        std::uint64_t& lowest = needed[arrival.from];
        lowest = std::min(lowest, arrival.kept->position - sizeof(MessageHead));
    });
    state.put(m_nextTransfer);
    state.put(m_observesAny);
    state.put(std::uint64_t{arrivals.size()});
    for (const SavedArrival& arrival : arrivals)
        state.put(arrival);
    return needed;
}

void Endpoint::restore(StateReader& state)
{
    m_matching.clear();
    m_nextTransfer = state.get<std::uint64_t>();
    m_observesAny = state.get<bool>();
    for (auto left = state.get<std::uint64_t>(); left != 0 && !state.isAtEnd(); --left) {
        const auto saved = state.get<SavedArrival>();
        const Envelope envelope{saved.head.context, saved.head.source, saved.head.tag};
        m_matching.keep(envelope,
                        {.from = saved.from,
                         .head = saved.head,
                         .kept = m_log->find(saved.from, saved.position, saved.head.bytes)});
    }
}

bool Endpoint::keepOutput(std::chrono::milliseconds most)
{
    ProgramStatus& shown = m_segment.status(m_me);
    const std::uint32_t question = shown.outputAsked.load() + 1;
    shown.outputAsked.store(question);
    m_segment.announceToAgent(m_me);
    return m_segment.sleepUntil(
               programOf(m_me), [&] { return shown.outputAnswered.load() == question; },
               Clock::now() + most)
        && shown.outputMissing.load() == 0;
}

std::uint64_t Endpoint::keptOutput(std::size_t stream) const
{
    return m_segment.output(m_me, stream).written.load(std::memory_order_acquire);
}

std::string Endpoint::readOutput(std::size_t stream, std::uint64_t from, std::uint64_t to) const
{
    StreamReader reader(m_segment.log(m_me), m_segment.output(m_me, stream));
    std::string bytes(static_cast<std::size_t>(to - from), '\0');
    reader.seek(from);
    reader.read(bytes.data(), bytes.size());
    return bytes;
}

void Endpoint::tellObstacle(PointObstacle what)
{
    ProgramStatus& shown = m_segment.status(m_me);
    shown.noPoint.store(what, std::memory_order_relaxed);
    if (what != PointObstacle::None)
        return;
    shown.points.fetch_add(1, std::memory_order_relaxed);
    shown.pointAt.store(steadyMilliseconds(), std::memory_order_relaxed);
}

// ---- signs of life

void Endpoint::promiseSign(std::chrono::seconds within)
{
    m_segment.status(m_me).signEvery.store(static_cast<std::uint32_t>(within.count()));
    renewSign();
}

void Endpoint::renewSign()
{
    ProgramStatus& shown = m_segment.status(m_me);
    const std::uint32_t every = shown.signEvery.load(std::memory_order_relaxed);
    shown.signBy.store(every == 0 ? 0 : steadyMilliseconds() + std::uint64_t{every} * 1'000);
}

} // namespace tasuki::world
