// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldhost.h"

#include "inputpipe.h"
#include "shownprogram.h"

#include <algorithm>
#include <cassert>
#include <csignal>
#include <utility>

#include <unistd.h>

namespace tasuki::worldhost {

namespace {

/// Who has standard input of the launch.
constexpr ProcessorId launchProcessor{0};
/// So often it is told what a program does.
constexpr std::chrono::seconds showPause{1};

/// So much of each rank's messages is kept: at most half of the memory is for that.
std::uint64_t logBytesOf(const WorldStart& start)
{
    constexpr std::uint64_t mebibyte = 1U << 20U;
    const auto pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
    const auto pageBytes = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
    const std::uint64_t most = pages * pageBytes / 2 / start.holders.size();
    return std::min(start.logMb * mebibyte, most / mebibyte * mebibyte);
}

} // namespace

/// A rank of a world that is here.
struct WorldHost::Part {
    WorldStart start;
    world::WorldRank rank = 0;
    Callbacks callbacks; ///< null: were called, or nobody waits for them
    bool ended = false;
    bool toldInside = false;
    RankProgram shown; ///< as it was told last
    SteadyTime shownAt{};
    SteadyTime begunAt{}; ///< this life, if it goes on where one was lost
    farm::Repetition asks;
    std::string path;                              ///< of the memory; empty: not there yet
    std::shared_ptr<const world::Segment> segment; ///< null: as above
    std::unique_ptr<RankStreams> streams;          ///< null: as above
    std::unique_ptr<world::BellWatch> bell; ///< null: no messages are kept, and all ranks are here
    std::uint32_t life = 1;
    std::optional<InputPipe> input; ///< none: its standard input is empty
    farm::Repetition inputAsks;
    std::set<ProcessorId> waiting; ///< of this host, for the memory that is made here
    bool awaitsEnd = false;        ///< of the program that was the rank before

