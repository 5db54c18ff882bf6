// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagelog.h"

#include "sentstretches.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tasuki::world {

MessageLog::MessageLog(const Segment& segment, WorldRank me, Ports ports,
                       std::span<const Determinants::Value> early)
    : m_segment(segment),
      m_me(me),
      m_ports(std::move(ports)),
      m_log(segment.log(me)),
      m_determinants(segment.log(me), segment.determinants(me))
{
    ProgramStatus& shown = segment.status(me);
    shown.toReplay.store(segment.determinants(me).written.load(), std::memory_order_relaxed);
    shown.replayed.store(m_determinants.passed(), std::memory_order_relaxed);
    m_formerCalls = shown.calls.load();
    m_goesOn = m_formerCalls != 0 || m_determinants.replays();
    const std::uint32_t ranks = segment.layout().ranks;
    m_out.reserve(ranks);
    m_in.reserve(ranks);
    for (WorldRank other = 0; other < ranks; ++other) {
        m_out.emplace_back(m_log, segment.stream(me, other));
        m_in.emplace_back(segment.log(other), segment.stream(other, me));
        // The life before may have been killed before it said so.
        if (m_out.back().repeats())
            segment.announce(me, other);
    }
    for (const Determinants::Value& value : early) {
        if (decide(value.kind, [&value] { return value.value; }) != value.value)
            differ("it is told another time before MPI_Init than before");
    }
}

void MessageLog::differ(const std::string& what)
{
    m_segment.status(m_me).differs.store(1);
    m_ports.differs(what);
}

void MessageLog::end(const std::string& why)
{
    m_log.close();
    if (m_segment.endKeeping())
        m_ports.ended(why);
    // Receivers look at the stream first: they are to see that it has ended.
    for (WorldRank other = 0; other < m_segment.layout().ranks; ++other)
        m_segment.announce(m_me, other);
}

void MessageLog::beginCall()
{
    if (++m_call <= m_formerCalls)
        return;
    m_segment.status(m_me).calls.store(m_call, std::memory_order_release);
    lookWhetherBeyond();
}

/// It may do now what the life before had not come to.
void MessageLog::lookWhetherBeyond()
{
    if (!m_goesOn || replays())
        return;
    m_goesOn = false;
    m_segment.status(m_me).beyondAt.store(steadyMilliseconds(), std::memory_order_relaxed);
}

/// A mark of awaitNotes() in an earlier call. Nothing hangs on where it stands.
void MessageLog::passEarlierMarks()
{
    for (const Determinants::Delivery* next = m_determinants.nextDelivery();
         next != nullptr && next->bytes == 0 && next->step < m_call;
         next = m_determinants.nextDelivery())
        passed();
}

/// Here awaitNotes() was called in the life before, and may have left its mark.
void MessageLog::passMark()
{
    m_observed = false;
    passEarlierMarks();
    const Determinants::Delivery* const next = m_determinants.nextDelivery();
    if (next != nullptr && next->bytes == 0 && next->step == m_call)
        passed();
}

/// Until what could have been another way is known where another life would begin.
void MessageLog::awaitNotes()
{
    ProgramStatus& shown = m_segment.status(m_me);
    m_observed = false;
    if (shown.notesLeave.load() == 0)
        return; // it is in the memory
    // That nothing else was taken up to this call.
    if (!m_determinants.note({.step = m_call, .from = m_me, .bytes = 0}))
        return; // send() finds no room, too
    const std::uint64_t all = m_determinants.passed();
    m_segment.announceToAgent(m_me);
    waitFor([&] { return shown.notesLeave.load() == 0 || shown.notesKept.load() >= all; });
}

/// For something that the agent does.
void MessageLog::waitFor(const std::function<bool()>& holds)
{
    while (m_ports.waits && !holds())
        m_ports.waits();
    m_segment.sleepUntil(programOf(m_me), holds);
}

/// @param what  this rank has done
void MessageLog::endAsFull(const std::string& what)
{
    end("rank " + std::to_string(m_me) + " has " + what + ", "
        + std::to_string(m_segment.layout().logBytes >> 20U) + " MiB");
}

