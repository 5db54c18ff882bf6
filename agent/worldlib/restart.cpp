// SPDX-License-Identifier: GPL-3.0-or-later
#include "restart.h"

#include "files.h"
#include "files/wholefile.h"
#include "program.h"
#include "programlib/tasuki.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::world {

namespace {

/// So long the agent may take to read what was printed, and to put it into the log.
constexpr std::chrono::milliseconds outputPatience{2'000};

/// What stands in buffers of the program's languages.
void flushOutput()
{
    std::cout.flush();
    std::fflush(nullptr);
    using FlushUnits = void (*)(const int*);
    static const auto fortran = reinterpret_cast<FlushUnits>(
        ::dlsym(RTLD_DEFAULT, "_gfortran_flush_i4"));
    if (fortran != nullptr)
        fortran(nullptr);
}

/// Until who reads a pipe has read all of it.
bool isRead(int descriptor)
{
    constexpr int looks = 1'000;
    constexpr timespec pause{.tv_sec = 0, .tv_nsec = 200'000};
    for (int look = 0; look < looks; ++look) {
        int unread = 0;
        if (::ioctl(descriptor, FIONREAD, &unread) != 0 || unread == 0)
            return true;
        ::nanosleep(&pause, nullptr);
    }
    return false;
}

/// A later life would write it from its begin, and without what stood between.
bool isWrittenFile(int descriptor)
{
    struct stat file {};
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || ::fstat(descriptor, &file) != 0)
        return false;
    return S_ISREG(file.st_mode) && file.st_nlink != 0; // without a name it is nobody's result
}

bool writesFiles()
{
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        const int descriptor = std::atoi(entry.path().filename().c_str());
        if (descriptor > STDERR_FILENO && isWrittenFile(descriptor))
            return true;
    }
    return false;
}

} // namespace

Restart::Restart()
{
    if (const char* const seconds = std::getenv("TASUKI_RESTART_SECONDS")) {
        constexpr double longest = 1e6;
        constexpr double millisecondsASecond = 1e3;
        const double wanted = std::strtod(seconds, nullptr);
        if (wanted >= 0 && wanted <= longest)
            m_pause = std::chrono::milliseconds(
                static_cast<std::int64_t>(wanted * millisecondsASecond));
    }
    if (const char* const pipes = std::getenv("TASUKI_OUTPUT")) {
        char* rest = nullptr;
        m_pipes[0] = std::strtoull(pipes, &rest, 10);
        m_pipes[1] = *rest == ',' ? std::strtoull(rest + 1, nullptr, 10) : 0;
    }
}

void Restart::protect(int id, void* memory, std::size_t bytes)
{
    if (bytes == 0)
        m_regions.erase(id);
    else
        m_regions[id] = {memory, bytes};
}

/// Whether the agent reads what is written there.
bool Restart::isAtOutput(int descriptor) const
{
    struct stat file {};
    return ::fstat(descriptor, &file) == 0 && S_ISFIFO(file.st_mode)
        && (file.st_ino == m_pipes[0] || file.st_ino == m_pipes[1]);
}

PointObstacle Restart::obstacleOfOutput() const
{
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat file {};
        const bool goesElsewhere = ::fstat(descriptor, &file) == 0
            && (S_ISREG(file.st_mode) || (S_ISFIFO(file.st_mode) && !isAtOutput(descriptor)));
        if (goesElsewhere)
            return PointObstacle::OutputElsewhere;
    }
    return PointObstacle::None;
}

PointObstacle Restart::obstacle(Program& program) const
{
    Endpoint& endpoint = program.endpoint();
    if (!endpoint.keeps())
        return PointObstacle::NotKept;
    if (program.isBusy() || endpoint.isBusy())
        return PointObstacle::UnderWay;
    if (m_printedBefore && program.communicators().contexts() != m_communicators)
        return PointObstacle::Communicators;
    if (hasOpenFiles() || writesFiles())
        return PointObstacle::Files;
    return obstacleOfOutput();
}

/// In time; or earlier, where what is saved is little beside what was sent: memory that a log uses again is not touched first.
bool Restart::isDue(const MessageLog& log) const
{
    constexpr std::uint64_t timesSaved = 4;
    constexpr std::uint64_t leastSent = 4U << 20U;
    constexpr int partOfPause = 20;
    if (!m_latest)
        return true;
    const auto since = Clock::now() - *m_latest;
    if (m_unanswered != 0)
        return since >= outputPatience * (1U << m_unanswered);
    std::uint64_t saved = 0;
    for (const auto& [id, region] : m_regions)
        saved += region.bytes;
    return since >= m_pause
        || (since >= m_pause / partOfPause
            && log.sentSincePoint() >= std::max(leastSent, timesSaved * saved));
}

