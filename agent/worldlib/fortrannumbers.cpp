// SPDX-License-Identifier: GPL-3.0-or-later
#include "fortrannumbers.h"

#include <mutex>
#include <unordered_map>

namespace tasuki::world {

namespace {

std::mutex numbersMutex;
/// Open MPI's own begin at 0.
std::int32_t lastNumber = 1'000'000;
std::unordered_map<std::int32_t, void*> handles;

} // namespace

std::int32_t giveFortranNumber(void* handle)
{
    const std::scoped_lock lock(numbersMutex);
    handles.emplace(++lastNumber, handle);
    return lastNumber;
}

void* handleOfFortran(std::int32_t number)
{
    const std::scoped_lock lock(numbersMutex);
    const auto found = handles.find(number);
    return found == handles.end() ? nullptr : found->second;
}

void forgetFortranNumber(std::int32_t number)
{
    if (number == 0)
        return;
    const std::scoped_lock lock(numbersMutex);
    handles.erase(number);
}

} // namespace tasuki::world