bool MessageLog::send(WorldRank to, const MessageHead& head, const void* data)
{
    if (m_log.isClosed())
        return false;
    StreamWriter& out = m_out[to];
    if (!m_segment.keeps() && !out.repeats() && !replays()) {
        end({});
        return false;
    }
    if (m_observed && replays())
        passMark();
    else if (m_observed && !out.repeats())
        awaitNotes();
    const std::array parts{StreamWriter::Part{&head, sizeof head},
                           StreamWriter::Part{data, head.bytes}};
    m_sentSincePoint += sizeof head + head.bytes;
    switch (out.write(parts)) {
    case StreamWriter::Written::New:
        // At another host the life before has left nothing in its streams: who has them compares.
        if (m_call < m_formerCalls)
            differ("it sends a message to rank " + std::to_string(to) + " that it had not sent");
        m_segment.announce(m_me, to);
        return true;
    case StreamWriter::Written::Repeated: return true;
    case StreamWriter::Written::Differs:
        differ("it sends another message to rank " + std::to_string(to) + " than before (with tag "
               + std::to_string(head.tag) + ", " + std::to_string(head.bytes) + " bytes)");
        return true;
    case StreamWriter::Written::Full: break;
    }
    endAsFull("sent as much as log_mb lets its log keep");
    return false;
}

/// Whether a rank sends another way from now on, and all that it had sent before is taken.
bool MessageLog::isOver(WorldRank from) const
{
    return m_segment.log(from).isClosed() && m_in[from].available() == 0;
}

// ---- what comes

void MessageLog::deliver(WorldRank from, std::uint64_t bytes, const Take& take)
{
    StreamReader& in = m_in[from];
    const std::uint64_t until = in.place().position + bytes;
    while (in.place().position < until) {
        MessageHead head;
        in.read(&head, sizeof head);
        const StreamPlace payload = in.place();
        in.read(nullptr, head.bytes);
        take(from, head, payload);
    }
}

/// @param any  whether something has come in this call already; set when something does
void MessageLog::takeFrom(WorldRank from, const Take& take, bool& any)
{
    const std::uint64_t bytes = m_in[from].available();
    if (bytes == 0 || differsAsGone(from, m_in[from].place().position, bytes))
        return;
    // Noted first: what follows from it may leave at once.
    if (!m_log.isClosed()
        && !m_determinants.note({.step = m_call, .from = from, .bytes = bytes, .joins = any}))
        endAsFull("taken as many messages as log_mb lets its log note");
    any = true;
    deliver(from, bytes, take);
}

bool MessageLog::receive(Look look, const Take& take, const std::function<void(WorldRank)>& other)
{
    if (look == Look::Tells)
        observe();
    passEarlierMarks();
    if (look == Look::Tells && isShort())
        waitFor([this] { return !isShort(); }); // the life before has told that it had come
    if (m_determinants.replays())
        return replay(take);
    // The life before has taken nothing more. In its last call it may have told so, or have waited.
    if (m_call < m_formerCalls || (m_call == m_formerCalls && look == Look::Tells))
        return false;
    lookWhetherBeyond();
    bool any = false;
    const auto visit = [&](WorldRank from) {
        takeFrom(from, take, any);
        if (isOver(from))
            other(from);
    };
    if (std::exchange(m_looksAtAll, false)) {
        for (WorldRank from = 0; from < m_in.size(); ++from)
            visit(from);
    }
    m_segment.forEachPending(programOf(m_me), visit);
    return any;
}

/// A life before had a later restart point, of which this one knows nothing.
bool MessageLog::differsAsGone(WorldRank from, std::uint64_t position, std::uint64_t bytes)
{
    const bool gone = isGone(m_segment.stream(from, m_me), position, bytes);
    if (gone)
        differ("what rank " + std::to_string(from) + " has sent to it is not kept any more");
    return gone;
}

/// At another host than the life before, what that has taken comes once more.
bool MessageLog::isShort() const
{
    const Determinants::Delivery* const next = m_determinants.nextDelivery();
    return next != nullptr && next->bytes != 0 && next->step == m_call
        && m_in[next->from].available() < next->bytes;
}

