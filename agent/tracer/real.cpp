// SPDX-License-Identifier: GPL-3.0-or-later
#include "real.h"

#include <cstring>
#include <dlfcn.h>

namespace tasuki::tracer::real {

namespace {

void findAll();

/// What a pointer leads to before the library is initialised: libraries that are initialised before it
/// call MPI too, as that of the C++ bindings does.
template <class Pointer>
struct First {
    template <Pointer* pointer>
    static constexpr Pointer call = nullptr;
};

template <class Result, class... Arguments>
struct First<Result (*)(Arguments...)> {
    using Pointer = Result (*)(Arguments...);
    template <Pointer* pointer>
    static Result call(Arguments... arguments)
    {
        findAll();
        return (*pointer)(arguments...);
    }
};

} // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define TASUKI_REAL(name)                                                                          \
    constinit decltype(&::PMPI_##name) name = First<decltype(&::PMPI_##name)>::call<&name>;
#include "tracer/real.inc"
#undef TASUKI_REAL
#pragma GCC diagnostic pop

namespace {

template <class Function>
void find(Function& function, const char* symbol)
{
    void* const address = dlsym(RTLD_NEXT, symbol);
    static_assert(sizeof(Function) == sizeof address);
    std::memcpy(&function, &address, sizeof address);
}

[[gnu::constructor]] void findAll()
{
#define TASUKI_REAL(name) find(name, "PMPI_" #name);
#include "tracer/real.inc"
#undef TASUKI_REAL
}

} // namespace

} // namespace tasuki::tracer::real
