// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <string>

namespace tasuki {

/// What stands where a topology was read from or saved to.
struct FileOnDisk {
    enum class State : std::uint8_t {
        AsKnown, ///< what the document last read or wrote; or it has no file
        Changed, ///< somebody else has written it
        Gone,
        Unreadable,
    };
    State state = State::AsKnown;
    std::string text; ///< as it is now, if it could be read
    QString problem;  ///< why it could not, for people
};

} // namespace tasuki
