// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange.h"

#include "merge/mapbuilder.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::merge {

namespace {

constexpr int beatsPerLimit = 10;
constexpr auto silentForTooLong =
    "the other ranks went on without this one: it was silent for too long";

template <typename Function, typename... Arguments>
void call(const Function& function, Arguments&&... arguments)
{
    if (function)
        function(std::forward<Arguments>(arguments)...);
}

} // namespace

Exchange::Exchange(ExchangeOptions options, MergeMap mine, Transport& transport, const Clock& clock,
                   ExchangeObserver observer)
    : m_options(std::move(options)),
      m_transport(transport),
      m_clock(clock),
      m_observer(std::move(observer)),
      m_members(transport.self(), transport.size(), m_options.lostAfter, clock.now()),
      m_rounds(
          std::make_shared<const MergeMap>(std::move(mine)),
          [this](const std::shared_ptr<const MergeMap>& map) {
              return std::make_shared<const MergeMap>(trimmed(*map, *m_options.keep));
          },
          [this](const RoundReport& report) { call(m_observer.roundEnded, report); },
          m_options.pace, transport, clock)
{
    if (m_options.listing)
        m_listing = m_options.listing(*m_rounds.map());
}

void Exchange::start()
{
    m_lastBeat = m_clock.now();
    sayHello();
}

// ---- talking

void Exchange::send(ProcessorId to, Body body)
{
    m_transport.send(to, encode({.view = m_rounds.id(), .body = std::move(body)}));
}

void Exchange::tellOthers(const Body& body)
{
    for (const ProcessorId rank : m_members.living()) {
        if (rank != m_members.self())
            send(rank, body);
    }
}

void Exchange::sayHello()
{
    send(m_members.coordinator(),
         Hello{.entries = m_rounds.map()->size(),
               .bytes = m_rounds.map()->bytes(),
               .exactScores = m_options.exactScores,
               .place = m_options.place,
               .listing = m_listing});
}

void Exchange::receive(ProcessorId from, Message message)
{
    if (!m_members.knows(from) || !m_members.living(from))
        return;
    m_members.heard(from, m_clock.now());
    Result<Envelope> envelope = decode(std::move(message));
    if (envelope && std::holds_alternative<merge::Agreed>(envelope->body))
        m_agreed.insert(from);
    if (over())
        return;
    if (!envelope) {
        fail(envelope.error());
        return;
    }
    m_highestView = std::max(m_highestView, envelope->view.number);
    std::visit([&](auto& body) { take(from, envelope->view, std::move(body)); }, envelope->body);
}

bool Exchange::poll()
{
    if (over())
        return false;
    bool moved = m_rounds.poll();
    endRoundsIfOver();
    moved = beat() || moved;
    for (const ProcessorId rank : m_members.silent(m_clock.now()))
        lose(rank, Membership::State::Silent);
    return moved;
}

bool Exchange::beat()
{
    if (over() || m_clock.now() - m_lastBeat < m_options.lostAfter / beatsPerLimit)
        return false;
    m_lastBeat = m_clock.now();
    if (m_members.coordinates())
        tellOthers(Beat{});
    else
        send(m_members.coordinator(), Beat{});
    return true;
}

// ---- views

void Exchange::take(ProcessorId from, const ViewId& /*view*/, Hello hello)
{
    if (m_phase == Phase::Agreed) {
        m_transport.send(from, encode({.view = m_resultView, .body = Agreed{}}));
        return;
    }
    call(m_observer.present, from, hello.place);
    m_hellos.insert_or_assign(from, std::move(hello));
    beginViewIfAllAreHere();
}