bool MessageLog::replay(const Take& take)
{
    bool any = false;
    for (;;) {
        const Determinants::Delivery* const next = m_determinants.nextDelivery();
        const bool isMark = next != nullptr && next->bytes == 0;
        if (next == nullptr || isMark || next->step > m_call || (any && !next->joins))
            return any;
        const Determinants::Delivery delivery = *next;
        if (isShort() && !any)
            return false;
        waitFor([this] { return !isShort(); }); // it had come at once with the one before
        if (delivery.step < m_call) {
            differ("it calls MPI in another order than before");
            return any;
        }
        if (differsAsGone(delivery.from, m_in[delivery.from].place().position, delivery.bytes))
            return any;
        passed();
        deliver(delivery.from, delivery.bytes, take);
        any = true;
    }
}

/// What came next is done.
void MessageLog::passed()
{
    m_determinants.pass();
    m_segment.status(m_me).replayed.store(m_determinants.passed(), std::memory_order_relaxed);
}

std::int64_t MessageLog::decide(ValueKind kind, const std::function<std::int64_t()>& live)
{
    observe();
    passEarlierMarks();
    if (m_determinants.replays()) {
        const Determinants::Value* const next = m_determinants.nextValue();
        if (next != nullptr && next->kind == kind) {
            const std::int64_t value = next->value;
            passed();
            return value;
        }
        differ("it asks for a time or a random number where it had not");
        return live();
    }
    const std::int64_t value = live();
    if (!m_log.isClosed() && !m_determinants.note({.kind = kind, .value = value}))
        endAsFull("asked for as many times as log_mb lets its log note");
    return value;
}

// ---- restart points

namespace {

/// Of what was sent within a host, a restart point saves so much at most.
constexpr std::uint64_t mostSavedBytes = 16U << 20U;

} // namespace

MessageLog::PointHere MessageLog::pointHere()
{
    passEarlierMarks();
    if (m_determinants.replays()) {
        const Determinants::Point* const next = m_determinants.nextPoint();
        const bool leaps = m_determinants.leaps();
        if (next == nullptr || m_call != (leaps ? next->first : next->step))
            return PointHere::None;
        openStreams();
        if (!leaps)
            return PointHere::Repeats;
        return areStreamsThere() ? PointHere::Leaps : PointHere::Awaits;
    }
    if (m_call < m_formerCalls || !giveBack())
        return PointHere::None;
    return PointHere::New;
}

/// @return whether nothing is left that will be superfluous
bool MessageLog::giveBack()
{
    const ProgramStatus& shown = m_segment.status(m_me);
    if (!m_superfluous)
        return true;
    if (shown.notesLeave.load() != 0 && shown.notesKept.load() < m_superfluous->notes)
        return false;
    m_determinants.releaseBefore();
    for (WorldRank from = 0; from < m_in.size(); ++from)
        release(m_segment.stream(from, m_me), m_takenBefore[from], m_superfluous->needed[from]);
    m_superfluous.reset();
    m_segment.announceToAgent(m_me); // other hosts have something that may be given back
    return true;
}

bool MessageLog::awaitCarried(std::chrono::milliseconds most)
{
    const auto holds = [this] {
        if (m_segment.status(m_me).notesLeave.load() == 0)
            return true;
        for (WorldRank to = 0; to < m_out.size(); ++to) {
            if (m_segment.isRemote(to)
                && m_segment.stream(m_me, to).carried.load(std::memory_order_acquire)
                    < m_out[to].position())
                return false;
        }
        return true;
    };
    return m_segment.sleepUntil(programOf(m_me), holds, std::chrono::steady_clock::now() + most);
}

std::vector<std::uint64_t> MessageLog::takenOf() const
{
    std::vector<std::uint64_t> taken;
    for (const StreamReader& in : m_in)
        taken.push_back(in.place().position);
    return taken;
}

/// What was taken before the first one is needed always.
void MessageLog::meetPoint()
{
    if (m_firstPoint != 0)
        return;
    m_firstPoint = m_call;
    m_takenBefore = takenOf();
    m_sentBefore.clear();
    for (const StreamWriter& out : m_out)
        m_sentBefore.push_back(out.position());
}

