// SPDX-License-Identifier: GPL-3.0-or-later
#include "real.h"

#include <dlfcn.h>

namespace tasuki::world::real {

#define TASUKI_REAL(name) decltype(&::PMPI_##name) name = nullptr;
#include "realfunctions.inc"
#undef TASUKI_REAL

const char* find()
{
#define TASUKI_REAL(name)                                                                          \
    name = reinterpret_cast<decltype(name)>(::dlsym(RTLD_NEXT, "PMPI_" #name));                    \
    if (name == nullptr)                                                                           \
        return "PMPI_" #name;
#include "realfunctions.inc"
#undef TASUKI_REAL
    return nullptr;
}

} // namespace tasuki::world::real
