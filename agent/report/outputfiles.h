// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputtarget.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace tasuki {

/// Writes the output of each task to two files of a directory, TASK.out and TASK.err, of the latest
/// attempt. A file appears when it is whole. Attempts must come one after the other.
class OutputFiles final : public OutputTarget {
public:
    /// @param directory  exists
    explicit OutputFiles(std::string directory);

    Result<std::size_t> write(const OutputBlock& block, std::size_t from) override;
    [[nodiscard]] bool wantsAll() const override { return true; }

private:
    using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

    Result<void> begin(AttemptKey key);
    Result<void> end();
    [[nodiscard]] std::string path(StreamKind stream) const;
    Error failed(StreamKind stream);

    std::string m_directory;
    std::optional<AttemptKey> m_open;   ///< whose files are being written
    std::optional<AttemptKey> m_failed; ///< whose files could not be
    std::array<File, streamCount> m_files;
};

} // namespace tasuki
