// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tasuki::worldhost {

/// What comes on standard input of the launch, for the world's rank 0. It is kept: a rank 0 that
/// begins again reads it from its begin.
class InputSource {
public:
    struct Piece {
        std::string bytes;
        bool end = false; ///< nothing comes behind it
    };

    /// @param input   descriptor that is read; -1: there is nothing to read
    /// @param folder  where a file without a name keeps what has been read
    InputSource(int input, const std::filesystem::path& folder);

    /// Never waits.
    /// @return what stands from there on; none: it has not come yet
    std::optional<Piece> read(std::uint64_t from);

private:
    std::optional<std::size_t> readMore(std::string& room);

    int m_input;
    UniqueFd m_copy;           ///< -1: it cannot be kept
    std::uint64_t m_known = 0; ///< bytes that have come
    bool m_ended;
};

} // namespace tasuki::worldhost
