// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tasuki::world {

/// Numbers by which Fortran knows handles that are addresses here. 0: none.
std::int32_t giveFortranNumber(void* handle);
/// @return null: there is none of that number
void* handleOfFortran(std::int32_t number);
void forgetFortranNumber(std::int32_t number);

} // namespace tasuki::world