int Restart::point(Program& program)
{
    MessageLog* const log = program.endpoint().log();
    if (log == nullptr) {
        program.endpoint().tellObstacle(PointObstacle::NotKept);
        return TASUKI_NOT_SAVED;
    }
    switch (log->pointHere()) {
    case MessageLog::PointHere::None: return TASUKI_NOT_SAVED;
    case MessageLog::PointHere::Awaits: log->awaitStreams(); return goOn(program);
    case MessageLog::PointHere::Repeats: pass(program); return TASUKI_SAVED;
    case MessageLog::PointHere::Leaps: return goOn(program);
    case MessageLog::PointHere::New: break;
    }
    if (!isDue(*log))
        return TASUKI_NOT_SAVED;
    PointObstacle what = obstacle(program);
    if (what == PointObstacle::None && !log->awaitCarried(outputPatience))
        what = PointObstacle::Leaving;
    if (what == PointObstacle::None) {
        flushOutput();
        const bool isKept = isRead(STDOUT_FILENO) && isRead(STDERR_FILENO)
            && program.endpoint().keepOutput(outputPatience);
        what = isKept ? PointObstacle::None : PointObstacle::OutputMissing;
    }
    m_latest = Clock::now();
    // An agent that does not answer is not waited for each time.
    m_unanswered = what == PointObstacle::OutputMissing ? std::min(m_unanswered + 1, 5U) : 0;
    if (what == PointObstacle::None)
        return save(program);
    program.endpoint().tellObstacle(what);
    return TASUKI_NOT_SAVED;
}

int Restart::save(Program& program)
{
    Endpoint& endpoint = program.endpoint();
    Lengths printed{};
    for (std::size_t stream = 0; stream < printed.size(); ++stream)
        printed[stream] = endpoint.keptOutput(stream);
    const bool isFirst = !m_printedBefore;
    if (isFirst)
        m_communicators = program.communicators().contexts();
    StateWriter state;
    state.put(isFirst ? printed : *m_printedBefore);
    state.put(printed);
    state.put(std::uint64_t{m_regions.size()});
    std::vector<StreamWriter::Part> memory;
    for (const auto& [id, region] : m_regions) {
        state.put(SavedRegion{id, region.bytes});
        memory.push_back({region.memory, region.bytes});
    }
    program.communicators().save(state);
    const std::vector<std::uint64_t> needed = endpoint.save(state);
    if (!endpoint.log()->savePoint(needed, state.bytes(), memory)) {
        endpoint.tellObstacle(PointObstacle::Full);
        return TASUKI_NOT_SAVED;
    }
    if (isFirst)
        m_printedBefore = printed;
    endpoint.tellObstacle(PointObstacle::None);
    return TASUKI_SAVED;
}

/// The first point of the rank, which this life has come to as well.
void Restart::pass(Program& program)
{
    MessageLog& log = *program.endpoint().log();
    StateReader state(log.openPoint());
    if (!m_printedBefore) {
        m_printedBefore = state.get<Lengths>();
        m_communicators = program.communicators().contexts();
    }
    log.closePoint();
    m_latest = Clock::now();
}

int Restart::goOn(Program& program)
{
    MessageLog& log = *program.endpoint().log();
    m_communicators = program.communicators().contexts();
    StateReader state(log.openPoint());
    const auto from = state.get<Lengths>();
    const auto to = state.get<Lengths>();
    m_printedBefore = from;
    bool isSame = state.get<std::uint64_t>() == m_regions.size();
    for (const auto& [id, region] : m_regions) {
        const auto saved = state.get<SavedRegion>();
        isSame = isSame && saved.id == id && saved.bytes == region.bytes;
    }
    isSame = isSame && program.communicators().restore(state);
    if (!isSame) {
        log.differ("it has named other memory, or made other communicators, before its first "
                   "restart point");
        return TASUKI_NOT_SAVED;
    }
    program.endpoint().restore(state);
    for (const auto& [id, region] : m_regions)
        log.readMemory(region.memory, region.bytes);
    log.closePoint();
    printAgain(program, from, to);
    m_latest = Clock::now();
    return TASUKI_RESTORED;
}

/// Whoever compares what the lives of a rank print finds all of it.
void Restart::printAgain(Program& program, const Lengths& from, const Lengths& to) const
{
    flushOutput();
    for (std::size_t stream = 0; stream < from.size(); ++stream) {
        for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
            struct stat file {};
            if (::fstat(descriptor, &file) != 0 || file.st_ino != m_pipes[stream])
                continue;
            writeAll(descriptor, program.endpoint().readOutput(stream, from[stream], to[stream]));
            break;
        }
    }
}

} // namespace tasuki::world
