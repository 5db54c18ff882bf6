// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

namespace tasuki {

/// The standard output of an mpirun that started this process and passes its output on unchanged. mpirun
/// takes whatever it is given, and tells nobody when its own output is full or closed.
/// @return a descriptor when that is a pipe or a device, else none: then standard output is the way
UniqueFd launcherOutput();

} // namespace tasuki