bool MessageLog::savePoint(std::span<const std::uint64_t> needed, std::span<const std::byte> state,
                           std::span<const StreamWriter::Part> memory)
{
    observe();
    const bool isFirst = m_firstPoint == 0;
    meetPoint();
    StateWriter streams;
    for (WorldRank rank = 0; rank < m_in.size(); ++rank) {
        streams.put(m_in[rank].place().position);
        streams.put(m_out[rank].position());
    }
    std::vector<SentStretch> stretches;
    if (m_segment.status(m_me).notesLeave.load() != 0)
        stretches = stretchesToSave(m_segment, m_me, m_sentBefore, needed[m_me], mostSavedBytes);
    saveStretches(m_segment, m_me, stretches, streams);
    const std::array<std::uint64_t, 2> sizes{streams.bytes().size(), state.size()};
    std::vector<StreamWriter::Part> parts{{sizes.data(), sizeof sizes},
                                          {streams.bytes().data(), streams.bytes().size()},
                                          {state.data(), state.size()}};
    parts.insert(parts.end(), memory.begin(), memory.end());
    if (m_log.isClosed() || !m_determinants.notePoint(m_call, m_firstPoint, parts)) {
        m_firstPoint = isFirst ? 0 : m_firstPoint;
        return false;
    }
    m_sentSincePoint = 0;
    m_superfluous = {.notes = m_determinants.passed(), .needed = {needed.begin(), needed.end()}};
    static_cast<void>(giveBack());
    return true;
}

/// Reads where the streams were at the point that comes next. On another host those of this rank are made so.
void MessageLog::openStreams()
{
    if (m_point)
        return;
    std::array<std::uint64_t, 2> sizes{};
    readMemory(sizes.data(), sizeof sizes);
    m_point = PointThere{.taken = {}, .stateBytes = sizes[1]};
    std::vector<std::byte> bytes(static_cast<std::size_t>(sizes[0]));
    readMemory(bytes.data(), bytes.size());
    meetPoint();
    if (!m_determinants.leaps())
        return;
    StateReader saved(std::move(bytes));
    std::vector<std::uint64_t> sent;
    for (WorldRank rank = 0; rank < m_in.size(); ++rank) {
        m_point->taken.push_back(saved.get<std::uint64_t>());
        sent.push_back(saved.get<std::uint64_t>());
    }
    restoreStretches(saved, m_out);
    for (WorldRank to = 0; to < m_out.size(); ++to) {
        if (m_segment.stream(m_me, to).written.load() < sent[to])
            static_cast<void>(m_out[to].skipTo(sent[to]));
        m_out[to].goTo(sent[to]);
        m_segment.announce(m_me, to);
    }
}

bool MessageLog::areStreamsThere() const
{
    for (WorldRank from = 0; from < m_in.size(); ++from) {
        if (m_segment.stream(from, m_me).written.load(std::memory_order_acquire)
            < m_point->taken[from])
            return false;
    }
    return true;
}

void MessageLog::awaitStreams()
{
    waitFor([this] { return areStreamsThere() || !m_segment.keeps(); });
    if (!areStreamsThere())
        differ("not all messages of its world are kept any more");
}

std::vector<std::byte> MessageLog::openPoint()
{
    std::vector<std::byte> state(static_cast<std::size_t>(m_point->stateBytes));
    readMemory(state.data(), state.size());
    if (!m_determinants.leaps())
        return state;
    m_call = m_determinants.nextPoint()->step;
    for (WorldRank from = 0; from < m_in.size(); ++from)
        m_in[from].seek(m_point->taken[from]);
    return state;
}

void MessageLog::closePoint()
{
    m_point.reset();
    passed();
}

std::optional<StreamPlace> MessageLog::find(WorldRank from, std::uint64_t position,
                                            std::uint64_t bytes)
{
    if (differsAsGone(from, position, bytes))
        return std::nullopt;
    StreamReader reader = m_in[from];
    reader.seek(position);
    return reader.place();
}

} // namespace tasuki::world
