// SPDX-License-Identifier: GPL-3.0-or-later
// What tasuki.h declares, within a world.
#include "checks.h"
#include "programlib/tasuki.h"

#include <cstdlib>

#define TASUKI_PROGRAM extern "C" __attribute__((visibility("default")))

using tasuki::world::Call;
using tasuki::world::Program;

TASUKI_PROGRAM int tasuki_where(tasuki_place* place)
{
    const char* const subcluster = std::getenv("TASUKI_SUBCLUSTER");
    *place = {.subcluster = subcluster == nullptr ? "" : subcluster,
              .rank = -1,
              .ranks = 0,
              .incarnation = 0};
    Program* const program = Program::current();
    if (program == nullptr)
        return 0;
    const auto lock = program->lock();
    place->rank = static_cast<int>(program->me());
    place->ranks = static_cast<int>(program->endpoint().ranks());
    place->incarnation = static_cast<int>(program->endpoint().life());
    return 1;
}

TASUKI_PROGRAM int tasuki_protect(int id, void* memory, std::size_t bytes)
{
    if (memory == nullptr && bytes != 0)
        return -1;
    const Call call("tasuki_protect");
    call->restart().protect(id, memory, bytes);
    return 0;
}

TASUKI_PROGRAM int tasuki_restart_point()
{
    const Call call("tasuki_restart_point");
    call->endpoint().renewSign();
    return call->restart().point(*call);
}

TASUKI_PROGRAM void tasuki_alive(unsigned seconds)
{
    const Call call("tasuki_alive");
    call->endpoint().promiseSign(std::chrono::seconds(seconds));
}