void Exchange::beginViewIfAllAreHere()
{
    const std::vector<ProcessorId> living = m_members.living();
    const bool allHere = std::ranges::all_of(
        living, [this](ProcessorId rank) { return m_hellos.count(rank) != 0; });
    if (!m_members.coordinates() || m_phase >= Phase::Agreed || !allHere)
        return;
    if (!m_members.hasMajority()) {
        leaveBehind("most ranks are out of reach, and may go on without this one",
                    "look at the network between the hosts");
        return;
    }
    std::uint64_t largest = 0;
    bool exactScores = true;
    View content{.members = living, .places = {}, .schedule = {}, .trimsInRounds = false};
    for (const ProcessorId rank : living) {
        const Hello& hello = m_hellos.at(rank);
        content.places.push_back(hello.place);
        largest = std::max(largest, hello.bytes);
        exactScores = exactScores && hello.exactScores;
    }
    ScheduleChoice choice = chooseSchedule(living.size(), largest);
    m_reason = std::move(choice.reason);
    content.schedule = choice.schedule;
    content.trimsInRounds = m_options.keep
        && trimsInRounds(m_rounds.map()->law(), m_options.score, exactScores);
    const ViewId id{.number = m_highestView + 1, .coordinator = m_members.self()};
    for (const ProcessorId rank : living)
        m_transport.send(rank, encode({.view = id, .body = content}));
    m_highestView = id.number;
}

void Exchange::take(ProcessorId from, const ViewId& view, View content)
{
    if (m_phase == Phase::Agreed) {
        m_transport.send(from, encode({.view = m_resultView, .body = Agreed{}}));
        return;
    }
    if (from != view.coordinator || view <= m_rounds.id())
        return;
    const auto isMember = [&content](ProcessorId rank) {
        return std::ranges::binary_search(content.members, rank);
    };
    if (!isMember(m_members.self())) {
        leaveBehind(silentForTooLong, {});
        return;
    }
    for (const ProcessorId rank : m_members.living()) {
        if (!isMember(rank))
            lose(rank, Membership::State::Silent);
    }
    enter(view, std::move(content));
}

void Exchange::enter(const ViewId& id, View content)
{
    m_dones.clear();
    m_phase = Phase::Exchanging;
    for (std::size_t position = 0; position < content.members.size(); ++position)
        call(m_observer.present, content.members[position], content.places[position]);
    call(m_observer.began, id, content, m_members.coordinates() ? m_reason : std::string());
    m_rounds.begin(id, std::move(content));
    endRoundsIfOver();
}

// ---- rounds and their result

void Exchange::take(ProcessorId from, const ViewId& view, const Ready& ready)
{
    m_rounds.take(from, view, ready);
}

void Exchange::take(ProcessorId from, const ViewId& view, Part part)
{
    if (const Result<void> taken = m_rounds.take(from, view, std::move(part)); !taken)
        fail(taken.error());
    else
        endRoundsIfOver();
}

std::shared_ptr<const MergeMap> Exchange::result(std::shared_ptr<const MergeMap> map) const
{
    if (map->law().keepsOrigins())
        map = std::make_shared<const MergeMap>(scoredTotals(map->folded()));
    if (m_options.keep)
        map = std::make_shared<const MergeMap>(trimmed(*map, *m_options.keep));
    return map;
}

MergeMap Exchange::scoredTotals(MergeMap totals) const
{
    if (m_options.score == ScoreRule::None)
        return totals;
    // A total is worth what the total is, not what its parts are.
    MapBuilder builder(totals.law());
    for (std::size_t i = 0; i < totals.size(); ++i) {
        Entry entry = totals.entry(i);
        entry.score = scoreOf(m_options.score, entry.value);
        builder.put(entry);
    }
    return builder.build();
}

void Exchange::endRoundsIfOver()
{
    if (m_phase != Phase::Exchanging || !m_rounds.over())
        return;
    m_result = result(m_rounds.map());
    m_resultView = m_rounds.id();
    m_complete = m_rounds.content().members.size() == m_members.launched();
    m_phase = Phase::Done;
    send(m_members.coordinator(),
         merge::Done{.digest = m_result->digest(),
                     .sentBytes = m_rounds.sentBytes(),
                     .peakBytes = m_options.peakBytes ? m_options.peakBytes() : 0,
                     .listing = m_options.listing ? m_options.listing(*m_result) : std::string()});
}

// ---- the end