    [[nodiscard]] WorldKey key() const { return {start.world, start.generation}; }
    void tellJoined(Result<std::string> where)
    {
        if (const auto joined = std::exchange(callbacks.joined, nullptr))
            joined(std::move(where));
    }
};

WorldHost::WorldHost(Setup setup, Ports ports, const Clock& clock)
    : m_setup(std::move(setup)),
      m_ports(std::move(ports)),
      m_clock(clock),
      m_input(m_setup.input, m_setup.folder)
{}

WorldHost::~WorldHost() = default;

const std::string& WorldHost::hostOf(ProcessorId processor) const
{
    return m_setup.hosts[processor.value()];
}

/// @return who makes the memory of this host, or has made it: of a rank that goes on another one, if there is any
ProcessorId WorldHost::keeperOf(const WorldStart& start) const
{
    const auto found = std::ranges::find_if(start.holders, [&](ProcessorId holder) {
        return hostOf(holder) == hostOf(m_setup.self) && (!start.goesOn || holder != m_setup.self);
    });
    assert(found != start.holders.end() || start.goesOn);
    return found == start.holders.end() ? m_setup.self : *found;
}

void WorldHost::join(const WorldStart& start, world::WorldRank rank, Callbacks callbacks,
                     std::uint32_t life)
{
    assert(start.holders[rank] == m_setup.self);
    const WorldKey key{start.world, start.generation};
    const auto isEarlier = [&key](const auto& entry) {
        return entry.first.world == key.world && entry.first.generation < key.generation;
    };
    std::erase_if(m_parts, isEarlier);
    std::erase_if(m_early, isEarlier);
    std::erase_if(m_censuses, isEarlier);
    m_kept.forgetIf([&isEarlier](const WorldKey& one) { return isEarlier(std::pair(one, 0)); });
    auto& part = m_parts[key];
    const std::unique_ptr<Part> former = std::exchange(part, std::make_unique<Part>());
    part->start = start;
    part->rank = rank;
    part->life = life;
    part->callbacks = std::move(callbacks);
    if (former) { // nobody else notices another life at the same place
        part->segment = former->segment;
        part->streams = std::move(former->streams);
        part->bell = std::move(former->bell);
    } else {
        part->segment = m_kept.find(key);
    }
    if (start.goesOn || keeperOf(start) == m_setup.self)
        m_ports.post([this, key, life = std::weak_ptr(m_life)] {
            const auto found = life.expired() ? m_parts.end() : m_parts.find(key);
            if (life.expired() || found == m_parts.end() || found->second->ended)
                return;
            if (found->second->start.goesOn)
                goOn(*found->second);
            else
                makeMemory(*found->second);
        });
}

void WorldHost::makeMemory(Part& part)
{
    const std::size_t ranks = part.start.holders.size();
    Result<world::Segment> made = Error{.kind = ErrorKind::Input,
                                        .message = "a world has at most "
                                            + std::to_string(world::Segment::mostRanks) + " ranks"};
    if (ranks <= world::Segment::mostRanks)
        made = world::Segment::create(
            {.ranks = static_cast<std::uint32_t>(ranks), .logBytes = logBytesOf(part.start)});
    if (!made)
        return part.tellJoined(made.error());
    for (world::WorldRank rank = 0; rank < part.start.holders.size(); ++rank)
        made->setRemote(rank, hostOf(part.start.holders[rank]) != hostOf(m_setup.self));
    part.segment = std::make_shared<const world::Segment>(std::move(*made));
    part.start.goesOn ? goOn(part) : begin(part);
    spread(part);
}

/// Others of this host wait for the memory, or will need it when a rank is lost.
void WorldHost::spread(const Part& part)
{
    std::set<ProcessorId> others = part.waiting;
    for (std::size_t i = 0; i < m_setup.hosts.size(); ++i) {
        const ProcessorId other(static_cast<ProcessorId::Representation>(i));
        const bool holds = std::ranges::find(part.start.holders, other) != part.start.holders.end();
        if (part.start.logMb != 0 && !holds && other != m_setup.self
            && hostOf(other) == hostOf(m_setup.self))
            others.insert(other);
    }
    for (const ProcessorId other : others)
        say(other, part.key(), Memory{part.path});
}

/// Another life of a rank begins.
void WorldHost::goOn(Part& part)
{
    if (part.segment == nullptr && keeperOf(part.start) == m_setup.self)
        return makeMemory(part); // no other rank is on this host
    if (part.segment == nullptr)
        return; // it asks
    if (!part.segment->keeps())
        return part.tellJoined(
            Error{.kind = ErrorKind::System,
                  .message =
                      "it cannot go on where it was lost: not all messages of its world are kept"});
    part.segment->setRemote(part.rank, false);
    part.path = part.segment->path();
    part.awaitsEnd = true;
    endFormer(part);
}

/// Nothing comes of the program that was the rank before.
/// @return whether that is so now, and was not before
bool WorldHost::endFormer(Part& part)
{
    if (!part.awaitsEnd || part.ended)
        return false;
    if (const auto former = part.segment->liveProcess(part.rank)) {
        if (*former > 0)
            ::kill(*former, SIGKILL);
        return false;
    }
    part.awaitsEnd = false;
    connect(part);
    world::ProgramStatus& shown = part.segment->status(part.rank);
    shown.phase.store(world::ProgramPhase::Outside);
    shown.waits.store(0);
    shown.replayed.store(0);
    shown.toReplay.store(part.segment->determinants(part.rank).written.load());
    shown.beyondAt.store(0);
    part.begunAt = m_clock.now();
    part.tellJoined(part.path);
    return true;
}

Rest WorldHost::restOf(const WorldKey& key, const AttemptResult& end)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end() || !found->second->segment)
        return Rest::Nothing;
    const Part& part = *found->second;
    const bool survives = !part.start.standbys.empty() || part.segment->layout().logBytes != 0;
    return restIn(*part.segment, part.rank, end, survives);
}

void WorldHost::begin(Part& part)
{
    part.path = part.segment->path();
    connect(part);
    part.tellJoined(part.path);
}

