// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstddef>

namespace tasuki {

/// Why cells were not taken.
struct CellFault {
    std::size_t cell = 0; ///< the first that is wrong, among those that were given
    QString reason;       ///< for people
};

} // namespace tasuki
