// SPDX-License-Identifier: GPL-3.0-or-later
#include "decided.h"

#include "program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

namespace tasuki::world::decided {

namespace {

constexpr std::int64_t nanosecondsASecond = 1'000'000'000;
constexpr std::int64_t nanosecondsAMicrosecond = 1'000;

/// Where the program stands. Allocators ask for the time, too: nothing here allocates.
struct State {
    enum class Stage : std::uint8_t { Outside, Early, Inside };
    Stage stage = Stage::Outside;
    pthread_t thread{};
    std::optional<Segment> segment;
    std::optional<Determinants> former; ///< what the life before was told
    std::array<Determinants::Value, 4096> values;
    std::size_t count = 0;
    bool whole = true;
};
constinit State state; // there before begin()
thread_local int inside = 0;

template <class Function>
Function* realOf(Function*& found, const char* name)
{
    if (found == nullptr)
        found = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
    return found;
}

// The first process of a rank's command that calls MPI_Init is the rank. Until then each of them is told what the rank was told.
__attribute__((constructor)) void begin()
{
    const char* const path = std::getenv("TASUKI_WORLD");
    const char* const number = std::getenv("TASUKI_WORLD_RANK");
    if (path == nullptr || number == nullptr)
        return;
    auto segment = Segment::open(path);
    const unsigned long rank = std::strtoul(number, nullptr, 10);
    if (!segment || segment->layout().logBytes == 0 || rank >= segment->layout().ranks)
        return; // MPI_Init says what is wrong
    state.segment.emplace(std::move(*segment));
    const auto me = static_cast<WorldRank>(rank);
    state.former.emplace(state.segment->log(me), state.segment->determinants(me));
    state.thread = ::pthread_self();
    state.stage = State::Stage::Early;
    // A child is no rank.
    ::pthread_atfork(nullptr, nullptr, [] { state.stage = State::Stage::Outside; });
}

std::int64_t decideEarly(ValueKind kind, const std::function<std::int64_t()>& live)
{
    std::int64_t value = 0;
    const Determinants::Value* const next = state.former->nextValue();
    if (next != nullptr && next->kind == kind) {
        value = next->value;
        state.former->pass();
    } else {
        value = live();
    }
    if (state.count < state.values.size())
        state.values[state.count++] = {kind, value};
    else
        state.whole = false;
    return value;
}

bool isAsked() { return inside == 0 && state.stage != State::Stage::Outside && isNotedThread(); }

/// @param live  what the system says. Precondition: isAsked()
template <class Live>
std::int64_t decide(ValueKind kind, const Live& live)
{
    const Inside guard;
    if (state.stage == State::Stage::Early)
        return decideEarly(kind, live);
    Program& program = *Program::current();
    const auto lock = program.lock();
    return program.endpoint().decide(kind, live);
}

std::int64_t nanosecondsOf(const timespec& time)
{
    return time.tv_sec * nanosecondsASecond + time.tv_nsec;
}

int realClock(clockid_t clock, timespec* time)
{
    static int (*real)(clockid_t, timespec*) = nullptr;
    return realOf(real, "clock_gettime")(clock, time);
}

bool isUsage(clockid_t clock)
{
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

/// @return what the C library returns: an error is the same each time, and is not noted
int ask(clockid_t clock, std::int64_t& nanoseconds)
{
    timespec now{};
    const int code = realClock(clock, &now);
    if (code == 0)
        nanoseconds = decide(isUsage(clock) ? ValueKind::Usage : ValueKind::Clock,
                             [&now] { return nanosecondsOf(now); });
    return code;
}

/// Of a clock that is always there.
std::int64_t ask(clockid_t clock)
{
    std::int64_t nanoseconds = 0;
    ask(clock, nanoseconds);
    return nanoseconds;
}

timeval asMicroseconds(std::int64_t nanoseconds)
{
    return {.tv_sec = nanoseconds / nanosecondsASecond,
            .tv_usec = nanoseconds % nanosecondsASecond / nanosecondsAMicrosecond};
}

/// Fills with noted numbers.
void fillRandom(void* to, std::size_t bytes)
{
    auto* sink = static_cast<std::byte*>(to);
    for (std::size_t at = 0; at < bytes;) {
        const std::int64_t number = decide(ValueKind::Random, [] {
            static ssize_t (*real)(void*, std::size_t, unsigned) = nullptr;
            std::int64_t drawn = 0;
            realOf(real, "getrandom")(&drawn, sizeof drawn, 0);
            return drawn;
        });
        const std::size_t part = std::min(bytes - at, sizeof number);
        std::memcpy(sink + at, &number, part);
        at += part;
    }
}

} // namespace

Inside::Inside() { ++inside; }
Inside::~Inside() { --inside; }

bool isNotedThread() { return ::pthread_equal(state.thread, ::pthread_self()) != 0; }

Early takeEarly()
{
    if (state.stage != State::Stage::Early)
        return {};
    state.stage = State::Stage::Inside;
    state.thread = ::pthread_self();
    state.former.reset();
    Early early{.segment = std::move(state.segment),
                .values = std::span(state.values).first(state.count),
                .whole = state.whole};
    state.segment.reset();
    return early;
}

void leave() { state.stage = State::Stage::Outside; }

double seconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec)
        + static_cast<double>(time.tv_nsec) / static_cast<double>(nanosecondsASecond);
}

} // namespace tasuki::world::decided