void Exchange::take(ProcessorId from, const ViewId& view, merge::Done done)
{
    if (view != m_rounds.id() || !m_members.coordinates())
        return;
    m_dones.insert_or_assign(from, std::move(done));
    agreeIfAllAreDone();
}

void Exchange::agreeIfAllAreDone()
{
    if (m_phase != Phase::Done || m_dones.size() != m_rounds.content().members.size())
        return;
    const Digest& mine = m_dones.at(m_members.self()).digest;
    for (const auto& [rank, done] : m_dones) {
        if (done.digest == mine)
            continue;
        tellOthers(Finished{.safe = false});
        fail({.kind = ErrorKind::Damaged,
              .message = "rank " + std::to_string(rank.value()) + " holds another map than rank "
                  + std::to_string(m_members.self().value()) + " after the exchange",
              .remedy = "this is a defect of the program or of a machine's memory; nothing was "
                        "written"});
        return;
    }
    becomeAgreed();
}

void Exchange::take(ProcessorId /*from*/, const ViewId& view, const merge::Agreed& /*agreed*/)
{
    // Who made the result of that view holds it, even when a newer view has begun since.
    if (m_phase != Phase::Agreed && m_result && view == m_resultView)
        becomeAgreed();
}

void Exchange::becomeAgreed()
{
    m_phase = Phase::Agreed;
    m_rounds.drop();
    for (const ProcessorId rank : m_members.living()) {
        if (rank != m_members.self())
            m_transport.send(rank, encode({.view = m_resultView, .body = merge::Agreed{}}));
    }
    if (m_members.coordinates() && !std::exchange(m_closing, true))
        call(m_observer.agreed);
}

bool Exchange::quiet() const
{
    return !m_safe || std::ranges::all_of(m_members.living(), [this](ProcessorId rank) {
        return rank == m_members.self() || m_agreed.count(rank) != 0;
    });
}

void Exchange::finish(bool safe)
{
    assert(m_closing || !safe);
    tellOthers(Finished{.safe = safe});
    m_safe = safe;
    m_phase = Phase::Over;
}

void Exchange::take(ProcessorId /*from*/, const ViewId& /*view*/, const Finished& finished)
{
    m_safe = finished.safe;
    m_phase = Phase::Over;
}

// ---- losses

void Exchange::take(ProcessorId /*from*/, const ViewId& /*view*/, const Lost& lost)
{
    if (lost.rank == m_members.self()) {
        leaveBehind(silentForTooLong, {});
    } else if (m_members.knows(lost.rank)) {
        lose(lost.rank, lost.gone ? Membership::State::Gone : Membership::State::Silent);
    }
}

void Exchange::lose(ProcessorId rank, Membership::State state)
{
    if (over() || rank == m_members.self())
        return;
    const ProcessorId before = m_members.coordinator();
    const bool news = m_members.lose(rank, state, m_clock.now());
    if (m_members.state(rank) == Membership::State::Gone)
        m_transport.forget(rank);
    if (!news)
        return;
    m_hellos.erase(rank);
    const Lost lost{.rank = rank, .gone = state == Membership::State::Gone};
    call(m_observer.lost, rank, lost.gone);
    if (!lost.gone)
        send(rank, lost); // should it still be there
    if (m_members.coordinates())
        tellOthers(lost);
    else
        send(m_members.coordinator(), lost);
    if (m_phase == Phase::Agreed) {
        if (m_members.coordinates() && !std::exchange(m_closing, true))
            call(m_observer.agreed);
    } else if (m_members.coordinator() != before) {
        sayHello();
    } else {
        beginViewIfAllAreHere();
    }
}

void Exchange::leaveBehind(std::string why, std::string remedy)
{
    m_leftBehind = true;
    fail({.kind = ErrorKind::System, .message = std::move(why), .remedy = std::move(remedy)});
}

void Exchange::fail(Error error)
{
    // The others need not wait until they notice.
    tellOthers(Lost{.rank = m_members.self(), .gone = true});
    m_failure = std::move(error);
    m_phase = Phase::Over;
}

} // namespace tasuki::merge
