// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tasuki {

/// @param longest  bytes that a name may have
/// @return the name, or where that is taken, with the first number behind it that is not; a number
///         that it ends in is counted on
std::string freeName(const std::string& name, std::size_t longest,
                     const std::function<bool(const std::string&)>& isTaken);

} // namespace tasuki