// ---- of the C library

#define TASUKI_DECIDED extern "C" __attribute__((visibility("default")))

namespace decided = tasuki::world::decided;

TASUKI_DECIDED int clock_gettime(clockid_t clock, timespec* time) noexcept
{
    if (!decided::isAsked())
        return decided::realClock(clock, time);
    std::int64_t nanoseconds = 0;
    if (const int code = decided::ask(clock, nanoseconds); code != 0)
        return code;
    *time = {.tv_sec = nanoseconds / decided::nanosecondsASecond,
             .tv_nsec = nanoseconds % decided::nanosecondsASecond};
    return 0;
}

TASUKI_DECIDED int gettimeofday(timeval* time, void* zone) noexcept
{
    if (!decided::isAsked()) {
        static int (*real)(timeval*, void*) = nullptr;
        return decided::realOf(real, "gettimeofday")(time, zone);
    }
    *time = decided::asMicroseconds(decided::ask(CLOCK_REALTIME));
    return 0;
}

TASUKI_DECIDED std::time_t time(std::time_t* at) noexcept
{
    if (!decided::isAsked()) {
        static std::time_t (*real)(std::time_t*) = nullptr;
        return decided::realOf(real, "time")(at);
    }
    const std::time_t seconds = decided::ask(CLOCK_REALTIME) / decided::nanosecondsASecond;
    if (at != nullptr)
        *at = seconds;
    return seconds;
}

TASUKI_DECIDED std::clock_t clock() noexcept
{
    if (!decided::isAsked()) {
        static std::clock_t (*real)() = nullptr;
        return decided::realOf(real, "clock")();
    }
    return decided::ask(CLOCK_PROCESS_CPUTIME_ID) / decided::nanosecondsAMicrosecond;
}

TASUKI_DECIDED int getrusage(__rusage_who_t who, rusage* usage) noexcept
{
    static int (*real)(__rusage_who_t, rusage*) = nullptr;
    const int code = decided::realOf(real, "getrusage")(who, usage);
    if (code != 0 || !decided::isAsked())
        return code;
    const auto told = [](timeval& time) {
        const std::int64_t live = time.tv_sec * decided::nanosecondsASecond
            + time.tv_usec * decided::nanosecondsAMicrosecond;
        time = decided::asMicroseconds(
            decided::decide(tasuki::world::ValueKind::Usage, [live] { return live; }));
    };
    told(usage->ru_utime);
    told(usage->ru_stime);
    return 0;
}

TASUKI_DECIDED std::clock_t times(tms* usage) noexcept
{
    static std::clock_t (*real)(tms*) = nullptr;
    tms used{};
    const std::clock_t since = decided::realOf(real, "times")(&used);
    const bool asked = decided::isAsked();
    const std::int64_t tick = decided::nanosecondsASecond / ::sysconf(_SC_CLK_TCK);
    const auto told = [asked, tick](tasuki::world::ValueKind kind, std::clock_t live) {
        return asked ? decided::decide(kind, [live, tick] { return live * tick; }) / tick : live;
    };
    for (std::clock_t* const time :
         {&used.tms_utime, &used.tms_stime, &used.tms_cutime, &used.tms_cstime})
        *time = told(tasuki::world::ValueKind::Usage, *time);
    if (usage != nullptr)
        *usage = used;
    return told(tasuki::world::ValueKind::Clock, since);
}

TASUKI_DECIDED ssize_t getrandom(void* to, std::size_t bytes, unsigned flags)
{
    if (!decided::isAsked()) {
        static ssize_t (*real)(void*, std::size_t, unsigned) = nullptr;
        return decided::realOf(real, "getrandom")(to, bytes, flags);
    }
    decided::fillRandom(to, bytes);
    return static_cast<ssize_t>(bytes);
}

TASUKI_DECIDED int getentropy(void* to, std::size_t bytes)
{
    if (!decided::isAsked()) {
        static int (*real)(void*, std::size_t) = nullptr;
        return decided::realOf(real, "getentropy")(to, bytes);
    }
    constexpr std::size_t most = 256;
    if (bytes > most) {
        errno = EIO;
        return -1;
    }
    decided::fillRandom(to, bytes);
    return 0;
}
