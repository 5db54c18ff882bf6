// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that are only named, and the PMPI_ form of all. The lists are made of mpi.h; see generator.
#include "calllog.h"
#include "exported.h"
#include "real.h"

#include "trace/localcalls.h"

#include <array>
#include <tuple>
#include <type_traits>

using namespace tasuki::tracer;

namespace {

/// Calls that wait for nobody are many and short: those of a size that matters are logged.
constexpr std::int64_t shortestLocalNs = 10'000;

template <class... Arguments>
constexpr bool startsRequest()
{
    if constexpr (sizeof...(Arguments) < 2)
        return false;
    else
        return std::is_same_v<
            MPI_Request*, std::tuple_element_t<sizeof...(Arguments) - 1, std::tuple<Arguments...>>>;
}

template <class Function, class... Arguments>
int passLocal(State state, Function function, Arguments... arguments)
{
    CallLog call{state, CallLog::Aside{}};
    const int result = function(arguments...);
    if (call) {
        call.returned();
        if (call.endNs() - call.beginNs() >= shortestLocalNs) {
            call.begin();
            call.end(result);
        }
    }
    return result;
}

/// What waits for the request later is part of this call.
/// @param isPersistent  MPI_Start starts it
template <class Function, class... Arguments>
int passStarting(State state, bool isPersistent, Function function, Arguments... arguments)
{
    CallLog call{state};
    std::uint32_t number = 0;
    call.log([&](Tracer& tracer) {
        if (!isPersistent)
            number = tracer.nextRequestNumber();
        tracer.recordBegin(state, call.beginNs(), {&number, isPersistent ? 0U : 1U});
    });
    const int result = function(arguments...);
    call.returned();
    if (result == MPI_SUCCESS) {
        const MPI_Request* const request = std::get<sizeof...(Arguments) - 1>(
            std::tuple<Arguments...>(arguments...));
        call.follow([&](Tracer& tracer) {
            tracer.requests().add(toHandle(*request),
                                  {.number = number,
                                   .startedAs = state,
                                   .persistent = isPersistent,
                                   .active = !isPersistent});
        });
    }
    return call.end(result);
}

template <bool isLocal, bool isPersistent, class Function, class... Arguments>
int passOn(State state, Function function, Arguments... arguments)
{
    if constexpr (isLocal) {
        return passLocal(state, function, arguments...);
    } else if constexpr (startsRequest<Arguments...>()) {
        return passStarting(state, isPersistent, function, arguments...);
    } else {
        CallLog call{state};
        call.begin();
        return call.end(function(arguments...));
    }
}

} // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define TASUKI_NAMES(...) __VA_OPT__(, ) __VA_ARGS__
#define TASUKI_OTHER_CALL(name, parameters, names)                                                 \
    TASUKI_MPI int MPI_##name parameters                                                           \
    {                                                                                              \
        return passOn<tasuki::trace::isLocalCall(#name),                                           \
                      std::string_view{#name}.ends_with("_init")>(State::name,                     \
                                                                  real::name TASUKI_NAMES names);  \
    }
#include "tracer/othercalls.inc"

#define TASUKI_PROFILED(name, parameters, names)                                                   \
    TASUKI_MPI int PMPI_##name parameters { return MPI_##name names; }
#include "tracer/profiled.inc"

#pragma GCC diagnostic pop

TASUKI_MPI int PMPI_Pcontrol(const int level, ...) { return MPI_Pcontrol(level); }
