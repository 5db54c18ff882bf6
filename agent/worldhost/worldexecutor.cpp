// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldexecutor.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::worldhost {

namespace {

world::WorldRank rankIn(const Launch& launch)
{
    return static_cast<world::WorldRank>(launch.settings->seat->rank.value()
                                         - launch.world->first.value());
}

/// How the program of a rank has ended, whose shell tells of a signal by its own exit code.
AttemptResult ofProgram(AttemptResult result, world::ProgramPhase phase)
{
    constexpr int ofSignals = 128;
    constexpr int highestSignal = 64;
    const int signal = result.code - ofSignals;
    if (result.outcome == Outcome::Failed && phase != world::ProgramPhase::Over && signal > 0
        && signal <= highestSignal) {
        result.outcome = Outcome::Signalled;
        result.code = signal;
    }
    return result;
}

/// A command that is one program and its arguments takes the place of its shell: which would stay, and tell on standard error how
/// a program was killed whose rank goes on.
std::string inPlaceOfShell(const std::string& command)
{
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+";
    const std::string_view first = std::string_view(command).substr(
        0, command.find_first_not_of(plain));
    const bool isPath = first.find('/') != std::string_view::npos
        && (first.size() == command.size() || command[first.size()] == ' ');
    const bool isOne = command.find_first_of(";|&()<>`$\n#") == std::string::npos;
    return isPath && isOne ? "exec " + command : command;
}

/// Adds a line to what a program has written, as far as that is here.
void say(const std::string& why, CapturedStream& errors)
{
    if (errors.droppedBytes() != 0)
        return;
    const bool insideLine = !errors.head.empty() && errors.head.back() != '\n';
    errors.head += (insideLine ? "\ntasuki: " : "tasuki: ") + why + '\n';
    errors.totalBytes = errors.head.size();
}

} // namespace

WorldExecutor::WorldExecutor(Setup setup, std::unique_ptr<Executor> inner, WorldHost& host)
    : m_setup(std::move(setup)), m_inner(std::move(inner)), m_host(host)
{}

WorldExecutor::~WorldExecutor()
{
    for (const auto& [key, rank] : m_ranks)
        m_host.left(rank.world);
}

void WorldExecutor::setCallbacks(Callbacks callbacks)
{
    m_callbacks = std::move(callbacks);
    m_inner->setCallbacks(
        {.started = m_callbacks.started,
         .finished = [this](AttemptKey key,
                            AttemptResult result) { finished(key, std::move(result)); },
         .failed = m_callbacks.failed,
         .connected = m_callbacks.connected});
}

void WorldExecutor::start(Launch launch)
{
    if (!launch.world || !launch.settings->seat)
        return m_inner->start(std::move(launch));
    const AttemptKey key = launch.key;
    if (!holds(launch)) {
        m_setup.post([this, key, life = std::weak_ptr(m_life)] {
            if (!life.expired())
                finishUnstarted(key, Outcome::Interrupted, "");
        });
        return;
    }
    const WorldStart& start = *launch.world;
    const world::WorldRank rank = rankIn(launch);
    RankHere& here = m_ranks[key];
    here.world = {start.world, start.generation};
    here.launch = launch;
    here.output.emplace(*m_inner, key);
    m_host.join(
        start, rank,
        {.joined = [this, key](Result<std::string> path) { joined(key, std::move(path)); },
         .hopeless = [this, key](std::string reason) { end(key, std::move(reason), false); },
         .hangs = [this, key](std::string reason) { end(key, std::move(reason), true); },
         .asks =
             [this, key, rank](const std::shared_ptr<const world::Segment>& segment) {
                 if (const auto found = m_ranks.find(key); found != m_ranks.end())
                     found->second.output->look(segment, rank);
             }},
        key.number.value());
}

void WorldExecutor::end(AttemptKey key, std::string reason, bool hangs)
{
    const auto found = m_ranks.find(key);
    if (found == m_ranks.end() || found->second.launch)
        return;
    found->second.fault = std::move(reason);
    found->second.hangs = hangs;
    m_inner->stop(key, StopReason::Cancelled);
}

/// A start that the loss of a holder has overtaken may name another one.
bool WorldExecutor::holds(const Launch& launch) const
{
    const std::vector<ProcessorId>& holders = launch.world->holders;
    const world::WorldRank rank = rankIn(launch);
    return rank < holders.size() && holders[rank] == m_setup.self;
}

