// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldhost.h"

#include "inputpipe.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::worldhost {

namespace {

/// Who has standard input of the launch.
constexpr ProcessorId launchProcessor{0};
/// So often it is told what a program does.
constexpr std::chrono::seconds showPause{1};

/// @return what a program shows of itself, without its rank
RankProgram programIn(const world::ProgramStatus& status)
{
    RankProgram program{.rank = {},
                        .messages = status.messages.load(std::memory_order_relaxed),
                        .bytes = status.bytes.load(std::memory_order_relaxed)};
    switch (status.phase.load()) {
    case world::ProgramPhase::Outside: break;
    case world::ProgramPhase::Inside: program.state = ProgramState::Running; break;
    case world::ProgramPhase::Over: program.state = ProgramState::Over; break;
    }
    if (program.state != ProgramState::Running || status.waits.load(std::memory_order_relaxed) == 0)
        return program;
    program.state = ProgramState::Waiting;
    for (const std::atomic<char>& one : status.call) {
        const char letter = one.load(std::memory_order_relaxed);
        if (letter == 0)
            break;
        program.call += letter;
    }
    return program;
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
    farm::Repetition asks;
    std::string path;                              ///< of the memory; empty: not there yet
    std::shared_ptr<const world::Segment> segment; ///< null: as above
    std::unique_ptr<world::Bridge> bridge;         ///< null: all ranks are on this host
    std::unique_ptr<world::BellWatch> bell;        ///< the same
    std::optional<InputPipe> input;                ///< none: its standard input is empty
    farm::Repetition inputAsks;
    std::set<ProcessorId> waiting; ///< of this host, for the memory that is made here

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

/// @return who makes the memory of this host
ProcessorId WorldHost::keeperOf(const WorldStart& start) const
{
    const auto found = std::ranges::find_if(start.holders, [this](ProcessorId holder) {
        return hostOf(holder) == hostOf(m_setup.self);
    });
    assert(found != start.holders.end());
    return *found;
}

void WorldHost::join(const WorldStart& start, world::WorldRank rank, Callbacks callbacks)
{
    assert(start.holders[rank] == m_setup.self);
    const WorldKey key{start.world, start.generation};
    const auto isEarlier = [&key](const auto& entry) {
        return entry.first.world == key.world && entry.first.generation < key.generation;
    };
    std::erase_if(m_parts, isEarlier);
    std::erase_if(m_early, isEarlier);
    std::erase_if(m_censuses, isEarlier);
    auto& part = m_parts[key];
    part = std::make_unique<Part>();
    part->start = start;
    part->rank = rank;
    part->callbacks = std::move(callbacks);
    if (keeperOf(start) == m_setup.self)
        m_ports.post([this, key, life = std::weak_ptr(m_life)] {
            const auto found = life.expired() ? m_parts.end() : m_parts.find(key);
            if (!life.expired() && found != m_parts.end() && !found->second->ended)
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
        made = world::Segment::create({.ranks = static_cast<std::uint32_t>(ranks)});
    if (!made)
        return part.tellJoined(made.error());
    for (world::WorldRank rank = 0; rank < part.start.holders.size(); ++rank)
        made->setRemote(rank, hostOf(part.start.holders[rank]) != hostOf(m_setup.self));
    std::string path = made->path();
    for (const ProcessorId waiting : std::exchange(part.waiting, {}))
        say(waiting, part.key(), Memory{path});
    begin(part, std::move(*made), std::move(path));
}

void WorldHost::begin(Part& part, world::Segment segment, std::string path)
{
    const WorldKey key = part.key();
    part.segment = std::make_shared<const world::Segment>(std::move(segment));
    part.path = std::move(path);
    const bool reachesOut = std::ranges::any_of(part.start.holders, [this](ProcessorId holder) {
        return hostOf(holder) != hostOf(m_setup.self);
    });
    if (reachesOut) {
        const auto holder = [&part](world::WorldRank rank) { return part.start.holders[rank]; };
        part.bridge = std::make_unique<world::Bridge>(
            *part.segment, part.rank,
            world::Bridge::Ports{
                .send =
                    [this, key, holder, me = part.rank](world::WorldRank to, std::string records) {
                        say(holder(to), key, Records{me, to, std::move(records)});
                    },
                .taken =
                    [this, key, holder, me = part.rank](world::WorldRank from,
                                                        std::uint64_t bytes) {
                        say(holder(from), key, RecordsTaken{from, me, bytes});
                    }});
        part.bell = std::make_unique<world::BellWatch>(part.segment, world::agentOf(part.rank),
                                                       [this, key, life = std::weak_ptr(m_life)] {
                                                           m_ports.post([this, key, life] {
                                                               if (!life.expired())
                                                                   lookAround(key);
                                                           });
                                                       });
        for (Records& early : m_early[key]) {
            if (early.to == part.rank)
                static_cast<void>(part.bridge->deliver(early.from, std::move(early.bytes)));
        }
    }
    m_early.erase(key);
    part.tellJoined(part.path);
}

/// Something may have to be carried.
void WorldHost::lookAround(const WorldKey& key)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end() || !found->second->bridge)
        return;
    found->second->bell->answer();
    found->second->bridge->move();
}

void WorldHost::left(const WorldKey& key)
{
    const auto found = m_parts.find(key);
    if (found == m_parts.end())
        return;
    Part& part = *found->second;
    part.ended = true;
    part.callbacks = {};
    part.input.reset();
    // Others do not wait for what nobody reads.
    if (part.bridge)
        part.bridge->dropIncoming();
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
    if (found == m_parts.end() || found->second->segment || found->second->ended)
        return;
    Part& part = *found->second;
    Result<world::Segment> opened = world::Segment::open(word.path);
    if (opened && opened->layout().ranks != part.start.holders.size())
        opened = Error{.kind = ErrorKind::Foreign,
                       .message = word.path + " is the memory of another world"};
    if (opened)
        begin(part, std::move(*opened), word.path);
    else
        part.tellJoined(opened.error());
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
    else if (part.bridge)
        static_cast<void>(part.bridge->deliver(word.from, std::move(word.bytes)));
    else if (!part.segment)
        m_early[key].push_back(std::move(word));
}

void WorldHost::receive(ProcessorId, const WorldKey& key, const RecordsTaken& word)
{
    const auto found = m_parts.find(key);
    if (found != m_parts.end() && found->second->bridge)
        found->second->bridge->taken(word.to, word.bytes);
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
    if (part.toldInside || !part.segment || part.ended
        || part.segment->status(part.rank).phase.load() == world::ProgramPhase::Outside)
        return;
    part.toldInside = true;
    say(part.start.holders.front(), part.key(), InsideMpi{part.rank});
}

void WorldHost::receive(ProcessorId, const WorldKey&, ProgramShown&& word)
{
    m_ports.shown(std::move(word.program));
}

/// Who leads tells windows.
void WorldHost::showProgram(Part& part, SteadyTime now)
{
    const auto since = now - part.shownAt;
    if (!part.segment || part.ended || since < showPause)
        return;
    const auto number = static_cast<Rank::Representation>(part.rank);
    RankProgram program = programIn(part.segment->status(part.rank));
    program.rank = Rank(part.start.first.value() + number);
    const double seconds = std::chrono::duration<double>(since).count();
    if (part.shownAt != SteadyTime{})
        program.messagesPerSecond = static_cast<std::uint64_t>(
            static_cast<double>(program.messages - part.shown.messages) / seconds);
    part.shownAt = now;
    part.shown = program;
    say(m_ports.leader(), part.key(), ProgramShown{std::move(program)});
}

bool WorldHost::poll()
{
    const SteadyTime now = m_clock.now();
    bool said = answerInput();
    for (auto& [key, part] : m_parts) {
        said = moveInput(key, *part, now) || said;
        lookAtPhase(*part);
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
