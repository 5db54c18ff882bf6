// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "uniquefd.h"

#include "domain/result.h"

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace tasuki {

/// Checks that a file can be put in a place, before work is spent on its content.
/// @param remedy  what to do where something else than a file is
Result<void> checkWritable(const std::string& path, const std::string& remedy = "name a file");

/// Writes all bytes. @return false: errno says why not
bool writeAll(int descriptor, std::string_view bytes);

/// A file beside the one that it is to become; gone unless it becomes it. What stood there before
/// stays until then. Symbolic links are followed, but not those of other users; the mode of an existing file
/// of this user stays.
class WholeFile {
public:
    /// @param mode  in place of what an existing file or the umask say
    explicit WholeFile(std::string path, std::optional<mode_t> mode = {});
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    ~WholeFile();

    /// Less than 0: it could not be made, and errno said why.
    [[nodiscard]] int descriptor() const { return m_descriptor.get(); }
    Result<void> write(std::string_view bytes);
    /// Puts it on the disk and in its place.
    Result<void> become();

private:
    std::string m_path; ///< as it was given
    std::string m_final;
    std::string m_temporary;
    std::optional<mode_t> m_mode;
    UniqueFd m_descriptor;
    bool m_done = false;
};

/// Makes a file of some content, or replaces one, as a WholeFile; checks the place first.
Result<void> writeWholeFile(const std::string& path, std::string_view content,
                            std::optional<mode_t> mode = {});

} // namespace tasuki