void WorldExecutor::joined(AttemptKey key, Result<std::string> path)
{
    const auto found = m_ranks.find(key);
    if (found == m_ranks.end() || !found->second.launch)
        return;
    Launch launch = std::move(*std::exchange(found->second.launch, std::nullopt));
    // Who cannot go on where it was lost begins again, with all others.
    if (!path)
        return finishUnstarted(key,
                               launch.world->goesOn ? Outcome::Interrupted : Outcome::NotStarted,
                               path.error().text());
    launch.settings = settingsOf(launch, *path);
    launch.cores = m_setup.cores;
    if (launch.world->logMb != 0)
        launch.command = inPlaceOfShell(launch.command);
    if (launch.world->world == 0 && rankIn(launch) == 0) {
        const Result<std::string> input = m_host.openInput(found->second.world);
        if (!input)
            return finishUnstarted(key, Outcome::NotStarted, input.error().text());
        launch.command = "exec <" + *input + "; " + launch.command;
    }
    m_inner->start(std::move(launch));
}

/// The library comes first; whatever else is preloaded stays.
std::shared_ptr<const TaskSettings> WorldExecutor::settingsOf(const Launch& launch,
                                                              const std::string& path) const
{
    auto settings = std::make_shared<TaskSettings>(*launch.settings);
    auto& variables = settings->environment;
    std::string preloaded = m_setup.preloaded;
    for (const auto& [name, value] : variables) {
        if (name == "LD_PRELOAD")
            preloaded = value;
    }
    // What traces MPI calls hands them on to this library.
    variables.emplace_back("LD_PRELOAD",
                           preloaded.empty() ? m_setup.library : preloaded + ':' + m_setup.library);
    variables.emplace_back("TASUKI_WORLD", path);
    variables.emplace_back("TASUKI_WORLD_RANK", std::to_string(rankIn(launch)));
    variables.emplace_back("TASUKI_WORLD_LIFE", std::to_string(launch.key.number.value()));
    variables.emplace_back("TASUKI_SUBCLUSTER", launch.world->name);
    variables.emplace_back("TASUKI_WORLD_SIZE", std::to_string(launch.world->holders.size()));
    return settings;
}

void WorldExecutor::finished(AttemptKey key, AttemptResult result)
{
    if (const auto found = m_ranks.find(key); found != m_ranks.end()) {
        const auto ended = m_ranks.extract(found);
        close(ended.mapped(), result);
    }
    m_callbacks.finished(key, std::move(result));
}

/// A program that the others would wait for has failed, whatever it thinks itself.
void WorldExecutor::close(const RankHere& rank, AttemptResult& result)
{
    const world::ProgramPhase phase = m_host.phaseOf(rank.world);
    const bool well = result.outcome == Outcome::Succeeded;
    if (rank.hangs && result.outcome == Outcome::Cancelled) {
        result.outcome = Outcome::TimedOut;
        say(rank.fault, result.standardError);
    }
    leaveRest(rank, result);
    std::string fault = result.outcome == Outcome::Cancelled ? rank.fault : std::string();
    if (well && phase == world::ProgramPhase::Inside)
        fault = "the program has ended between MPI_Init and MPI_Finalize";
    if (well && phase == world::ProgramPhase::Outside)
        m_host.leftOutside(rank.world);
    else
        m_host.left(rank.world);
    if (fault.empty())
        return;
    result.outcome = Outcome::Failed;
    result.code = 1;
    say(fault, result.standardError);
}

/// The rank of a program that was killed is lost, and no more than that: it goes on, or its world begins again.
void WorldExecutor::leaveRest(const RankHere& rank, AttemptResult& result)
{
    const bool ofItself = result.outcome == Outcome::Signalled
        || result.outcome == Outcome::TimedOut || result.outcome == Outcome::Failed
        || (result.outcome == Outcome::Cancelled && !rank.fault.empty());
    if (!ofItself)
        return;
    switch (m_host.restOf(rank.world, ofProgram(result, m_host.phaseOf(rank.world)))) {
    case Rest::Nothing:
    case Rest::Repeated: return;
    case Rest::Unkept:
    case Rest::Kept: result.outcome = Outcome::Lost; return;
    case Rest::Broken: result.outcome = Outcome::Interrupted; return;
    }
}

void WorldExecutor::finishUnstarted(AttemptKey key, Outcome outcome, const std::string& why)
{
    AttemptResult result;
    result.outcome = outcome;
    if (!why.empty())
        say(why, result.standardError);
    finished(key, std::move(result));
}

void WorldExecutor::stop(AttemptKey key, StopReason reason)
{
    const auto found = m_ranks.find(key);
    if (found == m_ranks.end() || !found->second.launch)
        return m_inner->stop(key, reason);
    finishUnstarted(
        key, reason == StopReason::Cancelled ? Outcome::Cancelled : Outcome::Interrupted, "");
}

void WorldExecutor::stopAll(StopReason reason, std::function<void()> done)
{
    std::vector<AttemptKey> waiting;
    for (const auto& [key, rank] : m_ranks) {
        if (rank.launch)
            waiting.push_back(key);
    }
    for (const AttemptKey& key : waiting)
        stop(key, reason);
    m_inner->stopAll(reason, std::move(done));
}

} // namespace tasuki::worldhost