/// Its messages find their way.
void WorldHost::connect(Part& part)
{
    const WorldKey key = part.key();
    if (!part.streams)
        part.streams = std::make_unique<RankStreams>(
            RankStreams::Setup{.self = m_setup.self, .rank = part.rank, .hosts = &m_setup.hosts},
            RankStreams::Ports{.send =
                                   [this, key](ProcessorId to, decltype(WorldWord::word) word) {
                                       m_ports.send(to, {.key = key, .word = std::move(word)});
                                   },
                               .reachesOut =
                                   [this, key] {
                                       if (Part& reached = *m_parts.at(key); !reached.bell)
                                           watchBell(reached);
                                   }},
            part.segment, part.start);
    if ((part.streams->reachesOut() || part.segment->layout().logBytes != 0) && !part.bell)
        watchBell(part);
    part.streams->begin(part.life);
    for (Records& early : m_early[key]) {
        if (early.to == part.rank)
            static_cast<void>(part.streams->rings().deliver(early.from, std::move(early.bytes)));
    }
    m_early.erase(key);
}

/// The program may have something for another host.
void WorldHost::watchBell(Part& part)
{
    part.bell = std::make_unique<world::BellWatch>(
        part.segment, world::agentOf(part.rank),
        [this, key = part.key(), life = std::weak_ptr(m_life)] {
            m_ports.post([this, key, life] {
                if (!life.expired())
                    lookAround(key);
            });
        });
}

/// Something may have to be carried.
void WorldHost::lookAround(const WorldKey& key)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end() || !found->second->bell)
        return;
    Part& part = *found->second;
    part.bell->answer();
    part.segment->forEachPending(world::agentOf(part.rank),
                                 [&part](world::WorldRank to) { part.streams->touch(to); });
    part.streams->move();
    if (part.callbacks.asks)
        part.callbacks.asks(part.segment);
}

void WorldHost::left(const WorldKey& key)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end())
        return;
    Part& part = *found->second;
    if (part.begunAt != SteadyTime{})
        showProgram(part, m_clock.now());
    part.ended = true;
    part.callbacks = {};
    part.input.reset();
    // Others do not wait for what nobody reads.
    if (part.streams)
        part.streams->rings().dropIncoming();
    const auto early = m_early.extract(key);
    if (early.empty())
        return;
    for (const Records& word : early.mapped()) {
        if (word.to == part.rank && word.from < part.start.holders.size())
            say(part.start.holders[word.from], key,
                RecordsTaken{word.from, word.to, word.bytes.size()});
    }
}

/// Whether a later start of the world has begun here.
bool WorldHost::isOvertaken(const WorldKey& key) const
{
    const auto later = m_parts.upper_bound(key);
    return later != m_parts.end() && later->first.world == key.world;
}

void WorldHost::leftOutside(const WorldKey& key)
{
    if (const auto found = m_parts.find(key); found != m_parts.end()) {
        const Part& part = *found->second;
        say(part.start.holders.front(), key, EndedOutside{part.rank});
    }
    left(key);
}

Result<std::string> WorldHost::openInput(const WorldKey& key)
{
    Result<InputPipe> made = InputPipe::make();
    if (!made)
        return made.error();
    std::optional<InputPipe>& input = m_parts.at(key)->input;
    input.emplace(std::move(*made));
    return input->path();
}

world::ProgramPhase WorldHost::phaseOf(const WorldKey& key) const
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end() || !found->second->segment)
        return world::ProgramPhase::Outside;
    return found->second->segment->status(found->second->rank).phase.load();
}

void WorldHost::receive(ProcessorId from, WorldWord word)
{
    if (from.value() >= m_setup.hosts.size())
        return;
    std::visit([&](auto&& one) { receive(from, word.key, std::move(one)); }, std::move(word.word));
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const MemoryWanted&)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end())
        return; // it asks again
    Part& part = *found->second;
    if (part.path.empty())
        part.waiting.insert(from);
    else
        say(from, key, Memory{part.path});
}

