// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tasuki {

/// Where the live record of a run lies: docs/record.md, "Where the record lies".
enum class RecordLay : std::uint8_t {
    InPlace, ///< under the name that the user gave: this host alone uses that file system
    Shipped, ///< in a directory of this node; what is committed there is shipped to that name first
};

/// @param file  need not exist, its directory must
/// @return what TASUKI_RECORD says (in-place or shipped), else what the file system asks for. An Error
///         of kind Input: TASUKI_RECORD says something else
Result<RecordLay> layOf(const std::filesystem::path& file);

/// The directory of this user on this node in which live records lie, one directory a run; made if it
/// does not exist. In TASUKI_LOCAL_DIR, else in the first of TMPDIR, /var/tmp, /tmp and /dev/shm that is
/// this node's own. Not in XDG_RUNTIME_DIR: that is gone when the user logs out, and the run goes on.
Result<std::filesystem::path> localRecords();

/// The same for a directory that localRecords() has returned on another host: makes it here.
/// @return an Error: it cannot be made, is not of this user alone, or not of this node
Result<void> makeLocalRecords(const std::filesystem::path& directory);

/// A run's directory in localRecords(), with what is said there about the record.
struct LocalPlace {
    std::filesystem::path directory;

    [[nodiscard]] std::filesystem::path record() const { return directory / "record.tasuki"; }
    /// Which shipment the record belongs to, and what that is called.
    struct Origin {
        std::string token;
        std::string named;
    };
    /// @return none: there is no record, or it is not known of which shipment
    [[nodiscard]] std::optional<Origin> origin() const;
    Result<void> tellOrigin(const Origin& origin) const;
    void remove() const;
};

LocalPlace localPlaceOf(const std::filesystem::path& localRecords, const RunId& run);
/// @return where the live record of a file with this name lies; none: nowhere on this node
std::optional<LocalPlace> localPlaceOf(const std::filesystem::path& localRecords,
                                       const std::filesystem::path& named);

} // namespace tasuki