void WorldHost::receive(ProcessorId, const WorldKey& key, const Memory& word)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end() && !isOvertaken(key)) {
        m_kept.take(key, word.path); // another one's, who may be lost
        return;
    }
    if (found == m_parts.end() || found->second->segment || found->second->ended)
        return;
    Part& part = *found->second;
    Result<world::Segment> opened = world::Segment::open(word.path);
    if (opened && opened->layout().ranks != part.start.holders.size())
        opened = Error{.kind = ErrorKind::Foreign,
                       .message = word.path + " is the memory of another world"};
    if (!opened)
        return part.tellJoined(opened.error());
    part.segment = std::make_shared<const world::Segment>(std::move(*opened));
    part.start.goesOn ? goOn(part) : begin(part);
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, Records&& word)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end()) {
        if (!isOvertaken(key))
            m_early[key].push_back(std::move(word)); // who sends it stops at its window
        return;
    }
    Part& part = *found->second;
    if (word.to != part.rank || word.from >= part.start.holders.size())
        return;
    if (part.ended) // nobody reads it
        say(from, key, RecordsTaken{word.from, word.to, word.bytes.size()});
    else if (part.streams)
        static_cast<void>(part.streams->rings().deliver(word.from, std::move(word.bytes)));
    else if (!part.segment)
        m_early[key].push_back(std::move(word));
}

void WorldHost::receive(ProcessorId, const WorldKey& key, const RecordsTaken& word)
{
    const auto found = m_parts.find(key);
    if (found != m_parts.end() && found->second->streams)
        found->second->streams->rings().taken(word.to, word.bytes);
}

template <class Word>
void WorldHost::receiveForStreams(ProcessorId from, const WorldKey& key, const Word& word)
{
    const auto found = m_parts.find(key);
    if (found != m_parts.end() && found->second->streams)
        found->second->streams->receive(from, word);
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const StreamWanted& word)
{
    receiveForStreams(from, key, word);
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const Stretch& word)
{
    receiveForStreams(from, key, word);
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const StretchTaken& word)
{
    receiveForStreams(from, key, word);
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const StreamEnded& word)
{
    receiveForStreams(from, key, word);
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const NotesTaken& word)
{
    receiveForStreams(from, key, word);
}

/// What another life of a rank has sent goes on elsewhere is another thing than before.
void WorldHost::receive(ProcessorId, const WorldKey& key, const Differs& word)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end() || found->second->rank != word.rank || !found->second->segment)
        return;
    found->second->segment->status(word.rank).differs.store(1);
    if (const auto hopeless = std::exchange(found->second->callbacks.hopeless, nullptr))
        hopeless("it sends something else than before it was lost");
}

/// This processor would take the rank over.
void WorldHost::receive(ProcessorId from, const WorldKey& key, const Notes& word)
{
    if (isOvertaken(key))
        return;
    const auto part = m_parts.find(key);
    if (auto taken = m_kept.add(key, word, part == m_parts.end() ? nullptr : part->second->segment))
        say(from, key, std::move(*taken));
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const InputWanted& word)
{
    m_inputQuestion = {.from = from, .key = key, .place = word.from};
    answerInput();
}

void WorldHost::receive(ProcessorId, const WorldKey& key, Input&& word)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end() || !found->second->input)
        return;
    InputPipe& input = *found->second->input;
    if (!input.wants() || input.from() != word.from)
        return; // a second answer
    input.give(std::move(word.bytes), word.end);
    found->second->inputAsks.restart();
}

/// @return whether somebody was told
bool WorldHost::answerInput()
{
    if (!m_inputQuestion)
        return false;
    std::optional<InputSource::Piece> piece = m_input.read(m_inputQuestion->place);
    if (!piece)
        return false;
    const InputQuestion question = *std::exchange(m_inputQuestion, std::nullopt);
    say(question.from, question.key,
        Input{.from = question.place, .bytes = std::move(piece->bytes), .end = piece->end});
    return true;
}

/// @return whether anything was moved or said
bool WorldHost::moveInput(const WorldKey& key, Part& part, SteadyTime now)
{
    if (!part.input)
        return false;
    bool moved = part.input->move();
    if (part.input->wants() && part.inputAsks.isDue(now)) {
        part.inputAsks.said(now);
        say(launchProcessor, key, InputWanted{part.input->from()});
        moved = true;
    }
    return moved;
}

void WorldHost::receive(ProcessorId from, const WorldKey& key, const InsideMpi& word)
{
    Census& census = m_censuses[key];
    if (!census.inside)
        census.inside.emplace(word.rank, from);
    lookAtCensus(key);
}

void WorldHost::receive(ProcessorId, const WorldKey& key, const EndedOutside& word)
{
    m_censuses[key].outside = word.rank;
    lookAtCensus(key);
}

/// MPI_Finalize waits for all ranks.
void WorldHost::lookAtCensus(const WorldKey& key)
{
    const Census& census = m_censuses[key];
    if (census.inside && census.outside)
        say(census.inside->second, key, Hopeless{*census.outside});
}

void WorldHost::receive(ProcessorId, const WorldKey& key, const Hopeless& word)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end())
        return;
    if (const auto hopeless = std::exchange(found->second->callbacks.hopeless, nullptr))
        hopeless("rank " + std::to_string(word.outside)
                 + " has ended without MPI_Init, and the others wait for it");
}

void WorldHost::lookAtPhase(Part& part)
{
    if (!part.segment || part.ended)
        return;
    const world::ProgramStatus& shown = part.segment->status(part.rank);
    if (std::string overdue = overdueSign(shown); !overdue.empty() && part.callbacks.hangs)
        std::exchange(part.callbacks.hangs, nullptr)(std::move(overdue));
    if (part.toldInside || shown.phase.load() == world::ProgramPhase::Outside)
        return;
    part.toldInside = true;
    say(part.start.holders.front(), part.key(), InsideMpi{part.rank});
}

void WorldHost::receive(ProcessorId, const WorldKey&, ProgramShown&& word) { m_ports.shown(word); }

/// Who leads tells windows.
void WorldHost::showProgram(Part& part, SteadyTime now)
{
    if (!part.segment || part.ended)
        return;
    const auto number = static_cast<Rank::Representation>(part.rank);
    RankProgram program = programIn(part.segment->status(part.rank));
    program.rank = Rank(part.start.first.value() + number);
    const double seconds = std::chrono::duration<double>(now - part.shownAt).count();
    if (part.shownAt != SteadyTime{} && seconds > 0)
        program.messagesPerSecond = static_cast<std::uint64_t>(
            static_cast<double>(program.messages - part.shown.messages) / seconds);
    part.shownAt = now;
    part.shown = program;
    ProgramShown word{.program = std::move(program), .life = part.life};
    if (part.begunAt != SteadyTime{})
        word.replayTook = replayTook(part.segment->status(part.rank), now - part.begunAt);
    say(m_ports.leader(), part.key(), std::move(word));
}

bool WorldHost::poll()
{
    const SteadyTime now = m_clock.now();
    bool said = answerInput();
    for (auto& [key, part] : m_parts) {
        said = moveInput(key, *part, now) || said;
        said = endFormer(*part) || said;
        said = (part->streams && !part->ended && part->streams->poll(now)) || said;
        lookAtPhase(*part);
        if (now - part->shownAt >= showPause)
            showProgram(*part, now);
        if (part->segment || part->ended || !part->callbacks.joined
            || keeperOf(part->start) == m_setup.self || !part->asks.isDue(now))
            continue;
        part->asks.said(now);
        say(keeperOf(part->start), key, MemoryWanted{});
        said = true;
    }
    return said;
}

void WorldHost::say(ProcessorId to, const WorldKey& key, auto word)
{
    m_ports.send(to, {.key = key, .word = std::move(word)});
}

} // namespace tasuki::worldhost
